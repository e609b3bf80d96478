"""oEmbed: how other sites show an episode's player when somebody pastes the address of its page there.

https://oembed.com. The answers are files, so that they do not depend on `maxwidth`; the player fills what it is given.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from html import escape

from podsite import urls
from podsite.artifacts import Artifact
from podsite.cache import digest
from podsite.images import Images
from podsite.marks import Marks
from podsite.paper import Paper
from podsite.remade import Job, remade
from podsite.signatures import digest_of
from podsite.site import Entry, Picture, Site

MEDIA_TYPE = "application/json+oembed"
WIDTH, HEIGHT = 600, 400  # pixels; the player is as wide as it may be, and this high
VIDEO_HEIGHT = 720
WIDTHS = (192, 480)  # of the picture in the player, in pixels
_KIND = "oembed"
_AGE = 86_400  # seconds for which others may keep an answer


def is_offered(site: Site, entry: Entry) -> bool:
    """Whether other sites can show the player: there is something to play, and the show lets them."""
    return entry.audio is not None and site.show.theme.embed


def height(entry: Entry) -> int:
    """How high the player is, in pixels."""
    return VIDEO_HEIGHT if entry.audio and entry.audio.is_video else HEIGHT


def code(site: Site, entry: Entry) -> str | None:
    """HTML that shows the player on any page; None where there is none to be shown."""
    return _frame(site, entry) if is_offered(site, entry) else None


def _frame(site: Site, entry: Entry) -> str:
    address = urls.absolute(site.base_url, urls.embed(entry.episode.slug))
    title = f"{entry.episode.title} · {site.show.title}"
    return (
        f'<iframe src="{escape(address)}" title="{escape(title)}" width="100%" height="{height(entry)}"'
        ' loading="lazy" allow="autoplay; clipboard-write; web-share" style="border:0"></iframe>'
    )


def artifacts(site: Site, images: Images, marks: Marks, paper: Paper) -> Iterator[Artifact]:
    """An answer for each episode that can be played; those that stand as they would come out are not made."""
    asked = functools.cache(functools.partial(_thumbnail, site, images))
    keys = functools.cache(lambda picture: repr(asked(picture)).encode())

    def job(entry: Entry) -> Job[Entry]:
        facts = marks.key(_KIND, entry, lambda: digest(repr(_answer(site, entry, {}))))
        key = digest_of(facts + keys(entry.image or site.artwork))
        return Job(urls.oembed(entry.episode.slug), key, entry.episode.file, entry)

    def written(job: Job[Entry]) -> bytes:
        answer = _answer(site, job.of, asked(job.of.image or site.artwork))
        return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()

    return remade([job(entry) for entry in site.entries if is_offered(site, entry)], written, _KIND, paper)


def _answer(site: Site, entry: Entry, thumbnail: Mapping[str, str | int]) -> dict[str, str | int]:
    home = urls.absolute(site.base_url, urls.HOME)
    return {
        "version": "1.0",
        "type": "rich",
        "title": entry.episode.title,
        "author_name": site.show.author,
        "provider_name": site.show.title,
        "provider_url": home,
        "cache_age": _AGE,
        "html": _frame(site, entry),
        "width": WIDTH,
        "height": height(entry),
        **thumbnail,
    }


def _thumbnail(site: Site, images: Images, picture: Picture) -> Mapping[str, str | int]:
    """A picture with its size, without which it must not be named."""
    sized = images.picture(picture, WIDTHS)
    address, width, high = (
        (sized.address, sized.width, sized.height) if sized else (picture.address, picture.width, picture.height)
    )
    if not width or not high:
        return {}
    return {
        "thumbnail_url": urls.absolute(site.base_url, address),
        "thumbnail_width": width,
        "thumbnail_height": high,
    }
