"""The report: verdicts and figures that follow from the files, a page that people can use and that obeys nobody."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from copy import deepcopy
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from evalschema import check_bytes
from evalschema.aggregate import aggregate
from evalschema.catalog import kinds
from evalschema.finding import SEVERITIES, Finding, Result
from evalschema.output import Count
from evalschema.report import comment, page
from evalschema.report.charts import chart, difference
from evalschema.report.figures import Benchmark, Errors, Point, Strip
from evalschema.report.gathering import Material, gather
from evalschema.report.verdicts import verdict
from evalschema.settings import DEFAULT
from tests.chromium import Page
from tests.mutation import examples
from tests.trees import TREES, names

DEMO = Path(__file__).parents[1] / "docs" / "demo"
# Short enough to be shown in full wherever a text of a document is shown.
INJECTED = "\"'><img src=x onerror=pwned=1><b>"
VOID = {"meta", "input", "link", "br", "img", "hr", "base", "embed"}


def demo(name: str, folder: Path) -> Path:
    """A copy of an example workspace."""
    return Path(shutil.copytree(DEMO / name, folder / name))


def changed(path: Path, *at: str | int, value: Any) -> None:
    """Write another value at a place of a file."""
    document = place = json.loads(path.read_text("utf-8"))
    for token in at[:-1]:
        place = place[token]
    place[at[-1]] = value
    path.write_text(json.dumps(document, indent=2), "utf-8")


def gathered(*paths: Path) -> Material:
    return gather([str(path) for path in paths], DEFAULT)


def html(material: Material) -> str:
    return "".join(page.render(material))


# --- verdicts -----------------------------------------------------------------------------------------------------


def only(folder: Path) -> Benchmark:
    (benchmark,) = gathered(folder).benchmarks
    return benchmark


def test_a_benchmark_that_follows_from_its_files_holds(tmp_path: Path) -> None:
    judged = verdict(only(demo("healthy", tmp_path)))
    assert judged.level == "holds"
    assert judged.sentence == (
        "All 6 means that it states follow from the 8 gradings and 8 timings beside it, and nothing was found against "
        "any of these files."
    )
    assert judged.reasons == ()


def test_a_benchmark_with_errors_fails(tmp_path: Path) -> None:
    judged = verdict(only(demo("broken", tmp_path)))
    assert judged.level == "fails"
    assert judged.sentence == (
        "The benchmark itself has 3 errors, 3 of 8 gradings have errors, and 1 of 8 timings has errors."
    )


def test_a_mean_that_is_not_that_of_the_files_is_told(tmp_path: Path) -> None:
    folder = demo("healthy", tmp_path)
    changed(folder / "iteration-1/benchmark.json", "run_summary", "with_skill", "pass_rate", "mean", value=0.5)
    judged = verdict(only(folder))
    assert judged.level == "fails"
    assert judged.sentence.startswith("1 of the 6 means that it states is not what its files say")
    assert judged.reasons[0] == (
        "with_skill: the benchmark says 50 % as the mean pass rate, the files of its 4 runs say 91.7 %"
    )


def test_a_mean_within_rounding_follows(tmp_path: Path) -> None:
    folder = demo("healthy", tmp_path)
    changed(folder / "iteration-1/benchmark.json", "run_summary", "with_skill", "pass_rate", "mean", value=0.92)
    assert {strip.standing for strip in only(folder).strips} == {"follows"}


def test_a_mean_that_no_file_tells_is_not_trusted_blindly(tmp_path: Path) -> None:
    folder = demo("healthy", tmp_path)
    next(folder.rglob("with_skill/run-1/timing.json")).unlink()
    benchmark = only(folder)
    untold = {(strip.configuration, strip.metric) for strip in benchmark.strips if strip.standing == "untold"}
    assert untold == {("with_skill", "time_seconds"), ("with_skill", "tokens")}
    judged = verdict(benchmark)
    assert judged.level == "care"
    assert judged.sentence.startswith("4 of the 6 means that it states follow from the 8 gradings and 7 timings")


def test_without_a_benchmark_or_gradings_it_cannot_be_told(tmp_path: Path) -> None:
    folder = demo("healthy", tmp_path)
    benchmark = folder / "iteration-1/benchmark.json"
    alone = tmp_path / "alone/benchmark.json"
    alone.parent.mkdir()
    shutil.move(benchmark, alone)
    judged = verdict(only(folder))
    assert judged.level == "open"
    assert judged.sentence == "There is no benchmark here: what is shown was computed from 8 gradings."
    for path in (alone, alone.parent):
        judged = verdict(only(path))
        assert judged.level == "open"
        assert judged.sentence == (
            "No grading lies beside it, so that none of the 6 means that it states can be traced to a run."
        )


@pytest.mark.parametrize("name", names())
def test_what_has_errors_is_never_trusted(name: str) -> None:
    material = gathered(TREES / name)
    for benchmark in material.benchmarks:
        errors = benchmark.errors
        level = verdict(benchmark).level
        if errors.benchmark or errors.gradings or errors.timings:
            assert level == "fails"
        elif errors.others or errors.warnings:
            assert level != "holds"
    assert html(material).count("</article>") == len(material.benchmarks)


@pytest.mark.parametrize("name", names())
def test_results_are_those_of_check(name: str) -> None:
    from evalschema import check_workspace

    ours = {result.path: result.findings for result in gathered(TREES / name).results}
    assert ours == {result.path: result.findings for result in check_workspace(TREES / name)}


def test_figures_are_those_of_aggregate(tmp_path: Path) -> None:
    folder = demo("healthy", tmp_path)
    made = aggregate(folder).benchmark
    assert made is not None
    for strip in only(folder).strips:
        statistic = made["run_summary"][strip.configuration][strip.metric]
        assert strip.mean == pytest.approx(statistic["mean"], abs=1e-4)
        assert strip.deviation == pytest.approx(statistic["stddev"], abs=1e-4)
        assert len(strip.points) == 4


# --- charts -------------------------------------------------------------------------------------------------------


def strip(configuration: str, *values: float, metric: str = "pass_rate") -> Strip:
    return Strip(metric, configuration, tuple(Point(value, "a run", sound=True) for value in values), 0, None, None)


def test_points_lie_where_their_values_are() -> None:
    drawn = chart("pass_rate", [strip("with_skill", 0, 0.5, 1, 1)])
    assert drawn is not None
    assert [text for _, text in drawn.ticks] == ["0 %", "25 %", "50 %", "75 %", "100 %"]
    (row,) = drawn.rows
    assert [dot.x for dot in row.dots] == ["2.00%", "50.00%", "98.00%", "98.00%"]
    # equal values lie one above the other
    assert row.dots[2].y != row.dots[3].y
    assert row.mean == "62.5 %"


@pytest.mark.parametrize(
    "values", [(0,), (-5, 7), (1e15, 1), (1e-12, 2e-12), (3.3,) * 600, (0.1, 1e9), (-1, -2), (0, 0)], ids=str
)
@pytest.mark.parametrize("metric", ["pass_rate", "time_seconds", "tokens"])
def test_nothing_leaves_the_drawing(values: tuple[float, ...], metric: str) -> None:
    drawn = chart(metric, [strip("a", *values, metric=metric)])
    assert drawn is not None
    assert 2 <= len(drawn.ticks) <= 7
    places = [x for x, _ in drawn.ticks]
    for row in drawn.rows:
        places += [row.mean_x, row.low_x, row.high_x, *(dot.x for dot in row.dots)]
        assert all(0 < float(dot.y) < 46 for dot in row.dots)
    assert all(2 <= float(place.rstrip("%")) <= 98 for place in places)


def test_mean_and_number_are_those_of_all_runs() -> None:
    drawn = chart("pass_rate", [strip("a", *(0.0,) * 500, *(1.0,) * 500)])
    assert drawn is not None
    (row,) = drawn.rows
    assert (len(row.dots), row.runs, row.mean, row.deviation) == (500, 1000, "50 %", "50 points")


@pytest.mark.parametrize(
    ("new", "old", "words"),
    [
        ((1, 1), (0.5, 0.5), "On average with_skill passes 50 percentage points more than without_skill."),
        ((0.4, 0.4), (0.5, 0.5), "On average with_skill passes 10 percentage points fewer than without_skill."),
        ((0.5, 0.5), (0.5, 0.5), "On average with_skill and without_skill do not differ."),
        ((1,), (0.5,), "On average with_skill passes 50 percentage points more than without_skill: one run each"),
        ((0, 1), (0.4, 0.4), "On average with_skill passes 10 percentage points more than without_skill; but runs of "),
    ],
)
def test_a_difference_is_told_with_its_doubt(new: tuple[float, ...], old: tuple[float, ...], words: str) -> None:
    told = difference([strip("with_skill", *new), strip("without_skill", *old)])
    assert told is not None
    assert told.startswith(words)


def test_no_difference_among_three_of_unknown_order() -> None:
    assert difference([strip(name, 1) for name in ("a", "b", "c")]) is None


# --- nothing that stands in a document acts -----------------------------------------------------------------------


def texts(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The places of all texts in a JSON value."""
    if isinstance(value, str):
        yield at
    elif isinstance(value, dict | list):
        for token, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from texts(item, (*at, token))


