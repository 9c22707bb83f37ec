"""A hostile web, met by a real crawl in a process of its own; `python proofs/hostile.py` has every attack by itself."""

from __future__ import annotations

import gc
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from proofs.hostile import ATTACKS, MEGABYTES, Outcome, meet
from proofs.hostile_server import HostileServer

from honeyguide.demo import build
from honeyguide.demo import demo_topic as choose_topic
from honeyguide.page import Parser
from honeyguide.page.extract import extract
from honeyguide.topic import Judge, Shown, Topic

LONG = {"endless", "crowd", "links", "trees", "gigabyte", "bombs", "floods", "xml", "robots"}  # for the proof alone
HANGS = 800.0  # seconds after which a crawl is held to hang
QUICK = [attack for attack in ATTACKS if attack.name not in LONG]


@pytest.fixture(scope="module")
def met(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Outcome, HostileServer]]:
    """One crawl through all quick attacks at once."""
    with HostileServer(QUICK) as server:
        folder = tmp_path_factory.mktemp("hostile") / "crawl"
        yield meet(QUICK, server, folder, 3_000, HANGS, total_timeout=4.0, read_timeout=3.0), server


def test_the_healthy_site_comes_through_whole_and_the_crawl_ends_by_itself(met: tuple[Outcome, HostileServer]) -> None:
    outcome, _ = met
    assert outcome.harm() == []
    assert outcome.status["stop_reason"] == "nothing left to visit"
    assert outcome.megabytes < MEGABYTES


@pytest.mark.parametrize("attack", QUICK, ids=lambda attack: attack.name)
def test_an_attack_is_cut_short_and_the_reason_is_recorded(met: tuple[Outcome, HostileServer], attack) -> None:  # type: ignore[no-untyped-def]
    outcome, server = met
    assert outcome.faults(attack, server) == []


def test_nothing_reached_the_port_inside_and_no_cookie_was_sent_back(met: tuple[Outcome, HostileServer]) -> None:
    _, server = met
    assert server.inside == []
    assert server.cookies == []


def test_host_names_are_kept_in_ascii_only(met: tuple[Outcome, HostileServer]) -> None:
    outcome, _ = met
    known = [line for line in outcome.reasons if line.startswith("known: ")]
    assert any("xn--" in line for line in known)
    assert all(line.isascii() for line in known)


def test_a_page_stuffed_with_the_topic_s_words_ranks_below_nearly_all_honest_pages_on_it() -> None:
    web, parser = build(), Parser(structure=False)
    truth = choose_topic(web)
    pages = {url: Shown.of(parser.html(page.body, url)) for url, page in web.pages.items() if page.kind == "article"}
    others = [page for url, page in pages.items() if url not in truth.relevant]
    judge = Judge(Topic(name="bees", keywords=dict(truth.keywords), examples=tuple(truth.examples)))
    judge.learn([pages[url] for url in truth.examples], others[:150])
    honest = sorted(judge(pages[url]).probability for url in truth.relevant if url in pages)
    words = list(truth.keywords)
    filler = " ".join(" ".join(page.terms) for page in others[:3]).split()[:200]
    telling = Counter(term for url in truth.examples for term in pages[url].terms).most_common(20)
    pure = [" ".join(words * 200), " ".join(words[:1] * 400), " ".join([term for term, _ in telling] * 30)]
    mixed = [" ".join(words[:1] * 200 + filler), " ".join(words[:2] * 100 + filler)]
    for text in pure + mixed:
        page = parser.html(f"<title>{words[0]}</title><p>{text}.".encode(), "http://stuffed.test/")
        verdict = judge(Shown.of(page))
        assert verdict.probability < honest[len(honest) // 10], text[:60]
        assert not verdict.on_topic or text in mixed, text[:60]
    verdict = judge(Shown.of(parser.html(f"<p>{pure[0]}".encode(), "http://stuffed.test/")))
    assert verdict.note.startswith("stuffed: it repeats")


def test_what_a_parser_is_spared_is_said(tmp_path: Path) -> None:
    parser = Parser()
    deep = parser.html(b"<p>honey</p>" + b"<div>" * 20_000, "http://a.test/")
    wide = parser.html(b"<p>honey</p><p " + b"a=1 " * 100_000 + b">", "http://a.test/")
    many = parser.html(b"<p>honey</p>" + b"<i>x</i>" * 200_000, "http://a.test/")
    long = parser.html(b"<a href='/" + b"x" * 3_000 + b"'>honey</a> <a href=/ok>ok</a>", "http://a.test/")
    assert deep.left_out == "all past byte 15012, where tags are nested more than 3000 deep"
    assert wide.left_out == "all past byte 12, where a tag is too wide"
    assert many.left_out.endswith("where it has had 300000 tags")
    assert long.left_out == "links longer than 2000 characters"
    assert [link.url for link in long.links] == ["http://a.test/ok"]


def test_the_careful_tools_remember_no_page_however_long_its_texts_are() -> None:
    def page(number: int) -> bytes:
        text = f"Bees of hive {number} make honey and wax all summer long. " * 8_000
        return f"<title>Hive {number}</title><time>{text[:50_000]}</time><article><p>{text}</p></article>".encode()

    extract(page(0), "http://a.test/0")
    tracemalloc.start()
    try:
        for number in range(1, 9):
            extract(page(number), f"http://a.test/{number}")
        gc.collect()
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert left < 600_000  # eight pages of 450 kB were read, and each would be kept more than once
