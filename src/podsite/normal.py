"""The normal form of an address of the web: two addresses of one work have the same, so that it is listed once.

A normal form has no scheme: `github.com/pytorch/pytorch/blob/main/README.md`. It is made of what the address says;
nothing is looked up. It never fails, and making it twice changes nothing.

What is kept apart: another path, query or port; a version of code; a line or a comment named by the fragment; a moment
of a video. What is not: scheme, `www.`, mobile hosts, closing slashes, `index.html`, how letters are escaped, the order
of parameters and those that only say where a visitor came from, sections of a page, and the spellings that a site gives
to one thing (a paper's abstract and its PDF, a video's short and embedded address).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import quote, unquote

_Parts = tuple[str, str, str, str]  # host (with its port), path (without closing slashes), query, fragment
_Rule = Callable[[str, str, str, str], _Parts]

_SCHEME = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//+", re.IGNORECASE)
_ESCAPE = re.compile("%([0-9A-F]{2})")
_SAFE = "/:@!$&'()*+,;=~-._%?[]"
_INDEX = re.compile(r"/index\.html?$")
# Addresses that are in plain spelling, but for what stands around the middle of them.
_SIMPLE = re.compile(
    r"https?://(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)((?:/(?!index\.html?/?$)[\w~!$'()*,;:@&=+-][\w.~!$'()*,;:@&=+-]*)*)/?",
    re.ASCII,
)

#: Parameters that only say where a visitor came from.
_TRACKING = re.compile(
    r"(?:utm|mtm|piwik|matomo|hsa|oly)_\w*|pk_(?:campaign|kwd|keyword|source|medium|content|cid)|fbclid|gclid|gclsrc|dclid"
    r"|gbraid|wbraid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|igsh|mc_cid|mc_eid|mkt_tok|ref_src|ref_url|_hsenc|_hsmi"
    r"|hsctatracking|vero_id|vero_conv|_ga|_gl|_branch_match_id|s_kwcid|cmpid|wt_mc|at_medium|at_campaign|spm|amp",
    re.IGNORECASE,
)
#: Sites of one thing under several names.
_ALIASES = {
    "twitter.com": "x.com",
    "old.reddit.com": "reddit.com",
    "new.reddit.com": "reddit.com",
    "np.reddit.com": "reddit.com",
    "music.youtube.com": "youtube.com",
    "youtube-nocookie.com": "youtube.com",
    "dx.doi.org": "doi.org",
    "export.arxiv.org": "arxiv.org",
    "browse.arxiv.org": "arxiv.org",
    "ar5iv.org": "arxiv.org",
    "ar5iv.labs.arxiv.org": "arxiv.org",
}
#: Pages that only lead on, and the parameter that says where to.
_LEADING = {
    "l.facebook.com/l.php": "u",
    "lm.facebook.com/l.php": "u",
    "youtube.com/redirect": "q",
    "duckduckgo.com/l": "uddg",
    "out.reddit.com": "url",
    "slack-redir.net/link": "url",
    "linkedin.com/redir/redirect": "url",
    "t.umblr.com/redirect": "z",
}
_ARCHIVES = {f"archive.{end}" for end in ("ph", "is", "today", "md", "vn", "li", "fo")}
_WIKIS = ("wikipedia.org", "wiktionary.org", "wikibooks.org", "wikimedia.org")
_PUBLISHERS = {
    "acm.org", "sagepub.com", "wiley.com", "tandfonline.com", "acs.org", "science.org", "sciencemag.org", "pnas.org",
    "royalsocietypublishing.org", "annualreviews.org", "informs.org", "liebertpub.com", "siam.org", "aip.org",
    "worldscientific.com", "springer.com", "jamanetwork.com", "degruyter.com",
}  # fmt: skip

_DOI = re.compile(
    r"/(?:doi|article|chapter|book|content/pdf|protocol|reference)/(?:[a-z]+/)?(10\.\d{4,9}/.+?)"
    r"(?:\.pdf|/full|/abstract|/pdf|/epdf)?",
    re.IGNORECASE,
)
_ARXIV = re.compile(
    r"/(?:abs|pdf|html|format|ps|e-print|src|tb)/(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?",
    re.IGNORECASE,
)
_VIDEO = re.compile(r"/(?:embed|shorts|live|v|e)/([\w-]+)")
_TIME = re.compile(r"(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,9})s?)?")
_LINES = re.compile(r"L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?")
_COMMENT = re.compile(r"(?:issuecomment|discussion_r|discussioncomment|pullrequestreview|note_|diff)[-_]?\w+")


def normal(url: str) -> str:
    """The normal form of an address, with or without its scheme."""
    simple = _SIMPLE.fullmatch(url)
    if simple and not _is_special(simple[1]):
        return simple[1] + simple[2]
    parts = _parts(url)
    while inner := _unwrapped(*parts):
        parts = _parts(inner)
    host, path, query, fragment = parts
    rule = _rule(host)
    if rule:
        host, path, query, fragment = rule(host, path, query, fragment)
    elif not fragment.startswith(("!", "/")):  # by which scripts tell their pages apart
        fragment = ""
    return host + path + (f"?{query}" if query else "") + (f"#{fragment}" if fragment else "")


def doi(form: str) -> str | None:
    """The DOI of a normal form."""
    return unquote(form.removeprefix("doi.org/")) if form.startswith("doi.org/10.") else None


def arxiv(form: str) -> str | None:
    """The identifier at arXiv of a normal form."""
    return form.removeprefix("arxiv.org/abs/") if form.startswith("arxiv.org/abs/") else None


def _site(host: str) -> str:
    """The end of a host that somebody registered, where that is two words."""
    return ".".join(host.rsplit(".", 2)[-2:])


def _is_special(host: str) -> bool:
    return host.startswith(("m.", "mobile.", "www.", "google.", "amazon.")) or _site(host) in _SITES


def _rule(host: str) -> _Rule | None:
    site = _site(host)
    if site in _WIKIS:
        return _wiki
    if host.startswith("amazon."):
        return _amazon
    return _RULES.get(host) or (
        _overflow if site == "stackexchange.com" else _publisher if site in _PUBLISHERS else None
    )


def _parts(url: str) -> _Parts:
    """What an address is made of, in plain spelling."""
    url = url.strip()
    scheme = _SCHEME.match(url)
    bare, _, fragment = url[scheme.end() if scheme else 0 :].partition("#")
    bare, _, query = bare.partition("?")
    authority, _, path = bare.partition("/")
    return _host(authority), _path(_plain(path)), _query(query), _plain(fragment.partition(":~:")[0])


def _host(authority: str) -> str:
    host, _, port = authority.rpartition("@")[2].partition(":")
    host = host.lower().strip(".")
    with suppress(UnicodeError):
        host = host if host.isascii() else host.encode("idna").decode("ascii")
    while host.count(".") >= 2 and host.startswith(("www.", "m.", "mobile.")):
        host = host.partition(".")[2]
    if host.endswith(_WIKIS):
        host = host.replace(".m.", ".")
    host = _ALIASES.get(host, host)
    return _plain(host).lower() + (f":{_plain(port)}" if port not in {"", "80", "443"} else "")


def _path(path: str) -> str:
    kept: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del kept[-1:]
        elif part != ".":
            kept.append(part)
    whole = ("/" + "/".join(kept)).rstrip("/")
    while _INDEX.search(whole):
        whole = _INDEX.sub("", whole).rstrip("/")
    return whole


def _query(query: str) -> str:
    fields = (field for field in _plain(query).split("&") if field)
    return "&".join(sorted(field for field in fields if not _TRACKING.fullmatch(field.partition("=")[0])))


def _plain(text: str) -> str:
    """Letters and digits as they are, everything else escaped in one way."""
    if "%" in text:
        text = re.sub("%(?![0-9A-Fa-f]{2})", "%25", text)
        text = re.sub("%..", lambda escape: escape[0].upper(), text)
        text = _ESCAPE.sub(lambda escape: char if (char := unquote(escape[0])) in _UNRESERVED else escape[0], text)
    return quote(text, safe=_SAFE, errors="surrogatepass")


_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def _fields(query: str) -> dict[str, str]:
    return dict(field.partition("=")[::2] for field in query.split("&") if field)


def _joined(fields: dict[str, str]) -> str:
    return "&".join(sorted(f"{name}={value}" if value else name for name, value in fields.items()))


def _unwrapped(host: str, path: str, query: str, fragment: str) -> str | None:
    """The address inside one of an archive, or of a page that only leads on."""
    where = None
    if host == "web.archive.org":
        where = re.fullmatch(r"/web/\d+\*?(?:[a-z]{2}_)?/(.+)", path)
    elif host in _ARCHIVES:
        where = re.fullmatch(r"/[\d.-]+/(https?:/.+)", path)
    elif host.startswith("google.") or host.endswith("cdn.ampproject.org"):
        where = re.fullmatch(r"/(?:amp|[civ])/(?:s/)?(.+\..+)", path)
    if where:
        inner = re.sub("^(https?):/+", r"\1://", where[1])
        return inner + (f"?{query}" if query else "") + (f"#{fragment}" if fragment else "")
    key = _LEADING.get(host + path)
    keys = (key,) if key else ("q", "url") if host.startswith("google.") and path == "/url" else ()
    targets = (unquote(_fields(query).get(each, ""), errors="replace") for each in keys)
    return next((target for target in targets if re.match("https?://.", target, re.IGNORECASE)), None)


def _github(host: str, path: str, query: str, fragment: str) -> _Parts:
    parts = [part for part in path.split("/") if part]
    parts[:2] = [part.lower() for part in parts[:2]]
    if host == "raw.githubusercontent.com" and len(parts) > 3:
        host, parts[2:2] = "github.com", ["raw"]
    while len(parts) > 1 and len(parts[1]) > 4 and parts[1].endswith(".git"):
        parts[1] = parts[1].removesuffix(".git")
    fields = _fields(query)
    fields.pop("tab", None)
    if len(parts) > 3 and parts[2] in {"blob", "tree", "raw", "blame", "edit"}:
        parts[2] = "blob"
        while parts[3:5] in (["refs", "heads"], ["refs", "tags"]) and len(parts) > 5:
            del parts[3:5]
        fields = {}
    elif len(parts) in {4, 5} and parts[2] in {"issues", "pull"} and parts[3].isdigit():
        parts[2:] = ["issues", parts[3]]  # both are numbered in one row
        fields = {}
    names_a_part = _LINES.fullmatch(fragment) or _COMMENT.fullmatch(fragment)
    return host, "".join(f"/{part}" for part in parts), _joined(fields), fragment if names_a_part else ""


def _gitlab(host: str, path: str, query: str, fragment: str) -> _Parts:
    while path.endswith(".git"):
        path = path.removesuffix(".git").rstrip("/")
    path = re.sub(r"/-/(?:raw|tree|blame)/", "/-/blob/", path)
    return host, path, query, fragment if _LINES.fullmatch(fragment) or _COMMENT.fullmatch(fragment) else ""


def _arxiv(host: str, path: str, query: str, _: str) -> _Parts:
    found = _ARXIV.fullmatch(path)
    return (host, f"/abs/{found[1].lower()}", "", "") if found else (host, path, query, "")


def _doi(host: str, path: str, query: str, _: str) -> _Parts:
    name = path.removeprefix("/").lower()
    if name.startswith("10.48550/arxiv.") and (found := _ARXIV.fullmatch("/abs/" + name[15:])):
        return "arxiv.org", f"/abs/{found[1]}", "", ""
    return (host, f"/{name}", "", "") if name.startswith("10.") else (host, path, query, "")


def _publisher(host: str, path: str, query: str, _: str) -> _Parts:
    found = _DOI.fullmatch(path)
    return _doi("doi.org", _path(found[1]), "", "") if found else (host, path, query, "")


def _youtube(host: str, path: str, query: str, fragment: str) -> _Parts:
    fields = _fields(query)
    found = _VIDEO.fullmatch(path)
    video = found[1] if found else fields.get("v") if path == "/watch" else path[1:] if host == "youtu.be" else None
    if not re.fullmatch(r"[\w-]+", video or "", re.ASCII):
        kept = {name: value for name, value in fields.items() if name not in {"si", "feature", "app", "pp"}}
        return host, path, _joined(kept), ""
    moment = fields.get("t") or fields.get("start") or (fragment[2:] if fragment.startswith("t=") else "")
    times = _TIME.fullmatch(moment)
    units = zip(times.groups(), (3600, 60, 1), strict=True) if times else ()
    seconds = sum(int(part or 0) * unit for part, unit in units)
    return "youtube.com", "/watch", _joined({"v": str(video), **({"t": str(seconds)} if seconds else {})}), ""


def _wiki(host: str, path: str, query: str, _: str) -> _Parts:
    fields = _fields(query)
    if path == "/w/index.php" and fields.get("title"):
        path = f"/wiki/{fields.pop('title')}"
    title = path.removeprefix("/wiki/").replace("%20", "_")
    if path.startswith("/wiki/"):
        path = _path(f"wiki/{title[:1].upper()}{title[1:]}")
    return host, path, _joined(fields), ""


def _amazon(host: str, path: str, query: str, _: str) -> _Parts:
    found = re.search(r"/(?:dp|gp/product|gp/aw/d|exec/obidos/ASIN|o/ASIN)/([A-Z0-9]{10})(?:/|$)", path)
    return (host, f"/dp/{found[1]}", "", "") if found else (host, path, query, "")


def _overflow(host: str, path: str, query: str, _: str) -> _Parts:
    if answer := re.match(r"/(?:a|questions/\d+/[^/]*)/(\d+)(?:/\d+)?$", path):
        return host, f"/a/{answer[1]}", "", ""
    found = re.match(r"/q(?:uestions)?/(\d+)(?:/|$)", path)
    return (host, f"/questions/{found[1]}", "", "") if found else (host, path, query, "")


def _post(host: str, path: str, query: str, _: str) -> _Parts:
    return (host, path, "", "") if "/status/" in path else (host, path, query, "")


def _review(host: str, path: str, query: str, _: str) -> _Parts:
    work = _fields(query).get("id")
    return (host, "/forum", f"id={work}", "") if work and path in {"/forum", "/pdf"} else (host, path, query, "")


_RULES: dict[str, _Rule] = {
    "github.com": _github,
    "raw.githubusercontent.com": _github,
    "gitlab.com": _gitlab,
    "arxiv.org": _arxiv,
    "doi.org": _doi,
    "youtube.com": _youtube,
    "youtu.be": _youtube,
    "x.com": _post,
    "openreview.net": _review,
    "stackoverflow.com": _overflow,
}
#: Sites whose addresses have something to them.
_SITES = {
    *map(_site, (*_RULES, *_ALIASES, *(page.partition("/")[0] for page in _LEADING))),
    *_ARCHIVES, *_WIKIS, *_PUBLISHERS, "archive.org", "ampproject.org", "stackexchange.com",
}  # fmt: skip
