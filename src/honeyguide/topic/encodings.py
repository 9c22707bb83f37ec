"""Which encoding a list of words was saved in: Chinese Excel writes GBK, most others UTF-8, and no file says so.

A list is short, and what guesses encodings of pages needs more to go by. So the signs of Chinese are looked for first:
bytes that come in pairs, most of them pairs that stand for common characters.
"""

from __future__ import annotations

import codecs
import re

from resiliparse.parse.encoding import detect_encoding

from honeyguide.errors import TopicError

__all__ = ["decoded"]

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_GB = re.compile(rb"[\x00-\x7f]+|([\xa1-\xa9\xb0-\xd7])[\xa1-\xfe]|([\xd8-\xf7])[\xa1-\xfe]")  # common, then rare
_BIG5 = re.compile(rb"[\x00-\x7f]+|([\xa1-\xc6])[\x40-\x7e\xa1-\xfe]|([\xc7-\xf9])[\x40-\x7e\xa1-\xfe]")


def decoded(body: bytes, name: str, encoding: str = "") -> tuple[str, str]:
    """The text of a file and the encoding it was read in; what cannot be read in it becomes U+FFFD.

    >>> decoded("马航\\n".encode("gbk"), "words.txt"), decoded("Müller".encode("cp1252"), "words.txt")[0]
    (('马航\\n', 'gb18030'), 'Müller')
    """
    if encoding:
        return _as_told(body, name, encoding), encoding
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace"), codec
    try:
        return body.decode(), "utf-8"
    except UnicodeDecodeError:
        pass
    if b"\0" in body:
        raise TopicError(f"{name} is no text; give a text file, a CSV file or an Excel file")
    if _mostly_utf8(body):
        return body.decode("utf-8", "replace"), "utf-8"
    detected = detect_encoding(body, max_len=65_536, from_html_meta=False) or ""
    for codec, fits in (("gb18030", _pairs(_GB, body)), ("big5hkscs", _pairs(_BIG5, body)), (detected, True)):
        text = _strictly(body, codec) if fits and codec.replace("-", "").lower() != "utf8" else None
        if text is not None:
            return text, codec
    raise TopicError(f"{name} is in no encoding that can be told; save it as UTF-8, or name it with --encoding")


def _as_told(body: bytes, name: str, encoding: str) -> str:
    try:
        return body.decode(encoding, "replace").removeprefix("\ufeff")
    except (LookupError, UnicodeError, ValueError):
        raise TopicError(f"{name}: unknown encoding {encoding!r}; write utf-8, gbk, big5, cp1252 and so on") from None


def _mostly_utf8(body: bytes) -> bool:
    """Whether more lines with other letters than ASCII are UTF-8 than are not: then those few are broken."""
    lines = [line for line in body.splitlines() if not line.isascii()]
    good = sum(_strictly(line, "utf-8") is not None for line in lines)
    return good > len(lines) - good


def _pairs(pattern: re.Pattern[bytes], body: bytes) -> bool:
    """Whether all that is no ASCII comes in pairs of this kind, and at least half of them are common ones."""
    common = rare = place = 0
    while place < len(body):
        found = pattern.match(body, place)
        if found is None:
            return False
        common += found[1] is not None
        rare += found[2] is not None
        place = found.end()
    return common >= rare


def _strictly(body: bytes, codec: str) -> str | None:
    try:
        return body.decode(codec)
    except (UnicodeDecodeError, LookupError):
        return None
