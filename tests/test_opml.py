"""The list of subscriptions: OPML 2.0 with the show and those it recommends."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from lxml import etree

from podsite.podcasting import RemoteItem

_spec = importlib.util.spec_from_file_location("opml_factory", Path(__file__).parent / "feeds" / "factory.py")
assert _spec and _spec.loader
factory = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(factory)

OTHER = "9b024349-ccf0-5f69-a609-6b82873eab3c"


def opml(**said: Any) -> Any:
    """The list of a show, read by lxml."""
    made = factory.feed(factory.episode(), of=factory.show(**said))
    [content] = [one.content for one in made.others if one.path == "podcast.opml"]
    assert content.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0">')
    return etree.fromstring(content)


def test_the_show_can_be_imported_by_its_feeds_address() -> None:
    """Attributes by the specification: text and xmlUrl needed, the others for people."""
    read = opml(title='Tom & "Jerry" <3')
    assert read.findtext("head/title") == 'Tom & "Jerry" <3'
    assert read.findtext("head/dateModified") == "Mon, 01 Jan 2024 08:30:00 +0000"
    assert [dict(one.attrib) for one in read.iterfind("body/outline")] == [
        {
            "type": "rss",
            "text": 'Tom & "Jerry" <3',
            "title": 'Tom & "Jerry" <3',
            "xmlUrl": "https://example.org/water/feed.xml",
            "htmlUrl": "https://example.org/water/",
            "description": "Talks about the sea.",
            "language": "en-GB",
            "version": "RSS2",
        }
    ]


def test_recommended_shows_that_have_an_address_are_grouped() -> None:
    """A guid alone cannot be subscribed to."""
    roll = (
        RemoteItem(feed_guid=OTHER),
        RemoteItem(feed_guid=OTHER, feed_url="https://x.example/f?a=1&b=2", title="X"),
        RemoteItem(feed_guid=OTHER, feed_url="https://y.example/f"),
    )
    group = opml(podroll=roll).findall("body/outline")[1]
    assert group.get("text") == "Recommended by Deep Water"
    assert [(one.get("text"), one.get("xmlUrl")) for one in group] == [
        ("X", "https://x.example/f?a=1&b=2"),
        ("https://y.example/f", "https://y.example/f"),
    ]
