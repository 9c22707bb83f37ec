"""Every example in a docstring of the package runs and says what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import honeyguide

MODULES = [found.name for found in pkgutil.walk_packages(honeyguide.__path__, "honeyguide.")]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_the_examples_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples_to_run() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    modules = (importlib.import_module(name) for name in ("honeyguide.text.terms", "honeyguide.web.urls"))
    assert all(any(test.examples for test in finder.find(module)) for module in modules)
