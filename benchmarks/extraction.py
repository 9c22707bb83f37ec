"""How good is the careful record, and what does it cost?  `python benchmarks/extraction.py [--json] [--misses]`

Real pages with known answers, read from the `shared` folder beside the repo. Where rules were written looking at pages,
the set is cut into two halves by a hash of the pages' names: half a may be looked at, half b may not.

- article-bodies: 181 news pages with their body text. Two scores a page, averaged: by shingles of four words
  (precision, recall, their harmonic mean `f1`) and by single words (`words`). `plain f1` and `plain words` are those of
  trafilatura alone, in the best of its settings for each figure; `not half` counts the pages on which the record has
  less than half the words score of the setting that is best on half a. `lead`: whether the first words of the body are
  there. Where the address holds a date, that is the truth for the date, and the extraction is not shown the address.
- chinese-news: 60 pages, 20 of them with silver answers (another tool's output): title, day, and text as above, by
  characters. `clean`: no line of the text is a byline, a menu of font sizes, or a call to scan or share.
- journal-pages: landing pages of journals with title, authors, journal, DOI and year. Pages that do not hold their own
  title (a publisher's "are you a robot?" page) are left out, and counted as `walls` below.
- encyclopedia: articles of the schools web, which bear no date of publication: whether one is invented.
- dates: 84 pages of five sets whose date was read by hand (dates.json): `right`, `wrong`, `invented` where the page has
  none, `missing` where it has one; and how often the date is right by where it was found.
- walls and lists: pages that only ask whether a person is reading, and pages that are lists of others: whether they are
  told, and how many articles are taken for one (`no wall`, `no list`).
"""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import logging
import re
import statistics
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import trafilatura
from serve import read_archive

from honeyguide.page.extract import extract
from honeyguide.page.record import Record

SHARED = Path(__file__).resolve().parents[2] / "shared"
DATES = Path(__file__).with_name("dates.json")
# The settings of trafilatura that change what it takes for text; the second one is the best on half a.
SETTINGS = [
    {"fast": fast, "include_comments": False, "include_tables": tables, **favour}
    for fast in (False, True)
    for tables in (True, False)
    for favour in ({}, {"favor_precision": True}, {"favor_recall": True})
]
RIVALS = [SETTINGS[number] for number in (3, 1, 2, 6)]  # those that are the best on one of the sets, by some score
_URL_DAY = re.compile(r"/(20\d\d)[/-]?(0[1-9]|1[0-2])[/-]?([0-3]\d)(?=[/_.-]|$)")
_SILVER = re.compile(r">{13}(\S+?)>{13}\n(.*?)\n<{20,}", re.DOTALL)
_WORD = re.compile(r"\w+")
_UNCLEAN = re.compile(
    r"(?:责任?编辑?|编辑|来源|作者|采写|校对|摄影)\s*[：:/|]|字号|字体|分享到|扫一扫|扫描|"
    r".{0,14}记者 ?[\u4e00-\u9fff]{2,3}(?: [\u4e00-\u9fff]{2,3})*$"
    r"|\d{4}[-年]\d\d?[-月]\d\d?日?(?: \d\d:\d\d(?::\d\d)?)?$"
)


def in_half(name: str, half: str) -> bool:
    """Whether a page is in this half, "a" or "b"; in any if none is named."""
    return not half or "ab"[hashlib.sha1(name.encode()).digest()[0] & 1] == half


def folded(text: str) -> str:
    """Letters and digits alone, without accents and case."""
    bare = unicodedata.normalize("NFKD", html.unescape(text))
    return "".join(letter for letter in bare if letter.isalnum()).casefold()


def shingles(parts: list[str] | str, size: int = 4) -> Counter[Any]:
    """Every run of `size` parts, counted; a shorter text is one run."""
    if not parts:
        return Counter()
    return Counter(tuple(parts[start : start + size]) for start in range(max(1, len(parts) - size + 1)))


def overlap(truth: Counter[Any], found: Counter[Any]) -> tuple[float, float]:
    """Precision and recall of one bag of shingles against another."""
    both = sum((truth & found).values())
    return both / max(1, sum(found.values())), both / max(1, sum(truth.values()))


