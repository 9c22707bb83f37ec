"""One demo web for all its tests."""

from __future__ import annotations

import pytest

from honeyguide.demo import DemoTopic, DemoWeb, build, demo_topic


@pytest.fixture(scope="session")
def web() -> DemoWeb:
    return build()


@pytest.fixture(scope="session")
def topic(web: DemoWeb) -> DemoTopic:
    return demo_topic(web)
