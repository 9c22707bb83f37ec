"""The graph of a crawl, and the known, unvisited URLs in the order of the strategy, with each host's turn."""

from honeyguide.frontier.frontier import EXAMPLE, LINK, START, Frontier
from honeyguide.frontier.graph import NOBODY, OUTCOMES, Graph, GraphWriter, pattern_of
from honeyguide.frontier.hosts import Host

__all__ = ["EXAMPLE", "LINK", "NOBODY", "OUTCOMES", "START", "Frontier", "Graph", "GraphWriter", "Host", "pattern_of"]
