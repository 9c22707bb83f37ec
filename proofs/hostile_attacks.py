"""The attacks that lead a crawler in circles or astray: traps, redirects, odd addresses, false pages."""

from __future__ import annotations

import asyncio
import random

from proofs.hostile_server import Attack, Request, html, ok, page, said, words

__all__ = ["TRAPS"]

_FRONT = "A quiet page about the village and the river, with nothing to say of its own but many links to follow."


def _number(path: str) -> int:
    digits = "".join(sign for sign in path if sign.isdigit())
    return int(digits[-9:] or 0)


async def _endless(request: Request, writer: asyncio.StreamWriter) -> None:
    at = _number(request.path)
    await html(writer, f"Page {at}", words(f"endless {at}", topic=0.0), [f"/p/{at * 3 + step}" for step in (1, 2, 3)])


async def _same(request: Request, writer: asyncio.StreamWriter) -> None:
    at = _number(request.path)
    await html(writer, "Always the same", words("same"), [f"/page/{at * 3 + step}" for step in (1, 2, 3)])


async def _calendar(request: Request, writer: asyncio.StreamWriter) -> None:
    month = _number(request.path) or 202_401
    year, name = divmod(month, 100)
    names = "January February March April May June July August September October November December".split()
    title = f"{names[name % 12]} {year}"
    days = " ".join(str(day) for day in range(1, 31))
    after = [f"/calendar/{year + (name + step) // 12}{(name + step) % 12 + 1:02}" for step in (-2, -1, 0, 1, 2)]
    await html(writer, title, f"Events of the club in {title}. There are no events this month. {days}", after)


async def _session(request: Request, writer: asyncio.StreamWriter) -> None:
    dice = random.Random(request.path)
    name = request.path.partition(";")[0].strip("/") or "one"
    links = [f"/{other};jsessionid={dice.getrandbits(128):032X}" for other in ("one", "two", "three", "four", "five")]
    await html(writer, f"Shop {name}", words(f"shop {name}"), links)


async def _query(request: Request, writer: asyncio.StreamWriter) -> None:
    dice = random.Random(request.path)
    letters = "abcdefghijklmnopqrstuvwxyz"
    links = [f"/list?order={''.join(dice.choices(letters, k=9))}&view={dice.choice(letters)}" for _ in range(5)]
    await html(writer, "The list", words("list"), links)


async def _segments(request: Request, writer: asyncio.StreamWriter) -> None:
    await html(writer, request.path[-60:], words(request.path), ["news/", "old/"])


async def _soft(request: Request, writer: asyncio.StreamWriter) -> None:
    dice = random.Random(request.path)
    letters = "abcdefghijklmnopqrstuvwxyz"
    links = ["/" + "".join(dice.choices(letters, k=8)) + "/" + "".join(dice.choices(letters, k=5)) for _ in range(8)]
    await html(writer, "Welcome", "We are sorry, the page was not found. " + words("sorry", 40), links)


async def _mirror(request: Request, writer: asyncio.StreamWriter) -> None:
    if request.host == "mirror.test" and request.path == "/":
        await html(writer, "Mirrors", _FRONT, [f"http://m{number}.test/" for number in range(8)])
        return
    name = request.path.strip("/") or "front"
    await html(writer, f"Copy {name}", words(f"copy {name}"), [f"/{one}" for one in "alpha beta gamma delta".split()])


async def _wild(request: Request, writer: asyncio.StreamWriter) -> None:
    at = _number(request.host)
    links = [f"http://w{at * 4 + step}.wild.test/" for step in (1, 2, 3, 4)]
    await html(writer, "Wild", words("wild"), links)


async def _dead(request: Request, writer: asyncio.StreamWriter) -> None:
    if request.host == "robotsdead.test":
        if request.path == "/robots.txt":
            await ok(writer, said(b"", status="404 Not Found"))
        else:
            links = [f"http://robots{number}.robotsdead.test/" for number in range(600)]
            await html(writer, "Many hosts", _FRONT, links)
    # every other host of the site hangs up on whoever asks


