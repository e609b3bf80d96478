"""Bring the catalogues of src/podsite/words up to date: python scripts/words.py

Every word of the interface is taken from the templates and from Python; each LANGUAGE.po gets those it lacks, to be
translated, and loses those that nobody says any more; LANGUAGE.json is made of it for builds to read. Ends with the
number of texts that are still to be translated.
"""

from __future__ import annotations

import ast
import io
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, get_args, get_type_hints

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from babel.plural import to_gettext
from jinja2.ext import babel_extract

from podsite import tables
from podsite.model import Episode
from podsite.parts import Reading
from podsite.words.catalogues import LANGUAGES, Text, key

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "src/podsite/words"

#: What words are said with: by template, by Python; where several forms or a meaning are among the arguments.
IN_TEMPLATES = {"_": 1, "gettext": 1, "script_text": 1, "ngettext": 2, "script_count": 2, "pgettext": "meaning"}
IN_PYTHON = {"say": 1, "marked": 1, "count": 2}
KINDS = ("zero", "one", "two", "few", "many", "other")


_INTRODUCTION = """
# Words

What the interface says in English, by the first file that says it. `words:` of show.yaml takes each of these, or what
your pages show for it in another language, and says yours in its place: see
[how to speak another language](../how-to/speak-another-language.md). A place such as `%(num)s` is filled with a value;
where two forms are given, name either.""".splitlines()


class Message(NamedTuple):
    """A word of the interface: its English forms (one, or two that go with numbers), its meaning, who says it."""

    forms: tuple[str, ...]
    meaning: str
    said_by: tuple[str, ...]

    @property
    def key(self) -> str:
        """Where it stands in a catalogue."""
        return key(self.forms[0], self.meaning)


def messages() -> list[Message]:
    """Every word of the interface, by where it is said first."""
    found: dict[str, Message] = {}
    for forms, meaning, file in (*_in_templates(), *_in_python(), *_in_tables()):
        at = key(forms[0], meaning)
        old = found.get(at, Message(forms, meaning, ()))
        both = forms if len(forms) > len(old.forms) else old.forms
        found[at] = Message(both, meaning, tuple(dict.fromkeys((*old.said_by, file))))
    return [*found.values()]


Said = tuple[tuple[str, ...], str, str]


def _in_templates() -> Iterator[Said]:
    folder = ROOT / "templates"
    for path in sorted(folder.rglob("*.html")):
        file = path.relative_to(ROOT).as_posix()
        with path.open("rb") as opened:
            for _, function, text, _ in babel_extract(opened, [*IN_TEMPLATES], [], {"silent": "false"}):
                texts, count = _texts(text), IN_TEMPLATES[function or "_"]
                if count == "meaning":
                    yield texts[1:], texts[0], file
                elif len(texts) == count:  # a variable is no text
                    yield texts, "", file


