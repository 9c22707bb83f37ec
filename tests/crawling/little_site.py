"""A site of a few pages that a test changes as it likes, over real HTTP, with a log of what was asked and how."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

HOST = "http://site.test"


class Asked(NamedTuple):
    """A request, as the site saw it."""

    path: str
    status: int
    if_none_match: str
    if_modified_since: str


class LittleSite:
    """Pages by their paths: a body, or a status with a place to go to."""

    def __init__(self) -> None:
        self.pages: dict[str, bytes | tuple[int, str]] = {}
        self.dated: dict[str, str] = {}  # pages that have a date in place of a tag
        self.log: list[Asked] = []
        self.address = ("127.0.0.1", 0)

    def answer(self, path: str, tag: str, since: str) -> tuple[int, dict[str, str], bytes]:
        page = self.pages.get(path)
        if page is None:
            return 404, {}, b"there is no such page"
        if isinstance(page, tuple):
            return page[0], {"Location": page[1]}, b""
        media = "application/xml" if path.endswith(".xml") else "text/html; charset=utf-8"
        own = f'"{hashlib.sha256(page).hexdigest()[:16]}"'
        headers = {"Content-Type": "text/plain" if path == "/robots.txt" else media}
        headers |= {"Last-Modified": self.dated[path]} if path in self.dated else {"ETag": own}
        if tag == own or (since and since == self.dated.get(path)):
            return 304, headers, b""
        return 200, headers, page

    @contextmanager
    def serve(self) -> Iterator[LittleSite]:
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked = (self.headers.get("If-None-Match", ""), self.headers.get("If-Modified-Since", ""))
                status, headers, body = site.answer(self.path, *asked)
                site.log.append(Asked(self.path, status, *asked))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = ("127.0.0.1", server.server_address[1])
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            thread.join()
            server.server_close()

    def asked(self, path: str) -> list[int]:
        """The statuses of all answers to requests for a path."""
        return [one.status for one in self.log if one.path == path]


def article(title: str, text: str, *beside: str) -> bytes:
    """An article with some furniture beside it."""
    links = "".join(f'<li><a href="{link}">More on {link}</a></li>' for link in beside)
    paragraphs = "".join(f"<p>{one}</p>" for one in text.split("\n"))
    return (
        f"<html><head><title>{title}</title><meta property='og:type' content='article'></head><body>"
        f"<article><h1>{title}</h1>{paragraphs}</article><aside><ul>{links}</ul></aside></body></html>"
    ).encode()


def feed(*paths: str) -> bytes:
    """An RSS feed of these pages."""
    items = "".join(f"<item><title>Story {path}</title><link>{HOST}{path}</link></item>" for path in paths)
    return f"<rss version='2.0'><channel><title>News</title>{items}</channel></rss>".encode()


def front(*paths: str) -> bytes:
    """A front page of these, with its feed."""
    links = "".join(f'<div><h2><a href="{path}">Story {path}</a></h2><p>Teaser.</p></div>' for path in paths)
    head = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    return f"<html><head><title>Site</title>{head}</head><body>{links}</body></html>".encode()
