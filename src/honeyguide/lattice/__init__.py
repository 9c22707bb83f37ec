"""Formal concepts as plain mathematics: contexts, their concepts and lattices, and how alike two concepts are."""

from honeyguide.lattice.burmeister import read_context, write_context
from honeyguide.lattice.context import Concept, Context, bits
from honeyguide.lattice.hierarchy import Hierarchy
from honeyguide.lattice.lattice import Lattice
from honeyguide.lattice.ranks import Meeting, Rank, Weighing, semrank

__all__ = [
    "Concept",
    "Context",
    "Hierarchy",
    "Lattice",
    "Meeting",
    "Rank",
    "Weighing",
    "bits",
    "read_context",
    "semrank",
    "write_context",
]
