"""SemRank: concept lattices and click logs choose the next page (Du & Hai, J. Systems and Software 2013; Du & Li, the
earlier conference version).

The crawl goes in iterations of a batch of pages. Those pages, with their keywords, are the current context; the base is
a context of pages met before, at first the examples. A page is worth its SemRank: the best that any concept it belongs
to reaches with a concept of the base, by links and clicks between their pages, and by how alike their words are
(`lattice.ranks` has the formulas, `lexicon` the words). Links of pages over a threshold run, the others wait.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from honeyguide.errors import SettingError
from honeyguide.graph import Column
from honeyguide.lattice import Context, Meeting, Rank, Weighing, bits, semrank
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Floats, Ints, Ranks, Strategy, setting
from honeyguide.strategies.given import Given
from honeyguide.strategies.lexicon import Lexicon
from honeyguide.strategies.likeness import Likeness
from honeyguide.strategies.semrank_turn import Member, Turn, spread
from honeyguide.strategies.texts import link_words, within
from honeyguide.text.terms import terms
from honeyguide.web.urls import key_of

__all__ = ["SemRank"]

_PRIOR = (
    50.0  # pages that rarity is reckoned with before any are met: else what the first ones share would count as common
)
_NOBODY = -1  # the number of an example that is text alone, and of what stands for the topic's own words
_UNMET = -1.0  # the rank of a page that was not shown
_TOLD = 10_000  # pages of which it is remembered by which words they were ranked
_DOUBT = 0.7  # parents worth nothing that are counted into each mean: one good parent alone is no proof
_NAMED = 18  # words of a link, and around it, that count
_STRANGE = 0.5  # on so many pages of the base a word counts as standing that stands on none
_TIE = 1e-3  # what a link says of itself, where it only decides between links of equal rank
_MOST = 200  # concepts of a context that are looked at: pages of one wording have more than there is time for
_BASES = ("judged", "surest", "passed", "last")


class SemRank(Strategy):
    """Follows links of pages that share concepts with the topic's, words related by what people searched for.

    The paper has w = 0.4, alpha = 0.2 and a threshold of 0.45. As printed (`base=last parents=best anchor=0 ahead=0
    larger=false worth=false least=0 w=0.4 keywords=10 gamma=0.45 beside=false parts=true apart=false`) it drifts:
    whatever one iteration has met is what the next is compared with, a page linked from everywhere has one good parent
    for sure, and one word that two concepts share makes them alike. What is the default measured better on topics of
    the schools web: the base is the examples and the surest pages on topic, and what is on topic is of it at once; a
    link has the mean of its pages; words are worth what they tell, and few of them are little; the SemRank of the URL
    itself counts, by its names, the words around and who of the base links to it, and so does what the link says of
    the topic. Of a log, words count as alike that people submitted in different queries, and no others.
    """

    name: ClassVar[str] = "semrank"
    version: ClassVar[int] = 2
    best: ClassVar[bool] = False
    revise_every: ClassVar[int] = 10
    keeps: ClassVar[tuple[str, ...]] = (
        "_likeness", "lexicon", "_given", "_rank", "_alone", "_sum", "_count", "_said", "_own", "turn",
    )  # fmt: skip
    gamma: float = setting(0.0, "The rank from which links run; the others wait until none of these is left.")
    w: float = setting(0.2, "Share of links and clicks in the likeness of concepts; below 0 for ext / (ext + int).")
    alpha: float = setting(0.2, "Keeps the weight of the first edge of the hierarchy of words below one.")
    larger: bool = setting(True, "Whether pairs of words are divided by the larger set's size, not by their number.")
    worth: bool = setting(True, "Whether a word counts by how rare it is, and by how many pages of the base have it.")
    least: float = setting(3.0, "Sets of words that are worth less than so many whole ones count as of that size.")
    keywords: int = setting(30, "How many words of a page count.")
    shared: int = setting(1, "On how many pages of a context a word must stand to count.")
    support: int = setting(2, "How often a relation of words must have been seen to count.")
    batch: int = setting(20, "Pages of one iteration, and pages on topic in the base.")
    base: str = setting(
        "judged",
        "What pages are compared with: judged (the examples and the surest pages on topic, and a page on topic is of "
        "it at once), surest (the same, from the next iteration on), passed (pages of the last iteration over the "
        "threshold), or last (all of them, as printed).",
    )
    parents: str = setting("mean", "What rank a link has of its pages: the mean, or the best (as printed).")
    anchor: float = setting(0.4, "Share of what a link says of the topic; at 0 that decides between equal ranks.")
    ahead: float = setting(0.4, "Share of the SemRank of the URL itself, by its words and by who links to it.")
    reach: int = setting(6, "How many words on either side of a link are among its own.")
    beside: bool = setting(True, "Whether words that no log relates are compared by the pages that share them.")
    parts: bool = setting(False, "Whether words of the log are compared by what they are part of (as printed).")
    apart: bool = setting(True, "Whether words of the log are alike only where they were submitted in other queries.")
    steps: bool = setting(True, "Whether steps that people took from page to page count like links.")
    log: bool = setting(True, "Whether the click log of the topic is used.")

    def check(self) -> None:
        """Each setting lies within its bounds."""
        within(self, gamma=(0, 1), w=(-1, 1), alpha=(0, 1), anchor=(0, 1), ahead=(0, 1))
        within(
            self, least=(0, 100), reach=(0, 100), keywords=(1, 100), shared=(1, 100), support=(1, 1_000), batch=(1, 500)
        )
        for name, known in (("base", _BASES), ("parents", ("mean", "best"))):
            if self.settings[name] not in known:
                raise SettingError(
                    f"setting '{name}' of strategy '{self.name}' must be one of {', '.join(known)}, "
                    f"not '{self.settings[name]}'"
                )
        if self.anchor + self.ahead > 1:
            raise SettingError(
                f"settings 'anchor' and 'ahead' of strategy '{self.name}' must not be more than 1 together"
            )

    def start(self, brief: Brief, seed: int) -> None:
        """The examples are the first base; without any, the topic's own words are."""
        self.graph = brief.graph
        self._log = brief.clicks if self.log else None
        self.lexicon = Lexicon(
            brief.graph, self._log, self.support, beside=self.beside, parts=self.parts, apart=self.apart
        )
        self._likeness = Likeness(brief)
        self._given = Given(brief.graph)
        self._rank: Column[np.float32] = brief.graph.column(np.float32)  # what pages count for, and the SemRank
        self._alone: Column[np.float32] = brief.graph.column(np.float32, _UNMET)  # they have while not of the base
        self._sum: Column[np.float64] = brief.graph.column(np.float64)
        self._count: Column[np.int32] = brief.graph.column(np.int32)
        self._said: Column[np.float32] = brief.graph.column(np.float32)
        self._own: Column[np.float32] = brief.graph.column(np.float32)
        languages = brief.topic.languages or ("en", "zh")
        told = [term for word in brief.topic.keywords for language in languages for term in terms(word, language)]
        self.submitted = list(dict.fromkeys(told))
        self._examples = list(brief.examples)
        self._weighing = Weighing(self.w if self.w >= 0 else None, self.larger, self.least)
        self.turn = Turn()
        self._forget_base()

    def load(self, state: bytes) -> None:
        """Go on from a saved state."""
        super().load(state)
        self._forget_base()

    # -- contexts -------------------------------------------------------------------------------------------

    def _forget_base(self) -> None:
        """The base has changed: what was made of it is made anew when it is asked for."""
        self._known_base: Context | None = None
        self._base_spread = spread(self.turn.base)
        self._tie_rows: list[Floats] = []

    @property
    def _base(self) -> Context:
        if self._known_base is None:
            self._known_base = self._context(self.turn.base)
        return self._known_base

    def _keywords(self, page: Digest) -> list[str]:
        """The words that tell a page from others: how often there, and how rare elsewhere."""
        pages, often = self._likeness.pages + _PRIOR, self._likeness.frequency
        weights = {
            term: count * math.log(pages / (often[term] + 1.0))
            for term, count in page.terms.items()
            if len(term) > 1 and not term.isdigit()
        }
        return sorted(weights, key=lambda term: (-weights[term], term))[: self.keywords]

    def _member(self, page: Digest) -> Member:
        return Member(page.id, page.url, self._keywords(page), [key_of(link.url) for link in page.links])

    def _first_base(self) -> list[Member]:
        return [self._member(example) for example in self._examples] or [Member(_NOBODY, "", self.submitted)]

    def _context(self, members: list[Member], only: list[str] | None = None) -> Context:
        kept = {word for word, count in spread(members).items() if count >= self.shared}
        if only is not None:
            kept &= set(only)
        having = {str(place): [word for word in member.words if word in kept] for place, member in enumerate(members)}
        return Context.of(having)

    def _meeting(self, members: list[Member], only: Member | None = None) -> Meeting:
        """Pages with the base. Concepts that hold one page have no words but its own: for it alone, these will do."""
        current = self._context(members, None if only is None else only.words)
        for member in members[len(self._tie_rows) :]:
            self._tie_rows.append(self._ties(member))
        ties = np.stack(self._tie_rows[: len(members)])
        return Meeting(current, self._base, self._alike(current), ties, self._worths(current))

    def _worths(self, current: Context) -> tuple[Floats, Floats] | None:
        """What the words of a context, and those of the base, tell."""
        if not self.worth:
            return None
        often = dict(self._base_spread)
        top = max(often.values(), default=1)
        often.update(dict.fromkeys(self.submitted, top))
        pages, met = math.log(self._likeness.pages + _PRIOR), self._likeness.frequency

        def told(words: Sequence[str]) -> Floats:
            rare = np.log(np.array([met[word] for word in words]) + 1.0)
            share = np.array([often.get(word, _STRANGE) for word in words]) / top
            return np.maximum(0.0, 1.0 - rare / pages) * np.sqrt(share)

        return told(current.attributes), told(self._base.attributes)

    def _alike(self, current: Context, *, deep: bool = True) -> Floats:
        return self.lexicon.alike(current.attributes, self._base.attributes, self.submitted, self.alpha, deep=deep)

    def _ties(self, member: Member) -> Floats:
        """Links and clicks between a page and those of the base, both ways."""
        log, key, onward = self._log if self.steps else None, key_of(member.url), set(member.onward)
        clicked = log.onward(member.url) if log is not None else frozenset()
        row = np.zeros(len(self.turn.base))
        for place, other in enumerate(self.turn.base):
            theirs = key_of(other.url)
            row[place] = (theirs in onward) + (theirs in clicked) + (key in other.onward)
            if log is not None:
                row[place] += key in log.onward(other.url)
        return row

    # -- ranking --------------------------------------------------------------------------------------------

    def page(self, page: Digest) -> Ranks:
        """Rank the page by what the iteration knows so far, and its links by the page."""
        self._likeness.learn(page)
        turn, targets = self.turn, page.targets
        if not turn.base:
            turn.base = self._first_base()
            self._forget_base()
        member = self._member(page)
        self.lexicon.learn(page, member.words)
        turn.batch.append(member)
        place = len(turn.batch) - 1
        meeting = self._meeting(turn.batch, member)
        rank = semrank(meeting, self._weighing, _MOST, 1 << place)[place]
        self._note(member, rank, meeting)
        value = self._rank.raw[page.id] = self._counted(page.id, rank.value)
        # Most that say anything share a word with the topic, a hundredth by the cosine: the root lets that count.
        said = np.sqrt(link_words(self._likeness.look(), page, around=0.4, reach=self.reach))
        self._said.raw[targets] = np.maximum(self._said.raw[targets], said)
        if self.ahead and len(targets):
            self._own.raw[targets] += self._ahead(page)
        self._sum.raw[targets] += value
        self._count.raw[targets] += 1
        self._given.give(page.id, targets, np.full(len(targets), value), said)
        if len(turn.batch) >= self.batch:
            self._turn()
        return Ranks(targets, self._priority(targets))

    def _counted(self, page: int, alone: float) -> float:
        """What a page counts for: one on topic is of the base, and like nothing as much as itself."""
        self._alone.raw[page] = alone
        return 1.0 if self.base == "judged" and self.graph.on_topic[page] else alone

    def _note(self, member: Member, rank: Rank, meeting: Meeting) -> None:
        told = self.turn.told
        if rank.mine is not None:
            names = [meeting.current.attributes[place] for place in bits(rank.mine.intent)]
            told[member.page] = (rank.ext, rank.int, " ".join(names[:4]))
            if len(told) > _TOLD:
                del told[next(iter(told))]

    def _ahead(self, page: Digest) -> Floats:
        """The SemRank of the URLs a page links to, by what they are called, what stands around, and who links to them.

        Most words of links are like none of the base: they, and links that have no others, are passed over.
        """
        known = self.lexicon.kin(self._base.attributes)
        links = [link for link in page.links if link.id in page.place]
        words: dict[int, dict[str, None]] = {}
        for link, name, shown in zip(links, page.named(links), page.shown(links), strict=True):
            around = page.around(link, self.reach) if self.reach else ()
            if own := [word for word in (*name, *shown, *around) if word in known]:
                words.setdefault(page.place[link.id], {}).update(dict.fromkeys(own))
        ties = self._ties_ahead({key_of(link.url): page.place[link.id] for link in links}, len(page.targets))
        places = sorted(words.keys() | set(np.flatnonzero(ties.any(axis=1)).tolist()))
        current = Context.of({str(place): list(words.get(place, ()))[:_NAMED] for place in places})
        alike = self._alike(current, deep=False)
        meeting = Meeting(current, self._base, alike, ties[places], self._worths(current))
        found = np.zeros(len(page.targets))
        found[places] = [rank.value for rank in semrank(meeting, self._weighing, _MOST)]
        return found

    def _ties_ahead(self, places: dict[int, int], count: int) -> Floats:
        """Links and clicks from pages of the base to URLs, by their keys."""
        ties = np.zeros((count, len(self.turn.base)))
        for column, member in enumerate(self.turn.base):
            ties[[places[key] for key in places.keys() & member.onward], column] += 1.0
            if self._log is not None and self.steps:
                ties[[places[key] for key in places.keys() & self._log.onward(member.url)], column] += 1.0
        return ties

    def _parents(self, numbers: Ints) -> Floats:
        """The rank of URLs by the pages that link to them."""
        if self.parents == "best":
            return self._given.value(numbers)
        mean: Floats = self._sum.raw[numbers] / (self._count.raw[numbers] + _DOUBT)
        return mean

    def _owned(self, numbers: Ints) -> Floats:
        """The SemRank of URLs themselves: the mean over the pages that link to them, of what is said there."""
        mean: Floats = self._own.raw[numbers] / (self._count.raw[numbers] + _DOUBT)
        return mean

    def _priority(self, numbers: Ints) -> Floats:
        rank = self._parents(numbers)
        priority = rank * (1.0 - self.anchor - self.ahead) + self._owned(numbers) * self.ahead
        priority += self._said.raw[numbers] * (self.anchor or _TIE)
        return np.where(rank < self.gamma, priority - 1.0, priority)

    # -- iterations -----------------------------------------------------------------------------------------

    def ranked(self, members: list[Member]) -> tuple[Meeting, list[Rank]]:
        """The pages of an iteration, ranked together against the base."""
        meeting = self._meeting(members)
        return meeting, semrank(meeting, self._weighing, _MOST)

    def _turn(self) -> None:
        """An iteration is over: its pages are ranked together, and the base of the next is chosen."""
        turn = self.turn
        for member, rank in zip(turn.batch, self.ranked(turn.batch)[1], strict=True):
            if rank.value > self._alone.raw[member.page] + 1e-6:  # pages that came after it share concepts with it
                self._recount(member.page, rank.value)
        turn.base = self._next_base(turn.batch)
        turn.batch = []
        turn.turns += 1
        self._forget_base()

    def _recount(self, page: int, alone: float) -> None:
        """A page counts for more or less than it did, and so do its links."""
        before = float(self._rank.raw[page])
        value = self._counted(page, alone)
        if value != before:
            self._rank.raw[page] = value
            targets = self.graph.out(page)[0].astype(np.int64)
            self._sum.raw[targets] += value - before
            self._given.give(page, targets, np.full(len(targets), value))
            self.turn.fresh.append(page)

    def turned(self, numbers: Ints) -> None:
        """What has turned out to be on topic is of the base, and what has not is not."""
        for page in numbers.tolist():
            if self._alone.raw[page] != _UNMET:
                self._recount(page, float(self._alone.raw[page]))

    def _next_base(self, batch: list[Member]) -> list[Member]:
        if self.base == "last":
            return batch
        if self.base == "passed":
            return [member for member in batch if self._rank.raw[member.page] >= self.gamma] or self.turn.base
        on_topic = {one.page: one for one in (*self.turn.good, *batch) if self.graph.on_topic[one.page]}
        surest = sorted(on_topic.values(), key=lambda one: (-float(self.graph.relevance[one.page]), one.page))
        self.turn.good = surest[: self.batch]
        examples = self._first_base()
        known = {example.url for example in examples}
        return [*examples, *(one for one in self.turn.good if one.url not in known)]

    def revise(self) -> Ranks:
        """Pages that the end of an iteration has ranked anew change what their links are worth."""
        found = [self.graph.out(page)[0] for page in self.turn.fresh]
        self.turn.fresh = []
        numbers = np.unique(np.concatenate(found)).astype(np.int64) if found else np.zeros(0, np.int64)
        numbers = self.graph.waiting(numbers)
        return Ranks(numbers, self._priority(numbers))

    def reason(self, number: int) -> str:
        """The rank of the page it was found on, and by what; what the link says, and who else links to it."""
        page = self._given.from_page(number)
        if page < 0:
            return "no page that was ranked links to it"
        told = self.turn.told.get(page)
        why = ""
        if told is not None:
            by = "links and clicks" if self._log is not None else "links, for there is no click log,"
            why = f" ({by} {told[0]:.2f}, words {told[1]:.2f}: {told[2] or 'none'})"
        alone = float(self._alone.raw[page])
        counted = ", on topic and so of the base" if self._rank.raw[page] > alone else ""
        parts = [f"found on a page of SemRank {alone:.2f}{why}{counted}"]
        if self.parents == "mean" and self._count.raw[number] > 1:
            mean = float(self._parents(np.array([number]))[0])
            parts.append(f"mean of {int(self._count.raw[number])} pages {mean:.2f}")
        if self.ahead:
            parts.append(f"its own SemRank {float(self._owned(np.array([number]))[0]):.2f}")
        if float(self._parents(np.array([number]))[0]) < self.gamma:
            parts.append(f"it waits, under the threshold of {self.gamma:g}")
        return "; ".join(parts) + self._given.words(number)
