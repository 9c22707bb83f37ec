"""What the words on and around a block say it is: names in its markup, the heading above it, the text of a link.

No browser is needed for these: authors of pages name the parts they style, and readers are told what a list is. Words
are few and common on purpose; what they miss, density and place must tell (`segments`).
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["SEGMENT_ROLES", "by_heading", "by_name", "is_tool"]

SEGMENT_ROLES = (
    "title",
    "authors",
    "affiliations",
    "abstract",
    "keywords",
    "body",
    "references",
    "navigation",
    "related",
    "noise",
)

_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NOISE = frozenset(
    """nav navs navbar navigation navlist topnav subnav sitenav menu menus submenu megamenu dropdown hamburger
    masthead footer foot footers topbar toolbar breadcrumb breadcrumbs crumb crumbs ad ads adv advert adverts
    advertisement advertising adsense adslot dfp sponsor sponsored sponsors promo promos promotion promoted
    promoter banner share sharing shares sharer sharetools sharebar social socials follow login logins signin
    signup register account subscribe subscription subscriptions newsletter newsletters cookie cookies consent
    gdpr popup modal overlay dialog search searchbox searchbar comment comments disqus skip skiplink skiplinks
    copyright legal legalese license licence licenses trending popular mostpopular mostread latest recent hot
    hotnews rank ranking weather ticker outbrain taboola sitemap tools export feedback ewm qrcode addthis
    addtoany a2a utility spotlight teaser marketing""".split()
)
_WEAK_NOISE = frozenset(
    "sidebar side rail widget aside right secondary header top bottom heron features branding logo".split()
)
_RELATED = frozenset(
    "related relateds relate recommend recommended recommends recommendation recommendations similar seealso readnext "
    "citing citedby morelike xiangguan tuijian".split()
)
_NAVIGATION = frozenset(
    "pagination pager paging paginate pagenav pagelinks prev previous prevnext nextprev next".split()
)
_CONTENT = {
    "authors": frozenset("author authors byline bylines contributor contributors contrib contribs creator".split()),
    "affiliations": frozenset("affiliation affiliations aff affs affil affils institution institutions".split()),
    "abstract": frozenset("abstract abstracts".split()),
    "keywords": frozenset("keyword keywords listkeyword kwd tags tag taglist tagging".split()),
    "references": frozenset("references reflist refs bibliography citations footnotes reference".split()),
}
# Which words give a role: in the order in which roles are looked for. A word of two roles is of the first.
_BY_WORD = {
    word: (rank, role)
    for rank, (role, known) in reversed(
        list(enumerate((("navigation", _NAVIGATION), ("related", _RELATED), *_CONTENT.items(), ("noise", _NOISE))))
    )
    for word in known
}
_BY_TAG = {"nav": "noise", "footer": "noise", "form": "noise", "button": "noise", "aside": "aside", "header": "aside"}
_ENDS = frozenset(("footer", "foot", "tools"))
_OWN = frozenset(("article", "entry", "post", "story", "content"))

_HEADINGS = tuple(
    (role, re.compile(pattern, re.IGNORECASE))
    for role, pattern in (
        (
            "noise",
            r"(?:the )?most (?:read|popular|viewed|shared|commented|e-?mailed|watched|recent)\b.*|popular\b.*|"
            r"trending\b.*|latest\b.*|recent (?:posts|comments|articles|news|stories)|"
            r"top (?:stories|news|headlines|\d+)\b.*|"
            r"editors?'?s?’?s? (?:picks?|choice)|"
            r"share(?: this)?\b.{0,20}|follow\b.{0,20}|subscribe\b.*|newsletters?\b.*|sign up\b.*|\d* ?comments?\b.*|"
            r"advertisements?|sponsored\b.*|from (?:our|the) (?:sponsors|web)\b.*|promoted\b.*|menu|navigation|"
            r"categories|archives?|sections|sites|elsewhere on\b.*|features(?: (?:&|and) analysis)?|more great\b.*|"
            r"leave a\b.*|join the\b.*|site map|contact(?: us)?|about(?: us)?|tools|export|"
            r"热门.*|热点.*|最新.*|.{0,6}排行榜?.{0,4}|.{0,4}图片.{0,4}|.{0,4}视频.{0,4}|.{0,6}评论.{0,6}|分享.{0,6}|精彩.{0,6}|"
            r"今日.{0,6}|24小时.*|推荐阅读|为您推荐|猜你喜欢|recommended for you|"
            r"友情链接|网站导航|热图.*|专题.{0,4}|举报.*|广告.*",
        ),
        (
            "related",
            r"related\b.*|you (?:may|might)\b.{0,40}|recommended\b.*|see also|similar\b.*|further reading|"
            r"read (?:next|also)|more (?:on|about|like)\b.*|citing articles|cited by\b.*|"
            r"相关.{0,8}|延伸阅读.{0,4}|更多相关.*",
        ),
        ("abstract", r"abstract|summary|r[ée]sum[ée]|zusammenfassung|摘\s*要|内容提要"),
        ("keywords", r"key ?-?words?\b.{0,20}|index terms|tags?|topics?|subjects?|关键[词字]|标签|mots[- ]cl[ée]s"),
        ("references", r"references\b.{0,20}|bibliography|works cited|literature cited|参考文献"),
        ("authors", r"authors?\b.{0,20}|作者.{0,4}"),
        ("affiliations", r"(?:author )?affiliations?\b.{0,10}|author information|作者单位"),
    )
)
# Nine short lines in ten begin otherwise: a look at two letters, where all patterns would take ten looks at the line.
_STARTS = frozenset(
    word[:2]
    for word in """the most popular trending latest recent top editor share follow subscribe newsletter sign comment adv
    sponsor from promoted menu nav categor archive sections sites elsewhere features more leave join site contact about
    tools export related you recommended see similar further read citing cited abstract summary resume zusammen key
    index tag topic subject mots references bibliography works literature author affiliation""".split()
)
_EDGES = ".:：,，>》»›《【】[]()（） \t\n\u3000|·•-–—+"
_LONGEST_LABEL = 48
_TOOL = re.compile(
    r"(?:share|tweet|like|pin)(?: (?:this|it|on|with|via)\b.*)?|facebook|twitter|linkedin|pinterest|reddit|whatsapp|"
    r"e-?mail|print(?: this.*)?|log ?in|log ?out|sign ?in|sign ?up|register|subscribe|rss|comments?|\d+ comments?|top|"
    r"back to top|skip to\b.*|close|search|menu|reply|report|"
    r"注册|登录|分享|打印|收藏|举报|返回顶部|客户端下载|.{0,6}客户端",
    re.IGNORECASE,
)
_TOOL_URL = re.compile(
    r"facebook\.com/(?:sharer|dialog|share)|twitter\.com/(?:intent|share|home\?)|linkedin\.com/(?:share|sharing)|"
    r"pinterest\.[a-z.]+/pin/create|plus\.google\.com/share|reddit\.com/submit|/(?:log|sign)-?in\b|addtoany|addthis|"
    r"service\.weibo\.com/share|share\.v\.t\.qq|connect\.qq\.com",
    re.IGNORECASE,
)


@lru_cache(maxsize=16_384)  # the pages of a site share their names
def by_name(tag: str, names: str) -> tuple[str, str]:
    """The role that an element's tag and names give it, and the evidence; "aside" where they only hint at furniture.

    >>> by_name("div", "RelatedArticles box")
    ('related', 'named "related"')
    >>> by_name("ul", "post-navigation next")
    ('navigation', 'named "next"')
    """
    words = [part.lower() for part in _PARTS.findall(names)] if names else []
    if told := [word for word in words if word in _BY_WORD]:
        word = min(told, key=_BY_WORD.__getitem__)
        role = _BY_WORD[word][1]
        # The foot or head of an article is not that of the site.
        if role != "noise" or word not in _ENDS or _OWN.isdisjoint(words):
            return role, f'named "{word}"'
    if tag in _BY_TAG:
        return _BY_TAG[tag], f"a {tag} element"
    if told := [word for word in words if word in _WEAK_NOISE]:
        return "aside", f'named "{told[0]}"'
    return "", ""


def by_heading(text: str) -> str:
    """The role that a heading, or a short line that stands for one, gives what follows; none for most.

    >>> by_heading("Related stories:"), by_heading("摘要"), by_heading("How bees dance")
    ('related', 'abstract', '')
    """
    text = text.strip(_EDGES)
    if not text or len(text) > _LONGEST_LABEL:
        return ""
    if text.isascii() and text[:2].lower() not in _STARTS and not text[0].isdigit():
        return ""
    return _by_heading(text)


@lru_cache(maxsize=16_384)
def _by_heading(text: str) -> str:
    return next((role for role, pattern in _HEADINGS if pattern.fullmatch(text)), "")


@lru_cache(maxsize=16_384)
def is_tool(anchor: str, url: str) -> bool:
    """Whether a link does something with the page (shares, prints, signs in) rather than lead to another.

    >>> is_tool("Log in", "/account"), is_tool("Bees", "https://twitter.com/intent/tweet?u=x"), is_tool("Bees", "/bees")
    (True, True, False)
    """
    return (len(anchor) <= 24 and _TOOL.fullmatch(anchor) is not None) or _TOOL_URL.search(url) is not None
