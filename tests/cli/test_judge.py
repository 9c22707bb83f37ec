"""Pages judged before any crawl."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from honeyguide.dry_run import judge
from honeyguide.errors import HoneyguideError
from honeyguide.topic import Topic
from tests.cli.conftest import Say
from tests.crawling.webs import ABOUT_BEES, page, write_archive

A = "http://a.test/"
OTHER = "The council of the town met on Monday to talk about the new railway bridge and the cost of its paint. "
TOPIC = f'name = "bees"\n[keywords]\n"honey bee" = 2.0\n"hive" = 1.0\n[pages]\nexamples = ["{A}bees"]\n'


@pytest.fixture
def web(tmp_path: Path) -> Path:
    answers: dict[str, bytes | str] = {
        f"{A}bees": page("Bees", ABOUT_BEES * 3, f"{A}never"),
        f"{A}hive": page("The hive", f"{ABOUT_BEES * 2} A hive has a queen and many workers.", f"{A}never"),
        f"{A}town": page("The town", OTHER * 4),
        f"{A}never": page("Nobody asked for this", OTHER),
    }
    return write_archive(tmp_path / "web.warc.gz", answers)


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    (tmp_path / "bees.toml").write_text(TOPIC, encoding="utf-8")
    return tmp_path / "bees.toml"


def test_addresses_and_files_are_judged_with_the_words_that_decide(
    say: Say, web: Path, topic: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine.html").write_bytes(page("My bees", ABOUT_BEES * 2))
    said = say("judge", topic, f"{A}hive", f"{A}town", tmp_path / "mine.html", "--web", web)
    assert said.code == 0, said.err
    hive, town, mine = (said.out[said.out.index(title) :] for title in ("The hive\n", "The town\n", "My bees\n"))
    assert "on topic: " in hive.partition("\n\n")[0]
    assert "for it: " in hive
    assert town.split("\n")[2].startswith("  off topic: ")
    assert mine.split("\n")[2].startswith("  on topic: ")
    assert "learnt from 1 example, held against 2 other pages" in said.out
    assert "advice: " in said.out


def test_no_link_is_followed_and_nothing_is_kept(web: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    found = judge(Topic.load(write_topic(tmp_path)), [f"{A}hive"], web=str(web))
    assert (found.examples, found.against) == (1, 1)
    assert list(empty.iterdir()) == []


def write_topic(place: Path) -> Path:
    (place / "topic.toml").write_text(TOPIC, encoding="utf-8")
    return place / "topic.toml"


def test_what_cannot_be_had_is_told_page_by_page(say: Say, web: Path, topic: Path) -> None:
    said = say("judge", topic, f"{A}gone", f"{A}hive", "--web", web, "--json")
    gone, hive = json.loads(said.out)["pages"]
    assert (gone["page"], gone["trouble"] != "", hive["on_topic"]) == (f"{A}gone", True, True)
    assert said.code == 0
    assert say("judge", topic, f"{A}gone", "--web", web).code == 1


def test_examples_that_cannot_be_read_are_told_with_the_reason(say: Say, web: Path, topic: Path) -> None:
    topic.write_text(TOPIC.replace(f"{A}bees", f"{A}gone"), encoding="utf-8")
    assert list(json.loads(say("judge", topic, f"{A}hive", "--web", web, "--json").out)["missing"]) == [f"{A}gone"]
    assert f"example {A}gone could not be read: " in say("judge", topic, f"{A}hive", "--web", web).out


def test_keywords_alone_judge_a_file_without_a_single_request(tmp_path: Path) -> None:
    (tmp_path / "mine.html").write_bytes(page("My bees", ABOUT_BEES * 2))
    alone = Topic(name="bees", keywords={"honey bee": 2.0, "hive": 1.0})
    (found,) = judge(alone, [tmp_path / "mine.html"]).pages
    assert found.on_topic
    assert found.title == "My bees"


@pytest.mark.parametrize(
    ("page_given", "sentence"), [("no-such.html", "no-such.html cannot be read: "), ("http://", "is not the address")]
)
def test_what_is_no_page_is_one_sentence(say: Say, topic: Path, page_given: str, sentence: str) -> None:
    said = say("judge", topic, page_given)
    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
    with pytest.raises(HoneyguideError):
        judge(Topic.load(topic), [page_given])


def test_words_are_told_as_the_page_writes_them_wherever_on_it_they_stand(say: Say, tmp_path: Path) -> None:
    text = "Beekeepers are inspecting infected colonies; honey bees leaving the hive pollinate the orchards. "
    foot = b"<footer><p>All rights are reserved, and weekly letters are for the deserving readers.</p></footer></body>"
    body = page("Bees", text * 5).replace(b"</body>", foot)
    (tmp_path / "mine.html").write_bytes(body)
    web = write_archive(tmp_path / "web.warc.gz", {f"{A}bees": body, f"{A}town": page("The town", OTHER * 4)})
    (tmp_path / "bees.toml").write_text(TOPIC, encoding="utf-8")
    said = say("judge", tmp_path / "bees.toml", f"{A}bees", tmp_path / "mine.html", "--web", web, "--json")
    assert said.code == 0, said.err
    written = set(re.findall(r"\w+", body.decode().lower()))
    for one in json.loads(said.out)["pages"]:
        told = [word for word, _ in one["words"] if " " not in word]
        assert len(told) > 3
        assert set(told) <= written
