"""Documents of a given size in the shapes that cost most: for the parser, for what looks at instances, for messages."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from evalschema.catalog import kinds
from tests.mutation import EXAMPLES

MIB = 2**20


def repeated(start: str, item: str, end: str, size: int) -> bytes:
    """As many items, with commas between them, as fit."""
    room = size - len(start) - len(end)
    return (start + ",".join([item] * max(1, (room + 1) // (len(item) + 1))) + end).encode()


def numbered(start: str, item: Callable[[int], str], end: str, size: int) -> bytes:
    """As `repeated`, with items that differ."""
    items: list[str] = []
    room = size - len(start) - len(end)
    while room > 0:
        items.append(item(len(items)))
        room -= len(items[-1]) + 1
    return (start + ",".join(items[:-1] or items) + end).encode()


RUN = '{"eval_id":%d,"config":"with_skill","run_number":1,"result":{"pass_rate":"1","passed":1,"total":1}}'
EXPECTATION = '{"name":"x","met":"yes","details":1}'
SOUND_EXPECTATION = '{"text":"the table has %d rows","passed":true,"evidence":"rows 1 to %d are there"}'

#: For each name the kind, and the document of a size.
SHAPES: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "empty lists": ("timing", lambda size: repeated("[", "[]", "]", size)),
    "lists of a number": ("timing", lambda size: repeated("[", "[0]", "]", size)),
    "objects of a number": ("timing", lambda size: repeated("[", '{"a":0}', "]", size)),
    "empty objects": ("timing", lambda size: repeated("[", "{}", "]", size)),
    "deep lists": ("timing", lambda size: repeated("[", "[" * 60 + "]" * 60, "]", size)),
    "deep objects": ("timing", lambda size: repeated("[", '{"a":' * 60 + "1" + "}" * 60, "]", size)),
    "integers": ("timing", lambda size: repeated("[", "1", "]", size)),
    "large integers": ("timing", lambda size: repeated("[", "9" * 300, "]", size)),
    "fractions": ("timing", lambda size: repeated("[", "0.1234567890123456", "]", size)),
    "one text": ("timing", lambda size: b'{"a":"' + b"x" * (size - 8) + b'"}'),
    "one text with escapes": ("timing", lambda size: b'{"a":"' + b"\\n" * (size // 2 - 4) + b'"}'),
    "one text with wide escapes": ("timing", lambda size: b'{"a":"' + b"\\u20ac" * (size // 6 - 4) + b'"}'),
    "one text of wide signs": ("timing", lambda size: b'{"a":"' + "𝒙".encode() * (size // 4 - 4) + b'"}'),
    "short texts": ("timing", lambda size: repeated("[", '"a"', "]", size)),
    "many names": ("timing", lambda size: numbered("{", lambda i: f'"k{i}":{i}', "}", size)),
    "many names in objects": ("timing", lambda size: numbered("[", lambda i: f'{{"k{i}":{i}}}', "]", size)),
    "one long name": ("timing", lambda size: b'{"' + b"k" * (size - 8) + b'":0}'),
    "the same name twice": ("timing", lambda size: numbered("{", lambda i: f'"k{i}":0', ',"k0":1}', size)),
    "cut at the end": ("timing", lambda size: repeated("[", '{"a":0}', "", size)),
    "cut in a text": ("timing", lambda size: b'["' + b"\\n" * (size // 2)),
    "opened for ever": ("timing", lambda size: b"[" * size),
    "blank": ("timing", lambda size: b" " * size),
    "digits": ("timing", lambda size: b"1" * size),
    "no UTF-8 at the end": ("timing", lambda size: b'["' + b"x" * size + b'\xff"]'),
    "wrong gradings": ("grading", lambda size: repeated('{"expectations":[', EXPECTATION, '],"summary":{}}', size)),
    "sound gradings": (
        "grading",
        lambda size: numbered(
            '{"expectations":[',
            lambda i: SOUND_EXPECTATION % (i, i),
            '],"summary":{"passed":1,"failed":0,"total":1,"pass_rate":1.0}}',
            size,
        ),
    ),
    "numbers for gradings": ("grading", lambda size: repeated('{"expectations":[', "1", '],"summary":{}}', size)),
    "wrong benchmarks": (
        "benchmark",
        lambda size: numbered('{"metadata":{},"runs":[', lambda i: RUN % i, '],"run_summary":{}}', size),
    ),
    "numbers for benchmarks": ("benchmark", lambda size: repeated('{"runs":[', "1", "]}", size)),
    "aliases everywhere": (
        "benchmark",
        lambda size: numbered(
            '{"runs":[', lambda i: f'{{"config":"a{i}","pass_rate":0.5,"passed":1,"total":2,"time":1}}', "]}", size
        ),
    ),
    "triggers": ("trigger_evals", lambda size: repeated("[", '{"query":1,"should_trigger":"yes"}', "]", size)),
    "evals": ("evals", lambda size: repeated('{"skill_name":"x","evals":[', '{"id":"1","prompts":1}', "]}", size)),
    "versions": ("history", lambda size: repeated('{"iterations":[', '{"version":1,"parent":1}', "]}", size)),
    "one judge's text": (
        "run",
        lambda size: b'{"judge":{"response_text":"' + b"WEIGHTED_TOTAL: 8\\n" * (size // 19 - 5) + b'"}}',
    ),
}


def own_shapes() -> dict[str, tuple[str, Callable[[int], bytes]]]:
    """For each kind with a list in its sound example: that list with its items repeated until the size is reached."""
    shapes: dict[str, tuple[str, Callable[[int], bytes]]] = {}
    for kind in kinds():
        document = next(
            (json.loads(path.read_text("utf-8")) for path in sorted((EXAMPLES / kind / "valid").glob("*.json"))
             if not path.name.endswith(".findings.json")), None,
        )  # fmt: skip
        for name, value in document.items() if isinstance(document, dict) else [("", document)]:
            if isinstance(value, list) and value:
                shapes[f"{kind} /{name}"] = kind, _grown(document, name, value)
    return shapes


def _grown(document: Any, name: str, items: list[Any]) -> Callable[[int], bytes]:
    def grown(size: int) -> bytes:
        text = json.dumps(items[0])
        many = repeated("[", text, "]", size).decode()
        if not name:
            return many.encode()
        rest = json.dumps({key: value for key, value in document.items() if key != name})
        return f'{rest[:-1]}, "{name}": {many}}}'.encode()

    return grown
