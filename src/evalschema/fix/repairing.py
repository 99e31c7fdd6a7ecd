"""A document with findings to one with fewer: patches tried, checked again, and kept only where they helped."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from evalschema.files import check_bytes, check_lines_file
from evalschema.finding import Finding, Result, pointer
from evalschema.fix.tree import PatchError, Text
from evalschema.reading import BOM, Unreadable, read, without_bom
from evalschema.settings import DEFAULT, OFF, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from evalschema._generated.kinds import Kind
    from evalschema.finding import Patch

# All findings are wanted, however many are shown elsewhere.
_ALL = 10**9
# How often one document is checked again, and how many bytes are read for that; one that needs more is left as far as
# it came.
CHECKS = 1000
BYTES_CHECKED = 50 * 2**20
# How many steps may go before a change shows that it helps: a list renamed first, the names in it next.
AHEAD = 3

# What makes two findings, and two changes, the same.
Identity: TypeAlias = tuple[str, str, str]
Key: TypeAlias = tuple[str, str, tuple[tuple[str, str, str], ...]]

_FENCED = re.compile(rb"[ \t\r\n]*```[A-Za-z0-9]*[ \t]*\r?\n(.*\n)[ \t]*```[ \t\r\n]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Step:
    """One change that was made, and where.

    `code` is that of the finding it repaired, or "derived" for numbers that were computed anew. `patch` is None where
    bytes around the document were taken off.
    """

    code: str
    pointer: str
    patch: Patch | None


@dataclass(frozen=True, slots=True)
class Repair:
    """The bytes of a document after repair, what was found before and after, and what was done in between."""

    data: bytes
    before: Result
    after: Result
    steps: tuple[Step, ...]


def repair(
    data: bytes,
    kind: Kind | None = None,
    *,
    path: str | None = None,
    settings: Settings = DEFAULT,
    unsafe: bool = False,
) -> Repair:
    """Repair the bytes of one document; `kind` and `path` as for `check_bytes`, `settings` decide what is found.

    Text that no patch touches is kept to the letter. With `unsafe`, numbers that follow from others are computed anew,
    and names are changed whose meaning is likely and not sure. The result has never more errors and never more
    findings than before, but where what was hidden comes to light: when a fence is taken off, or names were mended.
    Raises `UnknownKindError` and `RuleError`.
    """
    return _Repairing(kind, path, settings, unsafe=unsafe).run(data)


def repair_lines(
    data: bytes,
    kind: Kind | None = None,
    *,
    path: str | None = None,
    settings: Settings = DEFAULT,
    unsafe: bool = False,
) -> Repair:
    """Repair JSON Lines: each line as a document of its own, which stays one line."""
    steps: list[Step] = []
    lines: list[bytes] = []
    for line in data.split(b"\n"):
        done = repair(line, kind, path=path, settings=settings, unsafe=unsafe) if line.strip() else None
        if done is None or b"\n" in done.data:
            lines.append(line)
        else:
            lines.append(done.data)
            steps += done.steps
    wide = replace(settings, max_findings=_ALL)
    repaired = b"\n".join(lines)
    before, after = (check_lines_file(each, kind, path=path, settings=wide) for each in (data, repaired))
    return Repair(repaired, before, after, tuple(steps))


@dataclass(frozen=True, slots=True)
class _State:
    """Bytes of a document, what is found in them, and how they came to be."""

    data: bytes
    result: Result
    steps: tuple[Step, ...] = ()

    def instance(self) -> Any:
        """The document; None where it cannot be read, or is null."""
        try:
            return read(without_bom(self.data))
        except Unreadable:
            return None

    def told(self) -> frozenset[Identity]:
        return frozenset(_identity(finding) for finding in self.result.findings)


def _identity(finding: Finding) -> Identity:
    return finding.code, finding.pointer, finding.message


@dataclass(frozen=True, slots=True)
class _Change:
    """A change that may help.

    `answers` are the findings that it is for: all of them must go, or one of them when the change is a computed number.
    """

    step: Step
    answers: frozenset[Identity]
    edit: Callable[[bytes], bytes] | None = None

    def key(self) -> Key:
        steps = ((each["op"], each.get("from", ""), each["path"]) for each in self.step.patch or ())
        return self.step.code, self.step.pointer, tuple(steps)

    def helped(self, told: frozenset[Identity]) -> bool:
        gone = self.answers - told
        return bool(gone) if self.step.code == DERIVED else len(gone) == len(self.answers)


DERIVED = "derived"


class _Repairing:
    def __init__(self, kind: Kind | None, path: str | None, settings: Settings, *, unsafe: bool) -> None:
        self.kind: Any = kind
        self.path = path
        self.settings = replace(settings, max_findings=_ALL)
        # a repair must not break what the settings silence either
        severity = {code: severity for code, severity in settings.severity.items() if severity != OFF}
        self.judging = replace(self.settings, select=None, ignore=(), severity=severity)
        self.unsafe = unsafe
        self.checks_left = CHECKS

    def run(self, data: bytes) -> Repair:
        self.checks_left = min(CHECKS, max(30, BYTES_CHECKED // max(1, len(data))))
        given = self.kind
        before = self._checked(data, ())
        self.kind = self.kind or before.result.kind
        after = self._improved(before, 0)
        if after is not before and given is None:
            # what the next reader takes it for decides what is found then
            again = check_bytes(after.data, path=self.path, settings=self.judging)
            if again.kind != self.kind or len(again.findings) != len(after.result.findings):
                after = before
        return Repair(after.data, self._shown(before.result), self._shown(after.result), after.steps)

    def _shown(self, result: Result) -> Result:
        """The result with what the settings leave of it."""
        return replace(result, findings=tuple(self._asked_for(result)))

    def _asked_for(self, result: Result) -> list[Finding]:
        return [finding for finding in result.findings if self.settings.judged(finding) is not None]

    def _checked(self, data: bytes, steps: tuple[Step, ...]) -> _State:
        self.checks_left -= 1
        return _State(data, check_bytes(data, self.kind, path=self.path, settings=self.judging), steps)

    def _improved(self, state: _State, depth: int) -> _State:
        """The state after all changes that help; the state itself when there is none."""
        refused: set[Key] = set()
        seen = {state.data}
        has_changed = False
        while self.checks_left > 0:
            changes = self._changes(state, refused)
            better = self._any_of(state, changes, depth, refused) if changes else None
            if better is not None and better.data not in seen:
                state, has_changed = better, True
                seen.add(state.data)
            elif has_changed and refused:
                # what did not help earlier may help now
                has_changed = False
                refused.clear()
            elif better is not None or not changes:
                break
        return state

    def _any_of(self, state: _State, changes: Sequence[_Change], depth: int, refused: set[Key]) -> _State | None:
        """The state after those of the changes that help together; halves are tried where all together do not.

        None where none of them helps, or none of those that go together; then at least one more is refused.
        """
        if self.checks_left <= 0:
            return None
        data, used = _changed(state.data, changes)
        if not used:
            refused.add(changes[0].key())
            return None
        new = self._checked(data, (*state.steps, *(change.step for change in used)))
        if _is_better(state, new, used):
            return new
        if depth < AHEAD:
            further = self._improved(new, depth + 1)
            if further is not new and _is_better(state, further, used):
                return further
        if len(used) == 1:
            refused.add(used[0].key())
            return None
        middle = len(used) // 2
        better = self._any_of(state, used[:middle], depth, refused)
        return better or self._any_of(state, used[middle:], depth, refused)

    # --- what may help ---------------------------------------------------------------------------------------------

    def _changes(self, state: _State, refused: set[Key]) -> list[_Change]:
        """What may be tried: bytes around the document first, then what is safe, then names, and at last numbers."""
        for attempt in (self._around, self._by_findings, self._by_likely_names, self._by_evidence):
            if self.unsafe or attempt in (self._around, self._by_findings):
                changes = {key: change for change in attempt(state) if (key := change.key()) not in refused}
                if changes:
                    return list(changes.values())
        return []

    def _around(self, state: _State) -> Iterator[_Change]:
        for finding in self._asked_for(state.result):
            if finding.code == "json.bom" and state.data.startswith(BOM):
                yield _Change(Step(finding.code, "", None), frozenset({_identity(finding)}), without_bom)
            elif finding.code == "json.markdown" and _FENCED.fullmatch(state.data):
                yield _Change(Step(finding.code, "", None), frozenset({_identity(finding)}), _without_fence)

    def _by_findings(self, state: _State) -> Iterator[_Change]:
        for finding in self._asked_for(state.result):
            if finding.fix is not None and (self.unsafe or is_safe(finding)):
                yield _Change(Step(finding.code, finding.pointer, finding.fix), frozenset({_identity(finding)}))

    def _by_likely_names(self, state: _State) -> Iterator[_Change]:
        """Names that probably mean what they are taken for, where the values do not prove it."""
        from evalschema.names import find_hits, move

        asked_for = self._asked_for(state.result)
        for hit in find_hits(self.kind, state.instance()) if self.kind is not None else ():
            if hit.alias.safe or not hit.wrong:
                continue
            place = pointer(hit.place)
            about = [each for each in asked_for if each.pointer == place or place in each.related]
            if about and hit.target:
                answers = frozenset(_identity(finding) for finding in about if finding.code != "schema.required")
                yield _Change(Step("name.alias", place, move(hit)), answers)

    def _by_evidence(self, state: _State) -> Iterator[_Change]:
        """Numbers that follow from others, an object at a time, where something is said about them."""
        from evalschema.fix.derived import derived

        groups: dict[str, list[tuple[dict[str, Any], frozenset[Identity]]]] = {}
        asked_for, instance = self._asked_for(state.result), state.instance()
        for at, value in derived(self.kind, instance) if self.kind is not None else ():
            about = [finding for finding in asked_for if _concerns(finding, pointer(at[:-1]), str(at[-1]))]
            if about:
                operation = {"op": "replace" if _is_there(instance, at) else "add", "path": pointer(at), "value": value}
                answers = frozenset(_identity(finding) for finding in about)
                groups.setdefault(pointer(at[:-1]), []).append((operation, answers))
        for place, parts in groups.items():
            answers = frozenset[Identity]().union(*(answers for _, answers in parts))
            yield _Change(Step(DERIVED, place, tuple(operation for operation, _ in parts)), answers)


def is_safe(finding: Finding) -> bool:
    """Whether the fix of a finding loses nothing: names, places and forms; the fix of a rule is a computed number."""
    return finding.code.startswith(("name.", "schema."))


def _without_fence(data: bytes) -> bytes:
    match = _FENCED.fullmatch(data)
    return match[1] if match else data


def _concerns(finding: Finding, parent: str, member: str) -> bool:
    """Whether a finding is about a member of the object at `parent`: there, or missing."""
    if finding.pointer == f"{parent}/{pointer((member,))[1:]}":
        return not finding.code.startswith("name.")
    if finding.pointer != parent:
        return False
    expected = finding.expected if isinstance(finding.expected, list) else [finding.expected]
    is_missing = finding.code == "schema.required" and member in expected
    return is_missing or (finding.code == "BEN018" and member == "delta")


def _is_there(instance: Any, at: tuple[Any, ...]) -> bool:
    from evalschema.places import ABSENT, get

    return get(instance, at) is not ABSENT


def _changed(data: bytes, changes: Sequence[_Change]) -> tuple[bytes, list[_Change]]:
    """The bytes after as many of the changes as go together, and those that were made.

    It ends before one that another has made impossible, and after one that has moved the items of a list.
    """
    if changes[0].edit is not None:
        return changes[0].edit(data), [changes[0]]
    mark = BOM if data.startswith(BOM) else b""
    original = data[len(mark) :].decode()
    used = list(changes)
    while used:
        text = Text(original)
        for index, change in enumerate(used):
            try:
                text.apply(change.step.patch or (), overwriting=False)
            except PatchError:
                used = used[:index]
                break
            if text.shifted:
                used = used[: index + 1]
                return mark + str(text).encode(), used
        else:
            return mark + str(text).encode(), used
    return data, []


def _is_better(old: _State, new: _State, used: Sequence[_Change]) -> bool:
    """Whether the changes did what they are for, and nothing is worse."""
    if new.data == old.data:
        return False
    told = new.told()
    if not all(change.helped(told) for change in used):
        return False
    if any(finding.code.startswith("json.") and finding.code != "json.bom" for finding in old.result.findings):
        # what was hidden is seen now; as long as it can be read it is better
        return not any(finding.code.startswith("json.") for finding in new.result.findings)
    return _is_no_worse(old.result, new.result)


def _is_no_worse(old: Result, new: Result) -> bool:
    """Whether there are fewer errors, or as many and no more of anything else.

    An error can hide what lies inside its place, so fewer errors may come with more warnings: those were there before.
    """
    if len(new.errors) != len(old.errors):
        return len(new.errors) < len(old.errors)
    return len(new.warnings) <= len(old.warnings) and len(new.findings) <= len(old.findings)
