"""From the paths on the command line to results."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from evalschema.console import safe, say
from evalschema.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evalschema._generated.kinds import Kind
    from evalschema.finding import Finding, Result
    from evalschema.settings import Settings


class Sources:
    """The bytes that are checked; those of standard input are kept, for they cannot be had twice."""

    def __init__(self, *, lines: bool) -> None:
        self._all_lines = lines
        self._input: bytes | Finding | None = None

    def has_lines(self, path: str | None) -> bool:
        """Whether the file holds one document a line."""
        from evalschema.files import LINES_SUFFIXES

        return self._all_lines or (path or "").endswith(LINES_SUFFIXES)

    def read(self, path: str) -> bytes | Finding:
        """The bytes, or the finding that says why there are none."""
        from evalschema.files import file_bytes, input_bytes

        if path != "-":
            return file_bytes(path)
        if self._input is None:
            # lines may be more than one document may be
            self._input = input_bytes(-1) if self._all_lines else input_bytes()
        return self._input

    def again(self, path: str | None) -> bytes | None:
        """The bytes once more; None when the file is gone."""
        data = self.read(path) if path is not None else None
        return data if isinstance(data, bytes) else None


class Inputs:
    """Checks what the paths lead to, one document after the other.

    `by_shape` leaves out files whose name others use as well, unless their members are those of a kind. `together`
    looks across the files of the workspaces in a folder, too; a kind or a schema for all files rules that out.
    """

    def __init__(
        self,
        sources: Sources,
        settings: Settings,
        kind: Kind | None,
        schema: dict[str, Any] | None,
        *,
        by_shape: bool,
        together: bool = True,
    ) -> None:
        self._sources = sources
        self._settings = settings
        self._kind: Kind | None = kind
        self._schema = schema
        self._by_shape = by_shape
        self.crashed = False
        self._together = together and kind is None and schema is None

    def results(self, paths: Sequence[str]) -> Iterator[Result]:
        """The results in the order of the paths, folders in that of their files' names.

        Hooks hand over paths in any order: `by_shape` sorts them.
        """
        from evalschema.walking import matcher

        excluded = matcher(self._settings.exclude)
        for path in sorted(paths) if self._by_shape else paths:
            if path != "-" and os.path.isdir(path):
                yield from self._folder(path)
            elif excluded(path):
                if not self._by_shape:
                    say(f"{safe(path)}: excluded by the configuration")
            elif not self._by_shape or self._is_ours(path):
                yield self._result(path)

    def _folder(self, path: str) -> Iterator[Result]:
        empty = True
        for result in self._together_or_alone(path):
            empty = False
            yield result
        if empty:
            say(f"{safe(path)}: no documents found in this folder ({self._what_is_there(path)})")

    def _what_is_there(self, folder: str) -> str:
        """What a person may have meant who checks a folder in which nothing is found."""
        from evalschema.catalog import kinds_of_path
        from evalschema.walking import json_files

        named = [path for path in json_files(folder, self._settings.exclude) if kinds_of_path(path)]
        if not named:
            return "`evalschema kinds` lists the names"
        files = "1 file bears" if len(named) == 1 else f"{len(named):,} files bear"
        return f"{files} the name of a kind and hold none of its members; to check one all the same: {safe(named[0])}"

    def _together_or_alone(self, folder: str) -> Iterator[Result]:
        from evalschema.walking import walk

        if self._together and not self._sources.has_lines(None):
            from evalschema.workspace import check_workspace

            return check_workspace(folder, self._settings)
        return map(self._result, walk(folder, self._settings.exclude))

    def _result(self, path: str) -> Result:
        try:
            return self._checked(path)
        except RuleError as bug:
            return self._crashed(path, bug)

    def _checked(self, path: str) -> Result:
        from evalschema.files import check_bytes, check_file, check_lines_file
        from evalschema.finding import Finding
        from evalschema.validator import result

        kind, settings = self._kind, self._settings
        lines = self._sources.has_lines(path)
        if lines and path != "-":
            # read line by line: such a file may be larger than one document may be
            return check_lines_file(path, kind, schema=self._schema, settings=settings)
        data = self._sources.read(path) if path == "-" else None
        if isinstance(data, Finding):
            return result([data], kind, settings, path)
        if data is None:
            return check_file(path, kind, schema=self._schema, settings=settings)
        check = check_lines_file if lines else check_bytes
        return check(data, kind, path=path, schema=self._schema, settings=settings)

    def _crashed(self, path: str, bug: RuleError) -> Result:
        """What stands for a document that a rule of ours crashed on: never a clean result, and the rest goes on."""
        from evalschema.finding import Finding, Result

        self.crashed = True
        say(f"evalschema: {safe(path)}: {bug}")
        message = f"{bug}; nothing can be said about this document"
        return Result((Finding("internal", "internal-error", "error", "", message, path=path),), bug.kind, path)

    def _is_ours(self, path: str) -> bool:
        """Whether the members are those of a kind (the one asked for, if any), or the name can mean nothing else."""
        from evalschema.catalog import is_general, kinds_of_path, kinds_of_shape, members
        from evalschema.reading import Unreadable, read, without_bom

        named = kinds_of_path(path)
        general = bool(named) and is_general(path)
        if not general and self._kind is None:
            return True
        data = self._sources.again(path)
        if data is None:
            return True
        try:
            shaped = kinds_of_shape(read(without_bom(data)))
        except Unreadable:
            return not general or any(f'"{name}"'.encode() in data for kind in named for name in members(kind))
        if self._kind is None:
            return bool(shaped)
        return self._kind in shaped or (not shaped and not general)
