"""Every registered strategy keeps the contract, and the contract catches those that do not."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from honeyguide.errors import UnknownStrategy
from honeyguide.page.digest import Digest
from honeyguide.strategies import Ranked, Strategy, find, known, make
from honeyguide.strategies.contract import check, practice_web


@pytest.mark.parametrize("name", sorted(known()))
def test_the_contract_holds(name: str) -> None:
    check(find(name))


def test_an_undetermined_strategy_is_caught() -> None:
    class Fickle(Strategy):
        """Throws dice."""

        name = ""

        def page(self, page: Digest) -> Iterable[Ranked]:
            return [Ranked(link.url, random.random(), "luck") for link in page.links]

    Fickle.name = "fickle"
    with pytest.raises(AssertionError, match="chose differently"):
        check(Fickle)


def test_a_strategy_that_forgets_is_caught() -> None:
    class Forgetful(Strategy):
        """Counts pages and does not save the count."""

        def start(self, brief: object, seed: int) -> None:
            self.count = 0

        def page(self, page: Digest) -> Iterable[Ranked]:
            self.count += 1
            return [Ranked(link.url, float((self.count * len(link.url)) % 7), "count") for link in page.links]

    Forgetful.name = "forgetful"
    with pytest.raises(AssertionError, match="save"):
        check(Forgetful)


@pytest.mark.parametrize("priority", [float("nan"), float("inf")])
def test_a_priority_that_is_no_number_is_caught(priority: float) -> None:
    class Odd(Strategy):
        """Gives odd priorities."""

        def page(self, page: Digest) -> Iterable[Ranked]:
            return [Ranked(link.url, priority, "odd") for link in page.links]

    Odd.name = "odd"
    with pytest.raises(AssertionError, match="finite"):
        check(Odd)


def test_a_stranger_s_strategy_is_found_by_its_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        '''
from honeyguide.strategies import Ranked, Strategy

class Longest(Strategy):
    """Prefers long addresses."""

    name = "longest"

    def page(self, page):
        return [Ranked(link.url, float(len(link.url)), "its length") for link in page.links]
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


def test_cosine_prefers_links_of_pages_on_topic() -> None:
    brief, web = practice_web()
    strategy = make("cosine")
    strategy.start(brief, 0)
    ranks: dict[bool, list[float]] = {True: [], False: []}
    for page in web.values():
        ranks[page.on_topic] += [ranked.priority for ranked in strategy.page(page)]
    assert sum(ranks[True]) / len(ranks[True]) > 2 * sum(ranks[False]) / len(ranks[False])


def test_settings_come_as_text_and_are_read_as_numbers() -> None:
    strategy = make("cosine", {"k": "2", "reach": "4"})
    assert strategy.settings["k"] == 2.0
    assert strategy.settings["reach"] == 4
