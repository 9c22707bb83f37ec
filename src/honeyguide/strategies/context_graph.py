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

from typing import ClassVar

import numpy as np

from honeyguide.graph import Column
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Floats, Ranks, Strategy, setting
from honeyguide.strategies.given import Given
from honeyguide.strategies.layers import Layers
from honeyguide.strategies.texts import Library, link_words, within

__all__ = ["ContextGraph"]

_WIDE = 0.999  # of a queue: never into the next one


class ContextGraph(Strategy):
    """Follows links from pages that read like those a few links before a target, the nearest first.

    The paper has 40 features and no number for the threshold. The defaults come from a sweep over the forty visible
    topics of the schools web (near and far starts, twice the number of relevant pages). Three deviations together
    do better there and are the default: the link's own words order the links within a layer, `rest` and `smoothing`.
    The paper's form is `link=0, rest=false, smoothing=0, features=40`; it ranks all links of a page alike.
    """

    name: ClassVar[str] = "context-graph"
    keeps: ClassVar[tuple[str, ...]] = ("_library", "_model", "_given", "_layer", "_sure")
    layers: int = setting(3, "How many links before a target the outermost layer lies.")
    features: int = setting(200, "How many terms tell the layers apart: those that tell the targets best, by TF-IDF.")
    threshold: float = setting(
        0.6, "How sure of a page's layer we must be; below it, the page is of none and its links come last."
    )
    evidence: float = setting(
        100.0, "How many of its words a page counts for at the most, since words on one page are not independent."
    )
    smoothing: float = setting(
        100.0,
        "How many words each layer borrows from the crawl at large; 0 to add one to every count as the paper does.",
    )
    rest: bool = setting(
        True,
        "Whether the words that are no features count together as one more, so that a page that names a feature once "
        "in a thousand words is told from one that speaks of nothing else.",
    )
    link: float = setting(
        0.7, "Share of the link's own words in the order within a layer; the paper has the page's confidence alone (0)."
    )
    around: float = setting(0.4, "Share of the words around the anchor among the link's own words.")
    reach: int = setting(6, "How many terms on either side count as around.")
    every: int = setting(3, "How few new pages are worth learning anew from; later it takes a tenth of the crawl.")

    def check(self) -> None:
        """Each setting lies within its bounds."""
        within(self, layers=(1, 100), features=(1, 100_000), evidence=(1, 1e9), smoothing=(0, 1e9), link=(0, 1))
        within(self, around=(0, 1), reach=(0, 1_000), every=(1, 1e9))

    def start(self, brief: Brief, seed: int) -> None:
        """Learn what the examples look like."""
        self._library = Library(brief, seed, self.every)
        self._given = Given(brief.graph)
        self._layer: Column[np.int8] = brief.graph.column(np.int8)  # of each page met, and
        self._sure: Column[np.float32] = brief.graph.column(np.float32)  # how sure that is
        count = self.layers + 2  # the targets, the layers before them, and the others
        self._model = Layers(count, self.features, 0, self.rest, self.smoothing, self.evidence)
        self._learn()

    def _learn(self) -> None:
        self._model.learn(self._library.sample, self._library.distances(self.layers))

    def page(self, page: Digest) -> Ranks:
        """Find the page's layer; its links go to the queue of that layer."""
        bag = self._library.meet(page)
        if self._library.due:
            self._learn()
        band, fits = self._queue(page.id, self._model.shares(bag))
        words = np.zeros(len(page.targets))
        if self.link:
            words = link_words(self._library.likeness.look(), page, self.around, self.reach)
        values = band + _WIDE * ((1.0 - self.link) * fits + self.link * words)
        self._given.give(page.id, page.targets, values, words)
        return Ranks(page.targets, values)

    def _queue(self, page: int, shares: Floats) -> tuple[int, float]:
        """The queue for a page's links (higher ones are emptied first), and how well the page fits into it."""
        layer = int(shares.argmax())
        sure = float(shares[layer])
        self._layer.raw[page], self._sure.raw[page] = layer, sure
        if layer > self.layers:
            return 0, 1.0 - sure
        if sure < self.threshold:
            return 0, 1.0 - float(shares[-1])
        return self.layers + 1 - layer, sure

    def reason(self, number: int) -> str:
        """What the page reads like that it was found on."""
        page = self._given.from_page(number)
        layer, sure = int(self._layer.raw[page]), float(self._sure.raw[page])
        what = "a target" if not layer else f"one {layer} link{'s' if layer > 1 else ''} before a target"
        if layer > self.layers:
            about = f"page is in no layer ({sure:.2f} sure)"
        elif sure < self.threshold:
            about = f"page is in no layer for sure (nearest {layer}, {sure:.2f})"
        else:
            about = f"page reads like {what} ({sure:.2f} sure)"
        return about + self._given.words(number)