def injected(document: Any, *places: tuple[str | int, ...]) -> Any:
    """The document with the injection at some places; one below another that was replaced is gone."""
    if () in places:
        return INJECTED
    made = deepcopy(document)
    for at in places:
        place = made
        for token in at[:-1]:
            place = place[token]
        place[at[-1]] = INJECTED
    return made


def documents_with_injections() -> Iterator[tuple[str, Any]]:
    """Of every kind: an example with the injection in each of its texts, one at a time, and in all of them."""
    for kind in kinds():
        seen: set[tuple[str | int, ...]] = set()
        for document in examples(kind):
            places = list(texts(document))
            new = [at for at in places if tuple("*" if isinstance(token, int) else token for token in at) not in seen]
            seen |= {tuple("*" if isinstance(token, int) else token for token in at) for at in places}
            yield from ((kind, injected(document, at)) for at in new)
            if new:
                yield kind, injected(document, *places)
                if isinstance(document, dict):
                    yield kind, {**document, INJECTED: 1}
                    yield kind, {INJECTED if i == 0 else name: each for i, (name, each) in enumerate(document.items())}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Material:
    """Everything that can be injected: texts of all kinds, workspaces, and names of files."""
    folder = tmp_path_factory.mktemp("hostile")
    for number, file in enumerate(sorted((DEMO / "healthy/iteration-1").rglob("*.json"))):
        document = json.loads(file.read_text("utf-8"))
        for part, at in enumerate(texts(document)):
            if part < 12:
                copy = demo("healthy", folder / f"{number}-{part}")
                changed(copy / "iteration-1" / file.relative_to(DEMO / "healthy/iteration-1"), *at, value=INJECTED)
    named = demo("broken", folder / INJECTED)
    for path in sorted(named.rglob("with_skill"), reverse=True):
        path.rename(path.with_name(INJECTED))
    material = gathered(folder)
    for kind, document in documents_with_injections():
        data = json.dumps(document).encode()
        material.results.append(check_bytes(data, kind, path=f"{INJECTED}/{kind}.json"))  # type: ignore[arg-type]
    return material


