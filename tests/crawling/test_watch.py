"""Watching: new articles are picked up, changed ones become versions, gone ones are told; by a clock that is driven."""

from __future__ import annotations

import asyncio
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from honeyguide.crawling import Crawl, Settings
from honeyguide.crawling.clock import DrivenClock
from honeyguide.crawling.findings import Finding, WatchSummary
from honeyguide.crawling.rates import ChangeRate
from honeyguide.crawling.revisions import GONE
from honeyguide.crawling.schedule import Schedule
from honeyguide.crawling.watch import Watch
from honeyguide.demo import DemoServer, LivingWeb
from honeyguide.demo.hosts import HOSTS, plan
from honeyguide.demo.living import INTERVALS
from honeyguide.errors import CrawlFolderError, SettingError
from honeyguide.page.record import Record
from honeyguide.store import Folder, Store, Watched
from honeyguide.topic import Topic
from tests.crawling.little_site import HOST, LittleSite, article, feed, front
from tests.crawling.webs import ABOUT_BEES, page, write_archive

HOUR = 3_600.0
TOPIC = Topic(name="bees", keywords={"honey bee": 2.0, "hive": 1.0}, examples=(f"{HOST}/old",), starts=(f"{HOST}/",))


ARTICLES = [spot.article for spot in plan(1)]


def about(number: int, topic: str = "bees") -> str:
    """A text on bees like no other, or on something else."""
    return [one.text for one in ARTICLES if one.topic == topic and not one.quiet][number].replace("\n\n", "\n")


# --- how often a page changes --------------------------------------------------------------------------------------


def test_the_belief_follows_the_exact_one_closely() -> None:
    rate, rates = ChangeRate(1.0, 900.0), np.logspace(-8, 0, 40_000)
    weights = np.exp(-900.0 * rates)
    dice = np.random.default_rng(1)
    for after in dice.uniform(60, 4_000, 40):
        changed = bool(dice.random() < 1 - math.exp(-after / 1_200))
        rate = rate.seen(changed=changed, after=float(after))
        weights *= -np.expm1(-rates * after) if changed else np.exp(-rates * after)
        exact = float(np.trapezoid(weights, rates) / np.trapezoid(weights * rates, rates))
        assert rate.interval == pytest.approx(exact, rel=0.35)


