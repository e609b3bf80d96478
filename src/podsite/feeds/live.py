"""podcast:liveItem: streams that apps announce and play, with the children that items have.

https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/tags/live-item.md
"""

from __future__ import annotations

import html
import uuid

from podsite.feeds import shared
from podsite.feeds.tags import Source, Tag, Tags, moment, tag
from podsite.media import type_by_name
from podsite.parts import Enclosure
from podsite.podcasting import Live


def items(source: Source) -> Tags:
    """Every stream of the show, in its own feed alone: archive pages must not change with them."""
    if source.edition.is_main:
        for stream in source.site.show.live:
            yield _item(source, stream)


def _item(source: Source, stream: Live) -> Tag:
    facts = {"status": stream.status, "start": moment(stream.start), "end": moment(stream.end)}
    return tag("podcast:liveItem", None, facts, *_children(source, stream))


def _children(source: Source, stream: Live) -> Tags:
    yield tag("title", stream.title)
    if stream.summary:
        yield tag("description", html.escape(stream.summary, quote=False))
    yield tag("guid", str(uuid.uuid5(uuid.UUID(source.site.guid), f"live/{stream.id}")), {"isPermaLink": False})
    if stream.audio:
        yield _enclosure(stream.audio)
    yield from shared.pictures(source, stream.images)
    yield from shared.chat(stream.chat)
    yield from shared.content_links(stream.content_links)


def _enclosure(audio: Enclosure) -> Tag:
    """The stream; it has no length, which the RSS profile writes as 0."""
    address = audio.url or ""
    kind = audio.type or type_by_name(address) or "audio/mpeg"
    return tag("enclosure", None, {"url": address, "length": audio.length or 0, "type": kind})
