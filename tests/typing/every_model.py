# pyright: strict
"""Uses every class and every kind, for type checkers. Made from schemas/ by `make gen`; do not edit."""

from typing import assert_type

from evalschema import load, models


def use_agent_record(it: models.AgentRecord) -> models.AgentRecord:
    return models.AgentRecord(
        spec=it.spec,
        cli_timestamp=it.cli_timestamp,
        response_text=it.response_text,
        input_tokens=it.input_tokens,
        output_tokens=it.output_tokens,
        team=it.team,
        extras=it.extras,
    )


def use_analysis(it: models.Analysis) -> models.Analysis:
    return models.Analysis(
        comparison_summary=it.comparison_summary,
        winner_strengths=it.winner_strengths,
        loser_weaknesses=it.loser_weaknesses,
        instruction_following=it.instruction_following,
        improvement_suggestions=it.improvement_suggestions,
        transcript_insights=it.transcript_insights,
        schema=it.schema,
        extras=it.extras,
    )


def use_benchmark(it: models.Benchmark) -> models.Benchmark:
    return models.Benchmark(
        runs=it.runs,
        run_summary=it.run_summary,
        metadata=it.metadata,
        notes=it.notes,
        schema=it.schema,
        extras=it.extras,
    )


def use_benchmark_metadata(it: models.BenchmarkMetadata) -> models.BenchmarkMetadata:
    return models.BenchmarkMetadata(
        skill_name=it.skill_name,
        timestamp=it.timestamp,
        evals_run=it.evals_run,
        runs_per_configuration=it.runs_per_configuration,
        skill_path=it.skill_path,
        executor_model=it.executor_model,
        analyzer_model=it.analyzer_model,
        extras=it.extras,
    )


def use_benchmark_run(it: models.BenchmarkRun) -> models.BenchmarkRun:
    return models.BenchmarkRun(
        eval_id=it.eval_id,
        configuration=it.configuration,
        run_number=it.run_number,
        result=it.result,
        eval_name=it.eval_name,
        expectations=it.expectations,
        notes=it.notes,
        extras=it.extras,
    )


def use_claim(it: models.Claim) -> models.Claim:
    return models.Claim(
        claim=it.claim,
        type=it.type,
        verified=it.verified,
        evidence=it.evidence,
        extras=it.extras,
    )


def use_comparison(it: models.Comparison) -> models.Comparison:
    return models.Comparison(
        winner=it.winner,
        reasoning=it.reasoning,
        rubric=it.rubric,
        output_quality=it.output_quality,
        expectation_results=it.expectation_results,
        schema=it.schema,
        extras=it.extras,
    )


def use_comparison_summary(it: models.ComparisonSummary) -> models.ComparisonSummary:
    return models.ComparisonSummary(
        winner=it.winner,
        winner_skill=it.winner_skill,
        loser_skill=it.loser_skill,
        comparator_reasoning=it.comparator_reasoning,
        extras=it.extras,
    )


def use_configuration_summary(it: models.ConfigurationSummary) -> models.ConfigurationSummary:
    return models.ConfigurationSummary(
        pass_rate=it.pass_rate,
        time_seconds=it.time_seconds,
        tokens=it.tokens,
        extras=it.extras,
    )


def use_delta(it: models.Delta) -> models.Delta:
    return models.Delta(
        pass_rate=it.pass_rate,
        time_seconds=it.time_seconds,
        tokens=it.tokens,
        extras=it.extras,
    )


def use_duel_run(it: models.DuelRun) -> models.DuelRun:
    return models.DuelRun(
        type=it.type,
        timestamp=it.timestamp,
        scenario=it.scenario,
        agents=it.agents,
        scores=it.scores,
        output_path=it.output_path,
        judge=it.judge,
        judges=it.judges,
        schema=it.schema,
        extras=it.extras,
    )


def use_eval(it: models.Eval) -> models.Eval:
    return models.Eval(
        id=it.id,
        prompt=it.prompt,
        expected_output=it.expected_output,
        files=it.files,
        expectations=it.expectations,
        assertions=it.assertions,
        extras=it.extras,
    )


