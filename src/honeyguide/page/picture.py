"""A page with its blocks outlined and named, for people: as HTML that runs and loads nothing, or as an image of that.

The page is drawn anew from its texts, each in the boxes of its blocks: nothing of its own markup is left, so there is
nothing in it that a browser could run or fetch. One that a browser laid out is drawn with everything in its real place.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from html import escape
from pathlib import Path

from honeyguide.errors import ExtractError
from honeyguide.page.chromium import find_browser
from honeyguide.page.structure import Piece, Structure

__all__ = ["draw", "photograph"]

_WIDTH, _TALLEST, _LINE, _LETTERS, _BOX = 1_200, 16_000, 24, 110, 46  # pixels, and letters on a line
_WIDEST, _HEAD = 4_000, 60  # pixels of a page that is drawn in place, and above it
_SECONDS = 120
_MOST = 5_000  # pieces that are drawn
_TAGS = frozenset("h1 h2 h3 h4 h5 h6 pre blockquote".split())
_STYLE = """
body { font: 15px/1.5 sans-serif; margin: 24px auto; max-width: 1100px; color: #222 }
div { border: 2px solid #bbb; border-radius: 4px; padding: 4px 10px; margin: 10px 0; position: relative }
div > b.name { font-size: 12px; background: #666; color: #fff; border-radius: 3px; padding: 1px 6px }
div > i.why { font-size: 12px; color: #777; margin-left: 6px }
p, h1, h2, h3, h4, h5, h6, pre, blockquote { margin: 4px 0 }
u { color: #04c }
.title { border-color: #06c } .title > b.name { background: #06c }
.authors, .affiliations { border-color: #85c } .authors > b.name, .affiliations > b.name { background: #85c }
.abstract, .keywords { border-color: #080 } .abstract > b.name, .keywords > b.name { background: #080 }
.body { border-color: #4a4 } .body > b.name { background: #4a4 }
.references { border-color: #a70 } .references > b.name { background: #a70 }
.related, .navigation { border-color: #e80 } .related > b.name, .navigation > b.name { background: #e80 }
.noise { border: 2px dashed #c33; color: #999 } .noise > b.name { background: #c33 }
"""
_IN_PLACE = """
body { margin: 0; max-width: none; position: relative; line-height: 1.2 }
body > p { height: 60px; margin: 0; overflow: hidden }
div.page { border: 0; padding: 0; margin: 0; overflow: hidden }
div.page > div { position: absolute; box-sizing: border-box; padding: 0; margin: 0; opacity: .8 }
div.page > div > b.name { position: absolute; left: 0; bottom: 100%; font-size: 10px; white-space: nowrap }
div.page > p { position: absolute; margin: 0; overflow: hidden }
"""


def draw(page: Structure, title: str, verdict: str = "") -> str:
    """The page as HTML, its blocks in boxes within boxes, or in place if it was laid out."""
    style = _STYLE if page.size is None else _STYLE + _IN_PLACE
    lines = [
        '<!DOCTYPE html>\n<html><head><meta charset="utf-8">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>Blocks of {escape(title)}</title>\n<style>{style}</style></head><body>",
        f"<p>{escape(verdict)}</p>" if verdict else "",
    ]
    lines += _nested(page) if page.size is None else _in_place(page, *page.size)
    if len(page.pieces) > _MOST:
        lines.append(f"<p>and {len(page.pieces) - _MOST} more texts</p>")
    return "\n".join(filter(None, lines)) + "\n</body></html>\n"


def _nested(page: Structure) -> list[str]:
    lines: list[str] = []
    stack: list[int] = []
    for piece in page.pieces[:_MOST]:
        chain = _chain(page, piece.part)
        common = next((at for at, (one, other) in enumerate(zip(stack, chain, strict=False)) if one != other), None)
        common = min(len(stack), len(chain)) if common is None else common
        lines += ["</div>"] * (len(stack) - common)
        lines += [_opening(page, part) for part in chain[common:]]
        stack = chain
        lines.append(_shown(piece))
    return lines + ["</div>"] * len(stack)


def _in_place(page: Structure, width: int, height: int) -> list[str]:
    """Every text and every outline where the browser had it; what is not to be seen is not drawn."""
    lines = [f'<div class="page" style="width:{width}px;height:{height}px">']
    for piece in page.pieces[:_MOST]:
        if piece.area is not None:
            runs = " ".join(f"<u>{escape(run)}</u>" if linked else escape(run) for run, linked in piece.runs)
            lines.append(f'<p style="{_at(piece.area)};font-size:{piece.font:g}px">{runs}</p>')
    for part, area in zip(page.parts[1 : _MOST + 1], page.areas()[1 : _MOST + 1], strict=True):
        if area is not None and part.role:
            name = f'<b class="name">{part.role}: {escape(part.why)}</b>'
            lines.append(f'<div class="{part.role}" style="{_at(area)}">{name}</div>')
    return [*lines, "</div>"]


def _at(area: tuple[int, int, int, int]) -> str:
    left, top, right, bottom = area
    return f"left:{left}px;top:{top}px;width:{right - left}px;height:{bottom - top}px"


def _chain(page: Structure, part: int) -> list[int]:
    """The blocks around a text, outermost first; the page itself needs no box."""
    chain: list[int] = []
    while part > 0:
        chain.append(part)
        part = page.parts[part].parent
    return chain[::-1]


def _opening(page: Structure, part: int) -> str:
    one = page.parts[part]
    name = f'<b class="name">{one.role}</b><i class="why">{escape(one.why)}</i>' if one.role else ""
    return f'<div class="{one.role or "around"}">{name}'


def _shown(piece: Piece) -> str:
    tag = piece.tag if piece.tag in _TAGS else "p"
    text = " ".join(f"<u>{escape(run)}</u>" if linked else escape(run) for run, linked in piece.runs)
    return f"<{tag}>{text}</{tag}>"


def photograph(html: str, page: Structure) -> bytes:
    """A PNG of a drawn page, made by a headless Chromium that is on the PATH."""
    browser = find_browser("a PNG", "ask for --to html")
    if page.size is None:
        lines = sum(1 + len(piece.text) // _LETTERS for piece in page.pieces[:_MOST])
        width, height = _WIDTH, min(_TALLEST, 120 + _LINE * lines + _BOX * len(page.parts))
    else:
        width, height = min(_WIDEST, page.size[0]), min(_TALLEST, page.size[1] + _HEAD)
    with tempfile.TemporaryDirectory(prefix="honeyguide-blocks-") as place:
        source, image = Path(place) / "page.html", Path(place) / "page.png"
        source.write_text(html, encoding="utf-8")
        flags = ["--headless", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars"]
        flags += [f"--user-data-dir={place}/profile", "--host-resolver-rules=MAP * ~NOTFOUND"]
        flags += [f"--window-size={width},{height}", f"--screenshot={image}"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            flags.append("--no-sandbox")  # Chromium refuses to run for root with one; this page runs nothing
        try:
            command = [browser, *flags, source.as_uri()]
            done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603 - no shell
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ExtractError(f"{browser} made no picture: {error}") from None
        if not image.exists():
            told = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise ExtractError(
                f"{browser} made no picture: {told[-1][:200] if told else f'exit code {done.returncode}'}"
            )
        return image.read_bytes()
