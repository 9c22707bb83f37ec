"""What is on topic: the verdicts of a crawl, and how its judge learns from examples, pages met, and the user.

The judge is the crawl's own, or one that the strategy brings. Whatever either says, a person's label stands above it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from honeyguide.page.digest import Digest, decode
from honeyguide.store import Store
from honeyguide.topic import Judge, Judging, Shown, Topic, Verdict, standing

__all__ = ["OWN", "Verdicts", "is_own", "relevance_of", "verdict_json", "verdict_parts"]

# The name of the crawl's own judge, as every visit has it; numbered anew when its probabilities mean something else.
OWN = "honeyguide 7"
_SIZES = (8, 16, 32, 64, 128, 256, 512)  # of the background, at which the judge learns again; then it is settled


class Met(NamedTuple):
    """A page as the judge sees it, kept while it may have to be judged again."""

    visit: int
    url: str
    shown: Shown
    example: bool


class Verdicts:
    """Judges pages against a background of the pages met so far.

    The first pages are judged against little; so each time the background has doubled, and when a crawl ends, the judge
    learns anew, and what was judged before is judged again. Past a few hundred pages it is settled, and stays as it is.
    """

    def __init__(self, topic: Topic, threshold: float | None, judge: Judging | None = None, name: str = OWN) -> None:
        self.judge: Judging = judge or Judge(topic)
        self.name = name if judge is not None else OWN
        if threshold is not None:  # set by hand, it stays where it is; else labels may move it
            self.judge.threshold = threshold
        self._starts = frozenset(topic.starts)
        self._examples: list[Shown] = []
        self._met: list[Met] = []
        self._size = 0  # pages met that are no examples
        self.learnt = 0  # of these, those that the judge has learnt from
        self._looks: list[int] = []  # how many they were when a run of the crawl had come to its end
        self._labels: dict[str, bool] = {}
        self._taught: dict[str, Shown] = {}  # labelled pages that are no examples
        self.outdated = False  # whether an earlier version of the crawl's own judge has judged some of the pages

    @property
    def settled(self) -> bool:
        """Whether the judge has learnt all it will learn by itself."""
        return self._size >= _SIZES[-1]

    @property
    def behind(self) -> bool:
        """Whether pages were met that the crawl's own judge would learn from, and has not."""
        return self.learnt < self._size >= _SIZES[0] and isinstance(self.judge, Judge)

    def last_look(self) -> None:
        """A run of the crawl is at its end: learn from all that was met."""
        self._looks.append(self._size)
        self.relearn()

    def history(self) -> dict[str, Any]:
        """What is to be known of the judge without making it again, or to make it again."""
        return {"name": self.name, "threshold": self.judge.threshold, "learnt": self.learnt, "looks": self._looks}

    def learn_examples(self, examples: Iterable[Digest]) -> None:
        """The pages the user gave."""
        self._examples = [_known(page) for page in examples]
        self.relearn()

    def late_example(self, page: Digest) -> bool:
        """An example came in; says whether it is one that could not be had before."""
        shown = _known(page)
        late = shown not in self._examples
        if late:
            self._examples.append(shown)
        return late

    def relearn(self, size: int | None = None) -> None:
        """Fit the judge to all that is known, or was known when so many pages had been met."""
        background = [met.shown for met in self._met if not met.example]
        self.learnt = len(background[:size])
        labelled = [(shown, self._labels[url]) for url, shown in sorted(self._taught.items())]
        self.judge.learn(self._examples, background[:size], labelled)

    def label(self, page: Digest, said: bool | None) -> None:
        """A person says whether a page is on topic, or takes that back; `relearn` and judge again afterwards."""
        if said is None:
            self._labels.pop(page.url, None)
            self._taught.pop(page.url, None)
            return
        self._labels[page.url] = said
        shown = _known(page)
        if not (said and shown in self._examples):  # an example said to be right is an example, not two
            self._taught[page.url] = shown

    def met(self, visit: int, page: Digest, *, example: bool, start: bool = False) -> bool:
        """A page was met; says whether it is time to learn again."""
        if self.settled:
            return False
        shown = Shown.of(page, spelled=start)._replace(start=start and not example)
        self._met.append(Met(visit, page.url, shown, example))
        self._size += not example
        return not example and self._size in _SIZES

    def began_at(self, url: str, depth: int, parent: int) -> bool:
        """Whether a page is a start of the crawl, or where one led to; a front page is a way in, no hint of the topic.

        What a robots.txt names has no parent, either.
        """
        return depth == 0 and (parent >= 0 or url in self._starts) and bool(urlsplit(url).path.strip("/"))

    @property
    def glances(self) -> bool:
        """Whether pages come with what they are about unread: a judge that learns no more asks for it where it counts.

        Until then it learns from what every page is about. Then most pages are off topic by their words alone, and
        reading the rest costs more than all else that is done to judge a page.
        """
        return self.settled and isinstance(self.judge, Judge)

    def __call__(self, page: Digest | Met, read: Callable[[], Digest] | None = None) -> Verdict:
        shown = page.shown if isinstance(page, Met) else Shown.of(page)
        if read is not None:
            shown = shown._replace(read=lambda: Shown.of(read()))
        verdict = self.judge(shown)
        said = self._labels.get(page.url)
        if said is None:
            return verdict
        alone = f"the judge alone gave it {verdict.probability:.2f}"
        return Verdict(
            float(said), said, verdict.words, f"labelled {'right' if said else 'wrong'} by a person; {alone}"
        )

    def again(self, store: Store) -> Iterator[tuple[int, Verdict]]:
        """Judge all pages of a crawl anew: from memory while that holds them all, else from the store."""
        if self._size <= _SIZES[-1] and len(self._met) == store.page_count():
            for met in self._met:
                yield met.visit, self(met)
            return
        for number, blob in store.digests():
            page = decode(blob)
            if page.kind == "html":
                yield number, self(page)

    def restore(self, store: Store, examples: set[int]) -> None:
        """Become what the verdicts of an earlier run were: the same examples, background and labels."""
        history = store.meta("judge") or {}
        visits = list(store.visits("page"))
        self.outdated = any(is_own(visit.judge) and visit.judge != OWN for visit in visits)
        urls = {visit.id: visit.url for visit in visits if visit.role != "again"}
        labels = store.labels()
        given: list[Digest] = []
        labelled: list[Digest] = []
        settled = 0
        for number, blob in store.digests():
            if number not in urls:
                continue
            page = decode(blob)
            example = urls[number] in examples
            if page.url in labels:
                labelled.append(page)
            if example and labels.get(page.url) is not False:
                given.append(page)
            row = store.url(urls[number])
            start = self.began_at(page.url, row.depth, -1 if row.parent is None else row.parent)
            if self.met(number, page, example=example, start=start):
                settled = self._size
            if self.settled and len(labelled) == len(labels):
                break
        self._examples = [_known(page) for page in given]
        for page in labelled:
            self.label(page, labels[page.url])
        self._looks = history.get("looks", [])
        self.relearn(history.get("learnt", settled))


