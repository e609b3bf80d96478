"""The pipeline: read the content, link it to a site, render everything, and only then touch the output."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from podsite import feeds, guard, lock, urls
from podsite.artifacts import Artifact, Clash, clashes
from podsite.cache import Cache
from podsite.crew import Crew
from podsite.errors import ContentError, Problem
from podsite.feeds import Feed
from podsite.feeds.certificates import problems, remarks
from podsite.feeds.directories import DIRECTORIES, Directory
from podsite.feeds.local import local_files
from podsite.feeds.making import Judging, Said
from podsite.left import Left
from podsite.lock import Lock
from podsite.output import refuse, write
from podsite.paper import Paper, Progress
from podsite.read import Content, read
from podsite.recall import CACHE, Built, Inputs, Options, Recall, Report, Span, Waiting
from podsite.records import dataclass
from podsite.render import render
from podsite.roots import SHOW
from podsite.signatures import look
from podsite.site import Site, link

if TYPE_CHECKING:
    from podsite.feeds.facts import FeedFacts

__all__ = ["Built", "Linked", "Made", "Options", "build", "certified", "facts", "make"]

SOURCES = ("episodes", "pages", "static", "templates", CACHE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """A site read and linked, the lock that listeners know of, the lock after it, and every problem on the way."""

    content: Content
    site: Site
    before: Lock | None
    lock: Lock
    problems: list[Problem]
    paper: Paper


@dataclass(frozen=True, slots=True, kw_only=True)
class Made(Linked):
    """Everything a build would write, and has not written yet."""

    artifacts: list[Artifact]
    feed: Feed
    said: Said

    @property
    def last(self) -> list[str]:
        """The paths that are put out last: apps that see a new feed find everything it names."""
        return [one.path for one in feeds.artifacts(self.site, self.feed)]


def build(
    root: Path,
    output: Path,
    options: Options,
    *,
    progress: Progress = lambda *_: None,
    recall: Recall | None = None,
) -> Built:
    """Build the site at `root` into `output`. `recall` has what the last build knew, if the caller asked already.

    Changes that listeners would notice stop the build unless the options accept them; a lock that is to be kept stops
    it when it would have to change. Raises ContentError with everything wrong in the site's files (with `strict`,
    warnings count as wrong), and OutputError when the output cannot or must not be written. Nothing is written unless
    all of it could be made.
    """
    refuse(output, root, [root / name for name in SOURCES])
    recall = recall or Recall(root, output, options)
    lock_file = look(str(root / lock.NAME))
    old = lock.read(root, recall.cache)
    paper = Paper(recall.cache, Crew(options.jobs), recall.left.digests, str(output), options.search)
    try:
        made = make(root, old, options, paper=paper, progress=progress, judged=True)
        noticed = guard.problems(made.before, made.lock, made.content, options.accept, now=options.now)
        found = [*made.problems, *noticed, *(guard.behind(old, made.lock) if options.locked else ())]
        found += certified(made, None if options.future else options.now)
        if any(problem.severity == "error" for problem in found) or (options.strict and found):
            raise ContentError(found)
    finally:
        recall.cache.save()  # a build that fails has learned as well
    progress("writing", len(made.artifacts), len(made.artifacts))
    report = _put_out(made, output, recall.left, paper.crew)
    is_kept = not options.locked and lock.is_needed(made.content.show, old)
    written = is_kept and lock.write(root, made.lock, old, recall.cache)
    if written and not (noticed or options.accept):  # else the next build has other things to say of the lock
        lock_file = look(str(root / lock.NAME))
    built = _built(made, report, sorted(found))
    files = made.content.files
    if not any(problem.path == "search" for problem in found):  # an indexer that is missing may be there next time
        recall.keep(Inputs({**files.used, lock.NAME: lock_file}, files.listings), _span(made, old, options.now), built)
    return built


def _put_out(made: Made, output: Path, left: Left, crew: Crew) -> Report:
    return write(made.artifacts, output, last=made.last, stands=left.holds, checked=True, crew=crew, done=left.keep)


def _built(made: Made, report: Report, warnings: Sequence[Problem]) -> Built:
    zone = made.site.show.timezone
    return Built(
        report=report,
        warnings=tuple(warnings),
        episodes=len(made.site.entries),
        pages=sum(artifact.path.endswith(".html") for artifact in made.artifacts),
        feed_items=made.feed.items,
        feed_bytes=made.feed.documents[0].size,
        scheduled=tuple(
            Waiting(
                one.file,
                one.title,
                one.published.isoformat(),
                f"{one.published.astimezone(zone):%Y-%m-%d %H:%M %Z}",
            )
            for one in made.site.scheduled
        ),
    )


def _span(made: Made, old: Lock | None, now: datetime) -> Span:
    """How long this build holds: until an episode's moment comes, or one that the lock tells of."""
    moments = [episode.published for episode in made.content.episodes]
    moments += [entry.feed_date for entry in made.site.entries]
    moments += [one.first for each in (old, made.lock) if each for one in each.episodes.values()]
    return Span(now, min((moment for moment in moments if moment > now), default=None))


