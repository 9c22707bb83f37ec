"""The future value of a URL: what links like those to it have led to, at once and later.

Over the crawled graph the value of coming to a page is computed backwards, its relevance and gamma times that of where
it leads on to, or the more of the two (`graph.values`). These Q values are cut into bins at 3/4 of gamma^k, halfway
between "on topic" and "one link before", and so on. From the words in and around links that were followed, those of
their addresses included, a naive Bayes model learns which bin such a link falls into (`text.bayes`); the value of a
queued URL is the mean of the bins' Q values, weighed by their probabilities. The model learns with every answer; what
the first queued URLs are worth is found out anew when it has learnt from a tenth more of them, and after ten at the
latest. Q values are computed anew, and the kept links learnt again by them, when the crawl has grown by a tenth and by
ten answers.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from honeyguide.frontier import OUTCOMES, Graph
from honeyguide.graph import Column, q_values
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Earlier, Floats, Ints
from honeyguide.strategies.guide_rows import NEVER, Rows
from honeyguide.strategies.guide_words import windows
from honeyguide.strategies.lessons import TERMS, Bags, Draw, Lessons, bags
from honeyguide.strategies.likeness import Likeness
from honeyguide.strategies.numbered import remembered_numbers
from honeyguide.strategies.texts import Pace
from honeyguide.text.bayes import Bayes

__all__ = ["Prospects", "neighbourhood"]

_SLOTS = 1 << 16
_ROWS = 8_192  # queued URLs whose words are kept
_EVERY = 10  # answers between two lessons at first
_STUDIED = 32_768  # links of an earlier crawl that are learnt from
_NO_LESSON = frozenset(OUTCOMES.index(one) for one in ("", "feed", "redirect", "refused"))


def neighbourhood(page: Digest, places: Ints, reach: int) -> tuple[Ints, Ints]:
    """The words in and around links, given by their places on the page, and of their addresses, as numbers, and how
    many each link has."""
    around, counts = windows(page, places, reach, remembered_numbers)
    links = [page.links[place] for place in places.tolist()]
    said = [
        (*name, *(anchor if link.block < 0 else ()))
        for link, name, anchor in zip(links, page.named(links), page.shown(links), strict=True)
    ]
    own = np.array([len(one) for one in said], np.int64)
    terms = np.concatenate([around, remembered_numbers([term for one in said for term in one])])
    order = np.argsort(
        np.concatenate([np.repeat(np.arange(len(links)), many) for many in (counts, own)]), kind="stable"
    )
    return terms[order], counts + own


class Prospects:
    """Keeps the future value of queued URLs.

    Parameters
    ----------
    brief
        The topic, its examples, the graph, and what may be learnt before the crawl.
    seed
        Where chance begins.
    gamma
        What a page one link further is worth.
    bins
        Into how many parts Q values are cut.
    evidence
        How many of its words a link counts for at the most.
    smoothing
        How many words each bin borrows from links at large.
    reach
        How many terms on either side of a link belong to it.
    highest
        Whether the next page is the best known, not the mean of those known.
    once
        Whether a page is worth the more of its own relevance and of what it leads on to, not both together.
    """

    def __init__(
        self,
        brief: Brief,
        seed: int,
        *,
        gamma: float,
        bins: int,
        evidence: float,
        smoothing: float,
        reach: int,
        highest: bool,
        once: bool,
    ) -> None:
        self._graph: Graph = brief.graph
        self._seed = seed
        self._gamma = gamma
        self._reach = reach
        self._highest = highest
        self._once = once
        self._edges = 0.75 * gamma ** np.arange(bins - 2, -1, -1.0)
        self.rows = Rows(brief.graph, _ROWS, 0, 0)
        self._value: Column[np.float32] = brief.graph.column(np.float32)
        self._q: Column[np.float32] = brief.graph.column(np.float32)
        self._lessons = Lessons(seed)
        self._bayes = Bayes(_SLOTS, bins, smoothing=smoothing, evidence=evidence)
        self._pace = Pace(_EVERY)
        self._answers = 0
        self._looked = 0  # answers there were when values were found out last
        self._means = np.append(self._edges, 1.0)  # of the Q values in each bin
        self._learn_topic(brief)

    def _learn_topic(self, brief: Brief) -> None:
        """From examples, or else the topic's words, and from earlier crawls."""
        texts = [example.terms for example in brief.examples if example.terms]
        for terms in texts or [dict.fromkeys(Likeness(brief).query, 1)]:
            best = sorted(terms, key=lambda term: (-terms[term], term))[:TERMS]
            self._lessons.example(bags(remembered_numbers(best), np.array([len(best)])))
        for earlier in brief.earlier:
            self._study(earlier)
        self._relearn()

    def _study(self, earlier: Earlier) -> None:
        """Learn what the links of an earlier crawl led to: their words are drawn first, their values follow."""
        drawn = Draw(_STUDIED, self._seed)
        for page in earlier.pages:
            links = np.flatnonzero(page.ids != page.id)
            if len(links):
                terms, counts = neighbourhood(page, links, self._reach)
                self._bayes.meet(terms)
                drawn.add(bags(terms, counts), page.ids[links].astype(np.float64))
        numbers = drawn.about.astype(np.int64)
        led = ~np.isin(earlier.graph.outcome[numbers], list(_NO_LESSON))
        self._lessons.teach(drawn.texts[led], self._backwards(earlier.graph)[numbers[led]])

    # -- what is learnt -------------------------------------------------------------------------------------

    def meet(self, page: Digest) -> None:
        """A page was fetched: read what it says of its links."""
        links = np.flatnonzero(page.ids != page.id)
        if not len(links):
            return
        terms, counts = neighbourhood(page, links, self._reach)
        self._bayes.meet(terms)
        numbers = page.ids[links]
        waiting = self._graph.outcome[numbers] == 0
        of_term = np.repeat(waiting, counts)
        self._queue(numbers[waiting], terms[of_term], counts[waiting])
        self._follow(page.id, numbers[~waiting], bags(terms[~of_term], counts[~waiting]))

    def _queue(self, numbers: Ints, terms: Ints, counts: Ints) -> None:
        """Links to queued URLs: their words are kept until it is known where they lead."""
        rows = self.rows
        new = np.unique(numbers[rows.place.raw[numbers] == NEVER])
        rows.add(new)
        places = rows.place.raw[numbers].astype(np.int64)
        kept = places >= 0
        terms = terms[np.repeat(kept, counts)]
        rows.write(places[kept], terms, counts[kept], np.zeros(len(terms), np.float32))
        self.predict(np.unique(numbers))

    def _follow(self, page: int, numbers: Ints, texts: Bags) -> None:
        """Links to URLs that were fetched before; of those that every page links to only a few count."""
        share = np.maximum(self._graph.in_degree[numbers], 1)
        chosen = (page * 2_654_435_761 + numbers * 40_503 >> 8) % share == 0
        chosen &= ~np.isin(self._graph.outcome[numbers], list(_NO_LESSON))
        if chosen.any():
            self._learn(numbers[chosen], texts[chosen])

    def _learn(self, numbers: Ints, texts: Bags) -> None:
        relevance = self._graph.relevance[numbers].astype(np.float64)
        self._lessons.follow(numbers, texts, relevance)
        for text, kind in zip(texts, self._bin(np.maximum(self._q.raw[numbers], relevance)).tolist(), strict=True):
            self._bayes.learn(text[text > 0].astype(np.int64), kind)

    def answered(self, number: int, outcome: str) -> None:
        """What became of a URL: links to it are known to have led there."""
        self._answers += 1
        row = int(self.rows.place.raw[number])
        if row < 0:
            return
        text = self.rows.terms[row : row + 1, :TERMS].copy()
        if outcome not in ("feed", "redirect", "refused"):
            self._learn(np.array([number]), text)
        self.rows.drop(number)
        target = self._graph.moved_to(number) if outcome == "redirect" else None
        if target is not None and self._graph.outcome[target] == 0:
            held = np.array([np.count_nonzero(text)])
            self._queue(np.array([target]), text[text > 0].astype(np.int64), held)

    @property
    def stale(self) -> bool:
        """Whether enough was learnt since values were found out last: early on, every answer says much."""
        return not self._answers or self._answers >= self._looked + min(_EVERY, max(1, self._looked // _EVERY))

    @property
    def due(self) -> bool:
        """Whether it is time to learn all anew; asked once for each revision."""
        return self._pace.due(self._answers)

    def recount(self) -> None:
        """Compute Q values anew, and learn all kept links by them."""
        self._q.replace(self._backwards(self._graph))
        self._relearn()

    def _backwards(self, graph: Graph) -> Floats:
        rewards = graph.relevance.astype(np.float64)
        known = None if self._highest else graph.visited
        return q_values(graph.links, rewards, self._gamma, known=known, once=self._once)

    def _relearn(self) -> None:
        texts, worth, weights = self._lessons.all(self._q.values.astype(np.float64))
        kinds = self._bin(worth)
        self._bayes.learn_all(texts, kinds, weights)
        count = np.bincount(kinds, weights, len(self._means))
        centre = np.append(0.5 * self._edges, 1.0)
        self._means = (np.bincount(kinds, weights * worth, len(self._means)) + centre) / (count + 1.0)
        self.look()

    def look(self) -> None:
        """Compare by what is known now."""
        self._looked = self._answers
        self._bayes.look()

    def _bin(self, values: npt.NDArray[np.floating]) -> Ints:
        return np.searchsorted(self._edges, values, side="right").astype(np.int64)

    # -- what URLs are worth --------------------------------------------------------------------------------

    def predict(self, numbers: Ints) -> None:
        """Find out anew what queued URLs are worth, as far as their words are kept."""
        places = self.rows.place.raw[numbers]
        has = places >= 0
        if not has.any():
            return
        held = int(self.rows.held[places[has]].max(initial=0))
        self._value.raw[numbers[has]] = self._bayes.shares(self.rows.terms[places[has], :held]) @ self._means

    def values(self, numbers: Ints) -> Floats:
        """What URLs lead to, as was found out last."""
        return self._value.raw[numbers].astype(np.float64)

    def told(self, number: int) -> str:
        """What a URL's value comes from, in words."""
        row = int(self.rows.place.raw[number])
        if row < 0:
            return "its words were let go when it was ranked last"
        if not self.rows.held[row]:
            return "its links have no words"
        shares = self._bayes.shares(self.rows.terms[row : row + 1])[0]
        now, later = float(shares[-1]), float(shares[1:-1].sum())
        return f"of links in such words {now:.0%} lead to the topic at once and {later:.0%} towards it"

    @property
    def _parts(self) -> tuple[Any, ...]:
        return self.rows, self._value, self._q, self._lessons, self._bayes

    def save(self) -> bytes:
        """All that was learnt."""
        parts = [one.save() for one in self._parts]
        return msgspec.msgpack.encode((parts, self._means.tobytes(), (self._answers, self._looked), self._pace.last))

    def load(self, state: bytes) -> None:
        """Go on from what was learnt."""
        kind = tuple[list[bytes], bytes, tuple[int, int], int]
        parts, means, (self._answers, self._looked), self._pace.last = msgspec.msgpack.decode(state, type=kind)
        for one, packed in zip(self._parts, parts, strict=True):
            one.load(packed)
        self._means = np.frombuffer(means, np.float64).copy()
