"""The path of a document never leads out of the root, and a save that fails at any call leaves old or whole."""

# pyright: reportPrivateUsage=false, reportUnknownLambdaType=false

from __future__ import annotations

import errno
import os
import pickle
import random
import socket
import stat
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from evalschema import saving
from evalschema.saving import PathRefused, Refusal, Saved, SaveError, path_refusal, save

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Figure

pytestmark = pytest.mark.promise("saving")

OLD = b'{"score": 40}\n'
NEW = b'{"score": 85, "why": "the plan names every file"}\n'

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs descriptors of folders, which Windows has not")

LEXICAL = [
    ("", "path.segments"),
    (".", "path.segments"),
    ("./run.json", "path.segments"),
    ("results/./run.json", "path.segments"),
    ("results//run.json", "path.segments"),
    ("results/", "path.segments"),
    ("results/run.json/", "path.segments"),
    ("a/" * 16 + "run.json", "path.segments"),
    ("..", "path.traversal"),
    ("../run.json", "path.traversal"),
    ("results/../../victim/run.json", "path.traversal"),
    ("results/..", "path.traversal"),
    ("a/b/c/../../../../victim/run.json", "path.traversal"),
    ("..\\victim\\run.json", "path.traversal"),
    ("results\\..\\..\\victim\\run.json", "path.traversal"),
    ("results/..\\run.json", "path.traversal"),
    ("/etc/run.json", "path.absolute"),
    ("//server/share/run.json", "path.absolute"),
    ("\\\\server\\share\\run.json", "path.absolute"),
    ("\\\\?\\C:\\run.json", "path.absolute"),
    ("\\run.json", "path.absolute"),
    ("C:\\run.json", "path.absolute"),
    ("c:run.json", "path.absolute"),
    ("/proc/self/cwd/run.json", "path.absolute"),
    ("/dev/stdout", "path.absolute"),
    (".git/hooks/pre-commit", "path.hidden"),
    (".github/workflows/release.json", "path.hidden"),
    ("results/.run.json", "path.hidden"),
    (".json", "path.hidden"),
    (".../run.json", "path.hidden"),
    ("..hidden/run.json", "path.hidden"),
    (".evalschema-0123456789abcdef.tmp", "path.hidden"),
    ("results/run\0.json", "path.character"),
    ("run.json\0.txt", "path.character"),
    ("results/run.json\n", "path.character"),
    ("results/\nrun.json", "path.character"),
    ("results/run\x1b[2J.json", "path.character"),
    ("results/run\x7f.json", "path.character"),
    ("results/run\u0085.json", "path.character"),
    ("results/nosj.\u202enur.json", "path.character"),
    ("results/\u200brun.json", "path.character"),
    ("results/\ufeffrun.json", "path.character"),
    ("results/\uff0e\uff0e/run.json", "path.character"),
    ("results\u2215run.json", "path.character"),
    ("results/pru\u0308fung.json", "path.character"),
    ("results/prüfung.json", "path.character"),
    ("results/run\ud800.json", "path.character"),
    ("~/run.json", "path.character"),
    ("~nobody/run.json", "path.character"),
    ("$HOME/run.json", "path.character"),
    ("${IFS}.json", "path.character"),
    ("results/$(touch pwned).json", "path.character"),
    ("results/`touch pwned`.json", "path.character"),
    ("results/a;touch pwned.json", "path.character"),
    ("results/%2e%2e/run.json", "path.character"),
    ("%2e%2e%2frun.json", "path.character"),
    ("file:///tmp/run.json", "path.character"),
    ("results/run.json:stream.json", "path.character"),
    ("results/*.json", "path.character"),
    ("results/run?.json", "path.character"),
    ("results/a|b.json", "path.character"),
    ("results/run 1.json", "path.character"),
    (" /run.json", "path.character"),
    ("results\\run.json", "path.character"),
    ("-rf.json", "path.character"),
    ("results/--overwrite.json", "path.character"),
    ("results/+run.json", "path.character"),
    ("results/@run.json", "path.character"),
    ("results/=run.json", "path.character"),
    ("results./run.json", "path.character"),
    ("results/run.json.", "path.character"),
    ("results/run.json...", "path.character"),
    ("results/CON.json", "path.reserved"),
    ("nul/run.json", "path.reserved"),
    ("results/aux.tar.json", "path.reserved"),
    ("Com1.json", "path.reserved"),
    ("results/LPT9.json", "path.reserved"),
    ("prn/run.json", "path.reserved"),
    ("r" * 196 + ".json", "path.length"),
    ("f" * 201 + "/run.json", "path.length"),
    ("results/" + "ab/" * 400 + "run.json", "path.length"),
    ("x" * 10_000_000, "path.length"),
    ("results/run", "path.suffix"),
    ("results/run.JSON", "path.suffix"),
    ("results/run.json.exe", "path.suffix"),
    ("results/run.json5", "path.suffix"),
    ("Makefile", "path.suffix"),
    ("results/json", "path.suffix"),
]

