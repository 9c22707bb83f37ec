"""What the base class does for a strategy: settings declared in its body, and a state it need not save itself."""

from __future__ import annotations

import numpy as np
import pytest

from honeyguide.errors import SettingError, UnknownStrategy
from honeyguide.strategies import Brief, Strategy, find, known, make, setting
from honeyguide.strategies.likeness import Usual

from .tiny import TOPIC, A, B, Web


class Parent(Strategy):
    """Has settings.

    And more to say of them.
    """

    width: int = setting(10, "How many links to follow.", "w", "Breite")
    graded: bool = setting(True, "Whether links are graded.")


class Child(Parent):
    """Has other settings."""

    width: int = setting(3, "How few links to follow.")
    share: float = setting(0.5, "How much of each.")


def test_settings_are_declared_in_the_body_of_the_class_and_inherited() -> None:
    assert Parent.parameters() == {
        "width": (10, "How many links to follow.", ("w", "Breite")),
        "graded": (True, "Whether links are graded.", ()),
    }
    assert list(Child.parameters()) == ["width", "graded", "share"]
    assert Child().settings == {"width": 3, "graded": True, "share": 0.5}
    assert Child(width=7).width == 7
    assert Child().width == 3  # nothing of it stays with the class
    assert Parent.summary() == "Has settings."


def test_a_setting_it_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="Parent has no setting 'depth'"):
        Parent(depth=3)
    with pytest.raises(SettingError, match="strategy 'cosine' has no setting 'depth'; it has: k, b, "):
        make("cosine", {"depth": "3"})


def test_settings_come_as_text_and_are_read_as_what_they_are() -> None:
    strategy = make("cosine", {"k": "2", "reach": "4"})
    assert (strategy.settings["k"], strategy.settings["reach"]) == (2.0, 4)
    assert make("fish", {"graded": "false"}).settings["graded"] is False
    with pytest.raises(SettingError, match="setting 'width' of strategy 'fish' must be of type int, not 'wide'"):
        make("fish", {"width": "wide"})


@pytest.mark.parametrize("name", sorted(known()))
def test_every_setting_of_every_strategy_says_what_it_means(name: str) -> None:
    assert all(one.about.endswith(".") for one in find(name).parameters().values())


def test_a_strategy_without_a_name_cannot_be_chosen() -> None:
    assert Parent not in known().values()
    with pytest.raises(UnknownStrategy, match=r"unknown strategy: 'parent'; known: .*cosine"):
        find("parent")


class Keeper(Strategy):
    """Learns things of every kind."""

    keeps = ("count", "share", "words", "numbers", "table", "column", "many", "usual")

    def start(self, brief: Brief, seed: int) -> None:
        self.graph = brief.graph
        self.count, self.share = 0, 0.0
        self.words: dict[str, int] = {}
        self.numbers: dict[int, list[int]] = {}
        self.table = np.zeros((2, 0), dtype=np.int16)
        self.column = brief.graph.column(np.float32, -1)
        self.many = [brief.graph.column(np.int32) for _ in range(2)]
        self.usual = Usual()


def test_what_is_named_in_keeps_is_saved_and_loaded() -> None:
    web = Web()
    brief = Brief(TOPIC, [], web.graph)
    old, new = Keeper(), Keeper()
    old.start(brief, 0)
    first = web.number(A)
    old.count, old.share = 5, 0.25
    old.words["hive"] = 2
    old.numbers[7] = [1, 2]
    old.table = np.arange(6, dtype=np.int16).reshape(2, 3)
    old.column.raw[first] = 0.5
    old.many[1].raw[first] = 9
    old.usual.hopeless(0.3)
    new.start(brief, 0)
    new.load(old.save())
    assert (new.count, new.share, new.words["hive"], new.numbers) == (5, 0.25, 2, {7: [1, 2]})
    assert new.table.tolist() == [[0, 1, 2], [3, 4, 5]]
    new.table[0, 0] = 1  # it can be written on
    second = web.number(B)  # its columns still grow with the graph
    assert new.column.values.tolist() == [0.5, -1.0]
    assert [column.values.tolist() for column in new.many] == [[0, 0], [9, 0]]
    assert new.usual.save() == old.usual.save()
    assert (first, second) == (0, 1)
    assert new.save() != old.save()


def test_a_strategy_that_learns_nothing_has_nothing_to_save() -> None:
    strategy = Parent()
    strategy.start(Brief(TOPIC, [], Web().graph), 0)
    strategy.load(strategy.save())
    assert strategy.settings == Parent().settings
    assert strategy.reason(0)
    assert strategy.judge(TOPIC) is None
    assert list(strategy.revise()) == []


@pytest.mark.parametrize(
    ("name", "setting", "value", "told"),
    [
        ("cosine", "k", "-1", "between 0 and"),
        ("fish", "depth", "100000000000", "between 0 and 10000"),
        ("future", "smoothing", "0", "between 1e-06 and"),
        ("guide", "reach", "100000000000", "between 0 and 1000"),
        ("hits", "few", "0", "between 1e-06 and"),
        ("hopfield", "theta_j", "nan", "must be a finite number, not 'nan'"),
        ("pagerank", "damping", "inf", "must be a finite number, not 'inf'"),
        ("pagerank", "damping", "1.5", "between 0 and 1, not 1.5"),
        ("shark", "depth", "100000000000", "between 0 and 10000"),
    ],
)
def test_settings_that_no_crawl_could_go_by_are_told_at_once(name: str, setting: str, value: str, told: str) -> None:
    with pytest.raises(SettingError, match=f"setting '{setting}' of strategy '{name}' .*{told}"):
        make(name, {setting: value})
