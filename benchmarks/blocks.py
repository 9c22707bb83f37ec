"""How well are pages cut into blocks?  `python benchmarks/blocks.py [--json] [--misses] [--journal]`

With --journal: crawls of the demo web's journal for papers on one subject, by three strategies with the same budget:
which pages each fetches, and of what kind.

Else, read from the `shared` folder beside the repo:

- noise: 26 real pages of as many publishers and news sites, whose links were told apart by hand (noise.json): which are
  about the page, which would stand there whatever it was about. Precision, recall and F1 of noise, over all links a
  crawl could follow, for the pages that were looked at while the rules were written and for those that were not.
- journal-pages: title, authors, abstract and DOI of article pages against their gold records, where the page holds
  them, and how many of these pages are known for articles.
- taken for articles: the share of news pages, of Chinese ones, of an encyclopedia's articles and of its indexes.
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from extraction import folded
from selectolax.lexbor import LexborHTMLParser
from serve import read_archive

from honeyguide.api import crawl
from honeyguide.demo import build
from honeyguide.demo.journal import PAPERS
from honeyguide.page import blocks as cutting
from honeyguide.page.articles import ARTICLE
from honeyguide.page.charset import to_utf8
from honeyguide.page.cuts import cut
from honeyguide.page.extract import extract
from honeyguide.page.parse import Parser
from honeyguide.page.segments import segment
from honeyguide.page.snapshot import Boxes
from honeyguide.page.tame import tame
from honeyguide.store import Store
from honeyguide.text.terms import tokenizer
from honeyguide.topic import Topic
from honeyguide.web.urls import Base

SHARED = Path(__file__).resolve().parents[2] / "shared"
LABELS = Path(__file__).with_name("noise.json")
_BUDGET = 60  # pages: twice as many as there are papers on the subject
ADDRESS = "https://page.example/of/its/own"


def numbers(text: str) -> set[int]:
    """The numbers a list of ranges stands for.

    >>> sorted(numbers("3 7-9"))
    [3, 7, 8, 9]
    """
    found: set[int] = set()
    for part in text.split():
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return found


def read(path: Path) -> bytes:
    """A page as it was saved."""
    body = path.read_bytes()
    return gzip.decompress(body) if path.suffix == ".gz" else body


def roles(body: bytes, boxes: Boxes | None = None) -> tuple[dict[int, str], list[str], dict[int, str]]:
    """By the number of a link: the role of its block and the evidence for it; and the address in every link's tag."""
    tree = LexborHTMLParser(tame(to_utf8(body))[0])
    title = " ".join(tree.css_first("title").text().split()) if tree.css_first("title") else ""
    marked = cutting.mark(tree)
    hrefs = [link.attributes.get("href") or "" for link in marked.links]
    found, main, elements = cut(marked, tokenizer("zh" if not title.isascii() else "en"))
    parts, places, *_ = segment(found, main, elements, title, hrefs, boxes)
    of = {number: parts[place] for one, place in zip(found, places, strict=True) for number, *_ in one.links}
    return {number: part.role for number, part in of.items()}, hrefs, {number: part.why for number, part in of.items()}


def noise(shared: Path, boxes: Mapping[str, Boxes] | None = None) -> dict[str, dict[str, Any]]:
    """Noise against the rest, for either half of the labelled pages; with `boxes`, by page, by these as well."""
    tallies: dict[str, Counter[str]] = {"seen": Counter(), "unseen": Counter()}
    misses: dict[str, list[str]] = {"seen": [], "unseen": []}
    base = Base(ADDRESS)
    for label in json.loads(LABELS.read_text())["pages"]:
        found, hrefs, whys = roles(read(shared / "data" / label["page"]), boxes[label["page"]] if boxes else None)
        if len(hrefs) != label["links"]:
            raise SystemExit(f"{label['page']} has {len(hrefs)} links, not {label['links']}: the labels are of another")
        kept, either, tally = numbers(label["kept"]), numbers(label["either"]), tallies[label["half"]]
        tally["pages"] += 1
        for number, href in enumerate(hrefs):
            url = base.join(href)
            if number in either or number not in found or url is None or url == ADDRESS:
                continue
            truth, told = number not in kept, found[number] == "noise"
            tally["links"] += 1
            tally["hit" if truth and told else "false" if told else "missed" if truth else "left"] += 1
            if truth != told:
                what = "taken for noise" if told else f"taken for {found[number]}"
                misses[label["half"]].append(f"{label['page'][-30:]} {number} {what} ({whys[number]}): {href[-50:]}")
    return {half: {**_scores(tally), "misses": misses[half]} for half, tally in tallies.items()}


def _scores(tally: Counter[str]) -> dict[str, float]:
    precision = tally["hit"] / max(1, tally["hit"] + tally["false"])
    recall = tally["hit"] / max(1, tally["hit"] + tally["missed"])
    kept = 2 * tally["left"] / max(1, 2 * tally["left"] + tally["false"] + tally["missed"])
    return {
        "pages": tally["pages"],
        "links": tally["links"],
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / max(1e-9, precision + recall),
        "f1 of the rest": kept,
    }


