"""A baseline accepts what it has seen, at its place or wherever an item has moved, and nothing else."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalschema import check_bytes
from evalschema.baseline import Baseline, Record
from evalschema.catalog import kinds
from evalschema.errors import SettingsError
from evalschema.files import check_file, check_lines_file
from evalschema.finding import Finding, Result
from tests.dose import FULL
from tests.mutation import mutants
from tests.test_cli_check import run

if TYPE_CHECKING:
    from random import Random

GRADING: dict[str, Any] = {
    "expectations": [
        {"text": "Seven rows", "passed": True, "evidence": "rows 1 to 7"},
        {"text": "Local times", "passed": "no", "evidence": "UTC"},
        {"text": "A legend", "passed": "perhaps", "evidence": "below the table"},
    ],
    "summary": {"passed": 1, "failed": 3, "total": 3, "pass_rate": 0.33},
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def checked(
    document: Any, path: str = "grading.json", kind: str = "grading", indent: int | None = None
) -> tuple[Result, bytes]:
    data = json.dumps(document, indent=indent).encode()
    return check_bytes(data, cast("Any", kind), path=path), data


def recorded(*results: tuple[Result, bytes], path: str = "known.json") -> str:
    record = Record(path)
    for result, data in results:
        assert not record.accept(result, data).findings
    record.write()
    return path


def new(document: Any, baseline: str = "known.json", **how: Any) -> list[tuple[str, str]]:
    """Code and place of what is not accepted."""
    result, data = checked(document, **how)
    return [(finding.code, finding.pointer) for finding in Baseline(baseline).new(result, data).findings]


def changed(**places: Any) -> dict[str, Any]:
    document = deepcopy(GRADING)
    for place, value in places.items():
        *tokens, last = [int(token) if token.isdecimal() else token for token in place.split("__")]
        holder: Any = document
        for token in tokens:
            holder = holder[token]
        holder[last] = value
    return document


def test_everything_that_was_recorded_is_accepted() -> None:
    recorded(checked(GRADING))
    assert new(GRADING) == []
    assert len(checked(GRADING)[0].findings) >= 3


def test_lines_and_layout_do_not_matter() -> None:
    recorded(checked(GRADING))
    assert new(GRADING, indent=8) == []
    assert new({"note": "first", **GRADING}) == []


def test_another_value_at_a_known_place_is_new() -> None:
    recorded(checked(GRADING))
    assert new(changed(expectations__1__passed="never")) == [("schema.type", "/expectations/1/passed")]


def test_other_numbers_are_new() -> None:
    sums: dict[str, Any] = {
        "expectations": [{"text": "t", "passed": True, "evidence": "e"}],
        "summary": {"passed": 2, "failed": 0, "total": 1, "pass_rate": 1.0},
    }
    recorded(checked(sums))
    assert new(sums) == []
    sums["expectations"] = [*sums["expectations"], {"text": "u", "passed": False, "evidence": "e"}]
    assert ("GRD002", "/summary/passed") in new(sums)


def test_a_new_mistake_of_the_same_sort_is_new() -> None:
    recorded(checked(GRADING))
    assert new(changed(expectations__0__passed="yes")) == [("schema.type", "/expectations/0/passed")]


def test_an_item_that_has_moved_is_still_known() -> None:
    recorded(checked(GRADING))
    longer = deepcopy(GRADING)
    longer["expectations"].insert(0, {"text": "New", "passed": True, "evidence": "e"})
    assert [code for code, _ in new(longer) if code == "schema.type"] == []


def test_an_entry_accepts_one_finding_only() -> None:
    recorded(checked(GRADING))
    doubled = deepcopy(GRADING)
    doubled["expectations"].append(deepcopy(doubled["expectations"][1]))
    assert [place for code, place in new(doubled) if code == "schema.type"] == ["/expectations/3/passed"]


def test_what_stays_is_not_taken_for_what_has_moved() -> None:
    recorded(checked(GRADING))
    swapped = deepcopy(GRADING)
    swapped["expectations"][1]["passed"] = swapped["expectations"][2]["passed"]
    assert new(swapped) == [("schema.type", "/expectations/1/passed")]


def test_which_member_is_missing_matters() -> None:
    first: dict[str, Any] = {
        "expectations": GRADING["expectations"][:1],
        "summary": {"passed": 1, "failed": 0, "total": 1},
    }
    recorded(checked(first))
    assert new(first) == []
    del first["summary"]["failed"]
    first["summary"]["pass_rate"] = 1.0
    assert new(first) != []


def test_an_edit_elsewhere_does_not_bring_back_what_is_said_of_the_whole() -> None:
    lacking = {"expectations": GRADING["expectations"][:1]}
    recorded(checked(lacking))
    lacking["expectations"][0]["evidence"] = "rows 1 to 8"
    assert new(lacking) == []


def test_another_file_is_another_thing() -> None:
    recorded(checked(GRADING))
    assert new(GRADING, path="other/grading.json") != []


def test_paths_are_those_of_the_baseline_wherever_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    recorded(checked(GRADING, path=str(tmp_path / "sub" / "grading.json")))
    assert json.loads(Path("known.json").read_text("utf-8"))["findings"][0]["path"] == "sub/grading.json"
    monkeypatch.chdir(tmp_path / "sub")
    result, data = checked(GRADING, path="grading.json")
    assert not Baseline("../known.json").new(result, data).findings


def test_files_that_are_no_json_can_be_accepted_and_absent_ones_cannot() -> None:
    broken = b'{"expectations": [,'
    recorded((check_bytes(broken, "grading", path="grading.json"), broken))
    assert not Baseline("known.json").new(check_bytes(broken, "grading", path="grading.json"), broken).findings
    other = b'{"expectations": [1,,'
    assert Baseline("known.json").new(check_bytes(other, "grading", path="grading.json"), other).findings
    record = Record("more.json")
    assert record.accept(check_file("absent.json"), None).findings
    assert record.entries == []


def test_documents_on_lines_are_known_by_their_content() -> None:
    lines = [
        json.dumps({"total_tokens": 1, "duration_ms": n, "total_duration_seconds": str(n)}).encode()
        for n in range(1, 4)
    ]

    def of(*which: int) -> tuple[Result, bytes]:
        data = b"\n".join(lines[n] for n in which)
        return check_lines_file(data, "timing", path="all.jsonl"), data

    record = Record("known.json")
    record.accept(*of(0, 1), lines=True)
    record.write()
    assert not Baseline("known.json").new(*of(1, 0), lines=True).findings
    (finding,) = Baseline("known.json").new(*of(1, 2, 0), lines=True).findings
    assert finding.line == 2


# --- the file -----------------------------------------------------------------------------------------------------


def test_the_file_is_sorted_and_the_same_whatever_the_order() -> None:
    results = [checked(GRADING, path=f"{name}/grading.json") for name in "cab"]
    recorded(*results, path="one.json")
    recorded(*results[::-1], path="two.json")
    text = Path("one.json").read_text("utf-8")
    assert text == Path("two.json").read_text("utf-8")
    rows = [json.loads(line.strip().rstrip(",")) for line in text.splitlines() if line.startswith("    ")]
    assert rows == sorted(rows, key=lambda row: (row["path"], row["code"], row["pointer"], row["content"]))
    assert len(rows) == sum(len(result.findings) for result, _ in results)


def test_stale_entries_are_named_and_those_of_files_not_checked_are_not(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).mkdir()
        (tmp_path / name / "grading.json").write_text("{}", "utf-8")
    recorded(*(checked(GRADING, path=f"{name}/grading.json") for name in "abc"))
    (tmp_path / "c" / "grading.json").unlink()
    baseline = Baseline("known.json")
    baseline.new(*checked(changed(expectations__1__passed=False), path="a/grading.json"))
    stale = {(entry.path, entry.pointer) for entry in baseline.stale()}
    assert ("a/grading.json", "/expectations/1/passed") in stale
    assert {path for path, _ in stale} == {"a/grading.json", "c/grading.json"}


def test_recording_again_keeps_what_is_known_of_files_that_were_not_checked(tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text("{}", "utf-8")
    recorded(*(checked(GRADING, path=path) for path in ("a.json", "b.json", "gone.json")))
    recorded(checked(changed(expectations__1__passed=False), path="a.json"))
    entries = json.loads(Path("known.json").read_text("utf-8"))["findings"]
    assert {entry["path"] for entry in entries} == {"a.json", "b.json"}
    assert not [
        entry for entry in entries if entry["path"] == "a.json" and entry["pointer"] == "/expectations/1/passed"
    ]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "is no JSON"),
        ("{}", "is no baseline"),
        ('{"version": 1, "findings": [{"path": "a"}]}', "is no baseline"),
        ('{"version": 2, "findings": []}', "has version 2, 1 was expected"),
        (json.dumps(GRADING), "is no baseline"),
    ],
)
def test_what_is_no_baseline_is_neither_read_nor_overwritten(content: str, says: str) -> None:
    Path("other.json").write_text(content, "utf-8")
    for make in (Baseline, Record):
        with pytest.raises(SettingsError, match=says):
            make("other.json")
    run("--write-baseline", "other.json", "other.json", status=2)
    assert Path("other.json").read_text("utf-8") == content


def test_long_pointers_keep_the_file_small_and_are_told_apart() -> None:
    data = b"{}"
    one, two = (
        Result((Finding("A1", "a", "error", "/" + "k" * 5000 + end, "m"),), "grading", "g.json") for end in "ab"
    )
    recorded((one, data))
    assert Path("known.json").stat().st_size < 1000
    assert not Baseline("known.json").new(one, data).findings
    assert Baseline("known.json").new(two, data).findings


# --- at large -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", kinds())
def test_no_damage_is_new_after_it_was_recorded(kind: str) -> None:
    results = [checked(each, f"{n}.json", kind) for n, each in enumerate(mutants(kind, 100 if FULL else 20, seed=7))]
    recorded(*results)
    baseline = Baseline("known.json")
    assert not any(baseline.new(result, data).findings for result, data in results)
    assert baseline.stale() == []
    assert baseline.met == sum(len(result.findings) for result, _ in results)


@settings(max_examples=300 if FULL else 30, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 3))
def test_items_may_be_put_in_any_order(random: Random, count: int) -> None:
    words = ["no", "perhaps", 3, None]
    items = [{"text": f"t{n}", "passed": random.choice(words), "evidence": "e"} for n in range(count * 3)]
    summary = {"passed": 0, "failed": count, "total": count, "pass_rate": 0.0}
    recorded(checked({"expectations": items, "summary": summary}), path="any.json")
    random.shuffle(items)
    left = new({"expectations": items, "summary": summary}, "any.json")
    Path("any.json").unlink()
    assert [code for code, _ in left if code.startswith("schema.")] == []


# --- as a program -------------------------------------------------------------------------------------------------


def test_adopting_the_tool_in_an_old_workspace(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    old = tmp_path / "old" / "grading.json"
    old.write_text(json.dumps(GRADING, indent=2), "utf-8")
    run(".", status=1)
    written = run("--write-baseline", "known.json", ".", status=0)
    assert re.fullmatch(r"known.json: \d+ findings accepted from now on\n", written.stderr)
    again = run("--baseline", "known.json", ".", status=0)
    assert again.stdout == "1 file checked, nothing found\n"
    assert re.fullmatch(r"baseline: \d+ accepted findings not shown\n", again.stderr)
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "grading.json").write_text(json.dumps(GRADING), "utf-8")
    done = run("--baseline", "known.json", ".", status=1)
    assert "new/grading.json" in done.stdout
    assert "old/grading.json" not in done.stdout
    old.write_text(json.dumps(changed(expectations__1__passed=False), indent=2), "utf-8")
    said = run("--baseline", "known.json", "old").stderr
    assert "baseline: schema.type at /expectations/1/passed of old/grading.json is gone\n" in said
    assert re.search(
        r"^baseline: nothing is left of \d findings?; --write-baseline renews the file$", said, re.MULTILINE
    )


def test_accepted_findings_take_no_room_of_new_ones(tmp_path: Path) -> None:
    many = {"expectations": [{"text": f"t{n}", "passed": "no", "evidence": "e"} for n in range(150)]}
    (tmp_path / "grading.json").write_text(json.dumps(many), "utf-8")
    run("--write-baseline", "known.json", ".", status=0)
    assert len(json.loads(Path("known.json").read_text("utf-8"))["findings"]) >= 150
    many["expectations"].append({"text": "t", "passed": "new", "evidence": "e"})
    (tmp_path / "grading.json").write_text(json.dumps(many), "utf-8")
    (entry,) = json.loads(run("--baseline", "known.json", "--format", "json", ".", status=1).stdout)["files"]
    assert [finding["pointer"] for finding in entry["findings"]] == ["/expectations/150/passed"]
