"""Every registered strategy keeps the contract, and the contract catches those that do not."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from honeyguide.errors import UnknownStrategy
from honeyguide.page.digest import Digest
from honeyguide.strategies import Brief, Pairs, Ranks, Strategy, find, known, make, setting
from honeyguide.strategies.contract import Walk, check, practice_web

from .tiny import ranks_by_verdict


class Plain(Strategy):
    """Keeps the contract, in plain Python; those below break it in one way each."""

    keeps = ("count",)

    def start(self, brief: Brief, seed: int) -> None:
        self.count = 0

    def page(self, page: Digest) -> Ranks | Pairs:
        self.count += 1
        return [(link.id, float((self.count * len(link.anchor)) % 7)) for link in page.links]


@pytest.fixture(autouse=True)
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name for this module's strategies alone: none of them can be chosen by it."""
    monkeypatch.setattr(Plain, "name", "plain")


def caught(kind: type[Strategy], what: str) -> None:
    with pytest.raises(AssertionError, match=what):
        check(kind)


@pytest.mark.parametrize("name", sorted(known()))
def test_the_contract_holds(name: str) -> None:
    check(find(name))


def test_a_strategy_in_plain_python_passes() -> None:
    check(Plain)


def test_the_walk_meets_all_that_a_crawl_meets() -> None:
    missed: list[str] = []
    turned: list[int] = []
    kinds: list[str] = []

    class Watching(Plain):
        """Takes note."""

        def page(self, page: Digest) -> Ranks | Pairs:
            kinds.append(page.kind)
            return super().page(page)

        def missed(self, number: int, outcome: str) -> None:
            missed.append(outcome)

        def turned(self, numbers: NDArray[np.int64]) -> None:
            turned.extend(numbers.tolist())

    check(Watching)
    assert {"redirect", "missing"} <= set(missed)
    assert {"html", "feed"} <= set(kinds)
    assert turned


# -- what is chosen ---------------------------------------------------------------------------------------------


def test_an_undetermined_strategy_is_caught() -> None:
    class Fickle(Plain):
        """Throws dice."""

        def page(self, page: Digest) -> Pairs:
            return [(link.id, random.random()) for link in page.links]

    caught(Fickle, "two runs with the same seed chose differently")


def test_a_strategy_that_ranks_nothing_is_caught() -> None:
    class Idle(Plain):
        """Has nothing to say."""

        def page(self, page: Digest) -> Pairs:
            return []

    caught(Idle, "it must find something to visit")


def test_a_strategy_that_forgets_is_caught() -> None:
    class Forgetful(Plain):
        """Counts pages and does not save the count."""

        keeps = ()

    caught(Forgetful, "after save\\(\\) and load\\(\\)")


@pytest.mark.parametrize("told", ["missed", "turned"])
def test_a_strategy_that_forgets_what_became_of_urls_is_caught(told: str) -> None:
    class Forgetful(Plain):
        """Counts what it is told of, and does not save that count."""

        def start(self, brief: Brief, seed: int) -> None:
            super().start(brief, seed)
            self.told = 0

        def page(self, page: Digest) -> Pairs:
            return [(link.id, float((self.told * len(link.anchor)) % 7)) for link in page.links]

    def count(self: Forgetful, *_: Any) -> None:
        self.told += 1

    setattr(Forgetful, told, count)
    caught(Forgetful, "after save\\(\\) and load\\(\\)")


def test_a_state_that_is_no_bytes_is_caught() -> None:
    class Wordy(Plain):
        """Saves text."""

        def save(self) -> bytes:
            return "all I know"  # type: ignore[return-value]

    caught(Wordy, "must return bytes")


# -- what is ranked ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("priority", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("arrays", [True, False])
def test_a_priority_that_is_no_number_is_caught(priority: float, arrays: bool) -> None:
    class Odd(Plain):
        """Gives odd priorities."""

        def page(self, page: Digest) -> Ranks | Pairs:
            if arrays:
                return Ranks(page.targets, np.full(len(page.targets), priority))
            return [(link.id, priority) for link in page.links]

    caught(Odd, "finite")


def test_a_rank_for_a_url_that_is_not_on_the_page_is_caught() -> None:
    class Foreign(Plain):
        """Ranks a start wherever it is."""

        def page(self, page: Digest) -> Pairs:
            return [(0, 1.0), *((link.id, 0.0) for link in page.links)]

    caught(Foreign, "only rank links of the page")


@pytest.mark.parametrize("number", [-1, 10**9])
def test_a_rank_for_a_number_no_url_has_is_caught(number: int) -> None:
    class Unknown(Plain):
        """Ranks what nobody knows, when it thinks again."""

        revise_every = 1

        def revise(self) -> Pairs:
            return [(number, 1.0)]

    caught(Unknown, "known URLs")


def test_a_revision_that_is_no_number_is_caught() -> None:
    class Odd(Plain):
        """Changes its mind oddly."""

        revise_every = 1

        def revise(self) -> Pairs:
            return [(0, float("nan"))]

    caught(Odd, "finite")


