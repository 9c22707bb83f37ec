"""The demo web over real HTTP."""

from __future__ import annotations

import gzip
import http.client
import json
import select
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from honeyguide.demo import DemoServer, DemoWeb
from honeyguide.demo.server import FASTEST, SLOWEST
from honeyguide.errors import SettingError
from tests.clock import others_take_at_most

Answer = tuple[int, dict[str, str], bytes]
PATIENCE = 120  # seconds for an answer that must come, on a machine however slow


@pytest.fixture
def server() -> Iterator[DemoServer]:
    with DemoServer(speed=50) as server:
        yield server


def ask(server: DemoServer, url: str, method: str = "GET", **headers: str) -> Answer:
    """One request on a connection of its own."""
    _, _, host, path = url.split("/", 3)
    line = http.client.HTTPConnection(*server.address, timeout=PATIENCE)
    try:
        line.putrequest(method, f"/{path}", skip_host=True, skip_accept_encoding=True)
        line.putheader("Host", host)
        for name, value in headers.items():
            line.putheader(name.replace("_", "-"), value)
        line.endheaders()
        answer = line.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        line.close()


def test_every_page_is_served_as_it_was_built(server: DemoServer, web: DemoWeb) -> None:
    line = http.client.HTTPConnection(*server.address, timeout=PATIENCE)
    for page in web.pages.values():
        if page.before or page.host == "slow.demo.test":
            continue
        path = page.url.removeprefix(f"http://{page.host}")
        line.request("GET", path, headers={"Host": page.host, "Accept-Encoding": "gzip"})
        answer = line.getresponse()
        assert (answer.status, answer.read()) == (page.status, page.body), page.url
        for name, value in page.headers.items():
            assert answer.headers[name] == value
    line.close()
    assert len({entry.connection for entry in server.log}) == 1


def test_a_host_it_does_not_serve_is_misdirected(server: DemoServer) -> None:
    assert ask(server, "http://example.org/")[0] == 421
    assert ask(server, "http://127.0.0.1/")[0] == 421


def test_a_port_in_the_host_header_does_not_matter(server: DemoServer) -> None:
    assert ask(server, "http://news.demo.test:80/")[0] == 200
    assert ask(server, "http://NEWS.demo.test/")[0] == 200


def test_a_page_it_lacks_is_a_404(server: DemoServer, web: DemoWeb) -> None:
    for url in [*web.dead, "http://trap.demo.test/nothing", "http://slow.demo.test/nothing"]:
        assert ask(server, url)[0] == 404


def test_only_reading_is_allowed(server: DemoServer) -> None:
    assert ask(server, "http://news.demo.test/", "POST")[0] == 405
    status, _, body = ask(server, "http://news.demo.test/", "HEAD")
    assert (status, body) == (200, b"")


def test_it_works_as_a_proxy_too(server: DemoServer) -> None:
    line = http.client.HTTPConnection(*server.address, timeout=PATIENCE)
    line.request("GET", "http://blog.demo.test/")
    answer = line.getresponse()
    assert answer.status == 200
    assert "Café Table Notes" in answer.read().decode()
    line.close()
    assert server.log[-1].host == "blog.demo.test"
    assert server.log[-1].path == "/"


def test_a_page_that_fails_twice_recovers(server: DemoServer, web: DemoWeb) -> None:
    page = next(page for page in web.pages.values() if page.before and page.before[0][0] == 500)
    assert [ask(server, page.url)[0] for _ in range(4)] == [500, 500, 200, 200]
    with DemoServer(web, speed=50) as again:
        assert ask(again, page.url)[0] == 500


def test_a_busy_page_says_when_to_come_back(server: DemoServer, web: DemoWeb) -> None:
    page = next(page for page in web.pages.values() if page.before and page.before[0][0] == 503)
    status, headers, _ = ask(server, page.url)
    assert (status, headers["Retry-After"]) == (503, "1")
    status, headers, body = ask(server, page.url)
    assert (status, body) == (200, page.body)
    assert "Retry-After" not in headers


