"""Fuzz targets: topic files and flags, WARC files, labels, races, searches, exports."""

from __future__ import annotations

import asyncio
import csv
import gzip
import json
import random
import re
from functools import cache
from typing import Any

import msgspec
from hypothesis import strategies as st

from honeyguide.bench import offline
from honeyguide.corpus.query import read_query
from honeyguide.corpus.snippet import make_snippet
from honeyguide.corpus.source import Source
from honeyguide.corpus.tables import write_csv, write_jsonl, write_xlsx
from honeyguide.crawling.labels import read_labels
from honeyguide.errors import ArchiveError, BenchError, HoneyguideError, TopicError
from honeyguide.page.record import Record
from honeyguide.store import Folder, RecordStore, Store
from honeyguide.topic import Topic
from honeyguide.web.archive import ArchiveWeb, check_archive
from honeyguide.web.base import Response
from honeyguide.web.urls import normalise
from honeyguide.web.warc import info_record, parse_member, response_record
from tests.fuzz.kit import LONGEST, Target, as_text, encoded, pieces, scratch, take, tells, thrown

__all__ = ["TARGETS"]

_TOML = tuple(
    word.encode()
    for word in (
        'name = "bees"\n', "kind = 'news'\n", 'kind = "any"\n', 'languages = ["en", "zh-CN"]\n', "[keywords]\n",
        '"honey" = 2.0\n', "bees = 1\n", "wax = nan\n", "hive = 1e400\n", "comb = -1\n", '" " = 1\n', "[pages]\n",
        'examples = ["http://a.test/b"]\n', 'starts = ["HTTP://A.test:80/../x#y"]\n', "starts = 3\n", "[[pages]]\n",
        "[keywords.sub]\n", "x = 1979-05-27T07:32:00Z\n", '"""', "'''", "\\u0000", "\\U0010FFFF", "\\ud800", "=", ".",
        "[", "]", "{", "}", '"', "# why\n", "\n", "\ufeff", "\x7f", "kind = {a = 1}\n", "languages = [1, [2]]\n",
        "h = " + "9" * 5_000 + "\n", "[" * 300, "茶 = 1\n",
    )
)  # fmt: skip


_ODD = (*_TOML, b"x = " + b"[" * 2_000, b"x = " + b"9" * 5_000)


def _topic_file(dice: random.Random) -> bytes:
    """A good topic in which a line or two may be odd."""
    lines = [_TOML[0], _TOML[2], _TOML[3], *dice.choices([_TOML[4], b""], k=1), _TOML[5], _TOML[6], *_TOML[11:14]]
    for _ in range(dice.choice((0, 1, 1, 2))):
        lines.insert(dice.randrange(len(lines) + 1), dice.choice(_ODD))
    return b"".join(lines)


def check_topic(data: bytes) -> None:
    """Any file is a topic or a sentence about what is wrong; a topic comes back the same from its own text."""
    path = scratch() / "topic.toml"
    path.write_bytes(data)
    try:
        topic = Topic.load(path)
    except TopicError as error:
        tells(error, path)
        return
    path.write_text(topic.to_toml(), encoding="utf-8")
    assert Topic.load(path) == topic


def check_flags(data: bytes) -> None:
    """Any words of a shell are a topic or a sentence; a topic can be written down and comes back the same."""
    words = [as_text(word) for word in take(data, 4)]
    try:
        topic = Topic.from_flags(
            keywords=words[:2],
            starts=["http://a.test/"],
            examples=words[2:3] if words[2] else (),
            name=words[3] or None,
        )
    except TopicError:
        return
    path = scratch() / "flags.toml"
    path.write_text(topic.to_toml(), encoding="utf-8")
    assert Topic.load(path) == topic


_LABELS = tuple(
    word.encode()
    for word in (
        "http://a.test/1", "HTTPS://b.test/?q=1", " right\n", ",wrong\n", "\tyes\n", "# a note\n", '"', ",", "\r",
        '{"url": "http://a.test/2", "label": "right"}\n', '{"url": 3}\n', "{" * 3_000, "\x00",
        '{"url": "\\ud800", "label": 1}\n', "\u2028", "\x0c", "\ufeff", " ", "+\n", '{"url": ' + "[" * 9_000,
    )
)  # fmt: skip


def check_labels(data: bytes) -> None:
    """Any file is labels or a sentence about the line that is none."""
    path = scratch() / "labels.txt"
    path.write_bytes(data)
    try:
        found = read_labels(path)
    except HoneyguideError as error:
        tells(error, path)
        return
    assert all(normalise(url) == url and isinstance(said, bool) for url, said in found.items())


