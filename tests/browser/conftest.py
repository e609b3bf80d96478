"""This repository's own site on a web server, and what is known of its pages."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page

Open = Callable[..., Page]


@pytest.fixture(scope="session", params=["/podsite/", "/"], ids=["under a sub-path", "at the root"])
def address(request: pytest.FixtureRequest, own_site: Path, serve: Callable[..., str]) -> str:
    """Where the site is served: the same bytes below the sub-path of its address, and at a domain's root."""
    return serve(own_site, request.param)


@pytest.fixture(scope="session")
def home(own_site: Path, serve: Callable[..., str]) -> str:
    """Where the site is served at its own sub-path."""
    return serve(own_site, "/podsite/")


@pytest.fixture
def context(chromium: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Opens browser profiles with nothing in them."""
    opened: list[BrowserContext] = []

    def new(**settings: Any) -> BrowserContext:
        opened.append(chromium.new_context(**{"reduced_motion": "reduce"} | settings))
        return opened[-1]

    yield new
    for each in opened:
        each.close()


@pytest.fixture(scope="session")
def tabs(chromium: Browser) -> Callable[[bool], Page]:
    """A tab with scripts and one without, each opened when it is first asked for; a page in it costs a third."""
    return functools.cache(lambda scripts: chromium.new_context(java_script_enabled=scripts).new_page())


@pytest.fixture
def tab(tabs: Callable[[bool], Page]) -> Iterator[Callable[..., Page]]:
    """An empty tab that remembers nothing of the tests before."""
    used: set[Page] = set()

    def emptied(*, scripts: bool = True, color_scheme: Any = "light", reduced_motion: Any = "reduce") -> Page:
        page = tabs(scripts)
        if page not in used:
            page.set_viewport_size({"width": 1280, "height": 720})
            used.add(page)
        page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        return page

    yield emptied
    for page in used:
        page.goto("about:blank")
        page.unroute_all()
        page.context.clear_permissions()
        session = page.context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        session.detach()


@pytest.fixture
def visit(tab: Callable[..., Page], home: str) -> Open:
    """Opens a page of the site in an empty tab."""

    def visited(path: str = "", **settings: Any) -> Page:
        page = tab(**settings)
        page.goto(home + path)
        return page

    return visited


@pytest.fixture(scope="session")
def paths(own_site: Path) -> list[str]:
    """The path of every page that has an address of its own."""
    found = (path.relative_to(own_site).as_posix() for path in own_site.rglob("*.html"))
    return sorted(path.removesuffix("index.html") for path in found if path != "404.html")


#: A show with a long episode of three chapters, a short one, one whose recording is gone, and one to watch.
TALK = {
    "episodes/001-first-night.yaml": """
        title: "The first night"
        number: 1
        published: 2025-03-01
        summary: "What one hears when nothing is heard."
        people: [ada]
        chapters:
          - {start: "0:00", title: "Dusk"}
          - {start: "0:40", title: "Midnight", image: static/moon.png, url: "https://example.com/moon"}
          - {start: "1:20", title: "Dawn"}
        """,
    "episodes/002-second-night.yaml": """
        title: "The second night"
        number: 2
        published: 2025-03-08
        summary: "It goes on."
        """,
    "episodes/003-lost-night.yaml": """
        title: "The lost night"
        number: 3
        published: 2025-03-15
        summary: "Its recording is gone."
        """,
    "episodes/004-seen-night.yaml": """
        title: "The seen night"
        number: 4
        published: 2025-03-22
        summary: "With pictures."
        audio: {url: "https://cdn.example.com/seen.mp4", length: 20000, duration: "0:02"}
        """,
    "episodes/004-seen-night.vtt": "WEBVTT\n\n00:00.000 --> 00:01.500\nThe moon.\n",
}


@pytest.fixture(scope="session")
def talk_site(shared: Callable[..., Path], written: Callable[..., Path], silence: bytes) -> Path:
    """That show, built."""
    sounds = {"001-first": silence * 118, "002-second": silence * 4, "003-lost": silence}
    files = TALK | {f"episodes/{name}-night.mp3": content for name, content in sounds.items()}

    def make(folder: Path) -> None:
        picture = io.BytesIO()
        Image.new("RGB", (600, 600), "#c0a020").save(picture, "PNG")
        output = written(folder, files | {"static/moon.png": picture.getvalue()})
        (output / "episodes/lost-night/003-lost-night.mp3").unlink()

    return shared("talk", make) / "output"


@pytest.fixture(scope="session")
def talk_address(talk_site: Path, serve: Callable[..., str]) -> str:
    """Where it is served."""
    return serve(talk_site, "/quiet/")


@pytest.fixture
def talk(tab: Callable[..., Page], talk_address: str) -> Open:
    """Opens a page of it in an empty tab."""

    def opened(path: str = "episodes/first-night/", **settings: Any) -> Page:
        page = tab(**settings)
        page.goto(talk_address + path)
        return page

    return opened


@pytest.fixture(scope="session")
def axe(repository: Path, needed: Any) -> Path:
    """The script of axe-core."""
    path = repository / "node_modules/axe-core/axe.min.js"
    needed(path.exists(), "axe-core is missing from node_modules")
    return path


#: The faults that axe-core finds: by every rule and best practice it knows, or by those that colours can break.
FAULTS = """rules => axe.run({resultTypes: ['violations'], selectors: false, ...rules}).then(({violations}) =>
    violations.flatMap(({id, help, nodes}) => nodes.map(({html}) => `${id}: ${help}: ${html}`)))"""
OF_COLOUR = {"runOnly": ["color-contrast", "link-in-text-block"]}


@pytest.fixture(scope="session")
def barriers(axe: Path) -> Callable[[Page], list[str]]:
    """What axe-core finds on a page in the light, and what its colours break in the dark."""

    def found(page: Page) -> list[str]:
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        if not page.evaluate("window.axe"):
            page.add_script_tag(path=axe)
        faults = page.evaluate(FAULTS, {})
        page.emulate_media(color_scheme="dark", reduced_motion="reduce")
        return list(faults + page.evaluate(FAULTS, OF_COLOUR))

    return found
