"""The named cases through every door: library, command, hook, finalize; each says exactly what it should."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from evalschema import Finding, SchemaError, check_bytes, validate
from evalschema.codes import find_code
from evalschema.finalize import finalize
from evalschema.reading import Unreadable, read
from tests.dose import dose
from tests.hostile.cases import Case, cases
from tests.hostile.running import HANGS, evalschema
from tests.hostile.strangers import LIMIT, UNUSABLE, Stranger, bombs, others

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.conftest import Figure

pytestmark = pytest.mark.promise("hostile input")
ALL = list(cases())
STRANGERS = list(others())
# A bomb takes seconds to be given up, so that the small dose takes only some.
BOMBS = list(bombs())[:: dose(6, 1)]


def seen(findings: Iterable[Finding]) -> tuple[tuple[str, str], ...]:
    """Code and pointer of each finding, `~` before the code of what is no error."""
    return tuple(sorted((f"{'' if each.severity == 'error' else '~'}{each.code}", each.pointer) for each in findings))


def test_the_names_are_unique_and_there_are_enough(figure: Figure) -> None:
    names = [case.name for case in ALL]
    assert len(set(names)) == len(names)
    assert len(ALL) > 250
    figure("named documents through library, command, hook and finalize", len(ALL))
    figure("schemas of strangers", len(STRANGERS) + len(list(bombs())))


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_library(case: Case) -> None:
    begun = time.process_time()
    result = check_bytes(case.data, "run")
    assert time.process_time() - begun < HANGS
    assert seen(result.findings) == tuple(sorted(case.found))
    for finding in result.findings:
        assert find_code(finding.code), "every code has a page"
        assert finding.line, "whatever is found in bytes has a place"
        assert finding.column
        assert len(finding.message) < 500
    try:
        instance = read(case.data)
    except Unreadable:
        return
    assert seen(validate(instance, "run").findings) == tuple(sorted(case.found))


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_command(case: Case, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_bytes(case.data)
    answer = evalschema("check", "--kind", "run", "--format", "json", "run.json", folder=tmp_path)
    assert answer.status == (0 if case.sound else 1)
    assert answer.found() == tuple(sorted(case.found))
    # people see the same, and as a hook sees it: by what is inside
    assert evalschema("check", "--kind", "run", "run.json", folder=tmp_path).status == answer.status
    hooked = evalschema("check", "--by-shape", "--kind", "run", "--format", "json", "run.json", folder=tmp_path)
    assert hooked.status == 0 or hooked.found() == answer.found()
    piped = evalschema("check", "--kind", "run", "--format", "json", "-", folder=tmp_path, given=case.data)
    assert piped.found() == answer.found()
    assert os.listdir(tmp_path) == ["run.json"], "nothing else was written"


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_finalize(case: Case, tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "run.json").write_bytes(case.data)
    expected = tuple(sorted((*case.found, *case.saving)))
    command = ["finalize", "--type", "solo", "--data", "run.json", "--root", "root", "--format", "json"]
    answer = evalschema(*command, folder=tmp_path)
    saved = [path for path in root.rglob("*") if path.is_file()]
    if case.sound and not case.saving:
        assert (answer.status, answer.found()) == (0, expected)
        assert [path.read_bytes() for path in saved] == [case.data], "the bytes that were checked"
    else:
        assert answer.status == 1
        assert {code for code, _ in answer.found()} >= {code for code, _ in expected}
        assert saved == []
        assert not finalize(case.data, type="solo", root=root).success
        assert list(root.iterdir()) == []
    assert sorted(os.listdir(tmp_path)) == ["root", "run.json"], "nothing lies outside the root"


@pytest.mark.parametrize("case", ALL[:: dose(15, 1)], ids=lambda case: case.name)
def test_command_in_a_process_of_its_own(case: Case, tmp_path: Path) -> None:
    name = "run.json"
    (tmp_path / name).write_bytes(case.data)
    command = [sys.executable, "-m", "evalschema", "check", "--kind", "run", "--format", "json", name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert done.returncode == (0 if case.sound else 1), done.stderr
    assert done.stderr == b""
    found = json.loads(done.stdout)["files"][0]["findings"]
    assert sorted(each["pointer"] for each in found) == sorted(pointer for _, pointer in case.found)


@pytest.mark.parametrize("stranger", [*STRANGERS, *BOMBS], ids=lambda each: each.name)
def test_schema_of_a_stranger(stranger: Stranger) -> None:
    if stranger.code == UNUSABLE:
        with pytest.raises(SchemaError) as caught:
            validate(stranger.instance, schema=stranger.schema)
        assert len(str(caught.value)) < 500
        assert str(caught.value).isprintable()
        return
    codes = [finding.code for finding in validate(stranger.instance, schema=stranger.schema).findings]
    if stranger.code == LIMIT:
        assert LIMIT in codes
    else:
        assert codes[:1] == [stranger.code][: bool(stranger.code)]
    assert all(map(find_code, codes)), codes


@pytest.mark.parametrize("stranger", STRANGERS, ids=lambda each: each.name)
def test_schema_of_a_stranger_in_a_file(stranger: Stranger, tmp_path: Path) -> None:
    try:
        text = json.dumps(stranger.schema)
    except RecursionError:
        text = '{"not":' * 100_000 + "{}" + "}" * 100_000
    (tmp_path / "strange.json").write_text(text)
    (tmp_path / "document.json").write_text(json.dumps(stranger.instance))
    answer = evalschema("check", "--schema", "strange.json", "--format", "json", "document.json", folder=tmp_path)
    # JSON writes a tuple as a list, and other names as texts
    if stranger.name in ("a-tuple", "a-name-that-is-none"):
        return
    assert answer.status == (2 if stranger.code == UNUSABLE else 1 if stranger.code else 0), answer
    if answer.status == 2:
        assert answer.out == ""
        assert answer.err.count("\n") == 1
