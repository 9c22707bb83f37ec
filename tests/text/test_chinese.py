"""Traditional and simplified Chinese meet, and nothing else is touched."""

from __future__ import annotations

from honeyguide.text.chinese import simplified


def test_traditional_signs_become_simplified_ones() -> None:
    assert simplified("華為 臺灣 頭髮 發展 數據挖掘 裡面 裏面") == "华为 台湾 头发 发展 数据挖掘 里面 里面"


def test_simplified_and_other_writing_stays_as_it_is() -> None:
    for text in ("华为发展", "honey", "蜂蜜", "ひらがな カタカナ 한국어", "", "𠮷"):
        assert simplified(text) == text


def test_folding_twice_changes_nothing_and_no_text_changes_its_length() -> None:
    every = "".join(map(chr, range(0x3400, 0xA000)))
    once = simplified(every)
    assert simplified(once) == once
    assert len(once) == len(every)
    assert sum(one != other for one, other in zip(every, once, strict=True)) > 2_500
