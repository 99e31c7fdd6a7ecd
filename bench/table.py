"""What was measured, as Markdown, and its place in a page of the documentation."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bench.measuring import Ratio

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bench.measuring import Measure, Samples

#: What is measured, and on which input.
Key = tuple[str, str]


@dataclass(frozen=True)
class Aim:
    """A ratio that is to be kept: `one` is at most (or at least) so many times `base`; without it, so many MB."""

    said: str
    one: Key
    base: Key | None
    limit: float
    measure: Measure = "elapsed"
    at_least: bool = False

    def row(self, samples: Samples[Key]) -> list[str]:
        """The cells: what, aim, the ratio that counts, that of processor time beside it, and whether it is kept."""
        unit = "" if self.base else " MB"
        bound = f"at {'least' if self.at_least else 'most'} {self.limit:g}{unit}"
        if self.base is None:
            memory = samples.memory(self.one)
            ratio = None if memory is None else Ratio(memory, memory, memory)
        else:
            ratio = samples.ratio(self.one, self.base, self.measure)
        if ratio is None:
            return [self.said, bound, "not measured", "", ""]
        beside = samples.ratio(self.one, self.base, "processor") if self.base and self.measure == "elapsed" else None
        kept = ratio.middle >= self.limit if self.at_least else ratio.middle <= self.limit
        return [self.said, bound, shown(ratio) + unit, shown(beside) if beside else "", "yes" if kept else "no"]


def shown(ratio: Ratio) -> str:
    """A ratio with its quartiles, where there are any."""
    low, middle, high = (_short(value) for value in (ratio.low, ratio.middle, ratio.high))
    return middle if low == high else f"{middle} ({low} to {high})"


def _short(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def rows(cells: Sequence[Sequence[str]]) -> str:
    """A Markdown table; the first row is the head."""
    head, *body = cells
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *body))


def aims(samples: Samples[Key], wanted: Sequence[Aim]) -> str:
    """The table of what was to be reached and was, or was not."""
    return rows([["", "aim", "measured", "processor time", "kept"], *(aim.row(samples) for aim in wanted)])


def times(samples: Samples[Key], base: str) -> str:
    """How many times as long as `base` each tool takes on each input."""
    tools, inputs = _names(samples, 0), _names(samples, 1)
    body = [[tool, *(_cell(samples, tool, base, given) for given in inputs)] for tool in tools]
    return rows([[f"time, × {base}", *inputs], *body])


def _cell(samples: Samples[Key], tool: str, base: str, given: str) -> str:
    ratio = samples.ratio((tool, given), (base, given), "elapsed")
    return "–" if ratio is None else "1" if tool == base else shown(ratio)


def resources(samples: Samples[Key], base: str) -> str:
    """How many times the processor time of `base` each tool takes on each input, and its largest process on any."""
    tools, inputs = _names(samples, 0), _names(samples, 1)
    body: list[list[str]] = []
    for tool in tools:
        ratios = [samples.ratio((tool, given), (base, given), "processor") for given in inputs]
        memory = max(samples.memory((tool, given)) or 0 for given in inputs)
        body.append([tool, *(_short(ratio.middle) if ratio else "–" for ratio in ratios), f"{memory:.0f}"])
    return rows([[f"processor time, × {base}", *inputs, "memory, MB"], *body])


def _names(samples: Samples[Key], part: int) -> list[str]:
    return list(dict.fromkeys(key[part] for key in samples.taken))


def machine(rounds: int, load: float) -> str:
    """When and where it was measured; `load` is what the machine had to do when that began."""
    from evalschema import __version__

    python = f"{platform.python_implementation()} {platform.python_version()}"
    cores = os.cpu_count() or 1
    busy = " Other work kept the machine busy: processor time says more than elapsed time." if load > cores else ""
    turns = "1 round" if rounds == 1 else f"{rounds} rounds in turns, median (quartiles)"
    return (
        f"evalschema {__version__}, {datetime.now(UTC):%Y-%m-%d}: {turns}; "
        f"{cores} cores, {python}, {platform.system()}, "
        f"load {load:.1f} before and {os.getloadavg()[0]:.1f} after.{busy}"
    )


def put(page: Path, name: str, text: str) -> None:
    """Replace what stands between the markers of this name in a page; raises `ValueError` where they are not."""
    begin, end = f"<!-- bench {name} -->\n", f"<!-- end of bench {name} -->\n"
    before, found, rest = page.read_text("utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(
            f"{page} has no lines {begin.strip()} and {end.strip()}: write them where the table shall stand"
        )
    page.write_text(f"{before}{begin}\n{text}\n\n{end}{after}", "utf-8")