def make(  # noqa: PLR0913 - each is told apart by its name
    root: Path,
    old: Lock | None,
    options: Options,
    *,
    paper: Paper | None = None,
    progress: Progress = lambda *_: None,
    judged: bool = False,
) -> Made:
    """Everything a build would write, and the lock after it, given the lock before. Writes nothing but its cache.

    `paper` tells what stands in the output folder already, and need not be made again; where the feeds are to be
    `judged`, what `certified` will find by the instant of the build is known when they are made.
    """
    judging = Judging(None if options.future else options.now) if judged else None
    paper = paper or Paper(Cache(root / CACHE))
    linked = _linked(root, old, options, paper)
    site, content = linked.site, linked.content
    artifacts, feed, said, flaws = render(site, content, paper, progress, judging)
    return Made(
        content=content,
        site=site,
        before=linked.before,
        lock=linked.lock,
        problems=[*linked.problems, *flaws, *_clashes(site, content, artifacts, paper)],
        paper=paper,
        artifacts=artifacts,
        feed=feed,
        said=said,
    )


def _linked(root: Path, old: Lock | None, options: Options, paper: Paper) -> Linked:
    """The site, and the lock after it.

    The lock is of what goes out, now or at its time, so that it needs no change at the moment a scheduled episode
    appears; previews (`drafts`, `future`) make no difference to it.
    """
    now, drafts = options.now, options.drafts
    before = lock.known(old, now) if old else None
    written = read(root, paper.cache, paper.crew)
    content = lock.identified(written, before)
    site, remarks = link(content, now, drafts=drafts, future=options.future, base_url=options.base_url)
    to_come = link(content, now, future=True)[0] if drafts or site.scheduled else site
    new = lock.lock_of(to_come, root, before, paper.cache)
    found = [*content.warnings, *lock.unwritten(written, before), *remarks]
    return Linked(content=content, site=site, before=before, lock=new, problems=found, paper=paper)


def facts(root: Path, *, now: datetime, of_lock: bool) -> FeedFacts:
    """What apps would know after a build at `now`: as podsite.lock keeps it, else as the feed says. Writes nothing."""
    from podsite.difference import facts_of_lock  # a build does without
    from podsite.feeds.facts import facts_of_feeds

    paper = Paper(Cache(root / CACHE))
    linked = _linked(root, lock.read(root), Options(now=now), paper)
    kept = facts_of_lock(linked.lock, now)
    if of_lock:  # nothing has to be rendered
        return kept
    feed = render(linked.site, linked.content, paper).feed
    pages = [one.xml for one in feed.documents]
    return replace(facts_of_feeds(pages), scheduled=kept.scheduled)


