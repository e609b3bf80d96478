"""Dates as RSS writes them, by RFC 2822."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from functools import lru_cache

DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DAYS = tuple(name[:3] for name in DAY_NAMES)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_ZONES = {"GMT": 0, "UT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}
DATE = re.compile(
    rf"(?:({'|'.join(DAYS)}), )?(\d{{1,2}}) ({'|'.join(_MONTHS)}) (\d{{4}}) (\d\d):(\d\d):(\d\d) "
    rf"([+-]\d{{4}}|{'|'.join(_ZONES)})",
    re.ASCII,
)
EXAMPLE = "Sat, 01 Mar 2025 08:00:00 +0000"


@lru_cache(maxsize=65536)
def moment(text: str) -> datetime | None:
    """The instant an RFC 2822 date names, None when it is none. The day of the week is not looked at."""
    found = DATE.fullmatch(text.strip())
    if not found:
        return None
    day, year, hour, minute, second = (int(found[n]) for n in (2, 4, 5, 6, 7))
    zone = found[8]
    try:
        if zone in _ZONES:
            offset = timedelta(hours=_ZONES[zone])
        else:
            offset = timedelta(hours=int(zone[:3]), minutes=int(zone[0] + zone[3:]))
        return datetime(year, _MONTHS.index(found[3]) + 1, day, hour, minute, second, tzinfo=timezone(offset))
    except ValueError:
        return None
