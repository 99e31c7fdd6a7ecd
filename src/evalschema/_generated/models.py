"""Documents as dataclasses, one class an object of the schemas. Made from schemas/ by `make gen`; do not edit."""
from __future__ import annotations

# ruff: noqa: E501
# fmt: off

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from evalschema.codec import Json, Record


@dataclass(kw_only=True, slots=True)
class AgentRecord(Record):
    """What one agent answered, with the traces of the call that made it."""

    spec: str
    """Name of the agent, usually theme:agent; its score stands under this name."""
    cli_timestamp: Timestamp
    """When the agent was called."""
    response_text: str
    """The whole answer; at least 200 characters."""
    input_tokens: TokenCount
    """Tokens that went in; above 0."""
    output_tokens: TokenCount
    """Tokens that came out; above 0."""
    team: str | None = None
    """Team of the agent in a relay; where every agent has one, the scores stand under the teams."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class Analysis(Record):
    """Why the winner of a comparison won, and how the loser can be improved (analysis.json in the folder of the gradings)."""

    comparison_summary: ComparisonSummary
    winner_strengths: list[str] | None = None
    """What made the winner better."""
    loser_weaknesses: list[str] | None = None
    """What held the loser back."""
    instruction_following: InstructionFollowing | None = None
    improvement_suggestions: list[ImprovementSuggestion] | None = None
    """Changes that would improve the losing skill."""
    transcript_insights: TranscriptInsights | None = None
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class Benchmark(Record):
    """All runs of a benchmark, their statistics for each configuration and the difference (benchmark.json)."""

    runs: list[BenchmarkRun]
    """Every single run; at least one."""
    run_summary: RunSummary
    metadata: BenchmarkMetadata | None = None
    notes: list[str] | None = None
    """Observations of the analyzer, one an item."""
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class BenchmarkMetadata(Record):
    """What was measured, when, and how often."""

    skill_name: SkillName | None = None
    """Name of the skill that was measured."""
    timestamp: Timestamp | None = None
    """When the benchmark was run."""
    evals_run: list[EvalReference] | None = None
    """The evals that were run, by id or by name."""
    runs_per_configuration: Count | None = None
    """How many runs each configuration had."""
    skill_path: str | Json | None = None
    """Folder of the skill."""
    executor_model: str | Json | None = None
    """Model that executed the runs."""
    analyzer_model: str | Json | None = None
    """Model that wrote the notes."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class BenchmarkRun(Record):
    """One run of one eval in one configuration."""

    eval_id: int | str
    """Whole number that identifies the eval."""
    configuration: Configuration | str
    run_number: int
    """Number of the run among those of its eval and configuration: 1, 2, 3 and so on."""
    result: RunResult
    eval_name: str | None = None
    """Name of the eval; the viewer shows it as a heading."""
    expectations: list[RunExpectation] | None = None
    """The graded expectations of the run."""
    notes: list[str | Json] | Json | None = None
    """What the executor flagged in this run."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class Claim(Record):
    """A statement that the output makes, and whether it holds."""

    claim: str | Json | None = None
    """The statement."""
    type: ClaimType | Json | None = None
    verified: bool | Json | None = None
    """Whether the statement was found true."""
    evidence: str | Json | None = None
    """What the verdict on the statement rests on."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


ClaimType: TypeAlias = Literal["factual", "process", "quality"]
"""What a claim is about: a fact, the way of working, or the quality of the result."""


