"""Promises of `podsite init`, `podsite new` and `podsite templates`: the first minutes with podsite."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import feedparser
import pytest
import yaml
from click.testing import CliRunner

from podsite.cli import commands

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def fresh(shared: Any, now: int) -> Path:
    """A site as `podsite init` makes it, with the cache of a first build."""

    def make(folder: Path) -> None:
        runner = CliRunner(env={"SOURCE_DATE_EPOCH": str(now)})
        for command in ("init", "build"):
            assert runner.invoke(commands, [command, str(folder)]).exit_code == 0
        shutil.rmtree(folder / "output")

    found: Path = shared("fresh", make)
    return found


@pytest.fixture
def begun(fresh: Path, tmp_path: Path) -> Path:
    """A site as `podsite init` makes it."""
    return shutil.copytree(fresh, tmp_path / "pod")


def parsed(path: Path) -> Any:
    """The data of a YAML file."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_a_new_site_builds_at_once_and_strictly(begun: Path, podsite: Any) -> None:
    """Two commands lead from nothing to a site with an episode that plays, without one warning."""
    done = podsite("build", "--strict", cwd=begun)
    assert (done.status, done.err) == (0, "")
    (item,) = feedparser.parse(begun / "output/feed.xml").entries
    assert item.title == "Hello, world"
    assert '<link rel="icon" href="images/artwork-' in (begun / "output/index.html").read_text(encoding="utf-8")
    assert int(item.enclosures[0].length) == (begun / "episodes/001-hello-world.mp3").stat().st_size


def test_init_says_what_it_wrote_and_what_comes_next(podsite: Any, tmp_path: Path) -> None:
    """Each file is listed; the last line is the next step."""
    done = podsite("init", "pod", cwd=tmp_path)
    listed = {line.removeprefix("+ ") for line in done.out.splitlines() if line.startswith("+ ")}
    assert listed == {
        path.relative_to(tmp_path / "pod").as_posix() for path in (tmp_path / "pod").rglob("*") if path.is_file()
    }
    assert done.out.splitlines()[-1] == "Fill in show.yaml, then run: podsite build pod"


def test_init_leaves_what_exists(podsite: Any, tmp_path: Path) -> None:
    """A repository that has a .gitignore and a cover keeps them."""
    (tmp_path / "static").mkdir()
    (tmp_path / "static/artwork.jpg").write_bytes(b"mine")
    (tmp_path / ".gitignore").write_text("secrets\noutput\n.podsite\n", encoding="utf-8")
    done = podsite("init", cwd=tmp_path)
    assert done.status == 0
    assert "artwork" not in done.out and "gitignore" not in done.out
    assert (tmp_path / "static/artwork.jpg").read_bytes() == b"mine"
    assert (tmp_path / ".gitignore").read_text(encoding="utf-8") == "secrets\noutput\n.podsite\n"


def test_init_in_a_site_is_wrong_usage(begun: Path, podsite: Any) -> None:
    """A second init would mean the wrong folder."""
    done = podsite("init", cwd=begun)
    assert done.status == 2
    assert "exists already: this is a site; 'podsite new TITLE' begins an episode" in done.err


def test_init_onto_a_file_is_wrong_usage(podsite: Any, tmp_path: Path) -> None:
    """A site is a folder."""
    (tmp_path / "pod").touch()
    done = podsite("init", "pod", cwd=tmp_path)
    assert done.status == 2
    assert "pod is no folder" in done.err


@pytest.mark.parametrize("folder", [".", "episodes/pod"])
def test_init_where_a_file_stands_for_a_folder_says_so(podsite: Any, tmp_path: Path, folder: str) -> None:
    """What cannot be written is named; nobody is left with half a site that looks whole."""
    (tmp_path / "episodes").touch()
    done = podsite("init", folder, cwd=tmp_path)
    assert done.status == 1
    assert "cannot be written: " in done.err


def test_each_new_show_has_an_identity_of_its_own(podsite: Any, tmp_path: Path) -> None:
    """Two shows made with podsite are never taken for one."""
    for name in ("one", "two"):
        podsite("init", name, cwd=tmp_path)
    assert parsed(tmp_path / "one/show.yaml")["guid"] != parsed(tmp_path / "two/show.yaml")["guid"]


@pytest.mark.parametrize(("file", "kind"), [("show.yaml", "show"), ("episodes/001-hello-world.yaml", "episode")])
def test_editors_find_the_schema_of_a_new_sites_files(begun: Path, podsite: Any, file: str, kind: str) -> None:
    """The modeline leads from the file to the schema beside the site, which is the one podsite prints."""
    first = (begun / file).read_text(encoding="utf-8").splitlines()[0]
    schema = (begun / file).parent / first.removeprefix("# yaml-language-server: $schema=")
    assert schema.read_text(encoding="utf-8") == podsite("schema", kind).out


