"""Where templates come from: their texts, each read once, and what they were compiled to before."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from typing import Any

import jinja2
from jinja2.bccache import Bucket

from podsite.cache import digest
from podsite.packs import Pack
from podsite.stumbles import undecodable


class ReadOnce(jinja2.ChoiceLoader):
    """Reads each template once, so that what a page is known by is what it is made of, though somebody may be editing.

    `notice` is told each file's name before it is read.
    """

    def __init__(self, loaders: Sequence[jinja2.BaseLoader], notice: Callable[[str], None]) -> None:
        super().__init__(loaders)
        self._notice = notice
        self._read: dict[str, tuple[str, str | None, Callable[[], bool] | None]] = {}

    def get_source(self, environment: jinja2.Environment, template: str) -> Any:
        """The text of a template, its file, and a function that is not used."""
        if template not in self._read:
            files = [f"{folder}/{template}" for folder in self._folders()]
            for file in files:
                self._notice(file)
            try:
                self._read[template] = super().get_source(environment, template)
            except UnicodeDecodeError as error:  # the first file there is
                raise undecodable(error, template, next(filter(os.path.isfile, files), None)) from error
        return self._read[template]

    def load(
        self,
        environment: jinja2.Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002
    ) -> jinja2.Template:
        """The template of a name, from the text that was read."""
        return jinja2.BaseLoader.load(self, environment, name, globals)

    def _folders(self) -> Iterator[str]:
        for loader in self.loaders:
            if isinstance(loader, jinja2.FileSystemLoader):
                yield from map(str, loader.searchpath)


class Compiled(jinja2.BytecodeCache):
    """Templates as Python code, kept from one build to the next."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill in the code of a template, if there is any."""
        stored = self._pack.get(digest(bucket.key, bucket.checksum))
        if stored is not None:
            bucket.bytecode_from_string(stored)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template."""
        self._pack.put(digest(bucket.key, bucket.checksum), bucket.bytecode_to_string())
