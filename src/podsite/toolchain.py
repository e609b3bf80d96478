"""What makes a site besides its own files: podsite's code and templates, Python, and the libraries that write output.

Found without importing any of them, because a build with nothing to do must not pay for that.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from podsite import __version__

# Projects whose release changes what is written; the names as their metadata folders spell them.
_LIBRARIES = re.compile(
    r"(?i)(babel|feedgen|jinja2|lxml|markdown|markupsafe|mutagen|nh3|pagefind_bin|pillow|pygments|python_dateutil|pyyaml|tzdata|uharfbuzz"
    r"|rapidyaml|ryaml|pyromark|comrak|markdown_it_pyrs|manimgx_fonts|manimgx_fonts_cjk|fontpkg_source_serif_4|fontpkg_jetbrains_mono)-[^-]+\.dist-info"
)
_MODULES = (
    "babel", "dateutil", "feedgen", "jinja2", "lxml", "markdown", "markupsafe", "mutagen", "nh3", "pagefind_bin",
    "PIL", "pygments", "pyromark", "tzdata", "uharfbuzz", "yaml", "manimgx_fonts", "manimgx_fonts_cjk",
    "fontpkg_source_serif_4", "fontpkg_jetbrains_mono",
)  # fmt: skip
_ZONES = ("/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo")


@cache
def fingerprint() -> bytes:
    """A digest that another version of podsite, of Python, of a library or of the time zones does not have.

    Podsite's own files count by time and size, so that a checkout that is worked on never takes old results for new.
    """
    found = [__version__, sys.version, *_own_files(), *_libraries(), *_zones()]
    return hashlib.sha256("\0".join(found).encode("utf-8", "surrogatepass")).digest()


def _own_files() -> list[str]:
    package = str(Path(__file__).parent)
    found = []
    folders = [package]
    theme = Path(package).parent.parent / "templates"  # where a checkout has the bundled theme
    if (theme / "base.html").is_file() and not Path(package, "templates").is_dir():
        folders.append(str(theme))
    while folders:
        folder = folders.pop()
        for entry in sorted(os.scandir(folder), key=lambda one: one.name):
            if entry.is_dir():
                folders += [] if entry.name == "__pycache__" else [entry.path]
            elif not entry.name.endswith((".pyc", "~")):
                status = entry.stat()
                found.append(f"{entry.path.removeprefix(package)} {status.st_size} {status.st_mtime_ns}")
    return found


def _libraries() -> list[str]:
    """Name and version of each library, as the folders of their metadata have them, beside wherever it lies."""
    specs = (find_spec(name) for name in _MODULES)
    places = {str(Path(spec.origin).parents[1]) for spec in specs if spec and spec.origin}
    return sorted(name for place in places for name in os.listdir(place) if _LIBRARIES.fullmatch(name))


def _zones() -> list[str]:
    """The time zones of the system, whose rules are updated now and then."""
    found = []
    for place in _ZONES:
        for path in (place, f"{place}/tzdata.zi", f"{place}/+VERSION"):
            with suppress(OSError):
                found.append(f"{path} {os.stat(path).st_mtime_ns}")  # noqa: PTH116 - asked at every start
    return found
