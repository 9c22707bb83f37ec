"""What a crawl's folder holds, looked at from outside, and whether that is whole."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import tempfile
import zlib
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from warcio.archiveiterator import ArchiveIterator

from honeyguide.corpus import Corpus, export
from honeyguide.crawling import load_settings, load_topic
from honeyguide.crawling.ranking import Ranking
from honeyguide.crawling.resume import _Replay
from honeyguide.crawling.verdicts import Verdicts, relevance_of
from honeyguide.page.digest import Digest, decode
from honeyguide.store import Folder, Store
from honeyguide.strategies import make
from honeyguide.text.near import NearDuplicates

__all__ = ["Answers", "Held", "differences", "look", "problems"]

QUERIES = ("honey", "bee hive", '"queen bee"', "council -honey", "volcano", "茶")
Answers = Counter[tuple[str, str, str]]
"""The records of a WARC: address, status, hash of the body."""


@dataclass
class Held:
    """All that a crawl is for."""

    order: list[str] = field(default_factory=list)  # the addresses visited, one by one
    visits: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    refused: set[tuple[str, str]] = field(default_factory=set)
    known: set[str] = field(default_factory=set)
    lines: set[str] = field(default_factory=set)  # the export to jsonl
    archived: Answers = field(default_factory=Counter)  # the crawl's own WARC
    exported: Answers = field(default_factory=Counter)  # the export to WARC
    hits: dict[str, set[str]] = field(default_factory=dict)
    learnt: bytes = b""  # the strategy's state, and the order of what waits


def look(path: Path) -> Held:
    """Read a folder whose crawl is over."""
    held = Held()
    store = Store.open(Folder(path).database, read_only=True)
    try:
        for visit in store.visits():
            url = store.url(visit.url).url
            copy = store.url(store.visit(visit.duplicate).url).url if visit.duplicate else None
            held.order.append(url)
            held.visits[url] = (
                visit.role, visit.status, visit.outcome, visit.detail, visit.title, visit.words, visit.links,
                visit.fingerprint, copy, visit.relevance, visit.on_topic, visit.first_relevance, visit.verdict,
                visit.priority, visit.reason, visit.judge, visit.unkept, store.digest(visit.id) is not None,
            )  # fmt: skip
        held.refused = {(store.url(number).url, store.refusal(number) or "") for _, number in store.refused()}
        held.known = {row.url for row in store.urls()}
        saved = store.checkpoint()
        held.learnt = saved.state + b"".join(saved.order) if saved else b""
    finally:
        store.close()
    held.archived = answers(Folder(path).warc)
    with Corpus(path) as corpus:
        held.records = {record.url: json.loads(_plain(record)) for record in corpus}
        held.hits = {query: {hit.record.url for hit in corpus.search(query, most=10_000)} for query in QUERIES}
    with tempfile.TemporaryDirectory() as aside:
        export(path, "jsonl", Path(aside) / "records.jsonl")
        held.lines = set((Path(aside) / "records.jsonl").read_text(encoding="utf-8").splitlines())
        export(path, "warc", Path(aside) / "on-topic.warc.gz")
        held.exported = answers(Path(aside) / "on-topic.warc.gz")
    return held


def _plain(record: Any) -> str:
    return json.dumps({name: getattr(record, name) for name in record.__struct_fields__}, ensure_ascii=False)


# -- archives -------------------------------------------------------------------------------------------------


def answers(path: Path) -> Answers:
    """Every answer in a WARC as another reader sees it; what is torn raises."""
    found: Answers = Counter()
    records = 0
    with path.open("rb") as file:
        for record in ArchiveIterator(file):
            records += 1
            body = record.content_stream().read()
            if record.rec_type == "response":
                stated = record.http_headers.get_header("Content-Length")
                if int(stated) != len(body):
                    raise ValueError(f"a record of {path.name} holds {len(body)} bytes of {stated}")
                url, status = record.rec_headers["WARC-Target-URI"], record.http_headers.get_statuscode()
                found[url, status, hashlib.sha256(body).hexdigest()] += 1
    if records != (members := sum(1 for _ in _members(path.read_bytes()))):
        raise ValueError(f"{path.name} has {members} members, but {records} records were read")
    return found


def _members(left: bytes) -> Iterator[bytes]:
    """The gzip members of a file, each unpacked to its end: a reader may be lenient, this is not."""
    while left:
        unpack = zlib.decompressobj(31)
        whole = unpack.decompress(left)
        if not unpack.eof:
            raise ValueError("the last record breaks off")
        yield whole
        left = unpack.unused_data


# -- one folder by itself -------------------------------------------------------------------------------------


def problems(path: Path) -> list[str]:
    """What is wrong within a folder whose crawl is over: lost, doubled, torn, or not as its own history says."""
    found = [f"SQLite: {line}" for line in _pragmas(path / "crawl.db")]
    store = Store.open(path / "crawl.db", read_only=True)
    try:
        found += _doubled(store)
        found += _misplaced(store, path)
        found += _misjudged(store, path)
        found += _missing_records(store)
    finally:
        store.close()
    return found


def _pragmas(database: Path) -> list[str]:
    connection = sqlite3.connect(database)
    try:
        found = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
        connection.execute("INSERT INTO search (search) VALUES ('integrity-check')")
        rows = connection.execute("SELECT rowid FROM search ORDER BY 1").fetchall()
        if rows != connection.execute("SELECT visit FROM records ORDER BY 1").fetchall():
            found.append("the search index and the records differ")
    except sqlite3.DatabaseError as error:
        found = [str(error)]
    finally:
        connection.rollback()
        connection.close()
    return found


def _doubled(store: Store) -> list[str]:
    """Whatever may be there only once, by address."""
    asked = {
        "visits": "SELECT url, count(*) FROM visits GROUP BY 1 HAVING count(*) > 1",
        "known addresses": "SELECT url, count(*) FROM urls GROUP BY 1 HAVING count(*) > 1",
        "records": "SELECT url, count(*) FROM records GROUP BY 1 HAVING count(*) > 1",
        "digests without a visit": "SELECT visit, 1 FROM digests WHERE visit NOT IN (SELECT id FROM visits)",
        "visits both made and refused": "SELECT url, 1 FROM visits WHERE url IN (SELECT url FROM refusals)",
    }
    return [
        f"{what}: {row[0]}, {row[1]} times" for what, query in asked.items() for row in store._connection.execute(query)
    ]


def _misplaced(store: Store, path: Path) -> list[str]:
    """Visits whose answer is not where the store says it is, and answers that no visit has."""
    found: list[str] = []
    data = (path / "pages.warc.gz").read_bytes()
    placed = 0
    for visit in store.visits():
        if visit.warc is None or visit.warc_size is None:
            continue
        placed += 1
        url = store.url(visit.url).url
        try:
            (whole,) = _members(data[visit.warc : visit.warc + visit.warc_size])
        except (ValueError, zlib.error) as error:
            found.append(f"the answer of {url} is not at byte {visit.warc}: {error}")
            continue
        if f"WARC-Target-URI: {url}\r\n".encode() not in whole:
            found.append(f"another answer is where that of {url} should be")
    if placed != sum(answers(path / "pages.warc.gz").values()):
        found.append("the WARC holds answers that belong to no visit")
    if store.meta("warc") != len(data):
        found.append(f"the WARC has {len(data)} bytes, the store knows of {store.meta('warc')}")
    return found


def _misjudged(store: Store, path: Path) -> list[str]:
    """Where the crawl, shown all its pages once more in their order and without a break, would be another."""
    topic, settings = load_topic(Folder(path)), load_settings(store)
    strategy, near = make(settings.strategy, settings.strategy_settings), NearDuplicates()
    judge = Verdicts(topic, settings.threshold, strategy.judge(topic), settings.strategy)
    ranking = Ranking(settings, store, strategy, polite=False, watch=False)
    saved = store.checkpoint()
    store.checkpoint = lambda: None  # type: ignore[method-assign] # all is shown from the beginning
    replay = _Replay(ranking, store)
    examples = replay.begin(topic)
    met = {visit.id: decode(blob) for visit in store.visits() if (blob := store.digest(visit.id)) is not None}
    judge.learn_examples(met[visit.id] for visit in store.visits("page") if visit.url in examples)
    refused, named = deque(store.refused()), deque(store.named())
    found: list[str] = []
    verdicts: dict[int, tuple[float, bool]] = {}
    seen: list[tuple[int, int, Digest]] = []
    looks, size = set((store.meta("judge") or {}).get("looks", [])), 0
    replay._between(0, refused, named)
    for visit in store.visits():
        # As a crawl does it: judged before the strategy is shown it, for a strategy's own judge may learn from that.
        verdict = judge(met[visit.id]) if visit.outcome == "page" else None
        replay._show(visit)
        if verdict is not None:
            page, example = met[visit.id], visit.url in examples
            if near.find(page.sketch) != visit.duplicate:
                found.append(f"{page.url} is held for a copy of another page than it is")
            if (verdict.probability, verdict.on_topic) != (visit.first_relevance, visit.first_on_topic):
                found.append(f"{page.url} was judged otherwise at first")
            verdicts[visit.id] = verdict.probability, verdict.on_topic
            if visit.duplicate is None:
                near.add(page.sketch, visit.id)
            seen.append((visit.id, visit.url, page))
            size += not example
            looked = not example and size in looks  # a run of the crawl ended then
            if judge.met(visit.id, page, example=example) or looked or (example and judge.late_example(page)):
                judge.relearn()
                again = {number: (one.probability, one.on_topic) for number, _, p in seen for one in [judge(p)]}
                ranking.turned(
                    (url, relevance_of(again[number][0], judge.name), again[number][1])
                    for number, url, _ in seen
                    if again[number] != verdicts[number]
                )
                verdicts = again
        replay._between(visit.id, refused, named)
    found += [
        f"{met[visit.id].url} is judged otherwise now"
        for visit in store.visits("page")
        if verdicts[visit.id] != (visit.relevance, visit.on_topic)
    ]
    if saved is None or (saved.visit, saved.state) != (store.last_visit(), strategy.save()):
        found.append("the strategy has learnt something else than its pages teach")
    return found


def _missing_records(store: Store) -> list[str]:
    """Pages on topic without a record and without a good reason, and records of other pages or another relevance."""
    made = {number: record.relevance for number, record in store.records.all()}
    visits = {visit.id: visit for visit in store.visits("page", on_topic=True)}
    found = [f"a record too many, of visit {number}" for number in made.keys() - visits.keys()]
    for number, visit in visits.items():
        blob = store.digest(number)
        noindex = blob is not None and decode(blob).noindex
        twins = {visit.duplicate} | {twin.id for twin in visits.values() if twin.duplicate == visit.duplicate}
        copy = visit.duplicate is not None and bool((twins - {number}) & made.keys())
        if number not in made and not noindex and not copy:
            found.append(f"no record of visit {number}")
        elif number in made and noindex:
            found.append(f"visit {number} asked not to be kept")
        elif number in made and made[number] != round(visit.relevance, 4):
            found.append(f"the record of visit {number} says {made[number]}, the verdict {visit.relevance:.4f}")
        elif (number in made) == bool(visit.unkept):
            found.append(f"visit {number}: '{visit.unkept}' is said of its record")
    return found


# -- two folders ----------------------------------------------------------------------------------------------


def differences(one: Held, other: Held, *, ordered: bool) -> list[str]:
    """What a broken crawl lacks or has beyond an unbroken one.

    Where the clock decides whose turn it is, two crawls of the same web differ in their order, and so in which of two
    copies is the first; there only what does not hang on the order is compared.
    """
    found = _sets("visited", set(one.order), set(other.order))
    found += _sets("refused", one.refused, other.refused)
    found += _sets("known", one.known, other.known)
    found += _sets("archived", set(one.archived), set(other.archived))
    for url in one.records.keys() & other.records.keys():
        mine, theirs = (_content(held.records[url], ordered=ordered) for held in (one, other))
        if mine != theirs:
            found.append(f"the record of {url} differs in {[name for name in mine if mine[name] != theirs[name]]}")
    if not ordered:
        return found
    if one.order != other.order:
        first = next((i for i, pair in enumerate(zip(one.order, other.order, strict=False)) if pair[0] != pair[1]), -1)
        found.append(f"the order of visits is another from place {first} on")
    found += [f"the visit of {url} differs" for url in one.visits if one.visits[url] != other.visits.get(url)]
    found += _sets("records", set(one.records), set(other.records))
    found += _sets("exported lines", *({_line(line) for line in held.lines} for held in (one, other)))
    found += _sets("exported answers", set(one.exported), set(other.exported))
    for query in one.hits:
        found += _sets(f"found by {query!r}", one.hits[query], other.hits[query])
    return found + (["what the strategy learnt differs"] if one.learnt != other.learnt else [])


def _content(record: dict[str, Any], *, ordered: bool) -> dict[str, Any]:
    # When it was fetched differs from run to run; how a page was found, and how it is judged, with the order.
    aside = {"fetched"} if ordered else {"fetched", "parent", "relevance"}
    return {name: value for name, value in record.items() if name not in aside}


def _line(line: str) -> str:
    return json.dumps(_content(json.loads(line), ordered=True), sort_keys=True)


def _sets(what: str, one: set[Any], other: set[Any]) -> list[str]:
    found = {"missing": one - other, "too many": other - one}
    return [f"{what}: {len(some)} {how}, e.g. {min(some)}" for how, some in found.items() if some]
