"""The named rules: each catches what it is meant for, and real feeds of all kinds go through.

`tests/mutations/good.xml` uses nearly every tag there is; `mutations.yaml` lists what can be wrong with it, one defect
each. `tests/feeds/real/` holds real feeds whose words were changed, with what is found in them.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from PIL import Image

from podsite.feeds.certify import certify
from podsite.feeds.directories import DIRECTORIES
from podsite.feeds.local import MISSING
from podsite.feeds.rules import RULES
from podsite.feeds.rules.names import CHANNEL_KEYS, ITEM_KEYS
from podsite.feeds.rules.tree import Tree

TESTS = Path(__file__).parent
FOLDER = TESTS / "mutations"
PAIRS = sorted((TESTS / "feeds").glob("*.yaml"))
REAL = sorted((TESTS / "feeds" / "real").glob("*.rss"))
BASE = "https://example.org/quiet/"
URL = BASE + "feed.xml"
NOW = datetime(2026, 2, 1, tzinfo=UTC)
GOOD = (FOLDER / "good.xml").read_text(encoding="utf-8")
HEADS = {"mpeg": b"\xff\xfb\x10\xc0", "mp4": b"\0\0\0\x20ftypM4A ", "ogg": b"OggS\0\2\0\0"}


@dataclass(frozen=True)
class Mutation:
    """One defect of the good feed: the rule meant, and how it is made."""

    rule: str
    name: str
    replace: list[tuple[str, str]] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
    repeat: list[Any] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    pictures: dict[str, list[Any]] = field(default_factory=dict)
    audio: dict[str, str] = field(default_factory=dict)
    heavy: str = ""
    raw: dict[str, str] = field(default_factory=dict)
    also: list[str] = field(default_factory=list)

    @property
    def xml(self) -> bytes:
        """The good feed with the defect. Raises ValueError when a text to be replaced is not there."""
        text = GOOD
        if self.cut:
            start = text.index(self.cut[0])
            text = text[:start] + text[text.index(self.cut[1], start) :]
        for old, new in [*self.replace, *([(self.repeat[0], self.repeat[1] * self.repeat[2])] if self.repeat else [])]:
            if old not in text:
                raise ValueError(f"{self.name}: '{old}' is not in good.xml")
            text = text.replace(old, new)
        text = self.raw.get("begins", "") + text + self.raw.get("ends", "")
        return text.encode(self.raw.get("encoding", "utf-8"))


def mutations() -> list[Mutation]:
    """Read the list. Raises ValueError, which fails the collection, when a rule has no mutation that proves it."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # three times as fast where there is a compiler
    listed = yaml.load((FOLDER / "mutations.yaml").read_text(encoding="utf-8"), loader)
    found = [Mutation(**one) for one in listed]
    codes = {rule.code for rule in RULES}
    unproved = codes - {one.rule for one in found}
    unknown = {one.rule for one in found} - codes
    if unproved or unknown:
        raise ValueError(f"rules without a mutation: {sorted(unproved)}; mutations without a rule: {sorted(unknown)}")
    return found


MUTATIONS = mutations()


@cache
def picture(width: int, height: int, mode: str, kind: str) -> bytes:
    """A picture of one colour."""
    found = io.BytesIO()
    Image.new(mode, (width, height)).save(found, kind)
    return found.getvalue()


@cache
def good_files() -> dict[str, bytes]:
    """What the good feed points to."""
    chapters = {"version": "1.2.0", "chapters": [{"startTime": 0, "title": "Ears"}, {"startTime": 30.5, "title": "x"}]}
    segments = {"version": "1.0.0", "segments": [{"startTime": 1, "endTime": 2, "body": "Hello."}]}
    return {
        "cover.jpg": picture(1400, 1400, "RGB", "JPEG"),
        "owls.png": picture(1400, 1400, "RGB", "PNG"),
        "3.mp3": HEADS["mpeg"] + bytes(243_360 - 4),
        "2.m4a": HEADS["mp4"] + bytes(200_000 - 12),
        "3.vtt": b"WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Hello.\n\n00:02.000 --> 00:03.000\nYes.\n",
        "3.srt": b"1\n00:00:01,000 --> 00:00:02,000\nAda: Hello.\n",
        "3.json": json.dumps(segments).encode(),
        "3-chapters.json": json.dumps(chapters).encode(),
    }


