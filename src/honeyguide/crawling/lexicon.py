"""The words of a crawl and how they are related, for people to look at, and to ask engines with."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from honeyguide.crawling.iterations import replayed
from honeyguide.crawling.reading import spellings
from honeyguide.errors import HoneyguideError
from honeyguide.store import Folder, Store
from honeyguide.strategies.lexicon import Lexicon, Relation
from honeyguide.strategies.semrank import SemRank
from honeyguide.text.terms import terms

__all__ = ["LexiconShown", "Related", "WordShown", "expand", "show_lexicon"]


class WordShown(msgspec.Struct):
    """A word that was searched for."""

    word: str
    clicks: int
    probability: float


class Related(msgspec.Struct):
    """Two related words, and why they are."""

    kind: str  # isa, part-of, or together: on the same pages, where no log tells
    one: str
    other: str
    support: int
    alike: float
    why: list[str]  # pages


class LexiconShown(msgspec.Struct):
    """What a crawl has learnt of words."""

    log: list[str]  # how the log was read; empty without one
    submitted: list[str]
    words: list[WordShown]
    relations: list[Related]


def show_lexicon(folder: Folder, word: str = "", other: str = "", most: int = 20) -> LexiconShown:
    """The words of a crawl by how often they were searched for, and their relations; of one word, or of two."""
    with replayed(folder) as strategy:
        lexicon = strategy.lexicon
        wanted = [_term(one) for one in (word, other) if one]
        related = [one for one in _relations(strategy) if all(term in (one.one, one.other) for term in wanted)]
        shown = [one for one in _words(lexicon) if not wanted or one.word in wanted]
        shown, related = shown[:most], related[:most]
        told = {
            *strategy.submitted,
            *(one.word for one in shown),
            *(t for one in related for t in (one.one, one.other)),
        }
        spelled = _spelled(folder, lexicon, told)
        return LexiconShown(
            log=lexicon.log.notes if lexicon.log is not None else [],
            submitted=[spelled[term] for term in strategy.submitted],
            words=[msgspec.structs.replace(one, word=spelled[one.word]) for one in shown],
            relations=[msgspec.structs.replace(one, one=spelled[one.one], other=spelled[one.other]) for one in related],
        )


def _term(word: str) -> str:
    found = terms(word)
    if not found:
        raise HoneyguideError(f"'{word}' is no word that would be searched for")
    return found[0]


def _words(lexicon: Lexicon) -> list[WordShown]:
    total = sum(lexicon.frequency.values()) or 1
    ranked = sorted(lexicon.frequency.items(), key=lambda item: (-item[1], item[0]))
    return [WordShown(word, count, count / total) for word, count in ranked]


def _relations(strategy: SemRank) -> list[Related]:
    lexicon = strategy.lexicon
    if lexicon.log is None:
        return [Related("together", one, other, count, alike, []) for one, other, count, alike in lexicon.companions()]
    return [_related(strategy, one) for one in lexicon.relations()]


def _related(strategy: SemRank, told: Relation) -> Related:
    graph = strategy.graph
    why = []
    for one, other in told.pages:
        why.append(graph.url(one) if one == other else f"{graph.url(one)} links to {graph.url(other)}")
    words = [told.one, told.other]
    tree = strategy.lexicon.hierarchy(words, words, strategy.submitted, strategy.alpha)
    return Related(told.kind, told.one, told.other, told.support, tree.ics(told.one, told.other), why)


def _spelled(folder: Folder, lexicon: Lexicon, terms: Iterable[str]) -> dict[str, str]:
    """Terms as people write them: those who searched, or else the pages."""
    known = {term: lexicon.log.spelt(term) if lexicon.log is not None else term for term in terms}
    store = Store.open(folder.database, read_only=True)
    try:
        return known | spellings(folder, store, (term for term, word in known.items() if term == word))
    finally:
        store.close()


def expand(folder: Folder, query: str, most: int = 3) -> list[str]:
    """Words that the lexicon of a crawl relates to those of a query, the surest first."""
    with replayed(folder) as strategy:
        asked = set(terms(query))
        found: dict[str, None] = {}
        for one in _relations(strategy):
            for word, other in ((one.one, one.other), (one.other, one.one)):
                if word in asked and other not in asked:
                    found.setdefault(other)
        best = list(found)[:most]
        spelled = _spelled(folder, strategy.lexicon, best)
        return [spelled[term] for term in best]
