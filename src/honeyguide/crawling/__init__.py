"""The crawl: the loop, budgets, stop reasons, progress; and the questions one may ask of it afterwards."""

from honeyguide.crawling.crawl import Crawl, Replay
from honeyguide.crawling.progress import Progress, Summary
from honeyguide.crawling.questions import Visit, Why, load_settings, load_topic, status, why
from honeyguide.crawling.settings import Settings

__all__ = [
    "Crawl",
    "Progress",
    "Replay",
    "Settings",
    "Summary",
    "Visit",
    "Why",
    "load_settings",
    "load_topic",
    "status",
    "why",
]
