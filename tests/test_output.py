"""Promises of podsite.output: what is written where, and what a folder holds after a build that ended or died."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import podsite
from podsite.artifacts import Artifact, refuse_collisions
from podsite.errors import OutputError
from podsite.output import MANIFEST, STAGING, Report, refuse, write

posix = pytest.mark.skipif(os.name == "nt", reason="needs fork, modes or links of POSIX systems")
OLD = 1_700_000_000  # seconds; a time long past, at which a file counts as settled


def artifact(path: str, content: bytes | Path | str = b"content", source: str = "") -> Artifact:
    """An artifact whose source is told by its path unless given."""
    return Artifact(path, content.encode() if isinstance(content, str) else content, source or f"source of {path}")


def tree(folder: Path, *, manifest: bool = False) -> dict[str, str]:
    """Every file below the folder with its text, links as what they point to, empty folders with a slash."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        elif path.is_file() and (manifest or name != MANIFEST):
            found[name] = path.read_bytes().decode()
        elif path.is_dir() and not any(path.iterdir()):
            found[name + "/"] = ""
    return found


def child(script: str, *arguments: object) -> subprocess.Popen[str]:
    """A Python process with podsite, podsite.output's names and `os`, `sys`, `Path` at hand."""
    head = "import os, sys\nfrom pathlib import Path\nfrom podsite.output import *\nfrom podsite.errors import *\n"
    return subprocess.Popen(
        [sys.executable, "-c", head + textwrap.dedent(script), *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(Path(podsite.__file__).parents[1])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def run(script: str, *arguments: object) -> str:
    """What the script prints; it must end well."""
    process = child(script, *arguments)
    printed, _ = process.communicate()
    assert process.returncode == 0, printed
    return printed


# Collisions


def test_artifacts_with_paths_of_their_own_pass() -> None:
    """Ordinary paths, in any script, are no fault."""
    refuse_collisions(
        [artifact(path) for path in ("index.html", "a/index.html", "a/b.html", ".nojekyll", "обзор/index.html", "ab")]
    )


def test_every_path_wanted_twice_is_told_at_once_with_all_that_want_it() -> None:
    """One error lists each collision and each source of it, with the remedy."""
    with pytest.raises(OutputError) as caught:
        refuse_collisions(
            [
                artifact("episodes/intro/index.html", source="episodes/001-intro.yaml"),
                artifact("episodes/intro/index.html", source="episodes/009-intro.yaml"),
                artifact("episodes/intro/index.html", source="pages/intro.md"),
                artifact("about/index.html", source="pages/about.md"),
                artifact("about/index.html", source="static/about/index.html"),
            ]
        )
    about, intro = str(caught.value).splitlines()
    assert about.startswith("about/index.html: wanted by pages/about.md")
    assert "static/about/index.html" in about
    assert all(source in intro for source in ("episodes/001-intro.yaml", "episodes/009-intro.yaml", "pages/intro.md"))
    assert "another slug" in intro


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("topics/mysql/index.html", "topics/MySQL/index.html"),
        ("caf\u00e9/index.html", "cafe\u0301/index.html"),
        ("straße.html", "STRASSE.html"),
        ("a", "a/b"),
        ("A", "a/b/c"),
        ("Images/one.png", "images/two.png"),
        ("x/Images/one.png", "x/images/deep/two.png"),
    ],
)
def test_paths_that_one_file_system_takes_for_the_same_collide(one: str, other: str) -> None:
    """Case, composition of accents, a file for a folder and a folder spelled two ways are found, in either order."""
    for pair in ((one, other), (other, one)):
        with pytest.raises(OutputError) as caught:
            refuse_collisions([artifact(pair[0], source="first.yaml"), artifact(pair[1], source="second.yaml")])
        assert "first.yaml" in str(caught.value)
        assert "second.yaml" in str(caught.value)


