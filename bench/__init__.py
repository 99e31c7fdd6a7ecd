"""Measurements: what the documentation says of speed, as ratios in one run."""
