"""Notes: lenient Markdown, safe HTML for pages and feed, plain text."""

from __future__ import annotations

import gzip
import itertools
import re
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podsite.notes import Rendered, highlight_css, plain, render
from podsite.notes.code import DARK, LIGHT, highlight

HERE = Path(__file__).parent / "notes"
PAGE = "https://example.org/pod/episodes/dispatcher/"


def rendered(source: str, **changed: object) -> Rendered:
    known: dict[str, object] = {"base_url": PAGE, "page_url": PAGE, "audio": "../../audio/007.mp3"}
    return render(source, **{**known, **changed})  # type: ignore[arg-type]


def squeezed(html: str) -> str:
    """HTML without the blanks that mean nothing and the attributes other tests look at."""
    html = re.sub(r' (?:rel|tabindex|loading)="[^"]*"| class="highlight"', "", html)
    return re.sub(r"\s*(</?(?:[uo]l|li|p|h\d|pre|blockquote|div|hr|br|t\w+)\b[^>]*>)\s*", r"\1", html)


# ---- whole documents ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", sorted(HERE.glob("*.md")), ids=lambda path: path.stem)
def test_documents_render_as_reviewed(source: Path) -> None:
    result = rendered(source.read_text("utf-8"))
    for form, suffix in ((result.html, ".html"), (result.feed_html, ".feed.html"), (result.text, ".txt")):
        assert form + "\n" == source.with_suffix(suffix).read_text("utf-8")


def test_the_order_of_renderings_does_not_matter() -> None:
    sources = [path.read_text("utf-8") for path in sorted(HERE.glob("*.md"))]
    sources += ["[a][r] x[^1]\n\n[r]: https://x.y\n[^1]: n", "[a][r] x[^1]", "```py\nx\n```", "[" * 20_000]
    expected = [rendered(source) for source in sources]
    for order in itertools.islice(itertools.permutations(range(len(sources))), 0, None, 901):
        assert [rendered(sources[index]) for index in order] == [expected[index] for index in order]


