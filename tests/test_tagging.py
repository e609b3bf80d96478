"""`podsite tag`: recordings say what the episode's file says, their sound stays, and nothing is written twice."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutagen.id3 import APIC, CHAP, COMM, CTOC, ID3, TALB, TIT2, TRCK
from mutagen.mp3 import MP3
from mutagen.mp4 import MP4
from PIL import Image

from podsite.embedded import chapters as inside
from podsite.parts import Chapter
from podsite.tagging import boxes, mp3, mp4
from podsite.tagging.exchange import exchanged
from podsite.tagging.iso639 import three_letters
from podsite.tagging.wanted import Wanted

Site, Podsite = Callable[..., Path], Callable[..., Any]
MEDIA = Path(__file__).with_name("recordings")
EPISODE = """
title: "The first night & <more>"
number: 7
published: 2026-06-01
summary: What one hears.
chapters:
  - {start: 0, title: Begin, url: "https://a.example/"}
  - {start: 0:30.25, title: "Mitte — ünten"}
  - {start: 1:00, title: End}
"""
CHAPTERS = (
    Chapter(start=0, title="Begin", url="https://a.example/"),
    Chapter(start=30.25, title="Mitte — ünten"),
    Chapter(start=60, title="End"),
)
WRITTEN = "title, number 7, language eng, artwork and 3 chapters with table of contents"


def tagged(silence: bytes, version: int = 4) -> bytes:
    """A minute's MP3 with tags of another program."""
    tag = ID3()
    encoding = 1 if version == 3 else 3
    tag.add(TIT2(encoding=encoding, text="Draft"))
    tag.add(TALB(encoding=encoding, text="Álbum"))
    tag.add(COMM(encoding=encoding, lang="eng", desc="", text="Kept"))
    tag.add(TRCK(encoding=encoding, text="3/9"))
    tag.add(APIC(encoding=encoding, mime="image/png", type=4, desc="Back", data=b"back"))
    picture = APIC(encoding=encoding, mime="image/png", type=0, desc="", data=b"chapter")
    old = TIT2(encoding=encoding, text="Old")
    tag.add(CHAP(element_id="a", start_time=30_250, end_time=40_000, sub_frames=[old, picture]))
    tag.add(CTOC(element_id="t", flags=0, child_element_ids=["a"], sub_frames=[]))
    file = io.BytesIO(silence * 61)
    tag.save(file, v2_version=version)
    return file.getvalue()


@pytest.fixture
def night(site: Site, silence: bytes) -> Callable[..., tuple[Path, Path]]:
    """A site whose one episode is still to come, and its recording."""

    def made(content: bytes | None = None, ending: str = "mp3", **files: Any) -> tuple[Path, Path]:
        root = site(
            {
                "episodes/001-first-night.yaml": EPISODE,
                "episodes/001-first-night.mp3": None,
                f"episodes/001-first-night.{ending}": tagged(silence) if content is None else content,
                **files,
            }
        )
        return root, root / f"episodes/001-first-night.{ending}"

    return made


