"""Writes docs/reference/rules.md from the table of rules: `python scripts/rules_reference.py`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from podsite.check import NAMES
from podsite.feeds.certify import ERROR_WEIGHT
from podsite.feeds.directories import DIRECTORIES
from podsite.feeds.rules import MODULES, RULES, Rule

TARGET = Path(__file__).resolve().parents[1] / "docs" / "reference" / "rules.md"
HEAD = """# The rules a feed is held against

<!-- written by scripts/rules_reference.py from src/podsite/feeds/rules; do not edit -->

`podsite check` parses the feed that was emitted, holds every rule below against it and the local files it points to,
and says which directories it satisfies. An **error** means that a directory refuses the feed or that listeners suffer;
a **warning**, that better is recommended.

A directory's score is the share of its rules that hold, from 0 to 100, where an error weighs as much as {weight}
warnings. How often a rule is broken does not count, and 100 means that none is; what has no channel scores 0.
A directory's verdict is `refused` when one of its rules is broken that is an error, `accepted with warnings` when only
warnings are, else `accepted`.

Several directories publish no complete rules, so the last column names where each rule is written down or was learnt:
a specification, a directory's own page, or the report of a project that met the mistake.

| directory | rules | of these errors |
|---|---|---|
"""


def reference() -> str:
    """The whole page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield HEAD.format(weight=ERROR_WEIGHT).rstrip("\n")
    for directory in DIRECTORIES:
        rules = [rule for rule in RULES if directory in rule.directories]
        errors = sum(rule.severity == "error" for rule in rules)
        yield f"| {NAMES[directory]} (`{directory}`) | {len(rules)} | {errors} |"
    for module in MODULES:
        yield f"\n## {_title(module.__doc__ or '')}\n"
        yield "| rule | severity | for | why | remedy | key | source |"
        yield "|---|---|---|---|---|---|---|"
        yield from (_row(rule) for rule in RULES if rule.broken.__module__ == module.__name__)


def _title(doc: str) -> str:
    """`Rules about artwork: pixels, shape.` → `Artwork: pixels, shape`."""
    text = doc.splitlines()[0].removeprefix("Rules about ").rstrip(".")
    return text[0].upper() + text[1:]


def _row(rule: Rule) -> str:
    key = f"`{rule.key}`" if rule.key else ""
    cells = (f"`{rule.code}`", rule.severity, ", ".join(rule.directories), rule.reason, rule.remedy, key, rule.source)
    return "| " + " | ".join(_plain(cell) for cell in cells) + " |"


def _plain(text: str) -> str:
    """Text that Markdown shows as it is: tags and bars would be taken for its own."""
    return text.replace("&", "&amp;").replace("|", "\\|").replace("<", "&lt;").replace(">", "&gt;")


def main() -> int:
    """Write the page."""
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(reference(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
