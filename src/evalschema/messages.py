"""The sentences for failing keywords: what was found, what was expected, what it costs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from evalschema.catalog import bundle
from evalschema.excerpt import excerpt, shown
from evalschema.finding import Tokens, split

if TYPE_CHECKING:
    from evalschema.explainer import Failure

_TYPES = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "number": "a number",
    "integer": "an integer",
    "boolean": "true or false",
    "null": "null",
}
_YES = frozenset({"true", "pass", "passed", "yes", "ok", "met", "y", "1", "✓", "✔", "✅"})
_NO = frozenset({"false", "fail", "failed", "no", "unmet", "n", "0", "✗", "✘", "❌"})


def names(items: Iterable[str]) -> str:
    """Member names in code marks, at most twenty of them: "`a`, `b` and `c`"."""
    listed = list(items)
    marked = [f"`{excerpt(item)}`" for item in listed[:20]]
    if len(listed) > 20:
        marked.append(f"{len(listed) - 20:,} others")
    return marked[0] if len(marked) == 1 else f"{', '.join(marked[:-1])} and {marked[-1]}"


def choices(values: Iterable[Any], conjunction: str = "or") -> str:
    """JSON values as alternatives, at most twelve of them."""
    listed = list(values)
    texts = [shown(value) for value in listed[:12]]
    if len(listed) > 12:
        texts.append(f"{len(listed) - 12} others")
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} {conjunction} {texts[-1]}"


def message_of(failure: Failure) -> str:
    """The message of a failing keyword, without what it costs."""
    value, expected = failure.value, failure.expected
    match failure.keyword:
        case "type":
            types = [expected] if isinstance(expected, str) else list(expected)
            wanted = [_TYPES.get(name, name) for name in types]
            # containers and null name their type themselves; so does the number in a place for texts
            found = f"the text {shown(value)}" if isinstance(value, str) else shown(value)
            if isinstance(value, int | float) and not isinstance(value, bool):
                found = f"the number {found}"
            return f"{found} was found, {' or '.join(wanted)} was expected"
        case "enum":
            return f"{shown(value)} was found, {choices(expected)} was expected"
        case "const":
            return f"{shown(value)} was found, {shown(expected)} was expected"
        case "minLength":
            if not value:
                return "the text is empty"
            return f"the text has {_count(len(value), 'character')}, at least {expected} are needed"
        case "maxLength":
            return f"the text has {_count(len(value), 'character')}, at most {expected} are allowed"
        case "minItems":
            if not value:
                return "the list is empty" + (f", at least {expected} items are needed" if expected > 1 else "")
            return f"the list has {_count(len(value), 'item')}, at least {expected} are needed"
        case "maxItems":
            allowed = f"at most {expected} {'is' if expected == 1 else 'are'} allowed"
            return f"the list has {_count(len(value), 'item')}, {allowed}"
        case "minProperties":
            return f"the object has {_count(len(value), 'member')}, at least {expected} are needed"
        case "maxProperties":
            return f"the object has {_count(len(value), 'member')}, at most {expected} are allowed"
        case "minimum":
            return f"{shown(value)} is too small: at least {shown(expected)} was expected"
        case "exclusiveMinimum":
            return f"{shown(value)} is too small: more than {shown(expected)} was expected"
        case "maximum":
            percentage = expected == 1 and 1 < value <= 100
            hint = f" (a percentage? as a rate it is {value / 100:g})" if percentage else ""
            return f"{shown(value)} is too large: at most {shown(expected)} was expected{hint}"
        case "exclusiveMaximum":
            return f"{shown(value)} is too large: less than {shown(expected)} was expected"
        case "multipleOf":
            return f"{shown(value)} is no multiple of {shown(expected)}"
        case "format":
            return f"{shown(value)} is no {_FORMATS.get(expected, expected)}"
        case "pattern":
            meaning = failure.schema.get("description")
            form = f": {_lower(meaning)}" if meaning else f" {excerpt(expected, 80)}"
            return f"{shown(value)} does not have the form that was expected{form}"
        case "additionalProperties" | "unevaluatedProperties" if failure.member is not None:
            return f"`{excerpt(failure.member)}` is not allowed here"
        case "dependentRequired":
            return f"`{excerpt(str(failure.member))}` is missing, other members of the object need it"
        case "uniqueItems":
            return "the list holds an item twice"
        case "contains":
            return "the list lacks an item of the kind that it must hold"
        case "oneOf":
            return "the value fits several of the alternatives, exactly one was expected"
        case "not":
            meaning = (expected if isinstance(expected, dict) else failure.schema).get("description")
            return _lower(meaning) if meaning else f"{shown(value)} is just what the schema excludes"
        case keyword:
            return f"{shown(value)} breaks the keyword `{keyword}` of the schema"


_FORMATS = {
    "date-time": "time with date and zone (RFC 3339), such as 2026-01-15T10:30:00Z",
    "date": "date such as 2026-01-15",
    "time": "time such as 10:30:00Z",
    "uri": "absolute address",
    "uri-reference": "address",
    "email": "e-mail address",
    "uuid": "UUID",
    "json-pointer": "JSON Pointer",
    "regex": "regular expression",
}


def suggestion_of(failure: Failure) -> str | None:
    """The value that was probably meant, as JSON writes it; nothing is ever replaced without being asked for."""
    value, expected = failure.value, failure.expected
    if not isinstance(value, str):
        return None
    word = value.strip().casefold()
    if failure.keyword == "type":
        types = [expected] if isinstance(expected, str) else expected
        if "boolean" in types and word in _YES | _NO:
            return "true" if word in _YES else "false"
        if {"number", "integer"} & set(types) and len(word) < 40:
            return _number(word, whole="number" not in types)
    if failure.keyword == "enum":
        from difflib import get_close_matches

        words = [each for each in expected if isinstance(each, str)]
        same = [each for each in words if each.casefold() == word] or get_close_matches(
            value[:80], words, n=1, cutoff=0.7
        )
        return f'"{same[0]}"' if same else None
    return None


def _number(word: str, *, whole: bool) -> str | None:
    if word.endswith("%") and not whole:
        rate = _number(word[:-1].strip(), whole=False)
        return f"{float(rate) / 100:g}" if rate is not None else None
    digits = word.removeprefix("-").replace(".", "", 0 if whole else 1)
    return (
        word
        if digits.isascii() and digits.isdigit() and not (len(digits) > 1 and digits[0] == "0" == word[:1])
        else None
    )


def _count(n: int, noun: str) -> str:
    return f"1 {noun}" if n == 1 else f"{n:,} {noun}s"


def _lower(text: str) -> str:
    text = excerpt(text.strip().rstrip("."), 300)
    return text[:1].lower() + text[1:]


@cache
def _consequences(kind: str) -> tuple[tuple[tuple[str, ...], dict[str, Any]], ...]:
    return tuple((split(entry["place"]), entry) for entry in bundle()["consequences"] if entry["kind"] == kind)


def consequence_of_mark(kind: str | None) -> str | None:
    """What the programs that read such a document make of a byte order mark; None where none of them minds."""
    entries = _consequences(kind) if kind is not None else ()
    return next((entry["mark"] for place, entry in entries if not place and "mark" in entry), None)


def consequence_of(kind: str | None, at: Tokens, member: str, value: Any) -> str | None:
    """What the programs that read such a document make of a member that is absent, null or of a wrong type."""
    if kind is None:
        return None
    place = (*at, member)
    for want, entry in _consequences(kind):
        if len(want) == len(place) and all(w in ("*", str(have)) for w, have in zip(want, place, strict=True)):
            case = (
                "null" if value is None else "wrong" if isinstance(value, str | int | float | list | dict) else "absent"
            )
            text: str | None = entry.get(case)
            return text
    return None
