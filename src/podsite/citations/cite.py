"""How an episode is cited: its facts for the words of a page, and files for programs that keep references."""

from __future__ import annotations

from podsite.citations import bibtex, coins, csl, ris
from podsite.citations.work import of_episode
from podsite.records import dataclass
from podsite.site import Entry, Site

#: What an address cannot hold, or means something in; other letters of all scripts may stand in it.
_ODD = {ord(letter): f"%{ord(letter):02X}" for letter in '\r\n "#%<>[\\]^`{|}'}


@dataclass(frozen=True, slots=True)
class File:
    """A citation as a file inside the page: its format, its name, and what it holds as a `data:` address."""

    format: str
    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Citation:
    """Who speaks, as reference lists have them, and how many they are; the episode's full address; its files.

    `coins` is what Zotero reads off the page.
    """

    names: str
    hosts: int
    authors: tuple[str, ...]
    address: str
    coins: str
    files: tuple[File, ...]


def citation(site: Site, entry: Entry) -> Citation:
    """How an episode is cited."""
    work = of_episode(site, entry)
    names = [name.short for name in work.names]
    joined = f"{', '.join(names[:-1])}, & {names[-1]}" if len(names) > 1 else names[0]
    made = (
        ("BibTeX", "bib", "application/x-bibtex", bibtex.entry(work)),
        ("CSL-JSON", "json", "application/json", csl.entries([work])),
        ("RIS", "ris", "application/x-research-info-systems", ris.entry(work)),
    )
    files = (
        File(name, f"{work.key}.{ending}", f"data:{kind};charset=utf-8,{text.translate(_ODD)}")
        for name, ending, kind, text in made
    )
    authors = tuple(name.literal or name.sorted for name in work.names)
    return Citation(joined, len(names), authors, work.url, coins.title(work), tuple(files))