def test_importing_the_module_loads_no_markdown_library() -> None:
    code = "import sys, podsite.notes; print({'markdown', 'nh3', 'pygments'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# ---- Markdown as people write it ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("Topics:\n- a\n- b", "<p>Topics:</p><ul><li>a</li><li>b</li></ul>"),
        ("Topics:\n1. a\n2) b", "<p>Topics:</p><ol><li>a</li><li>b</li></ol>"),
        ("- a\n  - b\n    - c\n- d", "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>"),
        ("- a\n    - b\n        - c\n- d", "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>"),
        ("- a\n\t- b\n- c", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"),
        ("1. a\n  - b\n2. c", "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>"),
        ("- a\n  1. b\n  2. c", "<ul><li>a<ol><li>b</li><li>c</li></ol></li></ul>"),
        ("* a\n1. b", "<ul><li>a</li></ul><ol><li>b</li></ol>"),
        ("3. a\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>'),
        ("• a\n• b", "<ul><li>a</li><li>b</li></ul>"),
        ("- a\nwrapped\n\nend", "<ul><li>a wrapped</li></ul><p>end</p>"),
        ("- a\n\n  more\n- b", "<ul><li><p>a</p><p>more</p></li><li><p>b</p></li></ul>"),
        ("- a\n\n  - b\n- c", "<ul><li><p>a</p><ul><li>b</li></ul></li><li><p>c</p></li></ul>"),
        ("- a\n# H", "<ul><li>a</li></ul><h3>H</h3>"),
        ("in the year\n1984. it was", "<p>in the year 1984. it was</p>"),
        ("a\n\n* * *\n\nb", "<p>a</p><hr><p>b</p>"),
        ("> - a\n> - b", "<blockquote><ul><li>a</li><li>b</li></ul></blockquote>"),
        ("> ```\n> a<b\n> ```\nend", "<blockquote><pre><code>a&lt;b</code></pre></blockquote><p>end</p>"),
        ("- > a\n  > b\n- c", "<ul><li><blockquote><p>a b</p></blockquote></li><li><p>c</p></li></ul>"),
        ("- ```\n  x\n  ```", "<ul><li><pre><code>x</code></pre></li></ul>"),
        ("```\nnever <b>closed</b>\n- x", "<pre><code>never &lt;b&gt;closed&lt;/b&gt;\n- x</code></pre>"),
        ("~~~\n```\n~~~", "<pre><code>```</code></pre>"),
        ("``` not `code` ```", "<p><code>not `code`</code></p>"),
        ("00:00 Intro\n01:30 News", "<p>00:00 Intro<br>01:30 News</p>"),
        ("In this one:\n(00:00) Intro\n(01:30) News", "<p>In this one:<br>(00:00) Intro<br>(01:30) News</p>"),
        ("it starts at\n12:34 today", "<p>it starts at 12:34 today</p>"),
        ("a  \nb\\\nc", "<p>a<br>b<br>c</p>"),
        ("#podcast #news", "<p>#podcast #news</p>"),
        ("a ~~b~~ c~d", "<p>a <del>b</del> c~d</p>"),
        (
            "*a* **b** ***c*** _d_ __e__",
            "<p><em>a</em> <strong>b</strong> <strong><em>c</em></strong> <em>d</em> <strong>e</strong></p>",
        ),
        ("**a *b*** *c **d** e*", "<p><strong>a <em>b</em></strong> <em>c <strong>d</strong> e</em></p>"),
        ("***a** b* _snake_case x_", "<p><em><strong>a</strong> b</em> <em>snake_case x</em></p>"),
        ("*Tip: **note*`x` more", "<p>*Tip: *<em>note</em><code>x</code> more</p>"),
        ("*69 and then *23, \\*not\\*", "<p>*69 and then *23, *not*</p>"),
        ("snake_case_name 2 * 3 * 4", "<p>snake_case_name 2 * 3 * 4</p>"),
        ('"quotes" -- stay...', '<p>"quotes" -- stay...</p>'),
        ("<pre>\n- a\n\n# b\n</pre>\nc", "<pre><code>- a\n\n# b</code></pre><p>c</p>"),
        ("Tom & Jerry &amp; 1 < 2 &copy;", "<p>Tom &amp; Jerry &amp; 1 &lt; 2 ©</p>"),
        ("\n \n", ""),
    ],
)
def test_lenient_markdown(source: str, html: str) -> None:
    found = squeezed(rendered(source, audio=None).html)
    assert re.sub(r"\s+(?![^<]*</code>)", " ", found) == html.replace("\n", " ") or found == html


@pytest.mark.parametrize("indent", [2, 3, 4])
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize("marker", ["-", "1."])
def test_fenced_code_in_a_list_item_stays_text(indent: int, gap: str, marker: str) -> None:
    lines = ["```html", "<script>a<b</script>", "", "  deeper", "```"]
    source = f"{marker} x{gap}" + "\n".join(" " * indent + line for line in lines) + f"\n{marker} y"
    item = '<li><p>x</p><pre><code class="language-html">'
    html = squeezed(rendered(source).html)
    assert item in html
    assert "  deeper</code></pre></li><li><p>y</p></li>" in html
    assert squeezed(rendered(source).feed_html).count("&lt;script&gt;a&lt;b&lt;/script&gt;\n\n  deeper") == 1


