"""Results cut to what a reader can bear, and to what a log will take, whatever stands in the document."""

from __future__ import annotations

from dataclasses import replace

from evalschema.excerpt import excerpt
from evalschema.finding import SEVERITIES, Finding, Result
from evalschema.output._json import written

# Characters of JSON: of all findings of one document, and of one finding.
DOCUMENT_LIMIT = 64 * 1024
FINDING_LIMIT = 4 * 1024
_ENVELOPE = 1024
_POINTER = 512
_TEXT = 400
_MOST = 8


def fitted(result: Result, most: int) -> Result:
    """The result with at most `most` findings, each within its limit, all together within that of a document.

    The worst are kept. `truncated` says that something was left out.
    """
    if not result.findings:
        return result
    slim, sizes = zip(*map(_slim, result.findings), strict=True)
    room = DOCUMENT_LIMIT - _ENVELOPE
    kept: list[int] = []
    for i in sorted(range(len(slim)), key=lambda i: (SEVERITIES.index(slim[i].severity), i))[:most]:
        if sizes[i] <= room:
            room -= sizes[i]
            kept.append(i)
    cut = len(kept) < len(slim) or any(a is not b for a, b in zip(slim, result.findings, strict=True))
    return replace(result, findings=tuple(slim[i] for i in sorted(kept)), truncated=result.truncated or cut)


def _slim(finding: Finding) -> tuple[Finding, int]:
    """The finding itself where it is small enough, else without what needs the room; and the room that it takes.

    A place whose pointer is too long is given by the nearest object or list around it: half a pointer leads nowhere.
    """
    size = _size(finding)
    if size <= FINDING_LIMIT:
        return finding, size
    slim = replace(
        finding,
        pointer=_ancestor(finding.pointer),
        message=excerpt(finding.message, _TEXT),
        suggestion=finding.suggestion and excerpt(finding.suggestion, _TEXT // 4),
        consequence=finding.consequence and excerpt(finding.consequence, _TEXT),
        # eight of each: more places than that explain nothing
        related=tuple(each for each in finding.related if len(written(each)) <= _POINTER // 2)[:_MOST],
        elsewhere=tuple(place for place in finding.elsewhere if len(written(place.to_dict())) <= _POINTER)[:_MOST],
        fix=finding.fix if len(written(finding.fix)) <= FINDING_LIMIT // 4 else None,
    )
    if _size(slim) > FINDING_LIMIT:
        slim = replace(slim, found=None, expected=None, fix=None, elsewhere=())
    return slim, _size(slim)


def _size(finding: Finding) -> int:
    # with the comma and the space between two
    return len(written(finding.to_dict())) + 2


def _ancestor(pointer: str) -> str:
    while len(pointer) > _POINTER or len(written(pointer)) > _POINTER:
        pointer = pointer.rpartition("/")[0]
    return pointer
