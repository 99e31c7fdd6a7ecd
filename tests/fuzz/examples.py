"""The documents that every corpus begins with: those of schemas/examples."""

from __future__ import annotations

import json
from functools import cache
from random import Random

from evalschema.catalog import kinds
from tests.fuzz.damage import spelled
from tests.mutation import examples

# Larger ones slow a fuzzer down, and hold nothing that smaller ones lack.
_LARGEST = 6000


@cache
def documents_of(kind: str) -> tuple[str, ...]:
    """The small documents of a kind, sound and broken, each as JSON."""
    texts = (json.dumps(document) for document in examples(kind))
    return tuple(text for text in texts if len(text) <= _LARGEST)


def documents(count: int) -> list[bytes]:
    """Some documents of all kinds, in all styles."""
    random = Random(count)  # noqa: S311
    return [spelled(json.loads(random.choice(documents_of(kinds()[i % len(kinds())]))), random) for i in range(count)]
