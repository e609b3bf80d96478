"""Promises of work that is shared out to processes."""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import weakref
from collections.abc import Sequence

import pytest

from podsite.crew import LEAST, Crew, Errand, swept, uncollected

ITEMS = range(10 * LEAST)


@pytest.mark.thorough(but_each=2)
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


@pytest.mark.parametrize("size", [1, 2])
def test_an_errand_is_run_while_one_goes_on(size: int) -> None:
    """A crew of one runs it when it is asked for what came of it, and keeps nothing for later."""
    last: list[int] = []
    with Errand(lambda: [os.getpid(), *range(100_000)], apart=size > 1, last=lambda: last.append(1)) as errand:
        found, *rest = errand.answer()
    assert rest == [*range(100_000)]
    assert (found != os.getpid()) is (size > 1 and sys.platform == "linux")
    assert last == []  # what another process keeps changes nothing here


def test_an_errand_that_fails_is_run_again_where_the_error_is_told() -> None:
    """Whatever the reason was."""
    here, ends = os.getpid(), [lambda: os._exit(0), lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: 1 // 0]
    for end in ends:
        with Errand(lambda end=end: end() if os.getpid() != here else "here", apart=True) as errand:
            assert errand.answer() == "here"
    with pytest.raises(ZeroDivisionError), Errand(lambda: 1 // 0, apart=True) as errand:
        errand.answer()
    with pytest.raises(TypeError, match="plain data"), Errand(Crew, apart=True) as errand:
        errand.answer()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems begin no second process")
def test_nobody_is_left_on_an_errand_that_is_given_up() -> None:
    """An error arises while the other process still works, with others that it began."""
    reading, writing = os.pipe()

    def work(_: Sequence[int]) -> None:
        os.write(writing, b"%d\n" % os.getpid())
        signal.pause()

    with pytest.raises(LookupError), Errand(lambda: [*Crew(2).share(ITEMS, work)], apart=True):
        told = b""
        while told.count(b"\n") < 2:
            told += os.read(reading, 99)
        raise LookupError
    os.close(writing)
    assert select.select([reading], [], [], 10)[0]
    assert os.read(reading, 1) == b""  # nobody holds the other end any more


class Loop:
    """What only the collector can free."""

    def __init__(self) -> None:
        self.own = self


def test_what_is_left_over_is_swept_out_though_nothing_is_collected(thorough: bool) -> None:
    """Pages of a large site leave more behind than a laptop holds. What was there before stays as it was."""
    before, left = Loop(), weakref.WeakSet[Loop]()
    seen = weakref.ref(before)
    with uncollected():
        del before
        for number in swept(range(1000 if thorough else 300)):
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
    with Errand(lambda: 1, apart=True) as errand:
        assert errand.answer() == 1
    monkeypatch.undo()
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert doubled(3) == expected
    finally:
        signal.signal(signal.SIGCHLD, before)
