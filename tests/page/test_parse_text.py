"""What the first look at a page takes for its text, its terms and its language."""

from __future__ import annotations

import numpy as np
import pytest

from honeyguide.page.digest import decode, encode
from honeyguide.page.parse import Parser
from honeyguide.text.terms import _TOKENIZERS
from tests.page.looking import SENTENCE, URL, look

GERMAN = (
    "Die Bienen sammeln im Sommer den Nektar der Blüten und machen daraus in ihrem Stock den Honig. Im Winter bleiben "
    "sie zu Hause, wärmen einander und leben von dem, was sie gesammelt haben; der Imker lässt ihnen genug davon."
)
FRENCH = (
    "Les abeilles récoltent le nectar des fleurs et en font du miel pendant tout l'été. L'hiver, elles restent dans la "
    "ruche, se tiennent chaud et vivent de ce qu'elles ont amassé ; l'apiculteur leur en laisse assez."
)
DANISH = (
    "Bierne samler nektar fra blomsterne og laver honning af den hele sommeren. Om vinteren bliver de i stadet og "
    "holder hinanden varme, og de lever af det, som de har samlet; biavleren lader dem beholde nok af det til foråret."
)
NORWEGIAN = (
    "Biene samler nektar fra blomstene og lager honning av den hele sommeren. Om vinteren blir de i kuben og holder "
    "hverandre varme, og de lever av det som de har samlet; birøkteren lar dem ha nok av det til våren."
)
SPANISH = (
    "Las abejas recogen el néctar de las flores y hacen miel con él durante todo el verano. En invierno se quedan en "
    "la colmena, se dan calor y viven de lo que han reunido; el apicultor les deja bastante hasta la primavera."
)
PORTUGUESE = (
    "As abelhas recolhem o néctar das flores e fazem mel com ele durante todo o verão. No inverno ficam na colmeia, "
    "aquecem-se umas às outras e vivem do que juntaram; o apicultor deixa-lhes o bastante até à primavera."
)
RUSSIAN = (
    "Пчёлы собирают нектар с цветов и делают из него мёд. Зимой они остаются в улье, греют друг друга и живут тем, что "
    "собрали летом; пасечник оставляет им достаточно, чтобы они дожили до весны."
)


def test_the_text_and_terms_are_those_of_the_main_text_and_the_title() -> None:
    menu = "<nav><a href=/1>News</a> <a href=/1>Sport</a> <a href=/2>Weather</a></nav>"
    body = f"<title>Honey</title>{menu}<p>{SENTENCE * 4}</p>{menu}".encode()
    page, text = Parser().html(body, URL), Parser().text(body)
    assert text == (SENTENCE * 4).strip()
    assert page.terms["bee"] == 4
    assert page.terms["honey"] == 5  # four in the text, one in the title
    assert "sport" not in page.terms
    assert page.words == sum(page.terms.values()) - 1
    assert page.fingerprint


WHALES = "whale dolphin porpoise orca plankton krill harpoon blubber ocean sea "
WALK = [f"On the {nth} morning they saw the bees in the garden and the hive was full of honey. " for nth in range(60)]


@pytest.mark.parametrize("tens", [2, 6, 12, 20])
@pytest.mark.parametrize("place", [0, 25, 60])
def test_words_put_where_the_rest_is_not_about_them_are_no_evidence(tens: int, place: int) -> None:
    before, after = ("".join(part) for part in (WALK[:place], WALK[place:]))
    stuffed, honest = (
        Parser(structure=False).html(f"<title>A walk</title><p>{before}</p><p>{more}</p><p>{after}</p>".encode(), URL)
        for more in (WHALES * tens, "")
    )
    # Beside the text it may keep some of them, in the piece that they share with it.
    assert stuffed.terms.get("whale", 0) <= 2
    assert stuffed.terms["hive"] > 25
    one, other = (np.frombuffer(page.meaning, np.int8).astype(float) for page in (honest, stuffed))
    assert one @ other / np.sqrt((one @ one) * (other @ other)) > 0.9


def test_sentences_of_a_page_are_its_own_however_often_it_says_them() -> None:
    once, more = (
        Parser(structure=False).html(f"<title>A walk</title><p>{SENTENCE * times}</p>".encode(), URL)
        for times in (30, 36)
    )
    assert more.terms["bee"] > once.terms["bee"]


