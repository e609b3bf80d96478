"""Whether a file is as it was, by what the system keeps about it: nothing is read while that is certain."""

from __future__ import annotations

import hashlib
import os
import stat
import time

#: A file's size in bytes, its times of modification and of change in nanoseconds, its number.
Signature = tuple[int, int, int, int]

#: What was seen of a file; a digest is there where the signature is too young to be trusted.
Look = tuple[Signature | None, bytes | None]

_DIGEST = 16  # bytes
_SECOND = 1_000_000_000
_TICK = 100_000_000  # nanoseconds; clocks of file systems tick slower than they are fine
_COARSE = 2 * _SECOND  # where times are whole seconds


def signature(path: str) -> Signature | None:
    """The signature of a regular file, links not followed; None where there is none to be seen."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def look(path: str) -> Look:
    """A file as it is now, links followed: its signature, and its digest where that alone would not be certain."""
    try:
        found = os.stat(path)  # noqa: PTH116 - a path object costs more than the asking
    except (OSError, ValueError):
        return None, None
    known = found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino
    return known, digest_at(path) if is_young(known, time.time_ns()) else None


def is_same(path: str, known: Look) -> bool:
    """Whether a file is as it was when it was looked at."""
    then, digest = known
    try:
        found = os.stat(path)  # noqa: PTH116 - as above
        same = then == (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
    except (OSError, ValueError):
        same = then is None
    return same and (digest is None or digest_at(path) == digest)


def is_young(found: Signature, now: int) -> bool:
    """Whether a file changed so shortly before `now` (nanoseconds) that it may change again and look the same."""
    _, modified, changed, _ = found
    tick = _COARSE if modified % _SECOND == 0 else _TICK
    return max(modified, changed) + tick > now


def digest_of(content: bytes) -> bytes:
    """What tells one file's content from another's."""
    return hashlib.blake2b(content, digest_size=_DIGEST).digest()


def hasher() -> hashlib.blake2b:
    """Makes the digest of a content that comes in pieces."""
    return hashlib.blake2b(digest_size=_DIGEST)


def digest_at(path: str) -> bytes | None:
    """The digest of a file's content; None when it cannot be read."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - a path object costs more than the reading
            return digest_of(file.read())
    except OSError:
        return None
