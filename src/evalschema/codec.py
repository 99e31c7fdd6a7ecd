"""Documents to dataclasses and back, without loss.

JSON tells apart what a dataclass does not: an absent member and a null one, one order of members and another; and it
may hold members that no schema names. All of that survives `encode(decode(hint, document))`, and numbers stay as they
were written. The JSON name of a renamed field stands in its metadata, unknown members in `extras`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
    """Any JSON value."""
else:
    # only type checkers follow the recursion; to the decoder a value of any type is a value to keep as it is
    Json = object


@dataclass(kw_only=True, slots=True)
class Record:
    """An object of a document. Beside the fields of its class it remembers what they cannot say.

    Setting an optional field to None takes the member out; a member that was null in the document stays null.
    """

    _nulls: frozenset[str] = field(default=frozenset(), init=False, repr=False)
    _order: tuple[str, ...] = field(default=(), init=False, repr=False, compare=False)


def encode(value: Any) -> Any:
    """The JSON value of a record, or of a list or dict that holds some; raises TypeError for what JSON cannot hold."""
    if isinstance(value, Record):
        return _encoded(value)
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, dict):
        return {name: encode(member) for name, member in value.items()}
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise TypeError(f"a document cannot hold a value of type {type(value).__name__}")


def _encoded(record: Any) -> dict[str, Any]:
    """The members in the order of the document; what was added since follows as the class orders it."""
    members: dict[str, Any] = {}
    for name, member in _members(record.__class__).items():
        value = getattr(record, member.field)
        if value is not None or not member.is_optional or name in record._nulls:  # noqa: SLF001
            members[name] = encode(value)
    members |= {name: encode(value) for name, value in record.extras.items() if name not in members}
    return {name: members[name] for name in record._order if name in members} | members  # noqa: SLF001


def decode(hint: Any, value: Any) -> Any:
    """The value as `hint` (a record class, or a list, dict or union of such) describes it; shares nothing with `value`.

    The value must be valid: nothing is checked here, and what has another JSON type than its hint is kept as it is.
    """
    return _decoder(hint)(value)


Decoder: TypeAlias = Callable[[Any], Any]


@cache
def _decoder(hint: Any) -> Decoder:
    if isinstance(hint, type) and issubclass(hint, Record):
        return _union_decoder((hint,))
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is list:
        item = _decoder(arguments[0])
        return lambda value: [item(each) for each in value] if isinstance(value, list) else _copied(value)
    if origin is dict:
        member = _decoder(arguments[1])
        return lambda value: _mapped(member, value) if isinstance(value, dict) else _copied(value)
    if origin in (Union, UnionType):
        return _union_decoder(arguments)
    return _copied


def _mapped(member: Decoder, value: dict[str, Any]) -> dict[str, Any]:
    return {name: member(each) for name, each in value.items()}


def _union_decoder(branches: tuple[Any, ...]) -> Decoder:
    """Lists and objects go to the branch for such; objects to the class whose tag and required members they have."""
    records = [branch for branch in branches if isinstance(branch, type) and issubclass(branch, Record)]
    by_type = {origin: _decoder(branch) for branch in branches if (origin := get_origin(branch)) in (list, dict)}

    def decoded(value: Any) -> Any:
        if isinstance(value, dict):
            for cls in records:
                if _fits(cls, value):
                    return _decoded(cls, value)
        return by_type.get(type(value), _copied)(value)

    return decoded


def _copied(value: Any) -> Any:
    if isinstance(value, list):
        return [_copied(item) for item in value]
    if isinstance(value, dict):
        return _mapped(_copied, value)
    return value


@dataclass(frozen=True, slots=True)
class _Member:
    """What a field says about a member: its Python name, how to read it, may it be absent, which words it may be."""

    field: str
    decode: Decoder
    is_optional: bool
    words: tuple[Any, ...]


@cache
def _members(cls: Any) -> dict[str, _Member]:
    """The members that a class knows, by JSON name."""
    hints = get_type_hints(cls)
    return {
        each.metadata.get("alias", each.name): _Member(
            each.name,
            _decoder(hint := hints[each.name]),
            each.default is not MISSING,
            get_args(hint) if get_origin(hint) is Literal else (),
        )
        for each in fields(cls)
        if each.init and each.name != "extras"
    }


@cache
def _extra_decoder(cls: Any) -> Decoder:
    return _decoder(get_args(get_type_hints(cls)["extras"])[1])


def _fits(cls: Any, value: dict[str, Any]) -> bool:
    return all(
        member.is_optional or (name in value and (not member.words or value[name] in member.words))
        for name, member in _members(cls).items()
    )


def _decoded(cls: Any, value: dict[str, Any]) -> Any:
    members, extra = _members(cls), _extra_decoder(cls)
    known: dict[str, Any] = {}
    extras: dict[str, Any] = {}
    nulls: list[str] = []
    for name, each in value.items():
        member = members.get(name)
        if member is None:
            extras[name] = extra(each)
        elif each is None and member.is_optional:
            nulls.append(name)
        else:
            known[member.field] = member.decode(each)
    record = cls(**known, extras=extras)
    record._nulls = frozenset(nulls)
    record._order = tuple(value)
    return record
