"""Topics with other examples and far starts: nine topics, or twenty, tell little of who is better on one of them.

A draw takes as many examples as the topic has, from its pages, and as many far starts. On schools those are articles
two links or more away from the topic. On campus the front page of the university's site stays one of them, as it is in
every topic, for what can be reached without it is left to chance; the others are pages of the same university.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from honeyguide.bench.answer_cache import AnswerCache, stock
from honeyguide.bench.offline import RaceTopic, load
from honeyguide.bench.oracle import ArchiveGraph

__all__ = ["draw_examples", "draw_topics"]

AWAY = 2  # links between a far start and the topic, at the least
UNREACHED = 1_000  # links, for a page from which the topic cannot be reached


def draw_topics(web: Path, chosen: Sequence[str], block: str, draw: int, file: Path) -> None:
    """Write the topics with other examples and far starts; the rest of each is as it was."""
    known = load(web, only=chosen)
    cached = AnswerCache(stock(known.archive, (block,), structure=False))
    graph = ArchiveGraph(cached)
    blocked = re.compile(block)
    lines = []
    for topic in known.topics:
        truth = sorted(url for url in known.truths[topic.id] if url in cached and not blocked.search(url))
        examples, chance = draw_examples(topic.id, truth, len(topic.examples), draw)
        steps = graph.distances([graph.rank[url] for url in truth])
        kept, others = starts_from(topic, cached)
        far = [url for url in others if AWAY <= steps[graph.rank[url]] < UNREACHED]
        starts = [*kept, *chance.sample(far, len(topic.far_starts) - len(kept))]
        changed = {"examples": examples, "far_starts": starts, "relevant": truth}
        lines.append(msgspec.json.encode(msgspec.structs.asdict(topic) | changed))
    cached.close()
    file.write_bytes(b"\n".join(lines))


def draw_examples(topic: str, truth: Sequence[str], count: int, draw: int) -> tuple[list[str], random.Random]:
    """So many of a topic's pages, in the order of their addresses, and what draws on from there.

    >>> draw_examples("x", "abcdefgh", 3, 1)[0] == draw_examples("x", "abcdefgh", 3, 2)[0]
    False
    """
    chance = random.Random(f"{draw}-{topic}")
    return chance.sample(truth, count), chance


def starts_from(topic: RaceTopic, urls: Iterable[str]) -> tuple[list[str], list[str]]:
    """The far starts that stay, and the pages that others may be drawn from.

    >>> topic = RaceTopic("x", "x", far_starts=("http://www.cs.a.edu/", "http://b.a.edu/1"))
    >>> starts_from(topic, ["http://b.a.edu/2", "http://c.edu/3"])
    (['http://www.cs.a.edu/'], ['http://b.a.edu/2'])
    >>> starts_from(RaceTopic("x", "x", far_starts=("http://a.test/wp/1",)), ["http://a.test/wp/2", "http://a.test/3"])
    ([], ['http://a.test/wp/2'])
    """
    first = topic.far_starts[0]
    if not first.endswith(".edu/"):
        return [], sorted(url for url in urls if "/wp/" in url and "/index/" not in url)
    university = ".".join(_host(first).split(".")[-2:])
    return [first], sorted(url for url in urls if _host(url).endswith(university))


def _host(url: str) -> str:
    return url.split("/")[2]
