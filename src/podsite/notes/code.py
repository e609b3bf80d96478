"""Code blocks: Pygments at build time, its many token types folded into eight classes with colours of our own."""

from __future__ import annotations

import html
import itertools
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.lexer import Lexer

# k keyword, s string, c comment, m number, f what is defined or decorated, b builtin or type, d deleted, i inserted
_CLASSES = {
    "Comment": "c",
    "Comment.Preproc": "k",
    "Comment.PreprocFile": "s",
    "Generic.Deleted": "d",
    "Generic.Heading": "f",
    "Generic.Inserted": "i",
    "Generic.Prompt": "c",
    "Generic.Subheading": "f",
    "Keyword": "k",
    "Keyword.Type": "b",
    "Literal.Date": "m",
    "Literal.Number": "m",
    "Literal.String": "s",
    "Name.Attribute": "f",
    "Name.Builtin": "b",
    "Name.Class": "f",
    "Name.Decorator": "f",
    "Name.Exception": "b",
    "Name.Function": "f",
    "Name.Tag": "k",
    "Operator.Word": "k",
}
LIGHT = {"k": "#8b1a6b", "s": "#0b6434", "c": "#645f58", "m": "#8f3a00",
         "f": "#1450a8", "b": "#0f5c6a", "d": "#a3171f", "i": "#17602c"}  # fmt: skip
DARK = {"k": "#e39ae0", "s": "#98d68f", "c": "#a39d93", "m": "#f0a868",
        "f": "#8ab8ff", "b": "#6fd0d8", "d": "#ff9a94", "i": "#8fdc9c"}  # fmt: skip

_LONGEST = 100_000  # characters; longer code is data, and a lexer's worst case is not worth it


def block(code: str, language: str = "") -> str:
    """The HTML of a plain code block, its language (or "") kept as `language-…`, the name HTML itself suggests."""
    name = f' class="language-{html.escape(language.lower())}"' if language else ""
    return f"<pre><code{name}>{html.escape(code, quote=False)}</code></pre>"


def highlight(code: str, language: str) -> str:
    """The HTML of `code` with a `<span class="…">` around each run of a kind; an unknown language stays plain."""
    lexer = _lexer(language) if language and len(code) <= _LONGEST else None
    if lexer is None:
        return html.escape(code, quote=False)
    runs = ((_class(str(kind)), text) for kind, text in lexer.get_tokens(code) if text)
    parts = []
    for name, group in itertools.groupby(runs, key=lambda run: run[0]):
        text = html.escape("".join(text for _, text in group), quote=False)
        bare = text.strip()
        parts.append(text.replace(bare, f'<span class="{name}">{bare}</span>', 1) if name and bare else text)
    return "".join(parts)


def highlight_css(light: Mapping[str, str] = LIGHT, dark: Mapping[str, str] = DARK) -> str:
    """The style sheet of highlighted code: colours by class for both schemes; paper always gets the light ones."""
    by_choice = ":root[data-theme=dark] .highlight"
    by_system = ":root:not([data-theme=light]) .highlight"
    return (
        f".highlight{{{_properties(light)}}}"
        + "".join(f".highlight .{name}{{color:var(--hl-{name})}}" for name in light)
        + ".highlight .c{font-style:italic}"
        + f"@media screen{{{by_choice}{{{_properties(dark)}}}}}"
        + f"@media screen and (prefers-color-scheme:dark){{{by_system}{{{_properties(dark)}}}}}\n"
    )


def _properties(colours: Mapping[str, str]) -> str:
    return ";".join(f"--hl-{name}:{colour}" for name, colour in colours.items())


@cache
def _class(kind: str) -> str:
    """Our class of a Pygments token type such as `Token.Name.Function.Magic`, or ""."""
    name = kind.removeprefix("Token.")
    while name not in _CLASSES and "." in name:
        name = name.rpartition(".")[0]
    return _CLASSES.get(name, "")


@cache
def _lexer(language: str) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
