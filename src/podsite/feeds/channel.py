"""The channel's tags that feedgen does not write: one small function a tag, in the order of `CHANNEL`."""

from __future__ import annotations

from collections.abc import Callable

from podsite.feeds import shared
from podsite.feeds.tags import Scalar, Source, Tags, tag, truth
from podsite.media import AudioFacts, type_by_name


def _explicit(source: Source) -> Tags:
    yield tag("itunes:explicit", truth(source.site.show.explicit))


def _image(source: Source) -> Tags:
    # feedgen drops .jpeg, .JPG and addresses with a query without a word
    yield tag("itunes:image", None, {"href": source.page(source.site.artwork.address)})


def _guid(source: Source) -> Tags:
    yield tag("podcast:guid", source.site.guid)


def _locked(source: Source) -> Tags:
    owner = source.site.show.owner
    yield tag("podcast:locked", "yes" if source.site.show.locked else "no", {"owner": owner.email if owner else None})


def _medium(source: Source) -> Tags:
    yield tag("podcast:medium", source.site.show.medium)


def _funding(source: Source) -> Tags:
    for way in source.site.show.funding:
        yield tag("podcast:funding", way.text, {"url": way.url})


def _people(source: Source) -> Tags:
    """Those of the show itself. Apps take them for every item without people of its own, so guests stay out."""
    known = {one.id: one for one in source.site.people}
    for name, person in source.site.show.people.items():
        seen = known.get(name)
        if "guest" not in person.role.casefold() and (seen is None or person.role in seen.roles):
            image = source.url(person.image) if person.image else None
            page = source.page(seen.address) if seen else None
            yield shared.person(person.name, person.role, person.group, image, person.url or page)


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
        start = often.start.isoformat().replace("+00:00", "Z") if often.start else None
        facts = {"complete": often.complete or None, "dtstart": start, "rrule": often.rrule}
        yield tag("podcast:updateFrequency", often.text, facts)


def _complete(source: Source) -> Tags:
    often = source.site.show.update_frequency
    if often and often.complete:
        yield tag("itunes:complete", "Yes")  # any other word has no effect at Apple


def _podroll(source: Source) -> Tags:
    if source.site.show.podroll:
        yield tag("podcast:podroll", None, None, *map(shared.remote_item, source.site.show.podroll))


def _publisher(source: Source) -> Tags:
    if source.site.show.publisher:
        yield tag("podcast:publisher", None, None, shared.remote_item(source.site.show.publisher))


CHANNEL: tuple[Callable[[Source], Tags], ...] = (
    _explicit,
    _image,
    _complete,
    _guid,
    _locked,
    _medium,
    _funding,
    _people,
    lambda source: shared.licences(source.site.show.license),
    lambda source: shared.locations(source.site.show.location),
    lambda source: shared.texts(source.site.show.txt),
    _trailer,
    _update_frequency,
    _podroll,
    _publisher,
    lambda source: shared.values(source.site.show.value),
)


def tags(source: Source) -> Tags:
    """Every tag of the channel that is ours to write."""
    for make in CHANNEL:
        yield from make(source)