def found_in(xml: bytes, files: dict[str, bytes]) -> list[str]:
    """The codes of all findings."""

    def local(url: str) -> bytes | Path | None:
        return files.get(url.removeprefix(BASE), MISSING) if url.startswith(BASE) else None

    return [finding.rule.code for finding in certify(xml, local=local, now=NOW, url=URL).findings]


def files_of(mutation: Mutation) -> dict[str, bytes]:
    """The good files with the mutation's in their place."""
    files = good_files() | {name: text.encode() for name, text in mutation.files.items()}
    files |= {name: picture(*facts) for name, facts in mutation.pictures.items()}
    for name, kind in mutation.audio.items():
        files[name] = HEADS[kind] + bytes(len(files[name]) - len(HEADS[kind]))
    if mutation.heavy:
        files[mutation.heavy] += bytes(2_000_000)
    return files


def test_the_good_feed_breaks_no_rule() -> None:
    """What follows proves something only when the feed without a defect has no finding at all."""
    assert found_in(GOOD.encode(), good_files()) == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: f"{one.rule}: {one.name}")
def test_a_defect_is_caught_by_exactly_the_rule_meant(mutation: Mutation) -> None:
    """Each defect has one name, so that nobody has to guess which of many messages matters."""
    assert set(found_in(mutation.xml, files_of(mutation))) == {mutation.rule, *mutation.also}


def test_nearly_no_defect_needs_a_second_rule() -> None:
    """`also` is for a defect that is two by nature, and stays rare."""
    assert sum(bool(one.also) for one in MUTATIONS) <= 2
    assert len(MUTATIONS) >= 80


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_real_feeds_go_through_with_the_findings_recorded(path: Path, request: pytest.FixtureRequest) -> None:
    """Feeds as they are in the wild stop nothing, and a change of a rule shows in what it finds in them."""
    counts = Counter(finding.rule.code for finding in certify(path.read_bytes(), now=NOW).findings)
    found = "".join(f"{code} ×{count}\n" for code, count in sorted(counts.items()))
    expected = path.with_suffix(".findings.txt")
    if request.config.getoption("--update-golden"):
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")


@pytest.mark.thorough(but_each=4)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_says_for_whom_why_and_what_to_do(rule: Any) -> None:
    """Whoever meets a finding learns what it costs and how to mend it, in one sentence each."""
    assert rule.directories and set(rule.directories) <= set(DIRECTORIES)
    assert rule.reason.endswith(".") and rule.reason[0].isupper() and ". " not in rule.reason
    assert rule.remedy and not rule.remedy.endswith(".")
    assert rule.source
    assert rule.code == rule.code.lower()


def test_the_same_feed_gives_the_same_certificate() -> None:
    """Nothing of a finding depends on the run."""
    xml = REAL[0].read_bytes()
    assert certify(xml).findings == certify(xml).findings