@pytest.mark.parametrize(
    ("source", "url", "words"),
    [
        ("see https://x.y/_a_/b", "https://x.y/_a_/b", None),
        ("see https://x.y/*a*/b.", "https://x.y/*a*/b", None),
        ("(https://x.y/A_(b))", "https://x.y/A_(b)", None),
        ("https://x.y/a?b=1&c=2!?", "https://x.y/a?b=1&c=2", None),
        ("**https://x.y/a**", "https://x.y/a", None),
        ("„https://x.y/a“, says", "https://x.y/a", None),
        ("<https://x.y/_a_>", "https://x.y/_a_", None),
        ("[https://x.y/_a_/b](https://z.y)", "https://z.y", "https://x.y/_a_/b"),
        ("www.x.org/a_b_c.", "https://www.x.org/a_b_c", "www.x.org/a_b_c"),
        ("me_too_x@example.org.", "mailto:me_too_x@example.org", "me_too_x@example.org"),
        ('<a href="https://x.y">https://z.y</a>', "https://x.y", "https://z.y"),
        ("https://münchen.example/ä", "https://münchen.example/%C3%A4", "https://münchen.example/ä"),
    ],
)
def test_addresses_are_linked_before_emphasis_is_seen(source: str, url: str, words: str | None) -> None:
    links = re.findall(r'<a href="([^"]*)"[^>]*>(.*?)</a>', rendered(source).html)
    assert [(a.replace("&amp;", "&"), b.replace("&amp;", "&")) for a, b in links] == [(url, words or url)]


@pytest.mark.parametrize(
    "source", ["`https://x.y`", "https://", "http://.", "www.", "a@b", "ahttps://x.y", "    www.x.y"]
)
def test_what_is_no_address_is_not_linked(source: str) -> None:
    assert "<a" not in rendered(source).html


def test_headings_leave_no_gap_under_the_page_s_own() -> None:
    source = "## A\n#### B\n### C\n# D\n" + "\n".join("#" * level + " x" for level in range(1, 7))
    levels = [int(level) for level in re.findall(r"<h(\d)", rendered(source).html)]
    assert levels == [3, 4, 4, 3, 3, 4, 5, 6, 6, 6]
    assert rendered("# A", top=2).html == "<h2>A</h2>"


# ---- timestamps -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("at 12:34", [754]),
        ("1:02:03", [3723]),
        ("(00:50) [1:00] 120:05.", [50, 60, 7205]),
        ("12:34–13:00", [754, 780]),
        ("12:34-13:00", [754]),
        ("**12:34** Intro", [754]),
        ("10:99 16:9 1:2:3 99 12:345", []),
        ("2021-05-13T13:00:00+00:00 2021-05-13 13:00", []),
        ("12:34:56:78 a12:34 12:34b -12:34 1.12:34 12:34.5", []),
        ("at 10:30 am, 14:00 UTC, 20:15 Uhr", []),
        ("`12:34` [12:34](x) <kbd>12:34</kbd> https://x.y/12:34", []),
        ("    12:34", []),
        ("1:00:00 1:00:01", [3600]),
    ],
)
def test_timestamps_link_into_the_audio(text: str, starts: list[int]) -> None:
    limit = 3600 if "1:00:01" in text else None
    result = rendered(text, max_seconds=limit)
    links = re.findall(r'class="timestamp" href="\.\./\.\./audio/007\.mp3#t=(\d+)" data-start="(\d+)"', result.html)
    assert links == [(str(start), str(start)) for start in starts]
    assert re.findall(rf'href="{PAGE}#t=(\d+)"', result.feed_html) == [str(start) for start in starts]


def test_timestamps_stay_text_where_nothing_can_play_them() -> None:
    assert rendered("at 12:34", audio=None).html == "<p>at 12:34</p>"
    assert rendered("at 12:34", page_url=None).feed_html == "<p>at 12:34</p>"
    assert rendered("at 12:34").text == "at 12:34"


# ---- links and images -----------------------------------------------------------------------------------------------


