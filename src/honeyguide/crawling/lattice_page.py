"""The concepts of an iteration as a picture: the Hasse diagrams of the base and of what was compared with it.

Each concept is a disc, larger the more pages it holds; beside it stand the words it has and no concept above it has.
What ranked a page is red: the way from the top down to its concept, that of the base, and the line between the two.
Where there are many concepts, words stand only beside the larger; all of them are told where one points.
"""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from honeyguide.crawling.iterations import Iteration, place_of
from honeyguide.lattice import Lattice, bits
from honeyguide.lattice.drawing import layers, way_up

__all__ = ["draw", "page"]

_WIDE, _HIGH = 110.0, 90.0  # room for one concept while there are few
_CROWDED = 40  # concepts above which words stand only beside the larger
_WIDEST = 2_400.0
_GAP = 60.0
_HEAD = 50.0

Spot = tuple[float, float]


class _Panel(NamedTuple):
    """One lattice, and where its concepts stand."""

    title: str
    lattice: Lattice
    urls: list[str]
    spots: dict[int, Spot]
    width: float
    height: float


def _panel(title: str, lattice: Lattice, urls: list[str], left: float) -> _Panel:
    rows = layers(lattice)
    widest = max(map(len, rows), default=1)
    width = min(_WIDEST, max(320.0, widest * _WIDE))
    spots = {
        number: (left + width * (at + 0.5) / len(row), _HEAD + _HIGH * (depth + 0.5))
        for depth, row in enumerate(rows)
        for at, number in enumerate(row)
    }
    return _Panel(title, lattice, urls, spots, width, _HIGH * len(rows))


def _drawn(panel: _Panel, red: set[int]) -> list[str]:
    lattice, spots = panel.lattice, panel.spots
    parts = [
        f'<text class="title" x="{min(x for x, _ in spots.values()) - 20:.0f}" y="24">{escape(panel.title)}</text>'
    ]
    for above, below in lattice.covers:
        kind = ' class="red"' if above in red and below in red else ""
        (x1, y1), (x2, y2) = spots[above], spots[below]
        parts.append(f'<line{kind} x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')
    crowded = len(lattice) > _CROWDED
    for number, concept in enumerate(lattice.concepts):
        x, y = spots[number]
        size = concept.extent.bit_count()
        _, words = lattice.context.named(concept)
        urls = [panel.urls[place] for place in bits(concept.extent)]
        told = f"{size} pages: {' '.join(words) or 'no word in common'}\n" + "\n".join(urls[:20])
        kind = ' class="red"' if number in red else ""
        radius = (3.0 if crowded else 5.0) + min(6.0, size**0.5)
        parts.append(f'<circle{kind} cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"><title>{escape(told)}</title></circle>')
        label = _label(lattice, number)
        if label and (not crowded or number in red or size >= max(3, lattice.concepts[0].extent.bit_count() // 5)):
            parts.append(f'<text x="{x:.1f}" y="{y - radius - 4:.1f}">{escape(label)}</text>')
    return parts


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
    "text{text-anchor:middle;fill:#222}.title{font-size:14px;font-weight:bold;text-anchor:start}"
    "line.red{stroke:#c22;stroke-width:2.5}circle.red{fill:#c22}path{stroke:#c22;fill:none;stroke-dasharray:5 4}"
)


def draw(found: Iteration, url: str = "", support: int = 0) -> str:
    """The diagrams of an iteration as SVG; with a page of it, what ranked that page is red."""
    base = Lattice(found.base_context, support)
    mine = Lattice(found.context, support)
    left = _panel(f"base: {len(base)} concepts of {len(found.base)} pages", base, [one.url for one in found.base], 20.0)
    begin = 20.0 + left.width + _GAP
    title = f"iteration {found.number}: {len(mine)} concepts of {len(found.current)} pages"
    right = _panel(title, mine, [one.url for one in found.current], begin)
    red: tuple[set[int], set[int]] = (set(), set())
    bridge = ""
    place = place_of(found.current, url) if url else None
    rank = found.ranks[place] if place is not None else None
    if rank is not None and rank.mine is not None and rank.base is not None:
        ends = base.find(rank.base.extent), mine.find(rank.mine.extent)
        if ends[0] is not None and ends[1] is not None:
            red = set(way_up(base, ends[0])), set(way_up(mine, ends[1]))
            (x1, y1), (x2, y2) = left.spots[ends[0]], right.spots[ends[1]]
            bend = f"{x1 + 80:.1f},{y1 + 60:.1f} {x2 - 80:.1f},{y2 + 60:.1f}"
            bridge = f'<path d="M{x1:.1f},{y1:.1f} C{bend} {x2:.1f},{y2:.1f}"/>'
            bridge += f'<text class="title" x="20" y="42">{escape(told(found, url))}</text>'
    width, height = begin + right.width + 20, _HEAD + max(left.height, right.height) + 20
    parts = [*_drawn(left, red[0]), *_drawn(right, red[1])] if len(base) and len(mine) else []
    body = "\n".join([f"<style>{_STYLE}</style>", bridge, *parts])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img">\n{body}\n</svg>\n'
    )


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
