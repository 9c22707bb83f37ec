"""Labelling on a terminal: one page after the other, with a way back; what was said is learnt from as it goes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import click

from honeyguide.cli.screen import plain
from honeyguide.crawling.labels import Doubt

__all__ = ["ask"]

_ANSWERS = ("yes", "no", "skip", "back", "quit")
_QUESTION = "on topic? (y)es, (n)o, (s)kip, (b)ack, (q)uit"


def ask(
    more: Callable[[Collection[str]], Sequence[Doubt]], keep: Callable[[Mapping[str, bool | None]], object]
) -> None:
    """Show pages one by one, and hear what the user says of them.

    `more` has the next ones to ask about, but for those shown already; before it is asked, `keep` is told what is new:
    labels, and with None those taken back.
    """
    pages: list[Doubt] = []
    kept: set[str] = set()
    new: dict[str, bool | None] = {}

    def learn() -> None:
        if new:
            keep(dict(new))
        for url, said in new.items():
            (kept.discard if said is None else kept.add)(url)
        new.clear()

    place = 0
    while True:
        if place == len(pages):
            learn()
            pages += more({page.url for page in pages})
        if place == len(pages):
            click.echo("there is no other page to ask about" if pages else "there is no page to ask about")
            return
        page = pages[place]
        _show(page, place + 1)
        said = _answer()
        if said == "quit":
            learn()
            return
        if said == "back":
            if not place:
                click.echo("this is the first page")
            place = max(0, place - 1)
            new.pop(pages[place].url, None)
            if pages[place].url in kept:
                new[pages[place].url] = None
            continue
        if said != "skip":
            new[page.url] = said == "yes"
        place += 1


def _answer() -> str:
    while True:
        said = click.prompt(_QUESTION, default="skip", show_default=False).strip().lower()
        for answer in _ANSWERS:
            if said in (answer, answer[0]):
                return answer
        click.echo(f"'{plain(said)}' is none of the answers")


def _show(page: Doubt, number: int) -> None:
    click.echo(f"\n{number}: {plain(page.title) or '(no title)'}\n{plain(page.url)}")
    if page.snippet:
        click.echo(f"  {plain(page.snippet)}")
    for sign, title in ((1, "for it"), (-1, "against it")):
        if words := [plain(word) for word, part in page.words if part * sign > 0]:
            click.echo(f"  {title}: {', '.join(words)}")
    side = "on" if page.probability >= page.threshold else "off"
    click.echo(f"  judged {side} topic: {page.probability:.2f}, it needed {page.threshold:.2f}")
