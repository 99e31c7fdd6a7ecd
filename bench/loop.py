"""What a person writes who has a library only: read each document, ask for a verdict, exit with 1 if one is bad.

    python bench/loop.py READER VERDICT SCHEMA PATH

READER is json or orjson, VERDICT is jsonschema, jsonschema_rs or none; PATH a folder, a .jsonl file or a document. It
runs in the environments of others, so that it imports nothing of ours.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def documents(path: str) -> Iterator[bytes]:
    """The bytes of each document."""
    if os.path.isdir(path):
        for folder, _, names in os.walk(path):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    yield file.read()
    elif path.endswith(".jsonl"):
        with open(path, "rb") as file:
            yield from file
    else:
        yield Path(path).read_bytes()


def verdict(name: str, schema: dict[str, Any]) -> Callable[[Any], bool]:
    """What says whether an instance is valid, formats included."""
    if name == "none":
        return lambda _: True
    library: Any = importlib.import_module(name)
    validator = library.Draft202012Validator
    if name == "jsonschema":
        return validator(schema, format_checker=validator.FORMAT_CHECKER).is_valid  # type: ignore[no-any-return]
    return validator(schema, validate_formats=True).is_valid  # type: ignore[no-any-return]


def main(reader: str, engine: str, schema: str, path: str) -> int:
    is_valid = verdict(engine, json.loads(Path(schema).read_bytes()))
    read: Callable[[bytes], Any] = importlib.import_module(reader).loads
    bad = 0
    for data in documents(path):
        bad += not is_valid(read(data))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
