"""What does each rule of the text extraction bring?  `python benchmarks/extraction_rules.py`

Each rule is left out in turn, and the text is scored again as in extraction.py: f1 by shingles of four words (in
Chinese of four characters) and by single words, on both halves of article-bodies and on chinese-news. A rule whose
absence does not lower a figure of a half it was not written on has no place in the code. Two exceptions: the silver
texts of chinese-news hold bylines and labels, so leaving those out costs there what it gains for readers (`clean` in
extraction.py); and bars of tables are no words, so no score sees them.
"""

from __future__ import annotations

import re
from typing import Any
from unittest.mock import patch

from extraction import SHARED, bodies, chinese

from honeyguide.page import article

RULES: dict[str, tuple[str, Any]] = {
    "link lists are taken out before": ("_drop_link_lists", lambda _tree, _elements: None),
    "a second opinion": ("_AGREED", 0.0),
    "like-named containers put together": ("_widened", lambda _tree, text: text),
    "furniture, bylines, notices": ("_is_furniture", lambda _line: False),
    "Chinese labels": ("_HAN_LABEL", re.compile(r"(?!)")),
    "Chinese bylines": ("_HAN_BYLINE", re.compile(r"(?!)")),
    "Chinese notices": ("_HAN_NOTICE", re.compile(r"(?!)")),
    "datelines": ("_is_dateline", lambda _line: False),
    "a list of other stories at the end": ("_MORE", re.compile(r"(?!)")),
    "bars of layout tables": ("_cell", str.strip),
    "all of the tidying": ("_tidy", lambda text, _record: text),
}


def figures() -> list[float]:
    """f1 and words of each set, in the order of the heading."""
    means = [bodies(SHARED, "a", []).means(), bodies(SHARED, "b", []).means(), chinese(SHARED, []).means()]
    return [mean[name] for mean in means for name in ("f1", "words")]


def main() -> None:
    """Print a line a rule: what its absence changes."""
    print(f"{'':36}{'half a':>18}{'half b':>18}{'chinese-news':>18}    (f1, words)")
    whole = figures()
    print(f"{'all rules':36}" + "".join(f"{value:9.4f}" for value in whole))
    for name, (attribute, instead) in RULES.items():
        with patch.object(article, attribute, instead):
            print(
                f"without: {name:27}"
                + "".join(f"{now - then:+9.4f}" for now, then in zip(figures(), whole, strict=True))
            )


if __name__ == "__main__":
    main()
