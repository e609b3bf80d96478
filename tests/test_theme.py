"""Promises of podsite.theme: whose template is used, and what an author of templates is told about mistakes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from podsite.crew import Crew
from podsite.errors import OutputError, TemplateError, UsageError
from podsite.theme import Theme, trusted

Own = Callable[[Mapping[str, str | bytes]], Theme]


@pytest.fixture
def own(tmp_path: Path) -> Own:
    """Makes the theme of a site that has templates of its own, by name."""

    def theme(files: Mapping[str, str | bytes]) -> Theme:
        for name, content in files.items():
            path = tmp_path / "templates" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return Theme(tmp_path)

    return theme


def complaint(theme: Theme, template: str, **context: object) -> str:
    """What is said when the template cannot be rendered."""
    with pytest.raises(TemplateError) as caught:
        theme.printed(template, context, "episodes/one/")
    return str(caught.value)


def test_a_sites_template_comes_before_the_bundled_one(own: Own) -> None:
    """One partial in the site replaces that partial; everything else stays."""
    theme = own({"partials/reading.html": "mine", "both.html": "{% include 'partials/reading.html' %}"})
    assert theme.render("both.html", {}) == "mine"


def test_a_sites_template_can_extend_the_bundled_one_of_its_name(own: Own) -> None:
    """`podsite/` leads to the bundled theme, so that a block can be changed and the rest kept."""
    theme = own({"partials/crumbs.html": "{% extends 'podsite/partials/crumbs.html' %}"})
    assert theme.render("partials/crumbs.html", {"kind": "home"}) == Theme(None).render(
        "partials/crumbs.html", {"kind": "home"}
    )


def test_everything_is_escaped_unless_it_is_trusted(own: Own) -> None:
    """Whatever a template is called, text is text."""
    theme = own({"page.txt": "{{ text }}", "feed.rss.j2": "{{ text }} {{ html }}"})
    assert theme.render("page.txt", {"text": "<b>"}) == "&lt;b&gt;"
    assert theme.render("feed.rss.j2", {"text": "<b>", "html": trusted("<i>")}) == "&lt;b&gt; <i>"


class Thing:
    """Something with a title."""

    title = "T"


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("a\n{{ thing.titel }}", ":2:1: Thing has no 'titel' (did you mean 'title'?)"),
        ("{% if thing.titel %}x{% endif %}", ":1:1: Thing has no 'titel' (did you mean 'title'?)"),
        ("{{ words.tilte }}", ":1:1: there is no 'tilte' here (did you mean 'title'?)"),
        ("{{ thign.title }}", ":1:1: 'thign' is undefined (did you mean 'thing'?)"),
        ("a\n\n{% if %}", ":3:1: Expected an expression, got 'end of statement block'"),
        ("{{ 'x' | durration }}", ":1:1: No filter named 'durration'"),
        ("\n{% include 'rdirect.html' %}", ":2:1: there is no template 'rdirect.html' (did you mean 'redirect.html'?)"),
        ("{{ none | day }}", ":1:1: AttributeError: 'NoneType' object has no attribute 'astimezone'"),
        ("{{ 1 // 0 }}", ":1:1: ZeroDivisionError: integer division or modulo by zero"),
        ("{{ 'ü'.encode().decode('ascii') }}", ":1:1: UnicodeDecodeError: 'ascii' codec can't decode byte 0xc3"),
        ("{% for k in words %}{{ words.update({k ~ 1: 1}) }}{% endfor %}", ":1:1: RuntimeError: dictionary changed"),
        ("a\n{{ 'x' * 10**13 }}", ":2:1: takes more memory than there is"),
        ("{% macro m() %}\n{{ m() }}{% endmacro %}{{ m() }}", ":2:1: leads back into itself without end"),
        ("{{ 'night \\ud800' }}", r": makes a character that no page can hold: '\ud800', behind 'night'; leave it out"),
        (f"a\n{{{{ {'9' * 5000} }}}}", ":2:1: cannot be compiled: Exceeds the limit (4300 digits)"),
        ("a\n{{ 10 ** 5000 }}", ":2:1: cannot be compiled: Exceeds the limit (4300 digits)"),
        ("a\n{{ dict(a=1,\n  a=2) }}", ":2:1: cannot be compiled: keyword argument repeated: a"),
        (f"a\n{{{{ {'(' * 300}1{')' * 300} }}}}", ":2:1: is nested too deeply; take it apart into several templates"),
        ("{% for x in [1] %}" * 30 + "{% endfor %}" * 30, ":1:1: is nested too deeply; take it apart"),
        ("{% set range = 'x' %}\n{{ range(3) }}", ":2:1: TypeError: 'str' object is not callable; "
            "templates/mine.html:1 sets 'range', which others need as it is: choose another name"),
    ],
    ids=lambda given: given[:40],
)  # fmt: skip
def test_a_mistake_is_told_with_its_line_and_remedy(own: Own, template: str, message: str) -> None:
    """File, line, what was found, what is near, and the page that was being rendered."""
    theme = own({"mine.html": template})
    theme.prepare(["mine.html"], Crew())
    theme.version("mine.html")
    found = complaint(theme, "mine.html", thing=Thing(), words={"title": "T"}, show=SimpleNamespace(timezone=None))
    assert found.startswith(f"templates/mine.html{message}")
    assert found.endswith(" (rendering episodes/one/)")


def test_a_mistake_in_an_included_template_is_placed_there(own: Own) -> None:
    """The innermost template is the one to mend."""
    theme = own({"partials/inner.html": "\n\n{{ missing }}", "outer.html": "{% include 'partials/inner.html' %}"})
    assert complaint(theme, "outer.html").startswith("templates/partials/inner.html:3:1: 'missing' is undefined")


@pytest.mark.parametrize(
    ("template", "message"),
    [
        (
            "{% set things, paging = 'x', {'previous': 3} %}\n{% include 'partials/pages.html' %}",
            "2:1: int has no 'address'",
        ),
        ("{% set things, paging = [], 1 %}{% include 'partials/pages.html' %}", "1:1: TypeError: unhashable type"),
        (
            "\n{% set script_text = 1 %}{% include 'partials/words.html' %}",
            "2:1: TypeError: 'int' object is not callable",
        ),
    ],
)
def test_what_a_template_brings_upon_a_bundled_one_is_told_of_it(own: Own, template: str, message: str) -> None:
    """Not as a fault of podsite's: what it set is what the other one stumbled over."""
    found = complaint(own({"mine.html": template}), "mine.html")
    assert found.startswith(f"templates/mine.html:{message}")
    assert re.search(r" \(in podsite/partials/(pages|words)\.html:\d+, which it uses\)", found)
    renamed = "; templates/mine.html:2 sets 'script_text', which others need as it is: choose another name (rendering"
    assert (renamed in found) == ("script_text" in template)


