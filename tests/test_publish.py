"""Promises of publishing: the lock that a build keeps, the guard that stops it, `podsite diff` and `podsite check`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

URL = "https://quiet.fm/"
WORKFLOW = Path(__file__).resolve().parents[1] / "src/podsite/skeleton/pages.yml"
SECOND = """
    title: "The second night"
    number: 2
    published: 2025-04-01
    summary: "Rain."
"""


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test that needs the built site makes it; the others copy it."""
    return tmp_path_factory.mktemp("live") / "site"


@pytest.fixture
def live(site: Callable[..., Path], podsite: Any, silence: bytes, tmp_path: Path, once: Path) -> Path:
    """A site with two episodes at a real address, built once, so that its lock is kept."""
    if not once.exists():
        files = {"episodes/002-second-night.yaml": SECOND, "episodes/002-second-night.mp3": silence}
        edit(site(files, folder=str(once)) / "show.yaml", "https://example.org/quiet/", URL)
        assert podsite("build", once, "--strict").status == 0
    return shutil.copytree(once, tmp_path / "site")


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text in a file that holds it."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def guids(root: Path) -> list[str]:
    """The GUIDs of the built feed, newest first."""
    return [item["id"] for item in json.loads((root / "output/feed.json").read_text(encoding="utf-8"))["items"]]


def test_a_stand_in_address_keeps_no_lock(site: Callable[..., Path], podsite: Any) -> None:
    """Nobody can have subscribed before the site has an address of its own."""
    root = site()
    assert podsite("build", root).status == 0
    assert not (root / "podsite.lock").exists()


def test_a_lock_that_exists_is_kept_whatever_the_address(live: Path, podsite: Any) -> None:
    """The same content gives the same lock, and --locked has nothing to say."""
    before = (live / "podsite.lock").read_bytes()
    assert podsite("build", live, "--locked", "--strict", "--base-url", "https://quiet.github.io/pod/").status == 0
    assert (live / "podsite.lock").read_bytes() == before


def test_what_listeners_would_notice_stops_the_build(live: Path, podsite: Any) -> None:
    """The site stays as it was, and the message says what apps would do and how to mend it."""
    before = (live / "output/feed.xml").read_bytes()
    for ending in ("yaml", "mp3"):
        (live / f"episodes/002-second-night.{ending}").rename(live / f"episodes/002-a-night-of-rain.{ending}")
    done = podsite("build", live)
    assert done.status == 1
    assert "guid: " in done.err
    assert "aliases: [/episodes/second-night/]" in done.err
    assert (live / "output/feed.xml").read_bytes() == before


def test_the_offered_lines_mend_a_rename(live: Path, podsite: Any) -> None:
    """With the guid and the alias that the message offers, listeners notice nothing."""
    before = guids(live)
    for ending in ("yaml", "mp3"):
        (live / f"episodes/002-second-night.{ending}").rename(live / f"episodes/002-a-night-of-rain.{ending}")
    file = live / "episodes/002-a-night-of-rain.yaml"
    offered = f"guid: {before[0]}\naliases: [/episodes/second-night/]\n"
    file.write_text(file.read_text(encoding="utf-8") + offered, encoding="utf-8")
    told = podsite("diff", "--site", live)
    assert (told.status, told.out.splitlines()[-1]) == (0, "Nothing listeners will notice.")
    assert podsite("build", live).status == 0
    assert guids(live) == before


@pytest.mark.thorough(but_each=3)
@pytest.mark.parametrize(
    ("file", "old", "new", "name"),
    [
        ("episodes/002-second-night.yaml", "2025-04-01", "2025-05-01", "second-night:published"),
        ("episodes/002-second-night.yaml", "number: 2", "number: 2\nguid: other", "second-night:guid"),
        ("show.yaml", "917393e3-1b1e-5cef-ace4-edaa54e1f810", "9b024349-ccf0-5f69-a609-6b82873eab3c", "show.yaml:guid"),
    ],
    ids=["date", "guid", "show"],
)
def test_a_change_is_accepted_by_name(  # noqa: PLR0917 - the columns of a table
    live: Path, podsite: Any, file: str, old: str, new: str, name: str
) -> None:
    """On purpose everything is allowed, once; the next build knows it."""
    edit(live / file, old, new)
    assert podsite("build", live).status == 1
    assert podsite("diff", "--site", live).status == 1
    assert podsite("build", live, "--accept", name).status == 0
    assert podsite("build", live).status == 0


def test_an_identity_that_stands_in_the_lock_alone_is_told(live: Path, podsite: Any) -> None:
    """Whether the lock was damaged or the show has moved, the line to write keeps what listeners have."""
    edit(live / "podsite.lock", guids(live)[0], "11111111-2222-5333-8444-555555555555")
    done = podsite("build", live)
    assert "002-second-night.yaml:1:1: guid: warning: podsite.lock alone keeps this identity from changing" in done.err
    assert podsite("build", live, "--strict").status == 1


