"""Where it comes from and what comes with it: pins, builds that anybody can repeat, a bill of materials, workflows."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.dose import dose
from tests.needs import need

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
RUNTIME = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
PINNED = re.compile(r"(?m)^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;]+)(?: ; (?P<marker>[^\\\n]+?))? \\$")
#: Which of them each file pins: the runtime dependencies always, and these groups.
FILES = {
    "runtime": [],
    "check": ["check"],
    "docs": ["docs"],
    "newest": ["generate", "ends"],
    "lowest": ["ends"],
}


def group(name: str) -> list[Requirement]:
    """What a dependency group asks for, with the groups that it includes."""
    found: list[Requirement] = []
    for entry in PROJECT["dependency-groups"][name]:
        found += group(entry["include-group"]) if isinstance(entry, dict) else [Requirement(entry)]
    return found


def pins(name: str) -> dict[str, list[tuple[Version, Marker | None]]]:
    """The versions that a file of requirements/ pins, by name, each with the environments that it is for."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    found: dict[str, list[tuple[Version, Marker | None]]] = {}
    for pin in PINNED.finditer(text):
        marker = Marker(pin["marker"]) if pin["marker"] else None
        found.setdefault(canonicalize_name(pin["name"]), []).append((Version(pin["version"]), marker))
    return found


# --- pins ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILES)
def test_everything_that_is_asked_for_is_pinned_within_its_range(name: str) -> None:
    """`make lock` brings a file up to date after pyproject.toml was changed."""
    pinned = pins(name)
    for wanted in (*RUNTIME, *(each for part in FILES[name] for each in group(part))):
        versions = pinned.get(canonicalize_name(wanted.name), [])
        assert versions, f"requirements/{name}.txt lacks {wanted.name}: make lock"
        for version, _ in versions:
            assert wanted.specifier.contains(version, prereleases=True), f"{wanted.name}=={version}: make lock"


@pytest.mark.parametrize("name", FILES)
def test_every_pin_has_its_hashes(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    assert all(line.startswith("    --hash=sha256:") or PINNED.fullmatch(line) for line in lines)
    for number, line in enumerate(lines):
        if not line.startswith(" "):
            assert re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?", lines[number + 1]), line
    # a file of another origin than the public index would be no use to others
    assert "file:" not in text
    assert "index-url" not in text


def test_the_oldest_that_is_tested_is_the_oldest_that_is_allowed() -> None:
    lowest = pins("lowest")
    for wanted in RUNTIME:
        (floor,) = (Version(each.version) for each in wanted.specifier if each.operator == ">=")
        assert [version for version, _ in lowest[canonicalize_name(wanted.name)]] == [floor]


def test_one_package_is_pinned_to_one_version_where_the_newest_are_tested() -> None:
    everything = pins("check")
    for name in ("runtime", "newest"):
        for package, versions in pins(name).items():
            if package in everything:
                assert {version for version, _ in versions} <= {version for version, _ in everything[package]}, package


# --- builds -------------------------------------------------------------------------------------------------------


def test_two_builds_in_two_places_at_two_times_give_the_same_bytes(tmp_path: Path) -> None:
    """Other folders, umasks, time zones, languages, hash seeds, clocks and times of the files."""
    digests: list[dict[str, str]] = []
    tree = tmp_path / "tree"
    _copy_of_the_tree(tree)
    for number, (mask, zone, seed) in enumerate(((0o022, "UTC", "0"), (0o077, "Asia/Kathmandu", "4711"))):
        folder = tmp_path / f"a folder {number}" / "deeper"
        old = os.umask(mask)
        try:
            shutil.copytree(tree, folder, copy_function=shutil.copyfile)
            for age, path in enumerate(sorted(folder.rglob("*"), reverse=bool(number))):
                os.utime(path, (1_700_000_000 + age, 1_700_000_000 + age))
            environment = {**os.environ, "TZ": zone, "PYTHONHASHSEED": seed, "LC_ALL": "C"}
            environment.pop("SOURCE_DATE_EPOCH", None)
            # a wheel that is made of the sdist, as installers do, is the same as well
            command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder / "dist")]
            subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
        finally:
            os.umask(old)
        digests.append({path.name: sha256(path.read_bytes()).hexdigest() for path in (folder / "dist").iterdir()})
    assert digests[0] == digests[1]
    assert sorted(Path(name).suffix for name in digests[0]) == [".gz", ".whl"]


