"""Which blocks are the page's own text, and which its furniture.

Read from the blocks already cut, so it costs almost nothing: long sentences with few links are text, short runs of
links are furniture, and a short block between two texts is text too (Kohlschütter et al., WSDM 2010, found text
and link density of a block and its neighbours to be enough).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from honeyguide.page.cuts import Cut

__all__ = ["mark_main"]

_FURNITURE = frozenset(("nav", "footer", "aside", "form", "button", "address"))
_TEXT_TAGS = frozenset(("p", "pre", "blockquote", "li", "dd", "td", "div", "article", "section", "main", "center"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_ENDS = (". ", ".\n", "? ", "! ", '."', "。", "！", "？")


def _weight(raw: str, linked: int, tag: str) -> float:
    """How sure a block alone is text (1), furniture (0), or either (between); `linked` are the letters of its links."""
    size = len(raw)
    if linked > 0.5 * size:
        return 0.0
    if tag in _HEADINGS:
        return 0.4
    if size >= 30 and linked < 0.33 * size and (size >= 80 or not raw.isascii()) and (tag == "p" or _ends(raw)):
        return 1.0
    return 0.3 if linked < 0.2 * size and tag in _TEXT_TAGS else 0.1


def _ends(raw: str) -> bool:
    """Whether a sentence ends in the text."""
    return any(end in raw for end in _ENDS) or raw.rstrip()[-1:] in ".!?…"


def mark_main(blocks: Sequence[Cut]) -> list[bool]:
    """For each block: is it part of the main text?"""
    tags: dict[str, str] = {}  # blocks of a page share few paths
    for path in {block.path for block in blocks}:
        steps = path.split("/")
        tags[path] = "" if not _FURNITURE.isdisjoint(steps) else steps[-1]
    weights: list[float] = []
    for block in blocks:
        tag, linked = tags[block.path], 0
        for _, anchor, _, _ in block.links:
            linked += len(anchor)
        weights.append(_weight(block.raw, linked, tag) if tag else 0.0)
    sure = [place for place, weight in enumerate(weights) if weight == 1.0]
    main = [False] * len(blocks)
    for place in sure:
        main[place] = True
    # A heading or a short paragraph between two stretches of text belongs to them.
    for before, after in itertools.pairwise(sure):
        if 1 < after - before <= 3:
            for place in range(before + 1, after):
                main[place] = weights[place] >= 0.3
    return main
