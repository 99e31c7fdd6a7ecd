"""The schemas in other hands: ajv, check-jsonschema, the editor's service, and TypeScript agree with our verdicts."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from codegen.sources import title
from evalschema import catalog
from evalschema.verdict import is_valid
from tests.dose import FULL
from tests.mutation import EXAMPLES, mutants
from tests.needs import NODE_TOOLS, node

ROOT = Path(__file__).parents[1]
SCHEMAS = ROOT / "schemas"
KINDS = catalog.kinds()
# RFC 3339 knows leap seconds, and so do we and ajv; the check of check-jsonschema does not.
LEAP_SECOND = re.compile(r"T\d\d:\d\d:60")


@cache
def files(kind: str) -> tuple[Path, ...]:
    """The example documents of a kind, valid and invalid."""
    found = sorted((EXAMPLES / kind).glob("*/*.json"))
    return tuple(path for path in found if not path.name.endswith(".findings.json"))


def document(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def asked(script: str, question: Any) -> Any:
    """What a script of tests/node answers."""
    done = subprocess.run(
        [node(), ROOT / "tests/node" / script],
        input=json.dumps(question),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_ajv_in_strict_mode_agrees() -> None:
    schemas = {path.name: document(path) for path in sorted(SCHEMAS.glob("*.schema.json"))}
    documents = [(kind, document(path)) for kind in KINDS for path in files(kind)]
    documents += [(kind, each) for kind in KINDS for each in mutants(kind, 2000 if FULL else 100, seed=11)]
    verdicts = asked("verdicts.mjs", {"schemas": schemas, "documents": documents})
    assert {True, False} == set(verdicts)
    differing = [
        each for each, verdict in zip(documents, verdicts, strict=True) if is_valid(each[0])(each[1]) != verdict
    ]
    assert differing == []


@pytest.mark.parametrize("kind", KINDS)
def test_check_jsonschema_agrees(kind: str) -> None:
    judged = [path for path in files(kind) if not LEAP_SECOND.search(path.read_text("utf-8"))]
    schema = str(SCHEMAS / f"{kind}.schema.json")
    command = [sys.executable, "-m", "check_jsonschema", "--schemafile", schema, "-o", "json", *map(str, judged)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    answer = json.loads(done.stdout)
    assert answer.get("parse_errors", []) == []
    refused = {error["filename"] for error in answer.get("errors", [])}
    assert refused == {str(path) for path in judged if not is_valid(kind)(document(path))}


def test_an_editor_offers_members_and_describes_them() -> None:
    benchmark = document(EXAMPLES / "benchmark/valid/documented.json")
    description = document(SCHEMAS / "benchmark.schema.json")["$defs"]["Configuration"]["description"]
    text = json.dumps(benchmark, indent=2)
    question = {"schema": str(SCHEMAS / "benchmark.schema.json"), "text": text}
    hovered = asked("editor.mjs", question | {"offset": text.index('"configuration"') + 3})
    assert hovered["problems"] == []
    assert description in hovered["hover"].replace("\\", "")  # it is Markdown, with its signs escaped
    started = '{"runs": [{""}]}'
    offered = asked("editor.mjs", question | {"text": started, "offset": started.index('""') + 1})["completions"]
    assert offered["configuration"] == description
    words = '{"runs": [{"configuration": }]}'
    offered = asked("editor.mjs", question | {"text": words, "offset": words.index(" }") + 1})["completions"]
    assert {'"with_skill"', '"without_skill"'} <= set(offered)


def test_an_editor_reports_what_the_schema_refuses() -> None:
    text = '{"total_tokens": -1, "duration_ms": 1500, "total_duration_seconds": 1.5}'
    told = asked("editor.mjs", {"schema": str(SCHEMAS / "timing.schema.json"), "text": text, "offset": 0})
    assert told["problems"] == ["Value is below the minimum of 0."]


def typescript(folder: Path, name: str, program: str) -> str:
    """What the TypeScript compiler says about a program beside the types."""
    (folder / "documents.d.ts").write_bytes((SCHEMAS / "typescript/documents.d.ts").read_bytes())
    (folder / f"{name}.ts").write_text(program, "utf-8")
    compiler = [node(), str(NODE_TOOLS / "typescript/bin/tsc"), "--strict", "--exactOptionalPropertyTypes", "--noEmit"]
    return subprocess.run(
        [*compiler, "--types", "", f"{name}.ts"], cwd=folder, capture_output=True, encoding="utf-8", check=False
    ).stdout


def test_every_valid_example_has_its_type_in_typescript(tmp_path: Path) -> None:
    lines = [f"import type {{ {', '.join(title(kind) for kind in KINDS)} }} from './documents'"]
    for kind in KINDS:
        valid = [path for path in files(kind) if path.parent.name == "valid"]
        lines += [
            f"export const {kind}_{i}: {title(kind)} = {path.read_text('utf-8').strip()}"
            for i, path in enumerate(valid)
        ]
    assert typescript(tmp_path, "valid", "\n".join(lines)) == ""


def test_typescript_refuses_a_wrong_type_and_tells_runs_apart(tmp_path: Path) -> None:
    program = """
import type { Run, Timing } from './documents'
export const timing: Timing = { total_tokens: 'many', duration_ms: 1500, total_duration_seconds: 1.5 }
export const duel = (run: Run) => (run.type === 'duel' ? run satisfies { type: 'duel' } : null)
export const other = (run: Run) => (run.type === 'duel' ? null : run satisfies { type: 'duel' })
"""
    told = [line for line in typescript(tmp_path, "wrong", program).splitlines() if "error TS" in line]
    assert [line.split(":")[0] for line in told] == ["wrong.ts(3,33)", "wrong.ts(5,70)"]