def test_relative_links_are_mapped_on_the_page_and_absolute_in_the_feed() -> None:
    result = rendered(
        "![x](img/a.png) [y](../other/) [z](/root#a) [f](#frag) [w](//cdn.example/x)", page_link=str.upper
    )
    assert re.findall(r'(?:href|src)="([^"]*)"', result.html) == [
        "IMG/A.PNG", "../OTHER/", "/ROOT#A", "#frag", "https://cdn.example/x",
    ]  # fmt: skip
    assert re.findall(r'(?:href|src)="([^"]*)"', result.feed_html) == [
        PAGE + "IMG/A.PNG", "https://example.org/pod/episodes/OTHER/", "https://example.org/ROOT#A",
        PAGE + "#frag", "https://cdn.example/x",
    ]  # fmt: skip


def test_a_link_that_leaves_says_nothing_about_where_it_came_from() -> None:
    html = rendered('[a](https://x.y) [b](mailto:a@b.c) [c](d) <a href="//x.y" target="_blank">e</a>').html
    assert re.findall(r'href="([^"]*)" rel="noopener noreferrer"', html) == [
        "https://x.y",
        "https://x.y",
    ]
    assert "target" not in html


def test_images_always_have_an_alternative() -> None:
    result = rendered('![](a.png "t") <img src=b.png width=10 height=5%>')
    assert result.html == (
        '<p><img src="a.png" alt="" title="t" loading="lazy"> <img src="b.png" alt="" width="10" loading="lazy"></p>'
    )
    assert "loading" not in result.feed_html


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("![A <map>](https://x.y/b.png)", '<a href="https://x.y/b.png" rel="noopener noreferrer">A &lt;map&gt;</a>'),
        ("![](//x.y:80/b.png)", '<a href="https://x.y:80/b.png" rel="noopener noreferrer">x.y</a>'),
        ("[![m](https://x.y/b.png) n](https://z.y)", '<a href="https://z.y" rel="noopener noreferrer">m n</a>'),
        ("a<img src=https://x.y/b.gif width=1 height=1>b", "ab"),
        ("![m](https://example.org/b.png)", '<img src="https://example.org/b.png" alt="m" loading="lazy">'),
    ],
)
def test_a_page_loads_no_image_of_another_server(source: str, shown: str) -> None:
    """It is named and linked there, and stays an image in the feed."""
    result = rendered(source)
    assert result.html == f"<p>{shown}</p>"
    assert "<img " in result.feed_html


def test_addresses_are_escaped_once() -> None:
    html = rendered("[a](<a b/ü%20|%.md?x=1&y=2>)").html
    assert html == '<p><a href="a%20b/%C3%BC%20%7C%25.md?x=1&amp;y=2">a</a></p>'


def test_text_keeps_the_words_of_links_alone() -> None:
    source = "[site](https://x.y/) https://x.y <https://z.y/> [m](mailto:a@b.c) a@b.c"
    assert rendered(source).text == "site https://x.y https://z.y/ m a@b.c"


def test_plain_is_one_line_without_addresses() -> None:
    assert plain("# A\n\nb *c*\nd [e](https://x.y)\n\n- f\n- g & `h<i>`") == "A b c d e • f • g & h<i>"


# ---- hostile text ---------------------------------------------------------------------------------------------------

PAGE_ATTRIBUTES = {
    "a": {"href", "title", "rel", "role", "class", "data-start"},
    "img": {"src", "alt", "title", "width", "height", "loading"},
    "pre": {"class", "tabindex"},
    "code": {"class"},
    "span": {"class"},
    "div": {"class", "tabindex"},
    "li": {"id"},
    "sup": {"id"},
    "ol": {"start"},
    "td": {"class", "colspan", "rowspan"},
    "th": {"class", "colspan", "rowspan"},
    "abbr": {"title"},
}
FEED_ATTRIBUTES = {
    "a": {"href", "title"},
    "img": {"src", "alt", "title", "width", "height"},
    "ol": {"start"},
    "td": {"align", "colspan", "rowspan"},
    "th": {"align", "colspan", "rowspan"},
    "abbr": {"title"},
}
PLAIN_TAGS = {
    "b",
    "blockquote",
    "br",
    "del",
    "em",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "kbd",
    "p",
    "strong",
    "sub",
    "table",
    "tbody",
    "tfoot",
    "thead",
    "tr",
    "ul",
    "div",
    "pre",
    "code",
    "li",
    "sup",
}


