"""Every target meets its seeds, what once broke it, and some inputs made up; under atheris where that is installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.dose import FULL, dose
from tests.fuzz.damage import byte_mutants
from tests.fuzz.replay import REGRESSIONS, inputs, target, targets
from tests.needs import need

if TYPE_CHECKING:
    from tests.conftest import Figure

# Over all targets, so that one figure tells it.
TRIED = Counter[str]()
ROOT = Path(__file__).parents[2]


@pytest.mark.promise("hostile input")
@pytest.mark.parametrize("name", targets())
def test_no_known_input_breaks_a_promise(name: str, figure: Figure) -> None:
    known = inputs(name)
    made_up = list(byte_mutants(known, target(name).RUNS // dose(80, 2), name))
    for data in (*known, *made_up):
        target(name).run(data)
    TRIED["inputs"] += len(known) + len(made_up)
    figure("inputs for the parts of our code", f"{TRIED['inputs']:,} without a find")


def test_every_find_belongs_to_a_target() -> None:
    assert {path.name for path in REGRESSIONS.iterdir()} <= {*targets(), "documents"}


@pytest.mark.promise("hostile input")
@pytest.mark.parametrize("name", targets())
def test_the_fuzzer_finds_nothing_in_a_short_run(name: str, figure: Figure) -> None:
    # a few seconds each: on purpose (`make fuzz`), and where nothing may be skipped
    is_short = FULL or os.environ.get("EVALSCHEMA_NO_SKIP") == "1"
    runs = ["--short"] if is_short else ["--runs", str(max(20, target(name).RUNS // 20))]
    need(sys.version_info >= (3, 14) or find_spec("atheris"), "needs atheris: pip install --group fuzz")
    if find_spec("atheris") is None:
        pytest.skip("atheris has no wheel for this Python: the inputs are replayed without it")
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", *runs, name], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    reached = re.search(rf"^{name}: ([0-9,]+) executions", done.stdout, re.MULTILINE)
    assert reached, done.stdout
    TRIED["executions"] += int(reached[1].replace(",", ""))
    figure("executions of the parts of our code under atheris", f"{TRIED['executions']:,} without a find")
