"""What is wrong with a text that is no strict JSON, and where: the slow second reading of what was refused.

Reads by the same rules as `evalschema.reading`, one character after the other, and knows at every moment where it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from evalschema.excerpt import excerpt
from evalschema.reading import BOM, DEPTH_LIMIT, DIGIT_LIMIT, INTEGER_BITS, Unreadable

if TYPE_CHECKING:
    from evalschema.finding import Tokens

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_DIGITS = re.compile(r"[0-9]+")
_PLAIN = re.compile(r'[^"\\\x00-\x1f\ud800-\udfff]*')
_WORD = re.compile(r"[A-Za-z_]+")
_SIGNED_WORD = re.compile(r"[+-]?(?:NaN|Infinity|inf|nan)\b")
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HEX4 = re.compile(r"[0-9a-fA-F]{4}")
_LITERALS = {"true": True, "false": False, "null": None}
_FOREIGN_LITERALS = {
    "True": "true", "False": "false", "None": "null", "undefined": "null", "TRUE": "true", "FALSE": "false",
    "NULL": "null", "nil": "null",
}  # fmt: skip


def diagnosis(data: bytes) -> Unreadable | None:
    """The first defect of `data`; None when there is none."""
    text, defect = _decoded(data)
    if defect is not None:
        return defect
    try:
        _Scanner(text).document()
    except Unreadable as reason:
        return reason
    return None


# the longer marks first: that of UTF-32 begins with that of UTF-16
_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


def _decoded(data: bytes) -> tuple[str, Unreadable | None]:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return "", Unreadable("json.encoding", f"the file is {name}, JSON files are UTF-8: save it as UTF-8")
    if data.startswith(BOM):
        return "", Unreadable("json.bom", "the file begins with a byte order mark: save it as UTF-8 without one")
    if (len(data) >= 4 and data[1] == 0 and data[3] == 0) or data[:2] == b"\x00{":
        return "", Unreadable("json.encoding", "the file looks like UTF-16, JSON files are UTF-8: save it as UTF-8")
    try:
        return data.decode(), None
    except UnicodeDecodeError as error:
        byte = data[error.start]
        message = f"byte 0x{byte:02x} is not UTF-8 ({error.reason}): save the file as UTF-8"
        # the part before the defect is sound, so that its length is a place in the text
        return "", Unreadable("json.encoding", message, len(data[: error.start].decode()))


class _Scanner:
    """Reads strict JSON slowly and knows at every moment where it is."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.path: list[str | int] = []

    def document(self) -> None:
        start = self._space(0)
        if start == len(self.text):
            raise self._fail("json.empty", "the file is empty: a JSON document was expected", 0)
        self._refuse_wrapping(start)
        end = self._space(self._value(start, 0))
        if end < len(self.text):
            raise self._after_document(end)

    def _fail(self, code: str, message: str, at: int, related: Tokens | None = None) -> Unreadable:
        return Unreadable(code, message, at, tuple(self.path), related)

    def _space(self, i: int) -> int:
        match = _SPACE.match(self.text, i)
        return match.end() if match else i

    def _refuse_wrapping(self, i: int) -> None:
        if self.text.startswith("```", i):
            raise self._fail("json.markdown", "the file begins with a Markdown fence: keep only the JSON inside it", i)

    def _after_document(self, i: int) -> Unreadable:
        if self.text.startswith("```", i):
            return self._fail("json.markdown", "a Markdown fence follows the document: keep only the JSON", i)
        if self.text.startswith(("//", "/*", "#"), i):
            return self._comment(i)
        if self.text[i] in "{[":
            return self._fail("json.extra", "a second document follows the first: one file holds one document", i)
        return self._fail("json.extra", f"{self._at(i)} follows the document, which has ended here", i)

    def _comment(self, i: int) -> Unreadable:
        return self._fail("json.comment", "JSON has no comments: remove it", i)

    def _at(self, i: int) -> str:
        """What stands at `i`, for a message."""
        if i >= len(self.text):
            return "the end of the file"
        word = _WORD.match(self.text, i)
        return f"`{excerpt(word[0] if word else self.text[i], 20)}`"

    def _value(self, i: int, depth: int) -> int:
        """The end of the value that begins at `i`, inside `depth` containers."""
        first = self.text[i : i + 1]
        if first == '"':
            return self._string(i)[1]
        if first == "{" or first == "[":
            if depth == DEPTH_LIMIT:
                message = f"more than {DEPTH_LIMIT} objects and lists lie inside one another: flatten the document"
                self.path.clear()
                raise self._fail("json.depth", message, i)
            return self._object(i, depth + 1) if first == "{" else self._array(i, depth + 1)
        if number := _NUMBER.match(self.text, i):
            return self._number(number[0], i, number.end())
        word = _WORD.match(self.text, i)
        if word and word[0] in _LITERALS:
            return word.end()
        raise self._no_value(i)

    def _no_value(self, i: int) -> Unreadable:
        if match := _SIGNED_WORD.match(self.text, i):
            message = f"{match[0]} is not JSON: leave the member out, or write null where the format allows it"
            return self._fail("json.not-a-number", message, i)
        word = _WORD.match(self.text, i)
        if word and word[0] in _FOREIGN_LITERALS:
            return self._fail("json.literal", f"`{word[0]}` is not JSON: write {_FOREIGN_LITERALS[word[0]]}", i)
        if self.text.startswith(("//", "/*", "#"), i):
            return self._comment(i)
        if self.text.startswith("'", i):
            return self._fail("json.quotes", "texts stand in double quotes in JSON, a single quote was found", i)
        if self.text.startswith("+", i) or self.text.startswith(".", i):
            return self._fail("json.number", "a JSON number begins with a digit or a minus sign", i)
        if i >= len(self.text):
            return self._fail("json.truncated", "the file ends where a value was expected: it was cut off", i)
        return self._fail("json.syntax", f"{self._at(i)} was found where a value was expected", i)

    def _number(self, literal: str, start: int, end: int) -> int:
        rest = self.text[end : end + 1]
        if rest.isdigit() and literal.lstrip("-") == "0":
            raise self._fail("json.number", "a JSON number has no leading zero", start)
        if rest == "." or rest in ("e", "E"):
            raise self._fail("json.number", f"the number is not complete: digits belong after `{rest}`", end)
        if len(literal) > DIGIT_LIMIT and max(map(len, _DIGITS.findall(literal))) > DIGIT_LIMIT:
            raise self._fail("json.number-length", f"a number has more than {DIGIT_LIMIT:,} digits in a row", start)
        if literal.lstrip("-").isdigit():
            if int(literal).bit_length() > INTEGER_BITS:
                raise self._fail("json.number-range", "the integer is too large for any program to keep", start)
        elif float(literal) - float(literal):
            raise self._fail("json.number-range", "the number is too large: programs read it as infinity", start)
        return end

    def _string(self, i: int) -> tuple[str, int]:
        """The text of the string that begins at `i`, and its end."""
        start, parts = i, []
        i += 1
        while True:
            plain = _PLAIN.match(self.text, i)
            if plain:
                parts.append(plain[0])
                i = plain.end()
            c = self.text[i : i + 1]
            if c == '"':
                return "".join(parts), i + 1
            if c == "\\":
                piece, i = self._escape(i)
                parts.append(piece)
            elif not c:
                raise self._fail("json.truncated", "the file ends inside a text: it was cut off", start)
            elif c in "\n\r":
                raise self._fail("json.control-character", "a text runs over the end of its line: write \\n", i)
            else:
                message = f"a raw control character stands in a text: write \\u{ord(c):04x}"
                raise self._fail("json.control-character", message, i)

    def _escape(self, i: int) -> tuple[str, int]:
        c = self.text[i + 1 : i + 2]
        if c in _ESCAPES:
            return _ESCAPES[c], i + 2
        if c != "u" or not _HEX4.match(self.text, i + 2):
            raise self._fail(
                "json.escape", 'only \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hex digits exist', i
            )
        unit = int(self.text[i + 2 : i + 6], 16)
        if 0xDC00 <= unit < 0xE000:
            raise self._fail("json.surrogate", "half a surrogate pair stands in a text: no program can keep it", i)
        if not 0xD800 <= unit < 0xDC00:
            return chr(unit), i + 6
        low = self.text[i + 6 : i + 12]
        if not (low.startswith("\\u") and _HEX4.match(low, 2) and 0xDC00 <= int(low[2:], 16) < 0xE000):
            raise self._fail("json.surrogate", "half a surrogate pair stands in a text: no program can keep it", i)
        return chr(0x10000 + ((unit - 0xD800) << 10) + int(low[2:], 16) - 0xDC00), i + 12

    def _object(self, i: int, depth: int) -> int:
        seen: set[str] = set()
        i = self._space(i + 1)
        if self.text.startswith("}", i):
            return i + 1
        while True:
            if not self.text.startswith('"', i):
                raise self._no_key(i)
            key_at = i
            key, i = self._string(i)
            self.path.append(key)
            if key in seen:
                message = f"`{excerpt(key)}` stands twice in one object: programs keep the last one and lose the first"
                raise self._fail("json.repeated-key", message, key_at, tuple(self.path))
            seen.add(key)
            i = self._space(i)
            if not self.text.startswith(":", i):
                raise self._missing(":", i)
            i = self._space(self._value(self._space(i + 1), depth))
            self.path.pop()
            if self.text.startswith("}", i):
                return i + 1
            i = self._comma(i, "}")

    def _no_key(self, i: int) -> Unreadable:
        if self.text.startswith("'", i):
            return self._fail("json.quotes", "member names stand in double quotes in JSON", i)
        if self.text.startswith(("//", "/*", "#"), i):
            return self._comment(i)
        if _WORD.match(self.text, i):
            return self._fail("json.quotes", f"the member name {self._at(i)} needs double quotes", i)
        if i >= len(self.text):
            return self._fail("json.truncated", "the file ends inside an object: it was cut off", i)
        return self._fail("json.syntax", f"{self._at(i)} was found where a member name was expected", i)

    def _array(self, i: int, depth: int) -> int:
        i = self._space(i + 1)
        if self.text.startswith("]", i):
            return i + 1
        index = 0
        while True:
            self.path.append(index)
            i = self._space(self._value(i, depth))
            self.path.pop()
            if self.text.startswith("]", i):
                return i + 1
            i = self._comma(i, "]")
            index += 1

    def _comma(self, i: int, close: str) -> int:
        """Behind the comma at `i`; a closing bracket must not follow it."""
        if not self.text.startswith(",", i):
            raise self._missing(f",` or `{close}", i)
        after = self._space(i + 1)
        if self.text.startswith(close, after):
            raise self._fail("json.trailing-comma", f"a comma stands before `{close}`: remove it", i)
        return after

    def _missing(self, what: str, i: int) -> Unreadable:
        if i >= len(self.text):
            return self._fail("json.truncated", f"the file ends where `{what}` was expected: it was cut off", i)
        if self.text.startswith(("//", "/*", "#"), i):
            return self._comment(i)
        return self._fail("json.syntax", f"{self._at(i)} was found where `{what}` was expected", i)
