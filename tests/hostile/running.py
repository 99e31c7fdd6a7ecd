"""The command, run inside this process as the console script runs it, and what it wrote."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evalschema import entry
from tests.test_output import assert_harmless

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

#: Seconds of processor time after which a program hangs.
HANGS = 2.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What the command wrote, its exit status, and the processor time that it took, in seconds."""

    status: int
    out: str
    err: str
    seconds: float

    def findings(self) -> list[dict[str, Any]]:
        """The findings of an answer in JSON, of all its files."""
        document = json.loads(self.out)
        return [each for entry in document.get("files", [document]) for each in entry["findings"]]

    def found(self) -> tuple[tuple[str, str], ...]:
        """Code and pointer of each finding, `~` before the code of what is no error."""
        return tuple(
            sorted(
                (f"{'' if each['severity'] == 'error' else '~'}{each['code']}", each["pointer"])
                for each in self.findings()
            )
        )


def evalschema(*arguments: str, folder: Path, given: bytes = b"") -> Answer:
    """The answer of the command in a folder; what holds of every answer is asserted."""
    with _streams(given) as (out, err), _inside(folder):
        sys.argv = ["evalschema", *arguments]
        begun = time.process_time()
        try:
            entry.main()
        except SystemExit as stop:
            status = stop.code
        seconds = time.process_time() - begun
        sys.stdout.flush()
        sys.stderr.flush()
        answer = Answer(int(status or 0), out.getvalue().decode(), err.getvalue().decode(), seconds)
    assert answer.status in (0, 1, 2, 3, 5), answer
    assert "Traceback" not in answer.err, answer.err
    assert "internal" not in answer.err, answer.err
    assert answer.seconds < HANGS, f"{arguments}: {answer.seconds:.1f} s"
    assert_harmless("text", answer.err)
    assert_harmless("text", answer.out)
    return answer


@contextmanager
def _streams(given: bytes) -> Generator[tuple[io.BytesIO, io.BytesIO]]:
    kept = sys.stdin, sys.stdout, sys.stderr, sys.argv
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(given), "utf-8")
    sys.stdout = io.TextIOWrapper(out, "utf-8")
    sys.stderr = io.TextIOWrapper(err, "utf-8")
    try:
        yield out, err
    finally:
        sys.stdin, sys.stdout, sys.stderr, sys.argv = kept


@contextmanager
def _inside(folder: Path) -> Generator[None]:
    kept = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(kept)
