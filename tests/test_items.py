"""Feeds spliced of cached items: the bytes they would have without a cache, whatever changes, and no work twice."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from podsite.cache import Cache
from podsite.feeds import Feed
from podsite.media import AudioFacts, ImageFacts
from podsite.model import Episode, Show
from podsite.parts import Alternate, FeedSettings, Link, Person, Pick, Quote, Reading, Season, Theme

_spec = importlib.util.spec_from_file_location("items_factory", Path(__file__).parent / "feeds" / "factory.py")
assert _spec and _spec.loader
factory = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(factory)

PAIRS = sorted((Path(__file__).parent / "feeds").glob("*.yaml"))
#: Choices that feedgen holds to; of all other texts the last letter is changed.
CHOICES = {"full": "bonus", "episodic": "serial", "serial": "episodic"}
NOTES = {"episode-1": "<p>What <em>owls</em> hear.</p>", "episode-2": "<p>Mice.</p>"}
FACTS = {"episodes/wide.jpg": ImageFacts(1600, 900, "JPEG", "RGB", 1), "episodes/1.opus": AudioFacts(700_000, 754)}
#: What the feeds of an episode do not show, so that it makes none of its items anew.
UNSEEN: dict[str, Any] = {
    "requires": ("episode-2",),
    "related": ("episode-2",),
    "aliases": ("old/1/",),
    "extra": {"mood": "calm"},
    "notes": "Notes are shown as they are rendered.",
    "translations": {"de": "https://de.example/1/"},
}


@cache
def rich() -> tuple[Show, Episode]:
    """A show and an episode with every key there is: those of the pairs of tests/feeds/, and the rest."""
    plain = factory.decoded("")
    made = list(plain)
    for path in PAIRS:
        for n, one in enumerate(factory.decoded(path.read_text(encoding="utf-8"))):
            said = {field.name: getattr(one, field.name) for field in fields(one)}
            made[n] = replace(made[n], **{key: new for key, new in said.items() if new != getattr(plain[n], key)})
    show, episode = made
    reading = Reading(
        title="Owls", url="https://owls.example/", authors=("Bo",), year=2020, note="Old", archive="https://a.example/"
    )
    episode = replace(
        episode,
        link="https://old.example/1",
        further_reading=(reading,),
        topics=("Tides",),
        season=2,
        quotes=(Quote(text="Listen.", start=3, duration=20),),
        **UNSEEN,
    )
    other = Alternate(file="episodes/1.opus", bitrate=64, title="Opus")
    episode = replace(episode, audio=replace(episode.audio, alternates=(*episode.audio.alternates, other)))
    settings = FeedSettings(
        limit=1,
        prefix="https://op3.dev/e/",
        hub="https://hub.example/",
        topics=(Pick(name="true"),),
        alternates=(Pick(name="true"),),
    )
    show = replace(
        show,
        people={
            **show.people,
            "bo": Person(name="Bo Ray", role="Host", url="https://bo.example/", image="static/bo.jpg", bio="Bo."),
        },
        feed=replace(settings, new_feed_url=show.feed.new_feed_url),
        seasons={2: Season(name="The deep")},
        topics={"Tides": "What moves the water."},
        translations={"de": "https://de.example/"},
        listen={"apple": "id1"},
        navigation=(Link(title="About", url="/about/"),),
        theme=Theme(accent="#123456"),
        cname="example.org",
        extra={"mood": "calm"},
    )
    return show, episode


def feed(show: Show, episode: Episode, cache: Cache, notes: Mapping[str, str] = NOTES, **more: Any) -> Feed:
    """The feeds of a show with that episode and a plain one, so that there are pages of the archive."""
    facts = FACTS | more.pop("facts", {})
    made: Feed = factory.feed(episode, factory.episode(2), of=show, notes=notes, facts=facts, cache=cache, **more)
    return made


def files(made: Feed) -> dict[str, Any]:
    """Every file of the feeds."""
    return {one.path: one.xml for one in made.documents} | {one.path: one.content for one in made.others}


def other(value: Any) -> Any:
    """Another value of the same kind; None for what is none or cannot be another."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str() if value:
            return CHOICES.get(value) or value[:-1] + ("2" if value.endswith("1") else "1")
        case datetime():
            return value + timedelta(seconds=1)
    return None


def changes(value: Any) -> Iterator[Any]:
    """The value with one thing in it changed, for each thing in it."""
    if isinstance(value, tuple):
        for n, one in enumerate(value):
            yield (*value[:n], *value[n + 1 :])
            yield from ((*value[:n], new, *value[n + 1 :]) for new in changes(one))
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield {name: each for name, each in value.items() if name != key}
            yield from ({**value, key: new} for new in changes(one))
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from (replace(value, **{field.name: new}) for new in changes(getattr(value, field.name)))
    elif (new := other(value)) is not None:
        yield new


