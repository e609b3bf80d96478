"""What templates can do with values: links relative to their page, dates and numbers in the show's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from functools import lru_cache
from typing import Any

import jinja2
import markupsafe

from podsite import alphabets, locales, urls, values
from podsite.citations.coins import of_reading
from podsite.errors import hint
from podsite.urls import host
from podsite.values import iso_duration

_FIXED = "\xa0"  # a space at which no line ends


class Missing(jinja2.StrictUndefined):
    """What is not there: asking for it is an error that names the nearest thing that is."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        name, owner = self._undefined_name, self._undefined_obj
        message: str = super()._undefined_message
        if message.endswith("is undefined") or not isinstance(name, str):
            return message
        if isinstance(owner, Mapping):
            return f"there is no '{name}' here{hint(name, map(str, owner))}"
        known = [word for word in dir(owner) if not word.startswith("_")]
        return f"{type(owner).__name__} has no '{name}'{hint(name, known)}"


@jinja2.pass_context
def link(context: jinja2.runtime.Context, target: Any) -> str:
    """A link from this page to an address, or to anything that has one (an episode, a topic, a person)."""
    address = _address(context, target)
    root = context.resolve_or_missing("root")  # which costs less than to ask by other ways
    if isinstance(root, str):  # this page answers at any address, so its links start at the site's root
        return urls.absolute(root, address)
    return urls.relative(context.resolve_or_missing("address"), address)


@jinja2.pass_context
def absolute(context: jinja2.runtime.Context, target: Any) -> str:
    """The full web address of an address, or of anything that has one."""
    base_url = context.environment.getattr(context["site"], "base_url")
    return urls.absolute(base_url, _address(context, target))


def _address(context: jinja2.runtime.Context, target: Any) -> str:
    """The address of something. It is asked for as templates ask, so that the page is known to depend on it."""
    found = target if isinstance(target, str) else context.environment.getattr(target, "address")
    if not isinstance(found, str):
        str(found)  # tells what is missing
    return found


@jinja2.pass_context
def date(context: jinja2.runtime.Context, moment: datetime, style: str = "long") -> str:
    """The day in the show's time zone and language: `May 13, 2021`; or short, medium, full, a pattern."""
    return _date_text(moment, style, _language(context), _show(context, "timezone"))


def _show(context: jinja2.runtime.Context, key: str) -> Any:
    return context.environment.getattr(context["show"], key)


def _language(context: jinja2.runtime.Context) -> str:
    language: str = _show(context, "language")
    return language


@lru_cache(maxsize=32768)
def _date_text(moment: datetime, style: str, language: str, zone: tzinfo) -> str:
    from babel.dates import format_date

    return locales.digits(format_date(moment.astimezone(zone).date(), style, locales.locale(language)), language)


@jinja2.pass_context
def day(context: jinja2.runtime.Context, moment: datetime) -> str:
    """The same day for machines: `2021-05-13`."""
    return moment.astimezone(_show(context, "timezone")).date().isoformat()


@jinja2.pass_context
def duration(context: jinja2.runtime.Context, length: float) -> str:
    """How long something takes, in the show's language: `14 min`, `1 hr 2 min`; seconds only below a minute."""
    return duration_text(int(length), _language(context))


