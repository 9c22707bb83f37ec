"""The command that shows a page by its blocks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_bad_input import honeyguide

PAGE = """<title>Waggle dances - Hive</title><nav><a href=/1>Home</a></nav><h1>Waggle dances</h1>
<div class=abstract><p>Bees dance to tell each other where nectar is, and how far, and all the hive attends.</div>"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_it_lists_the_blocks_with_their_roles_and_why(page: Path) -> None:
    done = honeyguide("blocks", "page.html", cwd=page.parent)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("no article (score 0.")
    assert lines[1:3] == ["the page", "  noise (a nav element, 1 link): Home"]
    assert "  title (a heading that the page's title repeats): Waggle dances" in lines
    assert any(line.startswith('  abstract (named "abstract"): Bees dance') for line in lines)


def test_it_says_the_same_as_json(page: Path) -> None:
    found = json.loads(honeyguide("blocks", "page.html", "--json", cwd=page.parent).stdout)
    assert [block["role"] for block in found["blocks"]] == ["", "noise", "title", "abstract"]
    assert found["blocks"][1]["links"] == 1
    assert found["article_why"]


def test_it_draws_to_a_file_and_replaces_none_unasked(page: Path) -> None:
    done = honeyguide("blocks", "page.html", "--to", "html", cwd=page.parent)
    assert done.stdout == "4 blocks drawn to blocks.html\n"
    assert "Bees dance" in (page.parent / "blocks.html").read_text(encoding="utf-8")
    again = honeyguide("blocks", "page.html", "--to", "html", cwd=page.parent)
    assert (again.returncode, again.stderr) == (
        2,
        "honeyguide: blocks.html is there already; give --overwrite to replace it\n",
    )
    assert honeyguide("blocks", "page.html", "--to", "html", "--overwrite", cwd=page.parent).returncode == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["missing.html"], "missing.html cannot be read"),
        (["http://127.0.0.1:9/x"], "http://127.0.0.1:9/x gives no page"),
        (["page.html", "--to", "html", "--out", "no/such/place.html"], "cannot be written"),
        (["page.html", "--to", "gif"], "gif"),
        (["page.html", "--to", "html", "--out", "."], "there already"),
    ],
)
def test_bad_input_gets_one_sentence(page: Path, words: list[str], told: str) -> None:
    done = honeyguide("blocks", *words, cwd=page.parent)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
