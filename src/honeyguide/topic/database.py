"""Rows of a database: any that SQLAlchemy knows, by its URL and a query. Nothing in it is ever changed."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, NamedTuple

from honeyguide.errors import TopicError
from honeyguide.topic.sheets import LONGEST, MOST_ROWS

__all__ = ["Answered", "ask_database", "is_database", "shown_address"]

_PATIENCE = 10  # seconds in which a database must be reached
_WAITING = {"psycopg": "connect_timeout", "psycopg2": "connect_timeout", "pymysql": "connect_timeout",
            "mysqldb": "connect_timeout", "pg8000": "timeout"}  # fmt: skip
_EXTRA = "a database needs SQLAlchemy: run 'pip install honeyguide[database]' first"


class Answered(NamedTuple):
    """What a query brought: the names of its columns, and its rows."""

    columns: list[str]
    rows: list[list[Any]]


def is_database(source: str) -> bool:
    """Whether a source is the URL of a database, and not of a page or a file."""
    scheme = source.partition("://")[0]
    return "://" in source and scheme.lower() not in ("http", "https", "file", "ftp")


def shown_address(source: str) -> str:
    """The URL of a database without its password.

    >>> shown_address("postgresql+pg8000://me:secret@db.test/news")
    'postgresql+pg8000://me:***@db.test/news'
    """
    try:
        from sqlalchemy import make_url
        from sqlalchemy.exc import ArgumentError
    except ImportError:
        raise TopicError(_EXTRA) from None
    try:
        return make_url(source).render_as_string(hide_password=True)
    except ArgumentError:
        return f"{source.partition('://')[0]}://…"


def ask_database(source: str, query: str) -> Answered:
    """What a query brings; it may read, and no more."""
    name = shown_address(source)
    if not query.strip():
        raise TopicError(
            f"{name} is a database: say what to read, as in --query 'SELECT word, weight FROM words'"  # noqa: S608 - told, not run
        )
    from sqlalchemy import create_engine, make_url, text
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError
    from sqlalchemy.pool import NullPool

    try:
        address = make_url(source)
        _there(address, name)
        # No pool: one connection, closed at the end.
        engine = create_engine(address, poolclass=NullPool, connect_args=_arguments(address))
    except (ArgumentError, ValueError):
        raise TopicError(f"{name} is not the URL of a database; write it as in 'sqlite:///news.db'") from None
    except NoSuchModuleError:
        raise TopicError(f"{name}: SQLAlchemy knows no database {address.drivername!r}") from None
    except ImportError as error:
        raise TopicError(f"{name} needs a driver that is not installed: run 'pip install {error.name}'") from None
    # What goes wrong is told below, and not also by its log.
    logging.getLogger("sqlalchemy").addHandler(logging.NullHandler())
    try:
        connection = engine.connect()
    except Exception as error:  # a driver may raise anything it likes
        raise TopicError(f"{name} cannot be reached: {_reason(error)}") from None
    with connection:
        try:
            _read_only(connection, address.get_backend_name())
            found = connection.execution_options(stream_results=True).execute(text(query))
            rows = found.fetchmany(MOST_ROWS + 1) if found.returns_rows else None
        except Exception as error:
            raise TopicError(f"{name} does not answer the query: {_reason(error)}") from None
        if rows is None:
            raise TopicError(f"the query brings no rows from {name}; give one that begins with SELECT")
        columns = list(map(str, found.keys()))
        return Answered(columns, [[_cell(value) for value in row] for row in rows])


def _there(address: Any, name: str) -> None:
    """A file that is not there would be made by SQLite, and be empty."""
    file = address.database
    if address.get_backend_name() != "sqlite" or not file or file == ":memory:" or file.startswith("file:"):
        return
    if not Path(file).is_file():
        raise TopicError(f"{name} cannot be reached: there is no file {file}")


def _arguments(address: Any) -> dict[str, Any]:
    """How long a driver waits for its server: for ever, if nothing is said."""
    driver = address.get_driver_name()
    return {_WAITING[driver]: _PATIENCE} if driver in _WAITING and not address.query else {}


def _read_only(connection: Any, kind: str) -> None:
    """Forbid a query to write, where a database can be told so; elsewhere what it writes is not committed."""
    from sqlalchemy import text

    if kind == "sqlite":
        connection.execute(text("PRAGMA query_only = ON"))
    elif kind in ("postgresql", "mysql", "mariadb"):
        connection.execute(text("SET TRANSACTION READ ONLY"))


def _cell(value: Any) -> str | float | bool:
    """A value as a cell of a sheet has it: nothing is an empty cell."""
    if value is None:
        return ""
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).decode("utf-8", "replace")[:LONGEST]
    if isinstance(value, bool | int | float):
        return value
    try:
        return float(value) if type(value).__name__ == "Decimal" else str(value)[:LONGEST]
    except (ValueError, OverflowError):
        return str(value)[:LONGEST]


def _reason(error: BaseException) -> str:
    """What the driver says, in one line, without what SQLAlchemy adds."""
    said = getattr(error, "orig", None) or error
    first = said.args[0] if said.args else ""
    text = first.get("M", "") if isinstance(first, dict) else said  # pg8000 hands on all that the server has said
    told = " ".join(str(text).split()) or type(said).__name__
    return told[:300]