def use_eval_feedback(it: models.EvalFeedback) -> models.EvalFeedback:
    return models.EvalFeedback(
        suggestions=it.suggestions,
        overall=it.overall,
        extras=it.extras,
    )


def use_eval_metadata(it: models.EvalMetadata) -> models.EvalMetadata:
    return models.EvalMetadata(
        eval_id=it.eval_id,
        prompt=it.prompt,
        eval_name=it.eval_name,
        assertions=it.assertions,
        schema=it.schema,
        extras=it.extras,
    )


def use_eval_suggestion(it: models.EvalSuggestion) -> models.EvalSuggestion:
    return models.EvalSuggestion(
        reason=it.reason,
        assertion=it.assertion,
        extras=it.extras,
    )


def use_evals(it: models.Evals) -> models.Evals:
    return models.Evals(
        evals=it.evals,
        skill_name=it.skill_name,
        schema=it.schema,
        extras=it.extras,
    )


def use_execution_metrics(it: models.ExecutionMetrics) -> models.ExecutionMetrics:
    return models.ExecutionMetrics(
        tool_calls=it.tool_calls,
        total_tool_calls=it.total_tool_calls,
        total_steps=it.total_steps,
        errors_encountered=it.errors_encountered,
        output_chars=it.output_chars,
        transcript_chars=it.transcript_chars,
        files_created=it.files_created,
        extras=it.extras,
    )


def use_expectation_detail(it: models.ExpectationDetail) -> models.ExpectationDetail:
    return models.ExpectationDetail(
        text=it.text,
        passed=it.passed,
        extras=it.extras,
    )


def use_expectation_results(it: models.ExpectationResults) -> models.ExpectationResults:
    return models.ExpectationResults(
        A=it.A,
        B=it.B,
        extras=it.extras,
    )


def use_expectation_tally(it: models.ExpectationTally) -> models.ExpectationTally:
    return models.ExpectationTally(
        passed=it.passed,
        total=it.total,
        pass_rate=it.pass_rate,
        details=it.details,
        extras=it.extras,
    )


def use_feedback(it: models.Feedback) -> models.Feedback:
    return models.Feedback(
        reviews=it.reviews,
        status=it.status,
        schema=it.schema,
        extras=it.extras,
    )


def use_file_findings(it: models.FileFindings) -> models.FileFindings:
    return models.FileFindings(
        path=it.path,
        kind=it.kind,
        ok=it.ok,
        findings=it.findings,
        truncated=it.truncated,
        extras=it.extras,
    )


def use_finalize_failure(it: models.FinalizeFailure) -> models.FinalizeFailure:
    return models.FinalizeFailure(
        success=it.success,
        error=it.error,
        failed_check=it.failed_check,
        warnings=it.warnings,
        findings=it.findings,
        truncated=it.truncated,
        schema=it.schema,
        extras=it.extras,
    )


def use_finalize_success(it: models.FinalizeSuccess) -> models.FinalizeSuccess:
    return models.FinalizeSuccess(
        success=it.success,
        path=it.path,
        validation=it.validation,
        warnings=it.warnings,
        findings=it.findings,
        sha256=it.sha256,
        receipt=it.receipt,
        truncated=it.truncated,
        schema=it.schema,
        extras=it.extras,
    )


def use_finalize_validation(it: models.FinalizeValidation) -> models.FinalizeValidation:
    return models.FinalizeValidation(
        agents_validated=it.agents_validated,
        judge_validated=it.judge_validated,
        scores_verified=it.scores_verified,
        timestamp_sane=it.timestamp_sane,
        extras=it.extras,
    )


def use_finding(it: models.Finding) -> models.Finding:
    return models.Finding(
        code=it.code,
        name=it.name,
        severity=it.severity,
        pointer=it.pointer,
        message=it.message,
        found=it.found,
        expected=it.expected,
        related=it.related,
        elsewhere=it.elsewhere,
        suggestion=it.suggestion,
        fix=it.fix,
        consequence=it.consequence,
        line=it.line,
        column=it.column,
        end_line=it.end_line,
        end_column=it.end_column,
        extras=it.extras,
    )


