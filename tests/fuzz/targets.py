"""All fuzz targets by name."""

from __future__ import annotations

from tests.fuzz import addresses, documents, files
from tests.fuzz.kit import Target

__all__ = ["TARGETS"]

TARGETS: dict[str, Target] = {
    target.name: target for target in [*addresses.TARGETS, *documents.TARGETS, *files.TARGETS]
}
