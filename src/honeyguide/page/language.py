"""Which language a page is in."""

from __future__ import annotations

import re

from resiliparse.parse.lang import detect_fast

from honeyguide.page.blocks import unmarked
from honeyguide.text.terms import has_han, reads_as

__all__ = ["language_of"]

_HAN = re.compile(r"[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_MANY, _LATELY = 600, 600  # letters that tell a script; letters that tell the language a page claims


def language_of(text: str, declared: str) -> str:
    """The language of a marked text: by its script or its commonest words; the page's own word in doubt.

    What a page is must not depend on the pages before it, or two workers and a resumed crawl would see others than one.
    """
    # Most pages are told by a few words; from their end, for pages begin with names and numbers.
    if reads_as(text[-_LATELY:].lower().split(), declared or "en"):
        return declared or "en"
    text = unmarked(text)
    if not text.isascii() and has_han(text):
        sample = text[:_MANY]
        if len(_HAN.findall(sample)) * 5 > len(sample):
            return "ja" if len(_KANA.findall(sample)) * 10 > len(sample) else "zh"
    words = text.lower().split()
    if len(text) < 100 or (declared and reads_as(words, declared)):
        return declared or "en"
    found = str(detect_fast(text)[0])
    # The detector takes a list of names for any language: of one in Latin letters its common words must stand there.
    if found != "unknown" and (reads_as(words, found) or sum(map(str.isascii, words)) * 2 < len(words)):
        return found
    return "en" if reads_as(words, "en") else declared or "en"
