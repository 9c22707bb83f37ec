"""The journal of the demo web: papers are built as articles are, books are not, and nobody else links to it."""

from __future__ import annotations

from collections import Counter

import pytest

from honeyguide.demo import DemoTopic, DemoWeb
from honeyguide.demo.journal import PAPERS
from honeyguide.page.articles import ARTICLE
from honeyguide.page.extract import extract
from honeyguide.page.parse import Parser

HOST = "http://journal.demo.test/"


@pytest.fixture(scope="module")
def papers(web: DemoWeb) -> DemoTopic:
    return next(topic for topic in web.topics if topic.id == PAPERS)


def test_it_has_papers_issues_books_and_advertising(web: DemoWeb, papers: DemoTopic) -> None:
    kinds = Counter(page.kind for url, page in web.pages.items() if url.startswith(HOST))
    assert (kinds["paper"], kinds["book"], kinds["ad"]) == (72, 24, 10)
    assert kinds["section"] == 9 + 2
    assert len(papers.relevant) == 30
    assert {web.pages[url].kind for url in papers.relevant} == {"paper"}
    assert papers.kind == "article"


def test_books_are_on_topic_by_their_words_and_no_truth(web: DemoWeb, papers: DemoTopic) -> None:
    books = [page for page in web.pages.values() if page.kind == "book" and page.topic == PAPERS]
    assert len(books) == 12
    for book in books:
        assert book.url not in papers.relevant
        assert any(keyword in book.text.lower() for keyword in papers.keywords)


@pytest.mark.parametrize("structure", [True, False])
def test_papers_are_known_for_articles_and_all_else_for_what_it_is(web: DemoWeb, structure: bool) -> None:
    parser = Parser(structure=structure)
    for url, page in web.pages.items():
        if url.startswith(HOST):
            assert (parser.html(page.body, url).article_score >= ARTICLE) == (page.kind == "paper"), url


def test_every_link_of_a_paper_stands_in_a_block_that_fits_it(web: DemoWeb) -> None:
    for page in [page for page in web.pages.values() if page.kind == "paper"][::9]:
        digest = Parser().html(page.body, page.url)
        found: dict[str, set[str]] = {}
        for link in digest.links:
            kind = web.pages[link.url].kind
            found.setdefault(kind, set()).add(digest.role(link))
        assert found["paper"] <= {"references", "navigation", "related"}
        assert found["book"] == found["ad"] == {"noise"}


def test_the_record_of_a_paper_has_what_the_page_shows(web: DemoWeb) -> None:
    for page in [page for page in web.pages.values() if page.kind == "paper"][:6]:
        assert page.article is not None
        record = extract(page.body, page.url)
        assert record.title == page.article.title
        if "citation_title" in page.text:
            assert record.extra["abstract"] == page.article.paragraphs[0]
            assert record.extra["doi"].startswith("10.5555/afs.")
            assert len(record.keywords) == 4
            assert record.extra["references"]


def test_nothing_but_the_journal_leads_to_the_journal(web: DemoWeb) -> None:
    outside = [page for url, page in web.pages.items() if not url.startswith(HOST)]
    assert not [link for page in outside for link in page.links if link.startswith(HOST)]