class Checked(HTMLParser):
    """Refuses every tag, attribute and scheme that is not meant to be in notes."""

    def __init__(self, allowed: dict[str, set[str]]) -> None:
        super().__init__()
        self.allowed = allowed
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert tag in self.allowed or tag in PLAIN_TAGS, tag
        for name, value in attrs:
            assert name in self.allowed.get(tag, ()), (tag, name)
            if name in ("href", "src"):
                scheme = urlsplit(re.sub(r"[\x00-\x20]", "", value or "")).scheme
                assert scheme in ("http", "https", "mailto", "tel") or (
                    scheme == "" and self.allowed is PAGE_ATTRIBUTES
                )
            if name == "id":
                assert (value or "").startswith("notes-"), value

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


def check(result: Rendered) -> None:
    for html, allowed in ((result.html, PAGE_ATTRIBUTES), (result.feed_html, FEED_ATTRIBUTES)):
        checked = Checked(allowed)
        checked.feed(html)
        checked.close()
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", html)
        assert "]]>" not in html


XSS = [
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](java&Tab;script:a())",
    "[x](<java\tscript:alert(1)>)",
    "<a href='java\nscript:alert(1)'>x</a>",
    "<a href=' \x01javascript:alert(1)'>x</a>",
    "<a href=javascript&colon;alert(1)>x</a>",
    "[x](vbscript:a)",
    "[x](data:text/html;base64,PHN2Zz4=)",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "![x](javascript:alert(1))",
    "<javascript:alert(1)>",
    "[x]: javascript:a\n\n[x]",
    '[x](https://x.y "\\" onmouseover=\\"alert(1)")',
    '![x" onerror="alert(1)](https://x.y/a.png)',
    "[x](https://x.y/'onclick=a)",
    "<img src=x onerror=alert(1)>",
    "<img src=x srcset='javascript:a 1x'>",
    "<svg onload=alert(1)><script>a</script></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<math><mi><style><!--</style><img title='--&gt;&lt;img src=1 onerror=a&gt;'>",
    "<script>alert(1)</script>",
    "<scr<script>ipt>alert(1)</script>",
    "<script\n>alert(1)",
    "<style>*{}</style><p style='x:y'>z</p>",
    "<iframe src=https://x.y></iframe>",
    "<form action=x><input name=y><button formaction=javascript:a>z</button></form>",
    "<object data=x></object><embed src=x><base href=//x.y>",
    "<meta http-equiv=refresh content=0><link rel=stylesheet href=x>",
    "<p id=main class=x data-x=y onclick=z tabindex=1 accesskey=a>t</p>",
    "<span class=k>x</span>",
    "<sup id=main>x</sup>",
    "<a name=x id='fn:1' href='#fn:2'>x</a>",
    "<li id='fn:a\"b'>x</li>",
    "<template><b onclick=a></template>",
    "<noscript><p title='</noscript><img src=x onerror=a>'>",
    "<textarea><img src=x onerror=a></textarea>",
    "<title><img src=x onerror=a></title>",
    "<xmp><img src=x onerror=a></xmp>",
    "<plaintext><b>x",
    "<!--><img src=x onerror=a>-->",
    "<![CDATA[<img src=x onerror=a>]]>",
    "<?php echo 1 ?>",
    "<!DOCTYPE x [<!ENTITY a 'b'>]>",
    '```"><img src=x onerror=a>\ncode\n```',
    '```py"onclick="a\nx\n```',
    "<pre><code class='language-py\" onclick=a'>x</code></pre>",
    "`<img src=x onerror=a>`",
    "    <img src=x onerror=a>",
    "{{ 7*7 }} {% raw %} ${x} <%= y %>",
    "a\x02wzxhzdk:0\x03b \x02klzzwxh:0000\x03",
    '12:34"><img src=x>',
    'https://x.y/"onclick="a',
    "https://x.y/<script>a</script>",
    "www.x.y/'onclick=a",
    "[^<img src=x onerror=a>]\n\n[^<img src=x onerror=a>]: x",
    "|a|\n|-|\n|<img src=x onerror=a>|",
    "\\<script>alert(1)\\</script>",
    "<a href=\\\\evil.example\\x>x</a>",
    "<a href='http://['>x</a>",
    "[x](http://[)",
    "\ud83c \ufffe \x85",
    "&#1;&#x7;&#2;klzzwxh:0000&#3;&#xFFFE;&#xD800;<a href='&#7;x' title='&#27;'>x</a>",
]


