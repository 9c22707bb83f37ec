"""The hosts a crawler has to be polite to: what each asks of robots, and how it behaves.

What a crawler may do can be told from the names: a path with `never` in it is one that its host's robots.txt, or a
page's own word to robots, keeps from us; a host whose name begins with `shut-` may be asked for nothing but its
robots.txt; one with `always` must be asked for, or a crawler could be polite by doing nothing.
"""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

__all__ = ["DOMAIN", "SETS", "Host", "Reply", "all_hosts", "crowd", "url"]

DOMAIN = "polite.test"
RULES = "User-agent: *\nDisallow: /never\n"
_LETTERS = "bcdfghklmnprstvz", "aeiou"


@dataclass(frozen=True)
class Reply:
    """One answer, or another way to treat a request: hang up, reset, keep silent, drip."""

    body: bytes = b""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    media: str = "text/html; charset=utf-8"
    manner: str = "answer"
    away: float = 0.0  # seconds it asks to be left alone for
    dated: bool = False  # and says so by a date
    robots: bool = False  # this is, or leads to, a robots.txt
    closes: str = ""  # paths that begin so are forbidden from now on


@dataclass(frozen=True)
class Host:
    """A host: its robots.txt and its pages by how often they were asked for; `delay` is the Crawl-delay it asks for."""

    name: str
    robots: Callable[[int], Reply]
    pages: dict[str, Callable[[int], Reply]] = field(default_factory=dict)
    delay: float = 0.0
    refused: bool = False  # nobody listens
    manner: str = "answer"  # how it treats every request but that for its robots.txt


def url(name: str, path: str = "/") -> str:
    """The address of a page of ours."""
    return f"http://{name}.{DOMAIN}{path}"


