"""Local pictures in the sizes that pages show them, made once and then taken from the cache."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from podsite import values
from podsite.artifacts import Artifact
from podsite.cache import Cache
from podsite.cache import digest as digest_of
from podsite.errors import ContentError, Place, Problem
from podsite.files import Files
from podsite.media import opened, type_by_name
from podsite.paper import Paper
from podsite.records import dataclass
from podsite.remade import Job, remade
from podsite.signatures import is_same
from podsite.site import Picture

if TYPE_CHECKING:
    from PIL.Image import Image

CARD = 1200, 630  # pixels of a social card

_RECIPE = "2"  # changes with everything that changes the bytes made of one file
_QUALITY = 82  # of JPEG
_WEBP_QUALITY = 75  # a fifth smaller than 82; at the density of today's screens nobody sees it
_ORIENTATION = 0x0112  # the EXIF tag; values from 5 on turn the picture by a quarter
_ICON = "icon.png"  # the ending of squares
_STILL = {"image/jpeg", "image/png", "image/webp"}


@dataclass(frozen=True, slots=True)
class Sized:
    """A picture as a page shows it: the address every browser can show, its size, and WebP in several widths."""

    address: str
    width: int | None
    height: int | None
    webp: tuple[tuple[str, int], ...] = ()


class Images:
    """Makes the sizes that pages ask for; `artifacts` then holds exactly those."""

    def __init__(self, root: Path, cache: Cache, files: Files | None = None) -> None:
        self._root = root
        self._cache = cache
        self._files = files or Files(root)
        self._originals: dict[str, _Original | None] = {}
        self._wanted: dict[_Original, dict[str, tuple[int, str]]] = {}

    def picture(self, picture: Picture, widths: Iterable[int]) -> Sized | None:
        """The picture in those widths, as far as it has as many pixels; none of what lies on another server.

        What is drawn (SVG), moves (GIF), or cannot be read is shown as it is.
        """
        if picture.file is None:
            return None
        original = self._original(picture.file)
        if original is None:
            return Sized(picture.address, picture.width, picture.height)
        asked = set(widths)
        fitting = sorted({min(width, original.width) for width in asked})
        webp = tuple((self._want(original, width, "webp"), width) for width in fitting)
        middle = fitting[len(fitting) // 2]
        plain = self._want(original, middle, "png" if original.transparent else "jpg")
        return Sized(plain, middle, original.height_at(middle), webp)

    def icon(self, picture: Picture, width: int) -> str | None:
        """The address of the picture's middle as a small square PNG; none of what cannot be resized."""
        original = self._original(picture.file) if picture.file else None
        return self._want(original, width, _ICON) if original else None

    def size(self, picture: Picture) -> tuple[int, int] | None:
        """Width and height of what `picture` makes sizes of; None of what is shown as it is."""
        original = self._original(picture.file) if picture.file else None
        return (original.width, original.height) if original else None

    def digest(self, picture: Picture) -> str | None:
        """What tells its file from others; None of what lies elsewhere, is drawn (SVG), moves, or cannot be read."""
        original = self._original(picture.file) if picture.file else None
        return original.digest if original else None

    def square(self, picture: Picture, width: int, paper: str) -> Image:
        """The middle of a picture that has a digest, at least that wide if it has the pixels, on paper, in sRGB."""
        original = self._original(picture.file) if picture.file else None
        assert original, picture  # noqa: S101 - asked by its digest
        return _Canvas(self._root, original).square(width, paper)

    def artifacts(self, paper: Paper | None = None) -> Iterator[Artifact]:
        """The files of every size that was asked for; those that stand as they would come out are not made."""
        jobs = [
            Job(address, digest_of(*_key(original, width, ending)), original.name, (original, width, ending))
            for original, sizes in self._wanted.items()
            for address, (width, ending) in sizes.items()
        ]
        canvas: _Canvas | None = None

        def written(job: Job[_Size]) -> bytes:
            nonlocal canvas
            original, width, ending = job.of
            if canvas is None or canvas.original is not original:  # decoded once, and not kept longer than needed
                canvas = _Canvas(self._root, original)
            size = (width, width) if ending == _ICON else (width, original.height_at(width))
            return self._cache.bytes("image", _key(original, width, ending), partial(canvas.encode, size, ending))

        return remade(jobs, written, "picture", paper or Paper(self._cache), least=2)

    def _want(self, original: _Original, width: int, ending: str) -> str:
        stem = values.slug(PurePosixPath(original.name).stem) or "image"
        address = f"images/{stem}-{original.digest[:8]}-{width}.{ending}"
        self._wanted.setdefault(original, {})[address] = (width, ending)
        return address

    def _original(self, name: str) -> _Original | None:
        if type_by_name(name) not in _STILL:
            return None
        if name not in self._originals:
            self._originals[name] = self._read(name)
        return self._originals[name]

    def _read(self, name: str) -> _Original | None:
        path = self._root / name
        digests, look = self._cache.pack("digest"), self._files.looked(name)
        key = digest_of(name, *map(repr, look))  # no picture is read that nothing was written to
        known = digests.get(key)
        try:
            digest = known.decode() if known else hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError:
            return None
        if known is None and is_same(str(path), look):
            digests.put(key, digest.encode())
        facts = self._cache.bytes("image-facts", (_RECIPE, digest), lambda: _facts(_held(self._root, name, digest)))
        if not facts:
            return None
        width, height, transparent = map(int, facts.split())
        return _Original(name, digest, width, height, bool(transparent))


