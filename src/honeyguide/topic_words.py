"""What a topic is searched by: the expert's words and the example pages', with weights, and where each comes from."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from honeyguide.crawling import load_topic, why
from honeyguide.crawling.reading import as_written, page_wording
from honeyguide.dry_run import fetch_only
from honeyguide.page.digest import Digest, decode
from honeyguide.store import Folder, Store
from honeyguide.topic import Topic
from honeyguide.topic.class_weights import search_words
from honeyguide.topic.keyword_terms import keyword_terms

__all__ = ["TopicShown", "TopicWord", "show_topic"]

_MOST_AGAINST = 2_000  # other pages that examples are held against


class TopicWord(msgspec.Struct, kw_only=True):
    """A word that a topic is searched by."""

    word: str  # as the expert or the pages write it
    weight: float
    source: str  # "expert", "example", "both"
    pages: list[str]  # the examples that say it, those that say it most first


class TopicShown(msgspec.Struct, kw_only=True):
    """A topic with all that was given, and the words it is searched by."""

    topic: Topic
    words: list[TopicWord]
    read: list[str] = []  # examples that were read
    unread: dict[str, str] = {}  # and those that could not be, with the reason
    against: int = 0  # other pages they were held against


class _Read(msgspec.Struct):
    """The pages that words are learnt from, and how they spell them."""

    examples: list[Digest] = []
    others: list[Digest] = []
    text: str = ""
    unread: dict[str, str] = {}


def show_topic(topic: Topic | str | Path, *, fetch: bool = True, most: int = 40, **settings: Any) -> TopicShown:
    """A topic's words with their weights; `topic` may also be the folder of a crawl, whose pages then are at hand.

    Else examples and sites are fetched, as politely as in a crawl, unless `fetch` says no; nothing is kept. All words
    that were given are shown, and of the examples' so many. Settings are those of `Settings`.
    """
    if not isinstance(topic, Topic) and Folder(topic).is_crawl():
        folder = Folder(topic)
        chosen = load_topic(folder)
        return _shown(chosen, _read(folder, chosen), most)
    chosen = topic if isinstance(topic, Topic) else Topic.load(topic, complete=False)
    if not (fetch and chosen.examples):
        return _shown(chosen, _Read(), most)
    with tempfile.TemporaryDirectory(prefix="honeyguide-") as place:
        folder = Folder(Path(place) / "crawl")
        fetch_only(chosen, folder, settings)
        return _shown(chosen, _read(folder, chosen), most)


def _read(folder: Folder, topic: Topic) -> _Read:
    store = Store.open(folder.database, read_only=True)
    found, texts, seen = _Read(), [], set()
    try:
        wanted = {row.id: url for url in topic.examples if (row := store.find_url(url)) is not None}
        for visit in store.visits("page"):
            blob = store.digest(visit.id) if visit.url in wanted and visit.url not in seen else None
            if blob is not None:
                seen.add(visit.url)
                found.examples.append(decode(blob))
                texts.append(page_wording(folder, store, visit))
        found.others = list(islice(_others(store, set(wanted)), _MOST_AGAINST))
        missing = [url for url in topic.examples if url not in {wanted[number] for number in seen}]
    finally:
        store.close()
    found.unread = {url: _trouble(folder, url) for url in missing}
    found.text = "\n".join(texts)
    return found


def _others(store: Store, examples: set[int]) -> Iterator[Digest]:
    """Pages off the topic, as far as any were met."""
    for visit in store.visits("page", originals=True):
        if visit.url not in examples and not visit.on_topic and (blob := store.digest(visit.id)) is not None:
            yield decode(blob)


def _trouble(folder: Folder, url: str) -> str:
    """Why an example could not be read."""
    found = why(folder, url)
    if not found.visits:
        return found.refused or found.host_parked or found.state
    last = found.visits[-1]
    return f"{last.outcome}: {last.detail}" if last.detail else f"{last.outcome}, status {last.status}"


def _shown(topic: Topic, read: _Read, most: int) -> TopicShown:
    experts, surface = keyword_terms(topic)
    found = search_words([page.terms for page in read.examples], experts, (page.terms for page in read.others))
    learnt = [word for word in found if word.source == "example"][:most]
    chosen = sorted([*(word for word in found if word.source != "example"), *learnt], key=lambda one: -one.weight)
    spelled = dict(zip(chosen, as_written([(word.term, 0.0) for word in chosen], read.text), strict=True))
    return TopicShown(
        topic=topic,
        words=[
            TopicWord(
                word=surface.get(word.term) or spelled[word][0],
                weight=round(word.weight, 4),
                source=word.source,
                pages=_saying(word.term, read.examples),
            )
            for word in chosen
        ],
        read=[page.url for page in read.examples],
        unread=read.unread,
        against=len(read.others),
    )


def _saying(term: str, examples: Sequence[Digest]) -> list[str]:
    def share(terms: Mapping[str, int]) -> float:
        return terms.get(term, 0) / (sum(terms.values()) or 1)

    saying = [page for page in examples if page.terms.get(term)]
    return [page.url for page in sorted(saying, key=lambda page: -share(page.terms))]
