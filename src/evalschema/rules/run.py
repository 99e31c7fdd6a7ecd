"""Rules for benchmark runs: a claimed score against the judge's own words, and signs that a run did not happen so."""

from __future__ import annotations

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from evalschema.excerpt import excerpt, shown
from evalschema.instants import instant, seconds_shown
from evalschema.rules._engine import Violation, rule
from evalschema.rules._numbers import said
from evalschema.scores import Ambiguous, NotStated, Reading, Stated, stated_score

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evalschema.finding import Tokens
    from evalschema.settings import Settings

# What a machine wrote has 3 to 5 characters for each output token; what was invented beside its count has far fewer.
FEWEST_CHARACTERS, MOST_CHARACTERS = 1, 12

JUDGED = ("/type", "/agents/*/spec", "/agents/*/team", "/judge/response_text", "/judges/*/response_text")
TIMES = ("/type", "/agents/*/spec", "/agents/*/cli_timestamp", "/judge/cli_timestamp", "/judges/*/cli_timestamp")
NAMES_TOLD = 5


class Verdict(NamedTuple):
    """One judge of a run with the map of scores that is claimed from them; `at` and `claims_at` are where they lie."""

    at: Tokens
    judge: Any
    claims_at: Tokens
    claims: Any


@rule("RUN001", needs=("/scores", *JUDGED))
def claim_contradicts_the_judge(run: Any, settings: Settings) -> Iterator[Violation]:
    """A claimed score is not the one that the judge states.

    The score is read from the judge's own text, exactly, and compared as a decimal number: 85 is not 85.5, and a
    sub-total is not the total. A wrong claim goes into every mean and ranking that is made of the run, and nobody reads
    the verdict again.

    To fix:

    - read the line of the verdict that the message names, and write its number into `scores`
    - where the verdict itself is wrong, let the judge judge again: never change what a judge wrote
    """
    for where, claim, reading in _contradicted(run, settings):
        if not _rounded(claim, reading.value):
            yield _wrong(where, claim, reading)


@rule("RUN002", needs=JUDGED)
def judge_states_no_score(run: Any, settings: Settings) -> Iterator[Violation]:
    """The judge states no score that can be read.

    A score is stated as JSON, in the member `weighted_total` of an object of its own, or in a line that begins with
    `WEIGHTED_TOTAL` or `RATING:` and a number from 1 to 100. A number in a sentence, another scale (`8/10`), `1,000`,
    digits of other scripts and whatever stands in an HTML comment are none; nor is a line that is quoted with `>` from
    an answer that states the same number itself. Without a stated score a claim can only be invented.

    To fix:

    - look at the line that the message names, if it names one: that is where a score was expected and not understood
    - ask the judge to end with a line such as `WEIGHTED_TOTAL: 87.5/100`, and judge again
    - if the judge writes `Final Score` or `TOTAL`, turn on `extra-labels`
    """
    for verdict in _verdicts(run):
        silent = [
            (name, reading)
            for name, reading in _readings(run, verdict.judge, settings)
            if isinstance(reading, NotStated)
        ]
        if silent:
            yield Violation(
                (*verdict.at, "response_text"),
                f"the judge states no score{_for(run, [name for name, _ in silent])}: {silent[0][1].why}",
                expected="WEIGHTED_TOTAL: and a number from 1 to 100",
                consequence="nothing supports the claimed score",
            )


@rule("RUN003", needs=JUDGED)
def judge_states_several_scores(run: Any, settings: Settings) -> Iterator[Violation]:
    """The judge states several scores, or one without saying whose it is.

    A verdict that quotes an answer with a score in it, a score that is corrected further down, a table with one column
    for each contestant: none of them says which number holds. Neither the first nor the last is taken, for the author
    of an answer could then write the score. For the same reason a stated score does not hold beside words that people
    would read as another one: `Weighted total: 41`, `Final score: 41/100`, a label with letters of another script in
    it. Of several contestants each needs a statement that names them: in its line, its row or the heading over it, or
    in JSON under `contestants`.

    To fix:

    - compare the lines that the message names
    - ask the judge to state one total (one for each contestant, by name), to quote no score, to correct none and to
      give no other number for the whole, and judge again
    """
    for verdict in _verdicts(run):
        unclear = [
            (name, reading)
            for name, reading in _readings(run, verdict.judge, settings)
            if isinstance(reading, Ambiguous)
        ]
        if unclear:
            yield Violation(
                (*verdict.at, "response_text"),
                f"it cannot be told which score the judge gives{_for(run, [name for name, _ in unclear])}: "
                f"{unclear[0][1].why}",
                found=[_number(value) for value in unclear[0][1].values],
                expected="one score",
                consequence="nothing supports the claimed score",
            )


