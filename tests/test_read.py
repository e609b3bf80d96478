"""Reading a site: companions, clashes, references, and every problem of every file in one run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from podsite.errors import ContentError, UsageError
from podsite.model import Episode
from podsite.read import Content, read
from podsite.roots import find_root

SHOW = (
    'title: "T"\ndescription: "D"\nlanguage: en\nauthor: "Jo"\nurl: https://example.org/\n'
    "artwork: https://example.org/cover.png\ncategories: [Technology]\n"
)
EPISODE = 'title: "T"\npublished: 2024-05-01\nsummary: "S"\n'
SILENCE = (b"\xff\xfb\x10\xc0" + bytes(100)) * 39  # a second of it
VTT = "WEBVTT\n\n00:00.000 --> 00:01.000\nHello.\n"
CHAPTERS = '{"version": "1.2.0", "chapters": [{"startTime": 0, "title": "Intro"}]}'

CONTROL = "holds the control character U+0002, which no page or feed may carry; delete it"
ORPHAN = "warning: belongs to no episode: there is no .yaml file of that name (did you mean 'one'?)"

Files = Mapping[str, str | bytes]
Write = Callable[[Files], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a site of the given files; show.yaml is there if it is not given."""

    def written(files: Files) -> Path:
        for name, content in ({"show.yaml": SHOW} | dict(files)).items():
            path = tmp_path / "site" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return tmp_path / "site"

    return written


def said(root: Path) -> list[str]:
    """Everything podsite says about a site, errors and warnings."""
    try:
        return list(map(str, read(root).warnings))
    except ContentError as error:
        return list(map(str, error.problems))


def only(content: Content) -> Episode:
    """The one episode of a site."""
    (episode,) = content.episodes
    return episode


