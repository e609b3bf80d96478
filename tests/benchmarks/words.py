"""Words for titles, summaries and notes that look like those of a real show."""

from __future__ import annotations


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


ADJECTIVES = _listed("""
    quiet broken hidden early patient crowded distant fragile golden hollow idle jagged late narrow open plain rapid
    salted tidal uneven velvet weary young ancient borrowed careful double electric forgotten gentle honest invisible
    loud magnetic northern ordinary painted restless silent twisted urban vivid wooden
""")
NOUNS = _listed("""
    harbour engine garden lantern compiler bridge market orchard signal kitchen river archive ladder winter station
    valley mirror needle paper quarry railway shadow thread umbrella village window yard anchor beacon canal desert
    echo factory glacier horizon island journey kettle library mountain notebook ocean pendulum question road
""")
VERBS = _listed("""
    holds moves explains changes repeats carries measures follows surprises replaces remembers divides joins weighs
    describes opens answers ignores protects compares collects delays survives
""")
SMALL = _listed("the a one every this that its another our their some")
JOINTS = _listed("because although while and but so before after unless where")
ADVERBS = _listed("slowly often rarely twice again almost together nearly still once mostly later")
#: Titles hold what escaping has to get right.
EXTRAS = ("& more", "(part 2)", "– a “second” look", "’s edge", "in Zürich", "vs. <em>", "in 10°", "«encore»")
SUBJECTS = _listed("""
    History Weather Soil Machines Cities Language Music Mathematics Rivers Food Light Memory Maps Trade Sleep Paper
    Bridges Radio Insects Glass Colour Money Ships Trees Games Bread Time Law Dust Bicycles
""")
FIRST = _listed("Ada Bruno Carla Dmitri Esra Farid Greta Hiro Ines Jonas Kavya Lena")
LAST = _listed("Reef Okafor Lindqvist Marsh Tanaka Weaver Novák Quill Sørensen Dale Ferreira Stone")
KINDS = ("article", "paper", "book", "code", "docs", "talk", "video")
CODE = ("layout()", "make check", "--verbose", "cache.py", "0x7f", "git bisect", "n log n", "POST /items")
LISTING = """\
```python
def {name}(items):
    for item in items:
        if item > {number}:
            yield item * 2
```"""
