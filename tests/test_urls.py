"""Addresses: relative links lead to the same place at a domain's root and under a sub-path, in every script."""

from __future__ import annotations

from urllib.parse import quote, urljoin

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from podsite import urls

PART = st.one_of(
    st.sampled_from(["episodes", "a", "один", "گوشه-ها", "a b", "100%", "what?", "c#", "a:b", "%41", "a&b", "~x", "+"]),
    st.text(st.characters(exclude_characters="/\\#", exclude_categories=("Cs", "Cc")), min_size=1, max_size=6),
).filter(lambda part: part not in {".", ".."})
FILE = st.lists(PART, min_size=1, max_size=4).map("/".join)
PAGE = st.lists(PART, max_size=4).map(lambda parts: "".join(f"{part}/" for part in parts))
BASE = st.sampled_from(["https://example.org/", "https://jo.example.org/show/", "http://localhost:8000/a/b/"])


@given(BASE, PAGE | FILE, PAGE | FILE)
def test_a_relative_link_leads_to_its_target_wherever_the_site_lies(base: str, origin: str, target: str) -> None:
    """As a browser resolves it against the page it stands on; urljoin alone drops a `;` with nothing behind it."""
    assume(not target.endswith(";"))
    assert urljoin(urls.absolute(base, origin), urls.relative(origin, target)) == urls.absolute(base, target)


@given(PAGE | FILE, PAGE | FILE)
def test_a_relative_link_is_in_ascii_and_never_another_scheme_or_host(origin: str, target: str) -> None:
    """A file called a:b is a file."""
    link = urls.relative(origin, target)
    assert link.isascii()
    assert link
    assert not link.startswith("/")
    assert ":" not in link.split("/", 1)[0]


@pytest.mark.parametrize(
    ("origin", "target", "link"),
    [
        ("", "", "./"),
        ("", "episodes/one/", "episodes/one/"),
        ("episodes/one/", "", "../../"),
        ("episodes/one/", "episodes/two/", "../two/"),
        ("episodes/one/", "episodes/one/", "./"),
        ("episodes/one/", "episodes/one/one.mp3", "one.mp3"),
        ("episodes/one/", "feed.xml", "../../feed.xml"),
        ("404.html", "episodes/", "episodes/"),
        ("", "episodes/обзор/", "episodes/%D0%BE%D0%B1%D0%B7%D0%BE%D1%80/"),
        ("", "a:b.png", "./a:b.png"),
        ("", "100%25.png", "100%2525.png"),
        ("episodes/one/", "episodes/one/#t=60", "#t=60"),
        ("x/", "https://example.org/a b", "https://example.org/a b"),
        ("x/", "mailto:jo@example.org", "mailto:jo@example.org"),
    ],
)
def test_a_link_is_as_short_as_it_can_be(origin: str, target: str, link: str) -> None:
    """Full addresses stay as they are."""
    assert urls.relative(origin, target) in {link, "./" + link}


@pytest.mark.parametrize(
    "url",
    [
        "https://u.github.io/repo",
        "https://u.github.io/repo/",
        "https://u.github.io/repo//",
        "https://u.github.io/repo/?x#y",
    ],
)
def test_a_base_is_written_one_way(url: str) -> None:
    """With or without its slash, the site is the same bytes."""
    assert urls.base(url) == "https://u.github.io/repo/"


@given(BASE, PAGE)
def test_an_address_decodes_to_itself(base: str, page: str) -> None:
    """Nothing is encoded twice and nothing left out."""
    assert urls.absolute(base, page) == base + quote(page, safe="/!$&'()*+,;=~-._@:")


@pytest.mark.parametrize(
    ("address", "file"),
    [("", "index.html"), ("episodes/", "episodes/index.html"), ("404.html", "404.html"), ("feed.xml", "feed.xml")],
)
def test_an_address_is_answered_by_a_file(address: str, file: str) -> None:
    """Pages are index files of folders."""
    assert urls.output_file(address) == file


def test_every_page_address_ends_in_a_slash() -> None:
    """So that no host has to redirect."""
    pages = [
        urls.archive(),
        urls.part(urls.archive(), 2),
        urls.episode("a"),
        urls.topic("a"),
        urls.person("a"),
        urls.season(1),
    ]
    pages += [urls.path("a"), urls.READING, urls.START, urls.SUBSCRIBE, urls.TOPICS, urls.PEOPLE, urls.SEASONS]
    pages += [urls.shelf("Papers")]
    assert all(page.endswith("/") and not page.startswith("/") for page in pages)
    assert len(set(pages)) == len(pages)
