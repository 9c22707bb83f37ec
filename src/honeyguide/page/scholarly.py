"""What only scholarly pages have: an abstract, keywords of the authors' own, references.

From the tags that indexes read where the page has them, else from its blocks; these are made only for a page that says
it is scholarly and leaves something to be found.
"""

from __future__ import annotations

import re

from honeyguide.page.metadata import Evidence, plain
from honeyguide.page.record import Record
from honeyguide.page.structure import Structure, structure

__all__ = ["complete", "is_scholarly"]

_MOST_KEYWORDS, _LONGEST_KEYWORD = 30, 80
_MOST_REFERENCES, _LONGEST_REFERENCE = 300, 500
_LONGEST = 20_000  # characters of an abstract
_SHORTEST = 100  # an abstract has more; less is a heading, or a note that there is none
_PROSE, _LANDING = 250, 4_000  # letters of a paragraph, and of all paragraphs of a page that shows but the abstract
_BETWEEN = re.compile(r"\s*[;；,，、·•|\n]\s*")
_STRONGER = re.compile(r"\s*[;；\n]\s*")
_LABEL = re.compile(
    r"\s*(?:(?:key ?-?words?|index terms|abstract|summary|r[ée]sum[ée]|tags|subjects)\b|摘\s*要|关键[词字])"
    r"\s*[:：.]?\s*",
    re.IGNORECASE,
)
_PAIR = re.compile(r"citation_(\w+)\s*=\s*([^;]*)")
_TOLD = ("author", "title", "journal_title", "conference_title", "inbook_title", "publication_date", "year", "doi")


def is_scholarly(found: Evidence) -> bool:
    """Whether a page has the tags of a scholarly work."""
    if any(name.startswith(("citation_", "prism.", "bepress_citation_")) for name in found.metas):
        return True
    kinds = found.article.get("@type")
    return "ScholarlyArticle" in (kinds if isinstance(kinds, list) else [kinds])


def complete(record: Record, found: Evidence, body: bytes) -> None:
    """Add what a scholarly page has besides the rest; other records stay as they are."""
    if not is_scholarly(found):
        return
    (abstract, weak), keywords, references = _abstract(found), _keywords(found), _references(found)
    if not (abstract and keywords and references):
        blocks = structure(body)
        abstract = abstract or _seen_abstract(blocks, weak)
        keywords = keywords or _split(blocks.texts("keywords"))
        references = references or [text for text in blocks.texts("references") if len(text) >= _LONGEST_KEYWORD // 4]
    if abstract:
        record.extra["abstract"] = abstract[:_LONGEST]
    if keywords:
        record.keywords = keywords
    if references:
        record.extra["references"] = "\n".join(one[:_LONGEST_REFERENCE] for one in references[:_MOST_REFERENCES])


def _abstract(found: Evidence) -> tuple[str, str]:
    """What a page's tags call its abstract, and what may be one: what it shows in search results, often cut short."""
    strong = [
        *found.all("citation_abstract", "dc.abstract", "dc.description.abstract"),
        plain(found.article.get("abstract")),
    ]
    weak = [
        *found.all("dc.description"),
        found.first("og:description"),
        found.first("description"),
        plain(found.article.get("description")),
    ]
    return _longest(strong), _longest(weak)


def _longest(claims: list[str]) -> str:
    """Of texts that begin as the first does, the one that goes on longest."""
    real = [_unlabelled(claim) for claim in claims if len(claim) >= _SHORTEST]
    if not real:
        return ""
    head = real[0][:40].casefold()
    return max((claim for claim in real if claim[:40].casefold() == head), key=len)


def _seen_abstract(blocks: Structure, weak: str) -> str:
    """The abstract as the page shows it: what it calls so, else the text of a page that has little else."""
    text = " ".join(filter(None, [_unlabelled(text) for text in blocks.texts("abstract")]))
    if len(text) >= _SHORTEST:
        return text
    prose = [text for text in blocks.texts("body") if len(text) >= _PROSE]
    alike = [text for text in prose if weak and text[:40].casefold() == weak[:40].casefold()]
    if not alike and prose and sum(map(len, prose)) <= _LANDING:
        return prose[0]
    return max([*alike, weak], key=len)


def _unlabelled(text: str) -> str:
    return _LABEL.sub("", text, count=1) if _LABEL.match(text) else text


def _keywords(found: Evidence) -> list[str]:
    said = found.all("citation_keywords", "citation_keyword") or found.all("dc.subject", "dc.subjects")
    linked = found.article.get("keywords")
    if not said and linked:
        said = [plain(one) for one in (linked if isinstance(linked, list) else [linked])]
    return _split(said)


def _split(said: list[str]) -> list[str]:
    """Single keywords out of lists of them, however they are written.

    >>> _split(["Keywords: bees, dances; wax", "honey"])
    ['bees, dances', 'wax', 'honey']
    """
    found: dict[str, None] = {}
    for text in said:
        parts = _STRONGER if _STRONGER.search(text) else _BETWEEN
        for one in parts.split(_unlabelled(text)):
            one = one.strip(" .:")
            if 1 < len(one) <= _LONGEST_KEYWORD:
                found.setdefault(one)
    return list(found)[:_MOST_KEYWORDS]


def _references(found: Evidence) -> list[str]:
    return [_readable(one) for one in found.all("citation_reference")]


def _readable(reference: str) -> str:
    """A reference of citation tags as people write it.

    >>> _readable("citation_title=Combs; citation_author=A. Lee; citation_author=B. Dow; citation_year=1999")
    'A. Lee, B. Dow. Combs. 1999'
    """
    parts = _PAIR.findall(reference)
    if not parts:
        return reference
    told = {name: ", ".join(value.strip() for key, value in parts if key == name) for name in _TOLD}
    return ". ".join(filter(None, told.values()))
