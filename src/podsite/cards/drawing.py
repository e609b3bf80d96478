"""Draws a card: the show's name, a title as large as it fits, a few facts, the artwork."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Literal, NamedTuple

from podsite.cards import bidi
from podsite.cards.canvas import Box, Canvas, Lines, disc
from podsite.cards.faces import Faces, Family
from podsite.cards.setting import Room, Setter, Setting
from podsite.images import CARD
from podsite.records import dataclass

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH, HEIGHT = CARD
LIMIT = 60_000  # bytes of a card
MARGIN = 64
TILE = 424  # pixels of the artwork's side, at most
QUOTE_TILE = 176
BAND = 16  # width of the band in the accent's colour

_GAP = 56
_LEFT, _RIGHT = BAND + MARGIN, WIDTH - MARGIN
_TITLE_SIZES = (104, 96, 88, 80, 74, 68, 62, 56, 50, 45)
_QUOTE_SIZES = (76, 70, 64, 58, 52, 47, 42, 38)
_NAME_SIZES = (32, 29, 26)
_DISC = 60
_BLEED = 14  # pixels around the box of a text
#: Shades of the edges of letters, and bytes for the artwork; what takes less, where a card would be too large.
_DETAIL = ((7, 36_000), (7, 20_000), (3, 12_000), (2, 0))


@dataclass(frozen=True, slots=True)
class Look:
    """What all cards of a site share; colours as `#rrggbb`."""

    language: str
    rtl: bool
    family: Family
    accent: str
    paper: str
    ink: str
    soft: str
    line: str


@dataclass(frozen=True, slots=True)
class Card:
    """What a card says: the show's name above, a title, a number and a few facts below.

    On a `quote` the title is what somebody said, the first of the facts who did (or nothing), the second in what.
    """

    title: str
    above: str
    number: str = ""
    facts: tuple[str, ...] = ()
    kind: Literal["page", "quote"] = "page"
    plays: bool = False


class Style(NamedTuple):
    """How a text is set: in the first of the sizes that fits, in at most so many lines."""

    sizes: Sequence[float]
    ink: str
    family: Family | None = None  # else that of the look
    weight: int = 500
    most: int = 1
    align: Literal["top", "middle", "bottom"] = "middle"


class Text(NamedTuple):
    """A text on a card: how it is set, the room it has there, and where its ink is, if it has any."""

    setting: Setting
    room: Box
    inked: Box | None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card as a PNG file, its texts by what they are, and the letters that no typeface has."""

    png: bytes
    texts: dict[str, Text]
    missing: str


def draw(card: Card, look: Look, artwork: Callable[[int, int], Image | None] = lambda *_: None) -> Drawn:
    """The card. `artwork` gives its picture, of palette colours, in at most so many pixels of width and bytes.

    Where the file would be longer than it may be, it is drawn again with less detail.
    """
    lay_out = _quote if card.kind == "quote" else _page
    side = QUOTE_TILE if card.kind == "quote" else TILE
    for shades, most in _DETAIL:
        sheet = _Sheet(look, shades)
        lay_out(sheet, card, artwork(side, most) if most else None)
        png = sheet.canvas.png()
        if len(png) <= LIMIT:
            break
    return Drawn(png, sheet.texts, "".join(sheet.missing))


