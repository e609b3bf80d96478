"""Promises of podsite.images: pictures in the sizes pages show, made once."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageCms

import podsite
from podsite.cache import Cache
from podsite.images import Images
from podsite.site import Picture


def save(path: Path, image: Image.Image, **options: object) -> Picture:
    """A picture file of the site, as `site.Picture` names it."""
    image.save(path, **options)
    return Picture(path.name, *image.size, file=path.name)


def sizes(images: Images) -> dict[str, tuple[int, int]]:
    """Pixels of every picture made, by the end of its name."""
    found = {}
    for artifact in images.artifacts():
        assert isinstance(artifact.content, bytes)
        with Image.open(io.BytesIO(artifact.content)) as image:
            found[artifact.path.rpartition("-")[2]] = image.size
    return found


@pytest.fixture
def images(tmp_path: Path) -> Images:
    """Images of a site in tmp_path with an empty cache."""
    return Images(tmp_path, Cache(tmp_path / ".podsite"))


def test_each_width_is_made_as_webp_and_one_for_every_browser(tmp_path: Path, images: Images) -> None:
    """A srcset of WebP, with a JPEG in the middle size behind it."""
    cover = save(tmp_path / "Cover Art.png", Image.new("RGB", (900, 600), "#246"))
    sized = images.picture(cover, (640, 96, 320))
    assert [width for _, width in sized.webp] == [96, 320, 640]
    assert (sized.width, sized.height) == (320, 213)
    assert sized.address.startswith("images/cover-art-")
    assert sizes(images) == {"96.webp": (96, 64), "320.webp": (320, 213), "640.webp": (640, 427), "320.jpg": (320, 213)}


def test_pictures_are_never_enlarged(tmp_path: Path, images: Images) -> None:
    """Wider than the file, a size is the file's own."""
    small = save(tmp_path / "small.jpg", Image.new("RGB", (200, 200)))
    assert [width for _, width in images.picture(small, (96, 192, 384, 960)).webp] == [96, 192, 200]


def test_a_picture_taken_sideways_stands_upright(tmp_path: Path, images: Images) -> None:
    """EXIF orientation counts for the size on the page and for the pixels."""
    exif = Image.Exif()
    exif[0x0112] = 6
    photo = save(tmp_path / "photo.jpg", Image.new("RGB", (400, 200)), exif=exif)
    sized = images.picture(photo, (100,))
    assert (sized.width, sized.height) == (100, 200)
    assert sizes(images)["100.webp"] == (100, 200)


def test_transparency_stays(tmp_path: Path, images: Images) -> None:
    """Behind WebP stands a PNG where there is something to see through."""
    face = save(tmp_path / "face.png", Image.new("RGBA", (300, 300), (0, 0, 0, 0)))
    assert images.picture(face, (96,)).address.endswith("-96.png")
    for artifact in images.artifacts():
        assert isinstance(artifact.content, bytes)
        with Image.open(io.BytesIO(artifact.content)) as image:
            assert image.convert("RGBA").getpixel((5, 5))[3] == 0


@pytest.mark.parametrize("mode", ["L", "P", "CMYK", "I;16", "1"])
def test_every_kind_of_pixel_can_be_shown(tmp_path: Path, images: Images, mode: str) -> None:
    """Grey, palette, print colours, deep grey and black-and-white all become pictures of the web."""
    name = "picture.jpg" if mode == "CMYK" else "picture.png"
    assert images.picture(save(tmp_path / name, Image.new(mode, (120, 120))), (96,)).webp
    assert set(sizes(images)) == {"96.webp", "96.jpg"}


