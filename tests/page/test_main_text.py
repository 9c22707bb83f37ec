"""The quick main text: good enough to judge by, at almost no cost."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from pathlib import Path
from statistics import fmean

from honeyguide.page.cuts import Cut
from honeyguide.page.main_text import mark_main
from honeyguide.page.parse import Parser

SENTENCE = "Bees gather nectar from the flowers of the valley and make honey of it, all summer long. "
FLOOR = 0.895  # measured .902; may only rise


def _block(raw: str, path: str = "body/p", linked: str = "") -> Cut:
    return Cut(path, 0, raw, [(0, linked, 0, -1)] if linked else [])


def _main(*blocks: Cut) -> list[bool]:
    return mark_main(blocks)


def test_a_page_without_blocks_has_no_main_text() -> None:
    assert _main() == []


def test_sentences_are_text_and_runs_of_links_are_furniture() -> None:
    menu = _block("Home News Sport Weather", "body/ul/li", linked="Home News Sport Weather")
    assert _main(menu, _block(SENTENCE), menu) == [False, True, False]


def test_a_paragraph_of_links_is_furniture_however_long() -> None:
    assert _main(_block(SENTENCE, linked=SENTENCE[:60])) == [False]
    assert _main(_block(SENTENCE, linked=SENTENCE[:20])) == [True]


def test_nothing_inside_furniture_is_text() -> None:
    for tag in ("nav", "footer", "aside", "form", "button", "address"):
        assert _main(_block(SENTENCE, f"body/{tag}/p")) == [False]
        assert _main(_block(SENTENCE, f"body/{tag}/div/ul/li")) == [False]


def test_a_heading_or_short_paragraph_between_two_texts_belongs_to_them() -> None:
    text, heading, short = _block(SENTENCE), _block("Winter", "body/h2"), _block("And so on")
    assert _main(text, heading, short, text) == [True, True, True, True]
    assert _main(heading, text, heading) == [False, True, False]
    assert _main(text, short, short, short, text) == [True, False, False, False, True]


def test_a_menu_between_two_texts_does_not_belong_to_them() -> None:
    menu = _block("More", "body/p", linked="More")
    assert _main(_block(SENTENCE), menu, _block(SENTENCE)) == [True, False, True]


def test_text_outside_paragraphs_needs_the_end_of_a_sentence() -> None:
    no_end = SENTENCE.replace(".", "").replace(",", "") * 2
    assert _main(_block(no_end, "body/div")) == [False]
    assert _main(_block(SENTENCE, "body/div")) == [True]
    assert _main(_block(SENTENCE, "body/td")) == [True]


def test_chinese_says_as_much_in_fewer_letters() -> None:
    chinese = "蜂蜜是蜜蜂采集花蜜酿成的食物，茶是一种饮料，二者常常一起被人们享用，味道很好。"
    assert _main(_block(chinese, "body/div")) == [True]
    assert _main(_block("Too short to be a text.")) == [False]


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    found = re.findall(r"\w+", text)
    return Counter(tuple(found[start : start + 4]) for start in range(max(1, len(found) - 3))) if found else Counter()


def test_quality_on_real_news_pages_stays_above_its_floor(shared: Path) -> None:
    folder, parser = shared / "data" / "article-bodies", Parser()
    truth = json.loads((folder / "ground-truth.json").read_text())
    precisions, recalls = [], []
    for name, known in truth.items():
        body = gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes())
        gold, found = _shingles(known["articleBody"]), _shingles(parser.text(body))
        both = sum((gold & found).values())
        precisions.append(both / max(1, sum(found.values())))
        recalls.append(both / max(1, sum(gold.values())))
    precision, recall = fmean(precisions), fmean(recalls)
    assert 2 * precision * recall / (precision + recall) >= FLOOR