def test_every_feed_of_a_site_is_certified(live: Path, podsite: Any) -> None:
    """What has slid into an archive page is still what apps read."""
    with (live / "show.yaml").open("a", encoding="utf-8") as file:
        file.write("feed: {limit: 1}\n")
    edit(live / "episodes/001-first-night.yaml", "number: 1", "number: 1\nimage: 001-first-night.png")
    from PIL import Image

    Image.new("RGB", (300, 200)).save(live / "episodes/001-first-night.png")
    for command in ("build", "check"):
        done = podsite(command, live)
        assert done.status == 1
        assert "001-first-night.yaml:3:8: image: " in done.err


def test_check_tells_whatever_keeps_a_site_from_being_built(live: Path, podsite: Any) -> None:
    """A site is not accepted while podsite itself would not write it."""
    edit(live / "episodes/001-first-night.yaml", "number: 1", 'number: 1\nnotes: "[x](/nowhere/)"')
    done = podsite("check", live)
    assert done.status == 1
    assert "the link '/nowhere/' leads to no page" in done.err


def test_locked_fails_where_the_lock_is_behind_and_never_writes_it(live: Path, podsite: Any, silence: bytes) -> None:
    """A new episode whose lock was not committed is told in CI."""
    before = (live / "podsite.lock").read_bytes()
    (live / "episodes/003-third.yaml").write_text(
        'title: "Third"\npublished: 2025-06-01\nsummary: "S."\n', encoding="utf-8"
    )
    (live / "episodes/003-third.mp3").write_bytes(silence + silence)
    done = podsite("build", live, "--locked")
    assert done.status == 1
    assert "third" in done.err
    assert (live / "podsite.lock").read_bytes() == before


def test_a_scheduled_episode_goes_out_without_a_change_of_the_lock(live: Path, podsite: Any, silence: bytes) -> None:
    """The lock is committed with the episode; the daily build of its day runs with --locked."""
    (live / "episodes/003-later.yaml").write_text(
        'title: "Later"\npublished: 2027-06-01\nsummary: "S."\n', encoding="utf-8"
    )
    (live / "episodes/003-later.mp3").write_bytes(silence + silence)
    assert podsite("build", live).status == 0
    assert len(guids(live)) == 2
    in_december_2027 = {"SOURCE_DATE_EPOCH": "1830000000"}
    assert podsite("build", live, "--locked", "--strict", **in_december_2027).status == 0
    assert len(guids(live)) == 3


def test_nothing_but_identity_moves_a_guid(live: Path, podsite: Any) -> None:
    """Title, prefix, theme and address may change; what was given out stays."""
    before = guids(live)
    edit(live / "show.yaml", "Quiet Hours", "Loud Hours")
    edit(live / "show.yaml", URL, "https://loud.fm/")
    edit(live / "show.yaml", "theme: {", 'theme: {accent: "#123456", ')
    edit(live / "episodes/002-second-night.yaml", "The second night", "The other night")
    with (live / "show.yaml").open("a", encoding="utf-8") as file:
        file.write('feed: {prefix: "https://op3.dev/e/", new_feed_url: "https://loud.fm/feed.xml"}\n')
    done = podsite("build", live)
    assert done.status == 0, done.err
    assert guids(live) == before


def test_a_recording_taken_away_is_told_as_gone(live: Path, podsite: Any) -> None:
    """No feed lists an episode without one, so diff and build agree."""
    (live / "episodes/002-second-night.mp3").unlink()
    told = podsite("diff", "--site", live)
    assert told.status == 1
    assert "Gone" in told.out and "The second night" in told.out
    assert podsite("build", live).status == 1


def test_check_tells_every_directory(live: Path, podsite: Any) -> None:
    """A good site is accepted by all of them, and the table says so."""
    done = podsite("check", live)
    assert done.status == 0
    assert "accepted by RSS 2.0, Apple Podcasts" in done.out
    assert "Spotify" not in podsite("check", live, "--for", "apple,psp1").out


def test_check_points_at_the_line_and_fails(live: Path, podsite: Any) -> None:
    """A cover that is too small is told where show.yaml names it, in every form of the messages."""
    from PIL import Image

    Image.new("RGB", (300, 300)).save(live / "static/artwork.jpg")
    done = podsite("check", live)
    assert done.status == 1
    assert "show.yaml:6:10: artwork: " in done.err
    assert podsite("build", live).status == 1
    found = json.loads(podsite("check", live, "--format", "sarif").out)["runs"][0]["results"]
    assert "apple-artwork-size" in {result["ruleId"] for result in found}
    assert json.loads(podsite("check", live, "--format", "json").out)["problems"][0]["line"] == 6
    assert "::error file=" in podsite("check", live, "--format", "github").out


