"""Promises of the publish guard: what listeners would suffer from stops the build, and nothing else does."""

from __future__ import annotations

import os
import sys
import time
import uuid
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from podsite import guard
from podsite import lock as locks
from podsite.cache import Cache
from podsite.errors import Problem, UsageError
from podsite.lock import Lock
from podsite.read import Content, read
from podsite.site import link

NOW = datetime(2026, 2, 2, tzinfo=UTC)
SHOW_GUID = "917393e3-1b1e-5cef-ace4-edaa54e1f810"
FIRST, SECOND = (str(uuid.uuid5(uuid.UUID(SHOW_GUID), slug)) for slug in ("first-night", "second-night"))
SECOND_YAML = """
    title: "The second night"
    published: 2025-04-01 08:30 +02:00
    summary: "What one hears later."
    audio: {url: "https://media.example.net/2.m4a", length: 1234567, duration: "20:34"}
"""
ONE, TWO, MP3 = "episodes/001-first-night.yaml", "episodes/002-second-night.yaml", "episodes/001-first-night.mp3"
AGAIN = "podcast apps will show this episode a second time and download it again: "
Edit = Callable[[Path], object]


def state(root: Path, old: Lock | None = None) -> tuple[Content, Lock]:
    """What the site says now, and the lock a build would write."""
    content = locks.identified(read(root), old)
    site, _ = link(content, NOW, future=True)  # as a build does: the lock knows what is scheduled
    return content, locks.lock_of(site, root, old, Cache(root / ".podsite"))


def replaced(file: str, old: str, new: str) -> Edit:
    """An edit that puts a text in the place of another."""

    def edit(root: Path) -> None:
        text = (root / file).read_text(encoding="utf-8")
        assert old in text
        (root / file).write_text(text.replace(old, new), encoding="utf-8")

    return edit


def added(file: str, lines: str) -> Edit:
    """An edit that adds lines at a file's end."""
    return lambda root: (root / file).write_text((root / file).read_text(encoding="utf-8") + lines, encoding="utf-8")


def moved(file: str, other: str) -> Edit:
    """An edit that gives a file another name."""
    return lambda root: (root / file).rename(root / other)


def all_of(*edits: Edit) -> Edit:
    """Several edits in turn."""
    return lambda root: [edit(root) for edit in edits]


@pytest.fixture
def nights(site: Callable[..., Path]) -> Path:
    """A site of two episodes, one with its recording beside it and one with it elsewhere."""
    return site({TWO: SECOND_YAML})


Told = Callable[..., list[Problem]]


@pytest.fixture
def told(nights: Path) -> Told:
    """Gives what the guard says of an edit after the site went out."""

    def problems(edit: Edit, accept: Iterable[str] = ()) -> list[Problem]:
        _, old = state(nights)
        locks.write(nights, old)
        edit(nights)
        old = locks.read(nights) or old
        content, new = state(nights, old)
        return guard.problems(old, new, content, accept, now=NOW)

    return problems


