"""Work shared out to processes that begin as copies of this one, so that they know all it knows and need no messages.

Only where the system can copy a process safely; elsewhere, and for little work, one process does all.
"""

from __future__ import annotations

import gc
import marshal
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

T = TypeVar("T")

#: How much each process must have to do, at least: with less, the copying would cost more than it saves.
LEAST = 30


def processors() -> int:
    """How many processes this one may keep busy."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Crew:
    """So many processes, this one included; None: as many as there are processors."""

    def __init__(self, size: int | None = 1) -> None:
        self.size = size or processors()

    def share(self, items: Sequence[T], work: Callable[[Sequence[T]], Any], least: int = LEAST) -> Iterator[Any]:
        """What `work` makes of the items, share by share in their order: plain data, as marshal can send it.

        No process gets less than `least` of them.

        Whatever else it changes stays in the process that did it. A share whose process fails is done again here, so
        that errors arise where they can be told.
        """
        if not items:
            return
        count = max(1, min(self.size, len(items) // least)) if sys.platform == "linux" else 1
        length = -(-len(items) // count)
        first, *others = [items[at : at + length] for at in range(0, len(items), length)]
        started = [(part, *_started(part, work)) for part in others]
        try:
            yield work(first)
            while started:
                part, child, pipe = started[0]
                with open(pipe, "rb", closefd=False) as file:
                    result = file.read()
                _, status = os.waitpid(child, 0)
                os.close(pipe)
                del started[0]
                yield marshal.loads(result) if status == 0 else work(part)  # noqa: S302 - of our own process
        finally:  # nobody waits for the others any more
            for _, child, pipe in started:
                with suppress(OSError):
                    os.kill(child, signal.SIGKILL)
                    os.waitpid(child, 0)
                os.close(pipe)


def _started(part: Sequence[T], work: Callable[[Sequence[T]], Any]) -> tuple[int, int]:
    """A process at work on a share: its id, and where to read the result."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    status = 1
    try:
        os.close(reading)
        with open(writing, "wb") as file:  # noqa: PTH123 - a pipe has no path
            marshal.dump(work(part), file)
        status = 0
    finally:
        os._exit(status)  # nothing of this copy may be cleaned up or printed twice


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
            gc.enable()