def journals(shared: Path) -> dict[str, Any]:
    """Title, authors, abstract, keywords and DOI of journal pages, where page and gold record both have them."""
    values: dict[str, list[float]] = {}
    misses = []
    for gold in sorted((shared / "data" / "journal-pages" / "downloaders" / "resources").glob("*_Out.json")):
        page = gold.with_name(gold.name.replace("_Out.json", ".html"))
        known = json.loads(gold.read_text())
        text = folded(page.read_text(errors="replace")) if page.exists() else ""
        if not known.get("title") or folded(known["title"])[:40] not in text:
            continue  # a page that asks "are you a robot?"
        url = known.get("url") or "https://journal.example/"
        record, digest = extract(page.read_bytes(), url), Parser().html(page.read_bytes(), url)
        got: dict[str, bool] = {"an article": digest.article_score >= ARTICLE}
        got["title"] = folded(record.title) == folded(known["title"])
        if people := known.get("author_list"):
            want = [folded(person["family"].split()[-1]) for person in people if person.get("family")]
            got["authors"] = [folded(name.split()[-1]) for name in record.authors] == want
        if (abstract := folded(known.get("abstract") or "")) and abstract[:40] in text:
            got["abstract"] = folded(record.extra.get("abstract", ""))[:100] == abstract[:100]
        if (doi := folded(known.get("doi") or "")) and doi in text:
            got["doi"] = folded(record.extra.get("doi", "")) == doi
        for name, right in got.items():
            values.setdefault(name, []).append(float(right))
            if not right:
                misses.append(f"{name}: {page.name}")
    figures: dict[str, Any] = {name: sum(found) / len(found) for name, found in values.items()}
    return {"pages": len(values["title"]), **figures, "misses": misses}


def kinds(shared: Path) -> dict[str, Any]:
    """How many pages of each sort are taken for articles: news, Chinese news, an encyclopedia, and its indexes."""
    parser, taken = Parser(), {}
    news = (read(path) for path in sorted((shared / "data" / "article-bodies" / "html").glob("*.gz")))
    chinese = (path.read_bytes() for path in sorted((shared / "data" / "chinese-news" / "tests").rglob("*.html")))
    web = [(url, body) for url, _, body in islice(read_archive(shared / "webs" / "schools"), 0, None, 20)]
    sorts = {
        "news": [("https://news.example/a/1", body) for body in news],
        "Chinese news": [("https://news.example/a/1", body) for body in chinese],
        "encyclopedia": [page for page in web if "/wp/index/" not in page[0]],
        "indexes": [page for page in web if "/wp/index/" in page[0]],
    }
    for sort, pages in sorts.items():
        scores = [parser.html(body, url).article_score for url, body in pages]
        taken[sort] = sum(score >= ARTICLE for score in scores) / len(scores)
    return {"pages": sum(map(len, sorts.values())), **taken, "misses": []}


def figures_of(shared: Path) -> dict[str, dict[str, Any]]:
    """All of it, by set."""
    halves = noise(shared)
    named = {f"noise, {half}": figures for half, figures in halves.items()}
    return {**named, "journal-pages": journals(shared), "taken for articles": kinds(shared)}


def fetched(strategy: str, pages: int) -> dict[str, float]:
    """What a strategy fetches of the demo journal, over real HTTP: papers on the subject, others, and what is none."""
    web = build()
    asked = next(topic for topic in web.topics if topic.id == PAPERS)
    topic = Topic(
        name=asked.name,
        kind="article",
        languages=asked.languages,
        keywords=asked.keywords,
        examples=asked.examples[:2],
        starts=asked.starts,
    )
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "crawl"
        crawl(topic, out=place, web="demo", strategy=strategy, pages=pages, delay=0.0, careful=False).finish()
        store = Store.open(place / "crawl.db", read_only=True)
        urls = [store.url(visit.url).url for visit in store.visits()]
        kept = [visit for visit in store.visits() if visit.on_topic]
        store.close()
    kinds = Counter(web.pages[url].kind for url in urls if url in web.pages)
    found = len(asked.relevant.intersection(urls))
    return {
        "fetched": len(urls),
        "papers on topic": found,
        "other papers": kinds["paper"] - found,
        "no articles": len(urls) - kinds["paper"],
        "of these books and ads": kinds["book"] + kinds["ad"],
        "kept": len(kept),
        "precision": found / len(urls),
    }


def main() -> None:
    """Measure and print."""
    if "--journal" in sys.argv:
        for strategy in ("breadth-first", "hopfield", "hopfield-blocks"):
            figures = fetched(strategy, _BUDGET)
            print(
                f"{strategy:16}",
                "  ".join(f"{what} {value:.2f}".removesuffix(".00") for what, value in figures.items()),
            )
        return
    for name, figures in figures_of(SHARED).items():
        misses = figures.pop("misses")
        if "--json" in sys.argv:
            print(json.dumps({"set": name, **{what: round(value, 4) for what, value in figures.items()}}))
            continue
        cells = (
            f"{what} {value:.3f}" if isinstance(value, float) else f"{what} {value}" for what, value in figures.items()
        )
        print(f"{name:20}", "  ".join(cells))
        if "--misses" in sys.argv:
            print("\n".join(f"    {miss}" for miss in misses))


if __name__ == "__main__":
    main()
