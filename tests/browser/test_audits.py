"""Promises of quality that others measure: axe-core finds no barrier, the Nu checker no fault in the markup."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

#: A page of every kind.
KINDS = {
    "home": "",
    "archive": "episodes/",
    "episode": "episodes/just-enough-cuda-to-be-dangerous/",
    "topics": "topics/",
    "topic": "topics/cuda/",
    "people": "people/",
    "person": "people/ezyang/",
    "reading": "reading/",
    "statistics": "statistics/",
    "start": "start/",
    "path": "start/internals/",
    "subscribe": "subscribe/",
    "not found": "404.html",
}


#: Those that are made of parts which this one has, too, or which the player and other languages are looked at in.
ALIKE = KINDS.keys() - {"reading"}


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.thorough) if kind in ALIKE else kind for kind in KINDS]
)
def test_axe_finds_nothing_on_light_and_dark_pages(
    visit: Callable[..., Page], barriers: Callable[[Page], list[str]], kind: str
) -> None:
    """Names, roles, landmarks, headings, contrast: every rule and best practice axe-core knows."""
    assert not barriers(visit(KINDS[kind]))


def test_the_markup_of_every_page_is_valid(repository: Path, own_site: Path, needed: Any) -> None:
    """The Nu checker of the W3C finds neither errors nor warnings."""
    checker = repository / "node_modules/vnu-jar/build/dist/vnu.jar"
    java = shutil.which("java")
    needed(java and checker.exists(), "vnu-jar is missing from node_modules, or Java")
    # of a few pages, the time goes into starting: the simplest compiler and collector start fastest, on a larger stack
    quick = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss8m"]
    command = [str(java), *quick, "-jar", str(checker), "--skip-non-html", "--format", "json", str(own_site)]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    faults = [
        f"{message['url'].rpartition('own-site/')[2]}:{message.get('lastLine')}: {message['message']}"
        for message in json.loads(told)["messages"]
    ]
    assert not faults
