"""Promises of social cards: whatever a title is written in, it fits, it is drawn, and it costs few bytes.

There are no stored pictures to compare with: the last bit of a smoothed edge depends on the versions of Pillow and
HarfBuzz, which differ from machine to machine. What is tested is what a reader would notice: where ink is, which
letters are drawn, in which order they stand, how large and how small the file is.
"""

from __future__ import annotations

import functools
import io
import json
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bidi import get_display
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from podsite import cards, colour
from podsite.cards import bidi, faces
from podsite.cards.canvas import Box
from podsite.cards.drawing import BAND, HEIGHT, LIMIT, MARGIN, WIDTH, Card, Drawn, Look, draw
from podsite.cards.setting import Room, Setter, letters_of
from podsite.cards.tile import tile


@pytest.fixture
def site(site: Any) -> Any:
    """Writes the small site of all tests, which does without cards, with cards."""

    def write(files: Any = None, **more: Any) -> Path:
        root: Path = site(files, **more)
        show = root / "show.yaml"
        show.write_text(show.read_text("utf-8").replace("theme: {cards: false}\n", ""), "utf-8")
        return root

    return write


LOOK = Look("en", False, "serif", "#0a5e63", "#f7f2e8", "#1c1a17", "#5c554a", "#d3c8b4")
RTL = replace(LOOK, language="ar", rtl=True)
PAPER = (0xF7, 0xF2, 0xE8)

LOOKS = {
    "serif": LOOK,
    "from the right": RTL,
    "sans": replace(LOOK, family="sans"),
    "mono": replace(LOOK, family="mono"),
}

TITLES = {
    "short": "Tides",
    "usual": "History and constraints of the dispatcher",
    "hooks that leave their line": "Just jumping, Åse Ǻ ḝ",
    "one long word": "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "very long": "What one hears when nothing is heard, and why that is " * 30,
    "Greek and Russian": "Ἡ θάλασσα и её приливы",
    "Vietnamese": "Những đêm yên tĩnh ở Huế",
    "Japanese": "PyTorchの内部構造を一から学ぶ：テンソル、自動微分、そしてディスパッチャ",
    "Chinese": "深入理解自动微分：从计算图到反向传播的完整旅程",
    "Korean": "파이토치 내부 구조를 처음부터 배우기",
    "Arabic": "كيف نتعلم البرمجة من البداية",
    "Arabic and English": "كيف نتعلم PyTorch 2.0 في عام ٢٠٢٤ (الجزء 1)",
    "English and Hebrew": "The word שלום in 3 songs",
    "Hebrew with points": "בְּרֵאשִׁית בָּרָא",
    "Devanagari": "हिन्दी में प्रोग्रामिंग सीखें",
    "Sanskrit": "कार्त्स्न्यम् ङ्क्ष्म्यं",
    "Thai": "ภาษาไทยไม่มีช่องว่างระหว่างคำแต่ต้องตัดบรรทัดได้ น้ำ",
    "Tamil": "தமிழில் நிரலாக்கம்",
    "Amharic and Georgian": "ሰላም გამარჯობა Բարեւ",
    "emoji": "👩‍👩‍👧‍👦 at 🏳️‍🌈 🇩🇪🇫🇷 ❤️ 👍🏽 1️⃣",
    "marks without end": "Z" + "\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309\u030a" * 9 + "algo",
    "the widest letter": "﷽﷽﷽",
    "symbols": "a → b ≤ c ☎ ✓ ♥",
    "written apart": "A\u00a0B\u202fC – D/E",
    "no letters": " \t\u200b\u00ad ",
    "nothing": "",
    "controls": "\x07\u202e\ud800\u2066evil\u2069\x00",
}


@pytest.fixture(scope="module")
def noisy() -> Callable[[int, int], Image.Image]:
    """A busy picture, as a photograph is, in as much detail as a card has room for."""
    noise = Image.effect_noise((848, 848), 90).convert("RGB")
    noise.paste(Image.linear_gradient("L").resize((848, 424)).convert("RGB"), (0, 424))
    return functools.cache(lambda side, most: Image.open(io.BytesIO(tile(noise, side, most))))


