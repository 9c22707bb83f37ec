"""The user's word on pages: right or wrong. The judge learns from it, and all pages are judged again."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec

from honeyguide.corpus.query import Phrase
from honeyguide.corpus.snippet import make_snippet
from honeyguide.crawling.crawl import Crawl
from honeyguide.crawling.doubts import to_ask_about
from honeyguide.crawling.mailbox import send
from honeyguide.crawling.questions import load_settings, load_topic
from honeyguide.crawling.reading import as_written, page_text, page_wording
from honeyguide.crawling.verdicts import verdict_parts
from honeyguide.errors import HoneyguideError
from honeyguide.store import Folder, Store, VisitRow
from honeyguide.store.folder import in_use
from honeyguide.store.tokens import tokens
from honeyguide.topic import precision
from honeyguide.topic.beside import BESIDE
from honeyguide.topic.corrections import LABELS
from honeyguide.topic.judge import MEANING
from honeyguide.topic.linked import A_LINK
from honeyguide.topic.neighbours import NEIGHBOURS
from honeyguide.web.urls import normalise

__all__ = ["Doubt", "Labelled", "doubtful", "label", "read_labels"]

_SNIPPET = 300  # characters
_RIGHT = frozenset(("1", "right", "yes", "y", "true", "on", "+"))
_WRONG = frozenset(("0", "wrong", "no", "n", "false", "off", "-"))


class Labelled(msgspec.Struct, kw_only=True):
    """What came of labelling."""

    labels: int
    right: int  # of the labelled pages that are now in the corpus
    wrong: int
    precision: float | None
    low: float | None
    high: float | None
    threshold: float
    turned: int  # pages whose verdict changed
    on_topic: int


class Doubt(msgspec.Struct, kw_only=True):
    """A page of which the judge is not sure, and what a person needs to know to say."""

    url: str
    title: str
    snippet: str
    words: list[tuple[str, float]]  # that decided, strongest first
    probability: float
    threshold: float  # that the probability had to reach


def read_labels(path: Path) -> dict[str, bool]:
    """Labels from a file: lines of JSON ({"url", "label"}), or of URL and word separated by comma, tab or space."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise HoneyguideError(f"{path} cannot be read: {error}") from None
    found: dict[str, tuple[bool, int]] = {}  # with the line that said so
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            url, said = _line(path, number, line.strip())
            before, earlier = found.setdefault(url, (said, number))
            if before != said:
                raise HoneyguideError(f"{path}, lines {earlier} and {number}: {url} cannot be both right and wrong")
    return {url: said for url, (said, _) in found.items()}


def _line(path: Path, number: int, line: str) -> tuple[str, bool]:
    if line.startswith("{"):
        try:
            entry = json.loads(line)
            url, word = str(entry["url"]), str(entry["label"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise HoneyguideError(f'{path}, line {number}: not of the form {{"url": …, "label": …}}') from None
    else:
        try:
            parts = next(csv.reader(io.StringIO(line))) if "," in line else line.split()
        except csv.Error:  # a field longer than any address or word
            parts = []
        if len(parts) < 2:
            raise HoneyguideError(f"{path}, line {number}: needs a URL and 'right' or 'wrong'")
        url, word = parts[0].strip(), parts[1].strip()
    clean = normalise(url)
    if clean is None:
        raise HoneyguideError(f"{path}, line {number}: '{url}' is not the address of a web page")
    if word.lower() not in _RIGHT | _WRONG:
        raise HoneyguideError(f"{path}, line {number}: '{word}' is neither right nor wrong")
    return clean, word.lower() in _RIGHT


def label(folder: Folder, labels: dict[str, bool | None]) -> Labelled:
    """Keep labels (None takes one back), let the judge learn, and judge all pages of the crawl again.

    A crawl that another process runs is asked to do so itself.
    """
    store = Store.open(folder.database, read_only=True)
    settings = load_settings(store)
    unknown = [url for url in labels if (row := store.find_url(url)) is None or not store.visits_of(row.id)]
    store.close()
    if unknown:
        raise HoneyguideError(f"{unknown[0]} was not visited by this crawl, so it cannot be labelled")
    if in_use(folder.path) and (turned := send(folder, labels)) is not None:
        store = Store.open(folder.database, read_only=True)
        try:
            return _told(store, turned)
        finally:
            store.close()
    crawl = Crawl(folder, load_topic(folder), settings)
    crawl.open()
    try:
        turned = _judge_again(crawl, labels)
        asyncio.run(crawl.make_records())
        crawl.settle(force=True)
        crawl.write_manifest()
        return _told(crawl.brain.store, turned)
    finally:
        crawl.close()


def _judge_again(crawl: Crawl, labels: Mapping[str, bool | None]) -> int:
    said = crawl.control.label(labels)
    crawl.control.obey()
    turned: int = said.result()
    return turned


def _told(store: Store, turned: int) -> Labelled:
    labelled = store.labels()
    right = wrong = 0
    for url, is_right in labelled.items():
        row = store.find_url(url)
        kept = row is not None and any(visit.on_topic for visit in store.visits_of(row.id))
        right += kept and is_right
        wrong += kept and not is_right
    point, low, high = precision(right, wrong) if right + wrong else (None, None, None)
    return Labelled(
        labels=len(labelled),
        right=right,
        wrong=wrong,
        precision=point,
        low=low,
        high=high,
        threshold=store.meta("judge")["threshold"],
        turned=turned,
        on_topic=store.summary.totals().on_topic,
    )


def doubtful(folder: Folder, most: int = 20, but: Collection[str] = ()) -> list[Doubt]:
    """The pages of which a label would teach most, `but` for some, in the order in which to ask about them."""
    store = Store.open(folder.database, read_only=True)
    try:
        threshold = (store.meta("judge") or {}).get("threshold", 0.5)
        found = (store.visit(page.visit) for page in to_ask_about(store, most, but))
        return [_doubt(folder, store, visit, threshold) for visit in found]
    finally:
        store.close()


def _no_word(named: str) -> bool:
    """Whether what decided is something else than a word of the page."""
    return named in (MEANING, NEIGHBOURS, LABELS) or named.startswith((A_LINK, BESIDE))


def _doubt(folder: Folder, store: Store, visit: VisitRow, threshold: float) -> Doubt:
    text = page_text(folder, store, visit)
    words = as_written(verdict_parts(visit.verdict)[0], page_wording(folder, store, visit), visit.language)
    said = [tuple(token for token, _, _ in tokens(word)) for word, _ in words if not _no_word(word)]
    phrases = [Phrase(found) for found in said if found]
    return Doubt(
        url=store.url(visit.url).url,
        title=visit.title,
        snippet=make_snippet(text, phrases, _SNIPPET).text,
        words=words,
        probability=visit.relevance,
        threshold=threshold,
    )