_RACES = tuple(
    word.encode()
    for word in (
        '{"id": "t1", "name": "Tea", "relevant": ["http://a.test/0"]}\n', '{"id": "t 2", "name": "x"}\n', "{}", "[]",
        "null", '{"id": "t3", "name": "x", "keywords": {"tea": 1e999}, "relevant": ["http://a.test/1"]}\n', '{"id": 1}',
        '{"id": "t4", "name": "x", "keywords": {"tea": 0.5}, "examples": ["mailto:x"], "relevant": ["http://a.test/"]}\n',
        '"', "\\ud800", ",", "\n", "\x00", "\ufeff", "[" * 3_000, '{"id": "t5", "name": "\\u0000", "relevant": []}\n',
    )
)  # fmt: skip


@cache
def _offline() -> str:
    folder = scratch() / "web"
    folder.mkdir()
    (folder / "pages.warc.gz").write_bytes(b"".join(_members(2)))
    return str(folder)


def check_race(data: bytes) -> None:
    """Any file is the topics of a race or a sentence about the line that is none."""
    path = scratch() / "topics.jsonl"
    path.write_bytes(data)
    try:
        found = offline.load(_offline(), path)
    except (TopicError, BenchError) as error:
        tells(error, path)
        return
    assert found.topics
    for topic in found.topics:
        assert found.truths[topic.id]
        assert all(0 < weight < float("inf") for weight in topic.keywords.values())


@cache
def _members(count: int) -> tuple[bytes, ...]:
    body = b"<title>Bees</title><p>honey and <a href=/1>wax</a>" * 4
    head = [("Content-Type", "text/html; charset=utf-8")]
    answers = [Response(f"http://a.test/{number}", 200, head, body, fetched=1.7e9) for number in range(count)]
    return (info_record({"software": "fuzz"}, 1.7e9), *map(response_record, answers))


_ARCHIVE = (
    *_members(3),
    *(gzip.decompress(member) for member in _members(3)),
    b"WARC/1.1\r\n", b"WARC/1.0\r\nWARC-Type: response\r\n", b"WARC-Target-URI: <http://a.test/9>\r\n", b"\r\n\r\n",
    b"Content-Length: 99999999999\r\n", b"Content-Length: -1\r\n", b"WARC-Date: 0000-00-00T99:99:99Z\r\n",
    b"HTTP/1.1 200 OK\r\n", b"HTTP/9 xx\r\n", b"Transfer-Encoding: chunked\r\n\r\nffffffffff\r\n",
    b"Content-Encoding: gzip\r\n\r\n",
    b"Content-Type: application/http\r\n", b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"\x00" * 32,
    b"WARC-Type: resource\r\nWARC-Target-URI: http://a.test/r\r\nContent-Length: 3\r\n\r\nabc",
)  # fmt: skip


def check_warc(data: bytes) -> None:
    """Any file is an archive that answers for every URL it names, or a sentence about what it is."""
    path = scratch() / "any.warc.gz"
    path.write_bytes(data)
    parse_member(data, 1_000_000)
    parse_member(data, 1_000_000, cut=10)
    for look in (check_archive, ArchiveWeb):
        try:
            found: Any = look(path)
        except ArchiveError as error:
            tells(error, path)
            continue
        if isinstance(found, ArchiveWeb):
            asyncio.run(_all_of(found))


async def _all_of(web: ArchiveWeb) -> None:
    for url in web.urls():
        assert normalise(url) == url
        response = await web.fetch(url)
        assert response.url == url
        assert response.status or response.error
        assert msgspec.msgpack.encode(response)
    await web.close()


@st.composite
def _damaged(draw: st.DrawFn) -> bytes:
    """An archive to which something has happened."""
    data = bytearray(draw(pieces(_ARCHIVE, most=5)))
    for _ in range(draw(st.integers(0, 4))):
        place, size = draw(st.integers(0, len(data))), draw(st.integers(0, 40))
        data[place : place + size] = draw(st.binary(max_size=40))
    return bytes(data[: draw(st.integers(0, LONGEST))])


@cache
def _corpus() -> tuple[Store, RecordStore]:
    store = Store.create(scratch() / "corpus.db")
    records = store.records
    records.put(1, Record("http://a.test/1", title="Bees", text="Bees make honey. 蜜蜂采蜜。 state-of-the-art"))
    return store, records


_QUERY = tuple(
    "\"|-|honey|bees|蜜蜂|«|»|*|(|)|AND|OR|NOT|NEAR|title:|^|+|:|{|}|'|--|;|\x00|－|’|ﬀ|İ|é|e\u0301|\ue000".split("|")
)


