"""The folder of a skill, and what its SKILL.md calls it."""

from __future__ import annotations

import os
import re

SKILL_FILE = "SKILL.md"
# A front matter is a few lines; no more than this is read of a file that is not ours.
_FRONT_MATTER_BYTES = 65536

_NAME = re.compile(r"name[ \t]*+:[ \t]*+(.*)")
_COMMENT = re.compile(r"[ \t]#")


def skill_folder(path: str) -> str | None:
    """The nearest folder above a file that holds a SKILL.md, not looking beyond the root of a repository."""
    folder = os.path.dirname(os.path.abspath(path))
    while True:
        if os.path.isfile(os.path.join(folder, SKILL_FILE)):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            return None
        folder = parent


def skill_name(folder: str) -> str | None:
    """The `name` in the front matter of a folder's SKILL.md; None where there is none, or one that is no plain text."""
    try:
        # one that has become a pipe since it was looked at must not hold us
        descriptor = os.open(os.path.join(folder, SKILL_FILE), os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as file:
            lines = file.read(_FRONT_MATTER_BYTES).decode("utf-8-sig", errors="replace").splitlines()
    except OSError:
        return None
    if not lines or lines[0].strip() != "---":
        return None
    for line in lines[1:]:
        if line.strip() == "---":
            return None
        if match := _NAME.fullmatch(line):
            return _plain(_COMMENT.split(match[1], maxsplit=1)[0].rstrip(" \t"))
    return None


def _plain(text: str) -> str | None:
    """The text of a plain or quoted YAML scalar."""
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        text = text[1:-1]
    return text if text and not text.startswith(("|", ">", "&", "*", "!", "{", "[")) else None
