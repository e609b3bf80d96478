"""The files of an index as pagefind writes them, made equal for equal input and cut down to what our pages load.

Two of them differ from run to run: the filters, whose values stand in no order, and the list of pages, which names the
filters by what they hold. Both are gzipped CBOR behind a word of pagefind's own; nothing else is taken apart.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Mapping
from typing import Any

_WORD = b"pagefind_dcd"
_ENTRY = "pagefind-entry.json"
_CODE = ("pagefind.js", "pagefind-worker.js")


class Unreadable(ValueError):  # noqa: N818 - the name says what is wrong
    """The files are not those of a pagefind that podsite knows."""


def files(written: Mapping[str, bytes], *, with_code: bool) -> dict[str, bytes]:
    """What we need of an index, sorted by path; `with_code`: and the programs that search it. Raises Unreadable."""
    try:
        found = {path: content for path, content in written.items() if path.startswith(("fragment/", "index/"))}
        found |= _listing(written)
        if with_code:
            found |= {name: written[name] for name in _CODE}
            found |= _engine(written)
    except (OSError, ValueError, LookupError, TypeError, EOFError, zlib.error) as error:
        raise Unreadable(str(error)) from error
    return dict(sorted(found.items()))


def _engine(written: Mapping[str, bytes]) -> dict[str, bytes]:
    """The compiled part of the search, which knows the words of one language; another lies beside it unasked."""
    [facts] = json.loads(written[_ENTRY])["languages"].values()
    name = f"wasm.{facts['wasm'] or 'unknown'}.pagefind"
    return {name: written[name]}


def _listing(written: Mapping[str, bytes]) -> dict[str, bytes]:
    """The list of pages and the filters it names, under names that tell what they hold now."""
    entry = json.loads(written[_ENTRY])
    [(language, facts)] = entry["languages"].items()
    version, pages, chunks, filters, *more = _read(written, f"pagefind.{facts['hash']}.pf_meta")
    found, named = {}, []
    for name, old in filters:
        known, values = _read(written, f"filter/{old}.pf_filter")
        content = _packed([known, sorted(values)])
        new = f"{language}_{hashlib.sha256(content).hexdigest()[:7]}"
        found[f"filter/{new}.pf_filter"] = content
        named.append([name, new])
    content = _packed([version, pages, chunks, sorted(named), *more])
    facts["hash"] = f"{language}_{hashlib.sha256(content).hexdigest()[:10]}"
    found[f"pagefind.{facts['hash']}.pf_meta"] = content
    found[_ENTRY] = json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode()
    return found


def _read(written: Mapping[str, bytes], path: str) -> list[Any]:
    data = gzip.decompress(written[path])
    if not data.startswith(_WORD):
        raise Unreadable(path)
    value, end = _value(data, len(_WORD))
    if end != len(data) or not isinstance(value, list):
        raise Unreadable(path)
    return value


def _packed(value: object) -> bytes:
    return gzip.compress(_WORD + b"".join(_bytes(value)), mtime=0)


def _value(data: bytes, at: int) -> tuple[Any, int]:
    """The CBOR value at a position, and where the next begins: whole numbers, texts, lists."""
    kind, size, at = data[at] >> 5, data[at] & 31, at + 1
    if size > 27:
        raise Unreadable(f"unknown size {size}")
    if size >= 24:
        width = 1 << size - 24
        size, at = int.from_bytes(data[at : at + width]), at + width
    if kind in (0, 1):
        return (size if kind == 0 else -1 - size), at
    if kind == 3:
        return data[at : at + size].decode(), at + size
    if kind != 4:
        raise Unreadable(f"unknown kind {kind}")
    found = []
    for _ in range(size):
        value, at = _value(data, at)
        found.append(value)
    return found, at


def _bytes(value: Any) -> list[bytes]:
    """A value as CBOR."""
    if isinstance(value, int):
        return [_head(0, value) if value >= 0 else _head(1, -1 - value)]
    if isinstance(value, str):
        text = value.encode()
        return [_head(3, len(text)), text]
    return [_head(4, len(value)), *(piece for each in value for piece in _bytes(each))]


def _head(kind: int, size: int) -> bytes:
    if size < 24:
        return bytes([kind << 5 | size])
    power = next(power for power in range(4) if size < 1 << (8 << power))
    return bytes([kind << 5 | 24 + power]) + size.to_bytes(1 << power)
