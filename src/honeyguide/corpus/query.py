"""What the user typed into the search box, as a question the index understands.

    query  = term …                     all must hold
    term   = part [OR part …]           one of them must hold
    part   = word | word* | "a phrase" | ( query )
             with - or NOT before it: must not hold

Operators are capitals: `or` is a word like any other. Chinese may be written without spaces: it is cut into words, and
each word is looked for as a sequence of characters, traditional or simplified. Nothing the user types is ever taken as
the index's own language: what comes out is made of quoted tokens and of operators that stand here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from honeyguide.errors import HoneyguideError
from honeyguide.store.tokens import bare, tokens
from honeyguide.text.chinese import simplified
from honeyguide.text.terms import words

__all__ = ["Phrase", "Query", "read_query"]

MOST_PARTS = 64
"""Words and phrases one query may have."""

_DEEPEST = 16  # brackets in brackets
_SIGNS = str.maketrans(
    dict.fromkeys("“”„‟«»「」『』＂", '"') | dict.fromkeys("－−", "-") | {"（": "(", "）": ")", "＊": "*", "｜": "|"}
)
_SYMBOL = re.compile(
    r'(?P<no>(?:(?<=[\s(])|^)-(?=[^\s)-])|\bNOT(?=[\s()"]|$))|(?P<open>\()|(?P<close>\))|(?P<either>\||\bOR(?=[\s()"]|$))'
    r'|(?P<both>\bAND(?=[\s()"]|$))|"(?P<phrase>[^"]*)"?(?P<phrase_star>\*?)|(?P<plain>[^\s"()|*]+)(?P<star>\*?)|\*'
)


class Phrase(NamedTuple):
    """Tokens that must stand side by side; the last of them may go on, if it is only the beginning of a word."""

    tokens: tuple[str, ...]
    beginning: bool = False

    def match(self) -> str:
        """The phrase in FTS5's language. Tokens hold only letters and digits: there is no quote in them to escape."""
        return '"' + " ".join(self.tokens) + '"' + ("*" if self.beginning else "")


class Query(NamedTuple):
    """A question in FTS5's language, and the phrases that make a record a good answer to it."""

    match: str
    wanted: tuple[Phrase, ...]


class _Part(NamedTuple):
    """A piece of the question; not wanted, if what it asks for must not hold."""

    match: str
    phrases: tuple[Phrase, ...]
    wanted: bool = True


def read_query(text: str) -> Query:
    """Understand a query; an error in one sentence if that cannot be done.

    >>> read_query('honey "queen bee" -wasps').match
    '(("honey" AND "queen bee") NOT "wasp")'
    >>> read_query("(hiv* OR comb) NOT wasp").match
    '(("hiv"* OR "comb") NOT "wasp")'
    """
    reader = _QueryReader(unicodedata.normalize("NFC", text).translate(_SIGNS))
    found = reader.all_of(depth=0)
    if found is None:
        raise HoneyguideError("the search is empty: give at least one word to look for")
    if not found.wanted:
        raise HoneyguideError("the search only excludes words: give at least one word to look for as well")
    return Query(found.match, tuple(dict.fromkeys(found.phrases)))


