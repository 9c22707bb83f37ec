"""Is an example that does not belong named?  python benchmarks/odd_example.py SHARED [--half report]

Real crawls of the schools web are made with five examples, and judged again by judges that were given three to five, of
which one may be a page met that is off the topic (by the truth, which is used for nothing else). Counted is how often
the advice names an example, and how often the right one.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from judge import LEARNT_AT, read
from kept import HALVES, crawl, topic_of

from honeyguide.bench.offline import load
from honeyguide.topic import Judge

SETS = ((5, 0), (4, 0), (3, 0), (4, 1), (3, 1), (2, 1))  # examples on the topic, and off it
DRAWS = 3


def main() -> None:
    """Crawl, teach, count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--half", choices=("choose", "report"), default="report")
    how = parser.parse_args()
    web = how.shared / "webs" / "schools"
    offline = load(web, only=HALVES["schools"][how.half])
    examples, _ = read(offline.archive, {url for topic in offline.topics for url in topic.examples}, 0)
    taught, named, right = (dict.fromkeys(SETS, 0) for _ in range(3))
    for topic in offline.topics:
        met = crawl(web, topic, 300, 5)
        size = max((size for size in LEARNT_AT if size <= len(met)), default=0)
        off = [page.shown for page in met if page.url not in offline.truths[topic.id] and page.shown.title]
        five = [examples[url] for url in topic.examples if url in examples]
        draw = random.Random(topic.id)
        for good, bad in SETS:
            for _ in range(DRAWS):
                wrong = draw.sample(off, bad)
                judge = Judge(topic_of(topic, topic.examples))
                judge.learn([*draw.sample(five, good), *wrong], [page.shown for page in met[:size]])
                taught[good, bad] += 1
                if "unlike the others" in judge.advice:
                    named[good, bad] += 1
                    right[good, bad] += any(" ".join(page.title.split())[:80] in judge.advice for page in wrong)
    print(f"schools, {how.half}: {len(offline.topics)} topics, {DRAWS} draws of examples each")
    for good, bad in SETS:
        kind = good, bad
        line = f"  {good} on topic, {bad} off: {taught[kind]} judges, {named[kind]} named an example"
        print(line + (f", {right[kind]} the right one" if bad else ""))


if __name__ == "__main__":
    main()
