"""What `honeyguide` offers to programs: exactly its `__all__`, all of it importable, typed and documented."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import honeyguide

REPO = Path(__file__).resolve().parents[1]
MODULES = sorted(
    one.name
    for one in pkgutil.walk_packages(honeyguide.__path__, "honeyguide.")
    if not one.name.endswith("__main__")  # importing one runs it
)


@pytest.mark.parametrize("name", honeyguide.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    assert getattr(honeyguide, name) is not None
    assert f"`{name}" in (REPO / "docs" / "python.md").read_text(encoding="utf-8")


def test_nothing_else_is_public() -> None:
    assert dir(honeyguide) == sorted(honeyguide.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        honeyguide.Nothing  # noqa: B018


def test_a_star_import_brings_what_all_names() -> None:
    names: dict[str, object] = {}
    exec("from honeyguide import *", names)
    assert names.keys() - {"__builtins__"} == set(honeyguide.__all__)


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(honeyguide.__file__).read_text(encoding="utf-8"))
    seen = {
        alias.name: found.module
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for found in node.body
        if isinstance(found, ast.ImportFrom)
        for alias in found.names
    }
    assert {*seen, "__version__"} == set(honeyguide.__all__)
    for name, home in seen.items():
        assert home is not None
        assert getattr(importlib.import_module(home), name) is getattr(honeyguide, name)


@pytest.mark.parametrize("name", MODULES)
def test_every_module_says_what_it_offers_and_has_it(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__, f"{name} needs a docstring"
    offered = getattr(module, "__all__", None)
    assert offered is not None, f"{name} has no __all__"
    assert len(offered) == len(set(offered)), f"{name}.__all__ names something twice"
    for one in offered:
        assert hasattr(module, one), f"{name}.__all__ names '{one}', which it does not have"


def test_importing_the_package_is_quick_and_does_nothing() -> None:
    code = "import sys, honeyguide; print(*sorted(name for name in sys.modules if name.startswith('honeyguide')))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["honeyguide"]


def test_the_version_is_the_distribution_s() -> None:
    assert f'\nversion = "{honeyguide.__version__}"\n' in (REPO / "pyproject.toml").read_text(encoding="utf-8")