class _QueryReader:
    """Reads a query from left to right."""

    def __init__(self, text: str) -> None:
        self._symbols = list(_SYMBOL.finditer(text))
        self._place = 0
        self._count = 0

    def _next(self) -> re.Match[str] | None:
        return self._symbols[self._place] if self._place < len(self._symbols) else None

    def _take(self, name: str) -> bool:
        """Whether the next symbol is one of this name; if so it is taken."""
        symbol = self._next()
        if symbol is None or symbol.lastgroup != name:
            return False
        self._place += 1
        return True

    def all_of(self, depth: int) -> _Part | None:
        """Terms up to the end or a closing bracket; nothing, if there are none."""
        terms: dict[str, _Part] = {}
        while self._next() is not None:
            if depth and self._take("close"):
                break
            if self._take("close") or self._take("both"):
                continue  # a bracket that was never opened; AND goes without saying
            term = self._one_of(depth)
            if term is not None:
                terms.setdefault(f"{term.wanted}{term.match}", term)
        return _joined(terms.values())

    def _one_of(self, depth: int) -> _Part | None:
        """A part, or several with OR between them."""
        parts = [self._part(depth)]
        while self._take("either"):
            following = self._next()
            if following is None or following.lastgroup in ("close", "both", "either"):
                raise _operator("OR")
            parts.append(self._part(depth))
        if len(parts) == 1:
            return parts[0]
        there = [part for part in parts if part is not None]
        if not all(part.wanted for part in there):
            raise HoneyguideError("what is excluded cannot stand beside OR: write it after what is to be found")
        return _either(there)

    def _part(self, depth: int) -> _Part | None:
        refused = False
        while self._take("no"):
            refused = not refused
        symbol = self._next()
        if symbol is None or symbol.lastgroup in ("either", "close", "both"):
            raise _operator("OR" if symbol is not None and symbol.lastgroup == "either" else "NOT")
        self._place += 1
        if not symbol["open"]:
            part = self._words(symbol, whole=refused)
        elif depth < _DEEPEST:
            part = self.all_of(depth + 1)
        else:
            raise HoneyguideError(f"the search cannot be understood: more than {_DEEPEST} brackets in each other")
        return part._replace(wanted=part.wanted != refused) if part is not None else None

    def _words(self, symbol: re.Match[str], *, whole: bool) -> _Part | None:
        """What a word, the beginning of one or a phrase asks for.

        A word may be cut into several (a Chinese compound, state-of-the-art), which must all occur; a phrase is taken
        as a `whole`, and so is what is excluded.
        """
        phrase, star = symbol["phrase"], bool(symbol["star"] or symbol["phrase_star"])
        text = phrase if phrase is not None else symbol["plain"] or ""
        pieces = [text] if whole or phrase is not None else words(simplified(text))
        asked = [_phrases(piece, beginning=False) for piece in pieces[:-1]]
        asked += [_phrases(piece, beginning=star) for piece in pieces[-1:]]
        self._count += sum(map(len, asked))
        if self._count > MOST_PARTS:
            raise HoneyguideError(
                f"the search is too long: at most {MOST_PARTS} words and phrases can be asked for at once"
            )
        return _joined(
            part for found in asked if (part := _either([_Part(one.match(), (one,)) for one in found])) is not None
        )


def _phrases(text: str, *, beginning: bool) -> list[Phrase]:
    """The forms in which a text may stand in the index; none, if there is no word in it."""
    places = list(tokens(text))
    found = tuple(token for token, _, _ in places)
    if not found:
        return []
    if not beginning:
        return [Phrase(found)]
    # Words are kept without their endings: of `hives*`, the index knows `hive` as well as what begins with `hives`.
    last = bare(text[places[-1][1] : places[-1][2]])
    forms = [Phrase((*found[:-1], last), beginning=True)]
    return forms if found[-1].startswith(last) else [*forms, Phrase(found)]


def _joined(given: Iterable[_Part]) -> _Part | None:
    """Parts that must all hold; if all of them are excluded, so is what they are together."""
    parts = list(given)
    wanted = [part for part in parts if part.wanted]
    unwanted = [part for part in parts if not part.wanted]
    if not wanted:
        refused = _either([part._replace(wanted=True) for part in unwanted])
        return refused and refused._replace(wanted=False)
    match = wanted[0].match if len(wanted) == 1 else "(" + " AND ".join(part.match for part in wanted) + ")"
    if unwanted:
        match = " NOT ".join([match, *(part.match for part in unwanted)])
        match = f"({match})"
    return _Part(match, tuple(phrase for part in wanted for phrase in part.phrases))


def _either(parts: list[_Part]) -> _Part | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    match = "(" + " OR ".join(part.match for part in parts) + ")"
    return _Part(match, tuple(phrase for part in parts for phrase in part.phrases))


def _operator(name: str) -> HoneyguideError:
    return HoneyguideError(
        f'{name} needs something to look for beside it; to look for the word itself, write "{name}" in quotes'
    )
