"""What listeners will notice of a new feed: compared with the lock, an earlier feed or an earlier commit."""

from __future__ import annotations

import re
import shutil
import subprocess
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from pathlib import Path
from typing import Any

from podsite import lock as locks
from podsite.errors import UsageError
from podsite.feeds.facts import (
    INHERITED,
    ITEM,
    SHOW,
    Fact,
    FeedFacts,
    ItemFacts,
    facts_of_feeds,
    newest_first,
    pages_in_folder,
)
from podsite.lock import NAME, Lock
from podsite.records import dataclass
from podsite.values import clock_text

NOTHING = "nothing listeners will notice"
_LONG = 200  # characters of two texts, above which only where they part is shown
_HEARD = ("length", "type", "sha256")  # a recording of which one differs is another recording


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One fact that is not as it was."""

    fact: Fact
    old: Any
    new: Any

    @property
    def name(self) -> str:
        """The fact's name."""
        return self.fact.name

    @property
    def noticed(self) -> bool:
        """Whether it shows in an app; where something lies does not."""
        return self.fact.weight == "noticed" or (self.fact.weight == "place" and not (self.old and self.new))


@dataclass(frozen=True, slots=True)
class ItemChange:
    """An episode of which facts are not as they were."""

    old: ItemFacts
    new: ItemFacts
    fields: tuple[FieldChange, ...]

    @property
    def noticed(self) -> bool:
        """Whether any of it shows in an app."""
        return any(one.noticed for one in self.fields)

    @property
    def elsewhere(self) -> bool:
        """Whether things only lie at other addresses."""
        return not self.noticed and all(one.fact.weight == "place" for one in self.fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What is between two states of a feed; episodes stand in the order of apps, newest first."""

    show: tuple[FieldChange, ...] = ()
    new: tuple[ItemFacts, ...] = ()
    twice: tuple[ItemChange, ...] = ()  # another guid
    downloaded_again: tuple[ItemChange, ...] = ()  # another recording
    reordered: tuple[ItemFacts, ...] = ()
    changed: tuple[ItemChange, ...] = ()
    archived: tuple[ItemFacts, ...] = ()  # from the feed's first page to a later one
    gone: tuple[ItemFacts, ...] = ()
    back: Mapping[str, datetime] = field(default_factory=dict)  # by guid, when one that is gone comes back

    @property
    def noticed(self) -> bool:
        """Whether listeners notice anything."""
        show = any(one.noticed for one in self.show)
        changed = any(change.noticed for change in self.changed)
        return show or changed or any((self.new, self.twice, self.downloaded_again, self.reordered, self.gone))


@dataclass(frozen=True, slots=True)
class Old:
    """What to compare with, and what to call it. Facts of a lock are to be compared with a lock's.

    `since` is when a lock was last published, as far as git knows.
    """

    name: str
    facts: FeedFacts
    is_lock: bool
    since: datetime | None = None

    def at(self, now: datetime) -> FeedFacts:
        """What listeners know by `now`, of a lock what they knew when it was published: it also keeps what is
        scheduled, which is new when its time has come since.
        """
        return self.facts.at(min(self.since or now, now)) if self.is_lock else self.facts


def facts_of_lock(lock: Lock, now: datetime | None = None) -> FeedFacts:
    """The facts that podsite.lock keeps; with `now`, what is yet to come is told apart."""
    found = FeedFacts(
        guid=lock.show.guid,
        address=lock.show.feed,
        items=newest_first(_locked(one) for one in lock.episodes.values() if one.audio),  # else no feed has it
    )
    return found.at(now) if now else found


def _locked(episode: locks.LockedEpisode) -> ItemFacts:
    audio = episode.audio
    return ItemFacts(
        guid=episode.guid,
        title=episode.title,
        published=episode.published,
        url=(audio.url or audio.file) if audio else None,
        length=audio.length if audio else None,
        type=audio.type if audio else None,
        duration=audio.duration if audio else None,
        sha256=audio.sha256 if audio else None,
    )


def difference(old: FeedFacts, new: FeedFacts) -> Difference:
    """What is not as it was; a fact that one side does not tell is not compared."""
    before = {item.guid: item for item in old.items}
    after = {item.guid: item for item in new.items}
    added = [item for item in new.items if item.guid not in before and not _beyond(item, old)]
    lost = [item for item in old.items if item.guid not in after and not _beyond(item, new)]
    back = {item.guid: item.published for item in new.scheduled if item.published}
    twins = _twins([item for item in lost if item.guid not in back], added)
    repeated = {twin.guid for twin in twins.values()}
    show = _fields(old, new, SHOW)
    kept = [_change(before[guid], item, show) for guid, item in after.items() if guid in before]
    kept = [change for change in kept if change.fields]
    again = [change for change in kept if any(one.name in _HEARD for one in change.fields)]
    slid = new.archived - old.archived
    return Difference(
        show=show,
        new=tuple(item for item in added if item.guid not in repeated),
        twice=tuple(_change(before[guid], twin, show) for guid, twin in twins.items()),
        downloaded_again=tuple(again),
        reordered=_moved({guid: item for guid, item in before.items() if guid in after}, after),
        changed=tuple(change for change in kept if change not in again),
        archived=tuple(item for item in new.items if item.guid in before and item.guid in slid),
        gone=tuple(item for item in lost if item.guid not in twins),
        back={item.guid: back[item.guid] for item in lost if item.guid in back},
    )


def _beyond(item: ItemFacts, feed: FeedFacts) -> bool:
    """Whether an episode may be in a later page of a feed of which only the first was read."""
    oldest = min((one.published for one in feed.items if one.published), default=None)
    return bool(feed.is_cut and item.published and oldest and item.published < oldest)


def _twins(lost: Sequence[ItemFacts], added: Sequence[ItemFacts]) -> dict[str, ItemFacts]:
    """By its old guid, the episode that looks like one of another guid: the same title, or date and recording."""
    free = {item.guid: item for item in added}
    found = {}
    for one in lost:
        twin = next((item for item in free.values() if _alike(one, item)), None)
        if twin:
            found[one.guid] = free.pop(twin.guid)
    return found


def _alike(old: ItemFacts, new: ItemFacts) -> bool:
    if old.title and old.title == new.title:
        return True
    heard = (old.sha256 and old.sha256 == new.sha256) or (old.url and old.url == new.url)
    return bool(heard and old.published == new.published)


def _change(old: ItemFacts, new: ItemFacts, show: Sequence[FieldChange]) -> ItemChange:
    fields = _fields(old, new, ITEM)
    names = {one.name for one in fields}
    told = {"notes"} if "description" in names else set()  # the notes say the same at greater length
    known = {(one.name, one.old, one.new) for one in show if one.name in INHERITED}
    return ItemChange(
        old, new, tuple(one for one in fields if one.name not in told and (one.name, one.old, one.new) not in known)
    )


def _is_same(old: Any, new: Any) -> bool:
    """Whether nobody sees a difference: seconds that keep two dates apart are not shown."""
    if isinstance(old, datetime) and isinstance(new, datetime):
        return abs((new - old).total_seconds()) < 60
    return bool(old == new)


def _fields(old: FeedFacts | ItemFacts, new: FeedFacts | ItemFacts, facts: Sequence[Fact]) -> tuple[FieldChange, ...]:
    found = (FieldChange(fact, _value(old, fact), _value(new, fact)) for fact in facts)
    return tuple(one for one in found if None not in {one.old, one.new} and not _is_same(one.old, one.new))


def _value(told: FeedFacts | ItemFacts, fact: Fact) -> Any:
    return told.more.get(fact.name) if fact.read else getattr(told, fact.name)


def _moved(before: Mapping[str, ItemFacts], after: Mapping[str, ItemFacts]) -> tuple[ItemFacts, ...]:
    """The fewest episodes that must be moved to make the old order the new: all but a longest run in the old order.

    Of two that changed places, the one with another date has moved.
    """
    place = {guid: index for index, guid in enumerate(before)}
    common = [guid for guid in after if guid in place]
    ends: list[int] = []  # the least place at which a run of each length ends
    runs: list[list[int]] = []  # by the length of the longest run that ends there, where in `common`
    for index, guid in enumerate(common):
        length = bisect_left(ends, place[guid])
        ends[length : length + 1] = [place[guid]]
        if length == len(runs):
            runs.append([])
        runs[length].append(index)
    stay: list[int] = []  # last first
    for run in reversed(runs):
        last = stay[-1] if stay else None
        fits = [one for one in run if last is None or (one < last and place[common[one]] < place[common[last]])]
        stay.append(max(fits, key=lambda one: before[common[one]].published == after[common[one]].published))
    kept = set(stay)
    return tuple(after[guid] for index, guid in enumerate(common) if index not in kept)


def resolve(old: str | None, root: Path, feed_path: str = "feed.xml") -> Old:
    """What `podsite diff OLD` compares with: the lock (None), a feed file, an output folder or a git revision.

    Addresses of the web are not for here: fetch them and use `old_feed`. Raises UsageError when there is no such
    thing, ContentError when the lock there is damaged.
    """
    if old is None:
        found = locks.read(root)
        if found is None:
            raise UsageError(f"there is no {NAME} yet; build once, or name a feed: podsite diff FEED.xml")
        return Old(NAME, facts_of_lock(found), is_lock=True, since=_committed(root, "HEAD", "--", NAME))
    path = Path(old)
    if path.is_dir():
        if not (path / feed_path).is_file():
            raise UsageError(f"{old}: holds no {feed_path}; expected the folder of a built site")
        return old_feed(pages_in_folder(path, feed_path), old)
    if path.is_file():
        content = path.read_bytes()
        if path.name == NAME:
            return Old(old, facts_of_lock(locks.parse(content.decode("utf-8", "replace"), old)), is_lock=True)
        return old_feed(content, old)
    found = _at_revision(old, root)
    return Old(f"{NAME} at {old}", facts_of_lock(found), is_lock=True, since=_committed(root, old, "--"))


def old_feed(xml: bytes | Iterable[bytes], name: str) -> Old:
    """A feed to compare with, or its pages, wherever it came from. Raises UsageError when it is none."""
    try:
        return Old(name, facts_of_feeds([xml] if isinstance(xml, bytes) else [*xml]), is_lock=False)
    except ValueError as error:
        raise UsageError(f"{name}: {error}") from error


def _at_revision(revision: str, root: Path) -> Lock:
    nothing = f"'{revision}' is no feed file, no output folder and no git revision"
    if shutil.which("git") is None or revision.startswith("-") or ":" in revision:
        raise UsageError(nothing if shutil.which("git") else f"{nothing} (git is not installed)")
    if _git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").returncode:
        outside = _git(root, "rev-parse", "--git-dir").returncode != 0
        raise UsageError(f"{nothing}{f' ({root} is in no git repository)' if outside else ''}")
    shown = _git(root, "show", f"{revision}:./{NAME}")
    if shown.returncode:
        raise UsageError(f"there is no {NAME} in '{revision}'; name a commit in which the lock was already kept")
    return locks.parse(shown.stdout.decode("utf-8", "replace"), f"{NAME} at {revision}")


def _committed(root: Path, *which: str) -> datetime | None:
    """When the last commit of those was made; None where git knows of none."""
    told = _git(root, "log", "-1", "--format=%cI", *which).stdout.decode().strip() if shutil.which("git") else ""
    return datetime.fromisoformat(told) if told else None


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    git = shutil.which("git") or "git"
    return subprocess.run([git, "-C", str(root), *arguments], capture_output=True, check=False)  # noqa: S603


_Sections = Iterator[tuple[str, list[tuple[str, Sequence[FieldChange]]]]]


def _sections(found: Difference) -> _Sections:
    """What there is to tell: a heading that says what apps do, and under it episodes with their facts."""

    def plain(items: Sequence[ItemFacts]) -> list[tuple[str, Sequence[FieldChange]]]:
        return [(f"{item.name}{_dates(item, found.back.get(item.guid))}", ()) for item in items]

    def changes(items: Sequence[ItemChange]) -> list[tuple[str, Sequence[FieldChange]]]:
        return [((change.new if change.new.title else change.old).name, change.fields) for change in items]

    seen = [change for change in found.changed if change.noticed]
    yield "The show", [("the show itself", found.show)] if found.show else []
    yield "New: apps will list them, and download them for those who wish", plain(found.new)
    yield "Twice: another guid, so apps will show them a second time", changes(found.twice)
    yield "Downloaded again: another recording", changes(found.downloaded_again)
    yield "Moved in the list", plain(found.reordered)
    yield "Changed", changes(seen)
    yield "Gone: apps will drop them", plain(found.gone)
    yield "Changed, which nobody notices", changes([one for one in found.changed if not (one.noticed or one.elsewhere)])
    slid = found.archived
    yield f"No longer in the feed's first page ({len(slid)}), kept in its archive; for instance", plain(slid[:2])
    moved = [change for change in found.changed if change.elsewhere]
    yield f"Lying elsewhere ({len(moved)}), which nobody notices; for instance", changes(moved[:2])


def _shown(value: Any) -> str:
    return f"{value:%Y-%m-%d %H:%M} UTC" if isinstance(value, datetime) else str(value) or "none"


def _dates(item: ItemFacts, back: datetime | None) -> str:
    told = [_shown(item.published)] if item.published else []
    told += [f"comes back on {_shown(back)}"] if back else []
    return f" ({'; '.join(told)})" if told else ""


def _told(change: FieldChange) -> tuple[str, str, str]:
    """A fact's words, what it was and what it is, as a podcaster would say it."""
    name, old, new = change.name, change.old, change.new
    if name == "duration":
        old, new = clock_text(old), clock_text(new)
    elif name == "length":
        old, new = f"{old:,} bytes", f"{new:,} bytes"
    elif name == "sha256":
        old, new = old[:12], new[:12]
    elif name == "description" or (change.fact.read and len(old + new) > _LONG):
        old, new = _parting(old, new)
    return change.fact.words, _shown(old), _shown(new)


def _parting(old: str, new: str) -> tuple[str, str]:
    """Two long texts from where they part, shortened."""
    pairs = enumerate(zip(old, new, strict=False))
    at = next((index for index, (was, now) in pairs if was != now), min(len(old), len(new)))
    at = max(at - 20, 0)

    def part(whole: str) -> str:
        return ("…" if at else "") + whole[at : at + 60] + ("…" if whole[at + 60 :] else "")

    return part(old), part(new)


def text(found: Difference, old: str) -> str:
    """The difference from what is called `old`, for the terminal."""
    return _rendered(found, f"Compared with {old}:", "{}:", "  {}", "      {}: {} → {}", str)


def markdown(found: Difference, old: str) -> str:
    """The difference from what is called `old`, as a comment on a pull request."""
    return _rendered(found, f"Compared with {_escaped(old)}:", "**{}**\n", "- {}", "  - {}: {} → {}", _escaped)


def _rendered(found: Difference, head: str, heading: str, item: str, field: str, escape: Callable[[str], str]) -> str:  # noqa: PLR0913, PLR0917
    blocks = [head]
    for words, rows in _sections(found):
        lines = [heading.format(words)] if rows else []
        for title, fields in rows:
            lines.append(item.format(escape(title)))
            lines += [field.format(*map(escape, _told(one))) for one in fields]
        blocks += ["\n".join(lines)] if lines else []
    return "\n\n".join([*blocks, _verdict(found)]) + "\n"


def _verdict(found: Difference) -> str:
    if not found.noticed:
        return NOTHING[0].upper() + NOTHING[1:] + "."
    counts = {
        "new": found.new,
        "twice": found.twice,
        "downloaded again": found.downloaded_again,
        "moved": found.reordered,
        "changed": [change for change in found.changed if change.noticed],
        "gone": found.gone,
    }
    told = [f"{len(items)} {words}" for words, items in counts.items() if items]
    return f"Listeners will notice: {', '.join(told) or 'changes of the show itself'}."


def _escaped(text: str) -> str:
    """Text that Markdown leaves alone, and that calls nobody by @name and links no issue by #number."""
    plain = re.sub(r"[\\`*_{}\[\]()<>|~!]", lambda found: "\\" + found[0], text)
    return re.sub(r"[@#](?=\w)", lambda found: found[0] + "<!-- -->", plain)
