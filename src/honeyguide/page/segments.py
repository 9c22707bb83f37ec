"""A page as a tree of visual blocks, each with a role and the evidence for it.

VIPS (Cai, Yu, Wen & Ma, 2003) cuts a page where it looks cut, and goes on until each piece is of one kind. It asks a
browser how a page looks. Here the markup must say: what elements are, how they are named, the headings above them, how
much of a text is linked, and where it stands relative to the page's own text; where a browser was asked (`boxes`), its
boxes say the rest (`looks`). A piece of one role is a block; what holds blocks of several roles is a block around them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from honeyguide.errors import ExtractError
from honeyguide.page.blocks import plain
from honeyguide.page.cues import SEGMENT_ROLES, by_heading, by_name, is_tool
from honeyguide.page.cuts import Cut, Elements
from honeyguide.page.digest import Part
from honeyguide.page.looks import Looks
from honeyguide.page.snapshot import Boxes

__all__ = ["Segments", "segment"]

_FIRM = frozenset(("noise", "related", "navigation", "references"))  # what stands in one of these is of it
_BESIDE = frozenset(("noise", "references", "related", "navigation"))
_OF_TEXT = frozenset(("abstract", "keywords", "references"))  # roles that a heading may give to sentences
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LINE = 7  # the level of a short line that stands for a heading
_PROSE = 200  # letters of sentences from which a page has a text of its own
_HEADLINE = 22  # letters of an anchor from which it is a headline rather than a word in a menu
_MANY = 3  # links that make a list
_LONGEST_TITLE = 600
_LABEL = 60  # letters of raw text that may be a heading
_SHORT = 4 * _LABEL  # of a text that is measured without the spaces that its markup brings
_BYLINE = re.compile(
    r"\s*(?:by|text|words|written by|posted by|par|von)\s[^.!?]{3,80}|\s*(?:作者|记者|编辑|文)\s*[：:/|].{2,40}",
    re.IGNORECASE,
)
_BIT = {role: 1 << place for place, role in enumerate(SEGMENT_ROLES)}
_KEY = re.compile(r"\W+")


class _Sizes(NamedTuple):
    """Of each element with all it holds: letters, those in links, links with words, letters of sentences.

    And of each cut its own letters and those of its links, and its text where that is short.
    """

    letters: list[int]
    linked: list[int]
    links: list[int]
    prose: list[int]
    cuts: list[tuple[int, int, str]]


class _Told(msgspec.Struct, gc=False):
    role: str
    why: str


_NOTHING = _Told("", "")
_HIDDEN = _Told("noise", "not to be seen")
_SENTENCES, _BESIDE_TEXT = _Told("body", "sentences"), _Told("body", "beside the text")
_WITHIN, _AWAY = _Told("body", "within the text"), _Told("noise", "away from the text")


class Segments(NamedTuple):
    """A page's visual blocks, outer ones first, the block of each cut, and how much of the page's own is linked.

    And which cuts are its main text: where boxes were given, only what can be seen, and not beside the text.
    """

    parts: list[Part]
    places: list[int]
    linked: float
    main: Sequence[bool]


def segment(
    cuts: Sequence[Cut],
    main: Sequence[bool],
    elements: Elements,
    title: str,
    hrefs: Sequence[str],
    boxes: Boxes | None = None,
) -> Segments:
    """Cut a page into visual blocks; `hrefs` are the addresses in the tags of its links, by number.

    With `boxes`, which must be those of this very page, by how it looks as well.
    """
    if boxes is not None and boxes.tags != elements.tags:
        raise ExtractError("the boxes are those of another page")
    if not cuts:
        return Segments([], [], 0.0, main)
    looks = Looks(cuts, main, elements, boxes) if boxes is not None else None
    if looks is not None:
        main = looks.main
    sizes = _measure(cuts, main, elements)
    roles = _Roles(cuts, main, elements, sizes, title, hrefs, looks).all()
    return Segments(*_tree(cuts, elements, sizes, roles, looks), _linked_share(sizes, roles), main)


def _linked_share(sizes: _Sizes, roles: Sequence[_Told]) -> float:
    """How much of what is neither noise nor a list of other works is linked."""
    shown = [size for size, told in zip(sizes.cuts, roles, strict=True) if told.role not in _BESIDE]
    return sum(size[1] for size in shown) / max(1, sum(size[0] for size in shown))


def _width(text: str) -> int:
    """Letters; a Han character counts for three, as it says as much."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def _measure(cuts: Sequence[Cut], main: Sequence[bool], elements: Elements) -> _Sizes:
    count = len(elements.tags)
    sizes = _Sizes([0] * count, [0] * count, [0] * count, [0] * count, [])
    letters, linked, links, prose, each = sizes
    for cut, is_main in zip(cuts, main, strict=True):
        place, raw, anchors = cut.element, cut.raw, 0
        text = plain(raw) if len(raw) < _SHORT else ""
        size = _width(text or raw)
        letters[place] += size
        if is_main:
            prose[place] += size
        if cut.links:
            for _, anchor, _, _ in cut.links:
                if anchor:
                    anchors += _width(anchor)
                    links[place] += 1
            linked[place] += anchors
        each.append((size, anchors, text))
    parents = elements.parents
    for place in range(count - 1, 0, -1):  # children come after their parents
        if letters[place]:
            parent = parents[place]
            letters[parent] += letters[place]
            if links[place]:
                linked[parent] += linked[place]
                links[parent] += links[place]
            if prose[place]:
                prose[parent] += prose[place]
    return sizes


