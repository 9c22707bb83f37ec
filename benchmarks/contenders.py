"""Who runs in the cost benchmark, and with which command: the one place to change either.

Run as a script it is itself one of them, the skeleton:

    python benchmarks/contenders.py URLS.txt OUT.jsonl
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
AT_ONCE = 16
AT_A_HOST = 8  # as Scrapy's defaults have it


@dataclass(frozen=True)
class Job:
    """What a contender is asked to do: these pages, with this topic, in this empty folder."""

    urls: list[str]
    port: int
    name: str
    keywords: dict[str, float]
    examples: list[str]
    folder: Path

    @property
    def list_file(self) -> str:
        """The addresses, one a line."""
        return str(self.folder / "urls.txt")

    @property
    def topic_file(self) -> str:
        """The topic, with the addresses as starts."""
        return str(self.folder / "topic.toml")

    @property
    def out(self) -> str:
        """Where results go: a file or a folder, as the contender likes."""
        return str(self.folder / "out")

    def write(self) -> None:
        """Put the list and the topic on disk; this is not part of what is measured."""
        Path(self.list_file).write_text("".join(f"{url}\n" for url in self.urls), encoding="utf-8")
        Path(self.topic_file).write_text(topic_toml(self), encoding="utf-8")


def topic_toml(job: Job) -> str:
    """The topic as the TOML file `honeyguide crawl` reads.

    >>> print(topic_toml(Job(["http://x/"], 80, "Art", {"art": 1.0}, ["http://x/a"], Path())))
    name = "Art"
    [keywords]
    "art" = 1.0
    [pages]
    examples = ["http://x/a"]
    starts = ["http://x/"]
    <BLANKLINE>
    """

    def quoted(value: object) -> str:
        # JSON strings and lists of strings are TOML as well, as long as nothing is escaped to surrogates.
        return json.dumps(value, ensure_ascii=False)

    lines = [f"name = {quoted(job.name)}", "[keywords]"]
    lines += [f"{quoted(word)} = {float(weight)}" for word, weight in job.keywords.items()]
    lines += ["[pages]", f"examples = {quoted(job.examples)}", f"starts = {quoted(job.urls)}", ""]
    return "\n".join(lines)


def honeyguide(*words: str) -> list[str]:
    """A command of the Honeyguide installed beside this Python."""
    beside = Path(sys.executable).with_name("honeyguide")
    return [str(beside) if beside.exists() else "honeyguide", *words]


def live_crawl(job: Job, *flags: str, strategy: str = "hopfield") -> list[str]:
    """Crawl the listed pages from the local server."""
    where = ["--out", job.out, "--web", "live", "--open", f"127.0.0.1:{job.port}"]
    # Not the default, which would rather follow good links than fetch the whole list: every contender fetches the same.
    where += ["--delay", "0", "--at-once", str(AT_A_HOST), "--strategy", strategy]
    return honeyguide("crawl", job.topic_file, *where, "--pages", str(len(job.urls)), "--quiet", *flags)


def archive_crawl(job: Job, web: Path, workers: int) -> list[str]:
    """Crawl an offline web until nothing is left to fetch."""
    where = ["--out", job.out, "--web", str(web), "--pages", "1000000"]
    return honeyguide("crawl", job.topic_file, *where, "--workers", str(workers), "--quiet")


def scrapy(job: Job, *flags: str) -> list[str]:
    """Scrapy with its defaults, but for what a project template or a fast crawl would set."""
    settings = {
        "ROBOTSTXT_OBEY": True,
        "AUTOTHROTTLE_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "CONCURRENT_REQUESTS": AT_ONCE,
        "LOG_LEVEL": "ERROR",
    }
    command = [sys.executable, "-m", "scrapy", "runspider", str(HERE / "spider.py"), "-a", f"list={job.list_file}"]
    for name, value in settings.items():
        command += ["-s", f"{name}={value}"]
    return [*command, *flags, "-o", f"{job.out}.jsonl"]


def wget(job: Job, *how: str) -> list[str]:
    """Fetch the list over one connection."""
    return ["wget", "--no-config", "--no-hsts", "-q", "-e", "robots=on", "-i", job.list_file, *how]


def skeleton(job: Job) -> list[str]:
    """This file as a script."""
    return [sys.executable, str(HERE / "contenders.py"), job.list_file, job.out]


@dataclass(frozen=True)
class Contender:
    """A crawler, and what it does with each page."""

    name: str
    does: str
    command: Callable[[Job], list[str]]


@dataclass(frozen=True)
class Bound:
    """What a contender may cost at most, as a share of what another does on the same web."""

    web: str
    contender: str
    beside: str
    at_most: float


BOUNDS = (
    Bound("schools", "honeyguide-core", "scrapy", 0.25),
    Bound("schools", "honeyguide", "scrapy", 0.4),
    Bound("heavy", "honeyguide", "scrapy", 0.45),
    Bound("heavy", "honeyguide", "scrapy-xpath", 0.9),
    Bound("schools", "honeyguide-blocks", "scrapy", 0.8),
    Bound("heavy", "honeyguide-blocks", "scrapy", 0.8),
)


CONTENDERS = {
    contender.name: contender
    for contender in (
        Contender("scrapy", "robots, fetch, title and absolute links, one JSON line a page", scrapy),
        Contender(
            "scrapy-follow",
            "the same, and every link on the host made a request, checked against those seen, queued",
            lambda job: scrapy(job, "-a", "follow=1"),
        ),
        Contender(
            "scrapy-xpath",
            "as scrapy, but title and links by one XPath each and urljoin, no LinkExtractor",
            lambda job: scrapy(job, "-a", "by=xpath"),
        ),
        Contender(
            "scrapy-xpath-follow",
            "as scrapy-follow, but title and links by one XPath each and urljoin, no LinkExtractor",
            lambda job: scrapy(job, "-a", "by=xpath", "-a", "follow=1"),
        ),
        Contender(
            "wget",
            "fetch only, one page at a time: nothing is parsed or kept",
            lambda job: wget(job, "-O", "/dev/null"),
        ),
        Contender(
            "wget-recursive",
            "fetch one at a time, save to disk, find the links; none passes the filter",
            lambda job: wget(job, "-r", "-l", "1", "--reject-regex", ".", "-P", job.out),
        ),
        Contender("skeleton", "fetch, title and absolute links, one JSON line a page; no robots, no order", skeleton),
        Contender(
            "honeyguide-core",
            "robots, fetch, links with context, score, durable frontier (links queued, not followed)",
            lambda job: live_crawl(job, "--no-records", "--no-text", "--no-warc"),
        ),
        Contender(
            "honeyguide",
            "core, the WARC, and the quick main text of pages judged on topic",
            lambda job: live_crawl(job, "--no-records"),
        ),
        Contender(
            "honeyguide-blocks",
            "as honeyguide, pages on topic cut into their tree of blocks (strategy hopfield-blocks)",
            lambda job: live_crawl(job, "--no-records", strategy="hopfield-blocks"),
        ),
        Contender(
            "honeyguide-records",
            "all that, and the careful record of each page judged on topic",
            lambda job: live_crawl(job),
        ),
    )
}


async def bare_crawl(urls: list[str], out: Path) -> None:
    """Fetch and parse with the fastest parts known to us and nothing around them: the lower bound."""
    import aiohttp
    import url as whatwg
    from selectolax.lexbor import LexborHTMLParser
    from yarl import URL

    todo = iter(urls)

    async def work() -> None:
        for address in todo:
            async with session.get(URL(address, encoded=True)) as answer:
                body = await answer.read()
            page = LexborHTMLParser(body)
            base, links = whatwg.URL.parse(address), set()
            for node in page.css("a[href]"):
                try:
                    links.add(str(base.join(node.attributes.get("href") or "")))
                except (whatwg.URLError, ValueError):
                    continue
            title = page.css_first("title")
            line = {"url": address, "title": title.text() if title else None, "links": len(links)}
            lines.write(json.dumps(line) + "\n")

    with out.open("w", encoding="utf-8") as lines:
        async with aiohttp.ClientSession() as session, asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(work())


if __name__ == "__main__":
    asyncio.run(bare_crawl(Path(sys.argv[1]).read_text(encoding="utf-8").split(), Path(sys.argv[2])))