def pixels(drawn: Drawn) -> Image.Image:
    return Image.open(io.BytesIO(drawn.png)).convert("RGB")


def ink(image: Image.Image, box: Box) -> tuple[int, int, int, int] | None:
    """Where a part of a card is not bare paper."""
    part = image.crop(box)
    return ImageChops.difference(part, Image.new("RGB", part.size, PAPER)).getbbox()


def shown(drawn: Drawn, name: str = "title") -> str:
    """The letters of a text as its lines have them."""
    return "".join("".join(drawn.texts[name].setting.texts).split())


def check(drawn: Drawn, look: Look) -> None:
    """That a card is a card, and that its margins are bare, whatever its texts are."""
    image = Image.open(io.BytesIO(drawn.png))
    assert (image.format, image.size, image.mode) == ("PNG", (WIDTH, HEIGHT), "P")
    assert len(drawn.png) <= LIMIT
    margins = [
        Box(BAND, 0, WIDTH, 20),
        Box(BAND, HEIGHT - 20, WIDTH, HEIGHT),
        Box(BAND, 0, MARGIN, HEIGHT),
        Box(WIDTH - MARGIN + 14, 0, WIDTH, HEIGHT),
    ]
    for margin in margins:
        assert ink(image.convert("RGB"), margin.mirrored(WIDTH) if look.rtl else margin) is None


@pytest.mark.thorough(but_each=5)
@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_every_title_fits(title: str, look: Look, noisy: Any, thorough: bool) -> None:
    """No ink leaves the room for its text, with artwork and without, and nothing is drawn as an empty box."""
    card = Card(title, "Quiet Hours", "12", ("14 min",), plays=True)
    ways = [(card, noisy), (card,), (replace(card, kind="quote"), noisy)]
    chosen = ways if thorough else [ways[len(title) % 3]]
    for drawn in (draw(one, look, *tiles) for one, *tiles in chosen):
        check(drawn, look)
        assert drawn.missing == ""
        for one in drawn.texts.values():
            if one.inked:
                # marks that tower above their line are what may be cut off
                assert one.inked.within(one.room) == one.inked or title == TITLES["marks without end"]
            for line in one.setting.lines:
                assert all(glyph.number for run in line for glyph in run.glyphs)


@pytest.mark.parametrize(
    "name", [name for name in TITLES if name not in {"very long", "marks without end", "controls"}]
)
def test_a_title_is_drawn_whole(name: str) -> None:
    """In as many lines as it takes: no letter is lost."""
    drawn = draw(Card(TITLES[name], "Quiet Hours"), LOOK)
    assert shown(drawn) == "".join(letter for letter in letters_of(TITLES[name]) if not letter.isspace())
    assert bool(drawn.texts["title"].inked) == bool(shown(drawn))


def test_a_title_without_end_ends_in_an_ellipsis() -> None:
    """Five lines of it are shown."""
    drawn = draw(Card(TITLES["very long"], "Quiet Hours"), LOOK)
    assert shown(drawn).endswith("…")
    assert len(drawn.texts["title"].setting.lines) == 5


def test_the_shorter_a_title_the_larger_it_is() -> None:
    """Sizes follow from the room; words are only broken in the smallest size."""
    sizes = [
        draw(Card(title, ""), LOOK).texts["title"].setting.size
        for title in ("Tides", TITLES["usual"], TITLES["one long word"], TITLES["very long"])
    ]
    assert sizes == sorted(sizes, reverse=True)
    usual = draw(Card(TITLES["usual"], ""), LOOK).texts["title"].setting.texts
    assert " ".join(usual) == TITLES["usual"]


def test_marks_that_tower_above_their_line_are_cut_off() -> None:
    """They do not reach the line under the show's name."""
    drawn = draw(Card(TITLES["marks without end"], "Quiet Hours"), LOOK)
    title = drawn.texts["title"]
    assert title.inked and title.inked.top < 110
    assert ink(pixels(drawn), Box(MARGIN, 119, WIDTH - MARGIN, title.room.top)) is None


def test_a_letter_wider_than_its_room_is_made_smaller() -> None:
    """Even in the smallest size of its kind it would leave it."""
    title = draw(Card("ङ्" * 60 + "क", "Quiet Hours"), LOOK).texts["title"]
    assert len(title.setting.lines) == 1
    assert title.inked and title.inked.within(title.room) == title.inked


