"""The optional extra `fast`: faster parsers behind the same doors, for texts on which they are proved to agree."""

from __future__ import annotations

import os


def fast() -> bool:
    """Whether parsers of the extra may be used, where they are installed: unless `PODSITE_FAST=0` is set."""
    return os.environ.get("PODSITE_FAST") != "0"
