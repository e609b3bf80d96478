"""Draws the show's cover and its icons into static/.

    python scripts/artwork.py

A block of ground in cross-section: layers below, a tensor's cells on top, and a vein of sound through the
layers. The cover bleeds off at the foot; the icons show a smaller block with a coarser vein. Everything
is computed, so a change of colour or proportion is one line here. Needs pillow and, for the cover's lettering,
League Spartan (SIL Open Font License 1.1; Debian's fonts-league-spartan). Pictures set with a font do not
inherit its licence.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

STATIC = Path(__file__).resolve().parent.parent / "static"
FONT = Path("/usr/share/fonts/opentype/league-spartan/LeagueSpartan-Bold.otf")

PAPER = "#f4ead7"
INK = "#06323a"
VEIN = ("#ffb224", "#f09a12")  # the sound, lit and in shade
TOP = ("#2aa39a", "#f4ead7")  # cells, and the joints between them
LIT = "#ff6a4d"  # the cells that are at work
LEFT = ("#0d7377", "#0a5a60", "#08454c", "#06323a")  # layers on the lit face, from the top
RIGHT = ("#0a5e63", "#084a50", "#06383f", "#04272e")  # the same layers in shade

SPEECH = (
    0.14, 0.34, 0.54, 0.26, 0.50, 0.78, 0.44, 0.66, 0.94,
    1.00, 0.58, 0.84, 0.40, 0.64, 0.30, 0.46, 0.24, 0.12,
)  # fmt: skip
SYLLABLE = (0.30, 0.75, 0.50, 0.95, 0.70, 0.40, 0.60, 0.25)

Point = tuple[float, float]
Shape = tuple[str, list[Point]]  # fill, outline


@dataclass(frozen=True)
class Block:
    """A block seen from above a corner: the near corner of its top, half its width, its slope and its depth."""

    near: Point
    half: float
    slope: float
    depth: float
    cells: int
    sound: tuple[float, ...]
    level: float
    swing: float

    def top(self, a: float, b: float) -> Point:
        """A point of the top: a runs along the left edge, b along the right one, both from the near corner."""
        x, y = self.near
        return x + (b - a) * self.half, y - (a + b) * self.half * self.slope

    def face(self, u: float, v: float) -> Point:
        """A point of the sides: u from -1 (left end) by way of the near edge to 1, v the depth below the top."""
        x, y = self.near
        return x + u * self.half, y - abs(u) * self.half * self.slope + v * self.depth


def layers(block: Block) -> Iterator[Shape]:
    """The two faces, layer by layer; deeper layers are thicker."""
    edges = (0.0, 0.1, 0.21, 0.53, 1.0)
    for side, colours in ((-1, LEFT), (1, RIGHT)):
        for above, below, colour in zip(edges, edges[1:], colours, strict=False):
            yield colour, [block.face(u, v) for u, v in ((0, above), (side, above), (side, below), (0, below))]


def cells(block: Block) -> Iterator[Shape]:
    """The top: joints first, then a square for each element."""
    yield TOP[1], [block.top(*corner) for corner in ((0, 0), (0, 1), (1, 1), (1, 0))]
    n, joint = block.cells, 0.07 / block.cells
    lit = {(0, 0), (n - 1, n - 2), (1, n - 2)} if n > 3 else {(0, 0)}
    for i in range(n):
        for j in range(n):
            a, b, c, d = i / n + joint, (i + 1) / n - joint, j / n + joint, (j + 1) / n - joint
            outline = [block.top(*corner) for corner in ((a, c), (a, d), (b, d), (b, c))]
            yield (LIT if (i, j) in lit else TOP[0]), outline


def vein(block: Block) -> Iterator[Shape]:
    """The sound: bars that follow both faces, sheared with them."""
    n = len(block.sound) // 2
    half = 0.29 / n
    for k, loudness in enumerate(block.sound):
        u, tall = (k + 0.5) / n - 1, loudness * block.swing
        corners = ((u - half, -tall), (u + half, -tall), (u + half, tall), (u - half, tall))
        yield VEIN[u > 0], [block.face(x, block.level + y) for x, y in corners]


def shapes(block: Block) -> Iterator[Shape]:
    """The whole block, back to front."""
    yield from layers(block)
    yield from cells(block)
    yield from vein(block)


def paint(size: int, ground: str, block: Block, scale: int = 2) -> Image.Image:
    """The block on its ground, drawn larger and reduced so that slanted edges are smooth."""
    picture = Image.new("RGB", (size * scale, size * scale), ground)
    draw = ImageDraw.Draw(picture)
    for fill, outline in shapes(block):
        draw.polygon([(x * scale, y * scale) for x, y in outline], fill=fill)
    return picture.resize((size, size), Image.Resampling.LANCZOS)


def cover() -> Image.Image:
    """The 3000-pixel cover with its lettering."""
    block = Block((1500, 1860), 1300, 0.34, 1800, cells=5, sound=SPEECH, level=0.37, swing=0.152)
    picture = paint(3000, PAPER, block)
    draw = ImageDraw.Draw(picture)
    lettering = ImageFont.truetype(str(FONT), 326)
    for line, words in enumerate(("PyTorch Developer", "Podcast")):
        draw.text((188, 130 + 330 * line), words, font=lettering, fill=INK)
    return picture


def icon(size: int, half: float = 0.385) -> Image.Image:
    """The small block on paper; its margin leaves room for the masks that phones cut icons with."""
    return paint(size, PAPER, small_block(size, half), scale=8 if size < 200 else 4)


def small_block(size: float, half: float) -> Block:
    """A block that stands free in a square of the given size, with few cells and bars."""
    top, tall = half * 0.4, half * 1.02
    near = (size / 2, size * (0.5 + (2 * top - tall) / 2))
    return Block(near, half * size, 0.4, tall * size, cells=3, sound=SYLLABLE, level=0.5, swing=0.36)


def svg() -> str:
    """The small block without a ground, for browser tabs."""
    paths = "".join(
        f'<path fill="{fill}" d="M{" ".join(f"{x:.1f},{y:.1f}" for x, y in outline)}z"/>'
        for fill, outline in shapes(small_block(100, 0.49))
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{paths}</svg>\n'


def main() -> None:
    """Write every picture."""
    if not FONT.exists():
        sys.exit(f"{FONT} is missing; on Debian: apt install fonts-league-spartan")
    STATIC.mkdir(exist_ok=True)
    cover().save(STATIC / "artwork.png", optimize=True)
    for name, size in (("apple-touch-icon", 180), ("icon-192", 192), ("icon-512", 512)):
        icon(size).save(STATIC / f"{name}.png", optimize=True)
    icon(96, 0.48).save(STATIC / "favicon.ico", sizes=[(32, 32), (48, 48)])
    (STATIC / "favicon.svg").write_text(svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
