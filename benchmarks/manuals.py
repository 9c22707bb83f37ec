"""A third web to race on: the manuals of six programs as Debian packs them, in English and Chinese.

    python benchmarks/manuals.py FOLDER [--packages DIR]
    honeyguide bench FOLDER --strategies guide,hopfield,breadth-first --start far

Some 9,500 pages of today, with menus and tables of contents, on six sites that hardly link to each other; thirty-odd
topics, which are chapters. That `guide` goes by addresses, and turns to another start when one leads nowhere, came of
looking at what it did here; nothing else was chosen on it. It is made where it is needed: pages of others do not belong
into the repo. The packages are fetched by `apt-get download` (Debian 12), or taken from DIR.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from honeyguide.web import Response
from honeyguide.web.warc import response_record


class Manual(NamedTuple):
    """Where a package keeps its pages, the address they are known by, and the page that leads to the others."""

    package: str
    folder: str
    site: str
    front: str = "index.html"


MANUALS = {
    "py": Manual("python3.11-doc", "usr/share/doc/python3.11/html", "https://docs.python.org/3.11/"),
    "pg": Manual("postgresql-doc-15", "usr/share/doc/postgresql-doc-15/html", "https://www.postgresql.org/docs/15/"),
    "sqlite": Manual("sqlite3-doc", "usr/share/doc/sqlite3", "https://www.sqlite.org/"),
    "dj": Manual("python-django-doc", "usr/share/doc/python-django-doc/html", "https://docs.djangoproject.com/en/3.2/"),
    "gimp-en": Manual("gimp-help-en", "usr/share/gimp/2.0/help/en", "https://docs.gimp.org/2.10/en/"),
    "gimp-zh": Manual("gimp-help-zh-cn", "usr/share/gimp/2.0/help/zh_CN", "https://docs.gimp.org/2.10/zh_CN/"),
    "lo-en": Manual(
        "libreoffice-help-en-us",
        "usr/share/libreoffice/help/en-US",
        "https://help.libreoffice.org/7.4/en-US/",
        "text/shared/guide/main.html",
    ),
    "lo-zh": Manual(
        "libreoffice-help-zh-cn",
        "usr/share/libreoffice/help/zh-CN",
        "https://help.libreoffice.org/7.4/zh-CN/",
        "text/shared/guide/main.html",
    ),
}
SKIPPED = re.compile(r"_modules/|whatsnew/changelog")  # source code; one page of two megabytes
# A topic is a chapter: its manual, a name, keywords, and which pages belong to it: those a table of contents lists, or
# those whose paths begin so.
TOPICS = """
py internet      | internet, protocols            | toc:library/internet.html
py concurrency   | concurrency, threads           | toc:library/concurrency.html library/asyncio
py files         | file formats, compression      | toc:library/fileformats.html toc:library/archiving.html toc:library/persistence.html
py c-api         | C API                          | c-api/
py datatypes     | data types                     | toc:library/datatypes.html toc:library/numeric.html
pg functions     | functions, operators           | functions-
pg backup        | backup, replication            | backup continuous-archiving high-avail warm-standby hot-standby logical-repl app-pgdump app-pgrestore app-pgbasebackup app-pg-dumpall different-replication pgarchivecleanup app-pgrewind app-pgreceivewal app-pgverifybackup
pg catalogs      | system catalogs                | catalog- view-pg
pg languages     | procedural language            | plpgsql plpython pltcl plperl plhandler xplang
pg clients       | libpq, embedded SQL            | libpq ecpg
pg authentication| authentication, roles          | auth client-authentication user-manag role- database-roles encryption ssl-tcp ssh-tunnels predefined-roles perm-functions
sqlite c-api     | C interface, sqlite3           | c3ref/
sqlite language  | SQL, statement                 | lang_ syntax/
dj gis           | GIS, geometry                  | ref/contrib/gis
dj forms         | forms, validation              | ref/forms topics/forms
dj models        | models, database queries       | ref/models topics/db
gimp-en filters  | filters                        | gimp-filter plug-in- filters-
gimp-en tools    | tools                          | gimp-tool
gimp-en layers   | layers                         | gimp-layer layer-
gimp-zh filters  | 滤镜                           | gimp-filter plug-in- filters-
gimp-zh tools    | 工具                           | gimp-tool
gimp-zh layers   | 图层                           | gimp-layer layer-
lo-en writer     | text document, Writer          | text/swriter/
lo-en calc       | spreadsheet, Calc              | text/scalc/
lo-en math       | formula, Math                  | text/smath/
lo-en impress    | presentation, slides           | text/simpress/
lo-en base       | database, Base                 | text/sdatabase/
lo-zh writer     | 文本文档                       | text/swriter/
lo-zh calc       | 电子表格                       | text/scalc/
lo-zh math       | 公式                           | text/smath/
lo-zh impress    | 演示文稿                       | text/simpress/
lo-zh base       | 数据库                         | text/sdatabase/
"""  # noqa: E501 - a table
EXAMPLES = 5


def fetch(folder: Path, packages: Path | None) -> dict[str, Path]:
    """Unpack the manuals; gives the folder with the pages of each."""
    found = {}
    for key, manual in MANUALS.items():
        into = folder / manual.package
        try:
            if packages is None:
                subprocess.run(["apt-get", "download", "-qq", manual.package], cwd=folder, check=True)
            (archive, *_) = (packages or folder).glob(f"{manual.package}_*.deb")
            subprocess.run(["dpkg-deb", "-x", str(archive), str(into)], check=True)
        except FileNotFoundError as missing:
            raise SystemExit(f"{missing.filename} is not here: manuals are unpacked on Debian 12 alone") from None
        except (subprocess.CalledProcessError, ValueError):
            raise SystemExit(f"package {manual.package} cannot be had; --packages DIR takes it from there") from None
        found[key] = into / manual.folder
    return found


def pages_of(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The paths and bytes of a manual's pages."""
    for page in sorted(folder.rglob("*.html")):
        path = page.relative_to(folder).as_posix()
        if page.is_file() and not SKIPPED.match(path):
            yield path, page.read_bytes().replace(b"https://docs.python.org/3/", b"https://docs.python.org/3.11/")


