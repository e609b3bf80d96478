"""Promises of `podsite diff`: what listeners will notice, against any earlier state, in a podcaster's words."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podsite import difference as differences
from podsite import lock as locks
from podsite.cache import Cache
from podsite.difference import difference, facts_of_lock, markdown, resolve, text
from podsite.errors import ContentError, UsageError
from podsite.feeds.facts import FeedFacts, ItemFacts, facts_of_feed, newest_first
from podsite.read import read
from podsite.site import link

NOW = datetime(2026, 2, 2, tzinfo=UTC)
DAY = datetime(2025, 3, 1, 6, tzinfo=UTC)
FEED = """\
<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom"
  xmlns:podcast="https://podcastindex.org/namespace/1.0">
<channel>
  <atom:link rel="self" href="https://example.org/feed.xml"/>
  <title>Quiet Hours</title>
  <link>https://example.org/</link>
  <podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>
  <image><title>Not the show's</title><link>https://example.org/nor/this</link></image>
  <item>
    <itunes:title>Short</itunes:title>
    <title>The  first night</title>
    <guid isPermaLink="false">one</guid>
    <pubDate>Sat, 01 Mar 2025 08:00:00 +0200</pubDate>
    <description><![CDATA[<p>What one &amp; all hear. <a href="https://example.org/1/">https://example.org/1/</a></p>]]></description>
    <enclosure url="https://example.org/1.mp3" length="4056" type="audio/mpeg"/>
    <itunes:duration>1:02:03</itunes:duration>
  </item>
</channel>
</rss>
"""
FIRST = ItemFacts(
    guid="one",
    title="The first night",
    published=DAY,
    description="What one & all hear. /1/",
    url="https://example.org/1.mp3",
    length=4056,
    type="audio/mpeg",
    duration=3723,
)


def night(number: int) -> ItemFacts:
    """The episode of that number, a day after the one before."""
    return ItemFacts(
        guid=f"guid-{number}",
        title=f"Night {number}",
        published=DAY + timedelta(days=number),
        url=f"https://example.org/{number}.mp3",
        length=1_000_000 + number,
        type="audio/mpeg",
        duration=600 + number,
    )


def feed(*items: ItemFacts) -> FeedFacts:
    """A feed of episodes."""
    return FeedFacts(
        title="Nights", guid="show", address="https://example.org/feed.xml", items=newest_first(iter(items))
    )


OLD = feed(*map(night, range(4)))


def with_changes(number: int, **facts: object) -> FeedFacts:
    """The feed `OLD` with facts of one episode changed."""
    return feed(*(replace(one, **facts) if one.guid == f"guid-{number}" else one for one in OLD.items))  # type: ignore[arg-type]


def test_a_feed_tells_what_apps_know() -> None:
    """RSS's own elements before those of namespaces, dates in UTC, words without markup or the site's address."""
    found = facts_of_feed(FEED.encode())
    assert found == FeedFacts(
        title="Quiet Hours",
        guid="917393e3-1b1e-5cef-ace4-edaa54e1f810",
        address="https://example.org/feed.xml",
        items=(FIRST,),
    )


@pytest.mark.parametrize(
    ("old", "new", "facts"),
    [
        ("</channel>\n</rss>\n", "", {}),
        ("first night</title>", "first night & more</title>", {"title": "The first night more"}),
        ('<guid isPermaLink="false">one</guid>', "<guid/>", {"guid": "https://example.org/1.mp3"}),
        ("Sat, 01 Mar 2025 08:00:00 +0200", "2025-03-01T06:00:00Z", {}),
        ("Sat, 01 Mar 2025 08:00:00 +0200", "Sat, 01 Mar 2025 06:00:00 -0000", {}),
        ("Sat, 01 Mar 2025 08:00:00 +0200", "yesterday", {"published": None}),
        ("Sat, 01 Mar 2025 08:00:00 +0200", "Sat, 01 Mar 99999 08:00:00 +0200", {"published": None}),
        ('length="4056"', 'length="47:58"', {"length": None}),
        ('length="4056"', 'length="0"', {"length": None}),
        ("<itunes:duration>1:02:03<", "<itunes:duration>at-the-races<", {"duration": None}),
        ("<enclosure ", "<nothing ", {"url": None, "length": None, "type": None}),
    ],
)  # fmt: skip
def test_a_feed_with_mistakes_tells_what_is_left(old: str, new: str, facts: dict[str, object]) -> None:
    """Other programs' feeds are as they are; what cannot be read is not told, and nothing fails."""
    assert old in FEED
    found = facts_of_feed(FEED.replace(old, new).encode())
    assert found.items == (replace(FIRST, **facts),)  # type: ignore[arg-type]


@pytest.mark.parametrize("content", [b"", b"hello", b"<html><body>Sign in</body></html>", b"\x00\x01", b"<?xml?>"])
def test_what_is_no_feed_is_told(content: bytes) -> None:
    """A page in place of a feed is a mistake to hear of, not an empty show."""
    with pytest.raises(UsageError, match=r"^old\.xml: is no RSS feed$"):
        differences.old_feed(content, "old.xml")


def test_an_entity_in_a_feed_reads_no_file(tmp_path: Path) -> None:
    """A feed from the web must not make podsite tell what is on the disk."""
    secret = tmp_path / "secret"
    secret.write_text("hunter2", encoding="utf-8")
    doctype = f'<!DOCTYPE rss [<!ENTITY x SYSTEM "{secret.as_uri()}">]>\n<rss '
    found = facts_of_feed(FEED.replace("<rss ", doctype, 1).replace("Quiet Hours", "&x;").encode())
    assert "hunter2" not in str(found)


def test_equal_feeds_have_nothing_to_notice() -> None:
    """Nothing is told but that."""
    found = difference(OLD, OLD)
    assert not found.noticed
    assert text(found, "old.xml") == "Compared with old.xml:\n\nNothing listeners will notice.\n"


def test_a_fact_that_one_side_does_not_tell_is_no_change() -> None:
    """The lock knows no descriptions, a feed no fingerprints."""
    assert not difference(with_changes(2, description="Words", sha256="0" * 64), OLD).noticed


def test_another_address_of_recording_or_feed_is_not_noticed() -> None:
    """A prefix, another host, another base URL: told, but not as something listeners see."""
    moved = [replace(one, url=f"https://op3.dev/e/example.org/{one.guid}.mp3") for one in OLD.items]
    found = difference(OLD, replace(feed(*moved), address="https://example.net/feed.xml"))
    assert not found.noticed
    assert text(found, "the feed") == (
        "Compared with the feed:\n\n"
        "The show:\n"
        "  the show itself\n"
        "      feed's address (subscribers follow where the old one leads to the new): https://example.org/feed.xml → https://example.net/feed.xml\n\n"
        "Lying elsewhere (4), which nobody notices; for instance:\n"
        "  Night 3\n"
        "      address of the recording: https://example.org/3.mp3 → https://op3.dev/e/example.org/guid-3.mp3\n"
        "  Night 2\n"
        "      address of the recording: https://example.org/2.mp3 → https://op3.dev/e/example.org/guid-2.mp3\n\n"
        "Nothing listeners will notice.\n"
    )


EVERYTHING = (
    FeedFacts(
        title="Nights",
        guid="show",
        items=(night(6), night(5), night(4), night(3), night(2), replace(night(1), description="Long " * 30)),
    ),
    FeedFacts(
        title="Days",
        guid="show",
        items=(
            night(7),
            replace(night(6), guid="other"),
            replace(night(5), length=2_000_000, sha256="1" * 64),
            replace(night(4), title="Day *4* @ada #4", duration=3700),
            replace(night(1), description="Long " * 20 + "and short"),
            replace(night(3), published=DAY),
        ),
    ),
)
TEXT = """\
Compared with old.xml:

The show:
  the show itself
      title: Nights → Days

New: apps will list them, and download them for those who wish:
  Night 7 (2025-03-08 06:00 UTC)

Twice: another guid, so apps will show them a second time:
  Night 6
      guid: guid-6 → other

Downloaded again: another recording:
  Night 5
      length of the recording: 1,000,005 bytes → 2,000,000 bytes

Moved in the list:
  Night 3 (2025-03-01 06:00 UTC)

Changed:
  Day *4* @ada #4
      title: Night 4 → Day *4* @ada #4
      duration: 10:04 → 1:01:40
  Night 1
      description: …Long Long Long Long Long Long Long Long Long Long Long Long … → …Long Long Long Long and short
  Night 3
      date: 2025-03-04 06:00 UTC → 2025-03-01 06:00 UTC

Gone: apps will drop them:
  Night 2 (2025-03-03 06:00 UTC)

Listeners will notice: 1 new, 1 twice, 1 downloaded again, 1 moved, 3 changed, 1 gone.
"""


def test_everything_listeners_notice_is_told_by_what_apps_do() -> None:
    """New, twice, downloaded again, moved, changed field by field, gone; then the sum of it."""
    assert text(difference(*EVERYTHING), "old.xml") == TEXT


def test_markdown_says_the_same_and_calls_nobody() -> None:
    """A comment on a pull request: no markup out of titles, no @mention, no link to an issue."""
    found = markdown(difference(*EVERYTHING), "old.xml")
    assert "- Day \\*4\\* @<!-- -->ada #<!-- -->4\n  - title: Night 4 → Day \\*4\\*" in found
    assert "**Gone: apps will drop them**\n\n- Night 2 \\(2025-03-03 06:00 UTC\\)\n" in found
    assert found.endswith(TEXT.splitlines()[-1] + "\n")


@pytest.mark.parametrize("fact", [{"type": "audio/x-m4a"}, {"length": 5}])
def test_another_recording_is_downloaded_again(fact: dict[str, object]) -> None:
    """Length and type tell of another recording."""
    found = difference(OLD, with_changes(2, **fact))
    assert [change.new.title for change in found.downloaded_again] == ["Night 2"]
    assert found.noticed


def test_another_fingerprint_is_another_recording() -> None:
    """Two locks tell a swap that length does not."""
    found = difference(with_changes(2, sha256="0" * 64), with_changes(2, sha256="1" * 64))
    assert "content of the recording: 000000000000 → 111111111111" in text(found, "podsite.lock")


def test_all_guids_changed_is_told_episode_by_episode() -> None:
    """The worst that can happen to a feed is not mistaken for new and gone episodes."""
    found = difference(OLD, feed(*(replace(one, guid=f"new-{one.guid}") for one in OLD.items)))
    assert len(found.twice) == len(OLD.items)
    assert not found.new
    assert not found.gone


def test_an_episode_is_known_again_by_date_and_recording() -> None:
    """Also with another title."""
    assert difference(OLD, with_changes(1, guid="other", title="Other")).twice
    assert difference(OLD, with_changes(1, guid="other", title="Other", url="https://example.org/x.mp3")).gone


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(7)))
def test_the_fewest_episodes_are_told_as_moved(order: list[int]) -> None:
    """Without those told, old and new order are the same; one episode moved is one told."""
    new = feed(*(replace(night(number), published=DAY + timedelta(days=at)) for at, number in enumerate(order)))
    old = feed(*map(night, range(7)))
    moved = {item.guid for item in difference(old, new).reordered}
    assert [one.guid for one in old.items if one.guid not in moved] == [
        one.guid for one in new.items if one.guid not in moved
    ]
    one_moved = order[:3] + order[4:] == sorted(order[:3] + order[4:])
    assert not one_moved or len(moved) <= 1