async def _redirects(request: Request, writer: asyncio.StreamWriter) -> None:
    at = _number(request.path)
    if request.path == "/":
        links = [
            "/hop/x",
            "/r/1",
            "/loop/a",
            "/self",
            "/nowhere",
            "/odd",
            *(f"/r/{number}000000" for number in range(1, 60)),
        ]
        await html(writer, "Moved", _FRONT, links)
        return
    target = {"/loop/a": "/loop/b", "/loop/b": "/loop/a", "/self": "/self", "/odd": "javascript:alert(1)"}
    further = f"{request.path}x" if request.path.startswith("/hop/") else f"/r/{at + 1}"
    place = "" if request.path == "/nowhere" else target.get(request.path, further)
    more = f"Location: {place}\r\n" if place else ""
    await ok(writer, said(b"moved", status="302 Found", more=more))


async def _inward(request: Request, writer: asyncio.StreamWriter) -> None:
    port = request.headers["inside"]
    places = ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "10.0.0.1", "0"]
    places += ["169.254.169.254", "100.100.100.200", "192.168.0.1", "127.0.0.1.", "[::127.0.0.1]", "0177.0.0.1"]
    if request.path == "/":
        links = [f"/to/{number}" for number in range(len(places))]
        await html(
            writer, "Inward", _FRONT, [*links, f"http://127.0.0.1:{port}/direct", "http://169.254.169.254/latest/"]
        )
    else:
        place = places[_number(request.path) % len(places)]
        await ok(writer, said(b"", status="302 Found", more=f"Location: http://{place}:{port}/secret\r\n"))


async def _robots_inward(request: Request, writer: asyncio.StreamWriter) -> None:
    if request.path == "/robots.txt":
        place = f"http://127.0.0.1:{request.headers['inside']}/robots.txt"
        await ok(writer, said(b"", status="302 Found", more=f"Location: {place}\r\n"))
    else:
        await html(writer, "Front", words("robots front"))


_ODD = (
    "javascript:alert(1)", "data:text/html,<b>x", "mailto:a@b.test", "tel:123", "ftp://odd.test/x", "file:///etc/passwd",
    "http://", "http://[::1", "http://a b.test/", "http://odd.test:99999/", "//", "http:///x", "blob:http://odd.test/1",
    "java\tscript:alert(2)", "&#1;javascript:alert(3)", "http://odd.test/tab\there", "http://odd.test/line\nbreak",
    "/nul\x00byte", "/bell\x07", "/\u202egnp.exe", "/%00", "/%0d%0aSet-Cookie:%20a=b", "http://user:secret@odd.test/kept",
    "/" + "x" * 5_000, "view-source:http://odd.test/", "HTTP://ODD.TEST:80/upper",
)  # fmt: skip


async def _odd(request: Request, writer: asyncio.StreamWriter) -> None:
    links = list(_ODD) if request.path == "/" else []
    await html(writer, "Odd addresses", words(request.path), links)


async def _lookalike(_: Request, writer: asyncio.StreamWriter) -> None:
    # Cyrillic and Greek letters among Latin ones, a full-width name, and a right-to-left mark inside a name
    links = ["http://g\u043e\u043ed.test/", "http://go\u03bfd.test/", "http://\uff47\uff4f\uff4f\uff44.test/bees/wax-j"]
    links += ["http://go\u200fod.test/", "http://xn--.test/", "http://xn--a-ecp.test/"]
    await html(writer, "Look-alikes", words("idn"), links)


async def _cookies(request: Request, writer: asyncio.StreamWriter) -> None:
    more = "Set-Cookie: id=42; Path=/; Domain=test\r\nSet-Cookie: b=" + "c" * 4_000 + "\r\n"
    links = ["/one", "/two", "http://good.test/"]
    await ok(writer, said(page("Cookies", words(request.path), links), more=more))


