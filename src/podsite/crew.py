"""Work shared out to processes that begin as copies of this one, so that they know all it knows and need no messages.

Only where the system can copy a process safely; elsewhere, and for little work, one process does all.
"""

from __future__ import annotations

import gc
import marshal
import os
import signal
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any, BinaryIO, Generic, NoReturn, Self, TypeVar

from podsite.ending import REQUEST

T = TypeVar("T")

#: How much each process must have to do, at least: with less, the copying would cost more than it saves.
LEAST = 30

_PARTS, _MOST_PARTS = 8, 255  # for each process, and in all: a number is one byte
_HEAD = struct.Struct("<BQ")  # of what is sent: the number of the part, how many bytes
_SWEEP = 50  # items
_UNFIT = 3  # how a process ends that cannot send what it made


def processors() -> int:
    """How many processes this one may keep busy."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Crew:
    """So many processes, this one included; None: as many as there are processors."""

    def __init__(self, size: int | None = 1) -> None:
        self.size = size or processors()

    def share(self, items: Sequence[T], work: Callable[[Sequence[T]], Any], least: int | None = None) -> Iterator[Any]:
        """What `work` makes of the items, part by part in their order: plain data, as marshal can send it.

        There are more parts than processes, each of which takes the next one when it is done with the last; no process
        is begun for less than `least` items, LEAST if that is not said. Whatever else `work` changes stays in the
        process that did it.

        A part that fails is done again here, the first one first, so that errors arise where they can be told, and
        always the same. After a failure here no process works on.
        """
        count = min(self.size, len(items) // (least or LEAST)) if sys.platform == "linux" else 1
        if count < 2:
            if items:
                yield work(items)
            return
        length = -(-len(items) // min(count * _PARTS, _MOST_PARTS))
        parts = [items[at : at + length] for at in range(0, len(items), length)]
        made = _made(parts, work, count - 1)
        for number, part in enumerate(parts):
            yield made.pop(number) if number in made else work(part)


def _made(parts: Sequence[Sequence[T]], work: Callable[[Sequence[T]], Any], others: int) -> dict[int, Any]:
    """What was made of parts, by their numbers, here and by so many other processes; some may be missing."""
    queue, filled = os.pipe()
    os.write(filled, bytes(range(len(parts))))
    os.close(filled)
    started: list[_Other] = []
    made: dict[int, Any] = {}
    try:
        # held for good in the others, which end with this one; where no more are to be had, those that there are do it
        with REQUEST.held(), suppress(OSError):
            for _ in range(others):  # each is known as soon as it is there
                started.append(_Other(lambda: ((one, work(parts[one])) for one in _taken(queue))))  # noqa: PERF401
        for number in _taken(queue):
            try:
                made[number] = work(parts[number])
            except Exception:  # noqa: BLE001 - it comes again where it can be told
                return made
        while started:
            made |= started[0].made()
            del started[0]
    finally:  # nobody waits for the others any more
        with REQUEST.held():
            os.close(queue)
            for other in started:
                other.end()
    return made


def _taken(queue: int) -> Iterator[int]:
    """The numbers that this process takes from a queue, until there are none."""
    while number := os.read(queue, 1):
        yield number[0]


class _Other:
    """Another process, which makes plain data by numbers. Raises OSError where none is to be had.

    One that `leads` may begin others, which end with it.
    """

    def __init__(self, work: Callable[[], Iterable[tuple[int, Any]]], *, leads: bool = False) -> None:
        self._leads = leads
        self._pipe, writing = os.pipe()
        try:
            self._child = os.fork()
        except OSError:
            os.close(self._pipe)
            os.close(writing)
            raise
        if leads:  # whichever of the two comes to it first
            with suppress(OSError):
                os.setpgid(self._child, self._child)
        if self._child == 0:
            _sent(work, self._pipe, writing)
        os.close(writing)

    def made(self) -> dict[int, Any]:
        """What it made, as soon as it is done with all; nothing when it failed."""
        with open(self._pipe, "rb", closefd=False) as file:
            received = dict(_received(file))
        status = _ended(self._child)
        self._close()
        if status == _UNFIT:
            raise TypeError("only plain data can be sent from one process to another")
        return received if status == 0 else {}

    def end(self) -> None:
        """Wait no longer for what it makes."""
        with suppress(OSError):
            (os.killpg if self._leads else os.kill)(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
        self._close()

    def _close(self) -> None:
        pipe, self._pipe = self._pipe, -1
        if pipe >= 0:
            os.close(pipe)


def _sent(work: Callable[[], Iterable[tuple[int, Any]]], reading: int, writing: int) -> NoReturn:
    """Do the work of another process, send what it makes, and end."""
    status = 1
    try:
        os.close(reading)
        made = []
        for number, found in work():
            try:
                made.append((number, marshal.dumps(found)))
            except ValueError:
                status = _UNFIT
                raise
        with open(writing, "wb") as file:
            for number, packed in made:
                file.write(_HEAD.pack(number, len(packed)))
                file.write(packed)
        status = 0
    finally:
        os._exit(status)  # nothing of this copy may be cleaned up or printed twice


def _received(file: BinaryIO) -> Iterator[tuple[int, Any]]:
    """What another process made of which parts, one after another, since all of it twice would take much memory."""
    while len(head := file.read(_HEAD.size)) == _HEAD.size:
        number, length = _HEAD.unpack(head)
        made = file.read(length)
        if len(made) == length:
            yield number, marshal.loads(made)  # noqa: S302 - of our own process


def _ended(child: int) -> int:
    """The status with which another process ends; that of a failure where the system does not keep it."""
    try:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    except ChildProcessError:
        return 1


class Errand(Generic[T]):
    """Something that another process makes while this one goes on: begun with the context, behind which none is left.

    What is made is plain data, as marshal can send it. `last` is done by the other process before it ends, with
    whatever else the work changed in it. If it is not to be `apart`, no process is to be had, or the other one failed,
    this one does the work when it is asked for what it makes, so that errors arise where they can be told.
    """

    def __init__(self, work: Callable[[], T], *, apart: bool, last: Callable[[], None] = lambda: None) -> None:
        self._is_apart = apart and sys.platform == "linux"
        self._work, self._last = work, last
        self._other: _Other | None = None

    def __enter__(self) -> Self:
        if self._is_apart:
            with REQUEST.held(), suppress(OSError):
                self._other = _Other(self._made, leads=True)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._other is not None:
            with REQUEST.held():
                self._other.end()

    def _made(self) -> Iterator[tuple[int, T]]:
        made = self._work()
        self._last()
        yield 0, made

    def answer(self) -> T:
        """What was made; to be asked for once."""
        made = self._other.made() if self._other is not None else {}
        self._other = None
        return made[0] if made else self._work()


@contextmanager
def uncollected() -> Iterator[None]:
    """Without garbage collection, for work whose results all stay to the end: looking them through takes a quarter of
    the time of a large build, and finds next to nothing.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.unfreeze()
            gc.enable()


def swept(items: Sequence[T]) -> Iterator[T]:
    """The items, with what is left over of them swept out now and then: for work that leaves much behind which only
    the collector finds, as the filling of templates does. What was there before is not looked through.
    """
    is_off = not gc.isenabled()
    if is_off:
        gc.freeze()
    for number, item in enumerate(items, 1):
        yield item
        if is_off and number % _SWEEP == 0:
            gc.collect(0)