PROPER = [
    "run.json",
    "results/solo/20260115T103000Z-north-shore-dev.json",
    "results/run..1.json",
    "results/a=1+b@2_c.json",
    "_drafts/0.json",
    "results/console.json",
    "results/com10.json",
    "results/com.json",
    "r" * 195 + ".json",
    "f" * 200 + "/run.json",
    "a/" * 15 + "run.json",
    "/".join("abcdefghi" * 9 for _ in range(12)) + "/run.json",
]


def everything(folder: Path) -> dict[str, tuple[int, bytes | str | None]]:
    """All that lies below a folder: mode, and the bytes of files or the aim of links. Nothing is opened but files."""
    found: dict[str, tuple[int, bytes | str | None]] = {}
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        inside: bytes | str | None = None
        if stat.S_ISREG(mode):
            inside = path.read_bytes()
        elif stat.S_ISLNK(mode):
            inside = str(path.readlink())
        found[path.relative_to(folder).as_posix()] = (mode, inside)
    return found


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An empty root with a victim beside it."""
    (tmp_path / "root").mkdir()
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim" / "run.json").write_bytes(b"VICTIM")
    return tmp_path / "root"


@pytest.fixture(params=["anonymous", "named", "without-descriptors"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The three ways to a file: O_TMPFILE, a temporary name, and what is left where folders have no descriptors."""
    way: str = request.param
    if way != "without-descriptors" and not saving._DESCRIPTORS:
        pytest.skip("folders have no descriptors on this system")
    if way == "anonymous" and not saving._O_TMPFILE:
        pytest.skip("this system has no O_TMPFILE")
    if way != "anonymous":
        monkeypatch.setattr(saving, "_O_TMPFILE", 0)
    if way == "without-descriptors":
        monkeypatch.setattr(saving, "_DESCRIPTORS", False)
    return way


# the text of the path


@pytest.mark.parametrize(("path", "code"), LEXICAL, ids=range(len(LEXICAL)))
def test_hostile_path_is_refused_and_touches_nothing(path: str, code: str, root: Path, figure: Figure) -> None:
    before = everything(root.parent)
    refusal = path_refusal(path)
    assert refusal is not None
    assert refusal.code == code
    for overwrite in (False, True):
        with pytest.raises(PathRefused) as caught:
            save(NEW, path, root, overwrite=overwrite)
        assert caught.value.refusal == refusal
    assert everything(root.parent) == before
    figure("hostile paths refused", f"{len(LEXICAL)} of {len(LEXICAL)}")


@pytest.mark.parametrize(("path", "code"), LEXICAL, ids=range(len(LEXICAL)))
def test_refusal_is_short_printable_and_one_sentence(path: str, code: str) -> None:
    refusal = path_refusal(path)
    assert refusal is not None
    assert refusal.message.isprintable()
    assert len(refusal.message) < 250
    assert not refusal.message.endswith(".")
    assert ": " in refusal.message or "expected" in refusal.message


@pytest.mark.parametrize("path", PROPER)
def test_proper_path_is_saved(path: str, root: Path, way: str) -> None:
    assert path_refusal(path) is None
    saved = save(NEW, path, root)
    assert saved == Saved(path, saved.sha256, len(NEW), already_there=False, durable=way != "without-descriptors")
    assert (root / path).read_bytes() == NEW


def test_every_accepted_text_stays_below_the_root_on_both_families_of_systems() -> None:
    import ntpath
    import posixpath

    pieces = [
        "a",
        "B",
        "7",
        "_",
        "-",
        ".",
        "..",
        "/",
        "//",
        "\\",
        ":",
        "~",
        "\0",
        "\n",
        " ",
        "é",
        "\u202e",
        "con",
        "nul.",
    ]
    pieces += [".json", "x/", "/x", "C:", "com1"]
    draw = random.Random(20260115)  # noqa: S311 - the same texts each time
    accepted = 0
    for _ in range(40_000):
        path = "".join(draw.choices(pieces, k=draw.randint(1, 6))) + draw.choice(["", ".json"])
        if path_refusal(path) is not None:
            continue
        accepted += 1
        assert path.isascii()
        assert path.isprintable()
        for flavour, top in ((posixpath, "/top"), (ntpath, "D:\\top")):
            joined = flavour.normpath(flavour.join(top, path))
            assert joined.startswith(top + flavour.sep)
            # normalising changed nothing but the separators: each name stands for itself
            assert joined[len(top) + 1 :].replace(flavour.sep, "/") == path
        assert not any(segment.startswith((".", "-")) or segment.endswith(".") for segment in path.split("/"))
    assert accepted > 300


# what lies on the disk


def link_folder_out(root: Path) -> None:
    (root / "results").symlink_to(root.parent / "victim", target_is_directory=True)


def link_folder_relative(root: Path) -> None:
    (root / "results").symlink_to("../victim", target_is_directory=True)


def link_folder_inside(root: Path) -> None:
    (root / "elsewhere").mkdir()
    (root / "results").symlink_to("elsewhere", target_is_directory=True)


def link_folder_dangling(root: Path) -> None:
    (root / "results").symlink_to(root.parent / "victim" / "fresh")


def link_folder_loop(root: Path) -> None:
    (root / "results").symlink_to("results")


def link_folder_to_dot(root: Path) -> None:
    (root / "results").symlink_to(".", target_is_directory=True)


