"""Promises of work that is shared out to processes."""

from __future__ import annotations

import gc
import os
import signal
import sys
import weakref
from collections.abc import Callable, Sequence

import pytest

from podsite.crew import LEAST, Crew, Errand, swept, uncollected

ITEMS = range(10 * LEAST)


@pytest.mark.parametrize("size", [1, 2, 3, 9])
def test_what_is_made_comes_in_the_order_of_the_items(size: int) -> None:
    """However many processes there are, and whichever was the fastest."""
    made = [one for part in Crew(size).share(ITEMS, lambda part: [each * 2 for each in part]) for one in part]
    assert made == [each * 2 for each in ITEMS]


def test_little_work_and_none_take_no_process() -> None:
    """Fewer items than two processes must have."""
    begun_by = os.getpid()

    def work(_: Sequence[int]) -> bool:
        return os.getpid() == begun_by

    assert [*Crew(4).share(range(2 * LEAST - 1), work)] == [True]
    assert [*Crew(4).share([], work)] == []


@pytest.mark.skipif(sys.platform != "linux", reason="only there processes are begun as copies")
def test_a_part_that_a_process_cannot_do_is_done_here() -> None:
    """Whatever ended it: an error, or the system."""
    begun_by = os.getpid()

    def work(part: Sequence[int]) -> list[int]:
        if os.getpid() != begun_by:
            os.kill(os.getpid(), 9) if part[0] % 2 else 1 / 0
        return [*part]

    assert [one for part in Crew(3).share(ITEMS, work) for one in part] == [*ITEMS]


def test_the_first_part_that_fails_is_the_one_that_is_told() -> None:
    """Which of the processes came to it does not matter."""

    def work(part: Sequence[int]) -> None:
        raise ValueError(part[0])

    with pytest.raises(ValueError, match=r"^0$"):
        [*Crew(3).share(ITEMS, work)]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere one process does all")
def test_what_cannot_be_sent_is_refused() -> None:
    """Else the work would be done twice, and nobody would notice."""
    here, (reading, writing) = os.getpid(), os.pipe()

    def work(part: Sequence[int]) -> object:
        if os.getpid() == here:
            os.read(reading, 1)  # until the other has begun with a part
            return [*part]
        os.write(writing, bytes(len(ITEMS)))
        return Crew()

    with pytest.raises(TypeError, match="plain data"):
        [*Crew(2).share(ITEMS, work)]


@pytest.mark.parametrize(
    ("ask", "answer"), [(lambda: True, True), (lambda: False, False), (lambda: bool(1 // 0), False)]
)
def test_a_question_is_answered_by_another_process(ask: Callable[[], bool], answer: bool) -> None:
    """What cannot be found out is answered with no."""
    if sys.platform == "linux":
        assert Errand(ask).answer() is answer


class Loop:
    """What only the collector can free."""

    def __init__(self) -> None:
        self.own = self


def test_what_is_left_over_is_swept_out_though_nothing_is_collected() -> None:
    """Pages of a large site leave more behind than a laptop holds. What was there before stays as it was."""
    before, left = Loop(), weakref.WeakSet[Loop]()
    seen = weakref.ref(before)
    with uncollected():
        del before
        for number in swept(range(1000)):
            left.add(Loop())
            assert len(left) < 200, number
        assert not gc.isenabled()
        assert seen() is not None
    assert gc.isenabled()
    gc.collect()
    assert seen() is None


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere one process does all")
def test_where_no_process_is_to_be_had_one_does_it_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at once, and not later; and whoever does not keep the ends of processes gets the same."""

    def doubled(size: int) -> list[int]:
        return [one for part in Crew(size).share(ITEMS, lambda part: [each * 2 for each in part]) for one in part]

    expected, fork = [each * 2 for each in ITEMS], os.fork
    left = [1]

    def refused() -> int:
        if not left:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        left.pop()
        return fork()

    monkeypatch.setattr(os, "fork", refused)
    assert doubled(4) == expected
    assert doubled(4) == expected
    assert Errand(lambda: True).answer() is True
    monkeypatch.undo()
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert doubled(3) == expected
    finally:
        signal.signal(signal.SIGCHLD, before)
