"""What pages say in schema.org's words is said as schema.org wants it: classes, properties, ranges, grammars."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from podsite.build import make
from podsite.recall import Options

REPOSITORY = Path(__file__).parents[1]
#: Written by scripts/schema_org.py.
VOCABULARY: dict[str, dict[str, Any]] = json.loads((REPOSITORY / "tests/schema_org.json").read_text(encoding="utf-8"))
_SCRIPT = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
_URL = re.compile(r"(https?://[^/\s]+|mailto:[^@\s]+@)[^\s]*")
_DURATION = re.compile(r"P(?=.)(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)")


def kinds_above(kind: str) -> Iterator[str]:
    """A class and those above it."""
    yield kind
    for parent in VOCABULARY[kind]["parents"]:
        yield from kinds_above(parent)


def properties_of(kind: str) -> Mapping[str, list[str]]:
    """What may be said of a class, and what each property may hold."""
    return {name: held for one in kinds_above(kind) for name, held in VOCABULARY[one]["properties"].items()}


def is_date(value: Any) -> bool:
    """Whether it is a date or a moment of ISO 8601; a year is a date of less precision."""
    try:
        return bool(re.fullmatch(r"\d{4}", value) or date.fromisoformat(value))
    except ValueError:
        return bool(datetime.fromisoformat(value).tzinfo)


#: By the kinds of values that are no things: whether this is one.
VALUES = {
    "Text": lambda value: isinstance(value, str) and value.strip() == value != "",
    "URL": lambda value: isinstance(value, str) and bool(_URL.fullmatch(value)),
    "Number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "Integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "Boolean": lambda value: isinstance(value, bool),
    "Date": lambda value: isinstance(value, str) and is_date(value),
    "DateTime": lambda value: isinstance(value, str) and is_date(value),
    "Duration": lambda value: isinstance(value, str) and bool(_DURATION.fullmatch(value)),
    "Distance": lambda value: isinstance(value, str) and bool(re.fullmatch(r"\d+ px", value)),
}  # fmt: skip
#: Where a text would be any text.
STRICT = {"inLanguage": r"[a-z]{2,3}(-[A-Za-z0-9]+)*", "encodingFormat": r"\w+/[\w.+-]+", "contentSize": r"\d+ B"}


def faults(node: Any, where: str) -> Iterator[str]:
    """Everything in a node that schema.org does not know so."""
    kind = node.get("@type")
    if kind not in VOCABULARY:
        yield f"{where}: unknown class {kind}"
        return
    known = properties_of(kind)
    for name, said in node.items():
        path = f"{where}.{name}"
        if name == "@id" and not _URL.fullmatch(said):
            yield f"{path}: {said!r} is no complete address"
        if name.startswith("@"):
            continue
        if name.removesuffix("-input") != name:  # what the user gives to an action, as schema.org describes it for all
            continue
        if name not in known:
            yield f"{path}: no property of {kind}"
            continue
        if said in ([], "", None):
            yield f"{path}: says nothing"
        for value in said if isinstance(said, list) else [said]:
            yield from _faults_of_value(value, name, known[name], path)


def _faults_of_value(value: Any, name: str, held: list[str], path: str) -> Iterator[str]:
    if isinstance(value, dict):
        if not {*kinds_above(value["@type"])} & {*held}:
            yield f"{path}: {value['@type']} is none of {held}"
        yield from faults(value, f"{path}.{value['@type']}")
    elif not any(VALUES[kind](value) for kind in held if kind in VALUES):
        yield f"{path}: {value!r} is none of {held}"
    elif name in STRICT and not re.fullmatch(STRICT[name], value):
        yield f"{path}: {value!r} is not written as it should be"


def nodes_of(html: str) -> list[dict[str, Any]]:
    """The nodes a page tells."""
    found = []
    for written in _SCRIPT.findall(html):
        data = json.loads(written)
        assert data["@context"] == "https://schema.org"
        found += data["@graph"]
    return found


@pytest.fixture(scope="module", params=["own", "serial", "least"])
def pages(request: pytest.FixtureRequest) -> dict[str, str]:
    """The pages of a site that search engines may list: of this repository's own, and of those that are golden."""
    folder = REPOSITORY / "tests/sites" / request.param / "expected"
    if request.param == "own":
        made = make(REPOSITORY, None, Options(now=datetime(2026, 1, 1, tzinfo=UTC))).artifacts
        found = {one.path: one.content.decode() for one in made if isinstance(one.content, bytes) and is_page(one.path)}
    else:
        files = [path for path in folder.rglob("*") if is_page(path.name)]
        found = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in files}
    return {path: content for path, content in found.items() if 'name="robots"' not in content}


def is_page(path: str) -> bool:
    """Whether a file is a page."""
    return path.endswith(".html")


def test_what_every_page_tells_is_in_the_vocabulary(pages: dict[str, str]) -> None:
    found = [fault for path, html in pages.items() for node in nodes_of(html) for fault in faults(node, path)]
    assert found == []


def test_every_page_tells_something(pages: dict[str, str]) -> None:
    """The way to it, at least; the home page tells of the show."""
    kinds = {path: {node["@type"] for node in nodes_of(html)} for path, html in pages.items()}
    assert [path for path, found in kinds.items() if not found & {"BreadcrumbList", "PodcastSeries"}] == []
    assert kinds["index.html"] >= {"PodcastSeries", "WebSite"}
    episodes = [path for path in kinds if re.fullmatch(r"episodes/[^/]+/index.html", path)]
    assert [path for path in episodes if "PodcastEpisode" not in kinds[path]] == []


def test_what_is_known_by_an_id_is_one_thing(pages: dict[str, str]) -> None:
    """A person of an episode is the person of their page; the show of an episode that of the home page."""
    ids: dict[str, set[str]] = {}
    for html in pages.values():
        for node in every_node(nodes_of(html)):
            if "@id" in node:
                ids.setdefault(node["@id"], set()).add(f"{node['@type']} {node.get('name')}")
    assert {name: kinds for name, kinds in ids.items() if len(kinds) > 1} == {}


def every_node(found: Any) -> Iterator[dict[str, Any]]:
    """All nodes at any depth."""
    if isinstance(found, list):
        for each in found:
            yield from every_node(each)
    elif isinstance(found, dict):
        yield found
        yield from every_node([*found.values()])


@pytest.mark.parametrize(
    ("node", "fault"),
    [
        ({"@type": "Podcast"}, "unknown class"),
        ({"@type": "Person", "startOffset": 1}, "no property of Person"),
        ({"@type": "Clip", "startOffset": "1:00"}, "is none of"),
        ({"@type": "ImageObject", "width": 3000}, "is none of"),
        ({"@type": "PodcastEpisode", "timeRequired": "12:34"}, "is none of"),
        ({"@type": "PodcastEpisode", "partOfSeries": {"@type": "Person"}}, "is none of"),
        ({"@type": "PodcastEpisode", "datePublished": "1.5.2024"}, ""),
        ({"@type": "AudioObject", "contentUrl": "a.mp3"}, "is none of"),
        ({"@type": "Person", "name": ""}, "says nothing"),
    ],
)
def test_these_checks_notice_what_is_wrong(node: dict[str, Any], fault: str) -> None:
    try:
        found = [*faults(node, "x")]
    except ValueError:  # of a date
        found = ["not a date"]
    assert found
    assert fault in found[0]
