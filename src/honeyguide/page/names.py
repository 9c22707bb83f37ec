"""Who wrote it: from the many ways pages name their authors to a clean list of people."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from honeyguide.page.metadata import Evidence, key, person_names, plain

__all__ = ["split_names", "writers"]

_MOST = 200
_HAN = r"[\u4e00-\u9fff]"
_HAN_NAME = rf"{_HAN}{{2,4}}(?:·{_HAN}{{1,8}})*"
_HAN_NAMES = rf"({_HAN_NAME}(?:[ \u3000、,，/&]+{_HAN_NAME}){{0,5}})"
_HAN_ROLE = rf"(?:{_HAN}{{0,8}}(?:记者|作者)[ \u3000]*)?"
_HAN_WRITERS = (
    # 作者：…, 采写：某报记者 …
    re.compile(rf"(?:作者|撰文|撰稿|采写|执笔|记者|文)\s*[：:/|]\s*{_HAN_ROLE}{_HAN_NAMES}(?!{_HAN})"),
    # a line of its own: 某报记者 …, 《某刊》作者 …
    re.compile(rf"^[《》\w]{{0,12}}(?:记者|作者)[ \u3000]+{_HAN_NAMES}$", re.MULTILINE),
    # how a report begins or ends: （记者 …）, （文/图 …）, 【文/某网专栏作者 …】
    re.compile(
        rf"[（(【](?:{_HAN}{{0,8}}(?:记者|作者|通讯员)|文|文/图|图/文)[ \u3000/:：]*{_HAN_ROLE}{_HAN_NAMES}[)）】]"
    ),
)
_LEAD_IN = re.compile(
    r"^\W*(?:(?:written|posted|reported|published|story|words|analysis|opinion|review)\s+by|by|von|por|par|di|door|作者|撰文|记者|文)\b[\s:：/]*",
    re.IGNORECASE,
)
_BY_LINE = re.compile(
    r"^(?:By|BY|by|Von|Por|Par|Di|Door|Av)[ \n:]+([^\W\d_][\w.’'-]*(?:[ ,&]+[^\W\d_][\w.’'-]*){1,11})(?= [/|•–—]|$)",
    re.MULTILINE,
)
_NOISE = re.compile(r"\S{1,64}@\S{1,64}|@\w+|\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]|https?://\S+|www\.\S+", re.IGNORECASE)
_ASIDE = re.compile(
    r"\s+[|•–—-]\s+|[|•\n]|\s{3,}|\b(?:for|at|in|on) (?=[A-Z])|(?:Published|Updated|Posted)\b"
    r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|[\s,]\d{1,4}[-/.年]\d"
    r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]{0,6}\.? \d"
    r"|(?<=[a-z]{3})\. (?=[A-Z])"
)
_BETWEEN = re.compile(
    r"\s*[;；、/]\s*|,?\s+(?:and|und|et|y|e|with)\s+|\s*&\s*|[\u3000，]|(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])"
)
# Who made a picture of the story is named like who wrote it.
_PICTURE = re.compile(r"\bGetty Images\b|^(?:photo(?:graph)?s?|images?|illustrations?|video)\b", re.IGNORECASE)
_TITLE = re.compile(r"^(?:Dr|Prof|Mr|Mrs|Ms|Sir)\.?\s+|^(?:Professor)\s+")
_SUFFIX = re.compile(r"^(?:jr|sr|i{2,3}|iv|ph\.?\s?d|m\.?d|m\.?a|b\.?a|m\.?sc|r\.?n)\.?$", re.IGNORECASE)
_HOST = re.compile(r"^[\w-]{3,}\.[A-Za-z]{2,4}$")
_INITIALS = re.compile(r"^(?:[A-Z]\.?[\s-]?){1,4}$")
_ROLE = re.compile(
    r"\b(?:staff|admin(?:istrator)?|editors?|editorial|newsroom|news|desk|team|reporters?|writers?|correspondents?|"
    r"contributors?|columnist|webmaster|redaktion|redacci[oó]n|redazione|press|agency|agencies|wire|bureau|guest|"
    r"anonymous|unknown|author|user|school|institute|university|department|magazine|online|media|blog|company|inc|"
    r"ltd|llc|gmbh|name|null|none|undefined|follow|share|view|more|read|comments?|profile|articles?|posts?|about)\b"
    r"|^(?:未知|佚名|小编|编辑|搜索|管理员|本站|网站|作者|记者|来源|原创)|(?:编辑部|新闻网|日报|晚报|通讯社|电视台|记者|网)$",
    re.IGNORECASE,
)
# Nine in ten Chinese have one of these surnames; what starts otherwise is more often an office than a person.
_SURNAMES = frozenset(
    "王李张刘陈杨黄赵周吴徐孙朱马胡郭林何高梁郑罗宋谢唐韩曹许邓萧冯曾程蔡彭潘袁于董余苏叶吕魏蒋田杜丁沈姜"
    "范江傅钟卢汪戴崔任陆廖姚方金邱夏谭韦贾邹石熊孟秦阎薛侯雷白龙段郝孔邵史毛常万顾赖武康贺严尹钱施牛洪龚"
    "汤陶黎温莫易樊乔文安殷颜庄章鲁倪庞邢俞翟蓝聂齐向申葛柴伍覃骆关焦柳欧祝纪尚毕耿芦左季管符辛苗詹曲靳祁"
    "路涂兰甘裴梅童翁霍游阮尤岳柯牟滕谷舒卜成饶宁凌盛查单冉鲍华包屈房喻解蒲卫简时连车项闵邬吉党阳司费蒙席"
    "晏隋古强穆姬宫景米麦谈柏瞿艾沙鄢桂窦郁缪畅巩卓褚栾戚娄甄郎池丛边岑农苟迟保商臧佘卞虞刁冷应匡栗仇练楚"
    "揭师官佟封燕桑巫敖原植邝仲荆储宗楼干苑寇盖南屠鞠荣井乐银奚明麻雍花闻冼木郜廉衣蔺和冀占荀裘上诸公皇慕"
    "令端"
)
_PARTICLES = frozenset(
    "de da del della der den van von la le di du dos das el al bin ibn ter ten y af av zu st".split()
)


def writers(found: Evidence, site: str) -> tuple[list[str], str]:
    """The authors a page claims by its best evidence, and where it does."""
    scholarly = found.all("citation_author", "citation_authors", "bepress_citation_author", "eprints.creators_name")
    dublin = found.all("dc.creator", "dc.creator.personalname")
    sites = {key(site), key(found.first("og:site_name"))}
    if names := split_names(scholarly, inverted=True, but=sites) or split_names(dublin, inverted=True, but=sites):
        linked = split_names(person_names(found.article.get("author"), found.by_id), but=sites)
        return (linked, "json-ld") if len(linked) > len(names) else (names, "scholarly tags")
    stated = (
        ("json-ld", person_names(found.article.get("author"), found.by_id)),
        ("json-ld", person_names(found.article.get("creator"), found.by_id)),
        ("meta tags", found.all("article:author", "og:article:author")),
        ("meta tags", found.all("author", "byl", "parsely-author", "sailthru.author", "article:author_name")),
    )
    texts = f"{found.lead}\n{found.edges}\n{found.short}"
    seen = (
        ("microdata", found.people),
        ("microdata", found.items.get("author", [])[:_MOST]),
        *(("label", shape.findall(texts)[:1]) for shape in _HAN_WRITERS),
        # What says "by" below the headline comes first: what is marked as a byline may stand anywhere.
        ("byline", _BY_LINE.findall(found.lead)[:1]),
        *(("byline", [line]) for line in _innermost(found.bylines[:8])),
    )
    for place, claim in stated:
        if names := split_names(claim, but=sites):
            return names, place
    for place, claim in seen:
        if names := split_names(claim, visible=True, but=sites):
            return names, place
    return [], ""


def _innermost(bylines: list[str]) -> list[str]:
    """Bylines without those that only add something around another: an agency, a date.

    >>> _innermost(["By Ann Lee and Bo Kay Hive Press", "By Ann Lee and Bo Kay", "Ann Lee"])
    ['By Ann Lee and Bo Kay']
    """
    kept: list[str] = []
    for line in bylines:
        inside = len(split_names([line], visible=True))
        around = next((place for place, other in enumerate(kept) if line in other), None)
        if around is None:
            kept.append(line)
        elif inside and inside >= len(split_names([kept[around]], visible=True)):
            kept[around] = line
    return kept


def split_names(
    claims: Iterable[str], *, inverted: bool = False, visible: bool = False, but: Collection[str] = ()
) -> list[str]:
    """People's names out of claims that may hold one or many.

    `inverted` says a comma stands between family and given name, as scholarly tags have it; `visible` that the
    text is only what a reader sees, so it must look like a name to be taken for one; `but` are keys to leave out.

    >>> split_names(["By Jane Doe and John Roe, Staff Writer"])
    ['Jane Doe', 'John Roe']
    >>> split_names(["Doe, Jane; Roe, John Q."])
    ['Jane Doe', 'John Q. Roe']
    """
    names: dict[str, None] = {}
    for claim in list(claims)[:_MOST]:
        text = plain(claim)[:2_000]
        if text.startswith(("http:", "https:", "//", "www.")) or (visible and text.endswith((":", "："))):
            continue  # an address; or somebody who says what follows
        if _PICTURE.search(text):
            continue
        text = _LEAD_IN.sub("", _NOISE.sub(" ", text))
        text = _ASIDE.split(text.strip())[0] if not inverted else text
        for part in _BETWEEN.split(text):
            for name in _commas(part, inverted):
                tidy = _tidy(name)
                if _is_name(tidy, visible) and not _is_site(key(tidy), but):
                    names.setdefault(tidy)
    return list(names)[:_MOST]


def _commas(text: str, inverted: bool) -> list[str]:
    """The names in a text whose commas may divide names, or the two halves of one."""
    parts = [part.strip() for part in text.split(",")]
    parts = [part for part in parts if part and not _SUFFIX.match(part)]
    if not inverted:
        parts = [part for part in parts if not _ROLE.search(part)] or parts[:1]
    if len(parts) < 2:
        return parts
    pairs = list(zip(parts[::2], parts[1::2], strict=False))
    halves = len(parts) % 2 == 0 and (
        all(_INITIALS.match(given) and (inverted or " " not in family) for family, given in pairs)
        or all(" " not in part for part in parts)
    )
    if halves and not any("\u4e00" <= part[0] <= "\u9fff" for part in parts):
        return [f"{given} {family}" for family, given in pairs]
    if len(parts) == 2 and (inverted or " " not in parts[0]):
        return [f"{parts[1]} {parts[0]}"]
    return [part for part in parts if " " in part or (len(parts) > 2 and not part.isascii())] or parts[:1]


def _tidy(name: str) -> str:
    name = _TITLE.sub("", " ".join(name.split()).strip(" .,:;*'\"“”‘’|-–—·"))
    # A lone initial keeps the dot it was written with.
    return name.title() if name.isupper() and len(name) > 5 and " " in name and "." not in name else name


def _is_site(name: str, sites: Collection[str]) -> bool:
    """Whether a name is but the site's own: "CNN Business" on CNN, "Beachbody" on The Beachbody Blog."""
    if name in sites:
        return True
    return any((len(site) > 2 and name.startswith(site)) or (len(name) > 4 and name in site) for site in sites)


def _is_name(name: str, visible: bool) -> bool:
    if not 2 <= len(name) <= 60 or any(letter.isdigit() for letter in name):
        return False
    if _ROLE.search(name) or _HOST.match(name):
        return False
    parts = name.split()
    if "\u4e00" <= name[0] <= "\u9fff":
        return "·" in name or (len(name) <= 4 and name[0] in _SURNAMES)
    if not visible:
        return name[0].isalpha() and len(parts) <= 7
    return 2 <= len(parts) <= 5 and all(part[0].isupper() or part.lower() in _PARTICLES for part in parts)
