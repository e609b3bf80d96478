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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, TypeVar

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
    started: list[tuple[int, int]] = []
    made: dict[int, Any] = {}
    try:
        # held for good in the others, which end with this one; where no more are to be had, those that there are do it
        with REQUEST.held(), suppress(OSError):
            for _ in range(others):
                started.append(_started(queue, parts, work))  # noqa: PERF401 - each is known as soon as it is there
        for number in _taken(queue):
            try:
                made[number] = work(parts[number])
            except Exception:  # noqa: BLE001 - it comes again where it can be told
                return made
        while started:
            child, pipe = started[0]
            with open(pipe, "rb", closefd=False) as file:
                received = dict(_received(file))
            status = _ended(child)
            os.close(pipe)
            del started[0]
            if status == _UNFIT:
                raise TypeError("only plain data can be sent from one process to another")
            if status == 0:
                made |= received
    finally:  # nobody waits for the others any more
        with REQUEST.held():
            os.close(queue)
            for child, pipe in started:
                with suppress(OSError):
                    os.kill(child, signal.SIGKILL)
                    os.waitpid(child, 0)
                os.close(pipe)
    return made


def _taken(queue: int) -> Iterator[int]:
    """The numbers that this process takes from a queue, until there are none."""
    while number := os.read(queue, 1):
        yield number[0]


def _received(file: BinaryIO) -> Iterator[tuple[int, Any]]:
    """What another process made of which parts, one after another, since all of it twice would take much memory."""
    while len(head := file.read(_HEAD.size)) == _HEAD.size:
        number, length = _HEAD.unpack(head)
        made = file.read(length)
        if len(made) == length:
            yield number, marshal.loads(made)  # noqa: S302 - of our own process


def _started(queue: int, parts: Sequence[Sequence[T]], work: Callable[[Sequence[T]], Any]) -> tuple[int, int]:
    """A process at work on parts of the queue: its id, and where to read what it made of which."""
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        raise
    if child:
        os.close(writing)
        return child, reading
    status = 1
    try:
        os.close(reading)
        made = []
        for number in _taken(queue):
            found = work(parts[number])
            try:
                made.append((number, marshal.dumps(found)))
            except ValueError:
                status = _UNFIT
                raise
        with open(writing, "wb") as file:  # noqa: PTH123 - a pipe has no path
            for number, found in made:
                file.write(_HEAD.pack(number, len(found)))
                file.write(found)
        status = 0
    finally:
        os._exit(status)  # nothing of this copy may be cleaned up or printed twice


def _ended(child: int) -> int:
    """The status with which another process ends; that of a failure where the system does not keep it."""
    try:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    except ChildProcessError:
        return 1


class Errand:
    """A question that another process looks into while this one has other things to do; its answer must be fetched."""

    def __init__(self, ask: Callable[[], bool]) -> None:
        self._ask = ask
        self._child: int | None = None
        with REQUEST.held():
            with suppress(OSError):  # no process is to be had: it is asked here
                self._child = os.fork() if sys.platform == "linux" else None
            if self._child == 0:
                status = 1
                try:
                    status = 0 if ask() else 1
                finally:
                    os._exit(status)

    def answer(self) -> bool:
        """The answer; no, if it could not be found."""
        return self._ask() if self._child is None else _ended(self._child) == 0


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
