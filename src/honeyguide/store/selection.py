"""Which of a crawl's records are meant: by date, host, language and kind, and how many of the best of those."""

from __future__ import annotations

import calendar
import math
import re
import sqlite3
from fractions import Fraction

import msgspec

from honeyguide.errors import SettingError
from honeyguide.web.urls import host_of, normalise

__all__ = ["BEST_FIRST", "EVERYTHING", "KINDS", "Selection", "teach"]

KINDS = ("article", "page", "index", "pdf")
"""The kinds a record can be of."""

BEST_FIRST = "records.relevance DESC, records.visit"
"""The order of results: the surest on topic first, and of two alike the one met first."""

_DATE = re.compile(r"([0-9]{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12][0-9]|3[01]))?)?")
_NUMBER = re.compile(r"[0-9]{1,12}(\.[0-9]{1,6})?")
_LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]+)*")


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """What a record must be to be meant; what is left empty does not matter.

    `since` and `until` are days, months or years (`2024`, `2024-05`, `2024-05-03`), both included. Of a record whose
    month or day is not known it is enough that it *may* lie between them; a record without any date does not. A host
    stands for its subdomains too. Several hosts, languages or kinds: one of them must fit. `top` takes of these
    only the surest on topic, a number of them ("20") or a share ("10%", rounded up).

    >>> Selection(since="2024-05", hosts=["Bees.example"]).hosts
    ('bees.example',)
    """

    since: str = ""
    until: str = ""
    hosts: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    top: str = ""

    def __post_init__(self) -> None:
        for name, last in (("since", False), ("until", True)):
            self._settle(name, _day(name, getattr(self, name), last=last))
        if self.since and self.until and self.since > self.until:
            raise SettingError(f"since must not be later than until: nothing lies from {self.since} to {self.until}")
        self._settle("hosts", tuple(map(_host, _several("hosts", self.hosts))))
        self._settle("languages", tuple(map(_language, _several("languages", self.languages))))
        self._settle("kinds", _several("kinds", self.kinds))
        for kind in self.kinds:
            if kind not in KINDS:
                raise SettingError(f"unknown kind of record: '{kind}'; known: {', '.join(KINDS)}")
        self._settle("top", _top(self.top))

    def _settle(self, name: str, value: object) -> None:
        msgspec.structs.force_setattr(self, name, value)

    def __bool__(self) -> bool:
        return self != EVERYTHING

    def where(self) -> tuple[str, list[str]]:
        """The same as a condition on the table of records, with its values; true of all when nothing is asked."""
        where, values = self._fitting()
        if not self.top:
            return where, values
        best = f"SELECT visit FROM records WHERE {where} ORDER BY {BEST_FIRST} LIMIT "  # noqa: S608 - our own words
        if not self.top.endswith("%"):
            return f"records.visit IN ({best}CAST(? AS INTEGER))", [*values, self.top]
        most = f"SELECT rounded_up(count(*), ?) FROM records WHERE {where}"  # noqa: S608
        return f"records.visit IN ({best}({most}))", [*values, self.top[:-1], *values]

    def _fitting(self) -> tuple[str, list[str]]:
        """What a record must be, however many there are."""
        tests, values = ["1"], []
        # What is not known of a date is filled up: with the end of its year or month to compare with `since`, with
        # the beginning to compare with `until`.
        for day, rest, sign in ((self.since, "0000-12-31", ">="), (self.until, "0000-01-01", "<=")):
            if day:
                known = "substr(records.published, 1, 10)"
                tests.append(f"{known} || substr('{rest}', length({known}) + 1) {sign} ?")
                values.append(day)
        for column, wanted in (("language", self.languages), ("kind", self.kinds)):
            if wanted:
                tests.append(f"records.{column} IN ({', '.join('?' * len(wanted))})")
                values += wanted
        if self.hosts:
            tests.append(f"({' OR '.join(['is_of_host(records.url, ?)'] * len(self.hosts))})")
            values += self.hosts
        return " AND ".join(tests), values


def _top(given: object) -> str:
    """How many of the best: a number, or a share of all.

    >>> _top(20), _top(" 12.50 %"), _top("")
    ('20', '12.5%', '')
    """
    text = "" if given is None else str(given).strip()
    if not text:
        return ""
    share = text.endswith(("%", "％"))
    number = _NUMBER.fullmatch(text[:-1].rstrip() if share else text)
    if number is None or not 0 < float(number[0]) <= (100 if share else 10**9) or (number[1] and not share):
        raise SettingError(f"top must be a number of records such as 20, or a share such as 10%, not {text!r}")
    return f"{number[0].rstrip('0').rstrip('.') if number[1] else number[0]}%" if share else str(int(number[0]))


def teach(connection: sqlite3.Connection) -> None:
    """Have a connection understand the conditions made here."""
    connection.create_function("is_of_host", 2, _is_of_host, deterministic=True)
    connection.create_function("rounded_up", 2, _rounded_up, deterministic=True)


def _rounded_up(total: int, share: str) -> int:
    """So many per cent of a number; exactly, for 33.3 % of 1000 must not become 334."""
    return math.ceil(total * Fraction(share) / 100)


def _is_of_host(url: str, host: str) -> bool:
    name = host_of(url).rpartition(":")[0]
    return name == host or name.endswith(f".{host}")


def _day(name: str, text: str, *, last: bool) -> str:
    """The first or the last day meant by a date."""
    if not text:
        return ""
    parts = _DATE.fullmatch(str(text).strip())
    if parts is None:
        raise SettingError(f"{name} must be a date such as 2024, 2024-05 or 2024-05-03, not '{text}'")
    year = parts[1]
    month = parts[2] or ("12" if last else "01")
    days = calendar.monthrange(max(1, int(year)), int(month))[1]
    day = parts[3] or (f"{days:02}" if last else "01")
    if int(day) > days:
        raise SettingError(f"{name} must be a date such as 2024, 2024-05 or 2024-05-03: there is no {text}")
    return f"{year}-{month}-{day}"


def _several(name: str, given: object) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, list | tuple | set | frozenset):
        raise SettingError(f"{name} must be a list of words, not {given!r}")
    return tuple(str(one).strip().lower() for one in given)


def _host(name: str) -> str:
    """A host's name as addresses have it, whatever of an address was given with it."""
    address = normalise(name if "://" in name else f"http://{name.removeprefix('*.')}")
    if address is None:
        raise SettingError(f"'{name}' is not the name of a host")
    return host_of(address).rpartition(":")[0]


def _language(code: str) -> str:
    found = _LANGUAGE.fullmatch(code)
    if found is None:
        raise SettingError(f"'{code}' is not the code of a language; write en, zh, de and so on")
    return found[1]


EVERYTHING = Selection()
"""Nothing asked: all records are meant."""
