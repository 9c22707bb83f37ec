"""Where the links of pages lead, if a crawl may go there.

A page links to the same place again and again, and so do the pages of a site, each with the same menu: what a link
leads to is worked out once and remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from honeyguide.web.urls import Base

__all__ = ["NOWHERE", "Addresses"]

NOWHERE = "nowhere:"  # where a link leads that a crawl would never follow
_MOST, _SHORT = 30_000, 300  # links that are remembered, and how long they may be
_ROOTED, _BESIDE = ("/", "http://", "https://"), ("../", "./")


class Addresses:
    """The addresses behind links; `keep` says which of them a crawl would ever go to, always the same of the same.

    >>> addresses = Addresses(lambda url: "private" not in url)
    >>> addresses.of(Base("http://a.test/x/y?q"), ["z", "/private/", "mailto:bee@a.test", "#top"])
    {'z': 'http://a.test/x/z', '/private/': 'nowhere:', 'mailto:bee@a.test': 'nowhere:', '#top': 'http://a.test/x/y?q'}
    """

    def __init__(self, keep: Callable[[str], bool] | None = None) -> None:
        self._keep = keep
        # By what a link means the same on: all pages of a server, or all pages of a folder.
        self._met: dict[str, dict[str, str]] = {}
        self._count = 0

    def of(self, base: Base, links: Iterable[str]) -> dict[str, str]:
        """The normal URL of each link on a page; NOWHERE for what leads to no page, or to none that is kept."""
        if self._count > _MOST:
            self._met.clear()
            self._count = 0
        rooted, beside = self._met.setdefault(base.origin, {}), self._met.setdefault(base.folder, {})
        before = len(rooted) + len(beside)
        found = {link: rooted.get(link) or beside.get(link, "") for link in links}
        for link in [link for link, url in found.items() if not url]:
            url = found[link] = self.one(base, link)
            if len(link) > _SHORT:
                continue
            if link.startswith(_ROOTED):
                rooted[link] = url
            elif (link[:1].isalnum() and ":" not in link) or link.startswith(_BESIDE):
                beside[link] = url
            # All others (#top, ?page=2, http:?x) are about the page itself.
        self._count += len(rooted) + len(beside) - before
        return found

    def one(self, base: Base, link: str) -> str:
        """The same of a single link, which is not remembered."""
        url = base.join(link)
        return url if url is not None and (self._keep is None or self._keep(url)) else NOWHERE