@lru_cache(maxsize=4096)
def duration_text(length: int, language: str) -> str:
    """Seconds as `duration` writes them."""
    from babel.units import format_unit

    if length < 60:
        parts = [(length, "duration-second")]
    else:
        hours, minutes = divmod((length + 30) // 60, 60)
        parts = [(hours, "duration-hour"), (minutes, "duration-minute")]
    locale = locales.locale(language)
    shown = [format_unit(count, unit, "short", locale=locale) for count, unit in parts if count or len(parts) == 1]
    return locales.digits(" ".join(shown).replace(" ", _FIXED), language)


def seconds(time: float) -> str:
    """Seconds for machines, without a needless fraction: `754`, `12.5`."""
    return f"{time:.3f}".rstrip("0").rstrip(".")


@jinja2.pass_context
def number(context: jinja2.runtime.Context, count: float) -> str:
    """A number in the show's language: `1,024`."""
    return locales.number(count, _language(context))


@jinja2.pass_context
def listed(context: jinja2.runtime.Context, names: Iterable[str]) -> markupsafe.Markup:
    """Names in a row, as the show's language writes them: `Ada and Grace`; each may be of any script."""
    shown = [markupsafe.escape(name) for name in names]
    if len(shown) > 1:
        shown = [markupsafe.Markup("<bdi>{}</bdi>").format(name) for name in shown]
    return markupsafe.Markup(locales.listed(shown, _language(context)))  # noqa: S704 - made of what is escaped


@jinja2.pass_context
def translated(context: jinja2.runtime.Context, text: str) -> str:
    """A word of podsite's own, such as a person's role, in the show's language; any other stays as it is."""
    said: str = context.environment.translated(text)  # type: ignore[attr-defined] # of our own environment
    return said


@jinja2.pass_context
def file_size(context: jinja2.runtime.Context, length: int) -> str:
    """Bytes as people read them, in the show's language: `12.3 MB`."""
    from babel.units import format_unit

    power = min((len(str(length)) - 1) // 3, 3)
    unit = ("byte", "kilobyte", "megabyte", "gigabyte")[power]
    shown = round(length / 1000**power, 0 if power < 2 else 1)
    language = _language(context)
    text = format_unit(shown, f"digital-{unit}", "short", locale=locales.locale(language), numbering_system="default")
    return locales.digits(text.replace(" ", _FIXED), language)


@jinja2.pass_context
def initial(context: jinja2.runtime.Context, name: str) -> str:
    """What stands above a name in an index: its first letter, `E` for `Éric`; for Han characters, what they are."""
    return alphabets.initial(name, _language(context))


@jinja2.pass_context
def digits(context: jinja2.runtime.Context, number: object) -> str:
    """A number without groups, such as a year, or a label, in the digits of the show's language: `2021`, `٢٠٢١`."""
    return locales.digits(str(number), _language(context))


def shorten(text: str, length: int) -> str:
    """Plain text cut at a word's end so that it has at most `length` characters, with an ellipsis where it was cut."""
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    cut = text[: length - 1]
    at_word = cut.rpartition(" ")[0] if " " in cut[length // 2 :] else cut
    return at_word.rstrip(" ,;:.?!–—-") + "…"


def initials(name: str) -> str:
    """First letters of the first and last word of a name: `EY`."""
    words = [word for word in name.split() if word[0].isalnum()]
    return "".join(word[0].upper() for word in ([words[0], words[-1]] if len(words) > 1 else words))


@jinja2.pass_context
def counted(context: jinja2.runtime.Context, count: int, one: str, many: str) -> str:
    """A number with its word: `1 episode`, `8 episodes`."""
    return f"{number(context, count)} {one if count == 1 else many}"


@jinja2.pass_context
def month(context: jinja2.runtime.Context, number: int, width: str = "wide") -> str:
    """The name of a month (1 to 12) in the show's language; width abbreviated or narrow for shorter ones."""
    return _months(_language(context), width)[number]


@lru_cache(maxsize=64)
def _months(language: str, width: str) -> Mapping[int, str]:
    from babel.dates import get_month_names

    return dict(get_month_names(width, "stand-alone", locales.locale(language)).items())  # type: ignore[arg-type]


@jinja2.pass_context
def by_month(context: jinja2.runtime.Context, counts: Sequence[int]) -> str:
    """How much there was in the months of a year, without those that had nothing: `March 2, April 4`."""
    told = [f"{month(context, at)} {number(context, count)}" for at, count in enumerate(counts, 1) if count]
    return locales.listed(tuple(told), _language(context))


def install(environment: jinja2.Environment) -> None:
    """Make the filters known to templates."""
    for each in (
        link, absolute, date, day, duration, iso_duration, seconds, number, file_size, host, shorten, initials, counted,
        listed, translated, digits, initial, month, by_month,
    ):  # fmt: skip
        environment.filters[each.__name__] = each
    environment.filters["clock"] = values.clock_text
    environment.filters["coins"] = of_reading
