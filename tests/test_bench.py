"""The measurements work, on small inputs and without other tools; no time decides anything here."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bench import inputs, table
from bench.__main__ import COMPARISONS, PAGE, main
from bench.comparing import Options, Report, installed, ours, works
from bench.inputs import STATES, is_bad, texts
from bench.measuring import Failed, Ratio, Sample, Samples, in_turns, program, spread
from bench.peers import Environment, Peer
from bench.table import Aim, Key
from evalschema import check_bytes
from evalschema.bundling import bundled
from evalschema.verdict import validator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]
_RATIO = re.compile(r"[\d.]+( \([\d.]+ to [\d.]+\))?")


@pytest.fixture(scope="module")
def printed() -> str:
    """What a quick run without other tools prints."""
    command = [sys.executable, "-m", "bench", "--quick", "--alone"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def _tables(text: str) -> Iterator[tuple[list[str], list[list[str]]]]:
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, _, *body = ([cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines())
        yield head, body


def test_a_quick_run_measures_each_comparison_and_says_who_is_absent(printed: str) -> None:
    parts = dict(
        zip(re.findall(r"^## (\w+)$", printed, re.MULTILINE), re.split(r"^## \w+$", printed)[1:], strict=False)
    )
    assert tuple(re.findall(r"^## (\w+)$", printed, re.MULTILINE)) == COMPARISONS, parts
    assert printed.count("Absent: jsonvet: left out as asked for.") == len(COMPARISONS) + 1
    assert "Failed" not in printed
    assert printed.count("1 round; ") + printed.count("3 rounds in turns, median (quartiles); ") == len(COMPARISONS) + 2


def test_its_tables_hold_ratios_and_our_own_command_has_a_row_in_each(printed: str) -> None:
    seen = 0
    for head, body in _tables(printed):
        assert body, head
        assert {len(row) for row in body} == {len(head)}
        if head[1] == "aim":
            assert {row[4] for row in body} <= {"yes", "no", ""}
            assert all(row[2] == "not measured" or _RATIO.match(row[2]) for row in body)
            continue
        seen += 1
        assert all(_RATIO.fullmatch(cell) for row in body for cell in row[1:]), body
        assert "json.loads" in head[0] or body[0][0] == "evalschema"
        assert not any("jsonvet" in row[0] for row in body)
    assert seen == 2 * (len(COMPARISONS) + 1) + 1


def test_the_page_has_a_place_for_each_comparison() -> None:
    page = PAGE.read_text("utf-8")
    for name in COMPARISONS:
        assert page.count(f"<!-- bench {name} -->\n") == page.count(f"<!-- end of bench {name} -->\n") == 1
        part = page.partition(f"<!-- bench {name} -->")[2].partition("<!-- end")[0]
        assert list(_tables(part)), f"nothing was measured: python -m bench {name} --write"
        assert "Failed: evalschema" not in part


# --- inputs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "indent"), [(1500, 2), (2200, None)])
def test_documents_are_the_same_each_time_and_of_the_size_that_is_said(size: int, indent: int | None) -> None:
    made = list(texts(300, 0, size, indent))
    assert made == list(texts(300, 0, size, indent))
    assert len(set(made)) == 300
    assert 0.93 * size < sum(map(len, made)) / 300 < 1.07 * size


@pytest.mark.parametrize(("state", "share"), [("all valid", 0), ("1 % bad", 4), ("all bad", 400)])
def test_any_validator_refuses_just_the_bad_ones_and_we_find_nothing_in_the_others(state: str, share: int) -> None:
    accepts = validator(bundled("grading")).is_valid
    bad = 0
    for number, text in enumerate(texts(400, STATES[state], 1500)):
        sound = accepts(json.loads(text))
        assert sound != is_bad(number, STATES[state])
        assert sound == (not check_bytes(text, "grading").findings)
        bad += not sound
    assert bad == share


@pytest.mark.parametrize(("every", "bad"), [(0, [50]), (20, [10, 30, 50, 70, 90])])
def test_bad_runs_of_a_benchmark_are_found_where_they_are(every: int, bad: list[int]) -> None:
    sound = inputs.benchmark(100)
    assert not check_bytes(json.dumps(sound).encode(), "benchmark").findings
    found = check_bytes(json.dumps(inputs.with_bad_runs(sound, every)).encode(), "benchmark").findings
    assert [finding.pointer for finding in found] == [f"/runs/{number}/result/pass_rate" for number in bad]


@pytest.mark.parametrize("lay", [inputs.one_a_folder, inputs.in_100_folders])
def test_a_layout_holds_all_files(lay: Callable[[Path, int, int], inputs.Input], tmp_path: Path) -> None:
    given = lay(tmp_path, 250, 100)
    there = sorted(path for path in given.path.rglob("*.json") if path.is_file())
    assert len(there) == 250
    assert given.files == () or sorted(given.files) == there
    assert len({path.parent for path in there}) == (100 if given.files else 250)


# --- measuring -----------------------------------------------------------------------------------------------------


def test_the_spread_is_median_and_quartiles() -> None:
    ratios = [float(number * 37 % 101 + 1) for number in range(101)]
    assert spread(ratios) == Ratio(51, 26, 76)
    assert spread([2.5]) == Ratio(2.5, 2.5, 2.5)


def test_rounds_take_turns_forwards_and_backwards_and_go_on_without_who_fails() -> None:
    order: list[str] = []

    def work(name: str) -> Sample:
        order.append(name)
        if name == "b" and order.count("b") == 2:
            raise Failed("it broke")
        return Sample(len(order), 1, 1)

    samples = in_turns({name: partial(work, name) for name in "abc"}, 3)
    assert "".join(order) == "abccbaac"
    assert samples.failed == {"b": "it broke"}
    assert samples.ratio("a", "c", "elapsed") == spread([1 / 3, 6 / 4, 7 / 8])
    assert samples.ratio("a", "b", "elapsed") is None
    assert samples.memory("b") is None


def test_a_program_is_measured_with_what_it_starts_and_its_status_is_held_to(tmp_path: Path) -> None:
    grown = "x = b'x' * 60_000_000; import sys; print('no', 'good', sep='\\n', file=sys.stderr); sys.exit(3)"
    nested = f"import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', {grown!r}]))"
    sample = program([sys.executable, "-c", nested], tmp_path, status=3)
    assert sample.memory > 60
    assert sample.processor > 0
    with pytest.raises(Failed, match=r"^exit status 3 instead of 0: good$"):
        program([sys.executable, "-c", nested], tmp_path)
    with pytest.raises(Failed, match="could not be started"):
        program([str(tmp_path / "nothing")], tmp_path)


@pytest.mark.parametrize("engine", ["jsonschema", "jsonschema_rs", "none"])
@pytest.mark.parametrize("lay", [inputs.one_a_folder, inputs.lines])
def test_the_loop_tells_good_from_bad(
    engine: str, lay: Callable[[Path, int, int], inputs.Input], tmp_path: Path
) -> None:
    loop = [sys.executable, str(ROOT / "bench" / "loop.py"), "json", engine]
    for every in (0, 10):
        place = tmp_path / str(every)
        place.mkdir()
        given = lay(place, 10, every)
        program([*loop, str(given.schema), str(given.path)], place, 1 if every and engine != "none" else 0)


def test_who_cannot_be_installed_is_absent_and_the_others_are_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("bench.peers.PLACE", tmp_path)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    peer = Peer("a tool", Environment("a-tool", ("a-tool==1",)), lambda _: [])
    there, absent = installed([ours("evalschema"), peer], Options(1))
    assert [tool.name for tool in there] == ["evalschema"]
    assert absent["a tool"].startswith("a-tool==1 cannot be installed: ")
    assert "No matching distribution found for a-tool==1" in absent["a tool"]


def test_without_npm_its_tools_are_absent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("bench.peers.PLACE", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    peer = Peer("a tool", Environment("a-tool", ("a-tool@1",), "npm"), lambda _: [])
    assert installed([peer], Options(1)) == ([], {"a tool": "a-tool@1 cannot be installed: npm is not here"})
    assert installed([peer], Options(1))[1], "a second time as well"


def test_every_tool_is_told_schema_and_input(tmp_path: Path) -> None:
    from bench import peers

    given = inputs.in_100_folders(tmp_path, 3, 0)
    for name, peer in vars(peers).items():
        if isinstance(peer, Peer):
            command = peer.command(given)
            assert str(given.schema) in command, name
            assert str(given.path) in command or set(map(str, given.files)) <= set(command), name
    assert set(map(str, given.files)) <= set(ours("evalschema").command(given))
    assert set(works([ours("evalschema")], {"three": given})) == {("evalschema", "three")}


# --- tables --------------------------------------------------------------------------------------------------------


def _samples(**elapsed: float) -> Samples[Key]:
    return Samples({(name, "x"): [Sample(time, 2 * time, 50)] for name, time in elapsed.items()}, {})


@pytest.mark.parametrize(
    ("aim", "cells"),
    [
        (Aim("a", ("one", "x"), ("two", "x"), 2), ["a", "at most 2", "1.50", "1.50", "yes"]),
        (Aim("a", ("one", "x"), ("two", "x"), 1.25), ["a", "at most 1.25", "1.50", "1.50", "no"]),
        (Aim("a", ("one", "x"), ("two", "x"), 2, at_least=True), ["a", "at least 2", "1.50", "1.50", "no"]),
        (Aim("a", ("one", "x"), ("three", "x"), 2), ["a", "at most 2", "not measured", "", ""]),
        (Aim("a", ("one", "x"), ("two", "x"), 1, "memory"), ["a", "at most 1", "1.00", "", "yes"]),
        (Aim("a", ("one", "x"), None, 49, "memory"), ["a", "at most 49 MB", "50.0 MB", "", "no"]),
    ],
)
def test_an_aim_says_whether_it_is_kept(aim: Aim, cells: list[str]) -> None:
    assert aim.row(_samples(one=3, two=2)) == cells


def test_the_page_changes_between_its_markers_only(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- bench a -->\nold\n<!-- end of bench a -->\nafter\n", "utf-8")
    for _ in range(2):
        table.put(page, "a", "new")
        assert page.read_text("utf-8") == "before\n<!-- bench a -->\n\nnew\n\n<!-- end of bench a -->\nafter\n"
    with pytest.raises(ValueError, match="has no lines <!-- bench b -->"):
        table.put(page, "b", "new")


@pytest.mark.parametrize("broken", [(), ("evalschema on files: exit status 70",)])
def test_a_table_in_which_ours_failed_is_not_written(
    broken: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- bench files -->\nold\n<!-- end of bench files -->\n", "utf-8")
    monkeypatch.setattr("bench.__main__.PAGE", page)

    def measure(_: Options) -> Report:
        return Report("new", broken)

    monkeypatch.setattr("bench.files.measure", measure)
    assert main(["files", "--write"]) == (1 if broken else 0)
    assert ("new" in page.read_text("utf-8")) == (not broken)
    assert capsys.readouterr().err == "".join(f"{line}\n" for line in broken)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["nothing"], "no measurement nothing"), (["--quick", "--write"], "not worth writing down")],
)
def test_what_cannot_be_meant_is_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err
