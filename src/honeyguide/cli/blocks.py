"""blocks: a page by its blocks, on the screen, as HTML or as a picture."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import quote

import click

from honeyguide.atomic import write_whole
from honeyguide.cli.read_page import address, fetch_page, read_page
from honeyguide.cli.screen import plain, print_json
from honeyguide.crawling import Settings
from honeyguide.errors import ExtractError, SettingError
from honeyguide.page.articles import ARTICLE
from honeyguide.page.boxes import lay_out
from honeyguide.page.parse import Parser
from honeyguide.page.picture import draw, photograph
from honeyguide.page.sheets import SAVED, FolderSheets, WebSheets
from honeyguide.page.snapshot import Boxes
from honeyguide.page.structure import Structure, structure
from honeyguide.web import LiveWeb
from honeyguide.web.guard import Guard
from honeyguide.wording import counted

__all__ = ["blocks"]

_SHOWN = 60  # letters of a block's text
_SHEET_SECONDS = 10.0


@click.command()
@click.argument("what", metavar="FILE|URL")
@click.option(
    "--to", "to", type=click.Choice(["html", "png"]), help="Draw the page with its blocks outlined and named."
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="The file to draw into.  [default: blocks.html, blocks.png]"
)
@click.option("--overwrite", is_flag=True, help="Replace the file if it is there.")
@click.option("--browser", is_flag=True, help="Lay the page out in a headless Chromium and go by the real boxes, too.")
@click.option(
    "--from", "source", metavar="URL", help="With --browser: where FILE came from, to fetch its style sheets."
)
@click.option("--open", "opened", multiple=True, metavar="IP[:PORT]|CIDR", help="A private address that may be asked.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def blocks(
    what: str,
    to: str | None,
    out: Path | None,
    overwrite: bool,
    browser: bool,
    source: str | None,
    opened: tuple[str, ...],
    as_json: bool,
) -> None:
    """Show how a page is cut into blocks, and what each is.

    Each block comes with the evidence for what it is; above them stands whether the page is an article, and why.
    Drawn as HTML or PNG the page is made anew from its texts: nothing of it runs or is loaded. PNG needs Chromium.

    With --browser the page is laid out in a headless Chromium, without its scripts and images; of a URL, its style
    sheets are fetched; of a FILE, those that lie in its folder are read, and none is fetched unless --from is given.
    """
    if source is not None and (not browser or "://" in what):
        raise SettingError("--from says where a FILE came from whose style sheets --browser is to fetch; give both")
    target = out or Path(f"blocks.{to}")
    if to and target.exists() and not overwrite:
        raise ExtractError(f"{target} is there already; give --overwrite to replace it")
    if browser:
        body, url, boxes = _laid_out(what, source, opened)
    else:
        (body, url), boxes = read_page(what, opened), None
    page, digest = structure(body, boxes=boxes), Parser().html(body, url, boxes=boxes)
    kind = "an article" if digest.article_score >= ARTICLE else "no article"
    verdict = f"{kind} (score {max(0.0, digest.article_score):.2f}): {digest.article_why}"
    if to:
        drawn = draw(page, digest.title or url, verdict)
        _write(target, photograph(drawn, page) if to == "png" else drawn.encode())
        click.echo(f"{counted(len(page.parts), 'block')} drawn to {target}")
    elif as_json:
        told = {"url": url, "article_score": digest.article_score, "article_why": digest.article_why, **_told(page)}
        print_json(told if boxes is None else {**told, "size": page.size, "notes": boxes.notes})
    else:
        click.echo(plain(verdict))
        if boxes is not None:
            click.echo(plain(", ".join([f"laid out on {boxes.width} × {boxes.height} px", *boxes.notes])))
        for line in _lines(page):
            click.echo(line)


def _laid_out(what: str, source: str | None, opened: tuple[str, ...]) -> tuple[bytes, str, Boxes]:
    """A page, its address, and its boxes."""
    if "://" in what:
        url = address(what)
        return asyncio.run(_fetched(url, opened))
    body, url = read_page(what, opened)
    if source is not None:
        return body, url, asyncio.run(_styled(body, address(source), opened))
    path = Path(what).resolve()
    return body, url, asyncio.run(lay_out(body, SAVED + quote(path.name), sheets=FolderSheets(path.parent)))


async def _fetched(url: str, opened: tuple[str, ...]) -> tuple[bytes, str, Boxes]:
    body, landed = await fetch_page(url, opened)
    return body, url, await _styled(body, landed, opened)


async def _styled(body: bytes, url: str, opened: tuple[str, ...]) -> Boxes:
    usual = Settings()
    web = LiveWeb(agent=usual.agent, guard=Guard(opened), total_timeout=_SHEET_SECONDS)
    try:
        return await lay_out(body, url, sheets=WebSheets(web, delay=usual.delay))
    finally:
        await web.close()


def _write(target: Path, content: bytes) -> None:
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
    areas = page.areas()
    found = [
        {
            "parent": part.parent,
            "role": part.role,
            "why": part.why,
            "text": "\n".join(texts.get(place, [])),
            "links": links.get(place, 0),
            **({"area": areas[place]} if page.size is not None else {}),
        }
        for place, part in enumerate(page.parts)
    ]
    return {"blocks": found}


def _lines(page: Structure) -> list[str]:
    """The tree, a block a line, deeper ones further in, each below the one it is in."""
    lines = []
    begins = {piece.part: piece.text for piece in reversed(page.pieces)}
    links: dict[int, int] = {}
    for piece in page.pieces:
        links[piece.part] = links.get(piece.part, 0) + piece.links
    depths = [0] * len(page.parts)
    for place in _in_order(page):
        part = page.parts[place]
        depths[place] = depths[part.parent] + 1 if part.parent >= 0 else 0
        text = plain(begins.get(place, ""))[:_SHOWN]
        linked = f", {counted(links[place], 'link')}" if links.get(place) else ""
        name = f"{part.role} ({part.why}{linked})" if part.role else part.why
        lines.append(f"{'  ' * depths[place]}{plain(name)}{f': {text}' if text else ''}")
    return lines


def _in_order(page: Structure) -> list[int]:
    """The blocks as a reader meets them: by where their text begins, what holds others before these."""
    firsts = [len(page.pieces)] * len(page.parts)
    for place, piece in enumerate(page.pieces):
        firsts[piece.part] = min(firsts[piece.part], place)
    inside: list[list[int]] = [[] for _ in page.parts]
    for place in range(len(page.parts) - 1, 0, -1):  # what is within comes after what it is in
        parent = page.parts[place].parent
        firsts[parent] = min(firsts[parent], firsts[place])
        inside[parent].append(place)
    found: list[int] = []
    waiting = [0] if page.parts else []
    while waiting:
        found.append(waiting.pop())
        waiting += sorted(inside[found[-1]], key=lambda place: firsts[place], reverse=True)
    return found
