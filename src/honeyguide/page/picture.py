"""A page with its blocks outlined and named, for people: as HTML that runs and loads nothing, or as an image of that.

The page is drawn anew from its texts, each in the boxes of its blocks: nothing of its own markup is left, so there is
nothing in it that a browser could run or fetch.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from html import escape
from pathlib import Path

from honeyguide.errors import ExtractError
from honeyguide.page.structure import Piece, Structure

__all__ = ["draw", "photograph"]

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_WIDTH, _TALLEST, _LINE, _LETTERS, _BOX = 1_200, 16_000, 24, 110, 46  # pixels, and letters on a line
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


def draw(page: Structure, title: str, verdict: str = "") -> str:
    """The page as HTML, its blocks in boxes within boxes."""
    lines = [
        '<!DOCTYPE html>\n<html><head><meta charset="utf-8">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>Blocks of {escape(title)}</title>\n<style>{_STYLE}</style></head><body>",
        f"<p>{escape(verdict)}</p>" if verdict else "",
    ]
    stack: list[int] = []
    for piece in page.pieces[:_MOST]:
        chain = _chain(page, piece.part)
        common = next((at for at, (one, other) in enumerate(zip(stack, chain, strict=False)) if one != other), None)
        common = min(len(stack), len(chain)) if common is None else common
        lines += ["</div>"] * (len(stack) - common)
        lines += [_opening(page, part) for part in chain[common:]]
        stack = chain
        lines.append(_shown(piece))
    lines += ["</div>"] * len(stack)
    if len(page.pieces) > _MOST:
        lines.append(f"<p>and {len(page.pieces) - _MOST} more texts</p>")
    return "\n".join(filter(None, lines)) + "\n</body></html>\n"


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
    browser = next((place for name in _BROWSERS if (place := shutil.which(name))), None)
    if browser is None:
        raise ExtractError("a PNG needs Chromium, and there is none on the PATH: install it, or ask for --to html")
    lines = sum(1 + len(piece.text) // _LETTERS for piece in page.pieces[:_MOST])
    height = min(_TALLEST, 120 + _LINE * lines + _BOX * len(page.parts))
    with tempfile.TemporaryDirectory(prefix="honeyguide-blocks-") as place:
        source, image = Path(place) / "page.html", Path(place) / "page.png"
        source.write_text(html, encoding="utf-8")
        flags = ["--headless", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars"]
        flags += [f"--user-data-dir={place}/profile", "--host-resolver-rules=MAP * ~NOTFOUND"]
        flags += [f"--window-size={_WIDTH},{height}", f"--screenshot={image}"]
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
