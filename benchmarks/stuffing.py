"""Pages stuffed with words of a topic that they are not about: the ways that benchmarks/judge.py tries."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from html import escape

from honeyguide.bench.offline import RaceTopic
from honeyguide.page import Parser
from honeyguide.text.terms import words as words_of

__all__ = ["WAYS", "Stuffer"]

_WORDS = re.compile(r"[^\W\d_]{3,}")
_STOP_WORDS = "and the of in a for with on to our is by this from at all".split()
_HAN = re.compile(r"[\u4e00-\u9fff]")
# Before words that stand between spaces, as in a paragraph; or between two signs of Chinese.
_BETWEEN = re.compile(r" (?=[a-z]{3,} [a-z]{2,} )|(?<=[\u4e00-\u9fff])(?=[\u4e00-\u9fff])")


class Stuffer:
    """Knows what whoever has seen a topic's examples would stuff a page with."""

    def __init__(self, topic: RaceTopic, bodies: dict[str, bytes], met: Sequence[str]) -> None:
        self._parser = Parser()
        self._bodies = bodies
        self.draw = random.Random(1)
        own = Counter(word for url in topic.examples for word in self._said(url))
        others = Counter(word for url in met[:60] for word in set(self._said(url)))
        best = sorted((word for word in own if own[word] > 1), key=lambda word: -own[word] / (1 + others[word]))
        self.words = (list(topic.keywords) * 3 + best[:30] * 2)[:60]
        links = (
            link.url for url in topic.examples if url in bodies for link in self._parser.html(bodies[url], url).links
        )
        self.links = "".join(f'<a href="{escape(url)}">.</a>' for url in dict.fromkeys(links))
        self.sentences = self._parser.text(bodies[topic.examples[0]]).split() if topic.examples[0] in bodies else []

    def _said(self, url: str) -> list[str]:
        text = self._parser.text(self._bodies[url]).lower() if url in self._bodies else ""
        if not _HAN.search(text):
            return _WORDS.findall(text)
        return [word for word in words_of(text) if len(word) > 1 and not word.isdigit()]

    def some(self, count: int) -> str:
        """So many of the most telling words, over and over."""
        return " ".join((self.words * (count // len(self.words) + 1))[:count])

    def among(self, count: int) -> str:
        """So many of them, a stop word before each."""
        dice = random.Random(2)
        return " ".join(f"{dice.choice(_STOP_WORDS)} {word}" for word in self.some(count).split())

    def snatches(self, count: int, words: int) -> str:
        """So many snatches of so many words each of an example."""
        dice = random.Random(3)
        starts = dice.choices(range(max(1, len(self.sentences) - words)), k=count)
        return " ".join(" ".join(self.sentences[start : start + words]) for start in starts)

    def stuff(self, body: bytes, way: str) -> bytes:
        """A page with words put into it."""
        return WAYS[way](self, body.decode("utf-8", "replace")).encode()


def _in_front(text: str, words: str) -> str:
    return re.sub(r"(<body[^>]*>|$)", lambda found: f"{found[0]}<p>{words}.</p>", text, count=1)


def _appended(text: str, words: str) -> str:
    return re.sub(r"(</body>|$)", lambda found: f"<p>{words}.</p>{found[0]}", text, count=1)


def _within(text: str, words: str) -> str:
    """As a paragraph after one in the first half of a page."""
    place = text.find("</p>", len(text) // 4) + len("</p>")
    return f"{text[:place]}<p>{words}.</p>{text[place:]}" if place >= len("</p>") else _in_front(text, words)


def _sprinkled(stuffer: Stuffer, text: str) -> str:
    places = [found.start() for found in _BETWEEN.finditer(text)]
    chosen = stuffer.draw.sample(places, min(len(stuffer.words), len(places)))
    for place, word in sorted(zip(chosen, stuffer.words, strict=False), reverse=True):
        text = f"{text[:place]} {word}{text[place:]}"
    return text


def _title(text: str, words: str) -> str:
    return re.sub(r"<title>", lambda found: f"{found[0]}{words} ", text, count=1)


def _description(text: str, words: str) -> str:
    said = f'<meta name="description" content="{words}">'
    return re.sub(r"(<head[^>]*>|^)", lambda found: found[0] + said, text, count=1)


WAYS: dict[str, Callable[[Stuffer, str], str]] = {
    "appended": lambda stuffer, text: _appended(text, stuffer.some(60)),
    "sprinkled": _sprinkled,
    "in front": lambda stuffer, text: _in_front(text, stuffer.some(60)),
    "20 in front": lambda stuffer, text: _in_front(text, stuffer.some(20)),
    "120 in front": lambda stuffer, text: _in_front(text, stuffer.some(120)),
    "200 in front": lambda stuffer, text: _in_front(text, stuffer.some(200)),
    "60 within": lambda stuffer, text: _within(text, stuffer.some(60)),
    "60 among stop words in front": lambda stuffer, text: _in_front(text, stuffer.among(60)),
    "sprinkled and 20 in the title": lambda stuffer, text: _title(_sprinkled(stuffer, text), stuffer.some(20)),
    "10 snatches of an example": lambda stuffer, text: _in_front(text, stuffer.snatches(10, 8)),
    "80 of an example in front": lambda stuffer, text: _in_front(text, " ".join(stuffer.sentences[:80])),
    "160 of an example in front": lambda stuffer, text: _in_front(text, " ".join(stuffer.sentences[:160])),
    "all links of the examples": lambda stuffer, text: _appended(text, stuffer.links),
    "60 in front and the links": lambda stuffer, text: _in_front(_appended(text, stuffer.links), stuffer.some(60)),
    "25 in the title": lambda stuffer, text: _title(text, stuffer.some(25)),
    "140 in the description": lambda stuffer, text: _description(text, stuffer.some(140)),
}
