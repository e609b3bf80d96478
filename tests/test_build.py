"""Promises of `podsite build`: what it writes, what it refuses, and that a failure changes nothing."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import feedparser
import pytest

SECOND = """
    title: "The second night"
    published: 2025-03-08
    summary: "Rain."
    number: 2
"""


@pytest.fixture
def two(site: Callable[..., Path], silence: bytes) -> Callable[..., Path]:
    """A site with two episodes, and the files given."""

    def write(files: dict[str, Any] | None = None) -> Path:
        second = {"episodes/002-second-night.yaml": SECOND, "episodes/002-second-night.mp3": silence}
        return site(second | (files or {}))

    return write


def titles(output: Path) -> list[str]:
    """Titles of the feed's items, in their order."""
    return [item.title for item in feedparser.parse(output / "feed.xml").entries]


def test_a_small_site_builds_without_a_warning(site: Any, podsite: Any) -> None:
    """The least that is accepted is enough: nobody is nagged about what is optional."""
    done = podsite("build", site(), "--strict")
    assert (done.status, done.err) == (0, "")


def test_the_last_line_sums_up(site: Any, podsite: Any) -> None:
    """Episodes, pages, feed items, files written, unchanged and removed, seconds: on one line, at the end."""
    root = site()
    last = podsite("build", root).out.splitlines()[-1]
    assert last.startswith("1 episode, ")
    assert " 1 feed item (" in last
    assert " written, 0 unchanged, 0 removed; " in last
    assert last.endswith(" s")
    assert "; 0 files written, " in podsite("build", root).out.splitlines()[-1]


def test_quiet_prints_problems_only(site: Any, podsite: Any) -> None:
    """A build that goes well says nothing."""
    root = site({"episodes/003-lost.mp3": b""})
    done = podsite("build", root, "--quiet")
    assert done.out == ""
    assert done.err.count("\n") == 1
    assert "003-lost.mp3: warning: belongs to no episode" in done.err


def test_verbose_lists_every_file_written_and_removed(two: Any, podsite: Any) -> None:
    """What changed in the output can be read off the build."""
    root = two()
    assert "+ episodes/second-night/index.html\n" in podsite("build", root, "--verbose").out
    for ending in ("yaml", "mp3"):
        (root / f"episodes/002-second-night.{ending}").unlink()
    told = podsite("build", root, "-v").out
    assert "- episodes/second-night/index.html\n" in told
    assert "+ feed.xml\n" in told


def test_drafts_appear_only_when_asked_for(two: Any, podsite: Any) -> None:
    """A draft is on no page and in no feed, unless --drafts shows it to its author."""
    root = two({"episodes/002-second-night.yaml": SECOND + "    draft: true\n"})
    podsite("build", root)
    assert titles(root / "output") == ["The first night"]
    assert not (root / "output/episodes/second-night").exists()
    podsite("build", root, "--drafts")
    assert titles(root / "output") == ["The second night", "The first night"]


def test_an_episode_of_the_future_is_scheduled_and_listed(two: Any, podsite: Any) -> None:
    """What is left out is said with its moment; --future shows it now."""
    root = two({"episodes/002-second-night.yaml": SECOND.replace("2025-03-08", "2030-01-02T03:04:00Z")})
    done = podsite("build", root)
    assert titles(root / "output") == ["The first night"]
    assert "1 episode scheduled" in done.out
    assert "2030-01-02 03:04 UTC  The second night  (episodes/002-second-night.yaml)" in done.out
    done = podsite("build", root, "--future")
    assert "scheduled" not in done.out
    assert titles(root / "output") == ["The second night", "The first night"]


def test_an_episode_appears_once_its_moment_has_come(two: Any, podsite: Any) -> None:
    """SOURCE_DATE_EPOCH is the instant of the build: a second decides."""
    root = two({"episodes/002-second-night.yaml": SECOND.replace("2025-03-08", "2025-03-08T00:00:00Z")})
    podsite("build", root, SOURCE_DATE_EPOCH="1741391999")
    assert titles(root / "output") == ["The first night"]
    podsite("build", root, SOURCE_DATE_EPOCH="1741392000")
    assert titles(root / "output") == ["The second night", "The first night"]