def test_a_finding_names_item_line_and_key() -> None:
    """A person with an editor finds the place in the feed, and the tool the line of the YAML file."""
    xml = GOOD.replace("<itunes:explicit>true<", "<itunes:explicit>yes<").encode()
    (finding,) = certify(xml).findings
    assert finding.item == "424e8c05-8266-56d5-8d46-62c39fe468f1"
    assert xml.splitlines()[finding.line - 1].strip() == b"<itunes:explicit>yes</itunes:explicit>"
    assert (finding.key, finding.what) == ("explicit", "yes")


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: path.stem)
def test_a_finding_leads_to_the_key_its_tag_was_made_of(path: Path) -> None:
    """Each tag that the pairs of `tests/feeds/` hold has the YAML key that stands in the same pair."""
    written = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader) or {}
    channel = etree.parse(path.with_suffix(".xml")).getroot()
    items = [child for child in channel if child.tag == "item"]
    names, lost = Tree(), []
    for kind, keys, tags in (("show", CHANNEL_KEYS, channel), ("episode", ITEM_KEYS, items[0] if items else ())):
        found = {names.name(str(child.tag)) for child in tags} - {"item"}
        lost += [name for name in found if keys.get(name, "").partition(".")[0] not in written.get(kind, {})]
    assert lost == []


@pytest.mark.parametrize(
    "xml", [b"", b"<", b"hello", b"\0", b"<a/>", b"<rss/>", b"<?xml version='1.0'?>", b"\xff\xfe<"]
)
def test_what_is_no_feed_is_told_without_a_crash(xml: bytes) -> None:
    """Whatever a server sends in place of a feed, the answer is a finding."""
    assert {finding.rule.code for finding in certify(xml).findings} & {"rss-root", "xml-malformed"}


@pytest.mark.parametrize("base", ["http://localhost:8000/", "http://127.0.0.1/", "http://[::1]:8000/water/"])
def test_a_preview_on_this_machine_needs_no_certificate(base: str) -> None:
    """What nobody else can reach is not warned of for being unencrypted."""
    xml = GOOD.replace("https://cdn.example.net/", base).replace('href="https://example.org/ada"', f'href="{base}ada"')
    assert xml.count(base) == 2
    assert found_in(xml.encode(), good_files()) == []


def test_an_owner_may_be_missing_but_not_without_address() -> None:
    """Spotify wants the address at submission only, and many take it out against spam afterwards."""
    start, end = GOOD.index("    <itunes:owner>"), GOOD.index("    <itunes:category")
    assert found_in((GOOD[:start] + GOOD[end:]).encode(), good_files()) == []


def test_what_is_no_feed_scores_nothing() -> None:
    """Rules that could not be asked are not kept."""
    assert {certify(b"<html><body>Not found</body></html>").score(directory) for directory in DIRECTORIES} == {0}


def test_every_prefix_of_a_feed_can_be_certified() -> None:
    """A download that broke off is told as such, wherever it did."""
    for end in range(0, len(GOOD), 397):
        assert certify(GOOD[:end].encode()).findings


def test_a_directory_refuses_for_errors_of_its_own_rules_only() -> None:
    """A missing author is Spotify's reason to refuse, and nobody else's."""
    certificate = certify(GOOD.replace("<itunes:author>Ada Reef</itunes:author>", "").encode())
    assert certificate.verdict("spotify") == "refused"
    assert certificate.verdict("apple") == "accepted"
    assert certificate.score("apple") == 100
    assert 90 < certificate.score("spotify") < 100
    assert certificate.of(["apple"]).findings == ()


def test_one_warning_costs_less_than_one_error() -> None:
    """A score tells how far a feed is from what a directory asks."""
    warned = certify(GOOD.replace(' rel="self" type="application/rss+xml"', ' rel="self"').encode())
    wrong = certify(GOOD.replace("<language>en<", "<language>English<").encode())
    assert wrong.score("psp1") < warned.score("psp1") < 100
    assert warned.verdict("psp1") == "accepted with warnings"


def test_rules_are_known_without_lxml_and_pillow() -> None:
    """The list of rules and the reference are made without heavy libraries."""
    script = "import sys; import podsite.feeds.certify; print({'lxml', 'PIL', 'mutagen'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_long_feed_is_judged_item_by_item() -> None:
    """Twice as many items are asked twice as often, not four times: what is compared is looked up."""
    item = GOOD[GOOD.index("    <item>\n      <title>The first") : GOOD.index("  </channel>")]
    many = "".join(
        item.replace("dd707b31", f"{number:08x}").replace("1.mp3", f"{number}.mp3") for number in range(2000)
    )
    start, end = GOOD.index("    <item>"), GOOD.index("  </channel>")
    found = Counter(one.rule.code for one in certify((GOOD[:start] + many + GOOD[end:]).encode()).findings)
    assert found == {"pubdate-duplicate": 1999}