def words(seed: str, number: int = 120) -> str:
    """Text like no other page's, with the topic in it."""
    chance = random.Random(seed)
    made = ["".join(chance.choice(part) for part in _LETTERS * 3) for _ in range(number)]
    told = "Honey bees make honey in their hive, and the honey of bees is good. " * 6
    return " ".join([*made[: number // 2], told, *made[number // 2 :]])


def page(name: str, path: str, links: list[str], head: str = "", **more: object) -> Reply:
    """A page on the topic with links, each an address or a whole tag."""
    tags = [link if link.startswith("<") else f'<a href="{link}">honey {link}</a>' for link in links]
    body = f"<!DOCTYPE html><title>Honey {name} {path}</title>{head}<p>{words(name + path)}</p><p>{' '.join(tags)}</p>"
    return replace(Reply(body.encode()), **more)  # type: ignore[arg-type]


def said(text: str | bytes, **more: object) -> Callable[[int], Reply]:
    """A robots.txt that says this."""
    body = text if isinstance(text, bytes) else text.encode()
    reply = replace(Reply(body, media="text/plain", robots=True), **more)  # type: ignore[arg-type]
    return lambda _turn: reply


def no_robots(status: int) -> Callable[[int], Reply]:
    """A robots.txt that is not there, or cannot be had."""
    return said(b"", status=status)


def moved(to: str) -> Callable[[int], Reply]:
    """A robots.txt that is elsewhere."""
    return said(b"", status=302, headers=(("Location", to),))


def site(name: str, robots: Callable[[int], Reply], *paths: str, delay: float = 0.0, manner: str = "answer") -> Host:
    """A front page that links to these paths, and they to nothing."""
    pages: dict[str, Callable[[int], Reply]] = {}
    for path in paths:
        made = page(name, path, [])
        pages[path] = lambda _turn, made=made: made  # type: ignore[misc]
    front = page(name, "/", list(paths))
    pages["/"] = lambda _turn: front
    return Host(name, robots, pages, delay, manner=manner)


def plain(name: str, pages: int, *, delay: float = 0.0, beside: str = "") -> Host:
    """An ordinary site: pages one after another, each with a link that robots.txt forbids."""
    rules = RULES + (f"Crawl-delay: {delay:g}\n" if delay else "")
    host = Host(name, said(rules), {}, delay)
    for number in range(pages):
        path = "/" if number == 0 else f"/always/{number}"
        links = [f"/always/{number + 1}", f"/always/{number + 2}", f"/never/{number}"] + ([beside] if beside else [])
        made = page(name, path, links[1:] if number + 1 == pages else links)
        host.pages[path] = lambda _turn, made=made: made  # type: ignore[misc]
    return host


def _long(size: int) -> bytes:
    """A long robots.txt whose 500th KiB ends in the middle of a line that, so cut, would forbid what is allowed."""
    head = b"User-agent: *\nDisallow: /never\n"
    edge = b"\nDisallow: /always-not-this\n"
    room = 500 * 1024 - len(head) - len(b"\nDisallow: /always")
    return head + (b"# filler\n" * (room // 9 + 1))[: room - 1] + b"#" + edge + b"# more\n" * ((size - 500 * 1024) // 7)


def _rules() -> list[Host]:
    """RFC 9309, sections 2.1 to 2.3: groups, matching, access, encodings, size."""
    both = ("/always/1", "/never/1")
    ends = RULES.replace("\n", "\r")
    two = "User-agent: honeyguide\nDisallow: /never-a\n\nUser-agent: o\nDisallow: /\n\n"
    two += "User-agent: HoneyGuide/2\nDisallow: /never-b"
    longest = "User-agent: *\nDisallow: /x\nAllow: /x/always\nAllow: /t\nDisallow: /t"
    star = "User-agent: *\nDisallow: /*.php$\nDisallow: /*/never"
    escapes = "User-agent: *\nDisallow: /%6Eever\nDisallow: /caf\u00e9/never\nDisallow: /a%3cnever"
    return [
        site("group", said("User-agent: *\nDisallow: /\n\nUser-agent: honeyguide\nDisallow: /never"), *both),
        site("merge", said(two), "/always/1", "/never-a", "/never-b"),
        site("longest", said(longest), "/x/always", "/x/never", "/t/always"),
        site("star", said(star), "/always.php?id=1", "/never.php", "/a/b/never"),
        site("percent", said(escapes), "/always", "/never/1", "/caf%C3%A9/never", "/a%3Cnever"),
        site("bom", said(b"\xef\xbb\xbf" + RULES.encode()), *both),
        site("utf16", said(RULES.encode("utf-16")), *both),
        site("latin1", said(b"# caf\xe9\n" + RULES.encode()), *both),
        site("cr", said(ends), *both),
        site("crlf", said(RULES.replace("\n", "\r\n")), *both),
        site("packed", said(gzip.compress(RULES.encode()), headers=(("Content-Encoding", "gzip"),)), *both),
        site("picture", said(RULES, media="image/png"), *both),
        site("long", said(_long(600 * 1024)), *both),
        site("huge", said(_long(6_000_000)), *both),
        site("none-404", no_robots(404), "/always"),
        site("none-403", no_robots(403), "/always"),
        site("none-410", no_robots(410), "/always"),
    ]  # fmt: skip


def _moves() -> list[Host]:
    """RFC 9309, section 2.3.1.2: five redirects are followed, also to other hosts."""
    hosts = []
    for hops, name, paths in ((5, "hops-5", ("/always/1", "/never/1")), (6, "hops-6", ("/always/1",))):
        host = site(name, moved("/hop-1"), *paths)
        for hop in range(1, hops + 1):
            last = said(RULES if hops == 5 else "User-agent: *\nDisallow: /")
            host.pages[f"/hop-{hop}"] = last if hop == hops else moved(f"/hop-{hop + 1}")
        hosts.append(host)
    rules = site("rules", said("User-agent: *\nAllow: /"), "/always/1", "/always/2", "/always/3")
    rules.pages["/for-others.txt"] = said(RULES)
    circle = site("circle", moved("/hop-a"), "/always/1")
    circle.pages.update({"/hop-a": moved("/hop-b"), "/hop-b": moved("/hop-a")})
    return [
        *hosts,
        rules,
        site("away-1", moved(url("rules", "/for-others.txt")), "/always/1", "/never/1"),
        site("away-2", moved(url("rules", "/for-others.txt")), "/always/1", "/never/1"),
        site("own-1", moved(url("plain-1", "/robots.txt")), "/always/1", "/never/1"),
        site("own-2", moved(url("plain-1", "/robots.txt")), "/always/1", "/never/1"),
        site("shut-private", moved("http://10.1.2.3/robots.txt"), "/always/1"),
        circle,
    ]


def _trouble(patience: float) -> list[Host]:
    """Hosts that are busy for a while, fail for good, or cannot say what they allow."""

    def soon(first: Reply, then: Reply) -> Callable[[int], Reply]:
        return lambda turn: first if turn == 0 else then

    def twice(turn: int) -> Reply:
        return no_robots(500)(turn) if turn < 2 else said(RULES)(turn)

    busy = Reply(b"busy", 429, away=patience)
    down = Reply(b"down", 503, away=patience + 1, dated=True)
    hosts = []
    for name, first in (("busy-429", busy), ("busy-503", down)):
        host = site(name, said(RULES), "/always/1", "/always/2")
        for path in ("/", "/always/2"):
            host.pages[path] = soon(first, host.pages[path](1))
        hosts.append(host)
    for name, first in (("busy-robots-503", replace(busy, status=503)), ("busy-robots-429", replace(down, status=429))):
        hosts.append(site(name, soon(replace(first, robots=True), said(RULES)(1)), "/always/1", "/never/1"))
    day = site("busy-day", said(RULES), "/always/1")
    day.pages["/"] = lambda _turn: Reply(b"", 503, away=100_000.0)
    hosts += [day, site("later", twice, "/always/1", "/never/1")]
    hosts += [site("shut-day", said("User-agent: *\nCrawl-delay: 86400"), "/always/1", delay=86_400.0)]
    hosts += [site(f"shut-{status}", no_robots(status), "/always/1") for status in (500, 503, 429)]
    hosts += [site(f"shut-{manner}", said(b"", manner=manner), "/always/1") for manner in ("reset", "hangup", "silent")]
    many = [f"/{number}" for number in range(9)]
    for manner in ("reset", "hangup", "silent", "half"):
        hosts.append(site(f"fail-{manner}", said(RULES), *many, manner=manner))
    hosts.append(replace(site("fail-refused", said(RULES)), refused=True))
    for status in (500, 521):
        failed = Reply(b"", status)
        pages = dict.fromkeys(["/", *many], lambda _turn, failed=failed: failed)  # type: ignore[misc]
        hosts.append(Host(f"fail-{status}", said(RULES), pages))
    return hosts


def _words() -> list[Host]:
    """What pages themselves ask of robots, and sitemaps named in robots.txt."""

    def made(path: str, links: list[str], head: str = "", tags: tuple[str, ...] = ()) -> Reply:
        return page("words", path, links, head, headers=tuple(("X-Robots-Tag", tag) for tag in tags))

    odd = {
        "/meta-nofollow": made("/1", ["/never/1"], '<meta name="robots" content="nofollow">'),
        "/meta-none": made("/2", ["/never/2"], '<meta name="ROBOTS" content="none">'),
        "/meta-ours": made("/3", ["/never/3"], '<meta name="honeyguide" content="noindex nofollow">'),
        "/meta-theirs": made("/4", ["/always/4"], '<meta name="otherbot" content="none">'),
        "/header": made("/5", ["/never/5"], tags=("nofollow",)),
        "/header-ours": made("/6", ["/never/6"], tags=("otherbot: index", "honeyguide: none")),
        "/header-second": made("/7", ["/never/7"], tags=("otherbot: noindex", "noindex, nofollow")),
        "/header-theirs": made("/8", ["/always/8"], tags=("otherbot: none", "max-snippet: 9")),
        "/rel": made("/9", ['<a rel="external nofollow" href="/never/9">honey</a>', "/always/9"]),
    }  # fmt: skip
    host = site("words", said("User-agent: *\nAllow: /"), *odd)
    for path in ("/always/4", "/always/8", "/always/9"):
        odd[path] = made(path, [])
    host.pages.update({path: (lambda _turn, reply=reply: reply) for path, reply in odd.items()})  # type: ignore[misc]
    return [host, _sitemaps()]


def _sitemaps() -> Host:
    named = [f"Sitemap: /map-{n}.xml" for n in range(9)] + [f"Sitemap: {url('sitemaps', '/index.xml')}"]
    named += [f"Sitemap: /never/map-{number}.xml" for number in (1, 2)]
    host = site("sitemaps", said("\n".join(["User-agent: *", "Disallow: /hidden/never", *named])))
    form = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'
    entry = "<url><loc>{}</loc></url>"
    for number in range(9):
        inside = "".join(entry.format(url("sitemaps", path)) for path in (f"/always/{number}", "/hidden/never"))
        body = form.format(inside).encode()
        packed = gzip.compress(body) if number == 3 else body[:-9] if number == 4 else body
        host.pages[f"/map-{number}.xml"] = said(packed, media="application/xml", robots=False)
    child = f"<sitemapindex><sitemap><loc>{url('sitemaps', '/child.xml')}</loc></sitemap></sitemapindex>"
    host.pages["/index.xml"] = said(child, media="application/xml", robots=False)
    host.pages["/child.xml"] = said(form.format(entry.format("/always/child")), media="application/xml", robots=False)
    for path in [f"/always/{number}" for number in range(9)] + ["/always/child"]:
        made = page("sitemaps", path, [])
        host.pages[path] = lambda _turn, made=made: made  # type: ignore[misc]
    return host


def _brief(pages: int) -> Host:
    """A robots.txt that holds for a second, and says more the second time."""
    host = plain("brief", pages)
    for number in range(pages):
        made = page("brief", f"/always/{number}", [f"/always/{number + 1}", f"/soon/{number}"])
        host.pages[f"/always/{number}" if number else "/"] = lambda _turn, made=made: made  # type: ignore[misc]
        soon = page("brief", f"/soon/{number}", [])
        host.pages[f"/soon/{number}"] = lambda _turn, soon=soon: soon  # type: ignore[misc]
    fresh = (("Cache-Control", "public, max-age=1"),)
    first, then = said(RULES, headers=fresh)(0), said(RULES + "Disallow: /soon\n", headers=fresh, closes="/soon")(1)
    return replace(host, robots=lambda turn: then if turn else first)


def all_hosts(*, ordinary: int, pages: int, patience: float, brief: int = 0) -> list[Host]:
    """All of them; `patience` is how many seconds the busy ones ask for, `brief` the pages of the one that changes."""
    hosts = [plain(f"plain-{n}", pages, beside=url(f"plain-{(n + 1) % ordinary}")) for n in range(ordinary)]
    hosts += [plain(f"slow-pace-{n}", 4, delay=delay) for n, delay in enumerate((0.5, 0.8, 1.2))]
    hosts += _rules() + _moves() + _trouble(patience) + _words()
    return hosts + ([_brief(brief)] if brief else [])


def crowd(*, quiet: int, pages: int, bad: bool) -> list[Host]:
    """Quiet hosts with dull links; with `bad`, each also names many promising pages of hosts that keep us waiting."""
    names = ("drip", "silent", "refused") if bad else ()
    lures = [f'<a href="{url(name, f"/{n}")}">honey bees hive honey</a>' for name in names for n in range(120)]
    hosts = []
    for number in range(quiet):
        name = f"quiet-{number}"
        host = Host(name, said(RULES))
        for place in range(pages):
            dull = f'<a href="/{place + 1}">next</a> <a href="/{place + 2}">after next</a>'
            made = page(name, f"/{place}", [dull, *lures] if place == 0 else [dull])
            host.pages[f"/{place}" if place else "/"] = lambda _turn, made=made: made  # type: ignore[misc]
        hosts.append(host)
    for name in names:
        manner = "answer" if name == "refused" else name
        hosts.append(Host(name, said(RULES), refused=name == "refused", manner=manner))
    return hosts


SETS = {"all": all_hosts, "crowd": crowd}
