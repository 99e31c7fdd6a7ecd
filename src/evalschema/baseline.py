"""Findings that are accepted for now: a file of them, so that an old workspace fails only on what is new.

A finding is known by its file, code, place and content, never by its line: an edit elsewhere in the file changes
nothing, an edit of the value in question brings the finding back.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from hashlib import sha256
from json import dumps
from typing import TYPE_CHECKING, Any

from evalschema.console import opened
from evalschema.errors import SettingsError
from evalschema.finding import Finding, Result, split

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

VERSION = 1
ABOUT = (
    "Findings that are accepted for now, made by evalschema check --write-baseline. Without its entry a finding counts."
)
# What is not about the content of a document cannot be accepted.
NEVER = "input."
# In code points; what a longer pointer ends in goes into the digest.
POINTER_LIMIT = 300
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_INDEX = re.compile(r"/\d+(?=/|$)")
_MEMBERS = ("path", "code", "pointer", "content")


@dataclass(frozen=True, slots=True, order=True)
class Known:
    """What a finding is known by. `path` is relative to the folder of the baseline, `content` a digest."""

    path: str
    code: str
    pointer: str
    content: str

    @property
    def wherever(self) -> Known:
        """The same without the indices of lists: what stays when items are added before it."""
        return replace(self, pointer=_INDEX.sub("/*", self.pointer))


class Baseline:
    """The findings that a file accepts, and which of them were met.

    Raises `SettingsError` when the file cannot be read, or is no baseline.
    """

    def __init__(self, path: str) -> None:
        self.folder = _folder(path)
        self.met = 0
        self.missed: list[Known] = []
        self._waiting: dict[str, list[Known]] = {}
        for entry in _load(path):
            self._waiting.setdefault(entry.path, []).append(entry)

    def new(self, result: Result, data: bytes | None, *, lines: bool = False) -> Result:
        """The result without what is accepted; `data` are the bytes that were checked, `lines` of documents or one."""
        waiting = self._waiting.pop(_relative(result.path, self.folder), [])
        if not waiting:
            return result
        pairs = list(_known(result, data, self.folder, lines=lines))
        # first what lies where it lay, then what has moved with its item: one entry must not take the place of another
        pairs = self._without(pairs, waiting, wherever=False)
        pairs = self._without(pairs, waiting, wherever=True)
        self.missed += waiting
        return replace(result, findings=tuple(finding for finding, _ in pairs))

    def _without(
        self, pairs: list[tuple[Finding, Known]], waiting: list[Known], *, wherever: bool
    ) -> list[tuple[Finding, Known]]:
        """The pairs that are not waited for; the others are struck off the list."""
        places: dict[Known, list[Known]] = {}
        for entry in waiting:
            places.setdefault(entry.wherever if wherever else entry, []).append(entry)
        new: list[tuple[Finding, Known]] = []
        for finding, entry in pairs:
            found = places.get(entry.wherever if wherever else entry)
            if found:
                waiting.remove(found.pop())
                self.met += 1
            else:
                new.append((finding, entry))
        return new

    def stale(self) -> list[Known]:
        """Entries that accept nothing any more: not met in their file, or the file is gone."""
        gone = [entry for path in self._waiting if not _exists(path, self.folder) for entry in self._waiting[path]]
        return sorted([*self.missed, *gone])


class Record:
    """A baseline in the making.

    An existing one at the same path is renewed: what it says of files that are not checked this time stays. Raises
    `SettingsError` when something else lies there.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.folder = _folder(path)
        self.entries: list[Known] = []
        self._old = _load(path) if os.path.exists(path) else []
        self._seen: set[str] = set()

    def accept(self, result: Result, data: bytes | None, *, lines: bool = False) -> Result:
        """Note all findings; the result without them."""
        self._seen.add(_relative(result.path, self.folder))
        self.entries += [entry for _, entry in _known(result, data, self.folder, lines=lines)]
        return replace(result, findings=tuple(finding for finding in result.findings if finding.code.startswith(NEVER)))

    def write(self) -> None:
        """Write the file, sorted, one entry a line; raises `OutputError`."""
        old = [entry for entry in self._old if entry.path not in self._seen and _exists(entry.path, self.folder)]
        rows = [dumps({name: getattr(entry, name) for name in _MEMBERS}) for entry in sorted([*self.entries, *old])]
        entries = "[\n    " + ",\n    ".join(rows) + "\n  ]" if rows else "[]"
        with opened(self.path) as file:
            file.write(f'{{\n  "about": {dumps(ABOUT)},\n  "version": {VERSION},\n  "findings": {entries}\n}}\n')


