"""A snippet shows the right passage of the original text, and where in it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from honeyguide.corpus.query import Phrase
from honeyguide.corpus.snippet import WIDTH, make_snippet
from honeyguide.store.tokens import tokens

FILLER = "Nothing of note happened in the village on that day either. " * 20


def marked(text: str, *phrases: str) -> list[str]:
    snippet = make_snippet(text, [Phrase(tuple(token for token, _, _ in tokens(phrase))) for phrase in phrases])
    return [snippet.text[start:end] for start, end in snippet.spans]


def test_the_spans_are_the_words_as_the_text_writes_them() -> None:
    assert marked("The Bees danced. A bee, too.", "bees") == ["Bees", "bee"]


def test_the_passage_with_most_of_the_words_is_shown() -> None:
    text = f"Honey. {FILLER} The queen made honey for the hive. {FILLER} Honey, honey, honey."
    assert marked(text, "queen", "honey", "hive") == ["queen", "honey", "hive"]


def test_a_long_text_is_cut_between_words_with_ellipses() -> None:
    snippet = make_snippet(f"{FILLER}The queen bee danced. {FILLER}", [Phrase(("queen", "bee"))])
    assert snippet.text.startswith("…")
    assert snippet.text.endswith("…")
    assert len(snippet.text) <= WIDTH + 30
    assert set(snippet.text.strip("…").split()) <= set(f"{FILLER} The queen bee danced.".split())


def test_chinese_needs_no_spaces() -> None:
    text = "今天天气很好我们去公园散步" * 40 + "京沪高铁票价上涨" + "今天天气很好我们去公园散步" * 40
    snippet = make_snippet(text, [Phrase(("高", "铁")), Phrase(("票", "价"))])
    assert [snippet.text[start:end] for start, end in snippet.spans] == ["高铁", "票价"]
    assert WIDTH <= len(snippet.text) <= WIDTH + 2
    assert snippet.text.strip("…") in text


def test_a_short_text_is_shown_whole() -> None:
    assert make_snippet("Bees dance.", [Phrase(("bee",))]) == ("Bees dance.", ((0, 4),))


def test_a_text_without_the_words_shows_its_beginning() -> None:
    snippet = make_snippet(FILLER, [Phrase(("queen",))])
    assert snippet.spans == ()
    assert snippet.text.startswith("Nothing of note")
    assert snippet.text.endswith("…")


def test_an_empty_text_gives_an_empty_snippet() -> None:
    assert make_snippet("", [Phrase(("queen",))]) == ("", ())


def test_phrases_that_overlap_are_marked_once() -> None:
    assert marked("the queen bee hive", "queen bee", "bee hive") == ["queen bee hive"]


def test_signs_that_could_trick_a_terminal_are_gone() -> None:
    snippet = make_snippet("a \x1b[31mred\u202e bee\nbuzz\x9b", [Phrase(("bee",))])
    assert snippet.text == "a  [31mred  bee buzz"
    assert snippet.text[slice(*snippet.spans[0])] == "bee"


@given(
    st.text(alphabet="ab 高铁\n.", max_size=900),
    st.lists(st.sampled_from(["a", "b", "高", "ab"]), min_size=1, max_size=3),
)
def test_spans_always_lie_inside_and_hold_the_phrase(text: str, phrase: list[str]) -> None:
    wanted = tuple(token for token, _, _ in tokens(" ".join(phrase)))
    snippet = make_snippet(text, [Phrase(wanted)])
    for start, end in snippet.spans:
        assert 0 <= start < end <= len(snippet.text)
        found = [token for token, _, _ in tokens(snippet.text[start:end])]
        assert any(tuple(found[place : place + len(wanted)]) == wanted for place in range(len(found)))


def test_words_that_only_begin_so_are_shown_too() -> None:
    text = "The hive, two hives and a hivemind; a royal jellyfish."
    assert make_snippet(text, [Phrase(("hiv",), beginning=True)]).spans == ((4, 8), (14, 19), (26, 34))
    assert make_snippet(text, [Phrase(("royal", "jell"), beginning=True)]).spans == ((38, 53),)
    assert make_snippet(text, [Phrase(("royal", "jell"))]).spans == ()


def test_chinese_is_shown_in_the_signs_of_the_page() -> None:
    assert make_snippet("華為在臺灣", [Phrase(("华", "为"))]) == ("華為在臺灣", ((0, 2),))