class TestCompanions:
    """What lies beside an episode under its name belongs to it."""

    def test_companions_need_no_key(self, write: Write) -> None:
        """Audio, transcript, chapters, picture and notes are found by their names."""
        image = Path(__file__).parents[1].joinpath("static/artwork.png").read_bytes()
        root = write(
            {
                "episodes/001-one.yaml": EPISODE,
                "episodes/001-one.mp3": SILENCE,
                "episodes/001-one.vtt": VTT,
                "episodes/001-one.chapters.json": CHAPTERS,
                "episodes/001-one.png": image,
                "episodes/001-one.md": "*Notes*\r\n",
            }
        )
        episode = only(read(root))
        assert episode.slug == "one"
        assert episode.audio is not None
        assert episode.audio.file == "episodes/001-one.mp3"
        assert episode.transcript is not None
        assert [cue.text for cue in episode.transcript.cues] == ["Hello."]
        assert [chapter.title for chapter in episode.chapters] == ["Intro"]
        assert episode.image == "episodes/001-one.png"
        assert episode.notes == "*Notes*\n"

    @pytest.mark.parametrize(
        ("key", "file"),
        [("audio: media/a b.mp3", "media/a b.mp3"), ("audio: Äpfel.mp3", "episodes/Äpfel.mp3")],
    )
    def test_a_named_file_lies_beside_the_episode_or_below_the_root(self, write: Write, key: str, file: str) -> None:
        """Spaces and every script are fine."""
        audio = only(read(write({"episodes/one.yaml": EPISODE + key, file: SILENCE}))).audio
        assert audio is not None
        assert audio.file == file

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            ("audio: on.mp3", "audio: there is no file 'episodes/on.mp3' (did you mean 'one.mp3'?)"),
            (
                "audio: One.mp3",
                "audio: there is no file 'episodes/One.mp3': on disk it is spelt 'one.mp3'; letter case",
            ),
            ("image: art/x.jpg", "image: there is no file 'episodes/art/x.jpg'"),
            ("audio: one.mp3\ntranscript: x.vtt", "transcript: there is no file 'episodes/x.vtt'"),
            ("chapters: [{start: 0, title: A, image: x.jpg}]", "chapters[1].image: there is no file 'episodes/x.jpg'"),
            ("audio: one.yaml", "audio: 'episodes/one.yaml' is no audio file that can be read"),
        ],
    )
    def test_a_file_that_is_not_there_is_a_problem(self, write: Write, more: str, message: str) -> None:
        """With the spelling on disk, since web servers count letter case."""
        lines = said(write({"episodes/one.yaml": EPISODE + more, "episodes/one.mp3": SILENCE}))
        assert lines[0].startswith(("episodes/one.yaml:4:", "episodes/one.yaml:5:"))
        assert message in "\n".join(lines)

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("one.MP3", "episodes/one.MP3: rename it to one.mp3; endings are written small"),
            ("one.Vtt", "episodes/one.Vtt: rename it to one.vtt; endings are written small"),
            ("two.yml", "episodes/two.yml: rename it to two.yaml; podsite reads that ending only"),
            ("two.YAML", "episodes/two.YAML: rename it to two.yaml; podsite reads that ending only"),
            ("oen.mp3", f"episodes/oen.mp3: {ORPHAN}"),
            ("One.mp3", f"episodes/One.mp3: {ORPHAN}"),
            ("season/two.yaml", "episodes/season: warning: is a folder; episodes lie in episodes/ itself"),
        ],
    )
    def test_nothing_is_passed_over_in_silence(self, write: Write, name: str, message: str) -> None:
        """Wrong endings, orphans and folders are told."""
        assert said(write({"episodes/one.yaml": EPISODE, f"episodes/{name}": SILENCE})) == [message]

    @pytest.mark.parametrize("name", [".hidden.yaml", ".DS_Store", "._one.mp3", "Thumbs.db", ".gitkeep"])
    def test_what_systems_drop_is_passed_over(self, write: Write, name: str) -> None:
        """Nobody wrote it."""
        assert said(write({"episodes/one.yaml": EPISODE, f"episodes/{name}": b"\xff"})) == []

    def test_a_named_file_may_have_any_ending(self, write: Write) -> None:
        """What a key names is read, however it is spelt."""
        assert said(write({"episodes/one.yaml": EPISODE + "audio: one.MP3", "episodes/one.MP3": SILENCE})) == []

    def test_a_folder_in_capitals_is_told(self, write: Write) -> None:
        """On a Mac it would work."""
        assert said(write({"Episodes/one.yaml": EPISODE})) == [
            "Episodes: rename the folder to 'episodes': letter case counts on web servers"
        ]

    def test_two_files_for_one_thing_are_a_problem(self, write: Write) -> None:
        """Neither is chosen by chance."""
        lines = said(
            write(
                {
                    "episodes/one.yaml": EPISODE + "notes: N\nchapters: [{start: 0, title: A}]\n",
                    "episodes/one.mp3": SILENCE,
                    "episodes/one.m4a": SILENCE,
                    "episodes/one.md": "M",
                    "episodes/one.chapters.json": CHAPTERS,
                }
            )
        )
        assert "episodes/one.yaml:4:8: notes: there is one.md too; keep one of them" in lines
        assert "episodes/one.yaml:5:11: chapters: there is one.chapters.json too; keep one of them" in lines
        assert "audio: found one.mp3, one.m4a; say which is the one: 'audio: …'" in "\n".join(lines)

    def test_facts_of_the_file_outdo_what_is_written(self, write: Write) -> None:
        """Apps would show it wrong, so it is told."""
        more = "audio: {file: one.mp3, length: 12345, duration: 2:00}\n"
        lines = said(write({"episodes/one.yaml": EPISODE + more, "episodes/one.mp3": SILENCE}))
        assert [line.partition(": warning: ")[2] for line in lines] == [
            "the file has 4056 bytes, not 12345; take the key out",
            "the file lasts 0:01, not 2:00; take the key out",
        ]

    def test_chapters_are_sorted_and_end_with_the_audio(self, write: Write) -> None:
        """A player could do nothing with them."""
        more = "chapters: [{start: 5, title: B}, {start: 0, title: A}, {start: 0, title: C}]\naudio: one.mp3\n"
        lines = said(write({"episodes/one.yaml": EPISODE + more, "episodes/one.mp3": SILENCE}))
        assert lines == [
            "episodes/one.yaml:4:11: chapters: 'A' and 'C' start both at 0:00",
            "episodes/one.yaml:4:11: chapters: warning: are not in the order of their starts; sorted here",
            "episodes/one.yaml:4:20: chapters[1].start: starts at 0:05, after the end at 0:01",
        ]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