def sound(file: Path) -> str:
    """What another program decodes, if there is one; else the bytes of the frames."""
    ffmpeg = shutil.which("ffmpeg")
    if ffmpeg:
        command = [ffmpeg, "-v", "error", "-i", str(file), "-map", "0:a", "-c", "copy", "-f", "md5", "-"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout
    content = file.read_bytes()
    return hashlib.md5(content[content.find(b"\xff\xfb\x10\xc0") :]).hexdigest()


def seen_by_ffprobe(file: Path) -> tuple[list[tuple[float, float, str]], dict[str, str]] | None:
    """Chapters and tags as ffprobe reads them; None without it."""
    ffprobe = shutil.which("ffprobe")
    if not ffprobe:
        return None
    command = [ffprobe, "-v", "error", "-show_chapters", "-show_format", "-of", "json", str(file)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    chapters = [(float(one["start_time"]), float(one["end_time"]), one["tags"]["title"]) for one in found["chapters"]]
    return chapters, found["format"]["tags"]


@pytest.mark.thorough(but_each=2)
@pytest.mark.parametrize("version", [3, 4])
def test_an_mp3_says_what_the_file_says(
    night: Callable[..., tuple[Path, Path]], podsite: Podsite, silence: bytes, version: int
) -> None:
    """In the version its tag had; what else was in it stays, and so does every byte of sound."""
    root, file = night(tagged(silence, version))
    before = sound(file)
    done = podsite("tag", "--site", root)
    assert (done.status, done.err) == (0, "")
    assert f"first-night.mp3: {WRITTEN}\n" in done.out
    assert sound(file) == before
    assert file.read_bytes().endswith(silence * 61)
    tag = ID3(file, translate=False)
    assert tag.version[:2] == (2, version)
    assert [str(tag[name]) for name in ("TIT2", "TRCK", "TLAN", "TALB", "COMM::eng")] == [
        "The first night & <more>", "7", "eng", "Álbum", "Kept",
    ]  # fmt: skip
    pictures = {one.type: one for one in tag.getall("APIC")}
    assert pictures[4].data == b"back"
    assert Image.open(io.BytesIO(pictures[3].data)).size == (1000, 1000)
    assert inside(file) == CHAPTERS
    (table,) = tag.getall("CTOC")
    assert (int(table.flags), table.child_element_ids) == (3, ["chapter0", "chapter1", "chapter2"])
    middle = tag["CHAP:chapter1"]
    assert (middle.start_time, middle.end_time) == (30_250, 60_000)
    assert [one.data for one in middle.sub_frames.getall("APIC")] == [b"chapter"]
    assert tag["CHAP:chapter2"].end_time == round(MP3(file).info.length * 1000)
    seen = seen_by_ffprobe(file)
    if seen:
        assert [(start, title) for start, _, title in seen[0]] == [(one.start, one.title) for one in CHAPTERS]
        assert (seen[1]["title"], seen[1]["track"]) == ("The first night & <more>", "7")


@pytest.mark.thorough(but_each=2)
@pytest.mark.parametrize("name", ["silence.m4a", "silence-faststart.m4a"])
def test_an_m4a_says_what_the_file_says(night: Callable[..., tuple[Path, Path]], podsite: Podsite, name: str) -> None:
    """Whether what is said of the sound stands before or behind it."""
    root, file = night((MEDIA / name).read_bytes(), "m4a")
    before = sound(file)
    done = podsite("tag", "first-night", "--site", root)
    assert (done.status, done.err) == (0, "")
    assert "first-night.m4a: title, number 7, artwork, language eng and 3 chapters\n" in done.out
    assert sound(file) == before
    tags = MP4(file).tags
    assert (tags["\xa9nam"], tags["trkn"]) == (["The first night & <more>"], [(7, 0)])
    assert Image.open(io.BytesIO(tags["covr"][0])).size == (1000, 1000)
    assert [(one.start, one.title) for one in inside(file)] == [(one.start, one.title) for one in CHAPTERS]
    assert "nothing to do" in podsite("tag", "--site", root).out
    seen = seen_by_ffprobe(file)
    if seen:
        assert [(start, title) for start, _, title in seen[0]] == [(one.start, one.title) for one in CHAPTERS]


@pytest.mark.parametrize("name", ["silence.m4a", "silence-faststart.m4a", "mp3"])
def test_a_second_run_writes_nothing_and_a_dry_run_never(
    night: Callable[..., tuple[Path, Path]], podsite: Podsite, name: str
) -> None:
    """Not even where another version of the library would make the picture otherwise."""
    root, file = night(None if name == "mp3" else (MEDIA / name).read_bytes(), name[-3:])
    before = file.read_bytes()
    done = podsite("tag", "--site", root, "--dry-run")
    assert (done.status, file.read_bytes() == before) == (0, True)
    assert done.out.startswith("? ")
    assert podsite("tag", "--site", root).out.startswith("+ ")
    written, when = file.read_bytes(), file.stat().st_mtime_ns
    again = podsite("tag", "--site", root)
    assert (again.out, file.read_bytes() == written, file.stat().st_mtime_ns) == ("nothing to do\n", True, when)
    small = io.BytesIO()
    Image.new("RGB", (600, 600), "#123456").save(small, "JPEG", quality=40)
    if name == "mp3":
        tag = ID3(file)
        (front,) = (one for one in tag.getall("APIC") if one.type == 3)
        front.data = small.getvalue()
        tag.save(file)
    assert podsite("tag", "--site", root).out == "nothing to do\n"


def test_one_fact_that_changed_is_written_alone(night: Callable[..., tuple[Path, Path]], podsite: Podsite) -> None:
    root, file = night()
    podsite("tag", "--site", root)
    for old, new, told in (
        ("number: 7", "number: 8", "number 8"),
        ("The first night", "Night", "title"),
        ("title: End", "title: The end", "3 chapters with table of contents"),
        ("summary:", "transcript: {file: static/x.vtt, language: de}\nsummary:", "language deu"),
        ("summary:", "image: static/red.png\nsummary:", "artwork"),
    ):
        image = io.BytesIO()
        Image.new("RGB", (1400, 1400), "red").save(image, "PNG")
        (root / "static/red.png").write_bytes(image.getvalue())
        (root / "static/x.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:02.000\nHi.\n", encoding="utf-8")
        episode = root / "episodes/001-first-night.yaml"
        episode.write_text(episode.read_text("utf-8").replace(old, new), encoding="utf-8")
        assert podsite("tag", "--site", root).out.endswith(f"first-night.mp3: {told}\n")
    assert sound(file)


def test_without_chapters_or_number_what_is_there_stays(
    night: Callable[..., tuple[Path, Path]], podsite: Podsite
) -> None:
    root, file = night(**{"episodes/001-first-night.yaml": "title: x\npublished: 2026-06-01\nsummary: x\n"})
    told = "title, language eng, artwork and 1 chapter with table of contents\n"  # for the file had no proper table
    assert told in podsite("tag", "--site", root).out
    assert str(ID3(file)["TRCK"]) == "3/9"
    assert [one.title for one in inside(file)] == ["Old"]


def test_what_listeners_have_is_left_alone_unless_it_is_meant(
    night: Callable[..., tuple[Path, Path]], podsite: Podsite
) -> None:
    """A build tells what a tag does to a recording that is out, and --accept lets it pass."""
    root, file = night()
    (root / "show.yaml").write_text(
        (root / "show.yaml").read_text("utf-8").replace("https://example.org/", "https://quiet.fm/"), encoding="utf-8"
    )
    later = {"SOURCE_DATE_EPOCH": "1790000000"}
    assert podsite("build", root, **later).status == 0
    before = file.read_bytes()
    done = podsite("tag", "--site", root, **later)
    assert (done.status, file.read_bytes() == before) == (0, True)
    assert f"first-night.mp3: {WRITTEN} (out since 2026-06-01, left as it is)\n" in done.out
    assert "--published writes into it all the same" in done.out
    done = podsite("tag", "--site", root, "--published", **later)
    assert "podsite build --accept first-night:audio" in done.out
    assert file.read_bytes() != before
    stopped = podsite("build", root, **later)
    assert (stopped.status, "download this episode again" in stopped.err) == (1, True)
    assert podsite("build", root, "--accept", "first-night:audio", **later).status == 0


def test_a_slug_of_no_recording_here_is_told(night: Callable[..., tuple[Path, Path]], podsite: Podsite) -> None:
    root, _ = night()
    (root / "episodes/002-far.yaml").write_text(
        "title: x\npublished: 2026-06-01 12:00\nsummary: x\naudio: {url: 'https://a.example/a.mp3', length: 500000}\n",
        encoding="utf-8",
    )
    for slug, told in (("frist-night", "no episode 'frist-night' (did you mean 'first-night'?)"), ("far", "no MP3")):
        done = podsite("tag", slug, "--site", root)
        assert (done.status, told in done.err) == (2, True)


def test_a_file_that_cannot_be_tagged_is_told_and_stays(
    night: Callable[..., tuple[Path, Path]], podsite: Podsite
) -> None:
    content = (MEDIA / "silence.m4a").read_bytes()
    root, file = night(content + b"\0\0\0\x08moof", "m4a")
    before = file.read_bytes()
    done = podsite("tag", "--site", root)
    assert (done.status, file.read_bytes() == before) == (1, True)
    assert "001-first-night.m4a: cannot be tagged: is no MP4 whose chapters can be written" in done.err
    assert sorted(os.listdir(file.parent)) == [file.name, "001-first-night.yaml"]


def test_a_copy_that_sounds_otherwise_never_takes_the_place_of_a_file(tmp_path: Path, silence: bytes) -> None:
    file = tmp_path / "x.mp3"
    file.write_bytes(tagged(silence))
    for edit, kept in ((lambda copy: copy.write_bytes(b"x" + silence), True), (ID3(file).save, False)):
        with pytest.raises(ValueError, match="its sound would not stay") if kept else contextlib.nullcontext():
            exchanged(file, edit, mp3.sound)
        assert mp3.sound(file) == hashlib.sha256(silence * 61).digest()
        assert os.listdir(tmp_path) == ["x.mp3"]


KILLED = """
import os, signal, sys
from pathlib import Path
from podsite import cli
at = os.fsync
os.fsync = lambda number: os.kill(os.getpid(), signal.SIGKILL)
sys.argv = ["podsite", "tag", "--site", sys.argv[1]]
cli.main()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="systems without signals")
def test_a_run_that_is_killed_leaves_the_old_file(night: Callable[..., tuple[Path, Path]], podsite: Podsite) -> None:
    """What it leaves beside it is no episode's, and gone with the next run."""
    root, file = night()
    before = file.read_bytes()
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1770000000"}
    done = subprocess.run([sys.executable, "-c", KILLED, str(root)], env=environment, check=False)
    assert done.returncode == -signal.SIGKILL
    assert file.read_bytes() == before
    assert len(os.listdir(file.parent)) == 3
    assert podsite("build", root).status == 0
    assert podsite("tag", "--site", root).out.startswith("+ ")
    assert sorted(os.listdir(file.parent)) == ["001-first-night.mp3", "001-first-night.yaml"]


def test_what_is_written_counts_in_the_next_build(night: Callable[..., tuple[Path, Path]], podsite: Podsite) -> None:
    """The length in the feed is that of the new file, and no chapter differs any more."""
    root, file = night()
    later = {"SOURCE_DATE_EPOCH": "1790000000"}
    assert "differ from those inside" in podsite("build", root, **later).err
    podsite("tag", "--site", root)
    done = podsite("build", root, "--strict", **later)
    assert done.status == 0, done.err
    assert f'length="{file.stat().st_size}"' in (root / "output/feed.xml").read_text("utf-8")


@st.composite
def listed(draw: st.DrawFn) -> tuple[Chapter, ...]:
    """Chapters in order, to the millisecond, with titles of any script."""
    words = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=40)
    starts = sorted(draw(st.sets(st.integers(0, 60_000), min_size=1, max_size=40)))
    urls = st.none() | st.just("https://a.example/x?y=1")
    return tuple(Chapter(start=start / 1000, title=draw(words), url=draw(urls)) for start in starts)


@settings(max_examples=settings().max_examples // 4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=listed(), chapters=listed(), version=st.sampled_from([3, 4]))
def test_any_chapters_written_into_a_recording_are_read_from_it(
    tmp_path: Path, silence: bytes, before: tuple[Chapter, ...], chapters: tuple[Chapter, ...], version: int
) -> None:
    """An MP3 keeps all of them; an M4A titles of up to 255 bytes, and no addresses. The sound stays."""
    first, second = (Wanted("x", None, found, "eng", None, 61.0) for found in (before, chapters))
    mp3_file = tmp_path / "x.mp3"
    mp3_file.write_bytes(tagged(silence, version))
    places = [(mp3_file, mp3, mp3.sound)]
    for name in ("silence.m4a", "silence-faststart.m4a"):
        shutil.copyfile(MEDIA / name, tmp_path / name)
        places.append((tmp_path / name, mp4, boxes.sound))
    for file, form, heard in places:
        sounds = heard(file)
        form.edit(file, first, write=True)
        form.edit(file, second, write=True)
        there = inside(file)
        assert heard(file) == sounds
        assert form.edit(file, second, write=True) == ()
        if form is mp3:
            assert there == chapters
            starts = [one.start_time for one in ID3(file).values() if one.FrameID == "CHAP"]
            assert starts == sorted(starts)
        else:
            assert [(one.start, one.title) for one in there] == [
                (one.start, boxes.fitting(one.title)) for one in chapters
            ]
            assert len(MP4(file).tags["\xa9nam"]) == 1


def test_languages_have_three_letters() -> None:
    assert [three_letters(one) for one in ("en", "pt-BR", "gsw", "xx", "zh-Hant-TW")] == [
        "eng", "por", "gsw", None, "zho",
    ]  # fmt: skip