def test_a_busy_title_beside_a_busy_picture_stays_a_small_file(noisy: Any) -> None:
    """With less detail, where it has to be: both are still there."""
    drawn = draw(Card("龜龍鬱驚讚麤灣鑿鷹籲鸞響驫飜爨鑾鬻麟癲纜齾靐龘" * 9, "驫飜爨鑾鬻麟", kind="quote"), LOOK, noisy)
    check(drawn, LOOK)
    assert ink(pixels(drawn), drawn.texts["title"].room)


@given(st.text(max_size=80), st.sampled_from([LOOK, RTL]), st.sampled_from(["page", "quote"]))
@example("\ud800\U000e0001\u200d\ufe0f", LOOK, "page")
@example("ﷺ" * 40, RTL, "quote")
def test_no_text_at_all_breaks_a_card(text: str, look: Look, kind: Any) -> None:
    """Whatever is typed, a card comes out; what has no typeface is told."""
    drawn = draw(Card(text, text[:20], text[:7], (text[:9],), kind=kind), look)
    check(drawn, look)
    for one in drawn.texts.values():
        assert all(glyph.number for line in one.setting.lines for run in line for glyph in run.glyphs)


def test_equal_cards_are_equal_files(noisy: Any) -> None:
    """Byte for byte."""
    card = Card(TITLES["Arabic and English"], "Quiet Hours", "12", ("14 min",))
    assert draw(card, RTL, noisy).png == draw(card, RTL, noisy).png


def test_what_is_read_from_the_right_begins_at_the_right() -> None:
    """The card is mirrored: its band, its texts, its artwork; a title runs as its own letters do."""
    card = Card(TITLES["Arabic"], "Quiet Hours", "12", ("14 min",), plays=True)
    left, right = (pixels(draw(card, look)) for look in (LOOK, RTL))
    band = (0x0A, 0x5E, 0x63)
    assert (left.getpixel((4, 300)), left.getpixel((WIDTH - 5, 300))) == (band, PAPER)
    assert (right.getpixel((4, 300)), right.getpixel((WIDTH - 5, 300))) == (PAPER, band)
    for name, at in draw(card, RTL).texts.items():
        other = draw(card, LOOK).texts[name]
        assert at.room == other.room.mirrored(WIDTH)
    foot = draw(card, RTL).texts
    assert foot["facts"].inked.right < foot["number"].inked.left < foot["title"].inked.right
    assert draw(card, RTL).texts["title"].inked.right > WIDTH - MARGIN - BAND - 8


def glyphs(text: str, *, rtl: bool = False) -> list[int]:
    """The shapes of a line, from left to right."""
    setter = Setter(faces.Faces("serif", 500, "en"), rtl)
    [line] = setter.fitted(text, (10,), Room(10_000, 10)).lines
    return [glyph.number for run in line for glyph in run.glyphs]


def test_letters_take_the_shapes_of_their_place() -> None:
    """Arabic joins, Devanagari makes conjuncts, a family is one picture, a flag is."""
    assert glyphs("ب") != glyphs("ببب", rtl=True)[:1]
    assert len(set(glyphs("ببب", rtl=True))) >= 3
    assert len(glyphs("क्ष")) == 1
    assert len(glyphs("👩‍👩‍👧‍👦")) == 1
    assert len(glyphs("🇩🇪")) == 1
    assert glyphs("é") == glyphs("e\u0301")


def test_lines_stand_in_the_order_in_which_they_are_read() -> None:
    """Arabic from right to left, Latin words and numbers within it from left to right."""
    alone, both = glyphs("PyTorch"), glyphs("من PyTorch إلى", rtl=True)
    at = next(start for start in range(len(both)) if both[start : start + len(alone)] == alone)
    assert both[:at] and both[at + len(alone) :]
    assert glyphs("אב") == glyphs("ב") + glyphs("א")
    assert glyphs("א (ב)", rtl=True)[0] == glyphs("(")[0]  # brackets are mirrored