@pytest.fixture
def root(site: Callable[..., Path]) -> Path:
    """A small site with its lock."""
    folder = site()
    save(folder)
    return folder


def save(root: Path) -> locks.Lock:
    """Write the lock of the site as it is now."""
    content = read(root)
    lock = locks.lock_of(link(content, NOW)[0], root, locks.read(root), Cache(root / ".podsite"))
    locks.write(root, lock)
    return lock


def rename(root: Path, old: str, new: str) -> None:
    """Change words in the first episode."""
    file = root / "episodes/001-first-night.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def test_the_lock_is_what_is_compared_with_by_default(root: Path) -> None:
    """What went out last, without a network."""
    old = resolve(None, root)
    rename(root, "The first night", "Night one")
    found = difference(old.facts, facts_of_lock(save(root)))
    assert old.is_lock
    assert "title: The first night → Night one" in text(found, old.name)
    assert text(found, old.name).startswith("Compared with podsite.lock:")


def test_without_a_lock_something_to_compare_with_is_asked_for(site: Callable[..., Path]) -> None:
    """The first build has nothing before it."""
    with pytest.raises(UsageError, match=r"there is no podsite\.lock yet; build once, or name a feed"):
        resolve(None, site())


def test_a_feed_file_or_the_folder_it_lies_in_can_be_compared_with(tmp_path: Path) -> None:
    """Any feed, also one that podsite did not write, and a feed at another path."""
    (tmp_path / "feed.xml").write_text(FEED, encoding="utf-8")
    (tmp_path / "rss").write_text(FEED, encoding="utf-8")
    for named, path in ((str(tmp_path / "rss"), "feed.xml"), (str(tmp_path), "feed.xml"), (str(tmp_path), "rss")):
        old = resolve(named, tmp_path, path)
        assert (old.facts.items, old.is_lock, old.name) == ((FIRST,), False, named)


