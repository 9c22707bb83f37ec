"""Traps: places without end that have nothing new to show, told by what a visit brought and by nothing else.

Addresses that differ only in numbers, in words with a digit in them, or in the values of their query are a family:
the days of a calendar, the pages of a list, one page under many session ids. A family, a host, or all hosts of a
site together are left alone once enough visits have brought almost nothing new and led to nothing new, and so is a
site of which one host after the other fails. It costs a few look-ups per page and next to nothing per link.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from honeyguide.frontier import Frontier, pattern_of
from honeyguide.store import VisitRow
from honeyguide.web.urls import path_of, site_of

__all__ = ["SITEMAPS_ONLY", "Traps"]

SITEMAPS_ONLY = "names further sitemaps and no page"

_FAMILY, _HOST, _DEAD = 16, 64, 30  # visits of a family, visits of a host, dead hosts of a site that are enough
_SHARE = 0.9  # of the visits that brought nothing new
_ALIKE = 16  # bits of 64 in which two texts of one family may differ and still be the same page; by chance, 32 do
_PRINTS = 4  # texts of a family that are remembered
_MOST_FAMILIES = 50_000


class _Family:
    __slots__ = ("barren", "fruit", "prints", "visits")

    def __init__(self) -> None:
        self.visits = self.barren = self.fruit = 0
        self.prints: list[int] = []

    def repeats(self, print_: int) -> bool:
        """Whether a text is one that was shown before, give or take a date or a name."""
        if any((print_ ^ known).bit_count() <= _ALIKE for known in self.prints):
            return True
        self.prints = [*self.prints[1 - _PRINTS :], print_]
        return False


class Traps:
    """What the visits so far say of families, hosts and sites."""

    def __init__(self, frontier: Frontier, *, watch: bool, pages: int) -> None:
        self._frontier = frontier
        self.watch = watch  # a race counts every page: there, nothing is refused
        self._site: list[str] = []  # of each host, by its number
        self._families: dict[int, _Family] = {}
        self._closed: dict[int, str] = {}  # what is left alone, and why
        self._lively: set[int] = set()  # hosts that brought something new
        self._dead: dict[str, set[int]] = {}  # hosts of a site that have failed and never brought anything new
        self._known: Counter[str] = Counter()
        self.most = max(200_000, 200 * pages)  # addresses of one site: more than a crawl could ever choose from
        self.crowded: Counter[str] = Counter()  # links not taken in because of it

    def _site_of(self, host: int) -> str:
        while len(self._site) <= host:
            self._site.append(site_of(f"http://{self._frontier.hosts[len(self._site)].name}/"))
        return self._site[host]

    def take_in(self, hosts: Sequence[int]) -> bool:
        """Count addresses of hosts all at once; if that may be too much for a site, nothing is done but to say so."""
        if not self.watch:
            return True
        sites: Counter[str] = Counter()
        for host, count in Counter(hosts).items():
            sites[self._site_of(host)] += count
        if any(self._known[site] + count > self.most for site, count in sites.items()):
            return False
        self._known.update(sites)
        return True

    def full(self, host: int) -> bool:
        """Count one more address of a host; says whether its site has had its share already."""
        if not self.watch:
            return False
        site = self._site_of(host)
        if self._known[site] >= self.most:
            self.crowded[site] += 1
            return True
        self._known[site] += 1
        return False

    def _groups(self, host: int, url: str) -> tuple[tuple[int, int, str], ...]:
        """The groups an address belongs to: a number for each, the visits it takes, and its name for people."""
        name, site = self._frontier.hosts[host].name, self._site_of(host)
        path = path_of(url)
        folded = pattern_of(path)
        found = [(hash(host), _HOST, f"of {name}")]
        if folded != path:
            found.append((hash((host, folded)), _FAMILY, f"like {name}{folded[:100]}"))
        if not name.startswith(f"{site}:"):
            found.append((hash((site, folded)), _FAMILY, f"like *.{site}{folded[:100]}"))
        return tuple(found)

    def refusal(self, host: int, url: str) -> str:
        """Why an address is not worth a visit; empty when it may be."""
        if not self.watch:
            return ""
        if self._dead and host not in self._lively:
            site = self._site_of(host)
            if len(self._dead.get(site, ())) >= _DEAD:
                return f"{_DEAD} hosts of {site} failed or brought nothing at all, as in a trap"
        if self._closed:
            for key, _, _ in self._groups(host, url):
                if key in self._closed:
                    return self._closed[key]
        return ""

    def failed(self, host: int) -> None:
        """A host gave no answer; at the first failure already, for names cost nothing and there may be thousands."""
        if self.watch and host not in self._lively:
            self._dead.setdefault(self._site_of(host), set()).add(host)

    def met(self, host: int, url: str, visit: VisitRow, parent: tuple[int, str] | None) -> None:
        """An address was visited; `parent` is the host and address of the page that led to it."""
        if not self.watch or visit.outcome == "failed":
            return
        barren = self._barren(url, visit)
        fresh = not barren
        for key, enough, named in self._groups(host, url):
            family = self._families.get(key)
            if family is None:
                family = self._families[key] = _Family()
            family.visits += 1
            if barren or (visit.outcome == "page" and family.repeats(visit.fingerprint)):
                family.barren += 1
                fresh = False
            spent = family.barren >= _SHARE * family.visits and family.fruit < (1 - _SHARE) * family.visits
            if spent and family.visits >= enough and key not in self._closed:
                told = f"{family.barren} of {family.visits} addresses {named} brought nothing new, as in a trap"
                self._closed[key] = told
        if fresh:
            self._lively.add(host)
            self._dead.get(self._site_of(host), set()).discard(host)
            if parent is not None:
                self._credit(*parent)
        if len(self._families) > _MOST_FAMILIES:
            self._forget()

    def _credit(self, host: int, url: str) -> None:
        """A page led to something new: a list of pages may say the same on every leaf and still be worth turning."""
        for key, _, _ in self._groups(host, url):
            family = self._families.get(key)
            if family is not None:
                family.fruit += 1
                if family.fruit >= (1 - _SHARE) * family.visits:
                    self._closed.pop(key, None)

    @staticmethod
    def _barren(url: str, visit: VisitRow) -> bool:
        """Whether a visit brought nothing new: no page, a copy, hardly a word, or the way to its own like."""
        if visit.outcome == "page":
            return visit.duplicate is not None or not visit.fingerprint
        if visit.outcome == "feed":
            return not visit.links or visit.detail == SITEMAPS_ONLY
        if visit.outcome == "redirect":
            return pattern_of(visit.detail.partition(" ")[0]) == pattern_of(url)
        return visit.outcome in ("missing", "unwanted")

    def _forget(self) -> None:
        """Make room: families that never grew are most of them, and say least."""
        self._families = {key: family for key, family in self._families.items() if family.visits > 2}
        if len(self._families) > _MOST_FAMILIES // 2:
            self._families.clear()