def use_findings(it: models.Findings) -> models.Findings:
    return models.Findings(
        files=it.files,
        summary=it.summary,
        schema=it.schema,
        extras=it.extras,
    )


def use_findings_summary(it: models.FindingsSummary) -> models.FindingsSummary:
    return models.FindingsSummary(
        files=it.files,
        errors=it.errors,
        warnings=it.warnings,
        infos=it.infos,
        extras=it.extras,
    )


def use_graded_expectation(it: models.GradedExpectation) -> models.GradedExpectation:
    return models.GradedExpectation(
        text=it.text,
        passed=it.passed,
        evidence=it.evidence,
        extras=it.extras,
    )


def use_grading(it: models.Grading) -> models.Grading:
    return models.Grading(
        expectations=it.expectations,
        summary=it.summary,
        execution_metrics=it.execution_metrics,
        timing=it.timing,
        claims=it.claims,
        user_notes_summary=it.user_notes_summary,
        eval_feedback=it.eval_feedback,
        schema=it.schema,
        extras=it.extras,
    )


def use_grading_summary(it: models.GradingSummary) -> models.GradingSummary:
    return models.GradingSummary(
        passed=it.passed,
        failed=it.failed,
        total=it.total,
        pass_rate=it.pass_rate,
        extras=it.extras,
    )


def use_grading_timing(it: models.GradingTiming) -> models.GradingTiming:
    return models.GradingTiming(
        executor_duration_seconds=it.executor_duration_seconds,
        grader_duration_seconds=it.grader_duration_seconds,
        total_duration_seconds=it.total_duration_seconds,
        extras=it.extras,
    )


def use_history(it: models.History) -> models.History:
    return models.History(
        current_best=it.current_best,
        iterations=it.iterations,
        started_at=it.started_at,
        skill_name=it.skill_name,
        schema=it.schema,
        extras=it.extras,
    )


def use_history_iteration(it: models.HistoryIteration) -> models.HistoryIteration:
    return models.HistoryIteration(
        version=it.version,
        parent=it.parent,
        expectation_pass_rate=it.expectation_pass_rate,
        grading_result=it.grading_result,
        is_current_best=it.is_current_best,
        extras=it.extras,
    )


def use_improvement_suggestion(it: models.ImprovementSuggestion) -> models.ImprovementSuggestion:
    return models.ImprovementSuggestion(
        suggestion=it.suggestion,
        priority=it.priority,
        category=it.category,
        expected_impact=it.expected_impact,
        extras=it.extras,
    )


def use_instruction_following(it: models.InstructionFollowing) -> models.InstructionFollowing:
    return models.InstructionFollowing(
        winner=it.winner,
        loser=it.loser,
        extras=it.extras,
    )


def use_instruction_score(it: models.InstructionScore) -> models.InstructionScore:
    return models.InstructionScore(
        score=it.score,
        issues=it.issues,
        extras=it.extras,
    )


def use_judge_record(it: models.JudgeRecord) -> models.JudgeRecord:
    return models.JudgeRecord(
        cli_timestamp=it.cli_timestamp,
        response_text=it.response_text,
        input_tokens=it.input_tokens,
        output_tokens=it.output_tokens,
        extras=it.extras,
    )


def use_metrics(it: models.Metrics) -> models.Metrics:
    return models.Metrics(
        tool_calls=it.tool_calls,
        total_tool_calls=it.total_tool_calls,
        total_steps=it.total_steps,
        files_created=it.files_created,
        errors_encountered=it.errors_encountered,
        output_chars=it.output_chars,
        transcript_chars=it.transcript_chars,
        schema=it.schema,
        extras=it.extras,
    )


