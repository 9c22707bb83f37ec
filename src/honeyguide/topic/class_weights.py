"""The words of a topic, weighed by TF-IDF with a class weight (Chen & Yang, "Research on model of network information
extraction based on improved topic-focused web crawler key technology", Tehnički vjesnik 23(4), 2016; layer 1).

    weight(t, d) = F(t, d) * log(N / n_t + 0.01) * class(t) / the length of all these of d
    class(t)     = P(t | topic) / (P(t | topic) + P(t | background))

F is how often t stands in d, N how many texts are known and n_t how many of them hold t. As printed N and n_t count
the topic's own texts; so what they all say weighs least, and a crawl that finds more of them forgets its topic. Here
the background counts, and one text more. A word weighs less in a topic the more it is said outside of it. The topic's
own vector is the mean of its examples', steered by what an expert gave: those words keep a share of the whole, whatever
the examples say.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from typing import Literal, NamedTuple

import msgspec

__all__ = ["EXPERT_SHARE", "ClassCounts", "SearchWord", "mean_vector", "search_words", "steered", "unit_vector"]

EXPERT_SHARE = 0.5  # of the expert's words in the topic's vector, beside what the examples say
_MOST = 200  # words of a vector
_VOCABULARY = 100_000  # terms counted; past this, the rarer half is forgotten

Source = Literal["expert", "example", "both"]


class SearchWord(NamedTuple):
    """A word of a topic's vector."""

    term: str
    weight: float
    source: Source


class ClassCounts(msgspec.Struct):
    """How many texts of the background hold each term, and how often it is said in the topic and outside of it.

    >>> counts = ClassCounts()
    >>> counts.add({"bee": 4, "day": 1}, on_topic=True)
    >>> counts.add({"car": 3, "day": 2}, on_topic=False)
    >>> counts.class_weight("bee"), round(counts.class_weight("day"), 2), round(counts.rarity("day"), 2)
    (1.0, 0.33, 0.7)
    """

    texts: int = 0  # of the background
    held: dict[str, int] = {}
    topic: dict[str, int] = {}
    other: dict[str, int] = {}
    topic_size: int = 0
    other_size: int = 0

    def add(self, terms: Mapping[str, int], *, on_topic: bool) -> None:
        """Count a text."""
        size = sum(terms.values())
        if on_topic:
            self.topic_size += size
            _count(self.topic, terms)
        else:
            self.texts += 1
            self.other_size += size
            _count(self.held, dict.fromkeys(terms, 1))
            _count(self.other, terms)

    def rarity(self, term: str) -> float:
        """log(N / n + 0.01); a term never met is as rare as one met once."""
        return math.log((self.texts + 1) / self.held.get(term, 1) + 0.01)

    def class_weight(self, term: str) -> float:
        """How strongly a term marks the topic against the background: 1 for what is said in the topic alone."""
        inside = self.topic.get(term, 0) / max(self.topic_size, 1)
        outside = self.other.get(term, 0) / max(self.other_size, 1)
        return inside / (inside + outside) if inside else 0.0

    def weigh(self, terms: Mapping[str, int], known: dict[str, float] | None = None) -> dict[str, float]:
        """A text's vector, of unit length; what its terms are worth is looked up in `known`, and noted there."""
        known = {} if known is None else known
        look_up = known.get
        vector: dict[str, float] = {}
        squares = 0.0
        for term, count in terms.items():
            worth = look_up(term)
            if worth is None:
                worth = known[term] = self.rarity(term) * self.class_weight(term) if term in self.topic else 0.0
            if worth:
                weight = vector[term] = count * worth
                squares += weight * weight
        length = math.sqrt(squares)
        return {term: weight / length for term, weight in vector.items()}


def _count(counts: dict[str, int], added: Mapping[str, int]) -> None:
    for term, count in added.items():
        counts[term] = counts.get(term, 0) + count
    if len(counts) > _VOCABULARY:
        best = nlargest(_VOCABULARY // 2, counts.items(), key=lambda item: (item[1], item[0]))
        counts.clear()
        counts.update(best)


def unit_vector(vector: Mapping[str, float]) -> dict[str, float]:
    """The same direction, of length 1; nothing of a vector that has none.

    >>> unit_vector({"bee": 3.0, "hive": 4.0, "day": 0.0})
    {'bee': 0.6, 'hive': 0.8}
    """
    length = math.sqrt(sum(weight * weight for weight in vector.values()))
    return {term: weight / length for term, weight in vector.items() if weight} if length else {}


def mean_vector(vectors: Iterable[Mapping[str, float]], most: int = _MOST) -> dict[str, float]:
    """The mean direction of vectors, of its weightiest terms alone."""
    total: dict[str, float] = {}
    for vector in vectors:
        for term, weight in vector.items():
            total[term] = total.get(term, 0.0) + weight
    if len(total) > most:
        least = nlargest(most, total.values())[-1]
        total = {
            term: weight for term, weight in total.items() if weight >= least
        }  # a sort of few, where many are equal
    best = sorted(total.items(), key=lambda item: (-item[1], item[0]))[:most]
    return unit_vector(dict(best))


def steered(said: Mapping[str, float], experts: Mapping[str, float], share: float = EXPERT_SHARE) -> dict[str, float]:
    """What texts say and what an expert gave as one vector: no word of the expert's is ever without its share.

    >>> steered({"bee": 1.0}, {"hive": 2.0}, 0.5)
    {'bee': 0.7071067811865475, 'hive': 0.7071067811865475}
    """
    if not said or not experts:
        return unit_vector(said or experts)
    mixed = {term: (1.0 - share) * weight for term, weight in said.items()}
    for term, weight in unit_vector(experts).items():
        mixed[term] = mixed.get(term, 0.0) + share * weight
    return unit_vector(mixed)


def search_words(
    examples: Sequence[Mapping[str, int]],
    experts: Mapping[str, float],
    background: Iterable[Mapping[str, int]] = (),
    *,
    share: float = EXPERT_SHARE,
    most: int = _MOST,
) -> list[SearchWord]:
    """The words a topic is searched by, the weightiest first, and where each comes from.

    Parameters
    ----------
    examples
        The term counts of each text on the topic.
    experts
        Terms that an expert gave, with weights; all of them are in the result.
    background
        The term counts of texts off the topic, as far as any are known.
    share
        The expert's share in the whole.
    most
        How many words of the examples are taken.

    >>> words = search_words([{"bee": 4, "day": 2}], {"honey": 1.0, "bee": 1.0}, [{"car": 3, "day": 2}])
    >>> [(word.term, round(word.weight, 2), word.source) for word in words]
    [('bee', 0.92, 'both'), ('honey', 0.38, 'expert'), ('day', 0.12, 'example')]
    """
    counts = ClassCounts()
    for text in examples:
        counts.add(text, on_topic=True)
    for text in background:
        counts.add(text, on_topic=False)
    said = mean_vector((counts.weigh(text) for text in examples), most)
    whole = steered(said, experts, share)
    found = [
        SearchWord(term, weight, "example" if term not in experts else "both" if term in said else "expert")
        for term, weight in whole.items()
    ]
    return sorted(found, key=lambda word: (-word.weight, word.term))
