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

#: Projects whose release changes what is written: the modules they come as, and how their metadata folders spell them.
_PROJECTS = {
    "PIL": "pillow", "babel": "babel", "dateutil": "python_dateutil", "feedgen": "feedgen",
    "fontpkg_jetbrains_mono": "fontpkg_jetbrains_mono", "fontpkg_source_serif_4": "fontpkg_source_serif_4",
    "jinja2": "jinja2", "lxml": "lxml", "manimgx_fonts": "manimgx_fonts", "manimgx_fonts_cjk": "manimgx_fonts_cjk",
    "markdown": "markdown", "markupsafe": "markupsafe", "mutagen": "mutagen", "nh3": "nh3",
    "pagefind_bin": "pagefind_bin", "pygments": "pygments", "pyromark": "pyromark", "tzdata": "tzdata",
    "uharfbuzz": "uharfbuzz", "yaml": "pyyaml",
}  # fmt: skip
_METADATA = re.compile(rf"(?i)({'|'.join(_PROJECTS.values())})-[^-]+\.dist-info")
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
    specs = (find_spec(name) for name in _PROJECTS)
    places = {str(Path(spec.origin).parents[1]) for spec in specs if spec and spec.origin}
    return sorted(name for place in places for name in os.listdir(place) if _METADATA.fullmatch(name))


def _zones() -> list[str]:
    """The time zones of the system, whose rules are updated now and then."""
    found = []
    for place in _ZONES:
        for path in (place, f"{place}/tzdata.zi", f"{place}/+VERSION"):
            with suppress(OSError):
                found.append(f"{path} {os.stat(path).st_mtime_ns}")  # noqa: PTH116 - asked at every start
    return found
