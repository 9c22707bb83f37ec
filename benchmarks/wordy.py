"""Topics told by more words: to each topic's own keywords come those near them in meaning, as a person might add."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec
import numpy as np

from honeyguide.bench.offline import OfflineWeb, RaceTopic
from honeyguide.text.about import direction
from honeyguide.text.vectors import unit
from honeyguide.topic import Shown

MORE = 5
LEAST, MOST = 3, 0.3  # pages that hold a word, and the share of them: neither slips of the pen nor what all say


def wordy(offline: OfflineWeb, pages: Iterable[Shown]) -> OfflineWeb:
    """The web with longer lists of keywords, from the words of these pages; truth is not asked."""
    every = list(pages)
    held = Counter(term for page in every for term in page.terms)
    words = [
        word for word, many in held.items() if LEAST <= many < MOST * len(every) and word.isalpha() and len(word) > 3
    ]
    directions = np.stack([direction(word) for word in words])
    middle = directions.mean(axis=0)
    directions = unit(directions - middle)

    def longer(topic: RaceTopic) -> RaceTopic:
        meant = unit((direction(" ".join(topic.keywords)) - middle)[None, :])[0]
        near = [words[place] for place in np.argsort(-(directions @ meant), kind="stable")[:MORE].tolist()]
        return msgspec.structs.replace(topic, keywords={**topic.keywords, **dict.fromkeys(near, 1.0)})

    return offline._replace(topics=[longer(topic) for topic in offline.topics])
