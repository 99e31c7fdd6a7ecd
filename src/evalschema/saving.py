"""Bytes → a file under a root: whole or absent, durable, never outside the root, never over another file unasked.

The path comes out of a document, so it is judged twice: its text alone by `path_refusal` (no look at the disk), and
what lies on the way by `save`, which opens one folder after the other and follows no link.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import sys
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias

from evalschema.draft import NO_ANONYMOUS, NO_LINK_FROM_PROC, lock, sweep, sync, temporary_name
from evalschema.errors import EvalschemaError
from evalschema.excerpt import excerpt

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

PathCode: TypeAlias = Literal[
    "path.absolute",
    "path.character",
    "path.exists",
    "path.hidden",
    "path.length",
    "path.not-a-file",
    "path.not-a-folder",
    "path.reserved",
    "path.segments",
    "path.suffix",
    "path.symlink",
    "path.traversal",
]
SaveCode: TypeAlias = Literal[
    "io.durability-unknown",
    "io.error",
    "io.no-links",
    "io.no-space",
    "io.permission",
    "io.read-only",
    "io.root",
]

PATH_BYTES = 1024
SEGMENT_BYTES = 200
SEGMENTS = 16

_SEGMENT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+=@-]*")
_STRANGE = re.compile(r"[^A-Za-z0-9._+=@-]")
_DRIVE = re.compile(r"[A-Za-z]:")
#: Windows opens a device for these names, whatever follows the first dot and whatever the case.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)

#: With `dir_fd` a folder is a descriptor, which nobody can swap for a link. Windows knows only names of folders.
_DESCRIPTORS = {os.open, os.mkdir, os.stat, os.unlink} <= os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
#: Windows refuses to rename onto a file that is there; elsewhere a hard link is what never replaces.
_RENAME_REFUSES = sys.platform == "win32"
_O_TMPFILE: int = getattr(os, "O_TMPFILE", 0)
_O_FOLDER: int = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
_O_NOFOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
_O_NONBLOCK: int = getattr(os, "O_NONBLOCK", 0)
_O_BINARY: int = getattr(os, "O_BINARY", 0)
#: The tag of a Windows junction, which `lstat` does not call a link.
_JUNCTION = 0xA0000003

#: A link where a folder was asked for: Linux says ENOTDIR, others ELOOP, FreeBSD EMLINK.
_NO_FOLDER = {errno.ENOTDIR, errno.ELOOP, errno.EMLINK}
_NO_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS}

#: How often another process may take or free the name between our look and our link before we give up.
_TRIES = 16
_CHUNK = 1 << 20

_CODES: dict[int, SaveCode] = {
    errno.ENOSPC: "io.no-space",
    errno.EDQUOT: "io.no-space",
    errno.EROFS: "io.read-only",
    errno.EACCES: "io.permission",
    errno.EPERM: "io.permission",
}
_REPAIRS: dict[SaveCode, str] = {
    "io.durability-unknown": "save it again: that makes it durable or says why not",
    "io.error": "look at the disk, then save again",
    "io.no-links": "save with overwriting allowed, which needs no links, or choose a root on another file system",
    "io.no-space": "free some space or choose another root",
    "io.permission": "let this user read and write the folder, or choose another root",
    "io.read-only": "choose a root that can be written to",
    "io.root": "name a folder that is there",
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a path out of a document is not written to; `message` says how to repair it."""

    code: PathCode
    message: str


@dataclass(frozen=True, slots=True)
class Saved:
    """A file that holds exactly the bytes given.

    `path` is relative to the root, as given; `sha256` is in hexadecimal; `already_there` tells that the same bytes
    were found at the path, so nothing was written. `durable` is false where the platform cannot promise that the file
    survives a power cut (Windows, and file systems that do not know fsync).
    """

    path: str
    sha256: str
    bytes: int
    already_there: bool
    durable: bool