# -- what is told -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reason", "what"), [("", "must not be empty"), (None, "must be text")])
def test_a_reason_that_says_nothing_is_caught(reason: object, what: str) -> None:
    class Silent(Plain):
        """Gives no reason."""

        def reason(self, number: int) -> str:
            return reason  # type: ignore[return-value]

    caught(Silent, what)


@pytest.mark.parametrize("change", ["page.links.clear()", "page.title = 'mine'", "page.terms['mine'] = 1"])
def test_a_strategy_that_changes_the_page_is_caught(change: str) -> None:
    class Meddling(Plain):
        """Writes on what it is shown."""

        def page(self, page: Digest) -> Ranks | Pairs:
            ranks = list(super().page(page))  # type: ignore[arg-type]
            exec(change, {"page": page})
            return ranks

    caught(Meddling, "must not change the page")


def test_a_strategy_that_cannot_bear_an_empty_page_is_caught() -> None:
    class Picky(Plain):
        """Needs a title."""

        def page(self, page: Digest) -> Ranks | Pairs:
            return super().page(page) if page.title.split()[0] or page.kind == "feed" else []

    with pytest.raises(IndexError):
        check(Picky)


def test_a_strategy_that_writes_into_the_graph_fails() -> None:
    class Vandal(Plain):
        """Thinks all pages are on topic."""

        def start(self, brief: Brief, seed: int) -> None:
            super().start(brief, seed)
            self.graph = brief.graph

        def page(self, page: Digest) -> Ranks | Pairs:
            self.graph.on_topic[page.id] = True
            return super().page(page)

    with pytest.raises(ValueError, match="read-only"):
        check(Vandal)


# -- how it is made ---------------------------------------------------------------------------------------------


def test_a_strategy_without_a_name_or_a_description_is_caught() -> None:
    class Nameless(Plain):
        """Has none."""

    class Undescribed(Plain):
        __doc__ = ""

    caught(Undescribed, "needs a docstring")
    Nameless.name = ""
    caught(Nameless, "needs a name")


def test_a_setting_without_a_default_or_not_stored_is_caught() -> None:
    class Bare(Plain):
        """Wants to be told."""

        def __init__(self, width: int) -> None:
            self.width = width

    class Doubling(Plain):
        """Stores something else."""

        def __init__(self, width: int = 3) -> None:
            self.width = 2 * width

    caught(Bare, "'width' needs a default")
    caught(Doubling, "must store 'width'")


def test_a_stranger_s_strategy_is_found_by_its_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        '''
from honeyguide.strategies import Strategy

class Longest(Strategy):
    """Prefers long addresses."""

    name = "longest"

    def page(self, page):
        return [(link.id, float(len(link.url))) for link in page.links]
'''
    )
    kind = find(f"{file}:Longest")
    assert kind.name == "longest"
    assert find(str(file)).name == "longest"
    check(kind)
    with pytest.raises(UnknownStrategy, match="it has: Longest"):
        find(f"{file}:Shortest")
    with pytest.raises(UnknownStrategy, match="no strategy file"):
        find(str(tmp_path / "missing.py"))


# -- arrays and pairs -------------------------------------------------------------------------------------------


class Arrays(Plain):
    """Says the same as `Paired`, in arrays."""

    best = False
    revise_every = 3
    around: int = setting(5, "After how much it begins anew.")

    def start(self, brief: Brief, seed: int) -> None:
        super().start(brief, seed)
        self.graph = brief.graph

    def page(self, page: Digest) -> Ranks | Pairs:
        self.count += 1
        return Ranks(page.targets, (page.targets * self.count % self.around).astype(np.float64))

    def revise(self) -> Ranks | Pairs:
        waiting = np.flatnonzero(~self.graph.visited)
        return Ranks(waiting, (waiting * self.count % 3).astype(np.float64))


class Paired(Arrays):
    """Says the same as `Arrays`, one by one."""

    def page(self, page: Digest) -> Ranks | Pairs:
        ranks = super().page(page)
        return ((int(number), float(priority)) for number, priority in zip(*ranks, strict=True))

    def revise(self) -> Ranks | Pairs:
        return [(int(number), float(priority)) for number, priority in zip(*super().revise(), strict=True)]


def test_arrays_and_pairs_give_the_same_order() -> None:
    web = practice_web()
    one, other = (list(Walk(kind(), web).steps(150)) for kind in (Arrays, Paired))
    assert len(one) == 150
    assert one == other


def test_what_best_says_decides_whether_a_later_page_may_lower_a_rank() -> None:
    class Raising(Arrays):
        """As `Arrays`, but ranks only rise."""

        best = True

    web = practice_web()
    one, other = (list(Walk(kind(), web).steps(150)) for kind in (Arrays, Raising))
    assert one != other


def test_cosine_prefers_links_of_pages_on_topic() -> None:
    ranks = ranks_by_verdict(make("cosine"), practice_web())
    assert sum(ranks[True]) / len(ranks[True]) > 2 * sum(ranks[False]) / len(ranks[False])
