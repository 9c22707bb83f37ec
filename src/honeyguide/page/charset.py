"""From bytes to UTF-8, whatever the page says of itself.

The order of trust: a byte-order mark, the server's header, the page's own meta tag, and last what the bytes look
like. A label is believed only if the bytes decode under it.
"""

from __future__ import annotations

import codecs
import re

from resiliparse.parse.encoding import detect_encoding, map_encoding_to_html5

from honeyguide.native import has_native

if has_native:
    from honeyguide import _native

__all__ = ["to_utf8"]

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_META = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE)
_XML = re.compile(rb"""^\s*<\?xml[^>]{0,100}encoding\s*=\s*["']([\w.:-]{2,40})""")
# What a label means to browsers: often a larger set than the codec of that name.
_LARGER = {
    "gbk": "gb18030",
    "gb2312": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "euc-kr": "cp949",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
_HEAD = 4_096  # how far into a page its own word on its encoding is looked for


def _codec(label: str) -> str | None:
    """The codec a label means on the web, where gb2312 means gb18030 and latin-1 means cp1252."""
    name = map_encoding_to_html5(label.strip().lower(), fallback_utf8=False)
    if not name:
        return None
    name = _LARGER.get(name, name)
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None


def _decodes(body: bytes, codec: str) -> str | None:
    try:
        return body.decode(codec)
    except (UnicodeDecodeError, LookupError):
        return None


def _is_utf8(body: bytes) -> bool:
    return _native.is_utf8(body) if has_native else _decodes(body, "utf-8") is not None


def to_utf8(body: bytes, label: str | None = None) -> bytes:
    """The body as valid UTF-8; `label` is the charset of the Content-Type header.

    >>> to_utf8("茶".encode("gb18030"), "gb2312").decode()
    '茶'
    """
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace").encode()
    said = [label] if label else []
    head = body[:_HEAD]
    inside = [found.group(1).decode("ascii") for found in (_META.search(head), _XML.search(head)) if found]
    said += [name for name in inside if not name.lower().startswith("utf-16")]  # or we could not have read it
    if (body.isascii() or _is_utf8(body)) and not _wide(said):
        return body
    for name in said:
        known = _codec(name)
        if known and known != "utf-8" and (text := _decodes(body, known)) is not None:
            return text.encode()
    guess = _codec(detect_encoding(body, max_len=16_384, from_html_meta=False) or "utf-8") or "utf-8"
    if guess == "utf-8" and body.decode("utf-8", "replace").count("\ufffd") * 20 > len(body):
        # The detector says utf-8 when it does not know: then the page's own word is the best there is.
        told = [one for one in map(_codec, said) if one and one != "utf-8"]
        guess = told[0] if told else "cp1252"
    return body.decode(guess, "replace").encode("utf-8", "replace")


def _wide(said: list[str]) -> bool:
    # Only these encodings can look like valid UTF-8 and mean something else.
    return any(name.lower().startswith(("utf-16", "iso-2022", "hz-")) for name in said)
