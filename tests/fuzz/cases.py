"""Inputs that once broke something, each with what it broke; every run tries them."""

from __future__ import annotations

__all__ = ["CASES"]

CASES: dict[str, list[bytes]] = {
    "robots": [
        # The longest pattern was chosen by its length before its escapes were undone: an Allow won that should not.
        b"%61B\nUser-agent: *\nAllow: /%61\nDisallow: /aB\n",
    ],
    "records": [
        # Half a surrogate pair in a page's JSON could not be sent on from a hand: the careful record was lost.
        b'<script type="application/ld+json">{"@type":"NewsArticle","headline":"H\\ud800"}</script><p>x',
    ],
    "flags": [
        b"honey\nbees\n\n\xff",  # a name that no file could take
        b"\xff\nbees\n\nx",  # a keyword that none could
    ],
    "archives": [
        # An answer without a status was passed on without a word of why.
        b"WARC/1.1\nWARC-Type:response\r\nA\r\nWARC-Target-URI:http:Z\r\nContent-Type:application/http",
    ],
    "labels": [
        b'{"url": ' + b"[" * 9_000,  # a RecursionError of the JSON reader
        b"http://a.test/1," + b"x" * 140_000,  # csv's own limit of a field
    ],
}
