"""Nothing is fetched, and nothing is opened that was not named, whatever a document or schema says: seen by strace."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.hostile.cases import SOLO, cases
from tests.needs import need

if TYPE_CHECKING:
    from tests.conftest import Figure

pytestmark = pytest.mark.promise("network")
NEIGHBOUR = "beside-the-document.json"
#: What a schema or a document may name; the folder stands for that of the document.
ADDRESSES = (
    "http://127.0.0.1:9/a.json", "https://127.0.0.1:9/a.json", "ftp://127.0.0.1:9/a.json", "//127.0.0.1:9/a.json",
    "file://{folder}/" + NEIGHBOUR, "file:" + NEIGHBOUR, "{folder}/" + NEIGHBOUR, "../" + NEIGHBOUR, NEIGHBOUR,
    "data:application/json,{{}}",
    "urn:uuid:0", "jar:file:{folder}/" + NEIGHBOUR, "\\\\127.0.0.1\\share\\a.json",
    "common.schema.json/../" + NEIGHBOUR,
    "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema", "grading.schema.json",
    "file:///etc/passwd", "/etc/passwd", "http://user:password@127.0.0.1:9/", "{folder}/",
)  # fmt: skip
_OPENED = re.compile(r'open(?:at)?\((?:[^,"]+, )?"((?:[^"\\]|\\.)*)"[^)]*\) = (-?\d+)')
_SPOKEN = re.compile(r"\b(?:socket|connect|bind|sendto|sendmsg|listen|accept4?)\((.*)")


def trace(arguments: list[str], folder: Path) -> tuple[list[str], list[str], int]:
    """The paths of files that were opened, the system calls of the network, and the exit status."""
    log = folder.parent / "trace"
    calls = "trace=network,open,openat,openat2"
    command = [
        "strace",
        "-f",
        "-qq",
        "-s",
        "4096",
        "-e",
        calls,
        "-o",
        str(log),
        sys.executable,
        "-P",
        "-m",
        "evalschema",
    ]
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [*command, *arguments], cwd=folder, capture_output=True, env=environment, check=False, timeout=120
    )
    text = log.read_text("utf-8", "replace")
    opened = [match[1] for match in _OPENED.finditer(text) if int(match[2]) >= 0]
    assert opened, text[:500]
    return opened, [match[0] for match in _SPOKEN.finditer(text)], done.returncode


def foreign(opened: list[str], folder: Path, named: set[str]) -> list[str]:
    """What belongs neither to Python and its libraries nor to what was named on the command line."""
    own = [
        sys.prefix,
        sys.base_prefix,
        str(Path(__file__).parents[2]),
        "/lib",
        "/usr/lib",
        "/usr/share/locale",
        "/etc/ld.so",
    ]
    own += ["/proc", "/sys", "/dev", "/etc/localtime", "/usr/share/zoneinfo", "/etc/gitconfig", str(folder / ".git")]
    return [
        path
        for path in opened
        if not any(path.startswith(each) for each in own) and (path not in named or NEIGHBOUR in path) and path != "."
    ]


def test_no_address_in_a_document_or_schema_is_followed(tmp_path: Path, figure: Figure) -> None:
    need(shutil.which("strace"), "needs strace")
    folder = tmp_path / "documents"
    folder.mkdir()
    for place in (folder, tmp_path):
        (place / NEIGHBOUR).write_text('{"type": "string"}')
    addresses = [address.format(folder=folder) for address in ADDRESSES]
    documents: dict[str, Any] = {}
    for number, address in enumerate(addresses):
        documents[f"schema-{number}.json"] = {"$schema": address, **SOLO}
        documents[f"reference-{number}.json"] = {"$ref": address, "$id": address, "scenario": {"$ref": address}}
    for name, document in documents.items():
        (folder / name).write_text(json.dumps(document))
    for form in ([], ["--format", "full"], ["--kind", "run", "--format", "sarif"]):
        opened, spoken, status = trace(["check", *form, *documents], folder)
        assert status == 1
        assert not spoken
        assert not foreign(opened, folder, set(documents))
        assert {path for path in opened if path in documents} == set(documents)
    schemas = 0
    for keyword in ("$ref", "$dynamicRef", "$schema", "$id"):
        for number, address in enumerate(addresses):
            given = {"$ref": address, "$id": "http://127.0.0.1:9/root"} if keyword == "$id" else {keyword: address}
            (folder / "given.json").write_text(json.dumps({"properties": {"a": {"type": "string"}}, **given}))
            if number % 4 == 0 or keyword == "$ref":
                opened, spoken, status = trace(["check", "--schema", "given.json", "reference-0.json"], folder)
                assert status in (0, 1, 2), (keyword, address)
                assert not spoken, (keyword, address)
                assert not foreign(opened, folder, {"given.json", "reference-0.json"}), (keyword, address)
                schemas += 1
    figure("documents with addresses of every scheme", f"{len(documents)}: 0 connections, 0 files opened unasked")
    figure("schemas with addresses of every scheme", f"{schemas}: 0 connections, 0 files opened unasked")


def test_nothing_else_is_opened_for_any_named_document_nor_for_what_a_configuration_says(
    tmp_path: Path, figure: Figure
) -> None:
    need(shutil.which("strace"), "needs strace")
    folder = tmp_path / "documents"
    folder.mkdir()
    names = [f"{number}.json" for number, _ in enumerate(cases())]
    for name, case in zip(names, cases(), strict=True):
        (folder / name).write_bytes(case.data)
    (folder / NEIGHBOUR).write_text("{}")
    addresses = json.dumps([address.format(folder=folder) for address in ADDRESSES])
    overrides = "".join(f"[[overrides]]\npath = {each}\nkind = 'run'\n" for each in addresses[1:-1].split(", "))
    (folder / "evalschema.toml").write_text(f"exclude = {addresses}\n{overrides}")
    for configured in (["--config", "evalschema.toml"], []):
        named = {*names, "evalschema.toml"} | {str(folder / "evalschema.toml")}
        opened, spoken, status = trace(["check", "--kind", "run", *configured, *names], folder)
        assert status == 1
        assert not spoken
        assert not foreign(opened, folder, named)
        assert {path for path in opened if path in names} == set(names)
    figure("named documents, and a configuration of addresses", f"{len(names)}: 0 connections, 0 files opened unasked")
