"""What lies at an address of the web: a feed to check or to compare with. Only commands that ask for it reach here."""

from __future__ import annotations

from podsite import __version__
from podsite.errors import PodsiteError

_MOST = 200_000_000  # bytes; the largest feeds known have a tenth of it
_SECONDS = 30


class FetchError(PodsiteError):
    """Nothing usable could be had from an address."""


def fetch(url: str) -> bytes:
    """The body that answers at `url`, redirects followed. Raises FetchError, naming the address and the cause."""
    import httpx

    agent = {"User-Agent": f"podsite/{__version__}"}
    try:
        with httpx.stream("GET", url, follow_redirects=True, timeout=_SECONDS, headers=agent) as answer:
            answer.raise_for_status()
            body = bytearray()
            for piece in answer.iter_bytes():
                body += piece
                if len(body) > _MOST:
                    raise FetchError(f"{url}: is longer than {_MOST // 1_000_000} MB; this is no feed")
            return bytes(body)
    except httpx.HTTPStatusError as error:
        raise FetchError(f"{url}: answers {error.response.status_code} {error.response.reason_phrase}") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise FetchError(f"{url}: cannot be reached ({str(error) or type(error).__name__})") from error
