"""Patched text: it holds what an independent library makes of the data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import jsonpatch

from evalschema.fix import PatchError, Text
from evalschema.fix.tree import is_same
from tests.fuzz.choices import Choices
from tests.test_fix import random_operation, random_value, spelled

RUNS = 4000


def seeds() -> Iterator[bytes]:
    """Numbers that documents and patches are chosen by."""
    yield from (bytes((i * 11 + j * 29) % 256 for j in range(64)) for i in range(64))


def run(data: bytes) -> None:
    """Patch a text up to three times."""
    choices = Choices(data)
    document: Any = random_value(choices)
    if not isinstance(document, dict | list):
        document = [document]
    text = spelled(document, choices)
    edited = Text(text)
    assert str(edited) == text
    for _ in range(1 + choices.randrange(3)):
        operation = random_operation(document, choices)
        if operation["op"] == "remove" and not operation["path"]:
            continue  # RFC 6902 leaves open what is left then
        if operation["op"] == "move" and operation["path"].startswith(operation["from"]):
            continue  # into itself, or onto itself: the library lets some of it pass
        try:
            expected = jsonpatch.apply_patch(deepcopy(document), [deepcopy(operation)])
        except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException, TypeError):
            try:
                edited.apply((operation,))
            except PatchError:
                return
            raise AssertionError(f"{operation} was made") from None
        edited.apply((operation,))
        document = json.loads(str(edited))
        assert is_same(document, expected), (text, operation)
        if not isinstance(document, dict | list):
            return
