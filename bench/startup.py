"""Cold starts, as ratios to what the interpreter and the libraries cost by themselves; rounds are interleaved."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

BIN = Path(sys.executable).parent
DOCUMENT = '{"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": 23.4}'


def commands(folder: Path) -> dict[str, list[str]]:
    (folder / "timing.json").write_text(DOCUMENT, "utf-8")
    python, evalschema = sys.executable, str(BIN / "evalschema")
    libraries = "import click, jsonschema_rs, json, pathlib, dataclasses"
    return {
        "import json": [python, "-c", "import json"],
        "import evalschema": [python, "-c", "import evalschema"],
        "import click": [python, "-c", "import click"],
        "evalschema --version": [evalschema, "--version"],
        "import of the libraries": [python, "-c", libraries],
        "evalschema check one file": [evalschema, "check", str(folder / "timing.json")],
        "check-jsonschema one file": [
            str(BIN / "check-jsonschema"),
            "--schemafile",
            str(Path(__file__).parents[1] / "schemas" / "timing.schema.json"),
            str(folder / "timing.json"),
        ],
    }  # fmt: skip


def main(rounds: int = 15) -> None:
    with tempfile.TemporaryDirectory() as name:
        programs = commands(Path(name))
        times: dict[str, list[float]] = {what: [] for what in programs}
        for _ in range(rounds):
            for what, command in programs.items():
                start = perf_counter()
                subprocess.run(command, cwd=name, capture_output=True, check=True)
                times[what].append(perf_counter() - start)
    middle = {what: median(values) for what, values in times.items()}
    for what, base in (
        ("import evalschema", "import json"),
        ("evalschema --version", "import click"),
        ("evalschema check one file", "import of the libraries"),
        ("check-jsonschema one file", "import of the libraries"),
    ):
        spread = sorted(a / b for a, b in zip(times[what], times[base], strict=True))
        low, high = spread[len(spread) // 4], spread[-1 - len(spread) // 4]
        print(f"{what}: {middle[what] / middle[base]:.2f} of {base} (half of the rounds: {low:.2f} to {high:.2f})")


if __name__ == "__main__":
    main()
