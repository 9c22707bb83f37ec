"""The faults that are seeded: what is broken, by which text in place of which, and the tests that must notice."""

# ruff: noqa: E501 - texts of the source as they stand there

from __future__ import annotations

from typing import NamedTuple

__all__ = ["FAULTS", "Fault"]

Change = tuple[str, str, str]


class Fault(NamedTuple):
    """One way to break a mechanism."""

    mechanism: str
    name: str
    changes: tuple[Change, ...]  # file, text, what it becomes
    tests: tuple[str, ...]


def _fault(mechanism: str, name: str, file: str, old: str, new: str, *tests: str) -> Fault:
    return Fault(mechanism, name, ((f"src/honeyguide/{file}", old, new),), tests)


_KILL = "tests/crawling/test_kill.py::"
_DAMAGE = "tests/crawling/test_damage.py::"
_POLITE = "tests/crawling/test_politeness.py::"
_TOWN = "tests/crawling/test_judged_by_the_server.py::"
_WAIT = "tests/crawling/test_asked_to_wait.py::"
_HOSTILE = "tests/crawling/test_hostile.py::"
_GUARD = "tests/web/test_guard.py::"
_LIVE = "tests/web/test_live.py::"
_EXPORT = "tests/corpus/test_export.py::"
_REPORT = "tests/crawling/test_report.py::"
_RUN = "tests/crawling/test_running.py::"
_CHANGED = "tests/crawling/test_changed.py::"
_SMALL = "tests/crawling/test_small_webs.py::"
_RACE = "tests/bench/test_rules.py::"
_TRUTH = "tests/bench/test_truth.py::"
_FUZZ = "tests/fuzz/test_fuzz.py::"

_DURABILITY = [
    _fault(
        "durability", "the WARC is written through a buffer that dies with the process",
        "web/warc.py", '"w+b", buffering=0)', '"w+b")',
        _DAMAGE + "test_a_disk_that_is_full_for_the_warc_loses_nothing",
        _KILL + "test_a_crawl_killed_again_and_again_ends_as_one_that_was_left_alone",
    ),
    _fault(
        "durability", "what came into the WARC after the last commit stays there on resume",
        "web/warc.py", "            self._file.truncate(good)", "            good = path.stat().st_size",
        _DAMAGE + "test_a_torn_last_record_of_the_warc_is_cut_off", "tests/web/test_warc.py::test_a_torn_tail_never_happened",
    ),
    _fault(
        "durability", "the database forgets how far the WARC is good",
        "crawling/crawl.py", "brain.store.set_meta(warc=brain.warc.size)", "pass",
        _DAMAGE + "test_a_torn_last_record_of_the_warc_is_cut_off",
    ),
    _fault(
        "durability", "one visited page in fifty is visited and stored again on resume",
        "crawling/resume.py", "[visit.url for visit in self._visits if visit.id <= saved.visit]", "[visit.url for visit in self._visits if visit.id <= saved.visit and visit.url % 50]",
        _KILL + "test_what_is_stored_is_never_asked_for_again",
    ),
    _fault(
        "durability", "no host rests when a crawl is resumed",
        "frontier/frontier.py", "            host.due = now + host.delay\n", "            host.due = now\n",
        "tests/frontier/test_frontier.py::test_after_coming_back_every_host_first_rests_its_full_delay",
        _KILL + "test_after_a_kill_every_host_first_rests_its_full_delay",
    ),
    _fault(
        "durability", "the folder is not locked",
        "store/folder.py", "fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)", "pass",
        "tests/store/test_folder.py::test_a_second_process_is_refused_and_told_who_holds_the_folder",
        _DAMAGE + "test_a_second_process_is_refused_and_the_first_is_unharmed",
    ),
    _fault(
        "durability", "half a batch is committed when a crawl fails",
        "store/store.py", "        self._open = False\n        self._connection.close()  # rolls", "        self.commit()\n        self._connection.close()  # rolls",
        _DAMAGE + "test_a_full_disk_ends_a_crawl_with_a_sentence_and_loses_nothing",
        _DAMAGE + "test_a_disk_that_is_full_for_the_warc_loses_nothing",
    ),
    _fault(
        "durability", "the version of a database is not looked at",
        "store/schema.py", "    if version != VERSION:", "    if version < 0:",
        "tests/store/test_opening.py::test_a_crawl_of_another_version_is_refused",
    ),
    _fault(
        "durability", "the pace is kept by the wall clock",
        "crawling/crawl.py", "        now, wall = time.monotonic(), time.time()", "        now = wall = time.time()",
        _DAMAGE + "test_a_wall_clock_that_jumps_changes_nothing",
    ),
]  # fmt: skip

