"""crawl and resume."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from honeyguide.api import Run, demo_topic
from honeyguide.api import crawl as start_crawl
from honeyguide.api import resume as resume_crawl
from honeyguide.cli.screen import Meter, console, plain, print_json, unkept_lines
from honeyguide.crawling import Settings, Summary
from honeyguide.crawling.report import write_report
from honeyguide.store import Folder
from honeyguide.topic import Topic
from honeyguide.topic.clicks import log_of, log_stamp
from honeyguide.wording import command, counted

__all__ = ["crawl", "resume"]

_DEFAULT = Settings()
_SURE = 0.8  # the expected F1 from which on nobody need be asked
Command = Callable[..., Any]


_BUDGET = (
    click.option("--pages", type=int, help="Answers to fetch at the most, in all.  [default: 1000, or as before]"),
    click.option("--seconds", type=float, help="Time to take at the most.  [default: no limit]"),
    click.option("--records", type=int, help="Stop after so many pages on topic.  [default: no limit]"),
    click.option("--workers", type=int, help="Processes that fetch and parse; 1: within this one."),
    click.option("--json", "as_json", is_flag=True, help="Print the result as JSON."),
    click.option("--quiet", is_flag=True, help="Show no progress and no notes, only the result."),
    click.option("--no-report", is_flag=True, help="Write no report at the end."),
)
_CHOICES = (
    click.option(
        "--strategy", metavar="NAME|FILE.py:CLASS", help=f"How to rank links.  [default: {_DEFAULT.strategy}]"
    ),
    click.option("--set", "strategy_settings", multiple=True, metavar="KEY=VALUE", help="A setting of the strategy."),
    click.option(
        "--learn-from", multiple=True, metavar="DIR", help="An earlier crawl or offline web to learn from. Repeat it."
    ),
    click.option("--allow", multiple=True, metavar="REGEX", help="Only URLs that match. Repeat it."),
    click.option("--deny", multiple=True, metavar="REGEX", help="No URLs that match. Repeat it."),
    click.option("--stay", type=click.Choice(["anywhere", "site", "host"]), help="Stay where the starts are."),
    click.option("--depth", type=int, help="Links to follow from the starts at the most."),
    click.option("--per-host", type=int, help="Pages of one host at the most."),
    click.option("--delay", type=float, help=f"Seconds a host rests between requests.  [default: {_DEFAULT.delay:g}]"),
    click.option(
        "--at-once", type=int, help="Requests at once to one host; more than 1 needs --delay 0.  [default: 1]"
    ),
    click.option("--connections", type=int, help=f"Requests at once to all hosts.  [default: {_DEFAULT.connections}]"),
    click.option("--retries", type=int, help=f"Further tries after a passing failure.  [default: {_DEFAULT.retries}]"),
    click.option(
        "--timeout",
        "total_timeout",
        type=float,
        help=f"Seconds for one answer.  [default: {_DEFAULT.total_timeout:g}]",
    ),
    click.option("--largest", type=int, help=f"Bytes of one answer at the most.  [default: {_DEFAULT.largest}]"),
    click.option("--contact", help="Your mail address or page, told to every server. Please give one."),
    click.option(
        "--open", "opened", multiple=True, metavar="IP[:PORT]|CIDR", help="A private address that may be asked."
    ),
    click.option(
        "--threshold", type=float, help="Probability from which a page is on topic.  [default: the judge finds it]"
    ),
)


def _with(options: tuple[Command, ...]) -> Callable[[Command], Command]:
    """Give a command these options, in this order."""

    def wrap(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return wrap


@click.command()
@click.argument("topic", required=False, type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the crawl.  [default: by the topic's name]")
@click.option("--keyword", "keywords", multiple=True, metavar="WORD[:WEIGHT]", help="A word of the topic. Repeat it.")
@click.option("--example", "examples", multiple=True, metavar="URL", help="A page on the topic. Repeat it.")
@click.option("--start", "starts", multiple=True, metavar="URL", help="Where to begin. Repeat it.")
@click.option("--name", help="The topic's name.")
@click.option("--kind", type=click.Choice(["any", "article", "news"]), help="Which pages count.")
@click.option("--language", "languages", multiple=True, metavar="CODE", help="Languages that count, e.g. en, zh.")
@click.option("--clicks", metavar="FILE", help="A log of searches and what was opened for them (semrank reads it).")
@click.option(
    "--web", metavar="live|demo|WARC|FOLDER", help="Where pages come from.  [default: live; demo without a topic]"
)
@_with(_CHOICES)
@click.option("--encoder", is_flag=True, default=None, help="Have a sentence encoder read pages, and names for guide.")
@click.option("--seed", type=int, help="Where chance is involved.  [default: 0]")
@click.option("--no-warc", "warc", flag_value=False, default=None, help="Do not archive what servers answered.")
@click.option("--no-text", "text", flag_value=False, default=None, help="Do not keep the quick text of pages.")
@click.option("--no-records", "careful", flag_value=False, default=None, help="Make no careful records.")
@_with(_BUDGET)
def crawl(topic: Path | None, out: Path | None, as_json: bool, quiet: bool, no_report: bool, **given: Any) -> None:
    """Crawl the web for a topic.

    TOPIC is a TOML file with keywords, examples and starts; flags add to it or replace it. Without a topic, the
    demo topic is crawled on the demo web, into ./demo-crawl.
    """
    wanted, demo = _topic(topic, given)
    settings = _settings(given)
    if settings.get("encoder") and settings.get("strategy", _DEFAULT.strategy) == "guide":
        settings["strategy_settings"] = {"encoder": "true", **settings.get("strategy_settings", {})}
    settings.setdefault("web", "demo" if demo else "live")
    if demo:
        settings.setdefault("pages", 200)
        settings.setdefault("delay", 0.05)
    folder = out or Path("demo-crawl" if demo else f"{_slug(wanted.name)}-crawl")
    log = log_of(wanted)
    for note in log.notes if log is not None and not quiet else ():
        click.echo(f"note: click log: {note}", err=True)
    if settings["web"] == "live" and not settings.get("contact") and not quiet:
        click.echo("note: no --contact given; servers cannot reach you if the crawl bothers them", err=True)
    run = start_crawl(wanted, out=folder, **settings)
    _go(run, as_json=as_json, quiet=quiet, report=not no_report)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@_with(_CHOICES)
@click.option("--retry-hosts", "retry", is_flag=True, help="Try hosts again that were given up.")
@_with(_BUDGET)
def resume(folder: Path, as_json: bool, quiet: bool, no_report: bool, retry: bool, **given: Any) -> None:
    """Continue a crawl that was stopped or killed.

    Nothing is lost and nothing is fetched twice, but what was under way. Settings may be changed: a larger budget,
    another pace, scope, threshold or strategy; each change is written into the manifest.
    """
    _go(resume_crawl(folder, retry=retry, **_settings(given)), as_json=as_json, quiet=quiet, report=not no_report)


def _topic(path: Path | None, given: dict[str, Any]) -> tuple[Topic, bool]:
    flags = {
        name: given.pop(name) for name in ("keywords", "examples", "starts", "name", "kind", "languages", "clicks")
    }
    flags = {name: value for name, value in flags.items() if value}
    if "clicks" in flags:  # a log that is not there is told before what a topic lacks besides
        log_stamp(Topic.from_flags(clicks=flags["clicks"], complete=False).clicks)
    if path is not None:
        topic = Topic.load(path, complete=not flags)
        return (topic.with_flags(**flags) if flags else topic), False
    if flags:
        return Topic.from_flags(**flags), False
    return demo_topic(), True


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    pairs = [pair.partition("=") for pair in given.pop("strategy_settings")]
    for name, mark, _ in pairs:
        if not mark:
            raise click.UsageError(f"--set {name}: write it as KEY=VALUE")
    given["open"] = given.pop("opened")
    settings = {name: value for name, value in given.items() if value is not None and value != ()}
    if pairs:
        settings["strategy_settings"] = {name: value for name, _, value in pairs}
    return settings


def _slug(name: str) -> str:
    """A folder name from a topic's: letters and digits only, so that no name becomes a path."""
    return "-".join("".join(sign if sign.isalnum() else " " for sign in name.lower()).split())[:60] or "topic"