def test_a_page_of_links_is_judged_by_all_it_says() -> None:
    page = look("<nav><a href=/1>Sport</a> <a href=/2>Weather</a></nav>")
    assert page.terms == {"sport": 1, "weather": 1}


def test_without_text_a_page_keeps_its_links_and_is_still_judged() -> None:
    links = "<a href=/1>wax combs</a><ul><li><a href=/2>x</a>"
    body = f"<title>Honey</title><h2>Hives</h2><p>{SENTENCE * 4}{links}".encode()
    full, bare = Parser().html(body, URL), Parser(structure=False).html(body, URL)
    assert [(link.url, link.anchor) for link in bare.links] == [(link.url, link.anchor) for link in full.links]
    assert [bare.anchor_terms(link) for link in bare.links] == [full.anchor_terms(link) for link in full.links]
    assert (bare.title, bare.language, bare.terms["bee"]) == (full.title, full.language, full.terms["bee"])
    assert bare.fingerprint


def test_script_and_style_never_reach_terms_or_text() -> None:
    body = (
        f"<p>{SENTENCE}<script>var evilword=1</script><style>.evilword{{}}</style><noscript>evilword</noscript>"
        "<template>evilword</template><!-- evilword --><svg><text>evilword</text></svg>"
    ).encode()
    page, text = Parser().html(body, URL), Parser().text(body)
    assert text == SENTENCE.strip()
    assert "evilword" not in text
    assert not [term for block in page.blocks for term in block.terms if "evil" in term]
    assert not [term for term in page.terms if "evil" in term]


# Names and numbers, as tables are full of: a detector takes them for Latin, Turkish or Swedish.
NAMES = "Euphausia superba 1850, Meganyctiphanes norvegica 1857, Thysanoessa inermis 1846, Nyctiphanes australis 1883. "


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [
        (SENTENCE, "", "en"),
        (SENTENCE + "Nobody knows how they find their way back to the hive.", "de", "en"),
        ("蜂蜜是蜜蜂采集花蜜酿成的食物，茶是一种饮料。", "", "zh"),
        ("蜂蜜は蜜蜂が集めた花の蜜です。お茶は飲み物です。", "zh", "ja"),
        (GERMAN, "", "de"),
        (FRENCH, "", "fr"),
        (RUSSIAN, "", "ru"),
        ("Short", "fr", "fr"),
        ("Short", "", "en"),
        (NAMES, "", "en"),
        (NAMES, "de", "de"),
        (NAMES + SENTENCE, "", "en"),
    ],
)
def test_the_language_is_that_of_the_text_and_of_its_declaration_in_doubt(
    text: str, declared: str, language: str
) -> None:
    assert look(f"<html lang='{declared}'><p>{text}").language == language


def test_chinese_pages_in_old_encodings_are_read() -> None:
    text = "蜂蜜是蜜蜂采集花蜜酿成的食物，茶是一种饮料，二者常常一起被人们享用。"
    body = f"<meta charset=gb2312><title>蜂蜜</title><p>{text}".encode("gb18030")
    page, found = Parser().html(body, URL), Parser().text(body)
    assert (page.title, page.language, found) == ("蜂蜜", "zh", text)
    assert page.terms["蜂蜜"] == 2


def test_the_same_page_gives_the_same_digest_and_it_can_be_packed() -> None:
    body = f"<title>Honey</title><ul><li><a href=/1>{SENTENCE}</a></ul><p>{SENTENCE}".encode()
    one, other = Parser().html(body, URL, fetched=3.0), Parser().html(body, URL, fetched=3.0)
    assert one == other
    assert decode(encode(one)) == one


@pytest.mark.parametrize(("before", "text", "language"), [(DANISH, NORWEGIAN, "no"), (SPANISH, PORTUGUESE, "pt")])
def test_a_page_is_seen_the_same_whatever_was_seen_before(before: str, text: str, language: str) -> None:
    parser = Parser()
    parser.html(f"<p>{before}".encode(), URL)
    page = f"<p>{text}".encode()
    assert Parser().html(page, URL).language == language
    assert parser.html(page, URL) == Parser().html(page, URL)


def test_a_language_nobody_speaks_is_not_believed_nor_remembered() -> None:
    before = len(_TOKENIZERS.by_language)
    found = {Parser().html(f"<html lang='{chr(0x4E00 + n)}7'><p>x".encode(), URL).language for n in range(300)}
    assert found == {"en"}
    assert len(_TOKENIZERS.by_language) <= before + 1
