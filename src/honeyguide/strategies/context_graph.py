"""Context graphs: LCGCrawler in Du & Hai 2013, the "context focused crawler" of Diligenti, Coetzee, Lawrence, Giles &
Gori, "Focused crawling using context graphs", VLDB 2000.

Pages that lie one, two, three links before a target tend to look alike. So pages are sorted into layers by that
distance, and a naive Bayes classifier over the reduced TF-IDF vocabulary of the targets says to which layer a fetched
page most likely belongs, or, when it is not sure enough, that it is none of them. Each layer has a queue for the links
of its pages; the queue nearest to the targets is emptied first, in the order of the classifier's confidence.

The paper asks a search engine for in-links before it starts. Here they come from the crawl so far: targets are the
topic's examples and the pages judged on topic, and layer i holds the crawled pages whose shortest known path to one
is i links long. At the very start there is only layer 0, made of the examples (or of the topic's words), and the
first pages met to tell it from; the nearer layers appear with the first page that links to a target.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import msgspec

from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Ranked, Strategy
from honeyguide.strategies.layers import Layers
from honeyguide.strategies.memory import Floats, LinkWords, Memory, within

__all__ = ["ContextGraph"]


class _State(msgspec.Struct):
    memory: bytes
    model: bytes


class ContextGraph(Strategy):
    """Follows links from pages that read like those a few links before a target, the nearest first.

    The paper has 40 features and no number for the threshold. The defaults come from a sweep over the forty visible
    topics of the schools web (near and far starts, twice the number of relevant pages). Three deviations together
    do better there and are the default: the link's own words order the links within a layer, `rest` and `smoothing`.
    The paper's form is `link=0, rest=false, smoothing=0, features=40`; it ranks all links of a page alike.

    Parameters
    ----------
    layers
        How many links before a target the outermost layer lies.
    features
        How many terms tell the layers apart: those that tell the targets best, by TF-IDF.
    threshold
        How sure of a page's layer we must be; below it, the page is of none and its links come last.
    evidence
        How many of its words a page counts for at the most, since words on one page are not independent.
    smoothing
        How many words each layer borrows from the crawl at large; 0 to add one to every count as the paper does.
    rest
        Whether the words that are no features count together as one more, so that a page that names a feature once
        in a thousand words is told from one that speaks of nothing else.
    link
        Share of the link's own words in the order within a layer; the paper has the page's confidence alone (0).
    around
        Share of the words around the anchor among the link's own words.
    reach
        How many terms on either side count as around.
    every
        How few new pages are worth learning anew from; later it takes a tenth of the crawl.
    """

    name: ClassVar[str] = "context-graph"

    def __init__(
        self,
        layers: int = 3,
        features: int = 200,
        threshold: float = 0.6,
        evidence: float = 100.0,
        smoothing: float = 100.0,
        rest: bool = True,
        link: float = 0.7,
        around: float = 0.4,
        reach: int = 6,
        every: int = 3,
    ) -> None:
        self.layers = layers
        self.features = features
        self.threshold = threshold
        self.evidence = evidence
        self.smoothing = smoothing
        self.rest = rest
        self.link = link
        self.around = around
        self.reach = reach
        self.every = every

    def start(self, brief: Brief, seed: int) -> None:
        """Learn what the examples look like."""
        within(self, layers=(1, 100), features=(1, 100_000), evidence=(1, 1e9), smoothing=(0, 1e9), link=(0, 1))
        within(self, around=(0, 1), reach=(0, 1_000), every=(1, 1e9))
        self._memory = Memory(brief, seed, self.every)
        count = self.layers + 2  # the targets, the layers before them, and the others
        self._model = Layers(count, self.features, 0, self.rest, self.smoothing, self.evidence)
        self._learn()

    def _learn(self) -> None:
        self._model.learn(self._memory.sample, self._memory.distances(self.layers))

    def page(self, page: Digest) -> Iterable[Ranked]:
        """Find the page's layer; its links go to the queue of that layer."""
        met = self._memory.meet(page)
        if self._memory.due:
            self._learn()
        band, sure, about = self._place(self._model.shares(met.bag))
        words = LinkWords(self._memory.likeness.look(), self.around, self.reach)
        return words.ranked(page, about, sure, self.link, low=band, span=0.999)  # never into the next queue

    def _place(self, shares: Floats) -> tuple[int, float, str]:
        """The queue for a page's links (higher ones are emptied first), the order within, and why."""
        layer = int(shares.argmax())
        sure = float(shares[layer])
        if layer > self.layers:
            return 0, 1.0 - sure, f"page is in no layer ({sure:.2f} sure)"
        if sure < self.threshold:
            return 0, 1.0 - float(shares[-1]), f"page is in no layer for sure (nearest {layer}, {sure:.2f})"
        what = "a target" if not layer else f"one {layer} link{'s' if layer > 1 else ''} before a target"
        return self.layers + 1 - layer, sure, f"page reads like {what} ({sure:.2f} sure)"

    def save(self) -> bytes:
        """The pages met and what was learnt from them."""
        return msgspec.msgpack.encode(_State(self._memory.save(), self._model.save()))

    def load(self, state: bytes) -> None:
        """Go on from there."""
        saved = msgspec.msgpack.decode(state, type=_State)
        self._memory.load(saved.memory)
        self._model.load(saved.model)
