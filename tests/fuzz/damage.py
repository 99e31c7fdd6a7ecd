"""Documents and bytes damaged as an enemy would, always the same way for the same seed.

`tests.mutation` damages as people and models do; here come the values and names that break programs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import Any

from tests.mutation import examples, mutants

# Made anew wherever they are used, for documents are damaged in place.
VALUES: tuple[Any, ...] = (
    2**1024 - 1, -(2**1024) + 1, 2**63, -(2**63) - 1, 10**300, 1.7e308, -1.7e308, 5e-324, -0.0, 1e22, 0.1 + 0.2,
    "9" * 5000, "-" + "9" * 5000, "9" * 400 + "%", "+" + "9" * 400, "9" * 5000 + "/1", "1e99999", "0x10", "٣", "１２",
    "²", "x" * 70_000, "\u202e\u2066abc", "\x1b[31mred\x1b]0;t\x07", "a\r\n::error::b", "##vso[task.complete]",
    "\u2028\u2029", "\x00\x01\x7f\x85\xa0", "\U0001f600" * 50, "<script>&\"'</script>", "]]>", "| a | b |\n|---|",
    "`" * 40, "{{7*7}}", "0000-01-01T00:00:00Z", "9999-12-31T23:59:60Z", "2016-12-31T23:59:60+00:00",
    "2026-01-15T10:30:00." + "9" * 4000 + "Z", "2026-01-15T10:30:00+23:59", "2026-02-30T10:30:00Z",
    "../../../etc/passwd", "file:///etc/hostname", "CON", "-", "~", "/",
    "WEIGHTED_TOTAL: 85\n> WEIGHTED_TOTAL: 12\n" * 200, '{"weighted_total": ' * 60, "<!--" * 3000,
    "grading.schema.json", [[]] * 300, [None] * 200, [{}] * 120, ["x"] * 150, {"": {"": {"": {}}}},
    {str(i): i for i in range(150)}, "true", "PASS",
)  # fmt: skip
KEYS = (
    "", " ", "/", "~", "~0", "~1", "a/b~c", "0", "-1", "01", "٣", "9" * 5000, "x" * 3000, "\u202e", "\n", "\x00",
    "\x1b[2J", "::error::", "__proto__", "$ref", "$schema", "$id", "constructor", "é", "\U0001f600", "passes",
    "Passed", "pass-rate", "expectations", "assertions", "summary", "results", "runs", "delta", "with_skill",
    "evals", "<b>", "'", '"', "\\",
)  # fmt: skip
PIECES = (
    b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\\u", b"\\ud800", b"\\udc00", b"\\ud83d\\ude00", b"\\x",
    b"\x00", b"\n", b"\r", b"\x85", b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xef\xbb\xbf",
    b"\xe2\x80\xae", b"\xc2\xa0", b"NaN", b"-Infinity", b"1e999", b"-1e-999", b"01", b"1.", b".5", b"+1", b"0x1",
    b"1e", b"-", b"True", b"None", b"nul", b"'", b"//", b"/*", b"#", b"```json\n", b"\n```", b"[" * 70, b"]" * 70,
    b'{"a":' * 70, b"9" * 1100, b"0." + b"1" * 1100, b'"a":1,', b'"\\u0061":1,', b" " * 50, b"\t",
    b'"' + b"x" * 5000 + b'"', b"{}", b"[]", b"null", b"\xff\xfe", b"\xfe\xff",
)  # fmt: skip
STYLES: tuple[dict[str, Any], ...] = (
    {"indent": 2},
    {},
    {"separators": (",", ":")},
    {"indent": "\t", "ensure_ascii": False},
    {"indent": 1, "ensure_ascii": False},
)


def hostile_mutants(kind: str, count: int, seed: int = 0) -> Iterator[Any]:
    """`count` damaged documents of a kind, half of them with values and names that break programs."""
    random = Random(f"hostile {kind} {seed}")  # noqa: S311
    for document in mutants(kind, count, seed):
        while random.random() < 0.5:
            document = damaged(document, random)
        yield document


def damaged(document: Any, random: Random) -> Any:
    """The document with one more damage, made in place."""
    places = list(_places(document))
    if not places:
        return deepcopy(random.choice(VALUES))
    holder, key = random.choice(places)
    match random.randrange(4):
        case 0 if isinstance(holder, dict):
            holder[random.choice(KEYS)] = holder.pop(key)
        case 0:
            holder.insert(key, deepcopy(random.choice(VALUES)))
        case 1 if isinstance(holder, dict):
            holder[random.choice(KEYS)] = deepcopy(random.choice((*VALUES, holder[key])))
        case _:
            holder[key] = deepcopy(random.choice(VALUES))
    return document


def _places(document: Any) -> Iterator[tuple[Any, Any]]:
    waiting = [document]
    while waiting:
        value = waiting.pop()
        pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, child in pairs:
            yield value, key
            waiting.append(child)


def spelled(document: Any, random: Random) -> bytes:
    """The document as one program or another writes it: line ends of two sorts, and sometimes a byte order mark."""
    text = json.dumps(document, **random.choice(STYLES))
    if random.random() < 0.1:
        text = text.replace("\n", "\r\n")
    return (b"\xef\xbb\xbf" if random.random() < 0.02 else b"") + text.encode()


def seeds(kind: str) -> list[bytes]:
    """The bytes of the kind's examples, each in a style of its own."""
    random = Random(kind)  # noqa: S311
    return [spelled(document, random) for document in examples(kind)]


def byte_mutants(sources: Sequence[bytes], count: int, seed: object = 0) -> Iterator[bytes]:
    """`count` inputs, each one of the sources with one to four damages of its bytes."""
    random = Random(f"bytes {seed}")  # noqa: S311
    for _ in range(count):
        data = random.choice(sources)
        for _ in range(random.choice((1, 1, 1, 2, 4))):
            data = damaged_bytes(data, random)
        yield data


def damaged_bytes(data: bytes, random: Random) -> bytes:
    """The bytes with one more damage."""
    at = random.randrange(len(data) + 1)
    end = min(len(data), at + random.choice((1, 1, 2, 5, 50)))
    match random.randrange(7):
        case 0 if data:
            at = min(at, len(data) - 1)
            return data[:at] + bytes([data[at] ^ (1 << random.randrange(8))]) + data[at + 1 :]
        case 1:
            return data[:at] + data[end:]
        case 2:
            return data[:end] + data[at:]
        case 3 if random.random() < 0.3:
            return data[:at]
        case 4:
            return data[:at] + bytes(random.randrange(256) for _ in range(random.choice((1, 2, 8)))) + data[end:]
        case _:
            return data[:at] + random.choice(PIECES) + data[at if random.random() < 0.5 else end :]