def certified(
    made: Made, now: datetime | None, directories: Sequence[Directory] = DIRECTORIES, *, but_main: bool = False
) -> list[Problem]:
    """What directories would refuse or miss in the feeds as they are written, archive pages and parts included.

    Feeds without episodes are not shown to them. One fault of an episode in several feeds is told once. With
    `but_main` the show's own feed is left to the caller.
    """
    if not made.feed.items:
        return []
    local = local_files(made.site, made.artifacts)
    cache, crew = made.paper.cache, made.paper.crew
    holds = made.said.judged == Judging(now) and not any(map(local.has, made.said.missing))
    found: dict[Problem, None] = {}
    for feed in made.feed.documents[int(but_main) :]:
        url = urls.absolute(made.site.base_url, feed.path)
        told = made.said.found[url] if holds else remarks(feed, cache, local, now=now, url=url, crew=crew).found
        wanted = [one for one in told if not set(directories).isdisjoint(one.directories)]
        found |= dict.fromkeys(problems(wanted, made.site, made.content))
    return [*found]


_Claim = tuple[str, str, str]  # the file that asks for a path, the key that does, and the path
_WITHDRAWN = {"episodes": 2, "pages": 3, "static": 4}  # which folder's claim is told: the later, the sooner
_WITHDRAWN_ALIAS = 5


def _clashes(site: Site, content: Content, artifacts: Sequence[Artifact], paper: Paper) -> Iterator[Problem]:
    """Every path that cannot be written, told where it is asked for, so that it comes with all other problems."""
    found = clashes(artifacts, paper.standing)
    asked = _asked(site) if found else {}
    told: set[tuple[str, str]] = set()
    for clash in found:
        first, *others = _claims(clash, asked)
        for file, key, path in [first] if clash.flaw else others:
            what = f"cannot write '{path}': {clash.flaw}" if clash.flaw else _twice(clash, (file, key, path), first)
            about = (file, clash.flaw or clash.path)  # many files of one episode have one thing wrong
            if ((file, key) if key else about) not in told:
                yield Problem(content.place(file, key), key, what)
            told |= {(file, key), about}


def _asked(site: Site) -> dict[tuple[str, str], list[str]]:
    """The keys that ask for a path, by file and path, in the order in which artifacts are made."""
    asked = defaultdict(list)

    def note(file: str, key: str, *addresses: str) -> None:
        for path in {urls.output_file(address) for address in addresses}:
            asked[file, path].append(key)

    for entry in site.entries:
        episode = entry.episode
        note(episode.file, "slug", entry.address)
        for number, topic in enumerate(entry.topics, 1):
            note(episode.file, f"topics[{number}]", topic.address)
        for number, alias in enumerate(episode.aliases, 1):
            note(episode.file, f"aliases[{number}]", alias, alias.rstrip("/") + "/")  # a file's, or a page's
    note(SHOW, "feed.path", site.show.feed.path)
    for number, path in enumerate(site.show.feed.aliases, 1):
        note(SHOW, f"feed.aliases[{number}]", path)
    return asked


def _claims(clash: Clash, asked: Mapping[tuple[str, str], Sequence[str]]) -> list[_Claim]:
    """Who asks for a path; whoever can best do without it comes last."""

    def readiness(claim: _Claim) -> int:
        file, key, _ = claim
        return _WITHDRAWN_ALIAS if key.startswith("aliases") else _WITHDRAWN.get(file.partition("/")[0], bool(key))

    found: list[_Claim] = []
    for one in clash.by:
        keys = asked.get((one.source, one.path), [""])
        before = sum((file, path) == (one.source, one.path) for file, _, path in found)
        found.append((one.source, keys[min(before, len(keys) - 1)], one.path))
    return sorted(found, key=readiness)


def _twice(clash: Clash, claim: _Claim, first: _Claim) -> str:
    """What is wrong with a claim to a path that another has."""
    depth = clash.path.count("/") + 1
    mine, other = ("/".join(path.split("/")[:depth]) for _, _, path in (claim, first))
    owner = first[0] + (f" ({first[1]})" if "[" in first[1] else "")
    owner = first[1] if first[0] == claim[0] and first[1] else owner
    spelt = f" as {other} (capitals count as small letters)" if mine != other else ""
    remedy = "take it out or write another path" if claim[1].startswith("aliases") else "give one of them another name"
    return f"wants {mine}, which {owner} writes too{spelt}; {remedy}"
