"""Notes: what is left out to save time changes nothing."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import quote, urljoin

import nh3
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

sys.path.append(str(Path(__file__).parent))  # as `python -m benchmarks` has it

from benchmarks.corpus import corpus
from podsite.notes import Rendered, quick, render
from podsite.notes.engine import engine
from podsite.notes.forms import absolute
from podsite.notes.tree import Builder, Node, tree

REPOSITORY = Path(__file__).parents[1]
needs_pyromark = pytest.mark.skipif(not importlib.util.find_spec("pyromark"), reason="pyromark is not installed")


def pieces(listed: str) -> st.SearchStrategy[str]:
    """Texts of these pieces, parted by blanks; `·` is a blank, `⍽` a fixed one, `⏎` a line's end."""
    known = [piece.translate({ord("·"): " ", ord("⍽"): "\xa0", ord("⏎"): "\n"}) for piece in listed.split()]
    return st.lists(st.sampled_from(known), max_size=24).map("".join)


MARKDOWN = pieces(r"""
    a ü 中 1 word · ·· ···· ·····x ⏎ ⏎⏎ ··⏎ ⏎-· ⏎1.· ⏎>· ⏎#· ⏎----⏎ ⏎====⏎ ⏎****⏎ ⏎-·-·-⏎ ⏎····x ⏎|a|b|⏎|-|-|⏎ |
    \ \* \_ \[ \` \\ * ** *** _ __ ___ ~~ ` `` [ ] ( ) [] ![ ]( [^1] ⏎[^1]:· ⏎[a]:·b [a] [a][a] ![a][a] ]:
    < > & &amp; &#35; &lt; <b> </b> <div> </div> <p> <!--· ·--> <br> <https://x.y> <a@b.c> http://a.b/_c_ https://x
    www.a.b/*c* . ! " ' (b·"t")
""")  # fmt: skip


@settings(max_examples=4 * settings().max_examples)
@given(MARKDOWN)
@example("[a](b_c) `d_e` _f_ \\* [g] ![h](i)\n\n[g]: j\n\n> k\n\n- l\n\nm\n=\n\n|n|o|\n|-|-|\n|p|q|\n\n***\n\n# r")
def test_markdown_gives_the_same_when_it_is_asked_less(source: str) -> None:
    source += "\n\n"
    assert engine().reset().convert(source) == engine(spare=False).reset().convert(source)


@pytest.mark.parametrize(
    ("source", "most"), [("plain words", 1), ("*em* and [a](b)", 3), ("`code`, <b>b</b>", 5), ("[a]", 2), ("[a]: b", 6)]
)
def test_a_text_is_asked_only_for_what_it_can_hold(source: str, most: int) -> None:
    made = engine()
    made.reset().convert(source)
    assert len(made.treeprocessors["inline"].inlinePatterns) <= most


class Parsed(HTMLParser):
    """The same tree, made by Python's own parser."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.builder = Builder(3, 600)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.builder.start(tag, {name: value or "" for name, value in attrs})

    def handle_endtag(self, tag: str) -> None:
        self.builder.end(tag)

    def handle_data(self, data: str) -> None:
        self.builder.text(data)


def parsed(clean: str) -> list[Node]:
    parser = Parsed()
    parser.feed(clean)
    parser.close()
    return parser.builder.root.children


HTML = pieces("""
    <p> </p> <b> </b> <h1> </h1> <pre> ⏎ </pre> <code> </code> <br> <br/> <ul><li> </ul> </table>
    <a·href='x?a=1&b=2&c=3'>
    </a> <table><tr><td·colspan=2·align='a>b'> <a·href="&quot;>'<"·title='"<b>"'> <img·src=a·alt='1·>·0·&'> &amp; & < >
    &lt;p&gt; " ' &copy &#0; &nbsp; ü <svg> <math> <script> </script> <!--· ·--> <?x?> <blockquote> <details·open> <x-y>
    <textarea> <h7> 12:34 a@b.cd www.a.bc https://x.y/ 中 word ⍽ \ufeff
