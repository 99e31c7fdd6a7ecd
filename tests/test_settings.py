"""What a configuration may say, and how it is told that something in it is wrong; overrides and the files they fit."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from evalschema import Settings, SettingsError, UnknownKindError, check_bytes, check_file, check_lines
from evalschema.settings import Override, from_table

BAD = b'{"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": 99.4}'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("strct = true", "unknown key 'strct': did you mean 'strict'"),
        ('"a\\u202eb" = 1', r"unknown key 'a\\u202eb'"),
        ('strict = "yes"', "strict must be true or false"),
        ("strict = 1", "strict must be true or false"),
        ("max-findings = true", "max-findings must be an integer"),
        ("max-findings = 0", "at least 1"),
        ("elapsed-minimum = -1", "a number of seconds from 0"),
        ("elapsed-minimum = nan", "a number of seconds from 0"),
        ("elapsed-minimum = inf", "a number of seconds from 0"),
        ('elapsed-minimum = "30"', "elapsed-minimum must be a number"),
        ('fail-on = "never"', "fail-on is 'never', expected one of error, warning, info"),
        ('ignore = "TIM001"', "ignore must be a list"),
        ("ignore = [1]", "ignore must be a list of texts"),
        ('ignore = ["TIM01"]', "ignore: unknown code 'TIM01'"),
        ('ignore = ["tim001"]', "did you mean 'TIM001'"),
        ('select = ["schema.typ"]', "names no keyword of JSON Schema"),
        ('severity = {TIM001 = "fatal"}', "severity of TIM001 is 'fatal', expected one of"),
        ('severity = {TIM001 = ["error"]}', "severity of TIM001 is"),
        ("overrides = [1]", r"overrides\[0\] needs a path"),
        ("overrides = [{}]", r"overrides\[0\] needs a path"),
        ('overrides = [{path = " "}]', r"overrides\[0\]: path is empty, which fits no file"),
        ("overrides = [{path = 1}]", r"overrides\[0\]: path must be a text"),
        ('overrides = [{path = "a"}, {path = "b", ignore = ["X1"]}]', r"overrides\[1\]: ignore: unknown code 'X1'"),
        ('overrides = [{path = "a", strict = true}]', r"overrides\[0\]: unknown key 'strict'"),
    ],
)
def test_what_is_wrong_in_a_configuration_is_named(text: str, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        from_table(tomllib.loads(text), "evalschema.toml")


def test_a_kind_that_there_is_not_is_refused() -> None:
    with pytest.raises(UnknownKindError, match="did you mean 'grading'"):
        from_table({"overrides": [{"path": "a", "kind": "gradings"}]}, "evalschema.toml")


def test_everything_that_can_be_said() -> None:
    table = tomllib.loads("""
        strict = true
        select = ["TIM", "schema.type"]
        ignore = ["schema.required"]
        exclude = ["old/**"]
        severity = {TIM001 = "off"}
        fail-on = "warning"
        elapsed-minimum = 0.5
        extra-labels = true
        max-findings = 7
        [[overrides]]
        path = "runs/**"
        kind = "timing"
        ignore = ["TIM002"]
        severity = {TIM003 = "info"}
    """)
    assert from_table(table, "evalschema.toml") == Settings(
        strict=True,
        select=("TIM", "schema.type"),
        ignore=("schema.required",),
        exclude=("old/**",),
        severity={"TIM001": "off"},
        fail_on="warning",
        elapsed_minimum=0.5,
        extra_labels=True,
        max_findings=7,
        overrides=(Override("runs/**", ignore=("TIM002",), severity={"TIM003": "info"}, kind="timing"),),
    )


def test_overrides_hold_for_the_paths_they_fit_however_a_document_comes(tmp_path: Path) -> None:
    overrides = (
        Override("old/**", severity={"TIM001": "info"}),
        Override("old/kept/**", severity={"TIM001": "warning"}),
        Override("odd/*", kind="timing"),
    )
    settings = Settings(overrides=overrides)

    def severities(path: str | None) -> list[str]:
        result = check_bytes(BAD, path=path, settings=settings)
        assert result.kind == "timing"
        return [finding.severity for finding in result.findings if finding.code == "TIM001"]

    assert severities(None) == severities("new/timing.json") == severities("odd/x.json") == ["error"]
    assert severities("old/timing.json") == ["info"]
    # a later override stands on top of an earlier one
    assert severities("old/kept/timing.json") == ["warning"]

    lines = [result for _, result in check_lines(BAD + b"\n" + BAD, path="old/timing.jsonl", settings=settings)]
    assert [finding.severity for result in lines for finding in result.findings] == ["info", "info"]

    (tmp_path / "timing.json").write_bytes(BAD)
    everything = Settings(overrides=(Override("**/timing.json", severity={"TIM001": "off"}),))
    assert check_file(tmp_path / "timing.json").findings
    assert not check_file(tmp_path / "timing.json", settings=everything).findings
    # a kind that is given wins over one that an override names
    other = Settings(overrides=(Override("**", kind="grading"),))
    assert check_bytes(BAD, "timing", path="a.json", settings=other).kind == "timing"
    assert check_bytes(BAD, path="a.json", settings=other).kind == "grading"
