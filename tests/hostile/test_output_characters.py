"""Every character that a terminal, a log or a parser might obey, at every place where text of others can stand."""

from __future__ import annotations

import json
import sys
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest

from evalschema import check_bytes
from evalschema.finding import Finding, Place, Result
from evalschema.output import formats
from evalschema.output._fit import fitted
from tests.dose import dose
from tests.hostile.cases import SOLO, cases
from tests.test_output import assert_harmless, assert_parseable, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Figure

pytestmark = pytest.mark.promise("output")
#: Categories of characters that are never shown as they are; of the large ones only every so manieth is taken.
_STEPS = {"Cc": 1, "Cf": 1, "Zl": 1, "Zp": 1, "Zs": 1, "Cs": dose(97, 1), "Co": dose(9_973, 37), "Cn": dose(9_973, 37)}
_SIGNS = "\"'`<>&|*_[](){}#@:%\\/~,;=+-$!?^\x7f"


def characters() -> list[str]:
    """All of the small categories, some of the large ones, and every sign that a format gives a meaning."""
    counts = dict.fromkeys(_STEPS, 0)
    found = list(_SIGNS)
    for number in range(sys.maxunicode + 1):
        category = unicodedata.category(chr(number))
        if category in counts:
            if counts[category] % _STEPS[category] == 0:
                found.append(chr(number))
            counts[category] += 1
    return found


def texts() -> Iterator[str]:
    """The characters, forty at a time, each at the beginning of a word and before a command."""
    found = characters()
    for start in range(0, len(found), 40):
        yield "".join(f"{each}::error::x {each}##[x]" for each in found[start : start + 40])


def results(text: str) -> Iterator[Result]:
    """What is found where the text stands as a value, as a name, as a path, and in every part of a finding."""
    path = text.replace("\0", "")
    # halves of pairs stand in no document that can be read, and in names of files
    text = "".join(each for each in text if not 0xD800 <= ord(each) < 0xE000)
    if text:
        document: Any = {**SOLO, "type": text, "scores": {text: 0, f"{text[::-1]}": text}, "scenario": {"name": text}}
        yield check_bytes(json.dumps(document).encode(), "run", path=path)
        own = {"properties": {text: {"enum": [text]}}, "required": [text + "!"], "additionalProperties": False}
        yield check_bytes(json.dumps({text: "", text + "?": 1}).encode(), schema=own, path=path)
    whole = Finding(
        code=text, name=text, severity="error", pointer=f"/{text.replace('~', '~0')}", message=text, found=text,
        expected=[text, {text: text}], related=(f"/{text.replace('~', '~0')}",), elsewhere=(Place(path, "/a", 1, 2),),
        suggestion=text, consequence=text, fix=({"op": "add", "path": "/a", "value": {text: text}},),
    )  # fmt: skip
    yield Result((whole,), "run", path)


@pytest.mark.parametrize("name", formats())
def test_no_character_is_obeyed(name: str, figure: Figure) -> None:
    tried = 0
    for text in texts():
        found = [fitted(result, 100) for result in results(text)]
        assert all(result.findings for result in found)
        shown_text = shown(name, found)
        assert_harmless(name, shown_text)
        assert_parseable(name, shown_text)
        tried += len(found)
    figure("characters in every format, at every place", f"{len(characters()):,} characters, 0 let through")


def test_no_message_holds_more_than_an_excerpt(figure: Figure) -> None:
    secret = "the recipe of the house is kept behind the third brick from the left of the oven door " * 20
    documents = 0
    for case in cases():
        data = case.data.replace(b"Loaves that rise twice", secret.encode())
        for finding in check_bytes(data, "run").findings:
            # a repair holds what it puts in place, whole
            told = json.dumps(finding.to_dict() | {"fix": None}, ensure_ascii=False)
            assert secret[:90] not in told, case.name
        documents += 1
    figure("documents with a long text, no finding holds more than 90 characters of it", documents)