def link_folder_to_file(root: Path) -> None:
    (root / "results").symlink_to(root.parent / "victim" / "run.json")


def link_deep(root: Path) -> None:
    (root / "results" / "a").mkdir(parents=True)
    (root / "results" / "a" / "b").symlink_to(root.parent / "victim", target_is_directory=True)


def link_file_out(root: Path) -> None:
    (root / "results").mkdir()
    (root / "results" / "run.json").symlink_to(root.parent / "victim" / "run.json")


def link_file_dangling(root: Path) -> None:
    (root / "results").mkdir()
    (root / "results" / "run.json").symlink_to(root.parent / "victim" / "fresh.json")


def link_file_to_same_bytes(root: Path) -> None:
    (root / "results").mkdir()
    (root / "same.json").write_bytes(NEW)
    (root / "results" / "run.json").symlink_to("../same.json")


def link_file_loop(root: Path) -> None:
    (root / "results").mkdir()
    (root / "results" / "run.json").symlink_to("run.json")


def link_file_to_device(root: Path) -> None:
    (root / "results").mkdir()
    (root / "results" / "run.json").symlink_to("/dev/zero")


def file_as_folder(root: Path) -> None:
    (root / "results").write_bytes(OLD)


def pipe_as_folder(root: Path) -> None:
    os.mkfifo(root / "results")


def folder_as_file(root: Path) -> None:
    (root / "results" / "run.json").mkdir(parents=True)


def full_folder_as_file(root: Path) -> None:
    (root / "results" / "run.json").mkdir(parents=True)
    (root / "results" / "run.json" / "kept.json").write_bytes(OLD)


def pipe_as_file(root: Path) -> None:
    (root / "results").mkdir()
    os.mkfifo(root / "results" / "run.json")


def socket_as_file(root: Path) -> None:
    (root / "results").mkdir()
    here = Path.cwd()
    # the address of a socket has about 100 bytes; the temporary folder of a test may have more
    os.chdir(root / "results")
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("run.json")
    finally:
        os.chdir(here)


def file_there(root: Path) -> None:
    (root / "results").mkdir()
    (root / "results" / "run.json").write_bytes(OLD)


def file_of_the_same_size(root: Path) -> None:
    (root / "results").mkdir()
    (root / "results" / "run.json").write_bytes(NEW.swapcase())


def hard_link_to_victim(root: Path) -> None:
    (root / "results").mkdir()
    (root / "results" / "run.json").hardlink_to(root.parent / "victim" / "run.json")


DISK: list[tuple[Callable[[Path], None], str, str]] = [
    (link_folder_out, "results/run.json", "path.symlink"),
    (link_folder_out, "results/new/run.json", "path.symlink"),
    (link_folder_relative, "results/run.json", "path.symlink"),
    (link_folder_inside, "results/run.json", "path.symlink"),
    (link_folder_dangling, "results/run.json", "path.symlink"),
    (link_folder_loop, "results/run.json", "path.symlink"),
    (link_folder_to_dot, "results/results/run.json", "path.symlink"),
    (link_folder_to_file, "results/run.json", "path.symlink"),
    (link_deep, "results/a/b/run.json", "path.symlink"),
    (link_file_out, "results/run.json", "path.symlink"),
    (link_file_dangling, "results/run.json", "path.symlink"),
    (link_file_to_same_bytes, "results/run.json", "path.symlink"),
    (link_file_loop, "results/run.json", "path.symlink"),
    (link_file_to_device, "results/run.json", "path.symlink"),
    (link_file_to_device, "results/run.json/run.json", "path.symlink"),
    (file_as_folder, "results/run.json", "path.not-a-folder"),
    (pipe_as_folder, "results/run.json", "path.not-a-folder"),
    (file_there, "results/run.json/run.json", "path.not-a-folder"),
    (folder_as_file, "results/run.json", "path.not-a-file"),
    (full_folder_as_file, "results/run.json", "path.not-a-file"),
    (pipe_as_file, "results/run.json", "path.not-a-file"),
    (socket_as_file, "results/run.json", "path.not-a-file"),
]
TAKEN: list[tuple[Callable[[Path], None], str, str]] = [
    (file_there, "results/run.json", "path.exists"),
    (file_of_the_same_size, "results/run.json", "path.exists"),
    (hard_link_to_victim, "results/run.json", "path.exists"),
]


def test_tables_hold_enough_attacks() -> None:
    assert len({path for path, _ in LEXICAL}) == len(LEXICAL) >= 60
    assert len(DISK) + len(TAKEN) >= 25


@posix
@pytest.mark.parametrize(("setup", "path", "code"), DISK + TAKEN)
def test_trap_on_the_disk_is_refused_and_nothing_changes(
    setup: Callable[[Path], None], path: str, code: str, root: Path, way: str, figure: Figure
) -> None:
    setup(root)
    before = everything(root.parent)
    figure("traps on the disk refused", f"{len(DISK + TAKEN)} of {len(DISK + TAKEN)}")
    for overwrite in (False, True) if code != "path.exists" else (False,):
        with pytest.raises(PathRefused) as caught:
            save(NEW, path, root, overwrite=overwrite)
        assert caught.value.code == code
        assert caught.value.message.isprintable()
        assert everything(root.parent) == before


