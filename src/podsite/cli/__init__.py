"""The `podsite` command: arguments in, one call, messages out. Heavy imports stay inside the commands."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from podsite import __version__
from podsite.cli.recordings import tag
from podsite.cli.shared import SITE, circumstance, instant, named_from_here
from podsite.ending import REQUEST, heed

if TYPE_CHECKING:
    from podsite.check import Checked
    from podsite.errors import Problem
    from podsite.messages import Format
    from podsite.progress import Progress
    from podsite.recall import Built

_EPILOG = "Documentation: the folder docs/ of the source, beginning with docs/tutorial.md."


def program() -> NoReturn:
    """`main` as a process of its own, which ends at once: taking apart what it made takes long, and frees nothing that
    the system would not free by itself.
    """
    gc.disable()
    heed()
    try:
        main()
    except BaseException as end:
        status = end.code if isinstance(end, SystemExit) else None
        if REQUEST.status and status != 0:  # whatever became of it on its way
            status = REQUEST.status
        elif not isinstance(end, SystemExit):
            raise
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(status if isinstance(status, int) else 1)


def main() -> NoReturn:
    """Run the command line. Exits with 0 when done, 1 when there are problems, 2 for wrong usage."""
    try:
        status = _status(lambda: commands.main(standalone_mode=False))
    except OSError as error:
        status = _unprinted(error)
    sys.exit(status)


def _status(run: Callable[[], Any]) -> int:
    try:
        result = run()
    except click.Abort:
        click.echo("stopped", err=True)
        return 130
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except Exception as error:  # noqa: BLE001 - sorted in _told: ours to print or a bug to show
        return _told(error)
    return result if isinstance(result, int) else 0


def _told(error: Exception, how: Format = "text") -> int:
    """Print an error a user can mend and give its status; anything else is a bug and goes on as it is."""
    from podsite.errors import PodsiteError, UsageError
    from podsite.messages import problems_of, report_json

    error = circumstance(error) or error
    if not isinstance(error, PodsiteError):
        raise error
    if how == "json":
        click.echo(report_json(problems_of(error), None, 0))
    else:
        _tell(problems_of(error), how)
    return 2 if isinstance(error, UsageError) else 1


def _unprinted(error: OSError) -> int:
    """The status where printing failed, which is told in one line; any other error of the system is a bug."""
    from traceback import walk_tb

    if not any(frame.f_code is click.echo.__code__ for frame, _ in walk_tb(error.__traceback__)):
        raise error
    with suppress(OSError):
        if not isinstance(error, BrokenPipeError):  # whoever reads no further needs no message
            click.echo(f"podsite: cannot print: {error.strerror}", err=True)
    for stream in (sys.stdout, sys.stderr):  # what is left in them would make Python complain at its end
        with suppress(OSError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return 1


def _tell(problems: Iterable[Problem], how: Format) -> None:
    from podsite.messages import problem_line

    for problem in problems:
        click.echo(problem_line(problem, how), err=how == "text")


@click.group(epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, package_name="podsite", message="podsite %(version)s")
def commands() -> None:
    """Turn a folder of YAML files into a podcast's website and its RSS feed."""


@commands.command()
@click.argument("site", type=click.Path(path_type=Path), default=Path())
@click.option("--output", type=click.Path(path_type=Path), metavar="DIR", help="Where to write; 'output' by default.")
@click.option("--base-url", metavar="URL", help="Address of the site, in place of show.yaml's 'url'.")
@click.option("--drafts", is_flag=True, help="Show drafts, too.")
@click.option("--future", is_flag=True, help="Show scheduled episodes, too.")
@click.option("--strict", is_flag=True, help="Let warnings stop the build.")
@click.option(
    "--format",
    "how",
    type=click.Choice(["text", "github", "json"]),
    default="text",
    help="Form of the messages: text, annotations of GitHub Actions, or JSON.",
)
@click.option("--locked", is_flag=True, help="Never write podsite.lock, and fail if it would change.")
@click.option(
    "--accept",
    multiple=True,
    metavar="SLUG[:WHAT]",
    help="Let a change pass that listeners will notice: of an episode, of 'show.yaml', or '*:WHAT'.",
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many processes share the work of a large site; one for each processor by default.",
)
@click.option("--no-search", is_flag=True, help="Make no index for the search page, which saves time in a draft.")
@click.option("--quiet", "-q", is_flag=True, help="Print problems only.")
@click.option("--verbose", "-v", is_flag=True, help="List every file written and removed.")
def build(site: Path, output: Path | None, base_url: str | None, how: Format, **flags: Any) -> int:
    """Build the site of SITE (this folder by default): its pages and its feed."""
    from podsite.progress import Progress
    from podsite.roots import find_root

    begun = time.monotonic()
    progress = Progress(begun, hidden=flags["quiet"] or how != "text" or not (sys.stderr and sys.stderr.isatty()))
    try:
        root = find_root(site)
        built = _built(root, output or root / "output", _checked_url(base_url), progress, flags)
    except Exception as error:  # noqa: BLE001 - sorted in _told
        progress.clear()
        return _stopped(error, how, strict=flags["strict"])
    progress.clear()
    _announce(built, how, time.monotonic() - begun, root, flags)
    return 0


