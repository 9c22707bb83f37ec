"""The documentation is true: its examples run, its tables are whole, its links lead somewhere.

In a page's fenced blocks, in their order and in one temporary folder:

    ```python               is run, all blocks of a page in one namespace; with >>> prompts as a doctest
    ```console              each line after "$ " is run; the lines below it must be in what it prints, in that order
    ```LANGUAGE file=NAME   is written to that file, for the blocks that come after it
    ```LANGUAGE norun       is shown only (Python must still compile)

In expected output "…" stands for anything, and a line that begins with "honeyguide: " says that the command fails
with exit code 2. A block that speaks of my-topic.toml is about the reader's own topic on the live web: shown only.
"""

from __future__ import annotations

import ast
import doctest
import importlib.util
import inspect
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import click
import pytest

from honeyguide import Corpus, Record, Run, Topic, errors
from honeyguide.cli.main import cli, main
from honeyguide.corpus import FORMATS
from honeyguide.crawling import Progress, Settings, Summary
from honeyguide.demo import build
from honeyguide.demo.__main__ import main as demo
from honeyguide.page.digest import Block, Digest, Link
from honeyguide.store import Folder
from honeyguide.strategies import Strategy, known

REPO = Path(__file__).resolve().parents[1]
DOCS = REPO / "docs"
PAGES = [REPO / "README.md", *sorted(DOCS.glob("*.md"))]
SOURCE = Path(inspect.getfile(errors)).parent

_BLOCK = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


class Piece(NamedTuple):
    """A fenced block: its language, its marks, its text, and the line it begins on."""

    language: str
    marks: tuple[str, ...]
    text: str
    line: int

    @property
    def shown_only(self) -> bool:
        return "norun" in self.marks or "my-topic.toml" in self.text

    @property
    def file(self) -> str:
        return next((mark.removeprefix("file=") for mark in self.marks if mark.startswith("file=")), "")


def pieces(page: Path) -> Iterator[Piece]:
    text = page.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        language, *marks = found["info"].split() or [""]
        yield Piece(language, tuple(marks), found["text"], text.count("\n", 0, found.start()) + 2)


