"""What the boxes of a laid-out page say of its parts, beside what its markup says.

A reader tells the parts of a page apart before reading a word: the wide column in the middle, the narrow one at the
edge, the bands across the top and the bottom, what stays in place when the page is scrolled, what has the size of an
advertisement, and what is not to be seen at all. Each of these is a cue here, with the pixels that speak for it. VIPS
(Cai, Yu, Wen & Ma, 2003) calls what lies between two parts a separator: here it is a gap, or another ground.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from honeyguide.page.cuts import Cut, Elements
from honeyguide.page.snapshot import WINDOW, Box, Boxes

__all__ = ["Looks"]

_GRID = 40  # pixels within which edges are the same
_NARROW = 0.85  # share of the window's width up to which a text is a column
_ACROSS, _WIDER = 0.9, 1.1  # shares of the page's and of the text's width from which something reaches across the page
_OVERLAP = 0.1  # share of a box's width that may reach into the column it stands beside
_SHARE = 3  # what has one part in so many of the sentences is the page's own text
_HALF = 2  # one part in so many of the text's width makes another column of text
_FEW = 60  # letters that may stand on an advertisement
_GAP = 3  # lines between two parts
_LARGER = ((2.0, 1), (1.5, 2), (1.17, 3))  # sizes of headings in browsers, relative to the text, with their levels
_ADVERTS = frozenset(  # sizes in which advertising is sold (Interactive Advertising Bureau)
    tuple(map(int, size.split("x")))
    for size in (
        "300x250 336x280 250x250 728x90 970x90 970x250 468x60 234x60 160x600 120x600 300x600 320x50 320x100".split()
    )
)


class Looks:
    """How the cuts of a page look; `main` says which hold sentences of the page's own text that can be seen."""

    def __init__(self, cuts: Sequence[Cut], main: Sequence[bool], elements: Elements, page: Boxes) -> None:
        self._cuts, self._elements, self._page = cuts, elements, page
        self._sizes = [len(cut.raw) for cut in cuts]
        self._left, self._right = _extent(page.boxes)
        self._width = max(1, self._right - self._left)
        self._prose = self._sum(main)
        self._letters = self._sum([True] * len(cuts))
        self._is_veiled = self._find_veiled(main)
        self._fixed = self._find_fixed()
        seen = [
            is_main and not self.hidden(place) and not self._fixed[cut.element]
            for place, (cut, is_main) in enumerate(zip(cuts, main, strict=True))
        ]
        self._columns = self._find_columns(seen)
        self._beside = self._find_beside()
        self._top, self._bottom = self._reach(seen)
        self._bands = [""] * len(elements.tags)
        self._find_bands(below=True)
        self.main = [
            is_main and not self._beside[cut.element] and not self._bands[cut.element]
            for cut, is_main in zip(cuts, seen, strict=True)
        ]
        self._font = self._text_font()

    def _box(self, place: int) -> Box:
        return self._page.boxes[self._cuts[place].element]

    def _sum(self, counted: Sequence[bool]) -> list[int]:
        """Letters of some cuts, of each element with all it holds."""
        totals = [0] * len(self._elements.tags)
        for cut, size, is_counted in zip(self._cuts, self._sizes, counted, strict=True):
            if is_counted:
                totals[cut.element] += size
        for element in range(len(totals) - 1, 0, -1):
            totals[self._elements.parents[element]] += totals[element]
        return totals

    def _find_veiled(self, main: Sequence[bool]) -> bool:
        """Whether most of a page is hidden: it waits for a script to show it, so what is hidden says nothing."""
        counted = list(main) if any(main) else [True] * len(self._cuts)
        shown = [is_counted and self._box(place).own is not None for place, is_counted in enumerate(counted)]
        return self._sum(shown)[0] * _SHARE < self._sum(counted)[0]

    def _holds_text(self, element: int) -> bool:
        return self._prose[element] * _SHARE > self._prose[0]

    def _find_fixed(self) -> list[bool]:
        """Of each element whether it stays in place, if it does not hold the page's own text."""
        boxes, parents = self._page.boxes, self._elements.parents
        found = [False] * len(boxes)
        for element in range(1, len(boxes)):
            found[element] = found[parents[element]] or (boxes[element].fixed and not self._holds_text(element))
        return found

    def _find_columns(self, seen: Sequence[bool]) -> list[tuple[int, int]]:
        """From where to where the page's sentences stand, on a page without any its text: mostly one place, or few."""
        if not any(seen):
            seen = [not self.hidden(place) for place in range(len(self._cuts))]
        columns: Counter[tuple[int, int]] = Counter()
        widths: dict[tuple[int, int], tuple[int, int]] = {}
        for place, is_seen in enumerate(seen):
            box = self._box(place)
            if is_seen and box.width:
                key = (box.left // _GRID, box.right // _GRID)
                columns[key] += self._sizes[place]
                left, right = widths.get(key, (box.left, box.right))
                widths[key] = (min(left, box.left), max(right, box.right))
        if not columns:
            return []
        # The wide column of a few sentences is the text rather than the narrow one of many.
        main = max(columns, key=lambda key: (columns[key] * (widths[key][1] - widths[key][0]), key))
        width = widths[main][1] - widths[main][0]
        return [
            (left, right)
            for key, (left, right) in widths.items()
            if columns[key] * _SHARE >= columns[main] and (right - left) * _HALF >= width
        ]

    @property
    def _is_column(self) -> bool:
        """Whether the text leaves some of the window's width to others."""
        if not self._columns:
            return False
        return self._text_width <= _NARROW * WINDOW[0]

    @property
    def _text_width(self) -> int:
        """From the left of the first column to the right of the last."""
        return max(right for _, right in self._columns) - min(left for left, _ in self._columns)

    def _find_beside(self) -> list[str]:
        """Of each element in a column beside the text, what that looks like."""
        boxes, parents = self._page.boxes, self._elements.parents
        found = [""] * len(boxes)
        if not self._columns:
            return found
        widest = max(right - left for left, right in self._columns)
        for element in range(1, len(boxes)):
            box, around = boxes[element], found[parents[element]]
            found[element] = around
            if around or not box.shown or not 0 < box.width < widest:
                continue
            if box.width * _HALF >= widest and self._holds_text(element):
                continue
            reach = max(min(box.right, right) - max(box.left, left) for left, right in self._columns)
            if reach <= _OVERLAP * box.width and self._stands_beside(box):
                found[element] = self._told_column(box)
        return found

    def _stands_beside(self, box: Box) -> bool:
        """Whether it is left or right of all columns, and no cell between two of them."""
        middle = box.left + box.width / 2
        return all(middle > right for _, right in self._columns) or all(middle < left for left, _ in self._columns)

    def _told_column(self, box: Box) -> str:
        right = all(box.left + box.width / 2 > end for _, end in self._columns)
        side = "right" if right else "left"
        near = self._right - box.right if right else box.left - self._left
        return f"a column {box.width} px wide " + (f"at the {side} edge" if near <= _GRID else f"{side} of the text")

    def _text_font(self) -> float:
        """The size of most of the text's letters."""
        fonts: Counter[float] = Counter()
        for place, is_main in enumerate(self.main):
            if is_main:
                fonts[self._box(place).font] += self._sizes[place]
        return max(fonts, key=lambda font: fonts[font]) if fonts else 0.0

    def _reach(self, seen: Sequence[bool]) -> tuple[int, int]:
        """Where on the page the text in its columns begins and ends."""
        areas = [self._box(place).own for place, is_seen in enumerate(seen) if is_seen]
        found = [area for area in areas if area is not None and self._is_within(area)]
        if not found:
            return 0, self._page.height
        return min(area[1] for area in found), max(area[3] for area in found)

    # --- what segments ask ----------------------------------------------------------------------------------------

    def begin_at(self, titled: int) -> None:
        """The title is found, if there is one (else -1): now bands above the text can be told."""
        own = self._box(titled).own if titled >= 0 else None
        if own is not None:
            self._top = min(self._top, own[1])
        self._find_bands(below=False)

    def _find_bands(self, *, below: bool) -> None:
        """Find what reaches across the page above the text, or below it on a ground of its own."""
        boxes, parents, bands = self._page.boxes, self._elements.parents, self._bands
        if not self._is_column:
            return
        least = max(_ACROSS * self._width, _WIDER * self._text_width)
        for element in range(1, len(boxes)):
            box, around = boxes[element], bands[parents[element]]
            if around:
                bands[element] = around
            elif box.shown and box.width >= least and not self._holds_text(element):
                if below and box.top >= self._bottom and box.colour:
                    bands[element] = f"a band {box.height} px high across the page below the text"
                elif not below and box.bottom <= self._top:
                    bands[element] = f"a band {box.height} px high across the page above the text"

    def hidden(self, place: int) -> bool:
        """Whether a cut cannot be seen."""
        return self._box(place).own is None and not self._is_veiled

    def aside(self, place: int) -> str:
        """What makes a cut furniture, in words; empty if nothing in its looks does."""
        element = self._cuts[place].element
        if self._fixed[element]:
            return "stays in place when the page is scrolled"
        return self._beside[element] or self._bands[element] or self._advert(place)

    def _advert(self, place: int) -> str:
        cut, box = self._cuts[place], self._box(place)
        if not cut.links or box.own is None:
            return ""
        left, top, right, bottom = box.own
        element = cut.element
        for width, height, letters in (
            (right - left, bottom - top, self._sizes[place]),
            (box.width, box.height, self._letters[element]),
        ):
            if (width, height) in _ADVERTS and letters <= _FEW:
                return f"{width} × {height} px, the size of an advertisement"
        return ""

    def is_in_column(self, place: int) -> bool:
        """Whether a cut stands in the column of the text, not above it, on a page that has columns."""
        own = self._box(place).own
        if not self._is_column or own is None or own[1] < self._top:
            return False
        return self._is_within(own)

    def _is_within(self, area: tuple[int, int, int, int]) -> bool:
        return any(left - _GRID <= area[0] and area[2] <= right + _GRID for left, right in self._columns)

    def level(self, place: int) -> int:
        """The level of heading that its size makes of a line; 0 if it is no larger than the text."""
        ratio = self._box(place).font / self._font if self._font else 0.0
        return next((level for larger, level in _LARGER if ratio >= larger), 0)

    def font(self, place: int) -> float:
        """The size of its letters."""
        return self._box(place).font

    def is_apart(self, before: int, after: int) -> bool:
        """Whether a separator lies between two cuts: a gap, another column, or that one of them cannot be seen."""
        one, other = self._box(before), self._box(after)
        if one.own is None or other.own is None:
            return (one.own is None) != (other.own is None)
        if min(one.own[2], other.own[2]) <= max(one.own[0], other.own[0]):  # side by side: of one line, or columns
            return self._beside[self._cuts[before].element] != self._beside[self._cuts[after].element]
        return other.own[1] - one.own[3] > _GAP * max(one.font, other.font, 12.0) or other.own[3] < one.own[1]


def _extent(boxes: Sequence[Box]) -> tuple[int, int]:
    """From where to where anything stands on a page."""
    areas = [box.own for box in boxes if box.own is not None]
    return min((area[0] for area in areas), default=0), max((area[2] for area in areas), default=0)