@pytest.mark.parametrize("written", ["yesterday", "1e9", "9" * 40])
def test_a_source_date_epoch_that_is_no_number_is_wrong_usage(site: Any, podsite: Any, written: str) -> None:
    """A wrong instant would publish wrong episodes, so it is not guessed."""
    done = podsite("build", site(), SOURCE_DATE_EPOCH=written)
    assert done.status == 2
    assert f"SOURCE_DATE_EPOCH: expected seconds since 1970, found '{written}'" in done.err


def test_base_url_takes_the_place_of_the_shows_address(site: Any, build: Any) -> None:
    """A workflow can put in the address it deploys to, with or without the closing slash."""
    output = build(site(), "--base-url", "https://ada.example/pod")
    feed = (output / "feed.xml").read_text(encoding="utf-8")
    assert 'url="https://ada.example/pod/episodes/first-night/001-first-night.mp3"' in feed
    assert "https://example.org" not in feed
    assert '<link rel="canonical" href="https://ada.example/pod/">' in (output / "index.html").read_text(
        encoding="utf-8"
    )


def test_the_identity_of_an_episode_outlives_a_new_address(site: Any, build: Any) -> None:
    """GUIDs never move, whatever --base-url says."""
    root = site()

    def guid() -> str:
        return str(feedparser.parse(root / "output/feed.xml").entries[0].id)

    build(root)
    before = guid()
    build(root, "--base-url", "https://elsewhere.example/")
    assert guid() == before


@pytest.mark.parametrize("wrong", ["example.org", "ftp://example.org/", "https://", ""])
def test_a_base_url_that_is_no_web_address_is_wrong_usage(site: Any, podsite: Any, wrong: str) -> None:
    """It would be in every link of the feed."""
    done = podsite("build", site(), "--base-url", wrong)
    assert done.status == 2
    assert done.err.startswith("podsite: --base-url: ")


def test_strict_lets_a_warning_stop_the_build(site: Any, podsite: Any) -> None:
    """With --strict warnings fail, and nothing is written."""
    root = site({"episodes/003-lost.mp3": b""})
    done = podsite("build", root, "--strict")
    assert done.status == 1
    assert done.err.endswith("podsite: 1 warning (--strict); nothing was written\n")
    assert not (root / "output").exists()
    assert podsite("build", root).status == 0


def test_every_problem_of_every_file_comes_in_one_run(two: Any, podsite: Any) -> None:
    """Sorted, each with file, line and column, as they are reached from the current folder."""
    root = two({
        "episodes/001-first-night.yaml": "titel: x\npublished: 2025-02-30\nsummary: s\n",
        "episodes/002-second-night.yaml": SECOND + "    requires: [frist-night]\n",
        "show.yaml": None,
    })  # fmt: skip
    (root / "show.yaml").write_text("title: Quiet\n", encoding="utf-8")
    done = podsite("build", root, cwd=root.parent)
    assert done.status == 1
    lines = done.err.splitlines()[:-1]
    assert lines == sorted(lines)
    assert "site/episodes/001-first-night.yaml:1:1: titel: unknown key 'titel' (did you mean 'title'?)" in done.err
    assert "site/episodes/001-first-night.yaml:2:12: published: " in done.err
    assert "site/episodes/002-second-night.yaml:5:12: requires[1]: no episode 'frist-night'" in done.err
    assert "site/show.yaml" in done.err


def test_messages_name_files_from_where_the_command_runs(site: Any, podsite: Any) -> None:
    """An editor opens what a message names, whatever folder the terminal is in."""
    root = site({"episodes/001-first-night.yaml": "title: x\n"})
    assert podsite("build", cwd=root).err.startswith("episodes/001-first-night.yaml")
    assert podsite("build", cwd=root / "episodes").err.startswith("../episodes/001-first-night.yaml")
    assert podsite("build", "site", cwd=root.parent).err.startswith("site/episodes/001-first-night.yaml")
    assert podsite("build", root, cwd=Path("/")).err.startswith(f"{root.as_posix().lstrip('/')}/episodes/001-first")
    (deep := root.parent / "very/far/away/from/there/and/even/further/down").mkdir(parents=True)
    assert podsite("build", root, cwd=deep).err.startswith("../../")


