"""Reads one PDF from its standard input and writes what is in it, as JSON, to its standard output.

A process of its own, run by `honeyguide.page.pdf`: a PDF may be made to crash, hang or swell the library that reads it,
and then only this process is lost. It imports nothing of Honeyguide, so that it starts quickly.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from ctypes import c_int, create_string_buffer
from typing import Any

__all__ = ["main"]

_MOST_PAGES = 200
_MOST_TEXT = 1_000_000  # characters
_MOST_LINKS = 1_000
_BEGINNING = 2_000  # characters of the first page among which its heading is looked for


def main(seconds: int, memory: int) -> None:
    """Read within so many seconds of CPU time and bytes of memory; beyond them the system ends this process."""
    body = sys.stdin.buffer.read()
    with suppress(ImportError, ValueError, OSError):  # not every system has such limits
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.stdout.write(json.dumps(_read(body)))


def _read(body: bytes) -> dict[str, Any]:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        locked = "password" in str(error).lower()
        return {"error": "it needs a password" if locked else "it is damaged, or no PDF"}
    found: dict[str, Any] = {"info": document.get_metadata_dict(skip_empty=True), "count": len(document)}
    pages: list[dict[str, Any]] = []
    room, links = _MOST_TEXT, _MOST_LINKS
    for number in range(min(len(document), _MOST_PAGES)):
        try:
            page = document[number]
            text = page.get_textpage()
        except pypdfium2.PdfiumError:
            continue
        pages.append({"text": text.get_text_range()[:room], "links": list(_links(document, page, text, links))})
        if not number:
            found["heading"] = _heading(text)
        room, links = room - len(pages[-1]["text"]), links - len(pages[-1]["links"])
        if room <= 0:
            break
    return found | {"pages": pages}


def _heading(text: Any) -> str:
    """The text in the largest letters on the page, by the boxes they stand in: a font's size alone tells little."""
    from pypdfium2 import raw

    box = raw.FS_RECTF()
    runs: list[tuple[float, str]] = []
    for place in range(min(_BEGINNING, text.count_chars())):
        letter = chr(raw.FPDFText_GetUnicode(text.raw, place))
        if letter.isspace() and runs:
            runs[-1] = (runs[-1][0], runs[-1][1] + " ")
        elif raw.FPDFText_GetLooseCharBox(text.raw, place, box):
            height = box.top - box.bottom
            if runs and abs(height - runs[-1][0]) <= height / 20:
                runs[-1] = (runs[-1][0], runs[-1][1] + letter)
            else:
                runs.append((height, letter))
    usual = max((len(run), height) for height, run in runs)[1] if runs else 0
    largest = max(((height, run) for height, run in runs if len(run.strip()) > 3), default=(0, ""))
    return " ".join(largest[1].split())[:500] if largest[0] > 1.05 * usual else ""


def _links(document: Any, page: Any, text: Any, most: int) -> Iterator[tuple[str, str]]:
    """Where the links of a page lead, and the text they stand over."""
    from pypdfium2 import raw

    place, link = c_int(0), raw.FPDF_LINK()
    while most > 0 and raw.FPDFLink_Enumerate(page.raw, place, link):
        most -= 1
        action = raw.FPDFLink_GetAction(link)
        size = raw.FPDFAction_GetURIPath(document.raw, action, None, 0) if action else 0
        if not 1 < size < 3_000:
            continue
        target = create_string_buffer(size)
        raw.FPDFAction_GetURIPath(document.raw, action, target, size)
        box, over = raw.FS_RECTF(), ""
        if raw.FPDFLink_GetAnnotRect(link, box):
            over = text.get_text_bounded(box.left, box.bottom, box.right, box.top)
        yield target.value.decode("utf-8", "replace"), " ".join(over.split())[:200]


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
