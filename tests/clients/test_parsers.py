"""The libraries that podcast apps and directories read feeds with find in ours what the site's files say."""

from __future__ import annotations

import calendar
import io
import json
import shutil
import subprocess
from collections.abc import Callable
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import feedparser
import podcastparser
import pytest

#: partytime gives SRT one name, whichever of its three a feed uses.
SRT = {"application/srt": "application/x-subrip"}
Facts = dict[str, Any]
Item = Any


def of_feedparser(item: Item) -> Facts:
    """Nearly everything: of tags it does not know feedparser keeps the attributes, and of several the last."""
    (enclosure,) = item.enclosures
    person = item.podcast_person
    return {
        "guid": item.id,
        "title": item.title,
        "number": int(item.itunes_episode),
        "link": item.link,
        "date": calendar.timegm(item.published_parsed),
        "duration": int(item.itunes_duration),
        "enclosure": enclosure.href,
        "length": int(enclosure.length),
        "type": enclosure.type,
        "chapters": [(one["start_parsed"].total_seconds(), one["title"]) for one in item.psc_chapters.chapters],
        "chapters file": item.podcast_chapters["url"],
        "role": (person["role"], person["group"]),
        "person's page": person["href"],
    }


def of_podcastparser(item: Item) -> Facts:
    """All but the Podcasting 2.0 tags, whose namespace podcastparser does not know by its name of today."""
    (enclosure,) = item["enclosures"]
    return {
        "guid": item["guid"],
        "title": item["title"],
        "number": item["number"],
        "link": item["link"],
        "date": item["published"],
        "duration": item["total_time"],
        "enclosure": enclosure["url"],
        "length": enclosure["file_size"],
        "type": enclosure["mime_type"],
        "chapters": [(one["start"], one["title"]) for one in item["chapters"]],
    }


def of_partytime(item: Item) -> Facts:
    """All but Podlove's chapters."""
    (person,) = item["podcastPeople"]
    return {
        "guid": item["guid"],
        "title": item["title"],
        "number": item["podcastEpisode"]["number"],
        "link": item["link"],
        "date": datetime.fromisoformat(item["pubDate"]).timestamp(),
        "duration": item["duration"],
        "enclosure": item["enclosure"]["url"],
        "length": item["enclosure"]["length"],
        "type": item["enclosure"]["type"],
        "chapters file": item["podcastChapters"]["url"],
        "transcripts": [
            (one["url"], SRT.get(one["type"], one["type"]), one["language"]) for one in item["podcastTranscripts"]
        ],
        "person": person["name"],
        "role": (person["role"].lower(), person["group"].lower()),
        "person's page": person["href"],
    }


def of_feedsmith(item: Item) -> Facts:
    """Everything."""
    (enclosure,), podcast = item["enclosures"], item["podcast"]
    (person,) = podcast["persons"]
    chapters = [(one["start"].split(":"), one["title"]) for one in item["psc"]["chapters"]]
    return {
        "guid": item["guid"]["value"],
        "title": item["title"],
        "number": item["itunes"]["episode"],
        "link": item["link"],
        "date": parsedate_to_datetime(item["pubDate"]).timestamp(),
        "duration": item["itunes"]["duration"],
        "enclosure": enclosure["url"],
        "length": enclosure["length"],
        "type": enclosure["type"],
        "chapters": [(60 * int(start[1]) + float(start[2]), title) for start, title in chapters],
        "chapters file": podcast["chapters"]["url"],
        "transcripts": [(one["url"], one["type"], one["language"]) for one in podcast["transcripts"]],
        "person": person["display"],
        "role": (person["role"], person["group"]),
        "person's page": person["href"],
    }


FACTS: dict[str, Callable[[Item], Facts]] = {
    "feedparser": of_feedparser,
    "podcastparser": of_podcastparser,
    "podcast-partytime": of_partytime,
    "feedsmith": of_feedsmith,
}


@pytest.fixture(scope="session")
def javascript(published: Any, repository: Path, needed: Any) -> list[dict[str, list[Item]]]:
    """What the two libraries from npm find in the feed before and after, by their names."""
    node = needed(shutil.which("node"), "there is no node")
    for name in ("podcast-partytime", "feedsmith"):
        needed((repository / "node_modules" / name).is_dir(), f"{name} is missing from node_modules")
    feeds = [published.before / "feed.xml", published.after / "feed.xml"]
    command = [node, repository / "tests/clients/parsers.mjs", *feeds]
    found: list[dict[str, list[Item]]] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return found


@pytest.fixture(scope="session", params=[*FACTS])
def reader(request: pytest.FixtureRequest, published: Any) -> tuple[str, list[Item], list[Item]]:
    """A library by its name, and the items it finds in the feed before and after the new episode."""
    name, outputs = request.param, (published.before, published.after)
    if name == "feedparser":
        before, after = (feedparser.parse(output / "feed.xml").entries for output in outputs)
    elif name == "podcastparser":
        streams = (io.BytesIO((output / "feed.xml").read_bytes()) for output in outputs)
        before, after = (podcastparser.parse(published.feed, stream)["episodes"] for stream in streams)
    else:
        before, after = (found[name] for found in request.getfixturevalue("javascript"))
    return name, before, after


@pytest.mark.thorough(but_each=2)
def test_a_reader_finds_of_every_episode_what_the_files_say(reader: Any, published: Any) -> None:
    """Title, date, duration, enclosure, GUID, and chapters, transcript and people where the library knows them."""
    name, items, _ = reader
    found = [FACTS[name](item) for item in items]
    assert len(found) == 8
    assert found == [{key: one[key] for key in found[0]} for one in published.said[1:]]


@pytest.mark.thorough(but_each=2)
def test_a_reader_sees_a_new_episode_as_one_new_item(reader: Any, published: Any) -> None:
    """The item is complete, its GUID is the only new one, and nothing a reader finds in the others has changed."""
    name, before, after = reader
    new, *others = after
    assert others == before
    found = FACTS[name](new)
    assert found == {key: published.said[0][key] for key in found}
    assert found["guid"] not in {FACTS[name](item)["guid"] for item in before}


def test_what_the_readers_are_pointed_at_is_there(published: Any) -> None:
    """The addresses of recordings, chapters and transcripts are those of files in the output."""
    for one in published.said:
        for address in (one["enclosure"], one["chapters file"], *(url for url, _, _ in one["transcripts"])):
            assert (published.after / address.removeprefix(published.home)).is_file()