def test_check_reads_any_feed(live: Path, podsite: Any, serve: Callable[..., str]) -> None:
    """By its file or its address, ours or not."""
    assert podsite("check", live / "output/feed.xml").status == 0
    address = serve(live / "output")
    assert "accepted by" in podsite("check", f"{address}feed.xml").out
    done = podsite("check", f"{address}nowhere.xml")
    assert (done.status, done.err.splitlines()[-1]) == (1, f"podsite: {address}nowhere.xml: answers 404 Not Found")


def test_diff_compares_with_a_feed_a_folder_and_an_address(
    live: Path, podsite: Any, serve: Callable[..., str], silence: bytes
) -> None:
    """One new episode is told as new, whatever the old state is read from."""
    address = serve(live / "output")
    (live / "episodes/003-third.yaml").write_text(
        'title: "Third"\npublished: 2025-06-01\nsummary: "S."\n', encoding="utf-8"
    )
    (live / "episodes/003-third.mp3").write_bytes(silence + silence)
    for old in (None, live / "output", live / "output/feed.xml", f"{address}feed.xml"):
        told = podsite("diff", *([old] if old else []), "--site", live)
        assert told.status == 1
        assert "Third" in told.out
        assert "second" not in told.out
    assert podsite("diff", "--site", live, "--format", "markdown").out.count("**New:") == 1


@pytest.fixture
def pulled(live: Path, tmp_path: Path, silence: bytes) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a step of the shipped workflow in a clone of `live` with a new episode, as on a pull request."""
    if sys.platform == "win32" or not (shutil.which("git") and shutil.which("bash")):
        pytest.skip("the workflow runs on Linux, with git and bash")
    clone, programs = tmp_path / "clone", tmp_path / "programs"

    def git(*words: str, cwd: Path = live) -> None:
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        subprocess.run(["git", *who, *words], cwd=cwd, check=True, capture_output=True)

    (live / ".gitignore").write_text("output/\n.podsite/\n", encoding="utf-8")
    git("init", "--quiet", "--initial-branch", "main")
    git("add", ".")
    git("commit", "--quiet", "--message", "Two episodes")
    git("clone", "--quiet", "--depth", "1", live.as_uri(), str(clone), cwd=tmp_path)
    (clone / "episodes/003-third.yaml").write_text('title: "Third"\npublished: 2025-06-01\nsummary: "S."\n', "utf-8")
    (clone / "episodes/003-third.mp3").write_bytes(silence + silence)
    programs.mkdir()
    (programs / "podsite").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m podsite "$@"\n', encoding="utf-8")
    # stands for GitHub: it lists the comment of a file, and says what it is asked to write
    (programs / "gh").write_text(
        '#!/bin/sh\nif [ "$2" = --paginate ]; then cat "$RUNNER_TEMP/ids"; else echo "$@"; fi\n', encoding="utf-8"
    )
    for program in programs.iterdir():
        program.chmod(0o755)

    def run(name: str, **more: str) -> subprocess.CompletedProcess[str]:
        workflow = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
        (script,) = [step["run"] for step in workflow["jobs"]["review"]["steps"] if step.get("name") == name]
        given = {"BASE": "main", "RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
        path = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
        environment = os.environ | given | path | more
        return subprocess.run(["bash", "-e", "-c", script], cwd=clone, env=environment, capture_output=True, text=True)  # noqa: PLW1510

    return run


def test_a_pull_request_says_what_listeners_will_notice(pulled: Any, tmp_path: Path) -> None:
    """The shipped workflow writes the difference from the base branch to the run's summary."""
    done = pulled("What listeners will notice")
    assert done.returncode == 0, done.stderr
    told = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert told.startswith("Compared with podsite.lock at origin/main:")
    assert told.endswith("Listeners will notice: 1 new.\n")


def test_a_pull_request_keeps_one_comment(pulled: Any, tmp_path: Path) -> None:
    """The first run writes it, later ones renew it."""
    (tmp_path / "diff.md").write_text("Nothing listeners will notice.\n", encoding="utf-8")
    where = {"GITHUB_REPOSITORY": "ada/garden", "NUMBER": "7"}
    (tmp_path / "ids").write_text("", encoding="utf-8")
    assert "--method POST repos/ada/garden/issues/7/comments " in pulled("Comment", **where).stdout
    (tmp_path / "ids").write_text("81\n82\n", encoding="utf-8")
    assert "--method PATCH repos/ada/garden/issues/comments/81 " in pulled("Comment", **where).stdout
    written = (tmp_path / "comment.md").read_text(encoding="utf-8")
    assert written == "<!-- podsite diff -->\nNothing listeners will notice.\n"


def test_a_pull_request_before_the_first_lock_says_so(pulled: Any, live: Path, tmp_path: Path) -> None:
    """Where the base branch has no lock, nobody can have subscribed."""
    (live / "podsite.lock").unlink()
    git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run([*git, "commit", "-qam", "No lock"], cwd=live, check=True)
    assert pulled("What listeners will notice").returncode == 0
    assert "There is no podsite.lock on main yet" in (tmp_path / "summary.md").read_text(encoding="utf-8")
