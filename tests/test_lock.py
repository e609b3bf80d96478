"""Promises of podsite.lock: what went out is remembered, in a file that people and git can read."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podsite import lock as locks
from podsite import nodes, values
from podsite.cache import Cache
from podsite.errors import ContentError, OutputError
from podsite.lock import Lock, LockedAudio, LockedEpisode, LockedShow
from podsite.read import read
from podsite.site import link

NOW = datetime(2026, 2, 2, tzinfo=UTC)
GUID = "917393e3-1b1e-5cef-ace4-edaa54e1f810"
SECOND = """
    title: "The second night"
    published: 2025-04-01 08:30 +02:00
    summary: "What one hears later."
    audio: {url: "https://media.example.net/2.m4a", length: 1234567, duration: "20:34"}
"""
WRITTEN = """\
# What podcast apps know this show by: podsite writes this file, you commit it with the site.
# It keeps GUIDs, dates and recordings as listeners have them, so that none of them moves by accident.
# To change one of them on purpose, do not edit here: podsite build --accept SLUG
version: 1

show:
  guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810
  feed: https://example.org/quiet/feed.xml

episodes:
  first-night:
    guid: 4cf75e27-6c17-5b7b-86f9-cb34b85cebc8
    title: "The first night"
    published: 2025-03-01T00:00:00Z
    audio:
      file: episodes/001-first-night.mp3
      sha256: {sha256}
      length: 4056
      type: audio/mpeg
      duration: 1

  second-night:
    guid: 5129742c-6c9b-5202-8785-e54af16213c8
    title: "The second night"
    published: 2025-04-01T06:30:00Z
    audio:
      url: https://media.example.net/2.m4a
      length: 1234567
      type: audio/x-m4a
      duration: 1234
"""


def locked(root: Path, old: Lock | None = None, **options: Any) -> Lock:
    """The lock a build of the site would write."""
    site, _ = link(read(root), NOW, **options)
    return locks.lock_of(site, root, old, Cache(root / ".podsite"))


def problems(written: str) -> list[str]:
    """Everything wrong in a lock's text."""
    with pytest.raises(ContentError) as found:
        locks.parse(written)
    return [str(problem) for problem in found.value.problems]


@pytest.fixture
def written(silence: bytes) -> str:
    """The lock of the small site with a second episode."""
    return WRITTEN.format(sha256=hashlib.sha256(silence).hexdigest())


def test_the_lock_is_a_file_that_people_can_read(site: Callable[..., Path], written: str) -> None:
    """A block for each episode, sorted by slug, in words of the YAML files."""
    root = site({"episodes/000-second-night.yaml": SECOND})
    assert locks.text(locked(root)) == written


def test_a_new_episode_changes_no_line_of_the_others(site: Callable[..., Path]) -> None:
    """The difference that git shows is the new episode's block."""
    before = locks.text(locked(site(folder="before"))).splitlines()
    after = locks.text(locked(site({"episodes/002-second-night.yaml": SECOND}, folder="after"))).splitlines()
    assert after[: len(before)] == before


def test_a_site_without_a_lock_has_none(tmp_path: Path) -> None:
    """No lock is no error: it is written by the first build."""
    assert locks.read(tmp_path) is None


def test_the_lock_is_read_back_as_it_was_written(site: Callable[..., Path]) -> None:
    """Writing and reading lose nothing, also when git turned the ends of lines."""
    root = site({"episodes/002-second-night.yaml": SECOND})
    lock = locked(root)
    assert locks.write(root, lock)
    assert locks.read(root) == lock
    (root / locks.NAME).write_bytes(locks.text(lock).replace("\n", "\r\n").encode())
    assert locks.read(root) == lock
    assert not locks.write(root, lock)


def _is_line(text: str) -> bool:
    try:
        return text != "" and values.control_character(text) is None and values.line(text) == text
    except ValueError:
        return False


def _is_file(text: str) -> bool:
    try:
        return values.file_path(text) == text
    except ValueError:
        return False


_WORDS = st.text(min_size=1, max_size=30).map(str.strip).filter(_is_line)
_SLUGS = st.text(min_size=1, max_size=30).map(values.slug).filter(bool)
_COUNTS = st.none() | st.integers(0, 10**9 - 1)
_MOMENTS = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC)).map(  # noqa: DTZ001
    lambda date: date.replace(microsecond=0)
)
_AUDIO = st.builds(
    LockedAudio, url=st.just("https://example.org/a%20b.mp3?x=1&y=:"), length=_COUNTS, type=_WORDS, duration=_COUNTS
) | st.builds(
    LockedAudio,
    file=_WORDS.map(lambda text: "static/" + text.replace("\\", "/")).filter(_is_file),
    sha256=st.just("0" * 64),
    length=_COUNTS,
    type=st.just("audio/mpeg"),
)


