"""The Podcasting 2.0 namespace as a table: where each tag belongs, how often, and what its attributes are.

https://github.com/Podcastindex-org/podcast-namespace/tree/main/docs/tags at c0ff5ca (May 2026).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from podsite.records import dataclass

#: An attribute is required, recommended, optional; rules for its value stand in `podcast_values`.
Need = Literal["R", "r", "o"]


@dataclass(frozen=True, slots=True)
class Spec:
    """One tag: its parents, whether one of them has it once, its text's longest form (None: it has no text)."""

    parents: tuple[str, ...]
    attributes: Mapping[str, Need] = field(default_factory=dict)
    once: bool = False
    text: int | None = None
    may_be_silent: bool = False


def _spec(
    parents: str, attributes: str = "", *, once: bool = False, text: int | None = None, silent: bool = False
) -> Spec:
    """`url! alt? name` is: url required, alt recommended, name optional."""
    needs: dict[str, Need] = {}
    for name in attributes.split():
        needs[name.rstrip("!?")] = "R" if name.endswith("!") else "r" if name.endswith("?") else "o"
    return Spec(tuple(parents.split()), needs, once, text, silent)


_ANY = "channel item liveItem"
_ITEMS = "item liveItem"
SPECS: Mapping[str, Spec] = {
    "guid": _spec("channel", once=True, text=36),
    "locked": _spec("channel", "owner", once=True, text=3),
    "funding": _spec(_ANY, "url!", text=128, silent=True),
    "person": _spec(_ANY, "role group img href", text=128),
    "location": _spec(_ANY, "rel geo? osm country", text=128),
    "medium": _spec("channel", once=True, text=32),
    "license": _spec(_ANY, "url", once=True, text=128),
    "trailer": _spec("channel", "url! pubdate! length? type? season", text=128),
    "txt": _spec(_ANY, "purpose", text=4000),
    "block": _spec("channel", "id", text=3),
    "updateFrequency": _spec("channel", "complete dtstart rrule", once=True, text=128),
    "podping": _spec("channel", "usesPodping", once=True),
    "podroll": _spec("channel", once=True),
    "publisher": _spec("channel", once=True),
    "remoteItem": _spec("channel podroll publisher valueTimeSplit", "feedGuid! feedUrl itemGuid medium title"),
    "image": _spec(_ANY, "href! alt? aspect-ratio? width? height type purpose"),
    "images": _spec(_ANY, "srcset!"),
    "chat": _spec(_ANY, "server! protocol! accountId? space", once=True),
    "socialInteract": _spec(_ANY, "protocol! uri accountId? accountUrl priority"),
    "value": _spec(_ANY, "type! method! suggested"),
    "valueRecipient": _spec("value valueTimeSplit", "type! address! split! name? customKey customValue fee"),
    "valueTimeSplit": _spec("value", "startTime! duration! remoteStartTime remotePercentage"),
    "liveItem": _spec("channel", "status! start! end? chat"),
    "liveValue": _spec("liveItem", "uri! protocol!"),
    "contentLink": _spec(_ITEMS, "href!", text=128, silent=True),
    "season": _spec(_ITEMS, "name", once=True, text=16),
    "episode": _spec(_ITEMS, "display", once=True, text=16),
    "transcript": _spec(_ITEMS, "url! type! language rel"),
    "chapters": _spec(_ITEMS, "url! type!", once=True),
    "soundbite": _spec(_ITEMS, "startTime! duration!", text=128, silent=True),
    "alternateEnclosure": _spec(_ITEMS, "type! length? bitrate height lang title rel codecs default"),
    "source": _spec("alternateEnclosure", "uri! contentType"),
    "integrity": _spec("alternateEnclosure", "type! value!", once=True),
}

#: Attributes with a limit of characters.
LIMITS = {
    ("txt", "purpose"): 128,
    ("image", "purpose"): 128,
    ("season", "name"): 128,
    ("episode", "display"): 32,
    ("alternateEnclosure", "title"): 32,
    ("alternateEnclosure", "rel"): 32,
}

#: Attributes that are numbers, by the pattern of the whole value and how messages call it.
WHOLE = (r"\d+", "a whole number")
DECIMAL = (r"\d+(\.\d+)?", "a number")
NUMBERS = {
    ("trailer", "length"): WHOLE,
    ("trailer", "season"): WHOLE,
    ("image", "width"): WHOLE,
    ("image", "height"): WHOLE,
    ("socialInteract", "priority"): WHOLE,
    ("value", "suggested"): DECIMAL,
    ("valueRecipient", "split"): WHOLE,
    ("valueTimeSplit", "startTime"): DECIMAL,
    ("valueTimeSplit", "duration"): DECIMAL,
    ("valueTimeSplit", "remoteStartTime"): DECIMAL,
    ("valueTimeSplit", "remotePercentage"): (r"\d\d?(\.\d+)?|100(\.0+)?", "a number from 0 to 100"),
    ("soundbite", "startTime"): DECIMAL,
    ("soundbite", "duration"): DECIMAL,
    ("alternateEnclosure", "length"): WHOLE,
    ("alternateEnclosure", "bitrate"): DECIMAL,
    ("alternateEnclosure", "height"): WHOLE,
}

#: Attributes (or, under '', texts) from a closed list.
CHOICES = {
    ("location", "rel"): ("subject", "creator"),
    ("chat", "protocol"): ("irc", "xmpp", "nostr", "matrix"),
    ("socialInteract", "protocol"): (
        "disabled", "activitypub", "twitter", "lightning", "atproto", "hive", "matrix", "nostr",
    ),
    ("valueRecipient", "type"): ("node", "lnaddress"),
    ("valueRecipient", "fee"): ("true", "false"),
    ("liveItem", "status"): ("pending", "live", "ended"),
    ("integrity", "type"): ("sri", "pgp-signature"),
    ("alternateEnclosure", "default"): ("true", "false"),
    ("updateFrequency", "complete"): ("true", "false"),
    ("podping", "usesPodping"): ("true", "false"),
    ("transcript", "rel"): ("captions",),
    ("locked", ""): ("yes", "no"),
    ("block", ""): ("yes", "no"),
}  # fmt: skip

TRANSCRIPT_TYPES = ("text/plain", "text/html", "text/vtt", "application/json", "application/x-subrip")
