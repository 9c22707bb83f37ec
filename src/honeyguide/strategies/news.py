"""The news model (Chen & Yang, "Research on model of network information extraction based on improved topic-focused web
crawler key technology", Tehnički vjesnik 23(4), 2016): its three algorithms of filtering.

Algorithm 1 judges pages, by a vector and a threshold that adapt to what is found (`news_judge`, `news_threshold`).
Algorithm 2 gives every link a priority of its own by PageRank, computed anew at intervals:

    PR(I) = (1 - D) + D * sum of PR(J) / outlinks(J) over the pages J that link to I

Algorithm 3, the "gene factor", lets a link inherit its parent's Val, which is high for the starts of a crawl:

    Val(link) = Val(parent)            if its own priority >= rho
                Val(parent) * sigma    otherwise

and the queue is sorted by Val. So a page off the topic, a blocked channel, lowers what lies behind it, but does not end
the walk: it goes on in sub-channels once nothing better is left.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from honeyguide.graph import Column, pagerank
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Adapted, Brief, Floats, Ints, Ranks, Strategy, setting
from honeyguide.strategies.given import pages
from honeyguide.strategies.likeness import Likeness
from honeyguide.strategies.news_judge import NewsJudge
from honeyguide.strategies.news_threshold import Knobs
from honeyguide.strategies.texts import FEED, link_words, within
from honeyguide.topic import Shown, Topic

__all__ = ["News"]

_DAMPING = 0.85
_GROWTH = 0.1  # of the known links, before PageRank is computed anew
_AROUND, _REACH = 0.5, 6  # the share of the words around a link, and how many terms on either side those are
_TELLING = 0.3  # the likeness at which what a link says can say no more
_ANY = 1e9


class News(Strategy):
    """Judges pages by a vector and a bar that adapt to what is found, and tunnels through pages off the topic.

    The paper prints no values; they come from sweeps over the schools topics of half `choose` (near and far starts,
    twice the number of relevant pages). Four deviations measured better there and are the defaults (`printed=true` for
    the form as printed). A page under the threshold blocks its channel; as printed only PageRank does, and content
    never lowers Val. A page on topic begins a channel of its own, with full Val, whatever way led to it. A URL with
    many parents has their mean Val, not the best. And what a link says of the topic is most of its own priority, which
    has its share in the order of the queue beside Val.
    """

    name: ClassVar[str] = "news"
    best: ClassVar[bool] = False
    revise_every: ClassVar[int] = 1
    keeps: ClassVar[tuple[str, ...]] = (
        "_judge", "_likeness", "_val", "_open", "_blocked", "_parents", "_words", "_ranks", "_waited", "_settled",
        "_due", "_moved_from",
    )  # fmt: skip
    threshold: float = setting(
        0.0,
        "The likeness to the topic's vector from which on a page is on topic, to begin with; 0 for half of what the "
        "examples have among each other. It adapts; --threshold sets one that does not.",
        "Threshold",
    )
    alpha: float = setting(1.05, "The threshold is multiplied by this when plenty is extracted: be stricter.", "α")
    beta: float = setting(1.5, "And by this when too little of that plenty is surely on topic.", "β")
    gamma: float = setting(0.8, "And by this when less is extracted than expected: be more open.", "γ")
    mu: float = setting(0.5, "The share of what is extracted that must be surely on topic, or beta counts.", "μ")
    sum_t: float = setting(
        10.0, "How many pages are expected to be extracted (found on topic) in an interval.", "Sum(T)", "Sum"
    )
    t: int = setting(
        20,
        "The interval, in answers, pages or not: after each the threshold, the vector, PageRank and the queue adapt. "
        "In a long crawl it is a twentieth of it.",
        "T",
    )
    initial_time: int = setting(0, "Answers before the first interval begins.", "InitialTime")
    rho: float = setting(0.05, "A link whose own priority is less inherits only sigma of its parent's Val.", "ρ")
    sigma: float = setting(0.1, "What is left of Val behind such a link, and behind a page off the topic.", "σ")
    val: float = setting(1.0, "The Val of starts, and of pages found on topic.", "Val")
    feedback: float = setting(0.3, "The share of pages found in what the vector learns; the rest is the examples'.")
    words: float = setting(0.9, "The share of what links say in a link's own priority; the rest is its PageRank.")
    own: float = setting(0.7, "The share of its own priority in a link's rank; the rest is Val.")
    doubt: float = setting(
        0.2, "How many parents worth nothing are counted into the mean of Val: one good parent alone is no proof."
    )
    printed: bool = setting(
        False,
        "The form as printed: PageRank alone is a link's own priority, a URL has the best of its parents' Val, which "
        "content never lowers, only Val orders the queue, and beta never counts.",
    )

    def judge(self, topic: Topic) -> NewsJudge:
        """Algorithm 1."""
        mu = 0.0 if self.printed else self.mu
        knobs = Knobs(self.alpha, mu, self.beta, self.gamma, self.sum_t, self.t, self.initial_time)
        self._judge = NewsJudge(topic, self.threshold, self.feedback, knobs)
        return self._judge

    def check(self) -> None:
        """Each setting lies within its bounds."""
        within(self, threshold=(0.0, 1.0), alpha=(1.0, _ANY), beta=(1.0, _ANY), gamma=(1e-3, 1.0), mu=(0.0, 1.0))
        within(self, sum_t=(0.0, _ANY), t=(1, _ANY), initial_time=(0, _ANY), rho=(0.0, 1.0), sigma=(0.0, 1.0))
        within(self, val=(1e-9, _ANY), feedback=(0.0, 1.0), words=(0.0, 1.0), own=(0.0, 1.0), doubt=(0.0, _ANY))

    def start(self, brief: Brief, seed: int) -> None:
        """The topic's vector, and no URL known."""
        graph = self._graph = brief.graph
        if not hasattr(self, "_judge"):
            self.judge(brief.topic)
        self._judge.begin([Shown.of(page) for page in brief.examples])
        self._likeness = Likeness(brief, 0)
        self._looked_for: dict[str, float] = {}
        self._places: dict[str, int] = {}
        self._val: Column[np.float32] = graph.column(np.float32, self.val)  # of each page, as it was visited
        self._open: Column[np.float32] = graph.column(
            np.float32
        )  # the Val of parents on topic, summed; printed: the best
        self._blocked: Column[np.float32] = graph.column(np.float32)  # and of those off the topic
        self._parents: Column[np.int32] = graph.column(np.int32)
        self._words: Column[np.float32] = graph.column(np.float32)  # what the best link to it says of the topic
        self._ranks: Column[np.float32] = graph.column(np.float32, 1.0 - _DAMPING)
        self._moved_from: Column[np.int32] = graph.column(np.int32, -1)  # of where a redirect leads, its source
        self._waited = np.zeros(1, np.float32)  # the PageRanks of all that waited when it was computed, in order
        self._settled = 0  # links there were then
        self._due = False  # whether an interval has ended since

    def page(self, page: Digest) -> Ranks:
        """Judge by what was said of the page, and let its links inherit."""
        self._likeness.learn(page)
        if self._graph.parent[page.id] >= 0:  # a start stays one
            inherited = float(self._inherited(np.array([page.id]))[0])
            self._val.raw[page.id] = self.val if page.on_topic and not self.printed else inherited
        if page.kind == "html":
            self._judge.count(page.id, Shown.of(page), on_topic=page.on_topic)
        if len(page.targets):
            self._pass_on(page)
        self._due |= self._judge.answered()
        return Ranks(page.targets, self._priority(page.targets))

    def _pass_on(self, page: Digest) -> None:
        numbers, val = page.targets, self._val.raw[page.id]
        if self.printed:
            self._open.raw[numbers] = np.maximum(self._open.raw[numbers], val)
        else:  # a feed is on no topic, and blocks nothing
            passed = self._open if page.on_topic or page.kind != "html" else self._blocked
            passed.raw[numbers] += val
            self._words.raw[numbers] = np.maximum(self._words.raw[numbers], self._said(page))
        self._parents.raw[numbers] += 1
        self._ranks.raw[numbers] += _DAMPING * self._ranks.raw[page.id] / len(numbers)

    def _said(self, page: Digest) -> Floats:
        """How like the topic's vector what the links of a page say is, from 0 to 1."""
        if self._looked_for is not self._judge.vector:
            self._looked_for = self._judge.vector
            self._places = {term: place for place, term in enumerate(self._looked_for)}
        look = self._likeness.look_for(self._places, np.array(list(self._looked_for.values())))
        said: Floats = np.minimum(link_words(look, page, _AROUND, _REACH) / _TELLING, 1.0)
        return said

    def missed(self, number: int, outcome: str) -> None:
        """Where a redirect leads inherits what its source did."""
        if outcome != "refused":
            self._due |= self._judge.answered()
        target = self._graph.moved_to(number)
        if target is not None:
            self._moved_from.raw[target] = number
            for column in (self._open, self._blocked, self._parents, self._words):
                column.raw[target] = max(column.raw[target], column.raw[number])

    def turned(self, numbers: Ints) -> None:
        """What turned out to be off topic is not learnt from any more."""
        self._judge.turned_off(set(numbers[~self._graph.on_topic[numbers]].tolist()))

    def revise(self) -> Ranks:
        """At the end of an interval, if the graph has grown: Algorithm 2, and the queue anew."""
        links = self._graph.links
        if not self._due or len(links) <= self._settled * (1.0 + _GROWTH):
            return Ranks(np.zeros(0, np.int64), np.zeros(0))
        self._due, self._settled = False, len(links)
        self._ranks.replace(pagerank(links, _DAMPING, start=self._ranks.values.astype(np.float64)))
        if not self.printed:
            self._inherit_anew()
        waiting = np.flatnonzero(~self._graph.visited)
        if len(waiting):
            self._waited = np.sort(self._ranks.values[waiting])
        return Ranks(waiting, self._priority(waiting))

    def _inherit_anew(self) -> None:
        """What URLs inherit by the verdicts of today: many of the first pages were judged by little."""
        graph = self._graph
        opens = graph.on_topic | (graph.outcome == FEED)
        self._val.raw[np.flatnonzero(graph.on_topic)] = self.val
        values = self._val.values.astype(np.float64)
        moved = np.flatnonzero(self._moved_from.values >= 0)
        sources = self._moved_from.values[moved]
        for column, open_ in ((self._open, opens), (self._blocked, ~opens)):
            column.replace(graph.links.push(np.where(open_, values, 0.0)))
            column.raw[moved] = np.maximum(column.raw[moved], column.raw[sources])

    def _standing(self, numbers: Ints) -> Floats:
        """How PageRanks stand among all that wait, from 0 to 1."""
        place: Floats = np.searchsorted(self._waited, self._ranks.raw[numbers], side="right") / len(self._waited)
        return place

    def _own(self, numbers: Ints) -> Floats:
        """A link's own priority, from 0 to 1."""
        if self.printed:
            return self._standing(numbers)
        mixed: Floats = (1.0 - self.words) * self._standing(numbers) + self.words * self._words.raw[numbers]
        return mixed

    def _inherited(self, numbers: Ints) -> Floats:
        """Algorithm 3: Val."""
        kept = np.where(self._own(numbers) >= self.rho, 1.0, self.sigma)
        total: Floats = self._open.raw[numbers] * kept + self._blocked.raw[numbers] * self.sigma
        if self.printed:
            return total
        count = self._parents.raw[numbers] + self.doubt
        return total / np.where(count > 0, count, 1.0)

    def _priority(self, numbers: Ints) -> Floats:
        val = self._inherited(numbers)
        return val if self.printed else (1.0 - self.own) * val + self.own * self._own(numbers)

    def reason(self, number: int) -> str:
        """What it inherits from whom, and its own priority."""
        one = np.array([number])
        val, own = float(self._inherited(one)[0]), float(self._own(one)[0])
        tunnel = ", all off the topic" if self._blocked.raw[number] and not self._open.raw[number] else ""
        under = "" if own >= self.rho else f", under rho {self.rho:g}"
        rank = f"PageRank over {float(self._standing(one)[0]):.0%} of the queue"
        said = "" if self.printed else f", its links say {float(self._words.raw[number]):.2f} of the topic"
        about = f"Val {val:.2f} from {pages(int(self._parents.raw[number]))}{tunnel}"
        return f"{about}; own priority {own:.2f}{under}: {rank}{said}"

    def adapted(self) -> list[Adapted]:
        """Every change of the threshold and of the vector."""
        return self._judge.changes
