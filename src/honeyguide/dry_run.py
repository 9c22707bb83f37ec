"""Pages judged before any crawl: what a topic would make of them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from honeyguide import unfollowing
from honeyguide.api import crawl
from honeyguide.crawling import load_settings, why
from honeyguide.crawling.reading import as_written
from honeyguide.crawling.settings import check_encoder
from honeyguide.crawling.verdicts import Verdicts
from honeyguide.errors import HoneyguideError
from honeyguide.page.parse import Parser
from honeyguide.store import Folder, Store
from honeyguide.topic import Judge, Topic
from honeyguide.web.urls import normalise

__all__ = ["DryRun", "PageJudged", "fetch_only", "judge"]

_MOST_HOPS = 10
_LARGEST = 50_000_000  # bytes of a file


class PageJudged(msgspec.Struct, kw_only=True):
    """What a topic makes of one page."""

    page: str  # as it was given
    title: str = ""
    on_topic: bool = False
    probability: float = 0.0
    words: list[tuple[str, float]] = []  # that decided, as the page writes them, with their parts in log-odds
    note: str = ""
    trouble: str = ""  # why it could not be judged


class DryRun(msgspec.Struct, kw_only=True):
    """What a topic makes of some pages."""

    pages: list[PageJudged]
    threshold: float  # the probability a page must reach
    examples: int  # example pages that could be read
    against: int  # other pages it was held against
    advice: str
    missing: dict[str, str] = {}  # examples that could not be read, and why


def judge(topic: Topic | str | Path, pages: Sequence[str | Path], **settings: Any) -> DryRun:
    """Judge pages, addresses or HTML files, by a topic, as a crawl that has met no others would.

    The topic's examples are fetched first, then the addresses, as politely as in a crawl; nothing is kept. Settings are
    those of `Settings`.
    """
    chosen = topic if isinstance(topic, Topic) else Topic.load(topic, complete=False)
    check_encoder(encode := bool(settings.get("encoder")))
    bodies = {str(page): _read(Path(page)) for page in pages if "://" not in str(page)}
    urls = {str(page): _address(str(page)) for page in pages if "://" in str(page)}
    with tempfile.TemporaryDirectory(prefix="honeyguide-") as place:
        folder = Folder(Path(place) / "crawl")
        wanted = tuple(dict.fromkeys(urls.values()))
        if wanted or chosen.examples:
            fetch_only(msgspec.structs.replace(chosen, starts=wanted), folder, settings)
            verdicts, examples, against = _learnt(folder, chosen)
            missing = {url: trouble for url in chosen.examples if (trouble := _ask(folder, url).trouble)}
        else:
            verdicts, examples, against, missing = Verdicts(chosen, settings.get("threshold")), 0, 0, {}
        found = []
        for page in map(str, pages):
            asked = _ask(folder, urls[page]) if page in urls else _judged(verdicts, bodies[page], encode)
            found.append(msgspec.structs.replace(asked, page=page))
    return DryRun(
        pages=found,
        threshold=verdicts.judge.threshold,
        examples=examples,
        against=against,
        advice=verdicts.judge.advice,
        missing=missing,
    )


def fetch_only(topic: Topic, folder: Folder, settings: dict[str, Any]) -> None:
    """Fetch examples and pages, and follow no link."""
    budget = (len(topic.examples) + len(topic.starts)) * _MOST_HOPS
    plain = {"strategy": f"{unfollowing.__file__}:Unfollowing", "careful": False, "workers": 1}
    with crawl(topic, out=folder.path, pages=budget, **{**plain, **settings}) as run:
        run.finish()


def _learnt(folder: Folder, topic: Topic) -> tuple[Verdicts, int, int]:
    """The judge as it was at the end, how many examples it read, and how many other pages it met."""
    store = Store.open(folder.database, read_only=True)
    try:
        examples = {row.id for url in topic.examples if (row := store.find_url(url)) is not None}
        read = [visit.url for visit in store.visits("page")]
        judge = Judge(topic, heed_starts=False)  # what was fetched is to be judged, not to be learnt from
        verdicts = Verdicts(topic, load_settings(store).threshold, judge)
        verdicts.restore(store, examples)
        verdicts.relearn()
        known = sum(url in examples for url in read)
        return verdicts, known, len(read) - known
    finally:
        store.close()


def _ask(folder: Folder, url: str) -> PageJudged:
    """What was said of a fetched page, at the end of its redirects."""
    for _ in range(_MOST_HOPS):
        found = why(folder, url)
        if not found.visits:
            reason = found.refused or found.host_parked or found.state
            return PageJudged(page=url, trouble=f"it was not fetched: {reason}")
        visit = found.visits[-1]
        target = normalise(visit.detail) if visit.outcome == "redirect" else None
        if target is None:
            break
        url = target
    if visit.outcome != "page":
        status = f"status {visit.status}" if visit.status else ""
        return PageJudged(page=url, trouble=f"{visit.outcome}: {visit.detail or status}")
    return PageJudged(
        page=url,
        title=visit.title,
        on_topic=visit.on_topic,
        probability=visit.probability,
        words=visit.words,
        note=visit.note,
    )


def _judged(verdicts: Verdicts, body: bytes, encode: bool) -> PageJudged:
    parser = Parser(structure=False, encode=encode)
    page = parser.html(body, "file:///")
    if page.kind != "html":
        return PageJudged(page="", trouble="it is no HTML")
    verdict = verdicts(page)
    text = f"{page.title}\n{page.description}\n{parser.text(body, whole=True)}"
    return PageJudged(
        page="",
        title=page.title,
        on_topic=verdict.on_topic,
        probability=verdict.probability,
        words=as_written(verdict.words, text, page.language),
        note=verdict.note,
    )


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST)
    except OSError as error:
        raise HoneyguideError(f"{path} cannot be read: {error.strerror or error}") from None


def _address(page: str) -> str:
    url = normalise(page)
    if url is None:
        raise HoneyguideError(f"'{page}' is not the address of a web page")
    return url
