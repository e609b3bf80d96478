"""Find and read show.yaml, episodes/, pages/ and what lies beside them; every problem of every file in one run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import partial
from pathlib import Path, PurePosixPath

from podsite import companions, crosscheck, urls, values
from podsite.cache import Cache
from podsite.crew import Crew
from podsite.decode import Clock, decode
from podsite.errors import ContentError, Hints, Place, Problem
from podsite.files import DROPPINGS, Files
from podsite.findings import Findings, Places, place_of
from podsite.kept import Kept
from podsite.media import AudioFacts, ImageFacts, audio_facts
from podsite.model import Episode, PageHead, Show
from podsite.podcasting import Trailer
from podsite.records import dataclass
from podsite.roots import SHOW
from podsite.values import folded

EPISODES = "episodes"
_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?\n)---[ \t]*\n", re.DOTALL)
_HEADING = re.compile(r"\s*#[ \t]+(.+?)[ \t#]*\n|\s*(\S.*)\n=+[ \t]*\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPage:
    """A Markdown page of pages/: `pages/about.md` answers at `about/`."""

    title: str
    address: str
    body: str  # Markdown without the title
    file: str
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """Everything a site's files say, checked: the input of `link`."""

    root: Path
    show: Show
    episodes: tuple[Episode, ...]  # every file, drafts and scheduled ones too, by file name
    pages: tuple[OwnPage, ...]
    static: tuple[str, ...]  # files of static/, by their path in the site
    facts: Mapping[str, AudioFacts | ImageFacts]  # of local media, by their path in the site
    places: Places  # line and column of every key, by file
    warnings: tuple[Problem, ...]
    files: Files = field(compare=False)
    versions: Mapping[str, bytes] = field(default_factory=dict, compare=False)  # of episodes, by file
    show_guid: str | None = None  # what listeners know the show by, where show.yaml does not say it
    guids: Mapping[str, str] = field(default_factory=dict)  # and episodes, by slug

    def place(self, file: str, path: str) -> Place:
        """Where a file says something: the nearest place known for `further_reading[2].url`."""
        return place_of(self.places, file, path)

    @property
    def published(self) -> Mapping[str, str]:
        """The files of static/, which are the show's own and stay, by the addresses they are published at."""
        return {self.address(file): file for file in self.static}

    def address(self, file: str, episode: Episode | None = None) -> str:
        """Where a file of the site is published: static/ is the root; an episode's companions lie with its page."""
        path = PurePosixPath(file)
        if path.parts[0] == "static":
            return str(PurePosixPath(*path.parts[1:]))
        if episode is not None and path.parts[0] == EPISODES:
            return urls.episode(episode.slug) + path.name
        return str(path)


def read(root: Path, cache: Cache | None = None, crew: Crew | None = None) -> Content:
    """Everything below `root`, the folder of show.yaml. Raises ContentError with every problem of every file.

    Episodes that are in `cache` as they are on disk are taken from there; `crew` shares the reading of the others.
    """
    cache = cache or Cache(None)
    findings = Findings(Files(root), cache)
    show = _show(findings)
    kept = Kept(cache, findings)
    episodes = tuple(_episodes(findings, show, kept, crew or Crew()))
    _strays(findings, show, episodes)
    pages = tuple(_pages(findings))
    static = tuple(_static(findings))
    read_well = {episode.file for episode in episodes}
    written = [file for file in _names(findings) if file.endswith(".yaml")]
    unread = {companions.named_slug(file) for file in written if file not in read_well}
    place = partial(place_of, findings.places)
    known = None if "people" in findings.faulty.get(SHOW, ()) else show
    findings.problems += crosscheck.problems(known, episodes, unread, place)
    findings.problems += [Problem(Place(folder), "", fault) for folder, fault in findings.files.faults.items()]
    if show is None or any(problem.severity == "error" for problem in findings.problems):
        raise ContentError(findings.problems)
    return Content(
        root=root,
        show=show,
        episodes=episodes,
        pages=pages,
        static=static,
        facts=findings.facts,
        places=findings.places,
        warnings=tuple(sorted(findings.problems)),
        files=findings.files,
        versions=kept.versions,
    )


def _show(findings: Findings) -> Show | None:
    show = findings.decoded(SHOW, Show)
    if show is None:
        return None
    people = {
        name: replace(person, image=findings.image(SHOW, f"people.{name}.image", person.image))
        for name, person in show.people.items()
    }
    artwork = findings.image(SHOW, "artwork", show.artwork or None)
    images = companions.illustrations(findings, SHOW, "images", show.images)
    live = tuple(
        replace(one, images=companions.illustrations(findings, SHOW, f"live[{n}].images", one.images))
        for n, one in enumerate(show.live, 1)
    )
    show = replace(show, artwork=artwork or show.artwork, people=people, images=images, live=live)
    return replace(show, trailer=_trailer(findings, show.trailer))