@pytest.mark.thorough(but_each=8)
@pytest.mark.parametrize("source", XSS)
@pytest.mark.parametrize("frame", ["{}", "- a\n  {}", "> {}", "<div>{}", "# {}"])
def test_hostile_text_stays_text(source: str, frame: str) -> None:
    check(rendered(frame.replace("{}", source)))


def test_hostile_text_stays_text_for_a_foreign_parser() -> None:
    html5lib = pytest.importorskip("html5lib")
    for source in XSS:
        for html, allowed in ((rendered(source).html, PAGE_ATTRIBUTES), (rendered(source).feed_html, FEED_ATTRIBUTES)):
            for element in html5lib.parseFragment(html, namespaceHTMLElements=False).iter():
                if element.tag != "DOCUMENT_FRAGMENT":
                    assert element.tag in allowed or element.tag in PLAIN_TAGS, (source, element.tag)
                    assert set(element.attrib) <= allowed.get(element.tag, set()), source


def test_markdown_s_placeholders_cannot_be_forged() -> None:
    html = rendered("*a* `b` \x02klzzwxh:0000\x03\n\n```\nc\n```\n\n\x02wzxhzdk:0\x03").html
    assert squeezed(html) == ("<p><em>a</em> <code>b</code> klzzwxh:0000</p><pre><code>c</code></pre><p>wzxhzdk:0</p>")


def test_backslashes_cannot_turn_a_path_into_another_host() -> None:
    assert "%5C%5Cevil.example%5Cx" in rendered("<a href='\\\\evil.example\\x'>x</a>").html


def test_code_with_the_end_of_cdata_keeps_the_feed_whole() -> None:
    result = rendered("```\na[b[0]]>1\n```")
    assert result.feed_html == "<pre><code>a[b[0]]&gt;1</code></pre>"
    assert result.text == "a[b[0]]>1"


def test_text_is_escaped_once() -> None:
    result = rendered("author: A & B, C &amp; D")
    assert result.feed_html == "<p>author: A &amp; B, C &amp; D</p>"
    assert result.text == "author: A & B, C & D"


PIECES = st.sampled_from(
    [
        "<",
        ">",
        "&",
        "[",
        "]",
        "(",
        ")",
        "![",
        "](",
        "`",
        "```",
        "~~~",
        "*",
        "**",
        "_",
        "~~",
        "#",
        "- ",
        "1. ",
        "> ",
        "\n",
        "\n\n",
        "    ",
        "  ",
        "\t",
        "|",
        "|-|-|\n",
        "12:34",
        "1:02:03",
        "https://x.y/",
        "www.a.b",
        "javascript:",
        "<a href=",
        "'",
        '"',
        "<img src=x onerror=a>",
        "<script>",
        "</script>",
        "<div>",
        "</div>",
        "<pre>",
        "</pre>",
        "<!--",
        "-->",
        "<svg>",
        "<ul><li>",
        "</p>",
        "[^1]",
        "[^1]: ",
        "[a]: ",
        "\\",
        "&#",
        ";",
        "\x02",
        "\x03",
        "\x00",
        "---",
        "===",
        "a",
        "ü",
        "•",
        "<table>",
        "<td>",
        "<![CDATA[",
        "<?",
        "<h1>",
        "<p>",
    ],
)