class _Roles:
    """Finds the role of every cut."""

    def __init__(
        self,
        cuts: Sequence[Cut],
        main: Sequence[bool],
        elements: Elements,
        sizes: _Sizes,
        title: str,
        hrefs: Sequence[str],
        looks: Looks | None = None,
    ) -> None:
        self._cuts, self._main, self._elements, self._sizes, self._hrefs = cuts, main, elements, sizes, hrefs
        self._looks = looks
        self._titled, self._title_why = self._find_title(_key(title))
        if looks is not None:
            looks.begin_at(self._titled)
        self._labels: dict[int, tuple[int, _Told]] = {}  # by the element a heading speaks for: its level, what it says
        self._named = self._names()
        self._lists = self._find_lists()
        self._root = self._content_root()
        self._last = elements.last(self._root)
        told = [place for place, is_main in enumerate(main) if is_main]
        self._first, self._end = (told[0], told[-1]) if told else (len(cuts), -1)

    def _find_title(self, title: str) -> tuple[int, str]:
        """The cut that holds the title, the first great heading that the page's title repeats, and how it is known."""
        looks, tags = self._looks, self._elements.tags
        for place, cut in enumerate(self._cuts):
            if tags[cut.element] in ("h1", "h2") and len(cut.raw) < _LONGEST_TITLE:
                text = _key(plain(cut.raw))
                if len(text) > 3 and text in title and not (looks is not None and looks.hidden(place)):
                    return place, "a heading that the page's title repeats"
        return self._largest_title(title, looks) if looks is not None else (-1, "")

    def _largest_title(self, title: str, looks: Looks) -> tuple[int, str]:
        """As `_find_title`, where no heading says it: the largest line that the page's title repeats."""
        found = [
            place
            for place, cut in enumerate(self._cuts)
            if len(cut.raw) < _LONGEST_TITLE and looks.level(place) and not looks.hidden(place)
            if len(text := _key(plain(cut.raw))) > 3 and text in title
        ]
        if not found:
            return -1, ""
        largest = max(found, key=lambda place: (looks.font(place), -place))
        return largest, f"letters of {looks.font(largest):g} px, and the page's title repeats it"

    def _names(self) -> list[_Told]:
        """What its own name, or that of what it stands in, makes of each element."""
        letters, prose = self._sizes.letters, self._sizes.prose
        tags, parents, name = self._elements.tags, self._elements.parents, self._elements.name
        found = [_NOTHING] * len(tags)
        above = self._above_title()
        for place in range(1, len(tags)):
            around = found[parents[place]]
            found[place] = around
            if around.role in _FIRM or not letters[place] or place in above:
                continue
            role, why = by_name(tags[place], name(place))
            if not role:
                continue
            # What holds much of the page's own text is no furniture, whatever it is called.
            if prose[place] * 3 > prose[0] and role != "abstract":
                continue
            if letters[place] * 10 > letters[0] * 6 and tags[place] not in ("nav", "footer") and role != "abstract":
                continue
            found[place] = _Told(role, why)
        return found

    def _above_title(self) -> set[int]:
        """The elements around the title: furniture is not what the page is named in."""
        above = set()
        place = self._cuts[self._titled].element if self._titled >= 0 else -1
        while place > 0:
            above.add(place)
            place = self._elements.parents[place]
        return above

    def _find_lists(self) -> list[_Told]:
        """Of each element within a list of links: whether that is of headlines, a menu, or what the page is made of."""
        letters, linked, links, prose = self._sizes[:4]
        parents = self._elements.parents
        found = [_NOTHING] * len(parents)
        for place in range(1, len(parents)):
            around = found[parents[place]]
            if around.role or links[place] < _MANY or linked[place] * 2 <= letters[place] or prose[place]:
                found[place] = around
                continue
            mean = linked[place] // links[place]
            told = f"{links[place]} links, {100 * linked[place] // max(1, letters[place])} % of its text"
            role = "headlines" if mean >= _HEADLINE else "menu"
            if prose[0] < _PROSE and letters[place] * 10 >= letters[0] * 3:
                role = "contents"  # there is no text to which it would be furniture
            found[place] = _Told(role, told)
        return found

    def _content_root(self) -> int:
        """The innermost element that holds three quarters of the page's sentences."""
        prose, tags = self._sizes.prose, self._elements.tags
        if prose[0] < _PROSE:
            return -1
        most = prose[0] * 3
        root = next(place for place in range(len(prose) - 1, -1, -1) if prose[place] * 4 >= most)
        while root and tags[root] in ("p", "blockquote", "pre"):
            root = self._elements.parents[root]
        return root

    def all(self) -> list[_Told]:
        """The role of every cut, with the evidence."""
        return [self._one(place, cut) for place, cut in enumerate(self._cuts)]

    def _one(self, place: int, cut: Cut) -> _Told:
        element = cut.element
        named, is_main = self._named[element], self._main[place]
        text = self._sizes.cuts[place][2]
        level = _HEADINGS.get(self._elements.tags[element], 0)
        looks = self._looks
        if looks is not None and looks.hidden(place):
            return _HIDDEN
        if place == self._titled:
            return _Told("title", self._title_why)
        if looks is not None and not level:
            level = looks.level(place)
        if named.role not in _FIRM and (level or (text and len(text) <= _LABEL and not is_main)):
            self._hear(cut, text, level)
        label = self._label(element) if self._labels else _NOTHING
        if is_main:
            return self._of_text(cut, named, label)
        if named.role and named.role != "aside":
            return named
        if label.role:
            return label
        return self._unnamed(place, cut, named, text)

    def _of_text(self, cut: Cut, named: _Told, label: _Told) -> _Told:
        """The role of a cut of sentences."""
        if named.role and named.role != "aside":
            return named
        if label.role in _OF_TEXT:
            return label
        if label.role:  # the list under that heading is over: the text goes on
            self._labels.pop(self._elements.parents[cut.element], None)
        return _SENTENCES

    def _unnamed(self, place: int, cut: Cut, named: _Told, text: str) -> _Told:
        """The role of a cut that neither a name nor a heading explains: by links and by place."""
        inside = self._root >= 0 and self._root <= cut.element <= self._last
        within = inside and self._first < place < self._end
        listed = self._lists[cut.element]
        if cut.links and all(is_tool(anchor, self._href(number)) for number, anchor, _, _ in cut.links):
            return _Told("noise", "does something with the page")
        if self._looks is not None:
            if aside := self._looks.aside(place):
                return _Told("noise", aside)
            inside = inside or self._looks.is_in_column(place)
        if named.role == "aside" and not within and (listed.role or not inside):
            return _Told("noise", named.why)
        if listed.role == "contents":
            return _Told("related", f"what the page is made of: {listed.why}")
        if listed.role == "menu":
            return _WITHIN if within else _Told("noise", f"a menu: {listed.why}")
        if listed.role == "headlines":
            if inside or self._root < 0:
                return _Told("related", f"headlines: {listed.why}")
            return _Told("noise", f"headlines away from the text: {listed.why}")
        if _BYLINE.match(text) and (inside or self._titled >= 0):
            return _Told("authors", "begins as a byline does")
        if inside or self._root < 0 or (self._titled >= 0 and self._titled < place < self._first):
            return _BESIDE_TEXT
        return _AWAY

    def _href(self, number: int) -> str:
        return self._hrefs[number] if number < len(self._hrefs) else ""

    # --- headings ------------------------------------------------------------------------------------------------

    def _hear(self, cut: Cut, text: str, level: int) -> None:
        """Take note of a heading: it speaks for what comes after it in the element around it."""
        role = by_heading(text) if len(text) <= _LABEL else ""
        if not role and not level:
            return
        letters, parents = self._sizes.letters, self._elements.parents
        holder = cut.element
        while holder > 0 and letters[parents[holder]] <= letters[holder]:  # wrapped in elements of its own
            holder = parents[holder]
        holder = parents[holder] if holder > 0 and letters[holder] <= _LABEL * 3 else holder
        if role:
            self._labels[holder] = (level or _LINE, _Told(role, f'under "{text}"'))
        elif holder in self._labels and level <= self._labels[holder][0]:
            del self._labels[holder]

    def _label(self, element: int) -> _Told:
        """What the nearest heading says that speaks for an element."""
        parents, labels = self._elements.parents, self._labels
        while element >= 0:
            if element in labels:
                return labels[element][1]
            element = parents[element]
        return _NOTHING


