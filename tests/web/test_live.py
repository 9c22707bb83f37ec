"""The live web, tried on real local servers that behave and misbehave."""

from __future__ import annotations

import asyncio
import gzip
import socket
import time
import zlib
from collections.abc import Awaitable, Callable

import brotli
import pytest
from aiohttp import web
from backports import zstd

from honeyguide.web.base import Response
from honeyguide.web.guard import Guard
from honeyguide.web.live import LiveWeb

AGENT = "honeyguide-test/1.0 (+http://contact.example/)"
PATIENCE = 120.0  # seconds for an answer, on a machine however slow; what is cut off must be so for another reason
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Raw = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def _live(**options: object) -> LiveWeb:
    given: dict[str, object] = {
        "agent": AGENT,
        "guard": Guard(["127.0.0.1", "::1"]),
        "total_timeout": PATIENCE,
        **options,
    }
    return LiveWeb(**given)  # type: ignore[arg-type]


def _ask(handler: Handler, path: str = "/", **options: object) -> Response:
    """The answer to one request to a server with this handler."""

    async def run() -> Response:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", handler)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        live = _live(**options)
        try:
            return await live.fetch(f"http://127.0.0.1:{port}{path}")
        finally:
            await live.close()
            await runner.cleanup()

    return asyncio.run(run())


