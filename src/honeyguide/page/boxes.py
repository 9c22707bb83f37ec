"""The real boxes of a page's elements, as a headless browser lays them out.

The browser gets the page in a form made for this: its scripts are taken out (and would not run), frames and objects are
empty, images are grey air of the size the page gives them, and every block element has a number by which its box is
found again. All that is left to ask for are style sheets, and every request for one comes here first: it is given what
`sheets` has of it, which has its own rules, or nothing.
"""

from __future__ import annotations

import asyncio
import base64
import re
import secrets
from collections.abc import Coroutine
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from honeyguide.errors import ExtractError
from honeyguide.page import blocks as cutting
from honeyguide.page.charset import to_utf8
from honeyguide.page.chromium import Chromium, nobody_listens
from honeyguide.page.sheets import NO_SHEETS, SAVED, Sheets
from honeyguide.page.snapshot import STYLES, WINDOW, Boxes, read_snapshot
from honeyguide.page.tame import tame
from honeyguide.wording import counted

__all__ = ["lay_out"]

_GONE = ["script", "noscript", "template", "source", "track", "param"]
_EMPTY = "svg,iframe,object,select,textarea"  # and what stands in those below is shown by no browser
_LOADING = ("src", "srcset", "srcdoc", "data", "poster", "background", "loading", "ping", "nonce", "integrity")
_DOCTYPE = re.compile(rb"(?:\s|<!--.{0,2000}?-->|<\?[^>]{0,500}>)*(<!doctype[^<>]{0,300}>)", re.IGNORECASE | re.DOTALL)
_STYLESHEET = frozenset(("stylesheet",))
# Three by two pixels of nothing: where only a width is given, a height comes of it that pictures often have.
_IMAGE = "data:image/gif;base64,R0lGODlhAwACAIAAAAAAAP///yH5BAEAAAAALAAAAAADAAIAAAIChF8AOw=="
_MOST_SHEETS, _MOST_BYTES = 40, 4_000_000
_MOST_REQUESTS = 2_000


class _Page(NamedTuple):
    """A page made ready for a browser: its text, the name of the attribute with the numbers, the tags by number."""

    html: bytes
    attribute: str
    tags: list[str]


async def lay_out(
    body: bytes,
    url: str,
    *,
    sheets: Sheets = NO_SHEETS,
    charset: str | None = None,
    seconds: float = 60.0,
    memory: int = 1_500_000_000,
    browser: Chromium | None = None,
) -> Boxes:
    """The boxes of a page in a window of 1280 × 1024 pixels, within so many seconds and bytes of memory.

    `url` is where it came from, by which its style sheets are found; `sheets` gives them. Nothing else is loaded.
    With a `browser` that is there already many pages can be laid out, each in its turn, for the price of one start.
    """
    if urlsplit(url).scheme not in ("http", "https"):  # a browser has other ways to look at a file, and none is wanted
        raise ExtractError(f"{url} is not the address of a web page; a saved page may have {SAVED}")
    page = _prepare(body, url, charset)
    if browser is not None:
        return await _Visit(browser, page, url, sheets, seconds).boxes()
    async with Chromium(seconds=seconds, memory=memory) as started:
        return await _Visit(started, page, url, sheets, seconds).boxes()


def _prepare(body: bytes, url: str, charset: str | None) -> _Page:
    """The page without what runs or loads, its block elements numbered as `blocks.mark` counts them."""
    utf8 = tame(to_utf8(body, charset))[0]
    try:
        tree = LexborHTMLParser(cutting.clean(utf8))
    except SelectolaxError:
        raise ExtractError(f"{url} is no page that could be laid out") from None
    root = tree.body or tree.root
    if root is None or tree.root is None:
        raise ExtractError(f"{url} is no page that could be laid out")
    attribute = f"data-{secrets.token_hex(8)}"  # no page can know it, and write numbers of its own
    tree.strip_tags(_GONE)
    for node in tree.css(_EMPTY):
        for child in list(node.iter(include_text=True)):
            child.decompose()
    tags = ["body"]
    for node in cutting.block_nodes(root):
        node.attrs[attribute] = str(len(tags))
        tags.append(node.tag or "")
    for node in tree.root.traverse():
        _disarm(node)
    shape = _DOCTYPE.match(utf8[:10_000])
    html = (tree.root.html or "").encode("utf-8", "replace")
    return _Page((shape.group(1) if shape else b"") + html, attribute, tags)


def _disarm(node: LexborNode) -> None:
    """Take from an element what would load, send or move anything."""
    tag = node.tag or ""
    if tag == "meta" and "http-equiv" in node.attributes:
        del node.attrs["http-equiv"]
    elif tag == "link":
        said = frozenset((node.attributes.get("rel") or "").lower().split())
        printed = (node.attributes.get("media") or "").strip().lower() == "print"
        if printed or said != _STYLESHEET:  # an icon, a thing to connect to or to load ahead, another style to choose
            node.attrs["rel"] = "none"
    attributes = node.attributes
    for name in attributes:
        if name in _LOADING or name.startswith("on"):
            del node.attrs[name]
    if tag == "img" or (tag == "input" and (attributes.get("type") or "").lower() == "image"):
        node.attrs["src"] = _IMAGE