SWAPPED = b"\xff\xfb\x10\xc0" + bytes(100)
REFUSED: dict[str, tuple[Edit, str]] = {
    "another guid": (
        added(ONE, "guid: mine\n"),
        f"{ONE}:6:7: guid: {AGAIN}its guid was '{FIRST}' and is now 'mine'; write 'guid: {FIRST}'; or, where it is "
        "meant, build with --accept first-night:guid",
    ),
    "another date": (
        replaced(ONE, "2025-03-01", "2025-03-02"),
        f"{ONE}:3:12: published: podcast apps will move this episode in their lists, and some show it as new: it was "
        "out on 2025-03-01T00:00:00Z and is now dated 2025-03-02T00:00:00Z; write 'published: 2025-03-01T00:00:00Z'; "
        "or, where it is meant, build with --accept first-night:published",
    ),
    "another zone": (
        added("show.yaml", "timezone: Europe/Berlin\n"),
        f"{ONE}:3:12: published: podcast apps will move this episode in their lists, and some show it as new: it was "
        "out on 2025-03-01T00:00:00Z and is now dated 2025-02-28T23:00:00Z; write 'published: 2025-03-01T00:00:00Z'; "
        "or, where it is meant, build with --accept first-night:published",
    ),
    "a longer recording": (
        lambda root: (root / MP3).write_bytes((root / MP3).read_bytes() + SWAPPED),
        f"{ONE}:1:1: audio: podcast apps will download this episode again, or go on in the old recording at the wrong "
        f"moment: the recording had 4,056 bytes and has 4,160; put the old recording back ({MP3}); or, where it is "
        "meant, build with --accept first-night:audio",
    ),
    "a recording of equal length": (
        lambda root: (root / MP3).write_bytes((root / MP3).read_bytes()[:-1] + b"\x01"),
        f"{ONE}:1:1: audio: podcast apps will download this episode again, or go on in the old recording at the wrong "
        f"moment: the recording is of the same length, but not the same; put the old recording back ({MP3}); or, where "
        "it is meant, build with --accept first-night:audio",
    ),
    "a recording elsewhere, swapped": (
        replaced(TWO, "1234567", "2345678"),
        f"{TWO}:4:8: audio: podcast apps will download this episode again, or go on in the old recording at the wrong "
        "moment: the recording had 1,234,567 bytes and has 2,345,678; put the old recording back "
        "(https://media.example.net/2.m4a); or, where it is meant, build with --accept second-night:audio",
    ),
    "another type": (
        replaced(TWO, "length:", "type: audio/mp4, length:"),
        f"{TWO}:4:8: audio: some podcast apps will download this episode again: its type was audio/x-m4a and is "
        "audio/mp4; write 'type: audio/x-m4a' under 'audio:'; or, where it is meant, build with --accept "
        "second-night:audio",
    ),
    "no recording": (
        lambda root: (root / MP3).unlink(),
        f"{ONE}:1:1: audio: podcast apps will drop this episode: it has no recording any more; put the old recording "
        f"back ({MP3}); or, where it is meant, build with --accept first-night:audio",
    ),
    "deleted": (
        lambda root: (root / TWO).unlink(),
        "podsite.lock:23:5: episodes.second-night: podcast apps will drop the episode 'The second night', which went "
        "out on 2025-04-01: there is no file of it any more; bring the file back; or, where it is meant, build with "
        "--accept second-night:gone",
    ),
    "a draft again": (
        added(TWO, "draft: true\n"),
        f"{TWO}:5:8: draft: podcast apps will drop the episode 'The second night', which went out on 2025-04-01: it is "
        "a draft now; take 'draft' out; or, where it is meant, build with --accept second-night:gone",
    ),
    "scheduled again": (
        replaced(TWO, "2025-04-01", "2031-04-01"),
        f"{TWO}:2:12: published: podcast apps will drop this episode until 2031-04-01T06:30:00Z, and then show it as "
        "new: it was out on 2025-04-01T06:30:00Z; write 'published: 2025-04-01T06:30:00Z'; or, where it is meant, "
        "build with --accept second-night:published",
    ),
    "another show": (
        replaced("show.yaml", SHOW_GUID, "00000000-0000-4000-8000-000000000000"),
        "show.yaml:8:7: guid: apps and directories will take this for another show, and its statistics and places in "
        f"lists may be lost: its guid was '{SHOW_GUID}' and is now '00000000-0000-4000-8000-000000000000'; write "
        f"'guid: {SHOW_GUID}'; or, where it is meant, build with --accept show.yaml:guid",
    ),
    "another address": (
        replaced("show.yaml", "example.org/quiet/", "quiet.example.net/"),
        "show.yaml:5:6: url: apps of your subscribers go on asking https://example.org/quiet/feed.xml, and the feed is "
        "now at https://quiet.example.net/feed.xml; let the old address lead to the new one and write 'new_feed_url: "
        "https://quiet.example.net/feed.xml' under 'feed:'; or, where it is meant, build with --accept show.yaml:feed",
    ),
    "another path of the feed": (
        added("show.yaml", "feed: {path: rss.xml}\n"),
        "show.yaml:13:14: feed.path: apps of your subscribers go on asking https://example.org/quiet/feed.xml, and the "
        "feed is now at https://example.org/quiet/rss.xml; keep it there too: write 'aliases: [/feed.xml]' under "
        "'feed:'; or, where it is meant, build with --accept show.yaml:feed",
    ),
    "renamed": (
        moved(TWO, "episodes/002-late-night.yaml"),
        f"episodes/002-late-night.yaml:1:1: guid: {AGAIN}'second-night' is gone, and 'late-night' has the same "
        "recording, the same title and the same date, but another guid; if it is the same episode, write "
        f"'guid: {SECOND}' and 'aliases: [/episodes/second-night/]' here; or, where it is meant, build with --accept "
        "second-night:gone",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_listeners_would_suffer_from_stops_the_build(told: Told, name: str) -> None:
    """Each says what apps do, what it was and is, and the line to write."""
    edit, message = REFUSED[name]
    assert [str(problem) for problem in told(edit) if problem.severity == "error"] == [message]


@pytest.mark.parametrize("name", REFUSED)
def test_each_can_be_accepted_by_the_name_it_gives(told: Told, name: str) -> None:
    """The message ends in the very option that lets it pass."""
    edit, message = REFUSED[name]
    accepted = message.rpartition("--accept ")[2]
    assert told(edit, [accepted]) == []


def renamed(*lines: str) -> Edit:
    """The second episode under another name, with lines added to its file."""
    return all_of(moved(TWO, "episodes/002-late-night.yaml"), added("episodes/002-late-night.yaml", "".join(lines)))


KEPT: dict[str, Edit] = {
    "nothing": lambda root: root,
    "title": replaced(ONE, "The first night", "Night one"),
    "slug with guid and alias": renamed(f"guid: {SECOND}\n", "aliases: [/episodes/second-night/]\n"),
    "slug with guid and alias of its file": renamed(
        f"guid: {SECOND}\n", "aliases: [/episodes/second-night/index.html]\n"
    ),
    "slug kept under another name of the file": all_of(
        moved(TWO, "episodes/042-renamed.yaml"), added("episodes/042-renamed.yaml", "slug: second-night\n")
    ),
    "numbers in the names of files": all_of(
        moved(ONE, "episodes/101-first-night.yaml"), moved(MP3, "episodes/101-first-night.mp3")
    ),
    "prefix": added("show.yaml", "feed: {prefix: 'https://op3.dev/e/'}\n"),
    "limit of the feed": added("show.yaml", "feed: {limit: 1}\n"),
    "theme": replaced("show.yaml", "theme: {", "theme: {accent: '#b4451f', "),
    "address moved with new_feed_url": all_of(
        replaced("show.yaml", "example.org/quiet/", "quiet.example.net/"),
        added("show.yaml", "feed: {new_feed_url: 'https://quiet.example.net/feed.xml'}\n"),
    ),
    "feed kept at its old path": added("show.yaml", "feed: {path: rss.xml, aliases: [/feed.xml]}\n"),
    "recording moved to another host": replaced(TWO, "media.example.net/", "cdn.example.com/a/"),
    "recording moved out of the site": all_of(
        moved(MP3, "first.mp3"),
        added(ONE, "audio: {url: 'https://cdn.example.com/1.mp3', length: 4056, duration: 1}\n"),
    ),
    "recording moved inside the site": all_of(
        moved(MP3, "static/1.mp3"), added(ONE, "audio: static/1.mp3\n")
    ),
    "duration told better": replaced(TWO, "20:34", "20:35"),
    "computed guid written out": added(ONE, f"guid: {FIRST}\n"),
    "a new episode": lambda root: (root / "episodes/003-third.yaml").write_text(
        'title: "Third"\npublished: 2025-05-01\nsummary: "New."\n', encoding="utf-8"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KEPT)
def test_what_listeners_do_not_notice_passes_without_a_word(told: Told, name: str) -> None:
    """Titles, addresses, statistics, looks and hosts may change: no guid moves, and there is no noise."""
    assert told(KEPT[name]) == []


@pytest.mark.parametrize("name", KEPT)
def test_no_guid_moves_with_a_lock_or_without(nights: Path, name: str) -> None:
    """A fresh clone without the lock computes the very guids that are out."""
    KEPT[name](nights)
    _, lock = state(nights)
    assert lock.show.guid == SHOW_GUID
    assert {FIRST, SECOND} <= {episode.guid for episode in lock.episodes.values()}


def test_the_guids_that_went_out_outlive_what_they_were_computed_from(site: Callable[..., Path]) -> None:
    """A show without `guid:` may move and later get one of its own: its episodes keep theirs."""
    root = site({TWO: SECOND_YAML})
    replaced("show.yaml", f"guid: {SHOW_GUID}\n", "")(root)
    _, old = state(root)
    KEPT["address moved with new_feed_url"](root)
    content, new = state(root, old)
    assert guard.problems(old, new, content) == []
    assert new.show.guid == old.show.guid
    added("show.yaml", f"guid: {SHOW_GUID}\n")(root)
    content, new = state(root, old)
    assert [problem.path for problem in guard.problems(old, new, content)] == ["guid"]
    assert {one.guid for one in new.episodes.values()} == {one.guid for one in old.episodes.values()}


def test_a_new_episode_at_the_slug_of_a_renamed_one_is_another(told: Told) -> None:
    """The old guid went along with the renamed one; podsite says so before apps take both for one."""
    new = 'title: "Third"\npublished: 2025-05-01\nsummary: "New."\n'
    edit = all_of(renamed(f"guid: {SECOND}\n"), lambda root: (root / TWO).write_text(new, encoding="utf-8"))
    found = [one for one in told(edit) if one.severity == "error"]
    assert [(one.place.file, one.path) for one in found] == [("episodes/002-late-night.yaml", "guid")]


def test_a_new_episode_at_an_old_slug_with_a_guid_of_its_own_is_fine(told: Told) -> None:
    """Nothing keeps a slug from being used again."""
    new = 'title: "Third"\npublished: 2025-05-01\nsummary: "New."\nguid: third\n'
    edit = all_of(renamed(f"guid: {SECOND}\n"), lambda root: (root / TWO).write_text(new, encoding="utf-8"))
    assert [one.severity for one in told(edit, ["second-night:aliases"])] == []


def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another machine: its zone, its order of files, its version of podsite."""
    listed = os.listdir
    monkeypatch.setattr(os, "listdir", lambda *where: sorted(listed(*where), reverse=True))
    monkeypatch.setattr("podsite.__version__", "99.0")
    monkeypatch.setattr("podsite.cache.__version__", "99.0")
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    if sys.platform != "win32":
        time.tzset()


def test_no_guid_moves_with_the_machine(nights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Zone, order of files and podsite's version are the machine's, identity is the show's."""
    _, before = state(nights)
    with monkeypatch.context() as other:
        machine(other)
        content, after = state(nights)
    if sys.platform != "win32":
        time.tzset()
    assert locks.text(after) == locks.text(before)
    assert guard.problems(before, after, content) == []


def test_a_rename_without_alias_warns_of_dead_links(told: Told) -> None:
    """Apps do not mind, but somebody's link does."""
    (problem,) = told(renamed(f"guid: {SECOND}\n"))
    assert problem.severity == "warning"
    assert problem.message.startswith(
        "links to /episodes/second-night/ will lead nowhere: the episode's page is now /episodes/late-night/; "
        "write 'aliases: [/episodes/second-night/]'"
    )


def test_a_page_left_behind_can_be_accepted(told: Told) -> None:
    """Whoever knows that nobody links there says so once."""
    assert told(renamed(f"guid: {SECOND}\n"), ["second-night:aliases"]) == []


def test_a_rename_is_guessed_by_the_most_that_is_the_same(told: Told) -> None:
    """Of two new files, the one with the same recording is meant, though another has the same date."""
    other = SECOND_YAML.replace("second", "third").replace("/2.m4a", "/3.m4a").replace("    ", "")
    edit = all_of(
        renamed(), lambda root: (root / "episodes/001-other.yaml").write_text(other.lstrip(), encoding="utf-8")
    )
    (problem,) = [one for one in told(edit) if one.severity == "error"]
    assert problem.place.file == "episodes/002-late-night.yaml"


def test_a_new_episode_is_not_taken_for_a_deleted_one(told: Told) -> None:
    """Where nothing is the same, one is new and the other is gone."""
    new = 'title: "Third"\npublished: 2025-05-01\nsummary: "New."\naudio: https://example.net/3.mp3\n'
    edit = all_of(
        moved(TWO, "episodes/003-third.yaml"), lambda root: (root / "episodes/003-third.yaml").write_text(new)
    )
    (problem,) = told(edit)
    assert "podcast apps will drop the episode 'The second night'" in problem.message


def test_an_episode_whose_place_another_has_taken_is_gone(told: Told) -> None:
    """Guids passed on from file to file leave one without."""
    found = [str(one) for one in told(all_of(added(ONE, "guid: mine\n"), added(TWO, f"guid: {FIRST}\n")))]
    assert any(f"another has its place, with another guid; write 'guid: {SECOND}'" in one for one in found)


def test_an_identity_taken_from_another_episode_is_refused(told: Told) -> None:
    """A file copied with its guid would make two episodes one, also where the other's guid is only computed."""
    found = told(added(TWO, f"guid: {FIRST}\n"))
    expected = f"{TWO}:5:7: guid: the guid '{FIRST}' belongs to {ONE} already, so apps would see one episode; "
    assert f"{expected}take 'guid' out if this is another, or give that one another slug if it is" in map(str, found)


def test_episodes_of_one_instant_may_move_by_seconds(site: Callable[..., Path]) -> None:
    """The seconds podsite sets them apart by are nothing to listeners when a third one joins them."""
    other = SECOND_YAML.replace("2025-04-01 08:30 +02:00", "2025-03-01").replace("2.m4a", "3.m4a")
    root = site({TWO: other})
    _, old = state(root)
    replaced(ONE, "The first night", "An hour")(root)
    replaced(ONE, "number: 1\n", "")(root)
    content, new = state(root, old)
    assert old.episodes["first-night"].published != new.episodes["first-night"].published
    assert guard.problems(old, new, content) == []


def test_while_nothing_is_out_everything_may_change(site: Callable[..., Path]) -> None:
    """A show begun under a stand-in address has no subscriber to lose."""
    root = site({ONE: None})
    _, old = state(root)
    replaced("show.yaml", "example.org/quiet/", "quiet.example.net/")(root)
    replaced("show.yaml", SHOW_GUID, "00000000-0000-4000-8000-000000000000")(root)
    content, new = state(root, old)
    assert guard.problems(old, new, content) == []


def test_the_first_build_has_nothing_to_guard(nights: Path) -> None:
    """Without a lock there is nothing that could have moved."""
    content, new = state(nights)
    assert guard.problems(None, new, content) == []


@pytest.mark.parametrize("accept", ["first-night", "first-night:audio", "*:audio"])
def test_one_episode_or_one_change_can_be_accepted(told: Told, accept: str) -> None:
    """By slug, by slug and change, or one change of all episodes, as when a back catalogue is encoded anew."""
    assert told(REFUSED["a longer recording"][0], [accept]) == []


def test_accepting_one_thing_accepts_no_other(told: Told) -> None:
    """The show is not among all episodes, and a date is not a recording."""
    edit = all_of(
        *(REFUSED[name][0] for name in ("another guid", "a longer recording", "another date", "another show"))
    )
    found = [problem.path for problem in told(edit, ["*:guid", "first-night:published"])]
    assert found == ["audio", "guid"]


@pytest.mark.parametrize(
    ("accept", "message"),
    [
        ("frist-night", "--accept frist-night: no episode 'frist-night' (did you mean 'first-night'?)"),
        ("*", "--accept *: no episode '*'"),
        ("first-night:feed", "--accept first-night:feed: expected one of guid, published, audio, gone, aliases, found "
         "'feed'"),
        ("first-night:date", "--accept first-night:date: expected one of guid, published, audio, gone, aliases, found "
         "'date'"),
        ("first-night:audo", "--accept first-night:audo: expected one of guid, published, audio, gone, aliases, found "
         "'audo' (did you mean 'audio'?)"),
        ("show.yaml:audio", "--accept show.yaml:audio: expected one of guid, feed, found 'audio'"),
    ],
)  # fmt: skip
def test_accepting_what_there_is_not_is_wrong_usage(told: Told, accept: str, message: str) -> None:
    """A slip in the option must not pass for a consent."""
    with pytest.raises(UsageError) as error:
        told(lambda _: None, [accept])
    assert str(error.value) == message


def test_accepting_what_did_not_happen_warns(told: Told) -> None:
    """A consent left in a script would let the next accident pass."""
    (problem,) = told(lambda _: None, ["first-night:audio"])
    assert problem.severity == "warning"
    assert str(problem).endswith("--accept first-night:audio: nothing is left to accept; take it out")


def test_changes_that_apps_do_not_mind_are_known_all_the_same(nights: Path) -> None:
    """The guard's list tells of them as notes."""
    _, old = state(nights)
    KEPT["recording moved to another host"](nights)
    content, new = state(nights, old)
    (note,) = guard.changes(old, new, content)
    assert (note.severity, note.name) == ("note", "second-night:audio")
    assert "https://media.example.net/2.m4a to https://cdn.example.com/a/2.m4a; apps keep what they have" in note.words


def test_a_locked_build_tells_what_the_lock_does_not_know(nights: Path) -> None:
    """On a server that must not write the lock, it has to be committed with the content."""
    _, old = state(nights)
    assert guard.behind(old, old) == []
    added(ONE, "draft: true\n")(nights)
    KEPT["a new episode"](nights)
    _, new = state(nights, old)
    (problem,) = guard.behind(old, new)
    assert str(problem) == (
        "podsite.lock: does not know this yet: first-night, third; run 'podsite build' without --locked and commit "
        "podsite.lock"
    )
    (first,) = guard.behind(None, new)
    assert "show.yaml, second-night, third" in first.message


def test_a_locked_build_of_a_site_without_episodes_needs_no_lock(site: Callable[..., Path]) -> None:
    """There is nothing to know."""
    _, new = state(site({ONE: None}))
    assert guard.behind(None, new) == []
