"""Every kind of mistake that has a file in tests/mistakes/ gets exactly the answer its head states.

A file's head is the comment it begins with, in plain data:

    # mistake: what somebody got wrong, and why it happens
    # file: episode            (or show: which of the two files this is)
    # schema: refuses          (what an editor says with the JSON Schema: refuses or accepts)
    # says:
    #   12:8: title: the complete message, for each thing wrong

A file whose bytes no editor would keep is written as `NAME.yaml.b64`: the head, then the bytes in base64; its lines
are counted from the first of those bytes.
"""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest
import yaml

from podsite import textfile
from podsite.decode import decode
from podsite.errors import ContentError
from podsite.model import Episode, Show
from podsite.schema import Kind, schema

FOLDER = Path(__file__).parent / "mistakes"
MODELS: dict[str, type] = {"episode": Episode, "show": Show}
HEAD = re.compile(
    r"# mistake: (?P<mistake>\S.*(?:\n#   \S.*)*)\n"
    r"# file: (?P<kind>episode|show)\n"
    r"# schema: (?P<schema>refuses|accepts)(?: \((?P<reason>\S.*)\))?\n"
    r"# says:\n(?P<says>(?:#   \S.*\n)+)"
)


class Mistake(NamedTuple):
    """A file with something wrong in it, and what its head promises."""

    name: str
    kind: Kind
    refused: bool
    says: tuple[str, ...]
    content: bytes


def mistake(path: Path) -> Mistake:
    """Read one file of the folder. Raises ValueError, which fails the collection, when its head is incomplete."""
    text = path.read_bytes().decode()
    head = HEAD.match(text)
    if head is None:
        raise ValueError(f"{path.name}: the head must state mistake, file, schema and says, in this order")
    if (head["schema"] == "accepts") != (head["reason"] is not None):
        raise ValueError(f"{path.name}: 'schema: accepts' needs its reason behind it, in brackets; 'refuses' none")
    content = base64.b64decode(text[head.end() :], validate=False) if path.suffix == ".b64" else text.encode()
    says = tuple(line.removeprefix("#   ") for line in head["says"].splitlines())
    return Mistake(path.name, head["kind"], head["schema"] == "refuses", says, content)  # type: ignore[arg-type]


MISTAKES = [mistake(path) for path in sorted(FOLDER.iterdir()) if path.is_file()]
BROKEN_TEXT = [one for one in MISTAKES if one.name.endswith(".b64")]


class EditorLoader(yaml.SafeLoader):
    """YAML 1.2 as editors read it: few types, each key once."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - PyYAML wants it here

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        """Refuse a key that stands twice, as editors do."""
        keys = [key.value for key, _ in node.value if isinstance(key.value, str)]
        if len(keys) != len(set(keys)):
            raise yaml.constructor.ConstructorError(None, None, "keys must be unique", node.start_mark)
        return super().construct_mapping(node, deep)


def _typed(tag: str, pattern: str, first: str) -> None:
    EditorLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), list(first))


_typed("null", r"^(~|null|Null|NULL|)$", "~nN\0")
EditorLoader.yaml_implicit_resolvers[""] = [("tag:yaml.org,2002:null", re.compile("^$"))]
_typed("bool", "^(true|True|TRUE|false|False|FALSE)$", "tTfF")
_typed("int", "^[-+]?[0-9]+$", "-+0123456789")
_typed("float", r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$", "-+0123456789.")
_typed("merge", "^<<$", "<")
EditorLoader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(loader.construct_scalar(node), 10))


def editor_refuses(kind: Kind, content: bytes) -> bool:
    """Whether an editor underlines something, by its YAML parser or by the JSON Schema."""
    try:
        value = yaml.load(content.decode(), EditorLoader)
        return not jsonschema.Draft7Validator(schema(kind)).is_valid(value)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError):
        return True


def messages(path: Path, kind: Kind) -> list[str]:
    """Everything podsite says about a file, without the file's name."""
    try:
        problems = decode(textfile.load(path, path.name), path.name, MODELS[kind]).problems
    except ContentError as error:
        problems = error.problems
    return [str(one).removeprefix(f"{path.name}:").strip() for one in sorted(problems)]


@pytest.mark.parametrize("wrong", MISTAKES, ids=lambda one: one.name)
def test_a_mistake_gets_exactly_its_answer(wrong: Mistake, tmp_path: Path) -> None:
    """Podsite says what the head of the file promises, word for word, and nothing more."""
    path = tmp_path / wrong.name.removesuffix(".b64")
    path.write_bytes(wrong.content)
    assert messages(path, wrong.kind) == list(wrong.says)


@pytest.mark.parametrize("wrong", MISTAKES, ids=lambda one: one.name)
def test_an_editor_sees_the_mistake_where_a_schema_can(wrong: Mistake) -> None:
    """The JSON Schema gives the verdict stated in the head."""
    assert editor_refuses(wrong.kind, wrong.content) is wrong.refused


def test_every_message_speaks_of_yaml_not_of_python() -> None:
    """No message shows a class, a traceback or an internal name."""
    said = "\n".join(line for one in MISTAKES for line in one.says)
    assert not re.search(r"Traceback|Error\b|NoneType|<class|object at 0x|in range\(", said)


def test_ten_mistakes_get_ten_answers() -> None:
    """A stranger's file with ten mistakes is answered in one run."""
    (ten,) = [one for one in MISTAKES if one.name == "ten-mistakes.yaml"]
    assert len(ten.says) == 10


def test_the_collection_covers_many_kinds() -> None:
    """There are dozens of kinds, each told apart by its messages."""
    assert len(MISTAKES) >= 46
    assert len({one.says for one in MISTAKES}) == len(MISTAKES)


def test_a_head_without_its_answer_fails_the_collection(tmp_path: Path) -> None:
    """Nobody can add a file that promises nothing."""
    path = tmp_path / "nothing.yaml"
    path.write_text("# mistake: something\n# file: episode\n# schema: refuses\ntitle: x\n", encoding="utf-8")
    with pytest.raises(ValueError, match="the head must state"):
        mistake(path)