@pytest.mark.parametrize(
    "path",
    [
        *("", "/etc/passwd", "../up.html", "a/../../up.html", "./a", "a//b", "a/", "a/.", "C:/x", "a\\b", "a\0b"),
        *("a\nb", "a\x7fb", "what?.html", "a*b", 'a"b', "a|b", "a\ud800b", "con", "topics/CON/index.html", "aux.html"),
        *("com1", "a/LPT9.txt", "nul .txt", "name.", "name /index.html", "ü" * 128 + ".html", MANIFEST, STAGING + "/0"),
    ],
)
def test_a_path_that_some_system_cannot_hold_is_refused_by_its_source(path: str, tmp_path: Path) -> None:
    """The message names the source and a remedy, and write itself looks, so that nothing leaves the folder."""
    with pytest.raises(OutputError, match=r"episodes/007\.yaml: cannot write .*; (choose|shorten)"):
        write([artifact(path, source="episodes/007.yaml")], tmp_path / "out" / "site")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["console/index.html", "com10", "auxiliary.html", "a.b.c", "ü" * 127, "..a", "null"])
def test_a_path_that_only_resembles_an_unfit_one_passes(path: str) -> None:
    """The checks look at whole names."""
    refuse_collisions([artifact(path)])


# Refusals


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site with episodes/, static/ and templates/, in a folder that is not home."""
    root = tmp_path / "site"
    for name in ("episodes", "static", "templates"):
        (root / name).mkdir(parents=True)
        (root / name / "keep.txt").write_text("mine")
    return root


def sources(root: Path) -> list[Path]:
    """The folders the site is made from; pages/ does not exist."""
    return [root / name for name in ("episodes", "pages", "static", "templates")]


@pytest.mark.parametrize(
    ("output", "found"),
    [
        (".", "the site's own folder"),
        ("..", "the site's own folder"),
        ("episodes", "episodes, which the site is made from"),
        ("pages", "pages, which the site is made from"),
        ("templates/site/deep", "lies in .*templates"),
        ("static/../episodes", "episodes"),
        ("/", "root of a drive"),
        ("~", "shell did not replace"),
        ("~/public_html", "shell did not replace"),
    ],
)
def test_an_output_that_meets_the_sources_is_refused(
    output: str, found: str, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equal, above and inside are told apart, and the message proposes a folder."""
    monkeypatch.chdir(site)
    with pytest.raises(OutputError, match=f"{found}.*such as 'output'"):
        refuse(Path(output), site, sources(site))


def test_an_output_above_a_source_outside_the_site_is_refused(site: Path, tmp_path: Path) -> None:
    """Sources may lie anywhere; a folder that contains one is not for writing."""
    (tmp_path / "theme/templates").mkdir(parents=True)
    with pytest.raises(OutputError, match=r"contains .*templates"):
        refuse(tmp_path / "theme", site, [tmp_path / "theme/templates"])


