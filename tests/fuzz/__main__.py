"""The targets under a fuzzer that follows which lines of our code an input reaches (atheris).

    python -m tests.fuzz [--seconds 60 | --runs 10000 | --short] [--seed 1] [TARGET...]

Each target runs in a process of its own. What it learns stays in .fuzz/TARGET, so that the next run goes on from there;
with --runs or --short it begins anew and goes the same way each time. An input that breaks a promise is saved in
.fuzz/found, and belongs into tests/fuzz/regressions/TARGET once its fault is mended.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz.replay import inputs, target, targets

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".fuzz"
# An input that takes longer than this, in seconds of the clock on the wall, is a find; a busy machine is none.
_TIMEOUT = 120


def main() -> None:
    """Fuzz the targets that the command line names, or all; exits with 1 when something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help=f"of {', '.join(targets())}; all when none is named"
    )
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default: %(default)s)")
    parser.add_argument("--runs", type=int, help="inputs for each target, instead of seconds")
    parser.add_argument("--short", action="store_true", help="as many inputs as the tests try")
    parser.add_argument("--seed", type=int, default=1, help="of the fuzzer's choices (default: %(default)s)")
    asked = parser.parse_args()
    if find_spec("atheris") is None:
        sys.exit("atheris is not installed: python -m pip install --group fuzz")
    found, executions = 0, 0
    for name in asked.targets or targets():
        done, fault = _fuzzed(name, asked)
        executions += done
        found += fault
    print(f"all targets: {executions:,} executions, {found} with a find")
    sys.exit(1 if found else 0)


def _fuzzed(name: str, asked: argparse.Namespace) -> tuple[int, bool]:
    """How often the target was run, and whether something was found."""
    finds = KEPT / "found"
    runs = target(name).RUNS if asked.short else asked.runs
    finds.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) if runs else KEPT / name
        corpus.mkdir(parents=True, exist_ok=True)
        for index, data in enumerate(inputs(name)):
            (corpus / f"seed-{index:04}").write_bytes(data)
        limit = f"-runs={runs}" if runs else f"-max_total_time={asked.seconds}"
        command = [
            sys.executable, "-m", "tests.fuzz.atheris_run", name, str(corpus), limit, f"-seed={asked.seed}",
            f"-timeout={_TIMEOUT}", "-max_len=8192", "-rss_limit_mb=2048", f"-artifact_prefix={finds / name}-",
            "-print_final_stats=1",
        ]  # fmt: skip
        # the hash of texts decides the order of sets, and with it which lines are reached
        environment = os.environ | {"PYTHONHASHSEED": "0"}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    errors = done.stderr.decode(errors="replace")
    stated = re.search(r"stat::number_of_executed_units: (\d+)", errors)
    reached = re.findall(r"cov: (\d+)", errors)
    executions = int(stated[1]) if stated else 0
    edges = reached[-1] if reached else "0"
    print(f"{name}: {executions:,} executions, {edges} edges reached", flush=True)
    if done.returncode:
        said = f"{done.stdout.decode(errors='replace')}\n{errors}".splitlines()
        print("\n".join(line for line in said if not line.startswith(("#", "INFO", "stat::")))[-4000:])
        shutil.rmtree(KEPT / name, ignore_errors=True)
    return executions, done.returncode != 0


if __name__ == "__main__":
    main()
