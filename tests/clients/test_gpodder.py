"""A real podcast client subscribes, lists, downloads and updates: gPodder, by its command `gpo`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def gpo(client: Callable[..., str], published: Any) -> Callable[..., str]:
    """The command, subscribed to the show with eight episodes."""
    published.serve(published.before)
    client("gpo", "subscribe", published.feed)
    return lambda *arguments: client("gpo", *arguments)


def rows(home: Path) -> list[dict[str, Any]]:
    """All that gPodder keeps of its episodes, newest first."""
    with closing(sqlite3.connect(home / "gpodder/Database")) as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute("SELECT * FROM episode ORDER BY published DESC")]


def facts(row: dict[str, Any]) -> dict[str, Any]:
    """What gPodder knows of an episode, in our words."""
    return {
        "guid": row["guid"],
        "title": row["title"],
        "link": row["link"],
        "date": row["published"],
        "duration": row["total_time"],
        "enclosure": row["url"],
        "length": row["file_size"],
        "type": row["mime_type"],
        "chapters": [(chapter["start"], chapter["title"]) for chapter in json.loads(row["chapters"])],
    }


def test_gpodder_subscribes_and_knows_every_episode(gpo: Callable[..., str], published: Any, tmp_path: Path) -> None:
    """A client that knows nothing of podsite lists the episodes and keeps of each what the site's files say."""
    assert "PyTorch Developer Podcast" in gpo("list")
    listed = gpo("episodes", published.feed)
    found, said = [facts(row) for row in rows(tmp_path)], published.said[1:]
    assert len(found) == 8
    assert found == [{key: one[key] for key in found[0]} for one in said]
    assert [one["title"] for one in said if one["title"] not in listed] == []


def test_gpodder_downloads_an_episode_whose_bytes_equal_the_file(
    gpo: Callable[..., str], published: Any, tmp_path: Path
) -> None:
    """What a listener gets is the recording, complete and unchanged."""
    gpo("download", published.feed, published.said[1]["guid"])
    (downloaded,) = (tmp_path / "gpodder").rglob("*.mp3")
    (original,) = published.root.glob("episodes/008-*.mp3")
    assert downloaded.read_bytes() == original.read_bytes()


def test_gpodder_sees_a_new_episode_as_one_new_item(gpo: Callable[..., str], published: Any, tmp_path: Path) -> None:
    """When an episode has come out, an update adds it and leaves everything known of the others as it was."""
    before = rows(tmp_path)
    assert "8 new episodes" in gpo("pending")
    published.serve(published.after)
    assert "9 new episodes" in gpo("update")
    new, *others = rows(tmp_path)
    assert others == before
    assert new["title"] == "One more night"