""")  # fmt: skip


@settings(max_examples=4 * settings().max_examples)
@given(HTML)
def test_the_tree_is_that_of_python_s_parser(source: str) -> None:
    clean = nh3.clean(source)
    assert tree(clean, top=3, max_seconds=600) == parsed(clean)


ADDRESS = st.lists(
    st.sampled_from([*"az09._-~/?#:@!$&'()*+,=;", "%2F", "%c3", "/../", " ", "ü", "x.y"]), max_size=8
).map("".join)


@settings(max_examples=4 * settings().max_examples)
@given(st.sampled_from(["https://", "http://", "https://x.y", "http://x.y/", "//x.y/"]), ADDRESS)
def test_an_address_that_is_taken_as_it_is_is_what_resolving_gives(start: str, rest: str) -> None:
    url = (start + rest).strip()
    joined = urljoin("https://example.org/a/b/", url).strip()  # what stood before an empty query may be a space
    host = joined.partition("//")[2].partition("/")[0]
    if host.isascii() and host.isprintable() and " " not in host:
        safe = ";/?:@&=+$,#%!*'()~"
        assert absolute("https://example.org/a/b/", url) == quote(joined, safe=safe)


# ---- the extra `fast` -----------------------------------------------------------------------------------------------

PLAIN = pieces(r"""
    word word a 9 ü 中 é² · · · · · , . : ; ? ! - – — ( ) " “ ” ' / # ~ ^ = + > % ⍽ ⍽a AT&T R&B a&&b 12:34 snake_case
    a__b 2*3 ⏎ ⏎ ·⏎ ··⏎ ··⏎ ⏎⏎ ⏎⏎ ⏎⏎⏎ *em* **st·b** _em_ __st__ *a·`b`* **a:** (*a*) **[l](u)** *a⏎b*
    ***x*** *a·**b**·c* **`c`**, _a_b_ `c_d` `a·*b*` `a·&&·b` `a|b` ``a`` `·a` [l](https://x.y/a_b?c=1&d=2#e) [a·`b`](c)
    [l⏎m](n) [x](y_(z)) [x](#!/t) [*a*](b) [a](b·"t") ![a](b.png) [|](a) https://x.y/a_b https://x.y/_a http://a.b/c* _https://x
    www.a.b
    www.a.b/*c me@x.org &copy &copy; &amp; &#35; \* \ < <b> <!-- | ⏎|-|-|⏎ ⏎-·a⏎-·b ⏎-·c ⏎····-·d ⏎········-·e ⏎*·f ⏎+·g
    ⏎1.·a⏎2.·b ⏎3)·c ⏎····1.·d ⏎⏎-·a⏎····-·b⏎-·c⏎⏎ ⏎⏎1.·a⏎2.·b⏎⏎ ⏎#·T⏎ ⏎##·T·# ⏎⏎###·`T`⏎⏎ ⏎⏎---⏎⏎ ⏎--- ⏎=== ⏎>·q
    ⏎```⏎x*_⏎```⏎ ⏎~~~ ⏎0:00·a⏎1:00·b⏎ ⏎1984.·x ⏎•·h ⏎·a ⏎····a \t ![ [ ] ]( * ** _ __ ` ~~
""")  # fmt: skip


markup = quick.markup


def both_ways(source: str) -> tuple[Rendered, Rendered, bool]:
    """Notes as they come out, as Python-Markdown makes them, and whether they went the quick way."""
    known: dict[str, Any] = {"base_url": "https://example.org/e/", "page_url": "https://example.org/e/", "audio": "a"}
    answers: list[str | None] = []

    def asked(text: str, stashed: Sequence[str]) -> str | None:
        answers.append(markup(text, stashed))
        return answers[-1]

    with mock.patch.object(quick, "markup", asked):
        found = render(source, **known)
    with mock.patch.object(quick, "markup", lambda *_: None):
        expected = render(source, **known)
    return found, expected, any(answer is not None for answer in answers)


@needs_pyromark
@settings(max_examples=10 * settings().max_examples)
@given(PLAIN | MARKDOWN)
@example("_em_https://x.y/a_b word_em_")
@example("*see https://x.y/a*.b c")
@example("- a\n\n- b")
@example("- a\n  - b\n    1. c\n- d\n\n```\n<b>\n```")
@example("(*a*(*b*) **[c](d)**.")
def test_the_quick_way_makes_what_python_markdown_makes(source: str) -> None:
    found, expected, _ = both_ways(source)
    assert found == expected


@needs_pyromark
def test_most_notes_go_the_quick_way_and_come_out_the_same() -> None:
    """Those of the benchmark; those of this repository are more various."""
    results = [both_ways(episode.notes) for episode in corpus(300).episodes]
    assert all(found == expected for found, expected, _ in results)
    assert sum(is_quick for *_, is_quick in results) >= 0.9 * len(results)
    mine = [*REPOSITORY.glob("episodes/*.yaml"), *REPOSITORY.glob("pages/*.md"), *REPOSITORY.glob("tests/notes/*.md")]
    for path in mine:
        found, expected, _ = both_ways(path.read_text("utf-8").partition("\nnotes: |\n")[2] or path.read_text("utf-8"))
        assert found == expected, path


@needs_pyromark
@pytest.mark.parametrize(
    ("source", "is_quick"),
    [
        ("Words, *emphasis*, **more:** `code` and [a link](https://x.y/a_(b)?c=d&e#f).\nAgain", True),
        ("## Links\n* [a](b)\n* c\n    * d\n\nAnd:\n1. e\n2. f", True),
        ("0:00 Intro\n1:00 News\n\nhttps://x.y/a_b_c, R&B\n\n```py\nx_ * y\n```\n\n---\n\n![a](b.png)", True),
        ("- a\n\n- b", False),
        ("a\n=", False),
        ("> a", False),
        ("a &amp; b", False),
        ("<b>a</b>", False),
        ("a[^1]\n\n[^1]: b", False),
        ("|a|b|\n|-|-|\n|c|d|", False),
        ("***a***", False),
        ("https://x.y/_a_", False),
        ("    a", False),
        ("a\u2003b", False),
    ],
)
def test_only_what_all_understand_alike_goes_the_quick_way(source: str, is_quick: bool) -> None:
    found, expected, was_quick = both_ways(source)
    assert found == expected
    assert was_quick == is_quick


@pytest.mark.parametrize(
    ("before", "switch", "loaded"),
    [
        ("", "1", {"pyromark"}),
        ("", "0", {"markdown"}),
        ("sys.modules['pyromark'] = None", "1", {"markdown"}),
    ],
)
def test_the_extra_is_asked_where_it_is_installed_and_wanted(before: str, switch: str, loaded: set[str]) -> None:
    if "pyromark" in loaded:
        pytest.importorskip("pyromark")
    code = f"import sys\n{before}\nimport podsite.notes as notes\nprint(notes.plain('*a*'))\n"
    code += "print(*{'markdown', 'pyromark'} & {name for name, module in sys.modules.items() if module})"
    environment = os.environ | {"PODSITE_FAST": switch}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.split() == ["a", *loaded]