@rule("RUN004", needs=("/scores", *JUDGED))
def scores_do_not_name_the_agents(run: Any) -> Iterator[Violation]:
    """The scores are not those of the agents of the run.

    Each score stands under the `spec` of its agent, letter for letter; in a relay whose agents all have a `team`, under
    the team. With several judges, `scores` has one such map for each of them, in their order. A score under another
    name belongs to nobody, and the agent that it was meant for has none.

    To fix:

    - write each name in `scores` just as the agent's `spec` (or `team`) is written
    - give every agent (or team) one score and nobody else any
    - with several judges, write one map of scores for each judge
    """
    judges, scores = run.get("judges"), run["scores"]
    if isinstance(judges, list) and isinstance(scores, list) and len(judges) != len(scores):
        count = "is 1 judge" if len(judges) == 1 else f"are {len(judges)} judges"
        yield Violation(
            ("scores",),
            f"scores lists {len(scores)}, but there {count}",
            found=len(scores),
            expected=len(judges),
            related=[("judges",)],
        )
    names = _names(run)
    for at, claims in _maps(scores):
        missing = [name for name in names if name not in claims]
        surplus = [name for name in claims if name not in names]
        if missing or surplus:
            of_whom = "team" if names and _in_teams(run) else "agent"
            parts = [f"no {of_whom} is called {_listed(surplus)}"] if surplus else []
            parts += [f"there is no score for {_listed(missing)}"] if missing else []
            yield Violation(
                at, ", and ".join(parts), found=list(claims)[:20], expected=names[:20], related=[("agents",)]
            )


@rule("RUN005", needs=("/scores", *JUDGED))
def claim_is_rounded(run: Any, settings: Settings) -> Iterator[Violation]:
    """A claimed score is the one that the judge states, rounded or cut.

    Judges give half points, and `72` for `72.5` is what a program writes that reads whole numbers only. Half a point
    decides between neighbours in a ranking, and cutting always takes it from the agent. This stands in the place of
    RUN001 where the claim is off by nothing but its lost digits.

    To fix:

    - write the number just as the judge states it, with all its digits
    - repair the program that cuts it: every other run that it stored has lost its digits as well
    """
    for where, claim, reading in _contradicted(run, settings):
        if _rounded(claim, reading.value):
            yield _wrong(where, claim, reading)


@rule("RUN006", "warning", needs=TIMES)
def run_finished_too_fast(run: Any, settings: Settings) -> list[Violation] | None:
    """Less time passed from the first agent to the last judge than agents need.

    An answer and its verdict take time: 30 seconds for each agent are expected, or what the setting `elapsed-minimum`
    says. Runs of small tasks may really be faster, so this is a warning. Times that were filled in afterwards are often
    this close.

    To fix:

    - compare the times with the log of the calls, and write those at which agents and judge really were called
    - if the run is real and that fast, lower `elapsed-minimum`
    """
    agents, verdicts = run["agents"], _verdicts(run)
    if not verdicts:
        return None
    first = min(range(len(agents)), key=lambda index: instant(agents[index]["cli_timestamp"]))
    last = max(verdicts, key=lambda verdict: instant(verdict.judge["cli_timestamp"]))
    elapsed = instant(last.judge["cli_timestamp"]) - instant(agents[first]["cli_timestamp"])
    minimum = Fraction(str(settings.elapsed_minimum)) * len(agents)
    if elapsed >= minimum or elapsed < 0:
        return None  # a judge before an agent is RUN007
    count = "1 agent takes" if len(agents) == 1 else f"{len(agents)} agents take"
    return [
        Violation(
            (*last.at, "cli_timestamp"),
            f"{seconds_shown(elapsed)} s passed since the first agent was called, but {count} at least "
            f"{seconds_shown(minimum)} s",
            found=float(elapsed),
            expected=float(minimum),
            related=[("agents", first, "cli_timestamp")],
        )
    ]


@rule("RUN007", needs=TIMES)
def judge_speaks_before_an_agent(run: Any) -> Iterator[Violation]:
    """A judge was called before an agent whom they judge.

    A verdict on an answer that was not there yet judged something else. Times are compared as instants, whatever their
    zones: a time in the wrong zone is a usual cause.

    To fix:

    - compare both times and their zones with the log of the calls
    - where the verdict belongs to another run, take the right one, or judge again
    """
    agents = run["agents"]
    for verdict in _verdicts(run):
        judged = instant(verdict.judge["cli_timestamp"])
        late = {index: instant(agent["cli_timestamp"]) for index, agent in enumerate(agents)}
        late = {index: moment for index, moment in late.items() if moment > judged}
        if late:
            last = max(late, key=lambda index: late[index])
            yield Violation(
                (*verdict.at, "cli_timestamp"),
                f"the judge was called {seconds_shown(late[last] - judged)} s before {_quoted(agents[last]['spec'])}",
                found=verdict.judge["cli_timestamp"],
                expected=f"a time from {agents[last]['cli_timestamp']} on",
                related=[("agents", index, "cli_timestamp") for index in late],
            )


