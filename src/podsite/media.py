"""Facts about audio and images, read from their files."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import unquote, urlsplit

from podsite.records import dataclass

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

#: Media types by file ending; our own table, since those of operating systems differ.
TYPES = {
    ".mp3": "audio/mpeg",
    ".m4a": "audio/x-m4a",
    ".m4b": "audio/x-m4a",
    ".aac": "audio/aac",
    ".ogg": "audio/ogg",
    ".oga": "audio/ogg",
    ".opus": "audio/ogg",
    ".flac": "audio/flac",
    ".wav": "audio/wav",
    ".mp4": "video/mp4",
    ".m4v": "video/x-m4v",
    ".mov": "video/quicktime",
    ".webm": "video/webm",
    ".m3u8": "application/x-mpegURL",
    ".pdf": "application/pdf",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
    ".gif": "image/gif",
    ".avif": "image/avif",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class AudioFacts:
    """Length in bytes, duration in whole seconds; None where the file does not tell."""

    length: int | None
    duration: int | None


@dataclass(frozen=True, slots=True)
class ImageFacts:
    """Width and height in pixels, format and colour mode as Pillow names them (`JPEG`, `RGB`), length in bytes."""

    width: int
    height: int
    format: str
    mode: str
    length: int


def type_by_name(name: str) -> str | None:
    """The media type by the ending of a file's name or of an address's path."""
    path = unquote(urlsplit(name).path) if "://" in name else name
    return TYPES.get(PurePosixPath(path).suffix.lower())


def audio_facts(path: Path) -> AudioFacts:
    """Length and duration of a local media file. Raises ValueError when it is no audio that can be read."""
    import mutagen

    length = path.stat().st_size
    try:
        found = mutagen.File(path)
    except mutagen.MutagenError as error:
        raise ValueError(f"cannot be read as audio ({error})") from error
    if found is None or found.info is None:
        raise ValueError("is no audio file that can be read")
    return AudioFacts(length, int(found.info.length) or None)


@contextmanager
def opened(picture: Path | BinaryIO) -> Iterator[ImageFile]:
    """A picture of the site itself, of which only the head is read yet. Pillow warns of large ones as of a stranger's,
    who means harm; this one's author knows it. Raises what Pillow raises, DecompressionBombError of the very largest.
    """
    import PIL.Image

    with warnings.catch_warnings(action="ignore"), PIL.Image.open(picture) as found:
        yield found


def image_facts(path: Path) -> ImageFacts:
    """Size and kind of a local picture, from its head. Raises ValueError when it is none."""
    import PIL.Image

    try:
        with opened(path) as image:
            return ImageFacts(*image.size, image.format or "", image.mode, path.stat().st_size)
    except (PIL.UnidentifiedImageError, PIL.Image.DecompressionBombError) as error:
        raise ValueError("is no picture that can be read") from error
