"""A report for people: what can be trusted, the figures with their spread, and what is wrong, on one page."""
