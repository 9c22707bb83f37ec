"""A crawl turned into an offline web: race strategies on your own topic before you spend a big budget on it.

The answers are copied from the crawl's own WARC byte by byte, each in its gzip member. What is relevant is what the
user labelled right, and what the judge holds on topic where the user said nothing.
"""

from __future__ import annotations

import os
import random
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from honeyguide.crawling import load_topic
from honeyguide.errors import BenchError, SettingError
from honeyguide.graph import Links
from honeyguide.store import Folder, Store
from honeyguide.store.summary import KeptAnswer
from honeyguide.topic import Topic
from honeyguide.web.warc import torn
from honeyguide.wording import command, counted

__all__ = ["Recorded", "record"]

_FAR_STARTS = 5
_FAR = 2  # links away from anything relevant, if such pages there are

Listener = Callable[[int, int], None]  # told how many answers of how many are copied


def _nobody(_done: int, _total: int) -> None:
    """Nobody is listening."""


class Recorded(msgspec.Struct, kw_only=True):
    """What was recorded."""

    folder: str
    topic: str
    name: str
    pages: int
    relevant: int
    labelled: int  # of the relevant pages, those the user labelled right
    judged: int  # and those only the judge holds on topic
    threshold: float
    examples: int
    far_starts: int
    farthest: int  # links between the far starts and the nearest relevant page, at most
    left_out: int  # answers that cannot be read whole
    notes: list[str] = []


class _Truth(NamedTuple):
    """The relevant pages, by who says so."""

    labelled: set[str]
    judged: set[str]
    threshold: float

    @property
    def all(self) -> set[str]:
        return self.labelled | self.judged


def record(
    folder: Folder,
    out: Path | None = None,
    *,
    threshold: float | None = None,
    seed: int = 0,
    on_progress: Listener = _nobody,
) -> Recorded:
    """Write the offline web of a crawl, finished or stopped; the folder appears whole or not at all."""
    if threshold is not None and not 0.0 < threshold <= 1.0:
        raise SettingError(f"threshold must lie between 0 and 1, not at {threshold:g}")
    store = Store.open(folder.database, read_only=True)
    try:
        here = folder.path.resolve()
        target = out if out is not None else here.with_name(f"{here.name}-web")
        _refuse_occupied(target)
        part = target.absolute().with_name(f".{target.name}.{os.getpid()}.part")
        try:
            part.mkdir(parents=True)
            made = _fill(part, folder, store, threshold, seed, on_progress)
            if target.exists():
                target.rmdir()
            part.replace(target)
        except OSError as error:
            raise BenchError(f"{target} cannot be written: {error.strerror or error}") from None
        finally:
            shutil.rmtree(part, ignore_errors=True)
    finally:
        store.close()
    made.folder = str(target)
    return made


def _refuse_occupied(target: Path) -> None:
    try:
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise BenchError(f"{target} exists and is not an empty folder; choose another with --out")
    except OSError as error:
        raise BenchError(f"{target} cannot be written: {error.strerror or error}") from None


def _fill(
    part: Path, folder: Folder, store: Store, threshold: float | None, seed: int, on_progress: Listener
) -> Recorded:
    topic = load_topic(folder)
    summary = store.summary
    with summary.snapshot():  # pages, labels and links must tell of the same moment
        answers, left_out = _copy(part / "pages.warc.gz", folder, list(summary.kept()), on_progress)
        truth = _truth(answers, store, threshold, folder)
        examples = [url for url in topic.examples if url in answers]
        far, farthest = _far_starts(answers, store, truth, set(examples), seed)
    line = _line(topic, examples, far, truth)
    (part / "topics.jsonl").write_bytes(msgspec.json.encode(line) + b"\n")
    return Recorded(
        folder="",
        topic=line["id"],
        name=topic.name,
        pages=len(answers),
        relevant=len(truth.all),
        labelled=len(truth.labelled),
        judged=len(truth.judged),
        threshold=truth.threshold,
        examples=len(examples),
        far_starts=len(far),
        farthest=farthest,
        left_out=left_out,
        notes=list(_notes(truth, examples, far, left_out)),
    )


def _line(topic: Topic, examples: list[str], far: list[str], truth: _Truth) -> dict[str, Any]:
    return {
        "id": _id(topic.name),
        "name": topic.name,
        "languages": topic.languages,
        "keywords": topic.keywords,
        "examples": examples,
        "starts": topic.starts,
        "far_starts": far,
        "relevant": sorted(truth.all),
    }


def _id(name: str) -> str:
    """A topic's name as one word.

    >>> _id("Honey bees, wild and kept"), _id("蜜蜂"), _id("?")
    ('honey-bees-wild-and-kept', '蜜蜂', 'topic')
    """
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or "topic"


