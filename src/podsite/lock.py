"""podsite.lock: what podcast apps know a show and its episodes by, kept in a file that is committed with the site.

It remembers what must not move once it went out (GUIDs, dates, recordings), so that `guard` can tell when it does.
A lost lock loses that memory and nothing else: GUIDs come out the same as long as show.yaml names the show's guid.
"""

from __future__ import annotations

import hashlib
import os
import re
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from podsite import pickles, textfile, urls, values
from podsite.cache import Cache, digest
from podsite.decode import Places, decode
from podsite.errors import ContentError, OutputError, Place, Problem
from podsite.identity import show_guid
from podsite.locked import NAME, VERSION, Lock, LockedAudio, LockedEpisode, LockedShow
from podsite.model import Show
from podsite.read import Content
from podsite.site import Audio, Entry, Site
from podsite.syntax import quoted
from podsite.values import control_character

__all__ = ["NAME", "Lock", "LockedAudio", "LockedEpisode", "LockedShow"]

_HEAD = """\
# What podcast apps know this show by: podsite writes this file, you commit it with the site.
# It keeps GUIDs, dates and recordings as listeners have them, so that none of them moves by accident.
# To change one of them on purpose, do not edit here: podsite build --accept SLUG
"""
_KIND = "lock"
_RESTORE = f"podsite writes this file; bring it back with 'git checkout {NAME}' and build again"
_CONFLICT = re.compile(r"^(<{7}|={7}|>{7}|\|{7})([ \t].*)?\r?$", re.MULTILINE)
_PLAIN = re.compile(r"[A-Za-z0-9](?:[\w./:@%+~=&?;-]*[\w/])?", re.ASCII)
_OWN_SHOW = re.compile(rf"{re.escape(_HEAD)}version: {VERSION}\n\nshow:\n  guid: (.+)\n  feed: (.+)\n\nepisodes:")
_OWN_EPISODE = re.compile(
    r"^  (\S+):\n    guid: (.+)\n    title: (.+)\n"
    r"    published: (\S{19}Z)\n(?:    first_published: (\S{19}Z)\n)?"
    r"(    audio:\n(?:      url: (.+)\n)?(?:      file: (.+)\n)?(?:      sha256: (.+)\n)?"
    r"(?:      length: (\d{1,15})\n)?      type: (.+)\n(?:      duration: (\d{1,9})\n)?)?",
    re.MULTILINE | re.ASCII,
)
# Hosts that RFC 2606 keeps for examples and tests.
_RESERVED = re.compile(r"(^|\.)(example(\.(com|net|org))?|test|invalid|localhost)$")


pickles.allow(LockedShow, LockedAudio, LockedEpisode)


def read(root: Path, cache: Cache | None = None) -> Lock | None:
    """The lock of the site at `root`, None when it has none. Raises ContentError with everything wrong in it."""
    path = root / NAME
    if not os.path.lexists(path):
        return None
    written = textfile.load(path, NAME)
    cache, key = cache or Cache(None), digest(written)
    stored = cache.note(_KIND, "")
    if stored is not None and stored.startswith(key):
        with suppress(*pickles.DAMAGED):
            show, episodes, is_written_so = pickles.loads(stored[len(key) :])
            places = Places(lambda: decode(written, NAME, Lock).places)
            return Lock(show=show, episodes=episodes, places=places, is_written_so=is_written_so)
    lock = parse(written)
    _keep(cache, key, lock)
    return lock


def _keep(cache: Cache, key: bytes, lock: Lock) -> None:
    """Remember what a text holds, of which the key is made."""
    cache.keep(_KIND, "", key + pickles.dumps((lock.show, dict(lock.episodes), lock.is_written_so)))


def parse(written: str, file: str = NAME) -> Lock:
    """The lock that a text holds. Raises ContentError, with every mistake at its line, for one podsite did not write.

    Half a lock would be worse than none: what it forgot could move without a word.
    """
    own = _own(written)
    places = Places(lambda: decode(written, file, Lock).places)
    lock = replace(own, places=places, is_written_so=True) if own else None
    return lock if lock and not any(_twins(lock, file)) else _decoded(written, file)


def _decoded(written: str, file: str) -> Lock:
    """The lock in a text that differs from what podsite writes: where git merged it, and where it is wrong."""
    found = re.search(r"^version:[ \t]*(\d{1,9})[ \t]*\r?$", written, re.MULTILINE)
    if found and int(found[1]) > VERSION:
        newer = f"was written by a newer podsite (version {found[1]} of the file; this one knows {VERSION})"
        raise ContentError([Problem(_place(file, written, found.start()), "version", f"{newer}; update podsite")])
    marks = [_place(file, written, mark.start()) for mark in _CONFLICT.finditer(written)]
    if marks:
        tip = "keep the episodes of both sides, delete the lines of the conflict and build again"
        raise ContentError([Problem(place, "", f"a merge conflict is left in the file; {tip}") for place in marks])
    decoded = decode(written, file, Lock)
    problems = [one for one in decoded.problems if one.severity == "error"]
    if decoded.value is not None:
        lock = replace(decoded.value, places=decoded.places)
        problems += _twins(lock, file)
    if problems or decoded.value is None:
        raise ContentError([replace(one, message=f"{one.message}; {_RESTORE}") for one in problems])
    return lock


