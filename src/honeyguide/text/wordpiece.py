"""Cuts text into the pieces of words that a sentence encoder reads: the WordPiece code of uncased BERT.

    text  -> lower case, without accents; words, each punctuation mark and each Chinese character by itself
    word  -> the longest piece of the vocabulary that it begins with, then the longest that goes on, and so on

A word that cannot be cut to its end is one unknown piece. Pieces that go on begin with two hashes in the vocabulary.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

__all__ = ["WordPieces"]

_UNKNOWN, _BEGIN, _END = "[UNK]", "[CLS]", "[SEP]"
_LONGEST = 100  # signs of a word; a longer one is unknown
_PLAIN = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")  # of ASCII text in lower case
_UNWRITTEN = ("Cc", "Cf", "Co", "Cs")
# Signs that are written without spaces between words, each of which is read as a word.
_IDEOGRAPHS = re.compile(
    "([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    "\U0002b920-\U0002ceaf\U0002f800-\U0002fa1f])"
)


class WordPieces:
    """The numbers of the pieces of texts.

    Parameters
    ----------
    numbers
        The vocabulary: the number of each piece.

    >>> pieces = WordPieces({"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "bee": 3, "##hive": 4, "##s": 5})
    >>> pieces.of("Beehives, b\u00e9e!", most=8)
    [1, 3, 4, 5, 0, 3, 0, 2]
    """

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._numbers = numbers
        self._unknown, self._begin, self._end = (numbers[one] for one in (_UNKNOWN, _BEGIN, _END))

    def of(self, text: str, most: int) -> list[int]:
        """The pieces of a text, between a begin and an end; at most so many with these."""
        found = [self._begin]
        for word in _words(text):
            found += self._cut(word)
            if len(found) >= most:
                break
        return [*found[: most - 1], self._end]

    def _cut(self, word: str) -> list[int]:
        whole = self._numbers.get(word)
        if whole is not None:
            return [whole]
        if len(word) > _LONGEST:
            return [self._unknown]
        pieces, begin = [], 0
        while begin < len(word):
            before = "##" if begin else ""
            for end in range(len(word), begin, -1):
                number = self._numbers.get(before + word[begin:end])
                if number is not None:
                    pieces.append(number)
                    begin = end
                    break
            else:
                return [self._unknown]
        return pieces


def _words(text: str) -> Iterator[str]:
    """Words, punctuation marks and Chinese characters, one by one."""
    if text.isascii() and text.isprintable():
        yield from _PLAIN.findall(text.lower())
        return
    text = _IDEOGRAPHS.sub(r" \1 ", "".join(_clean(text)))
    text = "".join(one for one in unicodedata.normalize("NFD", text) if unicodedata.category(one) != "Mn")
    for word in text.lower().split():
        begin = 0
        for place, sign in enumerate(word):
            if _punctuation(sign):
                if place > begin:
                    yield word[begin:place]
                yield sign
                begin = place + 1
        if begin < len(word):
            yield word[begin:]


def _clean(text: str) -> Iterator[str]:
    """Spaces for all white space, nothing for signs that are not written."""
    for sign in text:
        kind = unicodedata.category(sign)
        if sign in "\t\n\r" or kind == "Zs":
            yield " "
        elif sign != "\ufffd" and kind not in _UNWRITTEN:
            yield sign


def _punctuation(sign: str) -> bool:
    """Signs of ASCII that are no letters and no digits count as such, too."""
    return (sign.isascii() and not sign.isalnum()) or unicodedata.category(sign)[0] == "P"
