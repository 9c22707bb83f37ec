"""judge: what a topic makes of pages, before any crawl."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from honeyguide.cli.screen import console, plain, print_json
from honeyguide.dry_run import DryRun, PageJudged
from honeyguide.dry_run import judge as judge_pages
from honeyguide.wording import counted

__all__ = ["judge"]


@click.command()
@click.argument("topic", type=click.Path(path_type=Path))
@click.argument("pages", nargs=-1, required=True, metavar="URL|FILE…")
@click.option("--web", metavar="live|demo|WARC|FOLDER", help="Where addresses are fetched.  [default: live]")
@click.option("--delay", type=float, help="Seconds a host rests between requests.")
@click.option("--contact", help="Your mail address or page, told to every server. Please give one.")
@click.option("--open", "opened", multiple=True, metavar="IP[:PORT]|CIDR", help="A private address that may be asked.")
@click.option("--threshold", type=float, help="Probability from which a page is on topic.")
@click.option("--encoder", is_flag=True, default=None, help="Have a sentence encoder read pages, too.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def judge(topic: Path, pages: tuple[str, ...], as_json: bool, opened: tuple[str, ...], **given: Any) -> None:
    """Judge pages by a topic, before any crawl.

    TOPIC is a topic file; its examples are fetched, then each URL, politely; a FILE is HTML on this disk. Nothing is
    kept. A crawl that has met other pages knows better what sets the topic apart, and may say otherwise.
    """
    settings = {name: value for name, value in given.items() if value is not None}
    found = judge_pages(topic, pages, open=opened, **settings)
    if as_json:
        print_json(found)
    else:
        _tell(found)
    if all(page.trouble for page in found.pages):
        sys.exit(1)


def _tell(found: DryRun) -> None:
    out = console()
    for page in found.pages:
        for line in _lines(page, found.threshold):
            out.print(line)
    known = counted(found.examples, "example"), counted(found.against, "other page")
    out.print(f"learnt from {known[0]}, held against {known[1]}", markup=False)
    for url, trouble in found.missing.items():
        out.print(f"example {plain(url)} could not be read: {plain(trouble)}", markup=False)
    if found.advice:
        out.print(f"advice: {plain(found.advice)}", markup=False)


def _lines(page: PageJudged, threshold: float) -> list[Text]:
    lines = [Text(plain(page.title or page.page), style="bold")]
    if page.title:
        lines.append(Text(f"  {plain(page.page)}", style="dim"))
    if page.trouble:
        return [*lines, Text(f"  not judged: {plain(page.trouble)}")]
    side = "on" if page.on_topic else "off"
    lines.append(Text(f"  {side} topic: {page.probability:.2f}, it needed {threshold:.2f}"))
    if page.note:
        lines.append(Text(f"  note: {plain(page.note)}"))
    for sign, title in ((1, "for it"), (-1, "against it")):
        if words := [f"{plain(word)} {part:+.2f}" for word, part in page.words if part * sign > 0]:
            lines.append(Text(f"  {title}: {', '.join(words)}"))
    return lines
