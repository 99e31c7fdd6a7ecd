"""The guardrail: nothing is saved unless every check passes, and what is saved is what was checked.

No configuration file is read here and no rule can be silenced: a repository must not be able to switch off its own
guardrail.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Literal, TypeAlias

from evalschema.codes import find_code
from evalschema.errors import SettingsError
from evalschema.excerpt import short, shown
from evalschema.files import concluded, examine, file_bytes
from evalschema.finding import Finding, split
from evalschema.reading import refusal
from evalschema.saving import PathRefused, SaveError, path_refusal, save
from evalschema.settings import Settings
from evalschema.validator import result, unreadable

RunType: TypeAlias = Literal["solo", "duel", "relay"]
Check: TypeAlias = Literal["input", "agents", "judge", "scores", "output_path"]
# The order of the checks: the first one that fails gives its name to a refusal.
CHECKS: tuple[Check, ...] = ("input", "agents", "judge", "scores", "output_path")
SIZE_LIMIT = 16 * 2**20
# Whether a check passed is told from all findings; the output lists the first ones.
KEPT, LISTED = 100_000, 100
RECEIPT_SUFFIX = ".receipt.json"

_CHECK_OF_MEMBER: dict[str, Check] = {
    "agents": "agents",
    "judge": "judge",
    "judges": "judge",
    "scores": "scores",
    "output_path": "output_path",
}


@dataclass(frozen=True, slots=True)
class FinalizeResult:
    """What became of a run: true when it was saved as asked.

    `instance` is the parsed document, None when it could not be read. `path` is where it was saved, relative to the
    root. `fault` tells that the environment failed and not the document. `receipt` is the path of the receipt, when one
    was asked for and written.
    """

    findings: tuple[Finding, ...]
    instance: Any = None
    path: str | None = None
    sha256: str | None = None
    already_there: bool = False
    fault: bool = False
    receipt: str | None = None

    @property
    def success(self) -> bool:
        """Whether the run was saved as asked."""
        return self.path is not None and not self.errors

    def __bool__(self) -> bool:
        return self.success

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings for which it was refused."""
        return tuple(finding for finding in self.findings if finding.severity == "error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings that refuse nothing."""
        return tuple(finding for finding in self.findings if finding.severity == "warning")

    def failures(self, check: Check) -> tuple[Finding, ...]:
        """The errors that one check found."""
        return tuple(finding for finding in self.errors if check in checks_of(finding))

    @property
    def failed_check(self) -> Check | None:
        """The first check that failed."""
        return next((check for check in CHECKS if self.failures(check)), None)

    def passed(self, check: Check) -> bool:
        """Whether a check found no error, nor any of those before it, on which it rests."""
        failed = self.failed_check
        return failed is None or CHECKS.index(check) < CHECKS.index(failed)

    @property
    def agents(self) -> list[Any]:
        """The agents of the run, as far as it has some."""
        agents = self.instance.get("agents") if isinstance(self.instance, dict) else None
        return agents if isinstance(agents, list) else []

    @property
    def agents_validated(self) -> int:
        """How many agents passed every check of agents."""
        if not self.passed("input"):
            return 0
        broken = {place[1:2] for finding in self.failures("agents") for place in places_of(finding)}
        return 0 if () in broken else sum((str(index),) not in broken for index in range(len(self.agents)))

    @property
    def judge_validated(self) -> bool:
        """Whether every judge passed every check of judges."""
        return self.passed("judge")

    @property
    def scores_verified(self) -> bool:
        """Whether every claimed score is the one that the judge states."""
        return self.passed("scores")

    @property
    def timestamp_sane(self) -> bool:
        """Whether the times are sound, in order and not suspiciously near to one another."""
        before: set[Check] = {"input", "agents", "judge"}
        return not any(
            finding.code in ("RUN006", "RUN007")
            # the rules about times only look at sound calls; what a judge says is no matter to them
            or (finding.severity == "error" and not finding.code.startswith("RUN") and before & checks_of(finding))
            for finding in self.findings
        )

    def to_dict(self) -> dict[str, Any]:
        """The JSON output, as `finalize_result.schema.json` describes it; at most 100 findings are listed."""
        listed = self._listed()
        common: dict[str, Any] = {
            "warnings": [finding.message for finding in listed if finding.severity == "warning"],
            "findings": [finding.to_dict() for finding in listed],
        }
        if len(listed) < len(self.findings):
            common["truncated"] = True
        check = self.failed_check
        if check is not None:
            return {"success": False, "error": self.failures(check)[0].message, "failed_check": check} | common
        validation = {
            "agents_validated": self.agents_validated,
            "judge_validated": self.judge_validated,
            "scores_verified": self.scores_verified,
            "timestamp_sane": self.timestamp_sane,
        }
        saved = {"success": True, "path": self.path, "validation": validation, "sha256": self.sha256}
        return saved | ({"receipt": self.receipt} if self.receipt else {}) | common

    def _listed(self) -> list[Finding]:
        """The findings that the output lists: those of the first failed check are kept before all others."""

        def weight(index: int) -> tuple[int, int]:
            finding = self.findings[index]
            first = min(CHECKS.index(check) for check in checks_of(finding))
            return (first if finding.severity == "error" else len(CHECKS), index)

        kept = sorted(range(len(self.findings)), key=weight)[:LISTED]
        return [self.findings[index] for index in sorted(kept)]


def places_of(finding: Finding) -> list[tuple[str, ...]]:
    """Where a finding lies, as reference tokens: a missing member at its own place, not at the object that lacks it."""
    at = split(finding.pointer)
    if finding.code not in ("schema.required", "name.typo"):
        return [at]
    members = finding.expected if isinstance(finding.expected, list) else [finding.expected]
    return [(*at, str(member)) for member in members]


def checks_of(finding: Finding) -> set[Check]:
    """The checks that a finding belongs to, by where it lies; several when it names several missing members."""
    if finding.code.startswith("json."):
        return {"input"}
    return {_CHECK_OF_MEMBER.get(place[0], "input") if place else "input" for place in places_of(finding)}


def finalize(
    document: Any,
    *,
    type: RunType | None = None,  # noqa: A002 - the member and the switch are called so
    root: str | os.PathLike[str] = ".",
    overwrite: bool = False,
    elapsed_minimum: float = 30.0,
    extra_labels: bool = False,
    receipt: bool = False,
) -> FinalizeResult:
    """Check a run and save it below `root` at its own `output_path` when no check fails.

    `document` is a parsed run, or the bytes of one; bytes are saved as they are, a parsed run as JSON indented by two.
    `type` is what the caller says it is: another one in the document is refused. A file that exists is only replaced
    with `overwrite`, and identical bytes are a success. `elapsed_minimum` is in seconds for each agent. Returns the
    result, also when the disk fails (`fault`). Raises `SettingsError` for a minimum that is no number of seconds, and
    `RuleError`.
    """
    if not 0 <= elapsed_minimum < math.inf:
        raise SettingsError(f"elapsed_minimum is {elapsed_minimum}, expected a number of seconds from 0 on")
    settings = Settings(elapsed_minimum=elapsed_minimum, extra_labels=extra_labels, max_findings=KEPT)
    checked, data = _checked(document, type, settings)
    if checked.errors:
        return checked
    path: str = checked.instance["output_path"]
    written = None
    if receipt:
        written = canonical(receipt_of(path, sha256(data).hexdigest(), settings, checked.warnings))
        if refused := _receipt_refusal(path, written, root, overwrite=overwrite):
            return replace(checked, findings=(*checked.findings, refused))
    try:
        saved = save(data, path, root, overwrite=overwrite)
    except (PathRefused, SaveError) as reason:
        return _failed(checked, reason, path, reason.message)
    done = replace(checked, path=path, sha256=saved.sha256, already_there=saved.already_there)
    if written is None:
        return done
    try:
        save(written, receipt_path(path), root, overwrite=overwrite)
    except (PathRefused, SaveError) as reason:
        return _failed(done, reason, path, f"the run was saved, its receipt was not: {reason.message}")
    return replace(done, receipt=receipt_path(path))


def canonical(instance: Any) -> bytes:
    """The bytes of a parsed document: JSON indented by two, one line end at its end."""
    return (json.dumps(instance, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()


def _checked(document: Any, wanted: str | None, settings: Settings) -> tuple[FinalizeResult, bytes]:
    """What is found in a document before anything is saved, and the bytes that would be."""
    from_text = isinstance(document, bytes | bytearray | memoryview)
    if not from_text and (reason := refusal(document)):
        return FinalizeResult((unreadable(reason, "run"),)), b""
    # a parsed run is checked as the bytes that are saved, so that nothing else can be
    data = bytes(document) if from_text else canonical(document)
    if len(data) > SIZE_LIMIT:
        message = f"the document has more than {SIZE_LIMIT:,} bytes, which is what is finalized at most"
        return FinalizeResult((_finding("json.size", "", message),)), b""
    examined = examine(data, "run", None, settings)
    if examined.defect is None:
        examined.findings += _beyond_rules(examined.instance, wanted)
    # lines and columns of what nobody wrote would help nobody
    found = concluded(examined, settings) if from_text else result(examined.findings, "run", settings)
    return FinalizeResult(found.findings, examined.instance), data


def _beyond_rules(instance: Any, wanted: str | None) -> Iterable[Finding]:
    """What only matters to who saves: the type that the caller named, and the text of the path."""
    if not isinstance(instance, dict):
        return
    found = instance.get("type")
    if wanted is not None and found in ("solo", "duel", "relay") and found != wanted:
        message = f"the run is of type {shown(found)}, {shown(wanted)} was asked for: name the type that it is of"
        yield replace(_finding("finalize.type", "/type", message), found=found, expected=wanted)
    path = instance.get("output_path")
    if not isinstance(path, str) or not path:
        return
    if reason := path_refusal(path):
        yield replace(_finding(reason.code, "/output_path", reason.message), found=short(path))
    elif path.casefold().endswith(RECEIPT_SUFFIX):
        message = f"{shown(path)} is the name of a receipt: choose one that does not end in {RECEIPT_SUFFIX}"
        yield replace(_finding("path.receipt", "/output_path", message), found=short(path))


def _finding(code: str, pointer: str, message: str) -> Finding:
    entry = find_code(code)
    return Finding(code, entry.name if entry else code, "error", pointer, message, kind="run")


def _failed(done: FinalizeResult, reason: PathRefused | SaveError, path: str, message: str) -> FinalizeResult:
    """The result with what kept a file from being saved; its `path` where the run itself lies there whole."""
    finding = replace(_finding(reason.code, "/output_path", message), found=short(path))
    findings = (*done.findings, finding)
    if isinstance(reason, PathRefused):
        return replace(done, findings=findings)
    return replace(done, findings=findings, path=path if reason.written else done.path, fault=True)


def remedies(findings: Iterable[Finding]) -> list[str]:
    """What to do about findings: the steps that the page of each code lists under "To fix", each once."""
    steps: dict[str, None] = {}
    for code in dict.fromkeys(finding.code for finding in findings):
        entry = find_code(code)
        _, _, listed = entry.page.partition("To fix:\n") if entry else ("", "", "")
        for step in listed.split("\n- ")[1:]:
            steps[" ".join(step.partition("\n\n")[0].split())] = None
    return list(steps)


# --- receipts -----------------------------------------------------------------------------------------------------


def receipt_path(path: str) -> str:
    """Where the receipt of a file lies: beside it."""
    return path.removesuffix(".json") + RECEIPT_SUFFIX


def receipt_of(path: str, digest: str, settings: Settings, warnings: Iterable[Finding]) -> dict[str, Any]:
    """What was saved, what checked it, and with which result; `evalschema verify` repeats it."""
    from evalschema import __version__
    from evalschema.rules._engine import rules_of

    return {
        "evalschema": __version__,
        "path": path,
        "sha256": digest,
        "schema": "run.schema.json",
        "rules": [rule.code for rule in rules_of("run")],
        "settings": {"elapsed_minimum": settings.elapsed_minimum, "extra_labels": settings.extra_labels},
        "verdict": {
            "errors": 0,
            "warnings": [{"code": finding.code, "pointer": finding.pointer} for finding in warnings],
        },
    }


def _receipt_refusal(path: str, written: bytes, root: str | os.PathLike[str], *, overwrite: bool) -> Finding | None:
    """Why a receipt cannot be written beside a run; asked before the run is saved, so that neither is then."""
    where = receipt_path(path)
    if reason := path_refusal(where):
        message = f"no receipt can lie beside it: {reason.message}"
        return replace(_finding(reason.code, "/output_path", message), found=short(path))
    there = None if overwrite else file_bytes(os.path.join(root, where))
    if isinstance(there, bytes) and there != written:
        message = f"{shown(where)} holds another receipt already: choose a new name or overwrite it"
        return replace(_finding("path.exists", "/output_path", message), found=short(path))
    return None
