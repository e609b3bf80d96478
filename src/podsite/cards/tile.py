"""The artwork on a card: a small square of so few colours that the card stays a small file."""

from __future__ import annotations

import io
from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

#: Colours of a tile at most; the others of the palette are for text.
COLOURS = 176

#: Share of the side and colours, from the best to the smallest: drawn covers are fine with the first, busy photographs
#: look better smaller than with bands of colour.
_WAYS = (
    (1.0, COLOURS), (1.0, 96), (1.0, 64), (1.0, 44), (0.94, 36), (0.88, 30), (0.8, 26), (0.72, 22), (0.62, 18),
    (0.5, 16), (0.4, 12),
)  # fmt: skip


def tile(picture: Image, side: int, most: int) -> bytes:
    """The square picture as a PNG of palette colours: at most `side` pixels wide and `most` bytes long.

    The smallest there is, where none is that short.
    """
    made: dict[int, bytes] = {}

    def is_short(way: int) -> bool:
        made[way] = _made(picture, side, *_WAYS[way])
        return len(made[way]) <= most

    # the best way comes first, and for most covers no other is tried
    best = 0 if is_short(0) else min(bisect_left(range(1, len(_WAYS)), True, key=is_short) + 1, len(_WAYS) - 1)
    return made.get(best) or _made(picture, side, *_WAYS[best])


def _made(picture: Image, side: int, share: float, colours: int) -> bytes:
    from PIL.Image import Dither, Quantize, Resampling

    width = round(side * share)
    small = picture.resize((width, width), Resampling.LANCZOS)
    # dithering would double the size
    few = small.quantize(colours, Quantize.MEDIANCUT, dither=Dither.NONE)
    out = io.BytesIO()
    few.save(out, "PNG")
    return out.getvalue()
