"""URLs as the WHATWG standard reads them, in the one form the crawl knows them by.

Two spellings of one address must meet, or a page is fetched twice; two addresses must never be folded into one,
or a page is lost. So only what the standard calls equal is folded, the fragment is dropped, and of the query only
parameters that exist to follow people around.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import url as whatwg
import xxhash
from publicsuffixlist import PublicSuffixList

__all__ = [
    "LONGEST",
    "ORIGINS",
    "Base",
    "host_of",
    "key_of",
    "keys_of",
    "name_of",
    "name_words",
    "normalise",
    "origin_of",
    "path_of",
    "site_of",
]

_WEB = ("http://", "https://")
ORIGINS: set[str] = set()  # schemes with authorities that were met, and are normal as they are written
_MOST_ORIGINS = 50_000
LONGEST = 2_000  # what browsers and servers agree on; longer ones are traps
_TRACKING = re.compile(
    r"(?:^|(?<=&))(?:utm_[a-z_]+|gclid|dclid|fbclid|msclkid|yclid|igshid|mc_cid|mc_eid|_ga|_gl|spm|ref_src)=[^&]*(?:&|$)",
    re.IGNORECASE,
)
_HINT = re.compile(r"utm_|clid=|igshid|mc_[ce]id|_g[al]=|spm=|ref_src=", re.IGNORECASE)
_NAME = re.compile(r"\d*[^\W\d_]{2,}\d*|\d{4}")
_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,4}$")
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_MANY_SLASHES = re.compile(r"[\x00-\x20]*[\\/][\\/\t\r\n]{2,}")


def _clean(text: str) -> str | None:
    """The normal form of what the WHATWG parser wrote; every check is on the text, for the parser's own are slower."""
    if not text.startswith(_WEB):
        return None
    cut = text.find("#")
    if cut >= 0:
        text = text[:cut]
    if "?" in text and _HINT.search(text):
        address, mark, query = text.partition("?")
        query = _TRACKING.sub("", query).rstrip("&")
        text = f"{address}?{query}" if mark and query else address
    if "^" in text:  # escaped in a path, not in a query; the library does not know that yet
        address, mark, query = text.partition("?")
        text = address.replace("^", "%5E") + mark + query
    if "@" in text and "@" in text[: text.find("/", 8)]:
        # Credentials in a link are bait, and no part of the address.
        scheme, _, rest = text.partition("://")
        authority, slash, path = rest.partition("/")
        text = f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}"
    return text if len(text) <= LONGEST else None


class Base:
    """The address that a page's links are relative to.

    >>> Base("http://a.test/x/y.html").join("../z?q=1#part")
    'http://a.test/z?q=1'
    >>> Base("http://a.test/").join("javascript:alert(1)") is None
    True
    """

    __slots__ = ("_url", "folder", "origin")

    def __init__(self, address: str) -> None:
        self._url = whatwg.URL.parse(address)
        # What stands before the path of a plain link, and before one that is no path from the top; nothing where
        # something in it is not plain itself.
        self.origin = self.folder = ""
        text = str(self._url).partition("#")[0].partition("?")[0]
        if text.startswith(_WEB) and not ("@" in text or "^" in text):
            self.origin, self.folder = text[: text.find("/", 8)], text[: text.rfind("/") + 1]

    def join(self, link: str) -> str | None:
        """The normal form of a link found on the page; None when it leads to no web page."""
        try:
            text = str(self._url.join(link))
        except (whatwg.URLError, ValueError):
            text = ""
        if (
            text
            and link.startswith(_WEB)
            and link.startswith(origin := text[: text.find("/", 8) + 1])
            and "@" not in origin
        ):
            if len(ORIGINS) > _MOST_ORIGINS:
                ORIGINS.clear()
            ORIGINS.add(origin[:-1])
        # Most links are clean as they are, and this is done for every link of every page.
        if text.startswith(_WEB) and not ("?" in text or "#" in text or "@" in text or "^" in text):
            return text if len(text) <= LONGEST else None
        found = _clean(text)
        if found is None and (slashes := _MANY_SLASHES.match(link)):
            found = self.join(f"//{link[slashes.end() :]}")  # a host comes after any number of them
        return found


