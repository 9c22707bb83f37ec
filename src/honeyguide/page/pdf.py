"""What is in a PDF: its text in paragraphs, its title and date, its links; read by PDFium, in a process of its own.

A PDF may be made to crash, hang or swell any library that reads it. So each is read by a child process with limits of
CPU time and memory, of pages and of characters; what ends in them is a PDF that could not be read, with the reason.
"""

from __future__ import annotations

import asyncio
import html
import itertools
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec

from honeyguide.page.metadata import key

__all__ = ["Pdf", "as_html", "is_pdf", "read", "read_soon"]

_SECONDS = 10  # of CPU time: a hundred times what two hundred honest pages take
_MEMORY = 1_000_000_000
_PATIENCE = 120.0  # seconds by the clock, for a child that waits for something and takes no CPU time
_CHILD = Path(__file__).with_name("pdf_child.py")
_HYPHEN = re.compile(r"(?:\ufffe|\u00ad|(?<=[a-z])-)\n(?=[a-z])")
_HYPHENATED = re.compile(r"\ufffe\n?|\u00ad")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]+")
_HAN = r"[\u3000-\u303f\u3040-\u30ff\u4e00-\u9fff\uff00-\uffef]"
_BETWEEN_HAN = re.compile(rf"(?<={_HAN})\n(?={_HAN})")
_BEGINS = re.compile(r"[•●▪◦*–-]\s|\(?\d{1,2}[.)]\s|\d+(?:\.\d+)+\s")
_FILE_NAME = re.compile(
    r"^(?:Microsoft (?:Word|PowerPoint|Excel) - |untitled|document\d*$|\S+\.\w{2,5}$)", re.IGNORECASE
)
_HEADLINE = 120  # characters: more is no title
_MOST_REPEATS = 3  # pages on which a line at the edge stands before it is a running head


class PdfPage(msgspec.Struct):
    """One page: its text, and its links with the text they stand over."""

    text: str = ""
    links: list[tuple[str, str]] = []


class Pdf(msgspec.Struct):
    """What was found in a PDF; `error` says why there is nothing."""

    error: str = ""
    info: dict[str, str] = {}
    count: int = 0  # of its pages, of which `pages` are those that were read
    heading: str = ""  # what its first page says in the largest letters
    pages: list[PdfPage] = []

    @property
    def left_out(self) -> str:
        """What was too much of it."""
        return f"all after page {len(self.pages)} of {self.count}" if len(self.pages) < self.count else ""

    def title(self) -> tuple[str, str]:
        """Its title, and how it is known: what it claims if its first page says the same, else what that shows."""
        claim = " ".join(self.info.get("Title", "").split())[:500]
        first = key(self.pages[0].text) if self.pages else ""
        if key(claim) and key(claim) in first:
            return claim, "pdf information"
        if len(key(self.heading)) > 3:
            return self.heading, "heading"
        if claim and not _FILE_NAME.match(claim):
            return claim, "pdf information"
        line = next(iter(self.text().split("\n")), "")
        return (line, "first line") if 3 < len(line) <= _HEADLINE else ("", "")

    def text(self) -> str:
        """Its text, a paragraph a line, without running heads and page numbers."""
        return "\n".join(line for page in self._clean() for line in _paragraphs(page))

    def _clean(self) -> list[list[str]]:
        pages = [[line.strip() for line in _lines(page.text) if line.strip()] for page in self.pages]
        edges = Counter(_bare(line) for lines in pages for line in {*lines[:2], *lines[-2:]})
        return [
            [
                line
                for place, line in enumerate(lines)
                if not (place < 2 or place >= len(lines) - 2) or edges[_bare(line)] < _MOST_REPEATS
            ]
            for lines in pages
        ]


def is_pdf(body: bytes) -> bool:
    """Whether these are the bytes of a PDF; a little rubbish may stand before it."""
    return body[:1024].lstrip().startswith(b"%PDF-")


def read(body: bytes, *, seconds: int = _SECONDS, memory: int = _MEMORY) -> Pdf:
    """What is in a PDF; never raises for what it is made of."""
    try:
        command = _command(seconds, memory)
        done = subprocess.run(command, input=body, capture_output=True, timeout=_PATIENCE, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        return Pdf(error="reading it took too long")
    except OSError as error:
        return Pdf(error=f"it could not be read: {error.strerror or error}")
    return _found(done.stdout, done.returncode)


async def read_soon(body: bytes, *, seconds: int = _SECONDS, memory: int = _MEMORY) -> Pdf:
    """As `read`, while other things go on."""
    pipe = asyncio.subprocess.PIPE
    try:
        child = await asyncio.create_subprocess_exec(
            *_command(seconds, memory), stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL
        )
    except OSError as error:
        return Pdf(error=f"it could not be read: {error.strerror or error}")
    try:
        async with asyncio.timeout(_PATIENCE):
            out, _ = await child.communicate(body)
    except TimeoutError:
        return Pdf(error="reading it took too long")
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    return _found(out, child.returncode or 0)


def _command(seconds: int, memory: int) -> list[str]:
    return [sys.executable, "-P", str(_CHILD), str(seconds), str(memory)]


def _found(out: bytes, code: int) -> Pdf:
    try:
        return msgspec.json.decode(out, type=Pdf)
    except msgspec.DecodeError:
        how = f"signal {-code}" if code < 0 else f"code {code}"
        return Pdf(error=f"reading it took more than it may, or broke the reader ({how})")


def as_html(pdf: Pdf) -> bytes:
    """The PDF as a plain page, so that it is looked at, judged and ranked like any other."""
    title, _ = pdf.title()
    parts = [f"<title>{html.escape(title)}</title><h1>{html.escape(title)}</h1>"]
    for page, lines in zip(pdf.pages, pdf._clean(), strict=True):
        parts += [f"<p>{html.escape(line)}</p>" for line in _paragraphs(lines)]
        parts += [f'<p><a href="{html.escape(link)}">{html.escape(over)}</a></p>' for link, over in page.links]
    return "\n".join(parts).encode("utf-8", "replace")


def _lines(text: str) -> list[str]:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _HYPHENATED.sub("", _HYPHEN.sub("", text))
    return _CONTROLS.sub(" ", text).split("\n")


def _bare(line: str) -> str:
    """A line without its numbers, by which running heads are the same on every page."""
    return "".join(letter for letter in line if not letter.isdigit()).strip()


def _paragraphs(lines: list[str]) -> list[str]:
    """Lines put together to paragraphs: one ends where a line stops well short of the others, or another begins."""
    if not lines:
        return []
    wide = sorted(map(len, lines))[len(lines) * 3 // 4]
    parts = [lines[0]]
    for before, line in itertools.pairwise(lines):
        ends = len(before) < 0.8 * wide or _BEGINS.match(line)
        parts.append(("\n\n" if ends else "\n") + line)
    joined = _BETWEEN_HAN.sub("", "".join(parts))
    return [" ".join(paragraph.split()) for paragraph in joined.split("\n\n") if paragraph.strip()]
