"""Text set in a box: as large as it fits, broken into lines where its script allows it, shortened if it must be."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import groupby, islice
from typing import NamedTuple

from podsite.cards import bidi
from podsite.cards.faces import Face, Faces, Glyph, is_silent
from podsite.records import dataclass

_MOST_LETTERS = 1000  # more fit on no card
_MOST_MARKS = 3  # on one letter: no language needs more, and towers of them would leave the line
_ELLIPSIS = "…"
_JOINER = "\u200d"
_FIXED = {"\xa0", "\u202f", "\u2007"}  # spaces at which no line ends
_LEADING = set("เแโใไເແໂໃໄ")  # vowels that are written before their consonant
_TRAILING = {"\u0e33", "\u0eb3", *map(chr, range(0x1F3FB, 0x1F400))}  # Thai and Lao am, tones of skin
_AFTER = set("-‐–—/")  # a line may end behind them
_NO_START = set(
    "、。，．・：；？！ー〜」』）】〕》〉］｝〟’”…‥々ゝゞヽヾぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ!?,.:;)]}»›%‰ะาๅๆฯ"
)
_NO_END = set("「『（【〔《〈［｛〝‘“([{«‹")


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a line in one typeface that runs one way: its glyphs from left to right, its width in ems."""

    face: Face
    glyphs: tuple[Glyph, ...]
    width: float


@dataclass(frozen=True, slots=True)
class Setting:
    """Lines of text in one size (pixels an em), each of them runs from left to right."""

    size: float
    leading: float  # ems from line to line: as much as the tallest of its scripts needs
    lines: tuple[tuple[Run, ...], ...]
    texts: tuple[str, ...]

    @property
    def width(self) -> float:
        """Of the longest line, in pixels."""
        return self.size * max((width_of(line) for line in self.lines), default=0.0)


class Room(NamedTuple):
    """The room for a text, in pixels, and how many lines there may be."""

    width: float
    height: float
    most: int = 1

    def lines(self, height: float) -> int:
        """How many lines of a height there is room for."""
        return min(self.most, int(self.height / height))


@dataclass(frozen=True)
class Setter:
    """Sets texts in some typefaces; `rtl` says which way their paragraphs run, and whatever it misses it notes."""

    faces: Faces
    rtl: bool
    missing: dict[str, None] = field(default_factory=dict)

    def fitted(self, text: str, sizes: Sequence[float], room: Room) -> Setting:
        """The text in the first of the sizes in which it fits, without breaking a word.

        In the last size words break anywhere, and an ellipsis stands for what there is no room for.
        """
        letters = self._known(text)
        pieces = [*self._pieces(letters)]
        leading = max((letter.face.leading for letter in letters), default=1.0)
        for size in sizes:
            ems = room.width / size
            lines = _filled(pieces, ems)
            if len(lines) <= room.lines(size * leading) and all(piece.width <= ems for piece in pieces):
                return self._set(size, leading, _balanced(pieces, ems, len(lines)))
        size, count = sizes[-1], max(1, room.lines(sizes[-1] * leading))
        ems = room.width / size
        broken = [part for piece in pieces for part in (self._broken(piece) if piece.width > ems else (piece,))]
        lines = _filled(broken, ems)
        if len(lines) > count:
            lines = [*lines[: count - 1], self._shortened(lines[count - 1], ems)]
        found = self._set(size, leading, lines)
        # a single letter may be wider than the room
        return found if found.width <= room.width else replace(found, size=size * room.width / found.width)

    def _known(self, text: str) -> list[_Letter]:
        """The letters of a text that a typeface has; spaces take that of the letter before."""
        found: list[_Letter] = []
        last = self.faces.main
        for letter in islice(letters_of(text), _MOST_LETTERS):
            face = last if letter.isspace() else self.faces.face_of(letter)
            if face is None:
                self.missing[letter] = None
            elif not (letter.isspace() and letter not in _FIXED and (not found or found[-1].text.isspace())):
                found.append(_Letter(letter, face))
                last = face
        while found and found[-1].text.isspace():
            found.pop()
        return found

    def _pieces(self, letters: Sequence[_Letter]) -> Iterator[_Piece]:
        """What stays together on a line."""
        start = 0
        for at in range(1, len(letters) + 1):
            if at == len(letters) or _may_break(letters[at - 1].text, letters[at].text):
                yield self._piece(letters[start:at])
                start = at

    def _piece(self, letters: Sequence[_Letter]) -> _Piece:
        inked = [*letters]
        while inked and inked[-1].text.isspace():
            inked.pop()
        return _Piece(tuple(letters), self._width(inked), self._width(letters) if len(inked) < len(letters) else None)

    def _broken(self, piece: _Piece) -> Iterator[_Piece]:
        return (self._piece([letter]) for letter in piece.letters)

    def _shortened(self, line: Sequence[_Piece], room: float) -> list[_Piece]:
        """As much of a line as leaves room for an ellipsis behind it."""
        letters = [letter for piece in line for letter in piece.letters]
        face = self.faces.face_of(_ELLIPSIS)
        dots = [_Letter(_ELLIPSIS, face)] if face else []
        while letters and (letters[-1].text.isspace() or self._width([*letters, *dots]) > room):
            letters.pop()
        return [self._piece([*letters, *dots])]

    def _width(self, letters: Sequence[_Letter]) -> float:
        return width_of(self._runs(letters))

    def _runs(self, letters: Sequence[_Letter]) -> Sequence[Run]:
        """The letters of a line as runs, from left to right."""
        text = "".join(letter.text for letter in letters)
        levels = bidi.levels(text, self.rtl)
        parts: list[tuple[Face, int, str]] = []
        at = 0
        for letter in letters:
            parts.append((letter.face, levels[at], letter.text))
            at += len(letter.text)
        joined = [
            (face, level, "".join(part[2] for part in run))
            for (face, level), run in groupby(parts, key=lambda part: (part[0], part[1]))
        ]
        order = bidi.visual([level for _, level, _ in joined])
        return [self._run(*joined[place]) for place in order]

    def _run(self, face: Face, level: int, text: str) -> Run:
        glyphs = face.shaped(text, rtl=bool(level % 2), language=self.faces.language)
        return Run(face, tuple(glyphs), sum(glyph.advance for glyph in glyphs))

    def _set(self, size: float, leading: float, lines: Iterable[Sequence[_Piece]]) -> Setting:
        set_, texts = [], []
        for line in lines:
            letters = [letter for piece in line for letter in piece.letters]
            while letters and letters[-1].text.isspace():
                letters.pop()
            set_.append(tuple(self._runs(letters)))
            texts.append("".join(letter.text for letter in letters))
        return Setting(size, leading, tuple(set_), tuple(texts))


