"""The address guard: no request reaches this machine, its network or its cloud unless it was opened.

    >>> Guard().check("127.0.0.1", 80)
    '127.0.0.1 is a loopback address and was not opened'
    >>> Guard(["127.0.0.1:8080"]).check("127.0.0.1", 8080) is None
    True

A page can name any address it likes, and a name can answer differently the second time it is asked. So the
guard stands twice: at the resolver, for a clear answer early, and where the socket is made, for the last word,
which also holds for addresses written into a URL (aiohttp asks no resolver about those).
"""

from __future__ import annotations

import errno
import ipaddress
import socket
from collections.abc import Iterable, Mapping
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from honeyguide.errors import SettingError

__all__ = ["AddressRefused", "Guard", "GuardedResolver", "guarded_connector", "refusal"]

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# The first range that holds an address names it. From IANA's special-purpose registries, and the addresses at
# which clouds hand out keys: one of them lies among the public ones.
_RANGES = (
    ("169.254.169.254/32", "a cloud metadata address"),
    ("169.254.170.2/32", "a cloud metadata address"),
    ("100.100.100.200/32", "a cloud metadata address"),
    ("168.63.129.16/32", "a cloud metadata address"),
    ("192.0.0.192/32", "a cloud metadata address"),
    ("fd00:ec2::254/128", "a cloud metadata address"),
    ("fd20:ce::254/128", "a cloud metadata address"),
    ("0.0.0.0/32", "the unspecified address"),
    ("0.0.0.0/8", "an address of this very network"),
    ("10.0.0.0/8", "a private address"),
    ("100.64.0.0/10", "an address shared inside a provider's network"),
    ("127.0.0.0/8", "a loopback address"),
    ("169.254.0.0/16", "a link-local address"),
    ("172.16.0.0/12", "a private address"),
    ("192.0.0.0/24", "a reserved address"),
    ("192.0.2.0/24", "an address for documentation"),
    ("192.88.99.0/24", "a 6to4 relay address"),
    ("192.168.0.0/16", "a private address"),
    ("198.18.0.0/15", "an address for benchmarks"),
    ("198.51.100.0/24", "an address for documentation"),
    ("203.0.113.0/24", "an address for documentation"),
    ("224.0.0.0/4", "a multicast address"),
    ("255.255.255.255/32", "the broadcast address"),
    ("240.0.0.0/4", "a reserved address"),
    ("::/128", "the unspecified address"),
    ("::1/128", "a loopback address"),
    ("::/96", "an IPv4-compatible address"),
    ("64:ff9b:1::/48", "a private NAT64 address"),
    ("100::/64", "a discard address"),
    ("2001::/32", "a Teredo tunnel address"),
    ("2001::/23", "a reserved address"),
    ("2001:db8::/32", "an address for documentation"),
    ("2002::/16", "a 6to4 tunnel address"),
    ("3fff::/20", "an address for documentation"),
    ("fc00::/7", "a private address"),
    ("fe80::/10", "a link-local address"),
    ("fec0::/10", "a site-local address"),
    ("ff00::/8", "a multicast address"),
    # Only 2000::/3 is given out to the public internet.
    ("::/3", "a reserved address"),
    ("4000::/2", "a reserved address"),
    ("8000::/1", "a reserved address"),
)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


class AddressRefused(OSError):  # noqa: N818 - reads as what happened
    """The guard refused an address; `reason` says why, in words."""

    def __init__(self, reason: str) -> None:
        super().__init__(errno.EACCES, reason)
        self.reason = reason

    def __reduce__(self) -> tuple[type[AddressRefused], tuple[str]]:
        return AddressRefused, (self.reason,)


