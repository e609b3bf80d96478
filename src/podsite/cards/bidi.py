"""Which way each letter of a line runs: the Unicode Bidirectional Algorithm (UAX #9) for text without controls."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

_STRONG = {"L", "R", "AL"}
_NEUTRAL = {"B", "S", "WS", "ON"}
_NUMBER = {"EN", "AN"}
_PAIRS = {
    "(": ")",
    "[": "]",
    "{": "}",
    "⁅": "⁆",
    "〈": "〉",
    "《": "》",
    "「": "」",
    "『": "』",
    "【": "】",
    "〔": "〕",
}
_PAIRS |= {
    "〖": "〗",
    "〘": "〙",
    "〚": "〛",
    "（": "）",
    "［": "］",
    "｛": "｝",
    "｟": "｠",
    "｢": "｣",
    "⟨": "⟩",
    "⟦": "⟧",
}
_OPENING = {closing: opening for opening, closing in _PAIRS.items()}
_DEEPEST = 63  # open brackets that are kept in mind


def is_rtl(text: str, default: bool = False) -> bool:
    """Whether a text runs from the right, by its first letter that runs either way (P2, P3)."""
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in _STRONG:
            return kind != "L"
    return default


def levels(text: str, rtl: bool) -> list[int]:
    """The level of each character in a line that runs from the right if `rtl`: odd ones run from the right.

    Controls of direction count as nothing; leave them out.
    """
    if not rtl and text.isascii():
        return [0] * len(text)
    kinds = [unicodedata.bidirectional(char) or "L" for char in text]
    base = int(rtl)
    start = "R" if rtl else "L"
    classes = [
        "BN" if kind in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"} else kind for kind in kinds
    ]
    kept = [at for at, kind in enumerate(classes) if kind != "BN"]  # X9
    seen = [classes[at] for at in kept]
    resolved = _neutral(_bracketed(_weak(seen, start), seen, [text[at] for at in kept], start), start)
    found = [base] * len(text)
    for at, kind in zip(kept, resolved, strict=True):
        found[at] = base + _above(kind, base)
    for at, kind in enumerate(classes):
        if kind == "BN":
            found[at] = found[at - 1] if at else base
    for at in range(len(text) - 1, -1, -1):  # L1: what ends the line runs with it
        if kinds[at] not in {"WS", "S", "B", "BN"}:
            break
        found[at] = base
    return found


def visual(found: Sequence[int]) -> list[int]:
    """The order, from the left, in which pieces of these levels stand (L2): their places in the text."""
    order = [*range(len(found))]
    odd = [level for level in found if level % 2]
    for level in range(max(found, default=0), min(odd, default=1) - 1, -1):
        at = 0
        while at < len(order):
            end = at
            while end < len(order) and found[order[end]] >= level:
                end += 1
            order[at:end] = order[at:end][::-1]
            at = max(end, at + 1)
    return order


def _above(kind: str, base: int) -> int:
    """How much higher than the line's level a character lies (I1, I2)."""
    if base:
        return 0 if kind == "R" else 1
    return {"R": 1, "L": 0}.get(kind, 2)


def _weak(kinds: list[str], start: str) -> list[str]:
    """Numbers and marks, by what stands around them (W1 to W7)."""
    found, strong, before = [], start, start
    for kind in kinds:
        now = before if kind == "NSM" else kind  # W1
        if now in _STRONG:
            strong = now
        if now == "EN" and strong == "AL":  # W2
            now = "AN"
        found.append(now)
        before = now
    found = ["R" if kind == "AL" else kind for kind in found]  # W3; W2 is done by now
    for at in range(1, len(found) - 1):  # W4
        around = found[at - 1], found[at + 1]
        if found[at] == "ES" and around == ("EN", "EN"):
            found[at] = "EN"
        elif found[at] == "CS" and around[0] == around[1] and around[0] in _NUMBER:
            found[at] = around[0]
    return _numbered(found, start)


def _numbered(found: list[str], start: str) -> list[str]:
    for first, end in _runs(found, {"ET"}):  # W5
        if (first and found[first - 1] == "EN") or (end < len(found) and found[end] == "EN"):
            found[first:end] = ["EN"] * (end - first)
    strong = start
    for at, kind in enumerate(found):
        if kind in {"ES", "ET", "CS"}:  # W6
            found[at] = "ON"
        elif kind in _STRONG:
            strong = kind
        elif kind == "EN" and strong == "L":  # W7
            found[at] = "L"
    return found


def _bracketed(found: list[str], seen: Sequence[str], text: Sequence[str], own: str) -> list[str]:
    """Brackets run as the line does if anything between them does, else as what stands around them (N0)."""
    for opening, closing in _brackets(found, text):
        inside = {_direction(kind) for kind in found[opening + 1 : closing]} - {""}
        if not inside:
            continue
        before = next(filter(None, map(_direction, reversed(found[:opening]))), own)
        side = own if own in inside else before
        for at in (opening, closing):
            found[at] = side
            while (at := at + 1) < len(found) and seen[at] == "NSM":  # marks go with their bracket
                found[at] = side
    return found


def _neutral(found: list[str], own: str) -> list[str]:
    """All else that has no direction, by what stands around it (N1, N2)."""
    for first, end in _runs(found, _NEUTRAL):
        before = _direction(found[first - 1]) if first else own
        after = _direction(found[end]) if end < len(found) else own
        found[first:end] = [before if before == after else own] * (end - first)
    return found


def _direction(kind: str) -> str:
    """The side that a character speaks for: numbers run with what is written from the right."""
    return "L" if kind == "L" else "R" if kind in {"R", "EN", "AN"} else ""


def _brackets(found: Sequence[str], text: Sequence[str]) -> list[tuple[int, int]]:
    """Places of brackets that belong together, in the order of the opening ones (BD16)."""
    waiting: list[tuple[str, int]] = []
    pairs = []
    for at, char in enumerate(text):
        if found[at] != "ON":
            continue
        if char in _PAIRS:
            if len(waiting) == _DEEPEST:
                return []
            waiting.append((char, at))
        elif char in _OPENING:
            depth = next((d for d in range(len(waiting) - 1, -1, -1) if waiting[d][0] == _OPENING[char]), None)
            if depth is not None:
                pairs.append((waiting[depth][1], at))
                del waiting[depth:]
    return sorted(pairs)


def _runs(found: Sequence[str], kinds: set[str]) -> Iterator[tuple[int, int]]:
    """Beginning and end of each row of characters of these kinds."""
    at = 0
    while at < len(found):
        end = at
        while end < len(found) and found[end] in kinds:
            end += 1
        if end > at:
            yield at, end
        at = max(end, at + 1)
