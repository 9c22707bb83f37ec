"""From text to terms: the words that carry meaning, folded so that their forms meet.

A *word* is what a reader would point at; a *term* is a word lower-cased, stripped of stop words and reduced
to its stem. Han runs are cut by a segmenter, since Chinese writes no spaces. One tokenizer serves pages,
queries, keywords and anchors, so that they always meet.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import cache
from threading import local

import stopwordsiso

from honeyguide.native import has_native
from honeyguide.text.folding import HAN, KEEP, MARKS, STEMMERS, WORD, Folds, stop_words

if has_native:
    from honeyguide import _native

__all__ = [
    "BYTES_MARKED",
    "MARKS",
    "Terms",
    "counted_words",
    "has_han",
    "is_language",
    "reads_as",
    "spaced",
    "terms",
    "terms_of_many",
    "tokenizer",
    "words",
]

_HAN_RUN = re.compile(f"{HAN.pattern}+")
# Separators become spaces by a table over bytes and a split in C: several times as fast as a regular expression
# over words, and as a table over characters, which is built anew at every call. What the table leaves on a
# word's edges is cleaned when the word is met for the first time.
_SEPARATORS = "".join(map(chr, range(128)))
_SEPARATORS = "".join(sign for sign in _SEPARATORS if not (sign.isalnum() or sign == "'"))
_BYTES = bytes.maketrans(_SEPARATORS.encode(), b" " * len(_SEPARATORS))
BYTES_MARKED = bytes.maketrans(_SEPARATORS[:1].encode() + _SEPARATORS[5:].encode(), b" " * (len(_SEPARATORS) - 4))
_APOSTROPHE = "’".encode()
_PUNCTUATION = re.compile(rb"\xe2\x80[\x80-\xbf]")  # dashes, quotes, dots: U+2000 to U+203F
# UTF-8 lead bytes of U+3000 to U+9FFF and U+F000 to U+FFFF: only a text that has one can hold Han writing.
_NOT_WIDE = bytes(set(range(256)) - set(range(0xE3, 0xEA)) - {0xEF})
_WIDE = re.compile(r"[\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]")

_AFTER_MARKS = "\x05"
_LINK = MARKS[0]  # what begins a link; each other mark is the end of one
_BETWEEN = MARKS[0]  # between texts that are read together
_REMEMBERED, _SHORT = 65_536, 400  # short texts whose terms are remembered per language, and how short, in letters


def has_han(text: str) -> bool:
    """Whether the text holds Chinese (or Japanese) writing."""
    if text.isascii() or not text.encode("utf-8", "replace").translate(None, _NOT_WIDE):
        return False  # told by bytes in a tenth of the time
    return HAN.search(text) is not None


@cache
def _segment() -> Callable[[str], list[str]]:
    import rjieba  # its dictionary takes a tenth of a second to load, which most crawls never need

    cut: Callable[[str], list[str]] = rjieba.cut
    return cut


def _cut_han(match: re.Match[str]) -> str:
    return f" {' '.join(_segment()(match.group()))} "


def _wide_apart(text: str) -> str:
    return _HAN_RUN.sub(_cut_han, _WIDE.sub(" ", text))


def spaced(text: str, table: bytes = _BYTES) -> str:
    """The text with its words set apart by spaces, ready to be split.

    >>> spaced("well-known (bees)").split()
    ['well', 'known', 'bees']
    """
    utf8 = text.encode("utf-8", "replace")
    if len(utf8) == len(text):  # plain ASCII
        return utf8.translate(table).decode("ascii")
    if utf8.translate(None, _NOT_WIDE):  # here, only what is wide is touched: a word must not depend on its neighbours
        utf8 = _wide_apart(text).encode("utf-8", "replace")
    if b"\xe2\x80" in utf8:
        utf8 = _PUNCTUATION.sub(b" ", utf8.replace(_APOSTROPHE, b"'"))
    return utf8.translate(table).decode("utf-8", "replace")


def words(text: str) -> list[str]:
    """The words of a text in order, as written.

    >>> words("It's MH17, the airliner.")
    ["It's", 'MH17', 'the', 'airliner']
    >>> words("我们学习数据挖掘")
    ['我们', '学习', '数据挖掘']
    """
    roughly = spaced(text).split()
    return [word for rough in roughly for word in ((rough,) if rough.isalnum() else WORD.findall(rough))]


def counted_words(text: str) -> Counter[str]:
    """How often a text has each of its words; in half the time it takes to count them one by one.

    >>> counted_words("bees, Bees; bees!")
    Counter({'bees': 2, 'Bees': 1})
    """
    roughly = Counter(spaced(text).split())
    if "".join(roughly).isalnum():
        return roughly
    found: dict[str, int] = {}
    for rough, times in roughly.items():
        if rough.isalnum():
            found[rough] = found[rough] + times if rough in found else times
        else:
            for word in WORD.findall(rough):
                found[word] = found.get(word, 0) + times
    return Counter(found)


def is_language(code: str) -> bool:
    """Whether a code is a language we know anything of."""
    return code in STEMMERS or bool(stopwordsiso.has_lang(code))


def reads_as(sample: list[str], language: str) -> bool:
    """Whether so many of these lower-case words are a language's stop words that it must be that language.

    >>> reads_as("the bees of the valley are in the garden".split(), "en")
    True
    """
    stop = stop_words(language)
    return len(sample) > 5 and sum(map(stop.__contains__, sample)) * 5 > len(sample)


class Terms:
    """The tokenizer of one language.

    >>> Terms("en")("The crawlers were crawling politely")
    ['crawler', 'crawl', 'polit']
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._folds = Folds(language)
        self._met: dict[str, tuple[str, ...]] = {}  # the terms of short texts
        self.native: _native.Folds | None = None  # the same in compiled code, with a memory of its own
        if has_native:
            folds, seed = self._folds, int.from_bytes(os.urandom(8), "little")
            self.native = _native.Folds(folds.stem, folds.learn, _wide_apart, folds.silent, KEEP, seed)

    def __call__(self, text: str) -> list[str]:
        """The terms of a text, in order, stop words left out."""
        return self.fold(spaced(text).split()) if self.native is None else self.native.terms(text)

    def marked(self, text: str) -> list[str]:
        """The same, with the page cutter's marks left in their places."""
        if self.native is not None:
            return self.native.terms(text, True)
        return self.fold(spaced(text, BYTES_MARKED).split())

    def outside(self, text: str) -> tuple[list[str], list[str]]:
        """The terms of a text with marks, all of them and those that stand in no link.

        >>> Terms("en").outside("Bees \x01 live \x02 in hives")
        (['bee', 'live', 'hive'], ['bee', 'hive'])
        """
        if self.native is not None:
            return self.native.outside(text)
        every: list[str] = []
        outside: list[str] = []
        linked = False
        for term in self.marked(text):
            if term < _AFTER_MARKS:
                linked = term == _LINK
            else:
                every.append(term)
                if not linked:
                    outside.append(term)
        return every, outside

    def many(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """The terms of each of many short texts, as if asked for one by one, in a fraction of the time.

        What is not known yet is read in one go. Anchors are the case in point: a site's menu is on all its pages.
        """
        met = self._met
        new = dict.fromkeys(texts)
        if len(met) + len(new) > _REMEMBERED:
            met.clear()
        unmet = [text for text in new if text not in met]
        if not unmet:
            return list(map(met.__getitem__, texts))
        read = dict(zip(unmet, self.together(unmet), strict=True))
        found = [met[text] if text in met else read[text] for text in texts]
        met.update((text, terms) for text, terms in read.items() if len(text) <= _SHORT)
        return found

    def together(self, texts: list[str]) -> list[tuple[str, ...]]:
        """The terms of each of many texts, read in one go and not remembered."""
        if self.native is not None:
            return self.native.many(texts)
        joined = _join(texts)
        if joined is None or not texts:
            return [tuple(self(text)) for text in texts]
        read = self.marked(joined)
        found: list[tuple[str, ...]] = []
        start = 0
        for _ in texts[1:]:
            end = read.index(_BETWEEN, start)
            found.append(tuple(read[start:end]))
            start = end + 1
        return [*found, tuple(read[start:])]

    def holding(self, texts: list[str], wanted: Collection[str]) -> list[int]:
        """The places of those of many texts that hold any of some terms: in a fraction of the time their terms take.

        >>> Terms("en").holding(["Crawling bees", "", "the hive"], {"hive", "bee"})
        [0, 2]
        """
        # What mixes letters and digits is no such term. Names of URLs are full of that, each met once: not learnt.
        plain = all(term.isalpha() or term.isdigit() for term in wanted)
        if self.native is not None:
            return self.native.holding(texts, wanted, plain)
        joined = _join(texts)
        if joined is None:
            return [place for place, text in enumerate(texts) if self._holds(spaced(text), wanted, plain=plain)]
        read = self._unmixed(spaced(joined, BYTES_MARKED), plain=plain)
        hits = [place for place, term in enumerate(read) if term in wanted]
        if not hits:  # as of the links of most pages
            return []
        ends = [place for place, term in enumerate(read) if term == _BETWEEN]
        return list(dict.fromkeys(bisect_left(ends, hit) for hit in hits))

    def _unmixed(self, text: str, *, plain: bool) -> list[str]:
        """The terms of a text set apart; with `plain`, of no word that mixes letters and digits."""
        words = text.split()
        if plain:
            words = [word for word in words if word.isalpha() or word.isdigit() or not word.isalnum()]
        return self.fold(words)

    def _holds(self, text: str, wanted: Collection[str], *, plain: bool) -> bool:
        return any(term in wanted for term in self._unmixed(text, plain=plain))

    def fold(self, found: list[str]) -> list[str]:
        """The terms of words already set apart."""
        return self._folds.fold(found)


def _join(texts: list[str]) -> str | None:
    """Many texts with a mark between them, to be read in one go; None where a text has marks of its own."""
    joined = f" {_BETWEEN} ".join(texts)
    own = joined.count(_BETWEEN) >= max(len(texts), 1) or any(mark in joined for mark in MARKS[1:])
    return None if own else joined


class _Tokenizers(local):
    """Those of one thread: a tokenizer notes down what it meets, and two at once would read each other's notes."""

    def __init__(self) -> None:
        self.by_language: dict[str, Terms] = {}


_TOKENIZERS = _Tokenizers()


def tokenizer(language: str) -> Terms:
    """The tokenizer of a language: one for all who ask, so that each word is folded once."""
    known = _TOKENIZERS.by_language
    found = known.get(language)
    if found is None:
        found = known[language] = Terms(language)
    return found


def terms(text: str, language: str = "en") -> list[str]:
    """The terms of a text with the shared tokenizer of a language.

    >>> terms("数据挖掘的方法", "zh")
    ['数据挖掘', '方法']
    """
    return tokenizer(language)(text)


def terms_of_many(texts: Sequence[str], language: str = "en") -> list[tuple[str, ...]]:
    """The terms of each of many short texts: the same as `terms` of one after another, but read together.

    >>> terms_of_many(["Crawling bees", "", "the hive"])
    [('crawl', 'bee'), (), ('hive',)]
    """
    return tokenizer(language).many(texts)
