"""The concepts of an iteration as a picture: the Hasse diagrams of the base and of what was compared with it.

Each concept is a disc, larger the more pages it holds; beside it stand the words it has and no concept above it has.
What ranked a page is red: the way from the top down to its concept, that of the base, and the line between the two.
Where there are many concepts, words stand beside the larger, as far as there is room; all of them are told where one
points.
"""

from __future__ import annotations

import math
from html import escape
from typing import NamedTuple

from honeyguide.crawling.iterations import Iteration, place_of
from honeyguide.lattice import Lattice, bits
from honeyguide.lattice.drawing import layers, way_up
from honeyguide.wording import counted

__all__ = ["draw", "page"]

_WIDE, _HIGH = 110.0, 90.0  # room for one concept while there are few
_CROWDED = 40  # concepts above which discs are smaller
_WIDEST = 1_500.0  # of one diagram, and of two side by side: as much as a screen shows
_LETTER = 6.2  # about how wide one is
_GAP = 60.0
_HEAD = 50.0

Spot = tuple[float, float]


class _Panel(NamedTuple):
    """One lattice, and where its concepts stand."""

    title: str
    lattice: Lattice
    urls: list[str]
    rows: list[list[int]]
    spots: dict[int, Spot]
    width: float
    height: float

    def moved(self, right: float, down: float) -> _Panel:
        """The same elsewhere."""
        return self._replace(spots={number: (x + right, y + down) for number, (x, y) in self.spots.items()})


def _panel(title: str, lattice: Lattice, urls: list[str]) -> _Panel:
    rows = layers(lattice)
    widest = max(map(len, rows), default=1)
    width = min(_WIDEST, max(320.0, widest * _WIDE))
    spots = {
        number: (40.0 + width * (at + 0.5) / len(row), _HEAD + _HIGH * (depth + 0.5))
        for depth, row in enumerate(rows)
        for at, number in enumerate(row)
    }
    return _Panel(title, lattice, urls, rows, spots, width, _HEAD + _HIGH * len(rows))


def _drawn(panel: _Panel, red: set[int]) -> list[str]:
    lattice, spots = panel.lattice, panel.spots
    left, top = min(x for x, _ in spots.values()) - 20, min(y for _, y in spots.values()) - _HIGH / 2 - 26
    parts = [f'<text class="title" x="{left:.0f}" y="{top:.0f}">{escape(panel.title)}</text>']
    for above, below in lattice.covers:
        kind = ' class="red"' if above in red and below in red else ""
        (x1, y1), (x2, y2) = spots[above], spots[below]
        parts.append(f'<line{kind} x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')
    labels = _labels(panel, red)
    for number, concept in enumerate(lattice.concepts):
        x, y = spots[number]
        size = concept.extent.bit_count()
        _, words = lattice.context.named(concept)
        urls = [panel.urls[place] for place in bits(concept.extent)]
        told = f"{counted(size, 'page')}: {' '.join(words) or 'no word in common'}\n" + "\n".join(urls[:20])
        kind = ' class="red"' if number in red else ""
        radius = (3.0 if len(lattice) > _CROWDED else 5.0) + min(6.0, size**0.5)
        parts.append(f'<circle{kind} cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"><title>{escape(told)}</title></circle>')
        if number in labels:
            parts.append(f'<text x="{x:.1f}" y="{y - radius - 4:.1f}">{escape(labels[number])}</text>')
    return parts


def _labels(panel: _Panel, red: set[int]) -> dict[int, str]:
    """The words to stand beside concepts: of each row as many as there is room for, red ones first, then the larger."""
    found: dict[int, str] = {}
    concepts = panel.lattice.concepts
    for row in panel.rows:
        edges = min(x for x, _ in panel.spots.values()) - _WIDE / 2, max(x for x, _ in panel.spots.values()) + _WIDE / 2
        taken = [(-math.inf, edges[0]), (edges[1], math.inf)]
        for number in sorted(row, key=lambda one: (one not in red, -concepts[one].extent.bit_count(), one)):
            label, x = _label(panel.lattice, number), panel.spots[number][0]
            for text in dict.fromkeys((label, label.partition(" ")[0])) if label else ():
                span = x - _LETTER * (len(text) + 1) / 2, x + _LETTER * (len(text) + 1) / 2
                if all(span[1] < left or span[0] > right for left, right in taken):
                    found[number] = text
                    taken.append(span)
                    break
    return found


