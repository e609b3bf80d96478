"""Reads each episode's summary aloud: MP3, WebVTT and the starts of its chapters, all from the YAML files.

    python scripts/spoken_summaries.py [STEM ...]

Beside `episodes/STEM.yaml` it writes `STEM.mp3` and `STEM.vtt` and sets the `start:` lines of `chapters:`. A second
run changes nothing. It needs festival with festvox-us-slt-hts, ffmpeg, and the Python packages mutagen, pillow, pyyaml.

Each sentence is synthesised by itself and trimmed, so the times of its cue are exact to the sample. An episode
has three chapters: the introduction with the summary's first sentence, the rest of the summary, and the closing
words. Pauses before chapters are stretched so that chapters start on whole seconds.

The voice. Compared, by measurement and not by ear, were the English voices of Debian's flite, festival (HTS) and
espeak-ng on the sentences of the first six summaries: sampling rate, words a minute, and how many words Debian's
recogniser pocketsphinx got wrong (it does not know the subject, so only the order counts).

    festival us_slt_arctic_hts   32 kHz   178 a minute   39 % wrong   HMM synthesis, energy up to 16 kHz
    flite kal16                  16 kHz   192            38 %         diphone synthesis
    flite rms                    16 kHz   169            38 %         statistical synthesis, nothing above 8 kHz
    flite slt                    16 kHz   195            43 %         the same, of the speaker of the HTS voice
    flite awb                    16 kHz   192            51 %         the same, another speaker
    espeak-ng en-us              22 kHz   200            92 %         formant synthesis

The HTS voice is recognised as well as the best and has the fullest spectrum, and a calm pace.
"""

from __future__ import annotations

import html
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import wave
from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mutagen.id3
import yaml
from PIL import Image

id3: Any = mutagen.id3  # which has no types

ROOT = Path(__file__).resolve().parent.parent
VOICE = "cmu_us_slt_arctic_hts"
SPEAKER = "Synthesised voice"
RATE = 32_000  # of the voice; ffmpeg resamples
PAUSE, CHAPTER_PAUSE, TAIL = 0.42, 0.7, 0.8  # seconds
LOUDNESS, PEAK = -16.0, -2.0  # LUFS and dBFS; encoding adds half a decibel to peaks
CLOSING = (
    "This was a summary, read by a synthesised voice.",
    "To hear the original episode, follow the link in the show notes.",
)
START = re.compile(r"^([ -]*start:) .*", re.MULTILINE)  # of a chapter, in YAML
#: What festival would say wrongly, and a spelling that it says well; checked against the phones it prints.
SPOKEN = (
    (r"\bPyTorch's\b", "pie torches"),
    (r"\bPyTorch\b", "pie torch"),  # else "pih-torch"
    (r"\bpybind11\b", "pie bind eleven"),  # else "pihbind one one"
    (r"\bATen\b", "ay ten"),  # else like "eaten" with an A
    (r"\bc10\b", "C ten"),  # else "C one zero"
    (r"\bvec256\b", "veck two fifty six"),  # else "two five six"
    (r"\bTORCH_API\b", "torch A P I"),  # else "torch underscore API"
    (r"\bno_grad\b", "no grad"),
    (r"\bautograd\b", "auto grad"),
    (r"\bbackend", "back end"),  # else "backind"
    (r"\bobject\b", "obbject"),  # else the verb: "to object"
    (r"\bupdate\b", "up date"),
)


@dataclass(frozen=True)
class Sentence:
    """A sentence as it is written, and where it is heard, in samples."""

    text: str
    start: int
    end: int


def run(*command: str, stdin: bytes | None = None) -> bytes:
    """What a program wrote to stderr and stdout; the script ends with its words if it fails."""
    program = shutil.which(command[0])
    if program is None:
        sys.exit(f"{command[0]} is missing; on Debian: apt install festival festvox-us-slt-hts ffmpeg")
    done = subprocess.run([program, *command[1:]], input=stdin, capture_output=True, check=False)  # noqa: S603
    if done.returncode:
        sys.exit(f"{' '.join(command)}\nfailed: {done.stderr.decode(errors='replace').strip()}")
    return done.stderr + done.stdout


