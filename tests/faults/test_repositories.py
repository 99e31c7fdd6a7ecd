"""A repository may come from anybody, and git obeys what stands in it: that must not reach who looks through it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from evalschema import check_workspace
from evalschema.errors import SettingsError
from tests.faults.program import DEMO, run
from tests.needs import need

if TYPE_CHECKING:
    from tests.conftest import Figure

pytestmark = [
    pytest.mark.promise("network"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and named pipes"),
]


def git(folder: Path, *arguments: str) -> None:
    variables = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    subprocess.run(["git", *arguments], cwd=folder, env=variables, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    need(shutil.which("git"), "needs git")
    folder = tmp_path / "stranger"
    shutil.copytree(DEMO / "healthy", folder)
    git(folder, "init", "-q", ".")
    git(folder, "add", ".")
    git(folder, "-c", "user.name=nobody", "-c", "user.email=nobody@example.org", "commit", "-q", "-m", "x")
    return folder


def trap(tmp_path: Path) -> tuple[Path, Path]:
    """A program that leaves a mark, and the mark."""
    program, mark = tmp_path / "program", tmp_path / "mark"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\n", "utf-8")
    program.chmod(0o755)
    return program, mark


#: Settings of a repository by which git runs a program, at one occasion or another.
PROGRAMS = (
    "core.fsmonitor", "core.pager", "pager.ls-files", "core.sshCommand", "core.editor", "core.askPass", "diff.external",
    "filter.x.clean", "filter.x.smudge", "filter.x.process", "credential.helper", "core.gitProxy", "gpg.program",
    "uploadpack.packObjectsHook", "core.alternateRefsCommand", "sequence.editor", "interactive.diffFilter",
)  # fmt: skip


@pytest.mark.parametrize("command", ["check", "check --changed", "identify", "fix", "report", "aggregate"])
def test_a_repository_runs_no_program_of_its_own(
    command: str, repository: Path, tmp_path: Path, figure: Figure
) -> None:
    program, mark = trap(tmp_path)
    for name in PROGRAMS:
        git(repository, "config", name, str(program))
    git(repository, "config", "alias.ls-files", f"!{program}")
    git(repository, "config", "core.hooksPath", str(tmp_path / "hooks"))
    (tmp_path / "hooks").mkdir()
    for hook in ("fsmonitor-watchman", "query-watchman", "post-index-change", "pre-commit", "post-checkout"):
        shutil.copy(program, tmp_path / "hooks" / hook)
    (repository / ".gitattributes").write_text("* filter=x diff=x\n", "utf-8")
    (repository / "evals" / "evals.json").touch()
    done = run([*command.split(), "."], repository)
    assert done.status == 0, done.said
    assert not mark.exists()
    figure("settings by which a repository names programs", f"{len(PROGRAMS)} tried, 0 run")


def test_the_trap_does_shut_without_us(repository: Path, tmp_path: Path) -> None:
    """The control: git by itself runs the program, so the test above can fail."""
    program, mark = trap(tmp_path)
    git(repository, "config", "core.fsmonitor", str(program))
    git(repository, "ls-files", "--others")
    assert mark.exists()


def test_a_repository_fetches_nothing(repository: Path, tmp_path: Path, figure: Figure) -> None:
    """A clone that promises the rest of itself at another place: the place would be a program."""
    program, mark = trap(tmp_path)
    for name, value in (
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "far"),
        ("remote.far.promisor", "true"),
        ("remote.far.url", f"ext::{program}"),
        ("protocol.ext.allow", "always"),
        ("protocol.allow", "always"),
        ("core.sparseCheckout", "true"),
        ("core.sparseCheckoutCone", "true"),
        ("index.sparse", "true"),
    ):
        git(repository, "config", name, value)
    (repository / ".git" / "info").mkdir(exist_ok=True)
    (repository / ".git" / "info" / "sparse-checkout").write_text("/*\n!/*/\n", "utf-8")
    git(repository, "read-tree", "-mu", "HEAD")
    shutil.rmtree(repository / ".git" / "objects")
    (repository / ".git" / "objects").mkdir()
    shutil.copytree(DEMO / "healthy", repository, dirs_exist_ok=True)
    done = run(["check", "."], repository)
    assert done.status == 0, done.said
    assert not mark.exists()
    figure("a promising remote", "0 fetched")


def test_a_worktree_elsewhere_is_not_read(repository: Path, tmp_path: Path) -> None:
    shutil.copytree(DEMO / "broken", tmp_path / "elsewhere")
    git(repository, "config", "core.worktree", str(tmp_path / "elsewhere"))
    done = run(["check", "."], repository)
    assert b"elsewhere" not in done.stdout
    assert done.status == 0, done.said


def test_git_in_the_current_folder_is_not_run(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, mark = trap(tmp_path)
    shutil.copy(program, repository / "git")
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    assert run(["check", "."], repository).status == 0
    assert not mark.exists()


def test_git_that_waits_for_ever_is_told(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A guess at which files count would hide some, or show others."""
    monkeypatch.setattr("evalschema.repository.PATIENCE", 0.5)
    os.mkfifo(repository / "iteration-1" / ".gitignore")
    with pytest.raises(SettingsError, match=r"is a \.gitignore a pipe"):
        list(check_workspace(repository))
    done = run(["check", "."], repository)
    assert (done.status, "is a .gitignore a pipe" in done.said) == (2, True)
