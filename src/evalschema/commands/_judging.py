"""The switches that say how documents are judged: the same in every command that checks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from evalschema.errors import SettingsError
from evalschema.finding import SEVERITIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from evalschema.settings import Settings

_Command = TypeVar("_Command", bound="Callable[..., Any]")


if TYPE_CHECKING:
    _Type = click.ParamType[str]
else:
    _Type = click.ParamType  # takes no parameter before click 8.4


class Named(_Type):
    """One of some names (kinds, formats, codes), which are looked up only when a shell completes them."""

    def __init__(self, name: str, look_up: Callable[[], Iterable[str]]) -> None:
        self.name = name
        self._look_up = look_up

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name as it is: who uses it refuses what does not exist, and knows what was meant."""
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """The names that begin so."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self._look_up() if name.startswith(incomplete)]


def _codes() -> Iterable[str]:
    from evalschema.codes import all_codes

    return (entry.code for entry in all_codes())


_CODE = Named("code", _codes)
_SWITCHES = (
    click.option("--strict", is_flag=True, help="Make warnings errors; infos stay infos."),
    click.option(
        "--select",
        multiple=True,
        metavar="CODE",
        type=_CODE,
        help="Only these codes, names, or beginnings such as GRD or schema.",
    ),
    click.option("--ignore", multiple=True, metavar="CODE", type=_CODE, help="Not these codes; may be repeated."),
    click.option(
        "--severity",
        multiple=True,
        metavar="CODE=SEVERITY",
        help="Give a code another severity: error, warning, info, off.",
    ),
    click.option(
        "--fail-on", type=click.Choice(SEVERITIES), help="Exit with 1 from this severity on.  [default: error]"
    ),
    click.option(
        "--max-findings",
        type=click.IntRange(min=1),
        help="List at most so many findings of one document.  [default: 100]",
    ),
    click.option(
        "--elapsed-minimum",
        type=click.FloatRange(min=0),
        help="Seconds that a run takes for each agent, at least.  [default: 30]",
    ),
    click.option(
        "--extra-labels", is_flag=True, help="Read judges' totals under labels that only some of them use, too."
    ),
    click.option(
        "--config",
        metavar="FILE",
        type=click.Path(readable=False),
        help="Read this configuration file instead of the nearest one.",
    ),
    click.option("--no-config", is_flag=True, help="Read no configuration file."),
)


def judging(command: _Command) -> _Command:
    """Give a command the switches that `settings_of` reads."""
    for switch in reversed(_SWITCHES):
        command = switch(command)
    return command


def settings_of(options: dict[str, Any]) -> Settings:
    """The configuration file's settings with the switches on top; raises `SettingsError`."""
    from evalschema.settings import DEFAULT, OFF, known_code, load_settings

    settings = DEFAULT if options["no_config"] else load_settings(config=options["config"])[0]
    changes: dict[str, Any] = {}
    for name in ("select", "ignore"):
        for code in options[name]:
            known_code(code, f"--{name}")
    if options["select"]:
        changes["select"] = options["select"]
    if options["ignore"]:
        changes["ignore"] = (*settings.ignore, *options["ignore"])
    if options["severity"]:
        changes["severity"] = {**settings.severity}
        for pair in options["severity"]:
            code, equals, severity = pair.partition("=")
            if not equals or severity not in (*SEVERITIES, OFF):
                raise SettingsError(
                    f"--severity {pair!r}: write CODE=SEVERITY with one of {', '.join((*SEVERITIES, OFF))}"
                )
            known_code(code, "--severity")
            changes["severity"][code] = severity
    for name in ("fail_on", "max_findings", "elapsed_minimum"):
        if options[name] is not None:
            changes[name] = options[name]
    for name in ("strict", "extra_labels"):
        if options[name]:
            changes[name] = True
    return replace(settings, **changes)
