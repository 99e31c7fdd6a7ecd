"""`evalschema check --changed`: git says what is checked, whatever the files are called and whoever calls."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.needs import need

TREES = Path(__file__).parent / "workspaces"
SOUND = '{"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": 23.4}'
IDENTITY = ("-c", "user.name=Someone", "-c", "user.email=someone@example.org", "-c", "commit.gpgsign=false")


def environment(**more: str) -> dict[str, str]:
    """That of the tests without what a hook that runs them would set, and without anybody's own configuration."""
    rest = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "GITHUB_", "CI"))}
    return rest | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull} | more


def git(folder: Path, *arguments: str) -> str:
    """What git answers in a folder."""
    command = ["git", *IDENTITY, "-c", "protocol.file.allow=always", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def write(folder: Path, *names: str, text: str = SOUND) -> None:
    """A timing under each name."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def commit(folder: Path, message: str = "more") -> str:
    """All that there is, committed; the name of the commit."""
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")


def check(folder: Path, *arguments: str, status: int | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "evalschema", "check", *arguments]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        text=True,
        check=False,
        errors="surrogateescape",
        timeout=60,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert status is None or done.returncode == status, done.stdout + done.stderr
    return done


def checked(folder: Path, *arguments: str, **more: Any) -> list[str]:
    """The files that were checked."""
    done = check(folder, "--format", "json", *arguments, **more)
    assert done.returncode in (0, 1), done.stderr
    return [os.path.normpath(each["path"]) for each in json.loads(done.stdout)["files"]]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with some timings, all committed on the branch main."""
    need(shutil.which("git") is not None, "git is not installed")
    folder = tmp_path / "work"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    write(folder, *(f"run-{number}/timing.json" for number in range(8)))
    write(folder, ".gitignore", text="ignored/\n")
    commit(folder)
    return folder


def test_what_differs_from_the_last_commit_is_checked(repository: Path) -> None:
    assert checked(repository, "--changed", ".", status=0) == []
    write(repository, "run-1/timing.json", text=SOUND + "\n")
    git(repository, "add", "run-1")  # staged
    write(repository, "run-2/timing.json", text=SOUND + " ")  # not staged
    write(repository, "run-9/timing.json", "ignored/timing.json")  # unknown, and ignored
    (repository / "run-3/timing.json").unlink()  # gone
    git(repository, "rm", "-q", "run-4/timing.json")  # gone, and staged
    git(repository, "mv", "run-5", "run-55")  # has another name
    expected = [f"run-{number}/timing.json" for number in (1, 2, 55, 9)]
    assert checked(repository, "--changed", ".") == expected
    assert checked(repository, "--changed", "--no-workspace", ".") == expected
    assert checked(repository, "--changed", "--jobs", "2", ".") == expected
    every = sorted(str(path.relative_to(repository)) for path in repository.glob("run-*/timing.json"))
    assert checked(repository, "--changed", *every, "run-3/timing.json") == expected
    assert checked(repository / "run-2", "--changed", ".", "../run-9", "timing.json") == [
        "timing.json",
        "../run-9/timing.json",
        "timing.json",
    ]


def test_what_is_gone_is_no_document_of_a_folder(repository: Path) -> None:
    (repository / "run-3/timing.json").unlink()
    git(repository, "rm", "-q", "run-4/timing.json")
    git(repository, "rm", "-q", "--cached", "run-5/timing.json")  # git forgets it, and it stays
    rest = [f"run-{number}/timing.json" for number in (0, 1, 2, 5, 6, 7)]
    assert checked(repository, ".", status=0) == rest
    git(repository, "sparse-checkout", "set", "--no-cone", "/run-1/", "/run-2/")
    assert checked(repository, ".", status=0) == ["run-1/timing.json", "run-2/timing.json", "run-5/timing.json"]


def test_a_file_in_conflict_is_checked_once(repository: Path) -> None:
    for branch, text in (("one", SOUND + "\n"), ("two", SOUND + " ")):
        git(repository, "checkout", "-q", "-b", branch, "main")
        write(repository, "run-1/timing.json", text=text)
        commit(repository)
    merge = ["git", *IDENTITY, "merge", "-q", "one"]
    assert subprocess.run(merge, cwd=repository, env=environment(), capture_output=True, check=False).returncode == 1
    every = [f"run-{number}/timing.json" for number in range(8)]
    assert checked(repository, ".", status=1) == every
    assert checked(repository, "--changed", ".", status=1) == ["run-1/timing.json"]


def test_a_revision_is_compared_with_where_the_branch_left_it(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "work")
    write(repository, "run-1/timing.json", text=SOUND + "\n")
    commit(repository)
    write(repository, "run-2/timing.json", text=SOUND + "\n")
    other = repository.parent / "other"
    git(repository, "worktree", "add", "-q", str(other), "main")
    write(other, "run-7/timing.json", text=SOUND + "\n")
    commit(other)  # main goes on: that is none of our changes
    assert checked(repository, "--changed=main", ".") == ["run-1/timing.json", "run-2/timing.json"]
    assert checked(repository, "--changed", ".") == ["run-2/timing.json"]
    assert checked(repository, "--changed=HEAD~1", ".") == ["run-1/timing.json", "run-2/timing.json"]
    assert checked(other, "--changed", ".") == []  # a work tree whose .git is a file


def test_a_workspace_in_which_anything_has_changed_is_checked_as_a_whole(repository: Path) -> None:
    names = ("WSP003-other-seconds", "WSP006-rounded", "WSP014-leading-zero")
    for name in names:
        shutil.copytree(TREES / name, repository / name)
        (repository / name / "findings.json").unlink(missing_ok=True)
    commit(repository)
    whole = {name: [path for path in checked(repository, ".") if path.startswith(name)] for name in names}
    changed = min((repository / names[0]).rglob("grading.json"))
    damaged = min((repository / names[1]).rglob("timing.json"))
    changed.write_bytes(changed.read_bytes() + b"\n")
    assert checked(repository, "--changed", ".") == whole[names[0]]
    damaged.unlink()
    rest = [path for path in whole[names[1]] if repository / path != damaged]
    assert checked(repository, "--changed", ".") == [*whole[names[0]], *rest]
    assert checked(repository, "--changed", "--jobs", "3", ".") == [*whole[names[0]], *rest]
    assert checked(repository, "--changed", "--no-workspace", ".") == [str(changed.relative_to(repository))]


@pytest.mark.parametrize(
    "name", ["two words", 'a "quoted" one', "line\nfeed", "tab\tstop", "größe", "-x", "--", ":(top)", "ä*?["]
)
def test_names_are_taken_as_they_are(repository: Path, name: str) -> None:
    write(repository, f"{name}/timing.json")
    commit(repository)
    write(repository, f"{name}/timing.json", text=SOUND + "\n")
    assert len(checked(repository, "--changed", ".")) == 1
    assert len(checked(repository, "--changed", "--", f"./{name}/timing.json", "run-1/timing.json")) == 1
    assert len(checked(repository, "--changed=HEAD~1", "--", f"./{name}")) == 1


def test_a_name_that_is_no_text_is_taken_as_it_is(repository: Path) -> None:
    place = os.fsencode(repository) + b"/caf\xe9"
    try:
        os.mkdir(place)
    except OSError:
        pytest.skip("this file system takes only names that are texts")
    with open(place + b"/timing.json", "wb") as file:
        file.write(SOUND.encode())
    assert len(checked(repository, "--changed", ".")) == 1
    commit(repository)
    assert checked(repository, "--changed", ".") == []


def test_without_a_commit_everything_has_changed(tmp_path: Path) -> None:
    need(shutil.which("git") is not None, "git is not installed")
    git(tmp_path, "init", "-q")
    write(tmp_path, "a/timing.json", "b/timing.json")
    git(tmp_path, "add", "a")
    assert checked(tmp_path, "--changed", ".") == ["a/timing.json", "b/timing.json"]


def test_a_submodule_is_a_repository_of_its_own(repository: Path, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    git(inner, "init", "-q")
    write(inner, "one/timing.json", "two/timing.json")
    commit(inner)
    git(repository, "submodule", "--quiet", "add", str(inner), "sub")
    commit(repository)
    write(repository, "sub/one/timing.json", text=SOUND + "\n")
    assert checked(repository, "--changed", ".") == []
    assert checked(repository, "--changed", ".", "sub") == ["sub/one/timing.json"]
    assert checked(repository / "sub", "--changed", ".") == ["one/timing.json"]


def test_the_variables_of_a_hook_lead_nowhere_else(repository: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    write(repository, "run-2/timing.json", text=SOUND + "\n")
    hook = {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / ".git/index"),
        "GIT_PREFIX": "run-1/",
    }
    done = check(repository, "--changed", "--format", "json", ".", status=0, **hook)
    assert [each["path"] for each in json.loads(done.stdout)["files"]] == ["./run-2/timing.json"]


def test_nothing_that_a_repository_names_is_run(repository: Path) -> None:
    mark = repository.parent / "was run"
    program = repository.parent / "program.sh"
    program.write_text(f'#!/bin/sh\n: >> "{mark}"\ncat\n', "utf-8")
    program.chmod(0o755)
    write(repository, ".gitattributes", text="*.json filter=theirs diff=theirs\n")
    commit(repository)
    for name in ("filter.theirs.clean", "filter.theirs.smudge", "filter.theirs.process", "diff.theirs.textconv"):
        git(repository, "config", name, str(program))
    for name in ("diff.theirs.command", "diff.external", "core.fsmonitor", "core.pager"):
        git(repository, "config", name, str(program))
    git(repository, "config", "filter.theirs.required", "true")
    # written as soon as the index: git has to look into such a file
    index = os.stat(repository / ".git/index").st_mtime_ns
    for path in repository.glob("run-*/timing.json"):
        path.write_text(SOUND.replace("5210", "5211"), "utf-8")
        os.utime(path, ns=(index, index))
    mark.unlink(missing_ok=True)
    assert len(checked(repository, "--changed", ".")) == 8
    assert len(checked(repository, "--changed=main", ".")) == 8
    assert not mark.exists()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--changed=nowhere", "."], "git knows no such revision here: was it fetched?"),
        (["--changed=--output=x", "."], "that is no revision of git"),
        (["--changed=-h", "."], "that is no revision of git"),
        (["--changed=", "."], "that is no revision of git"),
        (["--changed=main:.gitignore", "."], "git knows no such revision"),
        (["--changed", "main", "."], "main is a revision and no file: write --changed=main"),
        (["--changed", "-"], "standard input is none"),
        (["--changed", "--list-files", "."], "leave out --changed"),
        (["--changed", "/"], "lies in no git repository"),
    ],
)
def test_what_git_cannot_answer_is_a_fault_of_usage(repository: Path, arguments: list[str], reason: str) -> None:
    done = check(repository, *arguments, status=2)
    assert reason in done.stderr
    assert done.stdout == ""
    assert not (repository / "x").exists()


def test_histories_that_do_not_meet_are_told(repository: Path, tmp_path: Path) -> None:
    git(repository, "checkout", "-q", "--orphan", "alone")
    commit(repository, "begun anew")
    assert "it has no commit in common with HEAD" in check(repository, "--changed=main", ".", status=2).stderr
    git(repository, "checkout", "-q", "main")
    write(repository, "run-1/timing.json", text=SOUND + "\n")
    commit(repository)
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth", "1", "--branch", "main", repository.as_uri(), str(shallow))
    done = check(shallow, "--changed=HEAD~1", ".", status=2)
    assert "as far as this shallow clone goes: fetch more of it" in done.stderr
    write(shallow, "run-2/timing.json", text=SOUND + " ")
    assert checked(shallow, "--changed", ".") == ["run-2/timing.json"]


def test_without_git_that_is_said(repository: Path) -> None:
    done = check(repository, "--changed", ".", status=2, PATH="")
    assert "git is not installed" in done.stderr


def test_a_file_that_is_missing_is_found_missing(repository: Path) -> None:
    done = check(repository, "--changed", "nowhere.json", status=1)
    assert "there is no such file" in done.stdout
