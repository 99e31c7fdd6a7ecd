"""A file's bytes in place of others: the old ones or the new ones, and nothing beside them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from evalschema.fix.replacing import NotReplaced, replace_file
from tests.fuzz.choices import Choices

_MEMORY = "/dev/shm"  # noqa: S108
SURPRISES = ("none", "none", "other bytes", "longer", "shorter", "link", "folder", "gone", "read only")

RUNS = 8000


def seeds() -> Iterator[bytes]:
    """Which surprise meets which bytes."""
    yield from (bytes((i, j, 3, 200)) + b"some old bytes" for i in range(8) for j in (0, 200))


def run(data: bytes) -> None:
    """Replace the bytes of a file that is what it should be, or is not."""
    choices = Choices(data)
    surprise = choices.choice(SURPRISES)
    new = choices.randbytes(choices.randrange(200))
    old = choices.rest()
    with tempfile.TemporaryDirectory(dir=_MEMORY if os.path.isdir(_MEMORY) else None) as folder:
        path = Path(folder, "a.json")
        there = {"other bytes": b"x" + old, "longer": old + b"x", "shorter": old[:-1] + b""}.get(surprise, old)
        if surprise == "link":
            Path(folder, "b.json").write_bytes(old)
            path.symlink_to("b.json")
        elif surprise == "folder":
            path.mkdir()
        elif surprise != "gone":
            path.write_bytes(there)
        if surprise == "read only":
            path.chmod(0o400)
        before = sorted(os.listdir(folder))
        fits = there == old and surprise not in ("link", "folder", "gone")
        try:
            replace_file(str(path), old, new)
        except NotReplaced:
            assert not fits or surprise == "read only", surprise
            if path.is_file():
                assert path.read_bytes() == there
        else:
            assert fits, surprise
            assert path.read_bytes() == new
        assert sorted(os.listdir(folder)) == before, "something is left over"
