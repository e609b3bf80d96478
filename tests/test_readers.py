"""Foreign readers read this repository's own feed and find what its files say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import feedparser
import podcastparser
import pytest
import yaml
from mutagen.mp3 import MP3

BASE = "https://example.org/podsite/"


@pytest.fixture(scope="module")
def said(repository: Path) -> list[dict[str, Any]]:
    """What the episodes' files say, newest first."""
    files = (repository / "episodes").glob("*.yaml")
    said = [yaml.safe_load(path.read_text(encoding="utf-8")) | {"path": path} for path in files]
    return sorted(said, key=lambda one: str(one["published"]), reverse=True)


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


def test_there_are_eight_items_newest_first(parsed: Any, podcast: dict[str, Any], said: list[dict[str, Any]]) -> None:
    """Both readers see the episodes of the files, in the order listeners expect."""
    titles = [one["title"] for one in said]
    assert len(titles) == 8
    assert [item.title for item in parsed.entries] == titles
    assert [item["title"] for item in podcast["episodes"]] == titles
    dates = [item.published_parsed for item in parsed.entries]
    assert dates == sorted(set(dates), reverse=True)


def test_every_item_has_an_identity_that_is_no_address(parsed: Any, podcast: dict[str, Any]) -> None:
    """GUIDs are distinct, the same for both readers, and no permalinks."""
    guids = [item.id for item in parsed.entries]
    assert len(set(guids)) == 8
    assert guids == [item["guid"] for item in podcast["episodes"]]
    assert not [item for item in parsed.entries if item.guidislink]


def test_enclosures_name_the_files_that_are_served(parsed: Any, podcast: dict[str, Any], own_site: Path) -> None:
    """Address, type and length in bytes are those of the recording in the output."""
    for item, other in zip(parsed.entries, podcast["episodes"], strict=True):
        (enclosure,) = item.enclosures
        file = own_site / enclosure.href.removeprefix(BASE)
        assert (int(enclosure.length), enclosure.type) == (file.stat().st_size, "audio/mpeg")
        (same,) = other["enclosures"]
        assert (same["url"], same["file_size"], same["mime_type"]) == (
            enclosure.href,
            int(enclosure.length),
            "audio/mpeg",
        )


def test_durations_are_those_of_the_recordings(podcast: dict[str, Any], own_site: Path) -> None:
    """Seconds as the files themselves tell them."""
    for item in podcast["episodes"]:
        file = own_site / item["enclosures"][0]["url"].removeprefix(BASE)
        assert item["total_time"] == int(MP3(file).info.length)


def test_numbers_links_and_notes_arrive(parsed: Any, podcast: dict[str, Any], said: list[dict[str, Any]]) -> None:
    """An app can show the number, open the page, and print the notes with absolute links only."""
    assert [item["number"] for item in podcast["episodes"]] == [one["number"] for one in said]
    for item in parsed.entries:
        assert item.link.startswith(BASE + "episodes/")
        notes = item.content[0].value
        assert "<p>" in notes
        assert 'href="' in notes
        assert 'href="/' not in notes
        assert 'href="../' not in notes
