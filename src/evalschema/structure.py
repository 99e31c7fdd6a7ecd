"""Failing keywords made into findings: right names first, tolerances applied, one finding a mistake.

The explainer says what fails; three data files say what that means. `aliases.json` knows under which wrong name, or at
which wrong place, a missing member usually stands. `tolerances.json` knows which failures cost little or nothing.
`consequences.json` knows what the programs that read such a document make of one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from evalschema.catalog import bundle, schema
from evalschema.excerpt import excerpt, short
from evalschema.explainer import Failure, explain, explain_kind
from evalschema.finding import Finding, Patch, Severity, Tokens, pointer, split
from evalschema.messages import consequence_of, message_of, names, suggestion_of
from evalschema.names import (
    FINDING_NAMES,
    Hit,
    decoys,
    find_hits,
    known_wrong_names,
    misplaced,
    move,
    noted,
    whereabouts,
)
from evalschema.places import ABSENT
from evalschema.slips import misspelt
from evalschema.verdict import fits_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


@dataclass(slots=True)
class Structure:
    """What the schema has to say about an instance.

    `broken` are the places that rules must not rely on. `complete` is false when there was more than could be looked
    at; then nothing is known to be sound.
    """

    findings: list[Finding] = field(default_factory=list[Finding])
    broken: frozenset[Tokens] = frozenset()
    complete: bool = True


def structure_of_schema(user_schema: dict[str, Any], instance: Any) -> Structure:
    """The findings against a schema of the user's own: no aliases, no tolerances."""
    failures, complete = explain(user_schema, instance)
    groups = _grouped((failure, "error") for failure in failures)
    findings = [finding for group, severity in groups for finding in _plain(group, None, severity)]
    return Structure(findings, frozenset(_place(failure) for failure in failures), complete)


def structure(kind: str, instance: Any) -> Structure:
    """The findings against the schema of `kind`, for an instance that does not fit it."""
    failures, complete = explain_kind(kind, instance)
    hits = _Hits(find_hits(kind, instance))
    if foreign := _foreign(kind, instance, failures, hits):
        return Structure([foreign, *decoys(kind, instance)], frozenset({()}), complete)
    graded: list[tuple[Failure, Severity]] = [(failure, _severity(kind, failure)) for failure in failures]
    findings = [
        *_named(kind, instance, graded, hits),
        *misspelt(kind, instance, known_wrong_names(kind)),
        *decoys(kind, instance),
    ]
    for group, severity in _grouped(graded):
        unexplained = [failure for failure in group if not _explained(kind, failure, hits)]
        findings += _plain(unexplained, kind, severity, hits)
    broken = {_place(failure) for failure, severity in graded if _breaks(failure, severity)}
    return Structure(findings, frozenset(broken), complete)


def _place(failure: Failure) -> Tokens:
    return failure.at if failure.member is None else (*failure.at, failure.member)


def _breaks(failure: Failure, severity: Severity) -> bool:
    """Whether rules can no longer rely on the place: an error, or a value that is absent or of another type."""
    return severity == "error" or (severity == "warning" and failure.keyword in ("type", "required"))


def _grouped(graded: Iterable[tuple[Failure, Severity]]) -> list[tuple[list[Failure], Severity]]:
    """Missing members of one object and one severity together, every other failure by itself."""
    groups: dict[Any, tuple[list[Failure], Severity]] = {}
    for failure, severity in graded:
        member = None if failure.keyword == "required" else failure.member
        groups.setdefault((failure.at, failure.keyword, member, severity), ([], severity))[0].append(failure)
    return list(groups.values())


# --- tolerances ---------------------------------------------------------------------------------------------------


@cache
def _tolerances(kind: str, length: int) -> tuple[tuple[tuple[str, ...], Mapping[str, Any]], ...]:
    """The tolerances for places of so many tokens, and those for members that are missing one level higher.

    `when` is JSON text in these.
    """
    whole = (
        entry | {"when": json.dumps(entry["when"])} if "when" in entry else entry for entry in bundle()["tolerances"]
    )
    entries = ((split(entry["place"]), entry) for entry in whole if entry["kind"] == kind)
    return tuple(
        (place, entry) for place, entry in entries if length in (len(place), len(place) + ("property" in entry))
    )