def _trailer(findings: Findings, trailer: Trailer | None) -> Trailer | None:
    """The show's trailer, found and measured when it is a file of the site."""
    found = findings.file(SHOW, "trailer.url", trailer.url) if trailer and not values.is_url(trailer.url) else None
    if trailer is None or found is None:
        return trailer
    findings.measure(SHOW, "trailer.url", found, audio_facts)
    return replace(trailer, url=found)


def _episodes(findings: Findings, show: Show | None, kept: Kept, crew: Crew) -> Iterator[Episode]:
    clock = Clock(show.timezone, show.publish_time) if show else Clock()
    written = [file for file in _names(findings) if file.endswith(".yaml")]
    kept.prepare(written, clock, crew)
    yield from (episode for file in written if (episode := kept.episode(file, clock)))
    kept.done()


def _names(findings: Findings) -> list[str]:
    """Everything in episodes/ that is not hidden."""
    names = sorted(findings.files.names(EPISODES))
    return [f"{EPISODES}/{name}" for name in names if not name.startswith(".") and name not in DROPPINGS]


def _strays(findings: Findings, show: Show | None, episodes: tuple[Episode, ...]) -> None:
    """Note what lies in episodes/ and is read by nothing, though somebody may think it is."""
    other = next((name for name in sorted(findings.files.names("")) if folded(name) == EPISODES), EPISODES)
    if EPISODES not in findings.files.names("") and other != EPISODES:
        findings.problem(other, "", f"rename the folder to '{EPISODES}': letter case counts on web servers")
    files = _names(findings)
    stems = {file.removesuffix(".yaml"): None for file in files if file.endswith(".yaml")}
    used = {file for one in episodes for file in companions.files_of_episode(one)}
    used |= {one.transcript.file for one in episodes if one.transcript}
    used |= set(companions.files_of_show(show)) if show else set()
    tip = Hints(PurePosixPath(stem).name for stem in stems)
    for file in files:
        path = PurePosixPath(file)
        if file.endswith(".yaml") or file in used:
            continue
        owners = [stem for stem in companions.stems_of(file) if stem in stems]
        right = next(filter(None, (companions.misspelt(file, stem) for stem in owners)), None)
        if path.suffix.lower() in {".yaml", ".yml"}:
            findings.problem(file, "", f"rename it to {path.stem}.yaml; podsite reads that ending only")
        elif (findings.files.root / file).is_dir():
            findings.problem(file, "", "is a folder; episodes lie in episodes/ itself", "warning")
        elif right:
            findings.problem(file, "", f"rename it to {PurePosixPath(right).name}; endings are written small")
        elif not owners:
            told = f"belongs to no episode: there is no .yaml file of that name{tip(path.name.partition('.')[0])}"
            findings.problem(file, "", told, "warning")


def _pages(findings: Findings) -> Iterator[OwnPage]:
    for file in findings.files.below("pages"):
        if not file.endswith(".md"):
            findings.problem(file, "", "pages are Markdown files that end in .md; other files go to static/", "warning")
            continue
        text = findings.text(file)
        if text is not None:
            page, problems = own_page(file, text)
            findings.problems += problems
            yield page


def own_page(file: str, text: str) -> tuple[OwnPage, tuple[Problem, ...]]:
    """A page of pages/, its title from front matter or its first heading, and what is wrong with it."""
    head = PageHead()
    problems: tuple[Problem, ...] = ()
    front = _FRONT_MATTER.match(text)
    if front:
        found = decode("\n" + front[1], file, PageHead)
        head, problems = found.value or head, found.problems
    body = text[front.end() :] if front else text
    heading = _HEADING.match(body + "\n")
    if heading and head.title in {None, heading[1] or heading[2]}:
        body = body[heading.end() :]
    parts = PurePosixPath(file).with_suffix("").parts[1:]
    title = head.title or (heading and (heading[1] or heading[2])) or parts[-1].replace("-", " ").capitalize()
    slugs = [values.slug(part) for part in (parts[:-1] if parts[-1] == "index" else parts)]
    if not all(slugs) or not slugs:
        fault = "has no letter or digit in its name" if slugs else "would be the home page, which podsite writes"
        problems += (Problem(Place(file), "", f"{fault}; rename it"),)
    page = OwnPage(
        title=title,
        address="".join(f"{slug}/" for slug in slugs),
        body=body,
        file=file,
        description=head.description,
    )
    return page, problems


def _static(findings: Findings) -> Iterator[str]:
    for file in findings.files.below("static"):
        fault = findings.files.fault(file)
        if fault:
            findings.problem(file, "", fault)
        else:
            yield file
