"""Breadth-first: first found, first fetched.

The blind crawler every focused one is measured against (Najork & Wiener, WWW 2001, found it to meet good pages
early on the web at large).
"""

from __future__ import annotations

from typing import ClassVar

from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Pairs, Strategy

__all__ = ["BreadthFirst"]


class BreadthFirst(Strategy):
    """Visits pages in the order their links were found, whatever they are about."""

    name: ClassVar[str] = "breadth-first"

    def page(self, page: Digest) -> Pairs:
        """All links alike: the frontier breaks ties by the order of finding."""
        return [(link.id, 0.0) for link in page.links]

    def reason(self, number: int) -> str:
        """There is only one."""
        return "found in this order"
