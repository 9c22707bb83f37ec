"""The report: one crawl on one HTML page that opens from disk, can be mailed and can be printed.

The page holds everything it shows and fetches nothing. Titles, addresses and reasons come off the web, so the
template escapes all it is given, links lead to http and https only, and a content security policy forbids the rest.
"""

from __future__ import annotations

import contextlib
import json
import re
import tomllib
from bisect import bisect_right
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from honeyguide.crawling.charts import Tick, changes, nice, path, save, short, template, weights
from honeyguide.crawling.reading import as_its_page_writes
from honeyguide.crawling.verdicts import verdict_parts
from honeyguide.errors import CrawlFolderError
from honeyguide.page.record import Record
from honeyguide.store import Folder, Store, VisitRow
from honeyguide.store.summary import CrawlFigures, JudgedPage, Totals
from honeyguide.wording import command

__all__ = ["write_report"]

_POINTS = 400  # points of the harvest curve
_HOSTS, _RECORDS, _DOUBTFUL, _REASONS, _LANGUAGES, _WORDS, _DEPTHS = 25, 200, 8, 20, 12, 6, 20
_ELSEWHERE = frozenset(
    (
        "topic",
        "settings",
        "libraries",
        "counts",
        "refusals",
        "judge",
        "stop_reason",
        "seconds",
        "history",
        "remark",
        "adapted",
    )
)


def write_report(folder: Folder, out: Path | None = None) -> Path:
    """Write the report of a crawl, finished or not, into its folder or to another place; returns where."""
    target = _place(folder, out)
    store = Store.open(folder.database, read_only=True)
    try:
        summary = store.summary
        with summary.snapshot():
            page = template("honeyguide.crawling", "report.html.jinja", href=_href, bare=_bare, chance=_chance).render(
                _content(folder, store, summary)
            )
    finally:
        store.close()
    save(page, target, CrawlFolderError)
    return target


def _place(folder: Folder, out: Path | None) -> Path:
    """Where the report goes; an older report is replaced, but nothing else."""
    if out is None:
        return Path(folder.report)
    try:
        target = out / folder.report.name if out.is_dir() else out
        taken = target.exists() and target.suffix.lower() not in (".html", ".htm")
    except (OSError, ValueError) as error:
        raise CrawlFolderError(f"{out} cannot be written: {getattr(error, 'strerror', None) or error}") from None
    if taken:
        raise CrawlFolderError(f"{target} already exists and is no HTML page; choose another name for the report")
    return target


def _content(folder: Folder, store: Store, summary: CrawlFigures) -> dict[str, Any]:
    """All that the template shows."""
    manifest = folder.read_manifest()
    totals = summary.totals()
    curve = summary.curve(_POINTS)
    hosts = summary.hosts(_HOSTS)
    depths = summary.depths()
    return {
        "topic": _topic(folder, manifest),
        "totals": totals,
        "rate": _share(totals.on_topic, totals.fetched),
        "time": _duration(_seconds(manifest, totals)),
        "size": _size(totals.bytes),
        "stop_reason": str(manifest.get("stop_reason") or ""),
        "strategy": _strategy(manifest)[0],
        "weights": weights(manifest.get("history")),
        "remark": str(manifest.get("remark") or ""),
        "adapted": (adapted := changes(manifest.get("adapted"))),
        "adapting": _adapting(adapted),
        "when": _moment(manifest.get("started") or totals.first).partition(",")[0],
        "charts": [_chart(curve, 980, 250, 110), _chart(curve, 400, 190, 90)] if totals.fetched else [],
        "hosts": [(host, _share(host.on_topic, host.visits)) for host in hosts],
        "more_hosts": max(0, totals.hosts - sum(host.visits > 0 for host in hosts)),
        "depths": depths[:_DEPTHS],
        "deeper": sum(visits for _, visits, _ in depths[_DEPTHS:]),
        "most_at_a_depth": max((visits for _, visits, _ in depths), default=1),
        "records": [_best(folder, store, visit, record) for visit, record in store.records.best(_RECORDS)],
        "export": command("export", folder.path.name, "--to", "csv"),
        "unkept": store.unkept(),
        "threshold": _threshold(manifest, store),
        "doubtful": [
            [_doubtful(folder, store, page) for page in summary.doubtful(side, _DOUBTFUL)] for side in (True, False)
        ],
        "troubles": summary.troubles(_REASONS),
        "refusals": list(store.refusal_counts().items())[:_REASONS],
        "languages": summary.languages(_LANGUAGES),
        "facts": _facts(manifest),
        "settings": _settings(manifest),
        "version": version("honeyguide"),
    }