@st.composite
def _episodes(draw: st.DrawFn) -> LockedEpisode:
    published, first = draw(_MOMENTS), draw(st.none() | _MOMENTS)
    return LockedEpisode(
        guid=draw(_WORDS),
        title=draw(_WORDS),
        published=published,
        first_published=None if first == published else first,
        audio=draw(st.none() | _AUDIO),
    )


@given(st.dictionaries(_SLUGS, _episodes(), max_size=3).filter(
    lambda found: len({one.guid for one in found.values()}) == len(found)
))  # fmt: skip
def test_any_lock_is_read_back_as_it_was_written(episodes: dict[str, LockedEpisode]) -> None:
    """Whatever a title or guid holds (quotes, colons, null, any script) survives, and twice gives the same text."""
    lock = Lock(show=LockedShow(guid=GUID, feed="https://example.org/feed.xml"), episodes=episodes)
    found, thorough = both_ways(locks.text(lock))
    assert found == thorough == (lock, locks.text(lock))


def both_ways(written: str) -> tuple[Any, Any]:
    """The lock in a text and how it is written again, or what is wrong with it: the usual way, and as any YAML file."""

    def found() -> Any:
        try:
            lock = locks.parse(written)
        except ContentError as error:
            return error.problems
        assert lock.place("show.guid").line
        return lock, locks.text(lock)

    with mock.patch.object(locks, "_own", return_value=None):
        thorough = found()
    return found(), thorough


_BITS = [
    "", "\n", " ", ":", '"', "\\", "#", " #", "- ", "0", "a", "Z", "&a ", "!", "~", "null", '""', "\ufeff", "\x07",
    "\t", "\u2028", "é", "https://", "..", "  ", "\n\n", "    audio:\n", "      type: a\n",
    "      url: https://example.org/\n",
]  # fmt: skip


@settings(max_examples=3 * settings().max_examples)
@given(st.data())
def test_a_lock_with_anything_changed_is_read_as_yaml(data: st.DataObject) -> None:
    """Podsite knows its own hand by the letter; what differs in the least is read, and refused, as it always was."""
    text = WRITTEN.format(sha256="0" * 64)
    start = data.draw(st.integers(text.index("version"), len(text)))
    rest = text[start + data.draw(st.integers(0, 12)) :]
    found, thorough = both_ways(text[:start] + data.draw(st.sampled_from(_BITS)) + rest)
    assert found == thorough


def test_a_lock_as_podsite_wrote_it_needs_no_yaml(written: str) -> None:
    """Ten thousand episodes are read in a blink; git's ends of lines on Windows are gone before."""
    with mock.patch.object(nodes, "compose", side_effect=nodes.compose) as parsed:
        assert [*locks.parse(written).episodes] == ["first-night", "second-night"]
        assert parsed.call_count == 0


def test_a_merge_conflict_left_in_is_told_with_every_mark(written: str) -> None:
    """Git writes into the file; whoever commits that gets all the lines to clean up."""
    torn = written.replace("  second-night:", "<<<<<<< HEAD\n  second-night:").replace(
        "      duration: 1234\n", "=======\n>>>>>>> other\n"
    )
    told = "a merge conflict is left in the file; keep the episodes of both sides, delete the lines of the conflict"
    lines = [number for number, line in enumerate(torn.splitlines(), 1) if line[:7] in {"<" * 7, "=" * 7, ">" * 7}]
    assert problems(torn) == [f"podsite.lock:{line}:1: {told} and build again" for line in lines]


RESTORE = "; podsite writes this file; bring it back with 'git checkout podsite.lock' and build again"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("    guid: 4cf", "    gid: 4cf", "12:5: episodes.first-night.gid: unknown key 'gid' (did you mean 'guid'?)"),
        ("2025-03-01T", "2025-03-41T", "14:16: episodes.first-night.published: '2025-03-41T00:00:00Z' does not exist; "
         "check the day and the time"),
        ("  second-night:", "  first-night:", "22:3: episodes: key 'first-night' stands twice, first on line 11; "
         "keep one"),
        ("5129742c-6c9b-5202-8785-e54af16213c8", "4cf75e27-6c17-5b7b-86f9-cb34b85cebc8",
         "23:11: episodes.second-night.guid: the guid of 'first-night' stands here again"),
        ("      file: episodes/001-first-night.mp3\n", "", "16:7: episodes.first-night.audio: expected either 'url' or "
         "'file'"),
        ("length: 4056", "length: 4k", "18:15: episodes.first-night.audio.length: expected a length in bytes such as "
         "1048576, found '4k'"),
        ("sha256: ", "sha256: x", "17:15: episodes.first-night.audio.sha256: expected 64 hexadecimal digits under "
         "'sha256'"),
    ],
)  # fmt: skip
def test_an_edit_by_hand_is_told_with_its_line(written: str, old: str, new: str, told: str) -> None:
    """A lock that is not understood stops the build: half of one would let things move without a word."""
    assert f"podsite.lock:{told}{RESTORE}" in problems(written.replace(old, new, 1))


