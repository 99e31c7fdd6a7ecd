"""Bytes in place of a file's bytes: all or none of them, durable, and only while the file holds what was read."""

from __future__ import annotations

import os
import stat

from evalschema.draft import Draft
from evalschema.errors import EvalschemaError

_O_NOFOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
_O_NONBLOCK: int = getattr(os, "O_NONBLOCK", 0)
_O_BINARY: int = getattr(os, "O_BINARY", 0)
_CHUNK = 1 << 20


class NotReplaced(EvalschemaError, OSError):
    """The file was left as it is; the message says why and what to do."""


def replace_file(path: str, old: bytes, new: bytes) -> None:
    """Put `new` into the file at `path`, which must hold `old`; it keeps its mode and, as far as may be, its owner.

    Whatever stops it, a kill included, leaves either the old or the new bytes, whole. Other names of the file (hard
    links) keep the old bytes. Raises `NotReplaced`: for a link, a file that may not be written, one that changed since
    it was read, and when the disk refuses.
    """
    try:
        _replace(path, old, new)
    except NotReplaced:
        raise
    except OSError as error:
        raise NotReplaced(f"cannot be written: {error.strerror or error}; nothing was changed") from error


def _replace(path: str, old: bytes, new: bytes) -> None:
    found = os.lstat(path)
    if stat.S_ISLNK(found.st_mode):
        raise NotReplaced("is a link, and links are not written through: name the file that it leads to")
    if not stat.S_ISREG(found.st_mode):
        raise NotReplaced("is no regular file; nothing was changed")
    if not os.access(path, os.W_OK):
        raise NotReplaced("may not be written by this user: make it writable first")
    seen = _seen(path, old)
    draft = Draft(path, seen)

    def last_look() -> None:
        if not _is_unchanged(seen, os.lstat(path)):
            raise NotReplaced("was changed by another program meanwhile: run again")

    try:
        draft.write(new)
        draft.publish(last_look)
    finally:
        draft.close()


def _seen(path: str, old: bytes) -> os.stat_result:
    """The state of the file, which holds just the old bytes."""
    descriptor = os.open(path, os.O_RDONLY | _O_NOFOLLOW | _O_NONBLOCK | _O_BINARY)
    try:
        seen = os.fstat(descriptor)
        at = 0
        while chunk := os.read(descriptor, _CHUNK):
            if not old.startswith(chunk, at):
                break
            at += len(chunk)
        if chunk or at != len(old):
            raise NotReplaced("was changed by another program meanwhile: run again")
        return seen
    finally:
        os.close(descriptor)


def _is_unchanged(seen: os.stat_result, now: os.stat_result) -> bool:
    return os.path.samestat(seen, now) and (seen.st_mtime_ns, seen.st_size) == (now.st_mtime_ns, now.st_size)
