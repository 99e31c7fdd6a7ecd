"""Runs one program and says what it took; itself so small that what it holds does not hide what the program holds.

    python -I -S bench/launch.py NOTES PROGRAM [ARGUMENT ...]

Writes to standard output, as JSON: seconds that passed, seconds of processor time, the largest memory of one process
in kB, the exit status. The program's own output goes nowhere, its standard error to the file NOTES. Memory is counted
from the about 9 MB that this program has: the system hands its own peak on to what it starts.
"""

import os
import sys
from time import perf_counter


def main(notes: str, *command: str) -> None:
    files = (
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, notes, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    )
    start = perf_counter()
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=files)
    _, status, used = os.wait4(process, 0)
    taken = perf_counter() - start
    memory = used.ru_maxrss // (1024 if sys.platform == "darwin" else 1)
    print(f"[{taken}, {used.ru_utime + used.ru_stime}, {memory}, {os.waitstatus_to_exitcode(status)}]")


if __name__ == "__main__":
    main(*sys.argv[1:])