def test_a_title_of_another_script_is_set_in_one_kind_of_letters() -> None:
    """The few Latin words in it are set in the sans, as the rest is, whatever the family of the show."""
    for title, count in ((TITLES["Japanese"], 2), (TITLES["usual"], 1)):
        serif, sans = (draw(Card(title, ""), look).texts["title"].setting for look in (LOOK, LOOKS["sans"]))
        assert len({run.face for line in serif.lines for run in line}) == count
        assert ([run.glyphs for line in serif.lines for run in line] == [
            run.glyphs for line in sans.lines for run in line
        ]) == (title == TITLES["Japanese"])  # fmt: skip


LETTERS = 'abאב גاب١٢12+-.,:%$()[]!?é֑ـ«»"/'


@given(st.text(LETTERS, max_size=14), st.booleans())
@settings(max_examples=4 * settings().max_examples)
def test_directions_are_those_of_the_unicode_algorithm(text: str, rtl: bool) -> None:
    """As another implementation of it orders a line; that one mirrors brackets, which here is left to the shaping."""
    mine = "".join(text[at] for at in bidi.visual(bidi.levels(text, rtl)))
    other = get_display(text, base_dir="R" if rtl else "L")
    alike = str.maketrans(")]»", "([«")
    assert mine.translate(alike) == other.translate(alike)


def lines(text: str, ems: float, language: str = "ja") -> tuple[str, ...]:
    return Setter(faces.Faces("sans", 500, language), False).fitted(text, (10,), Room(ems * 10, 400, 20)).texts


def test_lines_break_where_the_script_allows_it() -> None:
    """Between Han and kana, but not before a full stop; not inside Korean words; not at a fixed space."""
    assert lines("一二三四五。六七", 5.2) == ("一二三四", "五。六七")
    assert lines("一二三（四五）六", 4.2) == ("一二三", "（四", "五）六")
    assert lines("파이토치 내부", 5.5) == ("파이토치", "내부")
    assert lines("aaaa 1\u00a0km", 3.6, "en") == ("aaaa", "1\u00a0km")
    assert lines("Nord-Süd", 3, "en") == ("Nord-", "Süd")


