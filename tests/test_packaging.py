"""Promises of the package: wheel and sdist hold everything, and the wheel alone builds a site."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml


@pytest.fixture(scope="session")
def dist(shared: Any, repository: Path) -> Path:
    """A folder with the sdist and with the wheel built from it."""

    def make(folder: Path) -> None:
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(repository)]
        subprocess.run(command, check=True, capture_output=True)

    found: Path = shared("dist", make)
    return found


def tracked(repository: Path, *folders: str) -> set[str]:
    """The files below folders of the repository that belong to it."""
    return {
        path.relative_to(repository).as_posix()
        for folder in folders
        for path in (repository / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    }


def test_the_wheel_holds_code_templates_schemas_and_skeleton(dist: Path, repository: Path) -> None:
    """Nothing that a build, an editor or `podsite init` needs is left behind, and nothing else is shipped."""
    (wheel,) = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = {name.removeprefix("src/") for name in tracked(repository, "src/podsite")}
    expected |= {f"podsite/{name}" for name in tracked(repository, "templates")}
    assert names == expected
    wanted = ("py.typed", "schemas/episode.schema.json", "skeleton/show.yaml", "templates/base.html")
    assert {f"podsite/{name}" for name in wanted} <= names


def test_the_sdist_holds_the_site_and_the_tests_too(dist: Path, repository: Path) -> None:
    """Whoever packages podsite for a system can build its site and run its tests."""
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert tracked(repository, "src/podsite", "templates", "episodes", "static", "docs") <= names
    wanted = {
        "show.yaml",
        "pyproject.toml",
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "scripts/test.py",
    }
    assert wanted | {"tests/conftest.py"} <= names
    assert not {name for name in names if name.startswith(("output/", ".podsite/", "node_modules/", ".venv/"))}


def own(repository: Path, folder: Path) -> Path:
    """A copy of this repository's site."""
    for name in ("show.yaml", "episodes", "static", "pages"):
        if (repository / name).is_dir():
            shutil.copytree(repository / name, folder / name)
        elif (repository / name).exists():
            folder.mkdir(exist_ok=True)
            shutil.copy(repository / name, folder / name)
    return folder


def test_the_wheel_alone_builds_a_site(  # noqa: PLR0917
    dist: Path,
    tmp_path: Path,
    repository: Path,
    request: Any,
    site: Any,
    build: Any,
    tree: Any,
    now: int,
    thorough: bool,
) -> None:
    """Installed from the wheel, away from the source tree, podsite gives the same bytes.

    Of a small site, and where changes are let in of this repository's.
    """
    (wheel,) = dist.glob("*.whl")
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(venv), "platbase": str(venv)}))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    # the libraries are those of the running environment: nothing is downloaded; editable installs in it do not count
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    root, reference = (
        (own(repository, tmp_path / "own"), request.getfixturevalue("own_site"))
        if thorough
        else (site(), tmp_path / "reference")
    )
    if not thorough:
        build(root, "--output", reference)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["SOURCE_DATE_EPOCH"] = str(now)
    script = "import podsite.cli; print(podsite.__file__); podsite.cli.main()"
    command = [python, "-c", script, "build", "--strict", "--quiet"]
    done = subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True, text=True)
    assert Path(done.stdout.strip()).is_relative_to(packages)
    assert tree(root / "output") == tree(reference)


def test_every_supported_python_is_tested(repository: Path) -> None:
    """The versions promised to users are those of the workflow's matrix."""
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    head = "Programming Language :: Python :: "
    promised = [line.removeprefix(head) for line in project["classifiers"] if line.startswith(head)]
    workflow = yaml.safe_load((repository / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == promised
    assert project["requires-python"] == f">={promised[0]}"


@pytest.mark.parametrize("name", ["ci.yml", "pages.yml"])
def test_a_workflow_may_do_only_what_it_needs(repository: Path, name: str) -> None:
    """No job has a right it was not given, and every action is pinned to a version."""
    workflow = yaml.safe_load((repository / ".github/workflows" / name).read_text(encoding="utf-8"))
    assert workflow["permissions"] == {}
    for job in workflow["jobs"].values():
        assert set(job["permissions"].values()) <= {"read"} or name == "pages.yml"
        assert all("@v" in step["uses"] for step in job["steps"] if "uses" in step)
