"""One save in a process of its own, between two empty writes to standard error that mark it in a trace.

    python writer.py ROOT PATH SIZE SEED [overwrite] [named]

Exit codes: 0 saved, 1 refused, 3 the environment failed. `named` does without O_TMPFILE, as other systems must.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import os
import sys
import types
from pathlib import Path


def content(size: int, seed: int) -> bytes:
    """`size` bytes that no other seed gives and no part of which repeats the whole."""
    line = f'"run {seed}, line %08d"\n'
    return "".join(line % number for number in range(size // 20 + 1)).encode()[:size]


def main(arguments: list[str]) -> int:
    root, path, size, seed, *switches = arguments
    # the package without its __init__: the trace then holds nothing but the interpreter and the save
    package = types.ModuleType("evalschema")
    package.__path__ = [str(Path(__file__).resolve().parents[2] / "src" / "evalschema")]
    sys.modules["evalschema"] = package
    from evalschema import saving

    if "named" in switches:
        saving._O_TMPFILE = 0
    data = content(int(size), int(seed))
    os.write(2, b"")
    try:
        saving.save(data, path, root, overwrite="overwrite" in switches)
        code, word = 0, "saved"
    except saving.PathRefused as refused:
        code, word = 1, refused.code
    except saving.SaveError as failed:
        code, word = 3, failed.code
    os.write(2, b"")
    os.write(1, word.encode())
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
