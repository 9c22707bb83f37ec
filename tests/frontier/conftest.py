"""What the tests of the frontier share."""

from __future__ import annotations

from honeyguide.frontier import LINK, Frontier, GraphWriter

__all__ = ["OwnFrontier", "drain"]


class OwnFrontier(Frontier):
    """A frontier with a graph of its own, to which URLs can be added one by one."""

    def __init__(self, *, delay: float = 1.0, slots: int = 1) -> None:
        self.writer = GraphWriter()
        super().__init__(self.writer.graph, delay=delay, slots=slots)

    def known(self, host: str) -> int:
        """A new URL of a host, found and not queued."""
        return self.writer.add(f"http://{host}/{len(self.graph)}", self.host(host))

    def add(self, host: str, priority: float, kind: int = LINK) -> int:
        """A new URL of a host, queued."""
        number = self.known(host)
        self.offer([number], [priority], kind=kind)
        return number


def drain(frontier: Frontier, now: float = 0.0) -> list[int]:
    """Everything in the order it is given out, if every answer comes at once."""
    order: list[int] = []
    while True:
        number = frontier.next(now)
        if number is None:
            due = frontier.next_due()
            if due is None:
                return order
            now = max(now, due)
            continue
        order.append(number)
        frontier.answered(number, now)


def filled(*urls: tuple[str, float], delay: float = 1.0, slots: int = 1) -> OwnFrontier:
    """A frontier in which these wait, by host and priority."""
    frontier = OwnFrontier(delay=delay, slots=slots)
    for number, (host, priority) in enumerate(urls):
        assert frontier.add(host, priority) == number
    return frontier
