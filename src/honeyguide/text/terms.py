"""From text to terms: the words that carry meaning, folded so that their forms meet.

A *word* is what a reader would point at; a *term* is a word lower-cased, stripped of stop words and reduced
to its stem. Han runs are cut by a segmenter, since Chinese writes no spaces. One tokenizer serves pages,
queries, keywords and anchors, so that they always meet.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from functools import cache
from sys import intern
from threading import local

import Stemmer
import stopwordsiso

__all__ = [
    "BYTES_MARKED",
    "MARKS",
    "Terms",
    "has_han",
    "is_language",
    "reads_as",
    "spaced",
    "terms",
    "terms_of_many",
    "tokenizer",
    "words",
]

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff]")
_HAN_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff]+")
# Vowel signs and other marks that belong to the letter before them, which \w does not know.
_SIGNS = (
    "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e"
    "\u1000-\u109f\u1780-\u17d3"
)
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{_SIGNS}])*(?:'(?:[^\W_]|[{_SIGNS}])+)*")
# Letters of Latin alphabets that have one form only: a word of them needs no more cleaning than one of plain ASCII.
_LATIN = re.compile(r"[a-z\u00df-\u00f6\u00f8-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e]+")
_UNSEEN = str.maketrans({"\u00ad": None, "\u2060": None, "™": " ", "℠": " "})

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

_STEMMERS = {
    "ar": "arabic", "da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish",
    "fr": "french", "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sv": "swedish", "tr": "turkish",
}  # fmt: skip

# The public English list of 1,298 "stop words" drops web, information and system; a topic may be about those.
_ENGLISH = frozenset(
    """a about above after again against all almost along already also although always am among an and another
    any anyone anything are around as at away back be became because become been before being below between both
    but by came can cannot come could did do does doing done down during each either else ever every few first
    for from further get gets given go goes going got had has have having he hence her here hers herself him
    himself his how however i if in into is it its itself just last least less let like made make makes many
    may me might more most much must my myself near need neither never next no nobody none nor not nothing now
    of off often on once one only onto or other others our ours ourselves out over own per perhaps quite rather
    really said same say says see seem seen several shall she should since so some someone something sometimes
    still such than that the their theirs them themselves then there therefore these they this those though
    three through thus to together too toward towards two under until up upon us use used uses using very via
    was way we well went were what when where whether which while who whole whom whose why will with within
    without would yet you your yours yourself yourselves
    can't couldn't didn't doesn't don't hadn't hasn't haven't isn't it's i'm i've let's she's he's that's there's
    they're wasn't we're weren't won't wouldn't you're""".split()
)

MARKS = ("\x01", "\x02", "\x03", "\x04")
_BETWEEN = MARKS[0]  # between texts that are read together
_REMEMBERED, _SHORT = 65_536, 400  # short texts whose terms are remembered per language, and how short, in letters
_KEEP = 200_000  # folded words remembered per language; a web's vocabulary has no end, this memory has
_LONGEST = 40  # longer "words" are base64, not language


def has_han(text: str) -> bool:
    """Whether the text holds Chinese (or Japanese) writing."""
    if text.isascii() or not text.encode("utf-8", "replace").translate(None, _NOT_WIDE):
        return False  # told by bytes in a tenth of the time
    return _HAN.search(text) is not None


@cache
def _segment() -> Callable[[str], list[str]]:
    import rjieba  # its dictionary takes a tenth of a second to load, which most crawls never need

    cut: Callable[[str], list[str]] = rjieba.cut
    return cut


def _cut_han(match: re.Match[str]) -> str:
    return f" {' '.join(_segment()(match.group()))} "


def spaced(text: str, table: bytes = _BYTES) -> str:
    """The text with its words set apart by spaces, ready to be split.

    >>> spaced("well-known (bees)").split()
    ['well', 'known', 'bees']
    """
    utf8 = text.encode("utf-8", "replace")
    if len(utf8) == len(text):  # plain ASCII
        return utf8.translate(table).decode("ascii")
    if utf8.translate(None, _NOT_WIDE):  # here, only what is wide is touched: a word must not depend on its neighbours
        text = _HAN_RUN.sub(_cut_han, _WIDE.sub(" ", text))
        utf8 = text.encode("utf-8", "replace")
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
    return [word for rough in roughly for word in ((rough,) if rough.isalnum() else _WORD.findall(rough))]


@cache
def _stop_words(language: str) -> frozenset[str]:
    if language == "en":
        return _ENGLISH
    return frozenset(stopwordsiso.stopwords(language)) if stopwordsiso.has_lang(language) else frozenset()


class _Stems(dict[str, str]):
    """Words and their terms; a word that is not among them is noted down.

    So a text is looked up once. To find its new words first, as a set, took twice as long as the rest.
    """

    def __init__(self) -> None:
        super().__init__()
        self.unmet: set[str] = set()

    def __missing__(self, word: str) -> str:
        self.unmet.add(word)
        return ""