def test_new_takes_the_next_number_and_an_address_from_the_title(begun: Path, podsite: Any) -> None:
    """The file says what the episode is called, and is a draft until its author says otherwise."""
    done = podsite("new", "The first frost", cwd=begun)
    assert done.out == f"+ {Path('episodes/002-the-first-frost.yaml')}\n"
    said = parsed(begun / "episodes/002-the-first-frost.yaml")
    assert (said["title"], said["number"], said["draft"]) == ("The first frost", 2, True)


def test_a_new_episode_builds_as_a_draft_and_once_its_audio_is_there(begun: Path, podsite: Any) -> None:
    """What `new` writes is right as it stands: it can be built before a word of it is changed."""
    podsite("new", "Soon", cwd=begun)
    assert podsite("build", "--strict", cwd=begun).status == 0
    path = begun / "episodes/002-soon.yaml"
    (begun / "episodes/002-soon.mp3").write_bytes((begun / "episodes/001-hello-world.mp3").read_bytes())
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith("draft:")), encoding="utf-8")
    done = podsite("build", "--strict", "--future", cwd=begun)
    assert (done.status, done.err) == (0, "")


TITLES = (
    'Say "hello"', "It's: a title # with all of it", "- dash", "{brace}", "100 %", "\\backslash", "夜の音",
    "Ünïcode – & <b>", "yes", "12:34", "2025-01-01", "null", "*", "é" * 3,
)  # fmt: skip


def test_any_title_comes_back_as_it_was_given(begun: Path, podsite: Any) -> None:
    """Quotes, colons, hashes and words YAML would take for something else are written so that they stay text."""
    for title in TITLES:
        assert podsite("new", "--", title, cwd=begun).status == 0
    written = [parsed(path)["title"] for path in sorted(begun.glob("episodes/*.yaml"))]
    assert written == ["Hello, world", *TITLES]
    done = podsite("build", "--drafts", "--future", cwd=begun)
    assert done.status == 0, done.err


def test_a_title_whose_address_is_taken_is_wrong_usage(begun: Path, podsite: Any) -> None:
    """Two episodes cannot answer at one address."""
    done = podsite("new", "Hello,  WORLD!", cwd=begun)
    assert done.status == 2
    assert "episodes/001-hello-world.yaml has the address 'hello-world' already" in done.err


def test_an_address_given_by_slug_is_taken_too(begun: Path, podsite: Any) -> None:
    """What counts is the episode's address, not the name of its file."""
    path = begun / "episodes/001-hello-world.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "slug: frost\n", encoding="utf-8")
    assert podsite("new", "Frost", cwd=begun).status == 2
    assert podsite("new", "Hello, world", cwd=begun).status == 0


@pytest.mark.parametrize("title", ["", "   ", "bell \x07"])
def test_a_title_without_a_word_is_wrong_usage(begun: Path, podsite: Any, title: str) -> None:
    """An episode needs a title one can print."""
    assert podsite("new", title, cwd=begun).status == 2


def test_new_continues_the_highest_number(begun: Path, podsite: Any) -> None:
    """Gaps and other names do not confuse the count."""
    (begun / "episodes/041-later.yaml").write_text("title: l\npublished: 2025-01-01\nsummary: s\n", encoding="utf-8")
    podsite("new", "Next", cwd=begun / "episodes")
    assert (begun / "episodes/042-next.yaml").is_file()


def test_new_dates_by_the_shows_time_zone(begun: Path, podsite: Any) -> None:
    """Shortly before midnight in Greenwich it is tomorrow in Tokyo."""
    show = begun / "show.yaml"
    show.write_text(show.read_text(encoding="utf-8").replace("timezone: UTC", "timezone: Asia/Tokyo"), encoding="utf-8")
    podsite("new", "Late", cwd=begun, SOURCE_DATE_EPOCH="1767225599")  # the last second of 2025, UTC
    assert str(parsed(begun / "episodes/002-late.yaml")["published"]) == "2026-01-01"


def test_new_in_a_broken_site_still_begins_an_episode(begun: Path, podsite: Any) -> None:
    """A mistake in show.yaml is for `build` to tell."""
    (begun / "show.yaml").write_text("title: [\n", encoding="utf-8")
    assert podsite("new", "Anyway", cwd=begun).status == 0


