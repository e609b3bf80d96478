"""The publish guard: what a listener would notice of the step from the last lock to this build's, before it is taken.

Podcast apps know an episode by its guid, show it by its date and keep its recording. Whoever changes one of them by
accident cannot take it back, so each such change stops the build until it is mended or accepted by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Literal, get_args

from podsite import urls
from podsite.errors import Place, Problem, UsageError, hint, listed
from podsite.lock import NAME, Lock, LockedAudio, LockedEpisode, feed_address, moment
from podsite.model import Episode
from podsite.read import Content
from podsite.records import dataclass
from podsite.roots import SHOW as SHOW_FILE

What = Literal["guid", "published", "audio", "gone", "aliases", "feed"]
Weight = Literal["error", "warning", "note"]

SHOW = ""  # stands for the show where an episode is named by its slug
_OF_SHOW = ("guid", "feed")
_OF_EPISODE = tuple(what for what in get_args(What) if what != "feed")
_DRIFT = 60  # seconds; episodes of one instant are set apart by some, and move when another joins them


@dataclass(frozen=True, slots=True)
class Change:
    """Something apps know that would change: of which episode (`SHOW`: the show), what, and what a listener sees.

    An error stops the build; a note is no problem at all, only good to know.
    """

    slug: str
    what: What
    severity: Weight
    words: str
    remedy: str
    place: Place
    path: str = ""

    @property
    def name(self) -> str:
        """How --accept names it: `intro:audio`, `show.yaml:feed`."""
        return f"{self.slug or SHOW_FILE}:{self.what}"

    @property
    def problem(self) -> Problem:
        """The change as a problem at its place."""
        mend = f"{self.remedy}; or, where it is meant, build with --accept {self.name}"
        return Problem(
            self.place, self.path, f"{self.words}; {mend}", "error" if self.severity == "error" else "warning"
        )


def problems(
    old: Lock | None, new: Lock, content: Content, accept: Iterable[str] = (), *, now: datetime | None = None
) -> list[Problem]:
    """Everything that must be mended or accepted before `new` may take the place of `old`.

    `accept` are the values of --accept, `SLUG` or `SLUG:what`; `show.yaml` names the show, `*:what` every episode.
    By `now` the guard knows which dates are yet to come.
    Raises UsageError for a value that can mean nothing here.
    """
    accepted = {value: _accepted(value, old, new) for value in accept}
    used = set()
    found = [*_twins(new, content)]
    # while two episodes have one guid, which of them went out cannot be told
    for change in changes(old, new, content, now) if old and not found else ():
        names = {change.slug, "*"} if change.slug else {SHOW}
        by = {value for value, (slug, what) in accepted.items() if slug in names and change.what in what}
        used |= by
        if not by and change.severity != "note":
            found.append(change.problem)
    idle = "nothing is left to accept; take it out"
    found += [Problem(Place(NAME), "", f"--accept {value}: {idle}", "warning") for value in accepted.keys() - used]
    return sorted(found)


def _accepted(value: str, old: Lock | None, new: Lock) -> tuple[str, tuple[str, ...]]:
    """The slug and the kinds of changes that one --accept stands for."""
    name, colon, what = value.partition(":")
    slugs = {SHOW_FILE, *new.episodes, *(old.episodes if old else ())}
    if name not in slugs and (name != "*" or not colon):
        raise UsageError(f"--accept {value}: no episode '{name}'{hint(name, slugs)}")
    known = _OF_SHOW if name == SHOW_FILE else _OF_EPISODE
    if colon and what not in known:
        raise UsageError(f"--accept {value}: expected one of {', '.join(known)}, found '{what}'{hint(what, known)}")
    return SHOW if name == SHOW_FILE else name, (what,) if colon else known


def behind(old: Lock | None, new: Lock) -> list[Problem]:
    """What keeps a build that must not write the lock (--locked) from going on: the lock is not of this content."""
    if old == new or (old is None and not new.episodes):
        return []
    before = dict(old.episodes) if old else {}
    slugs = [slug for slug in sorted({*before, *new.episodes}) if before.get(slug) != new.episodes.get(slug)]
    if old is None or old.show != new.show:
        slugs.insert(0, SHOW_FILE)
    some = ", ".join(slugs[:5]) + (f" and {len(slugs) - 5} more" if len(slugs) > 5 else "")
    message = f"does not know this yet: {some}; run 'podsite build' without --locked and commit {NAME}"
    return [Problem(Place(NAME), "", message)]


def changes(old: Lock, new: Lock, content: Content, now: datetime | None = None) -> list[Change]:
    """Everything that changes of what apps know already, the show first, then by slug; new episodes are no change."""
    if not old.episodes:  # nobody can have subscribed
        return []
    step = _Step(old, new, content, now)
    found = [*step.show()]
    partner = partners(old, new)
    unknown = [slug for slug in sorted(new.episodes) if slug not in old.episodes and slug not in partner.values()]
    for slug in sorted(old.episodes):
        found += step.episode(slug, partner[slug]) if slug in partner else [step.gone(slug, unknown)]
    return found


def partners(old: Lock, new: Lock) -> dict[str, str]:
    """The slugs of `old` with the slug each episode has in `new`: by guid first, for that is how apps see it."""
    by_guid = {episode.guid: slug for slug, episode in new.episodes.items()}
    found = {slug: by_guid[one.guid] for slug, one in old.episodes.items() if one.guid in by_guid}
    free = new.episodes.keys() - found.values()
    return found | {slug: slug for slug in old.episodes if slug not in found and slug in free}


def _twins(new: Lock, content: Content) -> Iterator[Problem]:
    """Two episodes of one guid, which apps would take for one."""
    files = {episode.slug: episode for episode in content.episodes}
    first: dict[str, Episode] = {}
    times = Counter(one.guid for one in new.episodes.values())
    twins = [slug for slug, one in new.episodes.items() if times[one.guid] > 1]
    written = {slug for slug in twins if "guid" in content.places.get(files[slug].file, {})}
    for slug in sorted(twins, key=lambda slug: (slug in written, slug)):
        guid, episode = new.episodes[slug].guid, files[slug]
        other = first.setdefault(guid, episode)
        if other is not episode:
            message = (
                f"the guid '{guid}' belongs to {other.file} already, so apps would see one episode; take 'guid' out if "
                "this is another, or give that one another slug if it is"
            )
            yield Problem(content.place(episode.file, "guid"), "guid", message)


class _Step:
    """From one lock to the next: a method for each thing apps know."""

    def __init__(self, old: Lock, new: Lock, content: Content, now: datetime | None) -> None:
        self.old, self.new, self.content, self.now = old, new, content, now
        self.files = {episode.slug: episode for episode in content.episodes}

    def change(self, slug: str, key: str, what: What, weight: Weight, words: str, remedy: str) -> Change:  # noqa: PLR0913, PLR0917
        """A change at a key of the file of the episode `slug` (`SHOW`: of show.yaml)."""
        file = self.files[slug].file if slug else SHOW_FILE
        return Change(slug, what, weight, words, remedy, self.content.place(file, key), key)

    def show(self) -> Iterator[Change]:
        """The show's guid and the address of its feed."""
        old, new = self.old.show, self.new.show
        if old.guid != new.guid:
            words = (
                "apps and directories will take this for another show, and its statistics and places in lists may be "
                f"lost: its guid was '{old.guid}' and is now '{new.guid}'"
            )
            yield self.change(SHOW, "guid", "guid", "error", words, f"write 'guid: {old.guid}'")
        if old.feed == new.feed:
            return
        settings, home = self.content.show.feed, urls.base(self.content.show.url)
        kept = {feed_address(self.content.show, path) for path in settings.aliases}
        follows = settings.new_feed_url or old.feed in kept or old.feed.partition(":")[2] == new.feed.partition(":")[2]
        words = f"apps of your subscribers go on asking {old.feed}, and the feed is now at {new.feed}"
        remedy = f"let the old address lead to the new one and write 'new_feed_url: {new.feed}' under 'feed:'"
        key = "url"
        if old.feed.startswith(home):
            key, remedy = (
                "feed.path",
                f"keep it there too: write 'aliases: [/{old.feed.removeprefix(home)}]' under 'feed:'",
            )
        yield self.change(SHOW, key, "feed", "note" if follows else "error", words, remedy)

    def gone(self, slug: str, unknown: list[str]) -> Change:
        """An episode that is out no longer, and why: renamed, deleted, a draft again, or another under its slug."""
        before, left = self.old.episodes[slug], self.files.get(slug)
        alike = {other: _alike(before, self.new.episodes[other]) for other in unknown}
        best = max(alike, key=lambda other: len(alike[other]), default="")
        if best and alike[best]:
            words = (
                f"podcast apps will show this episode a second time and download it again: '{slug}' is gone, and "
                f"'{best}' has {listed(alike[best])}, but another guid"
            )
            lines = f"'guid: {before.guid}' and 'aliases: [/{urls.episode(slug)}]'"
            change = self.change(best, "guid", "gone", "error", words, f"if it is the same episode, write {lines} here")
            return replace(change, slug=slug)
        words = f"podcast apps will drop the episode '{before.title}', which went out on {before.first:%Y-%m-%d}: "
        if left is None:
            key = f"episodes.{slug}"
            words += "there is no file of it any more"
            return Change(slug, "gone", "error", words, "bring the file back", self.old.place(key), key)
        if left.draft:
            return self.change(slug, "draft", "gone", "error", words + "it is a draft now", "take 'draft' out")
        words += "another has its place, with another guid"
        return self.change(slug, "guid", "gone", "error", words, f"write 'guid: {before.guid}'")

    def episode(self, slug: str, other: str) -> Iterator[Change]:
        """What is not as it was of the episode `slug`, whose slug is now `other`."""
        for change in (
            self._renamed(slug, other),
            self._guid(slug, other),
            self._date(slug, other),
            self._audio(slug, other),
        ):
            if change:
                yield replace(change, slug=slug)

    def _renamed(self, slug: str, other: str) -> Change | None:
        """No app minds that a page has another address, but links lead there."""
        if slug == other:
            return None
        page = urls.episode(slug)
        aliases = {alias.removesuffix("index.html").rstrip("/") for alias in self.files[other].aliases}
        weight: Weight = "note" if page.rstrip("/") in aliases else "warning"
        words = f"links to /{page} will lead nowhere: the episode's page is now /{urls.episode(other)}"
        return self.change(other, "aliases", "aliases", weight, words, f"write 'aliases: [/{page}]'")

    def _guid(self, slug: str, other: str) -> Change | None:
        old, new = self.old.episodes[slug].guid, self.new.episodes[other].guid
        if old == new:
            return None
        words = (
            "podcast apps will show this episode a second time and download it again: "
            f"its guid was '{old}' and is now '{new}'"
        )
        return self.change(other, "guid", "guid", "error", words, f"write 'guid: {old}'")

    def _date(self, slug: str, other: str) -> Change | None:
        old, new = self.old.episodes[slug].published, self.new.episodes[other].published
        if old == new:
            return None
        weight: Weight = "note" if abs((new - old).total_seconds()) < _DRIFT else "error"
        words = (
            "podcast apps will move this episode in their lists, and some show it as new: "
            f"it was out on {moment(old)} and is now dated {moment(new)}"
        )
        if self.now and old <= self.now < new:  # until then it is not in the feed
            weight = "error"
            words = (
                f"podcast apps will drop this episode until {moment(new)}, and then show it as new: "
                f"it was out on {moment(old)}"
            )
        return self.change(other, "published", "published", weight, words, f"write 'published: {moment(old)}'")

    def _audio(self, slug: str, other: str) -> Change | None:
        old, new = self.old.episodes[slug].audio, self.new.episodes[other].audio
        return self.change(other, "audio", "audio", *_recording(old, new)) if old and old != new else None