def _severity(kind: str, failure: Failure) -> Severity:
    for place, entry in _tolerances(kind, len(failure.at)):
        if _is_tolerated(failure, place, entry):
            severity: Severity = entry["severity"]
            return severity
    return "error"


def _is_tolerated(failure: Failure, place: tuple[str, ...], entry: Mapping[str, Any]) -> bool:
    if failure.keyword == entry["keyword"]:
        if entry.get("property") != failure.member or not _matches(failure.at, place):
            return False
    elif not (
        # null stands for a member that is missing
        entry["keyword"] == "required"
        and failure.keyword == "type"
        and failure.value is None
        and _matches(failure.at, (*place, entry["property"]))
    ):
        return False
    when = entry.get("when")
    return when is None or fits_text(when, failure.value)


def _matches(at: Tokens, place: tuple[str, ...]) -> bool:
    return len(at) == len(place) and all(want in ("*", str(have)) for have, want in zip(at, place, strict=True))


# --- names --------------------------------------------------------------------------------------------------------


class _Hits:
    """Known wrong names in a document, found by the places where their values belong."""

    def __init__(self, hits: Iterable[Hit]) -> None:
        self.all = list(hits)
        self._at: dict[Tokens, Hit] = {}
        for hit in self.all:
            self._at.setdefault(hit.target, hit)
        self._by_start: dict[int, dict[Tokens, list[int]]] = {}

    def at(self, place: Tokens) -> Hit | None:
        """The first whose value belongs just there."""
        return self._at.get(place)

    def under(self, places: Iterable[Tokens]) -> list[Hit]:
        """Those whose values belong at one of the places or further inside, in their order."""
        found = {index for place in places for index in self._starting(len(place)).get(place, ())}
        return [self.all[index] for index in sorted(found)]

    def _starting(self, length: int) -> dict[Tokens, list[int]]:
        """The indices of wrong names, by so many of the first tokens of where their values belong."""
        if length not in self._by_start:
            by_start: dict[Tokens, list[int]] = {}
            for index, hit in enumerate(self.all):
                if hit.wrong and len(hit.target) >= length:
                    by_start.setdefault(hit.target[:length], []).append(index)
            self._by_start[length] = by_start
        return self._by_start[length]


def _explained(kind: str, failure: Failure, hits: _Hits) -> bool:
    """Whether a finding of its own tells where the missing member stands."""
    if failure.keyword != "required":
        return False
    return hits.at(_place(failure)) is not None or _typo(kind, failure) is not None


def _named(kind: str, instance: Any, graded: list[tuple[Failure, Severity]], hits: _Hits) -> Iterator[Finding]:
    """Findings for members that stand under another name or at another place."""
    used: set[Tokens] = set()
    for failure, severity in graded:
        if failure.keyword != "required":
            continue
        hit = hits.at(_place(failure))
        if hit is not None:
            used.add(hit.place)
            yield _alias_finding(kind, failure, severity, hit)
        elif typo := _typo(kind, failure):
            yield _typo_finding(kind, failure, severity, typo)
    missing = [_place(failure) for failure, _ in graded if failure.keyword == "required"]
    inside = {id(hit): hit for hit in hits.under(missing)}
    rest = [hit for hit in hits.all if hit.place not in used and hit.wrong and hit.alias.right]
    yield from (misplaced(kind, hit) for hit in rest if id(hit) in inside)
    yield from noted(kind, [hit for hit in rest if id(hit) not in inside], instance)


def _alias_finding(kind: str, failure: Failure, severity: Severity, hit: Hit) -> Finding:
    right = str(failure.member)
    if hit.is_renamed:
        code, where = "name.alias", f"`{hit.wrong}` stands in its place: rename it"
    else:
        code, where = "name.misplaced", f"`{hit.wrong}` stands {whereabouts(hit.at)}: move it here"
        if hit.wrong != right:
            where += f" and call it `{right}`"
    return Finding(
        code=code,
        name=FINDING_NAMES[code],
        severity=severity,
        kind=kind,
        pointer=pointer(failure.at),
        message=f"`{right}` is missing: {where}",
        found=excerpt(hit.wrong),
        expected=right,
        related=(pointer(hit.place),),
        suggestion=right,
        fix=move(hit) if hit.alias.safe else None,
        consequence=consequence_of(kind, failure.at, right, ABSENT),
    )


