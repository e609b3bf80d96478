"""The Markdown twins of episodes: nothing in an episode breaks them, whoever reads the Markdown."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown import markdown
from markdown_it import MarkdownIt

from podsite import commonmark, values
from podsite.artifacts import Artifact, Standing
from podsite.cache import Cache
from podsite.crew import Crew
from podsite.marks import Marks
from podsite.notes import Rendered, render
from podsite.paper import Paper
from podsite.parts import Chapter, Credit, Cue, Passage, Person, Quote, Reading, Season, Transcript
from podsite.signatures import digest_of
from podsite.site import Site, link
from podsite.twins import Twins, address
from podsite.words import Words

_spec = importlib.util.spec_from_file_location("feed_factory", Path(__file__).parent / "feeds" / "factory.py")
assert _spec and _spec.loader
factory = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(factory)
episode, show = factory.episode, factory.show

BASE = "https://example.org/water/"
#: Readers of Markdown: CommonMark with the tables of GitHub, and the older one of Python.
READERS = {
    "commonmark": MarkdownIt("commonmark").enable("table").enable("strikethrough").render,
    "python": lambda text: markdown(text, extensions=["fenced_code", "tables", "sane_lists"]),
}
_TEXT = st.text().filter(lambda text: text.strip() and values.control_character(text) is None)
_TRAPS = st.text(alphabet="ab \\`*_{}[]()#+-.!<>&~|:=1\"'\n/", min_size=1).filter(str.strip)


def words(html: str) -> str:
    """The text of HTML, its blanks as one each; a line's end is one too."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html.replace("<br />", " ").replace("<br>", " "))).split())


def twin(one: Any, notes: str = "", **said: Any) -> str:
    """The twin of an episode."""
    content = factory.content(one, of=show(**said))
    site, _ = link(content, factory.NOW)
    page = BASE + site.entries[0].address
    rendered = {one.slug: render(notes, base_url=page, page_url=page, audio="a.mp3")}
    return Twins(site, content, rendered).text(site.entries[0])


FULL = episode(
    3,
    title="Salt & *light*",
    season=2,
    people=(Credit(person="ada"), Credit(person="bo", role="Guest")),
    topics=("Tides", "The [moon]"),
    chapters=(Chapter(start=0.0, title="Out"), Chapter(start=90.5, title="# Home", url="https://c.example/x_(y)")),
    quotes=(Quote(text="1. The sea waits.", person="ada"),),
    transcript=Transcript(
        file="x.vtt",
        cues=(
            Cue(start=0.0, end=4.0, text="The sea <waits>.", speaker="Ada"),
            Cue(start=90.5, end=95.0, text="Does it_really_?", speaker="Bo"),
        ),
    ),
    further_reading=(
        Reading(
            url="https://p.example/a_b", title="A [paper]", kind="paper", authors=("X", "Y"), year=2020, note="Long."
        ),
        Reading(url="https://bare.example/", archive="https://a.example/"),
    ),
)


def test_a_twin_holds_all_that_the_page_says() -> None:
    people = {"ada": Person(name="Ada"), "bo": Person(name="Bo", role="Guest")}
    text = twin(FULL, "# Head\n\nSee [the map](/map/) at 1:30.\n", people=people, seasons={2: Season(name="Deep")})
    assert text.splitlines() == [
        "# Salt &amp; \\*light\\*",
        "",
        "> What happened on day 3.",
        "",
        f"- Podcast: [Deep Water]({BASE})",
        f"- Page: <{BASE}episodes/episode-3/>",
        "- Episode: 3",
        "- Season: 2 (Deep)",
        "- Published: 2024-01-03",
        f"- Recording: <{BASE}episodes/episode-3/episode-3.mp3>",
        "- Duration: 12:34",
        "- Host: Ada",
        "- Guest: Bo",
        "- Topics: Tides, The \\[moon\\]",
        "- Language: en-GB",
        "",
        "## Notes",
        "",
        "### Head",
        "",
        "See [the map](https://example.org/map/) at 1:30.",
        "",
        "## Quotes",
        "",
        "> 1\\. The sea waits.  ",
        "> — Ada",
        "",
        "## Chapters",
        "",
        "- 0:00 Out",
        "- 1:30 # Home (<https://c.example/x_(y)>)",
        "",
        "## Further reading",
        "",
        "- [A \\[paper\\]](<https://p.example/a_b>): X, Y; 2020; Paper; Long.",
        "- <https://bare.example/>: [Archived copy](https://a.example/)",
        "",
        "## Transcript",
        "",
        "### Out",
        "",
        "0:00 **Ada:** The sea &lt;waits&gt;.",
        "",
        "### # Home",
        "",
        "1:30 **Bo:** Does it_really\\_?",
    ]


