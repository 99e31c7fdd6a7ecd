"""Bytes to instance: strict JSON, at the speed of a lax parser.

jiter parses and refuses most of what is not JSON: repeated keys, NaN, half surrogate pairs, broken UTF-8. Two things it
lets pass, numbers too large for a double and deep nesting; a walk over the finished instance, one level at a time,
refuses those. Only when something was refused is the text read again, slowly, by `evalschema.diagnosis`, to say what is
wrong and where.
"""

from __future__ import annotations

from gc import get_referents
from typing import TYPE_CHECKING, Any

from jiter import from_json

if TYPE_CHECKING:
    from evalschema.finding import Tokens

DEPTH_LIMIT = 64
SIZE_LIMIT = 256 * 2**20
# The largest double lies just below 2 to this power. Longer integers are refused as well: most readers turn them into
# inf.
INTEGER_BITS = 1024
# Digits of a number in a row; no double needs more than 17, and a reader's time grows with the square of them.
DIGIT_LIMIT = 1024
# Of the 309 digits in a row that an integer beyond all doubles has, every 44th are 7.
_STRIDE, _SAMPLED = 44, b"0000000"
_DIGITS = bytes.maketrans(b"123456789", b"000000000")
BOM = b"\xef\xbb\xbf"


class Unreadable(ValueError):
    """The bytes are not one strict JSON document; says what the first defect is, and where.

    `offset` counts code points of the decoded text, or bytes where it could not be decoded. `at` leads to the value
    that holds the defect, as far as it was read.
    """

    def __init__(
        self, code: str, message: str, offset: int = 0, at: Tokens = (), related: Tokens | None = None
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.offset = offset
        self.at = at
        self.related = related

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message, self.offset, self.at, self.related)


def read(data: bytes) -> Any:
    """The instance that `data` holds; `Unreadable` when it is not one strict JSON document.

    A byte order mark is refused here: `without_bom` takes it off, and who reads on reports it.
    """
    instance = parse(data)
    refuse_beyond_limits(instance, data)
    return instance


def parse(data: bytes) -> Any:
    """As `read`, but nobody has looked yet how deep the instance is, and whether all numbers in it are finite.

    Who has another way to see that saves the walk that looks for it.
    """
    if len(data) > SIZE_LIMIT:
        raise Unreadable("json.size", f"the document has {len(data):,} bytes, at most {SIZE_LIMIT:,} are read")
    try:
        instance = from_json(data, catch_duplicate_keys=True, allow_inf_nan=False, cache_mode="keys")
    except ValueError as error:
        # where the slow reader has nothing against it, the two disagree
        raise _diagnosed(data) or Unreadable("json.syntax", f"not JSON: {error}") from None
    if _may_hold_long_number(data):
        refuse_beyond_limits(instance, data)
    return instance


def refuse_beyond_limits(instance: Any, data: bytes) -> None:
    """Raise `Unreadable` where what was parsed from `data` is too deep, or holds a number out of range."""
    # a long run of digits inside a text is no number: the slow reader has nothing against it
    if (not _within_limits(instance) or _has_too_many_digits(data)) and (defect := _diagnosed(data)):
        raise defect


def _diagnosed(data: bytes) -> Unreadable | None:
    from evalschema.diagnosis import diagnosis

    return diagnosis(data)


def without_bom(data: bytes) -> bytes:
    """The document without the byte order mark that it may begin with."""
    return data.removeprefix(BOM)


def _within_limits(instance: Any) -> bool:
    """Whether all numbers are finite and in range, and no more than `DEPTH_LIMIT` containers lie inside one another."""
    level = [instance]
    for depth in range(DEPTH_LIMIT + 1):
        for value in level:
            kind = type(value)
            # infinity is the only float here that is not itself when taken from itself: inf - inf is NaN, which is true
            if (kind is float and value - value) or (kind is int and value.bit_length() > INTEGER_BITS):
                return False
        if depth == DEPTH_LIMIT:
            break
        # one native call lists what the containers of a level hold: values of objects, sometimes with their keys, and
        # items of lists
        level = get_referents(*level)
        if not level:
            return True
    return not any(isinstance(value, dict | list) for value in level)


def _may_hold_long_number(data: bytes) -> bool:
    """Whether there may be as many digits in a row as an integer beyond all doubles has: looks at few of the bytes."""
    sampled = data[::_STRIDE].translate(_DIGITS)
    at = sampled.find(_SAMPLED)
    while at >= 0:
        if data[at * _STRIDE : (at + len(_SAMPLED) - 1) * _STRIDE].isdigit():
            return True
        at = sampled.find(_SAMPLED, at + 1)
    return False


