"""What a page says of itself: the evidence for its title, authors and source, in the order it can be trusted.

Structured claims come first (JSON-LD, the tags scholarly indexes read, Dublin Core, Open Graph, microdata), what
a reader sees comes last: the heading, a byline, a label such as 来源.
"""

from __future__ import annotations

import html
import json
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import msgspec

__all__ = ["Evidence", "extras", "gather", "is_article_node", "key", "person_names", "plain", "words"]

_MOST_METAS = 1_000
_LONGEST_META = 5_000
_LONGEST_JSON = 500_000
_MOST_NODES = 3_000
_MOST_WRITERS = 200
_SHORT = 120  # a visible text up to this long may be a byline or a date line; longer ones are prose
_MOST_TEXTS = 4_000
_ECHO = 0.4  # of the title: a line that repeats as much of it is the headline
_EDGE = 80
_LEAD_PROSE = 4  # longer texts below the heading, after which what is short belongs to something else
_SPACES = re.compile(r"\s+")
_ARTICLE = re.compile(r"(?:Article|Posting|Report|Review|Thesis|Chapter|Book|CreativeWork)$")
_SILENT = frozenset(("script", "style", "noscript", "template", "svg", "iframe", "select", "option", "textarea"))
_SCRIPTED = re.compile(
    r"(?:\b(?:publish(?:ed)?_?(?:time|date|at)|pub_?(?:time|date)|var ct)|datePublished)[\"']?\s?[:=]\s?"
    r"[\"']([\d/: TZ年月日.+-]{8,32})[\"']",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\b(?:comments?|disqus|replies|related|sidebar|quote)(?:\b|[-_])", re.IGNORECASE)
_OTHER = re.compile(r"(?:Image|Video|Media)Object|Photograph|Comment$")
_DOI = re.compile(r"\b(10\.\d{4,9}/[^\s\"'<>?#]{1,200})")


def plain(text: object) -> str:
    """A claim as one clean line; the empty string for what is not text.

    >>> plain("  Bees &amp; <i>honey</i> ")
    'Bees & honey'
    """
    if not isinstance(text, str):
        return ""
    text = text[:_LONGEST_META]
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = re.sub(r"</?[A-Za-z][^<>]*>", "", text)
    return _SPACES.sub(" ", text).strip()


@dataclass(slots=True)
class Evidence:
    """All that one page claims, gathered once."""

    metas: dict[str, list[str]] = field(default_factory=dict)
    article: dict[str, Any] = field(default_factory=dict)
    by_id: dict[str, dict[str, Any]] = field(default_factory=dict)
    items: dict[str, list[str]] = field(default_factory=dict)
    people: list[str] = field(default_factory=list)  # names whose given and family parts are marked
    bylines: list[str] = field(default_factory=list)  # short visible texts in places made for authors
    title: str = ""
    heading: str = ""
    language: str = ""
    lead: str = ""  # the short texts that follow the heading, one a line, until the story is well under way
    above: str = ""  # the two that stand right before the heading
    short: str = ""  # every short text of the page, one a line
    edges: str = ""  # how the longer texts begin and end, where reporters are named
    scripted: str = ""  # a date of publication that only a script knows

    def all(self, *names: str) -> list[str]:
        """The values of the first of these meta names the page has."""
        return next((self.metas[name] for name in names if name in self.metas), [])

    def first(self, *names: str) -> str:
        """The first value of the first of these meta names the page has."""
        return next(iter(self.all(*names)), "")

    @property
    def is_article(self) -> bool:
        """Whether the page itself claims to be an article."""
        kind = self.first("og:type").lower()
        return "citation_title" in self.metas or "article" in kind or is_article_node(self.article)


def gather(tree: Any) -> Evidence:
    """Read every claim out of a parsed page (an lxml element)."""
    found = Evidence(language=plain(tree.get("lang")))
    scripts: list[str] = []
    for place, element in enumerate(tree.iter("meta", "title", "script")):
        if place > _MOST_METAS:
            break
        if element.tag == "meta":
            _read_meta(element, found.metas)
        elif element.tag == "title":
            found.title = found.title or plain(element.text_content())
        elif "ld+json" in (element.get("type") or "") and element.text:
            scripts.append(element.text[:_LONGEST_JSON])
        elif element.text and not found.scripted and (match := _SCRIPTED.search(element.text, 0, _LONGEST_JSON)):
            found.scripted = match.group(1)
    _read_linked(scripts, found)
    _read_items(tree, found)
    _read_name_parts(tree, found)
    _read_texts(tree, found)
    return found


def _read_meta(element: Any, metas: dict[str, list[str]]) -> None:
    value = plain(element.get("content"))
    name = element.get("name") or element.get("property") or element.get("itemprop") or element.get("http-equiv")
    if not value or not name:
        return
    name = name.strip().lower().replace("dc:", "dc.").replace("dcterms.", "dc.").replace("dcterms:", "dc.")
    kept = metas.setdefault(name, [])
    if value not in kept and len(kept) < _MOST_WRITERS:
        kept.append(value)


# --- JSON-LD -------------------------------------------------------------------------------------------------


def _parse_json(text: str) -> Any:
    text = text.strip().removeprefix("<![CDATA[").removesuffix("]]>").strip().rstrip(";")
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        pass
    try:
        # Raw newlines inside strings are the commonest fault; the strict parser above refuses them.
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _nodes(data: Any) -> Iterator[dict[str, Any]]:
    """The objects of a JSON document, outermost first, as many as are worth reading."""
    queue = deque([data])
    for _ in range(_MOST_NODES):
        if not queue:
            return
        value = queue.popleft()
        if isinstance(value, dict):
            yield value
            queue.extend(inner for inner in value.values() if isinstance(inner, dict | list))
        elif isinstance(value, list):
            queue.extend(inner for inner in value[:_MOST_WRITERS] if isinstance(inner, dict | list))


def _types(node: dict[str, Any]) -> list[str]:
    kinds = node.get("@type")
    return [kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)]