def test_a_fault_of_a_bundled_template_is_told_with_its_line(own: Own) -> None:
    """And who is to hear of it, since nothing that was set brought it about."""
    found = complaint(own({}), "partials/pages.html", things=[], paging=1)
    assert found.startswith("podsite/partials/pages.html:")
    assert "TypeError: unhashable type: 'list'; unless a template of the site's own has a part in it, " in found


def test_a_part_that_is_no_text_is_told_by_its_own_name(own: Own) -> None:
    """Not by that of the template that includes it."""
    theme = own({"outer.html": "{% include 'partials/inner.html' %}", "partials/inner.html": b"a\n\xfc"})
    assert complaint(theme, "outer.html").startswith("templates/partials/inner.html:2:1: is not UTF-8 text")


def test_a_template_that_is_nowhere_is_named(own: Own) -> None:
    """Asked for by podsite itself or by another template."""
    assert complaint(own({}), "epsiode.html").startswith(
        "epsiode.html: there is no template 'epsiode.html' (did you mean 'episode.html'?)"
    )


def test_assets_of_the_site_replace_and_join_the_bundled_ones(own: Own) -> None:
    """The same order as for templates; what editors leave behind is no asset."""
    theme = own({"assets/site.js": "// mine", "assets/more/map.svg": "<svg/>", "assets/.DS_Store": "", "assets/x~": ""})
    assets = dict(theme.assets())
    assert assets["assets/site.js"] == b"// mine"
    assert assets["assets/more/map.svg"] == b"<svg/>"
    assert b":root" in assets["assets/site.css"]
    assert set(assets) == {file.name for file in theme.listing() if file.name.startswith("assets/")}
    assert not {"assets/.DS_Store", "assets/x~"} & set(assets)


def test_a_bundled_template_can_be_copied_to_be_changed(own: Own, tmp_path: Path) -> None:
    """The copy says which version it comes from, works at once, and is never overwritten."""
    theme = own({})
    path = theme.copy("partials/crumbs.html")
    assert path == tmp_path / "templates" / "partials" / "crumbs.html"
    assert path.read_text("utf-8").startswith("{# partials/crumbs.html of podsite ")
    assert [file.origin for file in theme.listing() if file.name == "partials/crumbs.html"] == ["site"]
    assert Theme(tmp_path).render("partials/crumbs.html", {"kind": "home"}).strip() == ""
    with pytest.raises(UsageError, match="exists already; delete it first"):
        theme.copy("partials/crumbs.html")


def test_only_files_of_the_theme_can_be_copied(own: Own) -> None:
    """A near name is offered, and nothing outside the theme can be reached."""
    for name, answer in (("episod.html", "did you mean 'episode.html'"), ("../show.yaml", "has no file")):
        with pytest.raises(UsageError, match=answer):
            own({}).copy(name)
    with pytest.raises(UsageError, match="no site"):
        Theme(None).copy("episode.html")


def test_bundled_scripts_are_published_without_remarks(own: Own) -> None:
    """They weigh a sixth less; a script of the site's own stays as it is, be it a changed copy."""
    remarked = "// mine\n  go();\n"
    assets = dict(own({"assets/site.js": remarked}).assets())
    assert assets["assets/site.js"] == remarked.encode()
    lines = assets["assets/player.js"].decode().splitlines()
    assert not [line for line in lines if line.startswith(("//", " ")) or not line]
    assert len(lines) > 100


