"""From a feed's bytes to its tree.

A feed that is not well-formed is mended as far as it goes, and what was mended is kept as a flaw, so that one mistake
at the top does not hide the others below it.
"""

from __future__ import annotations

import codecs
import html.entities
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from podsite.feeds.rules.tree import Flaw, Node, Part, Tree, line_of

if TYPE_CHECKING:
    from lxml.etree import XMLParser, _Element

_DECLARATION = re.compile(rb"<\?xml\s[^>]*\?>")
_ENCODING = re.compile(rb"""encoding\s*=\s*["']([\w.-]+)["']""")
#: What XML cannot hold, each with bytes that must be there: to look for these first is a hundred times as quick.
_CONTROL = (
    (b"", re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")),
    (b"\xef\xbf", re.compile(rb"\xef\xbf[\xbe\xbf]")),
    (b"\xed", re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")),
    (b"&#", re.compile(rb"&#(?:([0-9]+)|[xX]([0-9a-fA-F]+));")),
)
#: Encodings whose letters are several bytes, by how a feed in them begins; UTF-32's mark begins with UTF-16's.
_WIDE = {
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
    b"<\0?\0": "utf-16-le",
    b"\0<\0?": "utf-16-be",
}
_FORBIDDEN = bytes(one for one in range(32) if one not in b"\t\n\r")
#: Each comment and instruction ends at its first end: with `.*?` what does not match would be tried in 2**n ways.
_AFTER = re.compile(rb"\s*(?:<!--(?:(?!-->).)*-->\s*|<\?(?:(?!\?>).)*\?>\s*)+", re.DOTALL)
#: An entity, or what may hold the same letters without meaning one: CDATA and comments.
_ENTITY = re.compile(rb"<!\[CDATA\[.*?\]\]>|<!--.*?-->|&([A-Za-z][A-Za-z0-9]*);", re.DOTALL)
_DECLARED = re.compile(rb"<!ENTITY\s+([A-Za-z][A-Za-z0-9]*)\s")
_XML_ENTITIES = {b"amp", b"lt", b"gt", b"quot", b"apos"}


def parse(xml: bytes) -> Tree:
    """The feed as a tree, mended where it has to be."""
    tree = Tree()
    body = _without_control(_without_trailing(_without_lead(_by_bytes(xml, tree), tree), tree), tree)
    declaration = _DECLARATION.match(body)
    tree.has_declaration = declaration is not None
    encoding = _ENCODING.search(declaration[0]) if declaration else None
    if encoding and tree.encoding:
        body = body[: encoding.start(1)] + b"UTF-8" + body[encoding.end(1) :]
    elif encoding:
        tree.encoding = encoding[1].decode("ascii", "replace")
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


def _by_bytes(xml: bytes, tree: Tree) -> bytes:
    """The feed in an encoding whose letters are bytes: UTF-16 and UTF-32 become UTF-8."""
    for mark, encoding in _WIDE.items():
        if xml.startswith(mark):
            tree.encoding = encoding.removesuffix("-le").removesuffix("-be").upper()
            return xml.decode(encoding, "replace").removeprefix("\ufeff").encode()
    return xml.removeprefix(codecs.BOM_UTF8)


def _without_lead(body: bytes, tree: Tree) -> bytes:
    declaration = _DECLARATION.search(body[:4096])
    start = declaration.start() if declaration else max(body.find(b"<"), 0)
    if start:
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
    found = list(_impossible(body))
    if not found:
        return body
    first = min(found, key=lambda one: one.start())
    line = tree.skipped + body.count(b"\n", 0, first.start()) + 1
    what = first[0].decode("ascii", "backslashreplace")
    what = f"U+{ord(what):04X}" if len(what) == 1 else what
    body, count = _cleaned(body)
    more = f" and {count - 1} more" if count > 1 else ""
    tree.flaws.append(Flaw("xml-control", line, what, f"the control character {what}{more} cannot stand in XML"))
    return body


def _cleaned(body: bytes) -> tuple[bytes, int]:
    """The feed without what no XML can hold, and how much that was."""
    count = 0
    while found := list(_impossible(body)):  # what is left may be one again: '&#', a NUL, '8;'
        count += len(found)
        starts, ends = zip(*sorted(one.span() for one in found), strict=True)
        body = b"".join(body[end:start] for end, start in zip((0, *ends), (*starts, len(body)), strict=True))
    return body, count


def _impossible(body: bytes) -> Iterator[re.Match[bytes]]:
    """What no XML can hold, as it stands or by its number."""
    plain = len(body.translate(None, _FORBIDDEN)) == len(body)
    for mark, kind in _CONTROL:
        if mark in body if mark else not plain:
            yield from (one for one in kind.finditer(body) if not one.re.groups or not _is_character(one))


def _is_character(reference: re.Match[bytes]) -> bool:
    digits, base = (reference[1], 10) if reference[1] else (reference[2], 16)
    digits = digits.lstrip(b"0")
    point = int(digits or b"0", base) if len(digits) < 8 else -1  # more than the 1,114,111 there are
    return point in {9, 10, 13} or 0x20 <= point <= 0xD7FF or 0xE000 <= point <= 0xFFFD or 0xFFFF < point <= 0x10FFFF


def _parsed(body: bytes, tree: Tree) -> _Element | None:
    from lxml import etree

    try:
        return etree.fromstring(body, _parser(body))
    except etree.XMLSyntaxError as error:
        first = error
    mended = _without_entities(body, tree)
    if mended != body:
        try:
            return etree.fromstring(mended, _parser(mended))
        except etree.XMLSyntaxError as error:
            first = error
    line, _ = first.position
    reason = re.sub(r", line \d+, column \d+.*", "", str(first.msg))
    tree.flaws.append(Flaw("xml-malformed", (line or 0) + tree.skipped, reason, f"is not well-formed XML: {reason}"))
    try:
        root = etree.fromstring(mended, _parser(mended, recover=True))
        if root is not None:  # recovering, the parser lets through what no XML can hold, in encodings not looked into
            read = etree.tostring(root, encoding="utf-8")
            cleaned, count = _cleaned(read)
            root = etree.fromstring(cleaned, _parser(cleaned, recover=True)) if count else root
    except etree.XMLSyntaxError:
        return None
    return root


def _without_entities(body: bytes, tree: Tree) -> bytes:
    """HTML's entities as the numbers XML understands; XML's own, those of the feed's DTD and unknown ones stay."""
    kept = _XML_ENTITIES | set(_DECLARED.findall(body))
    first: re.Match[bytes] | None = None

    def number(found: re.Match[bytes]) -> bytes:
        nonlocal first
        point = html.entities.name2codepoint.get(found[1].decode()) if found[1] and found[1] not in kept else None
        if point is None:
            return found[0]
        first = first or found
        return b"&#%d;" % point

    mended = _ENTITY.sub(number, body)
    if first:
        name, line = first[0].decode(), tree.skipped + body.count(b"\n", 0, first.start()) + 1
        message = f"'{name}' is an entity of HTML, which XML does not know"
        tree.flaws.append(Flaw("xml-entity", line, name, message))
    return mended


def _parser(body: bytes, *, recover: bool = False) -> XMLParser:
    """A parser that reads no other file. Where entities are declared, its limits keep them from growing without end."""
    from lxml import etree

    return etree.XMLParser(
        resolve_entities="internal",  # type: ignore[arg-type]  # lxml-stubs know it as a bool only
        no_network=True,
        huge_tree=b"<!ENTITY" not in body,
        remove_comments=True,
        remove_pis=True,
        recover=recover,
    )
