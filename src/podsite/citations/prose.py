"""Citations as people read them: a reading list in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from podsite.citations.work import Work
from podsite.commonmark import escaped, heading, link
from podsite.words import marked

#: The kinds of reading in the order of lists, and what they are called there.
SHELVES = {
    "paper": marked("Papers"), "book": marked("Books"), "article": marked("Articles"), "docs": marked("Documentation"),
    "code": marked("Code"), "issue": marked("Issues and pull requests"), "talk": marked("Talks"),
    "video": marked("Videos"), "podcast": marked("Podcasts"), None: marked("More"),
}  # fmt: skip


def markdown(title: str, shelves: Iterable[tuple[str, Sequence[Work]]], archived: str) -> str:
    """A list under a heading, by kinds that each have a heading where there are several."""
    parts = [f"{heading(1, escaped(title))}\n"]
    groups = [*shelves]
    for name, works in groups:
        parts += [f"{heading(2, escaped(name))}\n"] if len(groups) > 1 else []
        parts.append("".join(f"- {_line(work, archived)}\n" for work in works))
    return "\n".join(parts)


def _line(work: Work, archived: str) -> str:
    names = [one.literal or f"{one.given} {one.surname} {one.suffix}".strip() for one in work.names]
    facts = [", ".join([*names, *(["et al."] if work.has_more else [])])]
    facts += [str(work.year or ""), work.host]
    told = ", ".join(escaped(fact) for fact in facts if fact)
    note = f" {escaped(work.note)}" if work.note else ""
    copy = f" {link(escaped(archived), work.archive)}" if work.archive else ""
    return f"{link(escaped(work.title), work.url)}. {told}.{note}{copy}"