async def _refresh(request: Request, writer: asyncio.StreamWriter) -> None:
    other = "b" if request.path.endswith("a") else "a"
    head = f'<meta http-equiv="refresh" content="0;url=/refresh/{other}">'
    await html(writer, "Refresh", words(request.path), [f"/refresh/{other}"], head)


async def _base(request: Request, writer: asyncio.StreamWriter) -> None:
    bases = {
        "/": f"http://127.0.0.1:{request.headers['inside']}/",
        "/a": "javascript:alert(1)//",
        "/b": "http://[bad",
        "/c": "data:text/html,",
        "/d": "//" + "x" * 3_000 + ".test/",
    }
    head = f'<base href="{bases.get(request.path, "")}">'
    await html(
        writer, "Base", words(request.path), ["inside.html", *(f"http://base.test/{one}" for one in "abcd")], head
    )


async def _crowd(request: Request, writer: asyncio.StreamWriter) -> None:
    at = _number(request.path)
    text = words(f"crowd {at}", topic=0.0)
    links = "".join(f"<a href=/c/{at * 5_000 + number}>more</a>" for number in range(1, 5_001))
    await ok(writer, said(f"<title>{at}</title><p>{text}</p>{links}".encode()))


async def _stuffed(request: Request, writer: asyncio.StreamWriter) -> None:
    topical = "bees honey hive nectar pollen beekeeper colony queen wax comb"
    text = {"/": words("calm"), "/a": "bees honey " * 3_000, "/b": f"{topical} " * 600}.get(
        request.path, (topical + " " + words(request.path, 24, 0.0) + " ") * 60
    )
    await html(writer, "Honey bees honey bees", text, ["/a", "/b", "/c", "/d"])


TRAPS = [
    Attack("endless", "pages without end, each new", _endless, "the budget of 200 pages is spent", 200, pages=200),
    Attack("same", "pages without end, all the same", _same, "brought nothing new", 60),
    Attack("calendar", "a calendar of all years", _calendar, "brought nothing new", 60),
    Attack("session", "five pages under endless session ids", _session, "brought nothing new", 90),
    Attack("query", "one list under endless orders", _query, "brought nothing new", 60),
    Attack(
        "segments",
        "paths that repeat themselves",
        _segments,
        "",
        200,
        refused=("http://segments.test/news/news/news/news/news/",),
    ),
    Attack("soft", "the same page for every address", _soft, "brought nothing new", 100),
    Attack(
        "mirror",
        "one site under eight names",
        _mirror,
        "all but the same as",
        60,
        names=tuple(f"m{n}.test" for n in range(8)),
    ),
    Attack(
        "wild",
        "host names without end",
        _wild,
        "brought nothing new",
        80,
        names=tuple(f"w{n}.wild.test" for n in range(3_000)),
    ),
    Attack(
        "robotsdead",
        "hundreds of dead hosts of one site",
        _dead,
        "hosts of robotsdead.test",
        250,
        names=tuple(f"robots{n}.robotsdead.test" for n in range(600)),
    ),
    Attack("redirects", "redirects without end, loops, and into nothing", _redirects, "10 redirects in a row", 120),
    Attack("inward", "redirects and links to private addresses", _inward, "address refused", 20),
    Attack("robotsinward", "a robots.txt that redirects inward", _robots_inward, "", 3),
    Attack(
        "odd",
        "javascript:, data:, control characters, endless names",
        _odd,
        "longer than 2000 characters",
        16,
        kept=("http://odd.test/kept", "http://odd.test/upper"),
    ),
    Attack("lookalike", "hosts that look like others", _lookalike, "xn--g.*does not resolve", 4),
    Attack("cookies", "cookies for everybody", _cookies, "", 4),
    Attack("refresh", "pages that refresh in circles", _refresh, "", 4),
    Attack("base", "base addresses that lead inward or nowhere", _base, "address refused", 8),
    Attack("crowd", "five thousand new links on every page", _crowd, "more addresses than", 60, pages=80),
    Attack("stuffed", "pages stuffed with the topic's words", _stuffed, "repeats", 8),
]
