"""A word is known by the company it keeps (Firth 1957): whether those that speak for a page stand in any.

Whoever stuffs a page knows which words tell a topic; not so easily what they are said with. In sentences, in a list of
papers, in a menu, a word stands next to words that it stands next to elsewhere: "research interests", "professor of
computer science". Put in front of a page, or strewn over it, words stand next to others by chance.

    in company  a word next to which, before or behind it, stands what some page met has there, too, stop words apart;
                and has it between other words, so that neither a page nor its copies vouch for themselves
    share       of what the words of a page say for the topic, what is said by those in company, each counting as much
                as it says for the topic
    usual       the root of a * b: a the median share of examples and pages met, b that of the later half of them by
                the company of the earlier half, as of pages yet to come; no more than the median of the examples
    a page is stuffed where its share is below .75 of what is usual, eight words' worth of trust in that added

What a page says a second time between the same words, as a list of keywords that is put there three times, is in no
company the second time. Nor are two words of keywords company for each other: whoever stuffs a page knows those, and a
keyword of several words, as most are in Chinese, would vouch for itself.

To be in none says little where few words are, as among the first pages met, or where each page is about something else:
then nothing is said of any page. Nor is it where there is no example, and so hardly a word but the keywords that speaks
for a page, nor of pages that a person gave.

All this was chosen on half of the topics of two webs, with crawls of 64 to 512 pages learnt from; the trust in words
also with an eye on one topic of the other half.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

from honeyguide.page.order import GAP, places_in
from honeyguide.text.lookup import numbers_of
from honeyguide.topic.calibrate import Floats
from honeyguide.topic.shown import Shown
from honeyguide.topic.views import View, WordTables

__all__ = ["STRANGE", "Company", "Speaking", "learn_company"]

STRANGE = "stuffed: the words that speak for it stand where no other page has them, next to words of anything else"
_STRANGE = 0.75  # of the usual share
_TRUST = 8.0  # words' worth of trust that a page is as usual
_TELLS = 0.25  # the share of later pages by earlier ones, below which it says little to be in no company
_LEAST = 48  # pages; among fewer hardly any word is met twice
_ASKED = 32  # pages that tell what is usual: more say the same

Ints = NDArray[np.int64]
Codes = NDArray[np.uint64]
_EDGE = 0  # the number of no word
_FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)  # odd, so that nothing is lost
_HIGH = np.uint64(32)


class Speaking:
    """What each term of a page says for the topic or against it, by all views together."""

    def __init__(self, views: Sequence[View], words: WordTables) -> None:
        self._worth = [view.share * view.curve.parts(0.0)[0] for view in views]
        self._words = words

    def __call__(self, page: Shown) -> Floats:
        counts = np.fromiter(page.terms.values(), np.float64, len(page.terms))
        found = self._words.find(page.terms, counts, float(counts.sum()))
        parts = np.zeros(len(counts))
        for view, worth in enumerate(self._worth):
            parts += worth * self._words.score(view, *found)[1]
        return parts


class Company:
    """Which words of the pages met stand next to which, and between which others."""

    def __init__(
        self, numbers: dict[str, int], said: Sequence[Ints], speaking: Speaking, keywords: Collection[str] = ()
    ) -> None:
        self._numbers = numbers
        self._speaking = speaking
        self._keywords = np.array([numbers[term] for term in keywords if term in numbers], np.int64)
        edge = np.full(1, _EDGE)
        pairs, fours = self._codes(np.concatenate([part for one in said for part in (one, edge)]))
        self._fours, first = np.unique(fours[pairs != 0], return_index=True)
        self._pairs, self._ways = np.unique(pairs[pairs != 0][first], return_counts=True)
        self.usual = 0.0
        self.given: frozenset[bytes] = frozenset()

    def share(self, page: Shown, said: Ints | None = None) -> tuple[float, float]:
        """What share of what speaks for a page is in company, and how many words have a say in that; `said` are the
        numbers of its words, where they are known."""
        parts = self._speaking(page)
        places = places_in(page.order)
        times = np.bincount(places[places != GAP], minlength=len(parts))
        each = np.append(np.maximum(parts, 0.0) / np.maximum(times, 1), 0.0)[np.minimum(places, len(parts))]
        total = float(each.sum())
        if not total or not len(self._pairs):
            return 0.0, 0.0
        if said is None:
            numbers = numbers_of(page.terms, self._numbers, _EDGE)
            unmet = np.arange(len(self._numbers) + 1, len(self._numbers) + 1 + len(numbers))
            said = _said(page, np.where(numbers == _EDGE, unmet, numbers))
        met = self._met(said)
        return float(each @ (met[:-1] | met[1:])) / total, total * total / float(each @ each)

    def _codes(self, said: Ints) -> tuple[Codes, Codes]:
        """The codes of pairs, but for those of two keywords: what stands next to each other in a keyword all know."""
        pairs, fours = _codes(said)
        if len(self._keywords) > 1:
            named = np.concatenate([[False], np.isin(said, self._keywords), [False]])
            pairs[named[:-1] & named[1:]] = 0
        return pairs, fours

    def _met(self, said: Ints) -> NDArray[np.bool_]:
        """Whether a word and the one behind it stand next to each other elsewhere, between other words than here: of no
        word and the first, of the first and the second, and so on up to the last and none."""
        pairs, fours = self._codes(said)
        place = np.minimum(np.searchsorted(self._pairs, pairs), len(self._pairs) - 1)
        ways = np.where(self._pairs[place] == pairs, self._ways[place], 0)
        place = np.minimum(np.searchsorted(self._fours, fours), len(self._fours) - 1)
        anew = np.zeros(len(fours), np.bool_)
        anew[np.unique(fours, return_index=True)[1]] = True
        found: NDArray[np.bool_] = anew & (pairs != 0) & (ways > (self._fours[place] == fours))
        return found

    def is_strange(self, page: Shown) -> bool:
        """Whether what speaks for a page stands in hardly any company, although on other pages it does."""
        if not self.usual or not page.order or page.order in self.given:
            return False
        share, words = self.share(page)
        return (words * share + _TRUST * self.usual) / (words + _TRUST) < _STRANGE * self.usual


def learn_company(
    given: Sequence[Shown],
    met: Sequence[Shown],
    terms: Iterable[str],
    speaking: Speaking,
    keywords: Collection[str] = (),
) -> Company | None:
    """The company that words keep on pages that a person gave, and on others in the order in which they were met, all
    of whose `terms` are told.

    None where it tells nothing.
    """
    given, met = ([page for page in pages if page.order] for pages in (given, met))
    if not given or len(met) < _LEAST:
        return None
    every, half = [*given, *met], len(given) + len(met) // 2
    numbers = dict(zip(terms, count(_EDGE + 1)))
    said = [_said(page, numbers_of(page.terms, numbers, _EDGE)) for page in every]
    later = _median(Company(numbers, said[:half], speaking, keywords), every[half:], said[half:])
    if later < _TELLS:
        return None
    company = Company(numbers, said, speaking, keywords)
    company.usual = math.sqrt(later * _median(company, every, said))
    # Where hardly a page on the topic was met, only examples know the company of its words.
    company.usual = min(company.usual, _median(company, given, said))
    company.given = frozenset(page.order for page in given)
    return company


def _median(company: Company, pages: Sequence[Shown], said: Sequence[Ints]) -> float:
    """The median share of some of these pages."""
    step = -(-len(pages) // _ASKED)
    found = [company.share(*one) for one in zip(pages[::step], said[::step], strict=False)]
    return float(np.median([share for share, words in found if words] or [0.0]))


def _said(page: Shown, numbers: Ints) -> Ints:
    """The numbers of a page's words in order, by those of its terms."""
    return np.append(numbers, _EDGE)[np.minimum(places_in(page.order), len(numbers))]


def _codes(said: Ints) -> tuple[Codes, Codes]:
    """A code for any two words that follow each other, zero where either is none, and one for them with those around.

    >>> pairs, fours = _codes(np.array([7, 8, 0, 7, 8]))
    >>> (pairs != 0).tolist(), bool(pairs[1] == pairs[4]), len(set(fours.tolist()))
    ([False, True, False, False, True, False], True, 5)
    """
    laid = np.concatenate([np.zeros(2, np.int64), said, np.zeros(2, np.int64)]).astype(np.uint64)
    before, first, second, behind = laid[:-3], laid[1:-2], laid[2:-1], laid[3:]
    pairs = np.where((first != _EDGE) & (second != _EDGE), first << _HIGH | second, np.uint64(0))
    return pairs, pairs * _FIRST + (before << _HIGH | behind) * _SECOND