def test_a_folder_without_a_feed_is_told(tmp_path: Path) -> None:
    """A slip in the folder's name is no empty feed."""
    with pytest.raises(UsageError, match=r"holds no feed\.xml; expected the folder of a built site"):
        resolve(str(tmp_path), tmp_path)


def test_another_lock_can_be_compared_with(root: Path) -> None:
    """By its file, such as that of another checkout."""
    old = resolve(str(root / locks.NAME), root)
    assert old.is_lock
    assert old.facts == facts_of_lock(save(root))


def git(root: Path, *arguments: str) -> None:
    """Run git as somebody without settings of their own."""
    settings = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(root), *settings, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(root: Path) -> Path:
    """The small site in a subfolder of a git repository: a commit without the lock, one with it, one with another."""
    git(root.parent, "init", "--initial-branch", "main", ".")
    git(root.parent, "add", "site/show.yaml")
    git(root.parent, "commit", "--message", "Begin")
    git(root.parent, "add", "site/podsite.lock")
    git(root.parent, "commit", "--message", "Lock")
    rename(root, "The first night", "Night one")
    save(root)
    git(root.parent, "commit", "--all", "--message", "Another title")
    return root


@pytest.mark.parametrize(
    ("revision", "title"), [("HEAD", "Night one"), ("main", "Night one"), ("HEAD~1", "The first night")]
)
def test_a_git_revision_can_be_compared_with(repository: Path, revision: str, title: str) -> None:
    """By the lock it holds, also where the site is not the whole repository."""
    old = resolve(revision, repository)
    assert ([item.title for item in old.facts.items], old.is_lock) == ([title], True)
    assert old.name == f"podsite.lock at {revision}"


