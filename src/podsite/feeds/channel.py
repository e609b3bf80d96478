"""The channel's tags that feedgen does not write: one small function a tag, in the order of `CHANNEL`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from podsite.feeds import live, shared
from podsite.feeds.tags import Scalar, Source, Tags, moment, tag, truth
from podsite.media import AudioFacts, type_by_name


def _links(source: Source) -> Tags:
    """The hub that tells of changes, and the neighbours of a feed in pages (RFC 5005)."""
    if source.site.show.feed.hub:
        yield tag("atom:link", None, {"href": source.site.show.feed.hub, "rel": "hub"})
    for relation, path in source.edition.links:
        facts = {"href": source.page(path), "rel": relation, "type": "application/rss+xml"}
        yield tag("atom:link", None, facts)


def _title(source: Source) -> Tags:
    if source.site.show.apple_title and source.edition.guid == source.site.guid:
        yield tag("itunes:title", source.site.show.apple_title)


def _block(source: Source) -> Tags:
    """Apple knows only its own tag, and takes nothing but Yes."""
    blocked = [one.service for one in source.site.show.block if not one.allowed]
    spared = [one.service for one in source.site.show.block if one.allowed]
    apple = {"apple", "itunes"}
    if apple & set(blocked) or ("all" in blocked and not apple & set(spared)):
        yield tag("itunes:block", "Yes")
    for one in source.site.show.block:
        name = None if one.service == "all" else one.service
        yield tag("podcast:block", "no" if one.allowed else "yes", {"id": name})


def _podping(source: Source) -> Tags:
    if source.site.show.podping is not None:
        yield tag("podcast:podping", None, {"usesPodping": source.site.show.podping})


def _spotify(source: Source) -> Tags:
    spotify = source.site.show.spotify
    if spotify and spotify.newest:
        yield tag("spotify:limit", None, {"recentCount": spotify.newest})
    if spotify and spotify.countries:
        yield tag("spotify:countryOfOrigin", " ".join(one.lower() for one in spotify.countries))


def _explicit(source: Source) -> Tags:
    yield tag("itunes:explicit", truth(source.site.show.explicit))


def _image(source: Source) -> Tags:
    # feedgen drops .jpeg, .JPG and addresses with a query without a word
    yield tag("itunes:image", None, {"href": source.page(source.site.artwork.address)})


def _guid(source: Source) -> Tags:
    yield tag("podcast:guid", source.edition.guid)


def _locked(source: Source) -> Tags:
    owner = source.site.show.owner
    yield tag("podcast:locked", "yes" if source.site.show.locked else "no", {"owner": owner.email if owner else None})


def _medium(source: Source) -> Tags:
    yield tag("podcast:medium", source.site.show.medium)


def _people(source: Source) -> Tags:
    """Those of the show itself. Apps take them for every item without people of its own, so guests stay out."""
    known = {one.id: one for one in source.site.people}
    for name, person in source.site.show.people.items():
        seen = known.get(name)
        if "guest" not in person.role.casefold() and (seen is None or person.role in seen.roles):
            image = source.url(person.image) if person.image else None
            page = source.page(seen.address) if seen else None
            yield shared.person(person.name, person.role, person.group, image, shared.home(person.url, page))


def _trailer(source: Source) -> Tags:
    trailer = source.site.show.trailer
    if trailer:
        known = source.content.facts.get(trailer.url)
        facts: dict[str, Scalar] = {
            "url": source.url(trailer.url),
            "pubdate": trailer.published,
            "length": known.length if isinstance(known, AudioFacts) else trailer.length,
            "type": trailer.type or type_by_name(trailer.url),
            "season": trailer.season,
        }
        yield tag("podcast:trailer", trailer.title, facts)


def _update_frequency(source: Source) -> Tags:
    often = source.site.show.update_frequency
    if often:
        facts = {
            "complete": source.site.show.complete or None,
            "dtstart": moment(often.start),
            "rrule": often.rrule,
        }
        yield tag("podcast:updateFrequency", often.text, facts)


def _complete(source: Source) -> Tags:
    if source.site.show.complete:
        yield tag("itunes:complete", "Yes")  # any other word has no effect at Apple


def _podroll(source: Source) -> Tags:
    if source.site.show.podroll:
        yield tag("podcast:podroll", None, None, *map(shared.remote_item, source.site.show.podroll))


def _publisher(source: Source) -> Tags:
    if source.site.show.publisher:
        feed = replace(source.site.show.publisher, medium="publisher")
        yield tag("podcast:publisher", None, None, shared.remote_item(feed))


CHANNEL: tuple[Callable[[Source], Tags], ...] = (
    _links,
    _title,
    _explicit,
    _image,
    _block,
    _complete,
    _guid,
    _locked,
    _medium,
    lambda source: shared.funding(source.site.show.funding),
    _people,
    lambda source: shared.pictures(source, source.site.show.images),
    lambda source: shared.chat(source.site.show.chat),
    lambda source: shared.licences(source.site.show.license),
    lambda source: shared.locations(source.site.show.location),
    lambda source: shared.texts(source.site.show.txt),
    _trailer,
    _update_frequency,
    _podping,
    _podroll,
    _publisher,
    lambda source: shared.values(source.site.show.value),
    _spotify,
    lambda source: map(shared.remote_item, source.site.show.remote_items),
    live.items,
)


def tags(source: Source) -> Tags:
    """Every tag of the channel that is ours to write."""
    for make in CHANNEL:
        yield from make(source)
