"""What the user is after: words with weights, example pages, where to start, what kind of page, which languages.

A topic is a TOML file, or flags, or a file that flags extend. Whatever is wrong with either is told in one sentence
that names the file (or the flag), the key, and what to write instead.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from honeyguide.errors import TopicError
from honeyguide.topic.languages import code_of
from honeyguide.topic.own_clicks import OWN, own_log
from honeyguide.web.urls import host_of, normalise

__all__ = ["PageKind", "Topic", "keyword_and_weight"]

PageKind = Literal["any", "article", "news"]

_KINDS: tuple[str, ...] = get_args(PageKind)
_KEYS = ("name", "kind", "languages", "keywords", "pages", "clicks")
_PAGE_KEYS = ("examples", "starts")
_DELETE = chr(0x7F)  # the one control sign JSON writes bare and TOML forbids


class Topic(msgspec.Struct, frozen=True):
    """A topic, checked: every URL in its normal form, every weight a positive number.

    >>> topic = Topic.from_flags(keywords=["MH17:2", "airliner"], starts=["http://news.example/"])
    >>> topic.keywords
    {'MH17': 2.0, 'airliner': 1.0}
    >>> topic.name, topic.starting_points
    ('MH17, airliner', ('http://news.example/',))
    """

    name: str = ""
    kind: PageKind = "any"
    languages: tuple[str, ...] = ()
    keywords: dict[str, float] = {}
    examples: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    clicks: str = ""  # the path of a log of searches and what was opened for them

    @property
    def starting_points(self) -> tuple[str, ...]:
        """Where a crawl begins: the starts, or the examples when there are none."""
        return self.starts or self.examples

    @classmethod
    def load(cls, path: str | Path, *, complete: bool = True) -> Topic:
        """The topic a TOML file describes.

        With `complete=False` a file may lack what flags are going to add; `with_flags` then looks at the whole.
        """
        topic = cls.from_table(_read(Path(path), f"topic file {path}"), path)
        return _whole(topic, f"topic file {path}") if complete else topic

    @classmethod
    def from_table(cls, raw: Mapping[str, Any], path: str | Path) -> Topic:
        """The topic that the table of a TOML file describes, which may lack something; `path` is where it is from."""
        where = f"topic file {path}"
        _only_known(raw, _KEYS, where, "")
        pages = raw.get("pages", {})
        if not isinstance(pages, dict):
            raise TopicError(f"{where}: [pages] must be a table that holds examples and starts")
        _only_known(pages, _PAGE_KEYS, where, "pages.")
        return cls(
            name=_name(raw.get("name", Path(path).stem), where),
            kind=_kind(raw.get("kind", "any"), f"{where}: kind"),
            languages=_languages(raw.get("languages", []), f"{where}: languages"),
            keywords=_keywords(raw.get("keywords", {}), where),
            examples=_urls(pages.get("examples", []), f"{where}: pages.examples"),
            starts=_urls(pages.get("starts", []), f"{where}: pages.starts"),
            clicks=_clicks(raw.get("clicks", ""), where, Path(path).parent),
        )

    @classmethod
    def from_flags(
        cls,
        *,
        keywords: Iterable[str] = (),
        examples: Iterable[str] = (),
        starts: Iterable[str] = (),
        name: str | None = None,
        kind: str | None = None,
        languages: Iterable[str] | None = None,
        clicks: str | Path | None = None,
        complete: bool = True,
    ) -> Topic:
        """The topic that flags describe; a keyword may carry its weight, as in "MH17:2".

        What follows the last colon is the weight. A colon followed by a space, or doubled, belongs to the keyword
        ("Star Wars: Andor", "std::vector"); any other ending that is not a number is taken for a mistyped weight
        and refused, and "a:b:1" says the colon is meant.
        """
        empty = cls()
        return empty.with_flags(
            keywords=keywords,
            examples=examples,
            starts=starts,
            name=name,
            kind=kind,
            languages=languages,
            clicks=clicks,
            complete=complete,
        )

    def with_flags(
        self,
        *,
        keywords: Iterable[str] = (),
        examples: Iterable[str] = (),
        starts: Iterable[str] = (),
        name: str | None = None,
        kind: str | None = None,
        languages: Iterable[str] | None = None,
        clicks: str | Path | None = None,
        complete: bool = True,
    ) -> Topic:
        """This topic with flags on top: words and pages are added (a weight given again wins), the rest replaced."""
        words = dict(self.keywords)
        words.update(keyword_and_weight(flag) for flag in keywords)
        topic = Topic(
            name=self.name if name is None else _name(name, "--name"),
            kind=self.kind if kind is None else _kind(kind, "--kind"),
            languages=self.languages if languages is None else _languages(list(languages), "--language"),
            keywords=words,
            examples=_merged(self.examples, _urls(list(examples), "--example")),
            starts=_merged(self.starts, _urls(list(starts), "--start")),
            clicks=self.clicks if clicks is None else _clicks(str(clicks), "--clicks", Path()),
        )
        if not topic.name:
            topic = msgspec.structs.replace(topic, name=_made_up_name(topic))
        return _whole(topic, f"topic {topic.name!r}" if topic.name else "the topic") if complete else topic

    def to_toml(self) -> str:
        """The topic as the text of a file that `load` reads back as the same topic."""
        lines = [f"name = {_quoted(self.name)}", f"kind = {_quoted(self.kind)}"]
        if self.languages:
            lines.append(f"languages = {_list(self.languages)}")
        if self.clicks:
            lines.append(f"clicks = {_quoted(self.clicks)}")
        if self.keywords:
            lines += ["", "[keywords]", *(f"{_quoted(word)} = {weight!r}" for word, weight in self.keywords.items())]
        if self.examples or self.starts:
            lines += ["", "[pages]"]
        if self.examples:
            lines.append(f"examples = {_list(self.examples)}")
        if self.starts:
            lines.append(f"starts = {_list(self.starts)}")
        return "\n".join(lines) + "\n"


def _read(path: Path, where: str) -> dict[str, Any]:
    try:
        text = path.read_bytes().decode("utf-8-sig")  # some editors put a mark in front
    except OSError as error:
        raise TopicError(f"{where} cannot be read: {(error.strerror or 'unknown reason').lower()}") from None
    except UnicodeDecodeError:
        raise TopicError(f"{where} is not UTF-8 text; save it as UTF-8") from None
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        told = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        told = told.replace("(at end of document)", f"(at line {text.count(chr(10)) + 1}, where the file ends)")
        raise TopicError(f"{where} is not valid TOML: {told[:1].lower() + told[1:]}") from None


def _only_known(raw: Mapping[str, Any], known: tuple[str, ...], where: str, prefix: str) -> None:
    for key in raw:
        if key not in known:
            listed = ", ".join(prefix + one for one in known)
            raise TopicError(f"{where}: unknown key {prefix + key!r}; known keys: {listed}")


def _name(raw: Any, where: str) -> str:
    if not isinstance(raw, str) or not raw.strip():
        raise TopicError(f"{where}: name must be a text that is not empty, not {raw!r}")
    return _writable(raw.strip(), where)


def _writable(text: str, where: str) -> str:
    """A text that can be written down; a shell hands on bytes that are no UTF-8 as signs that cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise TopicError(f"{where}: {text!r} is not UTF-8 text; write it as UTF-8") from None
    return text


