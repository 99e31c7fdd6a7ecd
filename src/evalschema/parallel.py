"""Worker processes: tasks go out one at a time, and what comes back is told in the order of the tasks.

Each worker holds one task, so that it is known what a dead one held: that alone is tried again, while nothing else
runs, and only what kills a worker once more is given up.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

Work: TypeAlias = "Callable[[Any], Any]"
# Tasks under way or done before their turn, for each worker: a long one does not stop the others at once, and not much
# is ever held.
WINDOW = 8
_HEAD = 8


class Task(Protocol):
    """What a worker is given: picklable, and not too small, for sending costs as much as checking one document."""

    def parts(self) -> Sequence[Any]:
        """What to try one by one, tasks or not, after this killed its worker; nothing where it is to be given up."""
        ...


class Died(NamedTuple):
    """The outcome of a task that was given up: it killed its worker each time it was tried."""

    reason: str


@dataclass(frozen=True, slots=True)
class _Raised:
    """The outcome of a task that raised: raised here again when its turn comes."""

    error: Exception


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(
    items: Iterable[Any], work: Work, workers: int, *, prepare: Callable[[], object] | None = None
) -> Generator[tuple[Any, Any]]:
    """Each item with what `work` makes of it, in their order; those that are no tasks pass by, with None.

    `prepare` loads what `work` needs, where that saves every worker from doing so. Where a task killed its worker, the
    parts come that it was split into, with `Died` for those that did it again. What `work` raises is raised at its
    turn. Closing the generator ends the workers.
    """
    crew = _Crew(work, workers, prepare)
    try:
        yield from crew.run(items)
    finally:
        crew.dismiss()


@dataclass(slots=True, eq=False)
class _Entry:
    """An item on its way. `of` are all entries that were made of one item, in order: itself, or its parts."""

    item: Any
    of: list[_Entry]
    outcome: Any = None
    is_done: bool = True

    def is_task(self) -> bool:
        return hasattr(self.item, "parts")


class _Crew:
    def __init__(self, work: Work, workers: int, prepare: Callable[[], object] | None) -> None:
        self._work = work
        self._size = workers
        self._prepare = prepare
        self._hands = _forked() or _Spawns()
        self._idle: list[_Worker] = []
        self._busy: dict[_Worker, _Entry] = {}
        self._again: deque[_Entry] = deque()

    def run(self, items: Iterable[Any]) -> Generator[tuple[Any, Any]]:
        turns: deque[list[_Entry]] = deque()
        for item in items:
            entry = _Entry(item, [])
            entry.of.append(entry)
            turns.append(entry.of)
            if entry.is_task():
                entry.is_done = False
                while self._again or len(self._busy) == self._size or len(turns) > WINDOW * self._size:
                    self._advance()
                    yield from _told(turns)
                self._give(entry)
            yield from _told(turns)
        while turns:
            self._advance()
            yield from _told(turns)

    def _give(self, entry: _Entry) -> None:
        data = pickle.dumps(entry.item, pickle.HIGHEST_PROTOCOL)
        worker = self._idle.pop() if self._idle else self._one_more()
        self._busy[worker] = entry
        # that one is dead already is found out when its answer is waited for
        with suppress(OSError):
            worker.send(data)

    def _one_more(self) -> _Worker:
        if self._prepare is not None and isinstance(self._hands, _Forks):
            self._prepare()
            self._prepare = None
        return self._hands(self._work, [*self._idle, *self._busy])

    def _advance(self) -> None:
        """Wait until something is done; what killed a worker is tried again when nothing else runs."""
        if not self._busy:
            self._give(self._again.popleft())
        for worker in self._hands.ready(list(self._busy)):
            entry = self._busy.pop(worker)
            answer = worker.receive()
            if answer is None:
                self._bury(worker, entry)
            else:
                self._idle.append(worker)
                entry.outcome, entry.is_done = pickle.loads(answer), True  # noqa: S301 - our own child wrote it

    def _bury(self, worker: _Worker, entry: _Entry) -> None:
        reason = worker.end()
        parts = [_Entry(part, entry.of) for part in entry.item.parts()]
        if not parts:
            entry.outcome, entry.is_done = Died(reason), True
            return
        at = entry.of.index(entry)
        entry.of[at : at + 1] = parts
        for part in parts:
            if part.is_task():
                part.is_done = False
                self._again.append(part)

    def dismiss(self) -> None:
        """End all workers at once, whatever they are doing."""
        workers = [*self._idle, *self._busy]
        self._idle, self._busy = [], {}
        for worker in workers:
            worker.end()


def _told(turns: deque[list[_Entry]]) -> Iterator[tuple[Any, Any]]:
    """What is done of those whose turn it is."""
    while turns and all(entry.is_done for entry in turns[0]):
        for entry in turns.popleft():
            if isinstance(entry.outcome, _Raised):
                raise entry.outcome.error
            yield entry.item, entry.outcome


# --- processes ----------------------------------------------------------------------------------------------------


class _Worker(Protocol):
    """A process that answers each task with its outcome."""

    def send(self, data: bytes) -> None:
        """Give it a task; raises OSError where it is dead."""
        ...

    def receive(self) -> bytes | None:
        """Its answer; None where it died instead."""
        ...

    def end(self) -> str:
        """End it and say how it ended."""
        ...


class _Hands(Protocol):
    """How workers are made on this platform."""

    def __call__(self, work: Work, others: Sequence[_Worker]) -> _Worker:
        """One more worker; `others` are those that there are."""
        ...

    def ready(self, workers: Sequence[_Worker]) -> Iterable[_Worker]:
        """Those that have answered or died, one at least: waits for it."""
        ...


def _forked() -> _Hands | None:
    """Workers that are copies of this process, made within a millisecond; None where a copy would not be safe.

    The frameworks of macOS do not survive it, and the locks of other threads would stay locked for ever.
    """
    if sys.platform in ("win32", "darwin") or not hasattr(os, "fork") or threading.active_count() > 1:
        return None
    return _Forks()


class _Forks:
    def __call__(self, work: Work, others: Sequence[Any]) -> _Fork:
        return _Fork(work, others)

    def ready(self, workers: Sequence[Any]) -> Iterable[Any]:
        from select import POLLIN, poll

        waiting = poll()
        by_number = {worker.source: worker for worker in workers}
        for number in by_number:
            waiting.register(number, POLLIN)
        return [by_number[number] for number, _ in waiting.poll()]


class _Fork:
    def __init__(self, work: Work, others: Sequence[_Fork]) -> None:
        theirs, self.target = os.pipe()
        self.source, back = os.pipe()
        # the child must be deaf before anything can reach it
        unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, *_ENDS})
        try:
            self._number = os.fork()
            if not self._number:
                try:
                    # only when nobody else holds our ends does their closing tell that the parent is gone
                    for each in (self, *others):
                        os.close(each.target)
                        os.close(each.source)
                    _prepare()
                    signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
                    _serve(work, lambda: _read(theirs), lambda data: _write(back, data))
                finally:
                    os._exit(1)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
        os.close(theirs)
        os.close(back)

    def send(self, data: bytes) -> None:
        _write(self.target, data)

    def receive(self) -> bytes | None:
        return _read(self.source)

    def end(self) -> str:
        os.close(self.target)
        os.close(self.source)
        try:
            os.kill(self._number, signal.SIGKILL)
            return _ending(os.waitstatus_to_exitcode(os.waitpid(self._number, 0)[1]))
        except (ProcessLookupError, ChildProcessError):
            return _ending(None)


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(len(data).to_bytes(_HEAD, "little") + data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _read(descriptor: int) -> bytes | None:
    """One message; None where the other side is gone."""
    head = _exactly(descriptor, _HEAD)
    return None if head is None else _exactly(descriptor, int.from_bytes(head, "little"))


def _exactly(descriptor: int, size: int) -> bytes | None:
    data = bytearray()
    while len(data) < size:
        part = os.read(descriptor, min(size - len(data), 1 << 20))
        if not part:
            return None
        data += part
    return bytes(data)


class _Spawns:
    """Workers that begin anew and import what they need: slower to start, and safe everywhere."""

    def __call__(self, work: Work, others: Sequence[Any]) -> _Spawn:
        return _Spawn(work)

    def ready(self, workers: Sequence[Any]) -> Iterable[Any]:
        from multiprocessing.connection import wait

        by_end = {worker.connection: worker for worker in workers}
        return [by_end[end] for end in wait(list(by_end))]


class _Spawn:
    def __init__(self, work: Work) -> None:
        from multiprocessing import get_context

        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_begin, args=(theirs, work), daemon=True)
        self._process.start()
        theirs.close()

    def send(self, data: bytes) -> None:
        self.connection.send_bytes(data)

    def receive(self) -> bytes | None:
        try:
            return self.connection.recv_bytes()
        except (EOFError, OSError):
            return None

    def end(self) -> str:
        self.connection.close()
        self._process.kill()
        self._process.join()
        return _ending(self._process.exitcode)


def _begin(connection: Any, work: Work) -> None:
    _prepare()

    def receive() -> bytes | None:
        try:
            return connection.recv_bytes()  # type: ignore[no-any-return]
        except EOFError:
            return None

    _serve(work, receive, connection.send_bytes)


_ENDS = [signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if name in signal.Signals.__members__]


def _prepare() -> None:
    """An interrupt is for the parent to handle; what asks the parent to end ends a worker at once."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in _ENDS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def _serve(work: Work, receive: Callable[[], bytes | None], send: Callable[[bytes], None]) -> NoReturn:
    """Answer tasks until there are no more, or the parent is gone."""
    status = 1
    with suppress(OSError):
        while (data := receive()) is not None:
            send(_answer(work, data))
        status = 0
    # nothing of what the parent had in its buffers may be written twice
    os._exit(status)


def _answer(work: Work, data: bytes) -> bytes:
    try:
        return pickle.dumps(work(pickle.loads(data)), pickle.HIGHEST_PROTOCOL)  # noqa: S301 - our own parent wrote it
    except Exception as error:
        import traceback

        # where it happened is lost on the way
        error.add_note(traceback.format_exc())
        try:
            return pickle.dumps(_Raised(error))
        except Exception:
            return pickle.dumps(_Raised(RuntimeError(f"{type(error).__name__}: {error}")))


def _ending(code: int | None) -> str:
    """How a process ended, in words."""
    if code is None:
        return "ended"
    if code >= 0:
        return f"ended with status {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"
