"""Edits that somebody could make between two builds of a site, drawn at random."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from podsite import shapes
from podsite.model import Episode, Show
from podsite.recall import Options

from . import garden, samples, twins

Draw = Callable[[st.SearchStrategy[Any]], Any]
NOW = datetime(2026, 2, 1, tzinfo=UTC)
OPTIONS = Options(now=NOW, accept=twins.ACCEPT, search=False)
#: Before all that the site holds but one episode, between two that are scheduled, behind both.
MOMENTS = (NOW, NOW + timedelta(seconds=1), datetime(2026, 5, 15, tzinfo=UTC), datetime(2026, 7, 1, tzinfo=UTC),
           datetime(2025, 3, 5, tzinfo=UTC))  # fmt: skip
RECORDS = {"show": shapes.record(Show), "episode": shapes.record(Episode)}
_COMPANIONS = {
    ".mp3": garden.RECORDINGS, ".vtt": garden.TRANSCRIPTS, ".md": garden.NOTES, ".png": garden.PICTURES,
    ".chapters.json": garden.CHAPTERS,
}  # fmt: skip


@dataclass
class Site:
    """What the files of a site say, and what is to be done to the disk besides writing them."""

    show: dict[str, Any]
    episodes: dict[str, dict[str, Any]]
    files: dict[str, bytes]
    options: Options = OPTIONS
    told: list[str] = field(default_factory=list)  # what was edited, in words

    def kept(self) -> tuple[Any, ...]:
        """Everything as it is, to come back to."""
        return deepcopy((self.show, self.episodes, self.files))


def _pick(draw: Draw, choices: Any) -> Any:
    """One of the choices; how many there are makes no difference to what is drawn."""
    found = sorted(choices) if isinstance(choices, set | dict) else [*choices]
    return found[draw(st.integers(0, 2**16)) % len(found)]


# Content


def change_key(draw: Draw, site: Site, _: Path) -> None:
    """Set, replace or take out any key of a record, however deep it lies."""
    name = _pick(draw, ["show.yaml", *site.episodes])
    kind, said = ("show", site.show) if name == "show.yaml" else ("episode", site.episodes[name])
    spots = [*_spots(RECORDS[kind], said, RECORDS[kind].kind.__name__)]
    holder, key, shape, path = _pick(draw, spots if draw(st.booleans()) else spots[: len(RECORDS[kind].keys)])
    if key in holder and draw(st.integers(0, 3)) == 0 and (not _is_needed(key, path) or draw(st.integers(0, 9)) == 0):
        del holder[key]
    else:
        holder[key] = deepcopy(_pick(draw, samples.values(shape, path)))
    site.told.append(f"{name}: {path} = {holder.get(key)!r:.80}")


def _is_needed(key: str, path: str) -> bool:
    record = RECORDS[path.partition(".")[0].lower()]
    return path.count(".") == 1 and record.keys[key].required


def _spots(record: shapes.Record, said: dict[str, Any], path: str) -> Iterator[tuple[Any, str, shapes.Shape, str]]:
    deeper = []
    for key in record.keys.values():
        below = f"{path}.{key.name}" if path == record.kind.__name__ else f"{path}.{record.kind.__name__}.{key.name}"
        yield said, key.name, key.shape, below
        inner = key.shape.item if isinstance(key.shape, shapes.Listing | shapes.Table) else key.shape
        if isinstance(inner, shapes.Record) and key.name in said:
            found = said[key.name]
            if isinstance(key.shape, shapes.Table):
                below, found = f"{below}.value", [*found.values()]
            each = found if isinstance(found, list) else [found]
            deeper += [(inner, one, below) for one in each if isinstance(one, dict)]
    for inner, one, below in deeper:
        yield from _spots(inner, one, below)


def add_episode(draw: Draw, site: Site, _: Path) -> None:
    """A copy of one that is there, under another name and at another time."""
    number = draw(st.integers(0, 99))
    name = f"{number:03}-new-{number}"
    twin = deepcopy(site.episodes[_pick(draw, site.episodes)]) if site.episodes else {"title": "", "summary": "New."}
    for key in ("aliases", "audio", "guid", "slug", "number", "requires"):
        twin.pop(key, None)
    published = f"2025-0{draw(st.integers(1, 9))}-04"
    site.episodes[name] = twin | {"title": f"New {published}", "published": published}
    site.told.append(f"+ {name}")


def remove_episode(draw: Draw, site: Site, _: Path) -> None:
    """With everything that names it, so that the site still builds."""
    if site.episodes:
        name = _pick(draw, site.episodes)
        del site.episodes[name]
        _forget(site, name[4:])
        site.told.append(f"- {name}")


def _forget(site: Site, slug: str) -> None:
    for episode in site.episodes.values():
        for key in ("requires", "related"):
            if key in episode:
                episode[key] = [one for one in episode[key] if one != slug]
    for path in site.show.get("paths") or ():
        path["episodes"] = [
            one for one in path["episodes"] if slug not in {one["episode"] if isinstance(one, dict) else one}
        ]
    for file, content in [*site.files.items()]:
        if f"-{slug}.yaml".encode() in content:
            site.files[file] = b"Nothing is left.\n"


def rename_episode(draw: Draw, site: Site, _: Path) -> None:
    """Its file and those beside it; its slug stays if it is written."""
    if site.episodes:
        name = _pick(draw, site.episodes)
        new = f"{draw(st.integers(0, 99)):03}-{_pick(draw, ['fog', name[4:]])}"
        said = site.episodes.pop(name)
        if new[4:] != name[4:]:
            said.setdefault("slug", name[4:])
        site.episodes[new] = said
        for file in [file for file in site.files if file.startswith(f"episodes/{name}.")]:
            site.files[file.replace(name, new)] = site.files.pop(file)
        site.told.append(f"{name} → {new}")


def swap_episodes(draw: Draw, site: Site, _: Path) -> None:
    """The texts of two files; what lies beside them stays."""
    if len(site.episodes) > 1:
        one, two = _pick(draw, site.episodes), _pick(draw, site.episodes)
        site.episodes[one], site.episodes[two] = site.episodes[two], site.episodes[one]
        site.told.append(f"{one} ⇄ {two}")


def change_companion(draw: Draw, site: Site, _: Path) -> None:
    """Add, replace or take away what lies beside an episode, or on its own."""
    if site.episodes and draw(st.booleans()):
        ending = _pick(draw, _COMPANIONS)
        name = _pick(draw, site.episodes)
        file, choices = f"episodes/{name}{ending}", _COMPANIONS[ending]
        if draw(st.integers(0, 9)):  # else both are there, which is an error
            site.episodes[name].pop({".md": "notes", ".chapters.json": "chapters"}.get(ending), None)
    else:
        file = _pick(draw, ["static/one.png", "static/two.png", "static/one.mp3", "static/spoken.vtt", "pages/about.md",
                            "pages/more.md", "episodes/moon.txt", "static/new.txt"])  # fmt: skip
        choices = _COMPANIONS.get(Path(file).suffix, garden.NOTES)
    if file in site.files and draw(st.integers(0, 2)) == 0:
        del site.files[file]
    else:
        site.files[file] = _pick(draw, choices)
    site.told.append(f"{file}: {site.files.get(file, b'none')[:30]!r}")


def change_template(draw: Draw, site: Site, _: Path) -> None:
    """One of the site's own: added, edited or taken away."""
    name = _pick(draw, garden.TEMPLATES)
    file = f"templates/{name}"
    if file in site.files and draw(st.integers(0, 2)) == 0:
        del site.files[file]
    else:
        site.files[file] = _pick(draw, garden.TEMPLATES[name]).encode()
    site.told.append(f"{file}: {site.files.get(file, b'none')!r}")


