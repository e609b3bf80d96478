"""Promises of podsite.normal: which addresses are of one work, and which are of two."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from podsite.normal import arxiv, doi, normal

G = "https://github.com/pytorch/pytorch"

#: The normal form, and addresses that have it.
SAME = {
    "example.org/a": """
        https://example.org/a http://example.org/a https://www.example.org/a/ https://EXAMPLE.org/a#part
        https://example.org:443/a http://example.org:80/a// https://example.org./a https://m.example.org/a
        https://mobile.example.org/a https://user@example.org/a https://example.org/b/../a https://example.org/./a
        https://example.org/%61 https://example.org/a?utm_source=x&utm_medium=y https://example.org/a?fbclid=1
        https://example.org/a?gclid=1&mc_cid=2 https://example.org/a?igshid=1 https://example.org/a?ref_src=twsrc%5Etfw
        https://example.org/a?amp=1 https://example.org/a? https://example.org/a#:~:text=some%20words
        https://example.org/a/index.html https://example.org/a/index.htm
        https://web.archive.org/web/20200101000000/https://example.org/a
        https://web.archive.org/web/2020id_/http://www.example.org/a/
        https://web.archive.org/web/2020*/example.org/a
        https://archive.ph/2020.01.01-120000/https://example.org/a
        https://www.google.com/url?sa=t&url=https%3A%2F%2Fexample.org%2Fa&usg=x
        https://www.google.de/url?q=https://example.org/a&sa=D
        https://www.google.com/amp/s/example.org/a https://example-org.cdn.ampproject.org/c/s/example.org/a
        https://l.facebook.com/l.php?u=https%3A%2F%2Fexample.org%2Fa%3Ffbclid%3D1&h=x
        https://www.youtube.com/redirect?q=https%3A%2F%2Fexample.org%2Fa
    """,
    "example.org": "https://example.org https://example.org/ http://www.example.org/index.html",
    "example.org/a?b=1&c=2": """
        https://example.org/a?b=1&c=2 https://example.org/a?c=2&b=1 https://example.org/a/?c=2&utm_campaign=z&b=1
        https://web.archive.org/web/2020/https://example.org/a?c=2&b=1
    """,
    "example.org:8080/a": "https://example.org:8080/a http://www.example.org:8080/a/",
    "example.org/caf%C3%A9%20au%20lait": """
        https://example.org/caf%c3%a9%20au%20lait https://example.org/café%20au%20lait
    """,
    "example.org/100%25": "https://example.org/100% https://example.org/100%25",
    "xn--bcher-kva.example/a": "https://bücher.example/a https://xn--bcher-kva.example/a https://BÜCHER.example/a",
    "example.org#!/tune": "https://example.org/#!/tune http://example.org#!/tune",
    "github.com/pytorch/pytorch": f"""
        {G} {G}/ {G}.git https://github.com/PyTorch/PyTorch http://www.github.com/pytorch/pytorch
        {G}#readme {G}?tab=readme-ov-file
    """,
    "github.com/pytorch/pytorch/blob/main/c10/README.md": f"""
        {G}/blob/main/c10/README.md {G}/raw/main/c10/README.md {G}/tree/main/c10/README.md
        {G}/blame/main/c10/README.md {G}/blob/main/c10/README.md?plain=1 {G}/blob/main/c10/README.md#usage
        https://raw.githubusercontent.com/pytorch/pytorch/main/c10/README.md
        https://raw.githubusercontent.com/pytorch/pytorch/refs/heads/main/c10/README.md
        https://github.com/Pytorch/pytorch/blob/main/c10/README.md
    """,
    "github.com/pytorch/pytorch/blob/main/a.cpp#L10-L20": f"{G}/blob/main/a.cpp#L10-L20 {G}/raw/main/a.cpp#L10-L20",
    "github.com/pytorch/pytorch/issues/17": f"{G}/issues/17 {G}/pull/17 {G}/pull/17/files {G}/pull/17/commits",
    "github.com/pytorch/pytorch/issues/17#issuecomment-99": f"{G}/issues/17#issuecomment-99",
    "gitlab.com/a/b/-/blob/main/c.py#L3": """
        https://gitlab.com/a/b/-/blob/main/c.py#L3 https://gitlab.com/a/b/-/raw/main/c.py#L3
    """,
    "arxiv.org/abs/2101.00001": """
        https://arxiv.org/abs/2101.00001 https://arxiv.org/abs/2101.00001v3 https://arxiv.org/pdf/2101.00001
        https://arxiv.org/pdf/2101.00001v2.pdf http://export.arxiv.org/abs/2101.00001 https://arxiv.org/html/2101.00001v1
        https://ar5iv.labs.arxiv.org/html/2101.00001 https://doi.org/10.48550/arXiv.2101.00001
    """,
    "arxiv.org/abs/hep-th/9901001": "https://arxiv.org/abs/hep-th/9901001v2 https://arxiv.org/pdf/hep-th/9901001.pdf",
    "doi.org/10.1145/3297858.3304035": """
        https://doi.org/10.1145/3297858.3304035 http://dx.doi.org/10.1145/3297858.3304035
        https://dl.acm.org/doi/10.1145/3297858.3304035 https://dl.acm.org/doi/pdf/10.1145/3297858.3304035
        https://dl.acm.org/doi/abs/10.1145/3297858.3304035?casa_token=x
    """,
    "doi.org/10.1002/spe.1": "https://DOI.org/10.1002/SPE.1 https://onlinelibrary.wiley.com/doi/full/10.1002/spe.1",
    "doi.org/10.1007/978-3-030-1_2": """
        https://link.springer.com/chapter/10.1007/978-3-030-1_2
        https://link.springer.com/content/pdf/10.1007/978-3-030-1_2.pdf
    """,
    "youtube.com/watch?v=dQw4w9WgXcQ": """
        https://www.youtube.com/watch?v=dQw4w9WgXcQ https://youtu.be/dQw4w9WgXcQ?si=abc
        https://m.youtube.com/watch?v=dQw4w9WgXcQ&feature=share https://www.youtube.com/embed/dQw4w9WgXcQ
        https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ https://www.youtube.com/shorts/dQw4w9WgXcQ
        https://www.youtube.com/live/dQw4w9WgXcQ?t=0 https://music.youtube.com/watch?v=dQw4w9WgXcQ&list=RD
        https://www.youtube.com/watch?list=PL1&index=2&v=dQw4w9WgXcQ
    """,
    "youtube.com/watch?t=90&v=dQw4w9WgXcQ": """
        https://youtu.be/dQw4w9WgXcQ?t=90 https://youtu.be/dQw4w9WgXcQ?t=1m30s
        https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=90s https://www.youtube.com/embed/dQw4w9WgXcQ?start=90
        https://www.youtube.com/watch?v=dQw4w9WgXcQ#t=1m30s
    """,
    "youtube.com/playlist?list=PL1": "https://www.youtube.com/playlist?list=PL1&si=x",
    "en.wikipedia.org/wiki/Compiler_theory": """
        https://en.wikipedia.org/wiki/Compiler_theory https://en.m.wikipedia.org/wiki/Compiler_theory#History
        https://en.wikipedia.org/wiki/compiler%20theory https://en.wikipedia.org/w/index.php?title=Compiler_theory
    """,
    "amazon.com/dp/0128119861": """
        https://www.amazon.com/Programming-Hands/dp/0128119861 https://amazon.com/gp/product/0128119861?tag=me-20
        https://www.amazon.com/dp/0128119861/ref=sr_1_1?keywords=cuda
    """,
    "openreview.net/forum?id=abc": "https://openreview.net/forum?id=abc&noteId=1 https://openreview.net/pdf?id=abc",
    "stackoverflow.com/questions/231767": """
        https://stackoverflow.com/questions/231767/what-does-yield-do https://stackoverflow.com/q/231767/4
    """,
    "stackoverflow.com/a/231855": """
        https://stackoverflow.com/a/231855/4 https://stackoverflow.com/questions/231767/what-does-yield-do/231855#231855
    """,
    "x.com/a/status/1": "https://twitter.com/a/status/1?s=20&t=x https://mobile.twitter.com/a/status/1 https://x.com/a/status/1",
}  # fmt: skip
PAIRS = [(form, url) for form, urls in SAME.items() for url in urls.split()]

#: Addresses of two works.
DIFFERENT = [
    ("https://example.org/a", "https://example.org/A"),
    ("https://example.org/a", "https://example.org/a?v=2"),
    ("https://example.org/a", "https://example.com/a"),
    ("https://example.org/a", "https://blog.example.org/a"),
    ("https://example.org/a", "https://example.org:8080/a"),
    ("https://example.org/a", "https://example.org/a.html"),
    ("https://example.org/a/b", "https://example.org/a%2Fb"),
    ("https://example.org/?p=1", "https://example.org/?p=2"),
    ("https://example.org/?a=1&a=2", "https://example.org/?a=1"),
    ("https://example.org/?ref=main", "https://example.org/"),
    ("https://example.org/#/one", "https://example.org/#/two"),
    ("https://m.org/a", "https://org/a"),
    (f"{G}/blob/main/a.cpp", f"{G}/blob/v1.0/a.cpp"),
    (f"{G}/blob/main/a.cpp", f"{G}/blob/main/A.cpp"),
    (f"{G}/blob/main/a.cpp#L10", f"{G}/blob/main/a.cpp#L11"),
    (f"{G}/blob/main/a.cpp#L10", f"{G}/blob/main/a.cpp"),
    (f"{G}/issues/17", f"{G}/issues/18"),
    (f"{G}/issues/17", f"{G}/issues/17#issuecomment-1"),
    (f"{G}/issues/17", f"{G}/discussions/17"),
    (f"{G}/pull/17", f"{G}/pull/17/commits/abc"),
    (G, f"{G}/wiki"),
    ("https://arxiv.org/abs/2101.00001", "https://arxiv.org/abs/2101.00002"),
    ("https://arxiv.org/abs/2101.00001", "https://arxiv.org/list/cs.PL/recent"),
    ("https://doi.org/10.1145/1", "https://doi.org/10.1145/2"),
    ("https://example.org/doi/10.1145/1", "https://doi.org/10.1145/1"),
    ("https://youtu.be/dQw4w9WgXcQ", "https://youtu.be/dQw4w9WgXcq"),
    ("https://youtu.be/dQw4w9WgXcQ?t=90", "https://youtu.be/dQw4w9WgXcQ"),
    ("https://www.youtube.com/@a", "https://www.youtube.com/@b"),
    ("https://en.wikipedia.org/wiki/C", "https://de.wikipedia.org/wiki/C"),
    ("https://en.wikipedia.org/wiki/C", "https://en.wikipedia.org/w/index.php?title=C&oldid=1"),
    ("https://www.amazon.com/dp/0128119861", "https://www.amazon.de/dp/0128119861"),
    ("https://web.archive.org/web/2020/https://a.example/x", "https://web.archive.org/web/2020/https://b.example/x"),
    ("https://www.google.com/search?q=a", "https://www.google.com/search?q=b"),
    ("https://stackoverflow.com/questions/231767/a", "https://stackoverflow.com/a/231855"),
]


@pytest.mark.parametrize(("form", "url"), PAIRS)
def test_addresses_of_one_work_have_one_form(form: str, url: str) -> None:
    """However they are written."""
    assert normal(url) == form


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_addresses_of_two_works_have_two_forms(one: str, other: str) -> None:
    """Nothing is dropped that tells works apart."""
    assert normal(one) != normal(other)


def test_identifiers_are_read_off_the_form() -> None:
    """For citations."""
    assert doi(normal("https://dl.acm.org/doi/10.1145/1.2")) == "10.1145/1.2"
    assert doi("doi.org/10.1002/a%3Cb%3E") == "10.1002/a<b>"
    assert doi(normal("https://doi.org/")) is None
    assert arxiv(normal("https://arxiv.org/pdf/2101.00001v2")) == "2101.00001"
    assert arxiv(normal("https://example.org/abs/2101.00001")) is None


HOSTS = re.findall(
    r"\S+",
    """
    example.org a.b.example m.example.org google.com github.com raw.githubusercontent.com gitlab.com arxiv.org doi.org
    dl.acm.org youtube.com youtu.be en.m.wikipedia.org amazon.com openreview.net x.com stackoverflow.com
    web.archive.org archive.ph l.facebook.com cdn.ampproject.org localhost:80 bücher.example [::1]
    """,
)
PIECES = re.findall(
    r"\S+",
    """
    / // . .. ? # & = % %2 %2e %2F %C3 é 漢 : @ + ; ~ L1 - a B .git index.html wiki w/index.php title
    blob tree raw refs/heads pull/1 issues 10.1145/1 10.48550/arxiv. doi/ abs/2101.00001v2 .pdf /full
    watch v=x t=1h2m t=99999999999999 embed/ dp/0128119861 forum id=1 questions/1 status/
    /web/2020/ https://example.com http:/ /url?q= url?url=https%3A%2F%2Fa.example u= amp/s/ utm_x= #! #L1-L2
    """,
)


@given(st.sampled_from(HOSTS), st.lists(st.sampled_from([*PIECES, "\n"]), max_size=7))
@example("example.org", ["/", "/", "a"])
@example("a.b.example", ["/index.html/index.html/index.html"])
def test_a_form_is_its_own_form(host: str, pieces: list[str]) -> None:
    """Making it twice changes nothing, and nothing makes it fail."""
    form = normal(f"https://{host}/{''.join(pieces)}")
    assert normal(form) == form
    assert "." not in re.split("[/?#]", form)[0] or normal(f"http://www.{form}") == form


@given(st.text(max_size=40))
@example("https://[")
@example("\ud800")
@example("//")
def test_nothing_makes_it_fail(text: str) -> None:
    """Whatever somebody writes."""
    form = normal(text)
    assert normal(form) == form


NAMES = st.from_regex(r"[a-z]{1,8}(\.[a-z]{2,8}){1,3}", fullmatch=True)


@given(NAMES, NAMES, st.text("aB1.-/?#%[]@_~s&=;:", max_size=12))
def test_two_hosts_are_never_one(one: str, other: str, rest: str) -> None:
    """But for those that are known to show the same."""
    plain = [host.removeprefix("m.").removeprefix("mobile.").removeprefix("www.") for host in (one, other)]
    if plain[0] != plain[1]:
        assert normal(f"https://{one}/{rest}") != normal(f"https://{other}/{rest}")