def test_a_bare_episode_has_a_short_twin() -> None:
    text = twin(episode(1, audio=None, number=None))
    assert "##" not in text
    assert text.startswith("# Episode 1\n\n> What happened on day 1.\n\n- Podcast: ")


def test_words_without_times_have_none() -> None:
    said = Transcript(
        file="x.txt", passages=(Passage(text="- Well.", speaker=None), Passage(text="Yes.", speaker="Bo"))
    )
    assert twin(episode(1, transcript=said)).endswith("## Transcript\n\n\\- Well.\n\n**Bo:** Yes.\n")


@pytest.mark.parametrize("reader", READERS)
@given(text=_TEXT | _TRAPS)
@example(text="# C #")
@example(text="- 1. * + > ``` ~~~ [a](b) ![c](d) <b>&amp;</b> \\ __x__ a_b *c* `d`")
@example(text="[^1]: note")
@example(text="12. and 1) and - - -")
def test_any_words_come_out_as_they_went_in(reader: str, text: str) -> None:
    """As a title, a summary, a chapter, a quote and what is said."""
    one = episode(
        1,
        title=text,
        summary=text,
        chapters=(Chapter(start=0.0, title=text),),
        quotes=(Quote(text=text),),
        transcript=Transcript(file="x.vtt", cues=(Cue(start=0.0, end=1.0, text=text, speaker="A"),)),
        further_reading=(Reading(url="https://a.example/", title=text),),
    )
    html = READERS[reader](twin(one))
    line = " ".join(text.split())
    assert words(re.findall(r"<h1>(.*?)</h1>", html, re.DOTALL)[0]) == line
    quoted = [words(each) for each in re.findall(r"<blockquote>(.*?)</blockquote>", html, re.DOTALL)]
    assert quoted == [line, line]
    titles = [words(each) for each in re.findall(r"<h[23]>(.*?)</h[23]>", html, re.DOTALL)]
    assert titles == ["Quotes", "Chapters", "Further reading", "Transcript", line]
    assert f"<li>0:00 {words_of(line)}</li>" in spaced(html)
    assert words(re.findall(r'<a href="https://a.example/">(.*?)</a>', html, re.DOTALL)[0]) == line
    assert words(html).endswith(f"0:00 A: {line}")
    assert {*re.findall(r"<(\w+)", html)} <= {
        "h1",
        "h2",
        "h3",
        "p",
        "ul",
        "li",
        "a",
        "blockquote",
        "strong",
    }


def spaced(html: str) -> str:
    """HTML whose items hold text only, each as its words."""
    return re.sub(r"<li>(.*?)</li>", lambda found: f"<li>{words_of(words(found[1]))}</li>", html, flags=re.DOTALL)


def words_of(line: str) -> str:
    """Words as `spaced` leaves them."""
    return " ".join(line.split())