@dataclass(kw_only=True, slots=True)
class Comparison(Record):
    """What a blind comparator found between two outputs, A and B (comparison-N.json in the folder of the gradings)."""

    winner: Winner
    reasoning: str
    """Why the winner was preferred."""
    rubric: Rubric | None = None
    output_quality: OutputQuality | None = None
    expectation_results: ExpectationResults | None = None
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class ComparisonSummary(Record):
    """The comparison that this analysis explains."""

    winner: Winner
    winner_skill: str | None = None
    """Path of the skill that made the better output."""
    loser_skill: str | None = None
    """Path of the skill that made the other output."""
    comparator_reasoning: str | None = None
    """Why the comparator chose the winner, in short."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


Configuration: TypeAlias = Literal["with_skill", "without_skill"]
"""Whether the run had the skill; the viewer groups and colours by this exact string."""


@dataclass(kw_only=True, slots=True)
class ConfigurationSummary(Record):
    """Statistics over the runs of one configuration."""

    pass_rate: RateStatistic
    """Pass rates of the runs."""
    time_seconds: Statistic | None = None
    """Seconds of the runs."""
    tokens: Statistic | None = None
    """Tokens of the runs."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


Count: TypeAlias = int
"""A whole number from 0 on."""


CriterionScores: TypeAlias = dict[str, float]
"""A score under the name of each criterion."""


@dataclass(kw_only=True, slots=True)
class Delta(Record):
    """Mean with the skill minus mean without it, each as a string that begins with its sign."""

    pass_rate: SignedNumber | float | None = None
    """Difference of the mean pass rates, such as +0.50."""
    time_seconds: SignedNumber | float | None = None
    """Difference of the mean seconds, such as +13.0."""
    tokens: SignedNumber | float | None = None
    """Difference of the mean tokens, such as +1700."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class DuelRun(Record):
    """A run of two agents against each other."""

    type: Literal["duel"]
    """Marks a run of two agents."""
    timestamp: Timestamp
    """When the run was made."""
    scenario: Scenario
    agents: list[AgentRecord]
    """The agents; exactly two."""
    scores: Scores
    output_path: OutputPath
    judge: JudgeRecord | None = None
    """The judge; left out when there are several."""
    judges: list[JudgeRecord] | None = None
    """The judges, when there are several; judge is left out then."""
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class Eval(Record):
    """One task, with the statements that its result is graded by."""

    id: int | str
    """Whole number that identifies the eval; no other eval of the file has it."""
    prompt: str
    """The task, worded as a user would word it; never empty."""
    expected_output: str | None = None
    """What success looks like, described for people."""
    files: list[str] | None = None
    """Paths of the input files, relative to the folder of the skill."""
    expectations: list[str | dict[str, Json]] | str | dict[str, Json] | None = None
    """Statements about the result that can be verified one by one."""
    assertions: list[str | dict[str, Json]] | str | dict[str, Json] | None = None
    """Another spelling of expectations; programs read expectations."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class EvalFeedback(Record):
    """How the evals themselves could be better; only present when the grader has something to say."""

    suggestions: list[EvalSuggestion | Json] | Json | None = None
    """Changes that the grader proposes."""
    overall: str | Json | None = None
    """The judgement on the evals in a sentence or two."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class EvalMetadata(Record):
    """What the runs of one eval folder were asked (eval_metadata.json); it defines, and holds no results."""

    eval_id: int | str
    """Whole number that identifies the eval, as in evals.json."""
    prompt: str
    """The task that the runs were given; never empty."""
    eval_name: str | None = None
    """Short name of the eval: heading in the pages, and name of the folder; never empty."""
    assertions: list[str | dict[str, Json]] | Json | None = None
    """Statements that the runs are graded by; empty until they are written."""
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


EvalReference: TypeAlias = int | str
"""An eval by its whole number or by its name."""


@dataclass(kw_only=True, slots=True)
class EvalSuggestion(Record):
    """One proposed change to the evals."""

    reason: str | Json | None = None
    """Why the change would help."""
    assertion: str | Json | None = None
    """The expectation that it concerns, when it concerns one."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class Evals(Record):
    """The evals of one skill: tasks to execute, and what a good result looks like (evals/evals.json)."""

    evals: list[Eval]
    """The evals, in the order in which they are run."""
    skill_name: SkillName | None = None
    """Name of the skill under test; it matches the front matter of its SKILL.md."""
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class ExecutionMetrics(Record):
    """Use of tools and size of the output, taken over from the metrics.json of the executor."""

    tool_calls: ToolCalls | Json | None = None
    total_tool_calls: Count | Json | None = None
    """Sum of all tool calls."""
    total_steps: Count | Json | None = None
    """How many major steps the execution took."""
    errors_encountered: Count | None = None
    """How many errors came up while the run was executed."""
    output_chars: Count | None = None
    """Characters of all output files; the benchmark shows them as tokens where no tokens are known."""
    transcript_chars: Count | Json | None = None
    """Characters of the transcript."""
    files_created: list[str] | int | None = None
    """Output files that the run created."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class ExpectationDetail(Record):
    """One expectation, and whether the output met it."""

    text: str
    """The expectation."""
    passed: bool
    """Whether the output met it."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class ExpectationResults(Record):
    """How many expectations each of the two outputs met; present when there are expectations."""

    A: ExpectationTally
    """Counts of output A."""
    B: ExpectationTally
    """Counts of output B."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class ExpectationTally(Record):
    """The expectations that one output met, counted and listed."""

    passed: Count
    """How many expectations the output met."""
    total: Count
    """How many expectations there are."""
    pass_rate: Rate
    """Passed divided by total, from 0 to 1."""
    details: list[ExpectationDetail] | None = None
    """The expectations one by one."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