_POLITENESS = [
    _fault(
        "politeness", "a host's delay is ignored",
        "frontier/frontier.py", "        rest = max(host.delay, wait)", "        rest = wait",
        _POLITE + "test_no_host_is_asked_again_before_its_delay_is_over",
        "tests/frontier/test_frontier.py::test_a_host_rests_from_the_end_of_its_answer",
    ),
    _fault(
        "politeness", "the delay counts from the beginning of an answer",
        "frontier/frontier.py", "host.due = max(host.due, now + wait)", "host.due = max(host.due, host.since + wait)",
        "tests/frontier/test_frontier.py::test_a_host_rests_from_the_end_of_its_answer",
    ),
    _fault(
        "politeness", "Crawl-delay is ignored",
        "crawling/host_policy.py", "        asked = rules.delay or 0.0", "        asked = 0.0",
        _POLITE + "test_a_longer_crawl_delay_of_the_host_is_kept",
    ),
    Fault(
        "politeness", "the first page of a host is asked for before its robots.txt",
        (
            (
                "src/honeyguide/crawling/brain.py",
                "            if (order := self.policy.robots_order(host.number, url, wall)) is not None:",
                "            if host.taken > 1 and (order := self.policy.robots_order(host.number, url, wall)) is not None:",
            ),
            (
                "src/honeyguide/crawling/host_policy.py",
                "        rules = self._book.rules[host]\n        return",
                '        rules = self._book.rules.get(host) or robots.parse("")\n        return',
            ),
        ),
        (_POLITE + "test_robots_txt_comes_first_and_once_and_is_obeyed",),
    ),
    _fault(
        "politeness", "Disallow is ignored",
        "crawling/host_policy.py", 'return "" if rules.allows(url) else', 'return "" if rules.allows("/") else',
        _POLITE + "test_robots_txt_comes_first_and_once_and_is_obeyed",
    ),
    _fault(
        "politeness", "a robots.txt that cannot be had forbids nothing",
        "crawling/host_policy.py", "if not (200 <= answer.status < 500) or answer.status == 429:", "if answer.status == 429:",
        _TOWN + "test_a_whole_town_has_nothing_to_complain_of",
    ),
    _fault(
        "politeness", "Retry-After is ignored",
        "crawling/hands.py", "            answer.retry_after = _retry_after(", "            _retry_after(",
        _WAIT + "test_seconds_to_stay_away", _POLITE + "test_a_busy_host_is_left_alone_for_as_long_as_it_asks",
    ),
    _fault(
        "politeness", "what a host asked for is forgotten over a resume",
        "crawling/host_policy.py", "        self._store.set_meta(away=self._away)", "        pass",
        _TOWN + "test_who_wants_to_be_left_alone_is_left_alone_over_a_resume",
    ),
    _fault(
        "politeness", "the wait after failures does not grow",
        "crawling/host_policy.py", "delay * 2.0 ** min(entry.failures, 30)", "delay",
        _TOWN + "test_a_whole_town_has_nothing_to_complain_of",
    ),
    _fault(
        "politeness", "a failing host is never given up",
        "crawling/host_policy.py", "if not park and host.failures >= self._settings.patience:", "if False:",
        _TOWN + "test_a_whole_town_has_nothing_to_complain_of",
    ),
    _fault(
        "politeness", "nofollow of a page is ignored",
        "page/parse.py", 'nofollow=not said.isdisjoint(("nofollow", "none")),', "nofollow=False,",
        _WAIT + "test_every_x_robots_tag_counts_and_a_name_holds_for_its_own_only",
    ),
    _fault(
        "politeness", "rel=nofollow of a link is ignored",
        "page/parse.py", '("nofollow" in rel or', '("nofollow" == "" or',
        _TOWN + "test_a_whole_town_has_nothing_to_complain_of",
    ),
    _fault(
        "politeness", "a host gets two requests at once",
        "crawling/ranking.py", "slots=settings.at_once if polite else 10**9", "slots=2 if polite else 10**9",
        _POLITE + "test_one_request_at_a_time_to_a_host",
    ),
    _fault(
        "politeness", "a host that asks for rest, or is in trouble, gets as many requests at once as one that does not",
        "frontier/hosts.py", "most = 1 if self.delay or self.failures else self.slots", "most = self.slots",
        "tests/frontier/test_turns.py::test_a_host_may_get_several_requests_at_once_but_one_where_it_rests_or_is_in_trouble",
    ),
]  # fmt: skip

