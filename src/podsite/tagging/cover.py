"""The picture in a recording: the artwork, small enough to be downloaded with every episode."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from podsite.media import opened

if TYPE_CHECKING:
    from PIL.Image import Image

_SIDE = 1000  # pixels; no player shows more of the picture in a file
_QUALITY = 82
_GRID, _NEAR = 16, 12.0  # cells of the grid on which pictures are compared, and the mean difference that is none


@lru_cache(maxsize=2)
def jpeg(path: Path) -> bytes:
    """The picture of a file as a JPEG of at most 1000 pixels. Raises ValueError when it is none that can be read."""
    picture = _opened(path.read_bytes())
    if picture is None:
        raise ValueError("is no picture that can be read")
    picture.thumbnail((_SIDE, _SIDE))
    picture.save(out := io.BytesIO(), "JPEG", quality=_QUALITY, optimize=True)
    return out.getvalue()


def are_alike(one: bytes, other: bytes) -> bool:
    """Whether two pictures show the same, whatever their size and format: another size is no reason to write anew."""
    if one == other:
        return True
    first, second = _cells(one), _cells(other)
    if first is None or second is None:
        return False
    return sum(abs(a - b) for a, b in zip(first, second, strict=True)) / len(first) < _NEAR


@lru_cache(maxsize=8)
def _cells(content: bytes) -> bytes | None:
    picture = _opened(content)
    return picture.resize((_GRID, _GRID)).tobytes() if picture else None


def _opened(content: bytes) -> Image | None:
    """The picture upright, in red, green and blue on white."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with opened(io.BytesIO(content)) as found:
            turned = ImageOps.exif_transpose(found).convert("RGBA")
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        return None
    plain = Image.new("RGB", turned.size, "white")
    plain.paste(turned, mask=turned.getchannel("A"))
    return plain
