"""The one judge of a crawl, and how it learns: from the examples, from what is met on the way, from the user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from honeyguide.page.digest import Digest, decode
from honeyguide.store import Store
from honeyguide.topic import Judge, Topic, Verdict

__all__ = ["Jury"]

_FIRST, _LAST = 8, 512  # the judge learns again when the background has doubled, between these sizes


class Jury:
    """Judges pages against a background of the pages met so far.

    The first pages are judged against little; so each time the background has doubled the judge learns anew, and
    what was judged before is judged again. Past a few hundred pages it is settled, and stays as it is.
    """

    def __init__(self, topic: Topic, threshold: float) -> None:
        self.judge = Judge(topic)
        self.judge.threshold = threshold
        self._examples: list[Mapping[str, int]] = []
        self._background: list[Mapping[str, int]] = []
        self._labelled: list[tuple[Mapping[str, int], bool]] = []

    def learn_examples(self, examples: Iterable[Digest]) -> None:
        """The pages the user gave."""
        self._examples = [page.terms for page in examples]
        self.relearn()

    def set_labels(self, labelled: list[tuple[Mapping[str, int], bool]]) -> None:
        """What the user said of pages met."""
        self._labelled = labelled

    def relearn(self) -> None:
        """Fit the judge to all that is known."""
        self.judge.learn(self._examples, self._background, self._labelled)

    def met(self, page: Digest) -> bool:
        """A page was met; says whether it is time to learn again."""
        if len(self._background) >= _LAST:
            return False
        self._background.append(page.terms)
        size = len(self._background)
        return size >= _FIRST and size & (size - 1) == 0

    def __call__(self, page: Digest) -> Verdict:
        return self.judge(
            page.terms, title=page.title, article=page.article, published=page.published, language=page.language
        )

    def restore(self, store: Store, examples: set[int]) -> None:
        """Become what the jury of an earlier run was: the same examples, background and labels."""
        roles: dict[int, int] = {visit.id: visit.url for visit in store.visits("outcome = 'page'")}
        given: list[Digest] = []
        labels = store.labels()
        labelled: list[tuple[Mapping[str, int], bool]] = []
        settled = 0
        for number, blob in store.digests():
            if number not in roles:
                continue
            page = decode(blob)
            if page.url in labels:
                labelled.append((page.terms, labels[page.url]))
            if roles[number] in examples:
                given.append(page)
            elif self.met(page):
                settled = len(self._background)
        grown, self._background = self._background, self._background[:settled]
        self._labelled = labelled
        self.learn_examples(given)
        self._background = grown


def verdict_json(verdict: Verdict) -> str:
    """A verdict's reasons as the store keeps them."""
    words = [(word, round(weight, 3)) for word, weight in verdict.words]
    return msgspec.json.encode({"words": words, "note": verdict.note}).decode()
