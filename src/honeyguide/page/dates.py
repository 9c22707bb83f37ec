"""When was it published: ISO 8601 with as much as the page tells, and nothing it does not.

A year may stay a year ("1955") and a day a day; a time of day or an offset is given only where it was found.
A date in the future of the fetch is no date of publication, and a copyright line never is.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from honeyguide.page.metadata import Evidence, plain

__all__ = ["is_all_of", "pdf_date", "published", "read_date"]

_LONGEST = 200
_TIME = (
    r"(?:[T\s,，·|-]*(?:at\s+)?(?P<hour>\d{1,2})\s?[:：时點点]\s?(?P<minute>\d{2})(?:\s?[:：分]\s?(?P<second>\d{2}))?"
    r"(?:[.,]\d{1,9})?\s*(?P<half>[ap]\.?m\b\.?)?\s*(?P<zone>Z\b|UTC|GMT|[+-]\d{2}:?\d{2})?)?"
)
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_MONTH_NAME = r"(?P<name>[^\W\d_]{3,12})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.|º)?"
_FULL = [
    re.compile(shape + _TIME, re.IGNORECASE)
    for shape in (
        rf"(?<![\d/.-]){_YEAR}\s?[-/.年]\s?(?P<month>\d{{1,2}})\s?[-/.月]\s?(?P<day>\d{{1,2}})(?![\d/])\s?日?",
        rf"(?<!\d){_DAY}\s(?:de\s)?{_MONTH_NAME},?\s(?:de\s)?{_YEAR}(?!\d)",
        rf"\b{_MONTH_NAME}\s{_DAY},?\s{_YEAR}(?!\d)",
        rf"(?<!\d)(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.{_YEAR}(?!\d)",
        r"时间\s?[：:]?\s?(?P<short>\d\d)-(?P<month>\d\d)-(?P<day>\d\d)(?![\d-])",
    )
]
# Of 3/4/2014 nobody can tell what is the month, unless one of them cannot be, or the hour is one of the United States.
_SLASHED = re.compile(
    rf"(?<![\d/.-])(?P<one>\d{{1,2}})/(?P<other>\d{{1,2}})/(?:{_YEAR}|(?P<short>\d\d)(?=,?\s\d?\d:))(?![\d/])"
    rf"{_TIME}(?P<american>\s?[ECMP][SD]?T\b)?",
    re.IGNORECASE,
)
# As programs in C and Java write it: Mon Aug 03 12:45:00 EDT 2015.
_PROGRAM = re.compile(
    rf"^(?:[a-z]{{3}}\s)?{_MONTH_NAME}\s{_DAY}\s(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)"
    rf"(?:\s(?P<zone>UTC|GMT|[+-]\d{{4}})|\s[A-Z]{{3,4}})?\s{_YEAR}$",
    re.IGNORECASE,
)
_COMPACT = re.compile(
    rf"^{_YEAR}(?P<month>[01]\d)(?P<day>[0-3]\d)(?:T?(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)?(?P<zone>Z)?)?$"
)
_PART = re.compile(rf"^(?:{_YEAR}(?:[-/](?P<month>\d{{1,2}}))?|{_MONTH_NAME}\s{_YEAR.replace('year', 'late')})$")
_PDF_DATE = re.compile(
    rf"D?:?{_YEAR}(?P<month>\d\d)(?P<day>\d\d)(?:(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)?"
    r"(?P<zone>Z|[+-]\d\d'?\d\d)?)?"
)
_EPOCH = re.compile(r"^1\d{9}(?:\d{3})?$")
_IN_URL = re.compile(r"[/_-]((?:19|20)\d\d)[/_-]?(0[1-9]|1[0-2])[/_-]?(0[1-9]|[12]\d|3[01])(?=[/_.-]|$)")
_COPYRIGHT = re.compile(r"©|\(c\)\s|copyright|版权|all rights", re.IGNORECASE)

# The first letters of the months in the languages news is most often written in; other languages are left to
# dateparser.
_MONTHS = {
    start: number
    for number, starts in enumerate(
        "jan ene gen|feb fév fev|mar mär maa mrt|apr avr abr|may mai mei mag|jun juin giu|jul juil lug|"
        "aug aoû aou ago|sep set|oct okt out ott|nov|dec dez déc dic".split("|"),
        start=1,
    )
    for start in starts.split()
}


def read_date(text: str, *, stated: bool = False) -> str | None:
    """The first date in a text, as ISO 8601; `stated` allows the bare years and stamps that only tags write.

    >>> read_date("2014年7月18日 08:30　来源：新华网")
    '2014-07-18T08:30'
    >>> read_date("Friday, July 18, 2014 at 8:30 p.m.")
    '2014-07-18T20:30'
    >>> read_date("1955", stated=True), read_date("1955")
    ('1955', None)
    """
    text = " ".join(text[:_LONGEST].split())
    for shape in _FULL:
        for match in shape.finditer(text):
            if found := _iso(match.groupdict()):
                return found
    for match in _SLASHED.finditer(text) if "/" in text else ():
        if found := _iso(match.groupdict() | _sides(match)):
            return found
    return _read_stamp(text) if stated else None


def _sides(match: re.Match[str]) -> dict[str, str | None]:
    """Which number of a date with slashes is the month, and which the day; neither if that cannot be told."""
    one, other = match["one"], match["other"]
    if match["american"] or int(other) > 12 or int(one) == int(other):
        return {"month": one, "day": other}
    return {"month": other, "day": one} if int(one) > 12 else {"month": None, "day": None}


def _read_stamp(text: str) -> str | None:
    if _EPOCH.match(text):
        return datetime.fromtimestamp(int(text[:10]), UTC).isoformat()
    if match := _COMPACT.match(text) or _PROGRAM.match(text):
        return _iso(match.groupdict())
    if match := _PART.match(text):
        year, month = match["year"] or match["late"], match["month"] or _month(match["name"] or "")
        if not month:
            return year if match["year"] else None
        return f"{year}-{int(month):02d}" if 1 <= int(month) <= 12 else year
    return None


def _month(name: str) -> int:
    low = name.lower()
    return _MONTHS.get(low[:4]) or _MONTHS.get(low[:3]) or 0


def _iso(found: dict[str, str | None]) -> str | None:
    """Write what a pattern found, or None if no calendar has such a day."""
    month = found.get("month") or _month(found.get("name") or "")
    year = found.get("year") or f"20{found.get('short')}"
    try:
        day = datetime(int(year), int(month), int(found["day"] or 0))
    except ValueError:
        return None
    hour, minute, second = (int(found.get(part) or 0) for part in ("hour", "minute", "second"))
    half = (found.get("half") or "").lower()
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    zone = _zone(found.get("zone"))
    if not found.get("hour") or hour > 23 or minute > 59 or second > 59:
        return day.date().isoformat()
    if hour == minute == second == 0 and (zone is None or zone == UTC):
        return day.date().isoformat()  # midnight on the dot is how software writes "no time given"
    moment = day.replace(hour=hour, minute=minute, second=second, tzinfo=zone)
    return moment.isoformat(timespec="seconds" if found.get("second") else "minutes")


def _zone(text: str | None) -> timezone | None:
    if not text:
        return None
    if text[0] not in "+-":
        return UTC
    offset = timedelta(hours=int(text[1:3]), minutes=int(text[-2:]))
    return timezone(-offset if text[0] == "-" else offset) if offset < timedelta(hours=15) else None


# --- choosing ------------------------------------------------------------------------------------------------

# What scholarly indexes read: the date of the work, where JSON-LD may give that of its digital copy.
_SCHOLARLY = (
    "citation_publication_date", "citation_date", "citation_cover_date", "citation_year", "citation_online_date",
)  # fmt: skip
_TAGS = (
    "dc.date.issued", "dc.issued", "dc.date", "dc.date.created", "dc.created", "prism.publicationdate",
    "article:published_time", "og:article:published_time", "article:published", "og:published_time",
    "og:publish_date", "og:pubdate", "og:release_date", "datepublished", "publishdate", "publish_date",
    "publish-date", "published_time", "publish_time", "pubdate", "publication_date", "parsely-pub-date",
    "sailthru.date", "ptime",
    "date", "dateposted", "datecreated", "created", "timestamp", "weibo: article:create_at", "apub:time",
    "dateupdate",
)  # fmt: skip
_FIRST_PAGE = "1990"  # no page of the web is older; what it tells of may be
_NEAR, _NEAR_ARTICLE = 4, 12  # short texts below the heading
_HOUR = re.compile(r"\d\s?[:：时點点]\s?\d\d")
_LABELLED = re.compile(
    r"^.{0,20}(?:发布|时间|日期|出版|Published|Posted|Publicado|Publié|Veröffentlicht|(?:Artikel|Beitrag) wurde am)",
    re.IGNORECASE,
)


def published(
    found: Evidence, tree: Any, url: str, *, fetched: float = 0.0, language: str = ""
) -> tuple[str | None, str]:
    """When the page was published, from its best evidence, and where it says so; None if it does not say.

    `tree` is what guesses may be made from when nothing is stated; None for a page too large to guess about.
    """
    best, where = None, ""
    for date, place in _claims(found, url, fetched):
        if _ahead(date, fetched):
            continue
        if best is None:
            best, where = date, place
        elif "T" in date and "T" not in best and date.startswith(best):
            return date, where  # the same day, and the hour with it
        if "T" in best:
            return best, where
    return (best, where) if best else (_guess(found, tree, fetched, language), "guess")


def _claims(found: Evidence, url: str, fetched: float) -> Iterator[tuple[str, str]]:
    """Every date the page gives for itself and where it does, the most trusted first."""
    stated = [(value, "scholarly tags") for tag in _SCHOLARLY for value in found.metas.get(tag, [])[:1]]
    stated += [(plain(found.article.get(name)), "json-ld") for name in ("datePublished", "dateCreated", "uploadDate")]
    stated += [(value, "meta tags") for tag in _TAGS for value in found.metas.get(tag, [])[:2]]
    items = found.items.get("datepublished", [])[:2] + found.items.get("datecreated", [])[:1]
    stated += [(value, "microdata") for value in items]
    for text, place in stated:
        if date := read_date(text, stated=True):
            yield date, place
    seen = [("dateline", _dateline(found, fetched))]
    seen += [("time element", read_date(text)) for text in found.items.get("time", [])[:1]]
    seen += [("address", "-".join(match.groups()) if (match := _IN_URL.search(url)) else None)]
    seen += [("script", read_date(found.scripted, stated=True))]
    seen += [("label", _seen(line for line in found.short.split("\n") if _LABELLED.match(line)))]
    for place, found_date in seen:
        if found_date:
            yield found_date, place


def _dateline(found: Evidence, fetched: float) -> str | None:
    """The date that stands by itself below the heading, or right above it; one in a sentence or a table is not meant.

    A day without an hour that nothing says is one of publication must stand close below it: closer on a page that
    nothing says is an article, where facts of all kinds stand, and there not be written with slashes, as captions and
    logs are. What the title names is what the page is about.
    """
    about = read_date(found.heading or found.title)
    near = _NEAR_ARTICLE if found.is_article else _NEAR
    for place, line in enumerate(found.lead.split("\n")):
        date = None if _COPYRIGHT.search(line) else read_date(line)
        if date is None or date < _FIRST_PAGE or date[:10] == about:
            continue
        told = _LABELLED.match(line) is not None
        close = place < near and (found.is_article or not _SLASHED.search(line))
        if told or (is_all_of(line) and (close or _HOUR.search(line))):
            return date
    above = (read_date(line) for line in found.above.split("\n") if is_all_of(line) and not _COPYRIGHT.search(line))
    dates = [date for date in above if date and date > _FIRST_PAGE and date[:10] not in (about, *_days_of(fetched))]
    return dates[-1] if dates else None


def _days_of(fetched: float) -> list[str]:
    """The days it was somewhere on Earth at the fetch: what a page without a date of its own bears at its head."""
    hours = (-12, 0, 14) if fetched > 0 else ()
    return [datetime.fromtimestamp(fetched + hour * 3600, UTC).date().isoformat() for hour in hours]


def is_all_of(line: str) -> bool:
    """Whether a date is at least half of what a line says."""
    rest = line
    for shape in (*_FULL, _SLASHED):
        rest = shape.sub(" ", rest, count=1)
    return 2 * sum(map(str.isalnum, rest)) <= sum(map(str.isalnum, line))


def _seen(lines: Iterable[str]) -> str | None:
    """The first date among lines a reader sees."""
    dates = (read_date(line) for line in lines if not _COPYRIGHT.search(line))
    return next(filter(None, dates), None)


def pdf_date(info: dict[str, str], first_page: str, fetched: float = 0.0) -> tuple[str | None, str]:
    """When a PDF was published: what its first page says of that, else when the file was made; and where it stands."""
    said = _seen(line for line in first_page[:5_000].splitlines() if len(line) <= 120 and _LABELLED.match(line))
    if said and not _ahead(said, fetched):
        return said, "label"
    if match := _PDF_DATE.match(info.get("CreationDate", "")):
        date = _iso(match.groupdict() | {"zone": (match["zone"] or "").replace("'", "")[:5]})
        if date and not _ahead(date, fetched):
            return date, "pdf information"
    return None, ""


def _ahead(date: str, fetched: float) -> bool:
    """Whether a date lies after the fetch, wherever on Earth it was written."""
    if fetched <= 0:
        return False
    full = date + "-01-01"[(len(date) - 4) :] if len(date) < 10 else date
    moment = datetime.fromisoformat(full)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone(timedelta(hours=14)))
    return moment.timestamp() > fetched


def _guess(found: Evidence, tree: Any, fetched: float, language: str) -> str | None:
    """What the date libraries make of a page that states nothing plainly."""
    for text in found.items.get("time", [])[:2]:
        if (date := _foreign(text, language)) and not _ahead(date, fetched):
            return date
    if tree is None or not found.is_article:  # elsewhere most dates are of something else
        return None
    # htmldate fetches a string that looks like a URL: it must only ever be given a parsed tree. Its extensive
    # search is left off, since that one guesses from any date on the page, down to the copyright year.
    from htmldate import find_date
    from htmldate.extractors import try_date_expr

    latest = datetime.fromtimestamp(fetched + 14 * 3600, UTC).replace(tzinfo=None) if fetched > 0 else None
    date = find_date(tree, extensive_search=False, original_date=True, max_date=latest)
    try_date_expr.cache_clear()  # which remembers texts of any length
    # It also reads digits inside identifiers; a year that neither a reader nor a tag has is such a one.
    if date is None or _ahead(date, fetched):
        return None
    if any(_is_either(date, match) for match in _SLASHED.finditer(found.short)):
        return None
    said = [*found.short.split("\n"), *(value for values in found.metas.values() for value in values)]
    told = any(date[:4] in text and not _COPYRIGHT.search(text) for text in said)
    return str(date) if told else None


def _is_either(date: str, match: re.Match[str]) -> bool:
    """Whether a date is what one makes of another with slashes, of which nobody can tell what is the month."""
    numbers = sorted((int(match["one"]), int(match["other"])))
    unsure = _sides(match)["month"] is None and (match["year"] or f"20{match['short']}") == date[:4]
    return unsure and numbers == sorted((int(date[5:7]), int(date[8:10])))


def _foreign(text: str, language: str) -> str | None:
    """A written-out date in a language our patterns do not know."""
    if len(text) > 60 or not re.search(r"(?:19|20)\d\d", text) or len(language) != 2:
        return None
    import dateparser

    with warnings.catch_warnings():
        # dateparser itself calls strptime in ways newer Pythons warn of; nothing we pass can mend that.
        warnings.simplefilter("ignore")
        try:
            settings = {"STRICT_PARSING": True, "REQUIRE_PARTS": ["year", "month", "day"]}
            moment = dateparser.parse(text, languages=[language], settings=settings)
        except (ValueError, OverflowError, TypeError):
            return None
    return moment.date().isoformat() if moment else None
