"""Notes: what is left out to save time changes nothing."""

from __future__ import annotations

from html.parser import HTMLParser
from urllib.parse import quote, urljoin

import nh3
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from podsite.notes.engine import engine
from podsite.notes.forms import absolute
from podsite.notes.tree import Builder, Node, tree


def pieces(listed: str) -> st.SearchStrategy[str]:
    """Texts of these pieces: parted by blanks, in which `·` stands for a blank and `⏎` for a line break."""
    known = [piece.replace("·", " ").replace("⏎", "\n") for piece in listed.split()]
    return st.lists(st.sampled_from(known), max_size=24).map("".join)


MARKDOWN = pieces(r"""
    a ü 中 1 word · ·· ···· ·····x ⏎ ⏎⏎ ··⏎ ⏎-· ⏎1.· ⏎>· ⏎#· ⏎----⏎ ⏎====⏎ ⏎****⏎ ⏎-·-·-⏎ ⏎····x ⏎|a|b|⏎|-|-|⏎ |
    \ \* \_ \[ \` \\ * ** *** _ __ ___ ~~ ` `` [ ] ( ) [] ![ ]( [^1] ⏎[^1]:· ⏎[a]:·b [a] [a][a] ![a][a] ]:
    < > & &amp; &#35; &lt; <b> </b> <div> </div> <p> <!--· ·--> <br> <https://x.y> <a@b.c> http://a.b/_c_ https://x
    www.a.b/*c* . ! " ' (b·"t")
""")  # fmt: skip


@settings(max_examples=400, deadline=None, derandomize=True)
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
    <textarea> <h7> 12:34 a@b.cd www.a.bc https://x.y/ 中 word \ufeff \x0b
""")  # fmt: skip


@settings(max_examples=400, deadline=None, derandomize=True)
@given(HTML)
def test_the_tree_is_that_of_python_s_parser(source: str) -> None:
    clean = nh3.clean(source)
    assert tree(clean, top=3, max_seconds=600) == parsed(clean)


ADDRESS = st.lists(
    st.sampled_from([*"az09._-~/?#:@!$&'()*+,=;", "%2F", "%c3", "/../", " ", "ü", "x.y"]), max_size=8
).map("".join)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.sampled_from(["https://", "http://", "https://x.y", "http://x.y/", "//x.y/"]), ADDRESS)
def test_an_address_that_is_taken_as_it_is_is_what_resolving_gives(start: str, rest: str) -> None:
    url = (start + rest).strip()
    joined = urljoin("https://example.org/a/b/", url)
    host = joined.partition("//")[2].partition("/")[0]
    if host.isascii() and host.isprintable() and " " not in host:
        safe = ";/?:@&=+$,#%!*'()~"
        assert absolute("https://example.org/a/b/", url) == quote(joined, safe=safe)
