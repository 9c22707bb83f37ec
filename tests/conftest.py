"""What every test may lean on."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same inputs in every run: what is red today was not green by luck yesterday. The long fuzzing looks further.
# And no deadline: a slow machine is no fault of the code's, and a hang ends at pytest's own.
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as shells start what is to run in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # or no process of a test's would hear its Ctrl-C

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command has it; numpy is not loaded yet
os.environ.pop("HONEYGUIDE_COMMAND", None)  # what ./go calls itself: the tests speak of the command by its own name

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real webs and gold data beside the repo; absent on a stranger's machine."""
    if SHARED.is_dir():
        return SHARED
    if os.environ.get("HONEYGUIDE_REQUIRE_SHARED"):
        pytest.fail(f"{SHARED} is missing and HONEYGUIDE_REQUIRE_SHARED is set")
    pytest.skip(f"needs {SHARED}")


def pytest_configure(config: pytest.Config) -> None:
    """Marks of our own."""
    config.addinivalue_line("markers", "long: takes many seconds, so it is begun before all others")
    config.addinivalue_line("markers", "gate: crawls and races beside floors, minutes long: run by ./go test --gates")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests come first: begun last, one would keep a single worker busy while the others have nothing left."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
