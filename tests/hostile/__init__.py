"""Input that means harm: what it must not do, and what is said instead."""
