"""What `podsite check` tells: the certificate of a feed as problems with their places, as a table, and as SARIF.

Nothing is printed here, and nothing asked of clock or network.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from podsite import __version__, urls
from podsite.artifacts import Artifact
from podsite.errors import Place, Problem, UsageError, hint, listed
from podsite.feeds.certify import Certificate, Finding, certify, places
from podsite.feeds.directories import DIRECTORIES, Directory
from podsite.feeds.local import Local, local_files
from podsite.feeds.rules import RULES, Rule
from podsite.read import Content
from podsite.records import dataclass
from podsite.site import Site

#: Directories by the names people know them under.
NAMES: Mapping[Directory, str] = {
    "rss": "RSS 2.0",
    "apple": "Apple Podcasts",
    "spotify": "Spotify",
    "psp1": "PSP-1",
    "podcast20": "Podcasting 2.0",
    "amazon": "Amazon Music",
    "youtube": "YouTube",
}
_KINDS = ("error", "warning")
_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


@dataclass(frozen=True)
class Checked:
    """A feed held against the rules of some directories: its certificate, and where each finding is to be mended."""

    certificate: Certificate
    directories: tuple[Directory, ...]
    located: tuple[tuple[Finding, Place], ...]
    more: tuple[Problem, ...] = ()  # what else keeps a site from being built, or is wrong in its other feeds

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The findings as problems, with whatever else there is, sorted by their places."""
        found = [*(_problem(finding, place) for finding, place in self.located), *self.more]
        return tuple(sorted(dict.fromkeys(found)))

    @property
    def is_accepted(self) -> bool:
        """Whether no directory refuses the feed and nothing else is wrong."""
        return not any(problem.severity == "error" for problem in self.problems)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that count for these directories."""
        return tuple(rule for rule in RULES if set(rule.directories).intersection(self.directories))


def chosen(names: str | None) -> tuple[Directory, ...]:
    """The directories of `apple,spotify`; all of them without names. Raises UsageError for a name that is none."""
    wanted = [name.strip().lower() for name in (names or "").split(",") if name.strip()]
    for name in wanted:
        if name not in DIRECTORIES:
            raise UsageError(f"'{name}' is no directory{hint(name, DIRECTORIES)}; there are {', '.join(DIRECTORIES)}")
    return tuple(one for one in DIRECTORIES if one in wanted) or DIRECTORIES


def check_site(  # noqa: PLR0913 - what a feed and its places are made of
    site: Site,
    content: Content,
    xml: bytes,
    artifacts: Iterable[Artifact],
    *,
    now: datetime | None = None,
    directories: Sequence[Directory] = DIRECTORIES,
) -> Checked:
    """Certify a site's own feed with the files it points to; findings are placed in the site's YAML files."""
    url = urls.absolute(site.base_url, site.show.feed.path)
    certificate = certify(xml, local=local_files(site, artifacts), now=now, url=url).of(directories)
    return Checked(certificate, tuple(directories), tuple(places(certificate, site, content)))


def check_feed(  # noqa: PLR0913 - each is an option of the command
    xml: bytes,
    name: str = "feed.xml",
    *,
    local: Local = lambda _: None,
    now: datetime | None = None,
    url: str | None = None,
    directories: Sequence[Directory] = DIRECTORIES,
) -> Checked:
    """Certify any feed, ours or not; findings are placed in the feed itself, the file `name`."""
    certificate = certify(xml, local=local, now=now, url=url).of(directories)
    located = ((finding, Place(name, finding.line, 1 if finding.line else 0)) for finding in certificate.findings)
    return Checked(certificate, tuple(directories), tuple(located))


def _problem(finding: Finding, place: Place) -> Problem:
    return Problem(place, finding.key, str(finding), finding.rule.severity)


def table(checked: Checked, *, every: bool = False) -> str:
    """Score and verdict of each directory, and each broken rule (with `every`, the kept ones too); 100 columns."""
    lines = [_row("directory", "score", "kept", "broken", "verdict")]
    lines += [_directory(checked, one) for one in checked.directories]
    listed = [rule for rule in checked.rules if every or rule.code in checked.certificate.broken]
    if listed:
        lines += ["", f"{'rule':<26}{'severity':<10}{'times':>5}  directories"]
        lines += [_rule(checked, rule) for rule in listed]
    return "\n".join(lines)


def _directory(checked: Checked, directory: Directory) -> str:
    certificate = checked.certificate
    rules = [rule for rule in RULES if directory in rule.directories]
    broken = sum(rule.code in certificate.broken for rule in rules)
    score, verdict = str(certificate.score(directory)), certificate.verdict(directory)
    return _row(NAMES[directory], score, str(len(rules) - broken), str(broken), verdict)


def _row(name: str, score: str, kept: str, broken: str, verdict: str) -> str:
    return f"{name:<16}{score:>6}{kept:>7}{broken:>8}  {verdict}"


def _rule(checked: Checked, rule: Rule) -> str:
    times = checked.certificate.broken.get(rule.code, 0)
    found = f"{times:>5}" if times else " kept"
    return f"{rule.code:<26}{rule.severity:<10}{found}  {' '.join(rule.directories)}"


def sarif(checked: Checked) -> str:
    """The findings as SARIF 2.1.0, which code hosts show beside the lines."""
    rules = checked.rules
    index = {rule.code: number for number, rule in enumerate(rules)}
    driver = {"name": "podsite", "version": __version__, "rules": [_sarif_rule(rule) for rule in rules]}
    results = [_sarif_result(finding, place, index) for finding, place in checked.located]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SARIF, "version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=False) + "\n"


def _sarif_rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.code.split("-")),
        "shortDescription": {"text": rule.reason},
        "fullDescription": {"text": f"{rule.reason} Source: {rule.source}."},
        "help": {"text": f"{rule.reason} To mend it: {rule.remedy}. Source: {rule.source}."},
        "defaultConfiguration": {"level": rule.severity},
        "properties": {"tags": list(rule.directories)},
    }


def _sarif_result(finding: Finding, place: Place, index: Mapping[str, int]) -> dict[str, Any]:
    region = {"startLine": place.line, "startColumn": max(place.column, 1)} if place.line else {}
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(place.file)}}
    if region:
        physical["region"] = region
    return {
        "ruleId": finding.rule.code,
        "ruleIndex": index[finding.rule.code],
        "level": finding.rule.severity,
        "message": {"text": f"{finding.message}; {finding.rule.remedy}"},
        "locations": [{"physicalLocation": physical}],
        "partialFingerprints": {"finding/v1": f"{finding.rule.code}:{finding.item or ''}:{finding.what}"},
    }


def summary(checked: Checked) -> str:
    """The whole on one line: `2 errors and 1 warning; accepted by Spotify and PSP-1`."""
    counts = [sum(one.severity == kind for one in checked.problems) for kind in _KINDS]
    said = " and ".join(f"{count} {kind}{'s' * (count != 1)}" for count, kind in zip(counts, _KINDS, strict=True))
    return f"{said}; accepted by {listed(_accepting(checked)) or 'no directory'}"


def _accepting(checked: Checked) -> Iterator[str]:
    return (NAMES[one] for one in checked.directories if checked.certificate.verdict(one) != "refused")
