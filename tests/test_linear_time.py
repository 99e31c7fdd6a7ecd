"""No text takes more than its share of time: patterns by their structure, loops by the number of their steps."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache, partial
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from bench.scores import CONTEST, SHAPES, text_of
from evalschema import check_bytes, verdict
from evalschema.catalog import kinds
from evalschema.diagnosis import diagnosis
from evalschema.excerpt import excerpt
from evalschema.fix.tree import Text
from evalschema.instants import is_instant
from evalschema.likeness import closest
from evalschema.positions import Lines, spans
from evalschema.scores import stated_score
from tests.dose import dose
from tests.fuzz.replay import inputs, target
from tests.mutation import examples
from tests.patterns import objections
from tests.steps import Machine, TooManyStepsError, attacks

if TYPE_CHECKING:
    from tests.conftest import Figure

ROOT = Path(__file__).parents[1]
SCHEMAS = ROOT / "schemas"
_SEARCHING = {"search", "sub", "subn", "split", "findall", "finditer"}
_FUNCTIONS = {"compile", "match", "fullmatch"} | _SEARCHING

# Patterns that the structure alone does not clear, each with the reason why it is linear all the same; a test counts.
CLEARED = {
    "fix.repairing._FENCED": "each line is tried once as the last one, and the blanks at its beginning are read then",
    "scores._COMMENTS": "each alternative takes all that it looked at, or leaves it to one that does",
    "scores._COMMENT_IN_FENCE": "a comment without an end is taken up to the end of the fence",
    "codegen.sbom._PIN": "reads our own requirements, each block once",
    "remarks._DELIMITERS": "each round is kept once it has matched, so that its colons are not shared out anew",
    "remarks._INSTRUCTION": "names and weights have a limited length, and twenty of them at most are looked at",
    "remarks._MARKS": "what two of its branches match is taken at once, and never given back",
    "scores._JSON": "a run of tokens is taken whole, whether its brackets match or not",
    "scores._OBJECT": "blank lines behind a fence are read once, for no fence begins within them",
}
# Patterns that may be slow and meet short texts alone: how long these are at most, and why.
BOUNDED = {
    "likeness._WORDS": (80, "longer names are not taken apart"),
    "remarks._FORM": (300, "what stands behind a label is looked at no further"),
    "remarks._OTHERS": (120, "what stands before a label is looked at no further"),
    "remarks._OWN": (120, "what stands before a label is looked at no further"),
    "scores._ANOTHER": (300, "what stands behind a score is looked at no further"),
    "workspace.layout._CONFIGURATION": (255, "the longest name of a folder"),
    "workspace.layout._GRADING_WORD": (255, "the longest name of a folder"),
}
# Over all kinds, so that one figure tells it.
TRIED = Counter[str]()
# How long the shorter of two texts is whose steps are compared.
SIZE = 150


# --- patterns in the data -----------------------------------------------------------------------------------------


def _patterns_of(value: Any, at: str) -> Iterator[tuple[str, str]]:
    """The patterns in a JSON file: behind `pattern` and as names in `patternProperties`."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == "pattern" and isinstance(inner, str):
                yield f"{at}/{name}", inner
            if name == "patternProperties" and isinstance(inner, dict):
                yield from ((f"{at}/{name}", pattern) for pattern in inner)
            yield from _patterns_of(inner, f"{at}/{name}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _patterns_of(inner, f"{at}/{index}")


@cache
def _data_patterns() -> tuple[tuple[str, str], ...]:
    files = sorted(SCHEMAS.glob("*.json"))
    return tuple(found for path in files for found in _patterns_of(json.loads(path.read_text("utf-8")), path.name))


@pytest.mark.promise("hostile input")
def test_patterns_of_the_data_run_on_the_linear_engine_and_are_linear_on_any_other(figure: Figure) -> None:
    found = _data_patterns()
    assert len(found) > 20
    for at, pattern in found:
        # an engine without look-around and back references takes it; and in Python's, as names of files, it is linear
        verdict.validator({"pattern": pattern})
        assert not objections(pattern, searched=True), at
    figure("patterns of schemas and their data that are linear", f"{len(found)} of {len(found)}")


def test_patterns_of_other_schemas_run_on_the_linear_engine() -> None:
    for pattern, text in (("(a+)+$", "a" * 100_000 + "!"), ("^(a|a)*b", "a" * 100_000), ("(.*)*x", "y" * 100_000)):
        assert not verdict.validator({"pattern": pattern}).is_valid(text)
    assert objections("(a+)+$", searched=True)


# --- patterns in the code -----------------------------------------------------------------------------------------


class Site(NamedTuple):
    """A call that makes a pattern: where, under which name, from what, and which of its methods are used."""

    module: str
    line: int
    name: str
    pattern: ast.expr
    flags: ast.expr | None
    uses: set[str]
    end: int

    @property
    def searched(self) -> bool:
        """Whether it may match anywhere in a text."""
        return not self.uses or bool(self.uses & _SEARCHING)

    @property
    def key(self) -> str:
        """What it is called in the lists above."""
        return f"{self.module}.{self.name}"


def _sites() -> Iterator[Site]:
    for root in (ROOT / "src" / "evalschema", ROOT / "codegen"):
        for path in sorted(root.rglob("*.py")):
            tree = ast.parse(path.read_text("utf-8"))
            module = ".".join(path.relative_to(root).with_suffix("").parts)
            yield from _sites_of(tree, module if root.name == "evalschema" else f"codegen.{module}")


def _sites_of(tree: ast.Module, module: str) -> Iterator[Site]:
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.module != "re", f"{module}: import re whole, so that its patterns are found here"
        if not isinstance(node, ast.Call) or ast.unparse(node.func) not in {f"re.{name}" for name in _FUNCTIONS}:
            continue
        called = ast.unparse(node.func).removeprefix("re.")
        parent = parents[node]
        name = (
            parent.targets[0].id if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name) else ""
        )
        uses = _uses(tree, name) if called == "compile" else {called}
        flags = node.args[1] if called == "compile" and len(node.args) > 1 else None
        name = name or _function(node, parents)
        yield Site(module, node.lineno, name, node.args[0], flags, uses, node.end_lineno or node.lineno)