def _ask_raw(handler: Raw, **options: object) -> Response:
    """The answer to one request to a server that writes what it likes."""

    async def run() -> Response:
        under_way: list[asyncio.Task[None]] = []

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            under_way.append(asyncio.current_task())  # type: ignore[arg-type]
            try:
                await reader.readuntil(b"\r\n\r\n")
                await handler(reader, writer)
            except (ConnectionError, asyncio.IncompleteReadError):
                pass
            finally:
                writer.close()

        server = await asyncio.start_server(connected, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        live = _live(**options)
        try:
            return await live.fetch(f"http://127.0.0.1:{port}/")
        finally:
            await live.close()
            server.close()
            for task in under_way:  # nobody listens any more
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    return asyncio.run(run())


def _says(answer: bytes) -> Raw:
    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        await writer.drain()

    return handler


def _for_ever(head: bytes, more: bytes, pause: float = 0.0) -> Raw:
    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while True:
            writer.write(more)
            await writer.drain()
            await asyncio.sleep(pause)

    return handler


BROKEN = "answer broke off or could not be decoded"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


# -- answers ----------------------------------------------------------------------------------------------------


def test_a_page_is_answered_with_its_headers_and_the_time() -> None:
    async def page(request: web.Request) -> web.Response:
        return web.Response(
            text="<p>蜂蜜", content_type="text/html", charset="gb18030", headers={"X-Robots-Tag": "noindex"}
        )

    before, begun = time.time(), time.monotonic()
    answer = _ask(page)
    assert (answer.status, answer.error, answer.media, answer.charset) == (200, "", "text/html", "gb18030")
    assert answer.body.decode("gb18030") == "<p>蜂蜜"
    assert answer.header("x-robots-tag") == "noindex"
    assert before <= answer.fetched <= time.time()
    assert 0 < answer.seconds <= time.monotonic() - begun


@pytest.mark.parametrize("status", [200, 203, 400, 403, 404, 410, 429, 500, 503, 599])
def test_any_status_is_an_answer(status: int) -> None:
    async def page(request: web.Request) -> web.Response:
        return web.Response(status=status, text="said so", headers={"Retry-After": "7"})

    answer = _ask(page)
    assert (answer.status, answer.body, answer.error) == (status, b"said so", "")
    assert answer.header("retry-after") == "7"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_an_answer_and_is_not_followed(status: int) -> None:
    asked: list[str] = []

    async def page(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.Response(status=status, headers={"Location": "/there"}, text="moved")

    answer = _ask(page, "/here")
    assert (answer.status, answer.header("location"), answer.body, answer.error) == (status, "/there", b"", "")
    assert asked == ["/here"]


def test_we_say_who_we_are_and_what_we_read() -> None:
    seen: dict[str, str] = {}

    async def page(request: web.Request) -> web.Response:
        seen.update(request.headers)
        return web.Response(text="ok", headers={"Set-Cookie": "a=b"})

    _ask(page, languages=("en", "zh"))
    assert seen["User-Agent"] == AGENT
    assert seen["Accept-Language"] == "en, zh, *;q=0.5"
    assert "text/html" in seen["Accept"]
    assert set(seen["Accept-Encoding"].split(", ")) == {"gzip", "deflate", "br", "zstd"}
    assert "Cookie" not in seen
    assert "Referer" not in seen


def test_cookies_are_not_sent_back() -> None:
    cookies: list[str] = []

    async def main() -> None:
        async def page(request: web.Request) -> web.Response:
            cookies.append(request.headers.get("Cookie", ""))
            return web.Response(text="ok", headers={"Set-Cookie": "a=b; Path=/"})

        runner = web.AppRunner(app := web.Application())
        app.router.add_get("/", page)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        live = _live()
        for _ in range(2):
            await live.fetch(f"http://127.0.0.1:{runner.addresses[0][1]}/")
        await live.close()
        await runner.cleanup()

    asyncio.run(main())
    assert cookies == ["", ""]


@pytest.mark.parametrize("path", ["/a%2Fb?x=%20y", "/%7euser/%25C3", "/a//b;c=d?e=f&&g", "/?a=1&b=%E8%8C%B6", "/'()*"])
def test_the_address_is_asked_for_as_it_stands(path: str) -> None:
    asked: list[str] = []

    async def page(request: web.Request) -> web.Response:
        asked.append(request.raw_path)
        return web.Response(text="ok")

    _ask(page, path)
    assert asked == [path]


@pytest.mark.parametrize(
    ("name", "pack"),
    [("gzip", gzip.compress), ("deflate", zlib.compress), ("br", brotli.compress), ("zstd", zstd.compress)],
)
def test_packed_bodies_are_unpacked(name: str, pack: Callable[[bytes], bytes]) -> None:
    body = pack(b"honey " * 1_000)
    head = HEAD + f"Content-Encoding: {name}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    answer = _ask_raw(_says(head + body))
    assert (answer.status, answer.error) == (200, "")
    assert answer.body == b"honey " * 1_000


def test_names_of_our_own_lead_to_the_local_server() -> None:
    hosts: list[str] = []

    async def main() -> Response:
        async def page(request: web.Request) -> web.Response:
            hosts.append(request.host)
            return web.Response(text="ok")

        runner = web.AppRunner(app := web.Application())
        app.router.add_get("/", page)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        live = _live(names={"news.demo.test": ("127.0.0.1", runner.addresses[0][1])})
        try:
            return await live.fetch("http://news.demo.test/")
        finally:
            await live.close()
            await runner.cleanup()

    assert asyncio.run(main()).status == 200
    assert hosts == ["news.demo.test"]


# -- limits -----------------------------------------------------------------------------------------------------


def test_a_body_without_end_is_cut_off_while_it_streams() -> None:
    answer = _ask_raw(_for_ever(HEAD + b"\r\n", b"x" * 65_536), largest=300_000)
    assert (answer.status, answer.body) == (200, b"")
    assert (answer.error, answer.lasting) == ("larger than 300000 bytes", True)


def test_a_body_that_says_it_is_too_large_is_not_read() -> None:
    answer = _ask_raw(_says(HEAD + b"Content-Length: 999999999\r\n\r\nx"), largest=300_000)
    assert (answer.error, answer.lasting) == ("larger than 300000 bytes", True)


def test_a_body_of_just_the_limit_is_read() -> None:
    answer = _ask_raw(_says(HEAD + b"Content-Length: 1000\r\n\r\n" + b"x" * 1_000), largest=1_000)
    assert (len(answer.body), answer.error) == (1_000, "")


def test_a_bomb_is_measured_unpacked() -> None:
    bomb = gzip.compress(b"0" * 30_000_000)
    head = HEAD + f"Content-Encoding: gzip\r\nContent-Length: {len(bomb)}\r\n\r\n".encode()
    answer = _ask_raw(_says(head + bomb), largest=1_000_000)
    assert (answer.body, answer.error, answer.lasting) == (b"", "larger than 1000000 bytes", True)


def test_a_slow_drip_ends_at_the_total_time() -> None:
    # It never keeps silent for long enough to be given up for that, and would drip for ever.
    answer = _ask_raw(_for_ever(HEAD + b"\r\n", b"x", 0.03), total_timeout=0.4, read_timeout=PATIENCE)
    assert (answer.status, answer.body, answer.error) == (0, b"", "no full answer in time")
    assert not answer.lasting
    assert answer.seconds > 0.3


def test_silence_ends_at_the_reading_time() -> None:
    answer = _ask_raw(_for_ever(HEAD + b"Content-Length: 9\r\n\r\n", b"", 0.05), read_timeout=0.2)
    assert (answer.status, answer.error) == (0, "no full answer in time")
    assert answer.seconds < PATIENCE


def test_a_body_of_a_useless_kind_is_not_read() -> None:
    answer = _ask_raw(_for_ever(b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n", b"x" * 65_536))
    assert (answer.status, answer.body) == (200, b"")
    assert (answer.error, answer.lasting) == ("media type video/mp4 is of no use", True)


def test_the_body_of_a_redirect_is_not_waited_for() -> None:
    answer = _ask_raw(_for_ever(b"HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n", b"x" * 65_536))
    assert (answer.status, answer.error) == (302, "")


# -- misbehaviour -----------------------------------------------------------------------------------------------


def test_nobody_listening_is_said() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    async def run() -> Response:
        live = _live()
        answer = await live.fetch(f"http://127.0.0.1:{port}/")
        await live.close()
        return answer

    answer = asyncio.run(run())
    assert answer.status == 0
    assert answer.error.startswith("cannot connect:")
    assert not answer.lasting


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (b"", "server closed the connection"),
        (HEAD + b"Content-Length: 100\r\n\r\nonly this", BROKEN),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhon", BROKEN),
        (HEAD + b"Content-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip", BROKEN),
        (HEAD + b"Content-Encoding: br\r\nContent-Length: 8\r\n\r\n" + b"\xff" * 8, BROKEN),
    ],
)
def test_half_an_answer_is_none_and_may_be_tried_again(said: bytes, error: str) -> None:
    answer = _ask_raw(_says(said))
    assert (answer.status, answer.body, answer.error, answer.lasting) == (0, b"", error, False)


@pytest.mark.parametrize(
    "said",
    [
        b"garbage\r\n\r\n",
        b"<html>no headers at all",
        b"HTTP/9.9 abc\r\n\r\n",
        HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nx",
        HEAD + b"Content-Length: -5\r\n\r\nx",
        HEAD + b"Bad Header Name: x\r\n\r\n",
        HEAD + b"X-Huge: " + b"v" * 100_000 + b"\r\n\r\nbody",
        HEAD + b"".join(b"X-%d: y\r\n" % n for n in range(100_000)) + b"\r\nbody",
    ],
)
def test_what_is_no_http_is_said_and_not_tried_again(said: bytes) -> None:
    answer = _ask_raw(_says(said))
    assert (answer.status, answer.body, answer.lasting) == (0, b"", True)
    assert answer.error.startswith("not a valid HTTP answer")
    assert len(answer.error) < 200


@pytest.mark.parametrize(
    ("head", "more"),
    [(b"HTTP/1.1 200 OK\r\nX: ", b"v" * 65_536), (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 9_000), (b"", b"v" * 65_536)],
)
def test_headers_without_end_are_not_waited_for(head: bytes, more: bytes) -> None:
    answer = _ask_raw(_for_ever(head, more))
    assert answer.status == 0
    assert answer.error.startswith("not a valid HTTP answer")  # and not for the time it took


def test_odd_bytes_in_headers_do_no_harm() -> None:
    answer = _ask_raw(_says(HEAD + b"X-Name: \xe8\x8c\xb6 \xff\xfe\r\nContent-Length: 2\r\n\r\nok"))
    assert (answer.status, answer.body) == (200, b"ok")


# -- addresses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "[::1]", "10.0.0.1", "169.254.169.254", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]"]
)
def test_private_addresses_are_refused_unless_opened(host: str) -> None:
    async def run() -> Response:
        live = LiveWeb(agent=AGENT, total_timeout=PATIENCE)
        answer = await live.fetch(f"http://{host}:9/")
        await live.close()
        return answer

    answer = asyncio.run(run())
    assert answer.status == 0
    assert answer.error.startswith("address refused:")
    assert "was not opened" in answer.error
    assert answer.lasting


def test_a_name_of_our_own_is_no_way_around_the_guard() -> None:
    async def run() -> Response:
        live = LiveWeb(agent=AGENT, names={"bank.example": ("127.0.0.1", 9)})
        answer = await live.fetch("http://bank.example/")
        await live.close()
        return answer

    assert "address refused" in asyncio.run(run()).error


def test_a_web_that_was_never_asked_can_be_closed_and_asked_after_closing() -> None:
    async def run() -> str:
        live = _live()
        await live.close()
        await live.fetch("http://127.0.0.1:9/")
        await live.close()
        await live.close()
        answer = await live.fetch("http://127.0.0.1:9/")
        await live.close()
        return answer.error

    assert asyncio.run(run()).startswith("cannot connect")


def test_an_error_is_one_sentence_on_one_line() -> None:
    answer = _ask_raw(_says(b"<html>no\nheaders"))
    assert "\n" not in answer.error