_HOSTILITY = [
    _fault(
        "hostile input", "no limit of size while an answer streams in",
        "web/live.py", "            if size > self._largest:", "            if not size:",
        _LIVE + "test_a_body_without_end_is_cut_off_while_it_streams", _LIVE + "test_a_bomb_is_measured_unpacked",
    ),
    _fault(
        "hostile input", "a packed record of an archive is opened whatever its size",
        "web/warc.py", "record.reader.read(cut or largest + 1)", "record.reader.read()",
        "tests/web/test_warc.py::test_a_bomb_is_opened_no_further_than_the_limit",
    ),
    Fault(
        "hostile input", "a packed sitemap is opened whatever its size",
        (
            ("src/honeyguide/page/feed_bytes.py", "stream.decompress(step, room)", "stream.decompress(step)"),
            ("src/honeyguide/page/feed_bytes.py", "    while room > 0 and at < len(body):", "    while at < len(body):"),
        ),
        ("tests/page/test_feeds_broken.py::test_a_gzip_bomb_is_opened_only_up_to_the_limit",),
    ),
    _fault(
        "hostile input", "redirects are followed without end",
        "crawling/brain.py", "        if hops >= self.settings.hops:", "        if hops < 0:",
        _HOSTILE + "test_an_attack_is_cut_short_and_the_reason_is_recorded[redirects]",
    ),
    _fault(
        "hostile input", "pages are not tamed before they are parsed",
        "page/parse.py", "utf8, left_out = tame(to_utf8(body, charset))", 'utf8, left_out = to_utf8(body, charset), ""',
        _HOSTILE + "test_what_a_parser_is_spared_is_said",
    ),
    _fault(
        "hostile input", "paths that go in circles are in scope",
        "web/scope.py", 'return url.count("/") < 8 or not _loops(path)', "return True",
        "tests/web/test_scope.py::test_a_path_that_goes_in_circles_or_without_end_is_a_trap",
    ),
    _fault(
        "hostile input", "traps are not seen",
        "crawling/traps.py", "                self._closed[key] = told", "                pass",
        _HOSTILE + "test_an_attack_is_cut_short_and_the_reason_is_recorded[calendar]",
        "tests/crawling/test_traps.py::test_a_family_that_repeats_itself_is_closed_and_its_neighbours_are_not",
    ),
    _fault(
        "hostile input", "an answer may take for ever",
        "web/live.py", "aiohttp.ClientTimeout(total=total_timeout, ", "aiohttp.ClientTimeout(total=None, ",
        _LIVE + "test_a_slow_drip_ends_at_the_total_time",
    ),
    _fault(
        "hostile input", "cookies are kept and sent back",
        "web/live.py", "cookie_jar=aiohttp.DummyCookieJar()", "cookie_jar=aiohttp.CookieJar(unsafe=True)",
        _LIVE + "test_cookies_are_not_sent_back",
    ),
]  # fmt: skip

