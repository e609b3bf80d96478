"""From a feed's bytes to its tree.

A feed that is not well-formed is mended as far as it goes, and what was mended is kept as a flaw, so that one mistake
at the top does not hide the others below it.
"""

from __future__ import annotations

import html.entities
import re
from typing import TYPE_CHECKING

from podsite.feeds.rules.tree import Flaw, Node, Part, Tree, line_of

if TYPE_CHECKING:
    from lxml.etree import XMLParser, _Element

_DECLARATION = re.compile(rb"<\?xml\b[^>]*\?>")
_ENCODING = re.compile(rb"""encoding\s*=\s*["']([\w.-]+)["']""")
#: What XML cannot hold, each with bytes that must be there: to look for these first is a hundred times as quick.
_CONTROL = (
    (b"", re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")),
    (b"\xef\xbf", re.compile(rb"\xef\xbf[\xbe\xbf]")),
    (b"\xed", re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")),
    (b"&#", re.compile(rb"&#0*(?:[0-8]|1[124-9]|2\d|3[01]);|&#[xX]0*(?:[0-8bBcCeEfF]|1[0-9a-fA-F]);")),
)
_FORBIDDEN = bytes(one for one in range(32) if one not in b"\t\n\r")
_AFTER = re.compile(rb"\s*(?:<!--.*?-->\s*|<\?.*?\?>\s*)+", re.DOTALL)
_ENTITY = re.compile(rb"&([A-Za-z][A-Za-z0-9]*);")
_XML_ENTITIES = {b"amp", b"lt", b"gt", b"quot", b"apos"}


def parse(xml: bytes) -> Tree:
    """The feed as a tree, mended where it has to be."""
    tree = Tree()
    body = _without_control(_without_trailing(_without_lead(xml, tree), tree), tree)
    declaration = _DECLARATION.match(body)
    tree.has_declaration = declaration is not None
    encoding = _ENCODING.search(declaration[0]) if declaration else None
    tree.encoding = encoding[1].decode("ascii", "replace") if encoding else None
    root = _parsed(body, tree)
    if root is None:
        return tree
    tree.root = Node(root, tree, None)
    for element in (root, *root.iterchildren("*")):
        for uri in element.nsmap.values():
            tree.namespaces.setdefault(str(uri), line_of(element) + tree.skipped)
    channel = next((child for child in root.iterchildren("*") if tree.name(str(child.tag)) == "channel"), None)
    if tree.root.name == "rss" and channel is not None:
        tree.channel = Part(channel, tree, tree.root)
    return tree


def _without_lead(xml: bytes, tree: Tree) -> bytes:
    body = xml.removeprefix(b"\xef\xbb\xbf")
    declaration = _DECLARATION.search(body[:4096])
    start = declaration.start() if declaration else max(body.find(b"<"), 0)
    if start and not body.startswith((b"\xff\xfe", b"\xfe\xff")):
        lead = body[:start].decode("utf-8", "replace")
        if not declaration and not lead.strip():
            return body  # blanks before the root are well-formed where there is no declaration
        what = f"'{lead.strip()[:40]}'" if lead.strip() else "blanks"
        tree.flaws.append(Flaw("xml-prolog", 1, lead.strip(), f"the feed begins with {what} in place of '<?xml'"))
        tree.skipped = lead.count("\n")
        return body[start:]
    return body


def _without_trailing(body: bytes, tree: Tree) -> bytes:
    end = body.rfind(b"</rss>") + len(b"</rss>")
    if end >= len(b"</rss>") and _AFTER.fullmatch(body, end):
        what = body[end:].strip().decode("utf-8", "replace")
        line = tree.skipped + body.count(b"\n", 0, end) + 1
        tree.flaws.append(Flaw("xml-trailing", line, what[:80], f"'{what[:40]}' stands after '</rss>'"))
        return body[:end]
    return body


def _without_control(body: bytes, tree: Tree) -> bytes:
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return body
    plain = len(body.translate(None, _FORBIDDEN)) == len(body)
    kinds = [kind for mark, kind in _CONTROL if (mark in body if mark else not plain)]
    found = min((one for kind in kinds if (one := kind.search(body))), key=lambda one: one.start(), default=None)
    if found is None:
        return body
    line = tree.skipped + body.count(b"\n", 0, found.start()) + 1
    what = found[0].decode("ascii", "backslashreplace")
    what = f"U+{ord(what):04X}" if len(what) == 1 else what
    cleaned, count = body, 0
    for kind in kinds:
        cleaned, more_of_it = kind.subn(b"", cleaned)
        count += more_of_it
    more = f" and {count - 1} more" if count > 1 else ""
    tree.flaws.append(Flaw("xml-control", line, what, f"the control character {what}{more} cannot stand in XML"))
    return cleaned


def _parsed(body: bytes, tree: Tree) -> _Element | None:
    from lxml import etree

    try:
        return etree.fromstring(body, _parser())
    except etree.XMLSyntaxError as error:
        first = error
    mended = _ENTITY.sub(_as_number, body)
    if mended != body:
        name = next(one[1].decode() for one in _ENTITY.finditer(body) if _as_number(one) != one[0])
        line = tree.skipped + body.count(b"\n", 0, body.find(f"&{name};".encode())) + 1
        message = f"'&{name};' is an entity of HTML, which XML does not know"
        tree.flaws.append(Flaw("xml-entity", line, f"&{name};", message))
        try:
            return etree.fromstring(mended, _parser())
        except etree.XMLSyntaxError as error:
            first = error
    line, _ = first.position
    reason = re.sub(r", line \d+, column \d+.*", "", str(first.msg))
    tree.flaws.append(Flaw("xml-malformed", (line or 0) + tree.skipped, reason, f"is not well-formed XML: {reason}"))
    try:
        return etree.fromstring(mended, _parser(recover=True))
    except etree.XMLSyntaxError:
        return None


def _as_number(found: re.Match[bytes]) -> bytes:
    """An HTML entity as the number XML understands; XML's own and unknown ones stay."""
    point = html.entities.name2codepoint.get(found[1].decode())
    return found[0] if found[1] in _XML_ENTITIES or point is None else b"&#%d;" % point


def _parser(*, recover: bool = False) -> XMLParser:
    from lxml import etree

    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
        recover=recover,
    )
