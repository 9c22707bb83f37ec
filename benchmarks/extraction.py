"""How good is the careful record, and what does it cost?  `python benchmarks/extraction.py [--json] [--misses]`

Four sets of real pages with known answers, read from the `shared` folder beside the repo:

- article-bodies: 181 news pages with their body text. Text is scored by shingles of four words: precision and
  recall per page, averaged, and their harmonic mean. Where the address holds a date, that is the truth for the
  date, and the extraction is not shown the address. `lead`: whether the first words of the body are there.
- journal-pages: landing pages of journals with title, authors, journal, DOI and year. Pages that do not hold
  their own title (a publisher's "are you a robot?" page) are left out.
- chinese-news: 60 pages, 20 of them with silver answers (another tool's output): title, day, and text by
  shingles of four characters.
- encyclopedia: articles of the schools web, which bear no date of publication: whether one is invented.
"""

from __future__ import annotations

import gzip
import html
import json
import re
import statistics
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from serve import read_archive

from honeyguide.page.extract import extract
from honeyguide.page.record import Record

SHARED = Path(__file__).resolve().parents[2] / "shared"
_URL_DAY = re.compile(r"/(20\d\d)[/-]?(0[1-9]|1[0-2])[/-]?([0-3]\d)(?=[/_.-]|$)")
_SILVER = re.compile(r">{13}(\S+?)>{13}\n(.*?)\n<{20,}", re.DOTALL)


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


class Tally:
    """Averages by name, the misses, and the CPU time of each extraction."""

    def __init__(self) -> None:
        self.values: dict[str, list[float]] = {}
        self.misses: list[str] = []
        self.costs: list[float] = []

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

    def means(self) -> dict[str, float]:
        """The figures of the set."""
        means = {name: statistics.fmean(values) for name, values in self.values.items()}
        if "precision" in means:
            both = means["precision"] + means["recall"]
            means["f1"] = 2 * means["precision"] * means["recall"] / both if both else 0.0
        return means | {"ms": statistics.median(self.costs) * 1000, "pages": float(len(self.costs))}


def bodies(shared: Path) -> Tally:
    """The news pages with gold text."""
    folder, tally = shared / "data" / "article-bodies", Tally()
    truth = json.loads((folder / "ground-truth.json").read_text())
    for name, known in sorted(truth.items()):
        parts = urlsplit(known["url"])
        page = gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes())
        record = tally.extract(page, f"{parts.scheme}://{parts.netloc}/page")
        word = re.compile(r"\w+")
        precision, recall = overlap(shingles(word.findall(known["articleBody"])), shingles(word.findall(record.text)))
        where = f"{name[:8]} {known['url']}"
        tally.add("precision", precision, f"{precision:.2f} {where}" if precision < 0.8 else "")
        tally.add("recall", recall, f"{recall:.2f} {where}" if recall < 0.8 else "")
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


def journals(shared: Path) -> Tally:
    """The landing pages of journals."""
    tally = Tally()
    for gold in sorted((shared / "data" / "journal-pages" / "downloaders" / "resources").glob("*_Out.json")):
        page = gold.with_name(gold.name.replace("_Out.json", ".html"))
        known = json.loads(gold.read_text())
        title = known.get("title") or ""
        if not page.exists() or not title or folded(title)[:40] not in folded(page.read_text(errors="replace")):
            continue
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


def chinese(shared: Path) -> Tally:
    """The Chinese news pages."""
    folder, tally = shared / "data" / "chinese-news", Tally()
    silver = dict(_silver(folder))
    for page in sorted((folder / "tests").rglob("*.html")):
        name = page.relative_to(folder).as_posix()
        record = tally.extract(page.read_bytes(), "https://news.example/page")
        tally.add("any date", float(record.published is not None), name)
        known = silver.get(name)
        if known is None:
            continue
        tally.add("title", float(folded(record.title) == folded(known["title"])), f"{name} {record.title!r}")
        if len(day := re.findall(r"\d+", known["publish_time"])) >= 5:
            want = "-".join((day[0], day[1].zfill(2), day[2].zfill(2)))
            tally.add("date", float((record.published or "")[:10] == want), f"{name} {record.published} {want}")
            hour = f"{want}T{int(day[3]):02d}:{day[4]}"
            tally.add("minute", float((record.published or "")[:16] == hour), f"{name} {record.published} {hour}")
        precision, recall = overlap(shingles(folded(known["content"])), shingles(folded(record.text)))
        tally.add("precision", precision, f"{precision:.2f} {name}" if precision < 0.8 else "")
        tally.add("recall", recall, f"{recall:.2f} {name}" if recall < 0.8 else "")
    return tally


SETS = {"article-bodies": bodies, "journal-pages": journals, "chinese-news": chinese, "encyclopedia": encyclopedia}


def main() -> None:
    """Measure all sets and print the table."""
    tallies = {name: measure(SHARED) for name, measure in SETS.items()}
    figures = {name: {key: round(value, 4) for key, value in tally.means().items()} for name, tally in tallies.items()}
    if "--json" in sys.argv:
        print(json.dumps(figures, indent=2))
        return
    for name, figure in figures.items():
        cells = "  ".join(f"{key} {value:.3f}" for key, value in figure.items() if key not in ("ms", "pages"))
        print(f"{name:15} {figure['pages']:4.0f} pages  {figure['ms']:5.1f} ms CPU (median)  {cells}")
        if "--misses" in sys.argv:
            print("\n".join(f"    {miss}" for miss in tallies[name].misses))


if __name__ == "__main__":
    main()
