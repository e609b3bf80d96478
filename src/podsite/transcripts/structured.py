"""JSON: that of Podcasting 2.0 in and out, those of Podlove and Whisper in.

https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/examples/transcripts/transcripts.md
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from podsite.parts import Cue
from podsite.textfile import lines_of
from podsite.transcripts import timing
from podsite.transcripts.said import Remarks, Said
from podsite.transcripts.words import joined

_LISTS = ("segments", "transcripts", "transcript")
_START = r'"(?:startTime|start)"\s*:'
_PHRASE = 65  # characters of single words that are joined to a cue
_BREATH = 0.7  # seconds of silence that part them


def read(text: str, _: Collection[str], remarks: Remarks) -> list[Said]:
    """The segments of a file; those of single words are joined to phrases."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 1
        remarks.append((line, f"is no JSON ({error})"))
        return []
    listed = next((found[key] for key in _LISTS if key in found), None) if isinstance(found, dict) else found
    if not isinstance(listed, list):
        remarks.append((1, "expected a mapping with a list of 'segments'"))
        return []
    lines = lines_of(text, _START, len(listed))
    segments = [
        one for number, each in enumerate(listed, 1) if (one := _segment(each, number, lines[number - 1], remarks))
    ]
    single = sum(" " not in one.text for one in segments)
    return [*_phrases(segments)] if len(segments) >= 20 and single > 0.9 * len(segments) else segments


def write(cues: Iterable[Cue]) -> bytes:
    """Cues as a file of Podcasting 2.0."""
    segments = [
        {
            **({"speaker": cue.speaker} if cue.speaker else {}),
            "startTime": _number(cue.start),
            "endTime": _number(cue.end),
            "body": cue.text,
        }
        for cue in cues
    ]
    return (json.dumps({"version": "1.0.0", "segments": segments}, ensure_ascii=False, indent=1) + "\n").encode()


def _number(seconds: float) -> float | int:
    rounded = round(seconds, 3)
    return int(rounded) if rounded == int(rounded) else rounded


def _segment(found: Any, number: int, line: int, remarks: Remarks) -> Said | None:
    if not isinstance(found, dict):
        remarks.append((line, f"segment {number} is no mapping; left out"))
        return None
    words = " ".join(str(found.get("body") or found.get("text") or "").split())
    start = _time(found, "start")
    if start is None and words:
        remarks.append((line, f"segment {number} has no 'startTime' in seconds; left out"))
    if start is None or not words:
        return None
    who = " ".join(str(found.get("voice") or found.get("speaker") or "").split())
    return Said(start, _time(found, "end"), words, who or None, number, line)


def _time(found: Mapping[str, Any], key: str) -> float | None:
    """Seconds as a number, as Podlove's milliseconds, or as a text such as `00:01:30.500`."""
    milliseconds, value = _number_in(found.get(f"{key}_ms")), found.get(f"{key}Time", found.get(key))
    if milliseconds is not None:
        return round(milliseconds / 1000, 3)
    if isinstance(value, str):
        return timing.written(value)
    seconds = _number_in(value)
    return None if seconds is None else round(seconds, 3)


def _number_in(found: Any) -> float | None:
    is_number = isinstance(found, int | float) and not isinstance(found, bool)
    return float(found) if is_number and 0 <= found < 1e9 else None


def _phrases(words: list[Said]) -> Iterator[Said]:
    """Single words joined to what is said in one breath."""
    phrase: list[Said] = []
    for word in words:
        if phrase and _parts(phrase, word):
            yield _phrase(phrase)
            phrase = []
        phrase.append(word)
    if phrase:
        yield _phrase(phrase)


def _parts(phrase: list[Said], word: Said) -> bool:
    last = phrase[-1]
    if word.speaker != last.speaker or last.text.endswith((".", "!", "?", "…", "。")):
        return True
    silence = (word.start or 0) - (last.end or word.start or 0)
    return silence > _BREATH or sum(len(one.text) + 1 for one in phrase) + len(word.text) > _PHRASE


def _phrase(words: list[Said]) -> Said:
    return replace(words[0], end=words[-1].end, text=joined(word.text for word in words))