_ADDRESSES = [
    _fault(
        "guard", "private addresses are not refused",
        "web/guard.py", '                return f"{named} is {what} and was not opened"', "                return None",
        _GUARD + "test_what_is_not_public_is_refused_with_a_reason", _LIVE + "test_private_addresses_are_refused_unless_opened",
    ),
    _fault(
        "guard", "addresses are checked when a name is looked up, but not when the connection is made",
        "web/guard.py", "        reason = self.check(str(address[0]), int(address[1]))", '        reason = ""',
        _GUARD + "test_a_name_that_changes_its_answer_is_refused_at_the_resolver_and_at_the_socket",
        _GUARD + "test_the_socket_has_the_last_word_when_no_resolver_is_asked",
    ),
    _fault(
        "guard", "IPv4 addresses in IPv6 dress are let through",
        "web/guard.py", "        address = _inside(outer)\n", "        address = _inside(outer)\n        if address is not outer:\n            return None\n",
        _GUARD + "test_what_is_not_public_is_refused_with_a_reason",
    ),
    _fault(
        "guard", "to open one port of an address is to open them all",
        "web/guard.py", "and only_port in (None, port):", "and only_port != 0:",
        _GUARD + "test_opened_ranges_addresses_and_ports_are_allowed_and_nothing_beside_them",
    ),
    _fault(
        "guard", "the address of a cloud's keys is taken for a public one",
        "web/guard.py", '    ("168.63.129.16/32", "a cloud metadata address"),\n', "",
        _GUARD + "test_what_is_not_public_is_refused_with_a_reason",
    ),
]  # fmt: skip

_OUTPUT = [
    _fault(
        "exports and report", "formulas are not defused",
        "corpus/tables.py", "return \"'\" + cell if _FORMULA.match(cell) else cell", "return cell",
        _EXPORT + "test_no_cell_can_begin_a_formula", _FUZZ + "test_no_input_breaks_a_reader[exports]",
    ),
    _fault(
        "exports and report", "cells of a CSV are quoted only where they must be",
        "corpus/tables.py", "quoting=csv.QUOTE_ALL", "quoting=csv.QUOTE_MINIMAL",
        _EXPORT + "test_a_formula_behind_a_semicolon_stays_inside_its_cell",
    ),
    _fault(
        "exports and report", "the report escapes nothing",
        "crawling/charts.py", "        autoescape=True,", "        autoescape=False,",
        _REPORT + "test_nothing_from_the_web_can_run",
    ),
    _fault(
        "exports and report", "the report links to any scheme",
        "crawling/report.py", 'in ("http", "https") else None', "else None",
        _REPORT + "test_nothing_from_the_web_can_run",
    ),
    _fault(
        "exports and report", "an export that fails leaves half a file behind",
        "corpus/export.py", "            fresh.unlink(missing_ok=True)", "            pass",
        _EXPORT + "test_a_full_disk_leaves_no_half_file",
    ),
]  # fmt: skip

_RACES = [
    _fault(
        "the race", "a strategy's process is not sealed from the truth",
        "bench/runner.py", "            seal(errand.sealed)", "            pass",
        _TRUTH + "test_reaching_for_it_ends_the_race",
    ),
    _fault(
        "the race", "the truth is sent to strategies, too",
        "bench/bench.py", "truth=tuple(course.truth) if oracle else ()", "truth=tuple(course.truth)",
        _TRUTH + "test_it_is_nowhere_in_the_memory_of_a_strategys_process",
    ),
    _fault(
        "the race", "pages that are missing cost nothing",
        "bench/race.py", '        if order.purpose == "page":  # robots', '        if order.purpose == "page" and order.url in self._shelf:  # robots',
        _RACE + "test_missing_pages_and_redirects_cost_a_fetch_each",
    ),
    _fault(
        "the race", "examples count as found from far away",
        "bench/bench.py", 'frozenset(topic.examples if race.start == "far" else ())', "frozenset()",
        _RACE + "test_far_starts_elsewhere_and_counts_no_example",
    ),
    _fault(
        "the race", "the oracle breaks ties the other way round",
        "bench/oracle.py", "len(self._archive.urls) + place)", "len(self._archive.urls) - place)",
        _RACE + "test_the_oracle_crosses_what_lies_between_and_breaks_ties_by_url",
    ),
    _fault(
        "the race", "a run that ends early is scored as if the budget ended there",
        "bench/score.py", "return told + [found] * (budget - len(told))", "return told",
        _RACE + "test_a_run_that_ends_early_keeps_its_last_value",
    ),
]  # fmt: skip