@dataclass(frozen=True, slots=True)
class _Letter:
    """What a reader takes for one letter, marks included, and the typeface that draws it."""

    text: str
    face: Face


@dataclass(frozen=True)
class _Piece:
    """Letters that stay together; width in ems, at a line's end and, where that differs, before another piece."""

    letters: tuple[_Letter, ...]
    width: float
    spaced: float | None

    @cached_property
    def advance(self) -> float:
        """Its width with the space behind it."""
        return self.width if self.spaced is None else self.spaced


def width_of(line: Iterable[Run]) -> float:
    """The width of a line in ems."""
    return sum(run.width for run in line)


def _filled(pieces: Sequence[_Piece], room: float) -> list[list[_Piece]]:
    """Lines that each take as many pieces as there is room for."""
    lines: list[list[_Piece]] = []
    used = 0.0
    for piece in pieces:
        if not lines or used + piece.width > room:
            lines.append([])
            used = 0.0
        lines[-1].append(piece)
        used += piece.advance
    return lines


def _balanced(pieces: Sequence[_Piece], room: float, count: int) -> list[list[_Piece]]:
    """As many lines as are needed, of lengths that are as even as they can be."""
    low, high = max((piece.width for piece in pieces), default=0.0), room
    for _ in range(8):
        middle = (low + high) / 2
        if len(_filled(pieces, middle)) <= count:
            high = middle
        else:
            low = middle
    return _filled(pieces, high)


def letters_of(text: str) -> Iterator[str]:
    """What readers take for single letters: with their marks, joined emoji whole, flags in pairs."""
    current = ""
    for char in unicodedata.normalize("NFC", text):
        shown = " " if char in "\t\n\r\u2028\u2029" else char
        if unicodedata.category(shown) in {"Cc", "Cs", "Co", "Cn"} or (
            unicodedata.category(shown) == "Cf" and not is_silent(shown)
        ):
            continue  # controls have no look, and those of direction no effect here
        if current and _joins(current, shown):
            towers = len(current) > _MOST_MARKS and all(map(unicodedata.combining, current[-_MOST_MARKS:]))
            if not (towers and unicodedata.combining(shown)):
                current += shown
        else:
            if current:
                yield current
            current = shown
    if current:
        yield current


def _joins(letter: str, char: str) -> bool:
    """Whether a character belongs to the letter before it."""
    last = letter[-1]
    if letter.isspace():
        return False
    if unicodedata.category(char).startswith("M") or is_silent(char) or char in _TRAILING:
        return True
    if last == _JOINER or last in _LEADING:
        return not char.isspace()
    if _is_regional(char):
        return len(letter) == 1 and _is_regional(last)
    return unicodedata.combining(last) == 9 and unicodedata.category(char) == "Lo"  # a virama joins consonants


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _may_break(before: str, after: str) -> bool:
    """Whether a line may end between two letters."""
    if after.isspace() or before in _FIXED:
        return False
    if before.isspace():
        return True
    if after[0] in _NO_START or before[0] in _NO_END:
        return False
    if before in _AFTER:
        return after[0].isalpha()
    return _is_unspaced(before[0]) or _is_unspaced(after[0])


def _is_unspaced(char: str) -> bool:
    """Whether it belongs to a script without spaces between words (Korean has them), or is a picture."""
    is_wide = unicodedata.east_asian_width(char) in {"W", "F"}
    return is_wide and not ("\uac00" <= char <= "\ud7a3" or "\uff01" <= char <= "\uff5e")