def _key(text: str) -> str:
    return _KEY.sub("", text).casefold()


def _tree(
    cuts: Sequence[Cut], elements: Elements, sizes: _Sizes, roles: Sequence[_Told], looks: Looks | None = None
) -> tuple[list[Part], list[int]]:
    """Elements of one role become blocks, neighbours of one role the same; elements of several, blocks around them.

    Where it is known how they look, neighbours are one block only if no separator lies between them.
    """
    parents = elements.parents
    masks = [0] * len(parents)
    for cut, told in zip(cuts, roles, strict=True):
        masks[cut.element] |= _BIT[told.role]
    for place in range(len(parents) - 1, 0, -1):
        masks[parents[place]] |= masks[place]
    parts = [Part(-1, "", "the page")]
    around = [0] * len(parents)  # of an element of several roles: its block
    pure = [-1] * len(parents)  # the outermost element of one role that an element is in
    for place in range(len(parents)):
        parent, mask = parents[place], masks[place]
        if parent >= 0 and pure[parent] >= 0:
            pure[place] = pure[parent]
        elif mask & (mask - 1) == 0:
            pure[place] = place
        elif parent >= 0:
            around[place] = around[parent]
            if sizes.letters[place] * 10 < sizes.letters[parent] * 9:  # else a wrapper that shows nothing of its own
                around[place] = len(parts)
                parts.append(Part(around[parent], "", elements.tags[place]))
    found: list[int] = []
    for place, (cut, told) in enumerate(zip(cuts, roles, strict=True)):
        top = pure[cut.element]
        outer = around[parents[top]] if top > 0 else around[cut.element]
        last = parts[found[-1]] if found else None
        apart = looks is not None and place > 0 and looks.is_apart(place - 1, place)
        if last is None or apart or (last.parent, last.role) != (outer, told.role):  # else it goes on
            parts.append(Part(outer, told.role, told.why))
            found.append(len(parts) - 1)
        else:
            found.append(found[-1])
    return parts, found
