"""Where pages lie: one that lies beside pages on the topic is likelier to be on topic itself.

People put what belongs together into one folder, or give it addresses of one form. Words hold a page against the
examples, which are few; the pages met are many, and though nobody said what they are, each has its chance by its words.

    rate(all)   = mean chance of the pages met
    rate(kind)  = (chances of the others of that kind, added up, + 10 * rate of the next wider) / (their number + 10)
    odds        = logit(rate of the narrowest kind) - logit(rate of all), at most 3 either way; of two rows of kinds
                  together

The rows are a page's site and the folders it lies in, and the form of its address: how it ends, and in which folders
side by side. A row is heard only where the chances of the pages met are likelier by it, each page left out, than by the
rate of all: on a web that is filed by the alphabet folders say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec
import numpy as np

from honeyguide.topic.calibrate import Floats, chances_of, log_odds_of

__all__ = ["BESIDE", "PagesBeside", "learn_beside"]

BESIDE = "(pages beside it"  # how what decided begins, where it is that
_MET = 128  # pages met, before where they lie tells anything
_DOUBT = 10.0  # pages that lie there and are as usual, counted in
_SUREST = 3.0  # log-odds that one row may say
_DEEPEST = 4  # folders looked at
_LONGEST = 6  # signs of an ending, its dot included; what is longer is part of a name
_NUMBER = re.compile(r"\d+")

Counts = dict[str, tuple[int, float]]  # of each kind: pages, and the sum of their chances


class PagesBeside(msgspec.Struct):
    """Where the pages met lie, and how likely those of each kind of place are."""

    rows: list[tuple[int, Counts]]  # those that are heard: which row it is, and what is known of its kinds
    chances: dict[str, float]  # of each page that was counted
    usual: float

    def tell(self, url: str) -> tuple[float, str]:
        """What it says of a page, in log-odds, that it lies where it does; and where that is."""
        if not url:
            return 0.0, f"{BESIDE})"
        own, usual, total, most = self.chances.get(url), log_odds_of(self.usual), 0.0, (0.0, "")
        for row, counts in self.rows:
            rate, place = self.usual, ""
            for kind in _ROWS[row](url):
                pages, chances = counts.get(kind, (0, 0.0))
                if own is not None:
                    pages, chances = pages - 1, chances - own
                if pages > 0:
                    rate = (chances + _DOUBT * rate) / (pages + _DOUBT)
                    place = f", in {kind}: {max(chances, 0.0):.0f} of {pages} on topic"
            odds = min(max(log_odds_of(rate) - usual, -_SUREST), _SUREST)
            total += odds
            most = max(most, (abs(odds), place))
        return total, f"{BESIDE}{most[1]})"

    def odds_of(self, urls: Iterable[str]) -> Floats:
        """The same of many pages, without the places."""
        return np.array([self.tell(url)[0] for url in urls])


def learn_beside(met: Sequence[str], odds: Floats, said: Mapping[str, bool] | None = None) -> PagesBeside | None:
    """What it tells where the pages met lie, by their log-odds, and where pages do of which somebody has `said` whether
    they are on topic. None where too few are met, or it tells nothing.
    """
    if len(met) < _MET:
        return None
    chances = chances_of(odds)
    every = dict(zip(met, chances.tolist(), strict=True)) | {url: float(right) for url, right in (said or {}).items()}
    every.pop("", None)
    found = PagesBeside([], every, float(chances.mean()))
    least = _likelihood(chances, np.full(len(met), found.usual))
    rows = []
    for row, kinds in enumerate(_ROWS):
        counts: Counts = {}
        for url, chance in every.items():
            for kind in kinds(url):
                pages, chances_there = counts.get(kind, (0, 0.0))
                counts[kind] = pages + 1, chances_there + chance
        found.rows = [(row, counts)]
        rates = chances_of(found.odds_of(met) + log_odds_of(found.usual))
        if _likelihood(chances, rates) > least:
            rows.append((row, counts))
    found.rows = rows
    return found if rows else None


def _folders(url: str) -> list[str]:
    """The site and the folders a page lies in, the widest first.

    >>> _folders("http://a.test/people/ann/cv.html?lang=en")
    ['a.test/', 'a.test/people/', 'a.test/people/ann/']
    """
    site, *folders = url.partition("?")[0].split("/")[2:]
    found = [f"{site}/"]
    for folder in folders[:-1][:_DEEPEST]:
        found.append(f"{found[-1]}{folder}/")
    return found


def _forms(url: str) -> list[str]:
    """How the address of a page ends on its site, and how it does in folders side by side, whatever their numbers.

    >>> _forms("http://a.test/2014/people/ann/cv.html"), _forms("http://a.test/show?id=7")
    (['a.test/….html', 'a.test/N/people/*/….html'], ['a.test/…?id'])
    """
    path, _, query = url.partition("?")
    site, *folders = path.split("/")[2:]
    name = folders.pop() if folders else ""
    dot = name.rfind(".", max(0, len(name) - _LONGEST))
    ending = f"…{name[dot:].lower() if dot >= 0 else ''}{query and '?'}{query.partition('=')[0]}"
    if not folders:
        return [f"{site}/{ending}"]
    beside = "".join(f"{_NUMBER.sub('N', folder)}/" for folder in folders[:-1])
    return [f"{site}/{ending}", f"{site}/{beside}*/{ending}"]


_ROWS: tuple[Callable[[str], list[str]], ...] = (_folders, _forms)


def _likelihood(chances: Floats, rates: Floats) -> float:
    """How likely chances are where rates are expected."""
    return float(chances @ np.log(rates) + (1.0 - chances) @ np.log(1.0 - rates))
