"""Racing strategies side by side on offline webs."""

from honeyguide.bench.bench import ORACLE, Bench, Outcome, Race
from honeyguide.bench.race import Entry
from honeyguide.bench.score import Result, Row, paired, spread, summarise

__all__ = ["ORACLE", "Bench", "Entry", "Outcome", "Race", "Result", "Row", "paired", "spread", "summarise"]
