"""The show as a JSON Feed 1.1, for readers and scripts that would rather not parse XML.

https://www.jsonfeed.org/version/1.1/ — what it has no words for stands under `_podcast`, as the specification allows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from podsite import urls
from podsite.feeds import JSON_FEED, editions
from podsite.feeds import item as item_tags
from podsite.feeds.media import alternate_audio, enclosure_url
from podsite.feeds.tags import Source, moment
from podsite.site import Audio, Entry

_Facts = dict[str, Any]
_NO_ITEMS = "[]\n}\n"


def json_feed(source: Source, items: Iterable[bytes], description: str) -> Iterator[bytes]:
    """The feed, piece by piece, around the items of the main feed as `item` makes them; `description` is plain text."""
    show, site = source.site.show, source.site
    feed = _facts(
        version="https://jsonfeed.org/version/1.1",
        title=show.title,
        home_page_url=source.page(urls.HOME),
        feed_url=source.page(JSON_FEED),
        description=description,
        icon=source.page(site.artwork.address),
        authors=[{"name": show.author, "url": source.page(urls.HOME)}],
        language=show.language,
        expired=show.complete or None,
        hubs=[{"type": "WebSub", "url": show.feed.hub}] if show.feed.hub else None,
        _podcast=_facts(
            about="https://podcastindex.org/namespace/1.0",
            guid=site.guid,
            rss_url=source.page(show.feed.path),
            order=show.order,
            explicit=show.explicit,
            medium=show.medium,
            categories=[list(filter(None, names)) for names in dict.fromkeys(show.categories)],
            copyright=show.copyright,
        ),
    )
    # last, as in RSS: what is said of the show comes first
    text = json.dumps(feed | {"items": []}, ensure_ascii=False, indent=1) + "\n"
    between = b"[\n  "
    yield text.removesuffix(_NO_ITEMS).encode()
    for one in items:
        yield between + one
        between = b",\n  "
    yield b"\n ]\n}\n" if between.startswith(b",") else _NO_ITEMS.encode()


def item(source: Source, entry: Entry, content: str) -> bytes:
    """An item, on a line of its own; `content` is all there is to read about it, as HTML."""
    return json.dumps(_item(source, entry, content), ensure_ascii=False).encode()


def _item(source: Source, entry: Entry, content: str) -> _Facts:
    episode, site = entry.episode, source.site
    return _facts(
        id=entry.guid,
        url=source.page(entry.address),
        external_url=episode.link,
        title=episode.title,
        content_html=content,
        summary=episode.summary,
        image=source.page((entry.image or site.artwork).address),
        date_published=moment(entry.feed_date),
        authors=[
            _facts(
                name=who.person.name,
                url=who.person.url or source.page(who.address),
                avatar=source.page(who.image.address) if who.image else None,
            )
            for who in entry.people
        ],
        tags=[topic.name for topic in entry.topics],
        attachments=list(_attachments(source, entry)),
        _podcast=_facts(
            number=episode.number,
            season=episode.season,
            season_name=site.show.season_name(episode.season),
            kind=episode.kind,
            explicit=site.show.explicit if episode.explicit is None else episode.explicit,
            chapters=source.page(entry.chapters_address) if entry.chapters_address else None,
            transcripts=[*_transcripts(source, entry)],
        ),
    )


def _transcripts(source: Source, entry: Entry) -> Iterator[_Facts]:
    """The files of the transcript, as the RSS feed names them."""
    for one in item_tags.transcripts(source, entry):
        yield _facts(url=one.attributes.get("url"), mime_type=one.attributes.get("type"))


def _attachments(source: Source, entry: Entry) -> Iterator[_Facts]:
    """The enclosure and the other formats: attachments of one title are the same in other clothes."""
    others = editions.alternates(entry)
    title = entry.episode.title if others else None
    if entry.audio:
        yield _attachment(source, entry.audio, title)
    for other in others:
        yield _attachment(source, alternate_audio(source, entry, other), title)


def _attachment(source: Source, audio: Audio, title: str | None) -> _Facts:
    return _facts(
        url=enclosure_url(source, audio),
        mime_type=audio.type,
        title=title,
        size_in_bytes=audio.length or None,
        duration_in_seconds=audio.duration,
    )


def _facts(**known: Any) -> _Facts:
    """What is known, in the order given."""
    return {name: value for name, value in known.items() if value not in (None, [], {}, "")}