class PathRefused(EvalschemaError, ValueError):
    """The path is refused, by its text or by what lies at it; nothing was written. `code` and `message` say why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal
        self.code = refusal.code
        self.message = refusal.message

    def __reduce__(self) -> tuple[type[PathRefused], tuple[Refusal]]:
        return type(self), (self.refusal,)


class SaveError(EvalschemaError, OSError):
    """The environment failed: no space, no permission, a sick disk. `errno` is the system's own number, or None.

    `written` tells what lies at the path: true, the whole new file (only whether it survives a power cut is unknown);
    false, what lay there before. There is never a part of a file.
    """

    def __init__(self, code: SaveCode, message: str, number: int | None = None, *, written: bool = False) -> None:
        super().__init__(number, message)
        self.code: SaveCode = code
        self.message = message
        self.written = written

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[partial[SaveError], tuple[SaveCode, str, int | None]]:
        return partial(type(self), written=self.written), (self.code, self.message, self.errno)


def path_refusal(output_path: str) -> Refusal | None:
    """Why the text of a path is refused, or None: the disk is not looked at.

    A path is up to 16 names with / between them, 1,024 bytes in all, and ends in .json. A name is made of the letters
    A to Z, digits and . _ + = @ -, begins with a letter, a digit or _, does not end in a dot, has up to 200 bytes and
    is not the name of a Windows device. Such a path means the same file on every system and needs no quoting.
    """
    # before anything that reads the text: a path of megabytes costs nothing then
    size = len(output_path)
    if size > PATH_BYTES:
        return Refusal("path.length", f"a path of {size} characters; at most {PATH_BYTES} are allowed: shorten it")
    if not output_path:
        return Refusal("path.segments", "the path is empty; expected a relative one such as results/run-1.json")
    shown = f'"{excerpt(output_path)}"'
    if output_path[0] in "/\\" or _DRIVE.match(output_path):
        return Refusal("path.absolute", f"{shown} is absolute; expected a path below the root: drop the beginning")
    # a backslash separates names on Windows, so it must not hide a step up here
    if ".." in re.split(r"[/\\]", output_path):
        return Refusal("path.traversal", f'{shown} steps up with ".."; expected a path that stays below the root')
    segments = output_path.split("/")
    if len(segments) > SEGMENTS:
        return Refusal(
            "path.segments", f"{shown} has {len(segments)} names; at most {SEGMENTS} are allowed: use fewer folders"
        )
    for segment in segments:
        refusal = _segment_refusal(segment, shown)
        if refusal is not None:
            return refusal
    if not output_path.endswith(".json"):
        return Refusal("path.suffix", f"{shown} does not end in .json; a result is saved as JSON: add the ending")
    return None


def _segment_refusal(segment: str, shown: str) -> Refusal | None:
    if segment in ("", "."):
        found = "an empty name" if not segment else 'the name "."'
        return Refusal("path.segments", f"{shown} holds {found}; expected names with one / between them: drop it")
    named = f'the name "{excerpt(segment)}"'
    if segment[0] == ".":
        return Refusal("path.hidden", f"{named} is hidden; expected a name that does not begin with a dot: rename it")
    strange = _STRANGE.search(segment)
    if strange is not None:
        character = strange[0]
        written = f'"{character}"' if character.isascii() and character.isprintable() else f"U+{ord(character):04X}"
        return Refusal(
            "path.character", f"{named} holds {written}; expected letters A to Z, digits and . _ + = @ -: replace it"
        )
    if _SEGMENT.fullmatch(segment) is None:
        return Refusal(
            "path.character", f'{named} begins with "{segment[0]}"; expected a letter, a digit or _ first: rename it'
        )
    if segment[-1] == ".":
        return Refusal("path.character", f"{named} ends with a dot, which Windows drops; expected none: drop it")
    if _DEVICE.fullmatch(segment) is not None:
        return Refusal("path.reserved", f"{named} is a device on Windows; expected the name of a file: rename it")
    if len(segment) > SEGMENT_BYTES:
        return Refusal(
            "path.length", f"{named} has {len(segment)} characters; at most {SEGMENT_BYTES} are allowed: shorten it"
        )
    return None


def save(data: bytes, output_path: str, root: str | os.PathLike[str], *, overwrite: bool = False) -> Saved:
    """The bytes as a file at `output_path` below the folder `root`; folders on the way are made.

    When it returns, the file is there, whole, and survives a power cut (see `Saved.durable`). Whatever stops it, a kill
    included, leaves the whole new file or what was there before. A file that holds the same bytes counts as saved.
    Another file is replaced only with `overwrite`, at once, and keeps its mode. Of several writers exactly one wins.
    `root` is trusted and may be a link; below it no link is followed.

    Raises PathRefused for the path, by its text or for what lies there, and SaveError when the environment fails.
    """
    refusal = path_refusal(output_path)
    if refusal is not None:
        raise PathRefused(refusal)
    return _Save(data, output_path, overwrite=overwrite).run(os.fspath(root))


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder that was reached without a link. Without `dir_fd` it is only a name that was looked at."""

    path: str
    descriptor: int | None

    def at(self, name: str) -> str:
        return name if self.descriptor is not None else os.path.join(self.path, name)

    def look(self, name: str) -> os.stat_result | None:
        try:
            return os.stat(self.at(name), dir_fd=self.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def open(self, name: str, flags: int, mode: int = 0o666) -> int:
        return os.open(self.at(name), flags | _O_NOFOLLOW | _O_BINARY, mode, dir_fd=self.descriptor)

    def unlink(self, name: str) -> None:
        os.unlink(self.at(name), dir_fd=self.descriptor)

    def enter(self, name: str) -> _Folder:
        """The folder `name` in this one, made when it is absent."""
        try:
            return self._enter(name)
        except FileNotFoundError:
            with suppress(FileExistsError):
                os.mkdir(self.at(name), dir_fd=self.descriptor)
            return self._enter(name)

    def _enter(self, name: str) -> _Folder:
        path = os.path.join(self.path, name)
        if self.descriptor is None:
            found = os.lstat(path)
            if _is_link(found) or not stat.S_ISDIR(found.st_mode):
                raise PathRefused(_no_folder(name, found))
            return _Folder(path, None)
        try:
            return _Folder(path, self.open(name, _O_FOLDER))
        except OSError as fault:
            there = self.look(name) if fault.errno in _NO_FOLDER else None
            if there is None or stat.S_ISDIR(there.st_mode):
                raise
            raise PathRefused(_no_folder(name, there)) from fault

    def sync(self) -> bool:
        return self.descriptor is not None and sync(self.descriptor)

    def sweep(self) -> None:
        if self.descriptor is not None:
            sweep(self.descriptor)

    def close(self) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)


