"""A strategy that follows no link; not one to choose, so it is not among the others, and found by its file."""

from __future__ import annotations

from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Pairs, Strategy
from honeyguide.topic import Judge, Topic

__all__ = ["Unfollowing"]


class Unfollowing(Strategy):
    """Visits what it is given, and nothing else."""

    def judge(self, topic: Topic) -> Judge:
        """The crawl's own, but that it does not learn from where the crawl begins: that is what it is to judge."""
        return Judge(topic, heed_starts=False)

    def page(self, page: Digest) -> Pairs:  # noqa: ARG002
        """A link that is left out is not queued."""
        return ()
