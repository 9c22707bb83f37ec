"""In which order a page says its words."""

from __future__ import annotations

import pytest

from honeyguide.page import Parser
from honeyguide.page.digest import Digest
from honeyguide.page.order import GAP, order_of, places_in, without

BEES = "The bees of the old valley fly from flower to flower and bring the nectar back to their hive. " * 4


def spelled(page: Digest) -> list[str]:
    terms = [*page.terms, ""]
    return [terms[min(place, len(page.terms))] for place in places_in(page.order).tolist()]


@pytest.mark.parametrize("structure", [True, False])
def test_a_page_knows_in_which_order_its_words_stand(structure: bool) -> None:
    body = f"<title>Old hives</title><p>{BEES}".encode()
    page = Parser(structure=structure).html(body, "http://a.test/")
    said = spelled(page)
    assert said[:6] == ["bee", "old", "valley", "fli", "flower", "flower"]
    assert said[-3:] == ["", "old", "hive"]  # a gap before the title
    assert {term: said.count(term) for term in page.terms} == page.terms


def test_words_that_were_put_there_leave_gaps() -> None:
    before = ["bee", "chess", "hive"]
    order = order_of(["bee", "chess", "hive", "chess"], ["bee"], before)
    assert places_in(without(order, before, ["bee", "hive"])).tolist() == [0, GAP, 1, GAP, GAP, 0]
    assert without(b"", [], []) == b""


def test_a_text_without_end_is_cut() -> None:
    order = order_of(["bee"] * 100_000, ["bee"] * 100_000, ["bee"])
    assert len(order) < 10_000
