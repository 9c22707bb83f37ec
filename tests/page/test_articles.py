"""Is it an article? By claims, blocks, length and links, with reasons; and what that does to a verdict."""

from __future__ import annotations

import pytest

from honeyguide.page.articles import ARTICLE, Claims, Shape, article_score
from honeyguide.page.digest import Digest
from honeyguide.page.parse import Parser
from honeyguide.topic import Judge, Shown, Topic
from tests.page.looking import SENTENCE, URL, look

TEXT = "".join(f"<p>{SENTENCE}{SENTENCE}{SENTENCE}</p>" for _ in range(4))
MENU = "".join(f"<li><a href=/{n}>A headline of some length, number {n}</a>" for n in range(30))


def score(page: str, url: str = URL) -> float:
    return Parser().html(page.encode(), url).article_score


@pytest.mark.parametrize(
    "head",
    [
        "<meta name=citation_title content=Bees><meta name=citation_doi content=10.1/2>",
        "<meta name=prism.doi content=10.1/2>",
        '<script type="application/ld+json">{"@type": "NewsArticle"}</script>',
        '<script type="application/ld+json">{"@type": ["Thing", "ScholarlyArticle"]}</script>',
        "<meta property=og:type content=article>",
        "<meta property=article:published_time content=2024-01-02>",
    ],
)
def test_what_a_page_says_of_itself_speaks_for_it(head: str) -> None:
    assert score(f"<head>{head}</head>{TEXT}") > score(TEXT) >= ARTICLE


def test_an_abstract_and_keywords_weigh_more_than_other_blocks() -> None:
    def alone(role: str) -> float:
        return article_score(URL, Claims(), "", Shape(100, 0.0, (role,)))[0]

    assert alone("abstract") > alone("keywords") > alone("authors") > alone("title") > alone("affiliations")


@pytest.mark.parametrize(
    ("page", "url", "why"),
    [
        (f"<ul>{MENU}</ul>", URL, "hardly any text"),
        ("<p>Nothing to see.", URL, "hardly any text"),
        (TEXT, "http://a.test/", "a front page"),
        (f"<head><meta property=og:type content=book></head><p>{SENTENCE * 6}", URL, "says it is of type book"),
        (f'<script type="application/ld+json">{{"@type":"Product"}}</script><p>{SENTENCE * 6}', URL, "of type Product"),
        (f"<head><meta name=citation_isbn content=978></head><p>{SENTENCE * 6}", URL, "the tags of a book"),
    ],
)
def test_other_pages_are_told_with_what_speaks_against_them(page: str, url: str, why: str) -> None:
    found = Parser().html(page.encode(), url)
    assert found.article_score < 0.62
    assert why in found.article_why.partition("against it: ")[2]


def test_a_skimmed_page_that_says_it_is_an_article_is_believed_though_little_of_it_was_read() -> None:
    short = "<head><meta property=og:type content=article></head><p>Honey <a href=/1>flows</a>."
    assert Parser(structure=False).html(short.encode(), URL).article_score >= ARTICLE
    assert score(short) < ARTICLE


def _verdict(kind: str, page: Digest) -> tuple[bool, str]:
    judge = Judge(Topic(name="bees", kind=kind, keywords={"bee": 1.0, "nectar": 1.0}, examples=(URL,)))  # type: ignore[arg-type]
    judge.learn([Shown.of(look(TEXT))], [Shown.of(look("<p>Engines and roads are built of steel, not wax."))])
    verdict = judge(Shown.of(page))
    return verdict.on_topic, verdict.note


def test_a_topic_of_articles_asks_for_their_structure_and_others_do_not() -> None:
    book = look(f"<head><meta property=og:type content=book></head><h1>Bees</h1>{TEXT}")
    book.article_score = 0.2  # as of a book, whatever the weights are
    assert _verdict("any", book) == (True, "")
    on_topic, note = _verdict("article", book)
    assert not on_topic
    assert note.startswith("not built as an article is: ")
    assert "book" in note
    assert _verdict("article", look(TEXT)) == (True, "")


def test_pages_nobody_looked_at_that_way_are_judged_as_before() -> None:
    page = look(TEXT)
    page.article_score = -1.0
    assert _verdict("article", page) == (True, "")