def check_query(data: bytes) -> None:
    """Anything typed into the search box is searched for, or answered by a sentence; never taken as SQL or FTS5."""
    _, records = _corpus()
    try:
        query = read_query(as_text(data))
    except HoneyguideError:
        return
    for _, _, record in records.search(query.match, 5, phrases=[phrase.match() for phrase in query.wanted]):
        snippet = make_snippet(record.text, query.wanted)
        assert all(0 <= start <= end <= len(snippet.text) for start, end in snippet.spans)


_CELLS = tuple(
    word.encode()
    for word in (
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r",
        " =1",
        "＝1",
        '"',
        ";",
        ",",
        "'",
        "\x00",
        "\x0b",
        "茶",
        "|",
        "%0A=1",
    )
)
_BAD_CELL = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")


def check_export(data: bytes) -> None:
    """Any record is stored and exported; no cell of a table begins a formula; JSON lines give back what was kept."""
    store, records = _corpus()
    parts = [as_text(part) for part in take(data, 6)]
    records.put(2, Record(parts[0], title=parts[1], text=parts[2], authors=parts[3:5], extra={parts[4]: parts[5]}))
    kept = records.get(2)
    assert kept is not None
    source, out = Source(Folder(scratch()), store), scratch() / "out"
    write_jsonl(source, out)
    assert msgspec.json.decode(out.read_bytes().splitlines()[-1], type=Record) == kept
    write_csv(source, out)
    with out.open(encoding="utf-8-sig", newline="") as file:
        table = list(csv.reader(file))
    assert len(table) == 3
    assert len(table[2]) == len(table[0])
    assert not any(map(_BAD_CELL.match, table[2]))
    write_xlsx(source, out)


_SIGNS = encoded(st.text(min_size=1, max_size=12)) | st.sampled_from(
    [b"\xff", b"honey:2", b"a:b:1", b" ", b":", b"x:nan"]
)
_FLAGS = st.lists(_SIGNS.map(lambda word: word.replace(b"\n", b" ")), min_size=4, max_size=4).map(b"\n".join)
_EXAMPLE_FLAGS = st.tuples(_FLAGS, st.sampled_from([b"", b"http://a.test/x", b"x"])).map(
    lambda pair: b"\n".join([*pair[0].split(b"\n")[:2], pair[1], pair[0].split(b"\n")[3]])
)
_LINE = st.tuples(
    st.sampled_from(
        [b"http://a.test/1", b"https://b.test/?x=1", b'"http://c.test/"', b"http://d.test/\xff", b"mailto:x"]
    ),
    st.sampled_from([b",", b" ", b"\t", b", ", b",,"]),
    st.sampled_from([b"right", b"wrong", b'"yes', b"\x00", b"1", b"x" * 200]),
).map(b"".join)
_LABEL_FILES = st.lists(_LINE | _LINE | st.sampled_from(_LABELS) | st.binary(max_size=6), max_size=6).map(b"\n".join)
_KEYS = st.sampled_from(["id", "name", "keywords", "examples", "far_starts", "relevant", "languages", "x"])
_VALUES = st.recursive(
    st.none() | st.floats() | st.integers() | st.text(max_size=5) | st.sampled_from(["http://a.test/0", "t1", "tea"]),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=3), some, max_size=2),
    max_leaves=5,
)
_RACE_LINE = st.tuples(st.booleans(), st.dictionaries(_KEYS, _VALUES, max_size=4)).map(
    lambda pair: json.dumps(
        ({"id": "t", "name": "n", "relevant": ["http://a.test/0"]} if pair[0] else {}) | pair[1]
    ).encode()
)
_RACE_FILES = st.lists(_RACE_LINE | st.sampled_from(_RACES), max_size=4).map(b"\n".join)
_QUERY_BYTES = tuple(word.encode() for word in _QUERY)
TARGETS = [
    Target("topics", check_topic, thrown(_topic_file) | pieces(_TOML, most=12), _TOML),
    Target("flags", check_flags, _EXAMPLE_FLAGS, (b"\n", b":", b"\xff", b"2", b"http://a.test/")),
    Target("labels", check_labels, _LABEL_FILES | pieces(_LABELS, most=10), _LABELS),
    Target("races", check_race, _RACE_FILES | pieces(_RACES, most=6), _RACES),
    Target("archives", check_warc, _damaged(), _ARCHIVE),
    Target("searches", check_query, pieces(_QUERY_BYTES, most=12) | encoded(st.text(max_size=40)), _QUERY_BYTES),
    Target("exports", check_export, pieces((*_CELLS, b"\n"), most=20), _CELLS),
]
