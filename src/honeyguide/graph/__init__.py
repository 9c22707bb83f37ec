"""Plain mathematics of graphs, with no idea of the web: what links to what, and who is central in it."""

from honeyguide.graph.column import Column
from honeyguide.graph.hits import Scores, hits
from honeyguide.graph.links import Kin, Links
from honeyguide.graph.pagerank import pagerank
from honeyguide.graph.values import q_values

__all__ = ["Column", "Kin", "Links", "Scores", "hits", "pagerank", "q_values"]