@posix
@pytest.mark.parametrize("linked", ["folder", "file"])
def test_link_swapped_in_while_saving_never_leads_out(root: Path, linked: str) -> None:
    """A thread swaps a folder, or the file, for a link to the victim all the time; saves go to old or nowhere."""
    before = everything(root.parent / "victim")
    results = root / "results"
    results.mkdir()
    done = threading.Event()
    swaps = 0

    def swap_folder() -> None:
        nonlocal swaps
        while not done.is_set():
            (root / "bait").symlink_to(root.parent / "victim", target_is_directory=True)
            results.rename(root / f"aside-{swaps}")
            # the save may have made the folder anew in the meantime
            with suppress(OSError):
                (root / "bait").rename(results)
            (root / "bait").unlink(missing_ok=True)
            swaps += 1
            with suppress(OSError):
                results.unlink()
            results.mkdir(exist_ok=True)

    def swap_file() -> None:
        nonlocal swaps
        while not done.is_set():
            (root / "bait").symlink_to(root.parent / "victim" / "run.json")
            (root / "bait").replace(results / "run.json")
            swaps += 1

    thread = threading.Thread(target=swap_folder if linked == "folder" else swap_file)
    thread.start()
    outcomes: dict[str, int] = {}
    number = 0
    try:
        # a busy machine may hold the thread up: both have to get their turns
        while number < 300 or swaps < 50:
            assert thread.is_alive()
            number += 1
            try:
                # the file is swapped under an overwriting save, which may replace the link but never follow it
                path = f"results/run-{number}.json" if linked == "folder" else "results/run.json"
                save(b"%d" % number, path, root, overwrite=linked == "file")
                outcome = "saved"
            except (PathRefused, SaveError) as fault:
                outcome = fault.code
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
    finally:
        done.set()
        thread.join()
    # a folder that was removed after it was opened takes no file: ENOENT, and EPERM on ext4
    assert set(outcomes) <= {"saved", "path.symlink", "io.error", "io.permission"}
    assert everything(root.parent / "victim") == before


