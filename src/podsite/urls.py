"""Every address of the site.

An *address* is the path below the site's base, in plain letters and without a leading slash: `episodes/intro/`.
Pages end in `/`. `relative` and `absolute` make links of addresses; only they encode.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urlsplit

from podsite import values

HOME = ""
READING = "reading/"
START = "start/"
SUBSCRIBE = "subscribe/"
TOPICS = "topics/"
PEOPLE = "people/"
SEASONS = "seasons/"
STATISTICS = "statistics/"
SEARCH = "search/"
INDEX = "pagefind/"  # what a search reads
OPENSEARCH = "opensearch.xml"
NOT_FOUND = "404.html"

_HARMLESS = re.compile(r"[\w./~-]*", re.ASCII)


def archive() -> str:
    """The list of all episodes."""
    return "episodes/"


def part(address: str, number: int) -> str:
    """A page of a list that is too long for one: `episodes/` → `episodes/page/3/`."""
    return f"{address}page/{number}/"


def episode(slug: str) -> str:
    """An episode's page."""
    return f"episodes/{slug}/"


def embed(slug: str) -> str:
    """The page of an episode's player alone, to be shown on other sites."""
    return f"{episode(slug)}embed/"


def oembed(slug: str) -> str:
    """What tells other sites how to show an episode's player."""
    return f"oembed/{slug}.json"


def quote(slug: str, anchor: str) -> str:
    """The page of an episode's quote."""
    return f"{episode(slug)}quotes/{anchor}/"


def topic(slug: str) -> str:
    """A topic's page."""
    return f"{TOPICS}{slug}/"


def person(person_id: str) -> str:
    """A person's page."""
    return f"{PEOPLE}{person_id}/"


def season(number: int) -> str:
    """A season's page."""
    return f"{SEASONS}{number}/"


def path(path_id: str) -> str:
    """A listening path's page."""
    return f"{START}{path_id}/"


def shelf(name: str) -> str:
    """The page of all further reading of one kind, by the kind's name: `Papers` → `reading/papers/`."""
    return f"{READING}{values.slug(name)}/"


def card(address: str) -> str:
    """The picture that stands for a page in shared links: `episodes/intro/` → `episodes/intro/card.png`."""
    return f"{address}card.png"


def of_topic(address: str) -> str:
    """The page of all further reading of a topic, by the topic's: `topics/night/` → `topics/night/reading/`."""
    return f"{address}reading/"


def output_file(address: str) -> str:
    """The file that answers for an address: `episodes/intro/` → `episodes/intro/index.html`."""
    return address + "index.html" if address == "" or address.endswith("/") else address


def base(url: str) -> str:
    """The site's base with its closing slash, however it was written."""
    return url.split("#", maxsplit=1)[0].split("?", maxsplit=1)[0].rstrip("/") + "/"


def absolute(base_url: str, target: str) -> str:
    """The full web address of an address; one that is full already stays."""
    return target if _is_full(target) else base_url + _encoded(target)


def relative(origin: str, target: str) -> str:
    """The link from one page's address to another address: the same at a domain's root and under a sub-path.

    Full web addresses and mail links stay as they are.
    """
    if _is_full(target):
        return target
    shared = 0  # where the first folder begins that is not in both
    while (end := target.find("/", shared) + 1) and origin.startswith(target[shared:end], shared):
        shared = end
    link = _encoded("../" * origin.count("/", shared) + target[shared:])
    return "./" + link if not link or ":" in link.split("/", 1)[0] else link


def _is_full(target: str) -> bool:
    return target.startswith(("http://", "https://", "mailto:"))


def _encoded(target: str) -> str:
    """Percent-encode an address, which is in plain letters: its own `%`, `?` and `#` belong to file names."""
    if _HARMLESS.fullmatch(target):
        return target
    plain, mark, fragment = target.partition("#t=")
    return values.encode(plain.replace("%", "%25"), safe="/!$&'()*+,;=~-._@:") + mark + fragment


@lru_cache(maxsize=4096)
def host(url: str) -> str:
    """The site a web address belongs to, as people know it: no `www.`, no port, letters of every script."""
    name = (urlsplit(url).hostname or url).removeprefix("www.")
    try:
        return name.encode("ascii").decode("idna")
    except UnicodeError:
        return name