# --- whatever comes in, nothing crashes

SEEDS = [GOOD.encode(), *(path.read_bytes()[:20_000] for path in REAL)]
ODD_NUMBERS = (
    "9" * 400,
    "9" * 5000,
    "0" * 5000 + "7",
    "-1",
    "1e999",
    "NaN",
    "٣",
    "²",
    "1_000",
    "0x10",
    "9:" * 300 + "9",
)
ODD_NODES = (
    "<!-- a -- b -->", "<!-- fine -->", "<?php echo 1; ?>", "<?xml version='1.0'?>", "&nbsp;", "&foo;", "&e;", "&#0;",
    "&#xD800;", "&#x110000;", "&", "<", "]]>", "<![CDATA[<b>&nbsp;]]>", "<![CDATA[", "<item>", "</item>", "</channel>",
    "</rss>", "<channel/>", "<b:x/>", "<podcast:value>", "<item xmlns='urn:x'/>", "<a xmlns=''/>", "\0", "\ud800",
    "\ufffe", "&#\x00xD800;", "&#55296;", "&#xFFFFFFFFF;", "&#xD800", "\x80", "\xff",
)  # fmt: skip
DTDS = (
    '<!DOCTYPE rss [<!ENTITY nbsp "&#160;"><!ENTITY e "<b>x</b>">]>',
    '<!DOCTYPE rss SYSTEM "file:///etc/passwd">',
    '<!DOCTYPE rss [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p; <!ENTITY e SYSTEM "file:///etc/passwd">]>',
)


@st.composite
def broken_feeds(draw: st.DrawFn) -> bytes:
    """A feed with a few things in it that nobody meant: bytes, numbers, nodes, a DTD, another encoding."""
    xml = draw(st.sampled_from(SEEDS))
    if draw(st.booleans()):
        xml = xml.replace(b"<rss", draw(st.sampled_from(DTDS)).encode() + b"<rss", 1)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(xml)))
        kind = draw(st.sampled_from(("bytes", "node", "number", "cut", "between")))
        if kind == "bytes":
            xml = xml[:at] + draw(st.binary(max_size=4)) + xml[at + draw(st.integers(0, 4)) :]
        elif kind == "cut":
            xml = xml[:at] + xml[at + draw(st.integers(0, 400)) :]
        elif kind == "number":
            numbers = list(re.finditer(rb'(?<=[">=])\d[\d:.]*(?=["<])', xml))
            if numbers:
                one = numbers[at % len(numbers)]
                xml = xml[: one.start()] + draw(st.sampled_from(ODD_NUMBERS)).encode() + xml[one.end() :]
        else:
            at = xml.find(b">", at) + 1 if kind == "between" else at
            xml = xml[:at] + draw(st.sampled_from(ODD_NODES)).encode("utf-8", "surrogatepass") + xml[at:]
    if draw(st.integers(0, 9)) == 0:
        encoding = draw(st.sampled_from(("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7", "cp037")))
        return xml.decode("utf-8", "replace").encode(encoding, "replace")
    return xml


@given(broken_feeds())
@settings(max_examples=2 * settings().max_examples, suppress_health_check=list(HealthCheck))
def test_no_input_crashes_the_certifier(xml: bytes) -> None:
    """A feed of somebody else's may hold anything; what is wrong with it is told, and the next rule is asked."""
    for finding in certify(xml, now=NOW, url=URL).findings:
        assert str(finding)
        assert finding.line >= 0