def _uses(tree: ast.Module, name: str) -> set[str]:
    """The methods that are called on what is named so, or on what it is handed on to; none where that is not seen."""
    names = {name}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and any(
            isinstance(each, ast.Name) and each.id == name for each in ast.walk(node.value)
        ):
            names |= {each.id for each in node.targets if isinstance(each, ast.Name)}
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names
    } & _FUNCTIONS


def _function(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> str:
    while not isinstance(node, ast.FunctionDef | ast.Module):
        node = parents[node]
    return node.name if isinstance(node, ast.FunctionDef) else ""


def _module(name: str) -> Any:
    return importlib.import_module(name if name.startswith("codegen") else f"evalschema.{name}")


def _evaluated(site: Site) -> tuple[Any, int] | None:
    """The pattern and its flags, where names of the module are enough to tell them."""
    names = vars(_module(site.module))
    try:
        pattern = eval(ast.unparse(site.pattern), names)  # noqa: S307
        return pattern, int(eval(ast.unparse(site.flags), names)) if site.flags else 0  # noqa: S307
    except NameError:
        return None


class Made(NamedTuple):
    """A pattern that was made, and how it is used: `full` when only whole texts may match."""

    key: str
    pattern: Any
    flags: int
    searched: bool
    full: bool

    def objections(self) -> list[str]:
        """Why the structure does not clear it."""
        return objections(self.pattern, self.flags, searched=self.searched)


class _Noting:
    """A compiled pattern that notes which of its methods are asked for."""

    def __init__(self, compiled: re.Pattern[Any]) -> None:
        self.compiled = compiled
        self.uses: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        """As of the compiled pattern."""
        self.uses.add(name)
        return getattr(self.compiled, name)


class _Recorder(SimpleNamespace):
    """The module `re` for a module of ours: it notes which patterns are made on which line, and their uses."""

    def __init__(self) -> None:
        super().__init__(**{name: getattr(re, name) for name in re.__all__})
        self.made: list[tuple[int, _Noting]] = []
        self.compile = self._compile

    def _compile(self, pattern: Any, flags: int = 0) -> Any:
        noting = _Noting(re.compile(pattern, flags))
        frame = inspect.currentframe()
        assert frame is not None
        assert frame.f_back is not None
        self.made.append((frame.f_back.f_lineno, noting))
        return noting


def _made(monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    """All patterns of the package and the generator: of modules at once, of functions while these run."""
    late: list[Site] = []
    for site in _sites():
        found = _evaluated(site)
        if found is None:
            late.append(site)
        else:
            yield Made(site.key, *found, searched=site.searched, full=site.uses == {"fullmatch"})
    recorders = {site.module: _Recorder() for site in late}
    for name, recorder in recorders.items():
        monkeypatch.setattr(_module(name), "re", recorder)
        for value in vars(_module(name)).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()
    for data in inputs("scores"):
        target("scores").run(data)
    check_bytes(b"{}", path="a/grading.json")
    for site in late:
        # the line of a call is that of one of its arguments
        notes = [each for line, each in recorders[site.module].made if site.line <= line <= site.end]
        assert notes, f"no input reaches the pattern that {site.module} makes in line {site.line}"
        for each in {(note.compiled, frozenset(note.uses)): note for note in notes}.values():
            searched, full = bool(each.uses & _SEARCHING), each.uses == {"fullmatch"}
            yield Made(site.key, each.compiled.pattern, each.compiled.flags & ~re.UNICODE, searched, full)
    for name in recorders:
        for value in vars(_module(name)).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


@pytest.mark.promise("hostile input")
def test_every_pattern_of_our_code_is_linear(monkeypatch: pytest.MonkeyPatch, figure: Figure) -> None:
    made = list(_made(monkeypatch))
    open_ones = [each for each in made if each.objections()]
    named = {each.key for each in open_ones}
    known = CLEARED.keys() | BOUNDED.keys()
    assert not named - known, {each.key: each.objections() for each in open_ones if each.key not in known}
    assert not known - named, "the structure clears them: take them off the list"
    for each in open_ones:
        if each.key in CLEARED:
            _assert_steps_are_linear(each)
        else:
            _assert_steps_are_few(each, BOUNDED[each.key][0])
    figure("patterns of our code that are linear by their structure", f"{len(made) - len(open_ones)} of {len(made)}")
    figure("other patterns, whose steps are counted", f"{len(open_ones)} of {len(open_ones)}")


def test_the_structure_clears_no_pattern_that_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    cleared = [each for each in _made(monkeypatch) if not each.objections()]
    for each in cleared[:: dose(20, 1)]:
        _assert_steps_are_linear(each)


def _texts(made: Made, size: int) -> list[str]:
    texts = list(attacks(made.pattern, made.flags, size))
    if made.key.startswith(("scores.", "remarks.", "arithmetic.")):
        texts += [text_of(name, size) for name in SHAPES]
    return texts


def _steps(made: Made, text: str, most: int) -> int:
    machine = Machine(made.pattern, made.flags, budget=most)
    compiled = re.compile(made.pattern, made.flags)
    raw: Any = text.encode("latin-1", "replace") if isinstance(made.pattern, bytes) else text
    deepest = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    try:
        if made.searched:
            assert machine.spans(text) == [match.span() for match in compiled.finditer(raw)], (
                "another match than Python's"
            )
        else:
            match = compiled.fullmatch(raw) if made.full else compiled.match(raw)
            assert machine.match(text, full=made.full) == (match.span() if match else None), (
                "another match than Python's"
            )
    except TooManyStepsError:
        pytest.fail(f"{made.key}: more than {most:,} steps on {text[:40]!r}… of {len(text):,} characters")
    finally:
        sys.setrecursionlimit(deepest)
    return machine.steps


def _assert_steps_are_linear(made: Made) -> None:
    """Twice the text takes about twice the steps; four times as many would be quadratic."""
    pairs = list(zip(_texts(made, SIZE), _texts(made, 2 * SIZE), strict=True))
    for short, long in pairs[:: dose(7, 1)]:
        first, second = _steps(made, short, 1000 * SIZE), _steps(made, long, 2000 * SIZE)
        longer = max(2.0, len(long) / max(1, len(short)))
        assert second <= 1.3 * longer * first + 1500, f"{made.key}: {first:,} steps, then {second:,} on {long[:40]!r}"


def _assert_steps_are_few(made: Made, longest: int) -> None:
    for text in _texts(made, longest)[:: dose(11, 1)]:
        assert _steps(made, text[:longest], 2_000_000) < 2_000_000


# --- loops --------------------------------------------------------------------------------------------------------


def _lines_run(work: Callable[[], object]) -> int:
    """How many lines of our own code run: what the interpreter itself does in one go is not counted."""
    count = 0
    package = str(ROOT / "src")

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if event == "call":
            return trace if frame.f_code.co_filename.startswith(package) else None
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def _assert_grows_with(work: Callable[[int], Callable[[], object]], size: int, what: str) -> None:
    """Twice the input runs about twice the lines; what is made ready once is made ready before."""
    work(size // 10)()
    first, second = _lines_run(work(size)), _lines_run(work(2 * size))
    assert second <= 2.4 * first + 500, f"{what}: {first:,} lines run, then {second:,}"


@pytest.mark.promise("hostile input")
@pytest.mark.parametrize("contest", [False, True], ids=["solo", "duel"])
def test_reading_a_score_runs_lines_in_proportion_to_the_text(*, contest: bool) -> None:
    spec, others = CONTEST if contest else (None, ())
    for name in SHAPES:

        def work(size: int, name: str = name) -> Callable[[], object]:
            return partial(stated_score, text_of(name, size), spec, extra_labels=True, others=others)

        _assert_grows_with(work, 3000, name)


WORD = "total_duration_second"
LOOPS: dict[str, Callable[[int], Callable[[], object]]] = {
    "diagnosis of members": lambda n: partial(diagnosis, b'{"a": [' + b'{"k": 1},' * n + b"]}"),
    "diagnosis of names": lambda n: partial(diagnosis, _object(n)[:-1] + b",}"),
    "diagnosis of escapes": lambda n: partial(diagnosis, b'["' + b"\\u00e4\\n" * n),
    "diagnosis of brackets": lambda n: partial(diagnosis, b"[" * 60 + b"[]," * n),
    "diagnosis of digits": lambda n: partial(diagnosis, b"[" + b"1" * n),
    "positions of members": lambda n: partial(spans, _object(n).decode(), [(f"{WORD}{i}",) for i in range(n)]),
    "positions of items": lambda n: partial(spans, "[" + "1, " * n + "1]", [(i,) for i in range(n)]),
    "positions of the last item": lambda n: partial(spans, "[" + '{"a": 1}, ' * n + "1]", [(n,)]),
    "lines": lambda n: lambda: [Lines("a\n" * n).place(n)],
    "excerpts": lambda n: partial(excerpt, "\u202e" * n),
    "likeness of long names": lambda n: partial(closest, "ab_" * n, ["ab_" * n + "c"]),
    "likeness of many names": lambda n: partial(closest, WORD, [f"{WORD}{i}" for i in range(n)]),
    "instants": lambda n: partial(is_instant, "2026-01-15T10:30:00." + "1" * n + "Z"),
    "documents as text": lambda n: lambda: str(_appended(Text(_object(n).decode()))),
    "names that are slips": lambda n: partial(check_bytes, _object(n), "timing"),
    "names that are slips, all the same": lambda n: partial(
        check_bytes, b'{"runs": [' + b'{"confg": 1},' * n + b"0]}", "benchmark"
    ),
}


def _object(count: int) -> bytes:
    return json.dumps({f"{WORD}{i}": i for i in range(count)}).encode()


def _appended(text: Text) -> Text:
    text.apply(({"op": "add", "path": "/new", "value": 1},))
    return text


@pytest.mark.promise("hostile input")
def test_loops_over_texts_run_lines_in_proportion(figure: Figure) -> None:
    for name, work in LOOPS.items():
        _assert_grows_with(work, 400, name)
    figure("loops over texts whose lines were counted", f"{len(LOOPS)} of {len(LOOPS)} linear")


def _longer(document: Any, at: list[Any], length: int) -> Any:
    """The document with the list at a place repeated up to a length."""
    longer = deepcopy(document)
    holder = longer
    for key in at:
        holder = holder[key]
    items = list(holder)
    holder[:] = [deepcopy(items[i % len(items)]) for i in range(length)]
    return longer


def _lists(value: Any, at: list[Any]) -> Iterator[list[Any]]:
    if isinstance(value, list):
        if value:
            yield at
        value = dict(enumerate(value[:1]))
    for key, inner in value.items() if isinstance(value, dict) else ():
        yield from _lists(inner, [*at, key])


@pytest.mark.promise("hostile input")
@pytest.mark.parametrize("kind", kinds())
def test_checking_runs_lines_in_proportion_to_every_list(kind: Any, figure: Figure) -> None:
    sources = sorted(examples(kind), key=lambda document: len(json.dumps(document)))
    tried = {
        tuple(key for key in at if isinstance(key, str)): (document, at)
        for document in (*sources[:: dose(8, 1)], sources[-1])
        for at in _lists(document, [])
    }
    for names, (document, at) in tried.items():

        def work(size: int, document: Any = document, at: list[Any] = at) -> Callable[[], object]:
            return partial(check_bytes, json.dumps(_longer(document, at, size)).encode(), kind)

        _assert_grows_with(work, 60, f"/{'/'.join(names)} of {kind}")
    TRIED["lists"] += len(tried)
    figure("lists in documents whose checking is linear", f"{TRIED['lists']} of {TRIED['lists']}")