def use_optimisation_iteration(it: models.OptimisationIteration) -> models.OptimisationIteration:
    return models.OptimisationIteration(
        iteration=it.iteration,
        description=it.description,
        train_passed=it.train_passed,
        train_failed=it.train_failed,
        train_total=it.train_total,
        train_results=it.train_results,
        test_passed=it.test_passed,
        test_failed=it.test_failed,
        test_total=it.test_total,
        test_results=it.test_results,
        passed=it.passed,
        failed=it.failed,
        total=it.total,
        results=it.results,
        extras=it.extras,
    )


def use_optimisation_results(it: models.OptimisationResults) -> models.OptimisationResults:
    return models.OptimisationResults(
        exit_reason=it.exit_reason,
        original_description=it.original_description,
        best_description=it.best_description,
        best_score=it.best_score,
        best_train_score=it.best_train_score,
        best_test_score=it.best_test_score,
        final_description=it.final_description,
        iterations_run=it.iterations_run,
        holdout=it.holdout,
        train_size=it.train_size,
        test_size=it.test_size,
        history=it.history,
        schema=it.schema,
        extras=it.extras,
    )


def use_output_quality(it: models.OutputQuality) -> models.OutputQuality:
    return models.OutputQuality(
        A=it.A,
        B=it.B,
        extras=it.extras,
    )


def use_patch_operation(it: models.PatchOperation) -> models.PatchOperation:
    return models.PatchOperation(
        op=it.op,
        path=it.path,
        from_=it.from_,
        value=it.value,
        extras=it.extras,
    )


def use_place_elsewhere(it: models.PlaceElsewhere) -> models.PlaceElsewhere:
    return models.PlaceElsewhere(
        path=it.path,
        pointer=it.pointer,
        line=it.line,
        column=it.column,
        extras=it.extras,
    )


def use_quality_verdict(it: models.QualityVerdict) -> models.QualityVerdict:
    return models.QualityVerdict(
        score=it.score,
        strengths=it.strengths,
        weaknesses=it.weaknesses,
        extras=it.extras,
    )


def use_rate_statistic(it: models.RateStatistic) -> models.RateStatistic:
    return models.RateStatistic(
        mean=it.mean,
        stddev=it.stddev,
        min=it.min,
        max=it.max,
        extras=it.extras,
    )


def use_relay_run(it: models.RelayRun) -> models.RelayRun:
    return models.RelayRun(
        type=it.type,
        timestamp=it.timestamp,
        scenario=it.scenario,
        agents=it.agents,
        scores=it.scores,
        output_path=it.output_path,
        judge=it.judge,
        judges=it.judges,
        schema=it.schema,
        extras=it.extras,
    )


def use_review(it: models.Review) -> models.Review:
    return models.Review(
        run_id=it.run_id,
        feedback=it.feedback,
        timestamp=it.timestamp,
        extras=it.extras,
    )


def use_rubric(it: models.Rubric) -> models.Rubric:
    return models.Rubric(
        A=it.A,
        B=it.B,
        extras=it.extras,
    )


def use_rubric_scores(it: models.RubricScores) -> models.RubricScores:
    return models.RubricScores(
        content=it.content,
        structure=it.structure,
        content_score=it.content_score,
        structure_score=it.structure_score,
        overall_score=it.overall_score,
        extras=it.extras,
    )


def use_run_expectation(it: models.RunExpectation) -> models.RunExpectation:
    return models.RunExpectation(
        text=it.text,
        passed=it.passed,
        evidence=it.evidence,
        extras=it.extras,
    )


def use_run_result(it: models.RunResult) -> models.RunResult:
    return models.RunResult(
        pass_rate=it.pass_rate,
        passed=it.passed,
        total=it.total,
        time_seconds=it.time_seconds,
        tokens=it.tokens,
        errors=it.errors,
        failed=it.failed,
        tool_calls=it.tool_calls,
        extras=it.extras,
    )


def use_run_summary(it: models.RunSummary) -> models.RunSummary:
    return models.RunSummary(
        with_skill=it.with_skill,
        without_skill=it.without_skill,
        delta=it.delta,
        extras=it.extras,
    )


