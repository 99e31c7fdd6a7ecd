"""The tools beside ours: what each is called, where it is installed from, and how it is told to do the same work.

Each has an environment of its own under `.bench`, made when it is first needed, and again when its versions change.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measuring import Failed

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.inputs import Input

PLACE = Path(__file__).parents[1] / ".bench"
LOOP = Path(__file__).with_name("loop.py")


@dataclass(frozen=True)
class Environment:
    """Packages of one registry in a folder of their own, all of them with their versions."""

    name: str
    packages: tuple[str, ...]
    registry: str = "PyPI"

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return PLACE / self.name

    def program(self, name: str) -> str:
        """The path of a program of the environment."""
        return str(self.folder / "bin" / name)

    def install(self) -> None:
        """Make the environment where it is not there yet; raises `Failed`."""
        note = self.folder / "packages.txt"
        wanted = "\n".join((*self.packages, sys.version))
        if note.exists() and note.read_text("utf-8") == wanted:
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        if self.registry == "npm":
            _install(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(self.folder)], self)
        else:
            venv.create(self.folder, with_pip=True)
            _install([self.program("python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"], self)
        note.write_text(wanted, "utf-8")


def _install(command: list[str], environment: Environment) -> None:
    what = " ".join(environment.packages)
    print(f"installing {what} from {environment.registry}", file=sys.stderr, flush=True)
    if shutil.which(command[0]) is None:
        raise Failed(f"{what} cannot be installed: {command[0]} is not here")
    done = subprocess.run(
        [*command, *environment.packages], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no reason was given"]
        raise Failed(f"{what} cannot be installed: {said[0]}")


@dataclass(frozen=True)
class Peer:
    """A tool, and the command that gives a verdict on all documents of an input."""

    name: str
    #: None where nothing but our own interpreter is needed.
    environment: Environment | None
    command: Callable[[Input], list[str]]
    #: The exit status when a document is bad.
    status: int = 1

    @property
    def versions(self) -> str:
        """The packages with their versions, as a person writes them."""
        packages = self.environment.packages if self.environment else ()
        return ", ".join(" ".join(package.replace("==", "@").rsplit("@", 1)) for package in packages)


_JSONVET = Environment("jsonvet", ("jsonvet==3.1.1",))
_SOURCEMETA = Environment("sourcemeta", ("sourcemeta-jsonschema==17.3.0",))
_CHECK_JSONSCHEMA = Environment("check-jsonschema", ("check-jsonschema==0.39.0",))
_AJV = Environment("ajv", ("ajv@8.20.0", "ajv-formats@3.0.1"), "npm")
_JSONSCHEMA = Environment("jsonschema", ("jsonschema[format]==4.26.0",))
_NATIVE = Environment("jsonschema-rs", ("orjson==3.13.0", "jsonschema-rs==0.61.2"))


def _listed(given: Input) -> list[str]:
    """The documents one by one, for a tool that does not look into folders."""
    if given.files or not given.path.is_dir():
        return [str(path) for path in given.files or (given.path,)]
    return [os.path.join(folder, name) for folder, _, names in os.walk(given.path) for name in names]


def _loop(python: str, reader: str, verdict: str, given: Input) -> list[str]:
    return [python, str(LOOP), reader, verdict, str(given.schema), str(given.path)]


JSONVET = Peer(
    "jsonvet", _JSONVET, lambda given: [_JSONVET.program("jsonvet"), "--schema", str(given.schema), str(given.path)]
)
#: --fast, and to the end even when one is bad; --format-assertion, for all others look at formats as well.
SOURCEMETA = Peer(
    "sourcemeta jsonschema",
    _SOURCEMETA,
    lambda given: [_SOURCEMETA.program("jsonschema"), "validate", "-f", "-c", "-F", str(given.schema), str(given.path)],
)
CHECK_JSONSCHEMA = Peer(
    "check-jsonschema",
    _CHECK_JSONSCHEMA,
    lambda given: [
        _CHECK_JSONSCHEMA.program("check-jsonschema"), "--schemafile", str(given.schema), *_listed(given)
    ],
)  # fmt: skip
AJV = Peer(
    "ajv (loop)",
    _AJV,
    lambda given: ["node", str(LOOP.with_suffix(".mjs")), str(_AJV.folder), str(given.schema), str(given.path)],
)
JSONSCHEMA = Peer(
    "jsonschema (loop)",
    _JSONSCHEMA,
    lambda given: _loop(_JSONSCHEMA.program("python"), "json", "jsonschema", given),
)
NATIVE = Peer(
    "orjson + jsonschema-rs (loop)",
    _NATIVE,
    lambda given: _loop(_NATIVE.program("python"), "orjson", "jsonschema_rs", given),
)
#: No verdict at all: it accepts whatever is JSON, so that nothing is bad to it.
JSON_LOADS = Peer("json.loads (loop)", None, lambda given: _loop(sys.executable, "json", "none", given), 0)
#: Those that a whole check is measured beside.
ALL = (JSONVET, SOURCEMETA, AJV, NATIVE, CHECK_JSONSCHEMA, JSONSCHEMA, JSON_LOADS)
