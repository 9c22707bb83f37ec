"""Are the title, day, source and authors of news pages right?  python benchmarks/fields.py SHARED [-v] [--half choose]

The truth is in fields.json: what was read by hand on 102 pages of article-bodies and chinese-news, before anything was
run on them. A field lists the answers a reader would accept (null: none is fine, too; of authors each answer is a list
of all). The halves go by a hash of the pages' names, as in extraction.py: rules may be written looking at `choose`,
never at `report`.

- title: the headline as a reader sees it.
- published: the day it was first published.
- source: what the page calls its source (来源), else the paper, site or account whose page it is. The bare name of a
  host is none.
- authors: all who wrote it, and nobody else. Staff, an office or an account may be given or left out; editors
  (责任编辑) are no authors.

Counted are answers that are `right`, `wrong`, `missing`, and `invented` where the page has none; below each line,
marked `plain`, stands what trafilatura's own metadata give for the same pages. The extraction is not shown the
addresses, for they tell the date; of the English pages it sees the host. Then follows, by where a field was found, how
often it is right and how sure it says it is. `-v` lists what is not right, of the half `choose` alone unless another is
asked for.
"""

from __future__ import annotations

import argparse
import gzip
import json
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from extraction import folded, in_half
from trafilatura.metadata import extract_metadata

from honeyguide.page.extract import SURE, extract

TRUTH = Path(__file__).with_name("fields.json")
FIELDS = ("title", "published", "source", "authors")
HOWS = ("right", "wrong", "missing", "invented")
HALVES = {"choose": "a", "report": "b"}
Answers = dict[str, Any]


def truth(half: str = "") -> dict[str, dict[str, Any]]:
    """What is known, page by page."""
    known: dict[str, dict[str, Any]] = json.loads(TRUTH.read_text("utf-8"))
    assert all(in_half(name, HALVES[page["half"]]) for name, page in known.items())
    return {name: page for name, page in known.items() if half in ("", page["half"])}


def ours(body: bytes, url: str) -> Answers:
    """The fields of the careful record."""
    record = extract(body, url, fetched=1_790_000_000.0)
    source = record.source if record.sources.get("source") != "address" else ""
    fields = {"title": record.title, "published": record.published, "source": source, "authors": record.authors}
    return fields | {"sources": record.sources}


def plain(body: bytes, url: str) -> Answers:
    """The same by trafilatura alone."""
    found = extract_metadata(body, default_url=url)
    authors = [name.strip() for name in (found.author or "").split(";") if name.strip()]
    host = folded((urlsplit(url).hostname or "").removeprefix("www."))
    source = found.sitename if folded(found.sitename or "") != host else ""
    return {"title": found.title, "published": found.date, "source": source, "authors": authors}


def judge(field: str, found: Any, accepted: list[Any]) -> str:
    """How an answer stands to those accepted.

    >>> judge("published", "2019-11-18T21:10:29+00:00", ["2019-11-18"]), judge("source", "", ["WIRED"])
    ('right', 'missing')
    >>> judge("authors", ["Bo Kay", "Ann Lee"], [["Ann Lee", "Bo Kay"]]), judge("authors", ["Ann Lee"], [])
    ('right', 'invented')
    """
    if not found:
        return "right" if not accepted or None in accepted or [] in accepted else "missing"
    if field == "published":
        fits = found[:10] in accepted
    elif field == "authors":
        fits = any({folded(name) for name in found} == {folded(name) for name in people} for people in accepted)
    else:
        fits = folded(found) in (folded(name) for name in accepted if name)
    return "right" if fits else "wrong" if any(accepted) else "invented"


def pages(shared: Path, half: str = "") -> Iterator[tuple[dict[str, Any], str, bytes, str]]:
    """What is known of each page, its name, its bytes, and an address that does not tell the date."""
    data = shared / "data"
    urls = json.loads((data / "article-bodies" / "ground-truth.json").read_text("utf-8"))
    for name, known in truth(half).items():
        kind, _, rest = name.partition("/")
        if kind == "article-bodies":
            body = gzip.decompress((data / kind / "html" / f"{rest}.html.gz").read_bytes())
            yield known, name, body, f"https://{urlsplit(urls[rest]['url']).netloc}/page"
        else:
            yield known, name, (data / name).read_bytes(), "https://news.example/page"


class Judged:
    """How the answers stand, by language, half and field, and by where they were found; a line on each not right."""

    def __init__(self) -> None:
        self.counts: dict[tuple[str, str, str], Counter[str]] = {}
        self.places: dict[tuple[str, str], Counter[str]] = {}
        self.misses: list[str] = []

    def add(self, known: dict[str, Any], name: str, answers: Answers) -> None:
        """Judge the answers of one page."""
        for field in FIELDS:
            how = judge(field, answers[field], known[field])
            self.counts.setdefault((known["language"], known["half"], field), Counter())[how] += 1
            if answers[field] and (place := answers.get("sources", {}).get(field)):
                self.places.setdefault((field, place), Counter())[how] += 1
            if how != "right":
                short = name.removeprefix("article-bodies/")[:40]
                self.misses.append(f"{known['half']} {field} {how}: {short} {answers[field]!r}, not {known[field]}")


def measure(shared: Path, half: str = "", read: Callable[[bytes, str], Answers] = ours) -> Judged:
    """Read every page of a half, or of both."""
    tally = Judged()
    for known, name, body, url in pages(shared, half):
        tally.add(known, name, read(body, url))
    return tally


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("-v", "--verbose", action="store_true", help="list what is not right")
    parser.add_argument("--half", choices=HALVES, default="", help="this half alone")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)  # the other tool reports the faults of pages
    found, beside = measure(given.shared, given.half), measure(given.shared, given.half, plain)
    print(f"{'':24}{''.join(f'{how:>10}' for how in HOWS)}{'share':>8}")
    for language, half, field in sorted(found.counts, key=lambda row: (row[0], row[1], FIELDS.index(row[2]))):
        for label, tally in ((f"{language} {half} {field}", found), ("plain", beside)):
            row = tally.counts[language, half, field]
            share = row["right"] / row.total()
            print(f"{label:>24}{''.join(f'{row[how]:10}' for how in HOWS)}{share:8.2f}")
    for (field, place), row in sorted(found.places.items(), key=lambda item: (FIELDS.index(item[0][0]), item[0][1])):
        print(f"{field} by {place:16} right {row['right']:3} of {row.total():3}, sure {SURE[place]:.2f}")
    if given.verbose:
        print("\n".join(sorted(miss for miss in found.misses if miss.startswith(given.half or "choose"))))


if __name__ == "__main__":
    main()