def _label(lattice: Lattice, number: int) -> str:
    """The words that come with a concept and with none above it, the first of them."""
    concept = lattice.concepts[number]
    if not concept.extent:
        return ""
    above = 0
    for one in lattice.upper(number):
        above |= lattice.concepts[one].intent
    words = [lattice.context.attributes[place] for place in bits(concept.intent & ~above)]
    return " ".join(words[:3]) + (f" +{len(words) - 3}" if len(words) > 3 else "")


_STYLE = (
    "svg{font:11px sans-serif;background:#fff}line{stroke:#bbb}circle{fill:#4a7;stroke:#fff}"
    "text{text-anchor:middle;fill:#222;paint-order:stroke;stroke:#fff;stroke-width:3px}.title{font-size:14px;font-weight:bold;text-anchor:start}"
    "line.red{stroke:#c22;stroke-width:2.5}circle.red{fill:#c22}path{stroke:#c22;fill:none;stroke-dasharray:5 4}"
)


def draw(found: Iteration, url: str = "", support: int = 0) -> str:
    """The diagrams of an iteration as SVG; with a page of it, what ranked that page is red."""
    base = Lattice(found.base_context, support)
    mine = Lattice(found.context, support)
    left = _panel(_title("base", base, len(found.base)), base, [one.url for one in found.base])
    right = _panel(
        _title(f"iteration {found.number}", mine, len(found.current)), mine, [one.url for one in found.current]
    )
    beside = left.width + _GAP + right.width <= _WIDEST
    right = right.moved(left.width + _GAP, 0.0) if beside else right.moved(0.0, left.height)
    red: tuple[set[int], set[int]] = (set(), set())
    bridge = ""
    place = place_of(found.current, url) if url else None
    rank = found.ranks[place] if place is not None else None
    if rank is not None and rank.mine is not None and rank.base is not None:
        ends = _nearest(base, rank.base.extent), _nearest(mine, rank.mine.extent)
        if ends[0] is not None and ends[1] is not None:
            red = set(way_up(base, ends[0])), set(way_up(mine, ends[1]))
            (x1, y1), (x2, y2) = left.spots[ends[0]], right.spots[ends[1]]
            bend = f"{x1 + 80:.1f},{y1 + 60:.1f} {x2 - 80:.1f},{y2 + (60 if beside else -60):.1f}"
            bridge = f'<path d="M{x1:.1f},{y1:.1f} C{bend} {x2:.1f},{y2:.1f}"/>'
        bridge += f'<text class="title" x="20" y="46">{escape(told(found, url))}</text>'
    width = 80.0 + (left.width + _GAP + right.width if beside else max(left.width, right.width))
    height = 20.0 + (max(left.height, right.height) if beside else left.height + right.height)
    parts = [*_drawn(left, red[0]), *_drawn(right, red[1])] if len(base) and len(mine) else []
    body = "\n".join([f"<style>{_STYLE}</style>", bridge, *parts])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img">\n{body}\n</svg>\n'
    )


def _title(what: str, lattice: Lattice, pages: int) -> str:
    return f"{what}: {counted(len(lattice), 'concept')} of {counted(pages, 'page')}"


def _nearest(lattice: Lattice, extent: int) -> int | None:
    """The concept of this extent, or, if too few pages have it, the smallest that holds them all."""
    holding = [number for number, one in enumerate(lattice.concepts) if not extent & ~one.extent]
    return min(holding, key=lambda number: lattice.concepts[number].extent.bit_count(), default=None)


def told(found: Iteration, url: str) -> str:
    """How a page was ranked, in words."""
    place = place_of(found.current, url)
    if place is None:
        return f"{url} is no page of iteration {found.number}"
    rank = found.ranks[place]
    if rank.mine is None or rank.base is None:
        return f"{url}: SemRank 0: it shares nothing with the base"
    mine = " ".join(found.context.named(rank.mine)[1]) or "no word"
    base = " ".join(found.base_context.named(rank.base)[1]) or "no word"
    return (
        f"{url}: SemRank {rank.value:.3f}: links and clicks {rank.ext:.2f}, words {rank.int:.2f}; "
        f"its concept: {mine}; that of the base: {base}"
    )


def page(found: Iteration, topic: str, url: str = "", support: int = 0) -> str:
    """The same as a page of its own that opens from disk."""
    line = f"<p>{escape(told(found, url))}</p>" if url else ""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(topic)}: concepts</title>'
        f"<style>body{{font:14px sans-serif;margin:1em}}div{{overflow:auto}}</style>"
        f"<h1>{escape(topic)}</h1>{line}<p>Point at a concept for its words and pages.</p>"
        f"<div>{draw(found, url, support)}</div></html>\n"
    )
