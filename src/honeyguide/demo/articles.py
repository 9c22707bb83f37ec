"""Writing articles out of the hand-written material of a topic."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice

from honeyguide.demo.dice import Dice
from honeyguide.demo.words import Words, common

__all__ = ["Article", "Day", "Writer", "day_from"]

_SLOT = re.compile(r"\{([^{}]+)\}")
_RANGE = re.compile(r"(\d+)-(\d+)")


@dataclass(frozen=True, slots=True, order=True)
class Day:
    """A moment of publishing, to the minute; fixed, for the demo web knows no clock."""

    year: int
    month: int
    day: int
    hour: int = 9
    minute: int = 0

    @property
    def iso(self) -> str:
        """As machines write it.

        >>> Day(2024, 3, 12, 8, 30).iso
        '2024-03-12T08:30:00+00:00'
        """
        return f"{self.year}-{self.month:02}-{self.day:02}T{self.hour:02}:{self.minute:02}:00+00:00"

    @property
    def date(self) -> str:
        """The day alone, `2024-03-12`."""
        return self.iso[:10]


def day_from(dice: Dice) -> Day:
    """Some moment in the three years the demo web looks back on."""
    return Day(dice.number(2022, 2024), dice.number(1, 12), dice.number(1, 28), dice.number(6, 21), dice.number(0, 59))


@dataclass(frozen=True, slots=True)
class Article:
    """One article as its author wrote it, before any page shows it; what a perfect record would hold."""

    topic: str
    language: str
    angle: int
    title: str
    published: Day
    authors: tuple[str, ...]
    source: str
    paragraphs: tuple[str, ...]
    quiet: bool = field(compare=False)  # whether it avoids every keyword of its topic

    @property
    def text(self) -> str:
        """The paragraphs as one text."""
        return "\n\n".join(self.paragraphs)


class Writer:
    """Writes articles on one topic, never the same headline twice."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self._marks = re.compile(words.marks, re.IGNORECASE)
        self._slots = _slots(common.SHARED[words.language]) | _slots(words.slots)
        self._angles = [_angle(block) for block in words.angles.strip().split("\n\n")]
        self._frames = common.FRAMES[words.language].strip().split("\n")
        self._titles: set[str] = set()

    def loud(self, text: str) -> bool:
        """Whether a keyword of the topic occurs in the text, in any form."""
        return self._marks.search(text) is not None

    def write(self, dice: Dice, *, quiet: bool) -> Article:
        """One article; a quiet one avoids every keyword, any other has one in its first paragraph."""
        bound = self._bind(dice)
        angle = dice.number(0, len(self._angles) - 1)
        title = self._title(dice, angle, bound, quiet)
        paragraphs = self._body(dice, angle, bound, quiet)
        authors = tuple(dict.fromkeys(self._name(dice)[0] for _ in range(2 if dice.chance(0.15) else 1)))
        source = dice.pick(common.SOURCES[self.words.language])
        language = self.words.language
        return Article(self.words.id, language, angle, title, day_from(dice), authors, source, tuple(paragraphs), quiet)

    def _name(self, dice: Dice) -> tuple[str, str]:
        if self.words.language == "zh":
            name = dice.pick(common.HAN_SURNAMES) + dice.pick(common.HAN_GIVEN)
            return name, name
        last = dice.pick(common.LAST)
        return f"{dice.pick(common.FIRST)} {last}", last

    def _bind(self, dice: Dice) -> dict[str, str]:
        bound = {name: dice.pick(choices) for name, choices in self._slots.items() if name[0].isupper()}
        bound["Person"], bound["Surname"] = self._name(dice)
        bound["Other"], bound["Othername"] = self._name(dice)
        return bound

    def _fill(self, dice: Dice, template: str, bound: dict[str, str]) -> str:
        def choose(found: re.Match[str]) -> str:
            name = found.group(1)
            if span := _RANGE.fullmatch(name):
                return str(dice.number(int(span.group(1)), int(span.group(2))))
            return bound[name] if name in bound else dice.pick(self._slots[name])

        text = _SLOT.sub(choose, template)
        return text[0].upper() + text[1:]

    def _title(self, dice: Dice, angle: int, bound: dict[str, str], quiet: bool) -> str:
        title = ""
        for _ in range(60):
            title = self._fill(dice, dice.pick(self._angles[angle][0]), bound)
            if title not in self._titles and not (quiet and self.loud(title)):
                break
            bound |= self._bind(dice)
        self._titles.add(title)
        return title

    def _body(self, dice: Dice, angle: int, bound: dict[str, str], quiet: bool) -> list[str]:
        """The headline's angle leads, others follow: so two articles seldom share many sentences."""
        own = dice.mixed(self._angles[angle][1])
        if not quiet:
            own.sort(key=lambda line: not self.loud(line))
            own = own[:1] + dice.mixed(own[1:])
        wanted = dice.number(13, 24)
        others = dice.some([lines for i, (_, lines) in enumerate(self._angles) if i != angle], 3)
        each = 2 + (wanted - 10) // len(others)
        filled: list[str] = []
        for lines, most in [(own, 8), (dice.mixed(self._frames), 2), *((dice.mixed(o), each) for o in others)]:
            written = (self._fill(dice, line, bound) for line in lines)
            filled += list(islice((line for line in written if not (quiet and self.loud(line))), most))
        return _paragraphs(dice, filled[:wanted], "" if self.words.language == "zh" else " ")


def _paragraphs(dice: Dice, sentences: list[str], glue: str) -> list[str]:
    paragraphs = []
    while sentences:
        size = dice.number(2, 4)
        paragraphs.append(glue.join(sentences[:size]))
        sentences = sentences[size:]
    return paragraphs


def _slots(text: str) -> dict[str, list[str]]:
    pairs = (line.split(": ", 1) for line in text.strip().split("\n"))
    return {name: choices.split(" | ") for name, choices in pairs}


def _angle(block: str) -> tuple[list[str], list[str]]:
    head, *lines = block.split("\n")
    return head.removeprefix("= ").split(" | "), lines
