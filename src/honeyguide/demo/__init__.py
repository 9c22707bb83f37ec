"""The demo web: a small invented web with hosts, topics and troubles, the same in every run.

`build` makes it, `DemoServer` serves it over real HTTP on one local address, `write_web` turns it into an
offline web. Nothing in it was copied from anywhere; everything in it is made up.
"""

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
    "LogLine",
    "build",
    "demo_topic",
    "topic_toml",
    "write_web",
]
