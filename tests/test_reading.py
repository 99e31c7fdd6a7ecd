"""Reading: what is no strict JSON is refused with its own code, at its place; everything else comes out unchanged."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalschema import check_bytes, validate
from evalschema.catalog import kinds, schema
from evalschema.plain import is_plain
from evalschema.reading import DEPTH_LIMIT, DIGIT_LIMIT, INTEGER_BITS, Unreadable, parse, read, refusal
from tests.dose import dose
from tests.mutation import examples

REFUSED = [
    (b"", "json.empty", 0, ()),
    (b" \n\t", "json.empty", 0, ()),
    (b'{"a": 1', "json.truncated", 7, ()),
    (b'{"a"', "json.truncated", 4, ("a",)),
    (b'{"a": "x', "json.truncated", 6, ("a",)),
    (b"[1, 2", "json.truncated", 5, ()),
    (b'{"a": 1,}', "json.trailing-comma", 7, ()),
    (b"[1,]", "json.trailing-comma", 2, ()),
    (b"{'a': 1}", "json.quotes", 1, ()),
    (b"{a: 1}", "json.quotes", 1, ()),
    (b"['x']", "json.quotes", 1, (0,)),
    (b'{"a": True}', "json.literal", 6, ("a",)),
    (b"[None]", "json.literal", 1, (0,)),
    (b"[undefined]", "json.literal", 1, (0,)),
    (b"[NaN]", "json.not-a-number", 1, (0,)),
    (b"[-Infinity]", "json.not-a-number", 1, (0,)),
    (b'{"a": {"b": 1e999}}', "json.number-range", 12, ("a", "b")),
    (b"[-1e999]", "json.number-range", 1, (0,)),
    (b"[01]", "json.number", 1, (0,)),
    (b"[1.]", "json.number", 2, (0,)),
    (b"[+1]", "json.number", 1, (0,)),
    (b"[.5]", "json.number", 1, (0,)),
    (b"[1e]", "json.number", 2, (0,)),
    (b"// note\n{}", "json.comment", 0, ()),
    (b'{"a": 1 /* note */}', "json.comment", 8, ()),
    (b"{} # note", "json.comment", 3, ()),
    (b"```json\n{}\n```", "json.markdown", 0, ()),
    (b"{}\n```", "json.markdown", 3, ()),
    (b"{}\n{}", "json.extra", 3, ()),
    (b"{}}", "json.extra", 2, ()),
    (b'"\\x"', "json.escape", 1, ()),
    (b'"\\u12"', "json.escape", 1, ()),
    (b'["\\ud800"]', "json.surrogate", 2, (0,)),
    (b'["\\udc00"]', "json.surrogate", 2, (0,)),
    (b'{"a": "x\ny"}', "json.control-character", 8, ("a",)),
    (b'["\x00"]', "json.control-character", 2, (0,)),
    (b'{"a": 1, "b": 2, "a": 3}', "json.repeated-key", 17, ("a",)),
    (b'{"a": 1, "\\u0061": 3}', "json.repeated-key", 9, ("a",)),
    (b"\xff\xfe{\x00}\x00", "json.encoding", 0, ()),
    (b"{\x00}\x00", "json.encoding", 0, ()),
    (b'{"a": "\xff"}', "json.encoding", 7, ()),
    (b"\xef\xbb\xbf{}", "json.bom", 0, ()),
    (b'{"a" 1}', "json.syntax", 5, ("a",)),
    (b"[1 2]", "json.syntax", 3, ()),
    (b"[,1]", "json.syntax", 1, (0,)),
    (b"{,}", "json.syntax", 1, ()),
    (b"[" * 100_000, "json.depth", DEPTH_LIMIT, ()),
    (b"[" * 65 + b"]" * 65, "json.depth", DEPTH_LIMIT, ()),
    (b"[" + b"1" * (DIGIT_LIMIT + 1) + b"]", "json.number-length", 1, (0,)),
    (b"[0." + b"1" * 100_000 + b"]", "json.number-length", 1, (0,)),
    (b"[1" + b"0" * 309 + b"]", "json.number-range", 1, (0,)),
]


@pytest.mark.parametrize(("data", "code", "offset", "at"), REFUSED, ids=lambda value: str(value)[:40])
def test_what_is_no_json_is_refused_at_its_place(data: bytes, code: str, offset: int, at: tuple[Any, ...]) -> None:
    with pytest.raises(Unreadable) as caught:
        read(data)
    assert (caught.value.code, caught.value.offset, caught.value.at) == (code, offset, at)


@pytest.mark.parametrize(
    "data",
    [
        b"[" * DEPTH_LIMIT + b"]" * DEPTH_LIMIT,
        b'{"digits in a text": "' + b"1" * 5000 + b'"}',
        b"[" + str(2**INTEGER_BITS - 1).encode() + b"]",
        b"[1.7976931348623157e308, -0, 0.0, 1E-400]",
        '["\\ud83d\\ude00", "\u2028", "𝒙"]'.encode(),
        b'{"": {"": 0}}',
        b" null ",
    ],
    ids=lambda data: str(data[:24]),
)
def test_what_is_json_is_read(data: bytes) -> None:
    assert read(data) == json.loads(data)


def test_numbers_keep_their_type_and_digits() -> None:
    values = read(b"[1, 1.0, -0.0, 12345678901234567890, 0.1]")
    assert [type(value) for value in values] == [int, float, float, int, float]
    assert values[3] == 12345678901234567890
    assert math.copysign(1, values[2]) == -1


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=20,
)


@given(_json, st.sampled_from([None, 2]), st.booleans())
def test_every_json_document_is_read_as_the_standard_library_reads_it(
    value: Any, indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert read(text.encode()) == value
    assert refusal(value) is None


@given(_json, st.data())
def test_a_damaged_document_is_refused_just_when_the_standard_library_refuses_it(
    value: Any, data: st.DataObject
) -> None:
    text = json.dumps(value)
    at = data.draw(st.integers(0, len(text)))
    damaged = (
        text[:at]
        + data.draw(st.sampled_from([*list('{}[],:"\\ 0e.-tn\x00\n'), ""]))
        + text[at + data.draw(st.integers(0, 2)) :]
    )
    assert _reads(damaged) == _lax(damaged)


@pytest.mark.parametrize("kind", kinds())
def test_nothing_beyond_the_limits_is_plain_wherever_it_stands(kind: str) -> None:
    """Plain documents are not walked to see that all is within the limits: the schema of their kind tells it."""
    beyond = [b"1e999", b"-1e999", b"%d" % 2**INTEGER_BITS, b"1" * (DIGIT_LIMIT + 1)]
    within = [b"1", b"1e308", b"%d" % (2**INTEGER_BITS - 1), b"0." + b"1" * (DIGIT_LIMIT - 1)]
    names = ["one more", *sorted(_names(schema(kind)))]
    plain = 0
    for document in examples(kind):
        places = list(_places(document, (), names))
        for place in places[:: max(1, len(places) // dose(4, 200))]:
            room = DEPTH_LIMIT - len(place)
            for put in (*beyond, *within, b"[" * (room + 1) + b"]" * (room + 1), b"[" * room + b"]" * room):
                data = json.dumps(_put(document, place, "@")).encode().replace(b'"@"', put)
                if _is_plain(kind, data):
                    plain += 1
                    read(data)
    assert bool(plain) == (kind != "evals")


def _is_plain(kind: str, data: bytes) -> bool:
    try:
        return is_plain(kind)(parse(data))
    except Unreadable:
        return False


def _names(node: Any) -> set[str]:
    """All names of members in a schema, wherever they belong."""
    if not isinstance(node, dict | list):
        return set()
    inner = node.values() if isinstance(node, dict) else node
    return set(node.get("properties", ()) if isinstance(node, dict) else ()).union(*map(_names, inner))


def _places(value: Any, at: tuple[Any, ...], names: list[str]) -> Iterator[tuple[Any, ...]]:
    """The places of all values in a document, and of more members of each object."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for token, each in inner:
        yield from ((*at, token), *_places(each, (*at, token), names))
    if isinstance(value, dict):
        yield from ((*at, name) for name in names if name not in value)


