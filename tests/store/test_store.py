"""The store that crawls use keeps the contract of stores, and what is special about its being SQLite."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import honeyguide
from honeyguide.store import Store
from honeyguide.store.packing import pack
from tests.store.contract import Factory, StoreContract, fill, visit_of


class TestSQLite(StoreContract):
    factory = Factory(create=Store.create, open=Store.open)


def test_nothing_of_a_forgotten_page_is_left_in_the_file(store: Store, path: Path) -> None:
    fill(store)
    secret = "secretword"
    store.add_visit(visit_of(1, title=secret, verdict=secret, detail=secret), pack(secret.encode()))
    store.erase([1])
    store.scrub()
    assert secret.encode() not in path.read_bytes()


# -- a house with one door --------------------------------------------------------------------------------------

SOURCE = Path(honeyguide.__file__).parent
OUTSIDE = [file for file in sorted(SOURCE.rglob("*.py")) if file.parent != SOURCE / "store"]


@pytest.mark.parametrize("file", OUTSIDE, ids=[str(file.relative_to(SOURCE)) for file in OUTSIDE])
def test_nobody_outside_the_store_knows_the_database(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert all(name.name.partition(".")[0] != "sqlite3" for name in node.names), node.lineno
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            assert module.partition(".")[0] != "sqlite3", node.lineno
            assert module not in ("honeyguide.store.connection", "honeyguide.store.schema"), node.lineno
        elif isinstance(node, ast.Attribute) and node.attr in ("connection", "_connection"):
            base = ast.unparse(node.value)
            assert not base.endswith("store"), f"{file.name}, line {node.lineno}: {base}.{node.attr}"
