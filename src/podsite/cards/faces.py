"""The typefaces of cards, all from packages, so that a card looks the same on every machine; and their shaping.

HarfBuzz shapes and draws; Pillow's own text engine would depend on libraries of the system (FriBiDi).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from podsite.records import dataclass

if TYPE_CHECKING:
    import uharfbuzz

Family = Literal["serif", "sans", "mono"]

#: The extra that has the typefaces of Chinese, Japanese and Korean, which are large.
CJK_EXTRA = "cjk"

_NOTO = "manimgx_fonts"
_CJK = "manimgx_fonts_cjk", "NotoSansCJK-VF.otf.ttc"
_SANS = "NotoSans[wght].ttf"
_EMOJI = "NotoEmoji[wght].ttf"
_FAMILIES = {
    "serif": ("fontpkg_source_serif_4", "files/SourceSerif4[opsz,wght].ttf"),
    "sans": (_NOTO, _SANS),
    "mono": ("fontpkg_jetbrains_mono", "files/JetBrainsMono[wght].ttf"),
}
#: Typefaces of other scripts, in the order in which they are asked for a letter.
_SCRIPTS = (
    "Arabic", "Hebrew", "Devanagari", "Thai", "Bengali", "Tamil", "Telugu", "Gujarati", "Gurmukhi", "Kannada",
    "Malayalam", "Oriya", "Sinhala", "Khmer", "Lao", "Myanmar", "Georgian", "Armenian", "Ethiopic", "Symbols",
)  # fmt: skip
#: Which face of the CJK collection draws Han as readers of a language know it.
_HAN = {
    "ja": 0,
    "ko": 1,
    "zh": 2,
    "zh-CN": 2,
    "zh-SG": 2,
    "zh-Hans": 2,
    "zh-TW": 3,
    "zh-Hant": 3,
    "zh-MO": 4,
    "zh-HK": 4,
}


class Glyph(NamedTuple):
    """A shape of a typeface, from where the last one ended; lengths in ems, upwards and to the right."""

    number: int
    x: float
    y: float
    advance: float


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A typeface in one weight."""

    font: uharfbuzz.Font
    letters: uharfbuzz.Set
    units: int  # of an em
    leading: float  # from line to line, in ems

    def has(self, text: str) -> bool:
        """Whether it has a shape for every character that shows."""
        return all(ord(char) in self.letters for char in text if not is_silent(char))

    def shaped(self, text: str, *, rtl: bool, language: str) -> list[Glyph]:
        """The glyphs of a text that runs one way, from left to right."""
        import uharfbuzz

        buffer = uharfbuzz.Buffer()
        buffer.add_str(text)
        buffer.direction = "rtl" if rtl else "ltr"
        buffer.language = language
        buffer.guess_segment_properties()
        uharfbuzz.shape(self.font, buffer)
        each = zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
        em = self.units
        return [Glyph(info.codepoint, at.x_offset / em, at.y_offset / em, at.x_advance / em) for info, at in each]


def is_silent(char: str) -> bool:
    """Whether a character only tells others how to look: joiners, variation selectors, tags."""
    code = ord(char)
    return code in {0x200C, 0x200D} or 0xFE00 <= code <= 0xFE0F or 0xE0000 <= code <= 0xE0FFF


@dataclass(frozen=True)
class Faces:
    """The typefaces of a text: the first that has a letter draws it."""

    family: Family
    weight: int
    language: str

    @lru_cache(maxsize=16384)  # noqa: B019 - of a few values that live as long as the process
    def face_of(self, letter: str) -> Face | None:
        """The typeface for a letter with its marks; None where no package that is installed has one."""
        if "\ufe0f" in letter or _is_pictograph(letter):
            emoji = known_face(_NOTO, _EMOJI, self.weight)
            if emoji and emoji.has(letter):
                return emoji
        return next((face for face in self._all() if face.has(letter)), None)

    @cached_property
    def main(self) -> Face | None:
        """The typeface of Latin letters."""
        return next(self._all(), None)

    def _all(self) -> Iterator[Face]:
        files = [_FAMILIES[self.family], (_NOTO, _SANS), *((_NOTO, f"NotoSans{name}[wght].ttf") for name in _SCRIPTS)]
        for package, file in dict.fromkeys(files):
            if face := known_face(package, file, self.weight):
                yield face
        if face := known_face(*_CJK, self.weight, _han(self.language)):
            yield face
        if face := known_face(_NOTO, _EMOJI, self.weight):
            yield face


def _is_pictograph(letter: str) -> bool:
    """Whether it is drawn as a picture by itself; signs below are letters unless a selector follows them."""
    return "\U0001f000" <= letter[0] <= "\U0001faff" and "\ufe0e" not in letter


def _han(language: str) -> int:
    parts = language.split("-")
    tags = ("-".join(parts[:2]), f"{parts[0]}-{parts[-1]}", parts[0])
    return next((_HAN[tag] for tag in tags if tag in _HAN), _HAN["ja"])


@cache
def known_face(package: str, file: str, weight: int, index: int = 0) -> Face | None:
    """A typeface of a package; None where the package is not installed or has no such file."""
    import uharfbuzz

    spec = find_spec(package)
    path = Path(spec.origin).parent / file if spec and spec.origin else None
    if path is None or not path.is_file():
        return None
    face = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path)), index)
    font = uharfbuzz.Font(face)
    font.set_variations({"wght": float(weight), "opsz": 60.0})  # an axis that a typeface lacks is passed over
    extents = font.get_font_extents("ltr")
    height = (extents.ascender - extents.descender) / face.upem
    return Face(font, face.unicodes, face.upem, 1.1 if height < 1.4 else 1.22 if height < 1.6 else 1.4)
