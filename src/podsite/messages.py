"""Problems and build summaries as text for people, as GitHub annotations, and as JSON for machines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from podsite.errors import ContentError, Place, PodsiteError, Problem

if TYPE_CHECKING:
    from podsite.recall import Built

Format = Literal["text", "github", "json"]


def problems_of(error: PodsiteError) -> list[Problem]:
    """An error as problems: those it holds, else one for each line of it, in no file."""
    if isinstance(error, ContentError):
        return [*error.problems]
    return [Problem(Place(""), "", line) for line in str(error).splitlines()]


def located(problems: Iterable[Problem], root: Path) -> list[Problem]:
    """The problems with their files named as they are reached from where the command runs."""
    return [replace(one, place=from_here(one.place, root)) for one in problems]


def from_here(place: Place, root: Path) -> Place:
    """A place in the site at `root`, named as it is reached from where the command runs, so that editors open it."""
    prefix = shown(root)
    return place if prefix == "." or not place.file else replace(place, file=Path(prefix, place.file).as_posix())


def shown(path: Path) -> str:
    """A path as it is reached from where the command runs: relative, unless the whole path is shorter."""
    try:
        return min(os.path.relpath(path), str(path), key=len)
    except ValueError:  # on another drive of Windows
        return str(path)


def problem_line(problem: Problem, how: Format) -> str:
    """One problem on one line."""
    place = problem.place
    if how == "text":
        return str(problem) if place.file else f"podsite: {problem.message}"
    path = f"{problem.path}: " if problem.path else ""
    where = f"file={_property(place.file)}," if place.file else ""
    if place.line:
        where += f"line={place.line},col={place.column},"
    return f"::{problem.severity} {where}title=podsite::{_escaped(path + problem.message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def problem_facts(problem: Problem) -> dict[str, Any]:
    """One problem for machines; line and column count from 1, null where the whole file is meant, or no file."""
    place: Place = problem.place
    return {
        "severity": problem.severity,
        "file": place.file or None,
        "line": place.line or None,
        "column": place.column or None,
        "path": problem.path,
        "message": problem.message,
    }


def report_json(problems: Iterable[Problem], built: Built | None, elapsed: float) -> str:
    """Problems and, after a build, its summary as one JSON document."""
    found: dict[str, Any] = {"problems": [problem_facts(problem) for problem in problems]}
    if built is not None:
        report = built.report
        found["summary"] = {
            "episodes": built.episodes,
            "pages": built.pages,
            "feed_items": built.feed_items,
            "feed_bytes": built.feed_bytes,
            "scheduled": [
                {"file": one.file, "title": one.title, "published": one.published} for one in built.scheduled
            ],
            "written": report.written,
            "unchanged": len(report.unchanged),
            "removed": report.removed,
            "seconds": round(elapsed, 3),
        }
    return json.dumps(found, indent=2, ensure_ascii=False)


def verdict(problems: Sequence[Problem], *, strict: bool) -> str:
    """What a build that was stopped says last."""
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    counts = [f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in
              ((errors, "error"), (warnings, "warning")) if count]  # fmt: skip
    reason = " (--strict)" if strict and not errors else ""
    return f"podsite: {' and '.join(counts)}{reason}; nothing was written"
