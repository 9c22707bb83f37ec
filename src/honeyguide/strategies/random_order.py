"""Random: every known URL is as likely to be next as any other.

The floor under every claim: what a crawl finds by luck. (A random order is the control in Cho, Garcia-Molina & Page,
"Efficient crawling through URL ordering", WWW 1998.)
"""

from __future__ import annotations

from typing import ClassVar

import xxhash

from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Pairs, Strategy

__all__ = ["Random"]


class Random(Strategy):
    """Draws lots: each URL's place is a throw of dice, made once from the seed and the URL."""

    name: ClassVar[str] = "random"

    def start(self, brief: Brief, seed: int) -> None:
        """The seed is all there is to know."""
        self._seed = seed & 0xFFFF_FFFF_FFFF_FFFF

    def page(self, page: Digest) -> Pairs:
        """A lot from 0 to 1 for each link; the same URL draws the same lot wherever it is found."""
        return [(link.id, self._lot(link.url)) for link in page.links]

    def _lot(self, url: str) -> float:
        return float(xxhash.xxh3_64_intdigest(url.encode(), self._seed)) / 2.0**64

    def reason(self, number: int) -> str:
        """There is none."""
        return "drawn by lot"
