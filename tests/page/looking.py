"""What the tests of the parser share."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from honeyguide.page.digest import Digest
from honeyguide.page.parse import Parser

URL = "http://a.test/dir/page"
SENTENCE = "Bees gather nectar from the flowers of the valley and make honey of it, all summer long. "


def look(page: str | bytes, **said: str) -> Digest:
    return Parser().html(page.encode() if isinstance(page, str) else page, URL, **said)  # type: ignore[arg-type]


def urls(page: str | bytes, **said: str) -> list[str]:
    return [link.url.removeprefix("http://a.test") for link in look(page, **said).links]


def looking(body: bytes) -> Callable[[], Digest]:
    """The look as a job, for those who take its time."""
    return lambda: Parser().html(body, URL)


def benchmark(name: str) -> ModuleType:
    """A script of benchmarks/ as a module."""
    path = Path(__file__).resolve().parents[2] / "benchmarks" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"{name}_benchmark", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(path.parent))  # as if it were run from there
        spec.loader.exec_module(module)
    return module
