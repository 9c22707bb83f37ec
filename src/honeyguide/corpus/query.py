"""What the user typed into the search box, as a question the index understands.

Plain words must all occur; a "quoted phrase" must occur as it stands; a word or phrase with a minus before it must
not. Chinese may be written without spaces: it is cut into words, and each word is looked for as a sequence of
characters. Nothing the user types is ever taken as the index's own language.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from honeyguide.errors import HoneyguideError
from honeyguide.store.tokens import tokens
from honeyguide.text.terms import words

__all__ = ["Query", "read_query"]

MOST_PARTS = 64
"""Words and phrases one query may have."""

_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»「」『』＂", '"') | dict.fromkeys("－−", "-"))
_PART = re.compile(r'(?P<minus>(?<!\S)-)?(?:"(?P<phrase>[^"]*)"?|(?P<plain>[^\s"]+))')

Phrase = tuple[str, ...]


class Query(NamedTuple):
    """Phrases (often of one word) that must occur, and phrases that must not; each a sequence of tokens."""

    wanted: tuple[Phrase, ...]
    unwanted: tuple[Phrase, ...]

    def match(self) -> str:
        """The query in FTS5's language, every token quoted."""
        question = " AND ".join(_quoted(phrase) for phrase in self.wanted)
        return " NOT ".join([f"({question})", *(_quoted(phrase) for phrase in self.unwanted)])


def read_query(text: str) -> Query:
    """Understand a query; an error in one sentence if there is nothing to look for.

    >>> read_query('honey "queen bee" -wasps')
    Query(wanted=(('honey',), ('queen', 'bee')), unwanted=(('wasp',),))
    """
    wanted: dict[Phrase, None] = {}
    unwanted: dict[Phrase, None] = {}
    for part in _PART.finditer(unicodedata.normalize("NFC", text).translate(_QUOTES)):
        phrase = part["phrase"]
        # An excluded word that is cut into several (a Chinese compound, state-of-the-art) is excluded as a whole.
        whole = phrase is not None or part["minus"] is not None
        pieces = [phrase or part["plain"] or ""] if whole else words(part["plain"])
        found = filter(None, (tuple(token for token, _, _ in tokens(piece)) for piece in pieces))
        (unwanted if part["minus"] else wanted).update(dict.fromkeys(found))
    if not wanted:
        raise HoneyguideError(
            "the search is empty: give at least one word to look for"
            if not unwanted
            else "the search only excludes words: give at least one word to look for as well"
        )
    if len(wanted) + len(unwanted) > MOST_PARTS:
        raise HoneyguideError(
            f"the search is too long: at most {MOST_PARTS} words and phrases can be asked for at once"
        )
    return Query(tuple(wanted), tuple(unwanted))


def _quoted(phrase: Phrase) -> str:
    # Tokens hold nothing but letters and digits, so there is no quote in them to escape.
    return '"' + " ".join(phrase) + '"'
