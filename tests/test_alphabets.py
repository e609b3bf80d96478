"""Promises of podsite.alphabets: names stand where readers of a language look for them, under the right letters."""

from __future__ import annotations

import pytest

from podsite.alphabets import initial, order


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ["eel", "Éric", "Etna", "zoo"]),
        ("de", ["Öl", "Ost", "Strafe", "Straße", "über", "Zeit"]),
        ("de-AT", ["Ähre", "Akt"]),
        ("es", ["nube", "ñandú", "oso"]),
        ("sv", ["zebra", "ål", "ära", "öga"]),
        ("da", ["zoo", "æble", "øl", "å"]),
        ("fr", ["cœur", "coing", "élan", "état"]),
        ("tr", ["ılık", "iz", "şan"]),
        ("ar", ["البحر", "تاريخ", "الليل", "GPU"]),
        ("el", ["Άλφα", "βήτα", "CUDA"]),
        ("ja", ["GPU", "かぎ", "ガス", "きく", "パン", "空"]),
    ],
)
def test_names_are_in_the_order_of_their_language(language: str, names: list[str]) -> None:
    """Case and accents do not count where the alphabet has no letter of its own for them."""
    assert sorted([names[-1], *names[:-1]], key=lambda name: order(name, language)) == names


@pytest.mark.parametrize(
    ("language", "name", "letter"),
    [
        ("en", "éclair", "E"),
        ("de", "Öl", "O"),
        ("sv", "öga", "Ö"),
        ("tr", "istanbul", "İ"),
        ("ar", "الليل", "ل"),
        ("ja", "パン", "は"),
        ("ja", "ガス", "か"),
        ("ja", "夜", "漢字"),
        ("zh", "夜", "汉字"),
        ("en", "3D", "#"),
        ("en", "“Quoted”", "#"),
        ("en", "", "#"),
    ],
)
def test_a_name_stands_under_its_letter(language: str, name: str, letter: str) -> None:
    """What the eye looks for: kana by their row, Han characters together, numbers and signs under one sign."""
    assert initial(name, language) == letter
