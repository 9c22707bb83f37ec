"""No way in: every notation by every way, as `python proofs/guard.py` tries them in full, with two witnesses."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult
from proofs.guard import Witness, by_crawl, by_fetch, by_proxy, by_turncoat, opened_only
from proofs.guard_names import written

from honeyguide.web.guard import AddressRefused, Guard, GuardedResolver


@pytest.fixture(scope="module")
def witness() -> Witness:
    """The interpreter's own word on every connection this process tries to make."""
    found = Witness()
    sys.addaudithook(found.audit)
    return found


def beside(witness: Witness, job: Callable[[], Awaitable[None]]) -> None:
    """Run a job while the witness listens where nobody may come."""

    async def run() -> None:
        witness.arrived.clear()
        servers = await witness.listen()
        try:
            await job()
        finally:
            for server in servers:
                server.close()
            await witness.idle()

    asyncio.run(run())


def test_the_witness_sees_what_is_let_through(witness: Witness) -> None:
    async def job() -> None:
        with witness.watch():
            _, writer = await asyncio.open_connection("127.0.0.1", witness.port)
            while not witness.arrived:
                await asyncio.sleep(0.01)
            writer.close()
        assert witness.astray() == [("127.0.0.1", witness.port)]
        assert len(witness.arrived) == 1

    beside(witness, job)


def test_no_notation_of_no_private_address_is_so_much_as_tried(witness: Witness) -> None:
    async def job() -> None:
        with witness.watch():
            refused, through = await by_fetch(witness, written()[::5])
        assert refused > 400
        assert through == []
        assert witness.astray() == []
        assert witness.arrived == []

    beside(witness, job)


def test_a_crawl_finds_no_way_in_by_link_redirect_sitemap_feed_robots_or_start(
    witness: Witness, tmp_path: Path
) -> None:
    async def job() -> None:
        met, reasons, astray = await by_crawl(witness, written()[::3], tmp_path / "crawl")
        assert met > 200
        assert reasons > 50
        assert astray == []
        assert witness.arrived == []

    beside(witness, job)


def test_over_real_dns_the_address_connected_to_is_the_one_that_was_checked(witness: Witness) -> None:
    async def job() -> None:
        assert await by_turncoat(witness, 4) == (2, 2, [])

    beside(witness, job)


def test_proxies_named_in_the_environment_are_not_used(witness: Witness) -> None:
    async def job() -> None:
        assert await by_proxy(witness) == []
        assert witness.arrived == []

    beside(witness, job)


def test_what_is_opened_is_reached_and_its_neighbours_are_not(witness: Witness) -> None:
    async def job() -> None:
        assert await opened_only(witness) == (2, 12)

    beside(witness, job)


class Fixed(AbstractResolver):
    """Answers with these addresses."""

    def __init__(self, *ips: str) -> None:
        self.ips = ips

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [
            ResolveResult(hostname=host, host=ip, port=port, family=socket.AF_INET, proto=0, flags=0) for ip in self.ips
        ]

    async def close(self) -> None:
        pass


def test_the_resolver_lets_only_allowed_addresses_through_before_any_socket_is_made() -> None:
    mixed = GuardedResolver(Guard(), resolver=Fixed("10.0.0.1", "8.8.8.8", "127.0.0.1"))
    assert [found["host"] for found in asyncio.run(mixed.resolve("a.test", 80))] == ["8.8.8.8"]
    with pytest.raises(AddressRefused, match=r"a\.test leads nowhere allowed: 10\.0\.0\.1 is a private address"):
        asyncio.run(GuardedResolver(Guard(), resolver=Fixed("10.0.0.1", "127.0.0.1")).resolve("a.test", 80))
