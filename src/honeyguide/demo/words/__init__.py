"""The hand-written material of the demo web: one file for each topic, one for what they share."""

from honeyguide.demo.words.bees import WORDS as BEES
from honeyguide.demo.words.bread import WORDS as BREAD
from honeyguide.demo.words.bridges import WORDS as BRIDGES
from honeyguide.demo.words.chess import WORDS as CHESS
from honeyguide.demo.words.council import WORDS as COUNCIL
from honeyguide.demo.words.gardens import WORDS as GARDENS
from honeyguide.demo.words.kind import Words
from honeyguide.demo.words.pandas import WORDS as PANDAS
from honeyguide.demo.words.rail import WORDS as RAIL
from honeyguide.demo.words.tea import WORDS as TEA
from honeyguide.demo.words.tides import WORDS as TIDES
from honeyguide.demo.words.volcanoes import WORDS as VOLCANOES

__all__ = ["ALL", "Words"]

ALL: tuple[Words, ...] = (BEES, VOLCANOES, CHESS, BRIDGES, BREAD, TIDES, GARDENS, COUNCIL, RAIL, TEA, PANDAS)
