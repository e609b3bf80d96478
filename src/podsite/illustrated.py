"""Pictures in texts, in the sizes they are shown in: nothing on the page moves, and no byte is loaded in vain.

What lies on another server, is drawn (SVG) or cannot be read stays as it is written.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from urllib.parse import unquote, urljoin, urlsplit

from podsite import urls
from podsite.images import Images
from podsite.records import dataclass
from podsite.site import Picture

#: Pixels in which a picture of a text is offered, and how wide its column is.
WIDTHS = (320, 640, 960, 1320)
SIZES = "(min-width: 44em) 40em, 100vw"

_PICTURE = re.compile(r'<img((?: [a-z-]+="[^"]*")*)>')
_ATTRIBUTE = re.compile(r' ([a-z-]+)="([^"]*)"')
_BASE = "https://site.invalid/"  # addresses are resolved below it


@dataclass(frozen=True, slots=True)
class Illustrated:
    """Fills in the pictures of a site's texts; `file_of` gives the site's file that is published at an address."""

    images: Images
    file_of: Callable[[str], str | None]

    def html(self, text: str, origin: str) -> str:
        """A text as HTML of the page at `origin`, with its pictures in the sizes that they are shown in."""
        if "<img " not in text:
            return text

        def whole(found: re.Match[str]) -> str:
            attributes = {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(found[1])}
            return self._picture(attributes, origin) or found[0]

        return _PICTURE.sub(whole, text)

    def _picture(self, attributes: Mapping[str, str], origin: str) -> str | None:
        """A picture element; None for what is left as it is."""
        address = _address(attributes.get("src", ""), origin)
        picture = Picture(address, file=self.file_of(address))
        size, sized = self.images.size(picture), self.images.picture(picture, WIDTHS)
        if not (size and sized):
            return None
        sources = ", ".join(f"{urls.relative(origin, at)} {width}w" for at, width in sized.webp)
        # what the author wrote of its size counts
        shown = {"width": str(size[0]), "height": str(size[1])} if not {"width", "height"} & {*attributes} else {}
        last = {"src": urls.relative(origin, sized.address), "loading": "lazy", "decoding": "async"}
        source = _tag("source", {"type": "image/webp", "srcset": sources, "sizes": SIZES})
        return f"<picture>{source}{_tag('img', {**attributes, **shown, **last})}</picture>"


def _address(src: str, origin: str) -> str:
    """The address that a relative link of a page leads to; that of another site is no address of this one."""
    found = urljoin(_BASE + origin, src)
    return unquote(urlsplit(found).path.removeprefix("/")) if found.startswith(_BASE) else found


def _tag(name: str, attributes: Mapping[str, str]) -> str:
    return f"<{name}" + "".join(f' {key}="{html.escape(value)}"' for key, value in attributes.items()) + ">"
