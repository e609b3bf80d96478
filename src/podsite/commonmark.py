"""Plain text as Markdown: what would be a mark is escaped, so that every reader of Markdown sees the words as they are.

In the ways that CommonMark and the older Markdown of Python have in common.
"""

from __future__ import annotations

import re

_MARKS = re.compile(r"[\\`*\[\]]")
_UNDERSCORE = re.compile(r"_(?:(?<![^\W_]_)|(?![^\W_]))")  # inside a word it is a letter
_BEGINS = re.compile(r"#|(?:[-+]|\d{1,9}[.)])(?=\s|$|[-+])")
_ENDS = re.compile(r"#+$")


def escaped(text: str) -> str:
    """Words inside a line: on one line, with nothing in them that means something."""
    line = _MARKS.sub(r"\\\g<0>", " ".join(text.split()))
    if "_" in line:
        line = _UNDERSCORE.sub(r"\\_", line)
    if "&" in line or "<" in line or ">" in line:
        line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return line.replace("~~", "&#126;&#126;") if "~~" in line else line


def begun(line: str) -> str:
    """Escaped words that a line begins with: they are no heading, item or rule."""
    if found := _BEGINS.match(line):
        at = found.end() - 1
        return f"{line[:at]}\\{line[at:]}" if line[0].isdigit() else f"\\{line}"
    return line


def heading(level: int, text: str) -> str:
    """A heading of escaped words; signs at its end that would count as its own are words."""
    return f"{'#' * level} {_ENDS.sub(lambda found: '&#35;' * len(found[0]), text)}"


def link(text: str, url: str) -> str:
    """A link of escaped words."""
    text = text.replace("]:", "]&#58;")  # which older readers take for a definition of what stands in brackets
    safe = url.replace(" ", "%20").replace("<", "%3C").replace(">", "%3E").replace("\\", "%5C")
    return f"[{text}](<{safe}>)" if re.search(r"[()*_`\[\]&]", safe) else f"[{text}]({safe})"
