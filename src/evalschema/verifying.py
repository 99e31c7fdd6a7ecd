"""Whether a saved run is the one that its receipt speaks of."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from evalschema.files import check_bytes, file_bytes
from evalschema.finalize import receipt_path
from evalschema.finding import Finding
from evalschema.reading import Unreadable, read
from evalschema.settings import Settings


def verify(path: str) -> list[str]:
    """What speaks against a saved run, in sentences; an empty list when nothing does."""
    data = file_bytes(path)
    if isinstance(data, Finding):
        return [data.message]
    where = receipt_path(path)
    written = file_bytes(where)
    if isinstance(written, Finding):
        return [f"it has no receipt: {where} {written.message}"]
    try:
        receipt = read(written)
    except Unreadable as reason:
        return [f"its receipt is no JSON: {reason.message}"]
    settings = _settings(receipt)
    if settings is None:
        return ["its receipt is not one of evalschema: sha256, settings and verdict were expected"]
    digest = sha256(data).hexdigest()
    if digest != receipt["sha256"]:
        return [
            f"its bytes are not those that were saved: sha256 is {digest[:12]}…, the receipt says {receipt['sha256'][:12]}…"
        ]
    return _verdict_troubles(data, receipt, settings)


def _settings(receipt: Any) -> Settings | None:
    """The settings of the checks; None when the receipt does not have the form of one."""
    if not isinstance(receipt, dict) or not isinstance(receipt.get("sha256"), str):
        return None
    settings, verdict = receipt.get("settings"), receipt.get("verdict")
    if not isinstance(settings, dict) or not isinstance(verdict, dict):
        return None
    minimum, labels = settings.get("elapsed_minimum"), settings.get("extra_labels")
    if isinstance(minimum, bool) or not isinstance(minimum, int | float) or not isinstance(labels, bool):
        return None
    return Settings(elapsed_minimum=minimum, extra_labels=labels)


def _verdict_troubles(data: bytes, receipt: dict[str, Any], settings: Settings) -> list[str]:
    checked = check_bytes(data, "run", settings=settings)
    if checked.errors:
        first = checked.errors[0]
        return [f"it no longer passes: {first.message} [{first.code}] at {first.pointer or 'the document'}"]
    warnings = [{"code": finding.code, "pointer": finding.pointer} for finding in checked.warnings]
    if warnings != receipt["verdict"].get("warnings"):
        return ["the checks now give other warnings than the receipt: another version of evalschema wrote it"]
    return []
