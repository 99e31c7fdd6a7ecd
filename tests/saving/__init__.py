"""Faults against a save: a program that saves once, and what is done to it."""
