"""The JSON Feed: what version 1.1 asks for, the same identities as in RSS, and podcast facts under `_podcast`."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from lxml import etree

from podsite.cache import Cache
from podsite.feeds.rss import rss
from podsite.parts import Alternate, Chapter, Credit, Cue, Enclosure, FeedSettings, Person, Season, Transcript
from podsite.site import link

_spec = importlib.util.spec_from_file_location("json_factory", Path(__file__).parent / "feeds" / "factory.py")
assert _spec and _spec.loader
factory = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(factory)
episode, show = factory.episode, factory.show

BASE = "https://example.org/water/"


def read(made: Any) -> Any:
    """The JSON Feed written beside a feed."""
    [content] = [one.content for one in made.others if one.path == "feed.json"]
    return json.loads(content)


def test_the_head_says_what_the_show_is() -> None:
    """Every key of JSON Feed 1.1 that a show has a fact for."""
    made = read(factory.feed(episode(), of=show(feed=FeedSettings(hub="https://hub.example/"), complete=True)))
    made.pop("items")
    assert made == {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Deep Water",
        "home_page_url": BASE,
        "feed_url": BASE + "feed.json",
        "description": "Talks about the sea.",
        "icon": BASE + "artwork.png",
        "authors": [{"name": "Ada Reef", "url": BASE}],
        "language": "en-GB",
        "expired": True,
        "hubs": [{"type": "WebSub", "url": "https://hub.example/"}],
        "_podcast": {
            "about": "https://podcastindex.org/namespace/1.0",
            "guid": factory.GUID,
            "rss_url": BASE + "feed.xml",
            "order": "episodic",
            "explicit": False,
            "medium": "podcast",
            "categories": [["Science", "Natural Sciences"], ["Technology"]],
        },
    }


def test_an_item_says_all_that_apps_and_readers_need() -> None:
    """Content and attachments by the standard, season, chapters and transcript under `_podcast`."""
    made = factory.feed(
        episode(
            1,
            title="R&B <live>",
            number=0,
            season=2,
            people=(Credit(person="bo"),),
            topics=("Tides",),
            link="https://old.example/1",
            chapters=(Chapter(start=0.0, title="A"),),
            transcript=Transcript(file="episodes/episode-1.vtt", cues=(Cue(start=0.0, end=1.0, text="Hi"),)),
        ),
        of=show(
            people={"bo": Person(name="Bo Ray", role="Guest", image="static/bo.jpg")},
            seasons={2: Season(name="The deep")},
        ),
        notes={"episode-1": "<p>Notes</p>"},
    )
    [item] = read(made)["items"]
    here = BASE + "episodes/episode-1/"
    assert "<p>Notes</p>" in item.pop("content_html")
    assert item == {
        "id": etree.fromstring(made.xml).findtext("channel/item/guid"),
        "url": here,
        "external_url": "https://old.example/1",
        "title": "R&B <live>",
        "summary": "What happened on day 1.",
        "image": BASE + "artwork.png",
        "date_published": "2024-01-01T08:30:00Z",
        "authors": [{"name": "Bo Ray", "url": BASE + "people/bo/", "avatar": BASE + "bo.jpg"}],
        "tags": ["Tides"],
        "attachments": [
            {
                "url": here + "episode-1.mp3",
                "mime_type": "audio/mpeg",
                "size_in_bytes": 1234567,
                "duration_in_seconds": 754,
            }
        ],
        "_podcast": {
            "number": 0,
            "season": 2,
            "season_name": "The deep",
            "kind": "full",
            "explicit": False,
            "chapters": here + "chapters.json",
            "transcripts": [
                {"url": here + "transcript.vtt", "mime_type": "text/vtt"},
                {"url": here + "transcript.srt", "mime_type": "application/x-subrip"},
                {"url": here + "transcript.json", "mime_type": "application/json"},
            ],
        },
    }
    assert datetime.fromisoformat(item["date_published"]).utcoffset() is not None


def test_other_formats_are_attachments_of_the_same_title() -> None:
    """By the specification, those of one title are one recording in several formats."""
    audio = Enclosure(
        file="episodes/episode-1.mp3", alternates=(Alternate(url="https://cdn.example/1.opus", length=77_000),)
    )
    [item] = read(factory.feed(episode(1, audio=audio)))["items"]
    assert [one["title"] for one in item["attachments"]] == ["Episode 1", "Episode 1"]
    assert [one["mime_type"] for one in item["attachments"]] == ["audio/mpeg", "audio/ogg"]


def test_it_holds_the_items_of_the_rss_feed_in_their_order() -> None:
    """Newest first, the limit kept, episodes without a recording left out."""
    made = factory.feed(
        *map(episode, range(1, 6)), episode(6, audio=None), of=show(feed=FeedSettings(limit=2, path="rss.xml"))
    )
    assert [one["title"] for one in read(made)["items"]] == ["Episode 5", "Episode 4"]


def test_a_file_of_ones_own_at_its_place_stays() -> None:
    """static/feed.json, from before, is not written over."""
    content = factory.content(episode())
    content = replace(content, static=("static/artwork.png", "static/feed.json"))
    made = rss(link(content, factory.NOW)[0], {}, content=content, description_html="<p>x</p>", cache=Cache(None))
    assert [one.path for one in made.others] == ["podcast.opml"]
