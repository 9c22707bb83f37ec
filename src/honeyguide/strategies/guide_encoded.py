"""What links are called, as a sentence encoder reads it: of the URLs ranked first, for it takes its time.

At every revision the names of some of the URLs ranked first are read, all at once, and are compared with the topic from
then on (`guide_direction`). What the encoder would say of another is guessed from what word vectors say of it:

    guess = a + b * score by word vectors,   a and b by least squares over the names that were read

so that read and unread names can be ranked together. The mean over all URLs met is that of a sample of them. What is
read is the last segment of the URL and the anchor of the first link to it, where that says something else, of examples
their title in its place; of all first links where the segment is but a number. A name of which no word can be read,
such as a Chinese one, is left to the word vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import msgspec
import numpy as np
import numpy.typing as npt

from honeyguide.strategies.base import Brief, Floats, Ints
from honeyguide.strategies.guide_direction import EXAMPLE, TopicDirection
from honeyguide.strategies.guide_names import Names, name_of
from honeyguide.strategies.guide_rows import Rows
from honeyguide.text.encoder import ENCODED, encoder
from honeyguide.text.vectors import readable, without_hashes

__all__ = ["EncodedNames"]

Encoded = npt.NDArray[np.int8]
Vector = npt.NDArray[np.float32]

_FIRST = 256  # URLs ranked first, whose names are read
_AT_ONCE = 25  # names of them that are read at a revision
_SAMPLE = 64  # URLs met whose names stand for all
_MORE = 2  # that are added to them at each revision
_KEPT = 4_096  # names whose vectors are remembered, and URLs whose anchors are
_SIGNS = 100  # of an anchor that are read
_COMPARED = 1_024  # URLs ranked first, by which guessing is learnt
_FEWEST = 8  # names read before anything is guessed
_LEAST = 0.1  # the slope of a guess at least


class EncodedNames(Names):
    """Names of queued URLs by word vectors, and by the encoder as far as it has read them."""

    def __init__(self, brief: Brief, rows: Rows, *, meaning: bool) -> None:
        super().__init__(brief, rows, meaning=meaning)
        self._known: dict[str, bytes] = {}  # what was made of names, as small integers
        self._anchors: dict[int, list[str]] = {}  # of URLs, where they say more than the address
        self._met: list[int] = []  # URLs met since the last revision
        self._sampled = 0
        self._due: list[tuple[str, float, float]] = []  # what is to be learnt: names, how relevant and how irrelevant
        self._guess = (0.0, 1.0)
        called = [_called(one.url, _more(one.url, one.title)) for one in brief.examples]
        topic, *examples = _floats(self._encode([_text(brief.topic.name), *called]))
        self._read_direction = TopicDirection(topic)
        for example in examples:
            self._read_direction.learn(example, EXAMPLE, 0.0)
        self._read_direction.look()

    # -- what is learnt -------------------------------------------------------------------------------------

    def read(
        self, numbers: Ints, urls: Sequence[str], anchors: Sequence[str], language: str, counts: Vector | None = None
    ) -> None:
        """What URLs are called by word vectors, and what else the encoder may have to read."""
        super().read(numbers, urls, anchors, language, counts)
        self._met += numbers.tolist()
        for number, url, anchor in zip(numbers.tolist(), urls, anchors, strict=True):
            if more := _more(url, anchor):
                self._anchors[number] = more

    def _called_too(self, number: int, anchor: str) -> None:
        """The name is to be read anew."""
        self._anchors.setdefault(number, []).append(anchor[:_SIGNS])
        self._rows.read[self._rows.place.raw[number]] = False

    def learn(self, number: int, relevance: float) -> None:
        """A queued URL turned out to be so relevant: its name may still have to be read, with others."""
        super().learn(number, relevance)
        self._due.append((self._name(number), relevance, 1.0 - relevance))

    def turned(self, numbers: Ints, changes: Floats) -> None:
        """The relevance of fetched URLs has changed by so much."""
        super().turned(numbers, changes)
        for number, change in zip(numbers.tolist(), changes.tolist(), strict=True):
            self._due.append((self._name(number), change, -change))

    def look(self) -> None:
        """Read names of URLs ranked first, of a few others, and of what was fetched unread; then compare by them."""
        super().look()
        rows = self._rows
        ranked = np.argsort(-rows.scores[: rows.count], kind="stable")
        first = ranked[:_FIRST]
        first = first[~rows.read[first]][:_AT_ONCE]
        due, self._due = self._due, []
        sample = self._sample()
        found = self._encode([*map(self._name, rows.ids[first].tolist()), *sample, *(name for name, _, _ in due)])
        rows.encoded[first] = found[: len(first)]
        rows.read[first] = True
        others = _floats(found[len(first) :])
        self._read_direction.meet(others[: len(sample)])
        for (_, relevant, irrelevant), name in zip(due, others[len(sample) :], strict=True):
            self._read_direction.learn(name, relevant, irrelevant)
        self._read_direction.look()
        self._learn_to_guess(ranked[:_COMPARED])
        if len(self._anchors) > 2 * rows.count + _KEPT:
            self._anchors = {number: told for number, told in self._anchors.items() if rows.place.raw[number] >= 0}

    def _sample(self) -> list[str]:
        """The names of some of the URLs met since the last time, evenly spread over them."""
        wanted = max(_SAMPLE - self._sampled, _MORE)
        met, self._met = self._met, []
        chosen = [name for number in met[:: max(1, len(met) // wanted)][:wanted] if (name := self._name(number))]
        self._sampled += len(chosen)
        return chosen

    def _name(self, number: int) -> str:
        """What a URL is called; nothing if no word of it can be read."""
        return _called(self._graph.url(number), self._anchors.get(number, ()))

    def _encode(self, texts: Sequence[str]) -> Encoded:
        """What the encoder makes of names, as small integers; each is read once."""
        new = [text for text in dict.fromkeys(texts) if text and text not in self._known]
        if new:
            made = np.rint(encoder().encode(new) * 127).astype(np.int8)
            self._known.update(zip(new, (one.tobytes() for one in made), strict=True))
        nothing = bytes(ENCODED)
        packed = b"".join(self._known[text] if text else nothing for text in texts)
        if len(self._known) > _KEPT:  # the oldest go
            self._known = dict(islice(self._known.items(), len(self._known) - _KEPT // 2, None))
        return np.frombuffer(packed, np.int8).reshape(len(texts), ENCODED)

    def _learn_to_guess(self, rows: Ints) -> None:
        read, plain = self._read_scores(rows), super().scores(rows)
        both = ~np.isnan(read) & ~np.isnan(plain)
        if both.sum() >= _FEWEST:
            x, y = plain[both], read[both]
            slope = max(float(((x - x.mean()) * (y - y.mean())).mean() / max(float(x.var()), 1e-9)), _LEAST)
            self._guess = (float(y.mean() - slope * x.mean()), slope)

    # -- ranking --------------------------------------------------------------------------------------------

    def scores(self, rows: Ints) -> Floats:
        """How like the topic the names of rows are, as read or as guessed; nan for those that say nothing."""
        read = self._read_scores(rows)
        begin, slope = self._guess
        return np.where(np.isnan(read), begin + slope * super().scores(rows), read)

    def _read_scores(self, rows: Ints) -> Floats:
        """The same of names that were read; nan for all others."""
        found = np.full(len(rows), np.nan)
        read = self._rows.read[rows]
        if self._read_direction.known and read.any():
            found[read] = self._read_direction.scores(self._rows.encoded[rows[read]])
        return found

    def told(self, row: int, good: bool, score: float) -> str:
        """How like the topic a queued URL is called, in words."""
        if not self._rows.read[row] or not self._rows.encoded[row].any():
            return super().told(row, good, score)
        return f"named {'like' if good else 'unlike'} the topic's pages ({score:.2f}, by the encoder)"

    def save(self) -> bytes:
        """What was learnt, and what was read: to read that again, among others, could change its last bits."""
        learnt = (super().save(), self._read_direction.save(), self._guess, self._sampled)
        return msgspec.msgpack.encode((learnt, self._due, self._known, self._anchors, self._met))

    def load(self, state: bytes) -> None:
        """Go on from what was saved."""
        learnt, self._due, self._known, self._anchors, self._met = msgspec.msgpack.decode(state, type=_State)
        by_words, by_encoder, self._guess, self._sampled = learnt
        super().load(by_words)
        self._read_direction.load(by_encoder)


_State = tuple[
    tuple[bytes, bytes, tuple[float, float], int],
    list[tuple[str, float, float]],
    dict[str, bytes],
    dict[int, list[str]],
    list[int],
]


def _floats(encoded: Encoded) -> npt.NDArray[np.float32]:
    found: npt.NDArray[np.float32] = encoded.astype(np.float32) / np.float32(127)
    return found


def _called(url: str, anchors: Sequence[str]) -> str:
    """The name in a URL, and its anchors, as text to be read; a hash is a name for machines.

    >>> _called("http://a.test/honey.html", ["Bees", "57858019e54bcee7"])
    'honey, bees'
    """
    return _text(", ".join(filter(None, (name_of(url)[0], *map(without_hashes, anchors)))))


def _more(url: str, anchor: str) -> list[str]:
    """What an anchor, or the title of an example in its place, says more than the name in the URL does."""
    return [anchor[:_SIGNS]] if anchor and not _says_the_same(name_of(url)[0], anchor) else []


def _says_the_same(name: str, anchor: str) -> bool:
    """Whether one is but a part of the other, as a word and its plural are.

    >>> _says_the_same("Steam engine", "steam engines"), _says_the_same("index", "honey bees")
    (True, False)
    """
    name, anchor = name.lower(), anchor.lower()
    return bool(name) and (anchor in name or name in anchor)


def _text(name: str) -> str:
    """A name in lower case; nothing if no word of it can be read."""
    return name.lower() if readable(name) else ""
