"""Fetching: the seam to the live web or an archive, robots.txt, URLs, scope, and the address guard."""

from honeyguide.web.archive import ArchiveWeb, check_archive, find_archive
from honeyguide.web.base import Response, Web
from honeyguide.web.live import LiveWeb
from honeyguide.web.scope import Scope, ScopeRules
from honeyguide.web.warc import Warc, info_record, read_response, response_record

__all__ = [
    "ArchiveWeb",
    "LiveWeb",
    "Response",
    "Scope",
    "ScopeRules",
    "Warc",
    "Web",
    "check_archive",
    "find_archive",
    "info_record",
    "read_response",
    "response_record",
]