def chapter(folder: Path, paths: list[str], wanted: str) -> set[str]:
    """The pages of a chapter: those a table of contents lists, or those whose paths begin so."""
    if not wanted.startswith("toc:"):
        return {path for path in paths if path.startswith(wanted)}
    list_, beside = wanted.removeprefix("toc:"), wanted.removeprefix("toc:").rpartition("/")[0]
    _, _, contents = (folder / list_).read_text(encoding="utf-8").partition("toctree-wrapper")
    return {f"{beside}/{name}" for name in re.findall(r'href="([\w.-]+\.html)', contents)} & {*paths} - {list_}


def write(out: Path, folders: dict[str, Path]) -> tuple[int, int]:
    """Write the web; gives how many pages and topics it has."""
    paths: dict[str, list[str]] = {key: [] for key in MANUALS}
    out.mkdir(parents=True, exist_ok=True)
    with (out / "pages.warc.gz").open("wb") as archive:
        for key, folder in folders.items():
            for path, body in pages_of(folder):
                paths[key].append(path)
                headers = [("Content-Type", "text/html; charset=utf-8")]
                answer = Response(MANUALS[key].site + path, 200, headers, body, fetched=1_700_000_000.0)
                archive.write(response_record(answer))
    lines = []
    for line in TOPICS.strip().splitlines():
        called, keywords, wanted = (part.strip() for part in line.split("|"))
        key, name = called.split()
        chosen = set().union(*(chapter(folders[key], paths[key], one) for one in wanted.split()))
        truth = sorted(MANUALS[key].site + path for path in chosen)
        # Its own site's front page is among five, as if somebody had said where to look.
        sites = [key, *random.Random(called).sample([other for other in MANUALS if other != key], EXAMPLES - 1)]
        topic = {
            "id": f"{key}-{name}",
            "name": keywords.partition(",")[0],
            "keywords": dict.fromkeys(keywords.split(", "), 1.0),
            "examples": random.Random(called).sample(truth, EXAMPLES),
            "far_starts": [MANUALS[site].site + MANUALS[site].front for site in sites],
            "relevant": truth,
        }
        lines.append(json.dumps(topic, ensure_ascii=False) + "\n")
    (out / "topics.jsonl").write_text("".join(lines), encoding="utf-8")
    return sum(map(len, paths.values())), len(lines)


def main() -> None:
    """Fetch the manuals and make a web of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the web is written")
    parser.add_argument("--packages", type=Path, help="a folder that holds the packages already")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        pages, topics = write(given.folder, fetch(Path(scratch), given.packages))
    print(f"{given.folder}: {pages} pages, {topics} topics")


if __name__ == "__main__":
    main()
