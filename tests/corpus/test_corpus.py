"""Records are counted, read in order, and found by what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from honeyguide.corpus import Corpus, Hit, Selection
from honeyguide.errors import CrawlFolderError, HoneyguideError, SettingError
from honeyguide.page.record import Record
from tests.corpus.conftest import HandmadeCrawl


def titles(hits: list[Hit]) -> list[str]:
    return [hit.record.title for hit in hits]


@pytest.fixture
def corpus(crawl: HandmadeCrawl) -> Corpus:
    texts = {
        "Bees": "The queen bee rules the hive. Honey is made of nectar.",
        "Wasps": "Wasps are no bees and make no honey; the bee queen knows.",
        "高铁": "京沪高铁今天正式开通运营，票价比飞机便宜。",
        "茶": "中华人民共和国的茶叶产量很高，铁观音是一种乌龙茶。数据挖掘也用于茶叶研究。",
        "Café": "Le café de l'Université vend du miel.",
    }
    for number, (title, text) in enumerate(texts.items()):
        crawl.add(Record(f"https://bees.example/{number}", title, text=text))
    return Corpus(crawl.folder.path)


def test_length_and_order_are_those_of_the_crawl(corpus: Corpus) -> None:
    assert len(corpus) == 5
    assert [record.title for record in corpus] == ["Bees", "Wasps", "高铁", "茶", "Café"]
    corpus.close()


def test_iteration_goes_past_one_batch(crawl: HandmadeCrawl) -> None:
    for number in range(250):
        crawl.add(Record(f"https://bees.example/{number}", str(number)))
    with Corpus(crawl.folder.path) as corpus:
        assert [record.title for record in corpus] == [str(number) for number in range(250)]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("nectar", ["Bees"]),
        ("NECTARS", ["Bees"]),
        ('"queen bee"', ["Bees"]),
        ("honey -wasps", ["Bees"]),
        ("honey -wasp", ["Bees"]),
        ("honey nectar wasps", []),
        ("高铁", ["高铁"]),
        ("人民", ["茶"]),  # inside 中华人民共和国, which a segmenter keeps whole
        ("挖掘", ["茶"]),
        ("京沪高铁票价", ["高铁"]),
        ("茶 -高铁", ["茶"]),
        ("cafe universite", ["Café"]),
        ("ＣＡＦÉ", ["Café"]),
        ("nectar OR wasps", ["Bees", "Wasps"]),
        ("(nectar OR wasps) -knows", ["Bees"]),
        ("honey NOT nectar", ["Wasps"]),
        ("nect*", ["Bees"]),
        ("wa* OR univ*", ["Wasps", "Café"]),
        ("wasps*", ["Wasps"]),
        ("京滬高鐵", ["高铁"]),
        ("數據挖掘", ["茶"]),
        ('" OR bee*', []),
        ("title:bees", []),
        ("bee NEAR(queen)", []),
    ],
)
def test_search_finds_what_was_asked(corpus: Corpus, query: str, found: list[str]) -> None:
    assert sorted(titles(corpus.search(query))) == sorted(found)
    corpus.close()


def test_a_word_in_the_title_weighs_more(corpus: Corpus) -> None:
    hits = corpus.search("bees")
    assert titles(hits) == ["Bees", "Wasps"]
    assert hits[0].score > hits[1].score > 0
    corpus.close()


def test_traditional_and_simplified_chinese_find_each_other(crawl: HandmadeCrawl) -> None:
    crawl.add(Record("https://bees.example/t", "華為在臺灣", text="華為發展"))
    crawl.add(Record("https://bees.example/s", "华为在台湾", text="华为发展"))
    with Corpus(crawl.folder.path) as corpus:
        for query in ("華為", "华为", '"華為发展"', "臺灣", "台湾", "台灣"):
            assert sorted(titles(corpus.search(query))) == ["华为在台湾", "華為在臺灣"], query
        assert {hit.snippet.text for hit in corpus.search("华为")} == {"華為發展", "华为发展"}


def test_scores_tell_something_where_all_records_hold_the_word(crawl: HandmadeCrawl) -> None:
    crawl.add(Record("https://bees.example/1", "One", text="honey honey honey wax"))
    crawl.add(Record("https://bees.example/2", "Two", text="honey and many other things that are not sweet"))
    crawl.add(Record("https://bees.example/3", "Three", text="honey and wax and many other things of the hive"))
    with Corpus(crawl.folder.path) as corpus:
        assert titles(corpus.search("honey"))[0] == "One"
        scores = [hit.score for hit in corpus.search("honey")]
        assert scores[0] > scores[1] > scores[-1] / 2 > 0.05
        assert titles(corpus.search("honey OR sweet"))[0] == "Two"  # the rarer word decides
        assert corpus.search("honey wax")[0].score > corpus.search("honey")[0].score


def test_hits_and_records_can_be_chosen_by_date_host_language_and_kind(crawl: HandmadeCrawl) -> None:
    rows = [
        ("https://bees.example/1", "2024-05-03", "en", "article"),
        ("https://www.bees.example/2", "2024", "en", "page"),
        ("https://otherbees.example/3", "2023-12-31T23:59:59+02:00", "zh", "article"),
        ("https://bees.example/4", None, "en", "article"),
    ]
    for url, published, language, kind in rows:
        crawl.add(Record(url, url[-1], published=published, language=language, kind=kind, text="honey"))
    cases = [
        (Selection(), "1234"),
        (Selection(since="2024"), "12"),
        (Selection(since="2024-06"), "2"),
        (Selection(until="2023"), "3"),
        (Selection(since="2023-12-31", until="2024-05-03"), "123"),
        (Selection(hosts=["bees.example"]), "124"),
        (Selection(hosts=["www.bees.example", "otherbees.example"]), "23"),
        (Selection(languages=["zh"]), "3"),
        (Selection(kinds=["article"], languages=["en"], since="2024"), "1"),
        (Selection(hosts=["ees.example"]), ""),
    ]
    with Corpus(crawl.folder.path) as corpus:
        for only, found in cases:
            assert "".join(record.title for record in corpus.records(only)) == found, only
            assert "".join(sorted(titles(corpus.search("honey", only=only)))) == found, only


def test_results_are_ordered_and_their_top_is_a_number_or_a_share_of_what_is_meant(crawl: HandmadeCrawl) -> None:
    for number in range(10):
        kind = "article" if number % 2 else "page"
        crawl.add(Record(f"https://bees.example/{number}", str(number), relevance=0.9 - number / 20, kind=kind))
    with Corpus(crawl.folder.path) as corpus:
        assert "".join(record.title for record in corpus.best()) == "0123456789"
        assert "".join(record.title for record in corpus.best(3)) == "012"
        assert "".join(record.title for record in corpus.best("25%")) == "012"
        assert "".join(record.title for record in corpus.best("40%", only=Selection(kinds=["article"]))) == "13"
        assert corpus.count(Selection(kinds=["article"], top="1")) == 1


@pytest.mark.parametrize("top", ["0", "-1", "0%", "101%", "1.5", "many", "%", "1e3", "٣"])
def test_a_top_that_is_none_is_one_sentence(top: str) -> None:
    with pytest.raises(SettingError, match="top must be a number of records such as 20, or a share such as 10%"):
        Selection(top=top)


def test_a_snippet_comes_from_the_text_as_it_was(corpus: Corpus) -> None:
    snippet = corpus.search("高铁")[0].snippet
    assert snippet.text == "京沪高铁今天正式开通运营，票价比飞机便宜。"
    assert [snippet.text[start:end] for start, end in snippet.spans] == ["高铁"]
    corpus.close()


def test_no_more_hits_than_asked_for(corpus: Corpus) -> None:
    assert len(corpus.search("honey", most=1)) == 1
    for most in (0, -1):
        with pytest.raises(SettingError, match=f"most must be 1 or more, not {most}"):
            corpus.search("honey", most=most)
    corpus.close()


def test_an_empty_query_is_a_clear_error(corpus: Corpus) -> None:
    with pytest.raises(HoneyguideError, match="at least one word"):
        corpus.search(" ")
    corpus.close()


def test_a_replaced_record_is_found_by_its_new_words_only(crawl: HandmadeCrawl) -> None:
    visit = crawl.add(Record("https://bees.example/", "Bees", text="nectar"))
    crawl.records.put(visit, Record("https://bees.example/", "Bees", text="pollen"))
    with Corpus(crawl.folder) as corpus:
        assert len(corpus) == 1
        assert corpus.search("nectar") == []
        assert titles(corpus.search("pollen")) == ["Bees"]


def test_a_running_crawl_is_read_and_not_held_up(crawl: HandmadeCrawl) -> None:
    crawl.add(Record("https://bees.example/1", "First", text="honey"))
    with Corpus(crawl.folder.path) as corpus:
        reading = iter(corpus)
        next(reading)
        crawl.store.begin()
        crawl.add(Record("https://bees.example/2", "Second", text="honey"))
        assert [record.title for record in reading] == ["Second"]
        assert len(corpus.search("honey")) == 2


def test_a_corpus_can_not_be_written_through(corpus: Corpus) -> None:
    with pytest.raises(Exception, match="readonly"):
        corpus._records.drop(1)
    corpus.close()


def test_an_empty_crawl_is_an_empty_corpus(crawl: HandmadeCrawl) -> None:
    with Corpus(crawl.folder.path) as corpus:
        assert (len(corpus), list(corpus), corpus.search("bee")) == (0, [], [])
        assert corpus


def test_a_folder_that_is_no_crawl_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CrawlFolderError, match="not a crawl"):
        Corpus(tmp_path)


def test_every_two_character_word_of_real_chinese_news_is_found(shared: Path, crawl: HandmadeCrawl) -> None:
    pages = sorted((shared / "data" / "chinese-news").glob("tests/**/*.html"))[:5]
    assert pages
    for number, page in enumerate(pages):
        text = "".join(sign for sign in page.read_text("utf-8", "ignore") if "\u4e00" <= sign <= "\u9fff")[:3_000]
        crawl.add(Record(f"https://bees.example/{number}", text=text))
    with Corpus(crawl.folder) as corpus:
        for record in list(corpus):
            for place in range(0, min(len(record.text) - 2, 300), 11):
                word = record.text[place : place + 2]
                assert record.url in {hit.record.url for hit in corpus.search(f'"{word}"')}
