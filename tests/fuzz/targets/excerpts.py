"""Text of documents in messages: short, printable, and names are alike or not, both ways."""

from __future__ import annotations

from collections.abc import Iterator

from evalschema.excerpt import excerpt, short, shown
from evalschema.finding import pointer, split
from evalschema.likeness import closest
from evalschema.output._words import lossless
from tests.fuzz.damage import KEYS, VALUES

RUNS = 8000


def seeds() -> Iterator[bytes]:
    """Names and values that break programs."""
    yield from (key.encode() for key in KEYS)
    yield from (value.encode() for value in VALUES if isinstance(value, str))
    yield from (b"total_duration_seconds total_duration_secondz", b"passRate pass_rate", b"a~0b~1c/d ~")


def run(data: bytes) -> None:
    """Show the text."""
    text = data.decode("utf-8", "surrogateescape")
    for limit in (1, 20, 60):
        cut = excerpt(text, limit)
        assert cut.isprintable()
        assert len(cut) <= 10 * limit + 1
        cut.encode()
    assert shown(text).isprintable()
    assert short(text).isprintable()
    lossless(text).encode()
    assert split(pointer(("", text, 0))) == ("", text, "0")
    words = text.split()
    if len(words) > 1:
        near = closest(words[0], words[1:4])
        assert near is None or near in words[1:4]
        for word in words[1:4]:
            assert closest(words[0], [word]) is None or closest(word, [words[0]]) is not None, "alike one way alone"
