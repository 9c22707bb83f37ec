"""From words to terms: stop words left out, the forms of a word brought to one stem, odd signs taken away."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from sys import intern

import Stemmer
import stopwordsiso

__all__ = ["HAN", "KEEP", "MARKS", "STEMMERS", "WORD", "Folds", "stop_words"]

HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff]")
# Vowel signs and other marks that belong to the letter before them, which \w does not know.
_SIGNS = (
    "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e"
    "\u1000-\u109f\u1780-\u17d3"
)
WORD = re.compile(rf"[^\W_](?:[^\W_]|[{_SIGNS}])*(?:'(?:[^\W_]|[{_SIGNS}])+)*")
# Letters of Latin alphabets that have one form only: a word of them needs no more cleaning than one of plain ASCII.
_LATIN = re.compile(r"[a-z\u00df-\u00f6\u00f8-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e]+")
_UNSEEN = str.maketrans({"\u00ad": None, "\u2060": None, "™": " ", "℠": " "})

STEMMERS = {
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
KEEP = 200_000  # folded words remembered per language; a web's vocabulary has no end, this memory has
_LONGEST = 40  # longer "words" are base64, not language


@cache
def stop_words(language: str) -> frozenset[str]:
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


class Folds:
    """Word to term; the empty string for a word that carries nothing.

    Words not met before are learnt all at once: for each alone a call into the stemmer and back took far longer.
    """

    def __init__(self, language: str) -> None:
        self.known = _Stems()
        self.stem: Callable[[list[str]], list[str]] = list
        if language in STEMMERS:
            # Our own memory is the larger one; the stemmer's would only be looked into in vain.
            self.stem = Stemmer.Stemmer(STEMMERS[language], 0).stemWords
        self.stop = _ENGLISH | stop_words(language)
        self.several: set[str] = set()  # what stands for more than one term
        self._keep_marks()

    def _keep_marks(self) -> None:
        # The page cutter marks links in the text with control characters, which must come through as they are.
        self.known.update({mark: mark for mark in MARKS})

    def fold(self, found: list[str]) -> list[str]:
        """The terms of words already set apart."""
        known = self.known
        folded = list(filter(None, map(known.__getitem__, found)))
        if known.unmet:
            unmet, known.unmet = known.unmet, set()
            self._meet(unmet, found)
            folded = list(filter(None, map(known.get, found)))
        # A rough word with odd signs inside is several terms; few texts hold one.
        return folded if not self.several or self.several.isdisjoint(folded) else " ".join(folded).split()

    def _meet(self, unmet: set[str], text: list[str]) -> None:
        """Remember the terms of some words of a text; should there be no room for them, of all its words."""
        if len(self.known) + len(unmet) > KEEP:
            self.known.clear()
            self._keep_marks()
            unmet = set(text).difference(self.known)
        met = [word for word in unmet if len(word) <= 4 * _LONGEST]  # this memory is bounded
        terms = self.learn(met)
        if " " in "".join(terms):
            if len(self.several) > KEEP:
                self.several.clear()
            self.several.update(term for term in terms if " " in term)
        self.known.update(zip(met, terms, strict=True))

    def learn(self, met: list[str]) -> list[str]:
        """The terms of words met for the first time; of one that is several terms, these with spaces between them."""
        known, stop = self.known, self.stop
        found: list[str] = [""] * len(met)
        plain: list[int] = []
        lows: list[str] = []
        for place, (word, low) in enumerate(zip(met, " ".join(met).lower().split(" "), strict=True) if met else ()):
            if not (low.isascii() and low.isalnum()) and not _LATIN.fullmatch(low):
                found[place] = intern(self._folded(word))
            elif (term := known.get(low)) is not None:  # written with other capitals before
                found[place] = term
            elif low in stop or not 1 < len(low) <= _LONGEST or (low.isdigit() and len(low) != 4):
                continue
            elif low[0].isalpha():  # nine words in ten: nothing to clean
                plain.append(place)
                lows.append(low)
            else:
                found[place] = low
        # One string for all forms of a word: it is looked up in many places, and the same one is found soonest.
        for place, term in zip(plain, map(intern, self.stem(lows)), strict=True):
            found[place] = term
        return found

    @property
    def silent(self) -> list[str]:
        """The stop words that are written in plain letters, which nothing else can be made of."""
        return [
            word
            for word in self.stop
            if word == word.lower() and ((word.isascii() and word.isalnum()) or _LATIN.fullmatch(word))
        ]

    def _folded(self, word: str) -> str:
        """Signs that no table knows may stand between words: then one rough word is several terms."""
        found = WORD.findall(unicodedata.normalize("NFKC", word.translate(_UNSEEN)))
        return " ".join(filter(None, [self._fold(one.lower()) for one in found]))

    def _fold(self, low: str) -> str:
        if low in self.stop or len(low) > _LONGEST:
            return ""
        if low.endswith("'s"):
            low = low[:-2]
            if low in self.stop:
                return ""
        if low.isdigit():
            return low if len(low) == 4 else ""  # years tell, other numbers do not
        if not low.isascii() and HAN.match(low):
            return low
        if len(low) < 2:
            return ""
        return self.stem([low])[0] if low[0].isalpha() else low
