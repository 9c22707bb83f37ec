"""Bytes become UTF-8, whatever the page says of itself."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.page.charset import to_utf8

CHINESE = "蜂蜜是蜜蜂采集花蜜酿成的食物，茶是一种饮料。"
JAPANESE = "蜂蜜は蜜蜂が集めた花の蜜です。お茶は飲み物です。"


def _read(body: bytes, label: str | None = None) -> str:
    return to_utf8(body, label).decode("utf-8")


@pytest.mark.parametrize(
    ("text", "codec", "label"),
    [
        (CHINESE, "gb2312", "gb2312"),
        (CHINESE, "gbk", "GBK"),
        ("𠀀" + CHINESE, "gb18030", "gb2312"),  # what is called gb2312 is often more than that
        ("蜂蜜是蜜蜂採集花蜜釀成的食物", "big5", "big5"),
        (JAPANESE, "shift_jis", "Shift_JIS"),
        (JAPANESE, "euc-jp", "euc-jp"),
        (JAPANESE, "iso-2022-jp", "iso-2022-jp"),
        ("꿀은 꿀벌이 모은 것이다", "euc-kr", "euc-kr"),
        ("Пчёлы собирают мёд", "koi8-r", "koi8-r"),
        ("Пчёлы собирают мёд", "cp1251", "windows-1251"),
        ("สวัสดีครับ", "cp874", "tis-620"),
        ("café “crème”", "cp1252", "iso-8859-1"),  # on the web latin-1 means cp1252
        ("café", "latin-1", "latin1"),
        ("café", "utf-8", "UTF-8"),
    ],
)
class TestALabelThatHolds:
    def test_is_believed_in_the_header(self, text: str, codec: str, label: str) -> None:
        assert _read(text.encode(codec), label) == text

    def test_is_believed_in_the_page(self, text: str, codec: str, label: str) -> None:
        for tag in (
            f"<meta charset={label}>",
            f"<META http-equiv='Content-Type' content='text/html; charset = \"{label}\"'>",
            f"<?xml version='1.0' encoding='{label}'?>",
        ):
            assert _read(tag.encode() + text.encode(codec)) == tag + text


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-8"])
def test_a_byte_order_mark_has_the_last_word(codec: str) -> None:
    mark = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE, "utf-8": codecs.BOM_UTF8}[codec]
    page = "<meta charset=gb2312>" + CHINESE
    assert _read(mark + page.encode(codec), "big5") == page


def test_utf16_without_a_mark_is_read_by_its_header() -> None:
    assert _read(CHINESE.encode("utf-16-le"), "utf-16le") == CHINESE


def test_a_torn_byte_order_page_is_read_as_far_as_it_goes() -> None:
    assert _read(codecs.BOM_UTF16_LE + b"b\x00e") == "b\ufffd"
    assert _read(codecs.BOM_UTF8 + b"ok\xff") == "ok\ufffd"


def test_the_header_goes_before_the_page() -> None:
    page = "<meta charset=koi8-r>Пчёлы собирают мёд"
    assert _read(page.encode("cp1251"), "windows-1251") == page


@pytest.mark.parametrize("label", ["gb2312", "iso-8859-1", "shift_jis", "big5", "windows-1251"])
def test_bytes_that_read_as_utf8_are_utf8_whatever_is_claimed(label: str) -> None:
    assert _read(CHINESE.encode(), label) == CHINESE
    page = f"<meta charset={label}>{CHINESE}"
    assert _read(page.encode()) == page


def test_a_page_that_claims_utf8_and_is_not_is_guessed() -> None:
    assert _read((CHINESE * 10).encode("gb18030"), "utf-8") == CHINESE * 10
    assert _read("<meta charset=utf-8>café, crème brûlée".encode("cp1252"), "utf-8").endswith("café, crème brûlée")


def test_a_page_that_claims_nothing_is_guessed() -> None:
    assert _read((CHINESE * 10).encode("gb18030")) == CHINESE * 10
    russian = "Мёд — это сладкий продукт, который пчёлы делают из нектара цветов. "
    assert _read((russian * 5).encode("cp1251")) == russian * 5


@pytest.mark.parametrize(("codec", "label"), [("gb18030", "gb2312"), ("utf-8", "utf-8"), ("utf-8", None)])
def test_a_page_torn_inside_a_character_is_still_read(codec: str, label: str | None) -> None:
    assert _read((CHINESE * 20).encode(codec)[:-1], label).startswith(CHINESE * 19)


@pytest.mark.parametrize(
    "label", ["", "x", "hex", "rot13", "zlib", "idna", "unicode_escape", "utf-7", "none", "é", "\x00"]
)
def test_a_label_that_means_nothing_on_the_web_is_passed_over(label: str) -> None:
    assert _read(b"bees \\u0041 +AGE-", label) == "bees \\u0041 +AGE-"
    assert "bees" in _read(b"bees \xe9 \\u0041", label)


def test_a_label_far_down_the_page_is_not_looked_for() -> None:
    page = b" " * 10_000 + b"<meta charset=koi8-r>" + "café".encode("cp1252")
    assert _read(page).endswith("café")


@given(st.binary(max_size=400), st.one_of(st.none(), st.text(max_size=12), st.sampled_from(["gbk", "utf-16", "big5"])))
@settings(max_examples=300, deadline=None)
def test_any_bytes_under_any_label_become_valid_utf8(body: bytes, label: str | None) -> None:
    to_utf8(body, label).decode("utf-8", "strict")


@pytest.mark.parametrize(
    ("text", "codec", "label"),
    [
        ("①㈱髙 " + JAPANESE, "cp932", "shift_jis"),
        ("똠방각하 펲시콜라", "cp949", "euc-kr"),
        ("香港嘅嘢 峯", "big5hkscs", "big5"),
    ],
)
def test_a_label_means_what_browsers_take_it_for(text: str, codec: str, label: str) -> None:
    assert _read(text.encode(codec), label) == text


def test_a_meta_tag_that_says_utf16_means_utf8() -> None:
    page = '<meta charset="utf-16"><p>Bees and honey'
    for padding in ("", " "):
        assert _read((page + padding).encode()) == page + padding


@pytest.mark.parametrize(
    ("text", "codec", "label"),
    [("꿀은 꿀벌이 모은 것이다. " * 4, "euc-kr", "euc-kr"), ("Пчёлы собирают мёд. " * 10, "cp1251", "windows-1251")],
)
def test_one_broken_byte_does_not_take_the_label_its_trust(text: str, codec: str, label: str) -> None:
    assert _read(text.encode(codec) + b"\x98\xff\x98", label).startswith(text)
