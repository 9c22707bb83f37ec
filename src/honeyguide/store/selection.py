"""Which of a crawl's records are meant: by date, host, language and kind. One question for search and for export."""

from __future__ import annotations

import calendar
import re
import sqlite3

import msgspec

from honeyguide.errors import SettingError
from honeyguide.web.urls import host_of, normalise

__all__ = ["EVERYTHING", "KINDS", "Selection", "teach"]

KINDS = ("article", "page", "index", "pdf")
"""The kinds a record can be of."""

_DATE = re.compile(r"([0-9]{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12][0-9]|3[01]))?)?")
_LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]+)*")


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """What a record must be to be meant; what is left empty does not matter.

    `since` and `until` are days, months or years (`2024`, `2024-05`, `2024-05-03`), both included. Of a record whose
    month or day is not known it is enough that it *may* lie between them; a record without any date does not. A host
    stands for its subdomains too. Several hosts, languages or kinds: one of them must fit.

    >>> Selection(since="2024-05", hosts=["Bees.example"]).hosts
    ('bees.example',)
    """

    since: str = ""
    until: str = ""
    hosts: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()

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

    def _settle(self, name: str, value: object) -> None:
        msgspec.structs.force_setattr(self, name, value)

    def __bool__(self) -> bool:
        return self != EVERYTHING

    def where(self) -> tuple[str, list[str]]:
        """The same as a condition on the table of records, with its values; true of all when nothing is asked."""
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


def teach(connection: sqlite3.Connection) -> None:
    """Have a connection understand the conditions made here."""
    connection.create_function("is_of_host", 2, _is_of_host, deterministic=True)


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
