"""status, why, results, search, report, strategies: looking at what is there."""

from __future__ import annotations

import inspect
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.table import Table
from rich.text import Text

from honeyguide.cli.choose import QueryCommand, choosing, selection, topping
from honeyguide.cli.screen import console, plain, print_json, source_note, unkept_lines
from honeyguide.corpus import Corpus, Hit
from honeyguide.crawling import Visit, Why
from honeyguide.crawling import status as ask_status
from honeyguide.crawling import why as ask_why
from honeyguide.crawling.report import write_report
from honeyguide.crawling.verdicts import is_own
from honeyguide.errors import HoneyguideError
from honeyguide.store import Folder
from honeyguide.strategies import find, known
from honeyguide.topic.own_clicks import note as note_click
from honeyguide.wording import command, counted

__all__ = ["report", "results", "search", "status", "strategies", "why"]

_MOST_RESULTS = 20

_folder = click.argument("folder", type=click.Path(path_type=Path))
_json = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


@click.command()
@_folder
@_json
def status(folder: Path, as_json: bool) -> None:
    """How a crawl stands, also while it runs."""
    found = ask_status(Folder(folder))
    if as_json:
        print_json(found)
        return
    out = console()
    out.print(Text(f"{plain(found['topic'])}: {found['strategy']} on {found['web']}", style="bold"))
    out.print(
        f"{_spent(**found)}, {found['on_topic']} on topic (harvest rate "
        f"{found['harvest']:.0%}), {counted(found['records'], 'record')}"
    )
    queued, hosts = counted(found["queued"], "URL"), counted(found["hosts"], "host")
    out.print(f"{queued} queued of {found['known']} known, {hosts}, {found['seconds']} s")
    out.print(", ".join(f"{name}: {count}" for name, count in found["outcomes"].items()))
    for line in unkept_lines(found["unkept"]):
        out.print(line, markup=False)
    if found["duplicates"]:
        out.print(f"near-duplicates: {found['duplicates']}")
    for address in found["pdfs"][:20]:
        out.print(f"PDF: {plain(address)}", markup=False)
    for name, reason in found["parked_hosts"].items():
        out.print(f"parked: {plain(name)}: {plain(reason)}", markup=False)
    for reason, count in list(found["refusals"].items())[:10]:
        out.print(f"refused: {count} × {plain(reason)}", markup=False)
    ended = plain(found["stop_reason"])
    out.print(f"ended: {ended}" if ended else "not ended: still running, or killed", markup=False)


def _spent(pages: int, budget: int, by_watching: int, **_: Any) -> str:
    """The pages fetched and their budget, which a watch does not ask for.

    >>> _spent(120, 200, 0), _spent(202, 200, 2)
    ('120 of 200 pages', '202 pages (2 by watching), over the budget of 200')
    """
    over = pages > budget
    told = counted(pages, "page") if over else f"{pages} of {counted(budget, 'page')}"
    told += f" ({by_watching} by watching)" if by_watching else ""
    return told + (f", over the budget of {budget}" if over else "")


@click.command()
@_folder
@click.argument("url")
@_json
def why(folder: Path, url: str, as_json: bool) -> None:
    """Why a link had its rank, and why its page was judged as it was."""
    found = ask_why(Folder(folder), url)
    if as_json:
        print_json(found)
    else:
        _tell(found)


def _tell(found: Why) -> None:
    out = console()
    out.print(Text(plain(found.url), style="bold"))
    out.print(f"state: {found.state}", markup=False)
    if found.refused:
        out.print(f"refused: {plain(found.refused)}", markup=False)
    if found.host_parked:
        out.print(f"host {plain(found.host)} was parked: {plain(found.host_parked)}", markup=False)
    if found.priority is not None:
        out.print(f"rank {found.priority:.4g}: {plain(found.reason)}", markup=False)
    if found.anchor:
        out.print(f"link text: {plain(found.anchor)}", markup=False)
    for step, page in enumerate(found.found_on):
        out.print(f"{'found on' if not step else 'which was found on'}: {plain(page)}", markup=False)
    for visit in found.visits:
        for line in _visit_lines(visit, found.threshold):
            out.print(plain(line), markup=False)
    if found.label is not None:
        out.print(f"labelled {'right' if found.label else 'wrong'} by a person")


def _visit_lines(visit: Visit, threshold: float) -> list[str]:
    """What came of a visit, and how the verdict adds up."""
    lines = [
        " ".join(filter(None, [f"visited{_when(visit.fetched)}: {visit.outcome}", f"({visit.status})", visit.detail]))
    ]
    if visit.duplicate_of:
        lines.append(f"all but the same as {visit.duplicate_of}")
    if visit.outcome != "page":
        return lines
    side = "on" if visit.on_topic else "off"
    by = "" if not visit.judge or is_own(visit.judge) else f", by the judge of {visit.judge}"
    moved = "" if (visit.probability >= threshold) == visit.on_topic else " by now"
    lines.append(f"judged {side} topic: {visit.probability:.2f}, it needed {threshold:.2f}{moved}{by}")
    if visit.note:
        lines.append(f"note: {visit.note}")
    for sign, title in ((1, "for it"), (-1, "against it")):
        if words := [f"{word} {part:+.2f}" for word, part in visit.words if part * sign > 0]:
            lines.append(f"  {title}: {', '.join(words)}")
    if visit.rest is not None:
        total = sum(part for _, part in visit.words) + visit.rest
        lines.append(f"  all other words, and what any page begins with: {visit.rest:+.2f}")
        lines.append(f"  together: {total:+.2f} in log-odds, which is a probability of {visit.probability:.2f}")
    if visit.on_topic and visit.unkept:
        lines.append(f"not kept: {visit.unkept}")
    if visit.sources:
        known = (f"{field} by {source_note(visit.sources, visit.sure, field)}" for field in visit.sources)
        lines.append(f"its record: {', '.join(known)}")
    return lines


