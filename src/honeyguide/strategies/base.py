"""The strategy, as small as it can be, and how one is found.

A strategy sees pages and links, never sockets, SQL or the clock. It is a function of its seed, its settings and
the pages in their order, so a crawl can be resumed by replay, and a race can be run again.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
import traceback
import types
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import msgspec

import honeyguide.strategies
from honeyguide.errors import HoneyguideError, SettingError, StrategyError, UnknownStrategy
from honeyguide.page.digest import Digest
from honeyguide.topic import Topic

__all__ = ["Brief", "Ranked", "Strategy", "blamed", "find", "known", "make"]


class Ranked(NamedTuple):
    """A link with its rank. Higher priorities go first; ties go to the URL found first."""

    url: str
    priority: float
    reason: str


class Brief(NamedTuple):
    """What a strategy is told at the start: the topic, and its examples as pages; no label, no clock."""

    topic: Topic
    examples: list[Digest]


class Strategy:
    """Judges pages and ranks their links.

    Subclass it, give it a `name`, and it can be chosen by that name. Constructor parameters only store; what is
    learnt is made in `start` and changed in `page`.
    """

    name: ClassVar[str] = ""
    structure: ClassVar[bool] = False  # whether it needs blocks, headings and lists; pages are only skimmed otherwise
    revise_every: ClassVar[int] = 0  # pages between two calls of `revise`; 0 for never
    starts_first: ClassVar[bool] = True  # whether the starts of a crawl come before all it may say
    _registry: ClassVar[dict[str, type[Strategy]]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.name:
            Strategy._registry[cls.name] = cls

    def start(self, brief: Brief, seed: int) -> None:
        """Begin anew: learn what the topic's words and examples can teach."""

    def page(self, page: Digest) -> Iterable[Ranked]:
        """A page was fetched: rank its links. A URL queued already is only ever raised by this."""
        raise NotImplementedError

    def revise(self) -> Iterable[Ranked]:
        """Now and then: new priorities, up or down, for URLs that are queued."""
        return ()

    def save(self) -> bytes:
        """All that was learnt, as bytes."""
        return b""

    def load(self, state: bytes) -> None:
        """Go on from a saved state; `start` was called before."""

    @classmethod
    def parameters(cls) -> dict[str, inspect.Parameter]:
        """The settings a user may give, by name."""
        signature = inspect.signature(cls.__init__)
        return {name: value for name, value in signature.parameters.items() if name not in ("self", "args", "kwargs")}

    @property
    def settings(self) -> dict[str, Any]:
        """The settings this strategy was made with."""
        return {name: getattr(self, name) for name in self.parameters()}

    @classmethod
    def summary(cls) -> str:
        """The first line of the strategy's description."""
        return (inspect.getdoc(cls) or "").partition("\n")[0]


@contextmanager
def blamed(name: str, about: str) -> Iterator[None]:
    """Tell what a strategy breaks down over, and where in it, in one sentence; a stranger's may fail in any way."""
    try:
        yield
    except HoneyguideError:
        raise
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}, line {last.lineno}"
        raise StrategyError(f"strategy '{name}' failed {about}: {type(error).__name__}: {error} ({place})") from error


@cache
def _load_builtins() -> None:
    for module in pkgutil.iter_modules(honeyguide.strategies.__path__):
        importlib.import_module(f"honeyguide.strategies.{module.name}")


def known() -> dict[str, type[Strategy]]:
    """All strategies that can be chosen by name."""
    _load_builtins()
    return dict(sorted(Strategy._registry.items()))


def find(name: str) -> type[Strategy]:
    """The strategy of a name, or of `file.py:Class`.

    >>> find("best")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    honeyguide.errors.UnknownStrategy: unknown strategy: 'best'; known: ...
    """
    if ".py" in name:
        return _from_file(name)
    strategies = known()
    if name not in strategies:
        raise UnknownStrategy(f"unknown strategy: '{name}'; known: {', '.join(strategies)}")
    return strategies[name]


def _from_file(name: str) -> type[Strategy]:
    place, _, wanted = name.rpartition(":")
    if not place.endswith(".py"):
        place, wanted = name, ""
    path = Path(place)
    if not path.is_file():
        raise UnknownStrategy(f"no strategy file at {path}")
    module_name = f"honeyguide_stranger_{path.stem}"
    module = types.ModuleType(module_name)
    module.__file__ = str(path)
    sys.modules[module_name] = module
    try:
        # Run as it stands, not imported: an import would leave compiled files beside the user's own.
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)  # noqa: S102
    except Exception as error:  # a stranger's file may fail in any way; say which file and how
        raise UnknownStrategy(f"{path} cannot be loaded: {type(error).__name__}: {error}") from None
    found = {
        name: value
        for name, value in vars(module).items()
        if inspect.isclass(value) and issubclass(value, Strategy) and value.__module__ == module_name
    }
    if wanted and wanted in found:
        return found[wanted]
    if not wanted and len(found) == 1:
        return next(iter(found.values()))
    listed = ", ".join(found) or "none"
    raise UnknownStrategy(f"{path} holds no strategy '{wanted}'; it has: {listed}")


def make(name: str, settings: dict[str, str] | None = None) -> Strategy:
    """A strategy by name with settings given as text, each read as the type of its default."""
    kind = find(name)
    parameters = kind.parameters()
    given: dict[str, Any] = {}
    for key, value in (settings or {}).items():
        if key not in parameters:
            listed = ", ".join(parameters) or "none"
            raise SettingError(f"strategy '{name}' has no setting '{key}'; it has: {listed}")
        default = parameters[key].default
        try:
            given[key] = msgspec.convert(value, type(default), strict=False) if default is not None else value
        except msgspec.ValidationError:
            raise SettingError(
                f"setting '{key}' of strategy '{name}' must be of type {type(default).__name__}, not '{value}'"
            ) from None
    return kind(**given)
