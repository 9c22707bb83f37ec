"""Parsing pages: the first look (links, quick text, terms) and the careful record."""

from honeyguide.page.digest import Block, Digest, Link, decode, encode
from honeyguide.page.parse import Parser
from honeyguide.page.record import Record

__all__ = ["Block", "Digest", "Link", "Parser", "Record", "decode", "encode"]