def _when(moment: float) -> str:
    """When a visit was; nothing of one that has no date, such as of a page that an archive lacks."""
    return datetime.fromtimestamp(moment, UTC).strftime(" %Y-%m-%d %H:%M:%S UTC") if moment else ""


@click.command()
@_folder
@topping
@choosing
@_json
def results(folder: Path, top: str, as_json: bool, **chosen: Any) -> None:
    """List a crawl's records, the surest on topic first.

    Twenty of them, or with --top (-k) so many or a share of all, as in --top 10%.
    """
    with Corpus(folder) as corpus:
        found = list(corpus.best(top or _MOST_RESULTS, only=selection(chosen)))
        total = corpus.count(selection(chosen))
    if as_json:
        print_json(found)
        return
    out = console()
    for place, record in enumerate(found, 1):
        out.print(Text(f"{place:4}  {record.relevance:.3f}  {plain(record.title or record.url)}"))
        known = filter(None, (record.url, record.source, record.published or ""))
        out.print(Text(f"             {plain('  '.join(known))}", style="dim"))
    out.print(f"{len(found)} of {counted(total, 'record')}")


@click.command(cls=QueryCommand)
@_folder
@click.argument("query", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option("--most", default=10, show_default=True, help="Hits to show at the most.")
@click.option("--read", type=int, metavar="N", help="Read the N-th hit; it is noted if you keep a click log.")
@choosing
@_json
def search(folder: Path, query: tuple[str, ...], most: int, read: int | None, as_json: bool, **chosen: Any) -> None:
    """Search a crawl's records.

    QUERY is words that must all occur. word* is the beginning of a word, "a phrase" stands in quotes (put quotes of
    the other kind around it, for the shell), -word or NOT word excludes, OR between two asks for one of them, and
    brackets group. Chinese needs no spaces.
    """
    with Corpus(folder) as corpus:
        hits = corpus.search(" ".join(query), most if read is None else max(most, read), only=selection(chosen))
    if read is not None:
        _read(hits, read, " ".join(query))
        return
    if as_json:
        print_json([_hit_json(hit) for hit in hits])
        return
    if not hits:
        click.echo("no record matches")
    for hit in hits:
        _show(hit)


def _read(hits: list[Hit], place: int, query: str) -> None:
    """Show one hit whole, and note that it was opened, if the user keeps a log."""
    if not 1 <= place <= len(hits):
        raise HoneyguideError(f"there is no hit {place}: {counted(len(hits), 'record')} matched")
    record = hits[place - 1].record
    click.echo(f"{plain(record.title)}\n{plain(record.url)}\n")
    click.echo("\n".join(plain(line) for line in record.text.splitlines()))
    if note_click(query, record.url):
        click.echo(f"\nnoted in your click log ({command('clicks')} shows it)", err=True)


def _hit_json(hit: Hit) -> dict[str, Any]:
    record = hit.record
    return {
        "url": record.url,
        "title": record.title,
        "published": record.published,
        "source": record.source,
        "relevance": record.relevance,
        "score": round(hit.score, 4),
        "snippet": hit.snippet.text,
        "matches": hit.snippet.spans,
    }


def _show(hit: Hit) -> None:
    out, record = console(), hit.record
    out.print(Text(plain(record.title) or plain(record.url), style="bold"))
    known = [record.source, record.published or "", f"relevance {record.relevance:.2f}", f"score {hit.score:.2f}"]
    out.print(Text(f"  {plain(record.url)}  ({plain(', '.join(filter(None, known)))})", style="dim"))
    # Control characters become spaces one by one, so the spans still fit.
    snippet = Text(plain(hit.snippet.text))
    for start, end in hit.snippet.spans:
        snippet.stylize("bold yellow", start, end)
    out.print(Text("  ") + snippet)


@click.command()
@_folder
@click.option(
    "--out", type=click.Path(path_type=Path), help="The file, or its folder.  [default: in the crawl's folder]"
)
def report(folder: Path, out: Path | None) -> None:
    """Write a crawl's report: one HTML page that opens from disk and can be mailed."""
    click.echo(str(write_report(Folder(folder), out)))


@click.command()
@click.argument("name", required=False)
@_json
def strategies(name: str | None, as_json: bool) -> None:
    """List the strategies, or tell all about one of them."""
    if name is None:
        chosen = known()
        if as_json:
            print_json([{"name": key, "summary": kind.summary()} for key, kind in chosen.items()])
            return
        table = Table("strategy", "what it does", box=None)
        for key, kind in chosen.items():
            table.add_row(key, kind.summary())
        console().print(table)
        return
    kind = find(name)
    settings = {key: value.default for key, value in kind.parameters().items()}
    if as_json:
        print_json({"name": kind.name, "about": inspect.getdoc(kind), "settings": msgspec.to_builtins(settings)})
        return
    click.echo(f"{kind.name}\n\n{inspect.getdoc(kind)}")
    if settings:
        click.echo("\nsettings (--set KEY=VALUE): " + ", ".join(f"{key}={value}" for key, value in settings.items()))
