"""What a caller may set, in one frozen value; read from switches and from one configuration file."""

from __future__ import annotations

import math
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from evalschema.errors import SettingsError
from evalschema.finding import SEVERITIES, Finding, Severity

OFF = "off"
FILE_NAMES = ("evalschema.toml", "pyproject.toml")
# Far more than anybody writes, and nothing that the memory would notice.
_CONFIGURATION_BYTES = 4 << 20


@dataclass(frozen=True, slots=True)
class Override:
    """Settings for the files whose path fits `path`: a glob as in .gitignore, from the configuration's folder."""

    path: str
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, str] = field(default_factory=dict[str, str])
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """How documents are judged; the default is what the documentation describes.

    `select` and `ignore` hold codes, rule names or prefixes of codes (`GRD`, `schema`); None selects everything.
    `severity` gives a code another severity, or `off`. `strict` makes warnings errors. `elapsed_minimum` is in seconds
    for each agent of a run. `extra_labels` also reads totals under labels that only some judges use. `max_findings` are
    listed for one document.
    """

    strict: bool = False
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, str] = field(default_factory=dict[str, str])
    overrides: tuple[Override, ...] = ()
    exclude: tuple[str, ...] = ()
    fail_on: Severity = "error"
    elapsed_minimum: float = 30.0
    extra_labels: bool = False
    max_findings: int = 100

    def __post_init__(self) -> None:
        """Raise `SettingsError` for values that would silently mean something else."""
        for name in ("select", "ignore"):
            codes: Any = getattr(self, name)
            if isinstance(codes, str):
                raise SettingsError(f"{name} is the text {codes!r}, a tuple of codes was expected")
            for code in codes or ():
                known_code(code, name)
        if self.select is not None and not self.select:
            raise SettingsError("select is empty: that would find nothing; None selects everything")
        for code in self.severity:
            known_code(code, "severity")
        if self.max_findings < 1:
            raise SettingsError(f"max_findings is {self.max_findings}, at least 1 was expected")
        if not 0 <= self.elapsed_minimum < math.inf:
            raise SettingsError(f"elapsed_minimum is {self.elapsed_minimum}, seconds from 0 on were expected")

    def judged(self, finding: Finding) -> Finding | None:
        """The finding with the severity that these settings give it; None when they silence it."""
        if (self.select is not None and not _named(finding, self.select)) or _named(finding, self.ignore):
            return None
        severity = self._severity_of(finding)
        if severity == OFF:
            return None
        if severity is None:
            severity = "error" if self.strict and finding.severity == "warning" else finding.severity
        return finding if severity == finding.severity else replace(finding, severity=cast("Severity", severity))

    def _severity_of(self, finding: Finding) -> str | None:
        """The severity that is set for the code or name of the finding, else for the longest beginning of its code."""
        if not self.severity:
            return None
        exact = self.severity.get(finding.code) or self.severity.get(finding.name)
        beginnings = [name for name in self.severity if _covers(name, finding.code)]
        return exact or (self.severity[max(beginnings, key=len)] if beginnings else None)

    def narrowed(self, override: Override) -> Settings:
        """These settings with those of an override on top, for one file: no other override is left in them."""
        severity = {**self.severity, **override.severity}
        return replace(self, ignore=(*self.ignore, *override.ignore), severity=severity, overrides=())


DEFAULT = Settings()


def _named(finding: Finding, names: Iterable[str]) -> bool:
    return any(finding.name == name or _covers(name, finding.code) for name in names)


def _covers(name: str, code: str) -> bool:
    """Whether `name` is the code, or the part of it before the digits or the dot."""
    if code == name:
        return True
    rest = code.removeprefix(name)
    return rest != code and (rest.startswith(".") or (rest.isdigit() and name.isalpha()))


_LISTS = {"select", "ignore", "exclude"}
_TYPE_NAMES: dict[type | tuple[type, ...], str] = {
    bool: "true or false",
    str: "a text",
    int: "an integer",
    (int, float): "a number",
    list: "a list",
    dict: "a table",
}
_KEYS: dict[str, type | tuple[type, ...]] = {
    "strict": bool,
    "select": list,
    "ignore": list,
    "exclude": list,
    "severity": dict,
    "overrides": list,
    "fail-on": str,
    "elapsed-minimum": (int, float),
    "extra-labels": bool,
    "max-findings": int,
}
_OVERRIDE_KEYS: dict[str, type | tuple[type, ...]] = {"path": str, "ignore": list, "severity": dict, "kind": str}


def from_table(table: Mapping[str, Any], source: str) -> Settings:
    """Settings from a table of a configuration file; `SettingsError` names the first key or code that is wrong."""
    values = _typed(table, _KEYS, source)
    severity = _severities(values.pop("severity", {}), source)
    for name in ("select", "ignore"):
        for code in values.get(name, ()):
            known_code(code, f"{source}: {name}")
    if "fail-on" in values and values["fail-on"] not in SEVERITIES:
        raise SettingsError(f"{source}: fail-on is {values['fail-on']!r}, expected one of {', '.join(SEVERITIES)}")
    # TOML has nan and inf
    if values.get("max-findings", 1) < 1 or not 0 <= values.get("elapsed-minimum", 0) < math.inf:
        raise SettingsError(f"{source}: max-findings must be at least 1 and elapsed-minimum a number of seconds from 0")
    overrides = tuple(
        _override(entry, f"{source}: overrides[{i}]") for i, entry in enumerate(values.pop("overrides", ()))
    )
    named = {key.replace("-", "_"): value for key, value in values.items()}
    return Settings(severity=severity, overrides=overrides, **named)


