"""RFC 9309 read as plainly as can be: slow, strict about its grammar, and written for nothing but comparison."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Reference"]

_LINE = re.compile(r"[ \t]*(user-agent|allow|disallow|crawl-delay|sitemap)[ \t]*:[ \t]*(.*?)[ \t]*", re.IGNORECASE)
_PLAIN = re.compile(rb"[\x20-\x7e\t\r\n\x80-\xff]*")
_TOKEN = re.compile(r"[A-Za-z_-]+")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")


@dataclass
class Reference:
    """The rules of the group that is ours: whether each allows, and its pattern in the RFC's normal form."""

    rules: list[tuple[bool, str]]

    @classmethod
    def read(cls, body: bytes) -> Reference | None:
        """The rules of a body that keeps to the grammar; None for any other."""
        if not _PLAIN.fullmatch(body):
            return None
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError:
            return None
        groups: dict[str, list[tuple[bool, str]]] = {}
        named: set[str] = set()
        naming = False
        for line in re.split(r"\r\n|\r|\n", text):
            line = line.partition("#")[0]
            if not line.strip(" \t"):
                continue
            found = _LINE.fullmatch(line)
            if found is None or "index.htm" in line or not line.isprintable():
                return None
            key, value = found.group(1).lower(), found.group(2)
            if key == "user-agent":
                token = _TOKEN.match(value)
                if value != "*" and token is None:
                    return None
                named = named if naming else set()
                named.add("*" if token is None else token.group().lower())
                naming = True
                for name in named:
                    groups.setdefault(name, [])
            elif key in ("allow", "disallow"):
                naming = False
                for name in named if value else ():
                    groups[name].append((key == "allow", value))
        return cls(groups.get("honeyguide", groups.get("*", [])))

    def allows(self, path: str) -> bool:
        """Whether the longest rule that matches allows; of two as long, the one that allows."""
        path = path.partition("#")[0]
        if path == "/robots.txt":
            return True
        address = _normal(path.replace("*", "%2A").replace("$", "%24"))
        best = (-1, True)
        for allow, written in self.rules:
            end = "$" if written.endswith("$") else ""
            pattern = _normal(written.removesuffix("$")).replace("$", "%24") + end
            if _matches(pattern, address):
                best = max(best, (len(pattern), allow))
        return best[1]


def _normal(text: str) -> str:
    """Escapes of unreserved characters undone, all others in capitals; what is not ASCII, or a space, escaped."""
    found = []
    for part in re.split(r"(%[0-9A-Fa-f]{2})", text):
        if re.fullmatch(r"%[0-9A-Fa-f]{2}", part):
            sign = chr(int(part[1:], 16))
            found.append(sign if _UNRESERVED.fullmatch(sign) else part.upper())
        else:
            found += [
                sign if "!" <= sign <= "~" else "".join(f"%{byte:02X}" for byte in sign.encode()) for sign in part
            ]
    return "".join(found)


def _matches(pattern: str, address: str) -> bool:
    """Follow every place of the address that the pattern so far may have led to."""
    places = {0}
    body = pattern.removesuffix("$")
    for sign in body:
        if sign == "*":
            places = set(range(min(places), len(address) + 1)) if places else places
        else:
            places = {place + 1 for place in places if address[place : place + 1] == sign}
    return len(address) in places if body != pattern else bool(places)
