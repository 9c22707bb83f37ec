"""Is a page but a list of other pages: a front page, a section, a directory? Then it is no article, whatever it claims.

Two shapes of it: links and hardly a sentence outside them; or headlines that are links, each with its teaser beside it,
and little else. A page with a story of its own is none, however many others it leads to.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from honeyguide.page.article import SENTENCE, size

__all__ = ["is_index"]

_SILENT = frozenset(("script", "style", "noscript", "template", "svg", "iframe"))
_HEADINGS = frozenset(("h2", "h3", "h4", "h5"))
_LINKS, _TEASERS = 10, 5  # fewer are not a list of anything
_TEASER = 1_200  # bytes that may stand with a headline in one box, or in paragraphs side by side; more is a story
_MOST = 0.6  # of the sentences: in teasers


def is_index(tree: Any) -> bool:
    """Whether a parsed page (an lxml element) leads to stories and is none."""
    sentences: dict[Any, int] = {}  # by the element they stand in
    letters = linked = links = 0
    headlines: list[Any] = []
    inside = None  # the link we are in
    for element in tree.iter("*"):
        if element.tag in _SILENT:
            continue
        if element.tag == "a":
            inside, links = element, links + 1
        within = inside is not None and any(above is inside for above in islice(_and_above(element), 5))
        if element.tag in _HEADINGS and (element.find(".//a") is not None or within):
            headlines.append(element)
        run = size(element.text)
        letters, linked = letters + run, linked + (run if within else 0)
        for length in (0 if within else run, *(size(child.tail) for child in element)):
            if length >= SENTENCE:
                sentences[element] = sentences.get(element, 0) + length
        letters += sum(size(child.tail) for child in element)
    total = sum(sentences.values())
    if total < 2 * SENTENCE:
        return links >= _LINKS and 2 * linked >= letters
    teasers = _teasers(headlines, sentences)
    listed = len(teasers) >= _TEASERS and sum(teasers.values()) >= _MOST * total
    return listed and not _tells(sentences, teasers)


def _and_above(element: Any) -> Any:
    yield element
    yield from element.iterancestors()


def _teasers(headlines: list[Any], sentences: dict[Any, int]) -> dict[Any, int]:
    """The boxes that hold a linked headline and its teaser, and how much the teaser says."""
    found: dict[Any, int] = {}
    for headline in headlines:
        for box in islice(headline.iterancestors(), 3):
            said = sum(sentences.get(element, 0) for element in islice(box.iter("*"), 60))
            if said:
                if said <= _TEASER:
                    found[box] = said
                break
    holders = {above for box in found for above in box.iterancestors() if above in found}
    return {box: said for box, said in found.items() if box not in holders}  # what holds teasers would count them again


def _tells(sentences: dict[Any, int], teasers: dict[Any, int]) -> bool:
    """Whether a story stands beside the teasers: paragraphs side by side that say enough."""
    told: dict[Any, int] = {}
    for element, said in sentences.items():
        if element.tag == "p" and not any(above in teasers for above in element.iterancestors()):
            beside = element.getparent()
            told[beside] = told.get(beside, 0) + said
    return max(told.values(), default=0) > _TEASER
