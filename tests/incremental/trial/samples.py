"""Valid values for every key of show.yaml and of an episode's file, made of the model's own shapes.

A new key is filled in and changed without a word here, unless its type is new or it names something of the site.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from podsite import scalars, shapes
from podsite.model import Episode, Show
from podsite.scalars import Scalar

Path = tuple[str | int, ...]  # keys and positions that lead to a value
SLUGS = ("tides", "owls", "moon", "dew")
PEOPLE = ("ada", "bo")


def _scalar(name: str) -> Scalar:
    found: Scalar = get_args(getattr(scalars, name))[1]
    return found


#: Values of each scalar type, each different from its neighbours, and shown differently.
SCALARS: Mapping[Scalar, tuple[Any, ...]] = {
    _scalar(name): values
    for name, values in {
        "Line": ("One & only", "Two <b>lines</b>", "Drei – «drei»"),
        "Label": ("S1E1", "Special", "x-7"),
        "Caption": ("A caption", "Another one", "The third"),
        "Proof": ("prove-1", "prove-2", "prove-3"),
        "Topic": ("Tides", "Owls & mice", "Night walks"),
        "Text": ("Some words, and more.", "Other *words*.", "Words\nin lines."),
        "Markdown": ("Some **Markdown**.", "Other _Markdown_: [home](/).", "# Head\n\n- one\n- two"),
        "Truth": (True, False),
        "Explicit": (True, False),
        "Needed": (True, False),
        "Whole": (1, 2, 3),
        "Count": (3, 2, 4),
        "Positive": (1, 2, 3),
        "Percent": (90, 10, 50),
        "Number": (1, 2, 3),
        "Decimal": (64.5, 128, 32),
        "Size": (123_456, 654_321, 222_222),
        "Seconds": (0.5, 7, 31.25),
        "Duration": (754, 3600, 59),
        "Moment": ("2025-12-31 23:30 Z", "2024-12-24", "2025-06-07 08:09:10 Z"),
        "TimeOfDay": ("06:00", "18:30", "12:00"),
        "Zone": ("Europe/Berlin", "America/New_York", "UTC"),
        "Language": ("de", "en", "ar"),
        "Slug": SLUGS,
        "Url": ("https://one.example/a", "https://two.example/b?c=d", "https://three.example/"),
        "Uri": ("https://one.example/a.mp3", "ipfs://Qm123", "https://three.example/c.mp3"),
        "BaseUrl": ("https://example.org/quiet/", "https://quiet.example/", "https://example.org/loud/"),
        "FileOrUrl": ("static/one.png", "static/two.png", "static/three.png"),
        "FilePath": ("static/one.mp3", "static/two.mp3"),
        "LinkTarget": ("/about/", "https://one.example/me", "/people/"),
        "AddressPath": ("old/one/", "old/two/", "older/three.html"),
        "MediaType": ("audio/mpeg", "audio/mp4", "audio/ogg"),
        "Email": ("me@example.org", "you@example.org", "us@example.org"),
        "Guid": ("guid-one", "guid-two", "guid-three"),
        "Uuid": ("917393e3-1b1e-5cef-ace4-edaa54e1f810", "ead4c236-bf58-58c6-a2c6-a6b28d128cb6"),
        "Colour": ("#b4451f", "#123456", "#00aa88"),
        "Category": ("Technology", "Society & Culture > Documentary", "Fiction"),
        "Role": ("Host", "Guest", "Editor"),
        "Group": ("Cast", "Writing", "Audio Production"),
        "Country": ("DE", "FR", "NZ"),
        "Geo": ("geo:52.52,13.40", "geo:1,2"),
        "Osm": ("R62422", "N123"),
        "AspectRatio": ("16/9", "1/1"),
        "Service": ("amazon", "spotify"),
        "Host": ("podcast.example.org", "other.example.org"),
        "Year": (2021, 1999, 2024),
    }.items()
}
#: Values of keys that name something of the site, or that rules of the model bind: by the end of their path.
KEYS: Mapping[str, tuple[Any, ...]] = {
    "Show.artwork": ("https://pictures.example/one.jpg", "https://pictures.example/two.jpg"),
    "Episode.image": ("https://pictures.example/three.jpg", "https://pictures.example/four.jpg"),
    "Show.explicit": (False, True),  # so that an episode that says nothing differs from one that says true
    "Episode.slug": ("subject", "other"),
    "Episode.draft": (False, True),
    "Credit.person": PEOPLE,
    "Quote.person": PEOPLE,
    "Path.id": ("start", "deep", "long"),
    "Live.id": ("stream", "second"),
    "Live.end": ("2026-05-06 07:08 Z", "2026-05-06 09:00 Z"),
    "Episode.aliases": ("old/one/", "old/two.html"),
    "FeedSettings.aliases": ("old/feed.xml", "older.xml"),
    "Alternate.type": ("audio/ogg",),
    "Enclosure.type": ("audio/mpeg",),
    "Trailer.type": ("audio/mpeg",),
    "Enclosure.length": (12_345_678, 11_111_111),
    "Enclosure.url": ("https://audio.example/one.mp3", "https://audio.example/two.mp3"),
    "Alternate.url": ("https://audio.example/one.opus", "https://audio.example/two.opus"),
    "Trailer.url": ("static/one.mp3", "https://audio.example/trailer.mp3"),
    "Transcript.file": ("static/one.vtt", "static/two.vtt"),
    "Transcript.speakers.key": ("Ada", "Bo"),
    "Transcript.speakers.value": PEOPLE,
    "Integrity.value": ("sha384-abc", "sha512-def"),
    "License.name": ("CC-BY-4.0", "CC-BY-NC-4.0"),
    "Txt.purpose": ("verify", "release"),
    "UpdateFrequency.rrule": ("FREQ=WEEKLY;BYDAY=MO", "FREQ=DAILY"),
    "Social.uri": ("https://social.example/1", "https://social.example/2"),
    "Show.medium": ("mixed", "podcastL"),
    "publisher.RemoteItem.medium": ("publisher",),
    "FeedSettings.path": ("feed.xml", "rss/podcast.xml"),
    "topics.Pick.name": ("Tides", "Night walks"),
    "seasons.Pick.name": ("1", "2"),
    "paths.Pick.name": ("start", "deep"),
    "alternates.Pick.name": ("opus", "ogg"),
    "Show.seasons.key": ("1", "2"),
    "Show.words.key": ("Subscribe", "Chapters"),
    "Show.topics.key": ("Tides", "Owls & mice"),
    "Show.translations.key": ("fr", "ja", "it"),
    "Episode.translations.key": ("fr", "ja", "it"),
    "Show.people.key": PEOPLE,
    "Show.listen.key": ("apple", "Radio"),
    "Show.listen.value": ("https://podcasts.apple.com/us/podcast/id1234567890", "https://radio.example/"),
    "Illustration.type": ("image/png", "image/webp"),
}
FREE = ({"mood": "calm", "list": [1, {"deep": True}]}, {"mood": "wild", "list": [2]})
#: Keys that another takes the place of, and that therefore stand in no value that is made here.
LEFT_OUT = frozenset({"Enclosure.file", "Alternate.file", "TimeSplit.recipients"})


def values(shape: shapes.Shape, path: str) -> tuple[Any, ...]:
    """Values of a shape, each valid; `path` leads there: `Episode.further_reading.Reading.url`."""
    found = next((KEYS[end] for end in _ends(path) if end in KEYS), None)
    if found and not isinstance(shape, shapes.Listing | shapes.Table):
        return found
    made: tuple[Any, ...] = FREE
    match shape:
        case Scalar():
            made = SCALARS[shape]
        case shapes.Choice():
            made = shape.options
        case shapes.Listing():
            one = values(shape.item, path)
            made = ([one[0], one[-1]], [one[-1]])
        case shapes.Table():
            keys, items = values(shape.key, f"{path}.key"), values(shape.item, f"{path}.value")
            made = tuple({str(key): items[(n + at) % len(items)] for n, key in enumerate(keys[:2])} for at in range(2))
        case shapes.Record():
            made = tuple(_filled(shape, path, n) for n in range(2))
    return made


def _ends(path: str) -> Iterator[str]:
    """The ends of a path, the longest first."""
    parts = path.split(".")
    yield from (".".join(parts[n:]) for n in range(len(parts) - 1))


def _filled(record: shapes.Record, path: str, n: int) -> dict[str, Any]:
    made = {}
    for key in record.keys.values():
        name = f"{record.kind.__name__}.{key.name}"
        if name not in LEFT_OUT:
            found = values(key.shape, below(path, record, key.name))
            made[key.name] = found[n % len(found)]
    return made


def below(path: str, record: shapes.Record, key: str) -> str:
    """The path of a key of a record at `path`."""
    return f"{path}.{key}" if path == record.kind.__name__ else f"{path}.{record.kind.__name__}.{key}"


def filled(kind: type[Show | Episode], n: int = 0) -> dict[str, Any]:
    """Show or Episode with every key set."""
    return _filled(shapes.record(kind), kind.__name__, n)