FailedCheck: TypeAlias = Literal["input", "agents", "judge", "scores", "output_path"]
"""Which group of checks refused the run."""


@dataclass(kw_only=True, slots=True)
class Feedback(Record):
    """What a person said about the runs on the review page (feedback.json in the root of the workspace)."""

    reviews: list[Review]
    """One review a run."""
    status: FeedbackStatus
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


FeedbackStatus: TypeAlias = Literal["complete", "in_progress"]
"""Whether the reviewer is done."""


@dataclass(kw_only=True, slots=True)
class FileFindings(Record):
    """The findings of one file."""

    path: str
    """Path of the file as it was given; a hyphen for standard input."""
    kind: str | None
    """Kind that the file was checked as; null when none was recognised."""
    ok: bool
    """Whether none of the findings is an error."""
    findings: list[Finding]
    """The findings, ordered by their place in the file."""
    truncated: bool | None = None
    """Whether findings were left out because a limit was reached."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class FinalizeFailure(Record):
    """A check failed, and nothing was saved."""

    success: Literal[False]
    """Marks a run that was refused."""
    error: str
    """Why the run was refused: the message of the first error."""
    failed_check: FailedCheck
    warnings: list[str]
    """The messages of the warnings, in the order of the findings."""
    findings: list[Finding]
    """The findings, the errors among them."""
    truncated: bool | None = None
    """Whether findings were left out because a limit was reached."""
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class FinalizeSuccess(Record):
    """Every check passed, and the run was saved."""

    success: Literal[True]
    """Marks a run that was saved."""
    path: str
    """Where the run was saved."""
    validation: FinalizeValidation
    warnings: list[str]
    """The messages of the warnings, in the order of the findings."""
    findings: list[Finding]
    """The findings, none of them an error."""
    sha256: str | None = None
    """SHA-256 of the bytes that were saved, in lower-case hexadecimal digits."""
    receipt: str | None = None
    """Where the receipt was saved, when one was asked for."""
    truncated: bool | None = None
    """Whether findings were left out because a limit was reached."""
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


FinalizeResult: TypeAlias = FinalizeSuccess | FinalizeFailure
"""What finalizing a run returned: saved, or refused and why (the JSON output of evalschema finalize)."""


@dataclass(kw_only=True, slots=True)
class FinalizeValidation(Record):
    """What was verified before the run was saved."""

    agents_validated: Count
    """How many agents were verified."""
    judge_validated: bool
    """Whether the judge was verified."""
    scores_verified: bool
    """Whether every claimed score is the one that the judge states."""
    timestamp_sane: bool
    """Whether the time between the first agent and the last judge is plausible."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class Finding(Record):
    """One defect: where it is, what was found, and what was expected."""

    code: str
    """Stable code, such as GRD001 or schema.required."""
    name: str
    """The defect in a few words joined by hyphens."""
    severity: Severity
    pointer: JsonPointer
    """The place in the document; a missing member is reported at the object that lacks it."""
    message: str
    """What was found, what was expected, and how to repair it."""
    found: Json | None = None
    """The value that was found, in JSON."""
    expected: Json | None = None
    """What was expected there, in JSON."""
    related: list[JsonPointer] | None = None
    """Other places in the same document that the finding rests on."""
    elsewhere: list[PlaceElsewhere] | None = None
    """Places in other files that the finding rests on."""
    suggestion: str | None = None
    """A name or value that was probably meant, or what to do."""
    fix: list[PatchOperation] | None = None
    """A JSON Patch that repairs the defect."""
    consequence: str | None = None
    """What the mistake costs: what a program shows or does because of it."""
    line: TextPosition | None = None
    """Line on which the place begins."""
    column: TextPosition | None = None
    """Column at which the place begins."""
    end_line: TextPosition | None = None
    """Line on which the place ends."""
    end_column: TextPosition | None = None
    """Column behind the end of the place."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class Findings(Record):
    """What a check found: the JSON output of evalschema check."""

    files: list[FileFindings]
    """One entry a file, in the order in which they were checked."""
    summary: FindingsSummary
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class FindingsSummary(Record):
    """Counts over all files."""

    files: Count
    """How many files were checked."""
    errors: Count
    """How many errors were found."""
    warnings: Count
    """How many warnings were found."""
    infos: Count
    """How many infos were found."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