class Guard:
    """Decides which addresses may be reached.

    `opened` holds what is allowed although it is not public: `10.1.0.0/16`, `127.0.0.1`, `127.0.0.1:8080`,
    `[::1]:8080`. An IPv4 address in IPv6 dress (mapped, or behind NAT64) is judged as the address inside;
    other tunnels into IPv4 are refused whatever they hold, for no public site is reached that way any more.
    """

    def __init__(self, opened: Iterable[str] = ()) -> None:
        networks = [(ipaddress.ip_network(text), what) for text, what in _RANGES]
        self._closed = [(net.version, int(net[0]), int(net[-1]), what) for net, what in networks]
        self._opened = [_opening(text) for text in opened]

    def check(self, ip: str, port: int) -> str | None:
        """None if a connection to this address may be made, else the reason why not."""
        try:
            outer = ipaddress.ip_address(ip)
        except ValueError:
            return f"{ip[:100]!r} is not an IP address in plain form"
        address = _inside(outer)
        number = int(address)
        for version, first, last, only_port in self._opened:
            if version == address.version and first <= number <= last and only_port in (None, port):
                return None
        for version, first, last, what in self._closed:
            if version == address.version and first <= number <= last:
                named = str(outer) if address is outer else f"{outer} stands for {address}, which"
                return f"{named} is {what} and was not opened"
        return None

    def socket_factory(self, info: aiohttp.AddrInfoType) -> socket.socket:
        """Make the socket for one connection, or refuse: what aiohttp's connector asks before it connects."""
        family, kind, protocol, _, address = info
        reason = self.check(str(address[0]), int(address[1]))
        if reason:
            raise AddressRefused(reason)
        return socket.socket(family=family, type=kind, proto=protocol)


class GuardedResolver(AbstractResolver):
    """Looks names up, first in a map of our own, and lets only addresses through that the guard allows.

    `names` leads host names to an address and port, whatever port the URL says: this is how the names of the
    demo web reach its one local server.
    """

    def __init__(
        self,
        guard: Guard,
        names: Mapping[str, tuple[str, int]] | None = None,
        resolver: AbstractResolver | None = None,
    ) -> None:
        self._guard = guard
        self._names = {name.lower().rstrip("."): place for name, place in (names or {}).items()}
        self._resolver = resolver

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The allowed addresses of a host; AddressRefused if it has only forbidden ones."""
        place = self._names.get(host.lower().rstrip("."))
        if place:
            found = [_result(host, *place)]
        else:
            if self._resolver is None:
                self._resolver = aiohttp.DefaultResolver()
            found = await self._resolver.resolve(host, port, family)
        judged = [(result, self._guard.check(result["host"], result["port"])) for result in found]
        allowed = [result for result, reason in judged if reason is None]
        if judged and not allowed:
            raise AddressRefused(f"{host[:200]} leads nowhere allowed: {judged[0][1]}")
        return allowed

    async def close(self) -> None:
        """Close the resolver inside."""
        if self._resolver is not None:
            await self._resolver.close()


def guarded_connector(
    guard: Guard,
    names: Mapping[str, tuple[str, int]] | None = None,
    resolver: AbstractResolver | None = None,
    **options: Any,
) -> aiohttp.TCPConnector:
    """An aiohttp connector with the guard at both places; `options` are the connector's own."""
    return aiohttp.TCPConnector(
        resolver=GuardedResolver(guard, names, resolver), socket_factory=guard.socket_factory, **options
    )


def refusal(error: BaseException) -> str | None:
    """The guard's reason behind an error that aiohttp raised, or None if it was not the guard's doing."""
    cause: BaseException | None = error
    for _ in range(10):
        if cause is None or isinstance(cause, AddressRefused):
            break
        cause = getattr(cause, "os_error", None) or cause.__cause__
    return cause.reason if isinstance(cause, AddressRefused) else None


def _result(host: str, ip: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in ip else socket.AF_INET
    flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
    return ResolveResult(hostname=host, host=ip, port=port, family=family, proto=0, flags=flags)


def _inside(address: Address) -> Address:
    """The IPv4 address that a socket or gateway would really reach, if this one only wraps it."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return address.ipv4_mapped
        if address in _NAT64:
            return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def _opening(text: str) -> tuple[int, int, int, int | None]:
    """Understand one opened range, address, or address with port."""
    port: int | None = None
    try:
        network = ipaddress.ip_network(text)
    except ValueError:
        host, _, digits = text.rpartition(":")
        try:
            network = ipaddress.ip_network(ipaddress.ip_address(host.removeprefix("[").removesuffix("]")))
            port = int(digits)
        except ValueError:
            port = 0
    if port is not None and not 0 < port < 65_536:
        raise SettingError(
            f"cannot open {text!r}: write an address (127.0.0.1), an address with a port (127.0.0.1:8080)"
            " or a range without bits beyond its mask (10.0.0.0/8)"
        )
    first, last = network[0], network[-1]
    if first == last:
        first = last = _inside(first)
    return first.version, int(first), int(last), port
