"""Which files of a folder are documents: by name, and where a name says little, by a member that is documented."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

from evalschema.catalog import members, told_by_path
from evalschema.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evalschema.settings import Settings

SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})
# A repository may come from anybody, and its own configuration can name programs: no monitor is started and nothing is
# fetched to list its files.
_GIT_SWITCHES = ("-c", "core.fsmonitor=false")
_GIT_ENVIRONMENT = {"GIT_ALLOW_PROTOCOL": "", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}
# In seconds. git waits for ever where a .gitignore is a pipe; a million files take it some seconds.
_GIT_PATIENCE = 30.0


def walk(folder: str, exclude: Sequence[str] = ()) -> Iterator[str]:
    """The paths of the documents under a folder, sorted; hidden folders and what git ignores are left out.

    Files under a general name (`metrics.json`, `history.json`, …) count only when a documented member is in them.
    """
    return filter(is_document, json_files(folder, exclude))


def json_files(folder: str, exclude: Sequence[str] = ()) -> list[str]:
    """The paths of all JSON files under a folder, sorted, whatever they hold; the same are left out as by `walk`."""
    listed = _tracked(folder)
    excluded = matcher(exclude)
    return sorted(path for path in (_scan(folder) if listed is None else listed) if not excluded(path))


def is_document(path: str) -> bool:
    """Whether the name of a file, or a member under a general name, tells that it is a document of a known kind."""
    kinds, general = told_by_path(path)
    return bool(kinds) and (not general or _has_member(path, kinds))


def _tracked(folder: str) -> list[str] | None:
    """What git knows or would take under a folder; None without git or a repository, and where git ignores it.

    Raises `SettingsError` when git does not answer: which files count is then unknown, and a guess could hide some.
    """
    import subprocess
    from shutil import which

    git = which("git")
    # Windows looks for programs in the current folder, too: one from there is not ours to run
    if git is None or not os.path.isabs(git) or not _in_repository(folder):
        return None
    # the variables would let a caller's hook answer for another repository
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | _GIT_ENVIRONMENT

    def run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = [git, *_GIT_SWITCHES, *arguments]
        return subprocess.run(  # noqa: S603
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_GIT_PATIENCE,
        )

    try:
        done = run("ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", ".")
        # who names a folder that git ignores wants it looked at all the same
        if done.returncode or (not done.stdout and run("check-ignore", "-q", ".").returncode == 0):
            return None
    except OSError:
        return None
    except subprocess.TimeoutExpired:
        message = f"git does not say within {_GIT_PATIENCE:g} seconds which files it ignores: is a .gitignore a pipe?"
        raise SettingsError(f"{folder}: {message}") from None
    names = [os.fsdecode(name) for name in done.stdout.split(b"\0") if name.endswith(b".json")]
    before = os.path.join(folder, "")
    return [before + name.replace("/", os.sep) for name in names if not _is_hidden(name)]


def _in_repository(folder: str) -> bool:
    here = os.path.abspath(folder)
    while not os.path.exists(os.path.join(here, ".git")):
        parent = os.path.dirname(here)
        if parent == here:
            return False
        here = parent
    return True


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") or part in SKIPPED_FOLDERS for part in name.split("/")[:-1])


def _scan(folder: str) -> Iterator[str]:
    pending = [folder]
    while pending:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        if not entry.name.startswith(".") and entry.name not in SKIPPED_FOLDERS:
                            pending.append(entry.path)
                    elif entry.name.endswith(".json"):
                        yield entry.path
        except OSError:
            continue  # a folder that may not be read holds nothing for us


def _has_member(path: str, kinds: Sequence[str]) -> bool:
    from evalschema.files import file_bytes

    data = file_bytes(path)
    # one that cannot be read cannot be told to be something else
    return not isinstance(data, bytes) or any(f'"{name}"'.encode() in data for kind in kinds for name in members(kind))


class _Nothing:
    def __call__(self, path: str) -> bool:
        return False


def matcher(globs: Sequence[str]) -> _Nothing | _Globs:
    """Whether a path fits one of the globs, which are written as in .gitignore."""
    return _globs(tuple(globs)) if globs else _Nothing()


@lru_cache(maxsize=64)
def _globs(globs: tuple[str, ...]) -> _Globs:
    return _Globs(globs)


class _Globs:
    def __init__(self, globs: Sequence[str]) -> None:
        from pathspec import GitIgnoreSpec

        self._spec = GitIgnoreSpec.from_lines(globs)

    def __call__(self, path: str) -> bool:
        relative = os.path.relpath(path) if os.path.isabs(path) else os.path.normpath(path)
        return self._spec.match_file(relative.replace(os.sep, "/"))


def settings_for(path: str, settings: Settings) -> tuple[Settings, str | None]:
    """The settings that hold for one file, and the kind that an override gives it."""
    kind: str | None = None
    for override in settings.overrides:
        if matcher((override.path,))(path):
            settings = settings.narrowed(override)
            kind = override.kind or kind
    return settings, kind