def _has_too_many_digits(data: bytes) -> bool:
    if not _may_hold_long_number(data):
        return False
    import re

    # a run is tried from its beginning alone: from each of its digits it would cost a thousand times the work
    return re.search(rb"(?<![0-9])[0-9]{%d}" % (DIGIT_LIMIT + 1), data) is not None


_SCALARS = (str, int, float, bool, type(None))
_PLAIN_TYPES = frozenset((*_SCALARS, dict, list))


def refusal(instance: Any) -> Unreadable | None:
    """Why a Python object is no JSON instance; None when it is one.

    Dicts with string keys, lists, strings, integers, finite floats, booleans and None are, and their subclasses.
    """
    return None if _is_plain(instance) else _first_refusal(instance)


def _is_plain(instance: Any) -> bool:
    """Whether the object is surely an instance; looks at whole levels at once, and leaves doubts to the slow way."""
    level = [instance]
    for depth in range(DEPTH_LIMIT + 1):
        types = set(map(type, level))
        if not types <= _PLAIN_TYPES:
            return False
        if float in types and any(type(value) is float and value - value for value in level):
            return False
        if int in types and any(type(value) is int and value.bit_length() > INTEGER_BITS for value in level):
            return False
        if str in types and not _is_text("".join([value for value in level if type(value) is str])):
            return False
        # the native call below lists the keys of a dict only sometimes, so that they are looked at here
        if dict in types and not all(_has_plain_keys(value) for value in level if type(value) is dict):
            return False
        if dict not in types and list not in types:
            return True
        if depth == DEPTH_LIMIT:
            return False
        level = get_referents(*[value for value in level if type(value) is dict or type(value) is list])
    return False


def plain(instance: Any) -> Any:
    """An instance in JSON's own types: itself, or a copy where it holds subclasses of them, which engines refuse.

    Raises `Unreadable` for what is no instance.
    """
    if _is_plain(instance):
        return instance
    if reason := _first_refusal(instance):
        raise reason
    return _copied(instance)


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {str.__str__(key): _copied(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_copied(each) for each in value]
    if type(value) in _PLAIN_TYPES:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    return int(value) if isinstance(value, int) else float(value)


def _has_plain_keys(value: dict[Any, Any]) -> bool:
    return set(map(type, value)) <= {str} and _is_text("".join(value))


def _first_refusal(instance: Any) -> Unreadable | None:
    level: list[tuple[Tokens, Any]] = [((), instance)]
    for depth in range(DEPTH_LIMIT + 1):
        deeper: list[tuple[Tokens, Any]] = []
        for at, value in level:
            if isinstance(value, dict | list) and depth == DEPTH_LIMIT:
                return Unreadable("json.depth", f"more than {DEPTH_LIMIT} containers lie inside one another")
            if isinstance(value, dict):
                for key, item in value.items():
                    if not isinstance(key, str):
                        return Unreadable("json.key", f"a key is a {type(key).__name__}: JSON has only texts", 0, at)
                    if not _is_text(key):
                        return Unreadable("json.surrogate", "half a surrogate pair stands in a member name", 0, at)
                    deeper.append(((*at, key), item))
            elif isinstance(value, list):
                deeper += [((*at, index), item) for index, item in enumerate(value)]
            elif reason := _scalar_refusal(value):
                return Unreadable(*reason, 0, at)
        level = deeper
        if not level:
            return None
    return None


def _scalar_refusal(value: Any) -> tuple[str, str] | None:
    if not isinstance(value, _SCALARS):
        hint = ": write a list" if isinstance(value, tuple | set | frozenset) else ""
        return "json.type", f"a {type(value).__name__} is no JSON value{hint}"
    if isinstance(value, float) and value - value:
        return "json.not-a-number", f"{value} is not JSON: leave the member out"
    if isinstance(value, str):
        return None if _is_text(value) else ("json.surrogate", "half a surrogate pair stands in a text")
    if isinstance(value, int) and value.bit_length() > INTEGER_BITS:
        return "json.number-range", "the integer is too large for any program to keep"
    return None


def _is_text(text: str) -> bool:
    """Whether the text can be written as UTF-8: whether it holds no half of a surrogate pair."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