def written(show: str, episode: dict[str, Any]) -> list[str]:
    """All sentences of the recording, as the transcript shows them."""
    opening = f"{show}, episode {episode['number']}: {episode['title']}."
    return [opening, *re.split(r"(?<=[.?!])\s+", episode["summary"].strip()), *CLOSING]


def say(sentence: str, folder: Path) -> array[int]:
    """The samples of one sentence, without the silence around it and with soft edges."""
    for pattern, spelling in SPOKEN:
        sentence = re.sub(pattern, spelling, sentence, flags=re.IGNORECASE)
    text, sound = folder / "sentence.txt", folder / "sentence.wav"
    if not sentence.isascii():
        sys.exit(f"festival reads ASCII only; add a spelling to SPOKEN for: {sentence}")
    text.write_text(sentence, encoding="ascii")
    run("text2wave", "-eval", f"(voice_{VOICE})", "-o", str(sound), str(text))
    with wave.open(str(sound)) as recording:
        if (recording.getframerate(), recording.getnchannels(), recording.getsampwidth()) != (RATE, 1, 2):
            sys.exit(f"text2wave did not use {VOICE}; on Debian: apt install festvox-us-slt-hts")
        samples = array("h", recording.readframes(recording.getnframes()))
    return trimmed(samples)


def trimmed(samples: array[int], threshold: int = 40, margin: int = RATE // 50, fade: int = RATE // 125) -> array[int]:
    """What is audible and 20 ms around it, with 8 ms of fade at both ends so that no cut clicks."""
    audible = [index for index, sample in enumerate(samples) if abs(sample) > threshold]
    samples = samples[max(0, audible[0] - margin) : audible[-1] + margin]
    for index in range(fade):
        samples[index] = samples[index] * index // fade
        samples[-1 - index] = samples[-1 - index] * index // fade
    return samples


def spoken(texts: list[str]) -> tuple[list[Sentence], array[int]]:
    """The whole recording, and where in it each sentence is."""
    sentences: list[Sentence] = []
    samples = array("h")
    with tempfile.TemporaryDirectory() as folder:
        for index, text in enumerate(texts):
            if index:
                samples.extend([0] * silence(len(samples), chapter=index in chapter_indexes(len(texts))))
            start = len(samples)
            samples.extend(say(text, Path(folder)))
            sentences.append(Sentence(text, start, len(samples)))
    samples.extend([0] * int(TAIL * RATE))
    return sentences, samples


def silence(position: int, *, chapter: bool) -> int:
    """How many silent samples follow the position; before a chapter they reach to a whole second."""
    if not chapter:
        return int(PAUSE * RATE)
    return -(-(position + int(CHAPTER_PAUSE * RATE)) // RATE) * RATE - position


def chapter_indexes(count: int) -> tuple[int, int, int]:
    """Which sentences begin a chapter: the first, the one after the summary's first, the closing words."""
    return 0, 2, count - len(CLOSING)


def encoded(samples: array[int]) -> bytes:
    """The recording as MP3, made louder by one gain, with the few peaks above the limit rounded off."""
    source = ("-f", "s16le", "-ar", str(RATE), "-ac", "1", "-i", "-")
    log = run("ffmpeg", *source, "-af", "loudnorm=print_format=json", "-f", "null", "-", stdin=samples.tobytes())
    measured = json.loads(log[log.rindex(b"{") : log.rindex(b"}") + 1])
    gain = f"volume={LOUDNESS - float(measured['input_i']):.2f}dB:precision=double"
    limiter = f"alimiter=limit={10 ** (PEAK / 20):.4f}:attack=5:release=60:level=0:latency=1"
    filters = f"aformat=sample_fmts=dbl,{gain},{limiter},aresample=44100:filter_size=64:cutoff=0.97"
    plain = ("-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact", "-id3v2_version", "0")
    codec = ("-c:a", "libmp3lame", "-b:a", "64k", "-compression_level", "2", "-ac", "1")
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "encoded.mp3"
        run("ffmpeg", *source, "-af", filters, *codec, *plain, str(target), stdin=samples.tobytes())
        return target.read_bytes()


def tagged(mp3: bytes, show: dict[str, Any], episode: dict[str, Any], starts: list[int], end: int) -> bytes:
    """The MP3 with an ID3 tag: names, number, date, cover and chapters."""
    texts = {"TIT2": episode["title"], "TALB": show["title"], "TPE1": SPEAKER, "TCON": "Podcast", "TLAN": "eng"}
    texts |= {"TRCK": str(episode["number"]), "TDRC": str(episode["published"])[:10]}
    note = f"A summary read by a synthesised voice. The original: {episode['link']}"
    ids = [f"chapter{index}" for index in range(len(starts))]
    tag = id3.ID3()
    for frame, text in texts.items():
        tag.add(getattr(id3, frame)(encoding=3, text=text))
    tag.add(id3.COMM(encoding=3, lang="eng", desc="", text=note))
    tag.add(id3.APIC(encoding=3, mime="image/jpeg", type=3, desc="Cover", data=small_cover(show["artwork"])))
    tag.add(id3.CTOC(element_id="toc", flags=3, child_element_ids=ids, sub_frames=[]))  # top level, ordered
    for name, chapter, start, stop in zip(ids, episode["chapters"], starts, [*starts[1:], end], strict=True):
        title = id3.TIT2(encoding=3, text=chapter["title"])
        tag.add(id3.CHAP(element_id=name, start_time=start, end_time=stop, sub_frames=[title]))
    tag.save(file := io.BytesIO(mp3), v1=0, v2_version=4, padding=lambda _: 0)
    return file.getvalue()


def small_cover(artwork: str) -> bytes:
    """The show's artwork at 600 pixels, for players that show the picture in the file."""
    with Image.open(ROOT / artwork) as picture:
        small = picture.convert("RGB").resize((600, 600), Image.Resampling.LANCZOS)
    small.save(file := io.BytesIO(), "JPEG", quality=82, optimize=True)
    return file.getvalue()


def transcript(sentences: list[Sentence]) -> str:
    """WebVTT with one cue for each sentence."""
    line = f"{{}} --> {{}}\n<v {SPEAKER}>{{}}\n"
    cues = [line.format(clock(cue.start), clock(cue.end), html.escape(cue.text, quote=False)) for cue in sentences]
    return "\n".join(["WEBVTT\n", *cues])


def clock(samples: int) -> str:
    """A place in the recording as WebVTT writes it."""
    seconds, milliseconds = divmod(round(samples * 1000 / RATE), 1000)
    return f"00:{seconds // 60:02}:{seconds % 60:02}.{milliseconds:03}"


def with_starts(source: str, starts: list[int], name: str) -> str:
    """The episode's YAML with the starts of its chapters set, and not a character changed elsewhere."""
    block = re.search(r"^chapters:\n(?:[ -].*\n)+", source, re.MULTILINE)
    times = iter(f'"{start // 60_000}:{start // 1000 % 60:02}"' for start in starts)
    if block is None or len(re.findall(START, block[0])) != len(starts):
        sys.exit(f"{name}: expected 'chapters:' with {len(starts)} entries, 'start:' and 'title:' on their own lines")
    return source.replace(block[0], START.sub(lambda found: f"{found[1]} {next(times)}", block[0]), 1)


def update(path: Path, content: bytes) -> None:
    """Write the file if it is to change, and say so."""
    if not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)
        sys.stdout.write(f"{path.relative_to(ROOT)}: {len(content):,} bytes\n")


def record(path: Path, show: dict[str, Any]) -> None:
    """Bring everything that hangs on one episode's file up to date."""
    source = path.read_text(encoding="utf-8")
    episode = yaml.safe_load(source)
    sentences, samples = spoken(written(show["title"], episode))
    starts = [sentences[index].start * 1000 // RATE for index in chapter_indexes(len(sentences))]
    update(path, with_starts(source, starts, path.name).encode())
    update(path.with_suffix(".vtt"), transcript(sentences).encode())
    mp3 = tagged(encoded(samples), show, episode, starts, end=len(samples) * 1000 // RATE)
    update(path.with_suffix(".mp3"), mp3)


def main(stems: list[str]) -> None:
    """Record the episodes named by their files' stems, or all of them."""
    show = yaml.safe_load((ROOT / "show.yaml").read_text(encoding="utf-8"))
    folder = ROOT / "episodes"
    for path in [folder / f"{stem}.yaml" for stem in stems] or sorted(folder.glob("*.yaml")):
        if not path.exists():
            sys.exit(f"{path.relative_to(ROOT)} does not exist")
        record(path, show)


if __name__ == "__main__":
    main(sys.argv[1:])