class TestLinks:
    """A symbolic link cannot make podsite publish what lies outside the site."""

    @pytest.mark.parametrize(
        "name",
        ["episodes/one.mp3", "episodes/one.md", "episodes/two.yaml", "pages/about.md", "static/a.txt", "one.mp3"],
    )
    def test_a_file_outside_is_refused(self, write: Write, tmp_path: Path, name: str) -> None:
        """As audio, notes, episode, page or static file."""
        (tmp_path / "secret").write_text("secret: x", encoding="utf-8")
        root = write({"episodes/one.yaml": EPISODE + ("audio: one.mp3" if name == "one.mp3" else "")})
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).symlink_to(tmp_path / "secret")
        (line,) = said(root)
        assert line.endswith("leads out of the site through a link") or "there is no file" in line
        assert "secret" not in line

    def test_a_folder_outside_is_refused(self, write: Write, tmp_path: Path) -> None:
        """Every file in it lies outside."""
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "elsewhere/one.yaml").write_text(EPISODE, encoding="utf-8")
        root = write({})
        (root / "episodes").symlink_to(tmp_path / "elsewhere")
        assert said(root) == ["episodes/one.yaml: 'episodes/one.yaml' leads out of the site through a link"]

    def test_a_link_inside_the_site_is_fine(self, write: Write) -> None:
        """It leads to something that is there."""
        root = write({"episodes/one.yaml": EPISODE, "media/a.mp3": SILENCE})
        (root / "episodes/one.mp3").symlink_to("../media/a.mp3")
        assert said(root) == []


class TestClashes:
    """Two things cannot have one address or one identity."""

    @pytest.mark.parametrize(
        ("first", "second", "slug"),
        [
            ("001-status-update", "002-status-update", "status-update"),
            ("001-Status Update", "002-status-update", "status-update"),
            ("001-strasse", "002-straße", "straße"),
            ("001-\u00e4pfel", "002-A\u0308pfel", "\u00e4pfel"),
        ],
    )
    def test_one_slug_twice_names_both_files(self, write: Write, first: str, second: str, slug: str) -> None:
        """Compared as any file system might: case-folded, composed."""
        lines = said(write({f"episodes/{first}.yaml": EPISODE, f"episodes/{second}.yaml": EPISODE}))
        assert lines == [
            f"episodes/{second}.yaml:1:1: slug: the address episodes/{slug}/ belongs to episodes/{first}.yaml already; "
            "rename one or give a slug"
        ]

    def test_a_written_slug_clashes_at_its_own_line(self, write: Write) -> None:
        """With the slug of another file's name."""
        (line,) = said(write({"episodes/one.yaml": EPISODE, "episodes/two.yaml": EPISODE + "slug: one\n"}))
        assert line.startswith("episodes/two.yaml:4:7: slug: the address episodes/one/ belongs to episodes/one.yaml")

    def test_two_names_that_differ_by_case_are_both_read(self, write: Write) -> None:
        """None is lost, so that the clash can be told."""
        lines = said(write({"episodes/One.yaml": EPISODE, "episodes/one.yaml": EPISODE + "number: x\n"}))
        assert [line.split(" ")[0] for line in lines] == ["episodes/one.yaml:1:1:", "episodes/one.yaml:4:9:"]

    def test_one_slip_hides_no_other_problem(self, write: Write) -> None:
        """What could be read of a file is checked against the others, so that one round is enough."""
        slips = "number: 1x\naudio: 001-nowhere.mp3\npeople: [nobody]\nrequires: [nothing]\n"
        lines = said(write({"episodes/one.yaml": EPISODE + slips, "episodes/two.yaml": EPISODE + "people: [me]\n"}))
        assert [line.split(" ")[1] for line in lines] == [
            "number:",
            "audio:",
            "people[1]:",
            "requires[1]:",
            "people[1]:",
        ]

    def test_one_guid_twice_names_both_files(self, write: Write) -> None:
        """As after copying a file."""
        (line,) = said(write({f"episodes/{name}.yaml": EPISODE + "guid: x\n" for name in ("one", "two")}))
        assert line == (
            "episodes/two.yaml:4:7: guid: the guid 'x' belongs to episodes/one.yaml already; apps would see one episode"
        )

    def test_one_number_twice_is_a_warning(self, write: Write) -> None:
        """Within a season; bonus episodes often share one."""
        same = EPISODE + "number: 7\nseason: 1\n"
        other = {"three": same + "kind: bonus\n", "four": EPISODE + "number: 7\nseason: 2\n"}
        files = {"one": same, "two": same} | other
        lines = said(write({f"episodes/{name}.yaml": text for name, text in files.items()}))
        assert lines == ["episodes/two.yaml:4:9: number: warning: number 7 is taken by episodes/one.yaml"]


