"""The names feeds use: namespaces with their prefixes, the tags each of them has, and the YAML keys tags come from."""

from __future__ import annotations

import re

#: Prefix by namespace. A namespace with two spellings, both valid, stands here twice.
PREFIXES = {
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "https://podcastindex.org/namespace/1.0": "podcast",
    "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": "podcast",
    "http://www.w3.org/2005/Atom": "atom",
    "http://purl.org/rss/1.0/modules/content/": "content",
    "http://podlove.org/simple-chapters": "psc",
    "http://search.yahoo.com/mrss/": "media",
    "http://www.spotify.com/ns/rss": "spotify",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://www.google.com/schemas/play-podcasts/1.0": "googleplay",
}
OLD_PODCAST = "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md"

_CHANNEL = """
    title link description language copyright managingEditor webMaster pubDate lastBuildDate category
    generator docs cloud ttl image rating textInput skipHours skipDays item"""
_ITEM = "title link description author category comments enclosure guid pubDate source"
RSS_CHANNEL = frozenset(_CHANNEL.split())
RSS_ITEM = frozenset(_ITEM.split())
_ITUNES = """author block category complete duration email episode episodeType explicit image isClosedCaptioned keywords
    name new-feed-url order owner season subtitle summary title type applepodcastsverify"""
ITUNES = frozenset(f"itunes:{name}" for name in _ITUNES.split())
_PODCAST = """alternateEnclosure block chapters chat contentLink episode funding guid image images integrity license
    liveItem liveValue location locked medium person podping podroll publisher remoteItem season socialInteract
    soundbite source trailer transcript txt updateFrequency value valueRecipient valueTimeSplit"""
PODCAST = frozenset(f"podcast:{name}" for name in _PODCAST.split())
_OTHER = {"rss", "channel", "atom:link", "content:encoded", "psc:chapters", "psc:chapter", "media:thumbnail"}
_OTHER |= {"spotify:limit", "spotify:countryOfOrigin", "url", "width", "height"}
KNOWN = RSS_CHANNEL | RSS_ITEM | ITUNES | PODCAST | _OTHER
FOLDED = {name.lower(): name for name in KNOWN}

#: What a channel or item has at most once; beyond the first, readers differ in which one they take.
_ONCE = """
    title link description language copyright pubDate lastBuildDate generator ttl image guid content:encoded
    itunes:author itunes:block itunes:complete itunes:duration itunes:episode itunes:episodeType itunes:explicit
    itunes:image itunes:new-feed-url itunes:owner itunes:season itunes:subtitle itunes:summary itunes:title
    itunes:type
"""
ONCE = tuple(_ONCE.split())

#: The YAML key a tag comes from: of show.yaml for tags of the channel, of the episode's file for those of an item.
_BOTH = {
    "title": "title",
    "itunes:title": "title",
    "itunes:explicit": "explicit",
    "podcast:person": "people",
    "podcast:license": "license",
    "podcast:location": "location",
    "podcast:txt": "txt",
    "podcast:value": "value",
    "podcast:socialInteract": "social",
    "podcast:chat": "chat",
    "podcast:image": "images",
    "itunes:block": "block",
}
CHANNEL_KEYS = _BOTH | {
    "link": "url",
    "description": "description",
    "itunes:summary": "description",
    "language": "language",
    "copyright": "copyright",
    "image": "artwork",
    "itunes:image": "artwork",
    "itunes:author": "author",
    "itunes:category": "categories",
    "itunes:owner": "owner",
    "itunes:type": "order",
    "itunes:new-feed-url": "feed.new_feed_url",
    "atom:link": "feed",
    "podcast:guid": "guid",
    "podcast:locked": "locked",
    "podcast:medium": "medium",
    "podcast:funding": "funding",
    "podcast:trailer": "trailer",
    "podcast:updateFrequency": "update_frequency",
    "podcast:podroll": "podroll",
    "podcast:publisher": "publisher",
    "podcast:podping": "podping",
    "podcast:block": "block",
    "spotify:limit": "spotify",
    "spotify:countryOfOrigin": "spotify",
    "podcast:liveItem": "live",
    "podcast:remoteItem": "remote_items",
    "itunes:title": "apple_title",
    "itunes:complete": "complete",
}
ITEM_KEYS = _BOTH | {
    "link": "link",
    "description": "summary",
    "itunes:summary": "summary",
    "content:encoded": "notes",
    "enclosure": "audio",
    "itunes:duration": "audio",
    "podcast:alternateEnclosure": "audio",
    "guid": "guid",
    "pubDate": "published",
    "category": "topics",
    "itunes:image": "image",
    "itunes:episode": "number",
    "podcast:episode": "number",
    "itunes:season": "season",
    "podcast:season": "season",
    "itunes:episodeType": "kind",
    "podcast:transcript": "transcript",
    "podcast:chapters": "chapters",
    "psc:chapters": "chapters",
    "podcast:soundbite": "soundbites",
    "podcast:contentLink": "content_links",
    "podcast:funding": "funding",
    "itunes:title": "apple_title",
}


def folded_namespace(uri: str) -> str:
    """The form in which two spellings of a namespace are taken for one: no scheme, `www.`, case or closing slash."""
    return re.sub(r"^https?://(www\.)?", "", uri.strip().lower()).rstrip("/")


LOOSE_PREFIXES = {folded_namespace(uri): prefix for uri, prefix in PREFIXES.items()}
SPELLINGS = {prefix: uri for uri, prefix in reversed(PREFIXES.items())}
