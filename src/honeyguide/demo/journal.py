"""The journal of the demo web: issues, papers with abstracts and keywords, related papers, advertising, and a bookshop.

Its books are about the same things as its papers and are praised in the same words, but they are no articles. No other
site links here: who wants papers begins at its front page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import escape
from itertools import pairwise
from typing import NamedTuple

from honeyguide.demo.articles import Article, Writer
from honeyguide.demo.dice import Dice
from honeyguide.demo.hosts import HOSTS, DemoHost
from honeyguide.demo.links import DemoLink
from honeyguide.demo.specials import html_page
from honeyguide.demo.templates import anchor, long_date, plain_page
from honeyguide.demo.web import DemoPage
from honeyguide.demo.words import ALL, Words

__all__ = ["JOURNAL", "PAPERS", "SUBJECT", "journal_pages"]

JOURNAL = "journal"  # the host
PAPERS = "papers"  # the topic: what the journal has on volcanoes
SUBJECT = "volcanoes"
_SHARES = {SUBJECT: 30, "tides": 14, "bridges": 14, "gardens": 14}
_QUIET = 3  # every third paper avoids the keywords of its subject
_TO_AN_ISSUE = 8
_BOOKS = {SUBJECT: 12, "tides": 4, "bridges": 4, "gardens": 4}
_ADS = 10
_PLACES = ("Institute of Northern Fieldwork", "College of the Marches", "Harbour Polytechnic", "The Open Laboratory")
_OFFERS = ("Waterproof notebooks", "Boots on approval", "Lamps and lenses", "Ink that does not run", "A better tent")


class _Paper(NamedTuple):
    url: str
    number: int
    issue: int
    subject: str
    article: Article
    keywords: tuple[str, ...]
    place: str


class _Book(NamedTuple):
    url: str
    subject: str
    article: Article


def journal_pages(seed: int) -> Iterator[DemoPage]:
    """Every page of the journal but those all hosts have."""
    host = HOSTS[JOURNAL]
    words = {one.id: one for one in ALL}
    papers = _write_papers(seed, host, words)
    books = _write_books(seed, host, words)
    beside = _neighbours(papers)
    for paper in papers:
        text = _paper_page(seed, host, paper, papers, books, beside[paper.url])
        page = html_page(paper.url, text, kind="paper", topic=PAPERS if paper.subject == SUBJECT else None)
        yield replace(page, article=paper.article)
    yield from _listings(host, papers, books)
    for book in books:
        topic = PAPERS if book.subject == SUBJECT else None
        page = html_page(book.url, _book_page(seed, host, book, books), kind="book", topic=topic)
        yield replace(page, article=book.article)
    for number in range(1, _ADS + 1):
        offer = _OFFERS[number % len(_OFFERS)]
        yield html_page(host.url(f"/go/{number}"), plain_page(host, offer, [f"{offer}. While stocks last."]), kind="ad")


def _write_papers(seed: int, host: DemoHost, words: dict[str, Words]) -> list[_Paper]:
    written: list[tuple[str, Article, tuple[str, ...]]] = []
    for subject, count in _SHARES.items():
        writer = Writer(words[subject])
        for nth in range(count):
            dice = Dice(seed, JOURNAL, subject, nth)
            quiet = nth % _QUIET == 0
            written.append((subject, writer.write(dice, quiet=quiet), _keywords(dice, words[subject], writer)))
    mixed = Dice(seed, JOURNAL, "order").mixed(written)
    return [
        _Paper(
            host.url(f"/article/{3_100 + 11 * place}"),
            3_100 + 11 * place,
            1 + place // _TO_AN_ISSUE,
            subject,
            article,
            keywords,
            _PLACES[place % len(_PLACES)],
        )
        for place, (subject, article, keywords) in enumerate(mixed)
    ]


def _keywords(dice: Dice, words: Words, writer: Writer) -> tuple[str, ...]:
    """A few of the subject's own words, but not those a topic is asked for by."""
    lines = [line.partition(": ") for line in words.slots.strip().split("\n")]
    choices = [choice for name, _, rest in lines if name[0].islower() for choice in rest.split(" | ")]
    return tuple(dice.some([choice for choice in choices if not writer.loud(choice) and "{" not in choice], 4))


