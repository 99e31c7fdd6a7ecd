"""Makes everything that follows from the canonical schemas, the rules and the examples."""
