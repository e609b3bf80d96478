"""Social cards: a picture of 1200 × 630 pixels for each page, shown where somebody shares a link to it.

A card is drawn again only if something on it changed; what stands in the output folder is not even read.
"""

from __future__ import annotations

import functools
import io
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple

from podsite import colour
from podsite.artifacts import Artifact, Standing
from podsite.cache import Cache, digest
from podsite.cards.drawing import Card, Look, draw
from podsite.cards.faces import CJK_EXTRA
from podsite.cards.shown import shown
from podsite.cards.tile import tile
from podsite.crew import Crew
from podsite.errors import Problem
from podsite.images import Images
from podsite.pages import Sheet
from podsite.read import Content
from podsite.records import dataclass
from podsite.signatures import digest_of
from podsite.site import Picture, Site

if TYPE_CHECKING:
    from PIL.Image import Image

_RECIPE = "1"  # changes with everything that changes the bytes of a card
_DIGEST = 16  # bytes
_LEAST = 6  # cards that a process draws at least
_SQUARE = 848  # pixels from which tiles are made: twice their width

#: The inks and lines of the light page; site.css paints with the same.
INK, SOFT, LINE = "#1c1a17", "#5c554a", "#d3c8b4"

#: How the names of letters begin whose typefaces only the extra has.
_CJK = {"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "FULLWIDTH", "HALFWIDTH"}

Progress = Callable[[str, int, int], None]


class _Job(NamedTuple):
    """A card to be made: where, the key of all that is on it, and the file that asks for its page."""

    path: str
    key: bytes
    card: Card
    picture: Picture | None
    source: str


@dataclass(slots=True)
class Cards:
    """The cards of a site. `standing` has digests of what the output folder `place` holds, by path.

    `problems` then has a warning for each script that no typeface at hand has all letters of.
    """

    site: Site
    content: Content
    images: Images
    cache: Cache
    standing: Mapping[str, bytes]
    place: str
    problems: list[Problem] = field(default_factory=list)
    _look: Look = field(init=False)
    _squares: dict[str, Image] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._look = look(self.site)

    def artifacts(
        self, sheets: Sequence[Sheet], crew: Crew, progress: Progress = lambda *_: None
    ) -> Iterator[Artifact]:
        """The card of each page that has one, but for those that static/ has."""
        known, jobs = self.cache.pack("card"), [*self._jobs(sheets)]
        facts = {job.path: held for job in jobs if (held := known.get(job.key))}
        missing = [job for job in jobs if not self._stands(job.path, facts.get(job.path))]
        often = Counter(job.picture for job in missing if job.picture and not self.cache.has("drawings", (job.key,)))
        for picture in [picture for picture, count in often.items() if count > 1]:
            self._square(picture)  # now, so that not each process does it
        made: dict[str, bytes] = {}
        for share in crew.share(missing, lambda part: self._drawn(part, progress), _LEAST):
            made |= share
        for job in jobs:
            content: bytes | Standing = Standing(f"{self.place}/{job.path}", facts.get(job.path, b"")[:_DIGEST])
            if job.path in made:
                letters, _, content = made.pop(job.path).partition(b"\0")
                facts[job.path] = digest_of(content) + letters
                known.put(job.key, facts[job.path])
            yield Artifact(job.path, content, job.source)
        self._note({job: facts[job.path][_DIGEST:].decode() for job in jobs})

    def _jobs(self, sheets: Sequence[Sheet]) -> Iterator[_Job]:
        taken = {*self.content.published}
        style = repr(self._look)
        for sheet in sheets:
            found = shown(self.site, sheet)
            if found and found.address not in taken:
                taken.add(found.address)  # two pages of one address are an error that is told of the pages
                of = self.images.digest(found.picture) if found.picture else None
                key = digest(_RECIPE, style, repr(found.card), of)
                yield _Job(found.address, key, found.card, found.picture if of else None, sheet.source)

    def _stands(self, path: str, facts: bytes | None) -> bool:
        """Whether a card stands in the output folder as it would be drawn."""
        return facts is not None and self.standing.get(path) == facts[:_DIGEST]

    def _drawn(self, jobs: Sequence[_Job], progress: Progress) -> dict[str, bytes]:
        """By path: the letters that are missing on a card, a null byte, the card."""
        made = {}
        for number, job in enumerate(jobs, 1):
            made[job.path] = self.cache.bytes("drawings", (job.key,), functools.partial(self._draw, job))
            progress("drawing card", number, len(jobs))
        return made

    def _draw(self, job: _Job) -> bytes:
        tiles = (functools.partial(self._tile, job.picture),) if job.picture else ()
        drawn = draw(job.card, self._look, *tiles)
        return drawn.missing.encode() + b"\0" + drawn.png

    def _tile(self, picture: Picture, side: int, most: int) -> Image:
        from PIL import Image

        key = _RECIPE, self.images.digest(picture) or "", str(side), str(most), self._look.paper
        made = self.cache.bytes("tiles", key, lambda: tile(self._square(picture), side, most))
        return Image.open(io.BytesIO(made))

    def _square(self, picture: Picture) -> Image:
        of = self.images.digest(picture) or ""
        if of not in self._squares:
            if len(self._squares) > 3:  # those of single episodes need not be kept
                self._squares.clear()
            self._squares[of] = self.images.square(picture, _SQUARE, self._look.paper)
        return self._squares[of]

    def _note(self, missing: Mapping[_Job, str]) -> None:
        """Warn of letters without a typeface, once for each script."""
        noted = set()
        for job, letters in missing.items():
            for letter in letters:
                script = "symbol" if unicodedata.category(letter) == "So" else unicodedata.name(letter, "?").split()[0]
                if script not in noted:
                    noted.add(script)
                    self.problems.append(self._problem(job, letter, script.removesuffix("-")))

    def _problem(self, job: _Job, letter: str, script: str) -> Problem:
        remedy = f"put a picture of your own at static/{job.path}"
        if script.split("-", maxsplit=1)[0] in _CJK:
            remedy = f"pip install 'podsite[{CJK_EXTRA}]' has them"
        what = f"its card is drawn without '{letter}' and the like, for which there are no typefaces; {remedy}"
        return Problem(self.content.place(job.source, "title"), "title", what, "warning")


def look(site: Site) -> Look:
    """What all cards of a site share."""
    show = site.show
    return Look(
        language=show.language,
        rtl=show.direction == "rtl",
        family=show.theme.fonts or "serif",
        accent=colour.inks(show.theme.accent).light,
        paper=colour.LIGHT_PAPERS[0],
        ink=INK,
        soft=SOFT,
        line=LINE,
    )
