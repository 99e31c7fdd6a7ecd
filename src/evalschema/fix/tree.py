"""JSON text that can be edited: what is not touched keeps its spelling, and what is added looks like its neighbours.

The text is taken apart one container at a time, and only where an edit leads, so that a large document with one wrong
name costs little. The text is known to be strict JSON; nothing here looks for defects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from json import JSONDecoder
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, TypeAlias

from evalschema.finding import split

if TYPE_CHECKING:
    from evalschema.finding import Patch

_SPACE = re.compile(r"[ \t\n\r]*")
_INDENTED = re.compile(r"\n([ \t]+)[^ \t\r\n]")
_TIGHT = re.compile(r'":[^ \t\r\n]')
_SPACED = re.compile(r'":[ \t\r\n]')
# What stands for the place after the last item of a list.
END = "-"
_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_end_of = JSONDecoder().raw_decode

# From the indent of a line, and whether everything stands on it, to the text of a value.
Spelling: TypeAlias = Callable[[str, bool], str]


class PatchError(ValueError):
    """A patch does not fit the document, or would write over what stands there."""


class Node:
    """A value as it is written; a container that was taken apart has `items`, and its `text` is out of date."""

    __slots__ = ("blank", "items", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.items: list[Item] | None = None
        # the space in a container that has no items
        self.blank = ""

    @property
    def opening(self) -> str:
        """The first character: tells objects and lists from other values."""
        return self.text[0]

    def opened(self) -> list[Item]:
        """The items of the container; raises `PatchError` for any other value."""
        if self.items is None:
            if self.text[0] not in "{[":
                raise PatchError("a value that holds nothing lies on the way")
            self.items, self.blank = _taken_apart(self.text)
        return self.items

    def written(self) -> str:
        """The text of the value as it is now."""
        if self.items is None:
            return self.text
        inside = ",".join([item.written() for item in self.items]) if self.items else self.blank
        return f"{{{inside}}}" if self.text[0] == "{" else f"[{inside}]"


class Item:
    """A member of an object or an item of a list, with the space around its parts."""

    __slots__ = ("after", "before", "between", "key", "name", "node")

    def __init__(self, before: str, key: str, between: str, node: Node, after: str) -> None:
        self.before = before
        self.key = key
        self.between = between
        self.node = node
        self.after = after
        self.name: str | None = json.loads(key) if key else None

    def written(self) -> str:
        """The text of the item, without a comma."""
        return f"{self.before}{self.key}{self.between}{self.node.written()}{self.after}"


def _space(text: str, i: int) -> int:
    match = _SPACE.match(text, i)
    return match.end() if match else i


def _taken_apart(text: str) -> tuple[list[Item], str]:
    """The items of the container that is `text`, and the space in it when it has none."""
    is_object = text[0] == "{"
    items: list[Item] = []
    i = _space(text, 1)
    if i == len(text) - 1:
        return items, text[1:i]
    start = 1
    while True:
        key = between = ""
        key_at = i
        if is_object:
            _, i = scanstring(text, i + 1, True)
            key, key_end = text[key_at:i], i
            i = _space(text, _space(text, i) + 1)
            between = text[key_end:i]
        end = _end_of(text, i)[1]
        after = _space(text, end)
        items.append(Item(text[start:key_at], key, between, Node(text[i:end]), text[end:after]))
        if after == len(text) - 1:
            return items, ""
        start = after + 1
        i = _space(text, start)


class Text:
    """A JSON document under edit. `shifted` tells that items of a list have moved, so that older indices mislead."""

    def __init__(self, text: str) -> None:
        start = _space(text, 0)
        end = _end_of(text, start)[1]
        self.head, self.root, self.tail = text[:start], Node(text[start:end]), text[end:]
        self.newline = "\r\n" if "\r\n" in text else "\n"
        indented = _INDENTED.search(text, start, end)
        self.unit = indented[1] if indented else ""
        self.is_one_line = "\n" not in self.root.text
        self.colon = ":" if _TIGHT.search(text) and not _SPACED.search(text) else ": "
        self.shifted = False

    def __str__(self) -> str:
        return f"{self.head}{self.root.written()}{self.tail}"

    def apply(self, patch: Patch, *, overwriting: bool = True) -> None:
        """Carry out a JSON Patch of adds, replaces, removes and moves (RFC 6902).

        Raises `PatchError` where it does not fit; some of its operations may have been carried out then. Without
        `overwriting`, adding and moving onto a member that exists is refused: then two patches that were made for the
        same document cannot undo each other.
        """
        for operation in patch:
            path = split(operation["path"])
            match operation["op"]:
                case "add" | "replace" if not path:
                    _settle(self.root, self._rewritten(self.root.written(), operation["value"], ""))
                case "add":
                    self._put(path, self._new(operation["value"]), overwriting=overwriting)
                case "replace":
                    node, indent = self._found(path)
                    _settle(node, self._rewritten(node.written(), operation["value"], indent))
                case "remove":
                    self._remove(path)
                case "move":
                    self._move(split(operation["from"]), path, overwriting=overwriting)
                case other:
                    raise PatchError(f"the operation {other!r} is not known here")

    def _found(self, path: tuple[str, ...]) -> tuple[Node, str]:
        """The value at a place, and how the line that it begins on is indented; raises `PatchError`."""
        node, indent = self.root, ""
        for token in path:
            item = node.opened()[_index_of(node, token)]
            if "\n" in item.before:
                indent = item.before.rpartition("\n")[2]
            node = item.node
        return node, indent

    def _remove(self, path: tuple[str, ...]) -> tuple[str, str]:
        """Take out the value at a place; returns its text and indent."""
        if not path:
            raise PatchError("the whole document cannot be removed")
        node, indent = self._found(path)
        parent, _ = self._found(path[:-1])
        items, index = parent.opened(), _index_of(parent, path[-1])
        item = items.pop(index)
        self.shifted = self.shifted or parent.opening == "["
        if items and index == len(items):
            items[-1].after = item.after
        elif items and index == 0:
            items[0].before = item.before
        return node.written(), indent

    def _move(self, source: tuple[str, ...], path: tuple[str, ...], *, overwriting: bool) -> None:
        node, indent = self._found(source)
        if source == path:
            return
        if path[: len(source)] == source:
            raise PatchError("a value cannot be moved into itself")
        if not path:
            _settle(self.root, _reindented(node.written(), indent, ""))
            return
        parent, _ = self._found(source[:-1])
        if source[:-1] == path[:-1] and parent.opening == "{" and not _has(parent, path[-1]):
            item = parent.opened()[_index_of(parent, source[-1])]
            item.key, item.name = _quoted(path[-1]), path[-1]
            return
        text, indent = self._remove(source)
        self._put(path, lambda here, _: _reindented(text, indent, here), overwriting=overwriting)

    def _put(self, path: tuple[str, ...], spelled: Spelling, *, overwriting: bool) -> None:
        """Add a value at a place inside the document."""
        parent, parent_indent = self._found(path[:-1])
        items, token = parent.opened(), path[-1]
        if parent.opening == "{":
            if _has(parent, token):
                if not overwriting:
                    raise PatchError("another value stands in the place already")
                node, here = self._found(path)
                _settle(node, spelled(here, self.is_one_line))
                return
            index = len(items)
        else:
            index = len(items) if token == END else _number(token, len(items) + 1)
            self.shifted = True
        before, after, here = self._gap(parent, parent_indent, index)
        key = between = ""
        if parent.opening == "{":
            key = _quoted(token)
            between = items[-1].between if items and "\n" not in items[-1].between else self.colon
        if items and index == len(items):
            items[-1].after = ""
        items.insert(index, Item(before, key, between, Node(spelled(here, "\n" not in before)), after))

    def _gap(self, parent: Node, indent: str, index: int) -> tuple[str, str, str]:
        """The space before and after a new item, and the indent of its line."""
        items = parent.opened()
        if not items:
            if self.is_one_line or parent is self.root:
                return "", "", indent
            inner = indent + self.unit
            return self.newline + inner, self.newline + indent, inner
        after = items[-1].after if index == len(items) else ""
        lines = [item.before for item in items if "\n" in item.before]
        if lines:
            inner = lines[-1].rpartition("\n")[2]
            return self.newline + inner, after, inner
        if len(items) > 1:
            return items[1].before if index else items[0].before, after, indent
        return " " if index and self.colon.endswith(" ") else "", after, indent

    def _new(self, value: Any) -> Spelling:
        """How a value is spelled that stands nowhere in the document yet."""

        def spelling(indent: str, one_line: bool) -> str:  # noqa: FBT001
            if one_line or not isinstance(value, dict | list) or not value:
                separators = (", ", ": ") if self.colon.endswith(" ") else (",", ":")
                return json.dumps(value, ensure_ascii=False, separators=separators)
            return json.dumps(value, ensure_ascii=False, indent=self.unit).replace("\n", self.newline + indent)

        return spelling

    def _rewritten(self, old: str, value: Any, indent: str) -> str:
        """The text of a value that takes another's place, made of the old text where that holds it, or stands in it."""
        held = json.loads(old)
        if is_same(held, value):
            return old
        if isinstance(held, str) and isinstance(value, dict | list) and is_same(_document_in(held), value):
            return held.strip(" \t\r\n")
        if isinstance(value, dict) and len(value) == 1 and is_same(held, *value.values()):
            key = _quoted(*value)
            if self.is_one_line:
                return f"{{{key}{self.colon}{old}}}"
            inner = indent + self.unit
            return f"{{{self.newline}{inner}{key}: {_reindented(old, indent, inner)}{self.newline}{indent}}}"
        return self._new(value)(indent, self.is_one_line)