class TestReferences:
    """What is named must exist."""

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            ("requires: [tow]", "4:12: requires[1]: no episode 'tow' (did you mean 'two'?)"),
            ("related: [two, nine]", "4:16: related[2]: no episode 'nine'"),
            ("requires: [one]", "4:12: requires[1]: an episode cannot refer to itself"),
            ("people: [joe]", "4:10: people[1]: no person 'joe' in show.yaml (did you mean 'jo'?)"),
            (
                "people: [{person: x}]",
                "4:10: people[1]: no person 'x' in show.yaml; add them under 'people:' in show.yaml",
            ),
            (
                "translations: {fr: https://e.org/, en: https://e.org/}",
                "4:40: translations.en: is the language of this site itself; name the pages in other languages",
            ),
            ("quotes: [{text: Q, person: x}]", "4:28: quotes[1].person: no person 'x' in show.yaml; add them"),
        ],
    )
    def test_a_reference_to_nothing_is_a_problem(self, write: Write, more: str, message: str) -> None:
        """With the nearest name."""
        show = SHOW + "people: {jo: Jo}\n"
        (line,) = said(write({"show.yaml": show, "episodes/one.yaml": EPISODE + more, "episodes/two.yaml": EPISODE}))
        assert line.startswith(f"episodes/one.yaml:{message}")

    def test_a_path_leads_over_episodes_that_exist(self, write: Write) -> None:
        """And each path has an id of its own."""
        more = "paths:\n  - {id: a, title: A, episodes: [one, oen]}\n  - {id: a, title: B, episodes: [one]}\n"
        assert said(write({"show.yaml": SHOW + more, "episodes/one.yaml": EPISODE})) == [
            "show.yaml:9:39: paths[1].episodes[2]: no episode 'oen' (did you mean 'one'?)",
            "show.yaml:10:10: paths[2].id: the id 'a' stands twice",
        ]

    def test_what_describes_a_topic_names_one_that_episodes_have(self, write: Write) -> None:
        """However it is spelt; what describes none is not lost silently, unless the topic's file cannot be read."""
        more = "topics:\n  cuda: On GPUs.\n  Kernals: On loops.\n  CUDA: Twice.\n  x: Alone.\n"
        one = EPISODE + "topics: [CUDA, Kernels]\n"
        assert said(write({"show.yaml": SHOW + more, "episodes/one.yaml": one})) == [
            "show.yaml:10:12: topics.Kernals: warning: no episode has the topic 'Kernals' (did you mean 'Kernels'?)",
            "show.yaml:11:9: topics.CUDA: is the same topic as 'cuda', which is described already; keep one",
            "show.yaml:12:6: topics.x: warning: no episode has the topic 'x'; add it to an episode, or take this out",
        ]
        lines = said(write({"show.yaml": SHOW + "topics: {x: Alone.}\n", "episodes/one.yaml": "topics: [x]\n"}))
        assert [line for line in lines if "topics" in line] == []

    def test_a_site_is_no_translation_of_itself(self, write: Write) -> None:
        """Told where it is written."""
        (line,) = said(write({"show.yaml": SHOW + "translations: {de: https://d.org/, en: https://e.org/}\n"}))
        expected = "show.yaml:8:40: translations.en: is the language of this site itself; name the other ones"
        assert line == expected

    def test_a_broken_file_breaks_no_references_to_it(self, write: Write) -> None:
        """One slip is one problem."""
        files = {"episodes/one.yaml": EPISODE + "related: [two]\n", "episodes/002-two.yaml": EPISODE + "number: x\n"}
        lines = said(write(files | {"show.yaml": SHOW + "paths: [{id: a, title: A, episodes: two}]\n"}))
        assert [line.split(":")[0] for line in lines] == ["episodes/002-two.yaml"]

    @pytest.mark.parametrize(
        ("edges", "circles"),
        [
            ({"a": "b", "b": "a"}, ["a → b → a"]),
            ({"a": "b", "b": "c", "c": "a"}, ["a → b → c → a"]),
            ({"a": "b", "b": "c", "c": "b"}, ["b → c → b"]),
            ({"a": "b", "b": "a", "c": "d", "d": "c"}, ["a → b → a", "c → d → c"]),
            ({"a": "b, c", "b": "d", "c": "d", "d": ""}, []),
        ],
    )
    def test_a_circle_is_told_once(self, write: Write, edges: dict[str, str], circles: list[str]) -> None:
        """Nobody could begin there; two ways to one episode are no circle."""
        lines = said(write({f"episodes/{one}.yaml": f"{EPISODE}requires: [{to}]\n" for one, to in edges.items()}))
        assert [line.split("here: ")[1].split(";")[0] for line in lines] == circles

    @pytest.mark.parametrize(
        ("entry", "message"),
        [
            ("google: x", "listen.google: warning: Google Podcasts closed in 2024; take it out"),
            ("spotfy: x", "listen.spotfy: unknown service 'spotfy' (did you mean 'spotify'?)"),
            ("mine: abc", "listen.mine: unknown service 'mine': give its full address, or one of apple, spotify"),
        ],
    )
    def test_a_listening_service_is_known_or_has_an_address(self, write: Write, entry: str, message: str) -> None:
        """A button must lead somewhere."""
        (line,) = said(write({"show.yaml": SHOW + f"listen:\n  {entry}\n"}))
        assert line.startswith(f"show.yaml:9:{11 if 'google' in entry or 'spotfy' in entry else 9}: {message}")

    def test_a_service_of_ones_own_needs_an_address_only(self, write: Write) -> None:
        """The table need not know it."""
        assert said(write({"show.yaml": SHOW + "listen: {myapp: https://example.org/}\n"})) == []