def _alike(before: LockedEpisode, after: LockedEpisode) -> list[str]:
    """In what two episodes look like one."""
    old, new = before.audio, after.audio
    heard = bool(old and new and (old.sha256 or old.url) in {new.sha256, new.url})
    facts = {
        "the same recording": heard,
        "the same title": before.title == after.title,
        "the same date": before.published == after.published,
    }
    return [words for words, is_so in facts.items() if is_so]


def _recording(before: LockedAudio, after: LockedAudio | None) -> tuple[Weight, str, str]:
    """What becomes of a recording that is not as it was: its weight, what apps do, how to mend it."""
    back = f"put the old recording back ({before.url or before.file})"
    if after is None:
        return "error", "podcast apps will drop this episode: it has no recording any more", back
    again = "podcast apps will download this episode again, or go on in the old recording at the wrong moment: "
    if before.length != after.length and before.length and after.length:
        return "error", f"{again}the recording had {before.length:,} bytes and has {after.length:,}", back
    if before.sha256 != after.sha256 and before.sha256 and after.sha256:
        return "error", f"{again}the recording is of the same length, but not the same", back
    if before.type != after.type:
        words = f"some podcast apps will download this episode again: its type was {before.type} and is {after.type}"
        return "error", words, f"write 'type: {before.type}' under 'audio:'"
    if (before.url, before.file) != (after.url, after.file):
        words = f"the recording moved from {before.url or before.file} to {after.url or after.file}"
        return "note", f"{words}; apps keep what they have, since the guid stays", "keep the old address answering"
    return "note", "the length or duration is told otherwise than before", "nothing is to be done"
