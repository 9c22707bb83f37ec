"""The page of a race tells the race truly, loads nothing, and nothing that users name can run in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from honeyguide.bench import ORACLE, Outcome
from honeyguide.bench.figures import Figures, RaceShown
from honeyguide.bench.page import write_page
from honeyguide.bench.score import Result, paired, result, summarise
from honeyguide.errors import BenchError
from tests.inert import assert_inert

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 7 * 7 }}</style><style>*{display:none}</style>"
TOPICS = ("art", "people/writers", "science_and_so_on")


def steps(budget: int, every: int, first: int = 0) -> list[int]:
    """A harvest that grows by one every so many fetches."""
    return [max(0, (fetch - first) // every) for fetch in range(1, budget + 1)]


def make_race(
    strategies: dict[str, int], *, start: str = "near", topics: tuple[str, ...] = TOPICS, with_oracle: bool = True
) -> RaceShown:
    """A race in which a strategy finds one relevant page in every so many fetches, and later topics are harder."""
    curves, truths, results = {}, {}, []
    for place, topic in enumerate(topics):
        truth = truths[topic] = 10 + 5 * place
        oracle = curves[ORACLE, topic] = [min(fetch, truth - 2) for fetch in range(1, 2 * truth + 1)]
        for name, every in {ORACLE: 0, **strategies}.items():
            found = oracle if name == ORACLE else steps(2 * truth, every, place)
            curves[name, topic] = found
            if name != ORACLE or with_oracle:
                results.append(
                    result(name, topic, found, truth=truth, pages=2 * truth, seconds=0.01 * truth, oracle=oracle)
                )
    outcome = Outcome(
        web="/home/somebody/webs/schools",
        start="far" if start == "far" else "near",
        block="/wp/index/|/images/",
        budget=2.0,
        seed=3,
        results=results,
        summary=summarise(results),
    )
    return outcome, curves, truths


def shown(tmp_path: Path, *races: RaceShown) -> LexborHTMLParser:
    path = tmp_path / "race.html"
    write_page(path, races)
    return LexborHTMLParser(path.read_bytes())


def words(node: LexborNode | None) -> str:
    assert node is not None
    return re.sub(r"\s+", " ", node.text(separator=" ")).strip()


def table(page: LexborHTMLParser, kind: str) -> dict[str, list[str]]:
    rows = [[words(cell) for cell in row.css("td, th")] for row in page.css(f"table.{kind} tbody tr")]
    return {row[0]: row[1:] for row in rows}


FIELD = {"quick": 2, "slow": 4, "random": 9}


def test_the_standings_are_those_of_the_outcome(tmp_path: Path) -> None:
    race = make_race(FIELD)
    page = shown(tmp_path, race)
    rows = table(page, "standings")
    assert list(rows) == ["oracle", "quick", "slow", "random"]
    for row in race[0].summary:
        own = [one for one in race[0].results if one.strategy == row.strategy]
        cells = rows[row.strategy]
        assert cells[0].startswith(f"{row.auc:.3f} ± ")
        assert cells[1:3] == [f"{row.recall:.3f}", f"{row.harvest:.3f}"]
        assert cells[3] == f"{sum(one.f for one in own) / len(own):.3f}"
        assert cells[6] == f"{row.ms_per_page:.3f}"
    assert [rows[name][5] for name in FIELD] == ["3", "0", "0"]


def test_f_along_the_way_is_the_best_there_was(tmp_path: Path) -> None:
    race = make_race({"quick": 2}, topics=("art",))
    curve, truth = race[1]["quick", "art"], race[2]["art"]
    best = 0.0
    for fetched, found in enumerate(curve, 1):
        if found:
            precision, recall = found / fetched, found / truth
            best = max(best, 2 * precision * recall / (precision + recall))
    assert table(shown(tmp_path, race), "standings")["quick"][4] == f"{best:.3f}"


def test_topics_show_who_won(tmp_path: Path) -> None:
    race = make_race({"quick": 2, "alike": 2, "slow": 4})
    page = shown(tmp_path, race)
    for row in page.css("table.topics tbody tr"):
        topic = words(row.css_first("th")).replace(" ", "")  # where it may break, we see a space
        won = [words(cell) for cell in row.css("td.win")]
        best = max(one.auc for one in race[0].results if one.topic == topic and one.strategy != ORACLE)
        assert won == [f"{best:.3f}"] * 2, topic
    assert {topic.replace(" ", ""): cells[:2] for topic, cells in table(page, "topics").items()} == {
        topic: [str(truth), str(2 * truth)] for topic, truth in race[2].items()
    }


def test_the_matrix_holds_the_paired_tests(tmp_path: Path) -> None:
    topics = tuple(f"topic-{number}" for number in range(9))
    race = make_race(FIELD, topics=topics)
    page = shown(tmp_path, race)
    rows = table(page, "matrix")
    aucs = {name: [one.auc for one in race[0].results if one.strategy == name] for name in FIELD}
    gap = paired(aucs["quick"], aucs["random"])
    assert gap.p < 0.01
    assert rows["quick"][2] == f"{gap.difference:+.3f} p {gap.p:.3f} 9 : 0"
    assert rows["random"][0] == f"−{gap.difference:.3f} p {gap.p:.3f} 0 : 9"
    assert words(page.css("table.matrix tbody tr")[0].css_first("td.better")).endswith("9 : 0")
    assert len(page.css("table.matrix td.better")) == len(page.css("table.matrix td.worse")) == 3


def test_too_few_topics_mark_nothing_and_say_so(tmp_path: Path) -> None:
    page = shown(tmp_path, make_race(FIELD))
    assert not page.css("table.matrix td.better, table.matrix td.worse")
    assert "With 3 topics p cannot fall below 0.25" in words(page.body)
    assert "its lead may be chance" in words(page.body)


def ends(page: LexborHTMLParser, chart: str) -> dict[str, tuple[float, float]]:
    """Where the curves of a chart end, in the units of its axes, read off by its own gridlines."""
    svg = page.css_first(chart)
    ups = [float(tick.attributes["y"] or 0) - 4 for tick in svg.css(".axis .y")]
    rights = [float(tick.attributes["x"] or 0) for tick in svg.css(".axis .first, .axis .x")]
    found = {}
    for curve in svg.css("path.curve"):
        x, y = (float(part) for part in (curve.attributes["d"] or "").rpartition("L")[2].split(","))
        name = words(curve.css_first("title"))
        found[name] = ((x - rights[0]) / (rights[-1] - rights[0]), (y - ups[0]) / (ups[-1] - ups[0]))
    return found


@pytest.mark.parametrize("chart", ["svg.wide", "svg.slim"])
def test_harvest_curves_end_at_the_recall_of_the_whole_budget(tmp_path: Path, chart: str) -> None:
    race = make_race(FIELD)
    found = ends(shown(tmp_path, race), chart)
    assert set(found) == {ORACLE, *FIELD}
    for row in race[0].summary:
        assert found[row.strategy] == pytest.approx((1.0, row.recall), abs=0.003)


def test_precision_curves_end_at_recall_and_harvest_rate(tmp_path: Path) -> None:
    race = make_race(FIELD)
    found = ends(shown(tmp_path, race), "svg.both")
    for row in race[0].summary:
        assert found[row.strategy] == pytest.approx((row.recall, row.harvest), abs=0.003)


def test_a_run_that_ended_early_keeps_its_precision() -> None:
    _, curves, truths = make_race({"quick": 2}, topics=("art",))
    curves["quick", "art"] = [1, 2] + [2] * 18
    oracle = curves[ORACLE, "art"]
    results = [result("quick", "art", curves["quick", "art"], truth=10, pages=2, seconds=0, oracle=oracle)]
    early = Outcome(web="w", start="near", block="", budget=2.0, seed=0, results=results, summary=summarise(results))
    standing = Figures((early, curves, truths)).standings[1]
    assert standing.precision[-1] == standing.harvest == 1.0
    assert standing.found[50] == standing.found[100] == pytest.approx(0.2)


def test_each_topic_has_its_chart(tmp_path: Path) -> None:
    race = make_race(FIELD)
    figures = shown(tmp_path, race).css(".multiples figure")
    assert [words(one.css_first("b")).replace(" ", "") for one in figures] == list(TOPICS)
    assert all(len(one.css("path.curve")) == 1 + len(FIELD) for one in figures)
    best = max(one.auc for one in race[0].results if one.topic == "art" and one.strategy == "quick")
    assert words(figures[0].css_first(".soft")) == f"10 relevant · quick {best:.3f}"


def test_an_oracle_nobody_named_is_the_ceiling_all_the_same(tmp_path: Path) -> None:
    race = make_race(FIELD, with_oracle=False)
    page = shown(tmp_path, race)
    recall = sum(race[1][ORACLE, topic][-1] / race[2][topic] for topic in TOPICS) / 3
    assert table(page, "standings")["oracle"][1] == f"{recall:.3f}"
    assert table(page, "standings")["oracle"][6] == "–"
    assert ends(page, "svg.wide")[ORACLE][1] == pytest.approx(recall, abs=0.003)


def test_who_beats_the_oracle_is_told_and_not_clipped(tmp_path: Path) -> None:
    outcome, curves, truths = make_race({"quick": 2})
    results = [
        Result(strategy="quick", topic=topic, auc=1.25, recall=0.9, harvest=0.5, pages=20, seconds=0.0)
        for topic in TOPICS
    ]
    outcome.results, outcome.summary = results, summarise(results)
    page = shown(tmp_path, (outcome, curves, truths))
    assert table(page, "topics")["art"][2] == "1.250"
    assert len(page.css("td.over")) == 3
    assert "it can be beaten: here on 3 of 3 runs" in words(page.body)


def test_near_and_far_stand_on_one_page_in_the_same_colours(tmp_path: Path) -> None:
    near = make_race({"quick": 2, "slow": 4})
    far = make_race({"slow": 2, "quick": 4}, start="far")
    page = shown(tmp_path, near, far)
    assert [words(title) for title in page.css("h2.race")] == ["From near", "From far"]
    styles: dict[str, set[str]] = {}
    for who in page.css(".standings .who"):
        styles.setdefault(words(who), set()).add(who.attributes["class"] or "")
    assert {name: len(found) for name, found in styles.items()} == {"oracle": 1, "quick": 1, "slow": 1}
    assert styles["quick"] != styles["slow"]
    identities = [node.attributes["id"] for node in page.css("[id]")]
    assert len(identities) == len(set(identities))


def test_two_dozen_strategies_all_look_different(tmp_path: Path) -> None:
    page = shown(tmp_path, make_race({f"strategy-{number}": 2 + number for number in range(24)}, topics=("art",)))
    looks = [
        frozenset((label.css_first("path").attributes["class"] or "").split()[-2:]) for label in page.css("label")[1:]
    ]
    assert len(set(looks)) == len(looks) == 25


def test_nothing_that_users_name_can_run(tmp_path: Path) -> None:
    race = make_race({EVIL: 2, f"{EVIL} (k={EVIL})": 3}, topics=(EVIL, "art"))
    race[0].web, race[0].block = f"/webs/{EVIL.replace('/', '')}", EVIL
    page = shown(tmp_path, race, race)
    assert_inert(page, href=r"#race-[12]$", style=r"((left|width|top):[0-9.]+(%|px);?)+")
    assert "<script>alert(1)</script>" in words(page.body)
    assert "{{ 7 * 7 }}" in words(page.body)


def test_the_page_loads_nothing_and_forbids_itself_everything(tmp_path: Path) -> None:
    page = shown(tmp_path, make_race(FIELD))
    policy = page.css_first('meta[http-equiv="Content-Security-Policy"]').attributes["content"] or ""
    assert {"default-src 'none'", "style-src 'unsafe-inline'", "img-src data:"} <= set(policy.split("; "))
    source = (tmp_path / "race.html").read_text("utf-8")
    assert not re.search(r"url\(|@import|https?:", source)
    assert "/home/somebody" not in source


def test_every_chart_says_what_it_shows(tmp_path: Path) -> None:
    page = shown(tmp_path, make_race(FIELD))
    for svg in page.css("svg"):
        if svg.attributes.get("aria-hidden") == "true":
            continue
        told = (svg.attributes["aria-labelledby"] or "").split()
        assert [words(page.css_first(f"#{name}")) != "" for name in told] == [True, True]


@pytest.mark.parametrize("names", [{}, {"random": 3}, {"only": 2}])
def test_small_fields_make_a_page_too(tmp_path: Path, names: dict[str, int]) -> None:
    page = shown(tmp_path, make_race(names, topics=("art",)))
    assert list(table(page, "standings")) == ["oracle", *names]
    assert not page.css("table.matrix")


def test_a_field_that_finds_nothing_has_no_winner(tmp_path: Path) -> None:
    page = shown(tmp_path, make_race({"lost": 1_000, "astray": 1_000}))
    assert not page.css("td.win")
    assert "nobody found any" in words(page.body)


def test_a_page_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "race.html").mkdir()
    with pytest.raises(BenchError, match=r"race\.html cannot be written"):
        write_page(tmp_path / "race.html", [make_race(FIELD)])
    assert [path.name for path in tmp_path.iterdir()] == ["race.html"]
    with pytest.raises(BenchError, match="needs a race"):
        write_page(tmp_path / "other.html", [])