def test_all_mistakes_are_told_at_once(written: str) -> None:
    """Nobody mends one line to be told of the next."""
    assert len(problems(written.replace("published:", "publishd:").replace("feed: https", "feed: ftp"))) == 3


def test_an_empty_lock_is_no_lock(tmp_path: Path) -> None:
    """An emptied file is a mistake and not a new beginning."""
    (tmp_path / locks.NAME).write_bytes(b"")
    with pytest.raises(ContentError, match=r"podsite\.lock: is empty"):
        locks.read(tmp_path)


def test_a_lock_of_a_newer_podsite_asks_for_an_update(written: str) -> None:
    """An old podsite must not drop what it does not know."""
    told = "podsite.lock:4:1: version: was written by a newer podsite (version 2 of the file; this one knows 1)"
    assert problems(written.replace("version: 1", "version: 2") + "news: 1\n") == [f"{told}; update podsite"]


@pytest.mark.parametrize("options", [{"future": True}, {"drafts": True, "future": True}], ids=["build", "preview"])
def test_drafts_are_not_in_the_lock(site: Callable[..., Path], options: dict[str, bool]) -> None:
    """A draft may still change, even while a preview shows it; what is scheduled is committed before its time."""
    scheduled, draft = SECOND.replace("2025", "2031"), SECOND + "    draft: true\n"
    root = site({"episodes/002-later.yaml": scheduled, "episodes/003-draft.yaml": draft})
    assert list(locked(root, **options).episodes) == ["first-night", "later"]


def test_what_is_scheduled_is_no_promise_yet(site: Callable[..., Path]) -> None:
    """Until its moment comes, an episode may change or go without anybody noticing."""
    root = site({"episodes/002-later.yaml": SECOND.replace("2025", "2031")})
    lock = locked(root, future=True)
    assert list(lock.episodes) == ["first-night", "later"]
    assert list(locks.known(lock, NOW).episodes) == ["first-night"]


def test_when_an_episode_first_went_out_is_never_forgotten(site: Callable[..., Path]) -> None:
    """A date moved on purpose, twice, and a rename leave the first date on record."""
    root = site({"episodes/001-first-night.yaml": None, "episodes/002-second-night.yaml": SECOND})
    file = root / "episodes/002-second-night.yaml"
    lock = locked(root)
    first = lock.episodes["second-night"].published
    guid = lock.episodes["second-night"].guid
    for day in ("2025-05-01", "2025-06-01"):
        file.write_text(file.read_text(encoding="utf-8").replace("2025-04-01", day), encoding="utf-8")
        lock = locked(root, lock)
        assert lock.episodes["second-night"].first == first
    file.write_text(f"{file.read_text(encoding='utf-8')}guid: {guid}\n", encoding="utf-8")
    lock = locked(root, locked(root, lock))
    file.rename(root / "episodes/002-late-night.yaml")
    renamed = locked(root, lock).episodes["late-night"]
    assert (renamed.guid, renamed.first) == (guid, first)
    assert "first_published: 2025-04-01T06:30:00Z" in locks.text(locked(root, lock))


def test_an_address_for_one_build_is_not_the_feeds_address(site: Callable[..., Path]) -> None:
    """--base-url serves a preview; subscribers come by the address in show.yaml."""
    root = site()
    assert locked(root, base_url="https://preview.example.net/").show.feed == "https://example.org/quiet/feed.xml"


def test_a_prefix_is_not_in_the_lock(site: Callable[..., Path]) -> None:
    """Switching statistics on or off moves no recording."""
    files = {"episodes/002-second-night.yaml": SECOND}
    plain = locked(site(files, folder="plain"))
    root = site(files, folder="counted")
    show = (root / "show.yaml").read_text(encoding="utf-8")
    (root / "show.yaml").write_text(f"{show}feed: {{prefix: 'https://op3.dev/e/'}}\n", encoding="utf-8")
    assert locked(root) == plain


