"""The hosts of the demo web, and where each article goes."""

from __future__ import annotations

from dataclasses import dataclass

from honeyguide.demo.articles import Article, Writer
from honeyguide.demo.dice import Dice
from honeyguide.demo.words import ALL

__all__ = ["HOSTS", "QUIET_SHARE", "DemoHost", "Spot", "plan"]

QUIET_SHARE = 1 / 3


@dataclass(frozen=True, slots=True)
class DemoHost:
    """One site: its name, its face, its sections, and how its article addresses are made."""

    name: str
    title: str
    language: str = "en"
    sections: tuple[str, ...] = ()
    path: str = ""  # of an article; {n} is its number, {y} {m} {d} its date

    def url(self, path: str) -> str:
        """The full address of a path on this host."""
        return f"http://{self.name}{path}"

    @property
    def front(self) -> str:
        """The address of the front page."""
        return self.url("/")


HOSTS: dict[str, DemoHost] = {
    host.name.partition(".")[0]: host
    for host in (
        DemoHost("news.demo.test", "The Demo Gazette", "en", ("Abroad", "At home", "Leisure"), "/a/{n}.html"),
        DemoHost("science.demo.test", "Field and Lab", "en", ("Findings", "Methods"), "/p/{y}/{n}"),
        DemoHost("blog.demo.test", "Café Table Notes", "en", ("Diary", "Letters", "Longer reads"), "/{y}/{m}/{n}/"),
        DemoHost("city.demo.test", "Town Noticeboard", "en", ("Notices", "Reports"), "/item?id={n}"),
        DemoHost("slow.demo.test", "The Long Archive", "en", ("AnswerCache one",), "/doc/{n}.htm"),
        DemoHost("coast.demo.test", "Coast Notes", "en", ("Pages",), "/notes/{n}"),
        DemoHost("xinwen.demo.test", "示例新闻网", "zh", ("要闻", "生活", "观察"), "/n/{y}{m}{d}/{n}.shtml"),
        DemoHost("hub.demo.test", "Start Here"),
        DemoHost("mirror.demo.test", "Copyhouse"),
        DemoHost("old.demo.test", "Old addresses"),
        DemoHost("trap.demo.test", "What's On"),
        DemoHost("journal.demo.test", "Annals of Field Study"),
    )
}

# How many articles on each topic each host holds, and in which of its sections they mostly stand.
SHARES: dict[str, dict[str, tuple[int, int]]] = {
    "bees": {
        "news": (26, 2),
        "science": (19, 0),
        "blog": (28, 0),
        "slow": (8, 0),
        "city": (6, 1),
        "coast": (9, 0),
    },
    "volcanoes": {"news": (20, 0), "science": (28, 0)},
    "chess": {"news": (18, 2), "blog": (24, 1)},
    "bridges": {"city": (24, 1), "news": (20, 1)},
    "bread": {"blog": (24, 0), "news": (20, 2)},
    "tides": {"science": (22, 1), "news": (10, 0), "coast": (7, 0)},
    "gardens": {"blog": (16, 2), "city": (14, 0), "slow": (12, 0)},
    "council": {"city": (30, 0), "news": (20, 1)},
    "rail": {"xinwen": (42, 0)},
    "tea": {"xinwen": (38, 1)},
    "pandas": {"xinwen": (30, 2)},
}


@dataclass(frozen=True, slots=True)
class Spot:
    """An article in its place: on a host, in a section, at an address."""

    url: str
    host: DemoHost
    section: int
    article: Article


def plan(seed: int) -> list[Spot]:
    """Every article of the demo web, written and placed; in the order of publishing."""
    written: list[tuple[str, int, Article]] = []
    for words in ALL:
        writer = Writer(words)
        places = [(host, section) for host, (count, section) in SHARES[words.id].items() for _ in range(count)]
        quiet = set(Dice(seed, words.id, "quiet").some(range(len(places)), round(len(places) * QUIET_SHARE)))
        for i, (host, section) in enumerate(places):
            dice = Dice(seed, words.id, i)
            if dice.chance(0.2):  # editors do not file as neatly as that
                section = dice.number(0, len(HOSTS[host].sections) - 1)
            written.append((host, section, writer.write(dice, quiet=i in quiet)))
    written.sort(key=lambda one: (one[2].published, one[2].title))
    return [_place(seed, number, *one) for number, one in enumerate(written)]


def _place(seed: int, order: int, host: str, section: int, article: Article) -> Spot:
    # Numbers grow with time, over all topics alike: an address tells nothing about its topic.
    number = 10_400 + 7 * order + Dice(seed, "number", order).number(0, 6)
    day = article.published
    path = HOSTS[host].path.format(n=number, y=day.year, m=f"{day.month:02}", d=f"{day.day:02}")
    return Spot(HOSTS[host].url(path), HOSTS[host], section, article)