def use_scenario(it: models.Scenario) -> models.Scenario:
    return models.Scenario(
        name=it.name,
        title=it.title,
        extras=it.extras,
    )


def use_solo_run(it: models.SoloRun) -> models.SoloRun:
    return models.SoloRun(
        type=it.type,
        timestamp=it.timestamp,
        scenario=it.scenario,
        agents=it.agents,
        scores=it.scores,
        output_path=it.output_path,
        judge=it.judge,
        judges=it.judges,
        schema=it.schema,
        extras=it.extras,
    )


def use_statistic(it: models.Statistic) -> models.Statistic:
    return models.Statistic(
        mean=it.mean,
        stddev=it.stddev,
        min=it.min,
        max=it.max,
        extras=it.extras,
    )


def use_timing(it: models.Timing) -> models.Timing:
    return models.Timing(
        total_duration_seconds=it.total_duration_seconds,
        total_tokens=it.total_tokens,
        duration_ms=it.duration_ms,
        executor_start=it.executor_start,
        executor_end=it.executor_end,
        executor_duration_seconds=it.executor_duration_seconds,
        grader_start=it.grader_start,
        grader_end=it.grader_end,
        grader_duration_seconds=it.grader_duration_seconds,
        schema=it.schema,
        extras=it.extras,
    )


def use_transcript_insights(it: models.TranscriptInsights) -> models.TranscriptInsights:
    return models.TranscriptInsights(
        winner_execution_pattern=it.winner_execution_pattern,
        loser_execution_pattern=it.loser_execution_pattern,
        extras=it.extras,
    )


def use_trigger_eval(it: models.TriggerEval) -> models.TriggerEval:
    return models.TriggerEval(
        query=it.query,
        should_trigger=it.should_trigger,
        extras=it.extras,
    )


def use_trigger_result(it: models.TriggerResult) -> models.TriggerResult:
    return models.TriggerResult(
        query=it.query,
        should_trigger=it.should_trigger,
        trigger_rate=it.trigger_rate,
        triggers=it.triggers,
        runs=it.runs,
        pass_=it.pass_,
        extras=it.extras,
    )


def use_trigger_results(it: models.TriggerResults) -> models.TriggerResults:
    return models.TriggerResults(
        skill_name=it.skill_name,
        description=it.description,
        results=it.results,
        summary=it.summary,
        schema=it.schema,
        extras=it.extras,
    )


def use_trigger_summary(it: models.TriggerSummary) -> models.TriggerSummary:
    return models.TriggerSummary(
        total=it.total,
        passed=it.passed,
        failed=it.failed,
        extras=it.extras,
    )


def use_user_notes_summary(it: models.UserNotesSummary) -> models.UserNotesSummary:
    return models.UserNotesSummary(
        uncertainties=it.uncertainties,
        needs_review=it.needs_review,
        workarounds=it.workarounds,
        extras=it.extras,
    )


def use_load(document: object) -> None:
    assert_type(load(document, "analysis"), models.Analysis)
    assert_type(load(document, "benchmark"), models.Benchmark)
    assert_type(load(document, "comparison"), models.Comparison)
    assert_type(load(document, "eval_metadata"), models.EvalMetadata)
    assert_type(load(document, "evals"), models.Evals)
    assert_type(load(document, "feedback"), models.Feedback)
    assert_type(load(document, "finalize_result"), models.FinalizeResult)
    assert_type(load(document, "findings"), models.Findings)
    assert_type(load(document, "grading"), models.Grading)
    assert_type(load(document, "history"), models.History)
    assert_type(load(document, "metrics"), models.Metrics)
    assert_type(load(document, "optimisation_results"), models.OptimisationResults)
    assert_type(load(document, "run"), models.Run)
    assert_type(load(document, "timing"), models.Timing)
    assert_type(load(document, "trigger_evals"), models.TriggerEvals)
    assert_type(load(document, "trigger_results"), models.TriggerResults)
    assert_type(load(document), models.Document)
