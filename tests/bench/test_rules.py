"""The rules of the race, each worked out by hand on a web small enough to draw."""

from __future__ import annotations

from pathlib import Path

import pytest

from honeyguide.bench import Bench, Entry, Race
from honeyguide.bench.answer_cache import AnswerCache, stock
from honeyguide.bench.oracle import ArchiveGraph
from tests.bench.conftest import Racer, page, site, topic, write_web


def test_auc_counts_what_was_found_after_every_fetch(tmp_path: Path, race: Racer) -> None:
    """From e: breadth-first fetches e, x, r1, r2 in the order of the links; the oracle e, r1, r2 and nothing after."""
    web = write_web(
        tmp_path,
        {"e": page("honey", "x", "r1", "r2"), "x": page("road"), "r1": page("honey"), "r2": page("honey")},
        topic(examples=["e"], relevant=["e", "r1", "r2"]),
    )
    bench, results = race(web, budget=4 / 3)
    assert bench.curves["breadth-first", "t"] == [1, 1, 2, 3]
    assert bench.curves["oracle", "t"] == [1, 2, 3, 3]
    found = results["breadth-first"]
    assert found.auc == pytest.approx(7 / 9)
    assert (found.recall, found.harvest, found.pages) == (1.0, 3 / 4, 4)
    assert found.f == pytest.approx(2 * 0.75 / 1.75)


def test_missing_pages_and_redirects_cost_a_fetch_each(tmp_path: Path, race: Racer) -> None:
    web = write_web(
        tmp_path,
        {
            "e": page("honey", "gone", "old", "r"),
            "old": (301, site("new")),
            "new": page("road"),
            "r": page("honey"),
        },
        topic(examples=["e"], relevant=["e", "r"]),
    )
    bench, results = race(web, budget=2.5)
    assert bench.curves["breadth-first", "t"] == [1, 1, 1, 2, 2]  # e, gone, old, r, where old leads
    assert results["breadth-first"].pages == 5


def test_a_run_that_ends_early_keeps_its_last_value(tmp_path: Path, race: Racer) -> None:
    web = write_web(
        tmp_path,
        {"e": page("honey", "r"), "r": page("honey"), "lost": page("honey")},
        topic(examples=["e"], relevant=["e", "r", "lost"]),
    )
    bench, results = race(web)
    assert bench.curves["breadth-first", "t"] == [1, 2, 2, 2, 2, 2]
    assert results["breadth-first"].pages == 2
    assert results["breadth-first"].recall == pytest.approx(2 / 3)


def test_blocked_urls_are_never_offered_and_no_truth(tmp_path: Path, race: Racer) -> None:
    web = write_web(
        tmp_path,
        {"e": page("honey", "index/1", "r"), "index/1": page("honey", "r"), "r": page("honey")},
        topic(examples=["e"], relevant=["e", "r", "index/1"]),
    )
    bench, results = race(web, block="/index/", budget=3.0)
    assert bench.truths == {"t": 2}
    assert bench.curves["breadth-first", "t"] == [1, 2, 2, 2, 2, 2]
    assert results["breadth-first"].pages == 2


def test_far_starts_elsewhere_and_counts_no_example(tmp_path: Path, race: Racer) -> None:
    web = write_web(
        tmp_path,
        {"f": page("road", "e", "r"), "e": page("honey", "deep"), "r": page("honey"), "deep": page("honey")},
        topic(examples=["e"], far_starts=["f"], relevant=["e", "r", "deep"]),
    )
    bench, results = race(web, start="far")
    assert bench.truths == {"t": 2}
    assert bench.curves["breadth-first", "t"] == [0, 0, 1, 2]  # f, e (an example), r, deep
    assert results["breadth-first"].recall == 1.0


def test_far_examples_come_as_text_without_their_links(tmp_path: Path, race: Racer) -> None:
    spy = tmp_path / "spy.py"
    spy.write_text(
        "from honeyguide.strategies import Strategy\n"
        "class Spy(Strategy):\n"
        '    """Complains of what it is told."""\n'
        '    name = "spy"\n'
        "    def start(self, brief, seed):\n"
        "        assert [example.title for example in brief.examples] == ['honey']\n"
        "        assert not any(example.links for example in brief.examples)\n"
        "    def page(self, page):\n"
        "        return [(link.id, 0.0) for link in page.links]\n"
    )
    web = write_web(
        tmp_path / "web",
        {"f": page("road", "r"), "e": page("honey", "r"), "r": page("honey")},
        topic(examples=["e"], far_starts=["f"], relevant=["r"]),
    )
    _, results = race(web, f"{spy}:Spy", start="far")
    assert results[f"{spy}:Spy"].recall == 1.0


PLAIN = '''
from honeyguide.strategies import Strategy, setting

class Plain(Strategy):
    """Plain Python, and as much of the seam as there is."""

    name = "plain-{form}"
    revise_every = 2
    keeps = ("seen", "best_word")
    step: int = setting(3, "How far apart two priorities are.")

    def start(self, brief, seed):
        self.graph = brief.graph
        self.seen = {{}}
        self.best_word = ""

    def page(self, page):
        for link in page.links:
            self.seen[link.id] = self.seen.get(link.id, 0) + self.step * (len(link.url) + link.id % 4)
        ranks = [(link.id, float(self.seen[link.id])) for link in page.links]
        {as_arrays}
        return ranks

    def missed(self, number, outcome):
        self.seen[number] = -1

    def revise(self):
        return [(number, value / 2) for number, value in self.seen.items() if not self.graph.visited[number]]

    def reason(self, number):
        return f"seen for {{self.seen[number]}}"
'''

