"""The strategy, as small as it can be, and how one is found.

A strategy sees pages and links, never sockets, SQL or the clock. It is a function of its seed, its settings and
the pages in their order, so a crawl can be resumed by replay, and a race can be run again.
"""

from __future__ import annotations

import importlib
import inspect
import math
import pkgutil
import sys
import traceback
import types
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

import honeyguide.strategies
from honeyguide.errors import HoneyguideError, SettingError, StrategyError, UnknownStrategy
from honeyguide.frontier import Graph
from honeyguide.page.digest import Digest
from honeyguide.topic import Judging, Topic
from honeyguide.topic.clicks import ClickLog, log_of

__all__ = [
    "Adapted",
    "Brief",
    "Earlier",
    "Floats",
    "Ints",
    "Pairs",
    "Ranks",
    "Strategy",
    "blamed",
    "find",
    "known",
    "make",
    "setting",
]

Value = TypeVar("Value")
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Setting(NamedTuple):
    """A setting of a strategy: what it is unless a user says otherwise, what it means, and what else it is called."""

    default: Any
    about: str
    also: tuple[str, ...] = ()


def setting(default: Value, about: str, *also: str) -> Value:
    """Declare a setting in the body of a strategy's class: `width: int = setting(10, "How many links to follow.")`.

    More names it may be given by, such as those of a paper, follow.
    """
    return cast(Value, Setting(default, about, also))


class Ranks(NamedTuple):
    """Priorities of many URLs at once, as arrays."""

    ids: NDArray[np.int64]
    priorities: NDArray[np.float64]


class Adapted(NamedTuple):
    """A change that a strategy, or its judge, made to what it goes by: after so many answers, and why.

    Terms that the reason ends with are given apart: people are told them as pages write them.
    """

    answers: int
    what: str
    before: float
    after: float
    reason: str
    terms: tuple[str, ...] = ()


Pairs = Iterable[tuple[int, float]]  # a URL's number and its priority; higher ones go first, ties by number


class Earlier(NamedTuple):
    """An earlier crawl, or a recorded web, to learn from: its pages, judged by the topic of today, and their graph.

    Pages are read, numbered and judged as one goes through them, once; the graph is whole when all were read.
    """

    graph: Graph
    pages: Iterator[Digest]


class Brief(NamedTuple):
    """What a strategy is told at the start: the topic, its examples as pages, and the graph of the crawl to read in.

    An example that the crawl did not fetch itself has no number (-1). What was crawled earlier is told to strategies
    that learn from it, if the user names any. The click log, if the topic has one, is read when it is first asked for.
    """

    topic: Topic
    examples: list[Digest]
    graph: Graph
    earlier: Sequence[Earlier] = ()

    @property
    def clicks(self) -> ClickLog | None:
        """What people searched for and opened, if the topic comes with a log of it."""
        return log_of(self.topic)


