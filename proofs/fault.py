"""What a seeded fault is: what is broken, by which text in place of which, and the tests that must notice."""

from __future__ import annotations

from typing import NamedTuple

Change = tuple[str, str, str]


class Fault(NamedTuple):
    """One way to break a mechanism."""

    mechanism: str
    name: str
    changes: tuple[Change, ...]  # file, text, what it becomes
    tests: tuple[str, ...]


def fault(mechanism: str, name: str, file: str, old: str, new: str, *tests: str) -> Fault:
    """A fault that is one change of one file."""
    return Fault(mechanism, name, ((f"src/honeyguide/{file}", old, new),), tests)


# The files of tests that faults name most often.
KILL = "tests/crawling/test_kill.py::"
DAMAGE = "tests/crawling/test_damage.py::"
POLITE = "tests/crawling/test_politeness.py::"
TOWN = "tests/crawling/test_judged_by_the_server.py::"
WAIT = "tests/crawling/test_asked_to_wait.py::"
HOSTILE = "tests/crawling/test_hostile.py::"
GUARD = "tests/web/test_guard.py::"
LIVE = "tests/web/test_live.py::"
EXPORT = "tests/corpus/test_export.py::"
REPORT = "tests/crawling/test_report.py::"
RUN = "tests/crawling/test_running.py::"
CHANGED = "tests/crawling/test_changed.py::"
SMALL = "tests/crawling/test_small_webs.py::"
RACE = "tests/bench/test_rules.py::"
TRUTH = "tests/bench/test_truth.py::"
FUZZ = "tests/fuzz/test_fuzz.py::"
RESUME = "tests/crawling/test_over_a_resume.py::"