FractionScore: TypeAlias = str
"""How many queries passed of how many, with a slash between."""


@dataclass(kw_only=True, slots=True)
class GradedExpectation(Record):
    """One expectation, whether the run met it, and how that shows."""

    text: str
    """The expectation, worded as the eval words it."""
    passed: bool
    """Whether the run met the expectation; true or false, never a word."""
    evidence: str
    """What in the transcript or the outputs supports the verdict."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class Grading(Record):
    """What the grader found in one run (grading.json in the folder of the run)."""

    expectations: list[GradedExpectation]
    """The expectations with verdict and evidence; at least one."""
    summary: GradingSummary
    execution_metrics: ExecutionMetrics | None = None
    timing: GradingTiming | None = None
    claims: list[Claim | Json] | Json | None = None
    """Claims that the output makes, each checked."""
    user_notes_summary: UserNotesSummary | None = None
    eval_feedback: EvalFeedback | Json | None = None
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


GradingResult: TypeAlias = Literal["baseline", "won", "lost", "tie"]
"""How a version did against its parent; the first version is the baseline."""


@dataclass(kw_only=True, slots=True)
class GradingSummary(Record):
    """Counts over the expectations; a benchmark is aggregated from these four numbers."""

    passed: Count
    """How many expectations were met."""
    failed: Count
    """How many expectations were not met."""
    total: Count
    """How many expectations were graded: passed plus failed."""
    pass_rate: Rate
    """Passed divided by total, from 0 to 1."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class GradingTiming(Record):
    """Wall clock times of the run, taken over from its timing.json."""

    executor_duration_seconds: Seconds | None = None
    """Seconds that the executor took."""
    grader_duration_seconds: Seconds | None = None
    """Seconds that the grader took."""
    total_duration_seconds: Seconds | None = None
    """Seconds in all; above 0 it keeps the aggregator from reading timing.json."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class History(Record):
    """The versions of a skill in Improve mode, and how each of them graded (history.json in the root of the workspace)."""

    current_best: str
    """Version that performs best so far; one of the versions of iterations."""
    iterations: list[HistoryIteration]
    """The versions, each after the one that it was made from."""
    started_at: Timestamp | None = None
    """When the improvement began."""
    skill_name: SkillName | None = None
    """Name of the skill that is being improved."""
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class HistoryIteration(Record):
    """One version of the skill, its origin and its result."""

    version: str
    """Identifier of the version: v0, v1 and so on."""
    parent: str | None
    """Version that this one was made from; null for the first."""
    expectation_pass_rate: Rate
    """Share of the expectations that this version met, as graded."""
    grading_result: GradingResult | str
    is_current_best: bool
    """Whether this is the version that current_best names."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


