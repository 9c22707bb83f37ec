"""A visited page in its own words: its text, as far as the crawl kept it, and how it spells what decided on it.

The judge knows terms: stems of words, which nobody writes. How a page writes them is found out when somebody asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from honeyguide.page.digest import decode
from honeyguide.page.parse import Parser
from honeyguide.page.pdf import is_pdf, read
from honeyguide.store import Folder, Store, VisitRow
from honeyguide.text.terms import tokenizer, words
from honeyguide.web.base import Response
from honeyguide.web.warc import read_response

__all__ = ["as_written", "page_text"]

_MOST = 200_000  # characters that are read


def page_text(folder: Folder, store: Store, visit: VisitRow) -> str:
    """The text of a page: that of its record, or of what the server answered, or at least what its links are called."""
    record = store.records.get(visit.id)
    text = record.text if record is not None else ""
    if not text and visit.warc is not None and visit.warc_size is not None and folder.warc.exists():
        answer = read_response(folder.warc, visit.warc, visit.warc_size)
        text = _shown(answer) if answer is not None else ""
    if not text and (blob := store.digest(visit.id)) is not None:
        page = decode(blob)
        said = [page.description, *(block.text for block in page.blocks), *(link.anchor for link in page.links)]
        text = "\n".join(filter(None, said))
    return text[:_MOST]


def _shown(answer: Response) -> str:
    return read(answer.body).text() if is_pdf(answer.body) else Parser().text(answer.body, charset=answer.charset)


def as_written(found: Iterable[tuple[str, float]], text: str, language: str = "") -> list[tuple[str, float]]:
    """Terms with their weights, each as a text spells it most often; as it is if the text does not have it.

    >>> as_written([("vehicl", 1.2), ("council", -0.4)], "Vehicles! A vehicle, vehicles; the councils.")
    [('vehicles', 1.2), ('councils', -0.4)]
    """
    wanted = dict(found)
    spelled: dict[str, Counter[str]] = {}
    times = Counter(words(text))
    for word, said in zip(times, tokenizer(language or "en").together(list(times)), strict=True):
        for term in said:
            if term in wanted:
                spelled.setdefault(term, Counter())[word if word.isupper() else word.lower()] += times[word]
    return [(spelled[term].most_common(1)[0][0] if term in spelled else term, part) for term, part in wanted.items()]
