"""A picture of few colours: text, rules, discs and the artwork as indexes of one palette, written as a small PNG."""

from __future__ import annotations

import io
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from podsite.cards.setting import Setting, width_of

if TYPE_CHECKING:
    from PIL.Image import Image

_ANY = [0, *[255] * 255]
_FINE = 4  # times as large are discs drawn, to be smooth
_COMPRESSION = 5  # of zlib; 9 takes seven times as long, and the file is a tenth smaller


class Box(NamedTuple):
    """A part of the picture, in pixels from its upper left corner; `right` and `bottom` are outside."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """From top to bottom."""
        return self.bottom - self.top

    def within(self, other: Box) -> Box:
        """The part that is in both."""
        left, top = max(self.left, other.left), max(self.top, other.top)
        return Box(left, top, min(self.right, other.right), min(self.bottom, other.bottom))

    def grown(self, by: int) -> Box:
        """The box with so many pixels more on each side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def mirrored(self, width: int) -> Box:
        """The box where it stands in a picture of that width that is read from the right."""
        return Box(width - self.right, self.top, width - self.left, self.bottom)


class Lines(NamedTuple):
    """A text and where it stands: its upper edge, and the edge that its lines begin at."""

    setting: Setting
    top: int
    edge: int
    rtl: bool  # whether lines end at the edge instead

    @property
    def height(self) -> float:
        """Of all lines, in pixels."""
        return self.setting.size * self.setting.leading * len(self.setting.lines)


class Canvas:
    """A sheet of paper, the inks that are used on it, and a picture that lies there."""

    def __init__(self, width: int, height: int, paper: str, inks: Iterable[str], shades: int) -> None:
        """`shades` lie between the paper and each ink, to smooth the edges of letters; fewer make a smaller file."""
        from PIL import Image

        self._shades = shades
        self._image = Image.new("L", (width, height), 0)
        self._palette = [_channels(paper)]
        self._inks: dict[str, int] = {}
        for ink in dict.fromkeys(inks):
            self._inks[ink] = len(self._palette) - 1
            self._palette += (_mixed(_channels(paper), _channels(ink), step / shades) for step in range(1, shades + 1))

    def fill(self, box: Box, ink: str) -> None:
        """A box full of ink."""
        self._image.paste(self._inks[ink] + self._shades, (box.left, box.top, box.right, box.bottom))

    def lay(self, picture: Image, left: int, top: int) -> None:
        """A picture of palette colours."""
        from PIL import Image

        first, colours = len(self._palette), picture.getpalette("RGB") or []
        self._palette += zip(colours[::3], colours[1::3], colours[2::3], strict=True)
        indexes = Image.frombytes("L", picture.size, picture.tobytes())
        self._image.paste(indexes.point([min(255, first + index) for index in range(256)]), (left, top))

    def cover(self, mask: Image, left: int, top: int, ink: str) -> None:
        """Ink where the mask (L) is white, on blank paper."""
        inked = mask.point(_ramp(self._inks[ink], self._shades))
        self._image.paste(inked, (left, top), inked.point(_ANY))

    def write(self, lines: Lines, ink: str, room: Box) -> Box | None:
        """Lines of text; what would leave the room is cut off. Returns where there is ink, the cut included."""
        drawn = _drawn(lines)
        if drawn is None:
            return None
        mask, left, top = drawn
        whole = Box(left, top, left + mask.width, top + mask.height)
        seen = whole.within(room)
        if seen.width > 0 and seen.height > 0:
            cut = mask.crop((seen.left - left, seen.top - top, seen.right - left, seen.bottom - top))
            self.cover(cut, seen.left, seen.top, ink)
        return whole

    def png(self) -> bytes:
        """The picture as a file."""
        self._image.putpalette([channel for colour in self._palette for channel in colour])
        out = io.BytesIO()
        self._image.save(out, "PNG", compress_level=_COMPRESSION)
        return out.getvalue()


@lru_cache(maxsize=16)
def disc(width: int) -> Image:
    """The mask of a disc with the triangle in it that stands for playing."""
    from PIL import Image, ImageDraw

    size = width * _FINE
    mask = Image.new("L", (size, size), 0)
    draw = ImageDraw.Draw(mask)
    draw.ellipse((0, 0, size - 1, size - 1), fill=255)
    corners = ((0.39, 0.28), (0.39, 0.72), (0.76, 0.5))
    draw.polygon([(x * size, y * size) for x, y in corners], fill=0)
    return mask.resize((width, width), Image.Resampling.BOX)


@lru_cache(maxsize=16)
def _ramp(first: int, shades: int) -> list[int]:
    return [0 if (step := round(value * shades / 255)) == 0 else first + step for value in range(256)]


def _drawn(lines: Lines) -> tuple[Image, int, int] | None:
    """The mask of a text, and where its upper left corner lies."""
    import uharfbuzz
    from PIL import Image

    raster = uharfbuzz.RasterDraw()
    size, leading = lines.setting.size, lines.setting.leading
    for number, line in enumerate(lines.setting.lines):
        baseline = lines.top + size * (leading * (number + 0.5) + 0.34)  # capitals stand in the middle of it
        x = lines.edge - size * width_of(line) if lines.rtl else float(lines.edge)
        for run in line:
            scale = size / run.face.units
            for glyph in run.glyphs:
                raster.transform = (scale, 0, 0, scale, x + glyph.x * size, glyph.y * size - baseline)
                raster.draw_glyph(run.face.font, glyph.number)
                x += glyph.advance * size
    image = raster.render()
    if image is None or not image.extents or not image.extents.width or not image.extents.height:
        return None
    at = image.extents
    mask = Image.frombytes("L", (at.width, at.height), image.buffer, "raw", "L", at.stride, -1)
    return mask, at.x_origin, -at.y_origin - at.height


def _channels(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def _mixed(paper: tuple[int, int, int], ink: tuple[int, int, int], share: float) -> tuple[int, int, int]:
    red, green, blue = (round(one + (other - one) * share) for one, other in zip(paper, ink, strict=True))
    return red, green, blue
