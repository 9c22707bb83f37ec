"""Labelling on a terminal: one doubtful page after the other, with a way back."""

from __future__ import annotations

from collections.abc import Sequence

import click

from honeyguide.cli.screen import plain
from honeyguide.crawling.labels import Doubt

__all__ = ["ask"]

_ANSWERS = ("yes", "no", "skip", "back", "quit")
_QUESTION = "on topic? (y)es, (n)o, (s)kip, (b)ack, (q)uit"


def ask(pages: Sequence[Doubt]) -> dict[str, bool | None]:
    """Show pages one by one, and hear what the user says of them."""
    labels: dict[str, bool | None] = {}
    place = 0
    while place < len(pages):
        page = pages[place]
        _show(page, f"{place + 1} of {len(pages)}")
        said = _answer()
        if said == "quit":
            break
        if said == "back":
            if not place:
                click.echo("this is the first page")
            place = max(0, place - 1)
            labels.pop(pages[place].url, None)
            continue
        if said != "skip":
            labels[page.url] = said == "yes"
        place += 1
    return labels


def _answer() -> str:
    while True:
        said = click.prompt(_QUESTION, default="skip", show_default=False).strip().lower()
        for answer in _ANSWERS:
            if said in (answer, answer[0]):
                return answer
        click.echo(f"'{plain(said)}' is none of the answers")


def _show(page: Doubt, place: str) -> None:
    click.echo(f"\n{place}: {plain(page.title) or '(no title)'}\n{plain(page.url)}")
    if page.snippet:
        click.echo(f"  {plain(page.snippet)}")
    for sign, title in ((1, "for it"), (-1, "against it")):
        if words := [plain(word) for word, part in page.words if part * sign > 0]:
            click.echo(f"  {title}: {', '.join(words)}")
    side = "on" if page.probability >= page.threshold else "off"
    click.echo(f"  judged {side} topic: {page.probability:.2f}, it needed {page.threshold:.2f}")
