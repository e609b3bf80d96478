"""Makes everything the tests need, then runs them: `python3 scripts/test.py`, with pytest's options behind it.

Python packages go into .venv, Chromium into playwright's cache; two checkers of web pages (axe-core and vnu-jar) and
two readers of feeds (podcast-partytime and feedsmith) go into node_modules. Programs of the system (Chromium, gpodder,
newsboat, npm, Java) are installed by apt-get where that is allowed. What cannot be had is named; its tests are then
skipped, or fail where CI=true.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
VENV = REPOSITORY / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BARE = "chromium-headless-shell"  # Chromium without its windows, which takes half the time
CHECKERS = ("axe-core@4", "vnu-jar", "podcast-partytime@5", "feedsmith@3")
#: Programs and the Debian packages that bring them.
PROGRAMS = {"gpo": "gpodder", "newsboat": "newsboat", "npm": "npm", "java": "default-jre-headless"}


def main() -> int:
    """Set up, run pytest, and give its exit status."""
    install_packages()
    install_browser()
    install_programs()
    install_checkers()
    return status([BIN / "python", "-m", "pytest", "-n", "auto", "--dist", "worksteal", *sys.argv[1:]])


def install_packages() -> None:
    """podsite, editable, and the Python packages of its tests."""
    if not (BIN / "python").exists() and not (BIN / "python.exe").exists():
        if importlib.util.find_spec("ensurepip") is None:
            apt(["python3-venv"])
        venv.create(VENV, with_pip=True)
    pip: list[str | Path] = [BIN / "python", "-m", "pip", "--quiet", "--disable-pip-version-check"]
    if status([*pip, "install", "--editable", ".[dev]"]):
        sys.exit("The Python packages could not be installed.")


def install_browser() -> None:
    """Chromium: Debian's package without windows, else any browser of its kind, else the one playwright brings."""
    if shutil.which(BARE) or (is_debian() and apt([BARE])):
        return
    if any(map(shutil.which, BROWSERS)) or (is_debian() and apt(["chromium"])):
        return
    libraries = [] if as_root() is None else ["--with-deps"]
    if not attempt([BIN / "playwright", "install", *libraries, "chromium"]):
        sys.stderr.write("Chromium could not be installed; what needs it is left out of the tests\n")


def is_debian() -> bool:
    """Whether this is Debian itself; in Ubuntu the package of that name holds no browser."""
    try:
        return platform.freedesktop_os_release()["ID"] == "debian"
    except (OSError, KeyError, AttributeError):
        return False


def install_programs() -> None:
    """Those programs of the system that are missing; one that cannot be had does not keep the others out."""
    missing = {program: package for program, package in PROGRAMS.items() if not shutil.which(program)}
    if missing and not apt([*missing.values()]):
        missing = {program: package for program, package in missing.items() if not apt([package])}
        if missing:
            sys.stderr.write(f"Not installed, and left out of the tests: {', '.join(missing.values())}\n")


def install_checkers() -> None:
    """The checkers and readers that come from npm only."""
    folder = REPOSITORY / "node_modules"
    if shutil.which("npm") and not all((folder / name.partition("@")[0]).is_dir() for name in CHECKERS):
        bare = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"]
        attempt(["npm", "install", *bare, *CHECKERS])


def apt(packages: list[str]) -> bool:
    """Install Debian packages where there is apt-get and the right to use it."""
    by = as_root()
    if by is None or not shutil.which("apt-get"):
        return False
    quiet = [*by, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
    return attempt([*quiet, "update"]) and attempt([*quiet, "install", "-y", "--no-install-recommends", *packages])


def as_root() -> list[str] | None:
    """What stands before a command that only root may run; None where that is not to be had without asking."""
    if os.name != "nt" and os.geteuid() == 0:
        return []
    return ["sudo"] if os.environ.get("CI") == "true" and shutil.which("sudo") else None


def attempt(command: Sequence[str | Path]) -> bool:
    """Run a command that may fail, or be missing, and say if it succeeded."""
    try:
        return status(command) == 0
    except OSError:
        return False


def status(command: Sequence[str | Path]) -> int:
    """Run a command in the repository; its exit status."""
    return subprocess.run(command, cwd=REPOSITORY, check=False).returncode  # noqa: S603 - all are written above


if __name__ == "__main__":
    sys.exit(main())
