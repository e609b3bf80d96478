"""Inks of the accent colour that can be read on the light and the dark page, whatever colour was chosen."""

from __future__ import annotations

import colorsys

from podsite.records import dataclass

#: The accent where show.yaml names none.
DEFAULT = "#a8321c"

#: Everything that text in the accent's ink stands on; site.css paints with the same.
LIGHT_PAPERS = ("#f7f2e8", "#ede5d5")
DARK_PAPERS = ("#12151b", "#1c2129")

TEXT_CONTRAST = 4.5  # WCAG 2 AA for text; more than the 3 it asks of controls


@dataclass(frozen=True, slots=True)
class Inks:
    """The accent on the light and the dark page, and the ink of text that stands on the accent itself."""

    light: str
    on_light: str
    dark: str
    on_dark: str

    @property
    def css(self) -> str:
        """As custom properties, to be laid over those of site.css."""
        pairs = (
            ("accent-light", self.light), ("on-accent-light", self.on_light),
            ("accent-dark", self.dark), ("on-accent-dark", self.on_dark),
        )  # fmt: skip
        return ":root{" + ";".join(f"--{name}:{ink}" for name, ink in pairs) + "}"


def inks(accent: str | None = None) -> Inks:
    """The inks for an accent colour `#rrggbb`: itself where it can be read, else its nearest shade that can."""
    accent = accent or DEFAULT
    light, dark = _readable(accent, LIGHT_PAPERS, towards=0.0), _readable(accent, DARK_PAPERS, towards=1.0)
    return Inks(light, _text_on(light), dark, _text_on(dark))


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours by WCAG 2: 1 to 21."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _readable(accent: str, papers: tuple[str, ...], towards: float) -> str:
    """The colour moved towards black or white, in steps too small to see, until all papers carry it."""
    hue, lightness, saturation = colorsys.rgb_to_hls(*_channels(accent))
    for step in range(257):
        moved = lightness + (towards - lightness) * step / 256
        shade = accent if step == 0 else _hex(colorsys.hls_to_rgb(hue, moved, saturation))
        if min(contrast(shade, paper) for paper in papers) >= TEXT_CONTRAST:
            break
    return shade


def _text_on(ground: str) -> str:
    return max("#ffffff", "#000000", key=lambda ink: contrast(ink, ground))


def _channels(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _hex(channels: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(channel * 255):02x}" for channel in channels)


def _luminance(colour: str) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _channels(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