def _own(written: str) -> Lock | None:
    """The lock in a text that is to the letter what `text` writes; None for any other.

    Thousands of episodes are read here in the time in which YAML's grammar reads hundreds.
    """
    show = _OWN_SHOW.match(written)
    if show is None or control_character(written) or "\ufeff" in written:
        return None
    try:
        lock = Lock(
            show=LockedShow(guid=values.uuid(show[1]), feed=values.url(_bare(show[2]))),
            episodes={values.written_slug(one[1]): _own_episode(one) for one in _OWN_EPISODE.finditer(written)},
        )
    except ValueError:
        return None
    return lock if text(lock) == written else None


def _own_episode(found: re.Match[str]) -> LockedEpisode:
    """One episode's block. Raises ValueError for what `decode` would refuse."""
    _, guid, title, published, first, audio, url, file, sha256, length, media_type, duration = found.groups()
    recording = None
    if audio:
        recording = LockedAudio(
            url=values.url(_bare(url)) if url else None,
            file=values.file_path(_bare(file)) if file else None,
            sha256=values.line(_bare(sha256)) if sha256 else None,
            length=int(length) if length else None,
            type=values.line(_bare(media_type)),
            duration=int(duration) if duration else None,
        )
        if any(True for _ in recording.faults()):
            raise ValueError
    return LockedEpisode(
        guid=values.guid(_bare(guid)),
        title=values.line(_bare(title)),
        published=datetime.fromisoformat(published),
        first_published=datetime.fromisoformat(first) if first else None,
        audio=recording,
    )


def _bare(written: str) -> str:
    """A text without the quotes that `_scalar` gives it. Raises ValueError when it is blank."""
    found = re.sub(r"\\(.)", r"\1", written[1:-1]) if written.startswith('"') else written
    if not found.strip():
        raise ValueError
    return found


def _place(file: str, written: str, index: int) -> Place:
    return Place(file, written.count("\n", 0, index) + 1, 1)


def _twins(lock: Lock, file: str) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for slug, episode in lock.episodes.items():
        first = seen.setdefault(episode.guid, slug)
        if first != slug:
            path = f"episodes.{slug}.guid"
            yield Problem(replace(lock.place(path), file=file), path, f"the guid of '{first}' stands here again")


def text(lock: Lock) -> str:
    """The file: a block for each episode in the order of slugs, so that two branches seldom touch the same lines."""
    lines = [f"version: {lock.version}", "", "show:", f"  guid: {lock.show.guid}", f"  feed: {_scalar(lock.show.feed)}"]
    lines += ["", "episodes:" if lock.episodes else "episodes: {}"]
    for number, slug in enumerate(sorted(lock.episodes)):
        lines += ([""] if number else []) + [f"  {slug}:", *_episode(lock.episodes[slug])]
    return _HEAD + "\n".join(lines) + "\n"


def _episode(episode: LockedEpisode) -> Iterator[str]:
    yield f"    guid: {_scalar(episode.guid)}"
    yield f"    title: {quoted(episode.title)}"
    yield f"    published: {moment(episode.published)}"
    if episode.first != episode.published:
        yield f"    first_published: {moment(episode.first)}"
    if episode.audio:
        yield "    audio:"
        for name in ("url", "file", "sha256", "length", "type", "duration"):
            found = getattr(episode.audio, name)
            if found is not None:
                yield f"      {name}: {found if isinstance(found, int) else _scalar(found)}"


def _scalar(value: str) -> str:
    """A text as YAML reads it back: bare where nobody could mistake it."""
    return value if _PLAIN.fullmatch(value) and value.lower() != "null" else quoted(value)


def moment(date: datetime) -> str:
    """An instant as it is written in YAML, in UTC."""
    return date.astimezone(UTC).isoformat().replace("+00:00", "Z")


def identified(content: Content, lock: Lock | None) -> Content:
    """The content with the guids that went out, for wherever its files give none: no edit of theirs moves one then.

    Without an episode in the lock nothing has gone out yet: a show begun under a stand-in address is not held to it.
    """
    if lock is None or not lock.episodes:
        return content
    return replace(content, show_guid=lock.show.guid, guids=_guids(content, lock))


def _guids(content: Content, lock: Lock) -> dict[str, str]:
    """What the lock gives to slugs, but for guids that a file gives."""
    taken = {episode.guid for episode in content.episodes}  # by an episode renamed, whose old slug is free again
    return {slug: one.guid for slug, one in lock.episodes.items() if one.guid not in taken}


