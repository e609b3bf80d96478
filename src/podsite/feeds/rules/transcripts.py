"""Rules about transcripts: the files are what their types say, in order, inside the episode, of fitting lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise

from podsite.feeds.rules.companions import SLACK, clock_seconds, files, is_number, lasts
from podsite.feeds.rules.rule import Feed, Hit, Hits, LocalFile, rule
from podsite.feeds.rules.tree import Node
from podsite.values import clock_text

_TIME = r"(?:(\d{1,9}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?"
_TIMING = re.compile(rf"^[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}", re.MULTILINE)
_TAG = re.compile(r"<[^<>]*>")


def _cues(file: LocalFile) -> list[tuple[float, float]]:
    found = _TIMING.findall(file.text or "")
    return [(clock_seconds(*one[:4]), clock_seconds(*one[4:])) for one in found]


def _transcripts(feed: Feed, *types: str) -> Iterator[tuple[Node, LocalFile]]:
    for node, file in files(feed, "podcast:transcript"):
        if file.size is not None and (node.get("type") or "") in types:
            yield node, file


@rule(
    "transcript-file",
    "apple podcast20",
    "error",
    key="transcript",
    reason="A transcript that cannot be read is not shown.",
    remedy="write it as its type says, in UTF-8",
    source="podcast-namespace transcripts.md; Apple 5316",
)
def transcript_file(feed: Feed) -> Hits:
    """Has transcripts that are what their types say."""
    for node, file in _transcripts(
        feed, "text/vtt", "application/x-subrip", "application/json", "text/html", "text/plain"
    ):
        fault = _fault(file, node.get("type") or "")
        if fault:
            yield Hit(node, f"the transcript {fault}", fault)


def _fault(file: LocalFile, kind: str) -> str:
    text = file.text
    if text is None:
        return "is not UTF-8"
    if not text.strip():
        return "is empty"
    if kind == "text/vtt" and not re.match(r"WEBVTT([ \t\r\n]|$)", text):
        return "does not begin with 'WEBVTT'"
    if kind in {"text/vtt", "application/x-subrip"} and not file.fact(_cues):
        return "holds no cue"
    if kind == "application/json":
        return _json_fault(text)
    return ""


def _json_fault(text: str) -> str:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        return f"is no JSON ({error})"
    segments = found.get("segments") if isinstance(found, dict) else None
    sound = isinstance(segments, list) and all(
        isinstance(one, dict) and is_number(one.get("startTime")) and isinstance(one.get("body"), str)
        for one in segments
    )
    return "" if sound else "has no list of 'segments' with startTime and body"


@rule(
    "transcript-cues",
    "apple podcast20",
    "warning",
    key="transcript",
    reason="Strict readers drop a transcript with a cue that ends before it starts or starts before the one above.",
    remedy="let each cue end after its start, and sort the cues",
    source="WebVTT; 227 of 810 real files",
)
def transcript_cues(feed: Feed) -> Hits:
    """Has cues in order that end after their starts."""
    for node, file in _transcripts(feed, "text/vtt", "application/x-subrip"):
        cues = file.fact(_cues)
        wrong = next((start for start, end in cues if end <= start), None)
        late = next((after[0] for before, after in pairwise(cues) if after[0] < before[0]), None)
        if wrong is not None:
            yield Hit(node, f"the cue at {clock_text(wrong)} does not end after its start", clock_text(wrong))
        elif late is not None:
            yield Hit(node, f"the cue at {clock_text(late)} comes after one that starts later", clock_text(late))


@rule(
    "transcript-duration",
    "apple podcast20",
    "error",
    key="transcript",
    reason="A transcript that is longer than the episode belongs to another recording.",
    remedy="take the transcript of this recording",
    source="podcast-namespace transcripts.md",
)
def transcript_duration(feed: Feed) -> Hits:
    """Has cues inside the episode."""
    for node, file in _transcripts(feed, "text/vtt", "application/x-subrip"):
        end, cues = lasts(node), file.fact(_cues)
        if end and cues and max(start for start, _ in cues) > end + SLACK:
            late = clock_text(max(start for start, _ in cues))
            yield Hit(node, f"a cue starts at {late}, after the end at {clock_text(end)}", late)


@rule(
    "transcript-lines",
    "apple podcast20",
    "warning",
    key="transcript",
    reason="Captions of more than 65 characters a line (32 in SRT) do not fit the screen.",
    remedy="break the lines",
    source="podcast-namespace transcripts.md",
)
def transcript_lines(feed: Feed) -> Hits:
    """Has lines that fit the screen."""
    for node, file in _transcripts(feed, "text/vtt", "application/x-subrip"):
        limit = 65 if node.get("type") == "text/vtt" else 32
        lines = (_TAG.sub("", line) for line in (file.text or "").splitlines() if len(line) > limit)
        long = next((line for line in lines if len(line) > limit and " " in line.strip() and "-->" not in line), None)
        if long:
            yield Hit(node, f"a line of the transcript has {len(long)} characters; {limit} fit", long)