@given(st.sampled_from(sorted(good_files())), st.data())
@settings(suppress_health_check=list(HealthCheck))
def test_no_file_beside_a_feed_crashes_the_certifier(name: str, data: st.DataObject) -> None:
    """Chapters, transcripts, pictures and audio may hold anything, too."""
    files = dict(good_files())
    odd = [*(number.encode() for number in ODD_NUMBERS), b"[" * 100_000, b"Infinity", b"null", b"\xff", b"\0", b""]
    content = files[name][:20_000]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, min(len(content), 400)))
        content = content[:at] + data.draw(st.sampled_from(odd)) + content[at + data.draw(st.integers(0, 6)) :]
    found_in(GOOD.encode(), files | {name: content})


ENTITIES = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
BOMB = f'<!DOCTYPE rss [<!ENTITY e0 "0123456789">{ENTITIES}]>'


@pytest.mark.parametrize("use", ["<title>&e11;</title>", '<a b="&e11;"/>', "<podcast:person>&e11;</podcast:person>"])
def test_entities_that_grow_without_end_are_refused(use: str) -> None:
    """A few lines that would become a hundred gigabytes of text are no feed."""
    xml = GOOD.replace("<rss", BOMB + "<rss", 1).replace("<ttl>", use + "<ttl>", 1)
    assert "xml-malformed" in found_in(xml.encode(), {})


def test_entities_that_a_feed_declares_are_read() -> None:
    """A DTD is rare and well-formed all the same, so what it declares has its meaning in all rules."""
    xml = GOOD.replace("<rss", '<!DOCTYPE rss [<!ENTITY nbsp "&#160;"><!ENTITY w "Ad&amp;amp;a">]><rss', 1)
    assert found_in(xml.replace("What owls hear", "What&nbsp;owls hear").encode(), good_files()) == []
    assert found_in(xml.replace("What owls hear", "&w;").encode(), good_files()) == ["double-escape"]


def test_entities_from_elsewhere_are_not_read(tmp_path: Path) -> None:
    """Neither a file of this machine nor an address is opened for a feed that names it."""
    (tmp_path / "secret").write_text("<b>secret</b>", encoding="utf-8")
    for entity in ('x SYSTEM "file://{0}/secret"', '% p SYSTEM "file://{0}/secret"> %p; <!ENTITY x "y"'):
        xml = GOOD.replace("<rss", f"<!DOCTYPE rss [<!ENTITY {entity.format(tmp_path)}>]><rss", 1)
        found = certify(xml.replace("What owls hear", "<i>&x;</i>").encode()).findings
        assert "secret" not in "".join(map(str, found)).replace(str(tmp_path), "")


def test_a_feed_may_nest_as_deep_as_it_likes() -> None:
    """Nothing calls itself once a level."""
    deep = "<podcast:value>" * 1500 + "</podcast:value>" * 1500
    assert "p20-place" in found_in(GOOD.replace("<ttl>", deep + "<ttl>", 1).encode(), good_files())


def test_comments_after_the_end_are_read_in_one_go() -> None:
    """Two hundred of them are two hundred, not two to the power of two hundred ways to read them."""
    assert found_in(GOOD.encode() + b"<!-- x -->" * 200 + b"x", good_files()) == ["xml-malformed"]


@pytest.mark.parametrize("tag", ["code", "pre"])
def test_tags_that_never_end_are_looked_for_once(tag: str) -> None:
    """A hundred thousand of them cost no more than a look at each; quadratic, it would be an hour."""
    notes = "&amp;amp;quot;" + f"&lt;{tag}>" * 100_000
    assert "double-escape" in found_in(GOOD.replace("Rain, and what", notes, 1).encode(), good_files())
    assert "text-length" in found_in(GOOD.replace("The first night", "&lt;b>" * 100_000, 1).encode(), good_files())


def test_items_inside_items_are_not_followed_without_end() -> None:
    """Three thousand of them are one fault of the feed, and no crash."""
    deep = '<rss version="2.0"><channel>' + "<item>" * 3000
    assert certify(deep.encode()).findings