def _kind(raw: Any, where: str) -> Any:
    if raw not in _KINDS:
        raise TopicError(f"{where}: unknown kind {raw!r}; known kinds: {', '.join(_KINDS)}")
    return raw


def _languages(raw: Any, where: str) -> tuple[str, ...]:
    found: list[str] = []
    for tag in _texts(raw, where, "language codes"):
        code = code_of(tag)
        if code is None:
            raise TopicError(f"{where}: unknown language {tag!r}; write a two-letter code such as 'en' or 'zh'")
        found.append(code)
    return _merged((), tuple(found))


def _clicks(raw: Any, where: str, beside: Path) -> str:
    """Where a click log is: a path in full, so that it holds from any folder."""
    if not isinstance(raw, str):
        raise TopicError(f"{where}: clicks must be the path of a click log, not {raw!r}")
    if raw == OWN:
        return str(own_log().absolute())
    return str((beside / _writable(raw, where)).absolute()) if raw.strip() else ""


def _keywords(raw: Any, where: str) -> dict[str, float]:
    if not isinstance(raw, dict):
        raise TopicError(f'{where}: [keywords] must be a table of "word" = weight, not {raw!r}')
    return {_word(word, f"{where}: keywords"): _weight(weight, word, where) for word, weight in raw.items()}


