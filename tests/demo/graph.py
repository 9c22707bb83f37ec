"""Simple walks over the demo web, to check its shape without any crawler of ours."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable

from honeyguide.demo import DemoPage, DemoWeb


def links(web: DemoWeb) -> dict[str, tuple[str, ...]]:
    """Where each page leads; a front page also to its host's robots.txt, which every crawler asks for."""
    found = {url: page.links for url, page in web.pages.items()}
    for host in web.hosts:
        robots = f"http://{host}/robots.txt"
        if robots in web.pages:
            for url in [url for url in found if web.pages[url].host == host]:
                found[url] = (*found[url], robots)
    return found


def reached(graph: dict[str, tuple[str, ...]], starts: Iterable[str], closed: frozenset[str]) -> dict[str, int]:
    """How many clicks each page is from the starts, without entering the closed pages."""
    distance = dict.fromkeys(starts, 0)
    queue = deque(distance)
    while queue:
        url = queue.popleft()
        for link in graph.get(url, ()):
            if link not in distance and link not in closed:
                distance[link] = distance[url] + 1
                queue.append(link)
    return distance


def harvest(web: DemoWeb, starts: Iterable[str], budget: int, rank: Callable[[DemoPage, str], float]) -> set[str]:
    """The pages fetched within a budget, always the link with the lowest rank, the oldest among equals."""
    heap = [(0.0, i, url) for i, url in enumerate(starts)]
    count, best, fetched = len(heap), {}, set()
    while heap and len(fetched) < budget:
        _, _, url = heapq.heappop(heap)
        if url in fetched:
            continue
        fetched.add(url)
        page = web.pages.get(url)
        for link in page.links if page else ():
            value = rank(page, link)
            if link not in fetched and value < best.get(link, float("inf")):
                best[link] = value
                count += 1
                heapq.heappush(heap, (value, count, link))
    return fetched