def is_article_node(node: dict[str, Any]) -> bool:
    return any(_ARTICLE.search(kind) for kind in _types(node))


def _read_linked(scripts: list[str], found: Evidence) -> None:
    nodes = [node for script in scripts[:20] for node in _nodes(_parse_json(script))]
    for node in nodes:
        key = node.get("@id")
        if isinstance(key, str) and len(node) > 1:
            found.by_id.setdefault(key, node)
    articles = [node for node in nodes if is_article_node(node) and (node.get("headline") or node.get("name"))]
    pages = [node for node in nodes if any(kind.endswith("Page") for kind in _types(node))]
    found.article = next(iter(articles or pages), {})


def person_names(value: Any, by_id: dict[str, dict[str, Any]]) -> list[str]:
    """The names in a JSON-LD author or publisher, however it is nested.

    >>> person_names([{"name": "Ann Lee"}, {"@id": "#b"}, "Cy Dow"], {"#b": {"name": "Bo Kay"}})
    ['Ann Lee', 'Bo Kay', 'Cy Dow']
    """
    names: list[str] = []
    queue = deque([value])
    for _ in range(_MOST_WRITERS):
        if not queue:
            break
        part = queue.popleft()
        if isinstance(part, list):
            queue.extendleft(reversed(part[:_MOST_WRITERS]))
        elif isinstance(part, dict):
            part = part if part.get("name") or part.get("familyName") else by_id.get(str(part.get("@id")), {})
            whole = f"{plain(part.get('givenName'))} {plain(part.get('familyName'))}".strip()
            queue.appendleft(part.get("name") or whole)
        elif name := plain(part):
            names.append(name)
    return names


# --- microdata and what a reader sees ------------------------------------------------------------------------


def _read_items(tree: Any, found: Evidence) -> None:
    wanted = (
        "//*[@itemprop][not(self::meta)] | //*[@rel='author'] | //time"
        " | //*[contains(@class,'byline') or contains(@class,'author') or contains(@class,'Author')]"
    )
    story = None  # what the first author wrote
    for element in tree.xpath(wanted)[:_MOST_METAS]:
        value = plain(element.get("content") or element.get("datetime"))
        text = value or plain(" ".join(_texts(element)))
        if not text or len(text) > 300:
            continue
        for name in (element.get("itemprop") or "").lower().split():
            if name == "author":  # of other stories the page names the authors as well, and of pictures
                item = _item_of(element)
                story = item if story is None and not _OTHER.search(item.get("itemtype") or "") else story
                if item is not story:
                    continue
            found.items.setdefault(name, []).append(text)
        if element.tag == "time":
            if not _is_aside(element, ("aside", "footer", "nav")):
                found.items.setdefault("time", []).append(text)
        elif len(text) <= _SHORT and not element.get("itemprop") and not _is_aside(element, ("aside", "nav")):
            found.bylines.append(text)


def _item_of(element: Any) -> Any:
    """The thing that a property in the markup is one of; the whole page if none is marked."""
    around = list(element.iterancestors())
    return next((above for above in around if above.get("itemscope") is not None), around[-1])


def _is_aside(element: Any, tags: tuple[str, ...]) -> bool:
    """Whether an element stands among comments, or beside or below the story: what it says is of something else."""
    return any(
        above.tag in tags or _ASIDE.search(f"{above.get('id')} {above.get('class')}")
        for above in islice(element.iterancestors(), 12)
        if above.tag not in ("body", "html")
    )


def _read_name_parts(tree: Any, found: Evidence) -> None:
    """Names whose halves are marked up apart, as hCard and several publishers do."""
    given = tree.xpath("//*[contains(concat(' ',@class,' '),' given-name ')]")[:_MOST_WRITERS]
    for element in given:
        for family in element.itersiblings():
            if re.search(r"\b(?:surname|family-name)\b", family.get("class") or ""):
                found.people.append(f"{plain(element.text_content())} {plain(family.text_content())}")
                break


