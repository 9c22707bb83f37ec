"""Pages that say a few words over and over."""

from __future__ import annotations

__all__ = ["stuffed"]

_REPEATED, _EVEN = 5, 10.0  # times each word is said on average; words said equally often that would be as uneven
_ENOUGH, _MANY = 120, 2_000  # words of a page from which on, and up to which, these two are looked at


def stuffed(size: int, terms: int, squares: float) -> str:
    """What to say of a page of so many words, so many of them different, that was stuffed; nothing of any other.

    Of 4,486 real pages of three webs one says so few words so often; the next is as uneven as 14.6 words would be.
    """
    if size >= _ENOUGH and (terms * _REPEATED < min(size, _MANY) or size * size < _EVEN * squares):
        return f"stuffed: it repeats a few of its {terms} words over and over"
    return ""
