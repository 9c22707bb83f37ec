"""reliability.md: the figures of the proofs, each with the command that makes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_HEAD = """\
# Reliability

What was done to break it, and what came of that. This page is generated (`python docs/generate.py`) from the results that
the proofs leave in `proofs/results/`; each proof is one command that anyone can run again. The short forms of all of
them are part of the tests.

"""

_PROOFS = {
    "kill": (
        "Killed anywhere",
        "Real crawls as processes of their own, over HTTP and over an archive, with one worker and with two, killed with "
        "SIGKILL at moments drawn by chance and in the midst of writing, resumed, killed again, until the web is "
        "exhausted. Then compared with a crawl nobody touched: pages, records, exports, the archive as another reader "
        "reads it, the search index, what the strategy has learnt.",
    ),
    "polite": (
        "Polite",
        "A town of hosts, each with wishes of its own, in a server that keeps a log. A judge reads that log and nothing "
        "else: pace, connections, robots.txt first and once, what it forbids, Retry-After, growing waits for hosts in "
        "trouble, and that a slow or dead host holds up nobody else.",
    ),
    "hostile": (
        "Hard to fool",
        "A server for each attack beside a small healthy site. Each crawl must end in time and within its memory, say why "
        "it left what it left, and fetch the healthy site whole.",
    ),
    "strain": (
        "Under strain",
        "What goes wrong on our own side: names that no name server answers for, workers killed and stopped, few file "
        "descriptors, a network that goes and comes back, full pipes, an end of time while answers hang. No page of a "
        "healthy host may be lost, and none of the hosts given up.",
    ),
    "guard": (
        "No way in",
        "Addresses that are not public, in every notation we know, by every way a crawler can be led to one; a listening "
        "server behind the wall is the witness that nothing arrives.",
    ),
    "fuzz": (
        "Fuzzed",
        "Everything that reads what strangers wrote, fed with broken, odd and random input.",
    ),
    "soak": (
        "Soaked",
        "A long crawl of a generated web over HTTP: memory for each known URL, and the cost of a page from the first tenth "
        "to the last.",
    ),
    "faults": (
        "Seeded faults",
        "Each mechanism is broken on purpose in a copy of the source, and the test that must notice is run.",
    ),
}

_HEADLINES = {
    "kill": ("kills survived", "each stored once", "lost, doubled", "before a host had rested"),
    "polite": ("requests judged", "violations"),
    "hostile": ("hostile cases", "slowest crawl", "largest crawl", "the port inside"),
    "strain": ("strains withstood",),
    "guard": ("refused when asked", "none asked for", "arrived inside"),
    "fuzz": ("in all", "broke something"),
    "soak": ("pages crawled", "a known URL", "cost of a page"),
    "faults": ("faults caught", "without any fault"),
}


def reliability(docs: Path) -> str:
    """The whole of reliability.md."""
    parts = [_HEAD]
    found = {}
    for name in _PROOFS:
        path = docs.parent / "proofs" / "results" / f"{name}.json"
        if path.is_file():
            found[name] = json.loads(path.read_text(encoding="utf-8"))
    parts.append(_overview(found))
    for name, proof in found.items():
        title, text = _PROOFS[name]
        parts.append(f"## {title}\n\n{text}\n\n    {proof['command']}\n\nRun on {proof['date']}.\n\n{_table(proof)}")
    return "\n".join(parts)


def _overview(found: dict[str, Any]) -> str:
    lines = ["| proof | figures | as it must be | command |", "|---|---|---|---|"]
    for name, proof in found.items():
        count = len(proof["lines"])
        held = sum(line["ok"] for line in proof["lines"])
        chosen = [line for line in proof["lines"] if any(word in line["what"] for word in _HEADLINES[name])]
        shown = "; ".join(f"{line['what'].partition(' (')[0]}: {line['figure']}" for line in chosen)
        title = _PROOFS[name][0]
        anchor = title.lower().replace(" ", "-")
        lines.append(f"| [{title}](#{anchor}) | {_cell(shown)} | {held} of {count} | `{_cell(proof['command'])}` |")
    return "\n".join(lines) + "\n"


def _table(proof: dict[str, Any]) -> str:
    lines = ["| what | figure | must be | |", "|---|---|---|---|"]
    for line in proof["lines"]:
        mark = "" if line["ok"] else "**not**"
        lines.append(f"| {_cell(line['what'])} | {_cell(str(line['figure']))} | {_cell(str(line['must']))} | {mark} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
