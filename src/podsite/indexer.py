"""pagefind at work on the documents of one index: it is told them through a pipe, and gives back the files.

Run as `pagefind --service` it reads messages and answers each in turn: JSON in base64, a comma behind each. Nothing
waits for it before its files are wanted, and of a large show few documents are in memory at once.
"""

from __future__ import annotations

import base64
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from podsite.findable import Document

#: Seconds after which the indexer is given up, however little it has to read; and bytes it reads in each further one.
PATIENCE = 60.0
_PACE = 200_000
_AT_ONCE = 0.02  # seconds that it may take to read what was told, before other work goes on
_TICK = 0.002  # seconds between looks at an indexer that is waited for
_END = b","  # of a message
_FOREIGN = re.compile(rb"[^A-Za-z0-9+/=,\s]")  # what no answer holds
UNREADABLE = "pagefind wrote what podsite cannot read; version 1.5 is expected"


class Failed(Exception):  # noqa: N818 - the name says what happened
    """There is no index; the message says why."""


class Run:
    """One process, which ends with `end`. Raises Failed where it cannot be started."""

    def __init__(self, program: Path, language: str, documents: Sequence[Document]) -> None:
        self._asked = len(documents) + 2
        self._messages = _messages(language, documents)
        self._waiting = memoryview(b"")  # of a message that did not fit into the pipe
        self._seen = 0
        self._deadline = time.monotonic() + PATIENCE
        try:
            self._folder = Path(tempfile.mkdtemp(prefix="podsite-index-"))
            try:
                self._process = self._started(program)
            except BaseException:
                shutil.rmtree(self._folder, ignore_errors=True)
                raise
        except OSError as error:
            raise Failed(f"pagefind could not be started: {error}") from error
        try:
            self._feed(_AT_ONCE)
        except BaseException:
            self.end()
            raise

    def _started(self, program: Path) -> subprocess.Popen[bytes]:
        """The program; it takes no settings from elsewhere."""
        environment = {name: value for name, value in os.environ.items() if not name.upper().startswith("PAGEFIND_")}
        with (self._folder / "answers").open("wb") as answers, (self._folder / "said").open("wb") as said:
            process = subprocess.Popen(  # noqa: S603 - no shell, and nothing of the content among the arguments
                [str(program), "--service"], cwd=self._folder, env=environment, stdin=subprocess.PIPE, stdout=answers,
                stderr=said, bufsize=0,
            )  # fmt: skip
        if process.stdin and sys.platform != "win32":
            os.set_blocking(process.stdin.fileno(), False)
        return process

    def _feed(self, patience: float = 0.0) -> None:
        """Tell as much as the pipe takes, however often it must be emptied for that within so many seconds."""
        pipe = self._process.stdin
        with suppress(BlockingIOError):
            while pipe and not pipe.closed:
                if not self._waiting:
                    message = next(self._messages, None)
                    if message is None:
                        return
                    self._waiting = memoryview(message)
                    self._deadline += len(message) / _PACE
                if patience and sys.platform != "win32":
                    ready = select.poll()
                    ready.register(pipe, select.POLLOUT)
                    ready.poll(1000 * patience)
                try:
                    written = os.write(pipe.fileno(), self._waiting)
                except BrokenPipeError:  # it has gone, and its status tells more
                    self._close()
                    return
                self._waiting = self._waiting[written:]

    def _close(self) -> None:
        with suppress(OSError):
            if self._process.stdin:
                self._process.stdin.close()

    @property
    def is_done(self) -> bool:
        """Whether it has said all, or will say no more."""
        self._feed()
        return self._has_answered() or self._process.poll() is not None

    def _has_answered(self) -> bool:
        answers = self._folder / "answers"
        size = answers.stat().st_size
        if size == self._seen:
            return False
        content = answers.read_bytes()
        count = content.count(_END)
        if count > self._asked or _FOREIGN.search(content, self._seen):
            raise Failed(f"{UNREADABLE} (it says more than it was asked)" if count > self._asked else UNREADABLE)
        is_whole = content.endswith(_END) and count == self._asked
        self._seen = 0 if is_whole else len(content)
        return is_whole

    def files(self) -> Mapping[str, bytes]:
        """The files of the index by path, as soon as they are there. Raises Failed."""
        while not self.is_done:
            if time.monotonic() > self._deadline:
                raise Failed("pagefind came to no end, and was stopped")
            time.sleep(_TICK)
        if not self._has_answered():
            status = self._process.wait()
            said = (self._folder / "said").read_bytes().decode(errors="replace").strip() or "it says nothing"
            raise Failed(f"pagefind failed with status {status}: {said.splitlines()[-1][:300]}")
        return _files((self._folder / "answers").read_bytes())

    def end(self) -> None:
        """Leave nothing behind."""
        self._close()
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def _messages(language: str, documents: Sequence[Document]) -> Iterator[bytes]:
    yield _message({"type": "NewIndex", "config": {"force_language": language}})
    for one in documents:
        html = one.html().encode("utf-8", "replace").decode()
        yield _message({"type": "AddFile", "index_id": 0, "url": f"/{one.address}", "file_contents": html})
    yield _message({"type": "GetFiles", "index_id": 0})


def _message(payload: Mapping[str, Any]) -> bytes:
    return base64.b64encode(json.dumps({"message_id": 0, "payload": payload}).encode()) + _END


def _files(answers: bytes) -> dict[str, bytes]:
    """The files in the last of the answers. Raises Failed where one of them tells of an error, or no files are told."""
    try:
        told = [json.loads(base64.b64decode(answer))["payload"] for answer in answers.split(_END)[:-1]]
        errors = [str(one.get("message")) for one in told if one["type"] == "Error"]
        found = {str(one["path"]): base64.b64decode(one["content"]) for one in told[-1].get("files", ())}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise Failed(f"{UNREADABLE} ({error})") from None
    if errors:
        raise Failed(f"pagefind failed: {errors[0][:300]}")
    return found