@dataclass(slots=True)
class _Sheet:
    """A card in the making. Boxes are those of a card that is read from the left; others are mirrored."""

    look: Look
    shades: int
    canvas: Canvas = field(init=False)
    texts: dict[str, Text] = field(default_factory=dict)
    missing: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        look = self.look
        self.canvas = Canvas(WIDTH, HEIGHT, look.paper, (look.ink, look.soft, look.accent, look.line), self.shades)
        self.fill(Box(0, 0, BAND, HEIGHT), look.accent)

    def fill(self, box: Box, ink: str) -> None:
        self.canvas.fill(self.placed(box), ink)

    def placed(self, box: Box) -> Box:
        return box.mirrored(WIDTH) if self.look.rtl else box

    def _setter(self, text: str, family: Family, weight: int) -> Setter:
        """A setter in that family; in the sans, which goes with all scripts, for a text that is mostly of another."""
        rtl = bidi.is_rtl(text, self.look.rtl)
        faces = Faces(family, weight, self.look.language)
        letters = [char for char in text if char.isalpha()]
        if faces.main and 2 * sum(faces.main.has(char) for char in letters) < len(letters):
            faces = Faces("sans", weight, self.look.language)
        return Setter(faces, rtl, self.missing)

    def lay(self, tile: Image, right: int, top: int) -> None:
        """The artwork, with a hairline around it."""
        box = self.placed(Box(right - tile.width, top, right, top + tile.height))
        self.canvas.fill(Box(box.left - 1, box.top - 1, box.right + 1, box.bottom + 1), self.look.line)
        self.canvas.lay(tile, box.left, box.top)

    def text(self, name: str, text: str, box: Box, style: Style) -> Box:
        """A text in a box; returns the part of the box that its lines take."""
        setter = self._setter(text, style.family or self.look.family, style.weight)
        setting = setter.fitted(text, style.sizes, Room(box.width, box.height, style.most))
        at, rtl = self.placed(box), self.look.rtl
        lines = Lines(setting, 0, at.right if rtl else at.left, rtl)
        height = min(round(lines.height), box.height)
        top = box.top + {"top": 0, "middle": (box.height - height) // 2, "bottom": box.height - height}[style.align]
        room = at.grown(_BLEED)  # for hooks and marks that leave their line
        inked = self.canvas.write(lines._replace(top=top), style.ink, room)
        self.texts[name] = Text(setting, room, inked)
        return box._replace(top=top, right=box.left + min(box.width, round(setting.width + 0.5)), bottom=top + height)


def _page(sheet: _Sheet, card: Card, tile: Image | None) -> None:
    look = sheet.look
    left, right = _LEFT, _RIGHT
    if tile:
        sheet.lay(tile, right, (HEIGHT - tile.height) // 2)
        right -= tile.width + _GAP
    sheet.text("above", card.above, Box(left, 46, right, 110), Style(_NAME_SIZES, look.ink, "sans", 600))
    sheet.fill(Box(left, 116, right, 118), look.ink)
    has_foot = bool(card.number or card.facts or card.plays)
    title = Style(_TITLE_SIZES, look.ink, weight=560, most=5, align="top")
    sheet.text("title", card.title, Box(left, 138, right, 468 if has_foot else 560), title)
    _foot(sheet, card, left, right)


def _foot(sheet: _Sheet, card: Card, left: int, right: int) -> None:
    """The number, and what else there is to say."""
    look, top, bottom = sheet.look, 472, 596
    if card.number:
        sizes = (112, 96, 80, 64, 52, 44) if len(card.number) <= 4 else (52, 44, 38, 32)
        half = Box(left, top, left + (right - left) // 2, bottom)
        left = sheet.text("number", card.number, half, Style(sizes, look.accent, weight=560)).right + 36
    if card.plays:
        box = sheet.placed(Box(left, (top + bottom - _DISC) // 2, left + _DISC, (top + bottom + _DISC) // 2))
        sheet.canvas.cover(disc(_DISC), box.left, box.top, look.accent)
        left += _DISC + 20
    if card.facts:
        facts = Style((36, 32, 28, 25), look.soft, "sans")
        sheet.text("facts", " · ".join(card.facts), Box(left, top, right, bottom), facts)


def _quote(sheet: _Sheet, card: Card, tile: Image | None) -> None:
    look = sheet.look
    left, right = _LEFT, _RIGHT
    sheet.text("mark", "“", Box(left, 34, left + 140, 150), Style((190,), look.accent, weight=560, align="top"))
    sheet.text("title", card.title, Box(left, 120, right, 410), Style(_QUOTE_SIZES, look.ink, most=6))
    if tile:
        sheet.lay(tile, right, HEIGHT - 44 - tile.height)
        right -= tile.width + _GAP
    sheet.fill(Box(left, 446, right, 448), look.ink)
    speaker, *facts = card.facts or ("",)
    first, *more = [name for name in (speaker, card.above, *facts) if name] or [""]  # nobody may be named
    sheet.text("speaker", first, Box(left, 462, right, 522), Style((38, 34, 30), look.ink, "sans", 600))
    sheet.text("above", " · ".join(more), Box(left, 522, right, 580), Style(_NAME_SIZES, look.soft, "sans"))
