"""Time and memory are bounded by the size of the file, whatever its shape, and for schemas by a number."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.dose import FULL, dose
from tests.hostile.shapes import MIB
from tests.hostile.weighing import Weight

if TYPE_CHECKING:
    from tests.conftest import Figure

pytestmark = [
    pytest.mark.promise("resources"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
]

#: Memory beyond that of the program itself, in bytes: so many times the file, and so much for what is found in it. An
#: empty list takes 2 bytes of a file and 88 of CPython's memory, before anything is asked of it.
TIMES_THE_FILE, FOR_FINDINGS = 48, 64 * MIB
#: Seconds of processor time for each MiB, and for explaining as much as is explained of any document.
A_MEBIBYTE, FOR_EXPLAINING = 0.75, 1.0
FOR_A_SCHEMA = 10.0
ROOT = Path(__file__).parents[2]


def weighed(mebibytes: int, every: int) -> list[Weight]:
    command = [sys.executable, "-m", "tests.hostile.weighing", str(mebibytes), str(every)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [Weight(*json.loads(line)) for line in done.stdout.splitlines()]


def test_no_shape_of_a_document_and_no_schema_takes_more(figure: Figure) -> None:
    mebibytes = dose(1, 8)
    rounds = [weighed(mebibytes, dose(10, 1))]
    # a small dose runs beside everything else, where a time says nothing
    too_slow = [name for name, size, seconds, _, _ in rounds[0] if FULL and size and seconds > allowed(size)]
    if too_slow:
        # a machine that has other work takes longer: the best of two counts
        rounds.append(weighed(mebibytes, 1000))
    (_, _, _, program, _) = rounds[0][0]
    worst_share, worst_seconds, worst_schema = 0.0, 0.0, 0.0
    for name, size, _, memory, status in rounds[0][1:]:
        assert status == 0, f"{name} ended by {status}"
        seconds = min(each[2] for round_ in rounds for each in round_ if each[0] == name)
        if size:
            assert memory - program <= TIMES_THE_FILE * size + FOR_FINDINGS, f"{name}: {memory / MIB:.0f} MiB"
            assert not FULL or seconds <= allowed(size), f"{name}: {seconds:.1f} s"
            worst_share = max(worst_share, (memory - program) / size)
            worst_seconds = max(worst_seconds, seconds * MIB / size)
        else:
            assert not FULL or seconds <= FOR_A_SCHEMA, f"{name}: {seconds:.1f} s"
            worst_schema = max(worst_schema, seconds)
    shapes = sum(1 for each in rounds[0] if each[1]) - 1
    figure(f"shapes of {mebibytes} MiB", shapes)
    figure("memory of the worst, times the file", f"{worst_share:.0f}")
    figure("processor time of the worst, seconds a MiB", f"{worst_seconds:.1f}")
    figure("schemas that ask for too much, in 1 GiB", len(rounds[0]) - shapes - 1)
    figure("the slowest schema, seconds", f"{worst_schema:.0f}")


def allowed(size: int) -> float:
    """Seconds of processor time for a document of so many bytes."""
    return A_MEBIBYTE * size / MIB + FOR_EXPLAINING
