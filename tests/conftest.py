"""What every test may lean on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real webs and gold data beside the repo; absent on a stranger's machine."""
    if SHARED.is_dir():
        return SHARED
    if os.environ.get("HONEYGUIDE_REQUIRE_SHARED"):
        pytest.fail(f"{SHARED} is missing and HONEYGUIDE_REQUIRE_SHARED is set")
    pytest.skip(f"needs {SHARED}")
