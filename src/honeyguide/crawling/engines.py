"""Search engines that can be asked for pages: SearXNG by its JSON, and any other that a few lines describe.

An engine is a TOML file:

    url = "https://api.example.org/search?q={query}&count={count}"
    results = "web.results"          # where the list of results is in the answer's JSON
    link = "url"                     # and, in each of them, its address
    title = "title"                  # and its title, if there is one
    [headers]
    "X-Key" = "{env:EXAMPLE_KEY}"    # keys come from the environment, never from the file

Whatever answers to these can be asked; what an engine answers is never trusted further than as a list of addresses.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from honeyguide.errors import SettingError
from honeyguide.web.urls import normalise

__all__ = ["Engine", "EngineHit", "engine"]

_SLOT = re.compile(r"\{(query|count|env:[A-Za-z_][A-Za-z0-9_]*)\}")
_KEYS = ("url", "results", "link", "title", "headers", "name")
_MOST = 200  # results of one answer


class EngineHit(NamedTuple):
    """A page that an engine names."""

    url: str
    title: str


class Engine(NamedTuple):
    """How an engine is asked, and where its answers are."""

    name: str
    url: str
    results: str
    link: str = "url"
    title: str = "title"
    headers: Mapping[str, str] = {}

    def request(self, query: str, count: int) -> tuple[str, dict[str, str]]:
        """The address to ask, and what to say besides."""
        url = _filled(self.url, query, count, self.name, quoted=True)
        return url, {name: _filled(value, query, count, self.name) for name, value in self.headers.items()}

    def answers(self, body: bytes) -> list[EngineHit]:
        """The pages an answer names, best first; raises ValueError if it is none."""
        found: Any = json.loads(body)
        for step in filter(None, self.results.split(".")):
            found = found[step] if isinstance(found, dict) and step in found else None
        if not isinstance(found, list):
            raise ValueError(f"it has no list '{self.results}'")
        pages: dict[str, EngineHit] = {}
        for one in found[:_MOST]:
            address = one.get(self.link) if isinstance(one, dict) else None
            url = normalise(address) if isinstance(address, str) else None
            if url is not None:
                title = one.get(self.title)
                pages.setdefault(url, EngineHit(url, title if isinstance(title, str) else ""))
        return list(pages.values())

    @property
    def place(self) -> str:
        """The host and port it stands at."""
        return urlsplit(self.url).netloc


def _filled(text: str, query: str, count: int, name: str, *, quoted: bool = False) -> str:
    def fill(match: re.Match[str]) -> str:
        slot = match.group(1)
        if slot == "query":
            return quote(query, safe="") if quoted else query
        if slot == "count":
            return str(count)
        key = slot.removeprefix("env:")
        value = os.environ.get(key)
        if value is None:
            raise SettingError(f"engine {name} needs a key in the environment: set {key}")
        return quote(value, safe="") if quoted else value

    return _SLOT.sub(fill, text)


def engine(told: str) -> Engine:
    """The engine that an address (of a SearXNG) or a file describes.

    >>> engine("http://127.0.0.1:8888/").request("honey bees", 10)[0]
    'http://127.0.0.1:8888/search?q=honey%20bees&format=json'
    """
    if "://" in told:
        url = normalise(told)
        if url is None:
            raise SettingError(f"engine '{told}' is no http or https address")
        return Engine(urlsplit(url).netloc, f"{url.rstrip('/')}/search?q={{query}}&format=json", "results")
    path = Path(told)
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingError(f"engine {told} is neither an address nor a file: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingError(f"engine file {told} is not valid TOML: {error}") from None
    return _described(raw, path)


def _described(raw: dict[str, Any], path: Path) -> Engine:
    where = f"engine file {path}"
    if unknown := sorted(set(raw) - set(_KEYS)):
        raise SettingError(f"{where}: unknown key '{unknown[0]}'; known keys: {', '.join(_KEYS)}")
    headers = raw.pop("headers", {})
    if not isinstance(headers, dict) or not all(isinstance(one, str) for one in (*raw.values(), *headers.values())):
        raise SettingError(f"{where}: all values must be texts, and [headers] a table of texts")
    if any(sign in value for value in headers.values() for sign in "\r\n"):
        raise SettingError(f"{where}: a header must be one line")
    url = raw.get("url", "")
    if "{query}" not in url or normalise(_SLOT.sub("x", url)) is None:
        raise SettingError(f"{where}: url must be an http or https address with {{query}} in it")
    if "results" not in raw:
        raise SettingError(f"{where}: results must say where the list of results is in the answer")
    return Engine(
        raw.get("name", path.stem), url, raw["results"], raw.get("link", "url"), raw.get("title", "title"), headers
    )
