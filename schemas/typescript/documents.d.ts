/* Types of the documents that evalschema checks. Made from schemas/ by `make gen`; do not edit. */

/**
 * A document of any kind.
 */
export type Document =
  | Analysis
  | Benchmark
  | Comparison
  | EvalMetadata
  | Evals
  | Feedback
  | FinalizeResult
  | Findings
  | Grading
  | History
  | Metrics
  | OptimisationResults
  | Run
  | Timing
  | TriggerEvals
  | TriggerResults
/**
 * The output that a blind comparison preferred: A, B, or TIE when neither was better.
 */
export type Winner = 'A' | 'B' | 'TIE'
/**
 * How much a change matters: high, medium or low.
 */
export type ImprovementPriority = 'high' | 'medium' | 'low'
/**
 * What part of a skill a change concerns.
 */
export type ImprovementCategory = 'instructions' | 'tools' | 'examples' | 'error_handling' | 'structure' | 'references'
/**
 * Path or address of the schema of this document; it names the kind and is never fetched.
 */
export type SchemaReference = string
/**
 * Name of a skill, as the front matter of its SKILL.md gives it.
 */
export type SkillName = string
/**
 * A moment as RFC 3339 writes it: date, time of day and offset from UTC.
 */
export type Timestamp = string
/**
 * An eval by its whole number or by its name.
 */
export type EvalReference = number | string
/**
 * A whole number from 0 on.
 */
export type Count = number
/**
 * Whether the run had the skill; the viewer groups and colours by this exact string.
 */
export type Configuration = 'with_skill' | 'without_skill'
/**
 * A fraction from 0 (none) to 1 (all); 85 % is written 0.85.
 */
export type Rate = number
/**
 * A span of wall clock time in seconds, from 0 on.
 */
export type Seconds = number
/**
 * A number in a string: a sign, digits, and decimals where there are any.
 */
export type SignedNumber = string
/**
 * Whether the reviewer is done.
 */
export type FeedbackStatus = 'complete' | 'in_progress'
/**
 * What finalizing a run returned: saved, or refused and why (the JSON output of evalschema finalize).
 */
export type FinalizeResult = FinalizeSuccess | FinalizeFailure
/**
 * How much a finding weighs: an error makes the file fail, a warning says that something is lost, an info that nothing is.
 */
export type Severity = 'error' | 'warning' | 'info'
/**
 * A place in a document as RFC 6901 writes it; empty for the whole document.
 */
export type JsonPointer = string
/**
 * A line or column, counted from 1; columns count code points.
 */
export type TextPosition = number
/**
 * What an operation of a JSON Patch does.
 */
export type PatchVerb = 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
/**
 * Which group of checks refused the run.
 */
export type FailedCheck = 'input' | 'agents' | 'judge' | 'scores' | 'output_path'
/**
 * What a claim is about: a fact, the way of working, or the quality of the result.
 */
export type ClaimType = 'factual' | 'process' | 'quality'
/**
 * How a version did against its parent; the first version is the baseline.
 */
export type GradingResult = 'baseline' | 'won' | 'lost' | 'tie'
/**
 * How many queries passed of how many, with a slash between.
 */
export type FractionScore = string
/**
 * A benchmark run to be finalized: one agent (solo), two agents (duel) or teams (relay), judged on one scenario.
 */
export type Run = SoloRun | DuelRun | RelayRun
/**
 * A whole number of tokens, from 1 on: a call without tokens did not happen.
 */
export type TokenCount = number
/**
 * The claimed scores: one map for one judge, a list of maps for several judges.
 */
export type Scores = ScoreMap | ScoreMap[]
/**
 * The total that the judge states, from 1 to 100.
 */
export type Score = number
/**
 * Where the run is saved once every check passed, relative to the root of the results.
 */
export type OutputPath = string
/**
 * Queries that should make a skill trigger, and queries that should not (often trigger-eval.json or eval_set.json).
 */
export type TriggerEvals = TriggerEval[]

/**
 * Why the winner of a comparison won, and how the loser can be improved (analysis.json in the folder of the gradings).
 */
