"""The bytes of a feed or sitemap made readable: unpacked within bounds, as UTF-8, with stray signs mended."""

from __future__ import annotations

import codecs
import re
import zlib
from collections.abc import Iterator

from resiliparse.parse.encoding import bytes_to_str, detect_encoding, map_encoding_to_html5

__all__ = ["inflate", "mended", "utf8"]

GZIP_MEMBERS = 1_000
# Ampersands and angle brackets that were meant as text; the five entities of XML itself stay.
_STRAY_AMPERSAND = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)")
_STRAY_BRACKET = re.compile(rb"<(?![A-Za-z_:/!?\x80-\xff])")
_DECLARED = re.compile(
    rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["'](?!utf-?16)([A-Za-z0-9._-]{1,40})["']""", re.IGNORECASE
)
_UTF_16 = (
    (codecs.BOM_UTF16_LE, 2, "utf-16-le"),
    (codecs.BOM_UTF16_BE, 2, "utf-16-be"),
    (b"<\0", 0, "utf-16-le"),
    (b"\0<", 0, "utf-16-be"),
)
_GZIP = b"\x1f\x8b"


def inflate(body: bytes, limit: int) -> tuple[bytes, bool]:
    """Undo gzip, twice if a server compressed twice, up to a limit; and whether something is missing."""
    cut = False
    for _ in range(2):
        if body.startswith(_GZIP):
            body, short = _gunzip(body, limit)
            cut = cut or short
    return body[:limit], cut or len(body) > limit


def _gunzip(body: bytes, limit: int) -> tuple[bytes, bool]:
    # In small steps, so that what comes before a damaged place is kept.
    parts: list[bytes] = []
    room, at, members = limit + 1, 0, 1
    stream = zlib.decompressobj(wbits=31)
    while room > 0 and at < len(body):
        step = body[at : at + 512]
        try:
            parts.append(stream.decompress(step, room))
        except zlib.error:
            break
        room -= len(parts[-1])
        at += len(step)
        if stream.eof:
            at -= len(stream.unused_data)
            if members == GZIP_MEMBERS or body[at : at + 2] != _GZIP:
                break
            members += 1
            stream = zlib.decompressobj(wbits=31)
    return b"".join(parts), not stream.eof


def utf8(data: bytes) -> bytes:
    """The same text as UTF-8 without a mark; bytes that fit no encoding are replaced."""
    for start, mark, encoding in _UTF_16:
        if data.startswith(start):
            return data[mark:].decode(encoding, "replace").encode("utf-8", "replace")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        data.decode("utf-8")
        return data
    except UnicodeDecodeError:
        declared = _DECLARED.match(data[:300])
    # Only the encodings of the web: some of Python's own codecs are slow on purpose-made input.
    name = map_encoding_to_html5(declared.group(1).decode("ascii")) if declared else detect_encoding(data[:65_536])
    text: str = bytes_to_str(data, encoding=name, errors="replace")
    return text.encode("utf-8", "replace")


def mended(data: bytes) -> Iterator[bytes]:
    """The data in pieces, with stray & and < escaped: the parser would drop them and half of an address."""
    at = 0
    while at < len(data):
        start = data.find(b"<![CDATA[", at)
        stop = data.find(b"]]>", start) + 3 if start >= 0 else 2
        plain_end = start if stop > 2 else len(data)
        while at < plain_end:
            to = min(at + 65_536, plain_end)
            if to < plain_end:
                # Never cut through an entity or a tag's first two bytes.
                mark = max(data.rfind(b"&", to - 12, to), data.rfind(b"<", to - 1, to))
                to = mark if mark > at else to
            yield _STRAY_AMPERSAND.sub(b"&amp;", _STRAY_BRACKET.sub(b"&lt;", data[at:to]))
            at = to
        if stop > 2:
            yield data[at:stop]
            at = stop