class Tags(HTMLParser):
    """The elements and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element that is closed where it begins."""
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """The begin of an element."""
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """The end of an element, which has to be the last one that began."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text."""
        self.text.append(data)


def test_the_page_has_no_element_but_ours(hostile: Material) -> None:
    ours, theirs = Tags(), Tags()
    ours.feed(html(gathered(DEMO / "broken", DEMO / "healthy")))
    theirs.feed(html(hostile))
    assert ours.open == theirs.open == []
    assert theirs.tags <= ours.tags | {"ol", "li"}
    assert theirs.attributes <= ours.attributes
    assert not {"style", "href", "src"} & (ours.attributes - {"href"})
    assert sum(INJECTED in text for text in theirs.text) > 200


def test_the_comment_has_nothing_that_acts(hostile: Material) -> None:
    text = "".join(comment.render(hostile))
    assert len(text) < 65_536
    assert text.count("<!--") == 2
    assert INJECTED in text
    for token in MarkdownIt("gfm-like").parse(text):
        for part in (token, *(token.children or ())):
            assert part.type not in ("link_open", "image"), part
            if part.type in ("html_inline", "html_block"):
                assert part.content.strip() in ("<br>", "<!-- evalschema report -->", "<!-- evalschema -->"), part


def test_the_comment_stays_short_with_many_benchmarks(tmp_path: Path) -> None:
    for number in range(40):
        demo("broken", tmp_path / str(number))
    text = "".join(comment.render(gathered(tmp_path)))
    assert len(text) < 65_536
    assert "## Of 40 benchmarks, 40 cannot be trusted as they stand." in text
    assert "more benchmarks" in text


