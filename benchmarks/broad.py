"""Broad topics: unions of a half's topics, of which much of what a crawl meets is on topic (`halves.json`)."""

from __future__ import annotations

import random

import msgspec
from kept import HALVES

from honeyguide.bench.offline import OfflineWeb

DRAWS = 2  # of five examples for each


def broad(offline: OfflineWeb, half: str) -> OfflineWeb:
    """The schools web with the broad topics of a half instead of its own; examples are drawn from all their pages."""
    topics, truths = [], {}
    for name, made in HALVES["broad"][half].items():
        truth = frozenset().union(*(offline.truths[one] for one in made["of"]))
        for number in range(DRAWS):
            id_ = f"{name} {number + 1}"
            examples = tuple(random.Random(id_).sample(sorted(truth), 5))
            first = next(topic for topic in offline.topics if topic.id == made["of"][0])
            keywords = dict.fromkeys(made["keywords"], 1.0)
            topics.append(msgspec.structs.replace(first, id=id_, name=name, keywords=keywords, examples=examples))
            truths[id_] = truth
    return offline._replace(topics=topics, truths=truths)
