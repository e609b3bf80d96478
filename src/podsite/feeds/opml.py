"""The show and those it recommends as OPML 2.0, the list of subscriptions that every podcast app can import.

http://opml.org/spec2.opml
"""

from __future__ import annotations

from email.utils import format_datetime
from xml.etree import ElementTree as ET

from podsite import urls
from podsite.feeds.tags import Source

PATH = "podcast.opml"
MEDIA_TYPE = "text/x-opml"


def opml(source: Source, description: str) -> bytes:
    """The show's feed, and a group with the shows of its podroll that have an address; `description` is plain text."""
    show = source.site.show
    root = ET.Element("opml", version="2.0")
    head, body = ET.SubElement(root, "head"), ET.SubElement(root, "body")
    ET.SubElement(head, "title").text = show.title
    if source.site.updated:
        ET.SubElement(head, "dateModified").text = format_datetime(source.site.updated)
    if show.owner:
        ET.SubElement(head, "ownerName").text = show.owner.name
        ET.SubElement(head, "ownerEmail").text = show.owner.email
    about = {"description": description, "language": show.language, "version": "RSS2"}
    _subscription(body, show.title, source.page(show.feed.path), htmlUrl=source.page(urls.HOME), **about)
    recommended = [one for one in show.podroll if one.feed_url]
    if recommended:
        group = ET.SubElement(body, "outline", text=f"Recommended by {show.title}")
        for one in recommended:
            _subscription(group, one.title or one.feed_url or "", one.feed_url or "")
    ET.indent(root, " ")
    text: str = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _subscription(parent: ET.Element, title: str, address: str, **more: str) -> None:
    ET.SubElement(parent, "outline", {"type": "rss", "text": title, "title": title, "xmlUrl": address, **more})
