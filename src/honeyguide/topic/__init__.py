"""What the user is after, and the judge that knows it when it sees it."""

from honeyguide.topic.judge import Judge, Judging, Verdict
from honeyguide.topic.labels import precision
from honeyguide.topic.topic import Topic

__all__ = ["Judge", "Judging", "Topic", "Verdict", "precision"]
