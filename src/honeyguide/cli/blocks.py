"""blocks: a page by its blocks, on the screen, as HTML or as a picture."""

from __future__ import annotations

from pathlib import Path

import click

from honeyguide.atomic import write_whole
from honeyguide.cli.read_page import read_page
from honeyguide.cli.screen import plain, print_json
from honeyguide.errors import ExtractError
from honeyguide.page.articles import ARTICLE
from honeyguide.page.parse import Parser
from honeyguide.page.picture import draw, photograph
from honeyguide.page.structure import Structure, structure
from honeyguide.wording import counted

__all__ = ["blocks"]

_SHOWN = 60  # letters of a block's text


@click.command()
@click.argument("what", metavar="FILE|URL")
@click.option(
    "--to", "to", type=click.Choice(["html", "png"]), help="Draw the page with its blocks outlined and named."
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="The file to draw into.  [default: blocks.html, blocks.png]"
)
@click.option("--overwrite", is_flag=True, help="Replace the file if it is there.")
@click.option("--open", "opened", multiple=True, metavar="IP[:PORT]|CIDR", help="A private address that may be asked.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def blocks(
    what: str, to: str | None, out: Path | None, overwrite: bool, opened: tuple[str, ...], as_json: bool
) -> None:
    """Show how a page is cut into blocks, and what each is.

    Each block comes with the evidence for what it is; above them stands whether the page is an article, and why.
    Drawn as HTML or PNG the page is made anew from its texts: nothing of it runs or is loaded. PNG needs Chromium.
    """
    body, url = read_page(what, opened)
    page, digest = structure(body), Parser().html(body, url)
    kind = "an article" if digest.article_score >= ARTICLE else "no article"
    verdict = f"{kind} (score {max(0.0, digest.article_score):.2f}): {digest.article_why}"
    if to:
        target = out or Path(f"blocks.{to}")
        drawn = draw(page, digest.title or url, verdict)
        _write(target, photograph(drawn, page) if to == "png" else drawn.encode(), overwrite=overwrite)
        click.echo(f"{counted(len(page.parts), 'block')} drawn to {target}")
    elif as_json:
        print_json(
            {"url": url, "article_score": digest.article_score, "article_why": digest.article_why, **_told(page)}
        )
    else:
        click.echo(plain(verdict))
        for line in _lines(page):
            click.echo(line)


def _write(target: Path, content: bytes, *, overwrite: bool) -> None:
    if target.exists() and not overwrite:
        raise ExtractError(f"{target} is there already; give --overwrite to replace it")
    try:
        write_whole(target, content)
    except OSError as error:
        raise ExtractError(f"{target} cannot be written: {error.strerror or error}") from None


def _told(page: Structure) -> dict[str, object]:
    texts: dict[int, list[str]] = {}
    links: dict[int, int] = {}
    for piece in page.pieces:
        texts.setdefault(piece.part, []).append(piece.text)
        links[piece.part] = links.get(piece.part, 0) + piece.links
    found = [
        {
            "parent": part.parent,
            "role": part.role,
            "why": part.why,
            "text": "\n".join(texts.get(place, [])),
            "links": links.get(place, 0),
        }
        for place, part in enumerate(page.parts)
    ]
    return {"blocks": found}


def _lines(page: Structure) -> list[str]:
    """The tree, a block a line, deeper ones further in."""
    depths: list[int] = []
    lines = []
    begins = {piece.part: piece.text for piece in reversed(page.pieces)}
    links: dict[int, int] = {}
    for piece in page.pieces:
        links[piece.part] = links.get(piece.part, 0) + piece.links
    for place, part in enumerate(page.parts):
        depths.append(depths[part.parent] + 1 if part.parent >= 0 else 0)
        text = plain(begins.get(place, ""))[:_SHOWN]
        linked = f", {counted(links[place], 'link')}" if links.get(place) else ""
        name = f"{part.role} ({part.why}{linked})" if part.role else part.why
        lines.append(f"{'  ' * depths[place]}{plain(name)}{f': {text}' if text else ''}")
    return lines