@given(st.lists(PIECES | st.text(max_size=3), max_size=30).map("".join))
def test_any_text_renders_and_is_safe(source: str) -> None:
    result = rendered(source)
    check(result)
    assert not re.search("klzzwxh|wzxhzdk", result.html + result.text)
    assert rendered(source) == result


@pytest.mark.thorough(but_each=5)
@pytest.mark.parametrize(
    "source",
    [
        "[" * 20_000,
        "![" * 20_000,
        "[a](" * 10_000,
        "<a " * 10_000,
        "<![CDATA[" * 5_000,
        "<div>" * 40_000,
        "<ul><li>" * 20_000,
        "> " * 10_000,
        "\n".join("  " * depth + "- a" for depth in range(1_000)),
        "a\n=\n" * 3_000,
        "[^1]: a\n" * 4_000 + "[^1]" * 4_000,
        "```" + " " * 30_000 + "`",
        "~~a " * 10_000,
        "*a **b " * 5_000,
        "https://a" + ")" * 20_000,
        "*a* " + "http://" * 30_000,
        "_a_ " + "www." * 50_000,
        "a" * 40_000,
        "`a" * 5_000,
        "word *em* `c`\n" * 18_000,
        "<b>" * 10_000,
        "- ```\n" * 1_000,
        "\n".join("> " * depth for depth in range(300)),
    ],
    ids=lambda source: source[:9].strip() or "blank",
)
def test_no_text_takes_long(source: str) -> None:
    start = time.perf_counter()
    rendered(source)
    assert time.perf_counter() - start < 5


# ---- highlighted code -----------------------------------------------------------------------------------------------


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("colours", "grounds"), [(LIGHT, ["#f6f4f0", "#ffffff", "#eeece6"]), (DARK, ["#1b1d21", "#000000", "#262930"])]
)
def test_every_colour_of_code_can_be_read(colours: dict[str, str], grounds: list[str]) -> None:
    for name, colour in colours.items():
        for ground in grounds:
            assert contrast(colour, ground) >= 4.5, (name, ground)


def test_the_style_sheet_is_small_and_knows_both_schemes() -> None:
    css = highlight_css()
    assert len(gzip.compress(css.encode(), mtime=0)) < 600
    assert set(LIGHT) == set(DARK) == set(re.findall(r"\.highlight \.(\w+)\{color", css))
    assert ":root[data-theme=dark] .highlight" in css
    assert "(prefers-color-scheme:dark){:root:not([data-theme=light]) .highlight" in css


@pytest.mark.parametrize(
    "language", ["python", "py", "c++", "cpp", "bash", "console", "diff", "yaml", "html", "nonsense", ""]
)
def test_highlighting_changes_no_character(language: str) -> None:
    code = "\n\n  int x = 1; // <a> & 'b'\n+added\n-gone\n$ ls\n\tdef f(): pass\n"
    found = highlight(code, language)
    assert re.sub(r"</?span[^>]*>", "", found).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") == code
    assert set(re.findall(r'class="(\w+)"', found)) <= set(LIGHT)
    assert ("<span" in found) or language in ("yaml", "nonsense", "")


def test_long_code_scrolls_by_keyboard_on_the_page_only() -> None:
    result = rendered("```py\nx = 1\n```")
    assert result.html.startswith('<pre class="highlight" tabindex="0"><code class="language-py">')
    assert result.feed_html == "<pre><code>x = 1</code></pre>"


def test_markdown_again_is_written_only_where_it_is_asked_for() -> None:
    """All other forms are the same."""
    both = [rendered("**Moon** and [dew](x.html)", twin=twin) for twin in (True, False)]
    assert [bool(one.markdown) for one in both] == [True, False]
    assert both[0].html == both[1].html
    assert both[0].feed_html == both[1].feed_html
    assert both[0].text == both[1].text