def _override(entry: Any, source: str) -> Override:
    if not isinstance(entry, dict) or "path" not in entry:
        raise SettingsError(f"{source} needs a path, the glob of the files that it is for")
    values = _typed(entry, _OVERRIDE_KEYS, source)
    if not values["path"].strip():
        raise SettingsError(f"{source}: path is empty, which fits no file: write a glob such as `runs/**`")
    for code in values.get("ignore", ()):
        known_code(code, f"{source}: ignore")
    if "kind" in values:
        from evalschema.catalog import checked_kind

        checked_kind(values["kind"])
    severity = _severities(values.pop("severity", {}), source)
    return Override(severity=severity, **values)


def _typed(table: Mapping[str, Any], keys: Mapping[str, type | tuple[type, ...]], source: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in keys:
            raise SettingsError(f"{source}: unknown key {key!r}{_did_you_mean(key, keys)}")
        wanted = keys[key]
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            raise SettingsError(f"{source}: {key} must be {_TYPE_NAMES[wanted]}")
        if key in _LISTS:
            items: tuple[Any, ...] = tuple(cast("list[Any]", value))
            if not all(isinstance(item, str) for item in items):
                raise SettingsError(f"{source}: {key} must be a list of texts")
            value = items
        values[key] = value
    return values


def _severities(table: Mapping[str, Any], source: str) -> dict[str, str]:
    for code, severity in table.items():
        known_code(code, f"{source}: severity")
        if severity not in (*SEVERITIES, OFF):
            choices = ", ".join((*SEVERITIES, OFF))
            raise SettingsError(f"{source}: severity of {code} is {severity!r}, expected one of {choices}")
    return dict(table)


def known_code(name: str, source: str) -> None:
    """Raise `SettingsError` unless `name` is a code, the name of a rule, or the common beginning of some codes."""
    from evalschema.codes import all_codes

    codes = all_codes()
    known = {*(entry.code for entry in codes), *(entry.name for entry in codes)}
    same = next((each for each in known if each.casefold() == name.casefold()), name)
    if same != name:
        raise SettingsError(f"{source}: unknown code {name!r}: did you mean {same!r}?")
    if name in known or any(_covers(name, entry.code) for entry in codes):
        return
    if name.startswith("schema."):
        raise SettingsError(f"{source}: {name!r} names no keyword of JSON Schema{_did_you_mean(name, known)}")
    raise SettingsError(f"{source}: unknown code {name!r}{_did_you_mean(name, known)} (`evalschema explain` lists all)")


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f": did you mean {close[0]!r}?" if close else ""


def load_settings(start: str = ".", config: str | None = None) -> tuple[Settings, str | None]:
    """The settings that hold in a folder, and the file they come from.

    `config` names the file; else the nearest `evalschema.toml`, or `pyproject.toml` with a table `[tool.evalschema]`,
    from `start` up to the root of the repository. One file is read, files are never merged. Raises `SettingsError`.
    """
    if config is not None:
        return from_table(_table(config, required=True) or {}, config), config
    found = configuration_of(start)
    return (from_table(found[1], found[0]), found[0]) if found else (DEFAULT, None)


def configuration_of(start: str) -> tuple[str, dict[str, Any]] | None:
    """The nearest configuration file from a folder upwards, with its table; None when there is none."""
    folder = os.path.realpath(start)
    while True:
        for name in FILE_NAMES:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and (table := _table(path, required=False)) is not None:
                return path, table
        parent = os.path.dirname(folder)
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            return None
        folder = parent


def _table(path: str, *, required: bool) -> dict[str, Any] | None:
    """The table of evalschema in a file; None when a pyproject.toml has none."""
    import tomllib

    try:
        content = tomllib.loads(_text(path))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:  # ValueError also for an integer of thousands of digits
        if not required and not path.endswith("evalschema.toml"):
            return None  # a broken pyproject.toml is for other programs to report
        raise SettingsError(f"{path}: no valid TOML: {error}") from error
    if not path.endswith("pyproject.toml"):
        return content
    tool = content.get("tool", {})
    table = tool.get("evalschema") if isinstance(tool, dict) else None
    if table is None and required:
        raise SettingsError(f"{path} has no table [tool.evalschema]")
    if table is not None and not isinstance(table, dict):
        raise SettingsError(f"{path}: tool.evalschema must be a table")
    return table


def _text(path: str) -> str:
    """The text of a configuration file; raises OSError for what is no file, or far too large for one."""
    # without O_NONBLOCK a named pipe that nobody writes to would hold us for ever
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("it is a folder, device, pipe or socket, a file was expected")
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(_CONFIGURATION_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(data) > _CONFIGURATION_BYTES:
        raise OSError(f"it has more than {_CONFIGURATION_BYTES:,} bytes")
    return data.decode()
