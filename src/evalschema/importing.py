"""What programs really store of a benchmark run → the document `run`, with nothing in it that no file holds.

Three shapes are read, each in files of one agent and files of one judge: the result of a command-line call as it was
printed (`claude -p --output-format json`), the files of a runner (`response`, `judge_response`, `run_id`), and flat
files whose members have the documented names or others that are used for them. A count or time that is missing stays
missing, so that the checks refuse the run; files that contradict one another make no run at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from evalschema.errors import SettingsError
from evalschema.excerpt import excerpt, shown
from evalschema.files import file_bytes
from evalschema.finding import Finding, Tokens, pointer
from evalschema.reading import Unreadable, read, without_bom

# The members that hold a text, a time, a claim: the documented name decides where it is there, else all others must
# agree.
_TEXTS = {"agent": ("response_text", "response", "result"), "judge": ("response_text", "judge_response", "response",
          "evaluation", "verdict")}  # fmt: skip
_TIMES = ("cli_timestamp", "timestamp")
_CLAIMS = ("score", "weighted_total", "total")
# Where counts of tokens lie, and what they are called there; "" is the document itself.
_COUNTS = (("", "{}_tokens"), ("token_usage", "{}_tokens"), ("tokens", "{}"))
# Input that came out of a cache, or went into one, was input as well: alone, `input_tokens` is often 3.
_CLI_INPUT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class Gap(NamedTuple):
    """A member that the document calls for and no file holds. `file` is where it was looked for, None for anywhere."""

    pointer: str
    file: str | None


@dataclass(frozen=True, slots=True)
class Imported:
    """A run made of stored files. It is None when `faults` (sentences) say why the files make none."""

    run: dict[str, Any] | None
    gaps: tuple[Gap, ...]
    faults: tuple[str, ...]


@dataclass(slots=True)
class _Call:
    """What one file tells of the call that made it; what it does not tell is not in `record`."""

    file: str
    record: dict[str, Any] = field(default_factory=dict[str, Any])
    spec: str | None = None
    scenario: Any = None
    run_id: Any = None
    claim: int | float | None = None
    claims: Mapping[str, Any] = field(default_factory=dict[str, Any])


def import_run(
    agents: Sequence[str],
    judges: Sequence[str],
    *,
    type: str | None = None,  # noqa: A002 - the member and the switch are called so
    scenario: tuple[str | None, str | None] = (None, None),
    specs: Sequence[str] = (),
    scores: Mapping[str, int | float] | float | None = None,
    output_path: str | None = None,
) -> Imported:
    """The run that is stored in files, one path an agent and one a judge.

    The other arguments are what no file holds: the type (one agent is a solo run), name and title of the scenario, the
    spec of each agent, the claimed scores by spec (or the one of a single agent), where to save. None of them may
    contradict a file. `SettingsError` when there is another number of specs than of agents, one score for several
    agents, or scores for several judges.
    """
    if specs and len(specs) != len(agents):
        raise SettingsError(f"specs are {len(specs)}, agents are {len(agents)}: name one for each, in their order")
    if scores is not None and len(judges) > 1:
        raise SettingsError("scores can be given for a single judge only: those of several are read from their files")
    if _is_number(scores) and len(agents) > 1:
        raise SettingsError(f"one score for {len(agents)} agents: say whose it is")
    faults: list[str] = []
    called = [_read(path, "agent", faults) for path in agents]
    judged = [_read(path, "judge", faults) for path in judges]
    for index, spec in enumerate(specs):
        told = called[index].spec
        called[index].spec = _agreed("the spec", [("what was given", spec), (agents[index], told)], faults)
    calls = [*called, *judged]
    if len(called) == 1:
        agent = called[0]
        _agreed("the run_id", [(call.file, call.run_id) for call in calls], faults)
        agent.spec = _agreed("the spec", [(call.file, call.spec) for call in calls], faults)
    run: dict[str, Any] = {}
    if type is not None or len(called) == 1:
        run["type"] = type or "solo"
    if called and "cli_timestamp" in called[0].record:
        run["timestamp"] = called[0].record["cli_timestamp"]
    run["scenario"] = _scenario(scenario, calls, faults)
    run["agents"] = [({} if call.spec is None else {"spec": call.spec}) | call.record for call in called]
    if len(judged) == 1:
        run["judge"] = judged[0].record
    elif judged:
        run["judges"] = [call.record for call in judged]
    claimed = [_claims(call, called, scores, faults) for call in judged]
    if claimed:
        run["scores"] = claimed[0] if len(claimed) == 1 else claimed
    if output_path is not None:
        run["output_path"] = output_path
    return Imported(None if faults else run, tuple(_gaps(run, called, judged, claimed)), tuple(faults))


# --- one file -----------------------------------------------------------------------------------------------------


def _read(path: str, role: str, faults: list[str]) -> _Call:
    """What a file tells; a file that cannot be read, or holds no answer, is a fault."""
    name = excerpt(path, 200)
    call = _Call(path)
    data = file_bytes(path)
    if isinstance(data, Finding):
        faults.append(f"{name}: {data.message}")
        return call
    try:
        document = read(without_bom(data))
    except Unreadable as reason:
        faults.append(f"{name}: {reason.message}")
        return call
    if not isinstance(document, dict):
        faults.append(f"{name}: {shown(document)} was found, an object was expected")
    elif document.get("type") == "result" and "result" in document:
        _read_result(document, call, faults)
    else:
        _read_flat(document, role, call, faults)
    return call


def _read_result(document: dict[str, Any], call: _Call, faults: list[str]) -> None:
    """The result of a call on the command line: text and tokens, nothing else."""
    subtype = document.get("subtype", "success")
    if document.get("is_error", False) is not False or subtype != "success":
        faults.append(f"{excerpt(call.file, 200)}: the call failed ({shown(subtype)}): what it holds is no answer")
        return
    call.record["response_text"] = document["result"]
    usage = document.get("usage")
    if not isinstance(usage, dict):
        return
    if "input_tokens" in usage:
        parts = [usage[name] for name in _CLI_INPUT if usage.get(name) is not None]
        call.record["input_tokens"] = sum(parts) if all(map(_is_number, parts)) else usage["input_tokens"]
    if "output_tokens" in usage:
        call.record["output_tokens"] = usage["output_tokens"]


def _read_flat(document: dict[str, Any], role: str, call: _Call, faults: list[str]) -> None:
    """The files of a runner, or flat ones."""
    here = excerpt(call.file, 200)
    for member, names in (("cli_timestamp", _TIMES), ("response_text", _TEXTS[role])):
        documented, *others = names
        known = [documented] if document.get(documented) is not None else others
        value = _agreed(here, [(name, document.get(name)) for name in known], faults)
        if value is not None:
            call.record[member] = value
    for direction in ("input", "output"):
        counts: list[tuple[str, Any]] = []
        for holder, form in _COUNTS:
            at = document.get(holder) if holder else document
            name = form.format(direction)
            counts.append((f"{holder}.{name}".strip("."), at.get(name) if isinstance(at, dict) else None))
        value = _agreed(here, counts, faults)
        if value is not None:
            call.record[f"{direction}_tokens"] = value
    agent = document.get("agent")
    spec = document.get("spec", agent.get("spec") if isinstance(agent, dict) else None)
    call.spec = spec if isinstance(spec, str) else None
    call.scenario, call.run_id = document.get("scenario"), document.get("run_id")
    if role == "judge":
        numbers = [(name, document[name]) for name in _CLAIMS if _is_number(document.get(name))]
        call.claim = _agreed(here, numbers, faults)
        # often the parts of the rubric instead: whose names they are is known later
        claims = document.get("scores")
        call.claims = claims if isinstance(claims, dict) else {}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


# --- several files ------------------------------------------------------------------------------------------------


def _scenario(given: tuple[str | None, str | None], calls: list[_Call], faults: list[str]) -> dict[str, Any]:
    """Name and title, as far as they are known."""
    found: dict[str, Any] = {}
    for member, told in zip(("name", "title"), given, strict=True):
        values: list[tuple[str, Any]] = [("what was given", told)]
        for call in calls:
            if isinstance(call.scenario, dict):
                values.append((call.file, call.scenario.get(member)))
            elif member == "name":
                values.append((call.file, call.scenario))
        value = _agreed(f"the {member} of the scenario", values, faults)
        if value is not None:
            found[member] = value
    return found


def _claims(
    judge: _Call, agents: list[_Call], given: Mapping[str, int | float] | float | None, faults: list[str]
) -> dict[str, Any]:
    """What is claimed that a judge gave, by spec; never what is read in the verdict, which is to be checked."""
    claimed: dict[str, Any] = {}
    by_name = given if isinstance(given, Mapping) else {}
    for agent in agents:
        if agent.spec is None:
            continue
        values: list[tuple[str, Any]] = [("what was given", by_name.get(agent.spec))]
        values.append((judge.file, judge.claims.get(agent.spec)))
        if len(agents) == 1:
            values += [("what was given", None if isinstance(given, Mapping) else given), (judge.file, judge.claim)]
        value = _agreed(f"the score of {shown(agent.spec)}", values, faults)
        if value is not None:
            claimed[agent.spec] = value
    # a name that no agent has is for the checks to refuse
    return claimed | {name: value for name, value in by_name.items() if name not in claimed}


def _agreed(what: str, values: list[tuple[str, Any]], faults: list[str]) -> Any:
    """The one value that is told, None when none is; that two differ is a fault."""
    told = [(excerpt(where, 200), value) for where, value in values if value is not None]
    for where, value in told[1:]:
        first, one = told[0]
        if value != one:
            faults.append(f"{what}: {first} says {shown(one)}, {where} says {shown(value)}")
            break
    return told[0][1] if told else None


def _gaps(
    run: dict[str, Any], agents: list[_Call], judges: list[_Call], claimed: list[dict[str, Any]]
) -> Iterator[Gap]:
    """The members that are called for and are not there."""

    def absent(at: Tokens, holder: Mapping[str, Any], members: Sequence[str], file: str | None) -> Iterator[Gap]:
        yield from (Gap(pointer((*at, member)), file) for member in members if member not in holder)

    yield from absent((), run, ("type",), None)
    yield from absent((), run, ("timestamp",), agents[0].file if agents else None)
    yield from absent(("scenario",), run["scenario"], ("name", "title"), None)
    record = ("cli_timestamp", "response_text", "input_tokens", "output_tokens")
    for index, agent in enumerate(agents):
        yield from absent(("agents", index), run["agents"][index], ("spec", *record), agent.file)
    for index, judge in enumerate(judges):
        yield from absent(("judge",) if len(judges) == 1 else ("judges", index), judge.record, record, judge.file)
    for index, claims in enumerate(claimed):
        at: Tokens = ("scores",) if len(judges) == 1 else ("scores", index)
        yield from absent(at, claims, [agent.spec for agent in agents if agent.spec], judges[index].file)
    yield from absent((), run, ("output_path",), None)
