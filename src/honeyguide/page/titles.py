"""The headline of a page: the best of what it claims, whole, and without the name of the site."""

from __future__ import annotations

import re

from honeyguide.page.metadata import Evidence, is_article_node, key, plain, words

__all__ = ["ADDRESS", "PARTS", "choose_title"]

_LONGEST = 500
ADDRESS = re.compile(r"^[\w-]+(?:\.[\w-]+)*(?:\.[a-z]{2,6}|/[\w./-]*)$")
PARTS = re.compile(r"\s+[-–—|·•»:]{1,2}\s+|\s*[|_»]+\s*|\s*--+\s*|(?<=[\u4e00-\u9fff!！?？”])\s*[-–—]\s*")


def choose_title(found: Evidence, site: str = "") -> tuple[str, str]:
    """The headline, without the name of the site, and where it stands."""
    stated = [
        ("scholarly tags", found.first("citation_title", "bepress_citation_title")),
        ("json-ld", plain(found.article.get("headline"))),
        ("meta tags", found.first("dc.title", "eprints.title", "prism.title")),
        ("meta tags", found.first("og:title")),
        ("microdata", next(iter(found.items.get("headline", [])), "")),
        ("meta tags", found.first("twitter:title", "parsely-title", "sailthru.title", "title")),
        ("json-ld", plain(found.article.get("name")) if is_article_node(found.article) else ""),
    ]
    stated = [(place, claim[:_LONGEST]) for place, claim in stated if claim and key(claim) != key(site)]
    claims = [claim for _, claim in stated]
    sites = {key(name) for name in (site, found.first("og:site_name"), found.first("application-name")) if name}
    known = [*claims, found.heading] if found.heading else claims
    if claims:
        claims = [_without_site(claim, sites, known) for claim in claims]
        if stated[0][0] != "scholarly tags" and _is_headline(found.heading, found.title, claims, sites):
            cut = found.heading.endswith(("…", ".."))
            return _whole(found.heading, claims, "") if cut else found.heading, "heading"
        return _whole(claims[0], [*claims[1:], found.heading], found.title), stated[0][0]
    short = _without_site(found.title[:_LONGEST], sites, [found.heading] if found.heading else [])
    if found.heading and (not short or key(found.heading) in key(found.title)):
        return found.heading, "heading"
    return (short, "title tag") if short else (found.heading, "heading")


def _is_headline(heading: str, page_title: str, claims: list[str], sites: set[str]) -> bool:
    """Whether a heading heads the story: what its readers see, where tags may say what searchers shall.

    >>> _is_headline("Bees dance at noon", "Why bees dance - Hive", ["Why bees dance"], {"hive"})
    True
    >>> _is_headline("The Hive Post", "Why bees dance | The Hive Post", ["Why bees dance"], set())
    False
    """
    name, whole = key(heading), key(page_title)
    if not name or name in sites:
        return False
    if whole != name and whole.endswith(name) and any(name not in key(claim) for claim in claims):
        return False  # the name of the site, which comes last
    if name in whole:
        return True
    said = words(heading)
    return len(heading.split()) > 2 and any(len(said & words(claim)) > 1 for claim in (*claims, page_title))


def _whole(title: str, others: list[str], page_title: str) -> str:
    """Mend a headline that was cut short, by a limit or a stray quote in its tag, from a longer claim.

    >>> _whole("Bees find their way by…", ["Bees find their way by the sun"], "")
    'Bees find their way by the sun'
    """
    stem = title.rstrip("….").rstrip()
    cut = stem != title or len(title) >= 100
    for other in others:
        if len(other) > len(title) and other.startswith(stem) and (cut or other in page_title):
            return other
    return title


def _without_site(title: str, sites: set[str], known: list[str]) -> str:
    """Cut the site's name off a title, if it is plainly that.

    >>> _without_site("Bees return - The Hive", {"thehive"}, [])
    'Bees return'
    >>> _without_site("蜂群回来了_新闻频道_某某网", set(), [])
    '蜂群回来了'
    """
    cuts = list(PARTS.finditer(title))
    for cut in cuts:
        head, tail = title[: cut.start()].strip(), title[cut.end() :].strip()
        if any(key(head) == key(other) != key(title) for other in known):
            return head
        if head and (key(tail) in sites or ADDRESS.match(tail)):
            return head
        if key(head) in sites and tail and cut is cuts[0]:
            return _without_site(tail, sites, known)
    if cuts and not known:
        # Nothing else to compare with: what stands before the first bar is the headline if it is the most.
        head, tail = title[: cuts[0].start()].strip(), title[cuts[0].end() :].strip()
        han = sum("\u4e00" <= letter <= "\u9fff" for letter in head)
        if len(head) >= max(len(tail) * 0.6, 4) and (" " in head or han >= 4):
            return head
    return title