class _Save:
    """One save on its way. `visible` turns true at the moment when the new bytes are at the path."""

    def __init__(self, data: bytes, path: str, *, overwrite: bool) -> None:
        self.data = data
        self.path = path
        self.overwrite = overwrite
        *self.folders, self.name = path.split("/")
        self.visible = False
        self.durable = True
        self.leftover: str | None = None

    def run(self, root: str) -> Saved:
        try:
            already_there = self._from(root)
        except SaveError:
            raise
        except OSError as fault:
            raise self._failure(fault) from fault
        return Saved(self.path, hashlib.sha256(self.data).hexdigest(), len(self.data), already_there, self.durable)

    def _from(self, root: str) -> bool:
        with ExitStack() as opened:
            folder = self._root(root)
            opened.callback(folder.close)
            for name in self.folders:
                inner = folder.enter(name)
                opened.callback(inner.close)
                # also when it was there: its maker may be another writer, on the way to its own fsync or killed before
                self.durable &= folder.sync()
                folder = inner
            return self._into(folder)

    def _root(self, root: str) -> _Folder:
        try:
            if _DESCRIPTORS:
                return _Folder(root, os.open(root, _O_FOLDER))
            if not stat.S_ISDIR(os.stat(root).st_mode):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
            return _Folder(root, None)
        except (FileNotFoundError, NotADirectoryError) as fault:
            message = f'the root "{excerpt(root)}" is not a folder; {_REPAIRS["io.root"]}'
            raise SaveError("io.root", message, fault.errno) from fault

    def _into(self, folder: _Folder) -> bool:
        """True when the bytes were there, false when they were written."""
        for _ in range(_TRIES):
            old = folder.look(self.name)
            if old is not None:
                if _is_link(old) or not stat.S_ISREG(old.st_mode):
                    raise PathRefused(_no_file(self.path, old))
                same = self._found(folder, old)
                if same is None:
                    continue
                if same:
                    self.durable &= folder.sync()
                    return True
                if not self.overwrite:
                    message = f'"{excerpt(self.path)}" holds other bytes already; choose a new name or overwrite it'
                    raise PathRefused(Refusal("path.exists", message))
            if self._written(folder, old):
                self.durable &= folder.sync()
                return False
        raise OSError(errno.EAGAIN, f"the file appeared or vanished {_TRIES} times while it was being saved")

    def _found(self, folder: _Folder, old: os.stat_result) -> bool | None:
        """Whether the file at the path holds the same bytes, made durable then; None when it has just vanished."""
        if old.st_size != len(self.data):
            return False
        try:
            # never wait for the other end, should the file have become a pipe since the look
            descriptor = folder.open(self.name, os.O_RDONLY | _O_NONBLOCK)
        except FileNotFoundError:
            return None
        except PermissionError as fault:
            if self.overwrite:
                return False
            message = (
                f'"{excerpt(self.path)}" is there and cannot be read to compare; choose a new name or overwrite it'
            )
            raise PathRefused(Refusal("path.exists", message)) from fault
        with _closing(descriptor):
            if not stat.S_ISREG(os.fstat(descriptor).st_mode) or not _holds(descriptor, self.data):
                return False
            self.visible = True
            # what is opened for reading cannot be made durable on Windows
            self.durable &= folder.descriptor is not None and sync(descriptor)
            return True

    def _written(self, folder: _Folder, old: os.stat_result | None) -> bool:
        """False when the name was taken, or the temporary file lost, in the meantime."""
        if _O_TMPFILE and folder.descriptor is not None:
            try:
                descriptor = os.open(".", os.O_WRONLY | _O_TMPFILE, _mode(old), dir_fd=folder.descriptor)
            except OSError as fault:
                if fault.errno not in NO_ANONYMOUS:
                    raise
            else:
                with _closing(descriptor):
                    done = self._written_anonymously(folder, old, descriptor)
                if done is not None:
                    return done
        return self._written_named(folder, old)

    def _written_anonymously(self, folder: _Folder, old: os.stat_result | None, descriptor: int) -> bool | None:
        """None when this system cannot give a name to an anonymous file. A kill before the link leaves nothing."""
        self._fill(descriptor, old)
        mine = os.fstat(descriptor)
        source = f"/proc/self/fd/{descriptor}"
        try:
            if old is None:
                return self._published(folder, mine, lambda: _link_open_file(source, folder, self.name))
            # a link never replaces: the file needs a name for the one moment before the rename
            lock(descriptor)
            folder.sweep()
            with self._temporary(folder) as temporary:
                _link_open_file(source, folder, temporary)
                return self._published(folder, mine, lambda: self._move(folder, temporary, os.replace))
        except OSError as fault:
            if self.visible or fault.errno not in NO_LINK_FROM_PROC:
                raise
            return None

    def _written_named(self, folder: _Folder, old: os.stat_result | None) -> bool:
        folder.sweep()
        with self._temporary(folder) as temporary, ExitStack() as opened:
            descriptor = folder.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _mode(old))
            opened.callback(os.close, descriptor)
            if folder.descriptor is not None and (not lock(descriptor) or folder.look(temporary) is None):
                # another writer swept it in the moment before it was locked
                return False
            self._fill(descriptor, old)
            mine = os.fstat(descriptor)
            if folder.descriptor is None:
                # Windows renames no open file
                opened.close()
            if old is not None:
                return self._published(folder, mine, lambda: self._move(folder, temporary, os.replace))
            if _RENAME_REFUSES:
                return self._published(folder, mine, lambda: self._move(folder, temporary, os.rename))
            try:
                return self._published(folder, mine, lambda: _link_file(folder, temporary, self.name))
            except OSError as fault:
                if self.visible or fault.errno not in _NO_LINKS:
                    raise
                reason = "no hard links on this file system, and without them a file may be replaced unseen"
                message = f"cannot save {self._what}: {reason}; nothing was written; {_REPAIRS['io.no-links']}"
                raise SaveError("io.no-links", message, fault.errno) from fault

    def _fill(self, descriptor: int, old: os.stat_result | None) -> None:
        if old is not None and hasattr(os, "fchmod"):
            # before the bytes: a private file must not be readable for a moment; no set-user-id for a JSON file
            os.fchmod(descriptor, stat.S_IMODE(old.st_mode) & 0o777)
        left = memoryview(self.data)
        while left:
            count = os.write(descriptor, left)
            if not count:
                raise OSError(errno.EIO, "the disk takes no more bytes and gives no reason")
            left = left[count:]
        self.durable &= sync(descriptor)

    def _published(self, folder: _Folder, mine: os.stat_result, publish: Callable[[], None]) -> bool:
        """Gives the finished file its name; false when the name is taken."""
        try:
            publish()
        except OSError as fault:
            # a network may report the failure of a call that was carried out
            there = folder.look(self.name)
            if there is None or not os.path.samestat(there, mine):
                if isinstance(fault, FileExistsError):
                    return False
                raise
        self.visible = True
        return True

    def _move(self, folder: _Folder, temporary: str, move: Callable[..., None]) -> None:
        move(folder.at(temporary), folder.at(self.name), src_dir_fd=folder.descriptor, dst_dir_fd=folder.descriptor)
        self.leftover = None

    @contextmanager
    def _temporary(self, folder: _Folder) -> Generator[str]:
        """A name that nobody has; the file that still bears it at the end is removed."""
        self.leftover = temporary_name()
        try:
            yield self.leftover
            self._drop(folder)
        except BaseException:
            # also after an interrupted removal; what went wrong first is what the user has to know
            with suppress(OSError):
                self._drop(folder)
            raise

    def _drop(self, folder: _Folder) -> None:
        if self.leftover is not None:
            with suppress(FileNotFoundError):
                folder.unlink(self.leftover)
            self.leftover = None

    @property
    def _what(self) -> str:
        return f'"{excerpt(self.path)}" ({len(self.data)} byte{"" if len(self.data) == 1 else "s"})'

    def _failure(self, fault: OSError) -> SaveError:
        reason = excerpt(fault.strerror or type(fault).__name__)
        name = errno.errorcode.get(fault.errno or 0)
        reason = f"{reason} ({name})" if name else reason
        left = f"; the temporary file {self.leftover} is left beside it" if self.leftover else ""
        if self.visible:
            code: SaveCode = "io.durability-unknown"
            state = f"{self._what} is there and whole, but may not survive a power cut: {reason}"
        else:
            code = _CODES.get(fault.errno or 0, "io.error")
            state = f"cannot save {self._what}: {reason}; nothing was written or changed at the path"
        return SaveError(code, f"{state}{left}; {_REPAIRS[code]}", fault.errno, written=self.visible)


