"""Which copies are recognised, and is anything else taken for one?  `python benchmarks/copies.py [--choose]`

- edited: 181 news articles from the `shared` folder beside the repo, each against itself with a small edit.
- demo: the copies of the demo web (a mirror, print versions, second addresses) against their originals.
- schools: 5,462 real pages of one site, each asked for among those before it. Pairs whose text is not the same to the
  word are listed, for a person to judge: there should be none but copies.
- cost: CPU time and memory a page.

With --choose the figures of the even articles and pages are shown for several limits: by these the limit was chosen.
Without it those of the odd ones, which had no part in that, for the limit as it is.
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import honeyguide.page.parse as parsing
import honeyguide.text.near as near_by
from honeyguide.demo import build
from honeyguide.text import terms
from honeyguide.text.fingerprint import distance, fingerprints, simhash
from honeyguide.text.near import NearDuplicates
from honeyguide.web.archive import ArchiveWeb

SHARED = Path(__file__).resolve().parents[2] / "shared"
LIMITS = (0.65, 0.7, 0.75, 0.8, 0.85)
Words = list[str]
Edit = Callable[[Words, random.Random, Words], Words]


def _changed(share: float) -> Edit:
    def edit(words: Words, chance: random.Random, others: Words) -> Words:
        return [chance.choice(others) if chance.random() < share else word for word in words]

    return edit


EDITS: dict[str, Edit] = {
    "another date": lambda words, _chance, _others: ["2024", "may", "3rd", *words[3:]],
    "a line above": lambda words, chance, others: chance.sample(others, 8) + words,
    "a line below": lambda words, chance, others: words + chance.sample(others, 8),
    **{f"{share} % changed": _changed(share / 100) for share in (1, 2, 3, 5)},
    "5 % left out": lambda words, chance, _others: [word for word in words if chance.random() >= 0.05],
    "another article": lambda words, chance, others: chance.sample(others, len(words)),
}


def is_copy(one: Words, other: Words) -> bool:
    """Whether the second text is taken for a copy of the first."""
    near = NearDuplicates()
    near.add(fingerprints(one)[1], 1)
    return near.find(fingerprints(other)[1]) is not None


def was_copy(one: Words, other: Words) -> bool:
    """Whether the simhash alone would have said so."""
    return distance(simhash(one), simhash(other)) <= 3


def edited(half: int) -> None:
    """Articles and their edited selves."""
    bodies = json.loads((SHARED / "data/article-bodies/ground-truth.json").read_text(encoding="utf-8"))
    articles = [terms(body["articleBody"]) for _, body in sorted(bodies.items())]
    others = [word for article in articles for word in article]
    chosen = [article for article in articles[half::2] if len(article) >= 30]
    for name, edit in EDITS.items():
        chance = random.Random(name)
        pairs = [(article, edit(article, chance, others)) for article in chosen]
        share, before = (sum(test(*pair) for pair in pairs) / len(pairs) for test in (is_copy, was_copy))
        print(f"  {name:<16} {share:6.1%}   by simhash alone {before:6.1%}")


def _words_of(parser: parsing.Parser, body: bytes, url: str) -> Words:
    """What a page is told by."""
    seen: list[Words] = []
    kept, parsing.fingerprints = parsing.fingerprints, lambda words: (seen.append(list(words)), (1, b""))[1]
    try:
        parser.html(body, url)
    finally:
        parsing.fingerprints = kept
    return seen[-1] if seen else []


def demo() -> None:
    """The demo web's copies, as a close look and as a skimming one see them."""
    for structure in (True, False):
        parser = parsing.Parser(structure=structure)
        pages = [page for page in build().pages.values() if page.article is not None and page.status == 200]
        text = {page.url: _words_of(parser, page.body, page.url) for page in pages}
        first = {id(page.article): text[page.url] for page in pages if page.kind != "copy"}
        pairs = [(first[id(page.article)], text[page.url]) for page in pages if page.kind == "copy"]
        found, before = (sum(test(*pair) for pair in pairs) for test in (is_copy, was_copy))
        look = "close look" if structure else "skimmed"
        print(f"  {look:<16} {found} of {len(pairs)}   by simhash alone {before}")


async def _schools(half: int) -> list[tuple[str, Words]]:
    web, parser = ArchiveWeb(SHARED / "webs/schools/pages.warc.gz"), parsing.Parser(structure=False)
    pages = []
    for url in sorted(web.urls())[half::2]:
        answer = await web.fetch(url)
        if answer.status == 200:
            pages.append((url, _words_of(parser, answer.body, url)))
    await web.close()
    return pages


def false_pairs(pages: list[tuple[str, Words]], *, shown: bool) -> int:
    """Pages taken for copies whose text is not the same."""
    near, pairs, same = NearDuplicates(), [], 0
    for number, (_, words) in enumerate(pages):
        sketch = fingerprints(words)[1]
        found = near.find(sketch)
        if found is None:
            near.add(sketch, number)
        elif pages[found][1] == words:
            same += 1
        else:
            pairs.append((found, number))
    if shown:
        print(f"  {len(pages)} pages, {same} the same to the word, {len(pairs)} others taken for copies:")
        for one, other in pairs:
            print(f"    {pages[one][0]} {pages[other][0]} ({len(pages[other][1])} terms)")
    return len(pairs)


def cost(pages: list[tuple[str, Words]]) -> None:
    """CPU time of both fingerprints and of a look-up, memory of an entry."""
    texts = [words for _, words in pages]
    for _ in range(2):  # the second time the words are known
        begun = time.process_time()
        sketches = [fingerprints(words)[1] for words in texts]
        made = (time.process_time() - begun) / len(texts)
    gc.collect()
    tracemalloc.start()
    near = NearDuplicates()
    for number, sketch in enumerate(sketches):
        near.add(sketch, number)
    size = tracemalloc.get_traced_memory()[0] - near_by._CHAINS * 4  # of which only what is used is real
    tracemalloc.stop()
    begun = time.process_time()
    for sketch in sketches:
        near.find(sketch)
    looked = (time.process_time() - begun) / len(texts)
    print(
        f"  {made * 1e3:.3f} ms a page to make, {looked * 1e3:.3f} ms to look up; {size / len(texts):.0f} bytes a page"
    )


def main() -> None:
    """All of it."""
    choose = "--choose" in sys.argv
    half = 0 if choose else 1
    schools = asyncio.run(_schools(half))
    for limit in LIMITS if choose else (near_by.ALIKE,):
        near_by.ALIKE = limit
        print(f"alike from {limit}:\n edited articles taken for copies")
        edited(half)
        print(" copies on the demo web")
        demo()
        print(" schools")
        false_pairs(schools, shown=True)
    print(" cost")
    cost(schools)


if __name__ == "__main__":
    main()
