"""How the process ends when somebody asks it to: as after an error, so that nothing half done is left behind.

The request arises as an exception wherever the process happens to be, but for work that must not be torn in two.
"""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

_MOMENT = 1.0  # seconds within which it is one request, however often it is made, as by timeout(1)


class _Request:
    """What is asked of this process; `status` is the one to end with, 0 while nobody asks."""

    def __init__(self) -> None:
        self.status = 0
        self._last = -math.inf
        self._held = 0
        self._waits = False

    def __call__(self, number: int, _: object) -> None:
        """Somebody asks, with a signal."""
        before, self._last = self._last, time.monotonic()
        if self._last - before > _MOMENT:
            self.status = 128 + number
            if self._held:
                self._waits = True
            else:
                self._arise()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let the request wait until something is done, which takes no time worth mentioning."""
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
            if self._waits and not self._held:
                self._waits = False
                self._arise()

    def _arise(self) -> None:
        raise KeyboardInterrupt if self.status == 128 + signal.SIGINT else SystemExit(self.status)


REQUEST = _Request()


def heed() -> None:
    """Let requests to end be heard, but for those that somebody had reason to ignore; and how our own processes end,
    which the system forgets where this one was begun by somebody who does not care for his.
    """
    if hasattr(signal, "SIGCHLD"):
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for name in ("SIGTERM", "SIGHUP", "SIGINT"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, REQUEST)
