"""bench and sweep: strategies side by side on an offline web."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.table import Table

from honeyguide.atomic import write_whole
from honeyguide.bench import CEILINGS, Bench, Entry, Outcome, Race, paired
from honeyguide.bench.figures import Figures
from honeyguide.cli.screen import RaceMeter, console, print_json
from honeyguide.errors import BenchError, SettingError
from honeyguide.wording import counted

__all__ = ["bench", "sweep"]

_MOST = 400  # settings tried in one sweep
Command = Callable[..., Any]


def _rules(command: Command) -> Command:
    for option in (
        click.option(
            "--topics", type=click.Path(path_type=Path), help="Another topics file.  [default: the web's own]"
        ),
        click.option("--only", metavar="ID,ID", help="Race on these topics.  [default: all]"),
        click.option("--block", default="", metavar="REGEX", help="URLs that do not exist for this race."),
        click.option("--budget", type=float, default=2.0, show_default=True, help="Fetches per relevant page."),
        click.option("--seed", type=int, default=0, show_default=True, help="Where chance is involved."),
        click.option("--workers", type=int, default=0, help="Runs at once.  [default: one for each core]"),
        click.option("--out", type=click.Path(path_type=Path), metavar="FILE.json", help="Write all figures."),
        click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON."),
        click.option("--quiet", is_flag=True, help="Show no progress."),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("web_dir", type=click.Path(path_type=Path))
@click.option("--strategies", metavar="A,B,FILE.py:CLASS", help="Who races.  [default: all, and both ceilings]")
@click.option("--start", type=click.Choice(["near", "far", "both"]), default="near", show_default=True)
@_rules
def bench(web_dir: Path, strategies: str | None, start: str, out: Path | None, as_json: bool, **given: Any) -> None:
    """Race strategies side by side on an offline web.

    WEB_DIR holds pages.warc.gz and topics.jsonl; 'honeyguide record' makes one of a crawl. Every strategy gets the
    same topics, the same pages and the same number of fetches, through the engine of a real crawl. near: from the
    examples of the topic; far: from pages that are far away. AUC tells how early relevant pages were found, as a
    share of what an oracle reaches that knows them all.

    With --out FILE.json the figures are written, and beside them FILE.html with the curves.
    """
    entries = tuple(Entry(name) for name in _names(strategies))
    races = []
    for one in ("near", "far") if start == "both" else (start,):
        race = _race(web_dir, entries, one, given)
        races.append(_run(race, quiet=given["quiet"] or as_json))
    written = _write(out, races) if out is not None else []
    if as_json:
        outcomes = [outcome for _, outcome in races]
        print_json(outcomes[0] if len(outcomes) == 1 else outcomes)
        return
    for made, outcome in races:
        _tell(made, outcome)
    if written:
        click.echo(f"figures and curves: {', '.join(map(str, written))}")


@click.command()
@click.argument("web_dir", type=click.Path(path_type=Path))
@click.option("--strategy", required=True, metavar="NAME|FILE.py:CLASS", help="Whose settings to try.")
@click.option("--set", "grid", multiple=True, required=True, metavar="KEY=V,V,…", help="Values to try. Repeat it.")
@click.option("--start", type=click.Choice(["near", "far", "both"]), default="both", show_default=True)
@_rules
def sweep(
    web_dir: Path, strategy: str, grid: tuple[str, ...], start: str, out: Path | None, as_json: bool, **given: Any
) -> None:
    """Find a strategy's best settings on an offline web.

    Every combination of the values given is raced, and the strategy as it stands. Settings are ranked by their mean
    AUC over the topics and the starts. The more is tried on few topics, the more the best owes to luck: keep topics
    aside to check it on.
    """
    tried = [Entry(strategy, settings) for settings in _combinations(grid)]
    entries = (Entry(strategy), *tried)
    races = []
    for one in ("near", "far") if start == "both" else (start,):
        races.append(_run(_race(web_dir, entries, one, given), quiet=given["quiet"] or as_json))
    rows = _sweep_rows(entries, [outcome for _, outcome in races])
    if out is not None:
        _save(out, msgspec.json.format(msgspec.json.encode(rows), indent=2))
    if as_json:
        print_json(rows)
        return
    starts = [outcome.start for _, outcome in races]
    table = Table("settings", *(f"AUC {one}" for one in starts), "mean", "p", box=None, header_style="bold")
    for row in rows:
        told = ", ".join(f"{key}={value}" for key, value in row["settings"].items()) or "as it stands"
        figures = [f"{row[one]:.4f}" for one in starts]
        table.add_row(told, *figures, f"{row['mean']:.4f}", _chance(row["p"]) if row["settings"] else "")
    console().print(table)
    click.echo("p: how often chance alone would show such a difference from the strategy as it stands")


def _names(told: str | None) -> list[str]:
    names = [name.strip() for name in (told or "").split(",") if name.strip()]
    if told is not None and not names:
        raise SettingError("--strategies names none; leave it out to race all")
    return list(dict.fromkeys(names))


def _race(web: Path, entries: tuple[Entry, ...], start: str, given: dict[str, Any]) -> Race:
    if given["workers"] < 0:
        raise SettingError(f"workers must not be negative, but is {given['workers']}")
    return msgspec.convert(
        {
            "web": str(web),
            "strategies": entries,
            "start": start,
            "block": given["block"],
            "budget": given["budget"],
            "seed": given["seed"],
            "topics": str(given["topics"] or ""),
            "only": tuple(_names(given["only"])) if given["only"] else (),
            "workers": given["workers"],
        },
        Race,
    )


def _run(race: Race, *, quiet: bool) -> tuple[Bench, Outcome]:
    made = Bench(race)
    names = [entry.name for entry in made.entries if entry.strategy not in CEILINGS]
    with RaceMeter([*CEILINGS, *names], len(made.topics), race.start, quiet=quiet) as meter:
        results = []
        for one in made.run(meter.parsed):
            results.append(one)
            meter(one)
    return made, made.outcome(results)


def _tell(made: Bench, outcome: Outcome) -> None:
    figures = Figures((outcome, made.curves, made.truths))
    several = len(made.topics) > 1  # on one topic there is no spread, and nothing to test
    table = Table(box=None, header_style="bold")
    table.add_column("strategy", min_width=max(len(one.strategy) for one in figures.standings))
    columns = ["AUC/oracle", "spread", "recall", "harvest", "F", "ms/page", "p to next"]
    for name in columns:
        if several or name not in ("spread", "p to next"):
            table.add_column(name, justify="right")
    for one, after in itertools.zip_longest(figures.standings, figures.standings[1:]):
        tested = several and after is not None and not one.is_ceiling
        cells = [f"{one.auc:.3f}", f"{one.spread:.3f}"][: 1 + several]
        cells += [f"{one.recall:.3f}", f"{one.harvest:.3f}", f"{one.f:.3f}"]
        cells += ["" if one.is_ceiling or one.ms is None else f"{one.ms:.2f}"]
        cells += [_chance(paired(one.aucs, after.aucs).p) if tested else ""][:several]
        table.add_row(one.strategy, *cells)
    out = console()
    topics = counted(len(made.topics), "topic")
    blocked = f", blocked: {outcome.block}" if outcome.block else ""
    out.print(
        f"\n{outcome.web}, {topics}, from {outcome.start}, {outcome.budget:g} fetches for each relevant page{blocked}",
        markup=False,
    )
    out.print(table)
    if better := dict.fromkeys(one.strategy for one in figures.above_oracle()):
        out.print(f"above the oracle on some topic: {', '.join(better)}", markup=False)
    if several:
        click.echo("p to next: how often chance alone would show such a lead over the next strategy (paired by topic)")


def _chance(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else "<0.0001"


def _write(out: Path, races: Sequence[tuple[Bench, Outcome]]) -> list[Path]:
    """Write the figures of each race, and one page with the curves of all; returns where."""
    from honeyguide.bench.page import write_page  # its templates are needed by nothing else here

    written = []
    for _, outcome in races:
        path = out if len(races) == 1 else out.with_name(f"{out.stem}-{outcome.start}{out.suffix}")
        _save(path, msgspec.json.format(msgspec.json.encode(outcome), indent=1))
        written.append(path)
    page = out.with_suffix(".html")
    write_page(page, [(outcome, made.curves, made.truths) for made, outcome in races])
    return [*written, page]


def _save(path: Path, text: bytes) -> None:
    try:
        write_whole(path, text + b"\n")
    except OSError as error:
        raise BenchError(f"{path} cannot be written: {error.strerror or error}") from None


def _combinations(grid: Sequence[str]) -> list[dict[str, str]]:
    keys, choices = [], []
    for told in grid:
        key, mark, values = told.partition("=")
        if not mark or not values or not key:
            raise click.UsageError(f"--set {told}: write it as KEY=VALUE,VALUE,…")
        keys.append(key)
        choices.append([value for value in values.split(",") if value])
    found = [dict(zip(keys, values, strict=True)) for values in itertools.product(*choices)]
    if len(found) > _MOST:
        raise SettingError(f"{len(found)} combinations are too many for one sweep; {_MOST} is the most")
    return found


def _sweep_rows(entries: Sequence[Entry], outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """Each setting's AUC by start and overall, best first, with how sure its lead over the strategy as it stands is."""
    standing = [one.auc for outcome in outcomes for one in outcome.results if one.strategy == entries[0].name]
    rows: list[dict[str, Any]] = []
    for entry in entries:
        row: dict[str, Any] = {"settings": entry.settings}
        own: list[float] = []
        for outcome in outcomes:
            values = [one.auc for one in outcome.results if one.strategy == entry.name]
            row[outcome.start] = sum(values) / len(values)
            own += values
        rows.append({**row, "mean": sum(own) / len(own), "p": paired(own, standing).p})
    return sorted(rows, key=lambda row: -row["mean"])
