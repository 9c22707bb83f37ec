"""The known, unvisited URLs in the order of the strategy, with each host's turn."""

from honeyguide.frontier.frontier import Frontier, Host

__all__ = ["Frontier", "Host"]