@pytest.mark.parametrize("every", [300.0, 1_800.0, 7_200.0])
def test_a_site_with_news_at_fixed_times_is_visited_less_than_twice_for_each(every: float) -> None:
    rate, now, visits = ChangeRate(1.0, 900.0), 0.0, 0
    while now < 400 * every:
        later = now + rate.interval
        rate = rate.seen(changed=later // every > now // every, after=later - now)
        now, visits = later, visits + 1
    assert every / 2 < rate.interval < every
    assert visits < 2 * 400


def test_a_page_that_wakes_up_is_noticed() -> None:
    rate = ChangeRate(1.0, 900.0)
    for _ in range(200):
        rate = rate.seen(changed=False, after=rate.interval).within(86_400.0)
    assert rate.interval == pytest.approx(86_400.0)
    for _ in range(6):
        rate = rate.seen(changed=True, after=rate.interval).within(86_400.0)
    assert rate.interval < 86_400.0 / 3


def test_intervals_are_bounded_by_politeness(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "x.db")
    schedule = Schedule(store.watching, lambda _: 0, lambda _: 30.0, least=60.0, every=0.0)
    eager = Watched(1, "feed", 0.0, shape=5.0, scale=50.0)
    assert schedule.interval(eager) == 300.0  # ten rests of its host
    assert schedule.interval(Watched(2, "feed", 0.0, shape=1.0, scale=1e9)) == 86_400.0
    assert schedule.interval(Watched(3, "article", 0.0, shape=1.0, scale=1e9)) == 7 * 86_400.0
    store.close()


# --- a little site -------------------------------------------------------------------------------------------------


class Watcher:
    """Crawls a little site, then watches it, an hour or so at a time."""

    def __init__(self, site: LittleSite, place: Path) -> None:
        self.site = site
        self.folder = Folder(place / "crawl")
        self.clock = DrivenClock()
        self.found: list[Finding] = []

    def _crawl(self, delay: float) -> Crawl:
        settings = Settings(pages=50, delay=delay, strategy="breadth-first")
        ip, port = self.site.address
        names = {"site.test": (ip, port), "other.test": (ip, port)}
        return Crawl(self.folder, TOPIC, settings, names=names, opened=(f"{ip}:{port}",))

    def crawl(self) -> None:
        crawl = self._crawl(0.0)
        crawl.create()
        asyncio.run(crawl.run())
        self.site.log.clear()

    def watch(
        self, hours: float, on_finding: Callable[[Finding], None] | None = None, every: float = 0.0
    ) -> WatchSummary:
        watch = self.begun(hours, every)
        watch.on_finding = on_finding or self.found.append
        return asyncio.run(watch.run())

    def begun(self, hours: float, every: float = 0.0) -> Watch:
        crawl = self._crawl(1.0)
        crawl.open()
        return Watch(crawl, clock=self.clock, seconds=hours * HOUR, every=every)

    def told(self, what: str) -> list[str]:
        return [one.url.removeprefix(HOST) for one in self.found if one.what == what]

    def store(self) -> Store:
        return Store.open(self.folder.database, read_only=True)

    def records(self) -> dict[str, Record]:
        store = self.store()
        found = [record for _, record in store.records.all()]
        store.close()
        assert len({record.url for record in found}) == len(found), "an article is kept twice"
        return {record.url.removeprefix(HOST): record for record in found}


@pytest.fixture
def site() -> Iterator[LittleSite]:
    site = LittleSite()
    site.pages = {
        "/": front("/old", "/older"),
        "/feed.xml": feed("/old", "/older"),
        "/old": article("Old story", about(1)),
        "/older": article("Older story", about(2)),
        "/robots.txt": b"User-agent: *\nDisallow: /private\n",
    }
    with site.serve():
        yield site


@pytest.fixture
def watcher(site: LittleSite, tmp_path: Path) -> Watcher:
    watcher = Watcher(site, tmp_path)
    watcher.crawl()
    return watcher


def test_new_articles_are_picked_up_once_and_judged(watcher: Watcher, site: LittleSite) -> None:
    assert set(watcher.records()) >= {"/old", "/older"}
    watcher.watch(1)
    site.pages["/feed.xml"] = feed("/bees", "/tax", "/private/x", "/old", "/older")
    site.pages |= {"/bees": article("New bees", about(3)), "/tax": article("Tax", about(0, "council"))}
    summary = watcher.watch(3)
    assert sorted(watcher.told("new")) == ["/bees", "/tax"]
    assert (summary.new, summary.new_on_topic) == (2, 1)
    assert site.asked("/bees")[:1] == [200]
    assert site.asked("/tax") == [200]  # off topic: not looked at again
    assert site.asked("/private/x") == []
    assert "/bees" in watcher.records()
    store = watcher.store()
    row = store.find_url(f"{HOST}/bees")
    assert row is not None
    assert [visit.reason for visit in store.visits_of(row.id)] == [f"new on {HOST}/feed.xml"]
    store.close()


def test_what_has_not_changed_costs_a_word(watcher: Watcher, site: LittleSite) -> None:
    site.dated["/older"] = "Tue, 17 Nov 2026 03:00:00 GMT"
    summary = watcher.watch(24)
    assert summary.unchanged > 0.7 * len(site.log)
    tags = [one for one in site.log if one.path == "/old"]
    assert tags[0].status == 200  # the crawl did not keep its tag
    assert {one.status for one in tags[1:]} == {304}
    assert all(one.if_none_match for one in tags[1:])
    dates = [one for one in site.log if one.path == "/older"][1:]
    assert {(one.status, one.if_modified_since) for one in dates} == {(304, site.dated["/older"])}
    assert not watcher.found


def test_a_changed_article_becomes_a_version_and_furniture_does_not(watcher: Watcher, site: LittleSite) -> None:
    site.pages["/old"] = article("Old story", about(1), "/older", "/elsewhere")  # other links beside it
    watcher.watch(24)
    assert not watcher.told("changed")
    site.pages["/old"] = article("Old story, corrected", f"{about(1)}\nCorrection: there were nine hives.", "/older")
    watcher.watch(48)
    assert watcher.told("changed") == ["/old"]
    newest = watcher.records()["/old"]
    assert newest.title == "Old story, corrected"
    assert "nine hives" in newest.text
    store = watcher.store()
    row = store.find_url(f"{HOST}/old")
    assert row is not None
    (before,) = store.watching.versions(row.id)
    assert before.record.title == "Old story"
    assert "nine hives" not in before.record.text
    assert before.record.fetched < newest.fetched <= before.replaced
    assert [visit.role for visit in store.visits_of(row.id)] == ["example", "again"]
    assert [visit.duplicate for visit in store.visits_of(row.id)] == [None, None]
    store.close()


def test_a_copy_of_an_article_is_linked_and_not_kept_twice(watcher: Watcher, site: LittleSite) -> None:
    site.pages["/feed.xml"] = feed("/again", "/old", "/older")
    site.pages["/again"] = article("Old story", about(1))
    watcher.watch(2)
    assert watcher.told("new") == ["/again"]
    assert "/again" not in watcher.records()
    store = watcher.store()
    copy, first = (store.find_url(f"{HOST}{path}") for path in ("/again", "/old"))
    assert copy is not None
    assert first is not None
    original = store.visits_of(copy.id)[0].duplicate
    assert original is not None
    assert store.visit(original).url == first.id
    store.close()


def test_a_deleted_article_is_told_once_kept_and_given_up_in_the_end(watcher: Watcher, site: LittleSite) -> None:
    gone = site.pages.pop("/old")
    watcher.watch(24)
    assert watcher.told("gone") == ["/old"]
    assert GONE in watcher.records()["/old"].extra
    site.pages["/old"] = gone
    watcher.watch(24 * 7)
    assert watcher.told("back") == ["/old"]
    assert GONE not in watcher.records()["/old"].extra
    del site.pages["/old"]
    watcher.watch(24 * 60)
    asked = len(site.asked("/old"))
    watcher.watch(24 * 30)
    assert len(site.asked("/old")) == asked
    assert watcher.told("gone") == ["/old", "/old"]


def test_sitemaps_named_by_robots_and_by_each_other_are_watched(watcher: Watcher, site: LittleSite) -> None:
    space = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'"
    site.pages["/robots.txt"] = f"User-agent: *\nSitemap: {HOST}/sitemap.xml\n".encode()
    index = f"<sitemapindex {space}><sitemap><loc>{HOST}/news-map.xml</loc></sitemap></sitemapindex>"
    site.pages["/sitemap.xml"] = index.encode()
    site.pages["/news-map.xml"] = f"<urlset {space}><url><loc>{HOST}/old</loc></url></urlset>".encode()
    watcher.watch(72)  # robots.txt holds for a day
    news = "xmlns:news='http://www.google.com/schemas/sitemap-news/0.9'"
    about_it = (
        "<news:news><news:publication_date>2026-11-17</news:publication_date><news:title>B</news:title></news:news>"
    )
    site.pages["/news-map.xml"] = (
        f"<urlset {space} {news}><url><loc>{HOST}/mapped</loc>{about_it}</url><url><loc>{HOST}/old</loc></url></urlset>"
    ).encode()
    site.pages["/mapped"] = article("Mapped", about(4))
    watcher.watch(24)
    assert watcher.told("new") == ["/mapped"]


def test_an_archive_that_is_met_for_the_first_time_is_not_all_news(watcher: Watcher, site: LittleSite) -> None:
    paths = [f"/archive/{number}" for number in range(150)]
    site.pages |= {path: article(path, f"{path} {about(0, 'council')}") for path in paths}
    site.pages["/robots.txt"] = f"User-agent: *\nSitemap: {HOST}/all.xml\n".encode()
    locations = "".join(f"<url><loc>{HOST}{path}</loc></url>" for path in paths)
    site.pages["/all.xml"] = f"<urlset>{locations}</urlset>".encode()
    watcher.watch(72)
    assert site.asked("/all.xml")
    assert not watcher.told("new")


def test_a_list_that_moves_is_followed(watcher: Watcher, site: LittleSite) -> None:
    site.pages["/feed.xml"] = (301, f"{HOST}/rss.xml")
    site.pages["/rss.xml"] = feed("/fresh", "/old", "/older")
    site.pages["/fresh"] = article("Fresh", about(5))
    watcher.watch(3)
    assert watcher.told("new") == ["/fresh"]
    assert len(site.asked("/feed.xml")) == 1


def test_requests_keep_the_pace_of_the_host(watcher: Watcher, site: LittleSite) -> None:
    times: list[float] = []
    answer = site.answer

    def noted(path: str, tag: str, since: str) -> tuple[int, dict[str, str], bytes]:
        times.append(watcher.clock.wall())
        return answer(path, tag, since)

    site.answer = noted  # type: ignore[method-assign]
    site.pages["/feed.xml"] = feed(*(f"/n{number}" for number in range(8)))
    site.pages |= {f"/n{number}": article(f"N{number}", about(10 + number)) for number in range(8)}
    watcher.watch(6)
    assert len(watcher.told("new")) == 8
    assert min(later - sooner for sooner, later in itertools.pairwise(times)) >= 0.999


# --- stopped and killed --------------------------------------------------------------------------------------------


class Killed(BaseException):
    """What a kill looks like from inside: nothing is finished, nothing is written any more."""


def test_killed_at_any_finding_it_goes_on_with_nothing_lost_and_nothing_doubled(
    watcher: Watcher, site: LittleSite
) -> None:
    dice = np.random.default_rng(3)
    published: list[str] = []
    kills = 0
    for number in range(12):
        published.append(f"/n{number}")
        site.pages[f"/n{number}"] = article(f"N{number}", about(20 + number))
        site.pages["/feed.xml"] = feed(*reversed(published), "/old", "/older")
        site.pages["/old"] = article("Old story", f"{about(1)}\nUpdate {number // 4}: more hives.")
        left = int(dice.integers(1, 3))

        def die(finding: Finding, left: list[int] = [left]) -> None:  # noqa: B006 - counted down over the calls
            left[0] -= 1
            if not left[0]:
                raise Killed

        try:
            watcher.watch(5, on_finding=die)
        except Killed:
            kills += 1
    watcher.watch(24)
    assert kills >= 5
    records = watcher.records()
    store = watcher.store()
    visits = [visit for visit in store.visits("page") if visit.role == "page"]
    paths = Counter(store.url(visit.url).url.removeprefix(HOST) for visit in visits)
    assert set(paths.values()) == {1}
    assert set(published) <= set(paths)
    on_topic = [visit for visit in visits if visit.on_topic and visit.unkept == ""]
    assert len(on_topic) >= 4
    assert {store.url(visit.url).url.removeprefix(HOST) for visit in on_topic} <= set(records)
    row = store.find_url(f"{HOST}/old")
    assert row is not None
    texts = [version.record.text for version in store.watching.versions(row.id)] + [records["/old"].text]
    store.close()
    told = [next((n for n in range(3) if f"Update {n}:" in text), -1) for text in texts]
    assert told == sorted(set(told)), "versions are in order, none twice"
    assert told[-1] == 2


def test_a_crawl_that_was_watched_can_be_resumed(watcher: Watcher, site: LittleSite) -> None:
    site.pages["/feed.xml"] = feed("/fresh", "/old", "/older")
    site.pages["/fresh"] = article("Fresh", about(6), "/unseen")
    site.pages["/unseen"] = article("Unseen", about(7))
    site.pages["/old"] = article("Old story, corrected", f"{about(1)}\nCorrection: nine hives.")
    watcher.watch(24)
    assert "/unseen" not in watcher.records()  # no list names it
    crawl = watcher._crawl(0.0)
    crawl.open()
    asyncio.run(crawl.run())
    records = watcher.records()
    assert set(records) >= {"/fresh", "/unseen", "/old"}
    assert "nine hives" in records["/old"].text


def test_it_ends_in_order_when_asked(watcher: Watcher) -> None:
    crawl = watcher._crawl(1.0)
    crawl.open()
    watch = Watch(crawl, clock=watcher.clock)
    watch.stop("enough")
    assert asyncio.run(watch.run()).stop_reason == "enough"
    with pytest.raises(SettingError, match="least must be a number of seconds"):
        Watch(watcher._crawl(1.0), least=-1.0)


def test_an_archive_is_not_watched(tmp_path: Path) -> None:
    web = write_archive(tmp_path / "web.warc.gz", {f"{HOST}/old": page("Bees", ABOUT_BEES * 3)})
    topic = Topic(name="bees", keywords={"bee": 1.0}, examples=(f"{HOST}/old",))
    crawl = Crawl(Folder(tmp_path / "crawl"), topic, Settings(web=str(web), pages=5))
    crawl.create()
    asyncio.run(crawl.run())
    crawl = Crawl(Folder(tmp_path / "crawl"), topic, Settings(web=str(web), pages=5))
    crawl.open()
    with pytest.raises(SettingError, match="is a crawl of an archive, which does not change"):
        Watch(crawl)
    crawl.close()


def test_a_crawl_that_found_nothing_says_so(site: LittleSite, tmp_path: Path) -> None:
    site.pages = {}
    watcher = Watcher(site, tmp_path)
    watcher.crawl()
    with pytest.raises(CrawlFolderError, match="nothing to watch"):
        watcher.watch(1)


# --- a day of the demo web -------------------------------------------------------------------------------------------


def test_new_articles_of_the_demo_web_are_found_within_two_of_their_sites_intervals(tmp_path: Path) -> None:
    """Half a day, as the server saw it; `benchmarks/watch.py` has the whole."""
    clock = DrivenClock()
    living = LivingWeb(clock.wall, clock.begin)
    fronts = tuple(HOSTS[name].front for name in INTERVALS)
    topic = Topic(name="news", keywords={"bees": 1.0, "honey": 1.0}, starts=fronts)
    with DemoServer(living=living, speed=100.0) as server:
        opened = (f"{server.address[0]}:{server.address[1]}",)
        for delay in (0.0, 1.0):
            settings = Settings(web="demo", strategy="breadth-first", pages=60, delay=delay, careful=False)
            crawl = Crawl(Folder(tmp_path / "crawl"), topic, settings, names=dict(server.resolve), opened=opened)
            if delay:
                crawl.open()
                before = len(server.log)
                summary = asyncio.run(Watch(crawl, clock=clock, seconds=12 * HOUR).run())
            else:
                crawl.create()
                asyncio.run(crawl.run())
        first: dict[str, float] = {}
        for line in server.log[before:]:
            if line.status == 200:
                first.setdefault(f"http://{line.host}{line.path}", line.time_start - clock.begin)
    new = [one for one in living.events if one.what == "new" and one.at + 2 * INTERVALS[one.host] < 12 * HOUR]
    assert len(new) > 30
    late = [one.url for one in new if first.get(one.url, math.inf) - one.at > 2 * INTERVALS[one.host]]
    assert not late
    assert len(server.log) - before < summary.watched * 12  # what visiting all of it every hour would take
