"""The passage of a text that shows best why it was found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from honeyguide.corpus.query import Phrase
from honeyguide.store.tokens import tokens

__all__ = ["Snippet", "make_snippet"]

WIDTH = 200
"""Characters of the text in a snippet, more or less."""

_PIECE = 10_000  # characters of the text looked at before it is asked whether that is enough
_SLACK = 20  # how far an edge may move to fall between words
_SPACE = re.compile(r"\s")
# Line breaks would break a list of hits; control and direction signs from a page could play tricks on a terminal.
# Each becomes one space, so that positions stay what they were.
_SIGNS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c\ufeff]")

Span = tuple[int, int]


class Snippet(NamedTuple):
    """A passage, with the places in it that matched as (start, end)."""

    text: str
    spans: tuple[Span, ...]


def make_snippet(text: str, phrases: Sequence[Phrase], width: int = WIDTH) -> Snippet:
    """The passage of about `width` characters in which most of the phrases stand, and stand most often.

    >>> make_snippet("Bees make honey. " * 3 + "The queen rules.", [Phrase(("queen",))], width=20)
    Snippet(text='…The queen rules.', spans=((5, 10),))
    >>> make_snippet("京沪高铁今天开通", [Phrase(("高", "铁"))])
    Snippet(text='京沪高铁今天开通', spans=((2, 4),))
    """
    text = _SIGNS.sub(" ", text)
    spans = _occurrences(text, phrases)
    first, last = _densest(spans, width)
    middle = (spans[first][0] + spans[last][1]) // 2 if spans else 0
    start, end = _edges(text, middle, width, spans[first : last + 1])
    passage = text[start:end]
    start += len(passage) - len(passage.lstrip())
    passage = passage.strip()
    before = "…" if text[:start].strip() else ""
    after = "…" if text[start + len(passage) :].strip() else ""
    shift = len(before) - start
    inside = _merged([span[:2] for span in spans if start <= span[0] and span[1] <= start + len(passage)])
    return Snippet(before + passage + after, tuple((one + shift, other + shift) for one, other in inside))


def _occurrences(text: str, phrases: Sequence[Phrase]) -> list[tuple[int, int, int]]:
    """Where the phrases stand: start, end, which phrase; in the order of the text."""
    starts: dict[str, list[int]] = {}
    beginnings: list[tuple[str, int]] = []  # phrases of which even the first word may go on
    for number, phrase in enumerate(phrases):
        if phrase.beginning and len(phrase.tokens) == 1:
            beginnings.append((phrase.tokens[0], number))
        else:
            starts.setdefault(phrase.tokens[0], []).append(number)
    spans: list[tuple[int, int, int]] = []
    for piece in range(0, len(text), _PIECE):
        found = [(token, piece + start, piece + end) for token, start, end in tokens(text[piece : piece + _PIECE])]
        for place, (token, start, _) in enumerate(found):
            begun = [number for beginning, number in beginnings if token.startswith(beginning)]
            for number in (*starts.get(token, ()), *begun):
                run = found[place : place + len(phrases[number].tokens)]
                if _stands(phrases[number], [token for token, _, _ in run]):
                    spans.append((start, run[-1][2], number))
        if len({number for _, _, number in spans}) == len(phrases):
            break  # the rest of a long text could only say it again
    return spans


def _stands(phrase: Phrase, run: list[str]) -> bool:
    *first, last = phrase.tokens
    if len(run) != len(phrase.tokens) or run[:-1] != first:
        return False
    return run[-1].startswith(last) if phrase.beginning else run[-1] == last


def _densest(spans: list[tuple[int, int, int]], width: int) -> tuple[int, int]:
    """The first and last of the spans that fit in one passage and say most: different phrases first, then many."""
    best, chosen = (0, 0), (0, -1)
    counts: dict[int, int] = {}
    first = 0
    for last, (_, end, number) in enumerate(spans):
        counts[number] = counts.get(number, 0) + 1
        while first < last and end - spans[first][0] > width:
            left = spans[first][2]
            counts[left] -= 1
            if not counts[left]:
                del counts[left]
            first += 1
        value = (len(counts), last - first + 1)
        if value > best:
            best, chosen = value, (first, last)
    return chosen


def _edges(text: str, middle: int, width: int, chosen: list[tuple[int, int, int]]) -> Span:
    """A window around the middle, its edges moved between words where words have spaces between them."""
    start = max(0, min(middle - width // 2, len(text) - width))
    end = min(len(text), start + width)
    if chosen:
        start, end = min(start, chosen[0][0]), max(end, min(chosen[-1][1], start + 3 * width))
    if start > 0:
        gap = _SPACE.search(text, start - 1, min(start + _SLACK, chosen[0][0] if chosen else end))
        start = gap.end() if gap else start
    if end < len(text):
        gap_at = text.rfind(" ", max(end - _SLACK, chosen[-1][1] if chosen else start), end + 1)
        end = gap_at if gap_at > start else end
    return start, end


def _merged(spans: list[Span]) -> list[Span]:
    """Spans in order, with those that overlap made one."""
    whole: list[Span] = []
    for start, end in sorted(spans):
        if whole and start < whole[-1][1]:
            whole[-1] = (whole[-1][0], max(end, whole[-1][1]))
        else:
            whole.append((start, end))
    return whole