def _folder(path: str) -> str:
    return os.path.dirname(os.path.abspath(path))


def _relative(path: str | None, folder: str) -> str:
    """The path as the baseline has it: with /, from its folder, the same whoever asks from wherever."""
    if path is None or path == "-":
        return "-"
    relative = os.path.relpath(path, folder).replace(os.sep, "/")
    return relative.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _exists(path: str, folder: str) -> bool:
    return path == "-" or os.path.lexists(os.path.join(folder, path))


def _known(result: Result, data: bytes | None, folder: str, *, lines: bool) -> Iterator[tuple[Finding, Known]]:
    """What each finding is known by, where it can be accepted at all."""
    path = _relative(result.path, folder)
    documents = _Documents(data or b"", lines=lines)
    for finding in result.findings:
        if not finding.code.startswith(NEVER):
            content = _content(finding, documents.of(finding))
            yield finding, Known(path, finding.code, finding.pointer[:POINTER_LIMIT], content)


class _Documents:
    """The documents that findings are about: all the same one, or, in JSON Lines, that of the finding's line."""

    def __init__(self, data: bytes, *, lines: bool) -> None:
        self._texts = data.split(b"\n") if lines else [data]
        self._lines = lines
        self._read: dict[int, Any] = {}

    def of(self, finding: Finding) -> Any:
        """The document; None when it is gone."""
        number = (finding.line or 1) - 1 if self._lines else 0
        if number not in self._read:
            self._read[number] = _document(self._texts[number]) if number < len(self._texts) else None
        return self._read[number]


def _document(data: bytes) -> Any:
    """The document, or, for what is none, a text that stands for these very bytes."""
    from evalschema.reading import Unreadable, read, without_bom

    try:
        return read(without_bom(data))
    except Unreadable:
        return sha256(data).hexdigest()


def _content(finding: Finding, document: Any) -> str:
    """A digest of what the finding is about: the value in question, the numbers of the message, the member that lacks.

    The words of the message are left out, so that a better wording of a later version changes nothing. Of a whole
    document only the names of its members are taken: any edit would change the rest.
    """
    value = _value(document, finding.pointer) if finding.pointer else _names(document)
    lacking = finding.expected if finding.code == "schema.required" or finding.code.startswith("name.") else None
    about = [value, _NUMBER.findall(finding.message), lacking, finding.pointer[POINTER_LIMIT:]]
    return sha256(dumps(about, sort_keys=True).encode()).hexdigest()[:16]


def _value(document: Any, pointer: str) -> Any:
    if isinstance(document, str):
        return document
    for token in split(pointer):
        if isinstance(document, dict) and token in document:
            document = document[token]
        elif isinstance(document, list) and token.isdecimal() and int(token) < len(document):
            document = document[int(token)]
        else:
            return None
    return document


def _names(document: Any) -> Any:
    if isinstance(document, str):
        return document
    return sorted(document) if isinstance(document, dict) else type(document).__name__


def _load(path: str) -> list[Known]:
    from evalschema.files import file_bytes
    from evalschema.reading import Unreadable, read, without_bom

    data = file_bytes(path)
    if isinstance(data, Finding):
        raise SettingsError(f"the baseline {path}: {data.message}")
    try:
        content = read(without_bom(data))
    except Unreadable as reason:
        raise SettingsError(f"the baseline {path} is no JSON: {reason.message}") from None
    entries = content.get("findings") if isinstance(content, dict) else None
    version = content.get("version") if isinstance(content, dict) else None
    if not isinstance(entries, list) or not all(map(_is_entry, entries)) or not isinstance(version, int):
        raise SettingsError(f"{path} is no baseline: --write-baseline makes one, at a path where nothing else lies")
    if version != VERSION:
        raise SettingsError(f"the baseline {path} has version {version}, {VERSION} was expected: make it anew")
    return _entries(entries)


def _is_entry(entry: Any) -> bool:
    return isinstance(entry, dict) and all(isinstance(entry.get(name), str) for name in _MEMBERS)


def _entries(entries: Iterable[dict[str, str]]) -> list[Known]:
    return [Known(*(entry[name] for name in _MEMBERS)) for entry in entries]
