"""Topics from files and flags, and the sentence each mistake earns."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from honeyguide.errors import TopicError
from honeyguide.topic import Topic

GOOD = """
name = "MH17"
kind = "news"
languages = ["en", "zh-CN"]
[keywords]
"MH17" = 2.0
"airliner" = 1
[pages]
examples = ["HTTPS://News.Example/a?utm_source=x#top", "https://news.example/a"]
starts = ["https://news.example"]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "topic.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_is_read_whole_with_its_addresses_in_normal_form(tmp_path: Path) -> None:
    topic = Topic.load(write(tmp_path, GOOD))
    assert topic == Topic(
        name="MH17",
        kind="news",
        languages=("en", "zh"),
        keywords={"MH17": 2.0, "airliner": 1.0},
        examples=("https://news.example/a",),
        starts=("https://news.example/",),
    )
    assert topic.starting_points == ("https://news.example/",)


def test_examples_are_where_a_crawl_starts_when_no_starts_are_given() -> None:
    topic = Topic.from_flags(examples=["http://a.test/x"])
    assert topic.starting_points == ("http://a.test/x",)
    assert topic.name == "pages like a.test"


def test_a_file_without_a_name_is_named_for_itself(tmp_path: Path) -> None:
    assert Topic.load(write(tmp_path, '[pages]\nexamples = ["http://a.test/"]')).name == "topic"


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert Topic.load(path).name == "MH17"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name = ", "is not valid TOML: invalid value (at line 1, where the file ends)"),
        ('name = "a"\nkind = news\n', "is not valid TOML: invalid value (at line 2, column 8)"),
        ('keyword = {a = 1}\n[pages]\nstarts=["http://a.test"]', "unknown key 'keyword'; known keys: name, kind,"),
        ('[pages]\nexample = ["http://a.test"]', "unknown key 'pages.example'; known keys: pages.examples,"),
        ('pages = "http://a.test/"', "[pages] must be a table"),
        ("name = 7", "name must be a text"),
        ('name = "  "', "name must be a text"),
        ('kind = "blog"', "kind: unknown kind 'blog'; known kinds: any, article, news"),
        ('languages = "en"', "languages must be a list of language codes"),
        ('languages = ["klingon"]', "languages: unknown language 'klingon'"),
        ('languages = ["xx"]', "languages: unknown language 'xx'"),
        ('keywords = ["a"]', "[keywords] must be a table"),
        ('[keywords]\nMH17 = "two"', "the weight of 'MH17' is not a number: 'two'"),
        ("[keywords]\nMH17 = true", "the weight of 'MH17' is not a number: True"),
        ("[keywords]\nMH17 = nan", "the weight of 'MH17' is not finite: nan"),
        ("[keywords]\nMH17 = inf", "the weight of 'MH17' is not finite: inf"),
        ("[keywords]\nMH17 = 1" + "0" * 400, "the weight of 'MH17' is not finite: inf"),
        ("[keywords]\nMH17 = 0", "the weight of 'MH17' must be above zero, not 0"),
        ("[keywords]\nMH17 = -1.5", "the weight of 'MH17' must be above zero, not -1.5"),
        ('[keywords]\n" " = 1', "keywords: a keyword is empty"),
        ('[pages]\nexamples = ["news.example/a"]', "pages.examples: 'news.example/a' is not a web address"),
        ('[pages]\nstarts = ["ftp://a.test/"]', "pages.starts: 'ftp://a.test/' is not a web address"),
        ('[pages]\nstarts = "http://a.test/"', "pages.starts must be a list of addresses"),
        ("[pages]\nstarts = [1]", "pages.starts must be a list of addresses"),
        ('name = "x"', "is empty: give it at least one keyword or one example page"),
        ('[pages]\nstarts = ["http://a.test/"]', "is empty: give it at least one keyword or one example page"),
        ("[keywords]\na = 1", "has nowhere to start"),
    ],
)
def test_every_mistake_in_a_file_is_told_in_one_sentence_that_names_the_file(
    tmp_path: Path, text: str, told: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(TopicError) as caught:
        Topic.load(path)
    sentence = str(caught.value)
    assert told in sentence
    assert str(path) in sentence
    assert "\n" not in sentence


def test_a_file_that_cannot_be_read_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(TopicError, match=r"none\.toml cannot be read: no such file"):
        Topic.load(tmp_path / "none.toml")
    with pytest.raises(TopicError, match="cannot be read: is a directory"):
        Topic.load(tmp_path)
    latin = tmp_path / "latin.toml"
    latin.write_bytes('name = "Bienenzüchter"'.encode("latin-1"))
    with pytest.raises(TopicError, match="is not UTF-8 text"):
        Topic.load(latin)


@pytest.mark.parametrize(
    ("flag", "word", "weight"),
    [
        ("MH17:2", "MH17", 2.0),
        ("MH17", "MH17", 1.0),
        ("data  mining:0.5", "data mining", 0.5),
        ("数据挖掘:3", "数据挖掘", 3.0),
        ("Star Wars: Andor", "Star Wars: Andor", 1.0),
        ("std::vector", "std::vector", 1.0),
        ("a:b:2", "a:b", 2.0),
        ("16:9:1", "16:9", 1.0),
    ],
)
def test_a_keyword_flag_carries_its_weight_after_the_last_colon(flag: str, word: str, weight: float) -> None:
    assert Topic.from_flags(keywords=[flag], starts=["http://a.test/"]).keywords == {word: weight}


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ({"keywords": ["MH17:two"]}, "--keyword 'MH17:two': the weight 'two' is not a number; write 'MH17:two:1'"),
        ({"keywords": ["MH17:"]}, "--keyword 'MH17:': the weight '' is not a number"),
        ({"keywords": ["MH17:nan"]}, "the weight of 'MH17' is not finite"),
        ({"keywords": ["MH17:-1"]}, "the weight of 'MH17' must be above zero"),
        ({"keywords": [":2"]}, "--keyword ':2': a keyword is empty"),
        ({"keywords": [""]}, "--keyword: a keyword is empty"),
        ({"examples": ["nowhere"]}, "--example: 'nowhere' is not a web address"),
        ({"starts": ["nowhere"]}, "--start: 'nowhere' is not a web address"),
        ({"languages": ["english"]}, "--language: unknown language 'english'"),
        ({"kind": "blog"}, "--kind: unknown kind 'blog'"),
        ({"name": " "}, "--name: name must be a text"),
        ({}, "the topic is empty"),
        ({"keywords": ["a"]}, "topic 'a' has nowhere to start"),
    ],
)
def test_every_mistake_in_a_flag_is_told_in_one_sentence(flags: dict[str, list[str]], told: str) -> None:
    with pytest.raises(TopicError) as caught:
        Topic.from_flags(**flags)  # type: ignore[arg-type]
    assert told in str(caught.value)


