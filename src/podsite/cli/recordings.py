"""Commands that change recordings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from podsite.cli.shared import SITE, instant, named_from_here

if TYPE_CHECKING:
    from podsite.tagging import Outcome


@click.command()
@click.argument("slugs", nargs=-1, metavar="[SLUG]…")
@SITE
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
@click.option("--published", is_flag=True, help="Write into recordings that listeners have already, too.")
def tag(slugs: tuple[str, ...], site: Path, *, dry_run: bool, published: bool) -> None:
    """Write title, number, artwork, chapters and language into the MP3 and M4A files of episodes.

    Of all episodes, or of those named by their slugs. What is in a file besides, and its sound, stay as they are.
    """
    from podsite import tagging
    from podsite.roots import find_root

    root = find_root(site)
    with named_from_here(root):
        done = list(tagging.tag(root, slugs, instant(), write=not dry_run, published=published))
    for one in done:
        if one.changes:
            click.echo(_line(one, root, dry_run=dry_run))
    if not any(one.changes for one in done):
        click.echo("nothing to do")
    out = [one for one in done if one.changes and one.is_out and not one.is_left]
    if out:
        accept = " ".join(f"--accept {one.slug}:audio" for one in out)
        click.echo(f"Listeners have these; the next build asks whether that is meant: podsite build {accept}")
    if any(one.is_left for one in done):
        click.echo(
            "A file that is out is left alone: apps that have it keep the old one, some download it again, and "
            "listeners may go on at a wrong moment; --published writes into it all the same"
        )


def _line(one: Outcome, root: Path, *, dry_run: bool) -> str:
    from podsite.errors import listed
    from podsite.messages import shown

    sign = "=" if one.is_left else "?" if dry_run else "+"
    when = f" (out since {one.published:%Y-%m-%d}, left as it is)" if one.is_left and one.published else ""
    return f"{sign} {shown(root / one.file)}: {listed(one.changes)}{when}"
