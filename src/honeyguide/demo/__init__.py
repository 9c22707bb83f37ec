"""The demo web: a small invented web with hosts, topics and troubles, the same in every run.

`build` makes it, `DemoServer` serves it over real HTTP on one local address, `write_web` turns it into an
offline web. Nothing in it was copied from anywhere; everything in it is made up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from honeyguide.demo.living import LivingWeb
    from honeyguide.demo.offline import write_web
    from honeyguide.demo.server import DemoServer, LogLine
    from honeyguide.demo.site import build
    from honeyguide.demo.topics import demo_topic, topic_toml
    from honeyguide.demo.web import DemoPage, DemoTopic, DemoWeb

__all__ = [
    "DemoPage",
    "DemoServer",
    "DemoTopic",
    "DemoWeb",
    "LivingWeb",
    "LogLine",
    "build",
    "demo_topic",
    "topic_toml",
    "write_web",
]

_HOMES = {
    "DemoPage": "honeyguide.demo.web",
    "DemoServer": "honeyguide.demo.server",
    "DemoTopic": "honeyguide.demo.web",
    "DemoWeb": "honeyguide.demo.web",
    "LivingWeb": "honeyguide.demo.living",
    "LogLine": "honeyguide.demo.server",
    "build": "honeyguide.demo.site",
    "demo_topic": "honeyguide.demo.topics",
    "topic_toml": "honeyguide.demo.topics",
    "write_web": "honeyguide.demo.offline",
}


def __getattr__(name: str) -> Any:
    # Looked up on first use: the command `python -m honeyguide.demo` minds its signals before it loads a server.
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'honeyguide.demo' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