def test_flags_add_words_and_pages_to_a_file_and_replace_the_rest(tmp_path: Path) -> None:
    topic = Topic.load(write(tmp_path, GOOD)).with_flags(
        keywords=["MH17:5", "missile"], examples=["http://b.test/"], name="Flight", kind="any", languages=["nl"]
    )
    assert topic.keywords == {"MH17": 5.0, "airliner": 1.0, "missile": 1.0}
    assert topic.examples == ("https://news.example/a", "http://b.test/")
    assert topic.starts == ("https://news.example/",)
    assert (topic.name, topic.kind, topic.languages) == ("Flight", "any", ("nl",))


def test_flags_may_complete_a_file_that_is_not_whole(tmp_path: Path) -> None:
    path = write(tmp_path, "[keywords]\nbees = 1")
    topic = Topic.load(path, complete=False).with_flags(starts=["http://a.test/"])
    assert topic.starting_points == ("http://a.test/",)
    with pytest.raises(TopicError, match="nowhere to start"):
        Topic.load(path, complete=False).with_flags()


@pytest.mark.parametrize("name", ["MH17", 'say "honey" \\ twice', "蜜蜂 \t\x7f\x01\n end"])
def test_a_topic_written_out_reads_back_the_same(tmp_path: Path, name: str) -> None:
    topic = Topic(
        name=name,
        kind="article",
        languages=("zh", "en"),
        keywords={name.strip(): 2.5, "a.b": 1e-7, "数据挖掘": 1e21},
        examples=("http://a.test/x",),
        starts=("http://b.test/",),
    )
    text = topic.to_toml()
    assert tomllib.loads(text)["name"] == name
    again = Topic.load(write(tmp_path, text))
    assert again.keywords == {" ".join(word.split()): weight for word, weight in topic.keywords.items()}
    assert (again.name, again.kind, again.languages) == (name.strip(), "article", ("zh", "en"))
    assert (again.examples, again.starts) == (topic.examples, topic.starts)
    assert Topic.load(write(tmp_path, again.to_toml())) == again
