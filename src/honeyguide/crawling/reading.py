"""A visited page in its own words: its text, as far as the crawl kept it, and how it spells what decided on it.

The judge knows terms: stems of words, which nobody writes. How a page writes them is found out when somebody asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice

from honeyguide.page.blocks import unmarked
from honeyguide.page.digest import Digest, decode
from honeyguide.page.parse import Parser
from honeyguide.page.pdf import is_pdf, read
from honeyguide.page.record import Record
from honeyguide.store import Folder, Store, VisitRow
from honeyguide.text.terms import counted_words, tokenizer
from honeyguide.web.base import Response
from honeyguide.web.warc import read_response

__all__ = ["as_its_page_writes", "as_written", "page_text", "page_wording", "spellings"]

_MOST = 200_000  # characters that are read
_MOST_PAGES = 300  # looked into for the spelling of terms
_CUT_IN_FRONT = frozenset(("ar", "nl", "tr"))  # languages whose terms may begin with another letter than the word does


def page_text(folder: Folder, store: Store, visit: VisitRow) -> str:
    """The text of a page: that of its record, or of what the server answered, or at least what its links are called."""
    record = store.records.get(visit.id)
    text = record.text if record is not None else ""
    if not text and (answer := _answer(folder, visit)) is not None:
        text = _shown(answer)
    if not text and (blob := store.digest(visit.id)) is not None:
        text = _digested(decode(blob))
    return text[:_MOST]


def page_wording(folder: Folder, store: Store, visit: VisitRow) -> str:
    """All that a page says, for the spelling of its terms: a judge reads more of it than its main text."""
    record, answer, blob = store.records.get(visit.id), _answer(folder, visit), store.digest(visit.id)
    said = [visit.title, record.text[:_MOST] if record is not None else ""]
    if answer is not None and not (record is not None and is_pdf(answer.body)):
        said.append(_shown(answer, whole=True)[:_MOST])
    said.append(_digested(decode(blob))[:_MOST] if blob is not None else "")
    return "\n".join(said)


def as_its_page_writes(
    folder: Folder, store: Store, visit: VisitRow, found: Iterable[tuple[str, float]], record: Record | None
) -> list[tuple[str, float]]:
    """Terms with their weights, as a visited page spells them, given its record if it has one.

    The record's text nearly always has all of them, and what its links are called most of the others. To unpack and
    read the whole page takes ten times as long, and a report asks for hundreds; so that is done only for the rest.
    """
    wanted = dict(found)
    for said in _said(store, visit, record) if record is not None and wanted else ():
        times = counted_words(said)
        spelled = _spelled(wanted, times, visit.language)
        # Words of the topic come as the topic writes them; and what is in brackets is the name of no word.
        missing = {term.lower() for term in wanted if term not in spelled and term[:1] != "("}
        if not missing or missing <= {word.lower() for word in times}:
            return [(spelled.get(term, term), part) for term, part in wanted.items()]
    return as_written(wanted.items(), page_wording(folder, store, visit) if wanted else "", visit.language)


def _said(store: Store, visit: VisitRow, record: Record) -> Iterator[str]:
    """What is soon read of a page that has a record: less at first, then more."""
    text = f"{visit.title}\n{record.text[:_MOST]}"
    yield text
    if (blob := store.digest(visit.id)) is not None:
        yield f"{text}\n{_digested(decode(blob))[:_MOST]}"


def _answer(folder: Folder, visit: VisitRow) -> Response | None:
    if visit.warc is None or visit.warc_size is None or not folder.warc.exists():
        return None
    return read_response(folder.warc, visit.warc, visit.warc_size)


def _shown(answer: Response, *, whole: bool = False) -> str:
    if is_pdf(answer.body):
        return read(answer.body).text()
    return Parser().text(answer.body, charset=answer.charset, whole=whole)


def _digested(page: Digest) -> str:
    blocks = (unmarked(block.text) for block in page.blocks)
    said = [page.description, *blocks, *(link.anchor for link in page.links)]
    return "\n".join(filter(None, said))


def as_written(found: Iterable[tuple[str, float]], text: str, language: str = "") -> list[tuple[str, float]]:
    """Terms with their weights, each as a text spells it most often; as it is if the text does not have it.

    >>> as_written([("vehicl", 1.2), ("council", -0.4)], "Vehicles! A vehicle, vehicles; the councils.")
    [('vehicles', 1.2), ('councils', -0.4)]
    """
    wanted = dict(found)
    spelled = _spelled(wanted, counted_words(text), language)
    return [(spelled.get(term, term), part) for term, part in wanted.items()]


def _spelled(wanted: Collection[str], times: Counter[str], language: str) -> dict[str, str]:
    """How a text spells terms most often, those that it has; given how many times it has each word."""
    spelled: dict[str, Counter[str]] = {}
    near = list(times)
    if language not in _CUT_IN_FRONT:  # then few of a text's words can have these terms, and only they need be read
        letters = {letter for term in wanted for letter in (term[:1], term[:1].upper())}
        near = [word for word in times if word[0] in letters or not (word.isascii() and word.isalnum())]
    for word, said in zip(near, tokenizer(language or "en").together(near), strict=True):
        for term in said:
            if term in wanted:
                bare = word.removesuffix("'s").removesuffix("’s")
                spelled.setdefault(term, Counter())[bare if bare.isupper() else bare.lower()] += times[word]
    return {term: spelling.most_common(1)[0][0] for term, spelling in spelled.items()}


def spellings(folder: Folder, store: Store, terms: Iterable[str]) -> dict[str, str]:
    """How the pages of a crawl write terms, those on topic first; what none of them writes is left out."""
    wanted, found = set(terms), dict[str, str]()
    pages = chain(store.visits("page", on_topic=True, originals=True), store.visits("page", originals=True))
    for visit in islice(pages, _MOST_PAGES):
        if not wanted:
            break
        blob = store.digest(visit.id)
        if blob is not None and not wanted.isdisjoint(decode(blob).terms):
            found |= _spelled(wanted, counted_words(page_wording(folder, store, visit)), visit.language)
            wanted -= found.keys()
    return found