ImprovementCategory: TypeAlias = Literal["instructions", "tools", "examples", "error_handling", "structure", "references"]
"""What part of a skill a change concerns."""


ImprovementPriority: TypeAlias = Literal["high", "medium", "low"]
"""How much a change matters: high, medium or low."""


@dataclass(kw_only=True, slots=True)
class ImprovementSuggestion(Record):
    """One change to the losing skill, and what it would bring."""

    suggestion: str
    """What to change."""
    priority: ImprovementPriority | str | None = None
    category: ImprovementCategory | str | None = None
    expected_impact: str | None = None
    """What the change is expected to do."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class InstructionFollowing(Record):
    """How closely each side followed the instructions of its skill."""

    winner: InstructionScore | None = None
    """How closely the winner followed them."""
    loser: InstructionScore | None = None
    """How closely the loser followed them."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class InstructionScore(Record):
    """A score for following the instructions, with what lowers it."""

    score: float | None = None
    """The score; higher is closer."""
    issues: list[str] | None = None
    """Instructions that were not followed."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


JsonPointer: TypeAlias = str
"""A place in a document as RFC 6901 writes it; empty for the whole document."""


@dataclass(kw_only=True, slots=True)
class JudgeRecord(Record):
    """The verdict of one judge, with the traces of the call that made it."""

    cli_timestamp: Timestamp
    """When the judge was called."""
    response_text: str
    """The whole verdict, the stated score in it; at least 100 characters."""
    input_tokens: TokenCount
    """Tokens that went in; above 0."""
    output_tokens: TokenCount
    """Tokens that came out; above 0."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class Metrics(Record):
    """What the executor counted while it worked (outputs/metrics.json in the folder of the run)."""

    tool_calls: ToolCalls | Json | None = None
    total_tool_calls: Count | Json | None = None
    """Sum of all tool calls."""
    total_steps: Count | Json | None = None
    """How many major steps the execution took."""
    files_created: list[str | Json] | int | Json | None = None
    """Output files that were created."""
    errors_encountered: Count | Json | None = None
    """How many errors came up during the execution."""
    output_chars: Count | float | None = None
    """Characters of all output files; the aggregator takes this number from the grading."""
    transcript_chars: Count | Json | None = None
    """Characters of the transcript."""
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class OptimisationIteration(Record):
    """One description that was tried, with its counts and results on both halves."""

    iteration: Count
    """Number of the iteration, from 1 on."""
    description: str
    """The description that was tried."""
    train_passed: Count
    """How many queries of the train half passed."""
    train_failed: Count
    """How many queries of the train half failed."""
    train_total: Count
    """How many queries of the train half were run."""
    train_results: list[TriggerResult]
    """The results on the train half."""
    test_passed: int | None
    """How many queries of the test half passed; null when nothing was held out."""
    test_failed: int | None
    """How many queries of the test half failed; null when nothing was held out."""
    test_total: int | None
    """How many queries of the test half were run; null when nothing was held out."""
    test_results: list[TriggerResult] | None
    """The results on the test half; null when nothing was held out."""
    passed: Count | None = None
    """The same as train_passed, for older reports."""
    failed: Count | None = None
    """The same as train_failed, for older reports."""
    total: Count | None = None
    """The same as train_total, for older reports."""
    results: list[TriggerResult] | None = None
    """The same as train_results, for older reports."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class OptimisationResults(Record):
    """How the description of a skill was improved, iteration by iteration (the output of the description loop)."""

    exit_reason: str
    """Why the loop ended."""
    original_description: str
    """The description that the loop began with."""
    best_description: str
    """The description that scored best."""
    best_score: FractionScore
    """Score of the best description, on the test half where there is one."""
    best_train_score: FractionScore
    """Its score on the train half."""
    best_test_score: str | None
    """Its score on the test half, such as 7/8; null when nothing was held out."""
    final_description: str
    """The description that the loop ended with."""
    iterations_run: Count
    """How many iterations were run."""
    holdout: Rate
    """Share of the queries that was kept for the test half."""
    train_size: Count
    """How many queries the train half has."""
    test_size: Count
    """How many queries the test half has."""
    history: list[OptimisationIteration]
    """The iterations, in order."""
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


OutputPath: TypeAlias = str
"""Where the run is saved once every check passed, relative to the root of the results."""


@dataclass(kw_only=True, slots=True)
class OutputQuality(Record):
    """The impression that each of the two outputs left."""

    A: QualityVerdict
    """The impression of output A."""
    B: QualityVerdict
    """The impression of output B."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class PatchOperation(Record):
    """One operation of a JSON Patch, as RFC 6902 defines them."""

    op: PatchVerb
    path: JsonPointer
    """The place that the operation changes."""
    from_: JsonPointer | None = field(default=None, metadata={"alias": "from"})
    """The place that a move or copy takes the value from."""
    value: Json | None = None
    """The value that an add, replace or test uses, in JSON."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


PatchVerb: TypeAlias = Literal["add", "remove", "replace", "move", "copy", "test"]
"""What an operation of a JSON Patch does."""


@dataclass(kw_only=True, slots=True)
class PlaceElsewhere(Record):
    """A place in another file."""

    path: str
    """Path of the other file, as in the entry that it has in files."""
    pointer: JsonPointer
    """The place in the document that the other file holds."""
    line: TextPosition | None = None
    """Line on which the place begins."""
    column: TextPosition | None = None
    """Column at which the place begins."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class QualityVerdict(Record):
    """Score, strengths and weaknesses of one output."""

    score: float
    """Score of the output as a whole; it agrees with overall_score of the rubric."""
    strengths: list[str]
    """What the output does well."""
    weaknesses: list[str]
    """What the output does badly."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


Rate: TypeAlias = float
"""A fraction from 0 (none) to 1 (all); 85 % is written 0.85."""


@dataclass(kw_only=True, slots=True)
class RateStatistic(Record):
    """Mean and spread of rates, each from 0 to 1."""

    mean: Rate
    """Mean of the runs."""
    stddev: float
    """Sample standard deviation of the runs; 0 for a single one."""
    min: Rate | Json | None = None
    """Smallest rate of a run."""
    max: Rate | Json | None = None
    """Largest rate of a run."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class RelayRun(Record):
    """A run of agents that hand the task on; in teams when every agent names its team."""

    type: Literal["relay"]
    """Marks a run of agents that hand the task on."""
    timestamp: Timestamp
    """When the run was made."""
    scenario: Scenario
    agents: list[AgentRecord]
    """The agents, in the order in which they worked; two or more."""
    scores: Scores
    output_path: OutputPath
    judge: JudgeRecord | None = None
    """The judge; left out when there are several."""
    judges: list[JudgeRecord] | None = None
    """The judges, when there are several; judge is left out then."""
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class Review(Record):
    """What was said about one run."""

    run_id: str
    """Identifies the run; no other review has it."""
    feedback: str
    """The remark; empty when the run is fine."""
    timestamp: Timestamp | None = None
    """When the remark was made."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class Rubric(Record):
    """Scores of both outputs on the same criteria."""

    A: RubricScores
    """Scores of output A."""
    B: RubricScores
    """Scores of output B."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class RubricScores(Record):
    """Scores of one output: criterion by criterion, a mean for each of the two sections, and overall."""

    content: CriterionScores
    """Scores on what the output says, such as correctness, completeness and accuracy."""
    structure: CriterionScores
    """Scores on how the output is built, such as organization, formatting and usability."""
    content_score: float
    """Mean of the scores of content, to one decimal."""
    structure_score: float
    """Mean of the scores of structure, to one decimal."""
    overall_score: float
    """Sum of content_score and structure_score."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class RunExpectation(Record):
    """One graded expectation of a run."""

    text: str
    """The expectation, worded as the eval words it."""
    passed: bool
    """Whether the run met the expectation."""
    evidence: str | Json | None = None
    """What supports the verdict."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class RunResult(Record):
    """What was measured in one run; the viewer reads the numbers here and nowhere else."""

    pass_rate: Rate
    """Passed divided by total, from 0 to 1."""
    passed: Count
    """How many expectations were met."""
    total: Count
    """How many expectations were graded."""
    time_seconds: Seconds | None = None
    """Seconds that the run took."""
    tokens: Count | Json | None = None
    """Tokens that the run used."""
    errors: Count | None = None
    """How many errors came up in the run."""
    failed: Count | Json | None = None
    """How many expectations were not met."""
    tool_calls: Count | Json | None = None
    """How many tool calls the run made."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class RunSummary(Record):
    """Statistics under the name of each configuration, and delta, their difference."""

    with_skill: ConfigurationSummary | None = None
    """Statistics of the runs that had the skill."""
    without_skill: ConfigurationSummary | None = None
    """Statistics of the runs that did not have the skill."""
    delta: Delta | None = None
    extras: dict[str, ConfigurationSummary] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class Scenario(Record):
    """The scenario that the agents were given."""

    name: str
    """Short name of the scenario; never empty."""
    title: str
    """Title of the scenario, for people."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