def _stopped(error: Exception, how: Format, *, strict: bool) -> int:
    """Print why a build was not made, and give its status."""
    from podsite.errors import ContentError
    from podsite.messages import verdict

    status = _told(error, how)
    if isinstance(error, ContentError) and how != "json":
        click.echo(verdict(error.problems, strict=strict), err=True)
    return status


def _built(root: Path, output: Path, base_url: str | None, progress: Progress, flags: dict[str, Any]) -> Built:
    """What a build makes, or would make again: then nothing is imported that only a build needs."""
    from podsite.recall import Options, Recall

    chosen = {name: flags[name] for name in ("drafts", "future", "strict", "locked", "accept", "jobs")}
    options = Options(now=instant(), base_url=base_url, search=not flags["no_search"], **chosen)
    recall = Recall(root, output, options)
    built = recall.result()
    if built is None:
        from podsite import build as pipeline
        from podsite.crew import uncollected

        with named_from_here(root), uncollected():
            built = pipeline.build(root, output, options, progress=progress, recall=recall)
    return built


def _announce(built: Built, how: Format, elapsed: float, root: Path, flags: dict[str, Any]) -> None:
    if built.warnings or how == "json":
        from podsite import messages

        problems = messages.located(built.warnings, root)
        if how == "json":
            click.echo(messages.report_json(problems, built, elapsed))
            return
        _tell(problems, how)
    if flags["quiet"]:
        return
    from podsite import summaries

    if flags["verbose"]:
        for sign, paths in (("+", built.report.written), ("-", built.report.removed)):
            for path in paths:
                click.echo(f"{sign} {path}")
    for line in summaries.scheduled(built):
        click.echo(line)
    click.echo(summaries.summary(built, elapsed))


def _checked_url(base_url: str | None) -> str | None:
    if base_url is None:
        return None
    from podsite import values
    from podsite.errors import UsageError

    try:
        return values.base_url(base_url)
    except ValueError as error:
        raise UsageError(f"--base-url: {error}") from None


@commands.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
def init(folder: Path) -> None:
    """Begin a new site in FOLDER (this one by default)."""
    from podsite import scaffold

    for path in scaffold.init(folder, instant()):
        click.echo(f"+ {path}")
    where = "" if folder == Path() else f" {folder}"
    click.echo(f"Fill in show.yaml, then run: podsite build{where}")


@commands.command()
@click.argument("title")
@click.option("--site", type=click.Path(path_type=Path), default=Path(), metavar="DIR", help="The site's folder.")
def new(title: str, site: Path) -> None:
    """Begin a new episode called TITLE: a draft with the next number."""
    from podsite import scaffold
    from podsite.messages import shown
    from podsite.roots import find_root

    click.echo(f"+ {shown(scaffold.new(find_root(site), title, instant()))}")


@commands.group()
def templates() -> None:
    """See the theme's files, and copy those you want to change."""


@templates.command("list")
@SITE
def list_templates(site: Path) -> None:
    """List the theme's files, and which of them the site replaces."""
    from podsite.roots import find_root
    from podsite.theme import Theme

    for file in Theme(find_root(site)).listing():
        click.echo(f"{file.name}{'  (your own)' if file.origin == 'site' else ''}")