def _typo(kind: str, failure: Failure) -> str | None:
    """The unknown member of the object whose name is that of the missing one but for a slip of the pen."""
    if not isinstance(failure.value, dict) or failure.member is None:
        return None
    from evalschema.likeness import closest

    known = {*failure.schema.get("properties", ()), *known_wrong_names(kind)}
    return closest(failure.member, [name for name in failure.value if name not in known])


def _typo_finding(kind: str, failure: Failure, severity: Severity, wrong: str) -> Finding:
    right = str(failure.member)
    place = (*failure.at, wrong)
    return Finding(
        code="name.typo",
        name=FINDING_NAMES["name.typo"],
        severity=severity,
        kind=kind,
        pointer=pointer(failure.at),
        message=f"`{right}` is missing: did you mean it by `{excerpt(wrong)}`? rename it",
        found=excerpt(wrong),
        expected=right,
        related=(pointer(place),),
        suggestion=right,
        fix=({"op": "move", "from": pointer(place), "path": pointer((*failure.at, right))},),
        consequence=consequence_of(kind, failure.at, right, ABSENT),
    )


# --- documents of another sort ------------------------------------------------------------------------------------


def _foreign(kind: str, instance: Any, failures: list[Failure], hits: _Hits) -> Finding | None:
    """One finding for a document that has none of the members by which its kind is told."""
    required = schema(kind).get("required", ())
    if not required or not isinstance(instance, dict) or any(name in instance for name in required):
        return None
    missing = [failure for failure in failures if failure.at == () and failure.keyword == "required"]
    named = [hit for hit in hits.all if hit.wrong and hit.target and hit.target[0] in required]
    if named or any(_typo(kind, failure) for failure in missing):
        return None
    has = [name for name in instance if name != "$schema"]
    held = f"it has {names(has[:4])}{' and more' if len(has) > 4 else ''}" if has else "it is empty"
    return Finding(
        code="kind.foreign",
        name="foreign-document",
        severity="error",
        kind=kind,
        pointer="",
        message=f"this is no {kind} document: {names(required)} {_verb(required)} missing, {held}; "
        f"write them (`evalschema schema {kind}`), or exclude the file when it is something else",
        expected=list(required),
        consequence=_worst(kind, (), reversed(required)),
    )


# --- everything else ----------------------------------------------------------------------------------------------


def _plain(
    failures: list[Failure], kind: str | None, severity: Severity, hits: _Hits | None = None
) -> Iterator[Finding]:
    """The finding of one failing keyword; missing members of one object are told together."""
    if not failures:
        return
    first = failures[0]
    if first.keyword == "required":
        yield _missing(failures, kind, severity, hits)
        return
    repair, fix = _rewrapped(kind, first, hits)
    suggestion = suggestion_of(first)
    if suggestion is not None and not repair:
        repair = f": write {suggestion}"
    yield Finding(
        code=f"schema.{first.keyword}",
        name=_keyword_name(first.keyword),
        severity=severity,
        kind=kind,
        pointer=pointer(_place(first) if first.keyword == "additionalProperties" else first.at),
        message=message_of(first) + repair,
        found=short(first.value),
        expected=short(first.expected) if not isinstance(first.expected, dict) else None,
        suggestion=suggestion,
        fix=fix or _spelled_out(first),
        consequence=_cost(kind, first, severity),
    )


def _cost(kind: str | None, failure: Failure, severity: Severity) -> str | None:
    """What the failing value costs; nothing is lost by what is a mere info."""
    if not failure.at or severity == "info":
        return None
    return consequence_of(kind, failure.at[:-1], str(failure.at[-1]), failure.value)


def _keyword_name(keyword: str) -> str:
    from evalschema.codes import keyword_name

    return keyword_name(keyword)


