"""Racing strategies side by side on offline webs."""

from honeyguide.bench.bench import Bench, Outcome, Race
from honeyguide.bench.race import CEILINGS, ORACLE, Entry
from honeyguide.bench.score import Result, Row, paired, spread, summarise

__all__ = [
    "CEILINGS",
    "ORACLE",
    "Bench",
    "Entry",
    "Outcome",
    "Race",
    "Result",
    "Row",
    "paired",
    "spread",
    "summarise",
]
