"""A host's own queue and its turn."""

from __future__ import annotations

from array import array

__all__ = ["Host", "Place"]

Place = tuple[int, float, int]  # of a queued URL: its class, its priority, its number; the smallest goes first
_SLOW = 1.0  # seconds for one answer; a host that takes longer is not waited for


class Host:
    """One host's queue and its turn.

    Only the best of its queued URLs stand in `heap`. All others are behind `cut`, the best of them, and are looked at
    when the heap has come down to it: so a URL that waits costs next to nothing, and neither does ranking it anew.
    """

    __slots__ = (
        "busy", "closed", "cut", "delay", "due", "failures", "heap", "ids", "live", "name", "number", "parked", "round",
        "since", "slots", "taken", "ticket", "took", "twin",
    )  # fmt: skip

    def __init__(self, number: int, name: str, delay: float, slots: int) -> None:
        self.number = number
        self.name = name
        self.delay = delay
        self.slots = slots  # how many requests at once
        self.ids = array("i")  # of URLs that were queued; those done with are dropped now and then
        self.heap: list[Place] = []
        self.cut: Place | None = (
            None  # every queued URL that is not in the heap comes no sooner than this; None: all are
        )
        self.round = 0  # of whole re-rankings, when its heap was made
        self.live = 0  # queued URLs
        self.busy = 0
        self.due = 0.0
        self.taken = 0  # pages asked for so far
        self.since = self.took = 0.0  # when it was last asked, and how long it took over its last answer
        self.failures = 0  # in a row
        self.closed = False  # while its robots.txt is asked for
        self.parked = ""  # why we stopped going there
        self.ticket: Place | None = None  # its one valid entry among the hosts that may be asked
        self.twin: Host | None = None  # the same name at the other usual port: most often one server, with one pace

    @property
    def full(self) -> bool:
        """Whether as many requests are under way as it may get at once: one, where it must rest or is in trouble."""
        most = 1 if self.delay or self.failures else self.slots
        return self.busy + (self.twin.busy if self.twin is not None else 0) >= most

    @property
    def barred(self) -> bool:
        """Whether it may not be asked for a page, whatever the time."""
        return self.full or self.closed or bool(self.parked)

    def keeps_waiting(self, now: float, patience: float) -> bool:
        """Whether it cannot be had soon: gone, away, in trouble, or slow."""
        if self.parked or self.failures or self.delay > patience or self.due - now > patience:
            return True
        return self.took > _SLOW or (self.busy > 0 and now - self.since > _SLOW)