@dataclass(frozen=True, slots=True)
class _Original:
    """A picture file that can be resized: its size as it is seen, that is turned as its EXIF data says."""

    name: str
    digest: str
    width: int
    height: int
    transparent: bool

    def height_at(self, width: int) -> int:
        return max(1, round(self.height * width / self.width))


_Size = tuple[_Original, int, str]  # a picture, a width, an ending


def _key(original: _Original, width: int, ending: str) -> tuple[str, ...]:
    return _RECIPE, original.digest, str(width), ending


class _Canvas:
    """The pixels of one file, decoded when the first size is really made."""

    def __init__(self, root: Path, original: _Original) -> None:
        self._root, self.original = root, original

    def encode(self, size: tuple[int, int], ending: str) -> bytes:
        from PIL.Image import Resampling

        box = _middle(*self._pixels.size) if ending == _ICON else None
        resized = self._pixels.resize(size, Resampling.LANCZOS, box, reducing_gap=3)
        out = io.BytesIO()
        if ending == "webp":
            resized.save(out, "WEBP", quality=_WEBP_QUALITY, method=6, icc_profile=self._profile)
        elif ending == "jpg":
            resized.save(out, "JPEG", quality=_QUALITY, optimize=True, progressive=True, icc_profile=self._profile)
        else:
            resized.save(out, "PNG", optimize=True, icc_profile=self._profile)
        return out.getvalue()

    def square(self, width: int, paper: str) -> Image:
        """The largest square in the middle on paper, in sRGB and made smaller, but not below that width."""
        from PIL import Image, ImageOps

        content = _held(self._root, self.original.name, self.original.digest)
        with opened(io.BytesIO(content)) as image:
            image.draft("RGB", (width, width))  # a JPEG is decoded no larger than needed
            turned = _in_srgb(ImageOps.exif_transpose(image))
            box = tuple(map(round, _middle(*turned.size)))
            cut = turned.crop((box[0], box[1], box[2], box[3]))
        if min(cut.size) > width:
            cut = cut.resize((width, width), Image.Resampling.LANCZOS, reducing_gap=3)
        if not cut.has_transparency_data:
            return cut.convert("RGB")
        sheet = Image.new("RGBA", cut.size, paper)
        sheet.alpha_composite(cut.convert("RGBA"))
        return sheet.convert("RGB")

    @cached_property
    def _pixels(self) -> Image:
        from PIL import ImageOps

        content = _held(self._root, self.original.name, self.original.digest)
        with opened(io.BytesIO(content)) as image:
            self._profile: bytes | None = image.info.get("icc_profile") if image.mode in {"RGB", "RGBA"} else None
            turned = ImageOps.exif_transpose(image)
            return turned.convert("RGBA" if turned.has_transparency_data else "RGB")


def _middle(width: int, height: int) -> tuple[float, float, float, float]:
    """The largest square in the middle: its left, upper, right and lower edge."""
    left, upper = max(0, width - height) / 2, max(0, height - width) / 2
    return left, upper, width - left, height - upper


def _in_srgb(image: Image) -> Image:
    """The picture in the colours of the web, whatever colours its profile means."""
    from PIL import ImageCms

    profile = image.info.get("icc_profile")
    if not profile or image.mode not in {"RGB", "CMYK"}:
        return image
    try:
        meant, usual = ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB")
        return ImageCms.profileToProfile(image, meant, usual, outputMode="RGB") or image
    except (ImageCms.PyCMSError, OSError):
        return image


def _held(root: Path, name: str, digest: str) -> bytes:
    """What a picture holds. Raises ContentError when that is no longer what its sizes are known by."""
    try:
        content = (root / name).read_bytes()
    except OSError:
        content = b""
    if hashlib.sha256(content).hexdigest() != digest:
        raise ContentError([Problem(Place(name), "", "was changed while the site was built; build again")])
    return content


def _facts(content: bytes) -> bytes:
    """Width, height and whether it is transparent; nothing for what Pillow cannot decode or what moves."""
    from PIL import Image

    try:
        with opened(io.BytesIO(content)) as image:
            if getattr(image, "is_animated", False):
                return b""
            width, height = image.size
            sideways = image.getexif().get(_ORIENTATION, 1) >= 5
            transparent = int(image.has_transparency_data)
            image.load()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return b""
    return f"{height if sideways else width} {width if sideways else height} {transparent}".encode()
