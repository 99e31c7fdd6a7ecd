"""One module a part of the program: `seeds()` are the inputs to begin with, `run(data)` raises where one breaks it.

Whatever `run` raises is a find: a promise that is broken, or an exception that no input may cause. `RUNS` is how many
inputs the short run of the tests makes up: what takes a few seconds.
"""
