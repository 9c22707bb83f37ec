"""The progress of a crawl on screens of any width: the count is never lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from honeyguide.cli.screen import standing_lines
from honeyguide.crawling import Progress
from tests.cli.terminal import in_terminal

NOW = Progress(
    phase="crawling", pages=120, budget=400, on_topic=37, records=30, queued=4_321, known=9_000, hosts=12, under_way=4,
    seconds=60.0, url=f"http://news.test/{'long/' * 40}", found="蜜蜂 " * 40,
)  # fmt: skip


@pytest.mark.parametrize("columns", [20, 59, 60, 119, 120, 500])
def test_lines_fit_and_keep_the_count(columns: int) -> None:
    lines = standing_lines(NOW, columns)
    assert lines[0].startswith("crawling: 120/400 p"[: columns - 1])
    assert all(cell_len(line) <= columns for line in lines)
    assert lines[1].startswith("  at: http://news")
    assert lines[2].startswith("  last find: 蜜")
    if columns >= 59:
        assert "37 on topic · 2 min 20 s left" in lines[0]


def test_time_left_is_that_of_the_budget_that_is_spent_first() -> None:
    assert NOW.left == pytest.approx(140.0)
    assert Progress(**{**_fields(NOW), "limit": 90.0}).left == pytest.approx(30.0)
    assert Progress(**{**_fields(NOW), "limit": 50.0}).left == 0.0
    assert Progress(**{**_fields(NOW), "pages": 0}).left is None


def _fields(now: Progress) -> dict[str, object]:
    return {name: getattr(now, name) for name in now.__struct_fields__}


@pytest.mark.parametrize("columns", [60, 120])
def test_a_terminal_shows_count_page_and_last_find(tmp_path: Path, columns: int) -> None:
    words = ("crawl", "--pages", "60", "--out", "out", "--no-report", "--no-records", "--workers", "1")
    code, shown = in_terminal(*words, columns=columns, cwd=tmp_path)
    assert code == 0, shown
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown)
    assert re.search(r"crawling: \d+/60 pages · \d+ on topic · \d+ s left", plain), plain
    assert "  at: http://" in plain
    assert "  last find: " in plain
    live = [line for line in re.split(r"[\r\n]+", plain) if line.startswith(("crawling", "  at", "  last"))]
    assert all(cell_len(line) < columns for line in live)