@pytest.mark.parametrize("reader", READERS)
@given(source=_TRAPS | _TEXT)
@example(source="```\nnever closed")
@example(source="<!-- never closed")
@example(source="# One\n\n- a\n\n      code\n\n1. x\n2. y\n\n| a | b |\n|---|---|\n| `c|d` | e |\n")
@example(source="> - quoted\n>   1. deep\n\n[^1] and\n\n[^1]: a note")
def test_no_notes_reach_beyond_their_section(reader: str, source: str) -> None:
    """Whatever is left open in them, what stands behind them is read as it is."""
    one = episode(1, chapters=(Chapter(start=0.0, title="Behind the notes"),))
    html = READERS[reader](twin(one, source))
    headings = [words(each) for each in re.findall(r"<h2>(.*?)</h2>", html, re.DOTALL)]
    assert headings[-1] == "Chapters"
    assert headings[:-1] in ([], ["Notes"])
    assert html.count("<h1>") == 1
    assert re.search(r"<h2>Chapters</h2>\s*<ul>\s*<li>0:00 Behind the notes</li>\s*</ul>\s*\Z", html)


@pytest.mark.parametrize(
    "source",
    [
        "One *two* **three** `four_five` [six](https://a.example/b_c).",
        "- a\n- b\n    - c\n\nThen:\n\n1. one\n2. two",
        "3. three\n4. four",
        "> quoted\n>\n> twice",
        "| a | b |\n| --- | --- |\n| c | d |",
        "```python\nx = '```'\n```",
        "---\n\n### Three",
        "one  \ntwo",
        "![a sea](/sea.png)",
    ],
)
@pytest.mark.parametrize("reader", READERS)
def test_notes_come_out_as_what_they_are(reader: str, source: str) -> None:
    """Read again, they are the same notes."""
    first = render(source, base_url=BASE, page_url=BASE)
    again = render(first.markdown, base_url=BASE, page_url=BASE)
    assert again.feed_html == first.feed_html
    assert words(READERS[reader](first.markdown)) == words(first.feed_html)


def test_links_hold_addresses_of_every_kind() -> None:
    url = "https://a.example/x_(y)/*z*?q=[1]&r=<2> 3"
    html = MarkdownIt("commonmark").render(commonmark.link("text", url))
    assert unescape(html).startswith('<p><a href="https://a.example/x_(y)/*z*?q=%5B1%5D&r=%3C2%3E%203">text</a>')


def test_a_twin_that_stands_is_not_made_again(tmp_path: Path) -> None:
    """It is known by what it is made of: its episode, its notes, the show, the words of the interface."""
    content = factory.content(episode(1), episode(2))
    site, _ = link(content, factory.NOW)
    notes = {entry.episode.slug: Rendered("", "", "", "Notes.") for entry in site.entries}

    def printed(notes: dict[str, Rendered], standing: dict[str, bytes], site: Site = site) -> list[Artifact]:
        cache = Cache(tmp_path)
        paper, marks = Paper(cache, Crew(), standing, "out"), Marks(cache, "out", site, content, notes)
        made = [*Twins(site, content, notes).artifacts(marks, paper)]
        marks.save()
        cache.save()
        return made

    made = {one.path: one.content for one in printed(notes, {})}
    standing = {path: digest_of(text) for path, text in made.items() if isinstance(text, bytes)}
    again = [*printed(notes, standing)]
    assert [one.content for one in again] == [Standing(f"out/{path}", known) for path, known in standing.items()]
    first, second = (address(entry) for entry in site.entries)
    edited = notes | {"episode-1": Rendered("", "", "", "Other notes.")}
    kinds = {one.path: type(one.content) for one in printed(edited, standing)}
    assert kinds == {first: Standing, second: bytes}
    reworded = replace(site, words=Words("en", {"Notes": "Remarks"}))
    assert {type(one.content) for one in printed(notes, standing, reworded)} == {bytes}
    renamed = replace(site, show=replace(site.show, title="Other"))
    assert {type(one.content) for one in printed(notes, standing, renamed)} == {bytes}
