"""Click logs: all three kinds are read, bad ones are told and counted, and no log fills the memory."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from honeyguide.errors import TopicError
from honeyguide.topic import Topic
from honeyguide.topic.click_lines import Session, Tally, sessions
from honeyguide.topic.clicks import ClickLog, log_of, open_log

A, B, C, D = (f"http://site.test/{name}" for name in "abcd")


def line(query: object, *clicks: str, **more: object) -> str:
    return json.dumps({"user": None, "time": None, "query": query, "clicks": clicks, **more}) + "\n"


def written(path: Path, *lines: str) -> Path:
    path.write_text("".join(lines), encoding="utf-8")
    return path


# --- kinds of files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("packed", [False, True])
def test_sessions_of_json_are_read_plain_and_packed(tmp_path: Path, packed: bool) -> None:
    text = line("honey bees", A, B, user="ann") + "\n" + line("蜂蜜", C, group="g", user=7)
    file = tmp_path / "clicks"
    file.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    tally = Tally()
    assert list(sessions(file, tally)) == [
        Session("ann", "", "honey bees", [A, B]),
        Session("7", "g", "蜂蜜", [C]),
    ]
    assert (tally.lines, tally.sessions, tally.bad, tally.broken) == (3, 2, {}, "")


@pytest.mark.parametrize("sign", [",", "\t", ";"])
def test_a_table_is_read_by_the_names_of_its_columns(tmp_path: Path, sign: str) -> None:
    rows = [
        ["AnonID", "Query", "QueryTime", "ItemRank", "ClickURL"],
        ["142", "bees", "2006-03-01", "1", A],
        ["142", "bees", "2006-03-01", "2", B],
        ["217", "bees", "2006-03-01", "", ""],
        ["217", '"wax, and honey"', "2006-03-01", "1", C],
        ["9"],
    ]
    file = written(tmp_path / "log.csv", *(sign.join(row) + "\n" for row in rows))
    tally = Tally()
    found = list(sessions(file, tally))
    assert found[0] == Session("142", "", "bees", [A, B])
    assert found[1].clicks == [C]
    assert tally.bad == {"without a click": 1, "with too few columns": 1}


def test_an_access_log_has_its_queries_in_the_referrers(tmp_path: Path) -> None:
    def request(path: str, referrer: str, status: int = 200, before: str = "") -> str:
        return (
            f'{before}10.0.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET {path} HTTP/1.1" {status} 5 "{referrer}" "Agent"\n'
        )

    file = written(
        tmp_path / "access.log",
        request("/a", "https://engine.test/search?q=honey+bees"),
        request("/b", A),
        request("/style.css", A),
        request("/gone", "https://engine.test/?q=x", 404),
        request("/c", "-"),
        request("/d", "https://engine.cn/s?wd=%E8%9C%82%E8%9C%9C", before="other.test:80 "),
        "not a line\n",
    )
    tally = Tally()
    found = list(sessions(file, tally, "http://site.test/start"))
    assert [(one.query, one.clicks) for one in found] == [
        ("honey bees", [A]),
        ("", [A, B]),
        ("蜂蜜", ["http://other.test/d"]),
    ]
    assert tally.bad == {"no page that was opened from a search or a page": 3, "no line of an access log": 1}


# --- bad files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "it is empty"),
        (b"\n\n", "it is empty"),
        (b"name,page\nann,x\n", "no column 'query'; its first line should name the columns, and is: name, page"),
        (b"query,when\nbees,x\n", "no column 'url'"),
        (b"{}\n{]\n", "holds no session that can be used: 1 line without a query; 1 line no JSON of a session"),
        (b'{"query": "bees", "clicks": ["mailto:x"]}\n', "holds no session"),
        (b"\x1f\x8b\x08\x00garbage that is no gzip at all", "breaks off"),
        (b"\x00\x01\x02\xff", "no column 'query'"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_in_one_sentence(tmp_path: Path, text: bytes, told: str) -> None:
    (tmp_path / "log").write_bytes(text)
    with pytest.raises(TopicError, match=told) as caught:
        ClickLog.read(tmp_path / "log")
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(TopicError, match="cannot be read: no such file"):
        open_log(str(tmp_path / "none.jsonl"))
    with pytest.raises(TopicError, match="cannot be read"):
        ClickLog.read(tmp_path)


def test_a_truncated_gzip_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    text = "".join(line(f"bees {number}", A, B) for number in range(5_000))
    (tmp_path / "log.gz").write_bytes(gzip.compress(text.encode())[:-2_000])
    log = ClickLog.read(tmp_path / "log.gz")
    assert 1_000 < len(log) < 5_000
    assert any("breaks off after line" in note for note in log.notes)


def test_bad_lines_are_counted_and_passed_over(tmp_path: Path) -> None:
    long = '{"query": "' + "x" * (1 << 21) + '"}\n'
    file = written(
        tmp_path / "log", line("bees", A), "{\n", long, line("", A), line("wax"), line(3, B), line("hive", "x", B)
    )
    log = ClickLog.read(file)
    assert len(log) == 2
    assert log.tally.bad == {
        "no JSON of a session": 2,
        "longer than a session can be": 1,
        "without a query": 1,
        "without a click": 1,
    }
    assert log.strange == 1
    assert "1 click on what is no web address" in log.notes


# --- what a log tells ------------------------------------------------------------------------------------------


def test_a_query_counts_for_each_of_its_words_and_each_click() -> None:
    log = ClickLog.of([Session("ann", "", "honey bees", [A, B]), Session("bob", "", "Bee", [A])])
    assert log.frequency == {"honey": 2, "bee": 3}
    assert set(log.clicked(A)) == {"honey", "bee"}
    assert len(log.clicked(A)["bee"]) >= 1
    assert log.clicked(D) == {}


def test_where_a_person_was_put_is_no_click() -> None:
    told = [Session("ann", "", "bees", [A, B, C])]
    assert ClickLog.of(told).frequency == {"bee": 3}
    placed = ClickLog.of(told, placed=True)
    assert placed.frequency == {"bee": 2}
    assert placed.clicked(A) == {}
    assert len(placed.onward(A)) == 1


def test_sessions_that_end_alike_and_begin_anywhere_were_begun_for_people(tmp_path: Path) -> None:
    def log(begin: bool) -> ClickLog:
        lines = []
        for query in range(30):
            for time in range(4):
                other, goal = f"http://site.test/{query}/{time}", f"http://site.test/{query}/goal"
                lines.append(line(f"word{query}", *((other, goal) if begin else (goal, other))))
        return ClickLog.read(written(tmp_path / f"{begin}.jsonl", *lines))

    assert log(True).placed
    assert not log(False).placed


def test_steps_from_page_to_page_count_once() -> None:
    log = ClickLog.of([Session("", "", "x1", [A, B, C]), Session("", "", "x2", [A, B]), Session("", "", "x3", [A, D])])
    assert len(log.onward(A)) == 2
    assert len(log.onward(B)) == 1
    assert log.onward(C) == frozenset()


def test_groups_are_those_of_the_log_or_of_users_who_share_words_and_pages() -> None:
    named = ClickLog.of(
        [Session("ann", "g", "bees", [A]), Session("bob", "g", "wax", [A]), Session("c", "h", "wax", [B])]
    )
    groups = [
        {group for group, _ in log}
        for log in (named.clicked(A)["bee"], named.clicked(A)["wax"], named.clicked(B)["wax"])
    ]
    assert groups[0] == groups[1] != groups[2]
    twins = [Session(user, "", "honey bees wax", [A, B, C]) for user in ("ann", "bob")]
    other = Session("cem", "", "railway", [D])
    log = ClickLog.of([*twins, other])
    assert len(log.clicked(A)["wax"]) == 1
    assert log.clicked(A)["wax"].isdisjoint(log.clicked(D)["railway"])


def test_a_query_is_the_same_in_any_order_of_its_words() -> None:
    asked = ["honey bees", "bees, honey", "honey", "wax"]
    log = ClickLog.of([Session("ann", "g", query, [A]) for query in asked])
    queries = {word: {query for _, query in own} for word, own in log.clicked(A).items()}
    assert len(queries["honey"]) == 2
    assert queries["bee"] < queries["honey"]
    assert queries["wax"].isdisjoint(queries["honey"])


def test_a_large_log_is_read_in_bounded_memory_by_an_even_share_of_its_users() -> None:
    def told() -> Iterator[Session]:
        for number in range(200_000):
            yield Session(
                f"user {number // 4}", "", f"word{number % 500} bees", [f"http://site.test/{number % 3_000}", A]
            )

    tracemalloc.start()
    try:
        log = ClickLog.of(told(), most=20_000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 40_000_000  # the addresses that are remembered while reading are most of it
    assert log.share >= 32
    assert 10_000 < 4 * len(log) <= 20_000 + 8
    assert log.tally.sessions == 200_000
    assert log.frequency["bee"] == 2 * len(log)
    assert len(log.frequency) > 300


def test_the_same_log_is_read_once_until_it_changes(tmp_path: Path) -> None:
    file = written(tmp_path / "log.jsonl", line("bees", A))
    first = open_log(str(file))
    assert open_log(str(file)) is first
    written(file, line("bees", A), line("wax", B))
    assert len(open_log(str(file))) == 2


# --- with a topic ----------------------------------------------------------------------------------------------


def test_a_topic_names_its_log_beside_its_file(tmp_path: Path) -> None:
    written(tmp_path / "log.jsonl", line("bees", A))
    file = written(
        tmp_path / "t.toml", 'clicks = "log.jsonl"\n[keywords]\nbee = 1.0\n[pages]\nstarts = ["http://a.test/"]\n'
    )
    topic = Topic.load(file)
    assert topic.clicks == str(tmp_path / "log.jsonl")
    again = written(tmp_path / "again.toml", topic.to_toml())
    assert Topic.load(again) == topic
    log = log_of(topic)
    assert log is not None
    assert len(log) == 1
    assert log_of(Topic(name="x")) is None


def test_a_path_that_is_none_is_told(tmp_path: Path) -> None:
    file = written(tmp_path / "t.toml", "clicks = 3\n[keywords]\nbee = 1.0\n")
    with pytest.raises(TopicError, match="clicks must be the path of a click log"):
        Topic.load(file, complete=False)


def test_the_log_of_the_schools_web(shared: Path) -> None:
    log = open_log(str(shared / "webs" / "schools" / "clicks.jsonl.gz"))
    assert len(log) == 76_187
    assert log.placed
    assert log.tally.bad == {}