class _Visit:
    """One page in one browser."""

    def __init__(self, browser: Chromium, page: _Page, url: str, sheets: Sheets, seconds: float) -> None:
        self._browser, self._page, self._url, self._sheets = browser, page, url, sheets
        self._seconds = seconds
        self._patience = seconds / 2  # for style sheets: what has not come by then is done without
        self._session = ""
        self._given = False  # whether the page itself was given to the browser
        self._requests = self._bytes = self._styled = 0
        self._refused: dict[str, int] = {}  # how often, by the reason
        self._loaded = asyncio.Event()
        self._at_work: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()  # style sheets are asked for one after another

    async def boxes(self) -> Boxes:
        """Its boxes, when it is its turn."""
        async with self._browser.turn:
            taken = await self._opened()
        return read_snapshot(taken, self._page.attribute, self._page.tags, self._notes())

    async def _opened(self) -> dict[str, Any]:
        """Open the page for a look at it, and close it again."""
        context = target = ""
        try:
            async with asyncio.timeout(self._seconds):
                context = (await self._browser.ask("Target.createBrowserContext"))["browserContextId"]
                opened = {"url": "about:blank", "browserContextId": context}
                target = (await self._browser.ask("Target.createTarget", opened))["targetId"]
                return await self._look(target)
        except TimeoutError:
            raise ExtractError(f"the page was not laid out within {self._seconds:g} seconds") from None
        finally:
            self._browser.on_event = nobody_listens
            for task in self._at_work:
                task.cancel()
            if target:
                self._browser.tell("Target.closeTarget", {"targetId": target})
            if context:
                self._browser.tell("Target.disposeBrowserContext", {"browserContextId": context})

    async def _look(self, target: str) -> dict[str, Any]:
        width, height = WINDOW
        self._browser.on_event = self._hear
        attached = await self._browser.ask("Target.attachToTarget", {"targetId": target, "flatten": True})
        self._session = attached["sessionId"]
        self._deadline = asyncio.get_running_loop().time() + self._patience
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        for method, params in (
            ("Emulation.setScriptExecutionDisabled", {"value": True}),
            ("Fetch.enable", {"patterns": [{"urlPattern": "*"}]}),
            ("Page.enable", {}),
            ("Emulation.setDeviceMetricsOverride", screen),
        ):
            await self._ask(method, params)
        gone = await self._ask("Page.navigate", {"url": self._url})
        if gone.get("errorText"):
            raise ExtractError(f"{self._url} cannot be opened in a browser: {gone['errorText']}")
        await self._until_loaded()
        return await self._ask("DOMSnapshot.captureSnapshot", {"computedStyles": list(STYLES)})

    async def _until_loaded(self) -> None:
        """Wait for the page; a browser that ends meanwhile would keep us waiting, so it is asked now and then."""
        while not self._loaded.is_set():
            await self._ask("Page.getFrameTree", {})
            try:
                async with asyncio.timeout(0.5):
                    await self._loaded.wait()
            except TimeoutError:
                continue

    def _ask(self, method: str, params: dict[str, Any]) -> Coroutine[Any, Any, dict[str, Any]]:
        return self._browser.ask(method, params, session=self._session)

    def _hear(self, method: str, told: dict[str, Any], session: str) -> None:
        if session != self._session:  # of the page before this one, or of the browser itself
            return
        if method == "Page.loadEventFired":
            self._loaded.set()
        elif method == "Fetch.requestPaused":
            task = asyncio.create_task(self._answer(told))
            self._at_work.add(task)
            task.add_done_callback(self._at_work.discard)

    async def _answer(self, paused: dict[str, Any]) -> None:
        """Give the browser the page, or a style sheet, or nothing."""
        self._requests += 1
        kind, number = paused.get("resourceType"), str(paused["requestId"])
        url = str(paused["request"]["url"])
        if kind == "Document" and not self._given:  # the first request there is
            self._given = True
            self._fulfil(number, self._page.html, "text/html; charset=utf-8")
        elif kind == "Stylesheet" and self._requests <= _MOST_REQUESTS:
            sheet, why = await self._sheet(url)
            if why:
                self._refused[why] = self._refused.get(why, 0) + 1
                self._refuse(number)
            else:
                self._styled += 1
                self._fulfil(number, sheet, "text/css")
        else:
            self._refuse(number)

    async def _sheet(self, url: str) -> tuple[bytes, str]:
        """A style sheet, or why there is none."""
        async with self._turn:
            if self._styled >= _MOST_SHEETS:
                return b"", f"past the first {_MOST_SHEETS}"
            if self._bytes >= _MOST_BYTES:
                return b"", f"past {_MOST_BYTES} bytes"
            try:
                async with asyncio.timeout_at(self._deadline):
                    sheet, why = await self._sheets.sheet(url, _MOST_BYTES - self._bytes)
            except TimeoutError:
                return b"", f"not there within {self._patience:g} seconds"
            self._bytes += len(sheet)
            return sheet, why

    def _fulfil(self, number: str, content: bytes, media: str) -> None:
        headers = [("Content-Type", media), ("Access-Control-Allow-Origin", "*"), ("Cache-Control", "no-store")]
        answer = {
            "requestId": number,
            "responseCode": 200,
            "responseHeaders": [{"name": name, "value": value} for name, value in headers],
            "body": base64.b64encode(content).decode("ascii"),
        }
        self._tell("Fetch.fulfillRequest", answer)

    def _refuse(self, number: str) -> None:
        self._tell("Fetch.failRequest", {"requestId": number, "errorReason": "BlockedByClient"})

    def _tell(self, method: str, params: dict[str, Any]) -> None:
        self._browser.tell(method, params, session=self._session)

    def _notes(self) -> list[str]:
        """What a reader of the boxes should know: style sheets there were and were not."""
        notes = [f"{counted(self._styled, 'style sheet')} used"] if self._styled else []
        return notes + [f"{counted(count, 'style sheet')} left out: {why}" for why, count in self._refused.items()]
