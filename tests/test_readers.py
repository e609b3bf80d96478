"""Foreign readers read this repository's own feed: the show, and its notes. `clients/` has the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import feedparser
import podcastparser
import pytest
import yaml

BASE = "https://example.org/podsite/"


@pytest.fixture(scope="module")
def parsed(own_site: Path) -> Any:
    """The feed as feedparser understands it; it found nothing wrong."""
    found = feedparser.parse(own_site / "feed.xml")
    assert not found.bozo
    return found


@pytest.fixture(scope="module")
def podcast(own_site: Path) -> dict[str, Any]:
    """The feed as podcastparser understands it."""
    with (own_site / "feed.xml").open("rb") as stream:
        found: dict[str, Any] = podcastparser.parse(BASE + "feed.xml", stream)
    return found


def test_the_channel_is_the_show(parsed: Any, podcast: dict[str, Any], repository: Path) -> None:
    """Title, language and cover arrive."""
    show = yaml.safe_load((repository / "show.yaml").read_text(encoding="utf-8"))
    assert parsed.feed.title == podcast["title"] == show["title"]
    assert parsed.feed.language == show["language"]
    assert podcast["cover_url"] == parsed.feed.image.href == BASE + "artwork.png"
    assert podcast["link"] == BASE


def test_every_item_has_an_identity_that_is_no_address(parsed: Any) -> None:
    """GUIDs are distinct, and no permalinks."""
    assert len({item.id for item in parsed.entries}) == 8
    assert not [item for item in parsed.entries if item.guidislink]


def test_the_notes_arrive(parsed: Any) -> None:
    """An app can print the notes, with absolute links only."""
    for item in parsed.entries:
        notes = item.content[0].value
        assert "<p>" in notes
        assert 'href="' in notes
        assert 'href="/' not in notes
        assert 'href="../' not in notes