SchemaReference: TypeAlias = str
"""Path or address of the schema of this document; it names the kind and is never fetched."""


Score: TypeAlias = float
"""The total that the judge states, from 1 to 100."""


ScoreMap: TypeAlias = dict[str, Score]
"""A score under the spec of each agent, or under each team of a relay."""


Scores: TypeAlias = ScoreMap | list[ScoreMap]
"""The claimed scores: one map for one judge, a list of maps for several judges."""


Seconds: TypeAlias = float
"""A span of wall clock time in seconds, from 0 on."""


Severity: TypeAlias = Literal["error", "warning", "info"]
"""How much a finding weighs: an error makes the file fail, a warning says that something is lost, an info that nothing is."""


SignedNumber: TypeAlias = str
"""A number in a string: a sign, digits, and decimals where there are any."""


SkillName: TypeAlias = str
"""Name of a skill, as the front matter of its SKILL.md gives it."""


@dataclass(kw_only=True, slots=True)
class SoloRun(Record):
    """A run of one agent."""

    type: Literal["solo"]
    """Marks a run of one agent."""
    timestamp: Timestamp
    """When the run was made."""
    scenario: Scenario
    agents: list[AgentRecord]
    """The agent; exactly one."""
    scores: Scores
    output_path: OutputPath
    judge: JudgeRecord | None = None
    """The judge; left out when there are several."""
    judges: list[JudgeRecord] | None = None
    """The judges, when there are several; judge is left out then."""
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


