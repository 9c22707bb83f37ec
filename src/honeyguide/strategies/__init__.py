"""The strategies: one file per published method, the paper cited on top.

A strategy is chosen by its name, or by `file.py:Class` for one of your own. Built-ins and strangers use the same
base and are registered in the same way: by being a subclass of `Strategy` with a name.
"""

from honeyguide.strategies.base import (
    Adapted,
    Brief,
    Earlier,
    Pairs,
    Ranks,
    Strategy,
    blamed,
    find,
    known,
    make,
    setting,
)

__all__ = ["Adapted", "Brief", "Earlier", "Pairs", "Ranks", "Strategy", "blamed", "find", "known", "make", "setting"]
