"""An item's tags that feedgen does not write: one small function a tag, in the order of `ITEM`."""

from __future__ import annotations

from collections.abc import Callable

from podsite.chapters import MEDIA_TYPE
from podsite.feeds import shared
from podsite.feeds.media import alternate_length, alternate_type
from podsite.feeds.tags import Source, Tag, Tags, tag, truth
from podsite.parts import Alternate
from podsite.quotes import soundbites
from podsite.site import Entry
from podsite.transcripts import FORMS, clock

#: Media types of transcripts without times, which are published as they are.
AS_THEY_ARE = {"html": "text/html", "htm": "text/html", "txt": "text/plain"}


def _title(_: Source, entry: Entry) -> Tags:
    if entry.episode.apple_title:
        yield tag("itunes:title", entry.episode.apple_title)


def _block(_: Source, entry: Entry) -> Tags:
    if entry.episode.block:
        yield tag("itunes:block", "Yes")  # any other word has no effect at Apple


def _explicit(source: Source, entry: Entry) -> Tags:
    own = entry.episode.explicit
    yield tag("itunes:explicit", truth(source.site.show.explicit if own is None else own))


def _image(source: Source, entry: Entry) -> Tags:
    # PSP-1 recommends one for each item; where an episode has none, the cover is what apps show anyway
    yield tag("itunes:image", None, {"href": source.page((entry.image or source.site.artwork).address)})


def _people(source: Source, entry: Entry) -> Tags:
    for who in entry.people:
        image = source.page(who.image.address) if who.image else None
        home = shared.home(who.person.url, source.page(who.address))
        yield shared.person(who.person.name, who.role, who.group, image, home)


def _season(source: Source, entry: Entry) -> Tags:
    number = entry.episode.season
    if number is not None:
        yield tag("podcast:season", str(number), {"name": source.site.show.season_name(number)})


def _episode(_: Source, entry: Entry) -> Tags:
    """Unlike itunes:episode it may be 0 and have a label."""
    if entry.episode.number is not None:
        yield tag("podcast:episode", str(entry.episode.number), {"display": entry.episode.display_number})


def transcripts(source: Source, entry: Entry) -> Tags:
    """The files we write of its cues, best first; the companion as it is where it has no times."""
    transcript = entry.episode.transcript
    if transcript is None:
        return
    language = transcript.language or source.site.show.language
    if transcript.cues:
        for ending, kind in FORMS.items():
            # what we write as SRT is cut to fit a screen; the rest are captions if they were made so
            is_captions = ending == ".srt" or (transcript.captions and ending == ".vtt")
            facts = {
                "url": source.page(f"{entry.address}transcript{ending}"),
                "type": kind,
                "language": language,
                "rel": "captions" if is_captions else None,
            }
            yield tag("podcast:transcript", None, facts)
        return
    known = AS_THEY_ARE.get(transcript.file.rpartition(".")[2].lower())
    if known:
        url = source.url(transcript.file, entry.episode)
        yield tag("podcast:transcript", None, {"url": url, "type": known, "language": language})


def _chapters(source: Source, entry: Entry) -> Tags:
    if entry.chapters_address:
        facts = {"url": source.page(entry.chapters_address), "type": MEDIA_TYPE}
        yield tag("podcast:chapters", None, facts)


def _simple_chapters(source: Source, entry: Entry) -> Tags:
    """psc:chapters, which Spotify reads; they count only inside the item."""
    if entry.episode.chapters:
        each = (
            tag(
                "psc:chapter",
                None,
                {
                    "start": clock(chapter.start),
                    "title": chapter.title,
                    "href": chapter.url,
                    "image": source.url(chapter.image, entry.episode) if chapter.image else None,
                },
            )
            for chapter in entry.episode.chapters
        )
        yield tag("psc:chapters", None, {"version": "1.2"}, *each)


def _soundbites(_: Source, entry: Entry) -> Tags:
    for bite in soundbites(entry.episode):
        yield tag("podcast:soundbite", bite.title, {"startTime": bite.start, "duration": bite.duration})


def _alternates(source: Source, entry: Entry) -> Tags:
    for other in entry.episode.audio.alternates if entry.episode.audio else ():
        yield _alternate(source, entry, other)


def _alternate(source: Source, entry: Entry, other: Alternate) -> Tag:
    facts = {
        "type": alternate_type(other),
        "length": alternate_length(source, other),
        "bitrate": other.bitrate,
        "height": other.height,
        "lang": other.language,
        "title": other.title,
        "rel": other.rel,
        "codecs": other.codecs,
        "default": other.default or None,
    }
    first = tag("podcast:source", None, {"uri": source.url(other.file or other.url or "", entry.episode)})
    more = (tag("podcast:source", None, {"uri": one.uri, "contentType": one.type}) for one in other.sources)
    proof = other.integrity
    proofs = [tag("podcast:integrity", None, {"type": proof.type, "value": proof.value})] if proof else []
    return tag("podcast:alternateEnclosure", None, facts, first, *more, *proofs)


def _social(_: Source, entry: Entry) -> Tags:
    for social in entry.episode.social:
        facts = {
            "protocol": social.protocol,
            "uri": social.uri,
            "accountId": social.account_id,
            "accountUrl": social.account_url,
            "priority": social.priority,
        }
        yield tag("podcast:socialInteract", None, facts)


ITEM: tuple[Callable[[Source, Entry], Tags], ...] = (
    _title,
    _explicit,
    _image,
    _block,
    _season,
    _episode,
    _people,
    transcripts,
    _chapters,
    _simple_chapters,
    _soundbites,
    _alternates,
    _social,
    lambda source, entry: shared.pictures(source, entry.episode.images, entry.episode),
    lambda _, entry: shared.chat(entry.episode.chat),
    lambda _, entry: shared.content_links(entry.episode.content_links),
    lambda _, entry: shared.funding(entry.episode.funding),
    lambda _, entry: shared.licences(entry.episode.license),
    lambda _, entry: shared.locations(entry.episode.location),
    lambda _, entry: shared.texts(entry.episode.txt),
    lambda _, entry: shared.values(entry.episode.value),
)


def tags(source: Source, entry: Entry) -> Tags:
    """Every tag of the item that is ours to write."""
    for make in ITEM:
        yield from make(source, entry)