def test_home_and_what_is_above_it_are_refused(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unlucky `--output ~` never fills the home folder, nor does the folder of all homes."""
    home = tmp_path / "homes" / "ann"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    for output in (home, home.parent):
        with pytest.raises(OutputError, match="your home folder"):
            refuse(output, site, sources(site))
    refuse(home / "public", site, sources(site))


@posix
def test_links_are_followed_before_judging(site: Path, tmp_path: Path) -> None:
    """A link to a source, or a source that is a link to the output, is seen through."""
    (tmp_path / "link").symlink_to(site / "episodes")
    with pytest.raises(OutputError, match="episodes"):
        refuse(tmp_path / "link" / "html", site, sources(site))
    (tmp_path / "media").mkdir()
    (site / "pages").symlink_to(tmp_path / "media")
    with pytest.raises(OutputError, match="pages"):
        refuse(tmp_path / "media" / "out", site, sources(site))
    (tmp_path / "round").symlink_to(tmp_path / "round")
    with pytest.raises(OutputError):
        refuse(tmp_path / "round", site, sources(site))
    with pytest.raises(OutputError):
        write([artifact("a")], tmp_path / "round")


def test_a_file_in_the_place_of_the_output_is_refused(site: Path) -> None:
    """What is no folder is named, by refuse and by write."""
    (site / "output").write_text("notes")
    with pytest.raises(OutputError, match="is not a folder"):
        refuse(site / "output", site, sources(site))
    with pytest.raises(OutputError):
        write([artifact("a")], site / "output")
    with pytest.raises(OutputError):
        write([artifact("a")], site / "output" / "below")
    assert (site / "output").read_text() == "notes"


def test_a_folder_with_files_and_no_manifest_is_refused_and_stays(site: Path) -> None:
    """The message names some of the files; write refuses too, though refuse was not asked."""
    output = site / "output"
    output.mkdir()
    for name in ("a.txt", "b.txt", "c.txt", "d.txt"):
        (output / name).write_text("precious")
    with pytest.raises(OutputError, match=r"a\.txt, b\.txt, c\.txt, ….*empty the folder yourself"):
        refuse(output, site, sources(site))
    with pytest.raises(OutputError, match="podsite did not write"):
        write([artifact("index.html")], output)
    assert len(tree(output)) == 4


def test_a_new_an_empty_and_an_own_folder_are_accepted(site: Path) -> None:
    """Ignore files, which keep an empty folder in git, do not make it a foreign one; the manifest makes it ours."""
    output = site / "output"
    refuse(output, site, sources(site))
    output.mkdir()
    (output / ".gitignore").write_text("*\n")
    (output / ".gitkeep").touch()
    refuse(output, site, sources(site))
    write([artifact("index.html")], output)
    refuse(output, site, sources(site))
    assert (output / ".gitignore").read_text() == "*\n"


# Writing


def test_the_first_build_writes_all_and_leaves_nothing_else(tmp_path: Path) -> None:
    """The folder holds the artifacts and the manifest: no lock, no staging folder."""
    source = tmp_path / "one.mp3"
    source.write_bytes(b"audio")
    report = write([artifact("index.html", "home"), artifact("a/b/one.mp3", source)], tmp_path / "new" / "out")
    assert report == Report(written=("a/b/one.mp3", "index.html"), unchanged=(), removed=())
    assert tree(tmp_path / "new" / "out") == {"index.html": "home", "a/b/one.mp3": "audio"}
    assert set(os.listdir(tmp_path / "new/out")) - {".podsite-lock"} == {"a", "index.html", MANIFEST}


def test_unchanged_files_are_not_touched(tmp_path: Path) -> None:
    """Only what differs is written: the rest keeps its inode and time, the manifest too."""
    write([artifact("same.html"), artifact("other.html", "old")], tmp_path)
    before = {name: (tmp_path / name).stat() for name in ("same.html", MANIFEST)}
    report = write([artifact("same.html"), artifact("other.html", "new")], tmp_path)
    assert report == Report(written=("other.html",), unchanged=("same.html",), removed=())
    assert (tmp_path / "other.html").read_text() == "new"
    after = (tmp_path / "same.html").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before["same.html"].st_ino, before["same.html"].st_mtime_ns)
    quiet = (tmp_path / MANIFEST).stat()
    write([artifact("same.html"), artifact("other.html", "new")], tmp_path)
    assert (tmp_path / MANIFEST).stat().st_ino == quiet.st_ino


def test_a_page_damaged_by_hand_is_mended(tmp_path: Path) -> None:
    """What is there is compared, not what was noted: the same length and a lost file are found."""
    write([artifact("a.html", "right"), artifact("b.html", "right")], tmp_path)
    (tmp_path / "a.html").write_text("wrong")
    (tmp_path / "b.html").unlink()
    assert write([artifact("a.html", "right"), artifact("b.html", "right")], tmp_path).written == ("a.html", "b.html")
    assert tree(tmp_path) == {"a.html": "right", "b.html": "right"}


def test_what_is_no_longer_produced_is_removed_and_listed(tmp_path: Path) -> None:
    """Stale files go with the folders they leave empty; folders with other files stay."""
    write([artifact("index.html"), artifact("ep/one/index.html"), artifact("ep/two/deep/x")], tmp_path)
    (tmp_path / "ep/two/mine.txt").write_text("mine")
    (tmp_path / "ep/empty").mkdir()
    report = write([artifact("index.html")], tmp_path)
    assert report == Report((), ("index.html",), ("ep/one/index.html", "ep/two/deep/x"))
    assert tree(tmp_path) == {"index.html": "content", "ep/two/mine.txt": "mine", "ep/empty/": ""}
    assert write([], tmp_path).removed == ("index.html",)


def test_foreign_files_stay(tmp_path: Path) -> None:
    """A .git folder, a CNAME and anything else that no build wrote outlive every build."""
    write([artifact("index.html")], tmp_path)
    for name in (".git/config", "CNAME", "notes/todo.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("mine")
    write([artifact("new.html")], tmp_path)
    write([], tmp_path)
    assert tree(tmp_path) == {".git/config": "mine", "CNAME": "mine", "notes/todo.txt": "mine"}


def test_a_foreign_file_in_the_way_stops_the_build(tmp_path: Path) -> None:
    """All of them are named with what wants their place, and nothing is changed; an equal one is taken over."""
    write([artifact("index.html", "old")], tmp_path)
    (tmp_path / "CNAME").write_text("mine.example")
    (tmp_path / "robots.txt").write_text("mine")
    (tmp_path / ".nojekyll").touch()
    wanted = [artifact("index.html", "new"), artifact("CNAME"), artifact("robots.txt"), artifact(".nojekyll", b"")]
    with pytest.raises(
        OutputError, match=r"(?s)CNAME: .*not written by podsite; move it away.*robots\.txt: "
    ) as caught:
        write(wanted, tmp_path)
    assert "source of CNAME" in str(caught.value)
    assert tree(tmp_path)["index.html"] == "old"
    assert tree(tmp_path)["CNAME"] == "mine.example"
    (tmp_path / "CNAME").unlink()
    (tmp_path / "robots.txt").unlink()
    assert write(wanted, tmp_path).unchanged == (".nojekyll",)


def test_a_file_may_become_a_folder_and_a_folder_a_file(tmp_path: Path) -> None:
    """Own stale files make way in both directions, before the new ones come."""
    write([artifact("a", "file"), artifact("b/c/d", "deep"), artifact("b/e", "deep")], tmp_path)
    report = write([artifact("a/index.html", "page"), artifact("b", "file")], tmp_path)
    assert report == Report(("a/index.html", "b"), (), ("a", "b/c/d", "b/e"))
    assert tree(tmp_path) == {"a/index.html": "page", "b": "file"}


@pytest.mark.parametrize("foreign", ["b/c/mine.txt", "b/mine/"])
def test_a_folder_with_something_foreign_does_not_make_way(foreign: str, tmp_path: Path) -> None:
    """Where a file is to stand in place of a folder, foreign content of the folder stops the build beforehand."""
    write([artifact("b/c/d"), artifact("index.html", "old")], tmp_path)
    (tmp_path / foreign).mkdir() if foreign.endswith("/") else (tmp_path / foreign).write_text("mine")
    before = tree(tmp_path, manifest=True)
    with pytest.raises(OutputError, match=f"{foreign.rstrip('/')}: is in the way of b "):
        write([artifact("b"), artifact("index.html", "new")], tmp_path)
    assert tree(tmp_path, manifest=True) == before


def test_a_name_that_changed_only_its_case_is_the_new_one(tmp_path: Path) -> None:
    """The old spelling goes before the new one comes, of files and of folders."""
    write([artifact("Topics/A.html"), artifact("Topics/gone.html"), artifact("X.html", "x")], tmp_path)
    report = write([artifact("topics/a.html"), artifact("x.html", "x")], tmp_path)
    assert report == Report(("topics/a.html", "x.html"), (), ("Topics/A.html", "Topics/gone.html", "X.html"))
    assert sorted(tree(tmp_path)) == ["topics/a.html", "x.html"]


def test_the_same_artifacts_give_the_same_folder(tmp_path: Path) -> None:
    """Order and history leave no trace: the manifests are equal too, and hold no times."""
    source = tmp_path / "one.mp3"
    source.write_bytes(b"audio")
    artifacts = [artifact("b.html"), artifact("a/ü.html"), artifact("one.mp3", source)]
    write(artifacts, tmp_path / "one")
    write([artifact("old.html"), artifact("b.html", "old")], tmp_path / "two")
    write(artifacts[::-1], tmp_path / "two")
    assert tree(tmp_path / "one", manifest=True) == tree(tmp_path / "two", manifest=True)
    assert json.loads((tmp_path / "one" / MANIFEST).read_bytes())["files"] == ["a/ü.html", "b.html", "one.mp3"]


@posix
def test_files_get_the_modes_of_the_umask(tmp_path: Path) -> None:
    """A web server can read every file, whatever the mode of the source."""
    source = tmp_path / "private.mp3"
    source.write_bytes(b"audio")
    source.chmod(0o600)
    umask = os.umask(0o022)
    try:
        write([artifact("a/page.html"), artifact("a/one.mp3", source)], tmp_path / "out")
    finally:
        os.umask(umask)
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file() and path.name != ".podsite-lock"]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o644}
    assert (tmp_path / "out/a").stat().st_mode & 0o777 == 0o755


def test_the_output_may_itself_be_a_link(tmp_path: Path) -> None:
    """Who links the output folder to a web server's means it."""
    (tmp_path / "www").mkdir()
    (tmp_path / "output").symlink_to(tmp_path / "www", target_is_directory=True)
    write([artifact("a/index.html")], tmp_path / "output")
    assert tree(tmp_path / "www") == {"a/index.html": "content"}
    assert (tmp_path / "output").is_symlink()


# Copies


def test_a_copy_carries_its_sources_time_and_is_renewed_when_its_source_changes(tmp_path: Path) -> None:
    """Only what differs is written, whatever times and sizes say."""
    source, copy = tmp_path / "one.mp3", tmp_path / "out" / "one.mp3"
    source.write_bytes(b"audio")
    os.utime(source, (OLD, OLD))
    write([artifact("one.mp3", source)], tmp_path / "out")
    assert copy.stat().st_mtime == OLD
    os.utime(source, (OLD + 5, OLD + 5))
    inode = copy.stat().st_ino
    assert write([artifact("one.mp3", source)], tmp_path / "out").unchanged == ("one.mp3",)
    assert (copy.stat().st_ino, copy.stat().st_mtime) == (inode, OLD + 5)
    source.write_bytes(b"AUDIO")
    assert write([artifact("one.mp3", source)], tmp_path / "out").written == ("one.mp3",)
    source.write_bytes(b"audio, longer")
    os.utime(source, (OLD, OLD))
    assert write([artifact("one.mp3", source)], tmp_path / "out").written == ("one.mp3",)
    assert copy.read_bytes() == b"audio, longer"
    source.write_bytes(b"AUDIO, longer")
    os.utime(source, (OLD, OLD))
    assert write([artifact("one.mp3", source)], tmp_path / "out").written == ("one.mp3",)
    assert copy.read_bytes() == b"AUDIO, longer"


def test_a_source_changed_within_one_tick_of_the_clock_is_noticed(tmp_path: Path) -> None:
    """A file just written may change again at the same size and time; its copy is not trusted by time."""
    source = tmp_path / "one.mp3"
    now = time.time_ns()
    for content in (b"first", b"2nd__"):
        source.write_bytes(content)
        os.utime(source, ns=(now, now))
        write([artifact("one.mp3", source)], tmp_path / "out")
        assert (tmp_path / "out/one.mp3").read_bytes() == content


def test_a_missing_source_stops_the_build_with_its_name(tmp_path: Path) -> None:
    """The artifact and its origin are named, and the old site stays."""
    write([artifact("index.html", "old")], tmp_path / "out")
    with pytest.raises(OutputError, match=r"a\.mp3 \(from episodes/001\.yaml\): .*as it was"):
        write(
            [artifact("index.html", "new"), artifact("a.mp3", tmp_path / "gone.mp3", "episodes/001.yaml")],
            tmp_path / "out",
        )
    assert tree(tmp_path / "out") == {"index.html": "old"}


def test_a_rebuild_does_no_work_it_need_not(tmp_path: Path) -> None:
    """Counted by the interpreter's own audit: no audio is read, no folder made twice, nothing renamed in vain."""
    source = tmp_path / "one.mp3"
    source.write_bytes(b"audio")
    os.utime(source, (OLD, OLD))
    script = """
        from collections import Counter
        seen = Counter()
        source, out = Path(sys.argv[1]), Path(sys.argv[2])
        def count(event, arguments):
            seen[event] += event in ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.utime")
            if event == "open" and str(arguments[0]).endswith(".mp3"):
                seen["audio read"] += 1
        artifacts = [Artifact(f"e/{n}/{name}", b"x", "") for n in range(50) for name in ("a", "b", "c")]
        artifacts.append(Artifact("one.mp3", source, ""))
        sys.addaudithook(count)
        for _ in range(2):
            seen.clear()
            write(artifacts, out)
            print(*(seen[name] for name in ("os.rename", "os.mkdir", "os.remove", "os.utime", "audio read")))
    """
    first, second = run(script, source, tmp_path / "out").splitlines()
    renamed, made, removed, *_ = map(int, first.split())
    assert renamed == 151 + 2, "each file once, the manifest before and after"
    assert made <= 51 + 1 + 5, "each folder once, the staging folder, and what pathlib tries for parents"
    assert removed == 0
    assert second.split() == ["0", "1", "0", "0", "2"], "the folder is the output; the copy is held against its source"


@posix
def test_a_large_file_is_copied_in_pieces(tmp_path: Path) -> None:
    """80 MB (sparse) pass through a process that may not have that much memory."""
    with (tmp_path / "long.mp3").open("wb") as file:
        file.truncate(80_000_000)
    script = """
        import resource
        import podsite.output
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 40_000_000,) * 2)
        write([Artifact("long.mp3", Path(sys.argv[1]), "")], Path(sys.argv[2]))
        os.utime(sys.argv[1])
        print(write([Artifact("long.mp3", Path(sys.argv[1]), "")], Path(sys.argv[2])).unchanged)
    """
    if not Path("/proc/self/statm").exists():
        pytest.skip("the memory in use is read from /proc")
    assert "long.mp3" in run(script, tmp_path / "long.mp3", tmp_path / "out")


# Links


@posix
def test_podsite_never_writes_or_deletes_through_a_link_to_a_folder(tmp_path: Path) -> None:
    """A folder of the output replaced by a link is named; what it points to stays as it is."""
    out, outside = tmp_path / "out", tmp_path / "outside"
    write([artifact("ep/one/a.html"), artifact("ep/two/b.html"), artifact("index.html")], out)
    (out / "ep").rename(outside)
    (outside / "two/b.html").unlink()
    (out / "ep").symlink_to(outside)
    before = tree(outside)
    with pytest.raises(OutputError, match=r"ep: is in the way of ep/one/a\.html .* and is a link; move it away"):
        write([artifact("ep/one/a.html", "new"), artifact("index.html")], out)
    assert write([artifact("index.html")], out).removed == ()
    assert tree(outside) == before
    assert (out / "ep").is_symlink()


@posix
def test_a_link_in_a_files_place_is_replaced_or_removed_but_not_followed(tmp_path: Path) -> None:
    """Own paths that became links lose the link, foreign links stop the build; the targets stay."""
    out, outside = tmp_path / "out", tmp_path / "outside.txt"
    outside.write_text("precious")
    write([artifact("a.html"), artifact("b.html")], out)
    for name in ("a.html", "b.html"):
        (out / name).unlink()
        (out / name).symlink_to(outside)
    assert write([artifact("a.html")], out) == Report(("a.html",), (), ("b.html",))
    assert tree(out) == {"a.html": "content"}
    (out / "c.html").symlink_to(outside)
    with pytest.raises(OutputError, match=r"c\.html: .* is a link"):
        write([artifact("a.html"), artifact("c.html", "precious")], out)
    (out / STAGING).symlink_to(tmp_path)
    with pytest.raises(OutputError, match=STAGING):
        write([artifact("d.html")], out)
    assert outside.read_text() == "precious"


# The manifest


def test_a_manifest_edited_to_point_elsewhere_deletes_nothing_there(tmp_path: Path) -> None:
    """Entries that leave the folder, absolute or by dots, are passed over."""
    victim, out = tmp_path / "victim.txt", tmp_path / "out"
    victim.write_text("precious")
    write([artifact("a.html"), artifact("b.html")], out)
    manifest = json.loads((out / MANIFEST).read_bytes())
    manifest["files"] += ["../victim.txt", str(victim), "x/../../victim.txt", MANIFEST, "", "."]
    (out / MANIFEST).write_text(json.dumps(manifest))
    assert write([artifact("a.html")], out).removed == ("b.html",)
    assert victim.read_text() == "precious"
    assert (out / MANIFEST).exists()


@pytest.mark.parametrize(
    "text",
    ["", "<<<<<<< HEAD", "[]", "{}", '{"version": 1}', '{"version": 1, "files": [1]}', '{"version": 9, "files": []}'],
)
def test_a_manifest_that_cannot_be_understood_stops_the_build(text: str, tmp_path: Path) -> None:
    """Without it podsite knows no file for its own, so it touches none."""
    write([artifact("a.html", "old")], tmp_path)
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(OutputError, match=r"cannot tell which files are its own; empty the folder"):
        write([artifact("a.html", "new")], tmp_path)
    assert tree(tmp_path) == {"a.html": "old"}


# Failures and interruptions


def test_leftovers_of_a_killed_build_are_cleared_away(tmp_path: Path) -> None:
    """Also where the killed build was the first, and no manifest says yet whose folder this is."""
    out = tmp_path / "out"
    for part in ("0", "deep/1"):
        (out / STAGING / part).parent.mkdir(parents=True, exist_ok=True)
        (out / STAGING / part).write_text("half a pa")
    refuse(out, tmp_path / "site", [])
    write([artifact("index.html")], out)
    assert tree(out) == {"index.html": "content"}
    (out / STAGING).mkdir()
    write([artifact("index.html")], out)
    assert not (out / STAGING).exists()


@posix
def test_a_build_killed_at_any_moment_is_made_good_by_the_next(tmp_path: Path, thorough: bool) -> None:
    """At each system call that changes the folder a child process dies; at every fifth, where not all is tried.

    Then every file is whole, old or new; the feed is new only when all else is; foreign files stand; and the next build
    leaves exactly what it would have left without the death: nothing refused, nothing forgotten.
    """
    script = """
        import errno, shutil
        os.fsync = lambda file: None  # waits for the disk, which a process that dies does not take with it
        base = Path(sys.argv[1])
        (base / "new.mp3").write_bytes(b"new audio")

        def made(word, *paths):
            return [Artifact(path, f"{word} {path}".encode(), "") for path in paths]

        both = ("feed.xml", "index.html", "same/x.html")
        first = made("old", *both, "gone/deep/x.html", "gone.html", "was-file", "was/folder", "Case.html")
        first += made("same", "same/y.html")
        second = made("new", *both, "more/deep/x.html", "was-file/now", "was", "case.html")
        second += [*made("same", "same/y.html"), Artifact("new.mp3", base / "new.mp3", "")]
        third = made("third", "feed.xml", "only/this.html")

        def die(step, out):
            left = step
            def hook(event, arguments):
                nonlocal left
                if event == "open":
                    changes = isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
                else:
                    changes = event in ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.utime", "shutil.rmtree")
                if changes:
                    left -= 1
                    if not left:
                        os._exit(9)
            sys.addaudithook(hook)
            write(second, out, last=["feed.xml"])
            os._exit(0)

        def files(out):
            found = {p.relative_to(out).as_posix(): p.read_bytes() for p in out.rglob("*") if p.is_file()}
            return {name: content for name, content in found.items() if not name.startswith(".podsite")}

        def foreign(out):
            (out / "gone").mkdir(parents=True, exist_ok=True)
            (out / "gone/mine.txt").write_bytes(b"mine")

        def content(artifact):
            return artifact.content if isinstance(artifact.content, bytes) else artifact.content.read_bytes()

        for start in (first, []):
            for step in range(1, 1000, int(sys.argv[2])):
                out = base / "out"
                shutil.rmtree(out, ignore_errors=True)
                if start:
                    write(start, out)
                    foreign(out)
                child = os.fork()
                if not child:
                    die(step, out)
                died = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
                found = files(out) if out.exists() else {}
                whole = {(a.path, content(a)) for a in (*first, *second)} | {("gone/mine.txt", b"mine")}
                assert set(found.items()) <= whole, (step, found)
                if found.get("feed.xml") == b"new feed.xml":
                    assert all(found.get(a.path) == content(a) for a in second), step
                if not died:
                    break
                assert died == 9, (step, died)
                for nth, then in enumerate((third, second)):
                    copy = base / f"copy{nth}"
                    shutil.rmtree(copy, ignore_errors=True)
                    if out.exists():
                        shutil.copytree(out, copy)
                    refuse(copy, base / "site", [])
                    write(then, copy, last=["feed.xml"])
                    left = {a.path: content(a) for a in then}
                    left |= {"gone/mine.txt": b"mine"} if start else {}
                    assert files(copy) == left, (step, files(copy))
                    named = {*left, *(str(f) for p in left for f in Path(p).parents), ".podsite-manifest.json"}
                    there = {p.relative_to(copy).as_posix() for p in copy.rglob("*")}
                    assert there <= named, (step, there - named)
            print(step - 1)
    """
    steps = [int(line) for line in run(script, tmp_path, 1 if thorough else 5).split()]
    assert steps[0] > 30
    assert steps[1] > 20


@posix
def test_the_feeds_are_replaced_last_and_in_the_order_given(tmp_path: Path) -> None:
    """Whoever fetches a feed finds every page and file it speaks of."""
    script = """
        def show(event, arguments):
            if event == "os.rename":
                print(Path(arguments[1]).name)
        sys.addaudithook(show)
        names = ("feed.json", "a", "feed.xml", "b")
        write([Artifact(name, b"", "") for name in names], Path(sys.argv[1]), last=["absent", "feed.xml", "feed.json"])
    """
    manifest, *names, final = run(script, tmp_path / "out").split()
    assert names == ["a", "b", "feed.xml", "feed.json"]
    assert manifest == final == MANIFEST


@posix
def test_a_disk_that_fills_up_leaves_the_old_site(tmp_path: Path) -> None:
    """No room while staging, as bytes or as a copy: one error with path and remedy, and no file changed or left."""
    (tmp_path / "big.mp3").write_bytes(b"x" * 200_000)
    write([artifact("index.html", "old"), artifact("stale.html", "old")], tmp_path / "out")
    before = tree(tmp_path / "out", manifest=True)
    script = """
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        for content in (b"x" * 200_000, Path(sys.argv[2])):
            try:
                write([Artifact("index.html", b"new", ""), Artifact("big.mp3", content, "big.yaml")], Path(sys.argv[1]))
            except OutputError as error:
                print(error)
    """
    lines = run(script, tmp_path / "out", tmp_path / "big.mp3").splitlines()
    assert len(lines) == 2
    for line in lines:
        assert re.match(r"big\.mp3 \(from big\.yaml\): .*; free some space and build again \(.* as it was\)", line)
    assert tree(tmp_path / "out", manifest=True) == before
    assert os.strerror(errno.EFBIG) in lines[0]


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    """A missing permission is an error with the path and the remedy, and the old site stays."""
    write([artifact("index.html", "old")], tmp_path / "out")
    (tmp_path / "out").chmod(0o555)
    try:
        with pytest.raises(OutputError, match=r"out.*; allow writing there .*as it was"):
            write([artifact("index.html", "new")], tmp_path / "out")
    finally:
        (tmp_path / "out").chmod(0o755)
    assert tree(tmp_path / "out") == {"index.html": "old"}


def test_a_second_build_at_the_same_time_stops_with_a_message(tmp_path: Path) -> None:
    """While one process writes, another is told; once the first ends, even by a kill, the lock is free."""
    script = """
        def wait(event, arguments):
            if event == "os.rename":
                print("writing", flush=True)
                sys.stdin.readline()
        sys.addaudithook(wait)
        write([Artifact("a.html", b"first", "")], Path(sys.argv[1]))
    """
    first = child(script, tmp_path)
    assert first.stdout is not None
    try:
        assert first.stdout.readline() == "writing\n"
        with pytest.raises(OutputError, match="another podsite build is writing here"):
            write([artifact("a.html", "second")], tmp_path)
    finally:
        first.kill()
        first.communicate()
    assert write([artifact("a.html", "second")], tmp_path).written == ("a.html",)
    assert tree(tmp_path) == {"a.html": "second"}
