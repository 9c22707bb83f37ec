"""A day in the life of the demo web: articles appear, change and vanish, by a clock that may be driven.

Three of its sites publish, each at an interval of its own: what is new then stands on the front page, in a section, and
in the feed or sitemap the site has. Some articles get a further paragraph, some are taken down. All of it follows from
the seed; links to what is not there are no links at that hour.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape, unescape
from urllib.parse import urljoin

from honeyguide.demo.dice import Dice
from honeyguide.demo.hosts import HOSTS, Spot, plan
from honeyguide.demo.singles import singles
from honeyguide.demo.site import SEED, build, feeds, fronts
from honeyguide.demo.specials import html_page
from honeyguide.demo.web import DemoPage

__all__ = ["INTERVALS", "Event", "LivingWeb"]

HOUR = 3_600.0
INTERVALS = {"news": HOUR / 2, "xinwen": HOUR, "blog": 2 * HOUR}
"""The sites that publish, and every how many seconds they do."""

_NEW = {"news": 60, "xinwen": 24, "blog": 12}  # articles of a day
_EDITS = (("bees", 8, "changed"), ("bees", 5, "gone"), ("", 8, "changed"), ("", 5, "gone"))  # by topic; all if empty
_DAY = 24 * HOUR
_ANCHOR = re.compile(r'<a href="([^"]+)"[^>]*>(.*?)</a>', re.DOTALL)
_UPDATE = {
    "en": "Correction, {hour} o'clock: an earlier version of this article gave another figure, and left out who asked.",
    "zh": "更正（{hour}时）：本文较早的版本数字有误，并遗漏了提问者的姓名。",
}


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens to an article at a time of the day, in seconds since its beginning."""

    at: float
    what: str  # new, changed, gone
    url: str
    host: str  # by its short name


class LivingWeb:
    """What the demo web shows at the hour its clock says; `clock` gives seconds, of which `begin` is the first.

    >>> web = LivingWeb(clock=lambda: 0.0)
    >>> first = next(event for event in web.events if event.what == "new")
    >>> web.find(first.url).status
    404
    >>> LivingWeb(clock=lambda: first.at).find(first.url).status
    200
    """

    def __init__(self, clock: Callable[[], float], begin: float = 0.0, seed: int = SEED) -> None:
        self.clock = clock
        self.begin = begin
        self._spots = plan(seed)
        self._alone = list(singles(seed, self._spots))
        self._pages = build(seed).pages
        self.events = _day(seed, self._spots)
        self._new = {event.url: event.at for event in self.events if event.what == "new"}
        self._gone = {event.url: event.at for event in self.events if event.what == "gone"}
        self._changed = {event.url: event.at for event in self.events if event.what == "changed"}
        self._lists = lru_cache(maxsize=4)(self._lists_after)

    def find(self, url: str) -> DemoPage | None:
        """What an address shows now; None of what never changes."""
        hour = self.clock() - self.begin
        lists = self._lists(sum(event.at <= hour for event in self.events))
        page = lists.get(url) or self._pages.get(url)
        if page is None:
            return None
        if not self._there(url, hour):
            return DemoPage(url, 404, {}, b"")
        if not page.is_html or page.headers.get("Content-Encoding"):
            return page if url in lists else None
        return self._shown(page, hour)

    def _there(self, url: str, hour: float) -> bool:
        return self._new.get(url, hour) <= hour < self._gone.get(url, hour + 1)

    def _lists_after(self, events: int) -> dict[str, DemoPage]:
        """Front pages, sections, feeds and sitemaps after so many events."""
        hour = self.events[events - 1].at if events else -1.0
        there = [spot for spot in self._spots if self._there(spot.url, hour)]
        there.sort(key=lambda spot: self._new.get(spot.url, -1.0))  # what is new comes last, as the newest
        return {page.url: page for page in (*fronts(there), *feeds(there, self._alone))}

    def _shown(self, page: DemoPage, hour: float) -> DemoPage:
        """A page as it is at this hour: with its correction, without links to what is not there."""

        def link(found: re.Match[str]) -> str:
            target = urljoin(page.url, unescape(found[1]))
            return found[0] if self._there(target, hour) else found[2]

        text = _ANCHOR.sub(link, page.text)
        at = self._changed.get(page.url)
        if at is not None and at <= hour:
            language = "zh" if page.article is not None and page.article.language == "zh" else "en"
            told = _UPDATE[language].format(hour=int(at // HOUR))
            text = text.replace("</article>", f"<p>{escape(told)}</p>\n</article>", 1)
        if text == page.text:
            return page
        charset = page.headers["Content-Type"].partition("charset=")[2] or "gb18030"
        fresh = html_page(page.url, text, kind=page.kind, topic=page.topic, charset=charset)
        return replace(fresh, article=page.article)


def _day(seed: int, spots: list[Spot]) -> list[Event]:
    """All that happens in a day, in order."""
    events: list[Event] = []
    old: list[Spot] = []
    for name, interval in INTERVALS.items():
        own = [spot for spot in spots if spot.host is HOSTS[name]]
        dice = Dice(seed, "day", name)
        fresh = dice.some(own, _NEW[name])
        turns = int(_DAY / interval)
        past = dice.number(1, 59) / 60 * interval  # no two sites publish on the same minute of the hour
        for spot in fresh:  # some turns of a site bring several articles, some none
            events.append(Event(dice.number(0, turns - 1) * interval + past, "new", spot.url, name))
        urls = {spot.url for spot in fresh}
        old += [spot for spot in own if spot.url not in urls]
    dice = Dice(seed, "day", "edits")
    for topic, count, what in _EDITS:
        for spot in dice.some([spot for spot in old if topic in (spot.article.topic, "")], count):
            old.remove(spot)
            name = spot.host.name.partition(".")[0]
            events.append(Event(float(dice.number(1, 20 * 3_600)), what, spot.url, name))
    return sorted(events, key=lambda event: (event.at, event.url))
