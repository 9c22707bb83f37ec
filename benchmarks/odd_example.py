"""Is an example that does not belong named?  python benchmarks/odd_example.py SHARED [--half report]

Real crawls of the schools web, each with four examples of a topic, then with one of them exchanged for an example of
another topic (a page off the topic, by the truth, which is used for nothing else). Counted is how often the advice at
the end names an example, and how often the right one.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import msgspec
from judge import learnt, read
from kept import HALVES, crawl

from honeyguide.bench.offline import load

GIVEN = 4


def main() -> None:
    """Crawl, ask for advice, count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--half", choices=("choose", "report"), default="report")
    parser.add_argument("--pages", type=int, default=150)
    how = parser.parse_args()
    web = how.shared / "webs" / "schools"
    offline = load(web, only=HALVES["schools"][how.half])
    pages, _ = read(offline.archive, {url for topic in offline.topics for url in topic.examples}, 0)
    named, right = [0, 0], 0
    for topic in offline.topics:
        truth = offline.truths[topic.id]
        off = sorted(url for other in offline.topics for url in other.examples if url not in truth and url in pages)
        wrong = random.Random(topic.id).choice(off)
        for odd in (0, 1):
            given = (*topic.examples[: GIVEN - odd], *[wrong][:odd])
            asked = msgspec.structs.replace(topic, examples=given)
            advice = learnt(asked, given, pages, crawl(web, asked, how.pages, GIVEN)).advice
            if "unlike the others" in advice:
                named[odd] += 1
                right += odd and " ".join(pages[wrong].title.split())[:80] in advice
    print(f"schools, {how.half}: {len(offline.topics)} topics, crawls of {how.pages} pages with {GIVEN} examples")
    print(f"  all on topic: an example is named {named[0]} times")
    print(f"  one is not: an example is named {named[1]} times, {right} times that one")


if __name__ == "__main__":
    main()
