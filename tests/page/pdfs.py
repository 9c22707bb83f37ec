"""PDFs written for tests: real ones, small, with fonts of any size, information, links, and faults on purpose."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

__all__ = ["make_pdf"]

Line = tuple[float, str]  # the size of its letters, and what it says


def _escaped(text: str) -> bytes:
    return text.encode("latin-1", "replace").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def _content(lines: Sequence[Line]) -> bytes:
    shown = [b"BT 60 780 Td"]
    for size, text in lines:
        shown.append(b"/F1 %.1f Tf (%s) Tj 0 -%.1f Td" % (size, _escaped(text), size * 1.4))
    return b"\n".join([*shown, b"ET"])


def make_pdf(
    *pages: Sequence[Line],
    info: dict[str, str] | None = None,
    links: Sequence[str] = (),
    declared: int | None = None,
    bomb: int = 0,
) -> bytes:
    """A PDF of these pages; the links stand over the first lines of the first page.

    `declared` is the number of pages it claims, if not the true one; `bomb` so many bytes that come out of almost none.
    """
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    things: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", font]
    kids: list[int] = []
    for number, lines in enumerate(pages):
        content = _content(lines) + b"\n" + b" " * bomb
        packed = zlib.compress(content, 9)
        things.append(b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed))
        notes = b""
        if number == 0:
            for place, link in enumerate(links):
                top = 795 - 20 * place
                things.append(
                    b"<< /Type /Annot /Subtype /Link /Rect [55 %d 540 %d] /A << /S /URI /URI (%s) >> >>"
                    % (top - 25, top, _escaped(link))
                )
                notes += b"%d 0 R " % len(things)
        things.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Annots [%s] "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % (len(things) - len(links) * (number == 0), notes)
        )
        kids.append(len(things))
    count = len(kids) if declared is None else declared
    things[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(b"%d 0 R" % kid for kid in kids), count)
    told = b" ".join(b"/%s (%s)" % (name.encode(), _escaped(value)) for name, value in (info or {}).items())
    things.append(b"<< %s >>" % told)
    body, offsets = b"%PDF-1.5\n", []
    for number, thing in enumerate(things, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, thing)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    end = b"trailer << /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    return (
        body
        + b"xref\n0 %d\n0000000000 65535 f \n" % (len(things) + 1)
        + table
        + end % (len(things) + 1, len(things), len(body))
    )
