"""The address guard, tried with real connections to a real local server."""

from __future__ import annotations

import asyncio
import ipaddress
import pickle
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import aiohttp
import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.errors import SettingError
from honeyguide.web.guard import AddressRefused, Guard, GuardedResolver, guarded_connector, refusal
from honeyguide.web.urls import normalise

FORBIDDEN = """
127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.1.1
169.254.1.1 169.254.169.254 169.254.170.2 100.64.0.1 100.127.255.255 100.100.100.200 168.63.129.16 192.0.0.192
192.0.0.1 192.0.2.5 198.51.100.7 203.0.113.9 198.18.0.1 198.19.255.255 192.88.99.1 224.0.0.1 239.255.255.255
240.0.0.1 255.255.255.255
:: ::1 fe80::1 fe80::1%eth0 febf::1 fec0::1 fc00::1 fd00:ec2::254 fd12:3456::1 ff02::1 100::1 2001:db8::1 3fff::1
2001::1 2001:10::1 4000::1 8000::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1
::ffff:169.254.169.254 ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::8.8.8.8 2002:7f00:1::
2002:a00:1::1 2002:808:808::1 2001:0:7f00:1:: 2001:0:4136:e378:8000:63bf:80ff:fffe
""".split()

PUBLIC = """
8.8.8.8 1.1.1.1 93.184.216.34 100.63.255.255 100.128.0.1 172.15.255.255 172.32.0.1 192.167.255.255 192.169.0.1
198.17.255.255 198.20.0.1 223.255.255.255 11.0.0.1 126.255.255.255 128.0.0.1
2606:4700:4700::1111 2a00:1450:4001:81b::200e 2400:cb00::1 2001:200::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8
""".split()

NOT_OPENED = [
    "",
    "[::1]",
    "::1::2",
    "127.1",
    "localhost",
    "localhost:80",
    "http://127.0.0.1",
    ":80",
    "999.1.1.1:80",
]
NOT_OPENED += ["10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/8:80"]
NOT_OPENED += ["127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:x", "127.0.0.1:-1"]

NOT_PLAIN = [
    "127.1",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "localhost",
    "",
    "1.2.3.4.5",
    "::g",
    "１２７.0.0.1",
]


@pytest.mark.parametrize("ip", FORBIDDEN)
def test_what_is_not_public_is_refused_with_a_reason(ip: str) -> None:
    reason = Guard().check(ip, 80)
    assert reason is not None
    assert ip.partition("%")[0] in reason or str(ipaddress.ip_address(ip)) in reason


@pytest.mark.parametrize("ip", PUBLIC)
def test_what_is_public_is_allowed(ip: str) -> None:
    assert Guard().check(ip, 443) is None


@pytest.mark.parametrize("ip", NOT_PLAIN)
def test_what_is_not_an_address_in_plain_form_is_refused(ip: str) -> None:
    assert "plain form" in str(Guard().check(ip, 80))