def test_gzip_is_sent_only_to_those_who_take_it(server: DemoServer, web: DemoWeb) -> None:
    page = next(page for page in web.pages.values() if "Content-Encoding" in page.headers)
    _, headers, body = ask(server, page.url, Accept_Encoding="gzip, br")
    assert headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(body).decode() == page.text
    _, headers, body = ask(server, page.url)
    assert "Content-Encoding" not in headers
    assert body.decode() == page.text


def test_tracking_parameters_change_nothing(server: DemoServer, web: DemoWeb) -> None:
    page = next(page for page in web.pages.values() if page.kind == "article" and page.host == "blog.demo.test")
    assert ask(server, page.url + "?utm_source=elsewhere")[2] == page.body


def test_a_page_that_did_not_change_is_not_sent_again(server: DemoServer) -> None:
    _, headers, _ = ask(server, "http://news.demo.test/")
    status, _, body = ask(server, "http://news.demo.test/", If_None_Match=headers["ETag"])
    assert (status, body) == (304, b"")


def test_the_trap_is_served_as_deep_as_one_goes(server: DemoServer) -> None:
    status, _, body = ask(server, "http://trap.demo.test/x" + "/a/b" * 40)
    assert status == 200
    assert b"/a/b/a" in body
    assert ask(server, "http://trap.demo.test/cal/2031/02")[0] == 200


def test_the_slow_host_is_slow_and_the_others_are_not(web: DemoWeb) -> None:
    with DemoServer(web) as server:
        ask(server, "http://slow.demo.test/")
        (line,) = server.log
        assert line.time_end - line.time_start >= FASTEST
        for url, ready in server._answers.items():
            on_slow = url.startswith("http://slow.demo.test/")
            assert FASTEST <= ready.wait <= SLOWEST if on_slow else ready.wait == 0, url


def test_the_slow_host_holds_up_nobody_else(web: DemoWeb) -> None:
    with DemoServer(web, speed=0.001) as server, socket.create_connection(server.address) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: slow.demo.test\r\n\r\n")  # an answer takes five minutes at least
        assert ask(server, "http://news.demo.test/")[0] == 200
        assert not select.select([slow], [], [], 0)[0]
        assert [line.host for line in server.log] == ["news.demo.test"]


def test_the_log_is_a_witness(web: DemoWeb, tmp_path: Path) -> None:
    log = tmp_path / "requests.jsonl"
    with DemoServer(web, log_file=log) as server:
        before = time.monotonic()
        ask(server, "http://city.demo.test/search?q=latest", User_Agent="probe/1")
        ask(server, "http://city.demo.test/none")
        after = time.monotonic()
    assert [(line.host, line.path, line.status, line.user_agent) for line in server.log] == [
        ("city.demo.test", "/search?q=latest", 200, "probe/1"),
        ("city.demo.test", "/none", 404, ""),
    ]
    assert before <= server.log[0].time_start <= server.log[0].time_end <= server.log[1].time_start <= after
    assert server.log[0].connection != server.log[1].connection
    assert [json.loads(line)["path"] for line in log.read_text().splitlines()] == ["/search?q=latest", "/none"]


def test_the_resolver_map_names_every_host(server: DemoServer, web: DemoWeb) -> None:
    assert set(server.resolve) == set(web.hosts)
    assert set(server.resolve.values()) == {server.address}
    assert server.address[0] == "127.0.0.1"


def test_a_port_that_is_taken_is_told_in_one_sentence(server: DemoServer, web: DemoWeb) -> None:
    second = DemoServer(web, port=server.address[1])
    with pytest.raises(SettingError, match="the demo web cannot be served"):
        second.start()
    second.stop()
    with pytest.raises(SettingError, match="speed"):
        DemoServer(web, speed=0)
    with pytest.raises(RuntimeError, match="already running"):
        server.start()


def test_an_answer_costs_little_more_than_asking(server: DemoServer, web: DemoWeb) -> None:
    paths = [page.url for page in web.pages.values() if page.host == "news.demo.test" and not page.before]
    line = http.client.HTTPConnection(*server.address, timeout=PATIENCE)

    def ask_for_all() -> None:
        for url in paths[:150] * 2:
            line.request("GET", url.removeprefix("http://news.demo.test"), headers={"Host": "news.demo.test"})
            line.getresponse().read()

    # Measured: the server's thread takes about as long as the client's, which is the standard library's.
    others_take_at_most(8, ask_for_all)
    line.close()