def _known(page: Digest) -> Shown:
    """A page of which somebody said what it is: the judge names the links it shares."""
    return Shown.of(page, spelled=True)


def is_own(judge: str) -> bool:
    """Whether a judge of this name is the crawl's own, be it an earlier version.

    >>> is_own(OWN), is_own("honeyguide"), is_own("news")
    (True, True, False)
    """
    return judge.partition(" ")[0] == OWN.partition(" ")[0]


def relevance_of(probability: float, judge: str) -> float:
    """What strategies are told of a page to which a judge of this name gave this probability."""
    return standing(probability) if judge == OWN else probability


def verdict_json(verdict: Verdict) -> str:
    """A verdict's reasons as the store keeps them."""
    words = [(word, round(weight, 3)) for word, weight in verdict.words]
    return msgspec.json.encode({"words": words, "note": verdict.note}).decode()


def verdict_parts(text: str) -> tuple[list[tuple[str, float]], str]:
    """The words that decided with their parts, and the note, of what the store keeps; nothing of what is not that.

    >>> verdict_parts('{"words": [["bee", 1.5]], "note": ""}'), verdict_parts("[]")
    (([('bee', 1.5)], ''), ([], ''))
    """
    try:
        kept = msgspec.json.decode(text or "{}", type=_Kept)
    except (msgspec.DecodeError, UnicodeError):
        return [], ""
    return kept.words, kept.note


class _Kept(msgspec.Struct):
    words: list[tuple[str, float]] = []
    note: str = ""