def both(precision: float, recall: float) -> float:
    """Their harmonic mean."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


class Tally:
    """Averages by name, the misses, and the CPU time of each extraction; texts beside those of trafilatura alone."""

    def __init__(self) -> None:
        self.values: dict[str, list[float]] = {}
        self.misses: list[str] = []
        self.costs: list[float] = []
        self.counts: dict[str, float] = {}
        self.plain: list[list[tuple[float, float, float]]] = []  # by page and setting: precision, recall, words

    def extract(self, body: bytes, url: str) -> Record:
        """Make a record, on the clock."""
        start = time.process_time()
        record = extract(body, url, fetched=1_790_000_000.0)
        self.costs.append(time.process_time() - start)
        self.add("careful", float(record.careful), url)
        return record

    def add(self, name: str, value: float, miss: str = "") -> None:
        """Note one result."""
        self.values.setdefault(name, []).append(value)
        if value < 1 and miss:
            self.misses.append(f"{name}: {miss}")

    def text(self, truth: list[str], found: list[str], others: list[list[str]], where: str) -> None:
        """Score a text, and those of the other tool."""
        (precision, recall, words), *plain = (self._score(truth, parts) for parts in (found, *others))
        self.add("precision", precision, f"{precision:.2f} {where}" if precision < 0.8 else "")
        self.add("recall", recall, f"{recall:.2f} {where}" if recall < 0.8 else "")
        self.add("words", words)
        self.plain.append(plain)

    def _score(self, truth: list[str], found: list[str]) -> tuple[float, float, float]:
        return *overlap(shingles(truth), shingles(found)), both(*overlap(Counter(truth), Counter(found)))

    def means(self) -> dict[str, float]:
        """The figures of the set."""
        means = {name: statistics.fmean(values) for name, values in self.values.items()}
        if self.plain:
            means["f1"] = both(means["precision"], means["recall"])
            means |= self._beside()
        return means | self.counts | {"ms": statistics.median(self.costs) * 1000, "pages": float(len(self.costs))}

    def _beside(self) -> dict[str, float]:
        if not self.plain[0]:
            return {}
        by_setting = [list(zip(*scores, strict=True)) for scores in zip(*self.plain, strict=True)]
        words = [statistics.fmean(setting[2]) for setting in by_setting]
        behind = sum(own < other / 2 for own, other in zip(self.values["words"], by_setting[1][2], strict=True))
        f1 = max(both(statistics.fmean(setting[0]), statistics.fmean(setting[1])) for setting in by_setting)
        return {"plain f1": f1, "plain words": max(words), "not half": float(behind)}


def alone(body: bytes, settings: list[dict[str, bool]]) -> list[str]:
    """The text trafilatura finds by itself, in each of these settings."""
    return [trafilatura.extract(body, **chosen) or "" for chosen in settings]


def bodies(shared: Path, half: str = "", settings: list[dict[str, bool]] = SETTINGS) -> Tally:
    """The news pages with gold text."""
    folder, tally = shared / "data" / "article-bodies", Tally()
    truth = json.loads((folder / "ground-truth.json").read_text())
    for name, known in sorted(truth.items()):
        if not in_half(name, half):
            continue
        parts = urlsplit(known["url"])
        page = gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes())
        record = tally.extract(page, f"{parts.scheme}://{parts.netloc}/page")
        where = f"{name[:8]} {known['url']}"
        others = [_WORD.findall(text) for text in alone(page, settings)]
        tally.text(_WORD.findall(known["articleBody"]), _WORD.findall(record.text), others, where)
        tally.add("lead", float(folded(known["articleBody"])[:40] in folded(record.text)), where)
        tally.add("title", float(bool(record.title)), where)
        if day := _URL_DAY.search(parts.path):
            want = "-".join(day.groups())
            tally.add("date", float((record.published or "")[:10] == want), f"{where} {record.published}")
            tally.add("near date", float(_days_apart(record.published, want) <= 1))
    return tally


def encyclopedia(shared: Path) -> Tally:
    """Every fortieth article of an encyclopedia: full of dates, none of them one of publication."""
    tally = Tally()
    articles = (page for page in read_archive(shared / "webs" / "schools") if "/wp/index/" not in page[0])
    for address, _, body in islice(articles, 0, None, 40):
        if "/2007_" in address:  # the one news page among them, which has its date in its address
            continue
        record = tally.extract(body, address)
        tally.add("no date", float(record.published is None), f"{address} {record.published}")
    return tally


def _days_apart(found: str | None, want: str) -> int:
    from datetime import date

    if not found or len(found) < 10:
        return 10_000
    return abs((date.fromisoformat(found[:10]) - date.fromisoformat(want)).days)


def _surnames(people: list[str]) -> list[str]:
    return [folded(name.split()[-1]) for name in people if name.split()]


def _journal_pages(shared: Path) -> Iterator[tuple[Path, dict[str, Any], bool]]:
    """Each page, what is known of it, and whether it holds its own title."""
    for gold in sorted((shared / "data" / "journal-pages" / "downloaders" / "resources").glob("*_Out.json")):
        page = gold.with_name(gold.name.replace("_Out.json", ".html"))
        known = json.loads(gold.read_text())
        title = known.get("title") or ""
        if page.exists() and title:
            yield page, known, folded(title)[:40] in folded(page.read_text(errors="replace"))


def journals(shared: Path) -> Tally:
    """The landing pages of journals."""
    tally = Tally()
    for page, known, whole in _journal_pages(shared):
        if not whole:
            continue
        title = known["title"]
        record = tally.extract(page.read_bytes(), known.get("url") or "https://journal.example/")
        tally.add("title", float(folded(record.title) == folded(title)), f"{page.name} {record.title!r}")
        if people := known.get("author_list"):
            want = [folded(person["family"].split()[-1]) for person in people if person.get("family")]
            tally.add("authors", float(_surnames(record.authors) == want), f"{page.name} {record.authors}")
        for name in ("journal", "doi"):
            if known.get(name):
                got = record.extra.get(name, "")
                tally.add(name, float(folded(got) == folded(known[name])), f"{page.name} {got!r} {known[name]!r}")
        if year := str(known.get("year") or "")[:4]:
            got = record.published or ""
            tally.add("year", float(got[:4] == year), f"{page.name} {got!r} {year}")
    return tally


def _silver(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    for name, answer in _SILVER.findall((folder / "result.txt").read_text()):
        yield name, json.loads(answer)


def chinese(shared: Path, settings: list[dict[str, bool]] = SETTINGS) -> Tally:
    """The Chinese news pages."""
    folder, tally = shared / "data" / "chinese-news", Tally()
    silver = dict(_silver(folder))
    for page in sorted((folder / "tests").rglob("*.html")):
        name = page.relative_to(folder).as_posix()
        body = page.read_bytes()
        record = tally.extract(body, "https://news.example/page")
        tally.add("any date", float(record.published is not None), name)
        unclean = [line for line in record.text.split("\n") if len(line) <= 60 and _UNCLEAN.match(line)]
        tally.add("clean", float(not unclean), f"{name} {unclean}")
        known = silver.get(name)
        if known is None:
            continue
        tally.add("title", float(folded(record.title) == folded(known["title"])), f"{name} {record.title!r}")
        if len(day := re.findall(r"\d+", known["publish_time"])) >= 5:
            want = "-".join((day[0], day[1].zfill(2), day[2].zfill(2)))
            tally.add("date", float((record.published or "")[:10] == want), f"{name} {record.published} {want}")
            hour = f"{want}T{int(day[3]):02d}:{day[4]}"
            tally.add("minute", float((record.published or "")[:16] == hour), f"{name} {record.published} {hour}")
        others = [list(folded(text)) for text in alone(body, settings)]
        tally.text(list(folded(known["content"])), list(folded(record.text)), others, name)
    return tally


def _page_of(shared: Path, name: str, heavy: dict[str, bytes]) -> tuple[bytes, str]:
    """The bytes of a page whose date was read by hand, and an address that does not tell it."""
    kind, _, rest = name.partition("/")
    if kind == "article-bodies":
        return gzip.decompress(
            (shared / "data" / kind / "html" / f"{rest}.html.gz").read_bytes()
        ), "https://a.example/page"
    if kind == "journal-pages":
        folder = shared / "data" / kind / "downloaders" / "resources"
        return (folder / rest).read_bytes(), "https://journal.example/page"
    if kind == "chinese-news":
        return (shared / "data" / kind / rest).read_bytes(), "https://news.example/page"
    return heavy[rest], f"http://heavy.test/{rest}"


def dates(shared: Path, half: str = "") -> Tally:
    """The pages whose date was read by hand."""
    tally = Tally()
    truth: dict[str, list[str]] = json.loads(DATES.read_text())
    heavy = {address.rpartition("/")[2]: body for address, _, body in read_archive(shared / "webs" / "heavy")}
    tally.counts = dict.fromkeys(("right", "wrong", "invented", "missing"), 0.0)
    for name, days in truth.items():
        if not in_half(name, half):
            continue
        record = tally.extract(*_page_of(shared, name, heavy))
        found = record.published or ""
        fits = any(found[:10].startswith(day) or day.startswith(found) for day in days) if found else not days
        how = "right" if fits else "missing" if not found else "wrong" if days else "invented"
        tally.counts[how] += 1
        if not fits:
            tally.misses.append(f"{how}: {name} {found} {days} {record.sources.get('published')}")
        if found:
            tally.add(f"by {record.sources['published']}", float(fits))
    return tally


def walls_and_lists(shared: Path) -> Tally:
    """Pages that hold nothing to keep, and pages that are no articles."""
    tally, data = Tally(), shared / "data"
    for page, known, whole in _journal_pages(shared):
        kind = tally.extract(page.read_bytes(), known.get("url") or "https://journal.example/a").kind
        tally.add("no wall" if whole else "walls", float((kind == "wall") != whole), f"{page.name} {kind}")
    indexes = ((url, body) for url, _, body in read_archive(shared / "webs" / "schools") if "/wp/index/" in url)
    found = sorted((data / "chinese-news" / "test_list_page").rglob("*.html"))
    lists = [(str(page), page.read_bytes()) for page in found]
    for url, body in (*lists, *islice(indexes, 0, None, 6)):
        record = tally.extract(body, url if "://" in url else "https://news.example/list")
        tally.add("lists", float(record.kind != "article" and record.published is None), f"{url} {record.kind}")
    for page in sorted((data / "article-bodies" / "html").glob("*.gz")):
        kind = tally.extract(gzip.decompress(page.read_bytes()), "https://a.example/page").kind
        tally.add("no list", float(kind != "index"), page.name)
        tally.add("no wall", float(kind != "wall"), page.name)
    return tally


SETS = {
    "article-bodies a": partial(bodies, half="a"),
    "article-bodies b": partial(bodies, half="b"),
    "journal-pages": journals,
    "chinese-news": chinese,
    "encyclopedia": encyclopedia,
    "dates a": partial(dates, half="a"),
    "dates b": partial(dates, half="b"),
    "walls and lists": walls_and_lists,
}


def main() -> None:
    """Measure all sets and print the table."""
    logging.disable(logging.CRITICAL)  # the other tool reports the faults of pages
    tallies = {name: measure(SHARED) for name, measure in SETS.items()}
    figures = {name: {key: round(value, 4) for key, value in tally.means().items()} for name, tally in tallies.items()}
    if "--json" in sys.argv:
        print(json.dumps(figures, indent=2))
        return
    for name, figure in figures.items():
        cells = "  ".join(f"{key} {value:.3f}" for key, value in figure.items() if key not in ("ms", "pages"))
        print(f"{name:16} {figure['pages']:4.0f} pages  {figure['ms']:5.1f} ms CPU (median)  {cells}")
        if "--misses" in sys.argv:
            print("\n".join(f"    {miss}" for miss in tallies[name].misses))


if __name__ == "__main__":
    main()
