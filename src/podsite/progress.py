"""How far a build is, on a terminal."""

from __future__ import annotations

import time

import click


class Progress:
    """Shows how far a build is on the terminal, once it takes longer than a blink."""

    def __init__(self, begun: float, *, hidden: bool) -> None:
        self._begun, self._hidden, self._shown = begun, hidden, 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Told by the build after each step."""
        now = time.monotonic()
        if self._hidden or now - self._begun < 1 or now - self._shown < 0.1:
            return
        self._shown = now
        click.echo(f"\r\x1b[2K{_line(stage, done, total, now - self._begun)}", nl=False, err=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            click.echo("\r\x1b[2K", nl=False, err=True)


def _line(stage: str, done: int, total: int, elapsed: float) -> str:
    """How far a long build has come; `total` is 0 where nobody knows it yet."""
    of_all = f" of {total}" if total else ""
    return f"{stage} {done}{of_all} ({int(elapsed) // 60}:{int(elapsed) % 60:02d})"
