"""Learning the topic before the crawl begins: the examples are fetched, politely, and nothing else before.

Nothing of this phase is stored before it is complete, so a crawl killed in it simply begins again.
"""

from __future__ import annotations

from collections.abc import Iterable

from honeyguide.crawling.brain import EXAMPLE, START, Brain
from honeyguide.crawling.hands import Answer
from honeyguide.page.digest import Digest
from honeyguide.strategies import Brief, Ranked, blamed
from honeyguide.web.urls import key_of

__all__ = ["Lessons"]


class Lessons:
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
        examples = self._brain.topic.examples
        self._brain.learning = True
        self._brain.offer([Ranked(url, EXAMPLE, "an example of the topic") for url in examples], parent=None, depth=0)
        numbers = [self._brain.frontier.find(key_of(url)) for url in examples]
        self._answers = {number: None for number in numbers if number is not None}

    @property
    def fetched(self) -> int:
        """Examples fetched so far."""
        return len(self._moved) + sum(answer is not None for answer in self._answers.values())

    def take(self, answer: Answer, now: float) -> None:
        """An example was answered."""
        brain, number = self._brain, answer.order.number
        if not brain.arrived(answer, now):
            return
        if answer.location and brain.scope(answer.location):
            del self._answers[number]
            self._moved.append(answer)
            brain.redirect(answer)
            target = brain.frontier.find(key_of(answer.location))
            if target is not None and brain.frontier.is_queued(target):
                self._answers.setdefault(target, None)
        else:
            self._answers[number] = answer

    def check(self, under_way: set[int]) -> bool:
        """Whether all that can be learnt is learnt; then the crawl itself begins."""
        if any(answer is None and self._pending(number, under_way) for number, answer in self._answers.items()):
            return False
        answers = [answer for answer in self._answers.values() if answer is not None]
        pages = [answer.page for answer in answers if answer.page is not None and answer.page.kind == "html"]
        self._start(self._given + pages)
        starts = set(self._brain.topic.starting_points)
        starts |= {answer.location for answer in self._moved if answer.order.url in starts}
        for answer in self._moved + answers:
            # An example that is no start is learnt from, but the crawl does not begin there.
            self._brain.take(answer, "page" if answer.order.url in starts else "example")
        self._answers, self._moved = {}, []
        self.over = True
        return True

    def _pending(self, number: int, under_way: set[int]) -> bool:
        frontier = self._brain.frontier
        parked = frontier.hosts[frontier.known(number).host].parked
        return number in under_way or (frontier.is_queued(number) and not parked)

    def _start(self, examples: list[Digest]) -> None:
        brain = self._brain
        if not examples and not brain.topic.keywords:
            self.failed = "none of the examples could be fetched, and the topic has no keywords to go by"
        brain.jury.learn_examples(examples)
        with blamed(brain.settings.strategy, "at learning the topic"):
            brain.strategy.start(Brief(brain.topic, examples), brain.settings.seed)
        brain.learning = False
        starts = brain.topic.starting_points
        brain.offer([Ranked(url, START, "a start of the crawl") for url in starts], parent=None, depth=0)
        brain.offer(brain.later, parent=None, depth=0)
        brain.later = []
        if brain.strategy.revise_every:  # what it thinks of the starts
            brain.revise()
        brain.store.set_meta(learnt=True)