def _put(value: Any, at: tuple[Any, ...], put: Any) -> Any:
    if not at:
        return put
    copy: Any = value.copy()
    copy[at[0]] = _put(copy[at[0]] if at[1:] else None, at[1:], put)
    return copy


def _reads(text: str) -> bool:
    try:
        read(text.encode())
    except Unreadable:
        return False
    return True


def _lax(text: str) -> bool:
    """What the standard library says, made strict by its hooks."""

    def refuse(value: Any) -> Any:
        raise ValueError(value)

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("repeated key")
        return dict(pairs)

    try:
        value = json.loads(text, parse_constant=refuse, object_pairs_hook=unique)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("instance", "code", "pointer"),
    [
        ({"a": [0, float("nan")]}, "json.not-a-number", "/a/1"),
        ({"a": float("inf")}, "json.not-a-number", "/a"),
        ({"a": {1: 2}}, "json.key", "/a"),
        ({"a": (1, 2)}, "json.type", "/a"),
        ({"a": {1, 2}}, "json.type", "/a"),
        ({"a": b"x"}, "json.type", "/a"),
        ({"a": "\ud800"}, "json.surrogate", "/a"),
        ({"\ud800": 1}, "json.surrogate", ""),
        ({"a": 2**INTEGER_BITS}, "json.number-range", "/a"),
    ],
)
def test_a_python_object_that_is_no_instance_is_refused(instance: Any, code: str, pointer: str) -> None:
    (finding,) = validate(instance, "timing").findings
    assert (finding.code, finding.pointer) == (code, pointer)


def test_an_object_that_holds_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    (finding,) = validate(endless, "timing").findings
    assert finding.code == "json.depth"


def test_subclasses_of_json_types_are_instances() -> None:
    from collections import OrderedDict
    from enum import IntEnum, StrEnum

    class Count(IntEnum):
        TWO = 2

    class Word(StrEnum):
        SOME = "some"

    assert refusal(OrderedDict(a=[Count.TWO, Word.SOME])) is None

    class Seconds(float):
        pass

    timing = OrderedDict(total_tokens=5210, duration_ms=23400, total_duration_seconds=Seconds(23.4))
    assert validate(timing, "timing").ok


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b'{\n  "a": 1,\n  "b": tru\n}', 3, 8),
        ('{"ä": "𝒙", x}'.encode(), 1, 12),
        (b'{"a": 1}\r\n\r\n]', 3, 1),
        ('{"ä": "\udcff"}'.encode(errors="surrogateescape"), 1, 8),
    ],
)
def test_lines_and_columns_count_code_points(data: bytes, line: int, column: int) -> None:
    (finding,) = check_bytes(data, "timing").findings
    assert (finding.line, finding.column) == (line, column)


def test_a_byte_order_mark_is_reported_and_read_on() -> None:
    document = b'\xef\xbb\xbf{"total_tokens": 5, "duration_ms": 1000, "total_duration_seconds": "1"}'
    assert [finding.code for finding in check_bytes(document, "timing").findings] == ["json.bom", "schema.type"]
    assert check_bytes(b"\xef\xbb\xbf{}", "timing").findings[0].severity == "error"
    assert check_bytes(b'\xef\xbb\xbf{"output_chars": 1}', "metrics").findings[0].severity == "warning"