class _Folds:
    """Word to term; the empty string for a word that carries nothing.

    Words not met before are learnt all at once: for each alone a call into the stemmer and back took far longer.
    """

    def __init__(self, language: str) -> None:
        self.known = _Stems()
        self._stem: Callable[[list[str]], list[str]] = list
        if language in _STEMMERS:
            # Our own memory is the larger one; the stemmer's would only be looked into in vain.
            self._stem = Stemmer.Stemmer(_STEMMERS[language], 0).stemWords
        self._stop = _ENGLISH | _stop_words(language)
        self.several: set[str] = set()  # what stands for more than one term
        self._keep_marks()

    def _keep_marks(self) -> None:
        # The page cutter marks links in the text with control characters, which must come through as they are.
        self.known.update({mark: mark for mark in MARKS})

    def learn(self, unmet: set[str], text: list[str]) -> None:
        """Work out the terms of some words of a text; should there be no room for them, of all its words."""
        if len(self.known) + len(unmet) > _KEEP:
            self.known.clear()
            self._keep_marks()
            unmet = set(text).difference(self.known)
        met = [word for word in unmet if len(word) <= 4 * _LONGEST]  # this memory is bounded
        known, stop = self.known, self._stop
        plain: list[str] = []
        lows: list[str] = []
        for word, low in zip(met, " ".join(met).lower().split(" "), strict=True) if met else ():
            if not (low.isascii() and low.isalnum()) and not _LATIN.fullmatch(low):
                known[word] = intern(self._folded(word))
            elif (term := known.get(low)) is not None:  # written with other capitals before
                known[word] = term
            elif low in stop or not 1 < len(low) <= _LONGEST or (low.isdigit() and len(low) != 4):
                known[word] = ""
            elif low[0].isalpha():  # nine words in ten: nothing to clean
                plain.append(word)
                lows.append(low)
            else:
                known[word] = low
        # One string for all forms of a word: it is looked up in many places, and the same one is found soonest.
        known.update(zip(plain, map(intern, self._stem(lows)), strict=True))

    def _folded(self, word: str) -> str:
        """Signs that no table knows may stand between words: then one rough word is several terms."""
        found = _WORD.findall(unicodedata.normalize("NFKC", word.translate(_UNSEEN)))
        folded = " ".join(filter(None, [self._fold(one.lower()) for one in found]))
        if " " in folded:
            if len(self.several) > _KEEP:
                self.several.clear()
            self.several.add(folded)
        return folded

    def _fold(self, low: str) -> str:
        if low in self._stop or len(low) > _LONGEST:
            return ""
        if low.endswith("'s"):
            low = low[:-2]
            if low in self._stop:
                return ""
        if low.isdigit():
            return low if len(low) == 4 else ""  # years tell, other numbers do not
        if not low.isascii() and _HAN.match(low):
            return low
        if len(low) < 2:
            return ""
        return self._stem([low])[0] if low[0].isalpha() else low


def is_language(code: str) -> bool:
    """Whether a code is a language we know anything of."""
    return code in _STEMMERS or bool(stopwordsiso.has_lang(code))


def reads_as(sample: list[str], language: str) -> bool:
    """Whether so many of these lower-case words are a language's stop words that it must be that language.

    >>> reads_as("the bees of the valley are in the garden".split(), "en")
    True
    """
    stop = _stop_words(language)
    return len(sample) > 5 and sum(map(stop.__contains__, sample)) * 5 > len(sample)


class Terms:
    """The tokenizer of one language.

    >>> Terms("en")("The crawlers were crawling politely")
    ['crawler', 'crawl', 'polit']
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._folds = _Folds(language)
        self._met: dict[str, tuple[str, ...]] = {}  # the terms of short texts

    def __call__(self, text: str) -> list[str]:
        """The terms of a text, in order, stop words left out."""
        return self.fold(spaced(text).split())

    def marked(self, text: str) -> list[str]:
        """The same, with the page cutter's marks left in their places."""
        return self.fold(spaced(text, BYTES_MARKED).split())

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
        joined = _join(texts)
        if joined is None:
            return [place for place, text in enumerate(texts) if any(term in wanted for term in self(text))]
        found = spaced(joined, BYTES_MARKED).split()
        if all(term.isalpha() or term.isdigit() for term in wanted):
            # What mixes letters and digits is no such term. Names of URLs are full of that, each met once: not learnt.
            found = [word for word in found if word.isalpha() or word.isdigit() or not word.isalnum()]
        read = self.fold(found)
        hits = [place for place, term in enumerate(read) if term in wanted]
        if not hits:  # as of the links of most pages
            return []
        ends = [place for place, term in enumerate(read) if term == _BETWEEN]
        return list(dict.fromkeys(bisect_left(ends, hit) for hit in hits))

    def fold(self, found: list[str]) -> list[str]:
        """The terms of words already set apart."""
        folds = self._folds
        known = folds.known
        folded = list(filter(None, map(known.__getitem__, found)))
        if known.unmet:
            unmet, known.unmet = known.unmet, set()
            folds.learn(unmet, found)
            folded = list(filter(None, map(known.get, found)))
        # A rough word with odd signs inside is several terms; few texts hold one.
        return folded if not folds.several or folds.several.isdisjoint(folded) else " ".join(folded).split()


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
