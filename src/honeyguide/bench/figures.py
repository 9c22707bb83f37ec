"""A finished race in figures: what each strategy was worth over all topics, and who is really better than whom."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from honeyguide.bench.bench import Outcome
from honeyguide.bench.race import CEILINGS, ORACLE
from honeyguide.bench.score import Result, paired, result, spread

__all__ = ["FLOOR", "SHARES", "SURE", "Curves", "Duel", "Figures", "RaceShown", "Standing"]

FLOOR = "random"
SURE = 0.01  # a smaller p counts as a real difference
SHARES = 100  # curves are told at each hundredth of the budget

Curves = dict[tuple[str, str], list[int]]
Floats = npt.NDArray[np.float64]
RaceShown = tuple[Outcome, Curves, dict[str, int]]


class Standing(NamedTuple):
    """One strategy over all topics."""

    strategy: str
    aucs: list[float]  # by topic, in the order of the race's topics
    auc: float
    spread: float
    recall: float
    harvest: float
    f: float
    best_f: float  # had one stopped at the best moment, topic by topic
    ms: float | None  # CPU time per page; None where nobody measured it
    won: int
    found: list[float]  # mean recall after each share of the budget, from none to all
    precision: list[float]  # mean precision after each share of the budget, from the first on

    @property
    def is_oracle(self) -> bool:
        """Whether this is what all others are told as shares of."""
        return self.strategy == ORACLE

    @property
    def is_ceiling(self) -> bool:
        """Whether it was told labels, and is no strategy."""
        return self.strategy in CEILINGS

    @property
    def is_floor(self) -> bool:
        """Whether this is the floor."""
        return self.strategy == FLOOR

    @property
    def quartiles(self) -> tuple[float, float, float]:
        """A quarter, half and three quarters of the topics lie below these."""
        low, middle, high = np.quantile(self.aucs, (0.25, 0.5, 0.75))
        return float(low), float(middle), float(high)


class Duel(NamedTuple):
    """One strategy against another, topic by topic."""

    difference: float
    p: float
    won: int
    lost: int

    @property
    def sure(self) -> bool:
        """Whether chance alone would hardly show as much."""
        return self.p < SURE


class Figures:
    """One race, added up."""

    def __init__(self, race: RaceShown) -> None:
        self.outcome, self.curves, self.truths = race
        self.topics = list(dict.fromkeys(one.topic for one in self.outcome.results)) or list(self.truths)
        self._results = {(one.strategy, one.topic): one for one in self.outcome.results}
        self.raced = [row.strategy for row in self.outcome.summary if row.strategy not in CEILINGS]
        ceilings = [name for name in CEILINGS if all((name, topic) in self.curves for topic in self.topics)]
        self.standings = [self._standing(name) for name in (*ceilings, *self.raced)]  # best first

    def result(self, strategy: str, topic: str) -> Result:
        """The figures of one run; those of a ceiling that was not asked for are made from its curve."""
        known = self._results.get((strategy, topic))
        if known is not None:
            return known
        found, oracle = self.curves[strategy, topic], self.curves[ORACLE, topic]
        return result(strategy, topic, found, truth=self.truths[topic], pages=len(found), seconds=0.0, oracle=oracle)

    def best(self, topic: str) -> float:
        """The best any strategy did on a topic."""
        return max((self.result(name, topic).auc for name in self.raced), default=0.0)

    def winners(self, topic: str) -> list[str]:
        """Who did best on a topic; nobody, where nobody found anything."""
        best = self.best(topic)
        return [name for name in self.raced if best > 0 and self.result(name, topic).auc == best]

    def above_oracle(self) -> list[Result]:
        """Runs that beat the oracle, which looks only one page ahead."""
        return [one for one in self.outcome.results if one.strategy not in CEILINGS and one.auc > 1 + 1e-9]

    def duels(self) -> dict[tuple[str, str], Duel]:
        """Each strategy against each other, both ways."""
        aucs = {one.strategy: one.aucs for one in self.standings}
        found: dict[tuple[str, str], Duel] = {}
        for one, other in combinations(self.raced, 2):
            gap = paired(aucs[one], aucs[other])
            lost = sum(his > mine for mine, his in zip(aucs[one], aucs[other], strict=True))
            found[one, other] = Duel(gap.difference, gap.p, gap.won, lost)
            found[other, one] = Duel(-gap.difference, gap.p, lost, gap.won)
        return found

    def _standing(self, strategy: str) -> Standing:
        runs = [self.result(strategy, topic) for topic in self.topics]
        measured = [one for one in runs if (one.strategy, one.topic) in self._results]
        pages = sum(one.pages for one in measured)
        grown = [self._grown(one) for one in runs]
        aucs = [one.auc for one in runs]
        return Standing(
            strategy=strategy,
            aucs=aucs,
            auc=_mean(aucs),
            spread=spread(aucs),
            recall=_mean([one.recall for one in runs]),
            harvest=_mean([one.harvest for one in runs]),
            f=_mean([one.f for one in runs]),
            best_f=_mean([self._best_f(one) for one in runs]),
            ms=1_000 * sum(one.seconds for one in measured) / pages if pages else None,
            won=sum(strategy in self.winners(topic) for topic in self.topics),
            found=_columns([found for found, _ in grown]),
            precision=_columns([precision for _, precision in grown]),
        )

    def _grown(self, run: Result) -> tuple[Floats, Floats]:
        """Recall and precision of a run after each share of its budget."""
        curve = self.curves[run.strategy, run.topic]
        fetches = np.linspace(0, len(curve), SHARES + 1)
        found = np.interp(fetches, np.arange(len(curve) + 1), [0, *curve])
        # A run that ended early fetched no more: its precision stays as it was.
        return found / self.truths[run.topic], found[1:] / np.minimum(fetches[1:], max(1, run.pages))

    def _best_f(self, run: Result) -> float:
        curve = np.asarray(self.curves[run.strategy, run.topic], dtype=np.float64)
        return float(np.max(2 * curve / (np.arange(1, len(curve) + 1) + self.truths[run.topic])))


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0


def _columns(rows: list[Floats]) -> list[float]:
    return [float(value) for value in np.mean(rows, axis=0)] if rows else []
