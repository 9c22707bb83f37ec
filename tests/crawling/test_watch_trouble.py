"""Watching sites that are in trouble, that lie, or that have no end: nothing is lost, and nobody is bothered."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from honeyguide.crawling.forget import find_visits, forget
from honeyguide.crawling.hands import Answer, Order
from honeyguide.page.digest import Digest
from honeyguide.store import Store
from tests.crawling.little_site import HOST, LittleSite, article, feed, front
from tests.crawling.test_watch import HOUR, Watcher, about, site

__all__ = ["site"]  # the fixture

OTHER = "http://other.test"
Said = tuple[int, dict[str, str], bytes]
Change = Callable[[str, Said], Said]


@pytest.fixture
def watcher(site: LittleSite, tmp_path: Path) -> Watcher:
    watcher = Watcher(site, tmp_path)
    watcher.crawl()
    watcher.watch(1)
    return watcher


def changed(site: LittleSite, change: Change) -> None:
    """Let the site answer otherwise than its pages say."""
    answer = LittleSite.answer
    site.answer = lambda path, tag, since: change(path, answer(site, path, tag, since))  # type: ignore[method-assign]


def well(site: LittleSite) -> None:
    """Let the site answer by its pages again."""
    del site.answer  # type: ignore[method-assign]


def publish(site: LittleSite, path: str, number: int) -> None:
    site.pages[path] = article(path, about(number))
    site.pages["/feed.xml"] = feed(path, "/old", "/older")


def test_a_new_article_that_cannot_be_had_at_first_is_had_later(watcher: Watcher, site: LittleSite) -> None:
    publish(site, "/fresh", 3)
    changed(site, lambda path, said: (500, {}, b"") if path == "/fresh" else said)
    watcher.watch(2)
    assert site.asked("/fresh")
    well(site)
    watcher.watch(24)
    assert watcher.told("new") == ["/fresh"]
    assert "/fresh" in watcher.records()


def test_one_that_can_never_be_had_is_given_up(watcher: Watcher, site: LittleSite) -> None:
    publish(site, "/fresh", 3)
    changed(site, lambda path, said: (500, {}, b"") if path == "/fresh" else said)
    watcher.watch(24 * 30)
    asked = len(site.asked("/fresh"))
    watcher.watch(24 * 30)
    assert len(site.asked("/fresh")) == asked < 20


def test_a_site_that_sends_everybody_elsewhere_for_a_while_is_watched_as_before(
    watcher: Watcher, site: LittleSite
) -> None:
    site.pages["/consent"] = article("Consent", "We value your privacy. " * 30)
    changed(site, lambda path, said: said if path == "/consent" else (302, {"Location": f"{HOST}/consent"}, b""))
    watcher.watch(3)
    well(site)
    publish(site, "/fresh", 3)
    site.pages["/old"] = article("Old story", f"{about(1)}\nThere were nine hives.")
    watcher.watch(72)
    assert "/fresh" in watcher.told("new")
    assert "/old" in watcher.told("changed")


def test_a_feed_that_shows_a_page_for_a_while_names_nothing_new(watcher: Watcher, site: LittleSite) -> None:
    paths = [f"/nav{number}" for number in range(20)]
    site.pages |= {path: article(path, f"{path} {about(0, 'council')}") for path in paths}
    before = site.pages["/feed.xml"]
    site.pages["/feed.xml"] = front(*paths)
    changed(site, lambda path, said: (said[0], {"Content-Type": "text/html"}, said[2]) if "feed" in path else said)
    watcher.watch(12)
    well(site)
    site.pages["/feed.xml"] = before
    publish(site, "/fresh", 3)
    watcher.watch(72)
    assert watcher.told("new") == ["/fresh"]


def test_a_robots_txt_that_closes_and_opens_again(watcher: Watcher, site: LittleSite) -> None:
    site.pages["/robots.txt"] = b"User-agent: *\nDisallow: /\n"
    watcher.watch(30)  # the old one is believed for a day
    site.log.clear()
    publish(site, "/fresh", 3)
    watcher.watch(48)
    assert {one.path for one in site.log} == {"/robots.txt"}
    assert len(site.log) < 6
    site.pages["/robots.txt"] = b""
    watcher.watch(72)
    assert watcher.told("new") == ["/fresh"]


@pytest.mark.parametrize("restarts", [False, True])
def test_who_asks_to_be_left_alone_for_days_is(watcher: Watcher, site: LittleSite, restarts: bool) -> None:
    asked: list[float] = []

    def away(path: str, said: Said) -> Said:
        asked.append(watcher.clock.wall())
        return 503, {"Retry-After": str(int(48 * HOUR))}, b""

    changed(site, away)
    if restarts:
        for _ in range(12):
            watcher.watch(5)
    else:
        watcher.watch(60)
    gaps = [later - sooner for sooner, later in itertools.pairwise(asked)]
    assert 2 <= len(asked) <= 3
    assert min(gaps) >= 48 * HOUR


def test_a_host_that_was_forgotten_is_not_visited_again(watcher: Watcher, site: LittleSite) -> None:
    site.pages["/feed.xml"] = feed("/old", "/older").replace(
        b"</channel>", f"<item><link>{OTHER}/one</link></item></channel>".encode()
    )
    site.pages["/one"] = article("One", about(3))
    watcher.watch(2)
    assert site.asked("/one")
    forget(watcher.folder, [number for number, _ in find_visits(watcher.folder, "other.test")], "other.test")
    site.pages["/feed.xml"] = feed("/old", "/older").replace(
        b"</channel>", f"<item><link>{OTHER}/two</link></item></channel>".encode()
    )
    site.pages["/two"] = article("Two", about(4))
    site.log.clear()
    watcher.watch(72)
    assert not site.asked("/two")


def test_sitemaps_without_end_are_not_all_watched(watcher: Watcher, site: LittleSite) -> None:
    def endless(path: str, said: Said) -> Said:
        if not path.startswith("/map"):
            return said
        names = "".join(f"<sitemap><loc>{HOST}{path[:-4]}-{number}.xml</loc></sitemap>" for number in range(300))
        body = f"<sitemapindex>{names}<sitemap><loc>{HOST}{path}</loc></sitemap></sitemapindex>"
        return 200, {"Content-Type": "application/xml"}, body.encode()

    site.pages["/robots.txt"] = f"User-agent: *\nSitemap: {HOST}/map.xml\n".encode()
    changed(site, endless)
    watcher.watch(30)
    site.log.clear()
    watcher.watch(24)
    maps = [one.path for one in site.log if one.path.startswith("/map")]
    assert 0 < len(set(maps)) <= 100
    publish(site, "/fresh", 3)
    watcher.watch(24)
    assert watcher.told("new") == ["/fresh"]


def test_a_list_without_end_does_not_keep_the_rest_from_being_looked_at(watcher: Watcher, site: LittleSite) -> None:
    count = itertools.count()

    def endless(path: str, said: Said) -> Said:
        if path == "/":
            return 200, {"Content-Type": "text/html"}, front(*(f"/day/{next(count)}" for _ in range(90)))
        if path.startswith("/day/"):
            return 200, {"Content-Type": "text/html"}, article("A day", "Nothing happens on this day. " * 20)
        return said

    changed(site, endless)
    watcher.watch(2)
    asked = Counter(one.path.startswith("/day/") for one in site.log)
    assert asked[True] < 200
    publish(site, "/fresh", 3)
    site.pages["/old"] = article("Old story", f"{about(1)}\nThere were nine hives.")
    watcher.watch(6)
    assert "/fresh" in watcher.told("new")
    assert "/old" in watcher.told("changed")


def test_a_feed_that_was_away_for_long_is_noticed_within_a_day_of_its_return(
    watcher: Watcher, site: LittleSite
) -> None:
    before = site.pages.pop("/feed.xml")
    watcher.watch(24 * 40)
    site.pages["/feed.xml"] = before
    publish(site, "/fresh", 3)
    watcher.watch(30)
    assert watcher.told("new") == ["/fresh"]


def test_a_wish_to_be_left_alone_outlives_a_kill(watcher: Watcher, site: LittleSite) -> None:
    class Kill(BaseException):
        pass

    changed(site, lambda _path, _said: (503, {"Retry-After": "3000"}, b""))
    watch = watcher.begun(3)
    give = watch._give_orders

    def die(*words: object) -> None:
        if any(one.status == 503 for one in site.log) and not watch._out:
            raise Kill
        give(*words)  # type: ignore[arg-type]

    watch._give_orders = die  # type: ignore[method-assign]
    with pytest.raises(Kill):
        asyncio.run(watch.run())
    store = Store.open(watcher.folder.database, read_only=True)
    assert store.meta("left_alone")
    store.close()


def test_what_a_wrong_clock_put_off_for_years_is_looked_at(watcher: Watcher, site: LittleSite) -> None:
    store = Store.open(watcher.folder.database)
    store.begin()
    later = watcher.clock.wall() + 20 * 365 * 24 * HOUR
    store.watching.put(msgspec.structs.replace(row, due=later, checked=later) for row in list(store.watching.all()))
    store.close()
    publish(site, "/fresh", 3)
    watcher.watch(30)
    assert watcher.told("new") == ["/fresh"]


def test_an_article_whose_record_was_not_made_before_a_kill_is_watched(site: LittleSite, tmp_path: Path) -> None:
    watcher = Watcher(site, tmp_path)
    watcher.crawl()
    store = Store.open(watcher.folder.database)
    store.begin()
    row = store.find_url(f"{HOST}/old")
    assert row is not None
    store.records.drop(store.visits_of(row.id)[-1].id)
    store.close()
    watcher.watch(1)
    assert "/old" in watcher.records()
    site.pages["/old"] = article("Old story", f"{about(1)}\nThere were nine hives.")
    watcher.watch(24)
    assert watcher.told("changed") == ["/old"]


def test_orders_that_nobody_answers_are_given_again(watcher: Watcher) -> None:
    watch = watcher.begun(1)
    (row,) = [row for row in watch.schedule.rows.values() if watch._brain.store.url(row.url).url == f"{HOST}/old"]
    watch._lost(Order(row.url, f"{HOST}/old", "record", visit=row.visit))
    assert [order.visit for order in watch._brain.keeping.wanted] == [row.visit]
    watch._revisions._seen[row.url] = (Answer(Order(row.url, HOST)), Digest(HOST, 0.0, "html"))
    watch._lost(Order(row.url, f"{HOST}/old", "record"))
    assert watch.schedule.first(0) is row
    watch.crawl.close()


def test_a_host_that_waits_for_a_robots_txt_elsewhere_keeps_nobody_busy(watcher: Watcher) -> None:
    watch = watcher.begun(1)
    watch.schedule.wake(watcher.clock.wall() + 24 * HOUR)
    (number,) = watch.schedule.hosts()
    host = watch._frontier.hosts[number]
    host.due, now, wall = watcher.clock.now() - 1.0, watcher.clock.now(), watcher.clock.wall()
    assert watch._next(now, wall) == 0.0
    host.closed = True
    assert watch._next(now, wall) > 0.0
    watch.crawl.close()


def test_what_is_too_much_of_a_list_at_once_is_taken_later(
    watcher: Watcher, site: LittleSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("honeyguide.crawling.lists._MOST", 3)
    paths = [f"/n{number}" for number in range(8)]
    site.pages |= {path: article(path, about(10 + place)) for place, path in enumerate(paths)}
    site.pages["/feed.xml"] = feed(*paths, "/old", "/older")
    watcher.watch(24)
    assert sorted(watcher.told("new")) == paths