def _word(raw: str, where: str) -> str:
    word = " ".join(raw.split())
    if not word:
        raise TopicError(f"{where}: a keyword is empty; give it a word or take it out")
    return _writable(word, where)


def _weight(raw: Any, word: str, where: str) -> float:
    told = f"{where}: keywords: the weight of {word!r}"
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        raise TopicError(f"{told} is not a number: {raw!r}")
    try:
        weight = float(raw)
    except OverflowError:
        weight = math.inf
    if not math.isfinite(weight):
        raise TopicError(f"{told} is not finite: {weight!r}")
    if weight <= 0:
        raise TopicError(f"{told} must be above zero, not {raw!r}")
    return weight


def keyword_and_weight(flag: str) -> tuple[str, float]:
    """A keyword flag as word and weight.

    >>> keyword_and_weight("data mining:1.5"), keyword_and_weight("Star Wars: Andor"), keyword_and_weight("a:b:2")
    (('data mining', 1.5), ('Star Wars: Andor', 1.0), ('a:b', 2.0))
    """
    word, colon, ending = flag.rpartition(":")
    if not colon:
        return _word(flag, "--keyword"), 1.0
    try:
        weight = float(ending)
    except ValueError:
        if ending[:1].isspace() or word.endswith(":"):
            return _word(flag, "--keyword"), 1.0
        raise TopicError(
            f"--keyword {flag!r}: the weight {ending!r} is not a number; write {flag + ':1'!r} if the colon "
            "belongs to the keyword"
        ) from None
    word = _word(word, f"--keyword {flag!r}")
    return word, _weight(weight, word, f"--keyword {flag!r}")


def _urls(raw: Any, where: str) -> tuple[str, ...]:
    found: list[str] = []
    for address in _texts(raw, where, "addresses"):
        normal = normalise(address)
        if normal is None:
            raise TopicError(
                f"{where}: {address!r} is not a web address; write it in full, as in 'https://example.org/'"
            )
        found.append(normal)
    return _merged((), tuple(found))


def _texts(raw: Any, where: str, what: str) -> list[str]:
    if not isinstance(raw, list) or not all(isinstance(one, str) for one in raw):
        raise TopicError(f"{where} must be a list of {what}, not {raw!r}")
    return raw


def _merged(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(first + second))


def _made_up_name(topic: Topic) -> str:
    words = list(topic.keywords)
    if words:
        return ", ".join(words[:3])
    return f"pages like {host_of(topic.examples[0]).rpartition(':')[0]}" if topic.examples else ""


def _whole(topic: Topic, where: str) -> Topic:
    if not topic.keywords and not topic.examples:
        raise TopicError(f"{where} is empty: give it at least one keyword or one example page")
    if not topic.starting_points:
        raise TopicError(f"{where} has nowhere to start: give it an example page or a start address")
    return topic


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace(_DELETE, "\\u007f")


def _list(texts: tuple[str, ...]) -> str:
    return "[" + ", ".join(_quoted(text) for text in texts) + "]"
