"""The one judge of a crawl, and how it learns: from the examples, from what is met on the way, from the user."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from honeyguide.page.digest import Digest, decode
from honeyguide.store import Store
from honeyguide.topic import Judge, Topic, Verdict

__all__ = ["Jury"]

AUTOMATIC = 0.5
_SIZES = (8, 24, 72, 216, 512)  # of the background, at which the judge learns again; after the last it is settled


class Met(NamedTuple):
    """A page as the judge sees it, kept while it may have to be judged again."""

    visit: int
    terms: Mapping[str, int]
    title: str
    article: bool
    published: str
    language: str
    example: bool


class Jury:
    """Judges pages against a background of the pages met so far.

    The first pages are judged against little; so each time the background has tripled the judge learns anew, and what
    was judged before is judged again. Past a few hundred pages it is settled, and stays as it is.
    """

    def __init__(self, topic: Topic, threshold: float) -> None:
        self.judge = Judge(topic)
        if threshold != AUTOMATIC:  # set by hand, it stays where it is; else labels may move it
            self.judge.threshold = threshold
        self._examples: list[Mapping[str, int]] = []
        self._met: list[Met] = []
        self._size = 0  # pages met that are no examples
        self._labelled: list[tuple[Mapping[str, int], bool]] = []

    @property
    def settled(self) -> bool:
        """Whether the judge has learnt all it will learn by itself."""
        return self._size >= _SIZES[-1]

    def learn_examples(self, examples: Iterable[Digest]) -> None:
        """The pages the user gave."""
        self._examples = [page.terms for page in examples]
        self.relearn()

    def relearn(self, size: int | None = None) -> None:
        """Fit the judge to all that is known, or was known when so many pages had been met."""
        background = [met.terms for met in self._met if not met.example]
        self.judge.learn(self._examples, background[:size], self._labelled)

    def met(self, visit: int, page: Digest, *, example: bool) -> bool:
        """A page was met; says whether it is time to learn again."""
        if self.settled:
            return False
        self._met.append(Met(visit, page.terms, page.title, page.article, page.published, page.language, example))
        self._size += not example
        return not example and self._size in _SIZES

    def __call__(self, page: Digest | Met) -> Verdict:
        return self.judge(
            page.terms, title=page.title, article=page.article, published=page.published, language=page.language
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
        """Become what the jury of an earlier run was: the same examples, background and labels."""
        urls = {visit.id: visit.url for visit in store.visits("page")}
        labels = store.labels()
        given: list[Digest] = []
        settled = 0
        for number, blob in store.digests():
            if number not in urls:
                continue
            page = decode(blob)
            example = urls[number] in examples
            said = labels.get(page.url)
            if said is not None and not (example and said):  # an example said to be right is an example, not two
                self._labelled.append((page.terms, said))
            if example and said is not False:
                given.append(page)
            if self.met(number, page, example=example):
                settled = self._size
            if self.settled and not labels:
                break
        self._examples = [page.terms for page in given]
        self.relearn(settled)


def verdict_json(verdict: Verdict) -> str:
    """A verdict's reasons as the store keeps them."""
    words = [(word, round(weight, 3)) for word, weight in verdict.words]
    return msgspec.json.encode({"words": words, "note": verdict.note}).decode()