class Strategy:
    """Ranks the links of pages.

    Subclass it, give it a `name` and a method `page`, and it can be chosen by that name. What a user may set is
    declared with `setting`; what is learnt is made in `start`, changed in `page`, and named in `keeps`.
    """

    name: ClassVar[str] = ""
    version: ClassVar[int] = 1  # a state saved by another version is not loaded: the crawl is replayed instead
    structure: ClassVar[bool] = False  # whether it needs blocks, headings and lists; pages are only skimmed otherwise
    revise_every: ClassVar[int] = 0  # answers between two calls of `revise`; 0 for never
    # Whether the starts of a crawl come before all it may say; "untaught": only where no example tells the topic.
    starts_first: ClassVar[bool | Literal["untaught"]] = True
    best: ClassVar[bool] = True  # whether a URL found again keeps its best rank; else `page` may lower it, too
    learns_from: ClassVar[bool] = False  # whether it can learn from earlier crawls (`brief.earlier`)
    keeps: ClassVar[tuple[str, ...]] = ()  # the attributes that hold what was learnt, for `save` and `load`
    _registry: ClassVar[dict[str, type[Strategy]]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.name:
            Strategy._registry[cls.name] = cls

    def __init__(self, **given: Any) -> None:
        for name, one in self.parameters().items():
            setattr(self, name, given.pop(name, one.default))
        if given:
            raise TypeError(f"{type(self).__name__} has no setting '{next(iter(given))}'")

    def check(self) -> None:
        """See that the settings make sense, before a folder is made for the crawl; raises `SettingError` if not."""

    def start(self, brief: Brief, seed: int) -> None:
        """Begin anew: learn what the topic's words and examples can teach."""

    def worth_cutting(self, page: Digest) -> bool:
        """Whether a page is to be cut into its blocks, which takes longer than all else; asked if it has `structure`.

        The page was skimmed and judged, and has no numbers yet. What is not worth it comes to `page` as it is, without
        parts. Where the topic asks for articles all pages are cut, and none is asked about.
        """
        return True

    def page(self, page: Digest) -> Ranks | Pairs:
        """A page was fetched, and stands in the graph: rank its links."""
        raise NotImplementedError

    def missed(self, number: int, outcome: str) -> None:
        """A URL brought no page: missing, failed, refused, unwanted, or a redirect (the graph knows where to)."""

    def turned(self, numbers: NDArray[np.int64]) -> None:
        """The verdicts on these pages have changed, by the judge or by a person; the graph has the new ones."""

    def revise(self) -> Ranks | Pairs:
        """Now and then: new priorities, up or down, for URLs that are queued; others are passed over."""
        return ()

    def reason(self, number: int) -> str:
        """Why a URL has its rank; asked when it is about to be visited, or when a person wants to know."""
        return "as ranked by its strategy"

    def history(self) -> dict[str, list[tuple[int, float]]]:
        """How what it goes by has changed, for the report: by name, pairs of the answers so far and a value."""
        return {}

    def remark(self) -> str:
        """Why what it goes by is as it is now, in a sentence for the report; nothing if there is nothing to say."""
        return ""

    def adapted(self) -> list[Adapted]:
        """Every change it made to what it goes by, in order, for the report; nothing if it makes none."""
        return []

    def judge(self, topic: Topic) -> Judging | None:
        """The strategy's own judge, if it brings one; else the crawl's decides what is on topic."""
        return None

    def save(self) -> bytes:
        """All that was learnt, as bytes: the attributes named in `keeps`."""
        return msgspec.msgpack.encode({name: _packed(getattr(self, name)) for name in self.keeps})

    def load(self, state: bytes) -> None:
        """Go on from a saved state; `start` was called before."""
        for name, packed in msgspec.msgpack.decode(state).items():
            if (value := _unpacked(getattr(self, name), packed)) is not None:
                setattr(self, name, value)

    @classmethod
    def parameters(cls) -> dict[str, Setting]:
        """The settings a user may give, by name: those declared with `setting`, or the parameters of its own making."""
        if cls.__init__ is not Strategy.__init__:
            own = inspect.signature(cls.__init__).parameters
            return {
                name: Setting(one.default, "") for name, one in own.items() if name not in ("self", "args", "kwargs")
            }
        declared = {name: one for kind in reversed(cls.__mro__) for name, one in vars(kind).items()}
        return {name: one for name, one in declared.items() if isinstance(one, Setting)}

    @property
    def settings(self) -> dict[str, Any]:
        """The settings this strategy was made with."""
        return {name: getattr(self, name) for name in self.parameters()}

    @classmethod
    def summary(cls) -> str:
        """The first line of the strategy's description."""
        return (inspect.getdoc(cls) or "").partition("\n")[0]


def _packed(value: Any) -> Any:
    if hasattr(value, "save"):
        return value.save()
    if isinstance(value, np.ndarray):
        return [value.dtype.str, list(value.shape), value.tobytes()]
    return [_packed(one) for one in value] if isinstance(value, list) else value


def _unpacked(now: Any, packed: Any) -> Any:
    """The value that was packed; None if it was taken in by the object that is there."""
    if hasattr(now, "load"):
        now.load(packed)
        return None
    if isinstance(now, np.ndarray):
        kind, shape, data = packed
        return np.frombuffer(data, dtype=kind).reshape(shape).copy()
    if isinstance(now, list) and now and hasattr(now[0], "load"):
        for one, saved in zip(now, packed, strict=True):
            one.load(saved)
        return None
    try:
        return msgspec.convert(packed, type(now))
    except msgspec.ValidationError:  # it has become a value of another kind since, or is of a kind of its own
        return type(now)(packed) if isinstance(now, dict) else packed


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
    """A strategy by name with settings given as text, each read as the type of its default; it has looked them over."""
    kind = find(name)
    parameters = kind.parameters()
    names = {also: key for key, one in parameters.items() for also in (*one.also, key)}
    given: dict[str, Any] = {}
    for told, value in (settings or {}).items():
        if (key := names.get(told, "")) not in parameters:
            listed = ", ".join(parameters) or "none"
            raise SettingError(f"strategy '{name}' has no setting '{told}'; it has: {listed}")
        if key in given:
            raise SettingError(f"setting '{key}' of strategy '{name}' is given twice, the second time as '{told}'")
        default = parameters[key].default
        try:
            given[key] = msgspec.convert(value, type(default), strict=False) if default is not None else value
        except msgspec.ValidationError:
            raise SettingError(
                f"setting '{told}' of strategy '{name}' must be of type {type(default).__name__}, not '{value}'"
            ) from None
        if isinstance(given[key], float) and not math.isfinite(given[key]):
            raise SettingError(f"setting '{told}' of strategy '{name}' must be a finite number, not '{value}'")
    with blamed(name, "over its settings"):
        made = kind(**given)
        made.check()
    return made