def test_what_cannot_be_resized_is_shown_as_it_is(tmp_path: Path, images: Images) -> None:
    """Broken, missing, drawn and moving pictures keep their address; none of them makes an icon."""
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing more")
    (tmp_path / "drawn.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    frames = [Image.new("RGB", (50, 50), shade) for shade in ("#000", "#fff")]
    frames[0].save(tmp_path / "moving.webp", save_all=True, append_images=frames[1:])
    for name in ("broken.png", "drawn.svg", "moving.webp", "missing.jpg"):
        sized = images.picture(Picture(name, 50, 50, file=name), (96,))
        assert sized
        assert (sized.address, sized.width, sized.height, sized.webp) == (name, 50, 50, ())
        assert images.icon(Picture(name, 50, 50, file=name), 96) is None
    assert list(images.artifacts()) == []


def test_pictures_of_other_servers_are_not_shown(images: Images) -> None:
    """Pages load nothing from there."""
    remote = Picture("https://example.org/cover.jpg")
    assert images.picture(remote, (96,)) is images.icon(remote, 96) is None


def test_an_icon_is_the_middle_of_the_picture(tmp_path: Path, images: Images) -> None:
    """Square, whatever the shape of the picture."""
    wide = Image.new("RGB", (900, 300), "#fff")
    wide.paste("#f00", (290, 0, 610, 300))
    address = images.icon(save(tmp_path / "wide.png", wide), 96)
    (icon,) = images.artifacts()
    assert icon.path == address
    assert isinstance(icon.content, bytes)
    with Image.open(io.BytesIO(icon.content)) as image:
        assert image.size == (96, 96)
        assert image.getpixel((2, 2)) == image.getpixel((93, 93)) == (255, 0, 0)


def test_only_what_was_asked_for_is_made_and_each_once(tmp_path: Path, images: Images) -> None:
    """Asking twice makes no second file; a picture nobody asks for makes none."""
    one, _ = (save(tmp_path / f"{name}.png", Image.new("RGB", (99, 99), name)) for name in ("red", "blue"))
    images.picture(one, (96,))
    images.picture(one, (96, 48))
    made = [artifact.path for artifact in images.artifacts()]
    assert len(made) == len(set(made))
    assert all("red" in path for path in made)


def test_the_same_file_gives_the_same_bytes_and_another_file_other_names(tmp_path: Path) -> None:
    """Names carry the content, so that a changed picture is never mistaken for the old one."""
    made = []
    for turn, shade in enumerate(("#135", "#135", "#531")):
        images = Images(tmp_path, Cache(tmp_path / str(turn)))
        images.picture(save(tmp_path / "art.png", Image.new("RGB", (200, 200), shade)), (96,))
        made.append({artifact.path: artifact.content for artifact in images.artifacts()})
    assert made[0] == made[1]
    assert not made[0].keys() & made[2].keys()


def test_a_second_build_decodes_nothing(tmp_path: Path) -> None:
    """With everything in the cache, Pillow is not even loaded."""
    save(tmp_path / "cover.png", Image.new("RGB", (300, 300)))
    script = (
        "import sys; from pathlib import Path; from podsite.cache import Cache; from podsite.images import Images\n"
        "from podsite.site import Picture\n"
        f"images = Images(Path({str(tmp_path)!r}), Cache(Path({str(tmp_path / 'cache')!r})))\n"
        "images.picture(Picture('cover.png', 300, 300, 'cover.png'), (96, 192))\n"
        "print(len(list(images.artifacts())), 'PIL' in sys.modules)"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(podsite.__file__).parents[1])}
    runs = [subprocess.check_output([sys.executable, "-c", script], env=environment, text=True) for _ in range(2)]
    assert [run.split() for run in runs] == [["3", "True"], ["3", "False"]]


def test_a_square_shows_the_middle_on_paper_in_the_colours_that_are_meant(tmp_path: Path, images: Images) -> None:
    """What one sees through is paper; a profile's colours become those of the web, and a broken one is passed over."""
    sheet = Image.new("RGBA", (600, 300), (0, 0, 0, 0))
    sheet.paste((10, 20, 30, 255), (280, 130, 320, 170))
    seen = images.square(save(tmp_path / "sheet.png", sheet), 100, "#f7f2e8")
    assert (seen.size, seen.mode) == ((100, 100), "RGB")
    assert (seen.getpixel((5, 5)), seen.getpixel((50, 50))) == ((0xF7, 0xF2, 0xE8), (10, 20, 30))
    usual = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    swapped = usual.replace(b"rXYZ", b"????").replace(b"gXYZ", b"rXYZ").replace(b"????", b"gXYZ")
    for name, profile, expected in (("meant", swapped, (0, 255, 0)), ("broken", b"icc", (255, 0, 0))):
        red = save(tmp_path / f"{name}.png", Image.new("RGB", (50, 50), "red"), icc_profile=profile)
        found = images.square(red, 100, "#ffffff").getpixel((25, 25))
        assert isinstance(found, tuple)
        assert all(abs(one - other) < 12 for one, other in zip(found, expected, strict=True)), (name, found)
