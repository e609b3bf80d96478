"""The files of a site behind the addresses of its feed, and by what it is known that they are still the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from urllib.parse import unquote

from podsite.artifacts import Artifact, Standing
from podsite.aside import Laid
from podsite.signatures import digest_of, is_same, look
from podsite.site import Site

#: Gives the local file (or its bytes) that a URL of the feed stands for; None for what lies elsewhere.
#: `MISSING`, or any path without a file, means: the site ought to have this file and has not.
MISSING = Path()
Local = Callable[[str], Path | bytes | None]

#: What is remembered of a file: of bytes their digest, of a file its signature and, if that is young, its digest.
State = str | list[int | str]


class LocalFiles:
    """The files of a site by the addresses its feed gives them; `files` are by their paths in the output.

    Addresses begin with `base`; those of enclosures may have an analytics prefix in front.
    """

    def __init__(self, base: str, prefix: str | None, files: Mapping[str, Path | bytes | Standing | Laid]) -> None:
        self._base = base
        self._prefix = f"{prefix.rstrip('/')}/" if prefix else None
        self._files = files
        self._states: dict[str, State] = {}
        self._same: dict[str, tuple[State, bool]] = {}
        #: Paths that were asked for, and are of no file.
        self.missing: set[str] = set()

    @property
    def key(self) -> str:
        """What says which addresses are the site's own."""
        return f"{self._base} {self._prefix or ''}"

    def __call__(self, url: str) -> Path | bytes | None:
        """The file behind an address, as rules ask for it."""
        path = self.path(url)
        found = None if path is None else self._file(path)
        if isinstance(found, Laid):
            return found.read()
        return Path(found.file) if isinstance(found, Standing) else found

    def _file(self, path: str) -> Path | bytes | Standing | Laid:
        found = self._files.get(path, MISSING)
        if found is MISSING:
            self.missing.add(path)
        return found

    def path(self, url: str) -> str | None:
        """The path in the output behind an address; None for what lies elsewhere."""
        if self._prefix and url.startswith(self._prefix):
            rest = url.removeprefix(self._prefix)
            url = rest if rest.startswith("http://") else f"https://{rest}"
        if not url.startswith(self._base):
            return None
        return unquote(url.removeprefix(self._base).partition("?")[0].partition("#")[0])

    def has(self, path: str) -> bool:
        """Whether there is a file at a path in the output."""
        return path in self._files

    def state(self, path: str) -> State:
        """What is to be remembered of the file at a path."""
        found = self._states.get(path)
        if found is None:
            found = self._states[path] = _state(self._file(path))
        return found

    def is_same(self, path: str, was: State) -> bool:
        """Whether the file at a path is as it was when that was its state."""
        asked = self._same.get(path)
        if asked is None or asked[0] != was:
            content = self._file(path)
            is_file = isinstance(content, Path) and content is not MISSING
            same = _is_same(str(content), was) if is_file else self.state(path) == was
            asked = self._same[path] = was, same
        return asked[1]


def _state(content: Path | bytes | Standing | Laid) -> State:
    if isinstance(content, bytes):
        return digest_of(content).hex()
    if isinstance(content, (Standing, Laid)):
        return content.digest.hex()
    signature, digest = (None, None) if content is MISSING else look(str(content))
    return "" if signature is None else [*signature, *([digest.hex()] if digest else [])]


def _is_same(path: str, was: State) -> bool:
    if isinstance(was, str):
        return not was and look(path)[0] is None
    size, modified, changed, number = (int(one) for one in was[:4])
    return is_same(path, ((size, modified, changed, number), bytes.fromhex(str(was[4])) if len(was) > 4 else None))


def local_files(site: Site, artifacts: Iterable[Artifact]) -> LocalFiles:
    """Those of a site that is about to be written."""
    return LocalFiles(site.base_url, site.show.feed.prefix, {one.path: one.content for one in artifacts})