@rule(
    "RUN008",
    "warning",
    needs=(*JUDGED, "/judge/output_tokens", "/judges/*/output_tokens"),
)
def verdict_does_not_fit_its_tokens(run: Any) -> Iterator[Violation]:
    """A verdict is far too short or too long for its output tokens.

    A token is about four characters of text. A verdict of 120 characters that is said to have cost 1,000 tokens was
    shortened or made up; one of more than 12 characters a token was counted wrong. Both happen to texts or counts that
    were written by hand.

    To fix:

    - take the text and the tokens from the same answer of the same call, whole
    - where the text was shortened, put the whole verdict back
    """
    for verdict in _verdicts(run):
        length, tokens = len(verdict.judge["response_text"]), verdict.judge["output_tokens"]
        if tokens * FEWEST_CHARACTERS <= length <= tokens * MOST_CHARACTERS:
            continue
        yield Violation(
            (*verdict.at, "response_text"),
            f"the verdict has {length} characters for {shown(tokens)} output tokens, {said(length / tokens)} a token; "
            f"expected {FEWEST_CHARACTERS} to {MOST_CHARACTERS}",
            found=length,
            related=[(*verdict.at, "output_tokens")],
        )


@rule("RUN009", needs=("/type", "/agents/*/spec", "/agents/*/response_text"))
def agent_appears_twice(run: Any) -> Iterator[Violation]:
    """Two agents have the same spec, or gave the same answer to the letter.

    Scores stand under the spec, so two agents with the same one share a single score: an error. Two agents that answer
    alike in every letter are a warning: one answer was copied, or stored under both names.

    To fix:

    - give each agent its own `spec`
    - store the answer that each agent really gave; where one was lost, run that agent again
    """
    specs: dict[str, int] = {}
    answers: dict[str, int] = {}
    for index, agent in enumerate(run["agents"]):
        spec, answer = agent["spec"], agent["response_text"]
        first = specs.setdefault(spec, index)
        if first != index:
            yield Violation(
                ("agents", index, "spec"),
                f"{_quoted(spec)} is the spec of agent {first + 1} already",
                found=spec,
                related=[("agents", first, "spec")],
                consequence="both share one score",
            )
        first = answers.setdefault(answer, index)
        if first != index:
            yield Violation(
                ("agents", index, "response_text"),
                f"the answer is that of agent {first + 1} to the letter, all {len(answer)} characters",
                related=[("agents", first, "response_text")],
                severity="warning",
            )


@rule("RUN010", "warning", each="/agents", needs=("/spec", "/response_text"))
def answer_states_a_score(agent: Any, settings: Settings) -> list[Violation] | None:
    """An agent's answer states a score.

    A judge who quotes such a line cannot be told from one who gives that score: the verdict becomes ambiguous, or,
    where the quoted line is the only one, says what the agent wanted. Answers that try to steer the judge look like
    this.

    To fix:

    - read the verdict: is the score in it the judge's own?
    - tell the judge not to quote score lines, and judge again where it did
    """
    if not isinstance(agent, dict) or not isinstance(answer := agent.get("response_text"), str):
        return None  # items of a run of no known type are not described by the schema
    spec = agent.get("spec")
    reading = _reading(answer, spec if isinstance(spec, str) else None, (), settings.extra_labels)
    if isinstance(reading, NotStated):
        return None
    return [Violation(("response_text",), f"the answer states a score: {reading.why}")]


def _verdicts(run: Any) -> list[Verdict]:
    """The judges with the claims from each; a map that is missing is empty."""
    scores = run.get("scores")
    if "judges" in run:
        maps = scores if isinstance(scores, list) else []
        return [
            Verdict(("judges", index), judge, ("scores", index), maps[index] if index < len(maps) else {})
            for index, judge in enumerate(run["judges"])
        ]
    if "judge" in run:
        return [Verdict(("judge",), run["judge"], ("scores",), scores if isinstance(scores, dict) else {})]
    return []


def _maps(scores: Any) -> list[tuple[Tokens, Any]]:
    """Each map of scores with its place."""
    if isinstance(scores, list):
        return [(("scores", index), claims) for index, claims in enumerate(scores)]
    return [(("scores",), scores)]


def _in_teams(run: Any) -> bool:
    return run.get("type") == "relay" and all("team" in agent for agent in run["agents"])


