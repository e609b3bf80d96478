"""What a command costs: wall and processor seconds of the whole command, and the peak memory of all its processes."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

STEP = 0.02  # seconds between two looks at the memory
PROC = Path("/proc")


class CommandError(Exception):
    """A command ended with an error; the message holds what it printed."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds on the wall's clock, and of processors in the process and its children."""

    wall: float
    cpu: float


def timed(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Cost:
    """Run a command that must succeed. What the disk still has to do for others is waited for first."""
    if hasattr(os, "sync"):
        os.sync()
    before, start = os.times(), time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", check=False
    )
    wall, after = time.perf_counter() - start, os.times()
    if done.returncode:
        raise _error(command, done.stderr or done.stdout)
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Cost(wall, cpu)


def peak_memory(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> int | None:
    """The most memory in bytes that a command and its children hold at once; None where that is not to be known.

    Pages that several processes share count once (the system's "proportional set size").
    """
    with (
        TemporaryFile() as told,
        subprocess.Popen(command, cwd=folder, env=environment, stdout=told, stderr=told) as process,
    ):
        peak = 0
        while process.poll() is None:
            peak = max(peak, sum(map(_memory, _tree(process.pid))))
            time.sleep(STEP)
        told.seek(0)
        if process.returncode:
            raise _error(command, told.read().decode("utf-8", "replace"))
    return peak or None


def _error(command: Sequence[str], told: str) -> CommandError:
    return CommandError(f"{' '.join(command)}: {told.strip()[-2000:]}")


def _tree(pid: int) -> Iterator[int]:
    """A process and its descendants."""
    yield pid
    for thread in _children(pid):
        for child in thread.split():
            yield from _tree(int(child))


def _children(pid: int) -> list[str]:
    """The children of each thread of a process, in the system's words."""
    try:
        return [(task / "children").read_text(encoding="ascii") for task in (PROC / str(pid) / "task").iterdir()]
    except OSError:  # it has ended meanwhile, or this system has no /proc
        return []


def _memory(pid: int) -> int:
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
