"""What git knows of the files around a folder; asking it runs nothing that a repository's own configuration names."""

from __future__ import annotations

import os
from bisect import bisect_left
from typing import TYPE_CHECKING

from evalschema.console import safe
from evalschema.errors import SettingsError
from evalschema.excerpt import shown

if TYPE_CHECKING:
    from subprocess import CompletedProcess

# A repository may come from anybody, and its own configuration can name programs: no monitor is started and nothing is
# fetched to list its files.
_SWITCHES = ("-c", "core.fsmonitor=false")
_ENVIRONMENT = {"GIT_ALLOW_PROTOCOL": "", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}
# In seconds. git waits for ever where a .gitignore is a pipe; a million files take it some seconds.
PATIENCE = 30.0


class Git:
    """What asks git in a folder."""

    def __init__(self, program: str, folder: str) -> None:
        self._program = program
        self._folder = folder
        # the variables would let a caller's hook answer for another repository
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        self._environment = inherited | _ENVIRONMENT

    def run(self, *arguments: str) -> CompletedProcess[bytes]:
        """What git answers; raises OSError, and `SettingsError` when it does not answer at all."""
        import subprocess

        try:
            return subprocess.run(  # noqa: S603
                [self._program, *_SWITCHES, *arguments],
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=PATIENCE,
            )
        except subprocess.TimeoutExpired:
            why = f"git does not say within {PATIENCE:g} seconds which files it ignores: is a .gitignore a pipe?"
            raise SettingsError(f"{self._folder}: {why}") from None

    def without_filters(self) -> Git:
        """The same, but what its configuration names to be run over contents is not run."""
        listed = self.run("config", "--name-only", "-z", "--get-regexp", r"^filter\..*\.(clean|process|required)$")
        names = sorted({os.fsdecode(name) for name in listed.stdout.split(b"\0") if name})
        calm = Git(self._program, self._folder)
        calm._environment["GIT_CONFIG_COUNT"] = str(len(names))
        for index, name in enumerate(names):
            calm._environment[f"GIT_CONFIG_KEY_{index}"] = name
            calm._environment[f"GIT_CONFIG_VALUE_{index}"] = "false" if name.endswith(".required") else ""
        return calm


def git_in(folder: str) -> Git | None:
    """What asks git in a folder; None where it is not installed, or the folder lies in no repository."""
    program = _program()
    return None if program is None or root_of(folder) is None else Git(program, folder)


def _program() -> str | None:
    from shutil import which

    program = which("git")
    # Windows looks for programs in the current folder, too: one from there is not ours to run
    return program if program is not None and os.path.isabs(program) else None


def root_of(folder: str) -> str | None:
    """The folder of the repository that a folder lies in; None where it lies in none."""
    here = os.path.abspath(folder)
    while not os.path.exists(os.path.join(here, ".git")):
        parent = os.path.dirname(here)
        if parent == here:
            return None
        here = parent
    return here


