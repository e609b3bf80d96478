"""Writes docs/reference/ from the code it describes: the keys from the model, commands, and what templates are given.

    python scripts/reference.py

tests/test_docs.py fails when a page is not what this script would write.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import jinja2

from podsite import cli, contexts, figures, filters, shapes, site, tables
from podsite.model import Episode, PageHead, Show
from podsite.shapes import Choice, Free, Key, Listing, Record, Shape, Table

REFERENCE = Path(__file__).resolve().parents[1] / "docs" / "reference"
_REMARK = "<!-- Written by scripts/reference.py; change the code it describes instead. -->\n"
_FACTS = (
    site.Entry, site.Audio, site.Picture, site.Appearance, site.Mention, site.Group, site.Contributor, site.Cited,
    site.Route, site.Stop, site.Site, figures.Year, figures.Bar, figures.Bin, figures.Extent,
    figures.Companion, figures.Neighbour, contexts.NavLink, contexts.Service, contexts.Stretch, contexts.Paragraph,
    contexts.Shelf, contexts.Billing,
)  # fmt: skip


def main() -> None:
    """Write every page."""
    REFERENCE.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (REFERENCE / name).write_text(text, encoding="utf-8")


def pages() -> dict[str, str]:
    """The text of every generated page, by file name."""
    return {"keys.md": keys(), "commands.md": commands(), "templates.md": templates()}


def keys() -> str:
    """Every key of show.yaml, of episodes, and of the front matter of pages."""
    lines = [_REMARK, "# Keys", "", *_KEYS_INTRODUCTION]
    queue = [("show.yaml", Show), ("An episode", Episode), ("Front matter of a page in pages/", PageHead)]
    seen = {kind for _, kind in queue}
    for title, kind in queue:  # grows while it is read: each kind of mapping is described once, behind what uses it
        record = shapes.record(kind)
        lines += [f"## {title}", ""]
        if kind.__doc__ and title == kind.__name__:
            lines += [kind.__doc__.splitlines()[0], ""]
        if record.short:
            names = " or ".join(f"`{key.name}`" for key in record.short)
            lines += [f"A bare value stands for {names}.", ""]
        lines += ["| key | value | without it | meaning |", "| --- | --- | --- | --- |"]
        for key in record.keys.values():
            lines.append(f"| `{key.name}` | {_value(key.shape)} | {_without(key)} | {_cell(key.doc)} |")
            for inner in _records(key.shape):
                if inner not in seen:
                    seen.add(inner)
                    queue.append((inner.__name__, inner))
        lines.append("")
    services = ", ".join(f"`{key}` ({name})" for key, (name, _) in tables.LISTEN.items())
    lines += ["## Services for `listen`", "", f"{services}. Any other name takes a full address.", ""]
    lines += ["## Apple's categories", "", *_categories(), ""]
    lines += ["## Roles of people", "", *(f"- {group}: {', '.join(roles)}" for group, roles in tables.ROLES.items())]
    return "\n".join(lines) + "\n"


_KEYS_INTRODUCTION = (
    "What may stand in the YAML files of a site. The same facts reach your editor as JSON Schemas (`podsite schema`).",
    "",
    "Each value is read as text and understood by its key: `010` is the number 10, and a title may be `No`. Keys that",
    "begin with `x-` are yours; podsite does not read them. A list of one mapping may be written without the list.",
    "",
)


def _value(shape: Shape) -> str:
    """The kind of a value, with links to mappings."""
    if isinstance(shape, Record):
        return f"[{shape.kind.__name__}](#{shape.kind.__name__.lower()})"
    if isinstance(shape, Listing):
        return f"list: {_value(shape.item)}"
    if isinstance(shape, Table):
        return f"mapping: {shape.key.name} → {_value(shape.item)}"
    if isinstance(shape, Choice):
        return ", ".join(f"`{option}`" for option in shape.options)
    return "anything" if isinstance(shape, Free) else shape.name


def _records(shape: Shape) -> Iterator[type]:
    """The mappings a value is made of."""
    if isinstance(shape, Record):
        yield shape.kind
    elif isinstance(shape, Listing | Table):
        yield from _records(shape.item)


def _without(key: Key) -> str:
    """What holds when the key is left out."""
    if key.required:
        return "**required**"
    if isinstance(key.default, bool):
        return f"`{str(key.default).lower()}`"
    return f"`{key.default}`" if key.default not in (None, (), "") else ""


def _categories() -> Iterator[str]:
    for name, parts in tables.CATEGORIES.items():
        yield f"- {name}" + (f" > {', '.join(parts)}" if parts else "")


def commands() -> str:
    """Every command with its arguments and options."""
    lines = [_REMARK, "# Commands", "", *_COMMANDS_INTRODUCTION]
    for words, command in _commands(cli.commands, ("podsite",)):
        lines += [f"## {' '.join(words)}", "", inspect.cleandoc(str(command.help)), ""]
        parameters = [one for one in command.params if isinstance(one, click.Option) and one.name != "help"]
        arguments = [one for one in command.params if isinstance(one, click.Argument)]
        usage = [*words, *(["[OPTIONS]"] if parameters else []), *map(_argument, arguments)]
        lines += ["```", " ".join(usage), "```", ""]
        if parameters:
            lines += ["| option | meaning |", "| --- | --- |"]
            lines += [f"| {_option(one)} | {_cell(one.help or '')} |" for one in parameters]
            lines.append("")
    return "\n".join(lines)


_COMMANDS_INTRODUCTION = (
    "A command ends with status 0 when it is done, 1 when there are problems, 2 when it was called wrongly. Problems",
    "go to the error output, one a line: `file:line:column: key: message`. With `--format github` or `json` they go to",
    "the standard output, those in no file as well. Each command knows `--help`.",
    "",
    "`SOURCE_DATE_EPOCH` (seconds since 1970) in the environment takes the place of the clock: what is scheduled for",
    "later than that is not built. `PODSITE_FAST=0` leaves the parsers of the extra `fast` alone.",
    "",
)


def _commands(group: click.Group, before: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from _commands(command, (*before, name))
        else:
            yield (*before, name), command


def _argument(argument: click.Argument) -> str:
    if isinstance(argument.type, click.Choice):
        return "|".join(argument.type.choices)
    if argument.metavar:
        return argument.metavar
    name = str(argument.name).upper()
    return name if argument.required else f"[{name}]"


def _option(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in option.opts)
    if option.is_flag:
        return names
    word = "\\|".join(option.type.choices) if isinstance(option.type, click.Choice) else option.metavar or "TEXT"
    return f"{names} {word}"


def templates() -> str:
    """What each template is given, and what templates can do with it."""
    lines = [_REMARK, "# Templates", "", *_TEMPLATES_INTRODUCTION, "## Every page", ""]
    common = {one.name for one in fields(contexts.Page)}
    lines += [*_context(contexts.Page, set()), ""]
    for name, kind in contexts.PAGES.items():
        lines += [f"## {name}", "", inspect.getdoc(kind) or "", "", *_context(kind, common), ""]
    lines += [
        "## Facts",
        "",
        "What the values above are made of. `entry.episode` and `show` have the keys of [the YAML",
        "files](keys.md).",
        "",
    ]
    for facts in _FACTS:
        lines += [f"### {facts.__name__}", "", inspect.getdoc(facts) or "", "", *_facts(facts), ""]
    lines += ["## Filters", "", "| filter | what it gives |", "| --- | --- |", *_filters(), ""]
    return "\n".join(lines)


_TEMPLATES_INTRODUCTION = (
    "Templates are [Jinja](https://jinja.palletsprojects.com/) files. A file in a site's `templates/` takes the place",
    'of the theme\'s file of the same name, and may extend the original: `{% extends "podsite/base.html" %}`.',
    "`podsite templates list` names the files, `podsite templates copy NAME` copies one. Text is escaped; asking for",
    "something that is not there stops the build with the file and the line.",
    "",
    "How pages of your own keep [the player](../explanation/player.md#templates-of-your-own): by including",
    "`partials/player.html`, and by links with `data-start`.",
    "",
)


def _context(kind: type, known: set[str]) -> Iterator[str]:
    own = [one for one in fields(kind) if one.name not in known]
    if own:
        yield from ("| name | type | what it is |", "| --- | --- | --- |")
        yield from (f"| `{one.name}` | {_type(one.type)} | {_cell(one.metadata['doc'])} |" for one in own)


def _facts(kind: Any) -> Iterator[str]:
    for one in fields(kind):
        yield f"- `{one.name}`: {_type(one.type)}"
    for name, member in inspect.getmembers(kind):
        function = member.fget if isinstance(member, property) else member
        if not name.startswith("_") and inspect.isfunction(function):
            parameters = ", ".join(list(inspect.signature(function).parameters)[1:])
            called = name if isinstance(member, property) else f"{name}({parameters})"
            result = _type(inspect.signature(function).return_annotation)
            yield f"- `{called}`: {result}. {_line(inspect.getdoc(function) or '')}"


def _type(annotation: Any) -> str:
    """A type as template authors say it: `list of Entry`, `Picture or none`."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    text = re.sub(r"tuple\[(\w+), \.\.\.\]", r"list of \1", text)
    text = text.replace("| None", "or none").replace("Mapping[str, int]", "mapping")
    for word, said in {
        "str": "text",
        "Kind": "text",
        "int": "number",
        "float": "number",
        "bool": "true or false",
    }.items():
        text = re.sub(rf"\b{word}\b", said, text)
    return text


def _filters() -> Iterator[str]:
    environment = jinja2.Environment(autoescape=True)
    standard = set(environment.filters)
    filters.install(environment)
    for name in sorted(set(environment.filters) - standard):
        function = environment.filters[name]
        behind = [one for one in inspect.signature(function).parameters.values() if one.name != "context"][1:]
        given = ", ".join(str(one.replace(annotation=inspect.Parameter.empty)) for one in behind)
        yield f"| `{name}{f'({given})' if given else ''}` | {_cell(inspect.getdoc(function) or '')} |"


def _line(text: str) -> str:
    return " ".join(text.split())


def _cell(text: str) -> str:
    return _line(text).replace("|", "\\|")


if __name__ == "__main__":
    main()