def change_options(draw: Draw, site: Site, _: Path) -> None:
    """Other options, or another time of the day: forwards, and with a wrong clock backwards."""
    what = _pick(draw, ["now", "now", "base_url", "drafts", "future", "strict", "jobs"])
    if what == "now":
        value: Any = _pick(draw, MOMENTS)
    elif what == "base_url":
        value = _pick(draw, [None, "https://other.fm/", "https://quiet.fm/hours"])
    elif what == "jobs":
        value = 3 - (site.options.jobs or 1)
    else:
        value = not getattr(site.options, what)
    site.options = site.options._replace(**{what: value})
    site.told.append(f"{what}: {value}")


def break_file(draw: Draw, site: Site, root: Path) -> None:
    """What no build can read; the next edits mend it, or another build fails."""
    found = [file for file in twins.sources(root) if not file.startswith("templates/assets")]
    file = _pick(draw, sorted(found))
    (root / file).write_bytes(_pick(draw, garden.BROKEN))
    site.told.append(f"{file} broken")


# Files and their times


def edit_in_place(draw: Draw, site: Site, root: Path) -> None:
    """Other bytes of the same number, perhaps with the time of the old ones."""
    files = twins.sources(root)
    file = _pick(draw, sorted(files))
    content = files[file]
    new = _same_size(draw, content)
    status = (root / file).stat()
    (root / file).write_bytes(new)
    if draw(st.booleans()):
        os.utime(root / file, ns=(status.st_atime_ns, status.st_mtime_ns))
    if file in site.files:
        site.files[file] = new
    site.told.append(f"{file}: edited in place")


