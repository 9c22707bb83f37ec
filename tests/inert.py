"""That a page we write runs nothing, whatever names and texts it was given."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

__all__ = ["assert_inert"]


def assert_inert(page: LexborHTMLParser, *, href: str, style: str) -> None:
    """No element that loads or runs, no handler; links and styles only of these forms."""
    assert not page.css("script, img, iframe, object, embed, form, link, base, audio, video, foreignObject")
    assert len(page.css("style")) == 1
    for element in page.css("*"):
        for name, value in element.attributes.items():
            assert not name.lower().startswith("on"), (element.tag, name)
            assert name not in ("src", "srcset", "background", "formaction", "xlink:href", "action")
            if name == "href":
                assert re.match(href, value or "")
            if name == "style":
                assert re.fullmatch(style, value or "")
