"""What the user is after, and the judge that knows it when it sees it."""

from honeyguide.topic.judge import Judge, standing
from honeyguide.topic.labels import precision
from honeyguide.topic.shown import Judging, Shown, Verdict
from honeyguide.topic.topic import Topic

__all__ = ["Judge", "Judging", "Shown", "Topic", "Verdict", "precision", "standing"]
