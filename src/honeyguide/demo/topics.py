"""The topics one can crawl the demo web for, with the truth beside them."""

from __future__ import annotations

import json
from collections import defaultdict, deque

from honeyguide.demo.dice import Dice
from honeyguide.demo.hosts import HOSTS, SHARES
from honeyguide.demo.journal import JOURNAL, PAPERS, SUBJECT
from honeyguide.demo.web import DemoPage, DemoTopic, DemoWeb
from honeyguide.demo.words import ALL, Words

__all__ = ["demo_topic", "topic_toml", "topics"]

DEFAULT = "bees"
STARTS = ("http://news.demo.test/", "http://blog.demo.test/", "http://hub.demo.test/l/1")


def topics(seed: int, pages: dict[str, DemoPage]) -> tuple[DemoTopic, ...]:
    """Every topic, the default one first."""
    parents = _parents(pages)
    usual = tuple(_topic(Dice(seed, "topic", words.id), words, pages, parents) for words in ALL)
    return (*usual, _papers(Dice(seed, "topic", PAPERS), pages, parents))


def _papers(dice: Dice, pages: dict[str, DemoPage], parents: dict[str, list[str]]) -> DemoTopic:
    """What the journal has on one subject: papers, not the books on it."""
    words = next(words for words in ALL if words.id == SUBJECT)
    relevant = [page for page in pages.values() if page.topic == PAPERS and page.kind == "paper"]
    loud = [page.url for page in relevant if page.article and not page.article.quiet]
    quiet = [page.url for page in relevant if page.article and page.article.quiet]
    truth = frozenset(page.url for page in relevant)
    return DemoTopic(
        PAPERS,
        f"Papers on {words.name.lower()}",
        (words.language,),
        dict(words.keywords),
        tuple(dice.some(loud, 3) + dice.some(quiet, 2)),
        (HOSTS[JOURNAL].front,),
        _far(dice, pages, parents, truth, kinds=("paper", "book")),
        truth,
        kind="article",
    )


def _topic(dice: Dice, words: Words, pages: dict[str, DemoPage], parents: dict[str, list[str]]) -> DemoTopic:
    relevant = [url for url, page in pages.items() if page.topic == words.id and page.kind == "article"]
    # An example is a page people know: linked from an article, not across the water, not failing at first.
    known = [url for url in relevant if any(pages[parent].kind == "article" for parent in parents[url])]
    good = [pages[url] for url in known if not url.startswith(HOSTS["coast"].front) and not pages[url].before]
    loud = [page.url for page in good if page.article and not page.article.quiet]
    quiet = [page.url for page in good if page.article and page.article.quiet]
    starts = STARTS if words.id == DEFAULT else tuple(HOSTS[name].front for name in SHARES[words.id])
    return DemoTopic(
        words.id,
        words.name,
        (words.language,),
        dict(words.keywords),
        tuple(dice.some(loud, 3) + dice.some(quiet, 2)),
        starts,
        _far(dice, pages, parents, frozenset(relevant)),
        frozenset(relevant),
    )


def _parents(pages: dict[str, DemoPage]) -> dict[str, list[str]]:
    parents: dict[str, list[str]] = defaultdict(list)
    for url, page in pages.items():
        for link in page.links:
            parents[link].append(url)
    return parents


def _far(
    dice: Dice,
    pages: dict[str, DemoPage],
    parents: dict[str, list[str]],
    relevant: frozenset[str],
    kinds: tuple[str, ...] = ("article",),
) -> tuple[str, ...]:
    """Five articles from which the topic is far, but not out of reach."""
    distance = dict.fromkeys(sorted(relevant), 0)
    queue = deque(distance)
    while queue:
        url = queue.popleft()
        for parent in parents[url]:
            if parent not in distance:
                distance[parent] = distance[url] + 1
                queue.append(parent)
    own = {pages[url].topic for url in relevant}
    others = [url for url in distance if url in pages and distance[url] > 0 and pages[url].topic not in own]
    articles = [url for url in others if pages[url].kind in kinds]
    mixed = dice.mixed(articles)
    return tuple(sorted(mixed, key=lambda url: -min(distance[url], 3))[:5])


def demo_topic(web: DemoWeb) -> DemoTopic:
    """The topic that is crawled when the user names none."""
    return next(topic for topic in web.topics if topic.id == DEFAULT)


def topic_toml(topic: DemoTopic) -> str:
    """The topic as the TOML file a user would write; the truth is not in it."""

    def strings(values: tuple[str, ...]) -> str:
        return "[\n" + "".join(f"    {_quoted(value)},\n" for value in values) + "]"

    languages = ", ".join(map(_quoted, topic.languages))
    keywords = "".join(f"{_quoted(word)} = {weight}\n" for word, weight in topic.keywords.items())
    return (
        f'name = {_quoted(topic.name)}\nkind = "article"\nlanguages = [{languages}]\n\n[keywords]\n{keywords}\n'
        f"[pages]\nexamples = {strings(topic.examples)}\nstarts = {strings(topic.starts)}\n"
    )


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
