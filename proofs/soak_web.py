"""A web without end for the soak, played by one process: `python proofs/soak_web.py`.

It prints its port and runs until its input ends. Every page names ten pages that no other page names before it, and
about twenty that are known already: its siblings, its forebears and theirs. So a crawl knows ten URLs for every page it
has visited, from the first to the last, in whatever order it goes; and however deep it goes, addresses and pages are no
longer than at the beginning. Every text is put together from sentences chosen by the page's number, and one page in
twenty is about the topic.
"""

from __future__ import annotations

import asyncio
import random
import sys

__all__ = ["HOSTS", "TOPIC_WORDS", "host_of_page", "page", "url"]

HOSTS, CHILDREN = 50, 10
TOPIC_WORDS = ("honey", "bees", "beekeeper", "hive", "nectar", "pollen", "comb", "swarm", "apiary", "wax")
_SENTENCES, _ON_TOPIC, _SHARE = 4_000, 600, 20
_LETTERS = ("ka", "lo", "mi", "ter", "ban", "su", "rel", "von", "da", "pik", "no", "gra", "fel", "ut", "shi", "mor")


def _words(dice: random.Random, many: int) -> list[str]:
    return ["".join(dice.choices(_LETTERS, k=dice.randint(2, 4))) for _ in range(many)]


def _sentences() -> tuple[list[str], list[str]]:
    """Sentences of a language of our own with English joints, so that it reads as English; some about the topic."""
    dice = random.Random(7)
    words, joints = _words(dice, 6_000), "the of and to in that is was for with as his they at be this from by".split()

    def sentence(share: float) -> str:
        found = []
        for _ in range(dice.randint(6, 12)):
            found += [dice.choice(joints), dice.choice(TOPIC_WORDS) if dice.random() < share else dice.choice(words)]
        return " ".join(found).capitalize() + ". "

    return [sentence(0.0) for _ in range(_SENTENCES)], [sentence(0.5) for _ in range(_ON_TOPIC)]


_PLAIN, _TOPICAL = _sentences()
_NAMES = _words(random.Random(8), 3_000)


def host_of_page(number: int) -> str:
    """The host a page is on: scattered, so that a page's links lead to many hosts."""
    return f"h{number * 2_654_435_761 % 4_294_967_296 * HOSTS >> 32}.test"


def _on_topic(number: int) -> bool:
    return number * 40_503 % 65_536 % _SHARE == 0


def url(number: int) -> str:
    """A page's address."""
    name = _NAMES[number % len(_NAMES)]
    kind = TOPIC_WORDS[number % len(TOPIC_WORDS)] if _on_topic(number) else _NAMES[number * 31 % len(_NAMES)]
    return f"http://{host_of_page(number)}/{_NAMES[number * 7 % 97]}/{kind}-{name}-{number}.html"


_parents: dict[int, int] = {}  # who was the first to name a page, of all that were named


def _children(number: int) -> list[int]:
    """The numbers of the pages a page is the first to name: fifteen digits at most, and no two alike to speak of."""
    places = (CHILDREN * number + step for step in range(1, CHILDREN + 1))
    return [place * 0x9E37_79B9_7F4A_7C15 % (1 << 64) >> 16 for place in places]


def _links(number: int) -> tuple[list[int], list[int]]:
    """The pages it names first, and some of those that were named before it."""
    children = _children(number)
    for child in children:
        _parents.setdefault(child, number)
    known: list[int] = []
    parent = _parents.get(number)
    while parent is not None and len(known) < 20:
        known += [parent, *_children(parent)[:: 1 + len(known) // 10]]
        parent = _parents.get(parent)
    return children, [one for one in known if one != number][:22]


def page(number: int) -> bytes:
    """A page of about ten kilobytes."""
    dice = random.Random(number)
    some = dice.choices(_PLAIN, k=48)
    if _on_topic(number):
        some[::2] = dice.choices(_TOPICAL, k=24)
    children, known = _links(number)
    title = f"{'Honey and bees: ' if _on_topic(number) else ''}{_NAMES[number % len(_NAMES)]} {number}"
    parts = [
        f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{title}</title>",
        f"<meta name=description content='About {title}'><link rel=stylesheet href=/s.css></head><body>",
        "<div id=top><ul class=menu>", *(f"<li><a href='{url(one)}'>{_anchor(one)}</a></li>" for one in known[:8]),
        f"</ul></div><div id=main><article><h1>{title}</h1>",
    ]  # fmt: skip
    for place in range(8):
        parts.append("<p>" + "".join(some[6 * place : 6 * place + 6]))
        if place < 5:
            two = children[2 * place : 2 * place + 2]
            parts += [f"See also <a href='{url(one)}'>{_anchor(one)}</a> on this. " for one in two]
        parts.append("</p>")
    parts += ["</article></div><div class=more><h2>More</h2><ul>"]
    parts += [f"<li><a href='{url(one)}'>{_anchor(one)}</a></li>" for one in known[8:]]
    parts.append("</ul></div><footer>All pages of this web are made up.</footer></body></html>")
    return "".join(parts).encode()


def _anchor(number: int) -> str:
    first = TOPIC_WORDS[number % len(TOPIC_WORDS)] if _on_topic(number) else _NAMES[number * 31 % len(_NAMES)]
    return f"{first} {_NAMES[number % len(_NAMES)]}"


class _Server(asyncio.Protocol):
    """Answers what it is asked, one request after the other; just enough of HTTP for a well-behaved crawler."""

    def __init__(self) -> None:
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody is there."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Somebody asks."""
        self._rest += data
        while b"\r\n\r\n" in self._rest:
            head, _, self._rest = self._rest.partition(b"\r\n\r\n")
            self._transport.write(_answer(head.split(b" ", 2)[1].decode("latin-1")))


def _answer(path: str) -> bytes:
    number = path.rpartition("-")[2].removesuffix(".html")
    if path == "/robots.txt":
        status, kind, body = "200 OK", "text/plain", b"User-agent: *\nDisallow: /private/\n"
    elif number.isdigit():
        status, kind, body = "200 OK", "text/html; charset=utf-8", page(int(number))
    else:
        status, kind, body = "404 Not Found", "text/plain", b"no such page"
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(_Server, "127.0.0.1", 0, backlog=200)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(_serve())
