"""Documents to dataclasses and back: nothing is lost, whatever the documents are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from evalschema import DocumentError, dump, load, validate
from evalschema._generated import models
from evalschema.catalog import kinds
from evalschema.codec import Record, decode, encode
from evalschema.fix.tree import is_same
from tests.fuzz.choices import Choices
from tests.fuzz.damage import damaged
from tests.fuzz.examples import documents_of
from tests.mutation import damaged as worn
from tests.test_fix import random_value

CLASSES = tuple(
    value
    for _, value in sorted(vars(models).items())
    if isinstance(value, type) and issubclass(value, Record) and value is not Record
)

RUNS = 600


def seeds() -> Iterator[bytes]:
    """Numbers that damage is chosen by."""
    yield from (bytes((i * 5 + j * 17) % 256 for j in range(48)) for i in range(64))


def run(data: bytes) -> None:
    """Load an example with some damage, and take any value for any class."""
    choices = Choices(data)
    kind: Any = choices.choice(kinds())
    document = json.loads(choices.choice(documents_of(kind)))
    for _ in range(choices.randrange(3)):
        document = (damaged if choices.random() < 0.5 else worn)(document, choices)
    before = json.dumps(document)
    result = validate(document, kind)
    try:
        loaded = load(document, kind)
    except DocumentError as error:
        refused: Any = error.result
        assert not result.ok
        assert refused == result
    else:
        assert result.ok
        assert is_same(dump(loaded), document)
        assert json.dumps(dump(loaded)) == before, "the order of members is another"
    assert json.dumps(document) == before
    _assert_kept(choices.choice(CLASSES), document if choices.random() < 0.5 else random_value(choices))


def _assert_kept(cls: Any, value: Any) -> None:
    decoded = decode(cls, value)
    assert json.dumps(encode(decoded)) == json.dumps(value)
