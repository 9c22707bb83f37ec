"""The Scrapy contenders: title and links of every page on a list.

    python -m scrapy runspider benchmarks/spider.py -a list=URLS.txt [-a by=xpath] [-a follow=1] -o pages.jsonl

Links are found by Scrapy's LinkExtractor, as its tutorial has it, or by one XPath and urljoin, as one who counts the
milliseconds would write it. As it stands, they are counted and left. With `follow`, every link on the same host
becomes a request, as in a real crawl; those on the list go first, and the spider closes when it has them all.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import scrapy
from scrapy.exceptions import CloseSpider
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor
from scrapy.utils.response import get_base_url


class TitleAndLinks(scrapy.Spider):
    """What a user would write who wants each page's title and links."""

    name = "title-and-links"

    def __init__(self, list: str, by: str = "extractor", follow: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.start_urls = Path(list).read_text(encoding="utf-8").split()
        self.allowed_domains = sorted({urlsplit(url).hostname or "" for url in self.start_urls})
        self.look = {"extractor": self.extracted, "xpath": self.selected}[by]
        self.extractor = LinkExtractor()
        self.follow = bool(follow)
        self.left = len(self.start_urls)
        self.listed = set(self.start_urls)

    async def start(self) -> AsyncIterator[Any]:
        """Ask for the list, or, when links are followed, for its first page, taken as a hub of all."""
        # Scrapy draws starts one by one while it crawls: links found meanwhile would overtake the others.
        for url in self.start_urls[:1] if self.follow else self.start_urls:
            yield scrapy.Request(url, dont_filter=not self.follow)

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        """Give one item a page, and its links if they are to be followed."""
        assert isinstance(response, HtmlResponse)
        title, links = self.look(response)
        yield {"url": response.url, "title": title, "links": len(links)}
        if self.follow:
            yield from self.requests(links)

    def extracted(self, response: HtmlResponse) -> tuple[str | None, list[str]]:
        """A page's title and links with the tools Scrapy has for them."""
        return response.css("title::text").get(), [link.url for link in self.extractor.extract_links(response)]

    def selected(self, response: HtmlResponse) -> tuple[str | None, list[str]]:
        """A page's title and links by one XPath each: no selector is translated, no link made an object."""
        base = get_base_url(response)
        links: dict[str, None] = {}
        for href in dict.fromkeys(response.xpath("//a/@href").getall()):
            try:
                url = urljoin(base, href.strip())
            except ValueError:  # no address at all
                continue
            if url.startswith(("http://", "https://")):
                links[url] = None
        return response.xpath("//title/text()").get(), [*links]

    def requests(self, links: list[str]) -> Iterator[scrapy.Request]:
        """Ask for the rest of the list once, and for every link, those on the list before others."""
        self.left -= 1
        if not self.left:
            raise CloseSpider("list done")
        if self.left == len(self.start_urls) - 1:
            yield from (scrapy.Request(url, priority=1) for url in self.start_urls[1:])
        yield from (scrapy.Request(url, priority=int(url in self.listed)) for url in links)