@posix
def test_file_that_became_a_pipe_is_not_waited_for(root: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file_of_the_same_size(root)
    target = root / "results" / "run.json"
    real = os.open

    def swap_first(path: Any, flags: int, *rest: Any, **named: Any) -> int:
        if str(path).endswith("run.json"):
            # said before the open that would hang
            assert flags & os.O_NONBLOCK
            target.unlink()
            os.mkfifo(target)
        return real(path, flags, *rest, **named)

    monkeypatch.setattr(os, "open", swap_first)
    with pytest.raises(PathRefused):
        save(NEW, "results/run.json", root)
    assert stat.S_ISFIFO(target.lstat().st_mode)


@posix
@pytest.mark.parametrize("way", ["named", "without-descriptors"], indirect=True)
def test_temporary_name_that_became_a_link_gives_no_name_to_the_victim(
    root: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = root.parent / "victim" / "run.json"
    real = os.link

    def swap_first(*names: Any, **named: Any) -> None:
        temporary = next(root.glob(".evalschema-*.tmp"))
        temporary.unlink()
        temporary.symlink_to(victim)
        real(*names, **named)

    monkeypatch.setattr(os, "link", swap_first)
    save(NEW, "run.json", root)
    assert victim.stat().st_nlink == 1
    assert victim.read_bytes() == b"VICTIM"


def test_junction_of_windows_is_a_link() -> None:
    folder = SimpleNamespace(st_mode=stat.S_IFDIR | 0o755, st_reparse_tag=0)
    assert not saving._is_link(cast("os.stat_result", folder))
    folder.st_reparse_tag = 0xA0000003
    assert saving._is_link(cast("os.stat_result", folder))


def test_root_itself_may_be_a_link(root: Path) -> None:
    (root.parent / "alias").symlink_to(root, target_is_directory=True)
    save(NEW, "run.json", root.parent / "alias")
    assert (root / "run.json").read_bytes() == NEW


@pytest.mark.parametrize("kind", ["absent", "file"])
def test_root_that_is_no_folder_is_an_error_of_the_environment(
    kind: str, root: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    wrong = Path("wrong\x1b")
    if kind == "file":
        wrong.write_bytes(OLD)
    before = everything(root)
    with pytest.raises(SaveError) as caught:
        save(NEW, "run.json", wrong)
    assert caught.value.code == "io.root"
    assert not caught.value.written
    assert "\\u001b" in caught.value.message
    assert everything(root) == before


# the promises


def test_saved_says_what_was_saved(root: Path, way: str) -> None:
    saved = save(b"[1]", "a/b/run.json", str(root))
    assert saved.path == "a/b/run.json"
    assert saved.sha256 == "080a9ed428559ef602668b4c00f114f1a11c3f6b02a435f0bdc154578e4d7f22"
    assert saved.bytes == 3
    assert everything(root)["a/b/run.json"][1] == b"[1]"
    assert sorted(everything(root)) == ["a", "a/b", "a/b/run.json"]


@pytest.mark.parametrize("size", [0, 1, 4095, 4096, 4097, 3_000_000])
def test_bytes_are_saved_as_they_are(size: int, root: Path, way: str) -> None:
    data = os.urandom(size)
    for again in (False, True):
        saved = save(data, "run.json", root)
        assert (saved.bytes, saved.already_there) == (size, again)
        assert (root / "run.json").read_bytes() == data


@pytest.mark.parametrize("overwrite", [False, True])
def test_identical_bytes_are_a_success_and_nothing_is_written(overwrite: bool, root: Path, way: str) -> None:
    first = save(NEW, "results/run.json", root)
    before = (root / "results" / "run.json").stat()
    second = save(NEW, "results/run.json", root, overwrite=overwrite)
    after = (root / "results" / "run.json").stat()
    assert not first.already_there
    assert second.already_there
    assert second.sha256 == first.sha256
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_other_bytes_stay_without_overwrite(root: Path, way: str) -> None:
    (root / "run.json").write_bytes(OLD)
    with pytest.raises(PathRefused) as caught:
        save(NEW, "run.json", root)
    assert caught.value.code == "path.exists"
    assert (root / "run.json").read_bytes() == OLD


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o444, 0o4755])
def test_overwrite_keeps_the_mode_and_gives_a_new_file(mode: int, root: Path, way: str) -> None:
    file_there(root)
    target = root / "results" / "run.json"
    target.chmod(mode)
    (root / "twin").hardlink_to(target)
    saved = save(NEW, "results/run.json", root, overwrite=True)
    assert not saved.already_there
    assert target.read_bytes() == NEW
    assert stat.S_IMODE(target.stat().st_mode) == mode & 0o777
    assert (root / "twin").read_bytes() == OLD
    assert sorted(everything(root)) == ["results", "results/run.json", "twin"]


@posix
def test_private_file_is_private_while_it_is_replaced(root: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file_there(root)
    (root / "results" / "run.json").chmod(0o640)
    real = os.open
    modes: list[int] = []

    def note(path: Any, flags: int, mode: int = 0o777, **named: Any) -> int:
        if flags & os.O_WRONLY:
            modes.append(mode)
        return real(path, flags, mode, **named)

    monkeypatch.setattr(os, "open", note)
    save(NEW, "results/run.json", root, overwrite=True)
    assert modes == [0o600]
    assert stat.S_IMODE((root / "results" / "run.json").stat().st_mode) == 0o640


@posix
def test_overwrite_of_a_hard_link_leaves_the_outside_alone(root: Path, way: str) -> None:
    hard_link_to_victim(root)
    before = everything(root.parent / "victim")
    save(NEW, "results/run.json", root, overwrite=True)
    assert (root / "results" / "run.json").read_bytes() == NEW
    assert everything(root.parent / "victim") == before


def test_overwrite_of_nothing_saves(root: Path, way: str) -> None:
    assert not save(NEW, "run.json", root, overwrite=True).already_there
    assert (root / "run.json").read_bytes() == NEW


@posix
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o000, 0o666), (0o027, 0o640)])
def test_new_file_has_the_mode_that_the_umask_gives(umask: int, mode: int, root: Path, way: str) -> None:
    before = os.umask(umask)
    try:
        save(NEW, "results/run.json", root)
        assert os.umask(umask) == umask
    finally:
        os.umask(before)
    assert stat.S_IMODE((root / "results" / "run.json").stat().st_mode) == mode
    assert stat.S_IMODE((root / "results").stat().st_mode) == 0o777 & ~umask


@posix
def test_save_changes_no_state_of_the_process(root: Path, way: str) -> None:
    descriptors = Path("/proc/self/fd")
    if not descriptors.exists():
        pytest.skip("no /proc to count descriptors in")

    def state() -> tuple[int, str, dict[str, str]]:
        return len(list(descriptors.iterdir())), os.getcwd(), dict(os.environ)

    before = state()
    save(NEW, "a/b/run.json", root)
    save(NEW, "a/b/run.json", root)
    save(OLD, "a/b/run.json", root, overwrite=True)
    for setup, path, _ in (DISK[0], DISK[15], DISK[18]):
        setup(root / "a")
        with pytest.raises(PathRefused):
            save(NEW, "a/" + path, root)
        (root / "a" / "results").rename(root / f"used-{setup.__name__}")
    assert state() == before


def test_files_of_other_names_are_untouched(root: Path, way: str) -> None:
    file_there(root)
    names = [".evalschema-short.tmp", "evalschema-0123456789abcdef.tmp", ".evalschema-0123456789abcdef.tmp.json"]
    for name in names:
        (root / "results" / name).write_bytes(OLD)
    save(NEW, "results/run.json", root, overwrite=True)
    assert all((root / "results" / name).read_bytes() == OLD for name in names)


