"""The Hopfield-net spider that reads page structure (Li, Chen & Xu: pages cut into visual blocks, spread in the net of
Chau & Chen).

    R    = 0.7 R_CB + 0.3 R_LB
    R_CB = (1/m) sum over the m content blocks k of weight_k * cos(v_k, v_T)
    R_LB = mean of cos(v_LBn, v_T) and cos(v_LBr, v_T)

Content blocks are title, authors, affiliations, abstract, keywords and text; link blocks are those to the previous and
next page (LBn) and to related ones (LBr). The noise block is left out, and its links are dropped (here they stay behind
unless asked otherwise, for a start may be nothing but a menu). The rest is the net of `hopfield`, for which the whole
page is one block; so is here a page that is off the topic, unless articles are asked for: what it could excite is
little, whichever block a link is in, and to cut it takes longer than all else.
"""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

import numpy as np

from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Floats, Ints, Ranks, setting
from honeyguide.strategies.hopfield import Hopfield
from honeyguide.strategies.likeness import Look
from honeyguide.strategies.target_kinds import TargetKinds

__all__ = ["HopfieldBlocks"]

_CONTENT = ("title", "authors", "affiliations", "abstract", "keywords", "body")
_LINKS = ("navigation", "related")
_HEAVY = ("abstract", "keywords")  # what articles have and other pages lack
_AFTER = -2_000_000.0  # in layers: after all of them, and after what is not worth a visit
_ENOUGH = 400  # terms of a block that are compared with the topic


class HopfieldBlocks(Hopfield):
    """Lets activation spread from block to block: content decides what a page is worth, noise is not followed.

    The shares of 0.7 and 0.3 are the paper's; all values it does not print are those of `hopfield`. By default the
    judge's word stands for R_CB, as it does there for the page (`judged=false` as printed), and links in noise stay
    behind (`drop=true` as printed): both measured better.
    """

    name: ClassVar[str] = "hopfield-blocks"
    structure: ClassVar[bool] = True
    keeps: ClassVar[tuple[str, ...]] = ("_likeness", "_net", "_usual", "_kinds")
    content: float = setting(0.7, "Share of the content blocks in a page's relevance; the rest is that of its links.")
    heavy: float = setting(2.0, "What an abstract and keywords weigh beside a title, a text and the like.")
    drop: bool = setting(False, "Whether links in noise are dropped; else they stay, with nothing to excite them.")
    kinds: float = setting(
        1.0,
        "Where the topic asks for articles: how much the predicted kind of a link's target counts; 0 for not at all.",
    )

    def start(self, brief: Brief, seed: int) -> None:
        """As `hopfield`, and nothing known of where links lead."""
        super().start(brief, seed)
        self._kinds = TargetKinds(brief.graph)
        self._choosy = brief.topic.kind == "article" and self.kinds > 0

    def worth_cutting(self, page: Digest) -> bool:
        """Whether it is on topic."""
        return page.on_topic

    def page(self, page: Digest) -> Ranks:
        """As `hopfield`; what the page turned out to be is learnt first."""
        if self._choosy:
            self._kinds.learn(page)
            self._kinds.found(page)
        ranks = super().page(page)
        return self._with_noise(page, ranks) if page.parts and not self.drop else ranks

    def _with_noise(self, page: Digest, ranks: Ranks) -> Ranks:
        """The links in noise as URLs that nothing excites, but for those some content has led to."""
        # With sets: of so few numbers numpy takes five times as long to find the difference.
        others = sorted(set(page.targets.tolist()).difference(ranks.ids.tolist()))
        noise = self._graph.waiting(np.array(others, dtype=np.int64))
        noise = noise[self._net.parents.raw[noise] == 0]
        still = np.full(len(noise), _AFTER) if self.layered else self._net.activation(noise) + self._by_kind(noise)
        return Ranks(np.append(ranks.ids, noise), np.append(ranks.priorities, still))

    def _relevance(self, page: Digest, look: Look) -> float:
        if not page.parts:  # a feed, or a page without a word
            return super()._relevance(page, look)
        # With the judge's word for the content only the few blocks of links need be read.
        roles = _LINKS if self.judged else _CONTENT + _LINKS
        asked = [place for place, block in enumerate(page.blocks) if page.parts[block.part].role in roles]
        page.read(asked)
        by_role: dict[str, list[str]] = {}
        for place in asked:
            block = page.blocks[place]
            kept = by_role.setdefault(page.parts[block.part].role, [])
            if len(kept) < _ENOUGH:
                kept += block.terms[:_ENOUGH]
        content = page.relevance if self.judged else self._mean(by_role, _CONTENT, look)
        links = self._mean(by_role, _LINKS, look)
        if content is None or links is None:  # a page without links, or of nothing else, is what the other half is
            return content or links or 0.0
        return self.content * content + (1 - self.content) * links

    def _mean(self, by_role: dict[str, list[str]], roles: tuple[str, ...], look: Look) -> float | None:
        """The weighted mean of what the blocks of some roles have of the topic; None if there are none."""
        total = weights = 0.0
        for role in roles:
            if terms := by_role.get(role):
                weight = self.heavy if role in _HEAVY else 1.0
                total += weight * look.page(Counter(terms), self._likeness.k, self._likeness.k)[0]
                weights += weight
        return total / weights if weights else None

    def _reach(self, page: Digest, relevance: float) -> int:
        # Of a page that was not worth cutting the anchors alone count. Words around them would not end with a block,
        # and its links would seem to say more than those of better pages.
        return super()._reach(page, relevance) if page.parts else 0

    def _targets(self, page: Digest) -> Ints:
        if not page.parts:
            return page.targets
        # As `page.role` has it, found once for each block.
        noise = {place for place, block in enumerate(page.blocks) if page.parts[block.part].role == "noise"}
        kept = dict.fromkeys([link.id for link in page.links if link.id != page.id and link.block not in noise])
        return np.array(list(kept), dtype=np.int64)

    def _priority(self, numbers: Ints) -> Floats:
        return super()._priority(numbers) + self._by_kind(numbers)

    def _by_kind(self, numbers: Ints) -> Floats:
        """What is taken from URLs that may be no articles; added, since a factor would favour what is below nothing."""
        if not self._choosy or not len(numbers):
            return np.zeros(len(numbers))
        return self.kinds * (self._kinds.chance(numbers) - 1.0)

    def reason(self, number: int) -> str:
        """As `hopfield`, and what it is taken for."""
        if not self._net.parents.raw[number]:
            return "found only among advertising and furniture, which excites nothing"
        about = super().reason(number)
        if not self._choosy:
            return about
        chance = float(self._kinds.chance(np.array([number]))[0])
        return f"{about}; an article with a chance of {chance:.2f}"
