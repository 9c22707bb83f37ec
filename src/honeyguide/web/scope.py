"""Where a crawl may go at all, told from the URL alone: cheap, and the same in every hand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

import msgspec

from honeyguide.errors import SettingError
from honeyguide.web.urls import host_of, site_of

__all__ = ["Scope", "ScopeRules"]

_FILES = frozenset(
    "jpg jpeg png gif webp svg ico bmp tif tiff avif css js mjs json woff woff2 ttf eot mp3 mp4 m4a m4v avi mov mkv "
    "webm ogg wav flac zip gz tgz bz2 xz 7z rar iso exe msi dmg apk deb rpm doc docx xls xlsx ppt pptx odt ods "
    "epub".split()
)
_KEPT_FILES = re.compile(r"sitemap[^/]*\.(?:xml\.)?gz$|\.(?:rss|feed)\.json$|feed\.json$", re.IGNORECASE)
_PAGES = (".html", ".htm", "/", ".php")  # what most pages end with: no need to look further
_ROBOTS = "/robots.txt"  # is asked for as what it is, never as a page
_REPEATS = 3
_DEEPEST = 24


class ScopeRules(msgspec.Struct, frozen=True, kw_only=True):
    """Scope as the user states it."""

    allow: tuple[str, ...] = ()  # patterns one of which a URL must match, if any are given
    deny: tuple[str, ...] = ()  # patterns none of which a URL may match
    stay: Literal["anywhere", "site", "host"] = "anywhere"
    homes: tuple[str, ...] = ()  # the URLs `stay` is about: starts and examples


class Scope:
    """Decides whether a URL may be visited.

    >>> scope = Scope(ScopeRules(deny=("/private/",)))
    >>> scope("http://a.test/page"), scope("http://a.test/private/x"), scope("http://a.test/logo.png")
    (True, False, False)
    >>> scope.refusal("http://a.test/private/x")
    "out of scope: matches the denied pattern '/private/'"
    """

    def __init__(self, rules: ScopeRules) -> None:
        self.rules = rules
        self._allow = _compiled("allow", rules.allow)
        self._deny = _compiled("deny", rules.deny)
        if rules.stay != "anywhere" and not rules.homes:
            raise SettingError(f"told to stay on the {rules.stay}, but no start or example says which")
        self._home = site_of if rules.stay == "site" else _place
        self._homes = {self._home(url) for url in rules.homes} if rules.stay != "anywhere" else set()
        self._hosts: dict[str, bool] = {}

    @property
    def free(self) -> bool:
        """Whether nothing is out of scope but what is out of every scope: files that are no pages, and circles."""
        return not (self._allow or self._deny or self._homes)

    def __call__(self, url: str) -> bool:
        path = url.partition("?")[0] if "?" in url else url
        if not path.endswith(_PAGES) and _is_file(path):
            return False
        if self._allow and not any(pattern.search(url) for pattern in self._allow):
            return False
        if self._deny and any(pattern.search(url) for pattern in self._deny):
            return False
        if self._homes and not self._at_home(url):
            return False
        return url.count("/") < 8 or not _loops(path)

    def _at_home(self, url: str) -> bool:
        host = host_of(url)
        known = self._hosts.get(host)
        if known is None:
            if len(self._hosts) > 100_000:
                self._hosts.clear()
            known = self._hosts[host] = self._home(url) in self._homes
        return known

    def ban(self, url: str) -> str:
        """Why nothing may be asked for at a URL, be it page or robots.txt; empty when it may."""
        for pattern in self._deny:
            if pattern.search(url):
                return f"out of scope: matches the denied pattern '{pattern.pattern}'"
        if self._homes and not self._at_home(url):
            return f"out of scope: leaves the {self.rules.stay} it was told to stay on"
        return ""

    def refusal(self, url: str) -> str:
        """Why a URL may not be visited; empty when it may."""
        if self(url):
            return ""
        path = url.partition("?")[0]
        if _is_file(path):
            return "out of scope: the name of a file that is no page"
        if self._allow and not any(pattern.search(url) for pattern in self._allow):
            return "out of scope: matches none of the allowed patterns"
        if banned := self.ban(url):
            return banned
        return "out of scope: its path repeats itself or is too deep, as in a trap"


def _is_file(path: str) -> bool:
    """Whether a path names a file that is no page, told by its ending."""
    _, dot, ending = path[-8:].rpartition(".")
    if not dot or "/" in ending:
        return False
    low = ending.lower()
    if low == "txt":
        return path.endswith(_ROBOTS)
    return low in _FILES and not _KEPT_FILES.search(path)


def _place(url: str) -> str:
    """The host, the same for http and https at their usual ports."""
    host, _, port = host_of(url).rpartition(":")
    return host if port in ("80", "443") else f"{host}:{port}"


def _compiled(kind: str, patterns: Iterable[str]) -> list[re.Pattern[str]]:
    # Each on its own: joined, they would share group numbers, group names and flags.
    found = []
    for pattern in patterns:
        try:
            found.append(re.compile(pattern))
        except re.error as error:
            raise SettingError(f"the {kind} pattern '{pattern}' is no regular expression: {error}") from None
    return found


def _loops(path: str) -> bool:
    """Whether a path goes in circles: a segment again and again, or no end of segments."""
    segments = path.split("/")[3:]
    return len(segments) > _DEEPEST or any(segments.count(one) > _REPEATS for one in set(segments) if one)