def _rewrapped(kind: str | None, failure: Failure, hits: _Hits | None) -> tuple[str, Patch | None]:
    """How to put a whole document into the wrapper that it lacks, or to take one off, in words and as a patch.

    There is no patch where taking the wrapper off would lose what else it holds.
    """
    value = failure.value
    if kind is None or hits is None or failure.at or failure.keyword != "type":
        return "", None
    if isinstance(value, str):
        inside = _document_in(value, kind)
        if inside is None:
            return "", None
        fix: Patch = ({"op": "replace", "path": "", "value": inside},)
        return ": the text holds the document, write the document itself", fix
    hit = next((hit for hit in hits.all if hit.wrong == "" or hit.alias.right == ()), None)
    if hit is None:
        return "", None
    if hit.alias.right == ():
        keeps_all = hit.alias.safe or len(value) == 1
        return f": take out what stands in `{hit.wrong}`", move(hit) if keeps_all else None
    member = str(hit.target[-1])
    wrap: Patch = ({"op": "replace", "path": "", "value": {member: value}},)
    return f": make it the member `{member}` of an object", wrap


def _document_in(text: str, kind: str) -> Any:
    """The document of a kind that a text holds; None when it holds none."""
    from evalschema.catalog import file_name
    from evalschema.reading import Unreadable, read
    from evalschema.verdict import fits

    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        inside = read(text.encode())
    except Unreadable:
        return None
    return inside if fits(f"{file_name(kind)}#/$defs/Shape", inside) else None


def _spelled_out(failure: Failure) -> Patch | None:
    """A number where a text of a certain form belongs, as the text that it makes: +0.5 for 0.5."""
    value = failure.value
    pattern = failure.schema.get("pattern")
    if failure.keyword != "type" or pattern is None or isinstance(value, bool) or not isinstance(value, int | float):
        return None
    from evalschema.verdict import keyword_holds

    text = next((text for text in (str(value), f"{value:+}") if keyword_holds("pattern", pattern, text)), None)
    return ({"op": "replace", "path": pointer(failure.at), "value": text},) if text is not None else None


def _missing(failures: list[Failure], kind: str | None, severity: Severity, hits: _Hits | None) -> Finding:
    missing = [str(failure.member) for failure in failures]
    at = failures[0].at
    inside = hits.under(map(_place, failures)) if hits else []
    message = f"{names(missing)} {_verb(missing)} missing"
    if inside:
        wrong = names([hit.wrong for hit in inside[:6]])
        message += f": {wrong} {'stands' if len(inside) == 1 else 'stand'} {whereabouts(inside[0].at)} instead"
    elif len(missing) == 1 and (description := _description(failures[0])):
        message += f": {description}"
    return Finding(
        code="schema.required",
        name=_keyword_name("required"),
        severity=severity,
        kind=kind,
        pointer=pointer(at),
        message=message,
        expected=missing if len(missing) > 1 else missing[0],
        related=tuple(pointer(hit.place) for hit in inside),
        fix=_moves(at, missing, inside),
        consequence=_worst(kind, at, missing),
    )


def _verb(subjects: Sequence[str]) -> str:
    return "is" if len(subjects) == 1 else "are"


def _worst(kind: str | None, at: Tokens, missing: Iterable[str]) -> str | None:
    """What the first of the missing members costs of which that is known."""
    found = (consequence_of(kind, at, member, ABSENT) for member in missing)
    return next((consequence for consequence in found if consequence), None)


def _moves(at: Tokens, missing: list[str], hits: list[Hit]) -> Patch | None:
    """Make the missing objects of which something stands elsewhere, and move that into them."""
    steps: list[dict[str, Any]] = []
    taken: set[Tokens] = set()
    for member in missing:
        parent = (*at, member)
        inside: list[Hit] = []
        for hit in hits:
            if hit.alias.safe and hit.target[:-1] == parent and hit.target not in taken:
                taken.add(hit.target)
                inside.append(hit)
        if inside:
            steps += [
                {"op": "add", "path": pointer(parent), "value": {}},
                *(step for hit in inside for step in move(hit)),
            ]
    return tuple(steps) or None


@cache
def _descriptions() -> Mapping[str, str]:
    """What every definition is, by its name, which is unique over all files."""
    schemas = bundle()["schemas"].values()
    return {name: each.get("description", "") for schema in schemas for name, each in schema.get("$defs", {}).items()}


def _description(failure: Failure) -> str:
    """What the schema says about the missing member, as the end of a sentence."""
    member = failure.schema.get("properties", {}).get(failure.member)
    if not isinstance(member, dict):
        return ""
    text = member.get("description") or _descriptions().get(str(member.get("$ref", "")).rpartition("/")[2], "")
    first = text.split(". ")[0].rstrip(".")
    return first[:1].lower() + first[1:] if first else ""
