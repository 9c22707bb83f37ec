"""Lists taken into a topic: keywords with weights, example pages, sites; whole, or with bad rows left out if so wanted.

Every row that cannot be used is told by its number. Unless the user says that the good rows are to be kept, one bad row
keeps all of them out: half a list that looks like a whole one would go unnoticed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from honeyguide.errors import RowsError, TopicError
from honeyguide.topic.sources import Cell, ListRows
from honeyguide.topic.topic import Topic, keyword_and_weight
from honeyguide.web.urls import normalise
from honeyguide.wording import counted

__all__ = ["BadRow", "Imported", "What", "take_in"]

What = Literal["keywords", "examples", "sites"]

_LONGEST_WORD = 200
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# What columns are called, ours first; Chinese tables name them in Chinese.
_URL = ("url", "address", "link", "page", "site", "website", "homepage", "网址", "链接", "地址", "網址", "連結")
_WORD = ("keyword", "word", "term", "phrase", "关键词", "关键字", "词", "词语", "主题词", "關鍵詞", "關鍵字")
_WEIGHT = ("weight", "score", "value", "权重", "权值", "權重")


class BadRow(NamedTuple):
    """A row that cannot be used, and why."""

    row: int
    why: str


class Imported(msgspec.Struct, kw_only=True):
    """What an import brought."""

    what: What
    source: str
    added: list[str] = []
    known: int = 0  # rows the topic had already
    changed: dict[str, tuple[float, float]] = {}  # keywords whose weight is another now: before, now
    left_out: list[BadRow] = []
    unused: list[str] = []  # columns that were not asked for
    notes: list[str] = []


class _Unusable(Exception):  # noqa: N818 - what a row is
    """Why a row cannot be used."""


class _Columns(NamedTuple):
    """Where things stand in a row, and which rows are left behind the heading."""

    main: int
    weight: int | None
    width: int | None
    unused: list[str]
    rows: Sequence[tuple[int, list[Cell]]]


def take_in(
    topic: Topic,
    what: What,
    given: ListRows,
    *,
    columns: Mapping[str, str] | None = None,
    keep_good: bool = False,
) -> tuple[Topic, Imported]:
    """A topic with a list taken into it, and what came of each row; the topic itself stays as it is.

    `columns` says what columns are called, where they have names of their own: {"keyword": "Begriff"}.
    """
    found = _places(what, given, dict(columns or {}))
    reading = _reader(what, given, found)
    good: dict[str, tuple[str, float]] = {}  # by what makes two rows the same
    first: dict[str, int] = {}
    bad: list[BadRow] = []
    for number, cells in found.rows:
        try:
            same, text, weight = reading(cells)
            if same in first:
                raise _Unusable(f"{text!r} stands in row {first[same]} already")
        except _Unusable as error:
            bad.append(BadRow(number, str(error)))
            continue
        first[same] = number
        good[same] = (text, weight)
    _refuse(given, bad, len(found.rows), keep_good=keep_good, good=len(good))
    told = Imported(what=what, source=given.name, left_out=bad, unused=found.unused, notes=list(given.notes))
    return (_with_words if what == "keywords" else _with_pages)(topic, good, told), told


def _refuse(given: ListRows, bad: list[BadRow], total: int, *, keep_good: bool, good: int) -> None:
    if not total:
        raise TopicError(f"{given.name} has a heading and nothing below it: there is nothing to import")
    if bad and not (keep_good and good):
        way = (
            "mend them, or leave them out with --keep-good (in Python: keep_good=True)"
            if good
            else "none is left to keep"
        )
        kind = "row" if total == 1 else "rows"
        raise RowsError(
            f"{len(bad)} of {total} {kind} of {given.name} cannot be used, so nothing was imported: {way}",
            [(one.row, one.why) for one in bad],
        )


# --- which column is which -------------------------------------------------------------------------------------


def _places(what: What, given: ListRows, named: dict[str, str]) -> _Columns:
    """Where things stand: by the heading, or, without one, the first column and the second."""
    wanted = {"keyword": _WORD, "weight": _WEIGHT} if what == "keywords" else {"url": _URL}
    main = next(iter(wanted))
    for name in named:
        if name not in wanted:
            raise TopicError(f"--column {name}=…: {what} have no such column; they have: {', '.join(wanted)}")
    if given.lines:
        if named:
            raise TopicError(f"{given.name} is plain text, one line for each, and has no columns; take out --column")
        return _Columns(0, None, None, [], given.rows)
    heading = [str(cell) for cell in given.rows[0][1]] if given.columns is None else given.columns
    rows = given.rows[1:] if given.columns is None else given.rows
    place = {name: _place(heading, named.get(name), names, name, given.name) for name, names in wanted.items()}
    if place[main] is not None:
        used = [one for one in place.values() if one is not None]
        unused = [name for number, name in enumerate(heading) if number not in used and name]
        return _Columns(place[main] or 0, place.get("weight"), len(heading), unused, rows)
    if given.columns is not None and len(heading) == 1:
        return _Columns(0, None, 1, [], rows)
    if given.columns is None and not named and _is_data(what, given.rows[0][1]):
        both = what == "keywords" and len(heading) > 1
        return _Columns(0, 1 if both else None, None, [], given.rows)
    listed = ", ".join(repr(name[:30]) for name in heading[:10] if name) or "nothing"
    raise TopicError(
        f"{given.name} has no column '{main}'; its columns are {listed}: "
        f"rename the one that is meant, or name it with --column {main}=NAME"
    )


def _place(heading: list[str], named: str | None, names: tuple[str, ...], name: str, source: str) -> int | None:
    clean = [one.strip().strip("\ufeff").casefold() for one in heading]
    for one in (named.strip().casefold(),) if named is not None else names:
        if one in clean:
            if clean.count(one) > 1:
                raise TopicError(f"{source} has two columns {one!r}; rename one of them")
            return clean.index(one)
    if named is not None:
        listed = ", ".join(repr(one[:30]) for one in heading[:10])
        raise TopicError(f"{source} has no column {named!r} for --column {name}={named}; its columns are {listed}")
    return None


def _is_data(what: What, cells: list[Cell]) -> bool:
    """Whether a first row is no heading, but the first of the list."""
    filled = [cell for cell in cells if cell != ""]
    if what != "keywords":
        return len(filled) == 1 and normalise(str(cells[0])) is not None
    return len(filled) == 2 and _number(cells[1], comma=True) is not None


# --- one row ---------------------------------------------------------------------------------------------------


def _reader(what: What, given: ListRows, where: _Columns) -> Callable[[list[Cell]], tuple[str, str, float]]:
    def address(cells: list[Cell]) -> tuple[str, str, float]:
        text = _text(cells, where, "url")
        found = normalise(text)
        if found is None:
            raise _Unusable(f"{text[:100]!r} is not a web address; write it in full, as in 'https://example.org/'")
        return found, found, 1.0

    def line(cells: list[Cell]) -> tuple[str, str, float]:
        text = _readable(str(cells[0]))
        word, tab, weight = text.rpartition("\t")
        try:
            word, value = keyword_and_weight(f"{word.strip()}:{weight.strip()}" if tab else text)
        except TopicError as error:
            raise _Unusable(str(error).removeprefix(f"--keyword {text!r}: ")) from None
        return _same(word), _checked(word), value

    def row(cells: list[Cell]) -> tuple[str, str, float]:
        word = _checked(" ".join(_text(cells, where, "keyword").split()))
        weight = _weight(cells, where, word, comma=given.comma) if where.weight is not None else 1.0
        return _same(word), word, weight

    if what != "keywords":
        return address
    return line if given.lines else row


def _text(cells: list[Cell], where: _Columns, name: str) -> str:
    if where.width is not None and any(cell != "" for cell in cells[where.width :]):
        raise _Unusable(f"it has {counted(len(cells), 'cell')} where the heading has {where.width}; look at its quotes")
    value = cells[where.main] if where.main < len(cells) else ""
    if isinstance(value, bool):
        raise _Unusable(f"its {name} is {str(value).upper()}, which is no text")
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # a sheet keeps 2014 as 2014.0
    text = _readable(str(value).strip())
    if not text:
        raise _Unusable(f"its {name} is empty")
    return text


def _readable(text: str) -> str:
    if "\ufffd" in text:
        raise _Unusable(f"{text[:100]!r} holds bytes that are no text in this encoding")
    if _CONTROL.search(text):
        raise _Unusable(f"{text[:100]!r} holds control characters")
    return text


def _checked(word: str) -> str:
    if len(word) > _LONGEST_WORD:
        raise _Unusable(f"{word[:60] + '…'!r} is longer than the {_LONGEST_WORD} characters of a keyword")
    if word.startswith(("=", "＝")):
        raise _Unusable(f"{word[:100]!r} is a formula, not a word")
    if word.endswith("(a date or time)"):
        raise _Unusable(f"{word[:-17]!r} is a date or time; make its cell text if it is meant as a word")
    return word


def _weight(cells: list[Cell], where: _Columns, word: str, *, comma: bool) -> float:
    value = cells[where.weight] if where.weight is not None and where.weight < len(cells) else ""
    if value == "":
        raise _Unusable(f"the weight of {word!r} is empty")
    number = _number(value, comma=comma)
    if number is None:
        raise _Unusable(f"the weight of {word!r} is not a number: {value!r}")
    if not math.isfinite(number) or number <= 0:
        raise _Unusable(f"the weight of {word!r} must be a number above zero, not {value!r}")
    return number


def _number(value: Any, *, comma: bool) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value.replace(",", ".") if comma and isinstance(value, str) else value)
    except (ValueError, OverflowError):
        return None


def _same(word: str) -> str:
    """What makes two keywords one: case does not, for the judge does not see it either."""
    return word.casefold()


# --- into the topic --------------------------------------------------------------------------------------------


def _with_words(topic: Topic, good: Mapping[str, tuple[str, float]], told: Imported) -> Topic:
    """A weight given anew wins; the word stays as it was spelled."""
    words = dict(topic.keywords)
    spelled = {_same(word): word for word in words}
    for same, (word, weight) in good.items():
        before = words.get(spelled.get(same, word))
        if before is None:
            told.added.append(word)
        elif before == weight:
            told.known += 1
        else:
            told.changed[spelled[same]] = (before, weight)
        words[spelled.get(same, word)] = weight
    return msgspec.structs.replace(topic, keywords=words)


def _with_pages(topic: Topic, good: Mapping[str, tuple[str, float]], told: Imported) -> Topic:
    field = "examples" if told.what == "examples" else "starts"
    before: tuple[str, ...] = getattr(topic, field)
    told.added = [url for url in good if url not in set(before)]
    told.known = len(good) - len(told.added)
    return msgspec.structs.replace(topic, **{field: (*before, *told.added)})
