"""What several commands share: their options, the instant of a run, and how a site's files are named."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click

# What the system says of files where no program is to blame.
_CIRCUMSTANCES = {
    getattr(errno, name, None)
    for name in (
        "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EIO", "ENAMETOOLONG", "ELOOP", "EMFILE", "ENFILE", "ESTALE",
    )
}  # fmt: skip

SITE = click.option("--site", type=click.Path(path_type=Path), default=Path(), metavar="DIR", help="The site's folder.")


def instant() -> datetime:
    """The instant of the build: SOURCE_DATE_EPOCH where it is set, else the clock."""
    written = os.environ.get("SOURCE_DATE_EPOCH")
    if not written:
        return datetime.now(UTC)
    try:
        return datetime.fromtimestamp(int(written), UTC)
    except (ValueError, OverflowError, OSError):
        from podsite.errors import UsageError

        raise UsageError(f"SOURCE_DATE_EPOCH: expected seconds since 1970, found '{written}'") from None


def circumstance(error: Exception) -> Exception | None:
    """What is told where the system does not let podsite have a file: something its user can mend."""
    if not isinstance(error, OSError) or not error.filename or error.errno not in _CIRCUMSTANCES:
        return None
    from podsite.errors import PodsiteError

    return PodsiteError(f"{error.filename}: {error.strerror}; mend that and run podsite again")


@contextmanager
def named_from_here(root: Path) -> Iterator[None]:
    """Let the problems of the site at `root` name their files as they are reached from where the command runs."""
    from podsite.errors import ContentError
    from podsite.messages import located

    try:
        yield
    except ContentError as error:
        raise ContentError(located(error.problems, root)) from error