def _texts(element: Any) -> Iterator[str]:
    """The text runs below an element that a reader would see; at most a few."""
    for count, node in enumerate(element.iter()):
        if count > 40:
            return
        if node.tag not in _SILENT and node.text:
            yield node.text
        if node.tail and node is not element:
            yield node.tail


def _read_texts(tree: Any, found: Evidence) -> None:
    body = tree.find("body")
    heading = _main_heading(tree, found.title)
    if heading is not None:
        found.heading = plain(heading.text_content())[:500]
    title = key(found.title)
    headless = not words(found.heading) & words(found.title) and (not found.heading or key(found.heading) not in title)
    short: list[str] = []
    edges: list[str] = []
    after, until, prose = 0, _MOST_TEXTS, 0
    for place, node in enumerate(body.iter() if body is not None else ()):
        if len(short) > _MOST_TEXTS or place > 10 * _MOST_TEXTS:
            break
        if node is heading:
            after, until, prose = len(short), _MOST_TEXTS, 0
        for run in (node.text if node.tag not in _SILENT else None, node.tail):
            text = _SPACES.sub(" ", run[:2_000]).strip() if run else ""
            if 0 < len(text) <= _SHORT:
                if headless and len(name := key(text)) >= max(_ECHO * len(title), 4) and name in title:
                    # No heading says what the title does, but this line: it is the headline. A date may stand above.
                    headless, found.heading = False, text
                    after, until, prose = max(0, len(short) - 1), _MOST_TEXTS, 0
                short.append(text)
            elif text:
                prose += 1
                edges += [text[:_EDGE], text[-_EDGE:]] if prose <= _MOST_WRITERS else []
                until = min(until, len(short)) if prose == _LEAD_PROSE else until
    found.above = "\n".join(short[max(0, after - 2) : after])
    found.lead = "\n".join(short[after : min(until, after + 60)])
    found.short = "\n".join(short)
    found.edges = "\n".join(edges)


def _main_heading(tree: Any, title: str) -> Any:
    """The heading of the page: the longest that its title repeats, else the first h1 with words in it."""
    first, best, size = None, None, 3
    for place, element in enumerate(tree.iter("h1", "h2")):
        if place > 50:
            break
        text = plain(element.text_content())
        if len(text) > size and key(text) in key(title):
            best, size = element, len(text)
        if first is None and text and element.tag == "h1":
            first = element
    return first if best is None else best


def words(text: str) -> set[str]:
    """The words of a text that may tell what it is about: those of four letters and more."""
    return set(re.findall(r"\w{4,}", text.casefold()))


def key(text: str) -> str:
    """Letters and digits alone, case folded: what two spellings of one headline share."""
    return "".join(re.findall(r"\w+", text)).casefold()


# --- the rest ------------------------------------------------------------------------------------------------

_EDITOR = re.compile(r"责任?编辑?\s*[：:|]\s*([\u4e00-\u9fff]{2,4})")
_EXTRAS = {
    "journal": (
        "citation_journal_title",
        "prism.publicationname",
        "citation_conference_title",
        "citation_inbook_title",
    ),
    "publisher": ("citation_publisher", "dc.publisher", "citation_dissertation_institution"),
    "volume": ("citation_volume", "prism.volume"),
    "issue": ("citation_issue", "prism.number"),
    "pdf": ("citation_pdf_url",),
    "section": ("article:section", "og:article:section", "prism.section", "dc.subject"),
}


def extras(found: Evidence, url: str) -> dict[str, str]:
    """What else is known: DOI, journal, publisher, section and the like."""
    more = {name: value for name, tags in _EXTRAS.items() if (value := found.first(*tags)[:300])}
    section = found.article.get("articleSection")
    if name := plain(section[0] if isinstance(section, list) and section else section):
        more["section"] = name[:300]
    periodical = [node for node in _nodes(found.article.get("isPartOf")) if "Periodical" in _types(node)]
    if "journal" not in more and periodical and (name := plain(periodical[0].get("name"))):
        more["journal"] = name[:300]
    if doi := _doi(found, url):
        more["doi"] = doi
    if match := _EDITOR.search(found.short):
        more["editor"] = match.group(1)
    return more


def _doi(found: Evidence, url: str) -> str:
    """The DOI of this page, never that of a work it cites."""
    said = found.all("citation_doi", "prism.doi", "bepress_citation_doi") + found.all("dc.identifier", "doi")
    linked = [plain(found.article.get(name)) for name in ("doi", "sameAs", "@id", "url", "identifier")]
    for claim in (*said, *linked, html.unescape(url)):
        if match := _DOI.search(claim):
            return match.group(1).rstrip(".,;)")
    return ""