# --- in a browser -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """One browser for all tests."""
    opened = Page(tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


def shown(browser: Page, material: Material, folder: Path) -> float:
    """The seconds until the page could be used; it asks nothing of a network, and nothing in it is complained of."""
    browser.media()
    browser.size(1200, 900)
    path = folder / "report.html"
    path.write_text(html(material), "utf-8")
    seconds = browser.open(path)
    assert_quiet(browser, path)
    return seconds


def assert_quiet(browser: Page, path: Path) -> None:
    asked = [
        event["params"]["request"]["url"] for event in browser.events if event["method"] == "Network.requestWillBeSent"
    ]
    assert asked == [path.as_uri()]
    told = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
    assert [event for event in browser.events if event["method"] in told] == []


@pytest.fixture
def broken(browser: Page, tmp_path: Path) -> Page:
    """The browser with the page of the broken workspace and some findings of every severity."""
    material = gathered(demo("broken", tmp_path))
    extra = [
        Finding(code="TIM001", name="zero-tokens", severity="warning", kind="timing", pointer="/a", message="a zero"),
        Finding(code="RUN009", name="odd", severity="info", kind="run", pointer="/b", message="something odd"),
    ]
    material.results.append(Result(tuple(extra), "run", "zeta/run.json"))
    shown(browser, material, tmp_path)
    return browser


VISIBLE = "[...document.querySelectorAll('#list li')]"


def visible(browser: Page, name: str) -> list[str]:
    found: list[str] = browser.run(f"{VISIBLE}.map(row => row.{name})")
    return found


def set_control(browser: Page, name: str, value: str) -> None:
    """Choose a value as a person does, with the event that follows."""
    browser.run(
        f"(() => {{ const control = document.querySelector('[name={name}]'); control.value = {json.dumps(value)};"
        "control.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )


def test_findings_are_sorted(broken: Page) -> None:
    everything = visible(broken, "textContent")
    ranks = [list(SEVERITIES).index(each) for each in visible(broken, "className")]  # type: ignore[arg-type]
    assert ranks == sorted(ranks)
    for by, member in (("code", "dataset.code"), ("kind", "dataset.kind"), ("file", "dataset.file")):
        set_control(broken, "sort", by)
        key = f"{VISIBLE}.every((row, i, all) => !i || all[i - 1].{member} <= row.{member})"
        broken.until(key if by != "file" else key.replace("dataset.file", "dataset.file * 1"))
    broken.run("document.querySelector('[name=reverse]').click()")
    broken.until(f"{VISIBLE}[0].dataset.path === 'zeta/run.json'")
    broken.run("document.querySelector('#filter button[type=reset]').click()")
    broken.until(f"{VISIBLE}[0].className === 'error'")
    assert visible(broken, "textContent") == everything


@pytest.mark.parametrize(
    ("control", "value", "member", "expected"),
    [
        ("kind", "timing", "dataset.kind", {"timing"}),
        ("code", "GRD002", "dataset.code", {"GRD002"}),
        ("file", "ZETA", "dataset.path", {"zeta/run.json"}),
        ("text", "a zero", "dataset.code", {"TIM001"}),
        ("text", "rename config to configuration", "dataset.code", {"name.alias"}),
    ],
)
def test_findings_are_filtered(broken: Page, control: str, value: str, member: str, expected: set[str]) -> None:
    count = len(visible(broken, "className"))
    set_control(broken, control, value)
    broken.until(f"{VISIBLE}.length < {count}")
    found = visible(broken, member)
    assert set(found) == expected
    assert broken.run("document.getElementById('shown').textContent") == f"{len(found)} of {count} shown"


def test_a_severity_is_switched_off(broken: Page) -> None:
    broken.run("document.querySelector('[name=severity][value=error]').click()")
    broken.until(f"{VISIBLE}.length === 2")
    assert visible(broken, "className") == ["warning", "info"]


def test_a_cost_leads_to_its_findings(broken: Page) -> None:
    cost = broken.run("document.querySelector('[data-cost]').dataset.cost")
    broken.run("document.querySelector('[data-cost]').click()")
    rows = visible(broken, "textContent")
    assert rows
    assert all(cost in row for row in rows)
    assert broken.run("document.activeElement.id") == "findings"


def test_everything_is_reached_and_seen_with_the_keyboard(broken: Page) -> None:
    reachable = broken.run(
        "[...document.querySelectorAll('a, button, input, select, summary, [tabindex=\"0\"]')]"
        ".filter(each => each.checkVisibility()).length"
    )
    for stop in range(reachable):
        broken.press("Tab", code=9)
        state = broken.run(
            "(() => { const here = document.activeElement, style = getComputedStyle(here);"
            "return [here.matches(':focus-visible'), style.outlineStyle, parseFloat(style.outlineWidth)] })()"
        )
        assert state[0], f"stop {stop} of {reachable}"
        assert state[1] == "solid"
        assert state[2] >= 2
    assert broken.run("document.activeElement.closest('details').className") == "words"


def test_the_keyboard_works_the_page(broken: Page) -> None:
    broken.press("Tab", code=9)
    assert broken.run("document.activeElement.textContent") == "Skip to the findings"
    broken.press("Enter", "\r", code=13)
    broken.until("document.activeElement.id === 'findings'")
    broken.press("Tab", code=9)
    assert broken.run("document.activeElement.value") == "error"
    broken.press(" ", " ", code=32)
    broken.until(f"{VISIBLE}.length === 2")
    broken.run("document.querySelector('[name=text]').focus()")
    broken.type("odd")
    broken.until(f"{VISIBLE}.length === 1")
    broken.run("document.querySelector('.numbers > summary').focus()")
    broken.press("Enter", "\r", code=13)
    broken.until("document.querySelector('.numbers').open")


CONTRASTS = """
(() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => {
    const [r, g, b] = parts(color).map(c => (c /= 255) <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const ground = (element) => {
    for (; element; element = element.parentElement) {
      const color = getComputedStyle(element).backgroundColor;
      if ((parts(color)[3] ?? 1) > 0) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const low = [];
  for (const each of document.querySelectorAll("body *")) {
    const own = [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!own || !each.checkVisibility() || ["SCRIPT", "OPTION", "TITLE"].includes(each.tagName)) continue;
    const style = getComputedStyle(each);
    const color = each.tagName === "text" ? style.fill : style.color;
    const [a, b] = [light(color), light(ground(each))].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05);
    if (ratio < 4.5) low.push([each.tagName, each.className, each.textContent.slice(0, 40), ratio]);
  }
  return low;
})()
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(broken: Page, scheme: str) -> None:
    broken.media(scheme=scheme)
    red, green, blue = json.loads(
        broken.run("JSON.stringify(getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number))")
    )
    assert (red + green + blue < 150) == (scheme == "dark")
    assert broken.run(CONTRASTS) == []


@pytest.mark.parametrize("width", [360, 768, 1600])
def test_nothing_sticks_out(broken: Page, width: int) -> None:
    broken.size(width, 900)
    assert broken.run("document.documentElement.scrollWidth") <= width


def test_paper_shows_everything(broken: Page) -> None:
    broken.media(scheme="dark")
    broken.run(
        "addEventListener('beforeprint', () => { closed = document.querySelectorAll('details:not([open])').length })"
    )
    assert broken.run("document.querySelectorAll('details:not([open])').length") > 0
    assert broken.paper().startswith(b"%PDF-")
    assert broken.run("closed") == 0
    assert broken.run("document.querySelectorAll('details:not([open])').length") > 0
    broken.media("print", "dark")
    assert broken.run("document.getElementById('filter').checkVisibility()") is False
    assert broken.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    parts = "[...document.querySelectorAll('.part')]"
    assert broken.run(
        f"{parts}.length && {parts}.every(part => getComputedStyle(part).contentVisibility === 'visible')"
    )


def test_nothing_that_is_injected_acts(browser: Page, hostile: Material, tmp_path: Path) -> None:
    shown(browser, hostile, tmp_path)
    for button in ("[data-cost]", "#filter [type=reset]"):
        browser.run(f"document.querySelector('{button}').click()")
    set_control(browser, "text", INJECTED)
    browser.until("document.getElementById('shown').textContent.includes(' of ')")
    assert len(visible(browser, "className")) > 100
    assert browser.run("typeof pwned") == "undefined"
    assert browser.run("document.querySelectorAll('img, iframe, object, embed, link, base, [style]').length") == 0
    assert browser.run("document.scripts.length") == 1
    strange = (
        "[...document.querySelectorAll('*')].filter(each => [...each.attributes].some(a => a.name.startsWith('on')))"
    )
    assert browser.run(f"{strange}.length") == 0
    assert_quiet(browser, tmp_path / "report.html")


def test_the_policy_refuses_what_is_not_ours(broken: Page) -> None:
    refused = "(() => {{ try {{ {}; return 'done' }} catch (error) {{ return error.name }} }})()"
    assert broken.run(refused.format("document.body.insertAdjacentHTML('beforeend', '<b>x</b>')")) == "TypeError"
    for act in (
        "document.body.append(Object.assign(new Image(), {src: 'https://tracker.example/x.png'}))",
        "document.body.append(Object.assign(document.createElement('link'), "
        "{rel: 'stylesheet', href: 'https://tracker.example/x.css'}))",
        "fetch('https://tracker.example/').catch(() => 0)",
    ):
        broken.events.clear()
        broken.run(f"{act}; 0")
        broken.run("new Promise(done => setTimeout(done, 50))")
        refusals = [event for event in broken.events if event["method"] == "Log.entryAdded"]
        assert any("Content Security Policy" in event["params"]["entry"]["text"] for event in refusals), act


def test_ten_thousand_findings_do_not_freeze_the_page(
    browser: Page, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def finding(i: int, j: int) -> Finding:
        return Finding(
            code=("GRD002", "schema.required", "name.alias", "WSP006")[j % 4],
            name="some-name",
            severity=SEVERITIES[(i + j) % 3],
            kind=("grading", "benchmark", "timing")[j % 3],
            pointer=f"/expectations/{j}/member-{j}",
            message=f"passed is {j}, but {i} of the {i + j} listed expectations have `passed` true: write {i}",
            consequence=f"the viewer draws it as it stands, beside {j % 40} checks that say otherwise",
            suggestion=f"write {i}",
            line=j + 1,
            column=7,
        )

    results = [
        Result(tuple(finding(i, j) for j in range(100)), "grading", f"iteration-1/eval-{i}/with_skill/grading.json")
        for i in range(100)
    ]
    began = time.monotonic()
    material = Material(("iteration-1",), results)
    size = len(html(material))
    made = time.monotonic() - began
    opened = shown(browser, material, tmp_path)
    assert browser.run("document.querySelectorAll('#list li').length") == 10_000
    painted = "new Promise(done => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 130))"
    took: dict[str, float] = {}
    for name, value in (("sort", "code"), ("text", "expectations have passed"), ("kind", "timing")):
        began = time.monotonic()
        set_control(browser, name, value)
        browser.run(painted)
        took[f"{name} {value}"] = time.monotonic() - began - 0.13
    began = time.monotonic()
    browser.run("scrollTo({top: document.body.scrollHeight / 2, behavior: 'instant'})")
    browser.run(painted)
    took["scroll"] = time.monotonic() - began - 0.13
    assert len(visible(browser, "className")) == 3300
    steps = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in took.items())
    with capsys.disabled():
        print(f"\n10,000 findings: made in {made:.1f} s, {size / 1e6:.1f} MB, usable after {opened:.2f} s; {steps}")
    # generous: a shared machine may be ten times as slow as a person's own
    assert max(opened, *took.values()) < 30


# --- the command --------------------------------------------------------------------------------------------------


def run(*arguments: str, cwd: Path, code: str | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    start = ["-c", code] if code else ["-m", "evalschema"]
    done = subprocess.run(
        [sys.executable, *start, "report", *arguments],
        capture_output=True, text=True, check=False, timeout=60, cwd=cwd, env={**os.environ, **more},
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["healthy"], 0),
        (["broken"], 1),
        (["healthy", "broken/evals"], 1),
        (["healthy", "no-such-folder"], 1),
        (["--ignore", "EVL001", "broken/evals"], 0),
        (["--ignore", "EVL000", "broken/evals"], 2),
        (["empty"], 5),
        (["-"], 2),
        ([], 2),
        (["healthy", "-o", "no-such-folder/report.html"], 3),
    ],
)
def test_exit_status(tmp_path: Path, arguments: list[str], status: int) -> None:
    demo("healthy", tmp_path)
    demo("broken", tmp_path)
    (tmp_path / "empty").mkdir()
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == status, done.stderr
    assert done.stdout.startswith("<!doctype html>") == (status < 2)
    assert done.stdout.endswith("</html>\n") == (status < 2)


def test_an_older_report_is_replaced_as_a_whole(tmp_path: Path) -> None:
    demo("healthy", tmp_path)
    target = tmp_path / "report.html"
    target.write_text("older", "utf-8")
    assert run("nothing-here/..", "-o", "report.html", "--config", "none.toml", cwd=tmp_path).returncode == 2
    assert target.read_text("utf-8") == "older"
    done = run("healthy", "-o", "report.html", cwd=tmp_path, SOURCE_DATE_EPOCH="1700000000")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "report.html: written\n")
    first = target.read_text("utf-8")
    assert "2023-11-14 22:13 UTC" in first
    run("healthy", "-o", "report.html", cwd=tmp_path, SOURCE_DATE_EPOCH="1700000000")
    assert target.read_text("utf-8") == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["healthy", "report.html"]


def test_the_name_of_the_file_tells_the_format(tmp_path: Path) -> None:
    demo("healthy", tmp_path)
    run("healthy", "-o", "report.md", cwd=tmp_path)
    text = (tmp_path / "report.md").read_text("utf-8")
    assert text.startswith("<!-- evalschema report -->\n## The benchmark can be trusted.\n")
    assert "| Pass rate | `with_skill` | 4 | 91.7 % | 16.7 points | 91.8 % |" in text
    assert run("healthy", "--format", "markdown", cwd=tmp_path).stdout == text


def test_without_jinja_it_is_said_how_to_get_it(tmp_path: Path) -> None:
    demo("healthy", tmp_path)
    without = "import sys; sys.modules['jinja2'] = None; from evalschema.cli import main; main()"
    done = run("healthy", cwd=tmp_path, code=without)
    assert done.returncode == 2
    assert "jinja2 is not installed: pip install 'evalschema[report]'" in done.stderr
    assert run("healthy", "--format", "markdown", cwd=tmp_path, code=without).returncode == 0


def test_json_lines_are_part_of_it(tmp_path: Path) -> None:
    line = json.dumps({"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": "23.4"})
    path = tmp_path / "timings.jsonl"
    path.write_text(f"{line}\n{line}\n", "utf-8")
    material = gathered(path)
    assert [len(result.errors) for result in material.results] == [2]
    assert page.headline([], Count()) == "0 files checked: no error was found."


def test_many_benchmarks_are_folded_up(browser: Page, tmp_path: Path) -> None:
    for number in range(5):
        demo("healthy", tmp_path / str(number))
    shown(browser, gathered(tmp_path), tmp_path)
    assert browser.run("document.querySelectorAll('details.benchmark[open]').length") == 0
    browser.run("document.querySelector('.card a[href=\"#benchmark-3\"]').click()")
    browser.until("document.getElementById('benchmark-3').open")


def test_a_verdict_has_no_numbers_that_nothing_tells() -> None:
    nothing = Benchmark(".", "benchmark.json", None, (), (), (), 0, 3, 0, 3, Errors(0, 0, 0, 0, 0, 0))
    assert verdict(nothing).level == "open"
    assert verdict(nothing).sentence == "It states no mean that could be compared with its files."