@posix
def test_sweep_takes_only_what_nobody_holds(root: Path) -> None:
    import fcntl

    file_there(root)
    dead = root / "results" / ".evalschema-00000000deadbeef.tmp"
    alive = root / "results" / ".evalschema-000000000000a11e.tmp"
    for stray in (dead, alive):
        stray.write_bytes(b"half")
    (root / "results" / ".evalschema-0000000000000001.tmp").symlink_to(root.parent / "victim" / "run.json")
    os.mkfifo(root / "results" / ".evalschema-0000000000000002.tmp")
    (root / "results" / ".evalschema-0000000000000003.tmp").mkdir()
    with alive.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        save(NEW, "results/run.json", root, overwrite=True)
    left = sorted(path.name for path in (root / "results").iterdir())
    assert left == [
        ".evalschema-0000000000000001.tmp",
        ".evalschema-0000000000000002.tmp",
        ".evalschema-0000000000000003.tmp",
        alive.name,
        "run.json",
    ]
    assert (root.parent / "victim" / "run.json").read_bytes() == b"VICTIM"


@pytest.mark.parametrize("overwrite", [False, True])
def test_of_eight_threads_exactly_one_wins(overwrite: bool, root: Path, way: str) -> None:
    for number in range(10):
        barrier = threading.Barrier(8)
        path = f"round-{number}/run.json"

        def write(writer: int, barrier: threading.Barrier = barrier, path: str = path) -> str:
            barrier.wait()
            try:
                save(b"writer %d\n" % writer * 5000, path, root, overwrite=overwrite)
            except PathRefused as refused:
                return refused.code
            return "saved"

        with ThreadPoolExecutor(8) as pool:
            outcomes = list(pool.map(write, range(8)))
        there = (root / path).read_bytes()
        assert there in [b"writer %d\n" % writer * 5000 for writer in range(8)]
        if overwrite:
            assert outcomes == ["saved"] * 8
        else:
            assert sorted(outcomes) == ["path.exists"] * 7 + ["saved"]
            assert there == b"writer %d\n" % outcomes.index("saved") * 5000
        assert [found.name for found in (root / path).parent.iterdir()] == ["run.json"]


