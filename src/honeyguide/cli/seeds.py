"""seeds: where a crawl could begin, by what search engines answer."""

from __future__ import annotations

from pathlib import Path

import click

from honeyguide.cli.screen import console, plain, print_json
from honeyguide.crawling.engines import engine
from honeyguide.crawling.lexicon import expand
from honeyguide.crawling.seeds import Seeds, find_seeds
from honeyguide.errors import SettingError
from honeyguide.store import Folder
from honeyguide.topic import Topic
from honeyguide.topic.files import new_topic, save_topic
from honeyguide.wording import command, counted

__all__ = ["seeds"]


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--engine",
    "engines",
    multiple=True,
    required=True,
    metavar="URL|FILE.toml",
    help="A SearXNG by its address, or an engine that a file describes. Repeat it.",
)
@click.option("--lexicon", type=click.Path(path_type=Path), metavar="DIR", help="A crawl whose lexicon adds words.")
@click.option("--most", default=10, show_default=True, help="Pages at the most.")
@click.option("--out", type=click.Path(path_type=Path), metavar="TOPIC.toml", help="Write, or add to, a topic file.")
@click.option("--no-check", "check", flag_value=False, default=True, help="Do not look whether pages are there.")
@click.option("--open", "opened", multiple=True, metavar="IP[:PORT]|CIDR", help="A private address that may be asked.")
@click.option("--contact", default="", help="Your mail address or page, told to every server.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def seeds(
    query: tuple[str, ...],
    engines: tuple[str, ...],
    lexicon: Path | None,
    most: int,
    out: Path | None,
    check: bool,
    opened: tuple[str, ...],
    contact: str,
    as_json: bool,
) -> None:
    """Ask search engines where a crawl could begin.

    Every engine is asked for QUERY, and for it with each word that the lexicon of a crawl relates to it; the rankings
    are fused, and links that lead nowhere dropped. With --out they become the starts of a topic.
    """
    if most < 1:
        raise SettingError(f"most must be more than 0, not {most}")
    asked = " ".join(query)
    words = expand(Folder(lexicon), asked) if lexicon is not None else []
    chosen = [engine(one) for one in engines]
    topic = _topic(out, asked)  # what is wrong with the file is told before anybody is asked
    queries = [asked, *(f"{asked} {word}" for word in words)]
    found = find_seeds(queries, chosen, most=most, opened=opened, contact=contact, check=check)
    if out is not None and topic is not None and found.seeds:
        _write(out, topic, found)
    if as_json:
        print_json(found)
    else:
        _tell(found, out)


def _topic(out: Path | None, query: str) -> Topic | None:
    if out is None:
        return None
    if out.exists():
        return Topic.load(out, complete=False)
    return Topic.from_flags(keywords=[f"{word}:1" for word in query.split()], name=query, complete=False)


def _write(out: Path, topic: Topic, found: Seeds) -> None:
    whole = topic.with_flags(starts=[seed.url for seed in found.seeds])
    (save_topic if out.exists() else new_topic)(out, whole)


def _tell(found: Seeds, out: Path | None) -> None:
    screen = console()
    for seed in found.seeds:
        screen.print(f"{seed.score:.4f}  {plain(seed.url)}  {plain(seed.title)}", markup=False)
    if len(found.queries) > 1:
        screen.print(f"asked for: {plain('; '.join(found.queries))}", markup=False)
    for name, why in found.failed.items():
        screen.print(f"no answer from {plain(name)}: {plain(why)}", markup=False)
    for url, why in list(found.dead.items())[:10]:
        screen.print(f"dropped: {plain(url)}: {plain(why)}", markup=False)
    if not found.seeds:
        screen.print("nothing was found that can be reached")
    elif out is not None:
        screen.print(
            f"{counted(len(found.seeds), 'start')} in {out}; crawl with: {command('crawl', out)}", markup=False
        )