class TestSlugs:
    """An episode's address comes from its file's name."""

    @pytest.mark.parametrize(
        ("name", "more", "slug"),
        [
            ("001-one", "", "one"),
            ("one", "", "one"),
            ("1984", "number: 3\n", "episode-3"),
            ("1984", "", "2024-05-01"),
            ("007 🦒", "", "007"),
            ("🦒", "number: 0\n", "episode-0"),
            ("🦒", "", "2024-05-01"),
            ("003-Обзор", "", "обзор"),
            ("گوشه‌ها", "", "گوشه-ها"),
            ("one", "slug: another\n", "another"),
        ],
    )
    def test_a_name_gives_a_slug(self, write: Write, name: str, more: str, slug: str) -> None:
        """Without its number; the number or date where no letter is left."""
        assert only(read(write({f"episodes/{name}.yaml": EPISODE + more}))).slug == slug


class TestPages:
    """Own pages are Markdown, with front matter or a heading."""

    @pytest.mark.parametrize(
        ("name", "text", "title", "address"),
        [
            ("about", "# About us\n\nText.", "About us", "about/"),
            ("about", "About us\n===\n\nText.", "About us", "about/"),
            ("about", '---\ntitle: "A"\n---\nText.', "A", "about/"),
            ("about", '---\r\ntitle: "A"\r\n---\r\nText.', "A", "about/"),
            ("about", "\ufeff---\ntitle: A\n---\nText.", "A", "about/"),
            ("about", "---\n\n---\nText.", "About", "about/"),
            ("a/b/index", "Text.", "Index", "a/b/"),
            ("Über uns", "Text.", "Über uns", "über-uns/"),
        ],
    )
    def test_a_page_has_a_title_and_an_address(
        self, write: Write, name: str, text: str, title: str, address: str
    ) -> None:
        """Byte order marks and Windows line ends do not matter."""
        (page,) = read(write({f"pages/{name}.md": text})).pages
        assert (page.title, page.address, page.body.strip()) == (title, address, "Text.")

    @pytest.mark.parametrize(
        ("name", "text", "line"),
        [
            ("🦒.md", "x", "pages/🦒.md: has no letter or digit in its name; rename it"),
            ("index.md", "x", "pages/index.md: would be the home page, which podsite writes; rename it"),
            ("a.md", "---\ntitel: x\n---\n", "pages/a.md:2:1: titel: unknown key 'titel' (did you mean 'title'?)"),
            ("a.txt", "x", "pages/a.txt: warning: pages are Markdown files that end in .md; other files go to static/"),
            ("a.md", b"\xc4", "pages/a.md:1:1: is not UTF-8 (byte 0xC4); save it as UTF-8"),
            ("a.md", b"\xef\xbb\xbfabcd\n\xc4", "pages/a.md:2:1: is not UTF-8 (byte 0xC4); save it as UTF-8"),
            ("a.md", "x\x02", f"pages/a.md:1:2: {CONTROL}"),
        ],
    )
    def test_a_page_that_cannot_be_one_is_told(self, write: Write, name: str, text: str | bytes, line: str) -> None:
        """With its place."""
        assert said(write({f"pages/{name}": text})) == [line]


