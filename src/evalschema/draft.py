"""A file at a path of the user's own that appears, or is replaced, only when it is whole.

While it is written it has no name, where the system can do that (`O_TMPFILE`), else one that no program takes for a
result. `saving` shares how such files are named, locked, swept up and made durable.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

if sys.platform != "win32":
    import fcntl

#: Never ends in .json: no program that collects results may take an unfinished file for one.
_TEMPORARY = re.compile(r"\.evalschema-[0-9a-f]{16}\.tmp")

_O_TMPFILE: int = getattr(os, "O_TMPFILE", 0)
_O_NEW: int = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_O_LOOK: int = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_O_FOLDER: int = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)

NO_ANONYMOUS = {errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL}
#: /proc is not mounted, or hidden, or may not be linked from: the named way may still work.
NO_LINK_FROM_PROC = {errno.ENOENT, errno.EXDEV, errno.EPERM, errno.EACCES, errno.EOPNOTSUPP, errno.ENOSYS}
_NO_SYNC = {errno.EINVAL, errno.EOPNOTSUPP, errno.ENOSYS}
_NO_LOCK = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL, errno.EBADF}
_CHUNK = 1 << 20


class Draft:
    """A file in the making, in the folder where it will lie; `descriptor` is open for reading and writing.

    Whatever stops it, a kill included, leaves at `path` what lay there before or the whole new file. `old` is the state
    of the file that is replaced: its mode is kept (without set-user-id) and, as far as may be, its owner. Everything
    raises OSError. `close` it in any case.
    """

    def __init__(self, path: str, old: os.stat_result | None = None) -> None:
        self._path = path
        self._folder = os.path.dirname(path) or "."
        self._old = old
        self._temporary: str | None = None
        self.descriptor = -1
        self._open()
        try:
            if old is not None:
                # before the bytes: a private file must not be readable for a moment
                self._liken(old)
        except BaseException:
            self.close()
            raise

    def write(self, data: bytes) -> None:
        """All of the bytes, after those before."""
        left = memoryview(data)
        while left:
            count = os.write(self.descriptor, left)
            if not count:
                raise OSError(errno.EIO, "the disk takes no more bytes and gives no reason")
            left = left[count:]

    def publish(self, last_look: Callable[[], None] | None = None) -> None:
        """Make the file durable and give it its name; `last_look` may raise in the last moment before that."""
        sync(self.descriptor)
        if last_look is not None:
            last_look()
        if self._old is not None or self._temporary is not None or not self._link():
            if self._temporary is None:
                self._name()
            temporary = str(self._temporary)
            if sys.platform == "win32":
                # an open file is not renamed there
                self._shut()
            os.replace(temporary, self._path)
            self._temporary = None
        # that it has its name does not depend on this, only whether the name survives a power cut
        with suppress(OSError):
            folder = os.open(self._folder, _O_FOLDER)
            try:
                sync(folder)
            finally:
                os.close(folder)

    def close(self) -> None:
        """Let go of the file; what was not published is gone."""
        self._shut()
        if self._temporary is not None:
            with suppress(OSError):
                os.unlink(self._temporary)
            self._temporary = None

    def _open(self) -> None:
        mode = 0o666 if self._old is None else 0o600
        if _O_TMPFILE:
            try:
                self.descriptor = os.open(self._folder, os.O_RDWR | _O_TMPFILE, mode)
            except OSError as fault:
                if fault.errno not in NO_ANONYMOUS:
                    raise
            else:
                return
        sweep(self._folder)
        self._create(mode)

    def _create(self, mode: int) -> None:
        """A file with a temporary name; another writer may have swept it in the moment before it was locked."""
        while True:
            self._temporary = os.path.join(self._folder, temporary_name())
            try:
                self.descriptor = os.open(self._temporary, _O_NEW, mode)
            except OSError:
                self._temporary = None
                raise
            if lock(self.descriptor) and os.path.lexists(self._temporary):
                return
            self._shut()

    def _liken(self, old: os.stat_result) -> None:
        if hasattr(os, "fchown") and (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
            with suppress(OSError):
                os.fchown(self.descriptor, old.st_uid, old.st_gid)
        if hasattr(os, "fchmod"):
            os.fchmod(self.descriptor, stat.S_IMODE(old.st_mode) & 0o777)

    def _link(self) -> bool:
        """Link the anonymous file to its path; false when something lies there, or this system cannot do it."""
        try:
            self._link_to(self._path)
        except OSError as fault:
            if fault.errno not in {errno.EEXIST, *NO_LINK_FROM_PROC}:
                raise
            return False
        return True

    def _name(self) -> None:
        """Give an anonymous file a temporary name: what is to replace another needs one, for a moment."""
        sweep(self._folder)
        lock(self.descriptor)
        self._temporary = os.path.join(self._folder, temporary_name())
        try:
            self._link_to(self._temporary)
        except OSError as fault:
            self._temporary = None
            if fault.errno not in NO_LINK_FROM_PROC:
                raise
            self._copy()

    def _link_to(self, path: str) -> None:
        """Link what /proc shows as a link to an open file, hence the following of it."""
        folder = os.open(self._folder, _O_FOLDER)
        try:
            # only where a folder is given does Python use the call that follows
            name = os.path.basename(path)
            os.link(f"/proc/self/fd/{self.descriptor}", name, dst_dir_fd=folder, follow_symlinks=True)
        finally:
            os.close(folder)

    def _copy(self) -> None:
        """Write the file once more, under a temporary name: this system gives no name to an anonymous one."""
        anonymous = self.descriptor
        try:
            self._create(0o600)
            os.lseek(anonymous, 0, os.SEEK_SET)
            while chunk := os.read(anonymous, _CHUNK):
                self.write(chunk)
            if hasattr(os, "fchmod"):
                os.fchmod(self.descriptor, stat.S_IMODE(os.fstat(anonymous).st_mode))
            sync(self.descriptor)
        finally:
            os.close(anonymous)

    def _shut(self) -> None:
        if self.descriptor >= 0:
            with suppress(OSError):
                os.close(self.descriptor)
            self.descriptor = -1


def temporary_name() -> str:
    """A name that nobody has."""
    return f".evalschema-{os.urandom(8).hex()}.tmp"


def sync(descriptor: int) -> bool:
    """Whether the disk has it; false where the file system cannot say."""
    if sys.platform == "darwin":
        # fsync stops at the drive's own memory there
        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return True
    try:
        os.fsync(descriptor)
    except OSError as fault:
        if fault.errno in _NO_SYNC:
            return False
        raise
    return True


def lock(descriptor: int) -> bool:
    """Mark a temporary file as alive for as long as it is open; false when a sweeping process has it."""
    if sys.platform != "win32":
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as fault:
            if fault.errno not in _NO_LOCK:
                raise
    return True


def sweep(folder: int | str) -> None:
    """Remove what killed writers left: temporary files that nobody has locked. A courtesy, so it never fails."""
    if sys.platform == "win32":
        return
    if isinstance(folder, str):
        with suppress(OSError):
            descriptor = os.open(folder, _O_FOLDER)
            try:
                sweep(descriptor)
            finally:
                os.close(descriptor)
        return
    with suppress(OSError):
        for name in os.listdir(folder):
            if _TEMPORARY.fullmatch(name) is not None:
                with suppress(OSError):
                    _sweep_one(folder, name)


def _sweep_one(folder: int, name: str) -> None:
    descriptor = os.open(name, _O_LOOK, dir_fd=folder)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.unlink(name, dir_fd=folder)
    finally:
        os.close(descriptor)
