"""The beginnings of a site and of an episode: `podsite init` and `podsite new`."""

from __future__ import annotations

import os
import re
import uuid
from datetime import datetime, timedelta, tzinfo
from importlib import resources
from io import BytesIO
from pathlib import Path

from podsite import __version__, values
from podsite.artifacts import flaw
from podsite.companions import slug_of
from podsite.decode import decode
from podsite.errors import OutputError, UsageError
from podsite.identity import PODCAST_NAMESPACE
from podsite.model import Episode, Show
from podsite.read import EPISODES
from podsite.roots import SHOW
from podsite.schema import schema_text
from podsite.syntax import quoted

_MODELINE = re.compile(r"# yaml-language-server: \$schema=\S+")
_NUMBER = re.compile(r"(\d+)-")
_SLUG_BYTES = 120


def init(folder: Path, now: datetime) -> list[str]:
    """Begin a site in `folder`; what exists there stays, but a .gitignore gains what it lacks.

    Gives the paths written, relative to the folder.

    Raises UsageError when the folder holds a site already, OutputError when it cannot be written.
    """
    if (folder / SHOW).exists():
        raise UsageError(f"{folder / SHOW} exists already: this is a site; 'podsite new TITLE' begins an episode")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is no folder")
    yesterday = f"{now - timedelta(days=1):%Y-%m-%d}"
    files: dict[str, bytes] = {
        SHOW: _skeleton("show.yaml").replace(b"GUID", _guid().encode()),
        f"{EPISODES}/001-hello-world.yaml": _skeleton("episode.yaml").replace(b"DATE", yesterday.encode()),
        f"{EPISODES}/001-hello-world.mp3": _silence(),
        "static/artwork.jpg": _artwork(),
        "templates/README.md": _skeleton("templates.md"),
        "schemas/episode.schema.json": schema_text("episode").encode(),
        "schemas/show.schema.json": schema_text("show").encode(),
        ".github/workflows/pages.yml": _skeleton("pages.yml").replace(b"VERSION", __version__.encode()),
    }
    written = [name for name, content in files.items() if _put(folder / name, content)]
    return [*written, ".gitignore"] if _ignore(folder / ".gitignore") else written


def new(root: Path, title: str, now: datetime) -> Path:
    """Begin the next episode of the site at `root`, as a draft. Gives its file.

    Raises UsageError when the title is empty or its address is taken.
    """
    title = " ".join(title.split())
    control = values.control_character(title)
    if control:
        raise UsageError(f"the title holds the control character {control[1]}; leave it out")
    if not title:
        raise UsageError("expected a title, such as: podsite new 'The first frost'")
    folder = root / EPISODES
    names = sorted(os.listdir(folder)) if folder.is_dir() else []
    numbers = [int(found[1]) for name in names if (found := _NUMBER.match(name))]
    number = max(numbers, default=0) + 1
    slug = _short(values.slug(title)) or f"episode-{number}"
    if flaw(slug):  # such as `con`, which Windows keeps for a device
        slug = f"episode-{slug}"
    taken = next((name for name in names if name.endswith(".yaml") and _slug(folder / name) == slug), None)
    if taken:
        raise UsageError(f"{EPISODES}/{taken} has the address '{slug}' already; choose another title")
    path = folder / f"{number:03}-{slug}.yaml"
    today = now.astimezone(_zone(root))
    _put(
        path,
        (
            f"{_modeline(folder, names)}title: {quoted(title)}\nnumber: {number}\npublished: {today:%Y-%m-%d}\n"
            "draft: true  # take this line out to publish\n"
            "summary: >-\n  One paragraph that says what the episode is about.\n"
            "# The recording goes beside this file under the same name, ending in .mp3 or .m4a.\n"
            "notes: |\n  The show notes, in Markdown.\nfurther_reading: []\n"
        ).encode(),
    )
    return path


def _short(slug: str) -> str:
    """A slug that leaves a file's name room for its endings: whole words while there are some, at most 120 bytes."""
    while len(slug.encode()) > _SLUG_BYTES:
        slug = slug[: max(slug.rfind("-"), 0)] or slug.encode()[:_SLUG_BYTES].decode("utf-8", "ignore")
    return values.slug(slug)


def _slug(path: Path) -> str:
    """The address of an episode that exists; by its file's name alone where the file has mistakes."""
    episode = decode(path.read_text(encoding="utf-8", errors="replace"), path.name, Episode).value
    if episode is None:
        return values.slug(path.stem.lstrip("0123456789"))
    return episode.slug or slug_of(path.name, episode)


def _guid() -> str:
    """An identity of the form the podcast:guid rule gives; the address it would be made of is not known yet."""
    return str(uuid.uuid5(PODCAST_NAMESPACE, str(uuid.uuid4())))


def _zone(root: Path) -> tzinfo | None:
    text = (root / SHOW).read_text(encoding="utf-8", errors="replace")
    show = decode(text, SHOW, Show).value
    return show.timezone if show else None


def _modeline(folder: Path, names: list[str]) -> str:
    """The line that tells editors the schema: as the newest episode has it, else for the site's schemas/."""
    for name in reversed(names):
        if name.endswith(".yaml"):
            found = _MODELINE.match((folder / name).read_text(encoding="utf-8", errors="replace"))
            if found:
                return found[0] + "\n"
    schema = folder.parent / "schemas" / "episode.schema.json"
    return "# yaml-language-server: $schema=../schemas/episode.schema.json\n" if schema.is_file() else ""


def _skeleton(name: str) -> bytes:
    return (resources.files("podsite") / "skeleton" / name).read_bytes()


def _ignore(path: Path) -> bool:
    """Keep what podsite writes out of git: a new .gitignore, or the lines one lacks. False where it lacks none."""
    if _put(path, _skeleton("gitignore")):
        return True
    try:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        lacking = [line for line in ("output/", ".podsite/") if line.strip("/") not in re.findall(r"[^\s/]+", text)]
        if lacking:
            with path.open("a", encoding="utf-8") as file:
                file.write(("" if text.endswith("\n") or not text else "\n") + "\n".join(lacking) + "\n")
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from error
    return bool(lacking)


def _put(path: Path, content: bytes) -> bool:
    """Write a new file; one that exists stays, and False says so."""
    if os.path.lexists(path):
        return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(content)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from error
    return True


def _silence() -> bytes:
    """A second of silence: MPEG-1 Layer III frames of 32 kbit/s, mono, 44.1 kHz, that hold no sound."""
    frame = bytes([0xFF, 0xFB, 0x10, 0xC0]) + bytes(100)
    return frame * 39


def _artwork() -> bytes:
    """A square cover in quiet colours, as a placeholder that directories would accept."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (1400, 1400), "#efe9df")
    draw = ImageDraw.Draw(image)
    for index, height in enumerate((180, 420, 760, 520, 900, 340, 620, 240)):
        left = 190 + index * 132
        draw.rectangle((left, 700 - height // 2, left + 96, 700 + height // 2), fill="#9a3412")
    found = BytesIO()
    image.save(found, "JPEG", quality=85)
    return found.getvalue()
