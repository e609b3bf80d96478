"""The JSON Schema: committed as generated, valid, documented, and as lenient as podsite itself."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import jsonschema
import pytest
import yaml

from podsite.schema import Kind, schema, schema_text

ROOT = Path(__file__).parents[1]
KINDS = get_args(Kind)
GOOD = [("show", ROOT / "show.yaml"), *(("episode", path) for path in sorted((ROOT / "episodes").glob("*.yaml")))]


def sibling(name: str) -> ModuleType:
    """Another module of tests, for its examples."""
    spec = importlib.util.spec_from_file_location(f"examples_of_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MISTAKES = sibling("test_mistakes")
EXAMPLES = sibling("test_decode")


def refusals(kind: Kind, text: str) -> list[str]:
    """What an editor underlines in a YAML text."""
    value = yaml.load(text, MISTAKES.EditorLoader)
    return [
        f"{error.json_path}: {error.message}" for error in jsonschema.Draft7Validator(schema(kind)).iter_errors(value)
    ]


def keys(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every key that the schema describes, by its path."""
    if isinstance(node, dict):
        for name, one in node.get("properties", {}).items():
            yield f"{path}.{name}", one
        for name, one in node.items():
            yield from keys(one, f"{path}/{name}")
    elif isinstance(node, list):
        for one in node:
            yield from keys(one, path)


@pytest.mark.parametrize("kind", KINDS)
class TestSchema:
    """Promises of both schemas."""

    def test_the_committed_schema_is_the_generated_one(self, kind: Kind) -> None:
        """Editors of this repository use the file."""
        committed = ROOT / f"src/podsite/schemas/{kind}.schema.json"
        assert committed.read_text(encoding="utf-8") == schema_text(kind)

    def test_it_is_valid_for_draft_7(self, kind: Kind) -> None:
        """Which the YAML language server reads."""
        jsonschema.Draft7Validator.check_schema(schema(kind))
        assert json.loads(schema_text(kind))["$schema"] == "http://json-schema.org/draft-07/schema#"

    def test_every_key_has_a_description(self, kind: Kind) -> None:
        """Hovering over a key explains it, in a sentence."""
        described = list(keys(schema(kind)))
        assert len(described) > 40
        assert [path for path, one in described if not one.get("description", "").endswith((".", "…"))] == []

    def test_every_reference_leads_somewhere(self, kind: Kind) -> None:
        """And every definition is used."""
        text = schema_text(kind)
        names = set(schema(kind)["definitions"])
        assert {part.split('"')[0] for part in text.split("#/definitions/")[1:]} == names

    def test_unknown_keys_are_refused_and_free_ones_are_not(self, kind: Kind) -> None:
        """At every level but under extra."""
        text = {"show": EXAMPLES.SHOW, "episode": EXAMPLES.EPISODE}[kind]
        assert refusals(kind, text + "x-mine: {a: [b]}\nextra: {a: 1}\n") == []
        assert len(refusals(kind, text + "mine: 1\n")) == 1

    def test_an_optional_key_may_stay_empty(self, kind: Kind) -> None:
        """As in a file begun from a template."""
        text = {"show": EXAMPLES.SHOW, "episode": EXAMPLES.EPISODE}[kind]
        required = schema(kind)["required"]
        assert (
            refusals(kind, text + "".join(f"{key}:\n" for key in schema(kind)["properties"] if key not in required))
            == []
        )

    def test_every_key_is_accepted(self, kind: Kind) -> None:
        """In all its forms and shorthands."""
        assert refusals(kind, {"show": EXAMPLES.FULL_SHOW, "episode": EXAMPLES.FULL_EPISODE}[kind]) == []


@pytest.mark.parametrize(("kind", "path"), GOOD, ids=lambda one: getattr(one, "name", one))
def test_every_file_of_this_repository_is_accepted(kind: Kind, path: Path) -> None:
    """What podsite reads, an editor does not underline."""
    assert refusals(kind, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        "number: 010",
        "number: '7'",
        "display_number: 7",
        "audio: {file: a.mp3, duration: 59:30}",
        "audio: {file: a.mp3, duration: 1:02:03.5}",
        "audio: {file: a.mp3, duration: 5711.0}",
        "audio: {file: a.mp3, length: 1231081}",
        "audio: HTTPS://example.org/Folge 1 – Äpfel.mp3",
        "audio: media/Folge 1 – Äpfel.mp3",
        "explicit: clean",
        "explicit: no",
        "topics: [C++, 1984, Обзор]",
        "requires: [обзор, گوشه-ها, 1984]",
        "aliases: [/2019/one.html, alt/]",
        "guid: 12345",
        "license: CC-BY-4.0",
        "location: Berlin",
        "chapters: [{start: 90.5, title: 1984}]",
    ],
)
def test_what_podsite_takes_an_editor_takes(line: str) -> None:
    """Values at the border of what is allowed."""
    assert EXAMPLES.episode(line)
    assert refusals("episode", EXAMPLES.EPISODE + line) == []
