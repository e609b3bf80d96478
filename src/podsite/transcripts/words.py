"""Words in lines: broken to a width, and joined again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

#: Where a sentence or a part of one ends.
STOPS = (".", "!", "?", "…", ",", ";", ":", "。", "！", "？", "，", "、", "；")
_CLOSING = "\"'”’»)]"


def joined(texts: Iterable[str]) -> str:
    """Lines as one: with spaces between, except inside scripts that are written without."""
    whole = ""
    for text in texts:
        piece = " ".join(text.split())
        if piece:
            unspaced = whole and is_unspaced(whole[-1]) and is_unspaced(piece[0])
            whole += piece if unspaced or not whole else f" {piece}"
    return whole


def is_unspaced(letter: str) -> bool:
    """Whether it is Chinese or Japanese, full-width punctuation included; Korean puts spaces between words."""
    return "⺀" <= letter <= "\u9fff" or "\uff00" <= letter <= "\uffef"


def lines(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` characters; a word that is longer, such as an address, stays whole."""
    if len(text) <= width:
        return [text] if text else []
    return [line for piece in pieces(text, width, 1) for line in piece]


def pieces(text: str, width: int, height: int, name: str = "") -> Iterator[list[str]]:
    """The text in pieces of at most `height` lines, which `joined` puts together to the same text.

    Where it does not fit into one, pieces end with a part of a sentence if that leaves them half full or fuller. A
    `name` stands before the text, and not without a word of it.
    """
    named = [*_tokens(name, width)]
    tokens = [*named, *_tokens(text, width)]
    begin = 0
    while begin < len(tokens):
        piece, end = _filled(tokens, begin, width, height)
        if end < len(tokens) and height > 1:
            best = _stop(tokens, begin, end, max(begin, len(named) - 1))
            if best < end:
                piece, end = _filled(tokens[:best], begin, width, height)
        yield piece
        begin = end


def _tokens(text: str, width: int) -> Iterator[str]:
    """What stays on one line: words, each behind a space, and parts of those that are too long for a line."""
    if text.isascii():
        yield from (f" {word}" for word in text.split())
        return
    words: list[str] = []
    for word in text.split():
        if words and is_unspaced(words[-1][-1]) and is_unspaced(word[0]):
            words[-1] += f" {word}"  # a line must not end here, for that would take the space away
        else:
            words.append(word)
    for word in words:
        glue = " "
        for part in _parts(word, width):
            yield glue + part
            glue = ""


def _filled(tokens: Sequence[str], begin: int, width: int, height: int) -> tuple[list[str], int]:
    """As many tokens as fit into so many lines, and where the rest begins; one always fits."""
    filled: list[str] = []
    for index in range(begin, len(tokens)):
        token = tokens[index]
        if filled and len(filled[-1]) + len(token) <= width:
            filled[-1] += token
        elif len(filled) == height:
            return filled, index
        else:
            filled.append(token.lstrip(" "))
    return filled, len(tokens)


def _stop(tokens: Sequence[str], begin: int, end: int, least: int) -> int:
    """The last place behind a stop in the later half of these tokens, and behind one after `least`; else `end`."""
    total = sum(map(len, tokens[begin:end]))
    after = 0
    for index in range(end - 1, least, -1):
        if tokens[index].rstrip(_CLOSING).endswith(STOPS):
            return index + 1
        after += len(tokens[index])
        if after * 2 > total:
            break
    return end


def _parts(word: str, width: int) -> Iterator[str]:
    """A word whole; one that is too long cut between letters of a script without spaces."""
    begin = 0
    while len(word) - begin > width:
        cuts = (n for n in range(begin + width, begin, -1) if _is_joint(word, n))
        end = next(cuts, None) or next((n for n in range(begin + width + 1, len(word)) if _is_joint(word, n)), None)
        if end is None:
            break
        yield word[begin:end]
        begin = end
    yield word[begin:]


def _is_joint(word: str, index: int) -> bool:
    return is_unspaced(word[index - 1]) and is_unspaced(word[index])