@pytest.mark.parametrize("which", ["show", "episode"])
def test_every_fact_that_changes_gives_the_feed_that_is_made_without_a_cache(which: str, thorough: bool) -> None:
    """Title, chapter, somebody's portrait, a season's name: no old item is taken for a new one."""
    show, episode = rich()
    warm = Cache(None)
    feed(show, episode, warm)
    tried = 0
    for changed in islice(changes(show if which == "show" else episode), 0, None, 1 if thorough else 5):
        pair = (changed, episode) if which == "show" else (show, changed)
        try:
            expected = files(feed(*pair, Cache(None)))
        except (ValueError, KeyError, TypeError):  # what no decoder would let through
            continue
        assert files(feed(*pair, warm)) == expected
        tried += 1
    assert tried > (100 if thorough else 20)


def test_every_key_is_tried() -> None:
    """A key that a model gets has to be given to `rich`, so that the test above changes it."""
    free = {"draft", "file", "slug", "timezone", "publish_time", "paths", "words", "display_number", "explicit"}
    for one in rich():
        empty = {field.name for field in fields(one) if getattr(one, field.name) in (None, (), {}, "")}
        assert empty <= free


@pytest.mark.parametrize(
    "changed",
    [
        {"notes": NOTES | {"episode-1": "<p>Rain.</p>"}},
        {"description_html": "<p>Talks about rain.</p>"},
        {"facts": {"episodes/wide.jpg": ImageFacts(900, 900, "JPEG", "RGB", 1)}},
        {"facts": {"episodes/1.opus": AudioFacts(800_000, 754)}},
        {"facts": {"episodes/episode-2.mp3": AudioFacts(800_000, 300)}},
    ],
    ids=["notes", "description", "picture", "other format", "audio"],
)
def test_what_lies_outside_of_the_model_counts_as_well(changed: dict[str, Any]) -> None:
    """Rendered texts, and files as they are measured."""
    warm = Cache(None)
    before = files(feed(*rich(), warm))
    after = files(feed(*rich(), warm, **changed))
    assert after == files(feed(*rich(), Cache(None), **changed)) != before


def test_an_item_is_made_once_for_all_feeds_and_all_builds(tmp_path: Path) -> None:
    """Of many episodes only the one that changed is made anew."""
    episodes = [factory.episode(1, slug=f"episode-{n}", title=f"Night {n}", topics=("Tides",)) for n in range(150)]
    of = factory.show(feed=FeedSettings(limit=50, topics=(Pick(name="true"),)))

    def made(*changed: Episode) -> int:
        cache = Cache(tmp_path)
        found: Feed = factory.feed(*episodes[len(changed) :], *changed, of=of, cache=cache)
        cache.save()
        assert found.items == 50
        return found.made

    assert made() == 150
    assert made() == 0
    assert made(replace(episodes[0], title="Another night")) == 1
    assert made(*(replace(episodes[0], **{key: value}) for key, value in list(UNSEEN.items())[:1])) == 0


@pytest.mark.parametrize("key", UNSEEN)
def test_what_no_feed_shows_makes_no_item_anew(key: str) -> None:
    """Aliases and what goes well with it are for pages."""
    warm, (show, episode) = Cache(None), rich()
    feed(show, episode, warm)
    assert feed(show, replace(episode, **{key: type(UNSEEN[key])()}), warm).made == 0


def test_a_feed_from_the_cache_needs_no_library(tmp_path: Path) -> None:
    """When nothing of it is new, neither feedgen nor lxml is imported, nor any rule; what was found is told again."""
    script = f"""
import importlib.util, pathlib, sys
from podsite.cache import Cache
from podsite.feeds.certificates import remarks
from podsite.feeds.local import LocalFiles
spec = importlib.util.spec_from_file_location("factory", {factory.__file__!r})
factory = importlib.util.module_from_spec(spec)
spec.loader.exec_module(factory)
cache = Cache(pathlib.Path({str(tmp_path)!r}))
made = factory.feed(factory.episode(), cache=cache)
local = LocalFiles("https://example.org/water/", None, {{}})
said = remarks(made.documents[0], cache, local, now=factory.NOW, url="https://example.org/water/feed.xml")
cache.save()
print(made.made, said.judged, len(said.found), sorted({{"feedgen", "lxml", "podsite.feeds.rules"}} & set(sys.modules)))
"""
    outs = [
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout for _ in "ab"
    ]
    assert outs == ["1 1 3 ['feedgen', 'lxml', 'podsite.feeds.rules']\n", "0 0 3 []\n"]