_RUNNING = [
    _fault(
        "a running crawl", "a paused crawl goes on asking",
        "crawling/crawl.py", "giving = not reason and not self.control.paused", "giving = not reason",
        _RUN + "test_a_paused_crawl_asks_nobody_for_anything_until_it_goes_on",
    ),
    _fault(
        "a running crawl", "the judge's word stands above a person's",
        "crawling/verdicts.py", "        said = self._labels.get(page.url)\n", "        said = None\n",
        _RUN + "test_a_label_given_to_a_running_crawl_is_obeyed_within_a_batch",
        _SMALL + "test_a_label_stands_above_the_verdict_whoever_judges",
    ),
    _fault(
        "a running crawl", "changes of settings are not put on record",
        "crawling/control.py", "    if differ:\n", "    if not old:\n",
        _CHANGED + "test_another_delay",
        _RUN + "test_the_budget_of_a_running_crawl_can_be_changed_and_that_is_on_record",
    ),
    _fault(
        "a running crawl", "another scope holds only for links that are found from then on",
        "crawling/brain.py", "refusal = self.scope.refusal(url)  # it may", 'refusal = ""  # it may',
        _CHANGED + "test_another_scope_holds_for_what_waits_already",
    ),
    _fault(
        "a running crawl", "a state is loaded whichever version of a strategy saved it",
        "crawling/resume.py", "if saved is not None and saved.strategy != ranking.identity:", "if False:",
        _CHANGED + "test_a_state_of_another_version_is_not_loaded_but_learnt_again",
    ),
    _fault(
        "a running crawl", "what came after the last checkpoint is not shown to the strategy again",
        "crawling/resume.py", "        for visit in visits:\n            self._show(visit)\n", "        for visit in visits:\n",
        "tests/crawling/test_order.py::test_a_killed_crawl_of_a_restless_strategy_goes_on_in_the_same_order",
        "tests/crawling/test_resume.py::test_all_a_strategy_knows_can_be_learnt_again_from_what_is_stored",
    ),
    _fault(
        "a running crawl", "of a page that is not kept no copy is kept either",
        "crawling/keeping.py", "return (first.on_topic and not first.unkept) or", "return True or",
        _SMALL + "test_a_copy_of_a_page_that_was_itself_not_kept_gets_a_record",
    ),
]  # fmt: skip

_STRATEGIES = [
    _fault(
        "strategies", "cosine forgets what it has counted when it is loaded",
        "strategies/cosine.py", '("_likeness", "_given", "_like")', '("_given", "_like")',
        "tests/strategies/test_contract.py::test_the_contract_holds",
        "tests/crawling/test_resume.py::test_the_strategy_and_the_judge_are_what_they_were",
    ),
    _fault(
        "strategies", "fish forgets its depths when it is loaded",
        "strategies/fish.py", '("_depths", "_given", "_pages")', '("_given", "_pages")',
        "tests/strategies/test_fish.py::test_depths_and_the_count_of_pages_survive_a_restart",
    ),
    _fault(
        "strategies", "pages are shown to a strategy again that were in its saved state",
        "crawling/resume.py", "[visit for visit in self._visits if visit.id > self._after]", "list(self._visits)",
        "tests/crawling/test_resume.py::test_the_strategy_and_the_judge_are_what_they_were",
        _KILL + "test_a_crawl_killed_again_and_again_ends_as_one_that_was_left_alone",
    ),
    _fault(
        "strategies", "lots of the random order depend on nothing but chance",
        "strategies/random_order.py", "xxhash.xxh3_64_intdigest(url.encode(), self._seed)", "xxhash.xxh3_64_intdigest(url.encode(), id(object()))",
        "tests/strategies/test_contract.py::test_the_contract_holds",
        "tests/strategies/test_random.py::test_a_url_draws_the_same_lot_wherever_it_is_found",
    ),
]  # fmt: skip

