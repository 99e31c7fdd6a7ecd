"""The guardrail: nothing is saved unless every check passes, and what is saved is what was checked.

No configuration file is read here and no rule can be silenced: a repository must not be able to switch its own guardrail off.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from evalschema.codes import find_code
from evalschema.excerpt import short, shown
from evalschema.files import check_bytes
from evalschema.finding import Finding, Result
from evalschema.saving import PathRefused, SaveError, path_refusal, save
from evalschema.settings import Settings
from evalschema.validator import result, validate

RunType: TypeAlias = Literal["solo", "duel", "relay"]
Check: TypeAlias = Literal["input", "agents", "judge", "scores", "output_path"]
# The order of the checks: the first one that fails gives its name to a refusal.
CHECKS: tuple[Check, ...] = ("input", "agents", "judge", "scores", "output_path")
SIZE_LIMIT = 16 * 2**20

_CHECK_OF_MEMBER: dict[str, Check] = {
    "agents": "agents",
    "judge": "judge",
    "judges": "judge",
    "scores": "scores",
    "output_path": "output_path",
}


@dataclass(frozen=True, slots=True)
class FinalizeResult:
    """What became of a run: true when it was saved.

    `instance` is the parsed document, None when it could not be read. `fault` tells that the environment failed and not
    the document. `receipt` is the path of the receipt, when one was asked for and written.
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
        """Whether the run was saved."""
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
        return tuple(finding for finding in self.errors if check_of(finding) == check)

    @property
    def failed_check(self) -> Check | None:
        """The first check that failed."""
        return next((check for check in CHECKS if self.failures(check)), None)

    @property
    def agents(self) -> list[Any]:
        """The agents of the run, as far as it has some."""
        agents = self.instance.get("agents") if isinstance(self.instance, dict) else None
        return agents if isinstance(agents, list) else []

    @property
    def agents_validated(self) -> int:
        """How many agents passed every check."""
        broken = {
            finding.pointer.split("/")[2] for finding in self.failures("agents") if finding.pointer.count("/") > 1
        }
        whole = any(finding.pointer.count("/") < 2 for finding in self.failures("agents"))
        return 0 if whole else sum(str(index) not in broken for index in range(len(self.agents)))

    @property
    def timestamp_sane(self) -> bool:
        """Whether no timestamp is impossible, out of order, or suspiciously near to another."""
        return not any(
            finding.code in ("RUN006", "RUN007") or "timestamp" in finding.pointer for finding in self.findings
        )

    def to_dict(self) -> dict[str, Any]:
        """The JSON output, as `finalize_result.schema.json` describes it."""
        common: dict[str, Any] = {
            "warnings": [finding.message for finding in self.warnings],
            "findings": [finding.to_dict() for finding in self.findings],
        }
        if not self.success:
            check = self.failed_check
            reasons = self.failures(check) if check else ()
            return {"success": False, "error": reasons[0].message if reasons else "", "failed_check": check} | common
        validation = {
            "agents_validated": self.agents_validated,
            "judge_validated": not self.failures("judge"),
            "scores_verified": not self.failures("scores"),
            "timestamp_sane": self.timestamp_sane,
        }
        saved = {"success": True, "path": self.path, "sha256": self.sha256, "validation": validation}
        return saved | ({"receipt": self.receipt} if self.receipt else {}) | common