def test_no_bundled_script_has_a_text_over_several_lines(repository: Path) -> None:
    """Its indentation would be lost where scripts are published without."""
    for path in (repository / "templates/assets").glob("*.js"):
        source = path.read_text(encoding="utf-8")
        assert "/*" not in source
        assert all(line.count("`") % 2 == 0 for line in source.splitlines()), path.name


def test_copied_assets_stay_byte_for_byte(own: Own) -> None:
    """A remark in Jinja's syntax would break a style sheet."""
    theme = own({})
    assert theme.source("assets/site.css") == dict(theme.assets())["assets/site.css"]


def test_a_site_without_templates_has_the_bundled_theme(tmp_path: Path) -> None:
    """An empty folder is enough."""
    assert {file.origin for file in Theme(tmp_path).listing()} == {"podsite"}
    assert Theme(None).listing() == Theme(tmp_path).listing()


def test_a_template_that_cannot_be_used_is_told_with_its_place(tmp_path: Path) -> None:
    """Else the bundled one would stand in for it, or a link would publish any file of the machine."""
    outside = tmp_path / "secret.html"
    outside.write_text("secret", encoding="utf-8")
    own = tmp_path / "site/templates"
    (own / "partials").mkdir(parents=True)
    (own / "index.html").symlink_to(outside)
    (own / "page.html").symlink_to(tmp_path / "nowhere")
    with pytest.raises(TemplateError) as refused:
        Theme(tmp_path / "site")
    assert list(map(str, refused.value.problems)) == [
        "templates/index.html: 'templates/index.html' leads out of the site through a link",
        "templates/page.html: 'templates/page.html' leads out of the site through a link",
    ]


def test_a_file_in_the_place_of_templates_is_told(tmp_path: Path) -> None:
    """It was meant as something, and would be passed over."""
    (tmp_path / "templates").write_text("x", encoding="utf-8")
    with pytest.raises(TemplateError, match="templates: is a file; expected a folder of that name"):
        Theme(tmp_path)


def test_a_template_that_includes_itself_is_told(tmp_path: Path) -> None:
    """Nothing would ever come of it."""
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates/index.html").write_text('{% include "index.html" %}', encoding="utf-8")
    with pytest.raises(TemplateError, match=r"templates/index\.html:1:1: leads back into itself without end"):
        Theme(tmp_path).render("index.html", {})


def test_a_template_that_cannot_be_copied_is_told(tmp_path: Path) -> None:
    """A file where a folder is needed, a full disk, a folder that is not one's own."""
    (tmp_path / "templates").mkdir()
    theme = Theme(tmp_path)
    (tmp_path / "templates/partials").write_text("x", encoding="utf-8")
    with pytest.raises(OutputError, match="cannot be written"):
        theme.copy("partials/row.html")


def test_a_part_that_is_alike_on_all_pages_knows_what_is_set_around_it(
    site: Callable[..., Path], build: Callable[..., Path], tree: Callable[[Path], dict[str, bytes]]
) -> None:
    """It is filled once, and again where another value has a name that it asks for, or where the show changed."""
    said = "{% include 'partials/said.html' %}"
    root = site({
        "templates/partials/said.html": "{{ show.author }}, {{ _('Episodes') }}.",
        "templates/page.html": f"{said} {{% for show in [{{'author': title}}] %}}{said}{{% endfor %}} {said}",
        "pages/about.md": "# About",
        "pages/help.md": "# Help",
    })  # fmt: skip
    show = (root / "show.yaml").read_text("utf-8")
    for author in ("Ada Reef", "Bo Lim"):
        (root / "show.yaml").write_text(show.replace("Ada Reef", author), "utf-8")
        made = tree(build(root))
        for page in ("About", "Help"):
            told = f"{author}, Episodes. {page}, Episodes. {author}, Episodes."
            assert made[f"{page.lower()}/index.html"].decode() == told


def test_the_first_page_that_fails_is_told_whoever_fills_it(
    site: Callable[..., Path], podsite: Callable[..., Any]
) -> None:
    """Several processes fill pages in another order, and fail in many ways at once."""
    ways = (
        "{{ 1 // 0 }}",
        "{{ nope }}",
        "{% include none %}",
        "{{ [] | random }}",
        "{{ 'x' * 10**13 }}",
        "{{ '\\ud800' }}",
    )
    cases = "".join(f"{{% if page.number % 6 == {way} %}}\n{what}{{% endif %}}" for way, what in enumerate(ways))
    files = {f"pages/page-{number:03}.md": f"# {number}" for number in range(130)}
    root = site({**files, "templates/page.html": cases.replace("page.number", "title | int")})
    told = {podsite("build", root, "--jobs", jobs, cwd=root).err for jobs in (1, 4, 4)}
    assert len(told) == 1, told
    assert told.pop().startswith(
        "templates/page.html:2:1: ZeroDivisionError: integer division or modulo by zero (rendering page-000/)"
    )