def _is_link(found: os.stat_result) -> bool:
    return stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", 0) == _JUNCTION


def _no_folder(name: str, found: os.stat_result) -> Refusal:
    if _is_link(found):
        return Refusal("path.symlink", f'"{excerpt(name)}" is a link; links are not followed: name the folder itself')
    return Refusal("path.not-a-folder", f'"{excerpt(name)}" is not a folder but lies on the way: choose another path')


def _no_file(path: str, found: os.stat_result) -> Refusal:
    if _is_link(found):
        return Refusal("path.symlink", f'"{excerpt(path)}" is a link; links are not followed: choose another name')
    thing = "a folder" if stat.S_ISDIR(found.st_mode) else "a pipe, socket or device"
    return Refusal("path.not-a-file", f'"{excerpt(path)}" is {thing}; expected a file or nothing: choose a new name')


def _mode(old: os.stat_result | None) -> int:
    """The mode to create with: the user's umask decides for a new file, nobody else may look at a replacement yet."""
    return 0o666 if old is None else 0o600


@contextmanager
def _closing(descriptor: int) -> Generator[int]:
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _link_open_file(source: str, folder: _Folder, name: str) -> None:
    """Links what /proc shows as a link to an open file, hence the following of it."""
    os.link(source, folder.at(name), dst_dir_fd=folder.descriptor, follow_symlinks=True)


def _link_file(folder: _Folder, temporary: str, name: str) -> None:
    # should the temporary name have become a link meanwhile, then where it leads is not ours
    os.link(
        folder.at(temporary),
        folder.at(name),
        src_dir_fd=folder.descriptor,
        dst_dir_fd=folder.descriptor,
        follow_symlinks=False,
    )


def _holds(descriptor: int, data: bytes) -> bool:
    at = 0
    while chunk := os.read(descriptor, _CHUNK):
        if not data.startswith(chunk, at):
            return False
        at += len(chunk)
    return at == len(data)
