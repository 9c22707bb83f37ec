"""A crawl in figures, added up by the database: what reports and exports ask for."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

from honeyguide.store.selection import EVERYTHING, Selection, teach

__all__ = ["ArchivedPage", "CrawlFigures", "HostCount", "JudgedPage", "KeptAnswer", "Totals"]


class Totals(NamedTuple):
    """The crawl in numbers; how many of its pages were fetched only as examples is told beside."""

    fetched: int
    on_topic: int
    pages: int
    redirects: int
    missing: int
    failed: int
    refused: int
    unwanted: int
    duplicates: int
    bytes: int
    first: float
    last: float
    examples: int
    hosts: int
    known_hosts: int
    known_urls: int
    records: int


class HostCount(NamedTuple):
    """One host: visits, how many on topic, and why it was parked, if it was."""

    name: str
    visits: int
    on_topic: int
    parked: str


class JudgedPage(NamedTuple):
    """A page and what the judge said of it."""

    visit: int
    url: str
    title: str
    relevance: float
    on_topic: bool
    verdict: str


class ArchivedPage(NamedTuple):
    """An on-topic page whose answer is in the WARC, and where."""

    visit: int
    url: str
    fetched: float
    status: int
    media: str
    title: str
    offset: int
    size: int


class KeptAnswer(NamedTuple):
    """An answer that is in the WARC, whatever it was, and where."""

    visit: int
    url: str
    outcome: str
    detail: str
    relevance: float
    on_topic: bool
    offset: int
    size: int


class CrawlFigures:
    """Counts and lists over a whole crawl, none larger than what is asked for."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        teach(connection)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that is read inside belongs to one moment, even while a crawl is writing."""
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.execute("ROLLBACK")

    def totals(self) -> Totals:
        """The headline figures."""
        query = self._connection.execute
        row = query(
            "SELECT count(*), coalesce(sum(on_topic), 0), coalesce(sum(outcome = 'page'), 0), "
            "coalesce(sum(outcome = 'redirect'), 0), coalesce(sum(outcome = 'missing'), 0), "
            "coalesce(sum(outcome = 'failed'), 0), coalesce(sum(outcome = 'refused'), 0), "
            "coalesce(sum(outcome = 'unwanted'), 0), coalesce(sum(duplicate IS NOT NULL), 0), "
            "coalesce(sum(size), 0), coalesce(min(nullif(fetched, 0.0)), 0.0), coalesce(max(fetched + seconds), 0.0) "
            "FROM visits"
        ).fetchone()
        rest = query(
            "SELECT (SELECT count(*) FROM visits WHERE role = 'example'), "
            "(SELECT count(DISTINCT urls.host) FROM visits JOIN urls ON urls.id = visits.url "
            "), (SELECT count(*) FROM hosts), (SELECT count(*) FROM urls), "
            "(SELECT count(*) FROM records)"
        ).fetchone()
        return Totals(*row, *rest)

    def curve(self, points: int) -> list[tuple[int, int]]:
        """How the harvest grew: (pages fetched, on topic among them), at no more than so many points."""
        rows = self._connection.execute(
            "WITH walk AS (SELECT on_topic, row_number() OVER (ORDER BY id) - 1 AS place, "
            "count(*) OVER () AS total "
            "FROM visits) "
            "SELECT max(place) + 1, sum(on_topic) FROM walk GROUP BY place * ? / max(total, ?) ORDER BY 1",
            (points, points),
        )
        grown, on_topic = [], 0
        for fetched, found in rows:
            on_topic += found
            grown.append((fetched, on_topic))
        return grown

    def hosts(self, most: int) -> list[HostCount]:
        """The hosts visited, most on-topic pages first; then as many that were parked, visited or not."""
        counted = (
            "WITH counted AS (SELECT urls.host AS host, count(*) AS visits, sum(visits.on_topic) AS on_topic "
            "FROM visits JOIN urls ON urls.id = visits.url GROUP BY urls.host) "
            "SELECT hosts.name, coalesce(counted.visits, 0), coalesce(counted.on_topic, 0), hosts.parked "
            "FROM hosts LEFT JOIN counted ON counted.host = hosts.id WHERE {} ORDER BY 3 DESC, 2 DESC, 1 LIMIT ?"
        )
        rows = [
            row
            for which in ("counted.visits IS NOT NULL", "hosts.parked != ''")
            for row in self._connection.execute(counted.format(which), (most,))
        ]
        return [HostCount(*row) for row in dict.fromkeys(rows)]

    def depths(self) -> list[tuple[int, int, int]]:
        """Per link distance from the starts: visits, on topic."""
        return self._connection.execute(
            "SELECT urls.depth, count(*), sum(visits.on_topic) FROM visits JOIN urls ON urls.id = visits.url "
            " GROUP BY 1 ORDER BY 1"
        ).fetchall()

    def languages(self, most: int) -> list[tuple[str, int, int]]:
        """Per language of the pages: pages, on topic; the most frequent first."""
        return self._connection.execute(
            "SELECT language, count(*), sum(on_topic) FROM visits "
            "WHERE outcome = 'page' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?",
            (most,),
        ).fetchall()

    def troubles(self, most: int) -> list[tuple[str, str, int]]:
        """Visits that brought no page: outcome, what was said, how many; the most frequent first."""
        return self._connection.execute(
            "SELECT outcome, CASE WHEN detail != '' THEN substr(detail, 1, 200) "
            "WHEN status THEN 'HTTP ' || status "
            "ELSE '' END, count(*) FROM visits WHERE outcome IN ('missing', 'failed', 'unwanted') "
            "GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT ?",
            (most,),
        ).fetchall()

    def doubtful(self, on_topic: bool, most: int) -> list[JudgedPage]:
        """Pages judged on (or off) topic by the smallest margin, the most doubtful first."""
        rows = self._connection.execute(
            "SELECT visits.id, urls.url, visits.title, visits.relevance, visits.on_topic, visits.verdict "
            "FROM visits JOIN urls ON urls.id = visits.url "
            "WHERE outcome = 'page' AND duplicate IS NULL AND on_topic = ? "
            "ORDER BY relevance * ?, visits.id LIMIT ?",
            (on_topic, 1 if on_topic else -1, most),
        )
        return [JudgedPage(*row)._replace(on_topic=on_topic) for row in rows]

    def nearest(self, chance: float, most: int) -> list[JudgedPage]:
        """Pages whose chance of being on topic is nearest to this one."""
        rows = self._connection.execute(
            "SELECT visits.id, urls.url, visits.title, visits.relevance, visits.on_topic, visits.verdict "
            "FROM visits JOIN urls ON urls.id = visits.url "
            "WHERE outcome = 'page' AND duplicate IS NULL ORDER BY abs(relevance - ?), visits.id LIMIT ?",
            (chance, most),
        )
        return [page._replace(on_topic=bool(page.on_topic)) for page in map(JudgedPage._make, rows)]

    def reckoned(self) -> tuple[int, float, float]:
        """Pages judged on topic, how many of them are, and how many others are, by the probabilities given to them."""
        kept, right, missed = self._connection.execute(
            "SELECT count(*) FILTER (WHERE on_topic), total(relevance) FILTER (WHERE on_topic), "
            "total(relevance) FILTER (WHERE NOT on_topic) FROM visits WHERE outcome = 'page' AND duplicate IS NULL"
        ).fetchone()
        return kept, right, missed

    def archived(self, only: Selection = EVERYTHING) -> Iterator[ArchivedPage]:
        """The on-topic pages whose answers are in the WARC, in the order they were fetched."""
        meant, values = self._meant(only)
        for row in self._connection.execute(
            "SELECT visits.id, urls.url, fetched, status, media, title, warc, warc_size FROM visits "  # noqa: S608
            "JOIN urls ON urls.id = visits.url "
            f"WHERE on_topic AND warc IS NOT NULL AND warc_size > 0 AND {meant} ORDER BY visits.id",
            values,
        ):
            yield ArchivedPage(*row)

    def archived_count(self, only: Selection = EVERYTHING) -> tuple[int, int]:
        """How many on-topic pages are in the WARC, and how many on-topic pages there are."""
        meant, values = self._meant(only)
        row = self._connection.execute(
            "SELECT coalesce(sum(warc IS NOT NULL AND warc_size > 0), 0), count(*) FROM visits "  # noqa: S608
            f"WHERE on_topic AND {meant}",
            values,
        ).fetchone()
        return row[0], row[1]

    @staticmethod
    def _meant(only: Selection) -> tuple[str, list[str]]:
        """A condition on visits: what a page is must be read from its record, so one without a record is not meant."""
        if not only:
            return "1", []
        where, values = only.where()
        return f"visits.id IN (SELECT visit FROM records WHERE {where})", values  # noqa: S608

    def kept(self) -> Iterator[KeptAnswer]:
        """All answers that are in the WARC, of each URL the latest, in the order they were fetched."""
        for row in self._connection.execute(
            "SELECT visits.id, urls.url, outcome, detail, relevance, on_topic, warc, warc_size FROM visits "
            "JOIN urls ON urls.id = visits.url WHERE visits.id IN "
            "(SELECT max(id) FROM visits WHERE warc IS NOT NULL AND warc_size > 0 GROUP BY url) ORDER BY visits.id"
        ):
            yield KeptAnswer(*row)._replace(on_topic=bool(row[5]))
