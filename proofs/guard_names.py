"""Addresses that are not public in every notation there is, and names that lead to them over real DNS."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import struct
import threading

from aiohttp.abc import AbstractResolver, ResolveResult

__all__ = ["NameServer", "UdpResolver", "written"]

_V4 = """
127.0.0.1 127.0.0.2 127.255.255.254 0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1
192.168.255.255 169.254.0.1 169.254.169.254 169.254.170.2 100.64.0.1 100.100.100.200 168.63.129.16 192.0.0.192
198.18.0.1 192.0.2.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
""".split()
_V6 = """
::1 :: 0:0:0:0:0:0:0:1 0000:0000:0000:0000:0000:0000:0000:0001 ::0001 0::1 fe80::1 fe80::5efe:7f00:1 febf::1
fec0::1 64:ff9b:1::7f00:1
fc00::1 fd00::1 fd00:ec2::254 fd20:ce::254 ff02::1 ff05::1:3 100::1 2001:db8::1 3fff::1 2001:10::1 4000::1
::ffff:0:127.0.0.1 0:0:0:0:0:ffff:7f00:0001 ::FFFF:7F00:1
""".split()
_NAMES = """
localhost LOCALHOST localhost. LocalHost sub.localhost ip6-localhost localhost.localdomain
ⓛocalhost ｌｏｃａｌｈｏｓｔ %6cocalhost loc%61lhost user:secret@localhost x@127.0.0.1 good.test@127.0.0.1
[fe80::1%25lo] [::1%25lo] [fe80::1%lo] [::1%1] [::ffff:127.0.0.1%25lo] [v1.fe80::1] [::1
127.0.0.1.. .127.0.0.1 127..0.0.1
""".split()


def _forms(ip: str) -> list[str]:
    """One IPv4 address as browsers, libraries and kernels have ever accepted it."""
    number = int(ipaddress.IPv4Address(ip))
    a, b, c, d = number >> 24, number >> 16 & 255, number >> 8 & 255, number & 255
    low, mid = number & 0xFFFFFF, number & 0xFFFF
    wide = ip.translate({ord("0") + digit: chr(0xFF10 + digit) for digit in range(10)})
    forms = [
        ip,
        f"{ip}.",
        str(number),
        hex(number),
        hex(number).upper(),
        f"0{number:o}",
        f"0x0000{number:08x}",
    ]
    forms += [
        f"{a}.{low}",
        f"{a}.{b}.{mid}",
        f"0x{a:x}.{low}",
        f"0{a:o}.0{b:o}.0{c:o}.0{d:o}",
        f"0x{a:x}.0x{b:x}.0x{c:x}.0x{d:x}",
    ]
    forms += [f"0{a:o}.{b}.0x{c:x}.{d}", f"00{a:o}.0{b:o}.0{c:o}.00{d:o}"]
    forms += [
        wide,
        ip.replace(".", "。"),
        ip.replace(".", "．"),
        ip.replace(".", "%2e"),
        "".join(f"%{ord(one):02x}" for one in ip),
    ]
    high, rest = f"{number >> 16:x}", f"{number & 0xFFFF:x}"
    forms += [
        f"[::ffff:{ip}]",
        f"[::ffff:{high}:{rest}]",
        f"[0:0:0:0:0:ffff:{high}:{rest}]",
        f"[::{ip}]",
        f"[64:ff9b::{ip}]",
    ]
    forms += [f"[64:ff9b::{high}:{rest}]", f"[2002:{high}:{rest}::1]", f"[2001:0:{high}:{rest}::]", f"[::ffff:0:{ip}]"]
    return forms


def written() -> list[str]:
    """Every notation, each once, as the host of a URL."""
    found = [form for ip in _V4 for form in _forms(ip)] + [f"[{ip}]" for ip in _V6] + _NAMES
    return list(dict.fromkeys(found))


class NameServer:
    """A DNS server on the loopback that answers each question for an address with the next of its answers."""

    def __init__(self, answers: list[list[str]]) -> None:
        self._answers = answers
        self.questions = 0
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.place: tuple[str, int] = self._socket.getsockname()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> NameServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as bell:
            bell.sendto(b"", self.place)
        self._thread.join()
        self._socket.close()

    def _serve(self) -> None:
        while True:
            question, sender = self._socket.recvfrom(512)
            if not question:
                return
            ips = self._answers[self.questions % len(self._answers)]
            self.questions += 1
            name_end = question.index(b"\0", 12) + 5
            head = question[:2] + struct.pack(">HHHHH", 0x8180, 1, len(ips), 0, 0)
            records = b"".join(b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 0, 4) + socket.inet_aton(ip) for ip in ips)
            self._socket.sendto(head + question[12:name_end] + records, sender)


class UdpResolver(AbstractResolver):
    """Asks one DNS server for IPv4 addresses: enough to have a name answered over a real socket."""

    def __init__(self, place: tuple[str, int]) -> None:
        self._place = place

    async def resolve(
        self, host: str, port: int = 0, _family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of a name."""
        ips = await asyncio.to_thread(self._ask, host)
        return [ResolveResult(hostname=host, host=ip, port=port, family=socket.AF_INET, proto=0, flags=0) for ip in ips]

    def _ask(self, host: str) -> list[str]:
        labels = b"".join(bytes([len(label)]) + label.encode() for label in host.rstrip(".").split("."))
        question = struct.pack(">HHHHHH", 7, 0x0100, 1, 0, 0, 0) + labels + b"\0" + struct.pack(">HH", 1, 1)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            asking.settimeout(60)
            asking.sendto(question, self._place)
            answer = asking.recv(512)
        count = struct.unpack(">H", answer[6:8])[0]
        at = len(question)
        return [socket.inet_ntoa(answer[at + 16 * nth + 12 : at + 16 * nth + 16]) for nth in range(count)]

    async def close(self) -> None:
        """Nothing is held."""