def normalise(address: str) -> str | None:
    """The normal form of an absolute address; None when it is none, or not of the web.

    >>> normalise("HTTP://Example.ORG:80/a/../b?utm_source=x&id=3#top")
    'http://example.org/b?id=3'
    >>> normalise("ftp://example.org/") is None
    True
    """
    try:
        return _clean(str(whatwg.URL.parse(address.strip())))
    except (whatwg.URLError, ValueError):
        return None


def host_of(address: str) -> str:
    """The host whose pace a normal URL keeps: hostname and port.

    >>> host_of("https://example.org/a"), host_of("http://example.org:8080/")
    ('example.org:443', 'example.org:8080')
    """
    scheme, _, rest = address.partition("://")
    authority = rest.partition("/")[0].partition("?")[0]
    if authority.rfind(":") > authority.rfind("]"):
        return authority
    return f"{authority}:{443 if scheme == 'https' else 80}"


def origin_of(address: str) -> str:
    """Scheme and authority: what robots.txt is asked of.

    >>> origin_of("https://example.org/a?b")
    'https://example.org'
    """
    scheme, _, rest = address.partition("://")
    return f"{scheme}://{rest.partition('/')[0].partition('?')[0]}"


def path_of(address: str) -> str:
    """Path and query of a normal URL, as robots.txt rules see it.

    >>> path_of("https://example.org/a?b")
    '/a?b'
    """
    return address[len(origin_of(address)) :] or "/"


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


def site_of(address: str) -> str:
    """The registrable domain a URL belongs to: what a reader calls the site.

    >>> site_of("https://news.bbc.co.uk/a"), site_of("http://127.0.0.1:80/")
    ('bbc.co.uk', '127.0.0.1')
    """
    host = host_of(address).rpartition(":")[0].strip("[]")
    if ":" in host or host.replace(".", "").isdigit():
        return host
    return str(_suffixes().privatesuffix(host) or host)


def key_of(address: str) -> int:
    """A name of 63 bits for a URL, for the set of all that were seen: as many as a database's integer holds."""
    return xxhash.xxh3_64_intdigest(address.encode()) >> 1


def keys_of(addresses: Iterable[str]) -> list[int]:
    """The names of many URLs: all at once, which takes half the time."""
    return [digest >> 1 for digest in map(xxhash.xxh3_64_intdigest, map(str.encode, addresses))]


def name_words(address: str) -> str:
    """The words a URL's path spells, for a strategy to read.

    >>> name_words("http://a.test/wp/s/Stained_glass-windows.htm")
    'Stained glass windows'
    """
    return " ".join(_NAME.findall(name_of(address).replace("_", " ")))


def name_of(address: str) -> str:
    """The last segment of a URL's path, as written and without its ending.

    >>> name_of("http://a.test/wp/s/Stained_glass-windows.htm"), name_of("http://a.test/bees/?page=2")
    ('Stained_glass-windows', 'bees')
    """
    before, _, last = (address.partition("?")[0] if "?" in address else address).rstrip("/").rpartition("/")
    if before.endswith(":/"):  # the last is the host
        return ""
    if "%" in last:
        for _ in range(2):  # some webs encode their percent signs again
            last = _PERCENT.sub(_decoded, last)
        last = _ENDING.sub("", last) or last
    else:
        stem, _, ending = last.rpartition(".")
        # As the pattern has it, without a search: most links that are met are met for the first time.
        if stem and len(ending) <= 5 and ending.isalnum() and ending[0].isalpha() and ending.isascii():
            last = stem
    return last


def _decoded(run: re.Match[str]) -> str:
    return bytes.fromhex(run.group().replace("%", "")).decode("utf-8", "replace")
