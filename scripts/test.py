"""Makes everything the tests need, then runs them: `python3 scripts/test.py`, with pytest's options behind it.

Python packages go into .venv, Chromium into playwright's cache, two checkers of web pages (axe-core and vnu-jar) into
node_modules. Programs of the system (Chromium, gpodder, npm, Java) are installed by apt-get where that is allowed.
What cannot be had is named; its tests are then skipped, or fail where CI=true.
"""

from __future__ import annotations

import importlib.util
import os
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
CHECKERS = ("axe-core@4", "vnu-jar")
#: Programs and the Debian packages that bring them.
PROGRAMS = {"gpo": "gpodder", "npm": "npm", "java": "default-jre-headless"}


def main() -> int:
    """Set up, run pytest, and give its exit status."""
    install_packages()
    has_browser = any(map(shutil.which, BROWSERS)) or attempt([BIN / "playwright", "install", "chromium"])
    install_programs([] if has_browser else ["chromium"])
    install_checkers()
    return status([BIN / "python", "-m", "pytest", "-n", "auto", *sys.argv[1:]])


def install_packages() -> None:
    """podsite, editable, and the Python packages of its tests."""
    if not (BIN / "python").exists() and not (BIN / "python.exe").exists():
        if importlib.util.find_spec("ensurepip") is None:
            apt(["python3-venv"])
        venv.create(VENV, with_pip=True)
    pip: list[str | Path] = [BIN / "python", "-m", "pip", "--quiet", "--disable-pip-version-check"]
    if status([*pip, "install", "--editable", ".[dev]"]):
        sys.exit("The Python packages could not be installed.")


def install_programs(packages: list[str]) -> None:
    """Those programs of the system that are missing."""
    missing = packages + [package for program, package in PROGRAMS.items() if not shutil.which(program)]
    if missing and not apt(missing):
        sys.stderr.write(f"Not installed, and left out of the tests: {', '.join(missing)}\n")


def install_checkers() -> None:
    """axe-core and the Nu checker, which come from npm only."""
    folder = REPOSITORY / "node_modules"
    if shutil.which("npm") and not all((folder / name.partition("@")[0]).is_dir() for name in CHECKERS):
        attempt(["npm", "install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", *CHECKERS])


def apt(packages: list[str]) -> bool:
    """Install Debian packages where there is apt-get and the right to use it."""
    if not shutil.which("apt-get"):
        return False
    if os.geteuid() == 0:
        by: list[str] = []
    elif os.environ.get("CI") == "true" and shutil.which("sudo"):
        by = ["sudo"]
    else:
        return False
    quiet = [*by, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
    return attempt([*quiet, "update"]) and attempt([*quiet, "install", "-y", "--no-install-recommends", *packages])


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