export interface Analysis {
  comparison_summary: ComparisonSummary
  /**
   * What made the winner better.
   */
  winner_strengths?: string[] | null
  /**
   * What held the loser back.
   */
  loser_weaknesses?: string[] | null
  instruction_following?: InstructionFollowing | null
  /**
   * Changes that would improve the losing skill.
   */
  improvement_suggestions?: ImprovementSuggestion[] | null
  transcript_insights?: TranscriptInsights | null
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * The comparison that this analysis explains.
 */
export interface ComparisonSummary {
  winner: Winner
  /**
   * Path of the skill that made the better output.
   */
  winner_skill?: string | null
  /**
   * Path of the skill that made the other output.
   */
  loser_skill?: string | null
  /**
   * Why the comparator chose the winner, in short.
   */
  comparator_reasoning?: string | null
  [k: string]: unknown
}
/**
 * How closely each side followed the instructions of its skill.
 */
export interface InstructionFollowing {
  /**
   * How closely the winner followed them.
   */
  winner?: InstructionScore | null
  /**
   * How closely the loser followed them.
   */
  loser?: InstructionScore | null
  [k: string]: unknown
}
/**
 * A score for following the instructions, with what lowers it.
 */
export interface InstructionScore {
  /**
   * The score; higher is closer.
   */
  score?: number | null
  /**
   * Instructions that were not followed.
   */
  issues?: string[] | null
  [k: string]: unknown
}
/**
 * One change to the losing skill, and what it would bring.
 */
export interface ImprovementSuggestion {
  priority?: ImprovementPriority | null | string
  category?: ImprovementCategory | null | string
  /**
   * What to change.
   */
  suggestion: string
  /**
   * What the change is expected to do.
   */
  expected_impact?: string | null
  [k: string]: unknown
}
/**
 * How each side went about the task, step by step.
 */
export interface TranscriptInsights {
  /**
   * The way of the winner.
   */
  winner_execution_pattern?: string | null
  /**
   * The way of the loser.
   */
  loser_execution_pattern?: string | null
  [k: string]: unknown
}
/**
 * All runs of a benchmark, their statistics for each configuration and the difference (benchmark.json).
 */
export interface Benchmark {
  metadata?: BenchmarkMetadata | null
  /**
   * Every single run; at least one.
   */
  runs: BenchmarkRun[]
  run_summary: RunSummary
  /**
   * Observations of the analyzer, one an item.
   */
  notes?: string[] | null
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * What was measured, when, and how often.
 */
export interface BenchmarkMetadata {
  /**
   * Name of the skill that was measured.
   */
  skill_name?: SkillName | null
  /**
   * When the benchmark was run.
   */
  timestamp?: Timestamp | null
  /**
   * The evals that were run, by id or by name.
   */
  evals_run?: EvalReference[] | null
  /**
   * How many runs each configuration had.
   */
  runs_per_configuration?: Count | null
  /**
   * Folder of the skill.
   */
  skill_path?: string | unknown
  /**
   * Model that executed the runs.
   */
  executor_model?: string | unknown
  /**
   * Model that wrote the notes.
   */
  analyzer_model?: string | unknown
  [k: string]: unknown
}
/**
 * One run of one eval in one configuration.
 */
export interface BenchmarkRun {
  /**
   * Whole number that identifies the eval.
   */
  eval_id: number | string
  configuration: Configuration | string
  /**
   * Number of the run among those of its eval and configuration: 1, 2, 3 and so on.
   */
  run_number: number
  result: RunResult
  /**
   * Name of the eval; the viewer shows it as a heading.
   */
  eval_name?: string | null
  /**
   * The graded expectations of the run.
   */
  expectations?: RunExpectation[] | null
  /**
   * What the executor flagged in this run.
   */
  notes?: (string | unknown)[] | unknown
  [k: string]: unknown
}
/**
 * What was measured in one run; the viewer reads the numbers here and nowhere else.
 */
export interface RunResult {
  /**
   * Passed divided by total, from 0 to 1.
   */
  pass_rate: Rate
  /**
   * How many expectations were met.
   */
  passed: Count
  /**
   * How many expectations were graded.
   */
  total: Count
  /**
   * Seconds that the run took.
   */
  time_seconds?: Seconds | null
  /**
   * Tokens that the run used.
   */
  tokens?: Count | null | unknown
  /**
   * How many errors came up in the run.
   */
  errors?: Count | null
  /**
   * How many expectations were not met.
   */
  failed?: Count | unknown
  /**
   * How many tool calls the run made.
   */
  tool_calls?: Count | unknown
  [k: string]: unknown
}
/**
 * One graded expectation of a run.
 */
export interface RunExpectation {
  /**
   * The expectation, worded as the eval words it.
   */
  text: string
  /**
   * Whether the run met the expectation.
   */
  passed: boolean
  /**
   * What supports the verdict.
   */
  evidence?: string | unknown
  [k: string]: unknown
}
/**
 * Statistics under the name of each configuration, and delta, their difference.
 */
export interface RunSummary {
  /**
   * Statistics of the runs that had the skill.
   */
  with_skill?: ConfigurationSummary
  /**
   * Statistics of the runs that did not have the skill.
   */
  without_skill?: ConfigurationSummary
  delta?: Delta | null
  [k: string]: ConfigurationSummary | Delta | null | undefined
}
/**
 * Statistics over the runs of one configuration.
 */
export interface ConfigurationSummary {
  /**
   * Pass rates of the runs.
   */
  pass_rate: RateStatistic
  /**
   * Seconds of the runs.
   */
  time_seconds?: Statistic | null
  /**
   * Tokens of the runs.
   */
  tokens?: Statistic | null
  [k: string]: unknown
}
/**
 * Mean and spread of rates, each from 0 to 1.
 */
export interface RateStatistic {
  /**
   * Mean of the runs.
   */
  mean: Rate
  /**
   * Sample standard deviation of the runs; 0 for a single one.
   */
  stddev: number
  /**
   * Smallest rate of a run.
   */
  min?: Rate | unknown
  /**
   * Largest rate of a run.
   */
  max?: Rate | unknown
  [k: string]: unknown
}
/**
 * Mean and spread of a measure over runs, in the unit of the measure.
 */
export interface Statistic {
  /**
   * Mean of the runs.
   */
  mean: number
  /**
   * Sample standard deviation of the runs; 0 for a single one.
   */
  stddev: number
  /**
   * Smallest value of a run.
   */
  min?: number | unknown
  /**
   * Largest value of a run.
   */
  max?: number | unknown
  [k: string]: unknown
}
/**
 * Mean with the skill minus mean without it, each as a string that begins with its sign.
 */
export interface Delta {
  /**
   * Difference of the mean pass rates, such as +0.50.
   */
  pass_rate?: SignedNumber | null | number
  /**
   * Difference of the mean seconds, such as +13.0.
   */
  time_seconds?: SignedNumber | null | number
  /**
   * Difference of the mean tokens, such as +1700.
   */
  tokens?: SignedNumber | null | number
  [k: string]: unknown
}
/**
 * What a blind comparator found between two outputs, A and B (comparison-N.json in the folder of the gradings).
 */
export interface Comparison {
  winner: Winner
  /**
   * Why the winner was preferred.
   */
  reasoning: string
  rubric?: Rubric | null
  output_quality?: OutputQuality | null
  expectation_results?: ExpectationResults
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * Scores of both outputs on the same criteria.
 */
export interface Rubric {
  /**
   * Scores of output A.
   */
  A: RubricScores
  /**
   * Scores of output B.
   */
  B: RubricScores
  [k: string]: unknown
}
/**
 * Scores of one output: criterion by criterion, a mean for each of the two sections, and overall.
 */
export interface RubricScores {
  /**
   * Scores on what the output says, such as correctness, completeness and accuracy.
   */
  content: CriterionScores
  /**
   * Scores on how the output is built, such as organization, formatting and usability.
   */
  structure: CriterionScores
  /**
   * Mean of the scores of content, to one decimal.
   */
  content_score: number
  /**
   * Mean of the scores of structure, to one decimal.
   */
  structure_score: number
  /**
   * Sum of content_score and structure_score.
   */
  overall_score: number
  [k: string]: unknown
}
/**
 * A score under the name of each criterion.
 */
export interface CriterionScores {
  [k: string]: number
}
/**
 * The impression that each of the two outputs left.
 */
export interface OutputQuality {
  /**
   * The impression of output A.
   */
  A: QualityVerdict
  /**
   * The impression of output B.
   */
  B: QualityVerdict
  [k: string]: unknown
}
/**
 * Score, strengths and weaknesses of one output.
 */
export interface QualityVerdict {
  /**
   * Score of the output as a whole; it agrees with overall_score of the rubric.
   */
  score: number
  /**
   * What the output does well.
   */
  strengths: string[]
  /**
   * What the output does badly.
   */
  weaknesses: string[]
  [k: string]: unknown
}
/**
 * How many expectations each of the two outputs met; present when there are expectations.
 */
export interface ExpectationResults {
  /**
   * Counts of output A.
   */
  A: ExpectationTally
  /**
   * Counts of output B.
   */
  B: ExpectationTally
  [k: string]: unknown
}
/**
 * The expectations that one output met, counted and listed.
 */
export interface ExpectationTally {
  /**
   * How many expectations the output met.
   */
  passed: Count
  /**
   * How many expectations there are.
   */
  total: Count
  /**
   * Passed divided by total, from 0 to 1.
   */
  pass_rate: Rate
  /**
   * The expectations one by one.
   */
  details?: ExpectationDetail[] | null
  [k: string]: unknown
}
/**
 * One expectation, and whether the output met it.
 */
export interface ExpectationDetail {
  /**
   * The expectation.
   */
  text: string
  /**
   * Whether the output met it.
   */
  passed: boolean
  [k: string]: unknown
}
/**
 * What the runs of one eval folder were asked (eval_metadata.json); it defines, and holds no results.
 */
export interface EvalMetadata {
  /**
   * Whole number that identifies the eval, as in evals.json.
   */
  eval_id: number | string
  /**
   * Short name of the eval: heading in the pages, and name of the folder; never empty.
   */
  eval_name?: string | null
  /**
   * The task that the runs were given; never empty.
   */
  prompt: string
  /**
   * Statements that the runs are graded by; empty until they are written.
   */
  assertions?:
    | (
        | string
        | {
            [k: string]: unknown
          }
      )[]
    | null
    | unknown
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * The evals of one skill: tasks to execute, and what a good result looks like (evals/evals.json).
 */
export interface Evals {
  /**
   * Name of the skill under test; it matches the front matter of its SKILL.md.
   */
  skill_name?: SkillName | null
  /**
   * The evals, in the order in which they are run.
   */
  evals: Eval[]
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * One task, with the statements that its result is graded by.
 */
export interface Eval {
  /**
   * Whole number that identifies the eval; no other eval of the file has it.
   */
  id: number | string
  /**
   * The task, worded as a user would word it; never empty.
   */
  prompt: string
  /**
   * What success looks like, described for people.
   */
  expected_output?: string | null
  /**
   * Paths of the input files, relative to the folder of the skill.
   */
  files?: string[]
  /**
   * Statements about the result that can be verified one by one.
   */
  expectations?:
    | (
        | string
        | {
            [k: string]: unknown
          }
      )[]
    | string
    | {
        [k: string]: unknown
      }
  /**
   * Another spelling of expectations; programs read expectations.
   */
  assertions?:
    | (
        | string
        | {
            [k: string]: unknown
          }
      )[]
    | string
    | {
        [k: string]: unknown
      }
  [k: string]: unknown
}
/**
 * What a person said about the runs on the review page (feedback.json in the root of the workspace).
 */
export interface Feedback {
  /**
   * One review a run.
   */
  reviews: Review[]
  status: FeedbackStatus
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * What was said about one run.
 */
export interface Review {
  /**
   * Identifies the run; no other review has it.
   */
  run_id: string
  /**
   * The remark; empty when the run is fine.
   */
  feedback: string
  /**
   * When the remark was made.
   */
  timestamp?: Timestamp | null
  [k: string]: unknown
}
/**
 * Every check passed, and the run was saved.
 */
export interface FinalizeSuccess {
  /**
   * Marks a run that was saved.
   */
  success: true
  /**
   * Where the run was saved.
   */
  path: string
  validation: FinalizeValidation
  /**
   * The messages of the warnings, in the order of the findings.
   */
  warnings: string[]
  /**
   * The findings, none of them an error.
   */
  findings: Finding[]
  /**
   * SHA-256 of the bytes that were saved, in lower-case hexadecimal digits.
   */
  sha256?: string
  /**
   * Where the receipt was saved, when one was asked for.
   */
  receipt?: string
  /**
   * Whether findings were left out because a limit was reached.
   */
  truncated?: boolean
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * What was verified before the run was saved.
 */
export interface FinalizeValidation {
  /**
   * How many agents were verified.
   */
  agents_validated: Count
  /**
   * Whether the judge was verified.
   */
  judge_validated: boolean
  /**
   * Whether every claimed score is the one that the judge states.
   */
  scores_verified: boolean
  /**
   * Whether the time between the first agent and the last judge is plausible.
   */
  timestamp_sane: boolean
  [k: string]: unknown
}
/**
 * One defect: where it is, what was found, and what was expected.
 */
export interface Finding {
  /**
   * Stable code, such as GRD001 or schema.required.
   */
  code: string
  /**
   * The defect in a few words joined by hyphens.
   */
  name: string
  severity: Severity
  /**
   * The place in the document; a missing member is reported at the object that lacks it.
   */
  pointer: JsonPointer
  /**
   * What was found, what was expected, and how to repair it.
   */
  message: string
  /**
   * The value that was found, in JSON.
   */
  found?: unknown
  /**
   * What was expected there, in JSON.
   */
  expected?: unknown
  /**
   * Other places in the same document that the finding rests on.
   */
  related?: JsonPointer[]
  /**
   * Places in other files that the finding rests on.
   */
  elsewhere?: PlaceElsewhere[]
  /**
   * A name or value that was probably meant, or what to do.
   */
  suggestion?: string
  /**
   * A JSON Patch that repairs the defect.
   */
  fix?: PatchOperation[]
  /**
   * What the mistake costs: what a program shows or does because of it.
   */
  consequence?: string
  /**
   * Line on which the place begins.
   */
  line?: TextPosition
  /**
   * Column at which the place begins.
   */
  column?: TextPosition
  /**
   * Line on which the place ends.
   */
  end_line?: TextPosition
  /**
   * Column behind the end of the place.
   */
  end_column?: TextPosition
  [k: string]: unknown
}
/**
 * A place in another file.
 */
export interface PlaceElsewhere {
  /**
   * Path of the other file, as in the entry that it has in files.
   */
  path: string
  /**
   * The place in the document that the other file holds.
   */
  pointer: JsonPointer
  /**
   * Line on which the place begins.
   */
  line?: TextPosition
  /**
   * Column at which the place begins.
   */
  column?: TextPosition
  [k: string]: unknown
}
/**
 * One operation of a JSON Patch, as RFC 6902 defines them.
 */
export interface PatchOperation {
  op: PatchVerb
  /**
   * The place that the operation changes.
   */
  path: JsonPointer
  /**
   * The place that a move or copy takes the value from.
   */
  from?: JsonPointer
  /**
   * The value that an add, replace or test uses, in JSON.
   */
  value?: unknown
  [k: string]: unknown
}
/**
 * A check failed, and nothing was saved.
 */
export interface FinalizeFailure {
  /**
   * Marks a run that was refused.
   */
  success: false
  /**
   * Why the run was refused: the message of the first error.
   */
  error: string
  failed_check: FailedCheck
  /**
   * The messages of the warnings, in the order of the findings.
   */
  warnings: string[]
  /**
   * The findings, the errors among them.
   */
  findings: Finding[]
  /**
   * Whether findings were left out because a limit was reached.
   */
  truncated?: boolean
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * What a check found: the JSON output of evalschema check.
 */
export interface Findings {
  /**
   * One entry a file, in the order in which they were checked.
   */
  files: FileFindings[]
  summary: FindingsSummary
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * The findings of one file.
 */
export interface FileFindings {
  /**
   * Path of the file as it was given; a hyphen for standard input.
   */
  path: string
  /**
   * Kind that the file was checked as; null when none was recognised.
   */
  kind: string | null
  /**
   * Whether none of the findings is an error.
   */
  ok: boolean
  /**
   * The findings, ordered by their place in the file.
   */
  findings: Finding[]
  /**
   * Whether findings were left out because a limit was reached.
   */
  truncated?: boolean
  [k: string]: unknown
}
/**
 * Counts over all files.
 */
export interface FindingsSummary {
  /**
   * How many files were checked.
   */
  files: Count
  /**
   * How many errors were found.
   */
  errors: Count
  /**
   * How many warnings were found.
   */
  warnings: Count
  /**
   * How many infos were found.
   */
  infos: Count
  [k: string]: unknown
}
/**
 * What the grader found in one run (grading.json in the folder of the run).
 */
export interface Grading {
  /**
   * The expectations with verdict and evidence; at least one.
   */
  expectations: GradedExpectation[]
  summary: GradingSummary
  execution_metrics?: ExecutionMetrics
  timing?: GradingTiming
  /**
   * Claims that the output makes, each checked.
   */
  claims?: (Claim | unknown)[] | unknown
  user_notes_summary?: UserNotesSummary
  eval_feedback?: EvalFeedback | unknown
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * One expectation, whether the run met it, and how that shows.
 */
export interface GradedExpectation {
  /**
   * The expectation, worded as the eval words it.
   */
  text: string
  /**
   * Whether the run met the expectation; true or false, never a word.
   */
  passed: boolean
  /**
   * What in the transcript or the outputs supports the verdict.
   */
  evidence: string
  [k: string]: unknown
}
/**
 * Counts over the expectations; a benchmark is aggregated from these four numbers.
 */
export interface GradingSummary {
  /**
   * How many expectations were met.
   */
  passed: Count
  /**
   * How many expectations were not met.
   */
  failed: Count
  /**
   * How many expectations were graded: passed plus failed.
   */
  total: Count
  /**
   * Passed divided by total, from 0 to 1.
   */
  pass_rate: Rate
  [k: string]: unknown
}
/**
 * Use of tools and size of the output, taken over from the metrics.json of the executor.
 */
export interface ExecutionMetrics {
  tool_calls?: ToolCalls | unknown
  /**
   * Sum of all tool calls.
   */
  total_tool_calls?: Count | unknown
  /**
   * How many major steps the execution took.
   */
  total_steps?: Count | unknown
  /**
   * How many errors came up while the run was executed.
   */
  errors_encountered?: Count | null
  /**
   * Characters of all output files; the benchmark shows them as tokens where no tokens are known.
   */
  output_chars?: Count
  /**
   * Characters of the transcript.
   */
  transcript_chars?: Count | unknown
  /**
   * Output files that the run created.
   */
  files_created?: string[] | number
  [k: string]: unknown
}
/**
 * How often each tool was called, under the name of the tool.
 */
export interface ToolCalls {
  [k: string]: unknown
}
/**
 * Wall clock times of the run, taken over from its timing.json.
 */
export interface GradingTiming {
  /**
   * Seconds that the executor took.
   */
  executor_duration_seconds?: Seconds | null
  /**
   * Seconds that the grader took.
   */
  grader_duration_seconds?: Seconds | null
  /**
   * Seconds in all; above 0 it keeps the aggregator from reading timing.json.
   */
  total_duration_seconds?: Seconds
  [k: string]: unknown
}
/**
 * A statement that the output makes, and whether it holds.
 */
export interface Claim {
  /**
   * The statement.
   */
  claim?: string | null | unknown
  type?: ClaimType | null | unknown
  /**
   * Whether the statement was found true.
   */
  verified?: boolean | null | unknown
  /**
   * What the verdict on the statement rests on.
   */
  evidence?: string | null | unknown
  [k: string]: unknown
}
/**
 * What the executor itself flagged; the aggregator joins the three lists to the notes of the run.
 */
export interface UserNotesSummary {
  /**
   * Points that the executor was unsure about.
   */
  uncertainties?: (string | unknown)[]
  /**
   * Points that a person should look at.
   */
  needs_review?: (string | unknown)[]
  /**
   * Places where the executor left the planned way.
   */
  workarounds?: (string | unknown)[]
  [k: string]: unknown
}
/**
 * How the evals themselves could be better; only present when the grader has something to say.
 */
export interface EvalFeedback {
  /**
   * Changes that the grader proposes.
   */
  suggestions?: (EvalSuggestion | unknown)[] | unknown
  /**
   * The judgement on the evals in a sentence or two.
   */
  overall?: string | unknown
  [k: string]: unknown
}
/**
 * One proposed change to the evals.
 */
export interface EvalSuggestion {
  /**
   * Why the change would help.
   */
  reason?: string | null | unknown
  /**
   * The expectation that it concerns, when it concerns one.
   */
  assertion?: string | unknown
  [k: string]: unknown
}
/**
 * The versions of a skill in Improve mode, and how each of them graded (history.json in the root of the workspace).
 */
export interface History {
  /**
   * When the improvement began.
   */
  started_at?: Timestamp | null
  /**
   * Name of the skill that is being improved.
   */
  skill_name?: SkillName | null
  /**
   * Version that performs best so far; one of the versions of iterations.
   */
  current_best: string
  /**
   * The versions, each after the one that it was made from.
   */
  iterations: HistoryIteration[]
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * One version of the skill, its origin and its result.
 */
export interface HistoryIteration {
  /**
   * Identifier of the version: v0, v1 and so on.
   */
  version: string
  /**
   * Version that this one was made from; null for the first.
   */
  parent: string | null
  /**
   * Share of the expectations that this version met, as graded.
   */
  expectation_pass_rate: Rate
  grading_result: GradingResult | string
  /**
   * Whether this is the version that current_best names.
   */
  is_current_best: boolean
  [k: string]: unknown
}
/**
 * What the executor counted while it worked (outputs/metrics.json in the folder of the run).
 */
export interface Metrics {
  tool_calls?: ToolCalls | unknown
  /**
   * Sum of all tool calls.
   */
  total_tool_calls?: Count | unknown
  /**
   * How many major steps the execution took.
   */
  total_steps?: Count | unknown
  /**
   * Output files that were created.
   */
  files_created?: (string | unknown)[] | number | unknown
  /**
   * How many errors came up during the execution.
   */
  errors_encountered?: Count | unknown
  /**
   * Characters of all output files; the aggregator takes this number from the grading.
   */
  output_chars?: Count
  /**
   * Characters of the transcript.
   */
  transcript_chars?: Count | unknown
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * How the description of a skill was improved, iteration by iteration (the output of the description loop).
 */
export interface OptimisationResults {
  /**
   * Why the loop ended.
   */
  exit_reason: string
  /**
   * The description that the loop began with.
   */
  original_description: string
  /**
   * The description that scored best.
   */
  best_description: string
  /**
   * Score of the best description, on the test half where there is one.
   */
  best_score: FractionScore
  /**
   * Its score on the train half.
   */
  best_train_score: FractionScore
  /**
   * Its score on the test half, such as 7/8; null when nothing was held out.
   */
  best_test_score: string | null
  /**
   * The description that the loop ended with.
   */
  final_description: string
  /**
   * How many iterations were run.
   */
  iterations_run: Count
  /**
   * Share of the queries that was kept for the test half.
   */
  holdout: Rate
  /**
   * How many queries the train half has.
   */
  train_size: Count
  /**
   * How many queries the test half has.
   */
  test_size: Count
  /**
   * The iterations, in order.
   */
  history: OptimisationIteration[]
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * One description that was tried, with its counts and results on both halves.
 */
export interface OptimisationIteration {
  /**
   * Number of the iteration, from 1 on.
   */
  iteration: Count
  /**
   * The description that was tried.
   */
  description: string
  /**
   * How many queries of the train half passed.
   */
  train_passed: Count
  /**
   * How many queries of the train half failed.
   */
  train_failed: Count
  /**
   * How many queries of the train half were run.
   */
  train_total: Count
  /**
   * The results on the train half.
   */
  train_results: TriggerResult[]
  /**
   * How many queries of the test half passed; null when nothing was held out.
   */
  test_passed: number | null
  /**
   * How many queries of the test half failed; null when nothing was held out.
   */
  test_failed: number | null
  /**
   * How many queries of the test half were run; null when nothing was held out.
   */
  test_total: number | null
  /**
   * The results on the test half; null when nothing was held out.
   */
  test_results: TriggerResult[] | null
  /**
   * The same as train_passed, for older reports.
   */
  passed?: Count
  /**
   * The same as train_failed, for older reports.
   */
  failed?: Count
  /**
   * The same as train_total, for older reports.
   */
  total?: Count
  /**
   * The same as train_results, for older reports.
   */
  results?: TriggerResult[]
  [k: string]: unknown
}
/**
 * How often the skill triggered on one query, and whether that is right.
 */
export interface TriggerResult {
  /**
   * The query, as in the set.
   */
  query: string
  /**
   * Whether the skill should trigger on the query.
   */
  should_trigger: boolean
  /**
   * Triggers divided by runs, from 0 to 1.
   */
  trigger_rate: Rate
  /**
   * In how many runs the skill triggered.
   */
  triggers: Count
  /**
   * How often the query was run.
   */
  runs: Count
  /**
   * Whether the rate reaches the threshold (0.5) exactly when the skill should trigger.
   */
  pass: boolean
  [k: string]: unknown
}
/**
 * A run of one agent.
 */
export interface SoloRun {
  /**
   * Marks a run of one agent.
   */
  type: 'solo'
  /**
   * When the run was made.
   */
  timestamp: Timestamp
  scenario: Scenario
  /**
   * The agent; exactly one.
   */
  agents: AgentRecord[]
  scores: Scores
  output_path: OutputPath
  /**
   * The judge; left out when there are several.
   */
  judge?: JudgeRecord
  /**
   * The judges, when there are several; judge is left out then.
   */
  judges?: JudgeRecord[]
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * The scenario that the agents were given.
 */
export interface Scenario {
  /**
   * Short name of the scenario; never empty.
   */
  name: string
  /**
   * Title of the scenario, for people.
   */
  title: string
  [k: string]: unknown
}
/**
 * What one agent answered, with the traces of the call that made it.
 */
export interface AgentRecord {
  /**
   * Name of the agent, usually theme:agent; its score stands under this name.
   */
  spec: string
  /**
   * When the agent was called.
   */
  cli_timestamp: Timestamp
  /**
   * The whole answer; at least 200 characters.
   */
  response_text: string
  /**
   * Tokens that went in; above 0.
   */
  input_tokens: TokenCount
  /**
   * Tokens that came out; above 0.
   */
  output_tokens: TokenCount
  /**
   * Team of the agent in a relay; where every agent has one, the scores stand under the teams.
   */
  team?: string
  [k: string]: unknown
}
/**
 * A score under the spec of each agent, or under each team of a relay.
 */
export interface ScoreMap {
  [k: string]: Score
}
/**
 * The verdict of one judge, with the traces of the call that made it.
 */
export interface JudgeRecord {
  /**
   * When the judge was called.
   */
  cli_timestamp: Timestamp
  /**
   * The whole verdict, the stated score in it; at least 100 characters.
   */
  response_text: string
  /**
   * Tokens that went in; above 0.
   */
  input_tokens: TokenCount
  /**
   * Tokens that came out; above 0.
   */
  output_tokens: TokenCount
  [k: string]: unknown
}
/**
 * A run of two agents against each other.
 */
export interface DuelRun {
  /**
   * Marks a run of two agents.
   */
  type: 'duel'
  /**
   * When the run was made.
   */
  timestamp: Timestamp
  scenario: Scenario
  /**
   * The agents; exactly two.
   */
  agents: AgentRecord[]
  scores: Scores
  output_path: OutputPath
  /**
   * The judge; left out when there are several.
   */
  judge?: JudgeRecord
  /**
   * The judges, when there are several; judge is left out then.
   */
  judges?: JudgeRecord[]
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * A run of agents that hand the task on; in teams when every agent names its team.
 */
export interface RelayRun {
  /**
   * Marks a run of agents that hand the task on.
   */
  type: 'relay'
  /**
   * When the run was made.
   */
  timestamp: Timestamp
  scenario: Scenario
  /**
   * The agents, in the order in which they worked; two or more.
   */
  agents: AgentRecord[]
  scores: Scores
  output_path: OutputPath
  /**
   * The judge; left out when there are several.
   */
  judge?: JudgeRecord
  /**
   * The judges, when there are several; judge is left out then.
   */
  judges?: JudgeRecord[]
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * Tokens and wall clock times of one run (timing.json in the folder of the run).
 */
export interface Timing {
  /**
   * Tokens of the whole run; told once when the task completes, and nowhere else.
   */
  total_tokens?: Count | null
  /**
   * Milliseconds of the whole run; told once when the task completes, and nowhere else.
   */
  duration_ms?: Count | null | number
  /**
   * Seconds of the whole run: duration_ms divided by 1000; the aggregator reads this one.
   */
  total_duration_seconds: Seconds
  /**
   * When the executor began.
   */
  executor_start?: Timestamp | unknown
  /**
   * When the executor was done.
   */
  executor_end?: Timestamp | unknown
  /**
   * Seconds from the start of the executor to its end.
   */
  executor_duration_seconds?: Seconds | unknown
  /**
   * When the grader began.
   */
  grader_start?: Timestamp | unknown
  /**
   * When the grader was done.
   */
  grader_end?: Timestamp | unknown
  /**
   * Seconds from the start of the grader to its end.
   */
  grader_duration_seconds?: Seconds | unknown
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * One query, and whether the skill should trigger on it.
 */
export interface TriggerEval {
  /**
   * What a user would type; results are matched by this text.
   */
  query: string
  /**
   * Whether the skill should trigger on the query; true or false, never a word.
   */
  should_trigger: boolean
  [k: string]: unknown
}
/**
 * How often a skill triggered on each query of a set (the output of the trigger evaluation).
 */
export interface TriggerResults {
  /**
   * Name of the skill.
   */
  skill_name: SkillName
  /**
   * The description of the skill that was tried.
   */
  description: string
  /**
   * One result a query.
   */
  results: TriggerResult[]
  summary: TriggerSummary
  $schema?: SchemaReference
  [k: string]: unknown
}
/**
 * Counts over the results.
 */
export interface TriggerSummary {
  /**
   * How many queries were run.
   */
  total: Count
  /**
   * How many of them passed.
   */
  passed: Count
  /**
   * How many of them failed.
   */
  failed: Count
  [k: string]: unknown
}
