"""What the writer of the demo web needs to know about one topic."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Words"]


@dataclass(frozen=True, slots=True)
class Words:
    """The hand-written material of one topic.

    `slots` has one slot a line, `name: choice | choice`; a capital name is chosen once for an article.
    `angles` are parted by blank lines: a line `= headline | headline`, then one sentence a line. `{slot}` is
    filled from the slots, `{3-9}` with a number. `marks` is a pattern that finds the keywords in any form, so
    that articles can be written without them.
    """

    id: str
    name: str
    language: str
    keywords: dict[str, float]
    marks: str
    slots: str
    angles: str