@given(st.ip_addresses())
def test_nothing_that_python_calls_private_is_allowed(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    if Guard().check(str(address), 80) is None:
        inner = getattr(address, "ipv4_mapped", None) or address
        kinds = ("private", "loopback", "multicast", "link_local", "unspecified", "site_local")
        assert [kind for kind in kinds if getattr(inner, f"is_{kind}", False)] == []


def test_reasons_name_what_was_met() -> None:
    guard = Guard()
    assert guard.check("169.254.169.254", 80) == "169.254.169.254 is a cloud metadata address and was not opened"
    # How Python prints a mapped address changed with 3.13; the address inside is what matters.
    inside = str(guard.check("::ffff:10.0.0.1", 80))
    assert inside.endswith("stands for 10.0.0.1, which is a private address and was not opened")


def test_opened_ranges_addresses_and_ports_are_allowed_and_nothing_beside_them() -> None:
    guard = Guard(["10.1.0.0/16", "192.168.1.5", "127.0.0.1:8080", "[::1]:9000", "fd00::/64", "::ffff:10.9.9.9"])
    allowed = [
        ("10.1.2.3", 1),
        ("192.168.1.5", 22),
        ("127.0.0.1", 8080),
        ("::ffff:127.0.0.1", 8080),
        ("::1", 9000),
    ]
    allowed += [("fd00::7", 80), ("10.9.9.9", 80), ("::ffff:10.1.0.1", 80)]
    refused = [("10.2.0.1", 80), ("192.168.1.6", 80), ("127.0.0.1", 8081), ("127.0.0.2", 8080), ("::1", 80)]
    refused += [("fd00:0:0:1::1", 80), ("10.9.9.8", 80)]
    assert [guard.check(*place) for place in allowed] == [None] * len(allowed)
    assert all(guard.check(*place) for place in refused)


@pytest.mark.parametrize("text", NOT_OPENED)
def test_what_cannot_be_opened_is_said_in_one_sentence(text: str) -> None:
    with pytest.raises(SettingError) as caught:
        Guard([text])
    assert repr(text) in str(caught.value)
    assert "\n" not in str(caught.value)


@dataclass
class Server:
    """A real server on the loopback, on IPv4 and IPv6 if there is one, that counts what reaches it."""

    port: int = 0
    hosts: list[str] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        self.hosts.append(request.headers["Host"])
        if request.path == "/away":
            raise web.HTTPFound(f"http://127.0.0.2:{self.port}/inside")
        return web.Response(text="honey")


def with_server(job: Callable[[Server], Awaitable[None]]) -> Server:
    """Run a job beside a running server, in one event loop."""
    server = Server()

    async def run() -> None:
        app = web.Application()
        app.router.add_get("/{path:.*}", server.answer)
        runner = web.AppRunner(app)
        await runner.setup()
        async with AsyncExitStack() as stack:
            stack.push_async_callback(runner.cleanup)
            first = socket.create_server(("0.0.0.0", 0))
            server.port = first.getsockname()[1]
            await web.SockSite(runner, first).start()
            if has_ipv6():
                second = socket.create_server(("::1", server.port), family=socket.AF_INET6)
                await web.SockSite(runner, second).start()
            await job(server)

    asyncio.run(run())
    return server


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


async def fetch(connector: aiohttp.TCPConnector, url: str) -> tuple[int, str]:
    async with (
        aiohttp.ClientSession(connector=connector) as session,
        session.get(url, allow_redirects=False) as response,
    ):
        return response.status, response.headers.get("Location", "")


async def refused(connector: aiohttp.TCPConnector, url: str) -> str | None:
    with pytest.raises(aiohttp.ClientError) as caught:
        await fetch(connector, url)
    return refusal(caught.value)


# What a plain connector would let through to the loopback, and notations that only look like addresses.
REACHING = [
    "127.0.0.1",
    "127.0.0.2",
    "0.0.0.0",
    "0x7f000001",
    "0x7f.1",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "localhost",
]
ODD = ["2130706433", "017700000001", "0177.0.0.1", "127.1", "127.0.1", "127.0.0.1."]


def test_without_the_guard_these_notations_reach_the_loopback() -> None:
    async def job(server: Server) -> None:
        for host in REACHING:
            assert await fetch(aiohttp.TCPConnector(), f"http://{host}:{server.port}/") == (200, ""), host

    assert len(with_server(job).hosts) == len(REACHING)


def test_with_the_guard_no_notation_reaches_the_loopback() -> None:
    async def job(server: Server) -> None:
        for host in [*REACHING, "[::1]", "[::]", "[::127.0.0.1]", "LOCALHOST"]:
            reason = await refused(guarded_connector(Guard()), f"http://{host}:{server.port}/")
            assert reason is not None, host
            assert "was not opened" in reason, host
        for host in [*ODD, "localhost."]:
            # Some of these aiohttp or the system's resolver turns away before the guard is asked.
            await refused(guarded_connector(Guard()), f"http://{host}:{server.port}/")

    assert with_server(job).hosts == []


def test_notations_made_canonical_by_the_url_parser_are_refused_with_the_reason() -> None:
    async def job(server: Server) -> None:
        for host in [*ODD, "0x7f.1", "１２７.0.0.1", "127。0。0。1", "%31%32%37.0.0.1"]:
            url = normalise(f"http://{host}:{server.port}/") or ""
            assert "127.0.0.1 is a loopback address" in str(await refused(guarded_connector(Guard()), url)), host

    assert with_server(job).hosts == []


def test_the_socket_has_the_last_word_when_no_resolver_is_asked() -> None:
    async def job(server: Server) -> None:
        connector = aiohttp.TCPConnector(socket_factory=Guard().socket_factory)
        assert await refused(connector, f"http://127.0.0.1:{server.port}/")
        connector = aiohttp.TCPConnector(socket_factory=Guard().socket_factory)
        assert await refused(connector, f"http://localhost:{server.port}/")

    assert with_server(job).hosts == []


class Turncoat(AbstractResolver):
    """Answers with one address the first time and with another ever after."""

    def __init__(self, answers: list[list[str]]) -> None:
        self.answers: Iterator[list[str]] = iter(answers)
        self.now: list[str] = []
        self.closed = False

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.now = next(self.answers, self.now)
        return [
            ResolveResult(hostname=host, host=ip, port=port, family=socket.AF_INET, proto=0, flags=0) for ip in self.now
        ]

    async def close(self) -> None:
        self.closed = True


def test_a_name_that_changes_its_answer_is_refused_at_the_resolver_and_at_the_socket() -> None:
    async def job(server: Server) -> None:
        url = f"http://turncoat.test:{server.port}/"
        guard = Guard([f"127.0.0.1:{server.port}"])
        for connector in (
            guarded_connector(guard, resolver=Turncoat([["127.0.0.1"], ["127.0.0.3"]]), use_dns_cache=False),
            aiohttp.TCPConnector(
                resolver=Turncoat([["127.0.0.1"], ["127.0.0.3"]]),
                socket_factory=guard.socket_factory,
                use_dns_cache=False,
            ),
        ):
            async with aiohttp.ClientSession(connector=connector) as session:
                headers = {"Connection": "close"}
                async with session.get(url, headers=headers) as response:
                    assert await response.text() == "honey"
                with pytest.raises(aiohttp.ClientError) as caught:
                    await session.get(url, headers=headers)
                assert "127.0.0.3" in str(refusal(caught.value))

    assert len(with_server(job).hosts) == 2


def test_of_several_addresses_only_the_allowed_ones_are_tried() -> None:
    async def job(server: Server) -> None:
        guard = Guard([f"127.0.0.1:{server.port}"])
        resolver = Turncoat([["10.0.0.1", "127.0.0.9", "127.0.0.1"]])
        url = f"http://a.test:{server.port}/"
        assert await fetch(guarded_connector(guard, resolver=resolver), url) == (200, "")
        both = Turncoat([["127.0.0.9", "127.0.0.8"]])
        plain = aiohttp.TCPConnector(resolver=both, socket_factory=guard.socket_factory)
        assert "loopback" in str(await refused(plain, url))

    assert len(with_server(job).hosts) == 1


def test_a_redirect_is_handed_back_and_its_target_is_refused_like_any_other_request() -> None:
    async def job(server: Server) -> None:
        guard = Guard([f"127.0.0.1:{server.port}"])
        status, target = await fetch(guarded_connector(guard), f"http://127.0.0.1:{server.port}/away")
        assert (status, target) == (302, f"http://127.0.0.2:{server.port}/inside")
        assert "127.0.0.2" in str(await refused(guarded_connector(guard), target))
        # Even a session that follows redirects by itself does not get there.
        async with aiohttp.ClientSession(connector=guarded_connector(guard)) as session:
            with pytest.raises(aiohttp.ClientError):
                await session.get(f"http://127.0.0.1:{server.port}/away")

    assert len(with_server(job).hosts) == 2


def test_names_of_our_own_lead_to_their_address_and_port_only_if_it_was_opened() -> None:
    async def job(server: Server) -> None:
        place = ("127.0.0.1", server.port)
        names = {"news.demo.test": place, "Tea.demo.test.": place}
        guard = Guard([f"127.0.0.1:{server.port}"])
        for url in ("http://news.demo.test/a", "http://tea.demo.test:8123/b", "http://NEWS.demo.test./c"):
            assert (await fetch(guarded_connector(guard, names), url))[0] == 200
        assert await refused(guarded_connector(Guard(), names), "http://news.demo.test/a")

    assert with_server(job).hosts == ["news.demo.test", "tea.demo.test:8123", "news.demo.test"]


def test_opened_ranges_are_reachable_on_both_families() -> None:
    async def job(server: Server) -> None:
        urls = [f"http://127.0.0.7:{server.port}/", f"http://localhost:{server.port}/"]
        urls += [f"http://[::1]:{server.port}/"] if has_ipv6() else []
        for url in urls:
            assert (await fetch(guarded_connector(Guard(["127.0.0.0/8", "::1"])), url))[0] == 200

    assert len(with_server(job).hosts) >= 2


def test_a_name_without_addresses_stays_what_it_is() -> None:
    async def job() -> None:
        inner = Turncoat([[]])
        resolver = GuardedResolver(Guard(), resolver=inner)
        assert await resolver.resolve("empty.test") == []
        await resolver.close()
        assert inner.closed
        await GuardedResolver(Guard()).close()

    asyncio.run(job())


def test_a_refusal_keeps_its_reason_across_processes_and_other_errors_are_none() -> None:
    error = pickle.loads(pickle.dumps(AddressRefused("10.0.0.1 is a private address and was not opened")))
    assert refusal(error) == "10.0.0.1 is a private address and was not opened"
    assert isinstance(error, OSError)
    assert refusal(ValueError("no")) is None