# --- what the manifest and the topic say; both may be old, cut or edited by hand --------------------------------


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _strings(value: Any) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list | tuple) else []


def _topic(folder: Folder, manifest: dict[str, Any]) -> dict[str, Any]:
    """The topic, from the manifest or else from the file beside it."""
    told = manifest.get("topic")
    topic = _dict(told)
    if not topic.get("keywords"):
        with contextlib.suppress(OSError, ValueError):
            topic = {**_dict(tomllib.loads(Path(folder.topic).read_text(encoding="utf-8"))), **topic}
    pages = {**_dict(topic.get("pages")), **topic}
    weights = []
    for word, weight in _dict(topic.get("keywords")).items():
        weights.append((str(word), float(weight) if isinstance(weight, int | float) else 1.0))
    return {
        "name": str(topic.get("name") or (told if isinstance(told, str) else "") or folder.path.resolve().name),
        "kind": str(topic.get("kind") or "any"),
        "languages": _strings(topic.get("languages")),
        "keywords": sorted(weights, key=lambda pair: -pair[1])[:200],
        "examples": _strings(pages.get("examples"))[:100],
        "starts": _strings(pages.get("starts"))[:100],
    }


def _threshold(manifest: dict[str, Any], store: Store) -> float | None:
    for source in (manifest.get("judge"), store.meta("judge")):
        value = _dict(source).get("threshold")
        if isinstance(value, int | float):
            return float(value)
    return None


def _seconds(manifest: dict[str, Any], totals: Totals) -> float:
    value = manifest.get("seconds")
    return float(value) if isinstance(value, int | float) else totals.last - totals.first


