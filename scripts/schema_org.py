"""Writes tests/schema_org.json: the classes and properties of schema.org that podsite uses, and what each may hold.

    npm pack schema-dts && tar xzf schema-dts-*.tgz
    python scripts/schema_org.py package/dist/schema.d.ts

schema-dts says in types of TypeScript what the vocabulary of schema.org says. Of it only facts are taken: the class
above each class, the properties of each class, the classes or kinds of values each property may have.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path

TABLE = Path(__file__).resolve().parents[1] / "tests" / "schema_org.json"
#: What pages may speak of; the classes above them, and those their properties may hold, come along by name.
CLASSES = (
    "Article", "AudioObject", "Book", "BreadcrumbList", "Clip", "CollectionPage", "CreativeWork", "EntryPoint",
    "ImageObject", "ListItem", "MediaObject", "Organization", "Person", "PodcastEpisode", "PodcastSeason",
    "PodcastSeries", "ProfilePage", "Quotation", "ScholarlyArticle", "SearchAction", "SoftwareSourceCode",
    "TechArticle", "VideoObject", "WebPage", "WebSite",
)  # fmt: skip

_CLASS = re.compile(r"^interface (\w+)Base extends ([^{]+) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_LEAF = re.compile(r"^export interface (\w+)Leaf extends (\w+)Base", re.MULTILINE)
_PROPERTY = re.compile(r'^    "(\w+)"\?: SchemaValue<(.+), "\w+">;$', re.MULTILINE)


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("types", type=Path, help="schema.d.ts of the package schema-dts")
    text = parser.parse_args().types.read_text(encoding="utf-8")
    TABLE.write_text(
        json.dumps(table(text), separators=(",", ":"), sort_keys=True).replace("},", "},\n") + "\n", encoding="utf-8"
    )


def table(text: str) -> dict[str, dict[str, object]]:
    """Of each class that is needed its parents and its own properties, each with what it may hold."""
    found = {name: (_bases(parents), dict(_properties(body))) for name, parents, body in _CLASS.findall(text)}
    for name, base in _LEAF.findall(text):
        found.setdefault(name, ([base], {}))
    needed: set[str] = set()
    for name in CLASSES:
        needed |= {name, *_above(name, found)}
    held = {kind for name in needed for kinds in found[name][1].values() for kind in kinds}
    parents = {name for one in held & found.keys() for name in (one, *_above(one, found))}
    return {
        name: {"parents": found[name][0], "properties": found[name][1] if name in needed else {}}
        for name in sorted(needed | parents)
    }


def _bases(written: str) -> list[str]:
    return sorted(re.findall(r"(\w+)Base", written))


def _properties(body: str) -> Iterator[tuple[str, list[str]]]:
    for name, kinds in _PROPERTY.findall(body):
        yield name, sorted({kind.strip('" ') for kind in kinds.split(" | ")} - {"IdReference"})


def _above(name: str, found: dict[str, tuple[list[str], dict[str, list[str]]]]) -> Iterator[str]:
    for parent in found.get(name, ([], {}))[0]:
        yield parent
        yield from _above(parent, found)


if __name__ == "__main__":
    main()
