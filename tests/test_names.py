"""Names of classes: whoever reads one must not have to ask which."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src" / "honeyguide"


def test_no_two_classes_share_a_name() -> None:
    modules = [ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")]
    names = Counter(node.name for module in modules for node in module.body if isinstance(node, ast.ClassDef))
    assert len(names) > 100
    assert [name for name, count in names.items() if count > 1] == []
