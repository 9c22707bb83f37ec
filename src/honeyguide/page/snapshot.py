"""What a browser tells of a laid-out page, read down to one box for each block element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from honeyguide.errors import ExtractError

__all__ = ["STYLES", "WINDOW", "Box", "Boxes", "read_snapshot"]

WINDOW = (1_280, 1_024)  # pixels: a screen on which sites show all their columns
STYLES = (
    "visibility",
    "opacity",
    "font-size",
    "font-weight",
    "background-color",
    "position",
    "overflow-x",
    "clip-path",
)
_REPLACED = frozenset("IMG VIDEO IFRAME CANVAS OBJECT EMBED SVG INPUT SELECT TEXTAREA".split())
_BOLD = 600
_FAR = 3  # windows to the right, where nobody looks
_SMALLEST = 2  # pixels a side of what can be seen

Area = tuple[float, float, float, float]  # left, top, right, bottom
_NOWHERE: Area = (float("inf"), float("inf"), float("-inf"), float("-inf"))
_EVERYWHERE: Area = (float("-inf"), float("-inf"), float("inf"), float("inf"))


class Box(NamedTuple):
    """The place of an element on the page in pixels, and how it looks.

    `own` is the place of what stands in it but in no block element within: left, top, right, bottom. The font is that
    of most of its own text.
    """

    left: int = 0
    top: int = 0
    width: int = 0
    height: int = 0
    shown: bool = False  # whether anything in it can be seen
    own: tuple[int, int, int, int] | None = None  # None if nothing of its own can be seen
    font: float = 0.0
    bold: bool = False
    colour: str = ""  # of the ground it stands on, where that is its own
    fixed: bool = False  # whether it stays where it is when the page is scrolled

    @property
    def right(self) -> int:
        """Where it ends."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """Where it ends."""
        return self.top + self.height


class Boxes(NamedTuple):
    """A laid-out page: its size, the tag and the box of each block element (0 is the page), and notes on its making."""

    width: int
    height: int
    tags: list[str]
    boxes: list[Box]
    notes: list[str]


def read_snapshot(taken: dict[str, Any], attribute: str, tags: list[str], notes: list[str]) -> Boxes:
    """The boxes in a snapshot of the DevTools protocol, by the numbers in an attribute of the elements."""
    try:
        return _SnapshotReader(taken, attribute, tags).boxes(notes)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ExtractError(f"the browser told nothing of use about the page ({error!r})") from None


class _SnapshotReader:
    """Goes through a snapshot once, parents before children."""

    def __init__(self, taken: dict[str, Any], attribute: str, tags: list[str]) -> None:
        self._strings: list[str] = taken["strings"]
        self._page: dict[str, Any] = taken["documents"][0]
        self._tags = tags
        self._attribute = self._strings.index(attribute) if attribute in self._strings else -1
        count = len(tags)
        self._bounds: list[Area] = [_NOWHERE] * count
        self._own: list[Area] = [_NOWHERE] * count
        self._parents = [0] * count
        self._letters: list[dict[tuple[float, bool], int]] = [{} for _ in range(count)]
        self._colours = [""] * count
        self._fixed = [False] * count
        self.width = int(self._page["contentWidth"])

    def boxes(self, notes: list[str]) -> Boxes:
        """All of them."""
        self._walk()
        whole = list(self._own)
        for number in range(len(whole) - 1, 0, -1):  # children have greater numbers
            whole[self._parents[number]] = _around(whole[self._parents[number]], whole[number])
        found = [self._box(number, seen) for number, seen in enumerate(whole)]
        return Boxes(self.width, int(self._page["contentHeight"]), self._tags, found, notes)

    def _box(self, number: int, seen: Area) -> Box:
        area = self._bounds[number]
        if not _is_seen(area):  # a wrapper of things that float, or one without a box
            area = seen
        if not _is_seen(area):
            return Box(fixed=self._fixed[number])
        left, top, right, bottom = map(round, area)
        fonts = self._letters[number]
        font, bold = max(fonts, key=lambda one: (fonts[one], one)) if fonts else (0.0, False)
        own = self._own[number]
        return Box(
            left, top, right - left, bottom - top, _is_seen(seen),
            (round(own[0]), round(own[1]), round(own[2]), round(own[3])) if _is_seen(own) else None,
            font, bold, self._colours[number], self._fixed[number],
        )  # fmt: skip

    def _walk(self) -> None:
        nodes, strings = self._page["nodes"], self._strings
        rows = self._rows()
        parents: Sequence[int] = nodes["parentIndex"]
        numbers, clips, styles, fixed = [0], [_EVERYWHERE], [[""] * len(STYLES)], [False]
        for place in range(1, len(parents)):
            parent = parents[place]
            name = strings[nodes["nodeName"][place]]
            number = self._number(nodes["attributes"][place]) or numbers[parent]
            area, style, text = rows.get(place, (_NOWHERE, [], ""))
            style = style or styles[parent]
            stays = fixed[parent] or style[5] == "fixed"
            numbers.append(number)
            styles.append(style)
            fixed.append(stays)
            clip = clips[parent]
            if number != numbers[parent]:
                self._parents[number] = numbers[parent]
                self._bounds[number] = _within(area, clip) if area != _NOWHERE else area
                self._colours[number] = "" if _is_clear(style[4]) or not style[4] else style[4]
                self._fixed[number] = stays
            clips.append(_clipped(clip, name, area, style))
            if area != _NOWHERE and (text or name in _REPLACED):
                self._see(number, _within(area, clips[-1]), style, len(text))

    def _rows(self) -> dict[int, tuple[Area, list[str], str]]:
        """By node: where it is, its styles, and its text if it is one."""
        layout, strings = self._page["layout"], self._strings
        found: dict[int, tuple[Area, list[str], str]] = {}
        for place, row, style, told in zip(
            layout["nodeIndex"], layout["bounds"], layout["styles"], layout["text"], strict=True
        ):
            left, top, width, height = row
            area: Area = (left, top, left + width, top + height)
            text = strings[told].strip() if told >= 0 else ""
            if place in found:
                area, text = _around(found[place][0], area), found[place][2] + text
            found[place] = (area, [strings[one] if one >= 0 else "" for one in style], text)
        return found

    def _number(self, attributes: list[int]) -> int:
        for name, value in zip(attributes[::2], attributes[1::2], strict=True):
            if name == self._attribute:
                number = int(self._strings[value])
                return number if 0 < number < len(self._tags) else 0
        return 0

    def _see(self, number: int, area: Area, style: list[str], letters: int) -> None:
        """Take note of a text or an image, if it can be seen."""
        font = float(style[2].removesuffix("px") or 0)
        there = area[2] > 0 and area[3] > 0 and area[0] < max(1.0, _FAR * self.width)
        if style[0] not in ("", "visible") or not there or not _is_seen(area) or (letters and font < _SMALLEST):
            return
        self._own[number] = _around(self._own[number], area)
        if letters:
            weight = style[3]
            look = (font, (weight.isdigit() and int(weight) >= _BOLD) or weight == "bold")
            self._letters[number][look] = self._letters[number].get(look, 0) + letters


def _clipped(clip: Area, name: str, area: Area, style: list[str]) -> Area:
    """What of the page an element leaves to be seen of what is in it."""
    if name in ("HTML", "BODY", "#text"):  # the page itself is scrolled; a script would have set it free
        return clip
    if style[1] and float(style[1] or 1) < 0.05:
        return _NOWHERE
    if style[7] not in ("", "none") and "inset(50%" in style[7].replace(" ", ""):
        return _NOWHERE
    if style[6] in ("hidden", "clip") and area != _NOWHERE:
        return _within(clip, area)
    return clip


def _around(one: Area, other: Area) -> Area:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _within(one: Area, other: Area) -> Area:
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def _is_seen(area: Area) -> bool:
    return area[2] - area[0] >= _SMALLEST and area[3] - area[1] >= _SMALLEST


def _is_clear(colour: str) -> bool:
    return colour.startswith("rgba") and colour.rstrip(") ").endswith((" 0", ",0"))