class TestFiles:
    """Files as people's editors leave them."""

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
    @pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
    def test_marks_and_line_ends_do_not_matter(self, write: Write, encoding: str, ends: str) -> None:
        """Every file is UTF-8, with or without a mark, or UTF-16 with one."""
        text = EPISODE.replace('"T"', '"Übung 🎧"').replace("\n", ends)
        root = write(
            {"episodes/one.yaml": text.encode(encoding), "episodes/one.vtt": VTT.replace("\n", ends).encode(encoding)}
        )
        episode = only(read(root))
        assert episode.title == "Übung 🎧"
        assert episode.transcript is not None
        assert len(episode.transcript.cues) == 1

    @pytest.mark.parametrize("encoding", ["cp1252", "shift-jis", "utf-16-le", "utf-16-be", "utf-32"])
    def test_another_encoding_is_told_with_its_place(self, write: Write, encoding: str) -> None:
        """Never a traceback, never wrong letters."""
        text = "ü" if encoding == "cp1252" else "題"
        root = write({"episodes/one.yaml": f"title: {text} x\n".encode(encoding)})
        (line,) = said(root)
        assert line.startswith("episodes/one.yaml:1:")
        assert "is not UTF-8" in line

    def test_every_problem_of_every_file_comes_at_once(self, write: Write) -> None:
        """Sorted by file, line and column; no file is skipped."""
        lines = said(
            write(
                {
                    "show.yaml": SHOW + "order: serail\n",
                    "episodes/one.yaml": "title: Rust: The Book\n",
                    "episodes/two.yaml": EPISODE + "number: x\naudio: gone.mp3\n",
                    "episodes/three.yaml": EPISODE + "audio: gone.mp3\n",
                    "episodes/four.yaml": b"\xff",
                    "episodes/five.yaml": "",
                    "pages/a.md": "---\ntitel: x\n---\n",
                }
            )
        )
        places = [line.split(": ")[0] for line in lines]
        assert places == sorted(places)
        assert {place.split(":")[0] for place in places} == {
            "show.yaml", "pages/a.md", *(f"episodes/{name}.yaml" for name in ("one", "two", "three", "four", "five"))
        }  # fmt: skip

    def test_the_order_of_a_folder_does_not_matter(self, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each file system has its own."""
        root = write({f"episodes/{name}.yaml": EPISODE for name in "dbca"})
        first, listed = read(root), os.listdir
        monkeypatch.setattr(os, "listdir", lambda path: sorted(listed(path), reverse=True))
        assert read(root) == first
        assert [episode.slug for episode in first.episodes] == list("abcd")

    @pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/Los_Angeles"])
    def test_neither_zone_nor_locale_nor_code_page_of_the_machine_counts(self, write: Write, zone: str) -> None:
        """Every file is opened with its encoding, every date read in the show's zone."""
        root = write(
            {"episodes/one.yaml": EPISODE.replace('"T"', '"Übung"'), "pages/a.md": "Ü", "episodes/one.md": "Ü"}
        )
        code = (
            "import sys; from pathlib import Path; from podsite.read import read\n"
            "one, = read(Path(sys.argv[1])).episodes\n"
            "print(one.published.isoformat(), ascii(one.title), ascii(one.notes))"
        )
        done = subprocess.run(
            [sys.executable, "-X", "warn_default_encoding", "-W", "error", "-c", code, str(root)],
            env={**os.environ, "TZ": zone, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.stdout == "2024-05-01T00:00:00+00:00 '\\xdcbung' '\\xdc'\n", done.stderr

    def test_dates_are_meant_in_the_shows_zone(self, write: Write) -> None:
        """At its publish time."""
        show = SHOW + "timezone: Europe/Berlin\npublish_time: 06:00\n"
        assert only(read(write({"show.yaml": show, "episodes/one.yaml": EPISODE}))).published == datetime(
            2024, 5, 1, 4, tzinfo=UTC
        )


class TestRoot:
    """The site's root is the folder of show.yaml, here or above."""

    def test_it_is_found_from_below(self, write: Write) -> None:
        """As git finds its own."""
        root = write({"episodes/one.yaml": EPISODE})
        assert find_root(root / "episodes") == root.resolve()

    def test_outside_of_a_site_the_way_in_is_told(self, tmp_path: Path) -> None:
        """No traceback."""
        with pytest.raises(UsageError, match="run 'podsite init' to begin a site"):
            find_root(tmp_path)

    @pytest.mark.parametrize("name", ["Show.yaml", "show.yml", "SHOW.YML"])
    def test_a_name_that_is_nearly_right_is_told(self, tmp_path: Path, name: str) -> None:
        """With the right one."""
        (tmp_path / name).write_text(SHOW, encoding="utf-8")
        with pytest.raises(UsageError, match=r"rename it to show\.yaml"):
            find_root(tmp_path)

    def test_a_folder_that_is_none_is_told(self, tmp_path: Path) -> None:
        """By its name."""
        with pytest.raises(UsageError, match="is no folder"):
            find_root(tmp_path / "nowhere")


class TestFolders:
    """A folder that cannot be read must not take its pages off the site."""

    @pytest.mark.parametrize("folder", ["episodes", "pages"])
    def test_an_unreadable_folder_is_an_error(self, write: Write, folder: str) -> None:
        """Else everything in it would be gone from the output, with nothing said; a link to itself reads for nobody."""
        root = write({})
        (root / folder).symlink_to(root / folder)
        assert [line.split(":")[1] for line in said(root) if line.startswith(folder)] == [" cannot be read"]

    @pytest.mark.parametrize("folder", ["episodes", "pages", "static"])
    def test_a_file_in_a_folders_place_is_an_error(self, write: Write, folder: str) -> None:
        """It was meant as something, and would be passed over."""
        assert f"{folder}: is a file; expected a folder of that name" in said(write({folder: "x"}))

    def test_a_linked_folder_is_an_error(self, write: Write, tmp_path: Path) -> None:
        """Its files would be missing, or others than those of the site."""
        (tmp_path / "else").mkdir()
        root = write({"episodes/one.yaml": EPISODE, "static/a.txt": "x"})
        (root / "static/etc").symlink_to(tmp_path / "else")
        assert said(root) == ["static/etc: is a link to a folder; put the folder itself here"]

    def test_a_link_to_itself_is_told(self, write: Write) -> None:
        """It looks like a file in a listing, and is none."""
        root = write({"episodes/one.yaml": EPISODE, "static/a.txt": "x"})
        for file in ("static/l.png", "episodes/l.yaml"):
            (root / file).symlink_to(root / file)
        assert sorted(line.split(": ", 1)[1] for line in said(root)) == [
            "'episodes/l.yaml' is a link that leads to itself",
            "'static/l.png' is a link that leads to itself",
        ]

    def test_a_recording_is_no_picture(self, write: Write) -> None:
        """Feeds and pages would name it as one."""
        root = write({"episodes/one.yaml": EPISODE + "image: one.mp3\n", "episodes/one.mp3": SILENCE})
        assert said(root) == [
            "episodes/one.yaml:4:8: image: 'episodes/one.mp3' is no picture by its ending; "
            "expected one such as .jpg or .png"
        ]