def read(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def rows(text: str) -> Iterator[list[str]]:
    """The cells of every table row."""
    for line in text.splitlines():
        if line.startswith("|"):
            yield [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def first_cells(page: str) -> set[str]:
    """What the first columns of a page's tables name."""
    return {name for row in rows(read(page)) for name in re.findall(r"`([^`]+)`", row[0])}


# --- the examples run ----------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPO)))
def test_every_example_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Strategy, "_registry", known())  # an example's strategy is no built-in
    names: dict[str, Any] = {"__name__": f"docs_{page.stem}"}
    for piece in pieces(page):
        where = f"{page.name}, line {piece.line}"
        if piece.language == "python":
            compile_piece(piece, where)
        if piece.file:
            (tmp_path / piece.file).write_text(piece.text, encoding="utf-8")
        elif piece.shown_only:
            continue
        elif piece.language == "python":
            run_python(piece, names, where)
        elif piece.language == "console":
            run_console(piece, where, monkeypatch, capsys)


def compile_piece(piece: Piece, where: str) -> None:
    if ">>>" in piece.text:
        assert doctest.DocTestParser().get_examples(piece.text), where
    else:
        compile(piece.text, where, "exec")


def run_python(piece: Piece, names: dict[str, Any], where: str) -> None:
    if ">>>" not in piece.text:
        exec(compile("\n" * (piece.line - 1) + piece.text, where, "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(piece.text.replace("…", "..."), names, where, where, piece.line - 1)
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=told.append, clear_globs=False)
    names.update(test.globs)
    assert runner.summarize(verbose=False).failed == 0, "".join(told)


def run_console(piece: Piece, where: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for command, expected in commands_in(piece.text):
        capsys.readouterr()
        code = run_command(shlex.split(command), monkeypatch)
        told = capsys.readouterr()
        fails = any(line.startswith("honeyguide: ") for line in expected)
        nothing = any(line.startswith("nothing was reached") for line in expected)
        assert code == (2 if fails else int(nothing)), f"{where}: $ {command} ended with {code}:\n{told.out}{told.err}"
        check_output(expected, told.out + told.err, f"{where}: $ {command}")


def commands_in(text: str) -> Iterator[tuple[str, list[str]]]:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, *expected = part.replace("\\\n", " ").splitlines()
        yield command, [line for line in expected if line.strip() and line.strip() != "…"]


def run_command(words: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a command of the documentation as its user would, less the new process."""
    if words[:3] == ["python", "-m", "honeyguide.demo"]:
        return demo(words[3:])
    assert words[0] == "honeyguide", f"cannot run {words}"
    monkeypatch.setattr(sys, "argv", words)
    try:
        main()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def check_output(expected: list[str], told: str, where: str) -> None:
    left = told.splitlines()
    for line in expected:
        pattern = re.compile(".*".join(re.escape(part) for part in line.strip().split("…")))
        place = next((number for number, one in enumerate(left) if pattern.fullmatch(one.strip())), None)
        assert place is not None, f"{where} printed no line '{line}' (or not in this order), but:\n{told}"
        left = left[place + 1 :]


def test_only_known_marks_are_used() -> None:
    for page in PAGES:
        for piece in pieces(page):
            strange = [mark for mark in piece.marks if mark != "norun" and not mark.startswith("file=")]
            assert not strange, f"{page.name}, line {piece.line}: {strange}"


# --- what is generated is fresh ------------------------------------------------------------------------------


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_pages_are_fresh() -> None:
    for place, text in generator().pages().items():
        assert place.read_text(encoding="utf-8") == text, f"{place.name} is stale: run python docs/generate.py"


@pytest.mark.parametrize(("word", "code"), [("--help", 0), ("-h", 0), ("--chekc", 2)])
def test_whoever_asks_the_generator_what_it_does_gets_nothing_written(word: str, code: int, tmp_path: Path) -> None:
    for path in DOCS.glob("*.py"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    told = subprocess.run([sys.executable, str(tmp_path / "generate.py"), word], capture_output=True, text=True)
    assert told.returncode == code, told.stderr
    assert "--check" in told.stdout + told.stderr
    assert not list(tmp_path.glob("*.md"))


# --- nothing is left out -------------------------------------------------------------------------------------


def test_the_table_of_settings_is_whole_and_its_defaults_and_flags_are_right() -> None:
    table = {row[0].strip("`"): row for row in rows(read("crawl.md")) if len(row) == 4 and row[0].startswith("`")}
    defaults = Settings()
    assert list(table) == list(Settings.__struct_fields__), "the table and Settings name the same, in the same order"
    for name, (_, flag, default, meaning) in table.items():
        assert ast.literal_eval(default.strip("`")) == getattr(defaults, name), f"the default of {name}"
        assert flag.strip("`") == flags().get(name, ""), f"the flag of {name}"
        assert meaning, f"the meaning of {name}"


def _command(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


def flags() -> dict[str, str]:
    """The flag of `honeyguide crawl` for each setting that has one."""
    renamed = {"opened": "open"}
    found = {renamed.get(str(one.name), str(one.name)): one.opts[0] for one in _command("crawl").params}
    return {name: flag for name, flag in found.items() if name in Settings.__struct_fields__}


def test_every_command_has_its_section_and_is_told_of_elsewhere() -> None:
    elsewhere = "".join(page.read_text(encoding="utf-8") for page in PAGES if page.name != "commands.md")
    for name in cli.homes:
        assert f"\n## honeyguide {name}\n" in read("commands.md")
        assert f"honeyguide {name}" in elsewhere, f"no page tells of 'honeyguide {name}'"


def test_every_strategy_is_in_the_table() -> None:
    ours = {name for name, kind in known().items() if kind.__module__.startswith("honeyguide.")}
    assert ours
    assert ours <= first_cells("strategies.md")


def test_every_stop_reason_is_documented() -> None:
    listed = [row[0].strip("`") for row in rows(read("crawl.md"))]
    reasons = set(stop_reasons())
    assert len(reasons) >= 6, "the reasons are no longer found in the source; mend this test"
    for reason in reasons:
        assert any(re.fullmatch(reason, one) for one in listed), f"crawl.md does not list the stop reason '{reason}'"


def stop_reasons() -> Iterator[str]:
    """Every stop reason in the source, as a pattern: what `spent` and `_loop` return, what `stop` is given, and
    what `failed` is set to."""
    for path in [SOURCE / "api.py", *SOURCE.glob("crawling/*.py"), *SOURCE.glob("cli/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                if node.name in ("spent", "_reason", "_loop"):
                    returned = (one.value for one in ast.walk(node) if isinstance(one, ast.Return))
                    yield from texts(*(value for value in returned if value is not None))
                elif node.name == "stop":
                    yield from texts(*node.args.defaults)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "stop":
                yield from texts(*node.args)
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "self.failed":
                yield from texts(node.value)


def texts(*nodes: ast.expr) -> Iterator[str]:
    """The texts an expression may be, as patterns."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
            yield re.escape(node.value)
        elif isinstance(node, ast.JoinedStr):
            yield "".join(
                re.escape(str(one.value)) if isinstance(one, ast.Constant) else _figure(one) for one in node.values
            )
        elif isinstance(node, ast.IfExp):
            yield from texts(node.body, node.orelse)


def _figure(node: ast.expr) -> str:
    """What stands for a value: a number, or a number of things."""
    called = node.value if isinstance(node, ast.FormattedValue) else node
    if isinstance(called, ast.Call) and ast.unparse(called.func) == "counted":
        return f"N {ast.literal_eval(called.args[1])}s"
    return "N"


def test_pages_read_in_order_do_not_clash_over_a_folder() -> None:
    made: dict[str, str] = {}
    for page in PAGES:
        for piece in pieces(page):
            names = re.findall(r'\$ honeyguide crawl .*?--out (\S+)|--write (\S+)|crawl\(out="([^"]+)"', piece.text)
            for name in {one for found in names for one in found if one}:
                assert made.setdefault(name, page.name) == page.name, f"{page.name} and {made[name]} both make {name}"


def test_every_error_is_documented() -> None:
    for name in errors.__all__:
        assert f"`{name}`" in read("python.md"), name


@pytest.mark.parametrize(
    ("page", "kind"),
    [
        ("topic.md", Topic),
        ("records.md", Record),
        ("own-strategy.md", Digest),
        ("own-strategy.md", Link),
        ("own-strategy.md", Block),
        ("python.md", Progress),
        ("python.md", Summary),
    ],
)
def test_every_field_is_in_a_table(page: str, kind: Any) -> None:
    missing = set(kind.__struct_fields__) - {name.rpartition(".")[2] for name in first_cells(page)}
    assert not missing, f"{page} has no row for {sorted(missing)} of {kind.__name__}"


@pytest.mark.parametrize("kind", [Run, Corpus, Topic])
def test_every_public_method_is_told_of(kind: type) -> None:
    for name, value in vars(kind).items():
        if not name.startswith("_") and (callable(value) or isinstance(value, property | classmethod)):
            assert f"`{name}" in read("python.md") or f".{name}" in read("python.md"), f"{kind.__name__}.{name}"


@pytest.mark.parametrize("kind", [Digest, Link, Block])
def test_all_that_can_be_asked_of_a_page_is_told_of(kind: type) -> None:
    for name, value in vars(kind).items():
        if not name.startswith("_") and (callable(value) or isinstance(value, property | cached_property)):
            assert re.search(rf"`(\w+\.)?{name}\b", read("own-strategy.md")), f"{kind.__name__}.{name}"


def test_every_part_of_a_strategy_is_told_of() -> None:
    for name in ("name", "revise_every", "check", "start", "page", "revise", "save", "load"):
        assert f"`{name}" in read("own-strategy.md"), name


def test_every_export_format_and_every_file_of_a_folder_is_listed() -> None:
    assert set(FORMATS) <= first_cells("records.md")
    folder = Folder("x")
    files = {one.name for one in (folder.database, folder.warc, folder.topic, folder.manifest, folder.report)}
    assert files <= first_cells("crawl.md")


def test_the_demo_web_is_told_of_host_by_host_and_topic_by_topic() -> None:
    web = build()
    assert {*web.hosts, *(topic.id for topic in web.topics)} <= first_cells("webs.md")


# --- links lead somewhere ------------------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as the usual hosts of Markdown make them."""
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPO)))
def test_links_between_pages_resolve(page: Path) -> None:
    for target in _LINK.findall(_BLOCK.sub("", page.read_text(encoding="utf-8"))):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        place = (page.parent / name).resolve() if name else page
        assert place.exists(), f"{page.name} links to {target}, which is not there"
        assert not anchor or anchor in anchors(place), f"{page.name} links to {target}: no such heading"


def test_the_index_lists_every_page() -> None:
    linked = set(_LINK.findall(read("README.md")))
    assert {page.name for page in DOCS.glob("*.md")} - {"README.md"} <= linked


def test_the_handwritten_pages_are_short() -> None:
    for page in DOCS.glob("*.md"):
        if page.name not in ("commands.md", "strategies.md", "reliability.md"):  # these are generated
            assert page.read_text(encoding="utf-8").count("\n") <= 320, f"{page.name} is too long for one concept"