@templates.command("copy")
@click.argument("name")
@SITE
def copy_template(name: str, site: Path) -> None:
    """Copy the theme's file NAME to the site's templates/, where yours then counts."""
    from podsite.messages import shown
    from podsite.roots import find_root
    from podsite.theme import Theme

    click.echo(f"+ {shown(Theme(find_root(site)).copy(name))}")


@commands.command()
@click.argument("kind", type=click.Choice(["episode", "show"]))
def schema(kind: Any) -> None:
    """Print the JSON Schema of an episode's file or of show.yaml, for editors."""
    from podsite.schema import schema_text

    click.echo(schema_text(kind), nl=False)


@commands.command()
@click.argument("what", default=".", metavar="[SITE|FEED.xml|URL]")
@click.option(
    "--for",
    "names",
    metavar="DIRECTORY,…",
    help="Ask some directories only: rss, apple, spotify, psp1, podcast20, amazon, youtube.",
)
@click.option(
    "--format",
    "how",
    type=click.Choice(["text", "github", "json", "sarif"]),
    default="text",
    help="Form of the findings.",
)
@click.option("--all", "every", is_flag=True, help="List the rules that are kept, too.")
def check(what: str, names: str | None, how: Any, every: bool) -> int:
    """Hold a feed against the rules of the directories: this site's, or any feed by its file or address."""
    from podsite import check as checking
    from podsite.errors import PodsiteError
    from podsite.messages import report_json

    try:
        checked = _checked(what, checking.chosen(names))
    except PodsiteError as error:
        return _told(error, "text" if how == "sarif" else how)
    if how == "sarif":
        click.echo(checking.sarif(checked))
    elif how == "json":
        click.echo(report_json(checked.problems, None, 0))
    else:
        _tell(checked.problems, how)
        if how == "text":
            click.echo(f"{checking.table(checked, every=every)}\n\n{checking.summary(checked)}")
    return 0 if checked.is_accepted else 1


def _checked(what: str, directories: Any) -> Checked:
    """A feed by its address or file, or the one of a site by its folder, held against the rules."""
    from podsite import check as checking

    if "://" in what:
        from podsite.probe import fetch

        return checking.check_feed(fetch(what), what, now=instant(), url=what, directories=directories)
    if Path(what).is_file():
        return checking.check_feed(Path(what).read_bytes(), what, now=instant(), directories=directories)
    return _checked_site(Path(what), directories)


def _checked_site(site: Path, directories: Any) -> Checked:
    from dataclasses import replace

    from podsite import check as checking
    from podsite import lock
    from podsite.build import Options, certified, make
    from podsite.messages import from_here, located
    from podsite.roots import find_root

    root, now = find_root(site), instant()
    with named_from_here(root):
        made = make(root, lock.read(root), Options(now=now))
    checked = checking.check_site(
        made.site, made.content, made.feed.xml, made.artifacts, now=now, directories=directories
    )
    more = located([*made.problems, *certified(made, now, directories, but_main=True)], root)
    placed = tuple((finding, from_here(place, root)) for finding, place in checked.located)
    return replace(checked, located=placed, more=tuple(more))


@commands.command()
@click.argument("old", required=False)
@SITE
@click.option("--format", "how", type=click.Choice(["text", "markdown"]), default="text", help="Form of the report.")
def diff(old: str | None, site: Path, how: str) -> int:
    """Say what listeners will notice of the next build.

    OLD is a feed's file or address, the folder of a built site, a git revision, or podsite.lock when it is left out.
    Exits with 1 when listeners will notice something.
    """
    from podsite import build as pipeline
    from podsite import difference
    from podsite.read import read
    from podsite.roots import find_root

    root, now = find_root(site), instant()
    with named_from_here(root):
        if old and "://" in old:
            from podsite.probe import fetch

            before = difference.old_feed(fetch(old), old)
        else:
            before = difference.resolve(old, root, read(root).show.feed.path)
        found = difference.difference(before.at(now), pipeline.facts(root, now=now, of_lock=before.is_lock))
    click.echo((difference.markdown if how == "markdown" else difference.text)(found, before.name), nl=False)
    return int(found.noticed)


commands.add_command(tag)