def _names(run: Any) -> list[str]:
    """The names that scores stand under: the agents' specs, or the teams of a relay."""
    member = "team" if _in_teams(run) else "spec"
    return list(dict.fromkeys(agent[member] for agent in run["agents"]))


def _readings(run: Any, judge: Any, settings: Settings) -> list[tuple[str, Reading]]:
    """What the judge states for each name; a total of a single one needs no name."""
    names = _names(run)
    text, extra = judge["response_text"], settings.extra_labels
    if len(names) == 1:
        readings = [(names[0], _reading(text, None, (), extra))]
    else:
        contestants = tuple(names)
        readings = [(name, _reading(text, name, contestants, extra)) for name in names]
    return [(name, _as_own(run, reading, settings)) for name, reading in readings]


def _as_own(run: Any, reading: Reading, settings: Settings) -> Reading:
    """A total that the judge only quotes from an answer is none of the judge's own."""
    if not isinstance(reading, Stated) or not reading.quoted:
        return reading
    for index, agent in enumerate(run["agents"]):
        answer = agent.get("response_text")
        if isinstance(answer, str) and reading.value in _values(_reading(answer, None, (), settings.extra_labels)):
            line = reading.lines[0]
            return NotStated(reading.lines, f"line {line} only quotes agent {index + 1}, who states {reading.value}")
    return reading


def _values(reading: Reading) -> tuple[Decimal, ...]:
    match reading:
        case Stated():
            return (reading.value,)
        case Ambiguous():
            return reading.values
        case NotStated():
            return ()


# Several rules ask for the same readings. Of longer texts only the last ones are kept, for memory should not hold many.
_LONGEST_KEPT = 100_000
_Readings: TypeAlias = "dict[tuple[str | None, tuple[str, ...], bool], Reading]"


def _reading(text: str, spec: str | None, others: tuple[str, ...], extra_labels: bool) -> Reading:  # noqa: FBT001
    kept = (_readings_kept if len(text) <= _LONGEST_KEPT else _readings_of_the_last)(text)
    asked = (spec, others, extra_labels)
    if asked not in kept:
        kept[asked] = stated_score(text, spec, extra_labels=extra_labels, others=others)
    return kept[asked]


@lru_cache(maxsize=32)
def _readings_kept(text: str) -> _Readings:
    """What was read of a text so far."""
    del text
    return {}


_readings_of_the_last = lru_cache(maxsize=2)(_readings_kept.__wrapped__)


def _contradicted(run: Any, settings: Settings) -> Iterator[tuple[Tokens, Any, Stated]]:
    """Each claim that differs from what the judge states, and where it lies."""
    for verdict in _verdicts(run):
        if not verdict.claims:
            continue
        for name, reading in _readings(run, verdict.judge, settings):
            if isinstance(reading, Stated) and name in verdict.claims:
                claim = verdict.claims[name]
                if _decimal(claim) != reading.value:
                    yield (*verdict.claims_at, name), claim, reading


def _wrong(where: Tokens, claim: Any, reading: Stated) -> Violation:
    judge: Tokens = ("judges", where[1]) if len(where) == 3 else ("judge",)
    return Violation(
        where,
        f"{_decimal(claim)} is claimed, but the judge states {reading.value} (line {reading.lines[0]})",
        found=claim,
        expected=_number(reading.value),
        related=[(*judge, "response_text")],
        consequence="the run would be stored and ranked with a score that nobody gave",
    )


def _decimal(number: Any) -> Decimal:
    """A JSON number as the decimal that was written: floats by their shortest digits."""
    return Decimal(repr(number) if isinstance(number, float) else number)


def _rounded(claim: Any, stated: Decimal) -> bool:
    """Whether the claim is what is left of the stated score when digits are cut off or rounded away."""
    number = _decimal(claim)
    exponent = number.normalize().as_tuple().exponent
    places = Decimal(1).scaleb(min(int(exponent), 0))
    with localcontext(prec=200):
        return any(
            stated.quantize(places, rounding) == number for rounding in (ROUND_DOWN, ROUND_HALF_UP, ROUND_HALF_EVEN)
        )


def _number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def _for(run: Any, names: list[str]) -> str:
    """Whom a finding is about, where the run has several."""
    return f" for {_listed(names)}" if len(_names(run)) > 1 else ""


def _listed(names: list[str]) -> str:
    told = [_quoted(name) for name in names[:NAMES_TOLD]]
    more = len(names) - len(told)
    if more:
        return f"{', '.join(told)} and {more} more"
    return " and ".join([", ".join(told[:-1]), told[-1]] if len(told) > 1 else told)


def _quoted(name: str) -> str:
    return f'"{excerpt(name)}"'
