"""What a build tells when all went well. Nothing is imported here, since that may be all there is to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from podsite.recall import Built


def summary(built: Built, elapsed: float) -> str:
    """What a build made, on one line."""
    report = built.report
    return (
        f"{_count(built.episodes, 'episode')}, {_count(built.pages, 'page')}, "
        f"{_count(built.feed_items, 'feed item')} ({_size(built.feed_bytes)}); "
        f"{_count(len(report.written), 'file')} written, {len(report.unchanged)} unchanged, "
        f"{len(report.removed)} removed; {elapsed:.2f} s"
    )


def scheduled(built: Built) -> list[str]:
    """The episodes that are left out until their moment comes."""
    waiting = built.scheduled
    if not waiting:
        return []
    lines = [f"{_count(len(waiting), 'episode')} scheduled, not on the site yet (--future shows them):"]
    return lines + [f"  {one.shown}  {one.title}  ({one.file})" for one in waiting]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _size(length: int) -> str:
    return f"{length / 1_000_000:.1f} MB" if length >= 1_000_000 else f"{max(length // 1000, 1)} kB"