def test_a_revision_without_a_lock_is_told(repository: Path) -> None:
    """It may be older than the lock."""
    with pytest.raises(UsageError, match=r"there is no podsite\.lock in 'HEAD~2'; name a commit in which the lock"):
        resolve("HEAD~2", repository)


def test_a_damaged_lock_of_a_revision_is_told_as_such(repository: Path) -> None:
    """With the revision, since the file in the folder is another."""
    (repository / locks.NAME).write_text("<<<<<<< HEAD\n", encoding="utf-8")
    git(repository, "commit", "--all", "--message", "Damage")
    with pytest.raises(ContentError, match=r"podsite\.lock at HEAD:1:1: a merge conflict is left in the file"):
        resolve("HEAD", repository)


@pytest.mark.parametrize("old", ["HAED", "--output=x", "HEAD:show.yaml", "https"])
def test_what_is_nothing_at_all_is_wrong_usage(repository: Path, old: str) -> None:
    """Neither file nor folder nor revision, and never an option of git's."""
    with pytest.raises(UsageError, match=f"'{old}' is no feed file, no output folder and no git revision"):
        resolve(old, repository)


def test_outside_a_repository_that_is_said(root: Path) -> None:
    """The likely reason why a revision is not found."""
    with pytest.raises(UsageError, match=r"\(.+ is in no git repository\)$"):
        resolve("HEAD", root)


def test_a_rename_a_prefix_and_another_address_go_unnoticed(
    site: Callable[..., Path], build: Callable[..., Path]
) -> None:
    """The promise of the whole: built before and after, the feeds differ in nothing listeners will notice."""
    before = build(site(folder="before"))
    guid = facts_of_feed((before / "feed.xml").read_bytes()).items[0].guid
    root = site(folder="after")
    for name in ("yaml", "mp3"):
        (root / f"episodes/001-first-night.{name}").rename(root / f"episodes/001-night-one.{name}")
    with (root / "episodes/001-night-one.yaml").open("a", encoding="utf-8") as file:
        file.write(f"guid: {guid}\naliases: [/episodes/first-night/]\n")
    show = (root / "show.yaml").read_text(encoding="utf-8")
    (root / "show.yaml").write_text(f"{show}feed: {{prefix: 'https://op3.dev/e/'}}\n", encoding="utf-8")
    after = build(root, "--base-url", "https://nights.example.net/")
    old, new_feed = (facts_of_feed((folder / "feed.xml").read_bytes()) for folder in (before, after))
    found = difference(old, new_feed)
    assert text(found, "before").endswith("\n\nNothing listeners will notice.\n")
    assert old.items[0].url != new_feed.items[0].url
