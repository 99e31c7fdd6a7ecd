"""What is measured on: documents from a seed, the same everywhere; sound ones, and ones that any validator refuses."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from typing import TYPE_CHECKING, Any

from evalschema.bundling import bundled
from tests.consistent import benchmark_of, grading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

Document = dict[str, Any]

#: How often a document is bad: every so manieth, counted from the middle of the first stretch; 0 is never.
STATES = {"all valid": 0, "1 % bad": 100, "all bad": 1}
#: Distinct gradings; more than these are the same again.
POOL = 10_000

_WORDS = (
    "the report names each region once and its total in euros",
    "row 14 of regions.csv has the same sum",
    "the agent wrote the file after it had read all three sheets",
    "no rounding beyond two decimals",
    "the last column is empty as the task demands",
    "checked against the second source as well",
    "the chart shows four bars with labels",
    "the total at the foot agrees with the rows above",
)


def gradings(seed: int, size: int, indent: int | None) -> Iterator[Document]:
    """Endless sound gradings of about `size` bytes when written with this indentation."""
    random = Random(seed)
    while True:
        document = grading(random)
        checks = document["expectations"]
        if not 4 <= len(checks) <= 9:
            continue
        missing = int(size * random.uniform(0.85, 1.15)) - len(json.dumps(document, indent=indent))
        for number in cycle(range(len(checks))):
            if missing <= 0:
                break
            words = f"; {random.choice(_WORDS)}"
            checks[number]["evidence"] += words
            missing -= len(words)
        yield document


def spoiled(document: Document, number: int) -> Document:
    """The grading as it comes when its author erred, in one of four ways that the schema alone refuses."""
    first, summary = document["expectations"][0], document["summary"]
    match number % 4:
        case 0:
            return document | {"summary": summary | {"pass_rate": str(summary["pass_rate"])}}
        case 1:
            named = {"name": first["text"], "met": first["passed"], "details": first["evidence"]}
            return document | {"expectations": [named, *document["expectations"][1:]]}
        case 2:
            return {key: value for key, value in document.items() if key != "summary"}
        case _:
            return document | {"expectations": [first | {"passed": "yes"}, *document["expectations"][1:]]}


def is_bad(number: int, every: int) -> bool:
    """Whether the document of this number, from 0, is a bad one."""
    return bool(every) and number % every == every // 2


def texts(amount: int, every: int, size: int, indent: int | None = None) -> Iterator[bytes]:
    """The bytes of so many gradings, `every` of which is as in `STATES`."""
    pool = list(islice(gradings(1, size, indent), min(amount, POOL)))
    for number, document in enumerate(islice(cycle(pool), amount)):
        chosen = spoiled(document, number) if is_bad(number, every) else document
        yield json.dumps(chosen, indent=indent).encode()


@dataclass(frozen=True)
class Input:
    """What the tools are given: a folder with files, or one file, and the schema that they are told."""

    path: Path
    schema: Path
    #: Whether any document is bad.
    bad: bool
    #: The files by name, where a folder alone does not say which of them are documents.
    files: tuple[Path, ...] = ()


def one_a_folder(place: Path, amount: int, every: int) -> Input:
    """Gradings of 1.5 KB, each in a folder of its own."""
    folder = place / "evals"
    _fill([folder / f"eval-{number}" / "grading.json" for number in range(amount)], every)
    return Input(folder, schema(place, "grading"), bool(every))


def in_100_folders(place: Path, amount: int, every: int) -> Input:
    """Gradings of 1.5 KB in 100 folders, under names that do not say what they are, so that each is given by name."""
    folder = place / "groups"
    paths = tuple(folder / f"group-{number % 100}" / f"{number // 100}.json" for number in range(amount))
    _fill(paths, every)
    return Input(folder, schema(place, "grading"), bool(every), paths)


def _fill(paths: Sequence[Path], every: int) -> None:
    for path, text in zip(paths, texts(len(paths), every, 1500, indent=2), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text + b"\n")


def lines(place: Path, amount: int, every: int) -> Input:
    """Gradings of 2.2 KB, one a line."""
    path = place / "gradings.jsonl"
    with path.open("wb") as file:
        for text in texts(amount, every, 2200):
            file.write(text + b"\n")
    return Input(path, schema(place, "grading"), bool(every))


def one_document(place: Path, document: Document, *, bad: bool) -> Input:
    """A benchmark in a file."""
    path = place / "benchmark.json"
    path.write_text(json.dumps(document), "utf-8")
    return Input(path, schema(place, "benchmark"), bad)


def benchmark(runs: int) -> Document:
    """A sound benchmark with the checks of every run listed."""
    return benchmark_of(Random(1), [_run(number) for number in range(runs)])


def _run(number: int) -> Document:
    return {
        "eval_id": number // 4,
        "configuration": ("with_skill", "without_skill")[number % 2],
        "run_number": number // 2 % 2 + 1,
        "result": {
            "pass_rate": round(number % 8 / 7, 2),
            "passed": number % 8,
            "failed": 7 - number % 8,
            "total": 7,
            "time_seconds": 20 + number % 7,
            "tokens": 1000 + number,
            "errors": 0,
        },
        "expectations": [
            {
                "text": f"check {check} of the report holds",
                "passed": check < number % 8,
                "evidence": f"seen in line {check}",
            }
            for check in range(7)
        ],
    }


def with_bad_runs(document: Document, every: int) -> Document:
    """The benchmark with a pass rate that is a text in every so manieth run; 0 spoils the one in the middle alone."""
    runs: list[Document] = list(document["runs"])
    for number in range(len(runs)):
        if is_bad(number, every or len(runs)):
            runs[number] = runs[number] | {"result": runs[number]["result"] | {"pass_rate": "0.5"}}
    return document | {"runs": runs}


def schema(place: Path, kind: str) -> Path:
    """The schema of a kind in one file, as every tool can read it."""
    path = place / f"{kind}.schema.json"
    path.write_text(json.dumps(bundled(kind), indent=2), "utf-8")
    return path
