"""What the record of a scholarly page has besides: abstract, keywords, references; from tags, else from blocks."""

from __future__ import annotations

from honeyguide.page.extract import extract
from honeyguide.page.record import Record

ABSTRACT = "Bees dance to tell each other where nectar is. We watched forty hives for a summer and measured every turn."
TAGS = "<meta name=citation_title content='Waggle dances'><meta name=citation_doi content='10.5555/x.1'>"
BODY = f"<h1>Waggle dances</h1><p>{'All summer the bees of the valley made honey of nectar and wax of honey. ' * 9}</p>"


def record(head: str, body: str = BODY) -> Record:
    return extract(f"<html><head><title>Waggle dances</title>{head}</head><body>{body}</body>", "https://j.example/1")


def test_tags_give_abstract_keywords_and_references() -> None:
    found = record(
        f"{TAGS}<meta name=citation_abstract content='{ABSTRACT}'><meta name=citation_keywords content='bees; wax'>"
        "<meta name=citation_reference content='citation_title=Combs; citation_author=A. Lee; citation_year=1999'>"
        "<meta name=citation_reference content='B. Dow. Hives.'>"
    )
    assert found.extra["abstract"] == ABSTRACT
    assert found.keywords == ["bees", "wax"]
    assert found.extra["references"] == "A. Lee. Combs. 1999\nB. Dow. Hives."
    assert found.extra["doi"] == "10.5555/x.1"


def test_blocks_give_what_tags_leave_out() -> None:
    body = (
        f"<h1>Waggle dances</h1><div class=abstract><h2>Abstract</h2><p>{ABSTRACT}</p></div>"
        f"<p class=keywords>Keywords: bees, wax, honey</p>{BODY}"
        "<h2>References</h2><ol><li>A. Lee. On combs and their builders. 1999.</ol>"
    )
    found = record(TAGS, body)
    assert found.extra["abstract"] == ABSTRACT
    assert found.keywords == ["bees", "wax", "honey"]
    assert found.extra["references"] == "A. Lee. On combs and their builders. 1999."


def test_what_search_results_show_is_the_abstract_only_if_the_page_calls_nothing_else_so() -> None:
    shown = f"<meta property=og:description content='{ABSTRACT[:105]}'>"
    assert record(f"{TAGS}{shown}", BODY * 9).extra["abstract"] == ABSTRACT[:105].rstrip()
    seen = f"<div class=abstract><p>{ABSTRACT}</p></div>"
    assert record(f"{TAGS}{shown}", seen + BODY * 9).extra["abstract"] == ABSTRACT


def test_other_pages_gain_nothing() -> None:
    found = record(f"<meta name=description content='{ABSTRACT}'><meta name=keywords content='a, b'>")
    assert "abstract" not in found.extra
    assert "references" not in found.extra
    assert found.keywords != ["a", "b"]


def test_chinese_labels_are_known() -> None:
    text = "蜜蜂以舞蹈告诉同伴花蜜的方向与距离。" * 9
    body = f"<h1>蜂舞</h1><div class=abstract>摘要：{text}</div><p class=keywords>关键词：蜜蜂；舞蹈</p>"
    found = record("<meta name=citation_title content='蜂舞'>", body)
    assert found.extra["abstract"].startswith("蜜蜂以舞蹈")
    assert found.keywords == ["蜜蜂", "舞蹈"]


def test_a_hostile_page_costs_no_more_than_it_may() -> None:
    many = "".join(f"<meta name=citation_reference content='r{n}'>" for n in range(3_000))
    found = record(f"{TAGS}{many}<meta name=citation_keywords content='{'k;' * 9_000}'>", "<div class=abstract>" * 300)
    assert found.extra["references"].count("\n") < 1_000
    assert len(found.keywords) <= 30
