"""`check`: a certificate becomes problems at lines of YAML, a table, and SARIF."""

from __future__ import annotations

import importlib.util
import io
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from podsite.cache import Cache
from podsite.check import Checked, check_feed, check_site, chosen, sarif, summary, table
from podsite.errors import UsageError
from podsite.feeds.directories import DIRECTORIES
from podsite.feeds.rules import RULES
from podsite.paper import Paper
from podsite.read import read
from podsite.render import render
from podsite.site import link

NOW = datetime(2026, 2, 1, tzinfo=UTC)
TESTS = Path(__file__).parent
GOOD = (TESTS / "mutations" / "good.xml").read_text(encoding="utf-8")
WRONG = GOOD.replace("<itunes:explicit>true<", "<itunes:explicit>yes<").replace(
    "<itunes:type>episodic<", "<itunes:type>x<"
)


def checked(root: Path) -> Checked:
    """The site at `root`, read, rendered and checked, as `podsite check` does it."""
    content = read(root)
    site, _ = link(content, NOW)
    made = render(site, content, Paper(Cache(root / ".podsite")))
    return check_site(site, content, made.feed.xml, made.artifacts, now=NOW)


def test_this_repositorys_own_feed_breaks_no_rule(repository: Path) -> None:
    """What podsite shows to the world is what it asks of others."""
    assert [finding.rule.code for finding, _ in checked(repository).located] == []


def test_a_small_site_breaks_no_rule(site: Callable[..., Path]) -> None:
    """The least that show.yaml asks for is enough for every directory."""
    found = checked(site())
    assert found.problems == ()
    assert found.is_accepted
    assert {found.certificate.score(directory) for directory in DIRECTORIES} == {100}


def test_a_finding_points_at_the_line_of_the_yaml_file(site: Callable[..., Path]) -> None:
    """Whoever wrote the value finds it where it was written, not in the XML."""
    small = io.BytesIO()
    Image.new("RGB", (1080, 1080)).save(small, "JPEG")
    episode = """
        number: 1
        published: 2025-03-01
        title: "Episode 1: The first night"
        summary: "What one hears when nothing is heard."
    """
    root = site({"static/artwork.jpg": small.getvalue(), "episodes/001-first-night.yaml": episode})
    found = checked(root)
    assert [(one.place.file, one.place.line, one.path, one.severity) for one in found.problems] == [
        ("episodes/001-first-night.yaml", 3, "title", "warning"),
        ("show.yaml", 6, "artwork", "error"),
    ]
    assert str(found.problems[1]) == (
        "show.yaml:6:10: artwork: the artwork has 1080 × 1080 pixels; 1400 to 3000 are taken; "
        "make it 3000 × 3000 pixels [apple-artwork-size]"
    )
    assert not found.is_accepted


def test_the_files_behind_the_feed_are_looked_at(site: Callable[..., Path]) -> None:
    """The feed is judged with what it points to: here a picture that is called what it is not."""
    picture = io.BytesIO()
    Image.new("RGB", (1400, 1400)).save(picture, "PNG")
    found = checked(site({"episodes/001-first-night.jpg": picture.getvalue()}))
    assert [(one.path, one.message.partition(";")[0]) for one in found.problems] == [
        ("image", "the artwork ends in '.jpg' and is PNG")
    ]


def test_a_foreign_feed_is_checked_at_its_own_lines() -> None:
    """Where there is no YAML, a finding points into the feed."""
    found = check_feed(WRONG.encode(), "other.xml", now=NOW)
    lines = WRONG.splitlines()
    assert [(one.place.file, lines[one.place.line - 1].strip()) for one in found.problems] == [
        ("other.xml", "<itunes:type>x</itunes:type>"),
        ("other.xml", "<itunes:explicit>yes</itunes:explicit>"),
    ]


def test_only_the_directories_asked_for_count() -> None:
    """Who publishes at one place is not bothered with the wishes of another."""
    found = check_feed(WRONG.encode(), directories=chosen("spotify, podcast20"))
    assert found.directories == ("spotify", "podcast20")
    assert found.problems == ()


def test_an_unknown_directory_is_told_with_the_nearest() -> None:
    """A slip of the keyboard does not check less than was meant."""
    with pytest.raises(UsageError, match=r"'aple' is no directory .did you mean 'apple'.*rss, apple"):
        chosen("aple")
    assert chosen("") == DIRECTORIES


def test_the_table_shows_scores_verdicts_and_broken_rules() -> None:
    """One look tells where the feed stands; it fits a terminal of 100 columns."""
    shown = table(check_feed(WRONG.encode()))
    assert re.search(r"^Apple Podcasts +9\d +\d+ +2  refused$", shown, re.MULTILINE)
    assert re.search(r"^Spotify +100 +\d+ +0  accepted$", shown, re.MULTILINE)
    assert re.search(r"^itunes-explicit +error +1  rss apple psp1$", shown, re.MULTILINE)
    assert max(map(len, shown.splitlines())) <= 100


def test_the_whole_table_lists_kept_rules_too() -> None:
    """Who wants to know what was looked at sees every rule."""
    shown = table(check_feed(GOOD.encode()), every=True)
    assert all(re.search(rf"^{rule.code} .* kept", shown, re.MULTILINE) for rule in RULES)
    assert max(map(len, shown.splitlines())) <= 100


@pytest.mark.parametrize(
    ("xml", "said"),
    [
        (GOOD, "0 errors and 0 warnings; accepted by RSS 2.0, Apple Podcasts, Spotify, PSP-1, Podcasting 2.0, "),
        (WRONG, "2 errors and 0 warnings; accepted by Spotify, Podcasting 2.0, Amazon Music and YouTube"),
        ("<feed/>", "1 error and 1 warning; accepted by no directory"),
    ],
)
def test_the_summary_is_one_line(xml: str, said: str) -> None:
    """The last line says what matters."""
    assert summary(check_feed(xml.encode())).startswith(said)


def test_sarif_names_rules_lines_and_levels() -> None:
    """Code hosts take the file: what SARIF 2.1.0 requires is there, and each result leads to its rule and line."""
    document = json.loads(sarif(check_feed(WRONG.encode(), "a feed.xml")))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules) == len(RULES)
    assert all(rule["help"]["text"] and rule["shortDescription"]["text"] for rule in rules)
    assert {rule["defaultConfiguration"]["level"] for rule in rules} == {"error", "warning"}
    assert len(run["results"]) == 2
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        (place,) = result["locations"]
        assert place["physicalLocation"]["artifactLocation"]["uri"] == "a%20feed.xml"
        assert place["physicalLocation"]["region"]["startLine"] > 1
        assert result["message"]["text"]


def test_the_reference_of_the_rules_is_current(repository: Path) -> None:
    """docs/reference/rules.md says what the rules say; scripts/rules_reference.py writes it."""
    spec = importlib.util.spec_from_file_location("rules_reference", repository / "scripts" / "rules_reference.py")
    assert spec and spec.loader
    script: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.TARGET.read_text(encoding="utf-8") == script.reference()
