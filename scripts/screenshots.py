"""Takes the README's screenshots of this repository's own site into docs/screenshots/.

    .venv/bin/python scripts/screenshots.py

Needs Chromium: playwright's own, else the one of the system.
"""

from __future__ import annotations

import functools
import shutil
import tempfile
import threading
from datetime import UTC, datetime
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal

from playwright.sync_api import sync_playwright

from podsite.build import Options, build

REPOSITORY = Path(__file__).resolve().parents[1]
SCREENSHOTS = REPOSITORY / "docs" / "screenshots"
#: File, page, colour scheme, and size of the window.
SHOTS: tuple[tuple[str, str, Literal["light", "dark"], tuple[int, int]], ...] = (
    ("home-light.png", "", "light", (1280, 860)),
    ("episode-dark.png", "episodes/just-enough-cuda-to-be-dangerous/", "dark", (1280, 860)),
)


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def main() -> None:
    """Build the site into a folder of its own, serve it, and take every screenshot."""
    with tempfile.TemporaryDirectory() as folder:
        build(REPOSITORY, Path(folder) / "site", Options(now=datetime.now(UTC)))
        handler = functools.partial(Quiet, directory=str(Path(folder) / "site"))
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever).start()
            take(f"http://127.0.0.1:{server.server_port}/")
            server.shutdown()


def take(home: str) -> None:
    """Every screenshot of the site at `home`."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=own if own.exists() else shutil.which("chromium"))
        for name, path, scheme, (width, height) in SHOTS:
            page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": height})
            page.goto(home + path, wait_until="networkidle")
            page.screenshot(path=SCREENSHOTS / name)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
