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
from typing import ClassVar

import numpy as np

from honeyguide.graph import Column
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Floats, Ints, Ranks, Strategy, setting
from honeyguide.strategies.given import Given
from honeyguide.strategies.layers import Layers
from honeyguide.strategies.texts import Library, link_words, within

__all__ = ["RelevancyGraph"]


class RelevancyGraph(Strategy):
    """Follows links from pages whose words fit the layers most like the topic.

    The paper's values were not at hand; all defaults come from a sweep over the forty visible topics of the schools
    web (near and far starts, twice the number of relevant pages). One deviation does better there and is the default:
    the link's own words order the links within a layer. With `link=0` all links of a page are worth the same.
    """

    name: ClassVar[str] = "relevancy-graph"
    keeps: ClassVar[tuple[str, ...]] = ("_library", "_model", "_similarity", "_given", "_layer", "_sure")
    a: float = setting(0.5, "What a layer is worth of the one inside it.")
    layers: int = setting(3, "Number of layers, the targets and the outermost included.")
    features: int = setting(
        200, "How many of the targets' best terms, by TF-IDF, make the distribution of the topic's own words."
    )
    general: int = setting(
        20, "How many of the most common other terms make that of general words; all the rest count together as one."
    )
    expected: bool = setting(
        False,
        "Whether a page is worth the mean of all layers, each as likely as the page's words make it, in place of the "
        "layer that fits best.",
    )
    evidence: float = setting(
        100.0, "How many of its words a page counts for at the most, since words on one page are not independent."
    )
    smoothing: float = setting(
        100.0, "How many words each layer borrows from the crawl at large; 0 to add one to every count instead."
    )
    link: float = setting(
        0.7, "Share of the link's own words in the order within a layer (of the whole priority, if `expected`)."
    )
    around: float = setting(0.4, "Share of the words around the anchor among the link's own words.")
    reach: int = setting(6, "How many terms on either side count as around.")
    every: int = setting(3, "How few new pages are worth learning anew from; later it takes a tenth of the crawl.")

    def check(self) -> None:
        """Each setting lies within its bounds."""
        within(self, a=(0.01, 0.99), layers=(2, 100), features=(1, 100_000), general=(0, 100_000), evidence=(1, 1e9))
        within(self, smoothing=(0, 1e9), link=(0, 1), around=(0, 1), reach=(0, 1_000), every=(1, 1e9))

    def start(self, brief: Brief, seed: int) -> None:
        """Learn what the examples look like."""
        self._examples = brief.examples
        self._library = Library(brief, seed, self.every)
        graph = brief.graph
        self._similarity: Column[np.float32] = graph.column(np.float32)  # of each page with the topic, when it was met
        self._given = Given(graph)
        self._layer: Column[np.int8] = graph.column(np.int8)  # of each page met, and
        self._sure: Column[np.float32] = graph.column(np.float32)  # how sure that is
        self._model = Layers(self.layers, self.features, self.general, True, self.smoothing, self.evidence)
        self._learn()

    def _learn(self) -> None:
        self._model.learn(self._library.sample, self._layers())

    def _layers(self) -> Ints:
        """The layer of every page: 0 for targets, else that whose worth comes nearest to its similarity."""
        similar = np.append(self._similarity.values / self._full(), 1.0)
        steps = np.round(np.log(np.maximum(similar, 1e-9)) / math.log(self.a))
        layer = np.clip(steps, 1, self.layers - 1).astype(np.int64)
        return np.where(self._library.target, 0, layer)

    def _full(self) -> float:
        """The similarity that counts as 1: the examples' own, or that of the best page met."""
        likeness = self._library.likeness
        if likeness.pages and self._examples:
            look = likeness.look()
            own = sum(likeness.page(example, look)[0] for example in self._examples) / len(self._examples)
        else:
            own = float(self._similarity.values.max(initial=0.0))
        return own or 1.0

    def page(self, page: Digest) -> Ranks:
        """Put the page where its words fit best; its links are worth what the layer is."""
        bag = self._library.meet(page)
        look = self._library.likeness.look()
        self._similarity.raw[page.id] = self._library.likeness.page(page, look)[0]
        if self._library.due:
            self._learn()
        low, high, fits = self._worth(page.id, self._model.shares(bag))
        words = link_words(look, page, self.around, self.reach) if self.link else np.zeros(len(page.targets))
        values = low + (high - low) * ((1.0 - self.link) * fits + self.link * words)
        self._given.give(page.id, page.targets, values, words)
        return Ranks(page.targets, values)

    def _worth(self, page: int, shares: Floats) -> tuple[float, float, float]:
        """What a page's links are worth at least and at most, and where the page stands between the two."""
        layer = int(shares.argmax())
        sure = float(shares[layer])
        self._layer.raw[page], self._sure.raw[page] = layer, sure
        if self.expected:
            return 0.0, 1.0, float(shares @ self.a ** np.arange(self.layers))
        fits = 1.0 - sure if layer == self.layers - 1 else sure  # the surer it is far off, the later it comes
        return self.a ** (layer + 1), self.a**layer, fits

    def reason(self, number: int) -> str:
        """The layer of the page that it was found on."""
        page = self._given.from_page(number)
        layer, sure = int(self._layer.raw[page]), float(self._sure.raw[page])
        about = f"page fits layer {layer} of {self.layers - 1}, worth {self.a**layer:.2f} ({sure:.2f} sure)"
        return about + self._given.words(number)
