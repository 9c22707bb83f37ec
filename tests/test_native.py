"""The compiled loops say what the Python code beside them says, whatever the text; and nothing breaks them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from honeyguide.frontier import graph
from honeyguide.native import has_native
from honeyguide.page import blocks, charset, cuts, tags, tame
from honeyguide.page.digest import UNREAD, Block, Digest, Link
from honeyguide.page.parse import Parser
from honeyguide.strategies import likeness
from honeyguide.text import fingerprint, lookup, vectors
from honeyguide.text.terms import Terms
from honeyguide.web import Scope, urls
from honeyguide.web.scope import ScopeRules

if has_native:
    from honeyguide import _native

pytestmark = pytest.mark.skipif(not has_native, reason="nothing was compiled on this machine")

# English and Chinese, words of both cases, odd signs, marks, entities' leftovers, and anything at all.
_PIECES = st.one_of(
    st.sampled_from(
        "Bees bee's BEES isn’t O’Neill’s the 2014 37 MH17 5G covid-19 naïve Für straße ΣΑΣ I\u0307 ﬁne ² Ⅷ x² ①② "
        "数据挖掘 我们学习 茶, café\u00ad s\u2060o ™mark don't l' 'quoted' __init__ a.b.c かな 가나다 हिन्दी "
        "\u00a0 \u2003 \u3000 \u1680 \u205f \u0085 \ud800 \U0001f41d - — … “hive”".split(" ")
    ),
    st.text(st.characters(), max_size=12),
    st.text("abcdeSTU019'’-_ \t\n", max_size=30),
    st.builds(lambda word, times: word * times, st.text(st.characters(), min_size=1, max_size=2), st.integers(1, 200)),
)
TEXTS = st.lists(_PIECES, max_size=40).map(" ".join) | st.lists(_PIECES, max_size=8).map("".join)
_LINKS = st.one_of(
    _PIECES, st.sampled_from([" \x01 ", " \x02 ", " \x01 ", " \x02 ", " \x03 ", "x" * 90 + " " + "y" * 90])
)
LINKED = st.lists(_LINKS, max_size=40).map("".join) | st.lists(
    st.tuples(TEXTS, TEXTS).map(lambda both: f"{both[0]} \x01 {both[1]} \x02 "), max_size=6
).map("".join)
# Tags, halves of tags, what they hold, and references, in any order.
_MARKUP = st.sampled_from(
    """<|</|>|<a href=|<a href='x|'|"|=|/| |<script>|</script>|<script|<!--|-->|--|<!|<?|!-->|--!>|&amp;|&amp|&copy=
    |&copyx;|&#38;|&#x26|&#0000000000000000000000000065;|&#1;|&#128;|&#xFFFF;|&#99999999999;|&notit;|&|#|&nGt;|&nGt|<svg>
    |</svg>|<svg/>|<p>|<select>|<input>|</select>|<td>|<textarea>|</textarea>|<title>|</title>|<noscript>|</noscript>|<object>
    |</object>|<template>|</template>|<style>|</style>|<iframe/>|</iframe >|<A HREF=1 title='t&lt;' rel=nofollow>|</A>
    |</a/ >|<area href=q alt=w>|<base href=/b>|<html lang=en>|<meta name=robots content='no&amp;ne'>|<meta content=x
    |property=OG:type>|<link rel=canonical href=/x>|<link rel='alter&#110;ate' type=a href=b title=c>|<x y='
    |<SCRIPT type='application/ld&#43;json'>|lin\u212a|<sc\u017fript>|\0|\x01|\x02|\v|\f|\r|bees|茶|é|\xa0""".split("|")
)
PAGES = st.lists(_MARKUP | st.text("<>/!-=\"'&;#aA1 \n", max_size=6), max_size=40).map("".join)
LANGUAGES = st.sampled_from(["en", "zh", "de", "tr", "xx"])

_PURE: dict[str, Terms] = {}
_COMPILED: dict[str, Terms] = {}


def _both(language: str) -> tuple[Terms, Terms]:
    if language not in _PURE:
        _PURE[language], _COMPILED[language] = Terms(language), Terms(language)
        _PURE[language].native = None
    return _PURE[language], _COMPILED[language]


@settings(max_examples=1_000)
@given(PAGES)
@example("<p>&#" + "9" * 5_000 + ";&#" + "0" * 5_000 + "65;" + "&#x" + "0" * 50 + "41abcdefabcdef")
@example("<a href=x>" * 5_010)
def test_a_page_is_skimmed_the_same(page: str) -> None:
    assert tags.skim_page(page.encode()) == tags._skim_page(page.encode())


@settings(max_examples=300)
@given(LINKED | TEXTS, LANGUAGES)
@example("\x01abc \x01\x02 x", "en")
@example("a" * 161 + " " + "é" * 161 + " " + "é" * 160, "en")
def test_the_terms_of_a_text_are_the_same(text: str, language: str) -> None:
    pure, compiled = _both(language)
    assert compiled(text) == pure(text)
    assert compiled.marked(text) == pure.marked(text)
    assert compiled.outside(text) == pure.outside(text)
    assert compiled(text) == pure(text), "known by now"


@settings(max_examples=150)
@given(
    st.lists(TEXTS, max_size=6),
    LANGUAGES,
    st.sets(st.sampled_from(["bee", "2014", "naïv", "数据挖掘", "viii", "mh17"])),
)
@example(["\x01 bees", "Ⅷ", "MH17"], "en", {"viii"})
def test_the_terms_of_many_texts_are_the_same(texts: list[str], language: str, wanted: set[str]) -> None:
    pure, compiled = _both(language)
    assert compiled.together(texts) == pure.together(texts)
    assert compiled.holding(texts, wanted) == pure.holding(texts, wanted)
    assert compiled.holding(texts, dict.fromkeys(wanted, 1)) == pure.holding(texts, wanted)


@settings(max_examples=150)
@given(st.lists(LINKED.map(lambda text: text.replace("\x03", " ")), max_size=4), LANGUAGES)
def test_links_stand_at_the_same_places(texts: list[str], language: str) -> None:
    pure, compiled = _both(language)
    assert cuts.read_all(texts, compiled) == cuts.read_all(texts, pure)
    assert [cuts.read(text, compiled) for text in texts] == cuts.read_all(texts, pure)


@settings(max_examples=300)
@given(
    st.one_of(
        LINKED,
        st.lists(
            st.sampled_from(["\x01", "\x02", "\x03", "\x04", " ", "word ", "茶" * 45, "a" * 41 + " "]), max_size=30
        ).map("".join),
    )
)
@example("a b " * 3_000)
@example(f"\x01 {'a ' * 4000} \x02 {'run ' * 60} \x01 x \x02 " * 3)
@example(f"{'menu ' * 30}\x01 {'b' * 5_000} \x02{'c' * 3_999} \x01d\x02")
def test_a_marked_text_is_skimmed_alike(text: str) -> None:
    assert _native.prose(text) == blocks._prose(text)
    assert _native.skim(text) == blocks._skim(text)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), max_size=40))
@example([f"word{number}" for number in range(2_000)])
@example(["", "a", "ab", "abc", "abcd", "abcdefgh", "abcdefghi", "a" * 16, "a" * 17, "茶", "é" * 20])
@example(["same"] * 300)
def test_fingerprints_are_the_same(words: list[str]) -> None:
    assert fingerprint.fingerprints(words) == fingerprint._fingerprints(words)


@given(st.lists(st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzßéö'"), max_size=40), max_size=12))
def test_words_are_cut_into_the_same_tokens(words: list[str]) -> None:
    table = vectors.word_table()
    assert table is not None
    tokens, counts = table._cut(words)
    cut = [table.tokens(word) for word in words]
    assert tokens.tolist() == [token for one in cut for token in one]
    assert counts.tolist() == list(map(len, cut))


@given(
    st.lists(st.sampled_from([*"abcdefgh", "rare", "unmet"]), max_size=80).map(tuple),
    st.dictionaries(st.sampled_from([*"abcdefgh"]), st.integers(0, 20_000)),
    st.sets(st.sampled_from([*"abcxyz"]), min_size=1),
)
def test_a_cosine_is_the_same_to_the_last_bit(
    text: tuple[str, ...], frequency: dict[str, int], topic: set[str]
) -> None:
    query = {term: place for place, term in enumerate(sorted(topic))}
    look = likeness.Look(query, np.linspace(0.1, 0.9, len(query)), frequency, 30_000)
    assert look.words(text) == look._cosine(text)
    assert likeness.places_of(list(text), query) == [at for at, term in enumerate(text) if term in query]


@given(LINKED, LANGUAGES, st.sets(st.sampled_from("bee hive isn't 2014 数据挖掘 mark x".split())), st.integers(0, 9))
@example("bees \x01 of \x02 the hive \x01\x02 x \x01 bee", "en", {"bee"}, 1)
@example("bees \x01 of the hive \x02 x", "en", {"bee", "hive"}, 1)
def test_links_tell_the_same_by_the_words_around_them(text: str, language: str, topic: set[str], reach: int) -> None:
    look = likeness.Look(dict.fromkeys(sorted(topic), 0), np.ones(1), {}, 9)
    read = cuts.read(text, Terms(language))
    links = [Link("", "", 0, number, UNREAD) for number in range(len(read[1]))]
    links.append(Link("http://a.test/feed", "Bees", -1))
    page = Digest("http://a.test/", 0.0, "html", blocks=[Block("body", 0, -1, False, [], text, language=language)])
    shared = [number % 3 == 0 for number in range(len(links))]
    told = look._skimmed(page, links, shared, reach)
    page.blocks[0].__dict__["read"] = read  # what was read is not read again
    assert look._skimmed(page, links, shared, reach) is None
    assert told is None or told == look._around(page, links, shared, reach)


@given(TEXTS | st.text(st.characters(max_codepoint=127), max_size=200))
@example("It's 3 Bees,\x01 a b cd")
def test_words_of_letters_are_the_same(text: str) -> None:
    assert vectors.readable(text) == vectors._readable(text)


@given(
    st.lists(st.sampled_from(["bee", "wasp", "蜂", "ant"])),
    st.dictionaries(st.sampled_from(["bee", "蜂"]), st.integers(-9, 9)),
)
def test_numbers_of_words_are_the_same(words: list[str], places: dict[str, int]) -> None:
    assert lookup.numbers_of(words, places, -1).tolist() == [places.get(word, -1) for word in words]
    assert lookup.numbers_of(dict.fromkeys(words, 1), places).tolist() == [
        places.get(word, 0) for word in {**dict.fromkeys(words)}
    ]


@given(st.lists(st.integers(-3, 30) | st.integers(-(1 << 63), (1 << 63) - 1), max_size=60), st.integers(-3, 30))
def test_the_first_of_each_number_is_found(numbers: list[int], besides: int) -> None:
    expected = [at for at, one in enumerate(numbers) if one != besides and one not in numbers[:at]]
    assert graph._firsts(np.array(numbers, np.int64), besides).tolist() == expected


@given(st.lists(st.integers(-3, 9) | st.integers(-(2**63), 2**63 - 1), max_size=60))
def test_how_manieth_numbers_are_is_the_same(numbers: list[int]) -> None:
    expected = [numbers[: place + 1].count(number) for place, number in enumerate(numbers)]
    assert np.frombuffer(_native.nth(np.array(numbers, np.int64)), np.int64).tolist() == expected


@settings(max_examples=300)
@given(st.binary(max_size=40) | st.text(max_size=30).map(str.encode))
@example(b"\xed\xa0\x80")
@example(b"\xc0\x80")
@example(b"\xf4\x90\x80\x80")
@example(b"eight by\xe2\x82")
def test_bytes_are_utf8_or_not_for_both(body: bytes) -> None:
    assert _native.is_utf8(body) == (charset._decodes(body, "utf-8") is not None)
    assert _native.is_utf8(b"a" * 9 + body + b"b" * 9) == (charset._decodes(body, "utf-8") is not None)


@given(
    st.lists(
        st.sampled_from([b"<b>", b"<font ", b"</i>", b"<", b">", b"\0", b"<B/", b"x" * 9_000, b"<em"]), max_size=20
    ).map(b"".join)
)
@example(b"")
@example(b"<b")
@example(b"x" * 15_001)
def test_tags_are_counted_alike(body: bytes) -> None:
    assert _native.count_tags(body, tame._HALF) == tame._count_tags(body)


HREFS = st.lists(
    st.one_of(
        st.sampled_from(
            "/ . .. ./ ../x a/../b a/./b /a//b // //b.test/x /\\x \\x #top ?q=1 x#y x?y#z a:b javascript:x mailto:a@b "
            "http://b.test http://b.test/ http://b.test/x/../y HTTP://b.test/x http://B.test/x http://b.test:80/x "
            "http://b.test:81/x.html http://u@b.test/x http://1.2.3/x http://0x7f.1/y http://xn--a/x "
            "https://b.test/x^y /x^y /x%2e%2e/y /.. /... /..a x'y x|y x.png /a/a/a/a/a/a/a/a/x.html x.php x\ty {x} "
            "a;b=c,d ../ ../.. ../../x ../../../x.html ../a/../b ..//x ../#x ../../?x http:/x "
            "http:x http://b.test/a#http://c.test/b http://b..test/x http://b.test./x http://-b.test/x".split(" ")
        ),
        st.text("abAB./-_~#?%:@^;=+,'\\ ", max_size=20),
        st.text("ab./-", max_size=20).map("http://b.test/".__add__),
        st.lists(st.sampled_from(["../", "./", "a", "/", "..", ".", "b/"]), max_size=8).map("".join),
        st.text(st.characters(), max_size=8),
    ),
    max_size=12,
)
BASES = st.sampled_from(
    [
        "http://a.test/",
        "http://a.test/x/y.html",
        "https://a.test:81/x/?q=/a",
        "http://u@a.test/x",
        "http://a.test/x^y/z",
        "http://b.test/x/",
        "http://b.test/x//y/z",
    ]
)


@settings(max_examples=400)
@given(HREFS, BASES, st.booleans())
def test_links_lead_to_the_same_addresses(hrefs: list[str], address: str, free: bool) -> None:
    base, scope = urls.Base(address), Scope(ScopeRules() if free else ScopeRules(deny=("b",)))
    parser = Parser(scope)
    found = parser._addresses(base, dict.fromkeys(hrefs), "http://a.test/x")
    assert found == {href: parser._address(base, href, "http://a.test/x") for href in hrefs}
    assert parser._addresses(base, dict.fromkeys(hrefs), "http://a.test/x") == found, "origins are known by now"
    alone = Parser()._addresses(base, dict.fromkeys(hrefs), "http://a.test/x")
    assert alone == {href: Parser()._address(base, href, "http://a.test/x") for href in hrefs}


def test_a_full_memory_is_emptied_and_nothing_is_told_otherwise() -> None:
    compiled = _native.Folds(list, list, str, ["the"], 20, 1)
    for number in range(200):
        assert compiled.terms(f"the word{number} again{number}") == [f"word{number}", f"again{number}"]


def test_what_goes_wrong_in_python_leaves_no_half_known_words() -> None:
    def fails(words: list[str]) -> list[str]:
        raise ValueError("no stems today")

    broken = [True]
    compiled = _native.Folds(lambda words: fails(words) if broken[0] else words, list, str, [], 100, 1)
    with pytest.raises(ValueError, match="no stems"):
        compiled.terms("some words")
    broken[0] = False
    assert compiled.terms("some words") == ["some", "words"]


def test_a_memory_that_is_asked_from_within_says_so() -> None:
    def again(words: list[str]) -> list[str]:
        return compiled.terms(" ".join(words))

    compiled = _native.Folds(again, list, str, [], 100, 1)
    with pytest.raises(RuntimeError):
        compiled.terms("some words")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: _native.Folds(list, list, str, [], 100, 1).terms(b"bytes"),  # type: ignore[arg-type]
        lambda: _native.Folds(list, list, str, [], 100, 1).many([1]),  # type: ignore[list-item]
        lambda: _native.Folds(list, list, str, [], 100, 1).located(None),  # type: ignore[arg-type]
        lambda: _native.Folds(list, list, str, [3], 100, 1),  # type: ignore[list-item]
        lambda: _native.Folds(list, list, str, [], 100, 1).around("bee", {"bee": 0}, [0], [True], 1),
        lambda: _native.Folds(list, list, str, [], 100, 1).around("\x01 bee \x02", {"bee": 0}, [-1], [True], 1),
        lambda: _native.Folds(list, list, str, [], 100, 1).around("bee", {"bee": 0}, [0], [], 1),
        lambda: _native.Folds(list, list, str, [], 100, 1).around("bee", {"bee": 0}, [], [], -1),
        lambda: _native.Folds(list, list, str, [], 100, 1).around("bee", {}, ["a"], [True], 1),  # type: ignore[list-item]
        lambda: _native.Folds(lambda _: [], list, str, [], 100, 1).terms("two words"),
        lambda: _native.Folds(lambda words: [1] * len(words), list, str, [], 100, 1).terms("words"),
        lambda: _native.Folds(list, list, lambda _: 1, [], 100, 1).terms("茶"),
        lambda: _native.Pairs({"a": "b"}, 1),  # type: ignore[dict-item]
        lambda: _native.Pairs({"a": 1}, 1).tokens(["a" * 65]),
        lambda: _native.Pairs({"a": 1 << 80}, 1),
        lambda: _native.fingerprints(["a"] * 3 + [4], hash),  # type: ignore[list-item]
        lambda: _native.fingerprints(["a" * 20] * 4, str),
        lambda: _native.prose(1),  # type: ignore[arg-type]
        lambda: _native.skim(b""),  # type: ignore[arg-type]
        lambda: _native.cosine(("a",), {"a": 5}, [1.0], {}, [0.0], 1.0, 1.0),
        lambda: _native.cosine(("a",), {"a": 0}, [1.0], {"a": -1}, [0.0], 1.0, 1.0),
        lambda: _native.cosine((1,), {"a": 0}, [1.0], {}, [0.0], 1.0, 1.0),  # type: ignore[arg-type]
        lambda: _native.cosine(("a",)),
        lambda: _native.places_of(("a",), {}),  # type: ignore[arg-type]
        lambda: _native.letters("éé", 1),
        lambda: _native.numbers_of(("a",), {}, 0),  # type: ignore[arg-type]
        lambda: _native.numbers_of(["a"], {"a": "b"}, 0),  # type: ignore[dict-item]
        lambda: _native.numbers_of([1], {}, 0),  # type: ignore[list-item]
        lambda: _native.is_utf8("a"),  # type: ignore[arg-type]
        lambda: _native.nth([1]),  # type: ignore[arg-type]
        lambda: _native.count_tags("a", 1),  # type: ignore[arg-type]
        lambda: _native.leads({1: None}, "", "", "", set(), True, None, str),  # type: ignore[dict-item]
        lambda: _native.leads({"a": None}, "", "", "", [], True, None, str),  # type: ignore[arg-type]
        lambda: _native.leads({"?": None}, "", "", "", set(), True, None, int),  # type: ignore[arg-type]
    ],
)
def test_wrong_arguments_are_errors(wrong: Callable[[], Any]) -> None:
    with pytest.raises((TypeError, ValueError, IndexError, OverflowError, AttributeError)):
        wrong()


def test_without_it_python_does_the_same() -> None:
    program = """if True:
        from honeyguide.native import has_native
        from honeyguide.page.parse import Parser
        from honeyguide.text.terms import terms
        assert not has_native
        page = Parser(structure=False).html("<p>Die Bienen, 数据挖掘 <a href=/x>of the hive</a> isn’t".encode(), "http://a.test/")
        print(terms("Crawling bees, 数据挖掘"), page.terms, page.links)
    """
    said = [
        subprocess.run(
            [sys.executable, "-c", program.replace("not has_native", f"has_native is {not pure}")],
            env={"HONEYGUIDE_PURE": str(int(pure)), "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for pure in (True, False)
    ]
    assert said[0] == said[1]
    assert "crawl" in said[0]