def test_templates_lists_every_file_of_the_theme_and_which_are_the_sites(begun: Path, podsite: Any) -> None:
    """One sees what can be changed, and what has been."""
    podsite("templates", "copy", "partials/footer.html", cwd=begun)
    lines = podsite("templates", "list", cwd=begun).out.splitlines()
    assert "base.html" in lines
    assert "partials/footer.html  (your own)" in lines
    theme = REPOSITORY / "templates"
    names = {path.relative_to(theme).as_posix() for path in theme.rglob("*") if path.is_file()}
    assert names <= {line.removesuffix("  (your own)") for line in lines}


def test_a_copied_template_is_used_and_changes_nothing_by_itself(begun: Path, podsite: Any, tree: Any) -> None:
    """A copy is the original with a remark of its version, so one starts from what one has."""
    podsite("build", cwd=begun)
    before = tree(begun / "output")
    assert podsite("templates", "copy", "episode.html", cwd=begun).out == f"+ {Path('templates/episode.html')}\n"
    podsite("build", cwd=begun)
    assert tree(begun / "output") == before
    path = begun / "templates/episode.html"
    path.write_text("<!doctype html><title>mine</title>", encoding="utf-8")
    podsite("build", cwd=begun)
    assert (begun / "output/episodes/hello-world/index.html").read_bytes() == path.read_bytes()


def test_a_copy_never_overwrites(begun: Path, podsite: Any) -> None:
    """Own changes are safe from a second copy."""
    podsite("templates", "copy", "base.html", cwd=begun)
    (begun / "templates/base.html").write_text("mine", encoding="utf-8")
    done = podsite("templates", "copy", "base.html", cwd=begun)
    assert done.status == 2
    assert (begun / "templates/base.html").read_text(encoding="utf-8") == "mine"


def test_a_template_of_an_unknown_name_gets_a_hint(begun: Path, podsite: Any) -> None:
    """A typing error is answered with the nearest name."""
    done = podsite("templates", "copy", "episod.html", cwd=begun)
    assert done.status == 2
    assert "did you mean 'episode.html'?" in done.err


def test_the_generated_workflow_and_this_repositorys_do_the_same(begun: Path) -> None:
    """Both build strictly and deploy with the official actions; they differ in how podsite is installed only."""
    theirs, ours = (parsed(root / ".github/workflows/pages.yml") for root in (begun, REPOSITORY))
    for workflow in (theirs, ours):
        for job in workflow["jobs"].values():
            job["steps"] = [step for step in job["steps"] if not str(step.get("run")).startswith("pip install")]
    assert theirs == ours


def test_the_generated_workflow_installs_this_version(begun: Path, podsite: Any) -> None:
    """A site is built tomorrow by what it was begun with."""
    version = podsite("--version").out.split()[-1]
    workflow = (begun / ".github/workflows/pages.yml").read_text(encoding="utf-8")
    assert f'pip install "podsite=={version}"' in workflow
    assert "VERSION" not in workflow


def test_a_new_sites_output_and_cache_are_ignored_by_git(begun: Path, podsite: Any) -> None:
    """Only what a person writes is committed."""
    podsite("build", cwd=begun)
    ignored = (begun / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {"output/", ".podsite/"} <= set(ignored)


def test_an_ignore_file_that_is_there_gains_what_it_lacks(podsite: Any, tmp_path: Path) -> None:
    """Else the first `git add .` would commit the built site."""
    (tmp_path / ".gitignore").write_text("*.wav", encoding="utf-8")
    done = podsite("init", cwd=tmp_path)
    assert "+ .gitignore" in done.out
    assert (tmp_path / ".gitignore").read_text(encoding="utf-8") == "*.wav\noutput/\n.podsite/\n"


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("CON", "episode-con"),
        ("日" * 120, "日" * 40),
        ("A walk " + "through the old town " * 20, "a-walk-" + "through-the-old-town-" * 5 + "through"),
    ],
    ids=["a device of Windows", "without words to cut at", "many words"],
)
def test_a_title_of_any_length_gives_a_file_every_system_takes(
    podsite: Any, tmp_path: Path, title: str, slug: str
) -> None:
    """The title stays whole; only the file's name is shortened, between words where there are some."""
    podsite("init", cwd=tmp_path)
    assert podsite("new", title, cwd=tmp_path).status == 0
    (file,) = tmp_path.glob("episodes/002-*.yaml")
    assert file.name == f"002-{slug}.yaml"
    assert " ".join(title.split()) in file.read_text(encoding="utf-8")


def test_a_control_character_in_a_title_is_named(podsite: Any, tmp_path: Path) -> None:
    """It came in by copying, and nobody can see it."""
    podsite("init", cwd=tmp_path)
    done = podsite("new", "a\x07b", cwd=tmp_path)
    assert (done.status, done.err) == (2, "podsite: the title holds the control character U+0007; leave it out\n")