def test_github_format_makes_annotations(site: Any, podsite: Any) -> None:
    """Problems appear at their lines in a pull request."""
    root = site({"episodes/001-first-night.yaml": "title: x\npublished: 2025-01-01\nsummary: s\nnumbr: 1\n"})
    done = podsite("build", root, "--format", "github", cwd=root)
    assert done.status == 1
    assert done.out.startswith(
        "::error file=episodes/001-first-night.yaml,line=4,col=1,title=podsite::numbr: unknown key"
    )


def test_github_format_escapes_what_would_end_the_annotation() -> None:
    """Percent signs, line ends, colons and commas are the format's own."""
    from podsite.errors import Place, Problem
    from podsite.messages import problem_line

    problem = Problem(Place("a,b:c.yaml", 2, 3), "", "50 % of\nit", "warning")
    assert problem_line(problem, "github") == "::warning file=a%2Cb%3Ac.yaml,line=2,col=3,title=podsite::50 %25 of%0Ait"


def test_json_format_is_one_document_of_problems_and_summary(two: Any, podsite: Any) -> None:
    """Machines read the same facts, after a failure as well as after a build."""
    root = two({"episodes/003-lost.mp3": b""})
    told = json.loads(podsite("build", root, "--format", "json", cwd=root).out)
    assert told["summary"]["episodes"] == 2
    assert told["summary"]["written"] and told["summary"]["removed"] == []
    (problem,) = told["problems"]
    assert problem["file"] == "episodes/003-lost.mp3"
    assert (problem["severity"], problem["line"], problem["column"]) == ("warning", None, None)
    (root / "show.yaml").write_text("title: [", encoding="utf-8")
    done = podsite("build", root, "--format", "json", cwd=root)
    assert done.status == 1
    assert {"error", "warning"} == {each["severity"] for each in json.loads(done.out)["problems"]}
    assert "summary" not in json.loads(done.out)


FAILURES = {
    "no show": (["nowhere"], 2, "nowhere is no folder; "),
    "an address that is none": (["site", "--base-url", "ftp://x"], 2, "--base-url: "),
    "an instant that is none": (["site"], 2, "SOURCE_DATE_EPOCH: "),
    "an episode that is none": (["site", "--accept", "frist-night"], 2, "--accept frist-night: no episode "),
    "an output that is a source": (["site", "--output", "site/static"], 1, "site/static: "),
    "an output of somebody else": (["site", "--output", "."], 1, ".: is or contains the site's own folder"),
}


@pytest.mark.parametrize(("arguments", "status", "told"), FAILURES.values(), ids=FAILURES)
def test_whatever_stops_a_build_is_told_in_the_form_asked_for(
    site: Any, podsite: Any, arguments: list[str], status: int, told: str
) -> None:
    """Machines get a document and annotations also for what is wrong in no file, with the same exit status."""
    parent = site().parent
    odd = {"SOURCE_DATE_EPOCH": "x"} if "SOURCE" in told else {}

    def run(form: str) -> Any:
        done = podsite("build", *arguments, "--format", form, cwd=parent, **odd)
        assert done.status == status
        return done

    assert run("text").err.startswith(f"podsite: {told}")
    as_json, as_github = run("json"), run("github")
    assert (as_json.err, as_github.err) == ("", "")
    (problem,) = json.loads(as_json.out)["problems"]
    assert problem["message"].startswith(told)
    assert (problem["file"], problem["line"], problem["severity"]) == (None, None, "error")
    assert as_github.out.startswith(f"::error title=podsite::{told}")


def test_each_file_in_the_way_is_a_problem_of_its_own(site: Any, podsite: Any) -> None:
    """An error of several lines makes as many problems, each line with the program's name."""
    root = site()
    podsite("build", root)
    (root / "output/robots.txt").unlink()
    (root / "output/robots.txt").mkdir()
    (root / "output/robots.txt/mine").touch()
    (root / "output/feed.json").unlink()
    (root / "output/feed.json").mkdir()
    (root / "output/feed.json/mine").touch()
    lines = podsite("build", root).err.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("podsite: ") and "is in the way of" in line for line in lines)
    assert len(json.loads(podsite("build", root, "--format", "json").out)["problems"]) == 2