_READERS = [
    _fault(
        "fuzzing", "credentials stay in addresses",
        "web/urls.py", 'if "@" in text and "@" in text[: text.find("/", 8)]:', "if not text:",
        _FUZZ + "test_no_input_breaks_a_reader[urls]",
    ),
    _fault(
        "fuzzing", "fragments stay in addresses",
        "web/urls.py", "    if cut >= 0:", "    if cut > 40:",
        _FUZZ + "test_no_input_breaks_a_reader[urls]",
    ),
    _fault(
        "fuzzing", "the shortest rule of a robots.txt decides",
        "web/robots.py", "key=lambda rule: (-rule.size, not rule.allow, rule.line)", "key=lambda rule: (rule.size, not rule.allow, rule.line)",
        _FUZZ + "test_no_input_breaks_a_reader[robots]",
    ),
    _fault(
        "fuzzing", "escapes in a robots.txt are read in one way only",
        "web/robots.py", "        if careful != patterns:", "        if not patterns:",
        _FUZZ + "test_no_input_breaks_a_reader[robots]",
    ),
    _fault(
        "fuzzing", "the longest pattern is the longest before its escapes are undone",
        "web/robots.py", "key=lambda rank: (-len(careful[rank]), not self._rules[rank].allow)", "key=lambda rank: rank",
        _FUZZ + "test_what_once_broke_a_reader_no_longer_does[robots-0]",
    ),
    _fault(
        "fuzzing", "a page may hold our own marks",
        "page/blocks.py", "    if not text.count(LINK) == text.count(LINK_END) == len(links):\n        raise ForeignMarks\n", "",
        _FUZZ + "test_no_input_breaks_a_reader[pages]",
    ),
    _fault(
        "fuzzing", "a record may hold what no pipe takes",
        "page/extract.py", "    return whole(record)", "    return record",
        _FUZZ + "test_no_input_breaks_a_reader[records]",
    ),
    _fault(
        "fuzzing", "damage of an archive is not expected",
        "web/archive.py", "        except (FastWARCError, ValueError, EOFError, OSError) as error:\n            self.damage", "        except EOFError as error:\n            self.damage",
        _FUZZ + "test_no_input_breaks_a_reader[archives]",
    ),
    Fault(
        "fuzzing", "a search is taken as the index's own language",
        (
            ("src/honeyguide/corpus/query.py", "return '\"' + \" \".join(self.tokens) + '\"'", 'return " ".join(self.tokens)'),
            ("src/honeyguide/corpus/query.py", "tuple(token for token, _, _ in places)", "tuple(text.split())"),
        ),
        (_FUZZ + "test_no_input_breaks_a_reader[searches]",),
    ),
    _fault(
        "fuzzing", "a topic file nested too deeply ends in a traceback",
        "topic/topic.py", "except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:", "except tomllib.TOMLDecodeError as error:",
        _FUZZ + "test_no_input_breaks_a_reader[topics]",
    ),
]  # fmt: skip

_ENDURANCE = [
    _fault(
        "soak", "stale entries pile up in the queues",
        "frontier/queues.py", "if len(host.heap) > 2 * max(_SORTED, host.live // _SHARE) + SLACK:", "if not host:",
        "tests/frontier/test_frontier.py::test_many_revisions_do_not_grow_the_queue",
    ),
    _fault(
        "soak", "every family of addresses is remembered for ever",
        "crawling/traps.py", "        if len(self._families) > _MOST_FAMILIES:", "        if not self._families:",
        "tests/crawling/test_traps.py::test_it_costs_a_few_microseconds_a_page_and_memory_that_does_not_grow",
    ),
]  # fmt: skip

FAULTS = [
    *_DURABILITY, *_POLITENESS, *_HOSTILITY, *_ADDRESSES, *_OUTPUT, *_RACES, *_RUNNING, *_STRATEGIES, *_READERS, *_ENDURANCE,
]  # fmt: skip
