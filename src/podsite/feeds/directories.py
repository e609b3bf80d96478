"""The directories and readers whose rules a feed is held against."""

from __future__ import annotations

from typing import Literal, get_args

Directory = Literal["rss", "apple", "spotify", "psp1", "podcast20", "amazon", "youtube"]
DIRECTORIES: tuple[Directory, ...] = get_args(Directory)
