"""The languages a topic may name: the two-letter codes of ISO 639-1."""

from __future__ import annotations

__all__ = ["CODES", "code_of"]

CODES = frozenset(
    """aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el
    en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu
    ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na
    nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn
    so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh
    zu""".split()
)


def code_of(tag: str) -> str | None:
    """The two-letter code of a language tag; None when there is no such language.

    >>> code_of("zh-Hans"), code_of("EN"), code_of("english")
    ('zh', 'en', None)
    """
    code = tag.strip().lower().replace("_", "-").partition("-")[0]
    return code if code in CODES else None