@contextlib.contextmanager
def _interrupts(run: Run) -> Iterator[None]:
    """The first Ctrl-C ends the crawl cleanly, the second at once."""

    asked = False

    def on_signal(number: int, _: object) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        run.stop("stopped by the user" if number == signal.SIGINT else "stopped by the system")
        click.echo("\nstopping: finishing what is under way (Ctrl-C again to stop at once)", err=True)

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _go(run: Run, *, as_json: bool, quiet: bool, report: bool) -> None:
    with run, _interrupts(run), Meter(quiet=quiet or as_json) as meter:
        run.on_progress(meter)
        summary = run.finish()
    place = write_report(Folder(run.folder)) if report else None
    if as_json:
        print_json({**msgspec.to_builtins(summary), "harvest": round(summary.harvest, 4), "report": str(place or "")})
    else:
        _tell(summary, place, hints=not quiet)
    if summary.stop_reason.startswith("broken off") or summary.reached_nothing:
        sys.exit(1)


def _tell(summary: Summary, report: Path | None, *, hints: bool) -> None:
    """The result; what comes of it is said without being asked only if hints are wanted."""
    out = console()
    out.print(
        f"[bold]{summary.on_topic}[/] of {counted(summary.pages, 'page')} on topic "
        f"(harvest rate [bold]{summary.harvest:.0%}[/]), {counted(summary.records, 'record')}, "
        f"{counted(summary.hosts, 'host')}, {summary.seconds:.1f} s"
    )
    lines = unkept_lines(summary.unkept)
    if summary.reached_nothing:
        lines.append("nothing was reached: no page arrived")
        lines += [f"  {count} × {why}" for why, count in summary.troubles.items()]
    lines.append(f"ended: {summary.stop_reason}")
    lines += [f"  {summary.dead_end}"] if summary.dead_end else []
    lines += [f"  not reached any more: {failure}" for failure in summary.failures[:10]]
    lines += [f"mended: {note}" for note in summary.mended]
    lines += _hints(summary) if hints else []
    for line in lines:
        out.print(plain(line), markup=False)
    if report is not None:
        out.print(f"report: {report}", markup=False)


def _question(summary: Summary) -> list[str]:
    """What the judge would like to know, where much of what it said is in doubt."""
    right, missed = summary.right, summary.missed
    if not summary.doubtful or 2 * right >= _SURE * (summary.on_topic + right + missed):  # the F1 that is expected
        return []
    judged = counted(summary.on_topic, "page")
    return [
        f"in doubt: about {right:.0f} of {judged} judged on topic are, and {missed:.0f} others; "
        f"{command('label', summary.folder)} asks about these first, which would teach most:",
        *(f"  {url}" for url in summary.doubtful),
    ]


def _hints(summary: Summary) -> list[str]:
    """What to do next."""
    lines = [f"advice: {summary.advice}"] if summary.advice and not summary.reached_nothing else []
    lines += _question(summary)
    if summary.stop_reason.startswith(("stopped by", "broken off")):
        lines.append(f"continue with: {command('resume', summary.folder)}")
    elif summary.records:
        lines.append(f"search it with: {command('search', summary.folder)} WORDS")
    elif not summary.reached_nothing:
        lines.append(f"see why a page was judged as it was: {command('why', summary.folder)} URL")
    return lines