def _notes(truth: _Truth, examples: list[str], far: list[str], left_out: int) -> Iterable[str]:
    if not truth.labelled:
        yield (
            "all truth is the judge's: the race then measures agreement with the judge; "
            f"label pages with '{command('label')} FOLDER' and record again"
        )
    if not examples:
        yield "no example of the topic is in the archive: there is no race from near on it"
    if not far:
        yield "no page off topic leads to a relevant page: there is no race from far on it"
    if left_out:
        yield f"left out, for it cannot be read whole in the crawl's WARC: {counted(left_out, 'answer')}"


# --- the pages ---------------------------------------------------------------------------------------------------


def _copy(
    path: Path, folder: Folder, answers: list[KeptAnswer], on_progress: Listener
) -> tuple[dict[str, KeptAnswer], int]:
    """Copy answers that are whole; returns them by URL, and how many were not."""
    if not folder.warc.is_file() or not answers:
        raise BenchError(
            f"{folder.path} has no stored answers to record: nothing was fetched, or the crawl was run with --no-warc"
        )
    copied: dict[str, KeptAnswer] = {}
    with path.open("wb") as file:
        for done, (answer, member) in enumerate(_members(folder.warc, answers), 1):
            if member:
                file.write(member)
                copied[answer.url] = answer
            on_progress(done, len(answers))
        file.flush()
        os.fsync(file.fileno())
    if not copied:
        raise BenchError(f"{folder.warc} is damaged: none of its {len(answers)} answers can be read whole")
    return copied, len(answers) - len(copied)


def _members(path: Path, answers: list[KeptAnswer]) -> Iterator[tuple[KeptAnswer, bytes]]:
    """Each answer with its gzip member; with nothing, if that breaks off or is something else."""
    try:
        with path.open("rb") as file:
            for answer in answers:
                file.seek(answer.offset)
                member = file.read(answer.size)
                whole = len(member) == answer.size and member.startswith(b"\x1f\x8b") and not torn(member)
                yield answer, member if whole else b""
    except OSError as error:
        raise BenchError(f"{path} cannot be read: {error.strerror or error}") from None


# --- the truth ---------------------------------------------------------------------------------------------------


def _truth(answers: dict[str, KeptAnswer], store: Store, threshold: float | None, folder: Folder) -> _Truth:
    labels = store.labels()
    pages = [answer for answer in answers.values() if answer.outcome == "page"]
    labelled = {page.url for page in pages if labels.get(page.url)}
    judged = {
        page.url
        for page in pages
        if page.url not in labels and (page.on_topic if threshold is None else page.relevance >= threshold)
    }
    cut = threshold if threshold is not None else float((store.meta("judge") or {}).get("threshold", 0.5))
    if not labelled | judged:
        raise BenchError(
            f"{folder.path} has no page on topic to be found in a race: none is labelled right, "
            f"and the judge holds none on topic with a probability of {cut:g} or more"
        )
    return _Truth(labelled, judged, cut)


class _To(msgspec.Struct, array_like=True, gc=False):
    url: str


class _Leads(msgspec.Struct):
    """Of a digest, where the page leads."""

    links: list[_To] = []


def _far_starts(
    answers: dict[str, KeptAnswer], store: Store, truth: _Truth, examples: set[str], seed: int
) -> tuple[list[str], int]:
    """Pages off topic from which what is relevant is farthest and yet can be reached; and how far that is."""
    urls = sorted(answers)
    number = {url: place for place, url in enumerate(urls)}
    goals = np.zeros(len(urls), dtype=bool)
    goals[[number[url] for url in truth.all - examples]] = True  # examples are not to be found in a race from far
    steps = _graph(answers, store, number).distances(goals, most=len(urls))
    labels = store.labels()
    off_topic = [
        (int(steps[place]), url)
        for place, url in enumerate(urls)
        if 0 < steps[place] <= len(urls)
        and answers[url].outcome == "page"
        and url not in examples
        and not labels.get(url)
        and (not answers[url].on_topic or url in labels)
    ]
    far = [pair for pair in off_topic if pair[0] >= _FAR] or off_topic
    random.Random(seed).shuffle(far)  # among pages equally far, chance decides
    far.sort(key=lambda pair: -pair[0])
    chosen = far[:_FAR_STARTS]
    return [url for _, url in chosen], max((distance for distance, _ in chosen), default=0)


def _graph(answers: dict[str, KeptAnswer], store: Store, number: dict[str, int]) -> Links:
    links = Links()
    links.reach(len(number))
    urls = {answer.visit: answer.url for answer in answers.values()}
    decode = msgspec.msgpack.Decoder(_Leads).decode
    for visit, digest in store.digests():
        if visit in urls:
            reached = {number[link.url] for link in decode(digest).links if link.url in number}
            links.set(number[urls[visit]], sorted(reached))
    for answer in answers.values():
        if answer.outcome == "redirect" and answer.detail in number:
            links.set(number[answer.url], [number[answer.detail]])
    return links
