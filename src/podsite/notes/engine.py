"""The one Markdown instance, spared the work that a text cannot need.

Python-Markdown asks each of its patterns about each piece of a text. Most can only match where a certain string
stands, so those whose strings a text lacks are left out while it is read: the HTML is the same, at half the price.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TypeVar, cast
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions.footnotes import FootnoteExtension
from markdown.extensions.sane_lists import SaneListExtension
from markdown.extensions.tables import TableExtension
from markdown.inlinepatterns import DoubleTagInlineProcessor, SimpleTagInlineProcessor, SimpleTextInlineProcessor
from markdown.preprocessors import HtmlBlockPreprocessor, Preprocessor
from markdown.treeprocessors import InlineProcessor, UnescapeTreeprocessor
from markdown.util import Registry

_Processor = TypeVar("_Processor")

# enough of a bare address that emphasis does not see its `_` and `*`; linked when the HTML is known
_SHIELD = r"""((?:https?://|www\.)[^\s<>"`\x02\x03]*[^\s<>"`\x02\x03?!.,:;*_~'()\[\]])"""

# what stands between two marks of a kind may hold none of them, so that no search goes further than the next
_EMPHASIS = (
    ("***", r"(\*{3})(?=[^\s*])([^*]+)(?<=\S)\*{3}", "strong,em"),
    ("**", r"(\*\*)(?=[^\s*])((?:[^*]|\*(?!\*)|\*(?=\*\*(?!\*)))+?)(?<=\S)\*\*(?!\*)", "strong"),
    ("*", r"(\*)(?=[^\s*])([^*]+)(?<=\S)\*", "em"),
    ("__", r"(?<!\w)(__)(?=[^\s_])((?:[^_]|_(?!_))+?)(?<=\S)__(?!\w)", "strong"),
    ("_", r"(?<!\w)(_)(?=[^\s_])((?:[^_]|(?<=\w)_(?=\w))+?)(?<=\S)_(?!\w)", "em"),
    ("~~", r"(~~)(?=\S)([^~]+)(?<=\S)~~", "del"),
)

# strings of which a piece of text must hold one for the inline pattern of this name to match
_INLINE = {
    "backtick": ("`",),
    "escape": ("\\",),
    "footnote": ("[^",),
    "reference": ("[",),
    "link": ("](",),
    "image_link": ("![",),
    "image_reference": ("![",),
    "short_reference": ("[",),
    "short_image_ref": ("![",),
    "autolink": ("<",),
    "automail": ("<",),
    "linebreak": ("  \n",),
    "html": ("<",),
    "bare address": ("http", "www."),
    "entity": ("&",),
} | {mark: (mark,) for mark, _, _ in _EMPHASIS}
_REFERENCES = ("reference", "image_reference", "short_reference", "short_image_ref")

# the same for the whole text and blocks
_BLOCKS = {
    "table": ("|",),
    "hashheader": ("#",),
    "setextheader": ("=", "-"),
    "hr": ("--", "- -", "-  -", "__", "_ _", "_  _", "**", "* *", "*  *"),
    "quote": (">",),
    "footnote": ("]:",),
    "reference": ("]:",),
}


@cache
def engine(spare: bool = True) -> Markdown:
    """The instance for notes; making one costs more than an episode's notes.

    Without `spare` it is asked everything, as Python-Markdown does: only to prove that the results are the same.
    """
    # instances, because names are looked up in the metadata of every installed package
    extensions = [FootnoteExtension(), SaneListExtension(), TableExtension(use_align_attribute=True)]
    made = Markdown(extensions=extensions, output_format="html")
    made.preprocessors.deregister("normalize_whitespace")  # lines are normal, and stashed code would be lost
    made.inlinePatterns.register(SimpleTextInlineProcessor(_SHIELD), "bare address", 85)
    # Markdown's own emphasis differs between its versions, and that of 3.11 loses text (`*a **b*c`)
    for name in ("em_strong", "em_strong2"):
        made.inlinePatterns.deregister(name, strict=False)
    for priority, (mark, pattern, tags) in enumerate(reversed(_EMPHASIS), start=50):
        kind = DoubleTagInlineProcessor if "," in tags else SimpleTagInlineProcessor
        made.inlinePatterns.register(kind(pattern, tags), mark, priority)
    if spare:
        for name, strings in _INLINE.items():
            asked = made.inlinePatterns[name]
            asked.compiled_re = cast("re.Pattern[str]", _Spared(asked.compiled_re, strings))
        made.preprocessors.register(_Html(made), "html_block", 20)
        made.preprocessors.register(_Blocks(made), "blocks", 0)
        inline = _Inline(made)
        made.treeprocessors.register(inline, "inline", 20)
        made.treeprocessors.register(_Unescape(inline), "unescape", 0)
    return made


class _Spared:
    """A regular expression that can only match where one of these strings stands."""

    def __init__(self, pattern: re.Pattern[str], strings: Sequence[str]) -> None:
        self.search = pattern.finditer
        self.strings = strings

    def finditer(self, text: str, start: int) -> Iterable[re.Match[str]]:
        """The matches from `start`."""
        for string in self.strings:
            if text.find(string, start) >= 0:
                return self.search(text, start)
        return ()


class _Choice:
    """Processors, each with the strings of which a text must hold one to need it."""

    def __init__(self, registry: Registry[_Processor], strings: Mapping[str, Sequence[str]]) -> None:
        named = {id(registry[name]): needed for name, needed in strings.items()}
        self.processors = [(processor, named.get(id(processor), ("",))) for processor in registry]

    def needed(self, text: str) -> Registry[_Processor]:
        """Those a text needs, in their order."""
        found = [processor for processor, strings in self.processors if any(map(text.__contains__, strings))]
        return cast("Registry[_Processor]", found)  # which a list is for all who only read it


class _Html(HtmlBlockPreprocessor):
    """Looks for blocks of HTML where there is any."""

    def run(self, lines: list[str]) -> list[str]:
        """The lines with a placeholder for each block."""
        return super().run(lines) if any("<" in line or "&" in line for line in lines) else lines


class _Blocks(Preprocessor):
    """Leaves the text alone, and chooses who reads its blocks."""

    def __init__(self, md: Markdown) -> None:
        super().__init__(md)
        self.choice = _Choice(md.parser.blockprocessors, _BLOCKS)

    def run(self, lines: list[str]) -> list[str]:
        """The same lines."""
        self.md.parser.blockprocessors = self.choice.needed("\n".join(lines))
        return lines


class _Inline(InlineProcessor):
    """Applies the inline patterns that the text in the tree needs."""

    def __init__(self, md: Markdown) -> None:
        super().__init__(md)
        self.choice = _Choice(md.inlinePatterns, _INLINE)
        self.unreferenced = _Choice(md.inlinePatterns, _INLINE | dict.fromkeys(_REFERENCES, ()))
        self.escapes = False  # whether the last text held a backslash

    def run(self, tree: Element, ancestors: list[str] | None = None) -> Element:
        """The tree with the elements of the patterns."""
        choice = self.choice if self.md.references else self.unreferenced
        text = "\n".join(tree.itertext())
        self.inlinePatterns = choice.needed(text)
        self.escapes = "\\" in text
        return super().run(tree, ancestors)


class _Unescape(UnescapeTreeprocessor):
    """Puts back what a backslash protected, where there was one."""

    def __init__(self, inline: _Inline) -> None:
        super().__init__(inline.md)
        self.inline = inline

    def run(self, root: Element) -> None:
        """Change the tree in place."""
        if self.inline.escapes:
            super().run(root)
