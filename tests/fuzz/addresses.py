"""Fuzz targets: addresses, robots.txt."""

from __future__ import annotations

import pickle
import random
import re
from urllib.parse import urlsplit

from hypothesis import strategies as st

from honeyguide.web import robots
from honeyguide.web.urls import LONGEST, Base, host_of, key_of, name_words, normalise, origin_of, path_of, site_of
from tests.fuzz.kit import Target, as_text, encoded, pieces, take, thrown
from tests.fuzz.rfc9309 import Reference

__all__ = ["TARGETS"]

PAGE = "http://base.test/dir/page?q=1"
_NEVER = re.compile(r"[\x00-\x20\x7f#<>]")

_SIGNS = ["\t", "\n", "\r", " ", "\x00", "\x1f", "\u00a0", "\u202e", "\ufeff"]
_PARTS = (
    "http: https: HTTP:// https:/ // /// \\ / ? # & = @ : %2e %2E%2e .. . ./ ../ %00 %zz % ^ | [::1] [ ] "
    "user:secret@ a.test A.TEST. a.test:80 :443 :0 :99999 127.0.0.1 0x7f.1 2130706433 xn--mnchen-3ya.de münchen.de "
    "例え.jp ａ.test utm_source=x &utm_medium=y gclid=1& id=3 javascript: data: mailto: blob: ftp:// file:/// "
    "ß ✓ %E2%9C%93 ;jsessionid=1 index.html page.jpg _Name-of_2024.htm"
)
_ADDRESS_WORDS = tuple(word.encode() for word in [*_PARTS.split(" "), *_SIGNS])


def check_url(data: bytes) -> None:
    """Any text is no address, or becomes one in the one form it is known by."""
    text = as_text(data)
    base = Base(PAGE)
    for found in {normalise(text), base.join(text)} - {None}:
        assert found is not None
        assert found.startswith(("http://", "https://"))
        assert len(found) <= LONGEST
        assert not _NEVER.search(found), found
        assert '"' not in path_of(found)  # a host may have one, by the standard
        origin = origin_of(found)
        assert "@" not in origin
        assert found in (origin + path_of(found), origin)
        assert normalise(found) == found
        assert base.join(found) == found
        assert Base(found).join(found) == found
        assert 0 <= key_of(found) < 1 << 64
        assert urlsplit(found).netloc == origin.partition("://")[2]
        host, _, port = host_of(found).rpartition(":")
        assert host
        assert 0 <= int(port) <= 65_535
        assert site_of(found)
        assert isinstance(name_words(found), str)


_ROBOTS_WORDS = tuple(
    word.encode()
    for word in (
        "User-agent: *\n", "user-agent:honeyguide\n", "User-Agent: HoneyGuide/1.0\n", "User-agent: otherbot\n",
        "User-agent: honeyguidebot\n", "Disallow: /\n", "Disallow:\n", "Disallow: /a\n", "disallow : /a/b\n",
        "Disallow: /*b$\n", "Disallow: *c\n", "Disallow: /a*/b*\n", "Disallow: /%61\n", "Disallow: /%c3%a9\n",
        "Disallow: /é\n", "Disallow: /$\n", "Disallow: /a$b\n", "Disallow: /a%2Fb\n", "Allow: /a\n", "Allow: /a/b$\n",
        "ALLOW: /*\n", "Allow: /%61b\n", "Allow: /\n", "Crawl-delay: 2\n", "Crawl-delay: 1e9\n",
        "Sitemap: http://a.test/s.xml\n", "# a comment\n", "Disallow: /b # why\n", "\n", "\r", "\r\n", " ", "\t",
        "Host: a.test\n", "Disallow /a\n", "Dissallow: /b\n", "Allow: /index.html\n", "\ufeff", "\x00",
    )
)  # fmt: skip