class Changed:
    """Which files are not what they were in a revision; each repository that is asked about is asked once.

    A file counts that was added, changed or deleted since the last commit that the revision and HEAD have in common,
    whether that was committed or not, and one that git does not know and does not ignore. One that may be as it was
    (its time is another) counts as well. Submodules are repositories of their own.
    """

    def __init__(self, revision: str) -> None:
        if not revision or revision.startswith("-"):
            raise SettingsError(f"--changed={shown(revision)}: that is no revision of git")
        self._revision = revision
        self._folders: dict[str, str] = {}
        self._roots: dict[str, str | None] = {}
        self._names: dict[str, list[str]] = {}

    def has(self, path: str) -> bool:
        """Whether the file has changed, or is gone; raises `SettingsError` where git cannot tell."""
        folder, name = os.path.split(path)
        place = os.path.join(self._real(folder), name)
        names = self._of(folder)
        at = bisect_left(names, place)
        return at < len(names) and names[at] == place

    def any_below(self, folder: str) -> bool:
        """Whether any file below the folder has changed, or is gone."""
        names, start = self._of(folder), os.path.join(self._real(folder), "")
        at = bisect_left(names, start)
        return at < len(names) and names[at].startswith(start)

    def names(self, text: str) -> bool:
        """Whether a text names a revision in the current folder: who writes it as a path has forgotten a sign."""
        git = None if text.startswith("-") else git_in(os.curdir)
        return git is not None and git.run("rev-parse", "--verify", "--quiet", f"{text}^{{commit}}").returncode == 0

    def _real(self, folder: str) -> str:
        known = self._folders.get(folder)
        if known is None:
            above, name = os.path.split(folder)
            if not above or name in ("", os.curdir, os.pardir) or os.path.islink(folder):
                known = os.path.realpath(folder or os.curdir)
            else:
                known = os.path.join(self._real(above), name)
            self._folders[folder] = known
        return known

    def _of(self, folder: str) -> list[str]:
        """The changed files of the repository that a folder lies in: real paths, sorted."""
        root = self._root(self._real(folder))
        names = self._names.get(root) if root is not None else None
        if names is None:
            program = _program()
            if root is None or program is None:
                why = "git is not installed" if program is None else "lies in no git repository"
                raise SettingsError(f"--changed: {safe(folder) or 'the current folder'}: {why}")
            names = self._names[root] = self._asked(Git(program, root))
        return names

    def _root(self, here: str) -> str | None:
        """As `root_of`, remembered for all folders on the way."""
        if here not in self._roots:
            above = os.path.dirname(here)
            is_root = os.path.exists(os.path.join(here, ".git"))
            self._roots[here] = here if is_root else (self._root(above) if above != here else None)
        return self._roots[here]

    def _asked(self, git: Git) -> list[str]:
        try:
            return self._listed(git.without_filters())
        except OSError as error:
            raise SettingsError(f"--changed: git cannot be run: {error.strerror}") from None

    def _listed(self, calm: Git) -> list[str]:
        base = self._base(calm)
        switches = ("--name-only", "-z", "--no-renames", "--ignore-submodules=all")
        listed = self._must(calm, "diff-index", *switches, base, "--")
        listed += self._must(calm, "ls-files", "--others", "--exclude-standard", "-z", "--full-name")
        top = os.path.realpath(os.fsdecode(self._must(calm, "rev-parse", "--show-toplevel").removesuffix(b"\n")))
        return sorted(
            {os.path.join(top, os.fsdecode(name).replace("/", os.sep)) for name in listed.split(b"\0") if name}
        )

    def _base(self, git: Git) -> str:
        """The commit to compare with, or the empty tree where nothing was committed yet."""
        found = git.run("rev-parse", "--verify", "--quiet", f"{self._revision}^{{commit}}")
        if found.returncode:
            if self._revision == "HEAD" and git.run("symbolic-ref", "--quiet", "HEAD").returncode == 0:
                return _text(self._must(git, "hash-object", "-t", "tree", "--stdin"))
            raise SettingsError(
                f"--changed={shown(self._revision)}: git knows no such revision here{self._missing(git)}"
            )
        base = git.run("merge-base", _text(found.stdout), "HEAD")
        if base.returncode:
            raise SettingsError(
                f"--changed={shown(self._revision)}: it has no commit in common with HEAD{self._missing(git)}"
            )
        return _text(base.stdout)

    def _missing(self, git: Git) -> str:
        if _text(git.run("rev-parse", "--is-shallow-repository").stdout) == "true":
            return ", as far as this shallow clone goes: fetch more of it (git fetch --unshallow; fetch-depth: 0)"
        return ": was it fetched?"

    @staticmethod
    def _must(git: Git, *arguments: str) -> bytes:
        done = git.run(*arguments)
        if done.returncode:
            reason = _text(done.stderr).partition("\n")[0]
            raise SettingsError(f"--changed: git {arguments[0]} failed: {reason or f'status {done.returncode}'}")
        return done.stdout


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").strip()