ARRAYS = (
    "from honeyguide.strategies import Ranks; import numpy; ranks = Ranks(*map(numpy.array, zip(*dict(ranks).items())))"
)


def test_a_strategy_in_plain_python_races_and_arrays_give_the_same_order(tmp_path: Path, race: Racer) -> None:
    names = [f"p{number}" for number in range(40)]
    pages = {"e": page("honey", *names[:10], "gone")}
    for number, name in enumerate(names):
        around = [names[(7 * number + step) % 40] for step in (1, 3, 11)]
        pages[name] = page("honey" if number % 3 else "road", *around, "old")
    web = write_web(
        tmp_path / "web",
        {**pages, "old": (301, site("p39"))},
        topic(examples=["e"], relevant=["e", *names[::4]]),
    )
    for form, arrays in (("pairs", "pass"), ("arrays", ARRAYS)):
        (tmp_path / f"{form}.py").write_text(PLAIN.format(form=form, as_arrays=arrays))
    assert "import" not in PLAIN.format(form="", as_arrays="pass").replace("from honeyguide.strategies import", "")
    entries = [f"{tmp_path / form}.py:Plain" for form in ("pairs", "arrays")]
    bench, results = race(web, *entries, budget=3.0)
    one, other = (bench.curves[entry, "t"] for entry in entries)
    assert one == other
    assert results[entries[0]].pages == 33
    assert one != bench.curves["oracle", "t"]


def test_the_oracle_crosses_what_lies_between_and_breaks_ties_by_url(tmp_path: Path, race: Racer) -> None:
    """c and b are one link before goals; b comes first in the alphabet, and has two of them; a leads nowhere."""
    web = write_web(
        tmp_path,
        {
            "f": page("road", "c", "a", "b"),
            "a": page("road"),
            "b": page("road", "r2", "r3"),
            "c": page("road", "r1"),
            "r1": page("honey"),
            "r2": page("honey"),
            "r3": page("honey"),
        },
        topic(far_starts=["f"], relevant=["r1", "r2", "r3"]),
    )
    bench, _ = race(web, start="far", budget=7 / 3)
    assert bench.curves["oracle", "t"] == [0, 0, 1, 2, 2, 3, 3]  # f, b, r2, r3, c, r1, then a


def test_labels_known_takes_what_is_relevant_when_it_is_met_and_knows_nothing_of_what_lies_behind(
    tmp_path: Path, race: Racer
) -> None:
    """From f the oracle goes by b at once; who only knows labels takes a, found first, before b, then r1 and r2."""
    web = write_web(
        tmp_path,
        {
            "f": page("road", "a", "b"),
            "a": page("road", "x"),
            "b": page("road", "x", "r1"),
            "x": page("road"),
            "r1": page("honey", "x", "r2"),
            "r2": page("honey"),
        },
        topic(far_starts=["f"], relevant=["r1", "r2"]),
    )
    bench, results = race(web, start="far", budget=3)
    assert bench.curves["oracle", "t"] == [0, 0, 1, 2, 2, 2]
    assert bench.curves["labels-known", "t"] == [0, 0, 0, 1, 2, 2]
    assert "labels-known" not in results or results["labels-known"].auc < 1


def test_the_oracle_need_not_fetch_every_start(tmp_path: Path, race: Racer) -> None:
    web = write_web(
        tmp_path,
        {"f1": page("road", "x"), "f2": page("road", "r"), "x": page("road"), "r": page("honey")},
        topic(far_starts=["f1", "f2"], relevant=["r"]),
    )
    bench, _ = race(web, start="far")
    assert bench.curves["oracle", "t"] == [0, 1]
    assert bench.curves["breadth-first", "t"] == [0, 0]


def test_distances_are_link_distances(tmp_path: Path) -> None:
    web = write_web(
        tmp_path,
        {"a": page("x", "b"), "b": page("x", "c", "a"), "c": (302, site("d")), "d": page("x"), "z": page("x", "z")},
        topic(examples=["a"], relevant=["d"]),
    )
    cached = AnswerCache(stock(web / "pages.warc.gz", (), structure=False))
    graph = ArchiveGraph(cached)
    far = graph.distances([graph.rank[site("d")]])
    assert [int(far[graph.rank[site(name)]]) for name in "abcdz"] == [3, 2, 1, 0, 1_000]
    cached.close()


def test_the_same_seed_gives_the_same_race_and_another_another(tmp_path: Path, race: Racer) -> None:
    names = [f"p{number}" for number in range(30)]
    pages = {"e": page("honey", *names), **{name: page("honey") for name in names}}
    web = write_web(tmp_path, pages, topic(examples=["e"], relevant=["e", *names[::3]]))
    first, second, other = (race(web, "random", seed=seed)[0].curves["random", "t"] for seed in (1, 1, 2))
    assert first == second
    assert first != other


def test_workers_change_nothing_but_the_time(tmp_path: Path) -> None:
    names = [f"p{number}" for number in range(12)]
    pages = {"e": page("honey", *names), **{name: page("honey" if "3" in name else "road") for name in names}}
    topics = [topic(f"t{number}", examples=["e"], relevant=["e", f"p{number}"]) for number in range(4)]
    web = write_web(tmp_path, pages, *topics)
    curves = []
    for workers in (1, 3):
        entries = (Entry("cosine"), Entry("breadth-first"))
        bench = Bench(Race(web=str(web), strategies=entries, workers=workers, budget=4.0))
        list(bench.run())
        curves.append(bench.curves)
    assert curves[0] == curves[1]
