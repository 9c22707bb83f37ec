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
    "again": (
        "Between two runs",
        "The commands a user would give, as processes of their own. Hosts whose robots.txt changes, ages or asks for time, "
        "and hosts that fail, over a stop or a kill and a resume; a folder that may only be read; Ctrl-C and SIGTERM "
        "through `./go`. Judged by the server's log, exit codes, files and who is left of the process group.",
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

_NOT_TRIED = {
    "kill": "a machine that loses its power, or a disk that says it has written what it has not: a killed process leaves "
    "what it gave to the kernel. Network disks, and systems other than Linux. What a crawl with two workers does with an "
    "endless host is not compared, for it depends on the order of answers, which no two such crawls share.",
    "polite": "the live web, HTTPS and HTTP/2: all hosts are names for one local server. More than three workers, two "
    "crawls by two users at once, whose requests nobody adds up, and a wall clock put forward between two runs, which makes "
    "waits shorter than hosts asked for.",
    "hostile": "attacks on TLS, on the kernel's network, and on the terminal the crawl is shown in; several attacks at "
    "once; crawls of days.",
    "strain": "too little memory, a machine that sleeps, a clock that jumps while a worker hangs. Names and networks are "
    "taken away in a namespace of Linux, not on a real line.",
    "again": "closing the terminal (SIGHUP), Ctrl-Z, Windows. The folder of another user is looked at by one process that "
    "gives up its rights after loading, and only when the proof is run by root.",
    "guard": "proxies set in the environment, IPv6 networks in earnest: the addresses are refused, not routed.",
    "fuzz": "what more than some minutes would find; libraries in C are fed, but not built with sanitizers.",
    "soak": "more than a hundred thousand pages, more than a day, and a real web, whose pages are larger and whose answers "
    "come late.",
    "faults": "faults that nobody thought of: those caught say that tests look, not that nothing else can break. Each is "
    "seeded alone.",
}

_HEADLINES = {
    "kill": ("kills survived", "each stored once", "lost, doubled", "before a host had rested"),
    "polite": ("requests judged", "violations"),
    "hostile": ("hostile cases", "slowest crawl", "largest crawl", "the port inside"),
    "strain": ("strains withstood",),
    "again": ("as they must be",),
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
        told = f"## {title}\n\n{text}\n\n**Not tried:** {_NOT_TRIED[name]}\n\n    {proof['command']}\n\n"
        parts.append(f"{told}Run on {proof['date']}.\n\n{_table(proof)}")
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
