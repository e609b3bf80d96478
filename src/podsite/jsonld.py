"""What search engines read: schema.org facts about the show, an episode, a person and the way to a page.

https://schema.org/PodcastSeries, https://schema.org/PodcastEpisode; every address is complete. What is spoken is named
as the file of its captions: the words themselves stand on the page, and would double it here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from podsite import tables, urls, values
from podsite.parts import Chapter, Person, Quote, Reading
from podsite.site import Appearance, Audio, Contributor, Entry, Mention, Picture, Site

Node = dict[str, Any]

_READINGS = {
    "article": "Article",
    "paper": "ScholarlyArticle",
    "book": "Book",
    "code": "SoftwareSourceCode",
    "docs": "TechArticle",
    "video": "VideoObject",
    "podcast": "PodcastEpisode",
}
# Inside <script> HTML knows no escapes, only the end of the element and comments; JSON has its own.
_UNSAFE = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def script(nodes: Iterable[Node]) -> str:
    """The nodes as one script element; nothing in them can end it. Empty without nodes."""
    graph = list(nodes)
    if not graph:
        return ""
    text = json.dumps({"@context": "https://schema.org", "@graph": graph}, ensure_ascii=False, separators=(",", ":"))
    return f'<script type="application/ld+json">{text.translate(_UNSAFE)}</script>'


def series(site: Site, description: str) -> Node:
    """The show, with its feed and where else it can be heard."""
    show = site.show
    return _node(
        "PodcastSeries",
        **_reference(site),
        description=description,
        webFeed=urls.absolute(site.base_url, show.feed.path),
        author=_author(site),
        publisher={"@type": "Organization", "name": show.owner.name} if show.owner else None,
        image=_image(site, site.artwork),
        inLanguage=show.language,
        license=show.license.url if show.license else None,
        copyrightNotice=show.copyright,
        genre=[sub or name for name, sub in show.categories],
        isAccessibleForFree=True,
        sameAs=[*_elsewhere(show.listen), *(one.url for one in show.theme.social if values.is_url(one.url))],
        workTranslation=_translations("PodcastSeries", show.translations),
    )


def website(site: Site) -> Node:
    """The site as such, which gives search engines its name."""
    url = urls.absolute(site.base_url, urls.HOME)
    search = _node(
        "SearchAction",
        target=_node("EntryPoint", urlTemplate=urls.absolute(site.base_url, urls.SEARCH) + "?q={search_term_string}"),
        **{"query-input": "required name=search_term_string"},
    )
    return _node(
        "WebSite",
        id=f"{url}#site",
        name=site.show.title,
        url=url,
        inLanguage=site.show.language,
        potentialAction=search if site.show.search else None,
    )


def episode(site: Site, entry: Entry) -> Node:
    """An episode with its audio, people, season and further reading."""
    one = entry.episode
    duration = entry.audio.duration if entry.audio else None
    url = urls.absolute(site.base_url, entry.address)
    return _node(
        "PodcastEpisode",
        id=f"{url}#episode",
        name=one.title,
        url=url,
        description=one.summary,
        datePublished=one.published.isoformat(),
        episodeNumber=one.number,
        timeRequired=values.iso_duration(duration) if duration else None,
        associatedMedia=_media(site, entry, entry.audio) if entry.audio else None,
        partOfSeries=_node("PodcastSeries", **_reference(site)),
        partOfSeason=_season(site, one.season),
        author=_author(site),
        actor=[
            _node(
                "Person",
                id=_person(site, who),
                name=who.person.name,
                url=urls.absolute(site.base_url, who.address),
                sameAs=_own_pages(who.person),
            )
            for who in {who.id: who for who in entry.people}.values()
        ],
        image=_image(site, entry.image or site.artwork),
        keywords=[topic.name for topic in entry.topics],
        inLanguage=site.show.language,
        isAccessibleForFree=True,
        accessibilityFeature=["transcript"] if one.transcript and one.transcript.has_words else None,
        license=one.license.url if one.license else None,
        citation=[_citation(reading) for reading in one.further_reading],
        hasPart=[*_clips(url, one.chapters, duration)],
        workTranslation=_translations("PodcastEpisode", one.translations),
    )


def quotation(site: Site, entry: Entry, quote: Quote) -> Node:
    """Words of an episode, and who said them."""
    url = urls.absolute(site.base_url, entry.address)
    return _node(
        "Quotation",
        text=quote.text,
        creator=_node("Person", name=site.show.people[quote.person].name) if quote.person else None,
        isPartOf=_node("PodcastEpisode", id=f"{url}#episode", name=entry.episode.title, url=url),
        inLanguage=site.show.language,
    )


def person(site: Site, one: Contributor, description: str) -> Node:
    """Somebody who takes part."""
    return _node(
        "Person",
        id=_person(site, one),
        name=one.person.name,
        url=urls.absolute(site.base_url, one.address),
        description=description,
        image=_image(site, one.image) if one.image else None,
        sameAs=_own_pages(one.person),
    )


def breadcrumbs(site: Site, way: Iterable[Mention]) -> Node:
    """The way from the home page to a page, that page included."""
    return {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {
                "@type": "ListItem",
                "position": position,
                "name": step.name,
                "item": _node("WebPage", id=urls.absolute(site.base_url, step.address)),
            }
            for position, step in enumerate(way, 1)
        ],
    }


def _node(kind: str, *, id: str | None = None, **facts: Any) -> Node:  # noqa: A002 - the word of JSON-LD
    """Facts under a type; those that are not known (None, empty) are left out, zero and false are not."""
    known = {key: value for key, value in facts.items() if value is not None and value not in ("", [])}
    return {"@type": kind, **({"@id": id} if id else {}), **known}


def _reference(site: Site) -> dict[str, str]:
    url = urls.absolute(site.base_url, urls.HOME)
    return {"id": f"{url}#podcast", "name": site.show.title, "url": url}


def _author(site: Site) -> Node:
    is_person = any(one.name == site.show.author for one in site.show.people.values())
    return {"@type": "Person" if is_person else "Organization", "name": site.show.author}


def _elsewhere(listen: Mapping[str, str]) -> list[str]:
    """The show's pages in directories; `rss` and links that open an app are no pages about it."""
    known = {key: made for key, (_, made) in tables.LISTEN.items() if key not in {"rss", "antennapod"}}
    found = (one if values.is_url(one) else known.get(key, "").format(one) for key, one in listen.items())
    return [one for one in found if one]


