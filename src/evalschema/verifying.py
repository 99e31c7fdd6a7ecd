"""Whether a saved run is the one that its receipt speaks of."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from evalschema import __version__
from evalschema.excerpt import excerpt
from evalschema.files import check_bytes, file_bytes
from evalschema.finalize import KEPT, canonical, receipt_of, receipt_path
from evalschema.finding import Finding
from evalschema.reading import Unreadable, read
from evalschema.settings import Settings

# what a receipt must hold, so that it can be compared
_MEMBERS: dict[str, type] = {"evalschema": str, "path": str, "sha256": str, "settings": dict, "verdict": dict}


def verify(path: str) -> list[str]:
    """What speaks against a saved run, in sentences; an empty list when nothing does."""
    data = file_bytes(path)
    if isinstance(data, Finding):
        return [data.message]
    written = file_bytes(receipt_path(path))
    if isinstance(written, Finding):
        return [f"it has no receipt: {excerpt(receipt_path(path), 1000)}: {written.message}"]
    try:
        receipt = read(written)
    except Unreadable as reason:
        return [f"its receipt is no JSON: {reason.message}"]
    settings = _settings(receipt)
    if settings is None:
        return [f"its receipt is not one of evalschema: {', '.join(_MEMBERS)} were expected"]
    digest = sha256(data).hexdigest()
    if digest != receipt["sha256"]:
        told = excerpt(receipt["sha256"], 12)
        return [f"its bytes are not those that were saved: sha256 is {digest[:12]}…, the receipt says {told}"]
    return _troubles(data, written, receipt, settings)


def _settings(receipt: Any) -> Settings | None:
    """The settings of the checks; None when the receipt does not have the form of one."""
    if not isinstance(receipt, dict) or not all(isinstance(receipt.get(name), _MEMBERS[name]) for name in _MEMBERS):
        return None
    minimum, labels = receipt["settings"].get("elapsed_minimum"), receipt["settings"].get("extra_labels")
    if isinstance(minimum, bool) or not isinstance(minimum, int | float) or minimum < 0 or not isinstance(labels, bool):
        return None
    return Settings(elapsed_minimum=minimum, extra_labels=labels, max_findings=KEPT)


def _troubles(data: bytes, written: bytes, receipt: dict[str, Any], settings: Settings) -> list[str]:
    """What the checks say now, and whether the receipt says it too."""
    checked = check_bytes(data, "run", settings=settings)
    if checked.errors:
        first = checked.errors[0]
        return [f"it does not pass: {first.message} [{first.code}] at {excerpt(first.pointer, 200) or 'the document'}"]
    expected = receipt_of(receipt["path"], receipt["sha256"], settings, checked.warnings)
    if receipt["evalschema"] == __version__:
        same = written == canonical(expected)
        return [] if same else ["its receipt is not the one that was written for it: it was changed afterwards"]
    if receipt["verdict"] != expected["verdict"]:
        return ["the checks of this version give another verdict than the receipt, which another version wrote"]
    return []
