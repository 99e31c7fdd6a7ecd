"""Baselines: what was accepted is not told again, and what is no baseline is refused in words."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from evalschema import check_bytes
from evalschema.baseline import Baseline, Record
from evalschema.catalog import kinds
from evalschema.errors import SettingsError
from evalschema.settings import Settings
from tests.fuzz.choices import Choices
from tests.fuzz.damage import damaged, spelled
from tests.fuzz.examples import documents_of
from tests.mutation import damaged as worn

_MEMORY = "/dev/shm"  # noqa: S108
_ALL = Settings(max_findings=10**9)
_ENTRY = b'{"version": 1, "findings": [{"path": "a.json", "code": "GRD001", "pointer": "/a", "content": "0"}]}'

RUNS = 500


def seeds() -> Iterator[bytes]:
    """Baselines, sound and damaged, and numbers that damage is chosen by."""
    yield _ENTRY
    yield _ENTRY.replace(b"1,", b"2,")
    yield b'{"version": 1, "findings": []}'
    yield b"[]"
    yield from (bytes((i * 3 + j * 19) % 256 for j in range(48)) for i in range(64))


def run(data: bytes) -> None:
    """Read the bytes as a baseline, and accept what is found in a document that they choose."""
    with tempfile.TemporaryDirectory(dir=_MEMORY if os.path.isdir(_MEMORY) else None) as folder:
        path = os.path.join(folder, "accepted.json")
        with open(path, "wb") as file:
            file.write(data)
        try:
            Baseline(path)
        except SettingsError:
            os.unlink(path)
        _accept(Choices(data), path)


def _accept(choices: Choices, path: str) -> None:
    kind: Any = choices.choice(kinds())
    document = json.loads(choices.choice(documents_of(kind)))
    for _ in range(choices.randrange(4)):
        document = (damaged if choices.random() < 0.5 else worn)(document, choices)
    text = spelled(document, choices)
    name = os.path.join(os.path.dirname(path), "document.json")
    result = replace(check_bytes(text, kind, settings=_ALL), path=name)
    with open(name, "wb") as file:
        file.write(text)
    record = Record(path)
    assert record.accept(result, text).findings == ()
    record.write()
    with open(path, "rb") as file:
        written = file.read()
    accepted = Baseline(path)
    assert accepted.new(result, text).findings == (), "what was accepted is told again"
    assert accepted.met == len(result.findings)
    again = Record(path)
    again.accept(result, text)
    again.write()
    with open(path, "rb") as file:
        assert file.read() == written, "a baseline made anew is another"