def unwritten(content: Content, lock: Lock | None) -> Iterator[Problem]:
    """What stands in the lock alone: identities that its files do not give and the rule would make otherwise.

    A damaged lock looks the same as a show that moved, so it is for people to say which guid listeners have.
    """
    if lock is None or not lock.episodes:
        return
    show = content.show.guid or lock.show.guid
    if content.show.guid is None and show != show_guid(content.show):
        yield _unwritten(content, "show.yaml", show)
    namespace = uuid.UUID(show)
    known = _guids(content, lock)
    for written in content.episodes:
        guid = known.get(written.slug)
        if written.guid is None and guid and guid != str(uuid.uuid5(namespace, written.slug)):
            yield _unwritten(content, written.file, guid)


def _unwritten(content: Content, file: str, guid: str) -> Problem:
    message = f"{NAME} alone keeps this identity from changing; if listeners have it, write 'guid: {guid}' here"
    return Problem(content.place(file, "guid"), "guid", message, "warning")


def is_needed(show: Show, old: Lock | None) -> bool:
    """Whether a build keeps a lock: not before the site has a real address, since nobody can have subscribed."""
    host = (urlsplit(show.url).hostname or "").removeprefix("www.")
    return old is not None or not _RESERVED.search(host)


def known(lock: Lock, now: datetime) -> Lock:
    """The part of a lock that listeners know by `now`; what is still scheduled may change freely."""
    return replace(lock, episodes={slug: one for slug, one in lock.episodes.items() if one.first <= now})


def lock_of(site: Site, root: Path, old: Lock | None, cache: Cache) -> Lock:
    """The lock of the site as it stands, in which `old` lives on: when an episode first went out is never forgotten.

    Drafts are not in it. Scheduled episodes of `site` are: the lock is committed before their time comes, and the
    build that puts them out must not have to change it.
    """
    before = old.episodes if old else {}
    by_guid = {episode.guid: episode for episode in before.values()}  # finds a renamed one
    episodes = {}
    for entry in sorted(site.entries, key=lambda entry: entry.episode.slug):
        if not entry.episode.draft:
            known = by_guid.get(entry.guid) or before.get(entry.episode.slug)
            episodes[entry.episode.slug] = _locked(entry, known, root, cache)
    return Lock(show=LockedShow(guid=site.guid, feed=feed_address(site.show)), episodes=episodes)


def feed_address(show: Show, path: str | None = None) -> str:
    """Where apps fetch the feed: by show.yaml alone, since --base-url is for one build and moves no subscription."""
    return urls.absolute(urls.base(show.url), path or show.feed.path)


def _locked(entry: Entry, known: LockedEpisode | None, root: Path, cache: Cache) -> LockedEpisode:
    date = entry.feed_date
    first = known.first if known else date
    return LockedEpisode(
        guid=entry.guid,
        title=entry.episode.title,
        published=date,
        first_published=None if first == date else first,
        audio=_audio(entry.audio, root, cache) if entry.audio else None,
    )


def _audio(audio: Audio, root: Path, cache: Cache) -> LockedAudio:
    return LockedAudio(
        url=None if audio.file else audio.address,
        file=audio.file,
        sha256=fingerprint(root, audio.file, cache) if audio.file else None,
        length=audio.length,
        type=audio.type,
        duration=audio.duration,
    )


def fingerprint(root: Path, file: str, cache: Cache) -> str:
    """The sha256 of a file's content, remembered as long as the system says that nothing was written to it.

    Neither length nor duration tells a recording with one sentence cut and another put in. What does is the time of
    the last change of the file or its record: no program can set that back, unlike the time of modification alone.
    The memory is the cache and not the lock, since these times differ in each clone: a fresh one reads its audio once.
    """
    path = root / file

    def digest() -> bytes:
        with path.open("rb") as content:
            return hashlib.file_digest(content, "sha256").digest()

    try:
        found = path.stat()
        known = (file, *map(str, (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)))
        return cache.bytes("sha256", known, digest).hex()
    except OSError as error:
        raise ContentError([Problem(Place(file), "", f"cannot be read: {error.strerror or error}")]) from error


def write(root: Path, lock: Lock, old: Lock | None = None, cache: Cache | None = None) -> bool:
    """Write the lock whole or not at all; whether that changed anything. Raises OutputError when it cannot.

    `old` is the lock in the file, if it is known: what is the same need not be written out to be compared. The cache
    remembers what was written.

    A show without an episode gets none: there is nothing yet to keep.
    """
    if old and old.is_written_so and lock == old:
        return False
    path, written = (root / NAME).resolve(), text(lock)
    content = written.encode()
    staged = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        # git may have turned the ends of lines to those of Windows, which is no change
        if (path.read_bytes().replace(b"\r\n", b"\n") == content) if path.exists() else not lock.episodes:
            return False
        try:
            staged.write_bytes(content)
            staged.replace(path)
        finally:
            staged.unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(f"{NAME}: cannot be written: {error.strerror or error}; mend that and build again") from error
    if cache:
        _keep(cache, digest(written), replace(lock, is_written_so=True))
    return True
