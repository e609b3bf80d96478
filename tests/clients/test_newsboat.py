"""A feed reader for the terminal fetches the feed: newsboat, which hands recordings to podboat in a queue."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

FACTS = {"guid": "guid", "title": "title", "link": "url", "date": "pubDate", "enclosure": "enclosure_url"}
FACTS |= {"type": "enclosure_type"}


@pytest.fixture
def newsboat(client: Callable[..., str], published: Any, tmp_path: Path) -> Callable[..., str]:
    """Runs commands of newsboat, subscribed to the show with eight episodes and told to queue what is new."""
    published.serve(published.before)
    home = tmp_path / ".newsboat"
    home.mkdir()
    (home / "urls").write_text(published.feed + "\n", encoding="utf-8")
    (home / "config").write_text("podcast-auto-enqueue yes\n", encoding="utf-8")
    client("newsboat", "-x", "reload")
    return lambda *commands: client("newsboat", "-x", *commands)


def rows(home: Path, change: str = "") -> list[dict[str, Any]]:
    """All that newsboat keeps of its articles, newest first, after a change to that."""
    with closing(sqlite3.connect(home / ".newsboat/cache.db")) as database:
        database.executescript(change)
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute("SELECT * FROM rss_item ORDER BY pubDate DESC")]


def queue(home: Path) -> list[str]:
    """The addresses that wait for podboat to download them, newest first."""
    lines = (home / ".newsboat/queue").read_text(encoding="utf-8").splitlines()
    return sorted((line.split()[0] for line in lines), key=lambda address: address.rpartition("/")[2], reverse=True)


@pytest.mark.usefixtures("newsboat")
def test_newsboat_knows_every_episode_and_queues_its_recording(published: Any, tmp_path: Path) -> None:
    """A reload finds of each episode what the site's files say, and podboat is given the files to download."""
    found, said = rows(tmp_path), published.said[1:]
    assert len(found) == 8
    assert [{key: row[column] for key, column in FACTS.items()} for row in found] == [
        {key: one[key] for key in FACTS} for one in said
    ]
    assert queue(tmp_path) == [one["enclosure"] for one in said]


def test_newsboat_sees_a_new_episode_as_one_new_item(
    newsboat: Callable[..., str], published: Any, tmp_path: Path
) -> None:
    """Who has read all has one unread article and one recording more to download, and the rest as it was."""
    before, queued = rows(tmp_path, "UPDATE rss_item SET unread = 0"), queue(tmp_path)
    published.serve(published.after)
    assert newsboat("reload", "print-unread").startswith("1 unread article")
    new, *others = rows(tmp_path)
    assert others == before
    assert new["title"] == "One more night"
    assert queue(tmp_path) == [new["enclosure_url"], *queued]