def _person(site: Site, one: Appearance | Contributor) -> str:
    return f"{urls.absolute(site.base_url, one.address)}#person"


def _own_pages(person: Person) -> list[str]:
    return [*([person.url] if person.url else []), *person.links]


def _translations(kind: str, pages: Mapping[str, str]) -> list[Node]:
    return [_node(kind, url=url, inLanguage=language) for language, url in sorted(pages.items())]


def _clips(page: str, chapters: tuple[Chapter, ...], duration: int | None) -> Iterator[Node]:
    """Each chapter as the stretch from its start to the next one's, or to the end where that is known."""
    ends: list[float | None] = [*(chapter.start for chapter in chapters[1:]), duration]
    for chapter, end in zip(chapters, ends, strict=False):
        start = _number(chapter.start)
        is_known = end is not None and end > start
        yield _node(
            "Clip",
            name=chapter.title,
            startOffset=start,
            endOffset=_number(end) if end is not None and is_known else None,
            url=f"{page}#t={start}",
        )


def _number(time: float) -> float:
    return int(time) if float(time).is_integer() else time


def _image(site: Site, picture: Picture) -> Node:
    """A picture; schema.org has lengths as text with their unit."""
    url = urls.absolute(site.base_url, picture.address)
    width, height = (f"{side} px" if side else None for side in (picture.width, picture.height))
    return _node("ImageObject", url=url, width=width, height=height)


def _media(site: Site, entry: Entry, audio: Audio) -> Node:
    spoken = entry.episode.transcript
    return _node(
        "VideoObject" if audio.is_video else "AudioObject",
        contentUrl=urls.absolute(site.base_url, audio.address),
        encodingFormat=audio.type,
        contentSize=f"{audio.length} B" if audio.length else None,
        duration=values.iso_duration(audio.duration) if audio.duration else None,
        caption=_node(
            "MediaObject",
            contentUrl=urls.absolute(site.base_url, entry.transcript_address),
            encodingFormat="text/vtt",
            inLanguage=(spoken and spoken.language) or site.show.language,
        )
        if entry.transcript_address
        else None,
        # its address, which is a text to schema.org; the words themselves stand on the page
        transcript=urls.absolute(site.base_url, entry.transcript_address) if entry.transcript_address else None,
    )


def _season(site: Site, number: int | None) -> Node | None:
    if number is None:
        return None
    address = urls.season(number)
    name = next(group.name for group in site.seasons if group.address == address)
    url = urls.absolute(site.base_url, address)
    return _node("PodcastSeason", name=name, seasonNumber=number, url=url)


def _citation(reading: Reading) -> Node:
    return _node(
        _READINGS.get(reading.kind or "", "CreativeWork"),
        name=reading.title,
        url=reading.url,
        author=[{"@type": "Person", "name": name} for name in reading.authors],
        datePublished=str(reading.year) if reading.year else None,
    )
