"""Small webs in an archive, page by page, and strategies in files of their own."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path

from honeyguide.web.base import Response
from honeyguide.web.warc import response_record

__all__ = ["ABOUT_BEES", "page", "strategy", "write_archive"]

ABOUT_BEES = (
    "Honey bees live in a hive with one queen bee. The bees of the hive gather nectar and make honey of it, and the "
    "beekeeper takes the honey from the hive in late summer, when the bees have capped the comb with wax. "
)


def page(title: str, text: str, *links: str, noindex: bool = False) -> bytes:
    """A page of HTML."""
    told = '<meta name="robots" content="noindex">' if noindex else ""
    anchors = "".join(f'<p><a href="{link}">read on at {link}</a></p>' for link in links)
    return f"<html><head><title>{title}</title>{told}</head><body><p>{text}</p>{anchors}</body></html>".encode()


def write_archive(path: Path, answers: Mapping[str, bytes | str]) -> Path:
    """An archive that answers URLs by a page, or by a redirect to the URL given as text."""
    with path.open("wb") as file:
        for url, answer in answers.items():
            if isinstance(answer, str):
                given = Response(url, 301, [("Location", answer), ("Content-Type", "text/html")], b"", fetched=1.7e9)
            else:
                given = Response(url, 200, [("Content-Type", "text/html; charset=utf-8")], answer, fetched=1.7e9)
            file.write(response_record(given))
    return path


def strategy(path: Path, body: str) -> str:
    """A strategy in a file, `Own`, with this body; returns the name it is chosen by."""
    text = textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    path.write_text(
        "import numpy as np\n"
        "from honeyguide.strategies import Ranks, Strategy\n"
        f'class Own(Strategy):\n    """For a test."""\n    name = "{path.stem}"\n{text}\n'
    )
    return f"{path}:Own"
