"""Text from the web made safe for a terminal; apart, for it is needed before anything heavy is loaded."""

from __future__ import annotations

__all__ = ["plain"]


def plain(text: str) -> str:
    """Text without control characters and escape sequences.

    >>> plain("evil\\x1b[2Jtitle")
    'evil [2Jtitle'
    """
    return "".join(sign if sign.isprintable() else " " for sign in text)