def test_words_are_broken_between_letters_only() -> None:
    """Never between a letter and its marks, nor inside of an emoji."""
    for text in ("e\u0323\u0302" * 30, "👩‍👩‍👧‍👦" * 20, "क्षि" * 20, "น้ำ" * 30, "🇩🇪" * 15):
        whole = [*letters_of(text)]
        assert len(set(whole)) == 1
        for line in lines(text, 6.3):
            assert line == whole[0] * (len(line) // len(whole[0]))


@pytest.mark.parametrize("accent", ["#0a5e63", "#ffff00", "#ffffff", "#000000", None])
def test_the_accent_can_be_read_on_the_paper(accent: str | None) -> None:
    """A pale colour is darkened as it is on the site."""
    assert colour.contrast(colour.inks(accent).light, LOOK.paper) >= 4.5


def test_inks_are_those_of_the_site(repository: Path) -> None:
    """site.css has the same paper, ink and lines."""
    css = (repository / "templates/assets/site.css").read_text()
    said = dict(re.findall(r"--(paper|ink|soft|line): (#\w+)", css.partition("}")[0]))
    assert said == {"paper": colour.LIGHT_PAPERS[0], "ink": cards.INK, "soft": cards.SOFT, "line": cards.LINE}


def test_artwork_is_drawn_as_well_as_there_is_room() -> None:
    """A drawing keeps its size and colours; noise is shown smaller and in fewer."""
    flat = Image.new("RGB", (848, 848), "#123456")
    flat.paste("#fedcba", (200, 200, 600, 600))
    noise = Image.effect_noise((848, 848), 90).convert("RGB")
    small, large = (Image.open(io.BytesIO(tile(picture, 424, 36_000))) for picture in (noise, flat))
    assert large.size == (424, 424)
    assert large.convert("RGB").getpixel((212, 212)) == (0xFE, 0xDC, 0xBA)
    assert small.width < 424


# Whole sites


def changed(podsite: Any, root: Path) -> set[str]:
    """Build a site; the files that were written."""
    done = podsite("build", root, "--verbose")
    assert done.status == 0, done.err
    return set(re.findall(r"[\w./-]*card\.png", done.out + done.err))


def heads(output: Path, page: str) -> dict[str, str]:
    """The properties of a page for those who show links."""
    html = (output / page).read_text()
    return dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', html))


PEOPLE = """
    people:
      ada: {name: "Ada Reef", role: Host, image: static/ada.png, bio: "Records at night."}
"""


@pytest.fixture
def full(site: Any) -> Path:
    """A site with every kind of page."""
    face = io.BytesIO()
    Image.linear_gradient("L").convert("RGB").save(face, "PNG")
    show = (
        'title: "Quiet Hours"\ndescription: "Talks about the night."\nlanguage: en\nauthor: "Ada Reef"\n'
        "url: https://example.org/quiet/\nartwork: static/artwork.jpg\ncategories: [Technology]\n"
        "guid: 917393e3-1b1e-5cef-ace4-edaa54e1f810\n"
        'people:\n  ada: {name: "Ada Reef", role: Host, image: static/ada.png}\n'
        'paths:\n  - {id: first, title: "First nights", episodes: [first-night]}\n'
    )
    episode = (
        'title: "The first night"\nnumber: 1\nseason: 1\npublished: 2025-03-01\nsummary: "Nothing is heard."\n'
        "people: [ada]\ntopics: [Night]\naliases: [/old/]\nfurther_reading:\n"
        '  - {title: "On silence", url: "https://example.org/silence"}\n'
    )
    more = {"pages/about.md": "# About\n\nUs.\n", "static/ada.png": face.getvalue()}
    return site({"show.yaml": show, "episodes/001-first-night.yaml": episode, **more})


def test_every_page_has_a_card(full: Path, build: Any) -> None:
    """Which its head names with its size; an old address leads on to one that does, and 404.html has none."""
    output = build(full)
    pages = {path.relative_to(output).as_posix() for path in output.rglob("index.html")}
    for page in pages:
        said, target = heads(output, page), page.removesuffix("index.html")
        if target == "old/" or target.endswith("/embed/"):  # one only leads on, the other is shown by its player
            continue
        assert said["og:image"] == f"https://example.org/quiet/{target}card.png"
        assert (said["og:image:width"], said["og:image:height"]) == ("1200", "630")
        assert said["og:image:type"] == "image/png"
        is_played = target == "episodes/first-night/"
        assert said["twitter:card"] == ("player" if is_played else "summary_large_image")
        assert "Quiet Hours" in said["og:image:alt"]
        with Image.open(output / target / "card.png") as image:
            assert image.size == (1200, 630)
    assert {"old/", "about/", "people/ada/", "topics/night/", "seasons/1/", "start/first/", "reading/", ""} <= {
        page.removesuffix("index.html") for page in pages
    }
    apart = {"old/index.html", "episodes/first-night/embed/index.html"}
    assert len([*output.rglob("card.png")]) == len(pages - apart)
    assert "og:image" not in heads(output, "404.html")


def test_cards_say_what_their_pages_are(full: Path, podsite: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """By name, with what a friend would say of it."""
    said: dict[str, Card] = {}

    def told(card: Card, *rest: Any) -> Drawn:
        said[card.title] = card
        return draw(card, *rest)

    monkeypatch.setattr(cards, "draw", told)
    assert podsite("build", full, "--jobs", 1).status == 0
    assert said["Quiet Hours"] == Card("Quiet Hours", "Ada Reef")
    assert said["The first night"] == Card("The first night", "Quiet Hours", "1", ("1\xa0sec",), plays=True)
    assert said["Ada Reef"].facts == ("Host", "1 episode")
    assert said["Night"].facts == ("1 episode",)
    assert said["First nights"].facts == ("1 episode", "1\xa0sec")
    assert {"Episodes", "People", "About", "Subscribe"} <= {*said}


def test_a_card_is_drawn_again_when_something_on_it_changed(full: Path, podsite: Any) -> None:
    """And no other card is."""
    episode = full / "episodes/001-first-night.yaml"
    assert len(changed(podsite, full)) > 10
    for old, new, expected in (
        ("Nothing is heard", "Something is heard", set()),
        ("The first night", "The second night", {"episodes/first-night/card.png"}),
        ("number: 1", "number: 2", {"episodes/first-night/card.png"}),
        ("topics: [Night]", "topics: [Night, Day]", {"topics/day/card.png"}),
    ):
        episode.write_text(episode.read_text().replace(old, new))
        assert changed(podsite, full) == expected
    with (full / "show.yaml").open("a") as show:
        show.write("theme: {accent: '#123456'}\n")
    assert len(changed(podsite, full)) > 10
    Image.radial_gradient("L").convert("RGB").save(full / "static/ada.png")
    assert changed(podsite, full) == {"people/ada/card.png"}
    (full / "output/people/ada/card.png").unlink()
    assert changed(podsite, full) == {"people/ada/card.png"}


def test_a_picture_of_ones_own_takes_the_place_of_a_card(full: Path, build: Any) -> None:
    """Of any size: its head does not say that of a drawn one."""
    own = full / "static/episodes/first-night/card.png"
    own.parent.mkdir(parents=True)
    Image.new("RGB", (600, 315)).save(own)
    output = build(full)
    assert (output / "episodes/first-night/card.png").read_bytes() == own.read_bytes()
    said = heads(output, "episodes/first-night/index.html")
    assert said["og:image"].endswith("/episodes/first-night/card.png")
    assert "og:image:width" not in said
    own.unlink()
    build(full)
    assert heads(output, "episodes/first-night/index.html")["og:image:width"] == "1200"


def test_a_show_can_do_without_cards(full: Path, build: Any) -> None:
    """The cover stands for its pages then, and a portrait for a person."""
    output = build(full)
    with (full / "show.yaml").open("a") as show:
        show.write("theme: {cards: false}\n")
    build(full)
    assert not [*output.rglob("card.png")]
    assert heads(output, "episodes/first-night/index.html")["og:image"].endswith("/quiet/artwork.jpg")
    assert heads(output, "people/ada/index.html")["og:image"].endswith("/quiet/ada.png")


def test_later_pages_of_a_list_show_the_card_of_the_first(site: Any, podsite: Any) -> None:
    """A list of many pages is one thing to share."""
    episode = 'title: "Night {0}"\nnumber: {0}\npublished: 2025-03-01\nsummary: "One."\n'
    root = site({f"episodes/{n:03}-night-{n}.yaml": episode.format(n) for n in range(2, 46)})
    assert podsite("build", root, "--quiet").status == 0
    output = root / "output"
    assert heads(output, "episodes/page/1/index.html")["og:image"].endswith("/quiet/episodes/card.png")
    assert not (output / "episodes/page/1/card.png").exists()


def test_artwork_elsewhere_leaves_a_card_of_type(site: Any, podsite: Any) -> None:
    """Nothing is fetched for it."""
    root = site()
    plain = (root / "show.yaml").read_text()
    (root / "show.yaml").write_text(plain.replace("static/artwork.jpg", "https://pictures.example/a.jpg"))
    assert podsite("build", root).status == 0
    image = Image.open(root / "output/card.png").convert("RGB")
    assert ink(image, Box(800, 130, 1180, 600)) is None


@pytest.fixture
def without_cjk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the extra were not installed."""
    monkeypatch.setitem(sys.modules, "manimgx_fonts_cjk", None)
    known = faces.known_face, faces.Faces.face_of
    for each in known:
        each.cache_clear()
    yield
    for each in known:
        each.cache_clear()


@pytest.mark.usefixtures("without_cjk")
def test_a_script_without_a_typeface_is_told_with_its_remedy(site: Any, podsite: Any) -> None:
    """Once, with the place of the title, in each build; the card is drawn without it."""
    root = site({"episodes/001-first-night.yaml": """
        title: "Night 夜 and 夜中"
        published: 2025-03-01
        summary: "One."
    """})  # fmt: skip
    for _ in range(2):
        done = podsite("build", root, "--format", "json")
        [problem] = [one for one in json.loads(done.out)["problems"] if "card" in one["message"]]
        assert "podsite[cjk]" in problem["message"] and "夜" in problem["message"]
        assert problem["file"].endswith("episodes/001-first-night.yaml")
        assert problem["line"] == 1
        (root / "static/new.txt").write_text("x")  # the next build has something to do
    assert unicodedata.name("夜").startswith("CJK")
