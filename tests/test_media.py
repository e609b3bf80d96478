"""Facts about audio and pictures, by their names and by their files."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from podsite.media import AudioFacts, ImageFacts, audio_facts, image_facts, opened, type_by_name


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.mp3", "audio/mpeg"),
        ("A.MP3", "audio/mpeg"),
        ("a.m4a", "audio/x-m4a"),
        ("a.opus", "audio/ogg"),
        ("a.mp4", "video/mp4"),
        ("https://op3.dev/e/host/a.mp3?x=1&y=2", "audio/mpeg"),
        ("https://example.org/a%2Emp3", "audio/mpeg"),
        ("https://example.org/a.mp3#t=1", "audio/mpeg"),
        ("what?.mp3", "audio/mpeg"),
        ("https://example.org/stream?file=a.mp3", None),
        ("a", None),
        ("mp3", None),
    ],
)
def test_the_type_comes_from_the_name(name: str, kind: str | None) -> None:
    """By our own table, the same on every system; of an address only the path counts."""
    assert type_by_name(name) == kind


def test_the_facts_of_a_recording_are_read_from_it(tmp_path: Path) -> None:
    """Bytes and whole seconds: 200 frames of 1152 samples at 44.1 kHz."""
    path = tmp_path / "one.mp3"
    path.write_bytes((b"\xff\xfb\x10\xc0" + bytes(100)) * 200)
    assert audio_facts(path) == AudioFacts(20_800, 5)


@settings(max_examples=settings().max_examples // 2)
@given(st.binary(max_size=200))
def test_what_is_no_recording_is_said_to_be_none(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    """Nothing but ValueError comes out, whatever the bytes."""
    path = tmp_path_factory.getbasetemp() / "noise.mp3"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="audio"):
        audio_facts(path)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_the_facts_of_a_picture_are_read_from_its_head(tmp_path: Path, kind: str) -> None:
    """Size, format and mode, without decoding it."""
    path = tmp_path / "picture"
    Image.new("RGB", (30, 20), "#b4451f").save(path, kind)
    facts = image_facts(path)
    assert (facts.width, facts.height, facts.format) == (30, 20, kind)
    assert facts.length == path.stat().st_size


def test_a_picture_of_enormous_size_is_measured_in_peace(tmp_path: Path) -> None:
    """Its size is a finding for later rules, not a warning of a library."""
    chunks = [b"IHDR" + struct.pack(">IIBBBBB", 12_000, 12_000, 8, 2, 0, 0, 0), b"IDAT"]
    path = tmp_path / "huge.png"
    parts = (struct.pack(">I", len(one) - 4) + one + struct.pack(">I", zlib.crc32(one)) for one in chunks)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(parts))
    assert image_facts(path) == ImageFacts(12_000, 12_000, "PNG", "RGB", path.stat().st_size)


@settings(max_examples=settings().max_examples // 2)
@given(st.binary(max_size=200))
def test_what_is_no_picture_is_said_to_be_none(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    """Nothing but ValueError comes out, whatever the bytes."""
    path = tmp_path_factory.getbasetemp() / "noise.png"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="picture"):
        image_facts(path)


def test_a_large_picture_of_ones_own_is_no_reason_to_warn() -> None:
    """Of 100 million pixels, here in one colour; Pillow would warn of it in each process."""
    content = io.BytesIO()
    Image.new("1", (10_000, 10_000)).save(content, "PNG")
    with opened(content) as picture:
        assert picture.crop((0, 0, 9_600, 9_600)).size == (9_600, 9_600)
