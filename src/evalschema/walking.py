"""Which files of a folder are documents: by name, and where a name says little, by a member that is documented."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

from evalschema.catalog import members, told_by_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evalschema.settings import Settings

SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})
# What git writes before the name of a file that it knows and need not have put here: a sparse checkout leaves it out.
_NOT_CHECKED_OUT = b"S"


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
    from evalschema.repository import git_in

    git = git_in(folder)
    if git is None:
        return None
    try:
        done = git.run("ls-files", "-t", "--cached", "--deleted", "--others", "--exclude-standard", "-z", "--", ".")
        # who names a folder that git ignores wants it looked at all the same
        if done.returncode or (not done.stdout and git.run("check-ignore", "-q", ".").returncode == 0):
            return None
    except OSError:
        return None
    # each with a letter that says how it stands; in a conflict a file is there several times
    listed = {name for name in done.stdout.split(b"\0") if name.endswith(b".json")}
    names = {os.fsdecode(name[2:]): name[:1] for name in listed if b"R " + name[2:] not in listed}
    before = os.path.join(folder, "")
    paths = ((before + name.replace("/", os.sep), how) for name, how in names.items() if not _is_hidden(name))
    return [path for path, how in paths if how != _NOT_CHECKED_OUT or os.path.lexists(path)]


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
