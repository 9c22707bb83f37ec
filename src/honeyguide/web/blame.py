"""Why a request brought no answer: in one sentence, and whether the host, we, or perhaps the network is to blame."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import ssl
from pathlib import Path

import aiohttp
from aiohttp.client_exceptions import ClientConnectorCertificateError, ClientConnectorDNSError

from honeyguide.web.base import Response
from honeyguide.web.guard import AddressRefused
from honeyguide.web.lookups import LookUpTimeout

__all__ = ["NotLookedUp", "explain"]

_NO_SUCH_NAME = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))
_NO_WAY = frozenset((errno.ENETUNREACH, errno.ENETDOWN, errno.EHOSTUNREACH, errno.EHOSTDOWN, errno.ETIMEDOUT))
_ROUTES = (Path("/proc/net/route"), Path("/proc/net/ipv6_route"))


class NotLookedUp(OSError):  # noqa: N818 - reads as what happened
    """A host's name could not be looked up; `os_error` says why, as aiohttp's own errors do."""

    def __init__(self, os_error: OSError) -> None:
        super().__init__(str(os_error))
        self.os_error = os_error


def explain(error: Exception, answer: Response) -> None:
    """Turn what went wrong into one sentence, and say whether trying again may help."""
    answer.body = b""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, AddressRefused):
            answer.status, answer.error = 0, f"address refused: {cause.reason}"
            answer.lasting = answer.whole_host = True
            return
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, NotLookedUp | ClientConnectorDNSError):
        _explain_name(error.os_error, answer)
    elif isinstance(error, ClientConnectorCertificateError | ssl.SSLCertVerificationError):
        answer.error, answer.lasting, answer.whole_host = "certificate is not valid", True, True
    elif isinstance(error, aiohttp.ConnectionTimeoutError):
        answer.error, answer.doubtful = "no connection in time", True
    elif isinstance(error, asyncio.TimeoutError):
        answer.error = "no full answer in time"
    elif isinstance(error, aiohttp.ClientConnectorError):
        answer.error, answer.doubtful = f"cannot connect: {_in_words(error.os_error)}", _no_way(error.os_error)
    elif isinstance(error, aiohttp.ServerDisconnectedError):
        answer.error = "server closed the connection"
    elif isinstance(error, aiohttp.ClientOSError):
        answer.error, answer.doubtful = f"connection lost: {_in_words(error)}", _no_way(error)
    elif isinstance(error, aiohttp.ClientPayloadError):
        answer.error = "answer broke off or could not be decoded"
    elif isinstance(error, aiohttp.ClientResponseError):
        answer.error, answer.lasting = f"not a valid HTTP answer: {' '.join(error.message.split())[:100]}", True
    else:
        answer.error = f"{type(error).__name__}: {error}"[:200]
    if answer.status and answer.error:
        answer.status = 0  # half an answer is none


def _explain_name(error: OSError, answer: Response) -> None:
    """A resolver said that there is no such name, or it had no answer for now."""
    if isinstance(error, socket.gaierror) and error.errno in _NO_SUCH_NAME:
        answer.error, answer.lasting, answer.whole_host = "host name does not resolve", True, True
        answer.doubtful = not _is_any_way()  # some resolvers say the same of every name when they reach nobody
        return
    answer.error = "host name cannot be looked up for now"
    if isinstance(error, LookUpTimeout) and not error.begun:
        answer.error, answer.ours = "too many other names are being looked up", True
    else:
        answer.doubtful = True


def _no_way(error: OSError) -> bool:
    """Whether no packet got through, which may be for want of a network here."""
    return error.errno in _NO_WAY or (error.errno is None and any(f"[Errno {one}]" in str(error) for one in _NO_WAY))


def _is_any_way() -> bool:
    """Whether this machine knows a way to anywhere but itself; a system that does not say is taken to know one."""
    try:
        lines = [line.split() for file in _ROUTES if file.exists() for line in file.read_text().splitlines()]
    except OSError:
        return True
    return not lines or any("lo" not in words and "Iface" not in words for words in lines)


def _in_words(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)[:100]