def _write_books(seed: int, host: DemoHost, words: dict[str, Words]) -> list[_Book]:
    books: list[_Book] = []
    for subject, count in _BOOKS.items():
        writer = Writer(words[subject])
        for nth in range(count):
            article = writer.write(Dice(seed, "book", subject, nth), quiet=False)
            books.append(_Book(host.url(f"/book/{len(books) + 1}"), subject, article))
    return books


def _neighbours(papers: list[_Paper]) -> dict[str, list[tuple[str, DemoLink]]]:
    """The papers before and after each, in the order of printing."""
    found: dict[str, list[tuple[str, DemoLink]]] = {paper.url: [] for paper in papers}
    for earlier, later in pairwise(papers):
        found[earlier.url].append(("Next article", DemoLink(later.url, later.article.title)))
        found[later.url].insert(0, ("Previous article", DemoLink(earlier.url, earlier.article.title)))
    return found


# --- pages ---------------------------------------------------------------------------------------------------


def _dress(host: DemoHost, title: str, main: str, *, head: str = "", side: str = "") -> str:
    places = [("/", "Home"), ("/issues/", "All issues"), ("/books/", "Books"), ("/about", "About us")]
    places += [("/contact", "Contact"), ("/terms", "Terms of use")]
    menu = "".join(f'<li><a href="{path}">{name}</a></li>' for path, name in places)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{escape(title)} - {escape(host.title)}</title>
{head}</head>
<body>
<div id="masthead"><a href="/">{escape(host.title)}</a><ul class="menu">{menu}</ul></div>
<div id="page">
<div id="content">
{main}
</div>
<aside class="column">{side}</aside>
</div>
<div id="footer"><ul>{menu}</ul><p>All rights reserved. Nothing on this page is real.</p></div>
</body>
</html>
"""


def _list(host: DemoHost, links: list[DemoLink]) -> str:
    return f"<ul>{''.join(f'<li>{anchor(host, link)}</li>' for link in links)}</ul>"


def _paper_page(
    seed: int,
    host: DemoHost,
    paper: _Paper,
    papers: list[_Paper],
    books: list[_Book],
    beside: list[tuple[str, DemoLink]],
) -> str:
    dice = Dice(seed, "around", paper.url)
    article = paper.article
    kin = [other for other in papers if other.subject == paper.subject and other is not paper]
    related = list(dict.fromkeys([*dice.some(kin, 3), *dice.some([one for one in papers if one is not paper], 2)]))
    cited = [DemoLink(other.url, other.article.title) for other in dice.some(kin, 2)]
    shelf = dice.some([book for book in books if book.subject == paper.subject], 3) + dice.some(books, 1)
    references = "".join(
        f"<li>{escape(' and '.join(article.authors))}. {anchor(host, link)}. {host.title}.</li>" for link in cited
    )
    body = "".join(f"<p>{escape(paragraph)}</p>\n" for paragraph in article.paragraphs[1:])
    main = f"""<p class="path"><a href="/">Home</a> / <a href="/issue/{paper.issue}">Issue {paper.issue}</a></p>