def test_a_fresh_clone_comes_to_the_same_lock(site: Callable[..., Path]) -> None:
    """Lock and cache lost, other times of files: the same text, to the byte."""
    files = {"episodes/002-second-night.yaml": SECOND}
    here, there = site(files, folder="here"), site(files, folder="there")
    os.utime(there / "episodes/001-first-night.mp3", (1, 1))
    assert locks.text(locked(here)) == locks.text(locked(there))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows takes no zone from the environment")
def test_the_machines_zone_is_not_in_the_lock(site: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Dates are in UTC, wherever the build runs."""
    root = site({"episodes/002-second-night.yaml": SECOND})
    before = locks.text(locked(root))
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TZ", "Asia/Kathmandu")
        time.tzset()
        assert locks.text(locked(root)) == before
    time.tzset()


def test_an_unchanged_recording_is_read_once(site: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Gigabytes of audio are not read again at each build."""
    root, read_files, digest = site(), [], hashlib.file_digest

    def counted(file: Any, name: str) -> Any:
        read_files.append(name)
        return digest(file, name)

    monkeypatch.setattr(hashlib, "file_digest", counted)
    assert locked(root) == locked(root)
    assert len(read_files) == 1


def test_a_recording_swapped_for_one_of_equal_length_and_time_is_seen(site: Callable[..., Path]) -> None:
    """Neither length nor time of modification tells such a swap."""
    root = site()
    audio = root / "episodes/001-first-night.mp3"
    before, found = locked(root), audio.stat()
    other = audio.with_suffix(".new")
    other.write_bytes(audio.read_bytes()[:-1] + b"\x01")
    os.utime(other, ns=(found.st_atime_ns, found.st_mtime_ns))
    other.replace(audio)
    after = locked(root)
    old, new = before.episodes["first-night"].audio, after.episodes["first-night"].audio
    assert old and new
    assert (old.length, old.duration) == (new.length, new.duration)
    assert old.sha256 != new.sha256


def test_writing_what_is_there_changes_nothing(site: Callable[..., Path]) -> None:
    """Only a real change touches the file, and nothing is left beside it."""
    root = site()
    assert locks.write(root, locked(root))
    os.utime(root / locks.NAME, (1, 1))
    assert not locks.write(root, locked(root))
    assert (root / locks.NAME).stat().st_mtime == 1
    assert not [name for name in os.listdir(root) if name.startswith(f".{locks.NAME}")]


def test_a_show_without_an_episode_gets_no_lock(site: Callable[..., Path]) -> None:
    """Whoever begins under a stand-in address is not held to it, and neither is its guid."""
    root = site({"episodes/001-first-night.yaml": None})
    lock = locked(root)
    assert not locks.write(root, lock)
    assert locks.read(root) is None


def test_what_went_out_is_filled_in_where_the_files_give_no_guid(site: Callable[..., Path]) -> None:
    """Show and episodes get theirs from the lock; what a file says comes first; new episodes get none."""
    root = site({"episodes/002-second-night.yaml": SECOND, "episodes/003-third.yaml": SECOND + "    guid: mine\n"})
    lock = locked(root)
    episodes = {slug: one for slug, one in lock.episodes.items() if slug != "second-night"}
    old = Lock(show=LockedShow(guid=GUID.replace("9", "8"), feed=lock.show.feed), episodes=episodes)
    linked, _ = link(locks.identified(read(root), old), NOW)
    fresh, _ = link(read(root), NOW)
    assert linked.guid == GUID
    known = lock.episodes["first-night"].guid
    assert [entry.guid for entry in linked.entries] == ["mine", fresh.entries[1].guid, known]
    assert [entry.episode for entry in linked.entries] == [entry.episode for entry in fresh.entries]


@pytest.mark.parametrize("old", [None, Lock(show=LockedShow(guid=GUID, feed="https://example.org/feed.xml"))])
def test_while_nothing_went_out_nothing_is_filled_in(site: Callable[..., Path], old: Lock | None) -> None:
    """Neither without a lock nor by one without episodes."""
    content = read(site())
    assert locks.identified(content, old) is content


def test_a_lock_that_cannot_be_written_says_so(site: Callable[..., Path]) -> None:
    """The system's reason, and what to do."""
    root = site()
    (root / locks.NAME).mkdir()
    with pytest.raises(OutputError, match=r"podsite\.lock: cannot be written: .+; mend that and build again"):
        locks.write(root, locked(root))
