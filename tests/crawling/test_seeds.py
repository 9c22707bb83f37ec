"""Seeds by search engines: a real server speaks SearXNG's JSON and another's; some of the pages are not there."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner

from honeyguide.cli.main import cli
from honeyguide.crawling.engines import engine
from honeyguide.crawling.seeds import find_seeds
from honeyguide.errors import HoneyguideError, SettingError
from honeyguide.topic import Topic


class Engines(ThreadingHTTPServer):
    """Two engines and the pages they name, on one port."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, dict[str, list[str]], str]] = []

    @property
    def home(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Any

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        path = urlsplit(self.path)
        query = parse_qs(path.query)
        self.server.asked.append((path.path, query, self.headers.get("X-Key", "")))
        home = self.server.home
        if path.path == "/search" and query.get("format") == ["json"]:
            urls = [f"{home}/hives", f"{home}/gone", "mailto:x@y", f"{home}/old", f"{home}/picture"]
            self._say(200, json.dumps({"results": [{"url": url, "title": url[-5:]} for url in urls] + ["odd", {}]}))
        elif path.path == "/other" and self.headers.get("X-Key") == "secret":
            self._say(200, json.dumps({"data": {"items": [{"link": f"{home}/wax"}, {"link": f"{home}/hives"}]}}))
        elif path.path == "/broken/search":
            self._say(200, "<html>not JSON")
        elif path.path in ("/hives", "/wax", "/new"):
            self._say(200, "<title>Bees</title>", "text/html")
        elif path.path == "/old":
            self._say(301, "", location="/new")
        elif path.path == "/picture":
            self._say(200, "PNG", "image/png")
        else:
            self._say(404, "no")

    def _say(self, status: int, body: str, kind: str = "application/json", location: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body.encode())))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body.encode())


@pytest.fixture
def server() -> Iterator[Engines]:
    made = Engines()
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


def described(server: Engines, folder: Path, **more: str) -> str:
    told = {"url": f"{server.home}/other?q={{query}}&n={{count}}", "results": "data.items", "link": "link", **more}
    lines = [f"{key} = {json.dumps(value)}" for key, value in told.items()]
    path = folder / "other.toml"
    path.write_text("\n".join([*lines, "[headers]", '"X-Key" = "{env:SEEDS_TEST_KEY}"']) + "\n", encoding="utf-8")
    return str(path)


def test_rankings_are_fused_dead_links_dropped_and_redirects_followed(
    server: Engines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEEDS_TEST_KEY", "secret")
    engines = [engine(server.home), engine(described(server, tmp_path))]
    found = find_seeds(["honey bees"], engines, opened=["127.0.0.1"])
    assert [seed.url for seed in found.seeds] == [f"{server.home}/{name}" for name in ("hives", "wax", "new")]
    assert found.seeds[0].score == pytest.approx(1 / 61 + 1 / 62, abs=1e-6)
    assert found.seeds[0].engines == [f"127.0.0.1:{server.server_address[1]}", "other"]
    assert found.dead == {
        f"{server.home}/gone": "status 404",
        f"{server.home}/picture": found.dead[f"{server.home}/picture"],
    }
    assert "image/png" in found.dead[f"{server.home}/picture"]
    assert server.asked[0][1]["q"] == ["honey bees"]
    assert ("/other", {"q": ["honey bees"], "n": ["10"]}, "secret") in server.asked


def test_what_an_engine_names_may_not_lead_into_the_private_network(server: Engines) -> None:
    found = find_seeds(["bees"], [engine(server.home)])
    assert found.seeds == []
    assert len(found.dead) == 4
    assert all("was not opened" in why for why in found.dead.values())


def test_an_engine_that_gives_no_answer_is_told_and_the_others_are_asked(server: Engines) -> None:
    engines = [engine(f"{server.home}/broken"), engine(f"{server.home}/nothing"), engine(server.home)]
    broken, nothing = (one._replace(name=name) for one, name in zip(engines, ("broken", "nothing"), strict=False))
    found = find_seeds(["bees"], [broken, nothing, engines[2]], check=False)
    assert found.failed.keys() == {"broken", "nothing"}
    assert "cannot be read" in found.failed["broken"]
    assert "404" in found.failed["nothing"]
    assert len(found.seeds) == 4
    with pytest.raises(HoneyguideError, match="no engine gave an answer: broken: its answer cannot be read"):
        find_seeds(["bees"], [broken])


def test_a_key_that_is_not_in_the_environment_is_told(server: Engines, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="set SEEDS_TEST_KEY"):
        find_seeds(["bees"], [engine(described(server, tmp_path))])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("url = 3", "all values must be texts"),
        ('url = "http://a.test/"\nresults = "x"', "with {query} in it"),
        ('url = "http://a.test/{query}"', "results must say"),
        ('uri = "x"', "unknown key 'uri'"),
        ("url =", "not valid TOML"),
        ('url = "http://a.test/{query}"\nresults = "x"\n[headers]\nX = "a\\nb"', "one line"),
    ],
)
def test_a_bad_description_is_told_in_one_sentence(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "bad.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SettingError, match=told):
        engine(str(tmp_path / "bad.toml"))


@pytest.mark.parametrize(("name", "told"), [("nowhere.toml", "neither an address nor a file"), ("ftp://x/", "no http")])
def test_what_is_no_engine_is_told(name: str, told: str) -> None:
    with pytest.raises(SettingError, match=told):
        engine(name)


def test_the_command_writes_a_topic_and_adds_to_one(server: Engines, tmp_path: Path) -> None:
    topic = tmp_path / "bees.toml"
    words = ["seeds", "honey", "bees", "--engine", server.home, "--open", "127.0.0.1", "--out", str(topic)]
    told = CliRunner().invoke(cli, words)
    assert told.exit_code == 0, told.output
    made = Topic.load(topic)
    assert made.starts == (f"{server.home}/hives", f"{server.home}/new")
    assert list(made.keywords) == ["honey", "bees"]
    assert "dropped:" in told.output
    again = CliRunner().invoke(cli, [*words, "--json", "--most", "1"])
    assert [seed["url"] for seed in json.loads(again.output)["seeds"]] == [f"{server.home}/hives"]
    assert Topic.load(topic).starts == made.starts