<article>
<h1>{escape(article.title)}</h1>
<p class="authors">{escape(", ".join(article.authors))}</p>
<p class="affiliations">{paper.place}</p>
<p class="dates">Received {long_date(article.published)}. {escape(article.source)}.</p>
<div class="abstract"><h2>Abstract</h2><p>{escape(article.paragraphs[0])}</p></div>
<p class="keywords">Keywords: {escape("; ".join(paper.keywords))}</p>
<h2>Full text</h2>
{body}<h2>References</h2><ol class="references">{references}</ol>
</article>
<p class="beside pager">{" ".join(f"{mark}: {anchor(host, link)}" for mark, link in beside)}</p>
<section class="related"><h3>Related articles</h3>{
        _list(host, [DemoLink(one.url, one.article.title) for one in related])
    }</section>"""
    return _dress(host, article.title, main, head=_head(host, paper), side=_side(host, dice, shelf))


def _side(host: DemoHost, dice: Dice, shelf: list[_Book]) -> str:
    ads = "".join(
        f'<a href="/go/{number}">{_OFFERS[number % len(_OFFERS)]}</a> ' for number in dice.some(range(1, _ADS + 1), 2)
    )
    sold = [DemoLink(book.url, book.article.title) for book in dict.fromkeys(shelf)]
    return f'<h3>From our bookshop</h3>{_list(host, sold)}<div class="ad">Advertisement: {ads}</div>'


def _head(host: DemoHost, paper: _Paper) -> str:
    """The tags that indexes read; every third paper is from before anybody put them in."""
    if paper.number % 3 == 0:
        return ""
    article = paper.article
    tags = [("title", article.title), *(("author", name) for name in article.authors)]
    tags += [("journal_title", host.title), ("publication_date", article.published.date.replace("-", "/"))]
    tags += [("issue", str(paper.issue)), ("doi", f"10.5555/afs.{paper.number}")]
    tags += [("keywords", "; ".join(paper.keywords))]
    return "".join(f'<meta name="citation_{name}" content="{escape(value)}">\n' for name, value in tags)


def _book_page(seed: int, host: DemoHost, book: _Book, books: list[_Book]) -> str:
    dice = Dice(seed, "around", book.url)
    article, number = book.article, int(book.url.rpartition("/")[2])
    others = [DemoLink(one.url, one.article.title) for one in dice.some([one for one in books if one is not book], 3)]
    main = f"""<div class="item"><h1>{escape(article.title)}</h1>
<p>{escape(", ".join(article.authors))}. {dice.number(90, 400)} pages, bound. ISBN 978-0-00-{100_000 + number}-0.</p>
<p>{escape(article.paragraphs[0])}</p><p>Add to basket</p></div>
<section class="related"><h3>More books</h3>{_list(host, others)}</section>"""
    head = '<meta property="og:type" content="book">\n' if number % 2 else ""
    return _dress(host, article.title, main, head=head)


def _items(host: DemoHost, links: list[tuple[DemoLink, str]]) -> str:
    return "\n".join(
        f'<div class="item"><h2>{anchor(host, link)}</h2><p>{escape(note)}</p></div>' for link, note in links
    )


def _listings(host: DemoHost, papers: list[_Paper], books: list[_Book]) -> Iterator[DemoPage]:
    """The front page, the issues, and what the bookshop has."""

    def shown(some: list[_Paper]) -> str:
        return _items(host, [(DemoLink(one.url, one.article.title), ", ".join(one.article.authors)) for one in some])

    def page(path: str, title: str, main: str, kind: str) -> DemoPage:
        return html_page(host.url(path), _dress(host, title, f"<h1>{title}</h1>\n{main}"), kind=kind)

    issues = sorted({paper.issue for paper in papers})
    yield page("/", host.title, shown([paper for paper in papers if paper.issue == issues[-1]]), "front")
    contents = [DemoLink(host.url(f"/issue/{issue}"), f"Issue {issue}") for issue in issues]
    yield page("/issues/", "All issues", _list(host, contents), "section")
    for issue in issues:
        text = shown([paper for paper in papers if paper.issue == issue])
        yield page(f"/issue/{issue}", f"Issue {issue}", text, "section")
    sold = [(DemoLink(book.url, book.article.title), ", ".join(book.article.authors)) for book in books]
    yield page("/books/", "Books", _items(host, sold), "section")