def _same_size(draw: Draw, content: bytes) -> bytes:
    others = [one for one in (*garden.PICTURES, *garden.RECORDINGS, *garden.TRANSCRIPTS) if len(one) == len(content)]
    if others:
        return bytes(_pick(draw, others))
    letters = [n for n, byte in enumerate(content) if chr(byte).isalpha() and chr(byte).islower()]
    if not letters:
        return content
    at = _pick(draw, letters[:400])
    return content[:at] + (b"q" if content[at : at + 1] != b"q" else b"z") + content[at + 1 :]


def touch(draw: Draw, site: Site, root: Path) -> None:
    """Another time, another file of the same content, or a link to one."""
    file = root / _pick(draw, sorted(twins.sources(root)))
    how = _pick(draw, ["new", "old", "copy"])
    if how == "copy":
        shutil.copy2(file, file.with_name("~copy"))
        file.with_name("~copy").replace(file)
    else:
        when = 1_000_000_000 if how == "old" else 4_000_000_000
        os.utime(file, (when, when))
    site.told.append(f"{file.name}: {how}")


# What podsite wrote


def tamper(draw: Draw, site: Site, root: Path) -> None:
    """Delete or change files of the output."""
    output = root / "output"
    files = sorted(file for file in twins.tree(output) if not file.startswith(".podsite"))
    if not files:
        return
    how = _pick(draw, ["delete", "edit", "edit", "append", "empty", "folder", "all"])
    if how == "all":
        shutil.rmtree(output)
    elif how == "folder":
        shutil.rmtree(_pick(draw, sorted({(output / file).parent for file in files} - {output})))
    else:
        file = output / _pick(draw, files)
        status, content = file.stat(), file.read_bytes()
        if how == "delete":
            file.unlink()
        else:
            file.write_bytes({"edit": b"#" + content[1:], "append": content + b"#", "empty": b""}[how])
            if draw(st.booleans()):
                os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    site.told.append(f"output: {how}")


def harm_cache(draw: Draw, site: Site, root: Path) -> None:
    """Delete or damage parts of the cache."""
    cache = root / ".podsite"
    files = sorted(path for path in cache.rglob("*") if path.is_file()) if cache.is_dir() else []
    if not files:
        return
    how = _pick(draw, ["delete", "folder", "all", "cut", "flip"])
    path = _pick(draw, files)
    if how == "all":
        shutil.rmtree(cache)
    elif how == "folder":
        shutil.rmtree(_pick(draw, sorted(one for one in cache.iterdir() if one.is_dir())))
    elif how == "delete":
        path.unlink()
    else:
        content = path.read_bytes()
        at = draw(st.integers(0, 2**16)) % (len(content) + 1)
        rest = b"" if how == "cut" else bytes(255 - one for one in content[at : at + 1]) + content[at + 1 :]
        path.write_bytes(content[:at] + rest)
    site.told.append(f"cache: {how} {path.relative_to(cache)}")


EDITS = (
    change_key, change_key, change_key, change_key, add_episode, remove_episode, rename_episode, swap_episodes,
    change_companion, change_companion, change_template, change_template, change_options, change_options, edit_in_place,
    edit_in_place, touch, tamper, harm_cache, break_file,
)  # fmt: skip
#: Those that act on the disk themselves, once everything else is written.
ON_DISK = frozenset({edit_in_place, touch, tamper, harm_cache, break_file})
