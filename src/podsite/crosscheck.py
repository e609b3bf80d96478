"""Checks between files: identities that clash, references that dangle, orders that run in circles."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain

from podsite import tables, values
from podsite.errors import Hints, Place, Problem, Severity, hint, nearest
from podsite.media import type_by_name
from podsite.model import Episode, Show
from podsite.speakers import Circle
from podsite.values import folded, is_url

#: What programs call somebody whose name they do not know: a single other name may well be nobody's of the show.
_UNNAMED = re.compile(r"(?:speaker|sprecher|unknown|spk)?[ _-]*\d*", re.IGNORECASE)

PlaceOf = Callable[[str, str], Place]


def problems(
    show: Show | None, episodes: tuple[Episode, ...], unread: Iterable[str], place: PlaceOf
) -> Iterator[Problem]:
    """Everything wrong between the files of a site; with `show` None only what the episodes tell.

    `unread` are the slugs of episodes whose files have errors: references to them are right all the same.
    """

    def problem(file: str, path: str, message: str, severity: Severity = "error") -> Problem:
        return Problem(place(file, path), path, message, severity)

    slugs = {episode.slug: episode for episode in episodes}
    yield from _twice(episodes, problem)
    yield from _untyped(episodes, problem)
    known = {*slugs, *unread}
    yield from _dangling(episodes, known, problem)
    yield from _circles(slugs, problem)
    if show is not None:
        yield from _people(show, episodes, problem)
        yield from _show(show, known, problem)
        yield from _translations(show, episodes, problem)
        if known == {*slugs}:  # else a topic may stand in a file that could not be read
            yield from _topics(show, episodes, problem)


def _twice(episodes: Iterable[Episode], problem: Callable[..., Problem]) -> Iterator[Problem]:
    slugs: dict[str, Episode] = {}
    guids: dict[str, Episode] = {}
    numbers: dict[tuple[int | None, int], Episode] = {}
    for episode in episodes:
        first = slugs.setdefault(folded(episode.slug), episode)
        if first is not episode:
            message = f"the address episodes/{episode.slug}/ belongs to {first.file} already; rename one or give a slug"
            yield problem(episode.file, "slug", message)
        if episode.guid:
            first = guids.setdefault(episode.guid, episode)
            if first is not episode:
                message = f"the guid '{episode.guid}' belongs to {first.file} already; apps would see one episode"
                yield problem(episode.file, "guid", message)
        if episode.number is not None and episode.kind == "full":
            first = numbers.setdefault((episode.season, episode.number), episode)
            if first is not episode:
                message = f"number {episode.number} is taken by {first.file}"
                yield problem(episode.file, "number", message, "warning")


def _untyped(episodes: Iterable[Episode], problem: Callable[..., Problem]) -> Iterator[Problem]:
    """Apps choose by the media type whether they play something at all."""
    for episode in episodes:
        audio = episode.audio
        if audio and not audio.type and not type_by_name(audio.file or audio.url or ""):
            message = "its name does not tell the media type; taken for audio/mpeg; write 'type: …' under 'audio:'"
            yield problem(episode.file, "audio", message, "warning")


def _dangling(
    episodes: Iterable[Episode], slugs: Collection[str], problem: Callable[..., Problem]
) -> Iterator[Problem]:
    tip = Hints(slugs)
    for episode in episodes:
        for key in ("requires", "related"):
            for index, slug in enumerate(getattr(episode, key), 1):
                if slug == episode.slug:
                    yield problem(episode.file, f"{key}[{index}]", "an episode cannot refer to itself")
                elif slug not in slugs:
                    yield problem(episode.file, f"{key}[{index}]", f"no episode '{slug}'{tip(slug)}")


def _circles(slugs: Mapping[str, Episode], problem: Callable[..., Problem]) -> Iterator[Problem]:
    """Each circle of `requires` once, told from its alphabetically first episode."""
    done: set[str] = set()
    for start in sorted(slugs):
        if start in done:
            continue
        trail = {start: 0}  # in order, each with its position
        stack = [(start, iter(slugs[start].requires))]
        while stack:
            slug, following = stack[-1]
            step = next((each for each in following if each in slugs and each not in done), None)
            if step is None:
                done.add(slug)
                stack.pop()
                trail.popitem()
            elif step in trail:
                if len(trail) - trail[step] > 1:
                    circle = " → ".join([*[*trail][trail[step] :], step])
                    file = slugs[slug].file
                    yield problem(file, "requires", f"nobody could begin here: {circle}; take one step out")
            else:
                stack.append((step, iter(slugs[step].requires)))
                trail[step] = len(trail)


def _people(show: Show, episodes: Iterable[Episode], problem: Callable[..., Problem]) -> Iterator[Problem]:
    circle = Circle(show.people)
    for episode in episodes:
        credited = ((f"people[{n}]", credit.person) for n, credit in enumerate(episode.people, 1))
        quoted = ((f"quotes[{n}].person", quote.person) for n, quote in enumerate(episode.quotes, 1) if quote.person)
        for path, person in chain(credited, quoted):
            if person not in show.people:
                tip = hint(person, show.people) or "; add them under 'people:' in show.yaml"
                yield problem(episode.file, path, f"no person '{person}' in show.yaml{tip}")
        yield from _speakers(show, episode, circle, problem)


def _speakers(show: Show, episode: Episode, circle: Circle, problem: Callable[..., Problem]) -> Iterator[Problem]:
    """Speakers that are mapped to nobody, and those of nobody where a whole transcript names none of the people."""
    transcript = episode.transcript
    if transcript is None:
        return
    for name, person in transcript.speakers.items():
        where = f"transcript.speakers.{name}"
        if person not in show.people:
            tip = hint(person, show.people) or "; add them under 'people:' in show.yaml"
            yield problem(episode.file, where, f"no person '{person}' in show.yaml{tip}")
        elif name not in transcript.names:
            tip = hint(name, transcript.names) or f"; it names {', '.join(transcript.names) or 'nobody'}"
            yield problem(episode.file, where, f"nobody speaks as '{name}' in {transcript.file}{tip}", "warning")
    unnamed = len(transcript.names) > 1 or any(_UNNAMED.fullmatch(name) for name in transcript.names)
    if episode.people and unnamed and not transcript.speakers and not circle.speakers(episode):
        names = ", ".join(f"'{name}'" for name in transcript.names[:5])
        more = f" and {len(transcript.names) - 5} more" if len(transcript.names) > 5 else ""
        tip = f"{{{transcript.names[0]}: {episode.people[0].person}}}"
        message = f"{transcript.file} names {names}{more}, none of them one of the people; say who is who: 'speakers:"
        yield problem(episode.file, "transcript", f"{message} {tip}' under 'transcript:'", "warning")


def _show(show: Show, slugs: Collection[str], problem: Callable[..., Problem]) -> Iterator[Problem]:
    ids: set[str] = set()
    for index, path in enumerate(show.paths, 1):
        if path.id in ids:
            yield problem("show.yaml", f"paths[{index}].id", f"the id '{path.id}' stands twice")
        ids.add(path.id)
        for number, step in enumerate(path.episodes, 1):
            if step.episode not in slugs:
                message = f"no episode '{step.episode}'{hint(step.episode, sorted(slugs))}"
                yield problem("show.yaml", f"paths[{index}].episodes[{number}]", message)
    for service, target in show.listen.items():
        where = f"listen.{service}"
        if service in tables.RETIRED_APPS:
            yield problem("show.yaml", where, f"{tables.RETIRED_APPS[service]}; take it out", "warning")
        elif service not in tables.LISTEN and (near := nearest(service, tables.LISTEN, cutoff=0.8)):
            yield problem("show.yaml", where, f"unknown service '{service}' (did you mean '{near}'?)")
        elif service not in tables.LISTEN and not is_url(target):
            known = ", ".join(tables.LISTEN)
            message = f"unknown service '{service}': give its full address, or one of {known}"
            yield problem("show.yaml", where, message)


def _translations(show: Show, episodes: Iterable[Episode], problem: Callable[..., Problem]) -> Iterator[Problem]:
    for episode in episodes:
        if show.language in episode.translations:
            message = "is the language of this site itself; name the pages in other languages"
            yield problem(episode.file, f"translations.{show.language}", message)


def _topics(show: Show, episodes: Iterable[Episode], problem: Callable[..., Problem]) -> Iterator[Problem]:
    """What describes a topic that no episode has is shown nowhere."""
    known = {values.slug(name): name for episode in episodes for name in episode.topics} if show.topics else {}
    seen: dict[str, str] = {}
    for name in show.topics:
        first = seen.setdefault(values.slug(name), name)
        if first != name:
            message = f"is the same topic as '{first}', which is described already; keep one"
            yield problem("show.yaml", f"topics.{name}", message)
        elif values.slug(name) not in known:
            tip = hint(name, sorted(known.values())) or "; add it to an episode, or take this out"
            yield problem("show.yaml", f"topics.{name}", f"no episode has the topic '{name}'{tip}", "warning")