def _document_in(text: str) -> Any:
    """The JSON document that a text holds, None when it holds none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _has(node: Node, name: str) -> bool:
    return any(item.name == name for item in node.opened())


def _settle(node: Node, text: str) -> None:
    node.text, node.items, node.blank = text, None, ""


def _index_of(node: Node, token: str) -> int:
    """Which of the items of a container a token means; raises `PatchError`."""
    items = node.opened()
    if node.opening == "[":
        return _number(token, len(items))
    for index, item in enumerate(items):
        if item.name == token:
            return index
    raise PatchError("there is no such member")


def _number(token: str, count: int) -> int:
    if not _INDEX.fullmatch(token) or int(token) >= count:
        raise PatchError("there is no such item")
    return int(token)


def _reindented(text: str, old: str, new: str) -> str:
    """The text of a value that moves from one depth to another; line ends stand between its parts alone."""
    if old == new or "\n" not in text:
        return text
    first, *lines = text.split("\n")
    return "\n".join([first, *(new + line.removeprefix(old) if line.startswith(old) else line for line in lines)])


def is_same(a: Any, b: Any) -> bool:
    """Whether two JSON values are the same data: 1, 1.0 and true are three values here."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(is_same(value, b[name]) for name, value in a.items())
    if isinstance(a, list):
        return len(a) == len(b) and all(map(is_same, a, b))
    return bool(a == b)
