"""Damaged documents, damaged bytes, and our own Python code under a fuzzer: `make fuzz`, and small doses in every run.

`targets/` holds one module a part of the program; `regressions/<target>/` the inputs that once broke it, which every
run replays, with a fuzzer or without.
"""
