"""The terminal: a thin layer over the Python API."""

from honeyguide.cli.main import main

__all__ = ["main"]
