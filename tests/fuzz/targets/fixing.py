"""Repairs: no document gets worse, whatever it is, and what was repaired once needs no second time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from evalschema import check_bytes
from evalschema.catalog import kinds
from evalschema.fix import repair, repair_lines
from evalschema.fix.tree import is_same
from evalschema.settings import Settings
from tests.fuzz.choices import Choices
from tests.fuzz.damage import byte_mutants, damaged, spelled
from tests.fuzz.examples import documents_of
from tests.test_fix import replayed

if TYPE_CHECKING:
    from evalschema.finding import Result

_ALL = Settings(max_findings=10**9)

RUNS = 120


def seeds() -> Iterator[bytes]:
    """Numbers that damage is chosen by."""
    yield from (bytes((i * 7 + j * 13) % 256 for j in range(48)) for i in range(64))


def run(data: bytes) -> None:
    """Repair an example with some damage, as one document and as a line."""
    choices = Choices(data)
    kind: Any = choices.choice(kinds())
    document = json.loads(choices.choice(documents_of(kind)))
    for _ in range(choices.randrange(4)):
        document = damaged(document, choices)
    text = spelled(document, choices)
    if choices.random() < 0.2:
        text = next(byte_mutants([text], 1, choices.getrandbits(16)))
    unsafe = choices.random() < 0.5
    done = repair(text, kind, settings=_ALL, unsafe=unsafe)
    assert bool(done.steps) == (done.data != text)
    assert check_bytes(done.data, kind, settings=_ALL).findings == done.after.findings
    if not _is_unread(done.before):
        assert not _is_unread(done.after), "what could be read cannot be read"
        assert len(done.after.errors) <= len(done.before.errors)
        if len(done.after.errors) == len(done.before.errors):
            assert len(done.after.findings) <= len(done.before.findings)
        bare = text.removeprefix(b"\xef\xbb\xbf")
        if all(step.patch is not None for step in done.steps):
            assert is_same(json.loads(done.data.removeprefix(b"\xef\xbb\xbf")), replayed(bare, done))
    again = repair(done.data, kind, settings=_ALL, unsafe=unsafe)
    assert again.data == done.data, "twice is not once"
    assert not again.steps
    lines = repair_lines(text, kind, settings=_ALL, unsafe=unsafe)
    assert lines.data.count(b"\n") == text.count(b"\n")
    assert len(lines.after.errors) <= len(lines.before.errors)


def _is_unread(result: Result) -> bool:
    return any(each.code.startswith("json.") and each.code != "json.bom" for each in result.findings)