def _copy_of_the_tree(folder: Path) -> None:
    include = [name.strip("/") for name in PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]]
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "node_modules", "_build")
    folder.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore", *include):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=ignored)
        elif source.exists():
            shutil.copyfile(source, folder / name)


# --- the bill of materials ----------------------------------------------------------------------------------------


def test_the_bill_of_materials_lists_what_is_pinned_and_is_the_same_each_time(tmp_path: Path) -> None:
    need((BIN / "cyclonedx-py").exists(), "needs cyclonedx-py: pip install --group release")
    made = dose(["one"], ["one", "two"])
    for name in made:
        subprocess.run([sys.executable, "-m", "codegen.sbom", str(tmp_path / name)], cwd=ROOT, check=True)
    assert len({(tmp_path / name).read_bytes() for name in made}) == 1
    assert b"timestamp" not in (tmp_path / "one").read_bytes()
    bill = json.loads((tmp_path / "one").read_bytes())
    listed = {(each["name"], Version(each["version"])) for each in bill["components"]}
    assert listed == {(name, version) for name, versions in pins("runtime").items() for version, _ in versions}
    assert all(each["externalReferences"][0]["hashes"] for each in bill["components"])
    root = bill["metadata"]["component"]
    names = {each["bom-ref"]: each["name"] for each in bill["components"]}
    (ours,) = (each for each in bill["dependencies"] if each["ref"] == root["bom-ref"])
    assert {names[each] for each in ours["dependsOn"]} == {canonicalize_name(wanted.name) for wanted in RUNTIME}
    assert (root["name"], bool(root["version"])) == ("evalschema", True)
    assert str(ROOT).encode() not in (tmp_path / "one").read_bytes()


# --- workflows ----------------------------------------------------------------------------------------------------

PAGES = sorted({*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), ROOT / "action.yml"})
USES = re.compile(r"(?m)^\s*(?:-\s+)?uses:\s*(\S+)(.*)$")


def uses() -> list[tuple[str, str, str]]:
    """Every action that a shipped workflow or example uses: the file, what is used, and what stands behind it."""
    return [(path.name, found[1], found[2]) for path in PAGES for found in USES.finditer(path.read_text("utf-8"))]


def test_every_action_is_pinned_by_its_digest() -> None:
    assert len(uses()) >= 6
    for file, action, comment in uses():
        assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", action), f"{file}: {action}"
        # for people: which release that is
        assert re.match(r" # (?:v\d+\.\d+\.\d+$|the repository and the commit)", comment), f"{file}: {action}{comment}"


def test_one_action_has_one_digest() -> None:
    digests: dict[str, set[str]] = {}
    for _, action, _ in uses():
        name, _, digest = action.partition("@")
        digests.setdefault(name, set()).add(digest)
    assert [name for name, found in digests.items() if len(found) > 1] == []


def test_workflows_stand_up_to_who_looks_for_holes(tmp_path: Path) -> None:
    need((BIN / "zizmor").exists(), "needs zizmor: pip install --group release")
    workflows = tmp_path / ".github" / "workflows"
    workflows.mkdir(parents=True)
    blocks = [
        block[1]
        for path in PAGES
        for block in re.finditer(r"(?ms)^```yaml\n(.*?)^```", path.read_text("utf-8"))
        if re.search(r"(?m)^jobs:", block[1])
    ]
    assert len(blocks) >= 2
    for number, block in enumerate(blocks):
        (workflows / f"example-{number}.yml").write_text(block, "utf-8")
    shutil.copy(ROOT / "action.yml", tmp_path)
    done = subprocess.run(
        [str(BIN / "zizmor"), "--offline", "--no-progress", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
