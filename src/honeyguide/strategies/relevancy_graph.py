"""Relevancy context graphs: RCGCrawler in Du & Hai 2013, after Hsu & Wu, "Topic-specific crawling on the Web with the
measurements of the relevancy context graph", Information Systems 31, 2006.

The graph has layers of falling similarity to the topic: layer 0 holds the targets and is worth 1, layer i is worth
a^i. Each layer has two word distributions, of the topic's own words and of general ones, and a fetched page is put
where its words fit best. Its links are worth what that layer is worth.

Here the layers are made of the crawl so far. Targets are the topic's examples and the pages judged on topic; any
other page belongs to the layer whose worth comes nearest to its similarity with the topic, that of the examples
themselves being 1. At the very start there are the examples (or the topic's words) alone, and the first pages met
to tell them from.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import ClassVar

import msgspec
import numpy as np

from honeyguide.graph import Column
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Ranked, Strategy
from honeyguide.strategies.layers import Layers
from honeyguide.strategies.memory import Floats, Ints, LinkWords, Memory, within

__all__ = ["RelevancyGraph"]


class _State(msgspec.Struct):
    memory: bytes
    model: bytes
    similarity: bytes


class RelevancyGraph(Strategy):
    """Follows links from pages whose words fit the layers most like the topic.

    The paper's values were not at hand; all defaults come from a sweep over the forty visible topics of the schools
    web (near and far starts, twice the number of relevant pages). One deviation does better there and is the default:
    the link's own words order the links within a layer. With `link=0` all links of a page are worth the same.

    Parameters
    ----------
    a
        What a layer is worth of the one inside it.
    layers
        Number of layers, the targets and the outermost included.
    features
        How many of the targets' best terms, by TF-IDF, make the distribution of the topic's own words.
    general
        How many of the most common other terms make that of general words; all the rest count together as one.
    expected
        Whether a page is worth the mean of all layers, each as likely as the page's words make it, in place of the
        layer that fits best.
    evidence
        How many of its words a page counts for at the most, since words on one page are not independent.
    smoothing
        How many words each layer borrows from the crawl at large; 0 to add one to every count instead.
    link
        Share of the link's own words in the order within a layer (of the whole priority, if `expected`).
    around
        Share of the words around the anchor among the link's own words.
    reach
        How many terms on either side count as around.
    every
        How few new pages are worth learning anew from; later it takes a tenth of the crawl.
    """

    name: ClassVar[str] = "relevancy-graph"

    def __init__(
        self,
        a: float = 0.5,
        layers: int = 3,
        features: int = 200,
        general: int = 20,
        expected: bool = False,
        evidence: float = 100.0,
        smoothing: float = 100.0,
        link: float = 0.7,
        around: float = 0.4,
        reach: int = 6,
        every: int = 3,
    ) -> None:
        self.a = a
        self.layers = layers
        self.features = features
        self.general = general
        self.expected = expected
        self.evidence = evidence
        self.smoothing = smoothing
        self.link = link
        self.around = around
        self.reach = reach
        self.every = every

    def start(self, brief: Brief, seed: int) -> None:
        """Learn what the examples look like."""
        within(self, a=(0.01, 0.99), layers=(2, 100), features=(1, 100_000), general=(0, 100_000), evidence=(1, 1e9))
        within(self, smoothing=(0, 1e9), link=(0, 1), around=(0, 1), reach=(0, 1_000), every=(1, 1e9))
        self._examples = brief.examples
        self._memory = Memory(brief, seed, self.every, linked=False)
        self._similarity: Column[np.float32] = Column(np.float32)  # of each page met with the topic, when it was met
        self._model = Layers(self.layers, self.features, self.general, True, self.smoothing, self.evidence)
        self._learn()

    def _learn(self) -> None:
        self._similarity.grow(len(self._memory))
        self._model.learn(self._memory.sample, self._layers())

    def _layers(self) -> Ints:
        """The layer of every page: 0 for targets, else that whose worth comes nearest to its similarity."""
        similar = self._similarity.values / self._full()
        steps = np.round(np.log(np.maximum(similar, 1e-9)) / math.log(self.a))
        layer = np.clip(steps, 1, self.layers - 1).astype(np.int64)
        return np.where(self._memory.target, 0, layer)

    def _full(self) -> float:
        """The similarity that counts as 1: the examples' own, or that of the best page met."""
        likeness = self._memory.likeness
        if likeness.pages and self._examples:
            look = likeness.look()
            own = sum(likeness.page(example, look)[0] for example in self._examples) / len(self._examples)
        else:
            own = float(self._similarity.values.max(initial=0.0))
        return own or 1.0

    def page(self, page: Digest) -> Iterable[Ranked]:
        """Put the page where its words fit best; its links are worth what the layer is."""
        met = self._memory.meet(page)
        look = self._memory.likeness.look()
        self._similarity.grow(len(self._memory))
        self._similarity.values[met.number] = self._memory.likeness.page(page, look)[0]
        if self._memory.due:
            self._learn()
        low, high, fits, about = self._worth(self._model.shares(met.bag))
        words = LinkWords(look, self.around, self.reach)
        return words.ranked(page, about, fits, self.link, low=low, span=high - low)

    def _worth(self, shares: Floats) -> tuple[float, float, float, str]:
        """What a page's links are worth at least and at most, where the page stands between the two, and why."""
        layer = int(shares.argmax())
        sure = float(shares[layer])
        about = f"page fits layer {layer} of {self.layers - 1}, worth {self.a**layer:.2f} ({sure:.2f} sure)"
        if self.expected:
            worth = float(shares @ self.a ** np.arange(self.layers))
            return 0.0, 1.0, worth, f"{about}; {worth:.2f} expected"
        fits = 1.0 - sure if layer == self.layers - 1 else sure  # the surer it is far off, the later it comes
        return self.a ** (layer + 1), self.a**layer, fits, about

    def save(self) -> bytes:
        """The pages met and what was learnt from them."""
        return msgspec.msgpack.encode(_State(self._memory.save(), self._model.save(), self._similarity.save()))

    def load(self, state: bytes) -> None:
        """Go on from there."""
        saved = msgspec.msgpack.decode(state, type=_State)
        self._memory.load(saved.memory)
        self._model.load(saved.model)
        self._similarity.load(saved.similarity)
