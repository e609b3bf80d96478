"""Promises of podsite.colour: whatever accent is chosen, text in it and on it can be read."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from podsite import colour

COLOURS = st.integers(0, 0xFFFFFF).map("#{:06x}".format)
STYLES = Path(__file__).parents[1] / "templates" / "assets" / "site.css"


@given(COLOURS)
def test_an_accent_can_be_read_on_every_paper(accent: str) -> None:
    """WCAG AA for text, on the light and on the dark page."""
    inks = colour.inks(accent)
    assert min(colour.contrast(inks.light, paper) for paper in colour.LIGHT_PAPERS) >= colour.TEXT_CONTRAST
    assert min(colour.contrast(inks.dark, paper) for paper in colour.DARK_PAPERS) >= colour.TEXT_CONTRAST


@given(COLOURS)
def test_text_on_the_accent_can_be_read(accent: str) -> None:
    """Buttons filled with the accent hold black or white text, whichever can be read."""
    inks = colour.inks(accent)
    assert colour.contrast(inks.light, inks.on_light) >= colour.TEXT_CONTRAST
    assert colour.contrast(inks.dark, inks.on_dark) >= colour.TEXT_CONTRAST


@given(COLOURS)
def test_an_accent_that_can_be_read_stays_as_it_is(accent: str) -> None:
    """Nobody's colour is changed without need."""
    if min(colour.contrast(accent, paper) for paper in colour.LIGHT_PAPERS) >= colour.TEXT_CONTRAST:
        assert colour.inks(accent).light == accent
    if min(colour.contrast(accent, paper) for paper in colour.DARK_PAPERS) >= colour.TEXT_CONTRAST:
        assert colour.inks(accent).dark == accent


def test_contrast_is_that_of_wcag() -> None:
    """Black on white is 21 to 1, a colour on itself 1, and a known grey just passes on white."""
    assert round(colour.contrast("#000000", "#ffffff"), 2) == 21
    assert colour.contrast("#a8321c", "#a8321c") == 1
    assert round(colour.contrast("#767676", "#ffffff"), 2) == 4.54


def test_the_papers_are_those_of_the_style_sheet() -> None:
    """The inks are computed for what site.css really paints, its greys included."""
    found: dict[str, set[str]] = {}
    for name, value in re.findall(r"--(\w+): (#[0-9a-f]{6});", STYLES.read_text("utf-8")):
        found.setdefault(name, set()).add(value)
    assert found["paper"] | found["shade"] == {*colour.LIGHT_PAPERS, *colour.DARK_PAPERS}
    for papers in (colour.LIGHT_PAPERS, colour.DARK_PAPERS):
        readable = [
            ink for ink in found["ink"] | found["soft"] if min(colour.contrast(ink, paper) for paper in papers) >= 4.5
        ]
        assert len(readable) == 2