def check_robots(data: bytes) -> None:
    """Any body gives rules, and they never allow what a plain reading of the RFC forbids."""
    asked, body = take(data, 2)
    path = "/" + asked.decode("utf-8", "replace")
    rules = robots.parse(body)
    allowed = rules.allows(path)
    assert allowed == rules.allows(f"https://a.test{path}")
    assert rules.reason(path).isprintable()
    assert rules.delay is None or 0 <= rules.delay <= 86_400
    again = pickle.loads(pickle.dumps(rules))
    assert (again.allows(path), again.delay, again.sitemaps) == (allowed, rules.delay, rules.sitemaps)
    rules.body.encode()
    reference = Reference.read(body)
    if reference is not None and allowed:
        assert reference.allows(path), (path, body)


_STEPS = tuple("/ a b c ab /a /a/b / / a é %61 %C3%A9 %2F %2f ? * $ ; %".split())


_OTHERWISE = {  # the same step written in another way, or a sign that stands for any
    "a": ("a", "%61", "*"),
    "%61": ("a", "%61"),
    "ab": ("ab", "a%62", "%61b", "a*"),
    "é": ("é", "%C3%A9", "%c3%a9"),
    "%C3%A9": ("é", "%c3%A9"),
    "%2F": ("%2f", "%2F", "*"),
    "*": ("*", "%2A"),
    "$": ("%24", "$"),
}


def _address(dice: random.Random) -> bytes:
    """Something like an address, each part of it usual or odd."""
    parts = [
        dice.choice(["http://", "https://", "HTTP://", "//", "http:/", "http:", "", "/", "///", "ftp://"]),
        dice.choice(["", "", "user:secret@", "user@", "@", "a@b@"]),
        dice.choice(
            ["a.test", "A.Test", "münchen.de", "127.0.0.1", "[::1]", "xn--mnchen-3ya.de", "0x7f.1", "a..b", ""]
        ),
        dice.choice(["", "", ":80", ":443", ":8080", ":", ":99999"]),
        "".join(
            dice.choices(
                ["/", "/a", "/../", "/./", "//", "/%2e%2E/", "/é", "/a b", "\\", "/^", "/@", ";x"], k=dice.randint(0, 4)
            )
        ),
        dice.choice(["", "?", "?id=3", "?utm_source=x&id=3", "?q=a@b", "?a#b?c", "?x='\"<>"]),
        dice.choice(["", "", "#", "#top", "#a#b"]),
    ]
    for _ in range(dice.choice((0, 0, 1, 2))):
        parts.insert(dice.randrange(len(parts) + 1), dice.choice([*_SIGNS, *_PARTS.split(" ")]))
    return "".join(parts).encode()


def _robots(dice: random.Random) -> bytes:
    """A path, and a file that keeps to the grammar, whose patterns have a good chance to match it."""

    asked = dice.choices(_STEPS, k=dice.randint(1, 5))

    def pattern() -> str:
        if dice.random() < 0.5:
            return "/" + "".join(dice.choices(_STEPS, k=dice.randint(0, 3)))
        near = [dice.choice(_OTHERWISE.get(step, (step,))) for step in asked[: dice.randint(1, len(asked))]]
        return "/" + "".join(near) + dice.choice(["", "", "$", "*"])

    lines = []
    for _ in range(dice.randint(1, 3)):
        lines += [f"User-agent: {dice.choice(['*', '*', 'honeyguide', 'HoneyGuide/1.0', 'otherbot'])}"]
        lines += [f"{dice.choice(['Allow', 'Disallow'])}: {pattern()}" for _ in range(dice.randint(0, 3))]
    return f"{''.join(asked)}\n{chr(10).join(lines)}\n".encode()


TARGETS = [
    Target(
        "urls",
        check_url,
        thrown(_address) | pieces(_ADDRESS_WORDS, most=12) | encoded(st.text(max_size=60)),
        _ADDRESS_WORDS,
    ),
    Target("robots", check_robots, thrown(_robots) | thrown(_robots) | pieces(_ROBOTS_WORDS), _ROBOTS_WORDS),
]