def test_eight_threads_with_the_same_bytes_all_succeed(root: Path, way: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        saved = [promise.result() for promise in [pool.submit(save, NEW, "results/run.json", root) for _ in range(8)]]
    assert sum(not one.already_there for one in saved) == 1
    assert sorted(everything(root)) == ["results", "results/run.json"]


# faults at every call

CALLS = [
    "open", "write", "fsync", "link", "replace", "rename", "mkdir", "stat", "lstat", "fstat",
    "unlink", "close", "fchmod", "read", "listdir",
]  # fmt: skip


class Faults:
    """Counts the calls to the system and lets the k-th fail: before it is carried out, or after.

    After is what a network does whose answer is lost. A failing close always closes: a test must not leak descriptors.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int, fault: BaseException, when: str) -> None:
        self.count = 0
        self.failed: str | None = None
        for name in CALLS:
            if hasattr(os, name):
                monkeypatch.setattr(os, name, self.wrapped(name, getattr(os, name), at, fault, when))
        if sys.platform != "win32":
            import fcntl

            monkeypatch.setattr(fcntl, "flock", self.wrapped("flock", fcntl.flock, at, fault, when))

    def wrapped(self, name: str, call: Callable[..., Any], at: int, fault: BaseException, when: str) -> Any:
        """The call, counted, and failing when its number has come."""

        def wrapper(*arguments: Any, **named: Any) -> Any:
            self.count += 1
            if self.count != at:
                return call(*arguments, **named)
            self.failed = name
            if when == "after" or name == "close":
                done = call(*arguments, **named)
                if name == "open":
                    os.close(done)
            raise fault

        return wrapper


def run_with_fault(
    root: Path, overwrite: bool, at: int, fault: BaseException, when: str
) -> tuple[str | None, int, Saved | BaseException]:
    with pytest.MonkeyPatch.context() as patch:
        faults = Faults(patch, at, fault, when)
        try:
            outcome: Saved | BaseException = save(NEW, "results/run.json", root, overwrite=overwrite)
        except (SaveError, PathRefused, KeyboardInterrupt) as caught:
            outcome = caught
    return faults.failed, faults.count, outcome


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE])
@pytest.mark.parametrize("situation", ["new", "replace", "same"])
def test_failing_call_leaves_old_or_whole(situation: str, number: int, when: str, tmp_path: Path, way: str) -> None:
    old = {"new": None, "replace": OLD, "same": NEW}[situation]
    failures: dict[str, int] = {}
    for at in range(1, 200):
        root = tmp_path / str(at)
        root.mkdir()
        if old is not None:
            file_there(root)
            (root / "results" / "run.json").write_bytes(old)
        fault = OSError(number, os.strerror(number))
        failed, count, outcome = run_with_fault(root, situation == "replace", at, fault, when)
        if failed is None:
            assert isinstance(outcome, Saved)
            assert count < at
            break
        failures[failed] = failures.get(failed, 0) + 1
        target = root / "results" / "run.json"
        there = target.read_bytes() if target.exists() else None
        assert there in (old, NEW)
        strays = [name for name in everything(root) if name not in ("results", "results/run.json")]
        if isinstance(outcome, Saved):
            assert there == NEW
        elif isinstance(outcome, SaveError):
            assert outcome.code.startswith("io.")
            assert outcome.errno == number
            assert there == NEW if outcome.written else there == old
            assert (outcome.code == "io.durability-unknown") is outcome.written
        else:
            # only the file that cannot be opened, and so not be compared, counts as another one
            assert isinstance(outcome, PathRefused)
            assert (situation, failed, outcome.code) == ("same", "open", "path.exists")
        assert strays == []
    else:
        pytest.fail("the save never ran through without the fault")
    expected = {"open", "stat", "fstat", "close"}
    expected |= {"new": {"mkdir", "write", "link"}, "replace": {"write", "replace"}, "same": {"read"}}[situation]
    if way != "without-descriptors":
        expected.add("fsync")
    assert set(failures) >= expected


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("situation", ["new", "replace"])
def test_interrupt_at_any_call_leaves_nothing_behind(situation: str, when: str, tmp_path: Path, way: str) -> None:
    for at in range(1, 200):
        root = tmp_path / str(at)
        root.mkdir()
        if situation == "replace":
            file_there(root)
        failed, _, outcome = run_with_fault(root, situation == "replace", at, KeyboardInterrupt(), when)
        if failed is None:
            assert isinstance(outcome, Saved)
            break
        target = root / "results" / "run.json"
        assert (target.read_bytes() if target.exists() else None) in (OLD if situation == "replace" else None, NEW)
        assert set(everything(root)) <= {"results", "results/run.json"}
    else:
        pytest.fail("the save never ran through without the interrupt")


@posix
@pytest.mark.parametrize(
    ("call", "number", "code", "text"),
    [
        ("write", errno.ENOSPC, "io.no-space", "free some space"),
        ("fsync", errno.EDQUOT, "io.no-space", "free some space"),
        ("mkdir", errno.EROFS, "io.read-only", "choose a root that can be written to"),
        ("open", errno.EACCES, "io.permission", "let this user read and write"),
        ("fsync", errno.EIO, "io.error", "look at the disk"),
    ],
)
def test_fault_has_its_code_and_repair(
    call: str, number: int, code: str, text: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(os, call, fail)
        with pytest.raises(SaveError) as caught:
            save(NEW, "results/run.json", root)
    assert caught.value.code == code
    assert caught.value.errno == number
    assert not caught.value.written
    assert text in str(caught.value)
    assert errno.errorcode[number] in str(caught.value)
    assert not (root / "results" / "run.json").exists()


@posix
@pytest.mark.parametrize("broken", ["link", "unlink"])
def test_temporary_file_that_cannot_be_removed_is_named_and_swept_later(
    broken: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(saving, "_O_TMPFILE", 0)
    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", fail)
        patch.setattr(os, broken, fail)
        with pytest.raises(SaveError) as caught:
            save(NEW, "run.json", root)
    stray = next(root.glob(".evalschema-*.tmp"))
    assert f"the temporary file {stray.name} is left beside it" in str(caught.value)
    assert caught.value.written is (root / "run.json").exists() is (broken == "unlink")
    save(OLD, "next.json", root)
    assert not stray.exists()


@posix
@pytest.mark.parametrize("way", ["anonymous", "named"], indirect=True)
def test_failed_fsync_of_the_folder_is_said_and_cured_by_saving_again(
    root: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def fail(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode) and (root / "run.json").exists():
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fail)
    for _ in range(2):
        # the second time the bytes are there, but still nobody knows whether they survive
        with pytest.raises(SaveError) as caught:
            save(NEW, "run.json", root)
        assert caught.value.code == "io.durability-unknown"
        assert caught.value.written
        assert (root / "run.json").read_bytes() == NEW
    monkeypatch.setattr(os, "fsync", real)
    again = save(NEW, "run.json", root)
    assert again.already_there
    assert again.durable


@posix
@pytest.mark.parametrize("way", ["anonymous", "named"], indirect=True)
@pytest.mark.parametrize("there", ["nothing", "folders", "other", "same"])
def test_file_and_every_folder_on_the_way_are_synced(
    there: str, root: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = root / "a" / "b" / "run.json"
    if there != "nothing":
        target.parent.mkdir(parents=True)
    if there in ("other", "same"):
        target.write_bytes(NEW if there == "same" else OLD)
    real = os.fsync
    synced: list[int] = []

    def note(descriptor: int) -> None:
        synced.append(os.fstat(descriptor).st_ino)
        real(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    save(NEW, "a/b/run.json", root, overwrite=True)
    # folders from the top, the file before its name, then the folder that holds the name
    assert synced == [path.stat().st_ino for path in (root, root / "a", target, root / "a" / "b")]


@posix
def test_file_system_without_fsync_saves_and_says_so(root: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(_: int) -> None:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    monkeypatch.setattr(os, "fsync", unknown)
    assert not save(NEW, "results/run.json", root).durable
    assert not save(NEW, "results/run.json", root).durable


@posix
def test_file_system_without_hard_links_never_risks_another_file(
    root: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: Any, **__: Any) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", no_links)
    with pytest.raises(SaveError) as caught:
        save(NEW, "run.json", root)
    assert caught.value.code == "io.no-links"
    assert everything(root) == {}
    (root / "run.json").write_bytes(OLD)
    save(NEW, "run.json", root, overwrite=True)
    assert (root / "run.json").read_bytes() == NEW
    assert sorted(everything(root)) == ["run.json"]


@posix
@pytest.mark.parametrize("number", [errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL])
def test_file_system_without_anonymous_files_gets_a_named_one(
    number: int, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flag = saving._O_TMPFILE
    if not flag:
        pytest.skip("this system has no O_TMPFILE")
    real = os.open
    names: list[str] = []

    def refuse(path: Any, flags: int, *rest: Any, **named: Any) -> int:
        if flags & flag == flag:
            raise OSError(number, os.strerror(number))
        names.append(str(path))
        return real(path, flags, *rest, **named)

    monkeypatch.setattr(os, "open", refuse)
    assert save(NEW, "run.json", root).durable
    assert (root / "run.json").read_bytes() == NEW
    assert any(name.startswith(".evalschema-") and name.endswith(".tmp") for name in names)
    assert sorted(everything(root)) == ["run.json"]


@posix
def test_without_proc_a_named_file_is_used(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.link

    def no_proc(source: Any, *rest: Any, **named: Any) -> None:
        if str(source).startswith("/proc/"):
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT))
        real(source, *rest, **named)

    monkeypatch.setattr(os, "link", no_proc)
    save(OLD, "run.json", root)
    save(NEW, "run.json", root, overwrite=True)
    assert (root / "run.json").read_bytes() == NEW
    assert sorted(everything(root)) == ["run.json"]


@posix
def test_unreadable_file_is_not_compared_but_can_be_replaced(
    root: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "run.json").write_bytes(NEW)
    real = os.open

    def secret(path: Any, *rest: Any, **named: Any) -> int:
        if str(path).endswith("run.json"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(path, *rest, **named)

    monkeypatch.setattr(os, "open", secret)
    with pytest.raises(PathRefused, match="cannot be read to compare") as caught:
        save(NEW, "run.json", root)
    assert caught.value.code == "path.exists"
    assert not save(NEW, "run.json", root, overwrite=True).already_there


@posix
def test_short_writes_are_continued(root: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write

    def seven_bytes(descriptor: int, data: memoryview) -> int:
        return real(descriptor, data[:7])

    monkeypatch.setattr(os, "write", seven_bytes)
    save(NEW, "run.json", root)
    assert (root / "run.json").read_bytes() == NEW


@posix
def test_disk_that_takes_nothing_is_no_endless_loop(root: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: Any) -> int:
        return 0

    monkeypatch.setattr(os, "write", nothing)
    with pytest.raises(SaveError) as caught:
        save(NEW, "run.json", root)
    assert caught.value.code == "io.error"
    assert everything(root) == {}


@posix
def test_name_that_never_stands_still_is_given_up(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def taken(*_: Any, **__: Any) -> None:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))

    monkeypatch.setattr(os, "link", taken)
    with pytest.raises(SaveError, match="appeared or vanished 16 times") as caught:
        save(NEW, "run.json", root)
    assert caught.value.code == "io.error"
    assert everything(root) == {}


@posix
def test_temporary_file_swept_before_its_lock_is_made_anew(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    monkeypatch.setattr(saving, "_O_TMPFILE", 0)
    real = fcntl.flock
    swept: list[str] = []

    def sweep_first(descriptor: Any, operation: int) -> None:
        if not swept and operation & fcntl.LOCK_EX:
            stray = next(root.glob(".evalschema-*.tmp"))
            swept.append(stray.name)
            stray.unlink()
        real(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", sweep_first)
    save(NEW, "run.json", root)
    assert len(swept) == 1
    assert (root / "run.json").read_bytes() == NEW
    assert sorted(everything(root)) == ["run.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="os.rename of Windows is imitated here")
def test_where_rename_refuses_no_link_is_needed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "_DESCRIPTORS", False)
    monkeypatch.setattr(saving, "_RENAME_REFUSES", True)
    monkeypatch.delattr(os, "link")
    real = os.rename

    def rename(source: str, target: str, **_: Any) -> None:
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target)
        real(source, target)

    monkeypatch.setattr(os, "rename", rename)
    assert not save(OLD, "results/run.json", root).durable
    with pytest.raises(PathRefused):
        save(NEW, "results/run.json", root)

    # another writer between the look and the rename
    def unseen(*_: Any) -> None:
        return None

    monkeypatch.setattr(saving._Folder, "look", unseen)
    with pytest.raises(SaveError, match="appeared or vanished"):
        save(NEW, "results/run.json", root)
    assert (root / "results" / "run.json").read_bytes() == OLD
    assert sorted(everything(root)) == ["results", "results/run.json"]


def test_exceptions_survive_pickling() -> None:
    refused, failed = pickle.loads(  # noqa: S301 - our own bytes
        pickle.dumps((PathRefused(Refusal("path.exists", "taken")), SaveError("io.error", "no luck", 5, written=True)))
    )
    assert (refused.code, refused.message, str(refused)) == ("path.exists", "taken", "taken")
    assert (failed.code, failed.message, failed.errno, failed.written) == ("io.error", "no luck", 5, True)
    assert isinstance(failed, OSError)
