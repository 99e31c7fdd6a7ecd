"""Generated files: up to date, the same bytes everywhere, and nothing to edit when a kind is added."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

import pytest

from codegen import _output, sources, tolerant
from codegen.__main__ import MAKERS, OWNED
from codegen.sources import title
from evalschema import catalog
from evalschema._generated import models
from evalschema.codes import all_codes
from evalschema.rules._engine import Rule, all_rules
from tests.needs import NODE_TOOLS, need, node

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
TYPES = ROOT / "schemas/typescript/documents.d.ts"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what generation reads and writes."""
    root = tmp_path_factory.mktemp("tree")
    for name in ("codegen", "schemas", "src", "tests/workspaces"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (*products(), "tests/node/package.json"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, root / path)
    if NODE_TOOLS.exists():
        (root / "tests/node/node_modules").symlink_to(NODE_TOOLS)
    return root


def run(
    root: Path, *arguments: str, python: str = sys.executable, **variables: str
) -> subprocess.CompletedProcess[str]:
    """`python -m codegen` of a tree, from another working directory."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", **variables}
    return subprocess.run(
        [python, "-m", "codegen", *arguments], cwd="/", env=environment, capture_output=True, text=True, check=False
    )


@cache
def products() -> dict[str, str]:
    made: dict[str, str] = {}
    for make in MAKERS:
        made |= make()
    return made


def contents(root: Path) -> dict[str, bytes]:
    return {path: (root / path).read_bytes() for path in products()}


# --- drift --------------------------------------------------------------------------------------------------------


def test_nothing_has_drifted() -> None:
    checked = run(ROOT, "--check")
    assert (checked.returncode, checked.stderr.replace(unchecked(), "")) == (0, "")


def unchecked() -> str:
    """The line that says that TypeScript was left out, where the Node tools are not installed."""
    return (
        "" if NODE_TOOLS.exists() and shutil.which("node") else run(ROOT, "--check").stderr.splitlines(keepends=True)[0]
    )


def test_what_was_edited_lost_or_left_over_is_told_and_repaired(tree: Path) -> None:
    before = contents(tree)
    edited, lost = "schemas/catalog.json", "src/evalschema/_generated/loading.py"
    (tree / edited).write_text((tree / edited).read_text("utf-8").replace("e", "é", 1), "utf-8")
    (tree / lost).unlink()
    for folder in OWNED:
        (tree / folder / "stale.md").write_text("of a kind that was taken out", "utf-8")
    checked = run(tree, "--check")
    assert checked.returncode == 1
    assert f"--- {edited} (as it is)" in checked.stderr
    assert f"{lost}: missing\n" in checked.stderr
    assert all(f"{folder}/stale.md: no longer made\n" in checked.stderr for folder in OWNED)
    count = 2 + len(OWNED)
    assert checked.stderr.endswith(f"{count} generated file(s) differ from their sources; repair with: make gen\n")
    assert len(checked.stderr.splitlines()) < 30, "a short difference was promised"
    assert len(run(tree).stdout.splitlines()) == count
    assert contents(tree) == before
    assert not any((tree / folder / "stale.md").exists() for folder in OWNED)


def test_many_differences_stay_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_output, "ROOT", tmp_path)
    wanted = {f"page-{number}.md": "\n".join(map(str, range(1000))) for number in range(50)}
    _output.write(dict.fromkeys(wanted, "x" * 1000))
    told = "\n".join(_output.compare(wanted)).splitlines()
    assert sum(line.endswith(" (as made)") for line in told) == 3
    assert told[-1] == "page-49.md: differs"
    assert len(told) < 120
    assert max(map(len, told)) < 210


def test_stale_data_of_the_package_is_told_alone(tree: Path) -> None:
    """What follows is made by running the package, so nothing can be said about it while its data is old."""
    schema = tree / "schemas/timing.schema.json"
    text = schema.read_text("utf-8")
    schema.write_text(text.replace('"description": "', '"description": "Ah. ', 1), "utf-8")
    checked = run(tree, "--check")
    assert checked.returncode == 1
    assert checked.stderr.count(" (as made)") == 1
    assert "_generated/bundle.json (as made)" in checked.stderr
    schema.write_text(text, "utf-8")


def test_wrong_usage_is_told() -> None:
    called = run(ROOT, "--cheque")
    assert (called.returncode, called.stderr) == (2, "usage: python -m codegen [--check]\n")


def test_without_node_the_types_stay_and_a_line_says_so(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "python").symlink_to(sys.executable)
    before = contents(tree)
    made = run(tree, PATH=str(tmp_path))
    assert (made.returncode, made.stdout) == (0, "")
    assert made.stderr == "schemas/typescript/documents.d.ts: left as it is, Node is not here\n"
    assert contents(tree) == before
    assert run(tree, "--check", PATH=str(tmp_path), EVALSCHEMA_NO_SKIP="1").returncode == 1


# --- the same bytes everywhere ------------------------------------------------------------------------------------


def made_anew(tree: Path, **arguments: Any) -> dict[str, bytes]:
    """All products of a tree, made with none of them there but what the package itself reads."""
    for path in products():
        (tree / path).unlink()
    made = run(tree, **arguments)
    assert made.returncode == 0, made.stderr
    return contents(tree)


@pytest.mark.parametrize("seed", ["0", "4294967295"])
def test_the_bytes_do_not_depend_on_hash_seed_or_working_directory(tree: Path, seed: str) -> None:
    node()
    assert made_anew(tree, PYTHONHASHSEED=seed, LC_ALL="C", TZ="Asia/Kathmandu") == contents(ROOT)


def interpreters() -> Iterator[str]:
    """Other Pythons that have what generation needs: those that EVALSCHEMA_PYTHONS names, and .venv-* beside .venv."""
    yield from filter(None, os.environ.get("EVALSCHEMA_PYTHONS", "").split(os.pathsep))
    yield from (str(path) for path in sorted(ROOT.glob(".venv-*/bin/python")))


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_the_bytes_do_not_depend_on_the_version_of_python(tree: Path, version: str) -> None:
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        assert contents(ROOT) == {path: text.encode() for path, text in products().items()}
        return
    question = "import sys; print('%d.%d' % sys.version_info[:2])"
    versions = {subprocess.check_output([each, "-c", question], text=True).strip(): each for each in interpreters()}
    if version not in versions:
        name = shutil.which(f"python{version}")
        here = name is not None and subprocess.run([name, "-V"], capture_output=True, check=False).returncode == 0
        reason = f"needs .venv-{version} with the packages of this Python, or EVALSCHEMA_PYTHONS"
        need(not here, reason)
        pytest.skip(f"{reason}; there is no Python {version} here")
    node()
    assert made_anew(tree, python=versions[version]) == contents(ROOT)


# --- a new kind touches no list -----------------------------------------------------------------------------------

WEATHER = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Weather",
    "description": "The weather at one place.",
    "type": "object",
    "required": ["place"],
    "properties": {
        "place": {"description": "Where it is.", "$ref": "#/$defs/WeatherPlace"},
        "class": {"description": "A keyword of Python.", "type": "string"},
        "from": {"description": "A keyword, and nullable.", "type": ["string", "null"]},
        "$schema": {"$ref": "common.schema.json#/$defs/SchemaReference"},
    },
    "$defs": {
        "WeatherPlace": {
            "title": "WeatherPlace",
            "description": "A place.",
            "type": "object",
            "required": ["name"],
            "properties": {"name": {"description": "What it is called.", "type": "string", "minLength": 1}},
        },
        "Path": {
            "title": "WeatherPath",
            "description": "Weather files.",
            "type": "string",
            "pattern": "(^|/)weather\\.json$",
        },
        "Shape": {
            "title": "WeatherShape",
            "description": "An object with a place.",
            "type": "object",
            "required": ["place"],
            "properties": {"place": True},
        },
    },
}
RULE = '''"""Rules for weather."""
from evalschema.rules._engine import Violation, rule

@rule("WEA001", needs=("/place/name",))
def place_is_nowhere(weather):
    """The place is nowhere."""
    if weather["place"]["name"] == "nowhere":
        yield Violation(("place", "name"), "it is nowhere")
'''
PROGRAM = """
from evalschema import dump, load, models, validate
document = {"from": None, "x": 1, "place": {"name": "Mole", "depth": 3.0}}
weather = load(document)
assert weather == models.Weather(place=weather.place, extras={"x": 1}) or weather.extras == {"x": 1}
assert (type(weather.place), weather.from_) == (models.WeatherPlace, None)
assert list(dump(weather)) == list(document) and dump(weather) == document
assert [each.code for each in validate({"place": {"name": "nowhere"}}, "weather").findings] == ["WEA001"]
"""


def test_a_kind_is_a_schema_a_rules_module_and_examples(tree: Path) -> None:
    (tree / "schemas/weather.schema.json").write_text(json.dumps(WEATHER), "utf-8")
    (tree / "src/evalschema/rules/weather.py").write_text(RULE, "utf-8")
    for path, name in (
        ("valid/documented", "Mole"),
        ("invalid/WEA001-lost", "nowhere"),
        ("valid/WEA001-found", "Quay"),
    ):
        example = tree / f"schemas/examples/weather/{path}.json"
        example.parent.mkdir(parents=True, exist_ok=True)
        example.write_text(json.dumps({"place": {"name": name}}), "utf-8")
    try:
        made = run(tree)
        assert made.returncode == 0, made.stderr
        assert run(tree, "--check").returncode == 0
        subprocess.run([sys.executable, "-c", PROGRAM], env={"PYTHONPATH": str(tree / "src")}, check=True)
        assert '"weather"' in (tree / "src/evalschema/_generated/kinds.py").read_text("utf-8")
        assert "nowhere" in (tree / "docs/reference/rules/WEA001.md").read_text("utf-8")
        assert "(../rules/WEA001.md)" in (tree / "docs/reference/kinds/weather.md").read_text("utf-8")
        if "left as it is" not in made.stderr:
            assert "export interface Weather {" in (tree / "schemas/typescript/documents.d.ts").read_text("utf-8")
    finally:
        for path in ("schemas/weather.schema.json", "src/evalschema/rules/weather.py"):
            (tree / path).unlink()
        shutil.rmtree(tree / "schemas/examples/weather")
        assert run(tree).returncode == 0
    assert contents(tree) == contents(ROOT)


# --- what is refused ----------------------------------------------------------------------------------------------


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sources that a test may change."""
    schemas = json.loads(json.dumps(sources.schemas()))
    monkeypatch.setattr(tolerant, "schemas", lambda: schemas)
    return schemas


def test_two_definitions_of_one_title_are_refused(changed: Any) -> None:
    changed["timing.schema.json"]["$defs"]["Claim"] = {"title": "Claim", "type": "string"}
    with pytest.raises(ValueError, match=r"timing\.schema\.json: Claim is defined twice"):
        tolerant.documents()


def test_a_tolerance_for_no_place_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {"kind": "timing", "place": "/nowhere", "keyword": "type", "severity": "info", "reason": "none"}

    def data(_name: str) -> list[dict[str, str]]:
        return [entry]

    monkeypatch.setattr(tolerant, "data", data)
    with pytest.raises(ValueError, match="timing has no place /nowhere"):
        tolerant.documents()


def test_a_member_called_extras_is_refused(changed: Any) -> None:
    changed["timing.schema.json"]["properties"]["extras"] = {"description": "More.", "type": "string"}
    with pytest.raises(ValueError, match="Timing has a member `extras`"):
        MAKERS[2]()


def test_a_made_up_name_is_refused(changed: Any) -> None:
    changed["timing.schema.json"]["properties"]["place"] = {
        "title": "Timing",
        "type": "object",
        "properties": {"a": {}},
    }
    with pytest.raises(ValueError, match="the generator made up the name"):
        MAKERS[2]()


# --- what is made -------------------------------------------------------------------------------------------------


def test_tolerances_are_in_the_types() -> None:
    hints = {name: get_type_hints(getattr(models, name)) for name in ("Evals", "BenchmarkRun", "RunResult", "Delta")}
    assert hints["Evals"]["skill_name"] == str | None
    assert hints["BenchmarkRun"]["eval_id"] == int | str
    assert (
        str(hints["BenchmarkRun"]["configuration"])
        == "typing.Union[typing.Literal['with_skill', 'without_skill'], str]"
    )
    assert hints["RunResult"]["passed"] is int
    assert hints["Delta"]["tokens"] == str | float | None


def test_sources_are_not_changed_by_loosening_them() -> None:
    tolerant.documents()
    assert sources.schemas()["evals.schema.json"]["required"] == ["skill_name", "evals"]


def test_the_catalogue_lists_every_kind_and_code() -> None:
    content = json.loads((ROOT / "schemas/catalog.json").read_text("utf-8"))
    assert [each["name"] for each in content["kinds"]] == list(catalog.kinds())
    for kind in content["kinds"]:
        assert (ROOT / "schemas" / kind["schema"]).exists()
        assert kind["title"] == title(kind["name"])
        assert all(re.compile(pattern) for pattern in kind.get("paths", []) + kind.get("general_paths", []))
    assert [each["code"] for each in content["codes"]] == [entry.code for entry in all_codes()]
    needs = {each["code"]: each.get("needs") for each in content["codes"]}
    assert all(
        needs[rule.code] == ["".join(f"/{step}" for step in need) for need in rule.needs] for rule in all_rules()
    )


def test_every_kind_and_code_has_its_page() -> None:
    for kind in catalog.kinds():
        page = (ROOT / f"docs/reference/kinds/{kind}.md").read_text("utf-8")
        assert all(f"| `{member}` |" in page for member in catalog.members(kind))
        assert "## Example\n" in page
    for entry in all_codes():
        page = (ROOT / f"docs/reference/rules/{entry.code.replace(' ', '-')}.md").read_text("utf-8")
        assert entry.page in page
        assert f"--ignore {entry.code}" in page


@pytest.mark.parametrize("rule", [rule for rule in all_rules() if type(rule) is Rule], ids=lambda rule: rule.code)
def test_the_page_of_a_rule_shows_where_it_fires_and_where_not(rule: Any) -> None:
    entry = json.loads(products()["src/evalschema/_generated/pages.json"])[rule.code]
    assert len(entry["pointers"]) == len(entry["messages"]) > 0
    page = products()[f"docs/reference/rules/{rule.code}.md"]
    assert entry["failing"].rstrip() in page
    assert entry["passing"].rstrip() in page
    assert all(message in page for message in entry["messages"])


def test_no_typescript_type_is_numbered() -> None:
    exported = re.findall(r"^export (?:interface|type) (\w+)", TYPES.read_text("utf-8"), re.MULTILINE)
    assert {title(kind) for kind in catalog.kinds()} <= set(exported)
    assert [name for name in exported if name[-1].isdigit()] == []
