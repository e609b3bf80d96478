"""The order of names in an index, and the letters that stand above them, as readers of a language look them up.

Case and accents do not count, but where an accented letter has a place of its own in the alphabet; an Arabic article
does not count; kana go by their sound. Han characters have an order only by their readings, which no name tells: they
follow by their code.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_NORDIC = "abcdefghijklmnopqrstuvwxyzæøå"
_SWEDISH = "abcdefghijklmnopqrstuvwxyzåäö"

#: Alphabets in which letters with marks stand apart.
_ALPHABETS = {
    "cs": "abcčdefghijklmnopqrřsštuvwxyzž",
    "da": _NORDIC,
    "es": "abcdefghijklmnñopqrstuvwxyz",
    "et": "abcdefghijklmnopqrsšzžtuvwõäöüxy",
    "fi": _SWEDISH,
    "is": "aábcdðeéfghiíjklmnoópqrstuúvwxyýzþæö",
    "nb": _NORDIC,
    "nn": _NORDIC,
    "no": _NORDIC,
    "pl": "aąbcćdeęfghijklłmnńoópqrsśtuvwxyzźż",
    "ro": "aăâbcdefghiîjklmnopqrsștțuvwxyz",
    "sk": "aäbcčdďeéfghiíjklľmnňoóôpqrsštťuúvwxyýzž",
    "sv": _SWEDISH,
    "tr": "abcçdefgğhıijklmnoöpqrsştuüvwxyz",
}
#: Scripts of languages whose own names come before foreign ones; in Japanese and Chinese those in Latin come first.
_OWN_SCRIPTS = {
    "ar": "ARABIC", "bg": "CYRILLIC", "el": "GREEK", "fa": "ARABIC", "he": "HEBREW", "hi": "DEVANAGARI",
    "ru": "CYRILLIC", "sr": "CYRILLIC", "th": "THAI", "uk": "CYRILLIC", "ur": "ARABIC",
}  # fmt: skip
_SPELT_OUT = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th"})
_ROWS = "あかさたなはまやらわ"  # the first kana of each row
_HAN = {"ja": "漢字", "zh": "汉字"}


@lru_cache(maxsize=8192)
def order(name: str, language: str) -> tuple[object, ...]:
    """A key that sorts names as an index of the language does."""
    code = language.split("-", maxsplit=1)[0]
    plain = _plain(name, code)
    own = _OWN_SCRIPTS.get(code)
    is_foreign = bool(own and plain and not unicodedata.name(plain[0], "").startswith(own))
    alphabet = _ALPHABETS.get(code, "")
    return is_foreign, [(alphabet.find(letter), letter) for letter in plain] if alphabet else plain, name


@lru_cache(maxsize=8192)
def initial(name: str, language: str) -> str:
    """What stands above a name in an index: its first letter, or what stands for many such letters."""
    code = language.split("-", maxsplit=1)[0]
    first = _plain(name, code)[:1]
    kind = unicodedata.name(first, "") if first else ""
    if kind.startswith("CJK"):
        return _HAN.get(code, "漢字")
    if kind.startswith("HIRAGANA"):
        return max((row for row in _ROWS if row <= first), default=_ROWS[0])
    if not first.isalpha():
        return "#"
    return "İ" if code == "tr" and first == "i" else first.upper()


def _plain(name: str, code: str) -> str:
    """A name without what does not count."""
    text = unicodedata.normalize("NFKC", name).strip()
    if code == "tr":
        text = text.replace("I", "ı").replace("İ", "i")
    text = text.casefold()
    if code in {"ar", "fa", "ur"} and text.startswith("ال") and len(text) > 3:
        text = text[2:]
    letters = _ALPHABETS.get(code, "")
    parts = (letter if letter in letters else _unmarked(letter) for letter in text)
    return "".join(parts)


def _unmarked(letter: str) -> str:
    if "ァ" <= letter <= "ヶ":
        letter = chr(ord(letter) - 0x60)  # katakana as hiragana
    apart = unicodedata.normalize("NFD", letter)
    return "".join(one for one in apart if not unicodedata.combining(one)).translate(_SPELT_OUT)
