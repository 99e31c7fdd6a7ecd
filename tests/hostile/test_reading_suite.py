"""Reading: the whole JSON parsing test suite, the same under every Python that is here."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from evalschema import check_bytes
from evalschema.codes import find_code
from evalschema.reading import Unreadable, read
from tests.hostile import parsing_suite
from tests.needs import need
from tests.test_codegen import interpreters

if TYPE_CHECKING:
    from tests.conftest import Figure

pytestmark = pytest.mark.promise("reading")
PAGE = Path(__file__).parents[2] / "docs/reference/reading.md"
# JSON proper lets a name stand twice in one object; what programs make of it differs, so that we do not.
REPEATED = {"y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"}


@cache
def suite() -> dict[str, bytes]:
    need(parsing_suite.SOURCE.exists(), "needs the JSON parsing test suite: npm ci --prefix tests/node")
    return parsing_suite.documents()


def code(data: bytes) -> str:
    """The code of the refusal; empty when the document is read."""
    try:
        read(data)
    except Unreadable as reason:
        return reason.code
    return ""


def test_all_that_is_no_json_is_refused(figure: Figure) -> None:
    wrong = [name for name, data in suite().items() if name.startswith("n_") and not code(data)]
    all_of_them = sum(name.startswith("n_") for name in suite())
    figure("n_ documents refused", f"{all_of_them - len(wrong)} of {all_of_them}")
    assert (wrong, all_of_them) == ([], 188)


def test_all_that_is_json_is_read_but_for_repeated_names(figure: Figure) -> None:
    sound = {name: data for name, data in suite().items() if name.startswith("y_")}
    refused = {name: reason for name, data in sound.items() if (reason := code(data))}
    figure("y_ documents read", f"{len(sound) - len(refused)} of {len(sound)}, {len(refused)} with repeated names not")
    assert len(sound) == 95
    assert refused == dict.fromkeys(REPEATED, "json.repeated-key")


def test_what_readers_may_do_as_they_like_is_listed(figure: Figure) -> None:
    listed = dict(re.findall(r"^\| `(i_\S+)` \| (read|`json\.\S+`)", PAGE.read_text("utf-8"), re.MULTILINE))
    found = {name.removesuffix(".json"): code(data) for name, data in suite().items() if name.startswith("i_")}
    figure("i_ documents, by the list", f"{len(found)}: {sum(not reason for reason in found.values())} read")
    assert listed == {name: f"`{reason}`" if reason else "read" for name, reason in found.items()}


def test_what_is_read_is_what_the_standard_library_reads() -> None:
    for name, data in suite().items():
        if not code(data):
            ours, theirs = read(data), json.loads(data)
            assert repr(ours) == repr(theirs), name


def test_every_refusal_has_a_code_a_page_and_a_place() -> None:
    for name, data in suite().items():
        if not code(data):
            continue
        finding = next(each for each in check_bytes(data, "grading").findings if each.code.startswith("json."))
        assert find_code(finding.code), name
        assert finding.severity == "error", name
        assert finding.line, name
        assert finding.column, name
        lines = data.decode(errors="replace").split("\n")
        assert finding.line <= len(lines), name
        assert finding.column <= len(lines[finding.line - 1]) + 1, name


def test_every_python_reads_alike(figure: Figure) -> None:
    question = json.dumps([data.hex() for data in suite().values()])
    here = [parsing_suite.answer(data) for data in suite().values()]
    versions = {".".join(map(str, sys.version_info[:2]))}
    for python in interpreters():
        program = (
            "import runpy, sys; print('%d.%d' % sys.version_info[:2]); runpy.run_path(sys.argv[1], run_name='__main__')"
        )
        command = [python, "-c", program, str(Path(parsing_suite.__file__))]
        done = subprocess.run(command, input=question, capture_output=True, text=True, check=True)
        version, _, answers = done.stdout.partition("\n")
        assert json.loads(answers) == here, version
        versions.add(version)
    figure("the same under Python", ", ".join(sorted(versions, key=lambda each: int(each.partition(".")[2]))))
    need(len(versions) > 1, "needs another Python with our package: .venv-3.12, or EVALSCHEMA_PYTHONS")