def _in_python() -> Iterator[Said]:
    for path in sorted((ROOT / "src/podsite").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                texts = _texts(tuple(one.value for one in node.args if isinstance(one, ast.Constant)))
                if IN_PYTHON.get(name) == len(texts):
                    yield texts, "", path.relative_to(ROOT).as_posix()


def _texts(text: object) -> tuple[str, ...]:
    """The texts among the arguments of a call."""
    return tuple(one for one in (text if isinstance(text, tuple) else (text,)) if isinstance(one, str))


def _in_tables() -> Iterator[Said]:
    """Words of closed lists, which templates say by what episodes have."""
    kinds = [kind for kind in _choices(Episode, "kind") if kind != "full"] + _choices(Reading, "kind")
    yield from (((kind.capitalize(),), "", "the kind of an episode or a reading") for kind in kinds)
    for roles in tables.ROLES.values():
        yield from (((role,), "", "the role of a person") for role in roles)


def _choices(kind: type, name: str) -> list[str]:
    hint = get_type_hints(kind)[name]
    options = [each for each in (hint, *get_args(hint)) if get_args(each)]
    return [one for each in options for one in get_args(each) if isinstance(one, str)]


def kinds(language: str) -> list[str]:
    """The kinds of numbers for which a language has words of their own, by CLDR, in the order of gettext."""
    return [kind for kind in KINDS if kind in {*Locale.parse(language, sep="-").plural_form.tags, "other"}]


def translated(language: str, said: Iterable[Message]) -> dict[str, Text]:
    """What a catalogue says by now, of all that is said; empty where it says nothing yet."""
    path = FOLDER / f"{language}.po"
    old = read_po(io.BytesIO(path.read_bytes() if path.exists() else b""), locale=language.replace("-", "_"))
    return {one.key: _translation(one, language, old) for one in said}


def _translation(one: Message, language: str, old: Catalog) -> Text:
    wanted = kinds(language)
    if language == "en":
        return one.forms[0] if len(one.forms) == 1 else dict(zip(("one", "other"), one.forms, strict=True))
    entry = old.get(one.forms[0], one.meaning or None)
    strings = _texts(entry.string) if entry else ()
    if len(one.forms) == 1:
        return strings[0] if len(strings) == 1 else ""
    return dict(zip(wanted, strings, strict=True)) if len(strings) == len(wanted) else dict.fromkeys(wanted, "")


def po(language: str, said: Iterable[Message], texts: Mapping[str, Text]) -> str:
    """A catalogue for translators."""
    plural = to_gettext(Locale.parse(language, sep="-").plural_form)
    name = Locale.parse(language, sep="-").get_display_name("en")
    parts = [
        f'# The words of podsite\'s interface: {name}.\nmsgid ""\nmsgstr ""\n"Language: {language}\\n"\n'
        f'"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: {plural}\\n"\n'
    ]
    for one in said:
        lines = [f"#. {file}" if " " in file else f"#: {file}" for file in one.said_by]
        lines += [f"msgctxt {_quoted(one.meaning)}"] if one.meaning else []
        lines.append(f"msgid {_quoted(one.forms[0])}")
        text = texts[one.key]
        if len(one.forms) > 1:
            lines.append(f"msgid_plural {_quoted(one.forms[1])}")
        if isinstance(text, str):
            lines.append(f"msgstr {_quoted(text)}")
        else:
            lines += [f"msgstr[{index}] {_quoted(form)}" for index, form in enumerate(text.values())]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # the same escapes as in gettext


def compiled(texts: Mapping[str, Text]) -> str:
    """A catalogue for builds; what is not translated yet is left out, and said in English."""
    done = {key: text for key, text in texts.items() if (text if isinstance(text, str) else all(text.values()))}
    return json.dumps(done, ensure_ascii=False, indent=1) + "\n"


def files() -> Iterator[tuple[Path, str]]:
    """Every file of the catalogues and what it should hold."""
    said = messages()
    for language in LANGUAGES:
        texts = translated(language, said)
        yield FOLDER / f"{language}.po", po(language, said, texts)
        yield FOLDER / f"{language}.json", compiled(texts)
    yield ROOT / "docs/reference/words.md", reference(said)


def reference(said: Iterable[Message]) -> str:
    """The page that lists every word for those who want to say it otherwise."""
    lines = ["<!-- Written by scripts/words.py; change what it reads instead. -->", *_INTRODUCTION]
    by_file: dict[str, list[Message]] = {}
    for one in said:
        by_file.setdefault(one.said_by[0], []).append(one)
    for file, words in by_file.items():
        lines += ["", f"## {file[0].upper()}{file[1:]}" if " " in file else f"## `{file}`", ""]
        lines += [f"- `{'` or `'.join(one.forms)}`{f' ({one.meaning})' if one.meaning else ''}" for one in words]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the catalogues."""
    missing = 0
    for path, content in files():
        path.write_text(content, encoding="utf-8")
        missing += content.count('\nmsgstr ""\n\n') + content.count('] ""\n')
    print(f"{missing} texts to translate")  # noqa: T201
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