def _strategy(manifest: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The strategy's name and its own settings."""
    told = manifest.get("strategy") or ""
    return (str(told.get("name") or ""), _dict(told.get("settings"))) if isinstance(told, dict) else (str(told), {})


def _facts(manifest: dict[str, Any]) -> list[tuple[str, str]]:
    """What the manifest says of the crawl as a whole, with the versions of what ran it."""
    facts = {name: value for name, value in manifest.items() if name not in _ELSEWHERE}
    if "strategy" in facts:
        facts["strategy"], own = _strategy(manifest)
        facts |= {f"{facts['strategy']}: {name}": value for name, value in own.items()}
    for name in ("started", "ended"):
        if name in facts:
            facts[name] = _moment(facts[name])
    facts |= _dict(manifest.get("libraries"))
    return [(_words(name), _said(value)) for name, value in facts.items() if value not in (None, "")]


def _adapting(changed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A line for each thing that was changed, on a scale of its own."""
    told: dict[str, list[tuple[int, float]]] = {}
    for one in changed:
        told.setdefault(one["what"], [(0, one["before"])]).append((one["answers"], one["after"]))
    return [line for what, points in told.items() for line in weights({what: points})]


def _settings(manifest: dict[str, Any]) -> list[tuple[str, str]]:
    return [(_words(name), _said(value)) for name, value in _dict(manifest.get("settings")).items()]


def _words(name: Any) -> str:
    return str(name).replace("_", " ")


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value in ("", [], {}):
        return "–"
    if isinstance(value, list) and all(isinstance(item, str | int | float) for item in value):
        return ", ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# --- the records, and the pages near the threshold -------------------------------------------------------------


def _best(folder: Folder, store: Store, visit: int, record: Record) -> dict[str, Any]:
    seen = store.visit(visit)
    return {"record": record, "chance": seen.relevance, "reason": seen.reason, **_verdict(folder, store, seen, record)}


def _doubtful(folder: Folder, store: Store, page: JudgedPage) -> dict[str, Any]:
    record = store.records.get(page.visit)
    return {"page": page, "chance": page.relevance, **_verdict(folder, store, store.visit(page.visit), record)}


def _verdict(folder: Folder, store: Store, seen: VisitRow, record: Record | None) -> dict[str, Any]:
    """The words that decided, as their page writes them, and the judge's note."""
    words, note = verdict_parts(seen.verdict)
    words.sort(key=lambda pair: -abs(pair[1]))
    return {"words": as_its_page_writes(folder, store, seen, words[:_WORDS], record), "note": note}


# --- numbers and names for the eye -----------------------------------------------------------------------------


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _chance(share: float) -> str:
    """A probability; never rounded to certainty."""
    return "> 99.9 %" if 0.9995 <= share < 1 else "< 0.1 %" if 0 < share < 0.0005 else f"{share * 100:.1f} %"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{max(0.0, seconds):.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60:,} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min {rest} s"


def _size(size: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            break
        size /= 1000
    return f"{size:,.0f} {unit}" if unit == "bytes" or size >= 100 else f"{size:.1f} {unit}"


def _moment(value: Any) -> str:
    """A moment as people write it, from seconds or from ISO 8601; what is neither stays as it is."""
    try:
        if isinstance(value, int | float):
            if not value:
                return ""
            moment = datetime.fromtimestamp(value, UTC)
        else:
            moment = datetime.fromisoformat(str(value))
    except (ValueError, OverflowError, OSError):
        return str(value)
    return f"{moment.day} {moment:%B %Y, %H:%M}" + (" UTC" if moment.tzinfo is UTC else f" {moment:%Z}").rstrip()


def _href(url: Any) -> str | None:
    """An address that may be linked to; None for anything but http and https."""
    try:
        return str(url) if urlsplit(str(url)).scheme in ("http", "https") else None
    except ValueError:
        return None


def _bare(url: Any) -> str:
    """An address as a reader wants it: without the scheme, not too long."""
    return short(re.sub(r"^https?://(www\.)?", "", str(url)).rstrip("/"), 90)


# --- the harvest curve -----------------------------------------------------------------------------------------


def _chart(curve: list[tuple[int, int]], width: int, upper: int, lower: int) -> dict[str, Any]:
    """Two panels over one axis of pages fetched: on-topic pages so far above, the harvest rate of late below."""
    left, right, top, gap = 56, width - 16, 28, 46
    base, roof = top + upper, top + upper + gap
    floor = roof + lower
    pages, found = curve[-1]
    steps_x, steps_y = nice(pages, width // 130), nice(max(found, 1), upper // 50)
    high = max(steps_y[-1], found, 1)

    def x(value: float) -> float:
        return round(left + (right - left) * value / pages, 1)

    def y(value: float) -> float:
        return round(base - upper * value / high, 1)

    line = [(x(0), y(0))] + [(x(fetched), y(on_topic)) for fetched, on_topic in curve]
    window = max(10, round(pages / 20))
    rates = [(fetched, rate) for fetched, rate in _moving(curve, window) if fetched >= min(window, pages)]
    top_rate = 1.0 if max((rate for _, rate in rates), default=1.0) > 0.5 else 0.5
    mean = found / pages
    return {
        "width": width, "height": floor + 46, "left": left, "right": right, "top": top, "base": base,
        "roof": roof, "floor": floor, "pages": pages, "found": found, "window": min(window, pages),
        "line": path(line), "area": f"{path(line)}L{x(pages)},{base}Z", "end": line[-1],
        "perfect": (x(min(pages, high)), y(min(pages, high))),
        "rate": path([(x(fetched), round(floor - lower * rate / top_rate, 1)) for fetched, rate in rates]),
        "mean": round(floor - lower * mean / top_rate, 1), "mean_rate": mean,
        "x_ticks": [Tick(x(step), f"{step:,}") for step in steps_x],
        "y_ticks": [Tick(y(step), f"{step:,}") for step in steps_y],
        "rate_ticks": [Tick(round(floor - lower * part, 1), f"{part * top_rate * 100:.0f} %") for part in (0, 0.5, 1)],
    }  # fmt: skip


def _moving(curve: list[tuple[int, int]], window: int) -> list[tuple[int, float]]:
    """The harvest rate over the last so many pages, at each point of the curve."""
    known = [(0, 0), *curve]
    places = [fetched for fetched, _ in known]
    rates = []
    for fetched, on_topic in curve:
        before, had = known[max(0, bisect_right(places, max(0, fetched - window)) - 1)]
        rates.append((fetched, (on_topic - had) / (fetched - before)))
    return rates