@pytest.mark.parametrize("where", [".", "..", "/", "~", "episodes", "templates/site", "static", ".podsite"])
def test_output_where_it_could_destroy_something_is_refused(
    site: Any, podsite: Any, where: str, tree: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sources, what lies above them, home and the drive's root are no places for the output."""
    root = site()
    monkeypatch.setenv("HOME", str(root.parent / "home"))
    (root.parent / "home").mkdir()
    before = tree(root.parent)
    done = podsite("build", "--output", os.path.expanduser(where) if where == "~" else where, cwd=root)  # noqa: PTH111
    assert done.status == 1
    assert "podsite needs a folder for the built site alone" in done.err
    assert tree(root.parent) == before


def test_output_into_a_folder_of_somebody_elses_files_is_refused(site: Any, podsite: Any) -> None:
    """A folder without podsite's manifest is not podsite's."""
    root = site()
    notes = root.parent / "notes" / "diary.txt"
    notes.parent.mkdir()
    notes.write_text("dear diary", encoding="utf-8")
    done = podsite("build", root, "--output", notes.parent)
    assert done.status == 1
    assert "holds files podsite did not write (diary.txt)" in done.err
    assert notes.read_text(encoding="utf-8") == "dear diary"


def test_output_goes_where_it_is_asked_to(site: Any, podsite: Any) -> None:
    """--output is meant from the current folder, as every path on a command line."""
    root = site()
    assert podsite("build", "site", "--output", "public", cwd=root.parent).status == 0
    assert (root.parent / "public/index.html").is_file()
    assert not (root / "output").exists()


def test_the_site_is_found_from_a_folder_inside_it(site: Any, podsite: Any) -> None:
    """As git does: show.yaml is looked for upwards."""
    root = site()
    assert podsite("build", cwd=root / "episodes").status == 0
    assert (root / "output/index.html").is_file()


def test_a_folder_without_a_show_is_wrong_usage_and_says_what_to_do(podsite: Any, tmp_path: Path) -> None:
    """The wrong folder is the likeliest mistake of all; the answer names the remedy."""
    done = podsite("build", cwd=tmp_path)
    assert done.status == 2
    assert f"no show.yaml in {tmp_path.resolve()} or above; run 'podsite init' to begin a site" in done.err
    assert "--help" not in done.err
    assert podsite("build", "nowhere", cwd=tmp_path).status == 2


def test_a_show_file_of_nearly_the_right_name_is_found_and_named(podsite: Any, tmp_path: Path) -> None:
    """show.yml and Show.yaml are told apart from no site at all."""
    (tmp_path / "show.yml").touch()
    done = podsite("build", cwd=tmp_path)
    assert done.status == 2
    assert "rename it to show.yaml" in done.err


BROKEN = {
    "a template that does not parse": ("templates/episode.html", "{% if %}", "templates/episode.html:1:1"),
    "a template that asks for nothing known": ("templates/topic.html", "\n{{ gruop }}", "templates/topic.html:2:1"),
    "YAML that does not parse": ("episodes/001-first-night.yaml", 'title: "x\n', "episodes/001-first-night.yaml:"),
    "a link to nowhere": ("pages/about.md", "# About\n\n[x](../missing/)\n", "pages/about.md"),
    "an episode without a title": ("episodes/003-x.yaml", "published: 2025-01-01\nsummary: s\n", "episodes/003-x.yaml"),
}  # fmt: skip


@pytest.mark.thorough(but_each=3)
@pytest.mark.parametrize("fault", BROKEN)
def test_a_failing_build_leaves_the_old_site_as_it_was(two: Any, podsite: Any, tree: Any, fault: str) -> None:
    """Nothing is written unless all of it could be made; the message names the place."""
    topics = '    topics: ["Rain"]\n'
    root = two({"episodes/002-second-night.yaml": SECOND + topics})
    podsite("build", root)
    before = tree(root / "output")
    name, text, place = BROKEN[fault]
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text(text, encoding="utf-8")
    (root / "episodes/002-second-night.yaml").write_text(
        'title: "Changed"\npublished: 2025-03-08\nsummary: s\ntopics: ["Rain"]\n', encoding="utf-8"
    )
    done = podsite("build", root, cwd=root)
    assert done.status == 1
    assert place in done.err
    assert "Traceback" not in done.err
    assert tree(root / "output") == before


def test_renaming_an_episode_removes_its_old_page_and_nothing_else(two: Any, podsite: Any, tree: Any) -> None:
    """No stale page stays online, and no other page is touched."""
    root = two()
    podsite("build", root)
    (root / "output/CNAME.mine").write_text("kept", encoding="utf-8")
    before = tree(root / "output")
    for ending in ("yaml", "mp3"):
        (root / f"episodes/002-second-night.{ending}").rename(root / f"episodes/002-a-night-of-rain.{ending}")
    told = json.loads(podsite("build", root, "--format", "json").out)["summary"]
    gone = before.keys() - tree(root / "output").keys()
    assert set(told["removed"]) == gone
    assert {path for path in gone if not path.startswith("episodes/second-night/")} == {"oembed/second-night.json"}
    assert "episodes/second-night/index.html" in gone
    assert (root / "output/CNAME.mine").exists()


def test_an_alias_keeps_the_old_address_alive(two: Any, build: Any) -> None:
    """A renamed episode can lead readers of its old address to the new one."""
    root = two({"episodes/002-second-night.yaml": SECOND + "    aliases: [/2025/rain/, /old.html]\n"})
    output = build(root)
    for old in ("2025/rain/index.html", "old.html"):
        page = (output / old).read_text(encoding="utf-8")
        assert "episodes/second-night/" in page
        assert '<link rel="canonical" href="https://example.org/quiet/episodes/second-night/">' in page


CLASHES = {
    "an alias of the feed": (
        {"episodes/002-second-night.yaml": SECOND + "    aliases: [/feed.xml]\n"},
        "episodes/002-second-night.yaml:5:11: aliases[1]: wants feed.xml, which show.yaml writes too; "
        "take it out or write another path",
    ),
    "an alias of another episode": (
        {"episodes/002-second-night.yaml": SECOND + "    aliases: [/old/, /episodes/first-night/]\n"},
        "episodes/002-second-night.yaml:5:18: aliases[2]: wants episodes/first-night/index.html, "
        "which episodes/001-first-night.yaml writes too; take it out or write another path",
    ),
    "an alias of its own page": (
        {"episodes/002-second-night.yaml": SECOND + "    aliases: [/episodes/second-night]\n"},
        "episodes/002-second-night.yaml:5:11: aliases[1]: wants episodes/second-night/index.html, "
        "which slug writes too; take it out or write another path",
    ),
    "an alias twice": (
        {"episodes/002-second-night.yaml": SECOND + "    aliases: [/old/, /Old]\n"},
        "episodes/002-second-night.yaml:5:18: aliases[2]: wants Old/index.html, which aliases[1] writes too as "
        "old/index.html (capitals count as small letters); take it out or write another path",
    ),
    "an episode called as a part of the archive": (
        {"episodes/002-second-night.yaml": SECOND + "    slug: page\n", "static/episodes/page/index.html": "x"},
        "static/episodes/page/index.html: wants episodes/page/index.html, which episodes/002-second-night.yaml writes "
        "too; give one of them another name",
    ),
    "an episode called as Windows calls a device": (
        {"episodes/002-second-night.yaml": SECOND + "    slug: con\n"},
        "episodes/002-second-night.yaml:5:7: slug: cannot write 'episodes/con/index.html': 'con' is a Windows device; "
        "choose another name",
    ),
    "a topic called as Windows calls a device": (
        {"episodes/002-second-night.yaml": SECOND + '    topics: ["Rain", "Con"]\n'},
        "episodes/002-second-night.yaml:5:18: topics[2]: cannot write 'topics/con/index.html': 'con' is a Windows "
        "device; choose another name",
    ),
    "a page of one's own": (
        {"pages/episodes.md": "# Episodes\n"},
        "pages/episodes.md: wants episodes/index.html, which show.yaml writes too; give one of them another name",
    ),
}  # fmt: skip


@pytest.mark.thorough(but_each=4)
@pytest.mark.parametrize(("files", "told"), CLASHES.values(), ids=CLASHES)
def test_a_path_that_cannot_be_written_is_told_where_it_is_asked_for(
    two: Any, podsite: Any, files: dict[str, str], told: str
) -> None:
    """Nothing overwrites anything in silence: place, key and who else wants it, once, among all other problems."""
    root = two(files | {"episodes/003-lost.mp3": b""})
    done = podsite("build", root, cwd=root)
    assert done.status == 1
    assert [line for line in done.err.splitlines() if "003-lost.mp3: warning" not in line] == [
        told,
        "podsite: 1 error and 1 warning; nothing was written",
    ]
    (clash,) = [
        one
        for one in json.loads(podsite("build", root, "--format", "json", cwd=root).out)["problems"]
        if one["severity"] == "error"
    ]
    assert told.startswith(clash["file"])
    assert told.endswith(clash["message"])


LINKS = {
    "an episode by its page": ("/episodes/second-night/", "../second-night/"),
    "an episode by its file": ("002-second-night.yaml", "../second-night/"),
    "a page by its file": ("../pages/about.md", "../../about/"),
    "a part of a page, from the root": ("/about/#more", "../../about/#more"),
    "a file beside it": ("001-first-night.slides.pdf", "001-first-night.slides.pdf"),
    "a file of static/": ("../static/paper.pdf", "../../paper.pdf"),
    "a file at the site's root": ("/paper.pdf", "../../paper.pdf"),
    "a mail address": ("mailto:ada@example.org", "mailto:ada@example.org"),
    "another site": ("https://example.com/nowhere/", "https://example.com/nowhere/"),
}


@pytest.mark.thorough(but_each=3)
@pytest.mark.parametrize(("written", "linked"), LINKS.values(), ids=LINKS)
def test_a_link_in_notes_may_name(two: Any, build: Any, written: str, linked: str) -> None:
    """Pages and files by the path one sees in the folder or on the web; links inside the site become relative."""
    root = two({
        "episodes/001-first-night.md": f"See [this]({written}).",
        "episodes/001-first-night.slides.pdf": b"%PDF", "static/paper.pdf": b"%PDF",
        "pages/about.md": "# About\n\n## More\n",
    })  # fmt: skip
    page = (build(root) / "episodes/first-night/index.html").read_text(encoding="utf-8")
    assert f'href="{linked}"' in page


@pytest.mark.parametrize("target", ["/episodes/secnd-night/", "missing.pdf", "../pages/abuot.md", "/static/paper.pdf"])
def test_a_link_in_notes_to_nothing_is_an_error_with_its_place(two: Any, podsite: Any, target: str) -> None:
    """A dead link inside the site is never published."""
    root = two({
        "episodes/001-first-night.yaml": 'title: t\npublished: 2025-03-01\nsummary: s\nnotes: "[x](TARGET)"\n'
        .replace("TARGET", target),
        "pages/about.md": "# About\n", "static/paper.pdf": b"%PDF",
    })  # fmt: skip
    done = podsite("build", root, cwd=root)
    assert done.status == 1
    assert f"episodes/001-first-night.yaml:4:13: notes: the link '{target}' leads to no page or file" in done.err


def test_a_site_overrides_one_partial_of_the_theme(site: Any, build: Any) -> None:
    """A file in the site's templates/ takes the place of the theme's, everywhere it is used."""
    root = site({"templates/partials/footer.html": "<footer>Our own foot</footer>"})
    assert "Our own foot" in (build(root) / "episodes/first-night/index.html").read_text(encoding="utf-8")


def test_a_site_extends_the_themes_base(site: Any, build: Any, tree: Any) -> None:
    """A base.html of the site may extend podsite/base.html and change single blocks."""
    root = site({"templates/base.html": '{% extends "podsite/base.html" %}'})
    extended = tree(build(root))
    shutil.rmtree(root / "templates")
    assert tree(build(root)) == extended


def test_a_site_without_any_episode_builds(site: Any, podsite: Any) -> None:
    """The first build may come before the first episode."""
    root = site({"episodes/001-first-night.yaml": None, "episodes/001-first-night.mp3": None})
    done = podsite("build", root)
    assert done.status == 0, done.err
    assert (root / "output/index.html").is_file()


def test_any_script_makes_a_page_and_a_link(site: Any, build: Any, silence: bytes) -> None:
    """Titles, slugs and topics in any script reach the page, the feed and the address bar."""
    root = site({
        "episodes/002-夜の音.yaml": 'title: "夜の音 & <雨>"\npublished: 2025-04-01\nsummary: "ночь"\ntopics: ["שקט"]\n',
        "episodes/002-夜の音.mp3": silence,
    })  # fmt: skip
    output = build(root)
    assert titles(output)[0] in {"夜の音 & <雨>", "夜の音 &amp; &lt;雨&gt;"}
    assert (output / "episodes/夜の音/index.html").is_file()
    link = feedparser.parse(output / "feed.xml").entries[0].link
    assert link == "https://example.org/quiet/episodes/%E5%A4%9C%E3%81%AE%E9%9F%B3/"


def test_the_second_build_writes_nothing(site: Any, podsite: Any) -> None:
    """What is unchanged stays untouched, times of files included."""
    root = site()
    for path in root.rglob("*.*"):  # a file this young could still change without its time showing it
        os.utime(path, (1_700_000_000, 1_700_000_000))
    podsite("build", root)
    before = {path: path.stat().st_mtime_ns for path in (root / "output").rglob("*")}
    told = json.loads(podsite("build", root, "--format", "json").out)["summary"]
    assert (told["written"], told["removed"]) == ([], [])
    assert before == {path: path.stat().st_mtime_ns for path in (root / "output").rglob("*")}


def test_the_cache_can_be_deleted_at_any_time(site: Any, podsite: Any, tree: Any) -> None:
    """.podsite/ only saves time: the bytes are the same without it."""
    root = site()
    podsite("build", root)
    before = tree(root / "output")
    shutil.rmtree(root / ".podsite", ignore_errors=True)
    shutil.rmtree(root / "output")
    podsite("build", root)
    assert tree(root / "output") == before


@pytest.mark.parametrize("written", ["https://example.org/quiet", "https://EXAMPLE.org/quiet/"])
def test_an_address_gives_the_same_bytes_however_it_is_written(site: Any, build: Any, tree: Any, written: str) -> None:
    """The closing slash and the case of the host make no difference to any file."""
    show = (site() / "show.yaml").read_text(encoding="utf-8")
    plain = tree(build(site()))
    other = site({"show.yaml": show.replace("https://example.org/quiet/", written)}, folder="other")
    assert tree(build(other)) == plain


def test_the_feed_names_the_address_it_is_published_at(site: Any, build: Any) -> None:
    """atom:link self follows the address of the build, at any depth of the feed's own path."""
    output = build(site(), "--base-url", "https://ada.example/pod/")
    feed = (output / "feed.xml").read_text(encoding="utf-8")
    assert '<atom:link href="https://ada.example/pod/feed.xml" rel="self"' in feed


def test_github_pages_finds_what_it_looks_for(site: Any, build: Any) -> None:
    """.nojekyll keeps it from leaving files out; CNAME, when asked for, keeps the domain at each deployment."""
    root = site()
    assert (build(root) / ".nojekyll").read_bytes() == b""
    assert not (root / "output/CNAME").exists()
    show = (root / "show.yaml").read_text(encoding="utf-8")
    output = build(site({"show.yaml": f"{show}cname: pod.example.org\n"}))
    assert (output / "CNAME").read_text(encoding="utf-8").strip() == "pod.example.org"


def test_a_template_that_asks_for_nothing_known_gets_the_nearest_name(site: Any, podsite: Any) -> None:
    """An undefined name is never an empty page: file, line, the page, and what was probably meant."""
    root = site({"templates/episode.html": "<h1>\n{{ entry.episode.titel }}\n</h1>"})
    done = podsite("build", root, cwd=root)
    assert done.status == 1
    problem = "templates/episode.html:2:1: Episode has no 'titel' (did you mean 'title'?)"
    assert f"{problem} (rendering episodes/first-night/)" in done.err


@pytest.mark.thorough(but_each=3)
@pytest.mark.parametrize("name", ["episode.html", "partials/footer.html", "partials/own.txt"])
def test_text_is_escaped_in_every_template_whatever_its_name(site: Any, build: Any, name: str) -> None:
    """A title cannot become markup, in no template and in no file type."""
    show = 'title: "<script>alert(1)</script>"\ndescription: d\nlanguage: en\nauthor: a\nurl: https://example.org/\n'
    show += "artwork: static/artwork.jpg\ncategories: [Technology]\npeople: {ada: {name: A, role: Host}}\n"
    files = {"show.yaml": show, f"templates/{name}": "<!doctype html><title>{{ show.title }}</title>"}
    if name.endswith(".txt"):
        files["templates/episode.html"] = '{% include "partials/own.txt" %}'
    page = (build(site(files)) / "episodes/first-night/index.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
