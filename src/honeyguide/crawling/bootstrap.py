"""Learning the topic before the crawl begins: the examples are fetched, politely, and nothing else before.

Nothing of this phase is stored before it is complete, so a crawl killed in it simply begins again.
"""

from __future__ import annotations

from collections.abc import Iterable

from honeyguide.crawling.brain import Brain
from honeyguide.crawling.hands import Answer
from honeyguide.frontier import EXAMPLE
from honeyguide.page.digest import Digest

__all__ = ["Bootstrap"]


class Bootstrap:
    """The examples that are still to be fetched, and what came of the others."""

    def __init__(self, brain: Brain, given: Iterable[Digest] = ()) -> None:
        self._brain = brain
        self._given = list(given)  # examples that are at hand already
        self._answers: dict[int, Answer | None] = {}
        self._moved: list[Answer] = []
        self.over = False
        self.failed = ""  # why there is nothing to go by

    def begin(self) -> None:
        """Queue the examples; without any, the crawl begins at once."""
        self._brain.learning = True
        numbers = self._brain.ranking.queue(self._brain.topic.examples, EXAMPLE)
        self._answers = dict.fromkeys(numbers)

    @property
    def fetched(self) -> int:
        """Examples fetched so far."""
        return len(self._moved) + sum(answer is not None for answer in self._answers.values())

    def take(self, answer: Answer, now: float) -> None:
        """An example was answered."""
        brain, number = self._brain, answer.order.number
        if not brain.arrived(answer, now):
            return
        target = brain.redirect(answer)[1] if answer.location else None
        if target is None:
            self._answers[number] = answer
            return
        del self._answers[number]
        self._moved.append(answer)
        if brain.frontier.is_queued(target):
            self._answers.setdefault(target, None)

    def check(self, under_way: set[int], *, room: bool = True) -> bool:
        """Whether all that can be learnt is learnt, or no more may be fetched; then the crawl itself begins."""
        waiting = any(answer is None and self._pending(number, under_way) for number, answer in self._answers.items())
        if waiting and (room or under_way):
            return False
        answers = [answer for answer in self._answers.values() if answer is not None]
        pages = [answer.page for answer in answers if answer.page is not None and answer.page.kind == "html"]
        if not self._given and not pages and not self._brain.topic.keywords:
            self.failed = "none of the examples could be fetched, and the topic has no keywords to go by"
        self._brain.begin(self._given + pages, self._brain.topic.starting_points)
        starts = set(self._brain.topic.starting_points)
        for answer in self._moved:  # in the order they were answered, so that a start may move more than once
            if answer.order.url in starts:
                starts.add(answer.location)
        for answer in self._moved + answers:
            # An example that is no start is learnt from, but the crawl does not begin there.
            self._brain.take(answer, "page" if answer.order.url in starts else "example")
        self._answers, self._moved = {}, []
        if not self.failed:  # else it may begin anew, when the examples can be had
            self._brain.store.set_meta(learnt=True)
        self.over = True
        return True

    def _pending(self, number: int, under_way: set[int]) -> bool:
        frontier = self._brain.frontier
        parked = frontier.hosts[self._brain.ranking.graph.host[number]].parked
        return number in under_way or (frontier.is_queued(number) and not parked)