Run: TypeAlias = SoloRun | DuelRun | RelayRun
"""A benchmark run to be finalized: one agent (solo), two agents (duel) or teams (relay), judged on one scenario."""


@dataclass(kw_only=True, slots=True)
class Statistic(Record):
    """Mean and spread of a measure over runs, in the unit of the measure."""

    mean: float
    """Mean of the runs."""
    stddev: float
    """Sample standard deviation of the runs; 0 for a single one."""
    min: float | Json | None = None
    """Smallest value of a run."""
    max: float | Json | None = None
    """Largest value of a run."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


TextPosition: TypeAlias = int
"""A line or column, counted from 1; columns count code points."""


Timestamp: TypeAlias = str
"""A moment as RFC 3339 writes it: date, time of day and offset from UTC."""


@dataclass(kw_only=True, slots=True)
class Timing(Record):
    """Tokens and wall clock times of one run (timing.json in the folder of the run)."""

    total_duration_seconds: Seconds
    """Seconds of the whole run: duration_ms divided by 1000; the aggregator reads this one."""
    total_tokens: Count | None = None
    """Tokens of the whole run; told once when the task completes, and nowhere else."""
    duration_ms: Count | float | None = None
    """Milliseconds of the whole run; told once when the task completes, and nowhere else."""
    executor_start: Timestamp | Json | None = None
    """When the executor began."""
    executor_end: Timestamp | Json | None = None
    """When the executor was done."""
    executor_duration_seconds: Seconds | Json | None = None
    """Seconds from the start of the executor to its end."""
    grader_start: Timestamp | Json | None = None
    """When the grader began."""
    grader_end: Timestamp | Json | None = None
    """When the grader was done."""
    grader_duration_seconds: Seconds | Json | None = None
    """Seconds from the start of the grader to its end."""
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


TokenCount: TypeAlias = int
"""A whole number of tokens, from 1 on: a call without tokens did not happen."""


ToolCalls: TypeAlias = dict[str, Count | Json]
"""How often each tool was called, under the name of the tool."""


@dataclass(kw_only=True, slots=True)
class TranscriptInsights(Record):
    """How each side went about the task, step by step."""

    winner_execution_pattern: str | None = None
    """The way of the winner."""
    loser_execution_pattern: str | None = None
    """The way of the loser."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class TriggerEval(Record):
    """One query, and whether the skill should trigger on it."""

    query: str
    """What a user would type; results are matched by this text."""
    should_trigger: bool
    """Whether the skill should trigger on the query; true or false, never a word."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


TriggerEvals: TypeAlias = list[TriggerEval]
"""Queries that should make a skill trigger, and queries that should not (often trigger-eval.json or eval_set.json)."""


@dataclass(kw_only=True, slots=True)
class TriggerResult(Record):
    """How often the skill triggered on one query, and whether that is right."""

    query: str
    """The query, as in the set."""
    should_trigger: bool
    """Whether the skill should trigger on the query."""
    trigger_rate: Rate
    """Triggers divided by runs, from 0 to 1."""
    triggers: Count
    """In how many runs the skill triggered."""
    runs: Count
    """How often the query was run."""
    pass_: bool = field(metadata={"alias": "pass"})
    """Whether the rate reaches the threshold (0.5) exactly when the skill should trigger."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class TriggerResults(Record):
    """How often a skill triggered on each query of a set (the output of the trigger evaluation)."""

    skill_name: SkillName
    """Name of the skill."""
    description: str
    """The description of the skill that was tried."""
    results: list[TriggerResult]
    """One result a query."""
    summary: TriggerSummary
    schema: SchemaReference | None = field(default=None, metadata={"alias": "$schema"})
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


Document: TypeAlias = Analysis | Benchmark | Comparison | EvalMetadata | Evals | Feedback | FinalizeResult | Findings | Grading | History | Metrics | OptimisationResults | Run | Timing | TriggerEvals | TriggerResults
"""A document of any kind."""


@dataclass(kw_only=True, slots=True)
class TriggerSummary(Record):
    """Counts over the results."""

    total: Count
    """How many queries were run."""
    passed: Count
    """How many of them passed."""
    failed: Count
    """How many of them failed."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


@dataclass(kw_only=True, slots=True)
class UserNotesSummary(Record):
    """What the executor itself flagged; the aggregator joins the three lists to the notes of the run."""

    uncertainties: list[str | Json] | None = None
    """Points that the executor was unsure about."""
    needs_review: list[str | Json] | None = None
    """Points that a person should look at."""
    workarounds: list[str | Json] | None = None
    """Places where the executor left the planned way."""
    extras: dict[str, Json] = field(default_factory=dict, repr=False)
    """Members that the schema does not name."""


Winner: TypeAlias = Literal["A", "B", "TIE"]
"""The output that a blind comparison preferred: A, B, or TIE when neither was better."""
