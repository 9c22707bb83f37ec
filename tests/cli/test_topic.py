"""topic new and show: what was given is all there, and every word says where it comes from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from honeyguide.topic import Topic
from honeyguide.topic_words import show_topic
from tests.cli.conftest import Say
from tests.crawling.webs import ABOUT_BEES, page, write_archive
from tests.topic.test_imports import WRITTEN

A = "http://a.test/"
TOWN = "The council of the town met on Monday to talk about the new railway bridge and the cost of its paint. "
SWARM = "A swarm of bees settles where scouts dance for a new hive, and the swarm follows its scouts. "


@pytest.fixture
def web(tmp_path: Path) -> Path:
    answers: dict[str, bytes | str] = {
        f"{A}bees": page("Bees", ABOUT_BEES * 3),
        f"{A}swarm": page("Swarms", SWARM * 4),
        f"{A}town": page("The town", TOWN * 4),
    }
    return write_archive(tmp_path / "web.warc.gz", answers)


@pytest.fixture
def topic(say: Say, tmp_path: Path) -> Path:
    path = tmp_path / "bees.toml"
    words = ["--keyword", "honey bee:3", "--keyword", "propolis", "--example", f"{A}bees", "--example", f"{A}swarm"]
    said = say("topic", "new", path, *words, "--example", f"{A}gone", "--site", f"{A}town", "--language", "en")
    assert said.code == 0, said.err
    assert said.out.splitlines()[0] == f"{path}: 2 keywords, 3 examples, 1 site"
    return path


def test_what_is_typed_is_in_the_file(topic: Path) -> None:
    made = Topic.load(topic)
    assert (made.name, made.languages) == ("bees", ("en",))
    assert made.keywords == {"honey bee": 3.0, "propolis": 1.0}
    assert made.examples == (f"{A}bees", f"{A}swarm", f"{A}gone")
    assert made.starts == (f"{A}town",)


def test_a_topic_may_begin_with_nothing_and_says_what_is_missing(say: Say, tmp_path: Path) -> None:
    said = say("topic", "new", tmp_path / "empty.toml")
    assert (said.code, "is empty: give it at least one keyword or one example page" in said.out) == (0, True)
    assert say("topic", "new", tmp_path / "empty.toml").code == 2


def test_every_word_says_where_it_comes_from(say: Say, topic: Path, web: Path) -> None:
    said = say("topic", "show", topic, "--web", web, "--json")
    assert said.code == 0, said.err
    found = json.loads(said.out)
    words = {word["word"]: word for word in found["words"]}
    assert (found["read"], found["against"]) == ([f"{A}bees", f"{A}swarm"], 1)
    assert list(found["unread"]) == [f"{A}gone"]
    # Nothing of the expert's is lost, be it on no page at all.
    assert found["topic"]["keywords"] == {"honey bee": 3.0, "propolis": 1.0}
    assert (words["propolis"]["source"], words["propolis"]["pages"]) == ("expert", [])
    assert words["propolis"]["weight"] > 0
    assert (words["swarm"]["source"], words["swarm"]["pages"]) == ("example", [f"{A}swarm"])
    assert words["bee"]["source"] == "both"
    assert set(words["bee"]["pages"]) == {f"{A}bees", f"{A}swarm"}
    assert "council" not in words


def test_the_words_are_told_to_people_with_the_numbers_of_the_examples(say: Say, topic: Path, web: Path) -> None:
    said = say("topic", "show", topic, "--web", web)
    lines = [line.split() for line in said.out.splitlines()]
    assert "keywords, as given: honey bee 3, propolis 1" in said.out
    assert f"   3  {A}gone  (not read: " in said.out
    assert "words it is searched by, from the expert and 2 examples, held against 1 other page:" in said.out
    assert [line[1:] for line in lines if "propolis" in line[1:2]] == [["propolis", "expert"]]
    assert [line[1:] for line in lines if "swarm" in line[1:2]] == [["swarm", "example", "2"]]


def test_few_words_are_shown_if_so_wanted_and_the_experts_always(topic: Path, web: Path) -> None:
    shown = show_topic(topic, web=str(web), most=0)
    assert sorted(word.word for word in shown.words) == ["bee", "honey", "propolis"]


def test_nothing_is_fetched_if_so_wanted(say: Say, topic: Path) -> None:
    said = say("topic", "show", topic, "--no-fetch")
    assert (said.code, "from the expert and 0 examples" in said.out) == (0, True)


def test_a_crawl_shows_its_topic_from_the_pages_at_hand(say: Say, topic: Path, web: Path, tmp_path: Path) -> None:
    assert say("crawl", topic, "--web", web, "--out", tmp_path / "crawl", "--quiet").code == 0
    said = say("topic", "show", tmp_path / "crawl", "--json")
    found = json.loads(said.out)
    assert found["read"] == [f"{A}bees", f"{A}swarm"]
    assert found["against"] >= 1


def test_what_is_no_topic_is_one_sentence(say: Say, tmp_path: Path) -> None:
    for words in (["show", tmp_path / "none.toml"], ["import", tmp_path / "none.toml", "sites", "x.txt"]):
        said = say("topic", *words)
        assert (said.code, said.out) == (2, "")
        assert "none.toml cannot be read: no such file" in said.err


def test_a_refused_import_leaves_the_file_as_it_was_and_ends_with_2(say: Say, tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text(WRITTEN, encoding="utf-8")
    words = tmp_path / "words.csv"
    words.write_text("keyword,weight\ncrash,1\nbox,heavy\n,2\n", encoding="utf-8")
    said = say("topic", "import", path, "keywords", words)
    assert (said.code, said.out) == (2, "")
    assert said.err.splitlines() == [
        "row 3: the weight of 'box' is not a number: 'heavy'",
        "row 4: its keyword is empty",
        f"honeyguide: 2 of 3 rows of {words} cannot be used, so nothing was imported: mend them, or leave them out "
        "with --keep-good (in Python: keep_good=True)",
    ]
    assert path.read_text(encoding="utf-8") == WRITTEN
    said = say("topic", "import", path, "keywords", words, "--keep-good", "--json")
    told = json.loads(said.out)
    assert (said.code, told["added"], [row for row, _ in told["left_out"]]) == (0, ["crash"], [3, 4])
    assert Topic.load(path).keywords == {"MH17": 2.0, "black box": 1.0, "crash": 1.0}
    assert sorted(one.name for one in tmp_path.iterdir()) == ["t.toml", "words.csv"]


def test_a_file_that_cannot_be_replaced_is_told_and_stays(
    say: Say,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "t.toml"
    path.write_text(WRITTEN, encoding="utf-8")
    (tmp_path / "words.txt").write_text("crash\n", encoding="utf-8")

    def full(self: Path, _body: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    said = say("topic", "import", path, "keywords", tmp_path / "words.txt")
    assert (said.code, "No space left on device" in said.err) == (2, True)
    assert path.read_text(encoding="utf-8") == WRITTEN
    assert sorted(one.name for one in tmp_path.iterdir()) == ["t.toml", "words.txt"]