def check_of(finding: Finding) -> Check:
    """The check that a finding belongs to, by where it lies."""
    return _CHECK_OF_MEMBER.get(finding.pointer.split("/")[1] if finding.pointer else "", "input")


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

    `document` is a parsed run, or the bytes of one; bytes are saved as they are, a parsed run as JSON indented by two. `type`
    is what the caller says it is: another one in the document is refused. A file that exists is only replaced with
    `overwrite`, and identical bytes are a success. `elapsed_minimum` is in seconds for each agent. Returns the result,
    also when the disk fails (`fault`); raises `RuleError` alone.
    """
    settings = Settings(elapsed_minimum=elapsed_minimum, extra_labels=extra_labels)
    checked, instance = _checked(document, settings)
    findings = [*checked.findings, *_beyond_rules(instance, type)]
    ordered = result(findings, "run", settings).findings
    refused = FinalizeResult(ordered, instance)
    if refused.errors:
        return refused
    data = document if isinstance(document, bytes) else canonical(instance)
    output_path: str = instance["output_path"]
    try:
        saved = save(data, output_path, root, overwrite=overwrite)
    except PathRefused as reason:
        return replace(refused, findings=(*ordered, _finding(reason.code, "/output_path", reason.message)))
    except SaveError as reason:
        return replace(refused, findings=(*ordered, _finding(reason.code, "/output_path", reason.message)), fault=True)
    done = replace(refused, path=output_path, sha256=saved.sha256, already_there=saved.already_there)
    return _with_receipt(done, settings, root, overwrite=overwrite) if receipt else done


def canonical(instance: Any) -> bytes:
    """The bytes of a parsed document: JSON indented by two, one line end at its end."""
    return (json.dumps(instance, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()


def _checked(document: Any, settings: Settings) -> tuple[Result, Any]:
    """What the checks of the kind find, and the parsed document, None when it could not be read."""
    if not isinstance(document, bytes):
        return validate(document, "run", settings=settings), document
    if len(document) > SIZE_LIMIT:
        message = f"the document has {len(document):,} bytes, at most {SIZE_LIMIT:,} are finalized"
        return Result((_finding("json.size", "", message),), "run"), None
    checked = check_bytes(document, "run", settings=settings)
    if any(finding.code.startswith("json.") and finding.severity == "error" for finding in checked.findings):
        return checked, None
    from evalschema.reading import read, without_bom

    return checked, read(without_bom(document))


def _beyond_rules(instance: Any, wanted: str | None) -> Iterable[Finding]:
    """What only matters to who saves: the type that the caller named, and the text of the path."""
    if not isinstance(instance, dict):
        return
    found = instance.get("type")
    if wanted is not None and found in ("solo", "duel", "relay") and found != wanted:
        message = f"the run is of type {shown(found)}, {shown(wanted)} was asked for: name the type that it is of"
        yield replace(_finding("finalize.type", "/type", message), found=found, expected=wanted)
    path = instance.get("output_path")
    if isinstance(path, str) and path and (refusal := path_refusal(path)):
        yield replace(_finding(refusal.code, "/output_path", refusal.message), found=short(path))


def _finding(code: str, pointer: str, message: str) -> Finding:
    entry = find_code(code)
    return Finding(code, entry.name if entry else code, "error", pointer, message, kind="run")


def remedies(findings: Iterable[Finding]) -> list[str]:
    """What to do about findings: the steps of the page of each code, each once."""
    steps: list[str] = []
    for finding in findings:
        entry = find_code(finding.code)
        page = entry.page if entry else ""
        _, marker, rest = page.partition("To fix:\n")
        if marker:
            found = [_one_line(item) for item in rest.strip().split("\n\n")[0].split("\n- ")]
        else:
            found = [_one_line(page.rpartition("\n\n")[2])] if "\n\n" in page else []
        steps += [step for step in found if step and step not in steps]
    return steps


def _one_line(text: str) -> str:
    return " ".join(text.removeprefix("- ").split())


# --- receipts -----------------------------------------------------------------------------------------------------


def receipt_path(path: str) -> str:
    """Where the receipt of a file lies: beside it."""
    return path.removesuffix(".json") + ".receipt.json"


def _with_receipt(
    done: FinalizeResult, settings: Settings, root: str | os.PathLike[str], *, overwrite: bool
) -> FinalizeResult:
    path = receipt_path(done.path or "")
    try:
        save(canonical(receipt_of(done, settings)), path, root, overwrite=overwrite)
    except (PathRefused, SaveError) as reason:
        message = f"the run was saved, its receipt was not: {reason.message}"
        findings = (*done.findings, _finding(reason.code, "/output_path", message))
        return replace(done, findings=findings, fault=isinstance(reason, SaveError))
    return replace(done, receipt=path)


def receipt_of(done: FinalizeResult, settings: Settings) -> dict[str, Any]:
    """What was checked, by what, and with which result; `evalschema verify` repeats it."""
    from evalschema import __version__
    from evalschema.rules._engine import rules_of

    return {
        "evalschema": __version__,
        "path": done.path,
        "sha256": done.sha256,
        "schema": "run.schema.json",
        "rules": [rule.code for rule in rules_of("run")],
        "settings": {"elapsed_minimum": settings.elapsed_minimum, "extra_labels": settings.extra_labels},
        "verdict": {
            "errors": 0,
            "warnings": [{"code": finding.code, "pointer": finding.pointer} for finding in done.warnings],
        },
    }
