"""Pages that stand in the way of a page: challenges, logins, consents, errors. There is nothing in them to be kept.

They are told by what they say, and only if they say little: an article about a login is no login.
"""

from __future__ import annotations

import re

__all__ = ["wall"]

_LITTLE = 1_000  # bytes of text: a wall has no more to say
_CHALLENGE = "it only asks whether a person is reading"
_LOGIN = "it only asks to log in"
_CONSENT = "it only asks for consent"
_ERROR = "it only says that there is no such page, or that something went wrong"

_TITLES = {  # what the title of a wall begins with
    _CHALLENGE: (
        "just a moment|attention required|access denied|access to this page has been denied|are you a robot",
        "robot check|robot or human|human verification|security check|security verification|verify you are",
        "ddos-guard|checking your browser|one more step|pardon our interruption|client challenge",
        "安全验证|人机验证|访问验证|百度安全验证|验证码|请输入验证码",
    ),
    _LOGIN: (
        "log in|login|sign in|please log in|please sign in|sign up to|subscribe to continue|subscribe to read",
        "登录|登陆|请登录|请先登录|用户登录",
    ),
    _CONSENT: ("before you continue|cookie consent|we value your privacy|privacy settings|age verification",),
    _ERROR: (
        "page not found|not found|file not found|error|forbidden|bad request|bad gateway|service unavailable",
        "site unavailable|internal server error|application error|too many requests|under construction",
        "site maintenance|under maintenance|down for maintenance|account suspended|page unavailable",
        "页面不存在|页面未找到|找不到页面|找不到网页|您访问的页面|系统维护|出错了|服务器错误",
    ),
}
_SAYS = {  # what a wall says somewhere
    _CHALLENGE: (
        "enable javascript and cookies to continue|checking your browser|checking if the site connection is secure",
        "verify you are human|verify that you are human|verifying you are human|complete the security check",
        "unusual traffic from your|you are not a robot|performing security verification|请完成安全验证|拖动滑块",
    ),
    _LOGIN: (
        "you must be logged in|you must log in|you need to log in|please log in|please sign in|you need to sign in",
        "log in to continue|sign in to continue|请先登录|请登录后|登录后查看",
    ),
    _CONSENT: ("before you continue to|consent to the use of cookies to continue|accept cookies to continue",),
    _ERROR: (
        "page you requested could not be found|page you are looking for|page you were looking for",
        "this page does not exist|this page doesn't exist|requested url was not found|404 not found",
        "页面不存在|内容已删除|已被删除",
    ),
}


def _any_of(phrases: tuple[str, ...]) -> str:
    return "|".join(re.escape(phrase) for line in phrases for phrase in line.split("|"))


_ENDS = r"(?=\W*$|\s*[-|–—_:!.,…?！。，？]|\s+(?:to|required|page)\b)"  # "Forbidden City" is no wall
_TITLE = {why: re.compile(rf"(?:{_any_of(phrases)}){_ENDS}") for why, phrases in _TITLES.items()}
_TEXT = {why: re.compile(_any_of(phrases)) for why, phrases in _SAYS.items()}
_STATUS = re.compile(r"(?:error )?(?:40[0-9]|410|429|50[0-4])(?!\d)")


def wall(title: str, text: str, size: int) -> str:
    """Why a page is but a wall before another; empty for one that is not. `size` is how much it says, in bytes.

    >>> wall("Just a moment...", "Enable JavaScript and cookies to continue", 41)
    'it only asks whether a person is reading'
    >>> wall("Just a moment of honey", "A bee that has found a meadow … " * 50, 1_600)
    ''
    """
    if size > _LITTLE:
        return ""
    title, text = title.strip().casefold(), text[:_LITTLE].casefold().replace("’", "'")
    for why in _TITLE:
        if _TITLE[why].match(title) or _TEXT[why].search(text):
            return why
    return _ERROR if _STATUS.match(title) else ""
