"""What a click log tells, in bounded memory: for which words each page was opened, by whom, and from page to page.

Users who share words and pages are one group where the log names no groups: each belongs with those whose words and
pages have the same smallest hash, so two come together as often as their words and pages are the same (Broder 1997).
Of a log that is larger than memory should hold, an even share of its users is kept.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
import xxhash
from numpy.typing import NDArray

from honeyguide.errors import TopicError
from honeyguide.text.terms import tokenizer, words
from honeyguide.topic.click_lines import Session, Tally, sessions
from honeyguide.topic.topic import Topic
from honeyguide.web.urls import key_of, normalise
from honeyguide.wording import counted

__all__ = ["MOST", "ClickLog", "log_of", "log_stamp", "open_log"]

MOST = 1_000_000  # clicks, and words of queries, kept of one log
_TERMS = 20  # of one query
_CACHED = 200_000  # addresses whose keys are remembered while a log is read
_CONVERGE = 0.5  # a person was put where sessions begin if their beginnings agree less than half as often as their ends

Longs = NDArray[np.int64]


def _hash(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) >> 1


class ClickLog:
    """Sessions of searching, read once.

    >>> log = ClickLog.of([Session("ann", "", "honey bees", ["http://a.test/1", "http://a.test/2"])])
    >>> log.frequency["bee"], sorted(log.clicked("http://a.test/1")), len(log.onward("http://a.test/1"))
    (2, ['bee', 'honey'], 1)
    """

    def __init__(self, language: str = "en", *, most: int = MOST) -> None:
        self.tally = Tally()
        self.share = 1  # one user in so many is kept
        self.strange = 0  # clicks on what is no address of the web
        self.placed = False  # whether the first page of a session is where a person was put, and no click
        self._most = most
        self._fold = tokenizer(language)
        self._terms: dict[str, int] = {}
        self._spelt: dict[str, str] = {}
        self._known: dict[str, int] = {}
        self._who = array("q")  # of each session, whose it was
        self._group = array("q")  # and the group that the log names, or 0
        self._words, self._word_ends = array("q"), array("q", [0])
        self._pages, self._page_ends = array("q"), array("q", [0])
        self._anonymous = 0

    @classmethod
    def of(cls, told: Iterable[Session], language: str = "en", *, most: int = MOST, placed: bool = False) -> ClickLog:
        """A log of these sessions."""
        log = cls(language, most=most)
        for session in told:
            log.tally.sessions += 1
            log._take(session)
        log.placed = placed
        return log

    @classmethod
    def read(cls, path: Path, base: str = "", language: str = "en", *, most: int = MOST) -> ClickLog:
        """The log in a file."""
        log = cls(language, most=most)
        for session in sessions(path, log.tally, base):
            log._take(session)
        if not log._who:
            wrong = "; ".join(f"{counted(count, 'line')} {what}" for what, count in log.tally.bad.most_common(3))
            raise TopicError(f"click log {path} holds no session that can be used: {wrong or 'it has no lines'}")
        log.placed = log._converges()
        log._known = {}
        return log

    def _take(self, session: Session) -> None:
        if session.user:
            who = _hash(session.user)
        else:
            self._anonymous += 1
            who = _hash(f"{self._anonymous} {session.query}")
        if who % self.share:
            return
        pages = [key for url in session.clicks if (key := self._key(url))]
        self.strange += len(session.clicks) - len(pages)
        if not pages:
            return
        terms = list(dict.fromkeys(self._fold(session.query)))[:_TERMS] if session.query else []
        self._who.append(who)
        self._group.append(_hash(session.group) if session.group else 0)
        self._spell(session.query, terms)
        self._words.extend([self._terms.setdefault(term, len(self._terms)) for term in terms])
        self._word_ends.append(len(self._words))
        self._pages.extend(pages)
        self._page_ends.append(len(self._pages))
        while len(self._pages) + len(self._words) > self._most:
            self._halve()

    def _spell(self, query: str, terms: list[str]) -> None:
        """Note how the first who asked wrote a term: the log knows stems, which nobody writes."""
        unmet = {term for term in terms if term not in self._terms}
        for word in words(query) if unmet else ():
            for term in unmet.intersection(self._fold(word)):
                self._spelt.setdefault(term, word.lower())

    def spelt(self, term: str) -> str:
        """A term as people write it."""
        return self._spelt.get(term, term)

    def _key(self, url: str) -> int:
        key = self._known.get(url)
        if key is None:
            if len(self._known) > _CACHED:
                self._known.clear()
            normal = normalise(url)
            key = self._known[url] = key_of(normal) if normal is not None else 0
        return key

    def _halve(self) -> None:
        """Keep every second of the users that are left."""
        self.share *= 2
        who = _numbers(self._who)
        kept = who % self.share == 0
        self._words, self._word_ends = _kept(self._words, self._word_ends, kept)
        self._pages, self._page_ends = _kept(self._pages, self._page_ends, kept)
        self._group = array("q", _numbers(self._group)[kept].tobytes())
        self._who = array("q", who[kept].tobytes())
        used = np.unique(_numbers(self._words))
        names = list(self._terms)
        self._terms = {names[old]: new for new, old in enumerate(used.tolist())}
        self._spelt = {term: self._spelt[term] for term in self._terms if term in self._spelt}
        self._words = array("q", np.searchsorted(used, _numbers(self._words)).astype(np.int64).tobytes())

    def _converges(self) -> bool:
        """Whether sessions of one query end alike and begin anywhere: then people were put where they begin."""
        ends: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        for place in range(len(self._who)):
            first, last = self._page_ends[place], self._page_ends[place + 1]
            asked = tuple(self._words[self._word_ends[place] : self._word_ends[place + 1]])
            if last - first > 1 and asked:
                ends.setdefault(asked, []).append((self._pages[first], self._pages[last - 1]))
        often = [pairs for pairs in ends.values() if len(pairs) > 1]
        begin, end = (sum(_agreement([pair[side] for pair in pairs]) for pairs in often) for side in (0, 1))
        return len(often) >= 20 and begin < _CONVERGE * end

    # -- what it tells --------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._who)

    @cached_property
    def _groups(self) -> Longs:
        """Of each session, the group of whoever it was."""
        found: dict[int, int] = {}
        hashes = [_hash(f"word {word}") for word in self._terms]
        for place, who in enumerate(self._who):
            asked = [hashes[word] for word in self._words[self._word_ends[place] : self._word_ends[place + 1]]]
            pages = self._pages[self._page_ends[place] : self._page_ends[place + 1]]
            found[who] = min(found.get(who, 1 << 63), *asked, *pages)
        told = zip(self._who, self._group, strict=True)
        return np.array([group or found[who] for who, group in told], np.int64)

    @cached_property
    def _clicks(self) -> tuple[Longs, Longs]:
        """Of each click its session and its page; where people were put is no click."""
        sizes = _sizes(self._page_ends)
        session, pages = np.repeat(np.arange(len(sizes)), sizes), _numbers(self._pages)
        if self.placed:
            clicked = np.ones(len(pages), np.bool_)
            clicked[_numbers(self._page_ends)[:-1][sizes > 0]] = False
            return session[clicked], pages[clicked]
        return session, pages

    @cached_property
    def _index(self) -> tuple[Longs, Longs, Longs, Longs]:
        """Pages, words, groups and queries, each four once, in order."""
        session, pages = self._clicks
        times = _sizes(self._word_ends)[session]
        starts = _numbers(self._word_ends)[:-1][session]
        where = np.repeat(starts - np.cumsum(times) + times, times) + np.arange(times.sum())
        asked = _numbers(self._words)[where]
        whose, query = self._groups[session], self._queries[session]
        first, second, third, fourth = _once(np.repeat(pages, times), asked, *np.repeat([whose, query], times, axis=1))
        return first, second, third, fourth

    @cached_property
    def _queries(self) -> Longs:
        """Of each session a number for what was asked: the same words, in any order, have the same."""
        known: dict[tuple[int, ...], int] = {}
        ends = zip(self._word_ends[:-1], self._word_ends[1:], strict=True)
        asked = (tuple(sorted(self._words[first:last])) for first, last in ends)
        return np.array([known.setdefault(words, len(known)) for words in asked], np.int64)

    @cached_property
    def _names(self) -> list[str]:
        return list(self._terms)

    @cached_property
    def frequency(self) -> dict[str, int]:
        """Of each word, how many clicks followed when it was submitted."""
        session, _ = self._clicks
        clicks = np.bincount(session, minlength=len(self._who))
        each = np.repeat(clicks, _sizes(self._word_ends))
        totals = np.bincount(_numbers(self._words), weights=each, minlength=len(self._names))
        return {name: int(total) for name, total in zip(self._names, totals, strict=True) if total}

    def clicked(self, url: str) -> dict[str, frozenset[tuple[int, int]]]:
        """The words for which a page was opened, with the groups of those who did and the queries they asked."""
        pages, asked, groups, queries = self._index
        key = key_of(url)
        first, last = np.searchsorted(pages, [key, key + 1]).tolist()
        found: dict[str, set[tuple[int, int]]] = {}
        told = (column[first:last].tolist() for column in (asked, groups, queries))
        for word, group, query in zip(*told, strict=True):
            found.setdefault(self._names[word], set()).add((group, query))
        return {word: frozenset(own) for word, own in found.items()}

    @cached_property
    def _steps(self) -> tuple[Longs, Longs]:
        """Steps from page to page, each pair once, in order."""
        pages = _numbers(self._pages)
        onward = np.ones(len(pages), np.bool_)
        onward[_numbers(self._page_ends)[1:][_sizes(self._page_ends) > 0] - 1] = False
        at = np.flatnonzero(onward)
        sources, targets = _once(pages[at], pages[np.minimum(at + 1, len(pages) - 1)])
        return sources, targets

    def onward(self, url: str) -> frozenset[int]:
        """The keys of the pages that people went on to from a page."""
        sources, targets = self._steps
        key = key_of(url)
        first, last = np.searchsorted(sources, [key, key + 1]).tolist()
        return frozenset(targets[first:last].tolist())

    @cached_property
    def pages(self) -> frozenset[int]:
        """The keys of all pages that were opened."""
        return frozenset(np.unique(self._clicks[1]).tolist())

    @property
    def notes(self) -> list[str]:
        """How the reading went, for people."""
        tally = self.tally
        told = [f"{counted(tally.sessions, 'session')} in {counted(tally.lines, 'line')}"] if tally.lines else []
        if self.share > 1:
            told.append(f"one user in {self.share} is kept, {counted(len(self), 'session')}: the log is large")
        if self.placed:
            told.append("the first page of each session is taken for where the person was put, and not for a click")
        told += [f"{counted(count, 'line')} passed over: {what}" for what, count in tally.bad.most_common()]
        if self.strange:
            told.append(f"{counted(self.strange, 'click')} on what is no web address")
        if tally.broken:
            told.append(f"the file breaks off after line {tally.lines}: {tally.broken[:100]}")
        return told


def _agreement(pages: list[int]) -> float:
    """How often two of these are the same."""
    return sum(count * (count - 1) for count in Counter(pages).values()) / (len(pages) * (len(pages) - 1))


def _numbers(values: array[int]) -> Longs:
    return np.array(values, dtype=np.int64)


def _once(*columns: Longs) -> list[Longs]:
    """The rows of a table, each once, in order."""
    order = np.lexsort(columns[::-1])
    ordered = [column[order] for column in columns]
    new = np.ones(len(order), np.bool_)
    new[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in ordered])
    return [column[new] for column in ordered]


def _sizes(ends: array[int]) -> Longs:
    """The lengths of lists laid end to end."""
    at = _numbers(ends)
    return at[1:] - at[:-1]


def _kept(members: array[int], ends: array[int], kept: NDArray[np.bool_]) -> tuple[array[int], array[int]]:
    """Those of some lists, laid end to end, that are kept."""
    sizes = _sizes(ends)
    values = _numbers(members)[np.repeat(kept, sizes)]
    cut = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes[kept])])
    return array("q", values.tobytes()), array("q", cut.tobytes())


@lru_cache(maxsize=2)
def _opened(path: Path, stamp: tuple[int, int], base: str, language: str) -> ClickLog:  # noqa: ARG001 - the stamp tells files apart
    return ClickLog.read(path, base, language)


def open_log(path: str, base: str = "", language: str = "en") -> ClickLog:
    """The log in a file, read once for all who ask while the file is as it was."""
    return _opened(Path(path), log_stamp(path), base, language)


def log_of(topic: Topic) -> ClickLog | None:
    """The click log that a topic names."""
    if not topic.clicks:
        return None
    base = topic.starting_points[0] if topic.starting_points else ""
    return open_log(topic.clicks, base, topic.languages[0] if topic.languages else "en")


def log_stamp(path: str) -> tuple[int, int]:
    """What changes when a file does."""
    try:
        stat = Path(path).stat()
    except OSError as error:
        raise TopicError(
            f"click log {path} cannot be read: {(error.strerror or str(error)).lower()}; put it there, or name another"
        ) from None
    return stat.st_size, stat.st_mtime_ns
