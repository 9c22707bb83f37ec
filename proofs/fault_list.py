"""The faults that are seeded: those of crawls, and here those of all that they read, write and race."""

# ruff: noqa: E501 - texts of the source as they stand there

from __future__ import annotations

from proofs.fault import EXPORT, FUZZ, GUARD, HOSTILE, KILL, LIVE, RACE, REPORT, TRUTH, Fault, fault
from proofs.fault_list_crawls import DURABILITY, POLITENESS, RUNNING

__all__ = ["FAULTS", "Fault"]

_HOSTILITY = [
    fault(
        "hostile input", "no limit of size while an answer streams in",
        "web/live.py", "            if size > self._largest:", "            if not size:",
        LIVE + "test_a_body_without_end_is_cut_off_while_it_streams", LIVE + "test_a_bomb_is_measured_unpacked",
    ),
    fault(
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
    fault(
        "hostile input", "redirects are followed without end",
        "crawling/brain.py", "        if hops >= self.settings.hops:", "        if hops < 0:",
        HOSTILE + "test_an_attack_is_cut_short_and_the_reason_is_recorded[redirects]",
    ),
    fault(
        "hostile input", "pages are not tamed before they are parsed",
        "page/parse.py", "utf8, left_out = tame(utf8)", 'left_out = ""',
        HOSTILE + "test_what_a_parser_is_spared_is_said",
    ),
    fault(
        "hostile input", "paths that go in circles are in scope",
        "web/scope.py", 'return url.count("/") < 8 or not _loops(path)', "return True",
        "tests/web/test_scope.py::test_a_path_that_goes_in_circles_or_without_end_is_a_trap",
    ),
    fault(
        "hostile input", "traps are not seen",
        "crawling/traps.py", "                self._closed[key] = told", "                pass",
        HOSTILE + "test_an_attack_is_cut_short_and_the_reason_is_recorded[calendar]",
        "tests/crawling/test_traps.py::test_a_family_that_repeats_itself_is_closed_and_its_neighbours_are_not",
    ),
    fault(
        "hostile input", "an answer may take for ever",
        "web/live.py", "aiohttp.ClientTimeout(total=total_timeout, ", "aiohttp.ClientTimeout(total=None, ",
        LIVE + "test_a_slow_drip_ends_at_the_total_time",
    ),
    fault(
        "hostile input", "cookies are kept and sent back",
        "web/live.py", "cookie_jar=aiohttp.DummyCookieJar()", "cookie_jar=aiohttp.CookieJar(unsafe=True)",
        LIVE + "test_cookies_are_not_sent_back",
    ),
]  # fmt: skip

_ADDRESSES = [
    fault(
        "guard", "private addresses are not refused",
        "web/guard.py", '                return f"{named} is {what} and was not opened"', "                return None",
        GUARD + "test_what_is_not_public_is_refused_with_a_reason", LIVE + "test_private_addresses_are_refused_unless_opened",
    ),
    fault(
        "guard", "addresses are checked when a name is looked up, but not when the connection is made",
        "web/guard.py", "        reason = self.check(str(address[0]), int(address[1]))", '        reason = ""',
        GUARD + "test_a_name_that_changes_its_answer_is_refused_at_the_resolver_and_at_the_socket",
        GUARD + "test_the_socket_has_the_last_word_when_no_resolver_is_asked",
    ),
    fault(
        "guard", "IPv4 addresses in IPv6 dress are let through",
        "web/guard.py", "        address = _inside(outer)\n", "        address = _inside(outer)\n        if address is not outer:\n            return None\n",
        GUARD + "test_what_is_not_public_is_refused_with_a_reason",
    ),
    fault(
        "guard", "to open one port of an address is to open them all",
        "web/guard.py", "and only_port in (None, port):", "and only_port != 0:",
        GUARD + "test_opened_ranges_addresses_and_ports_are_allowed_and_nothing_beside_them",
    ),
    fault(
        "guard", "the address of a cloud's keys is taken for a public one",
        "web/guard.py", '    ("168.63.129.16/32", "a cloud metadata address"),\n', "",
        GUARD + "test_what_is_not_public_is_refused_with_a_reason",
    ),
]  # fmt: skip

_OUTPUT = [
    fault(
        "exports and report", "formulas are not defused",
        "corpus/tables.py", "return \"'\" + cell if _FORMULA.match(cell) else cell", "return cell",
        EXPORT + "test_no_cell_can_begin_a_formula", FUZZ + "test_no_input_breaks_a_reader[exports]",
    ),
    fault(
        "exports and report", "cells of a CSV are quoted only where they must be",
        "corpus/tables.py", "quoting=csv.QUOTE_ALL", "quoting=csv.QUOTE_MINIMAL",
        EXPORT + "test_a_formula_behind_a_semicolon_stays_inside_its_cell",
    ),
    fault(
        "exports and report", "the report escapes nothing",
        "crawling/charts.py", "        autoescape=True,", "        autoescape=False,",
        REPORT + "test_nothing_from_the_web_can_run",
    ),
    fault(
        "exports and report", "the report links to any scheme",
        "crawling/report.py", 'in ("http", "https") else None', "else None",
        REPORT + "test_nothing_from_the_web_can_run",
    ),
    fault(
        "exports and report", "an export that fails leaves half a file behind",
        "corpus/export.py", "            fresh.unlink(missing_ok=True)", "            pass",
        EXPORT + "test_a_full_disk_leaves_no_half_file",
    ),
]  # fmt: skip

_RACES = [
    fault(
        "the race", "a strategy's process is not sealed from the truth",
        "bench/runner.py", "            seal(errand.sealed)", "            pass",
        TRUTH + "test_reaching_for_it_ends_the_race",
    ),
    fault(
        "the race", "the truth is sent to strategies, too",
        "bench/bench.py", "truth=tuple(one.course.truth) if oracle else ()", "truth=tuple(one.course.truth)",
        TRUTH + "test_it_is_nowhere_in_the_memory_of_a_strategys_process",
    ),
    fault(
        "the race", "pages that are missing cost nothing",
        "bench/race.py", '        if order.purpose == "page":  # robots', '        if order.purpose == "page" and order.url in self._shelf:  # robots',
        RACE + "test_missing_pages_and_redirects_cost_a_fetch_each",
    ),
    fault(
        "the race", "examples count as found from far away",
        "bench/bench.py", 'frozenset(topic.examples if race.start == "far" else ())', "frozenset()",
        RACE + "test_far_starts_elsewhere_and_counts_no_example",
    ),
    fault(
        "the race", "the oracle breaks ties the other way round",
        "bench/oracle.py", "len(self._archive.urls) + place)", "len(self._archive.urls) - place)",
        RACE + "test_the_oracle_crosses_what_lies_between_and_breaks_ties_by_url",
    ),
    fault(
        "the race", "a run that ends early is scored as if the budget ended there",
        "bench/score.py", "return told + [found] * (budget - len(told))", "return told",
        RACE + "test_a_run_that_ends_early_keeps_its_last_value",
    ),
]  # fmt: skip

_STRATEGIES = [
    fault(
        "strategies", "cosine forgets what it has counted when it is loaded",
        "strategies/cosine.py", '("_likeness", "_given", "_like")', '("_given", "_like")',
        "tests/strategies/test_contract.py::test_the_contract_holds",
        "tests/crawling/test_resume.py::test_the_strategy_and_the_judge_are_what_they_were",
    ),
    fault(
        "strategies", "fish forgets its depths when it is loaded",
        "strategies/fish.py", '("_depths", "_given", "_pages")', '("_given", "_pages")',
        "tests/strategies/test_fish.py::test_depths_and_the_count_of_pages_survive_a_restart",
    ),
    fault(
        "strategies", "pages are shown to a strategy again that were in its saved state",
        "crawling/resume.py", "[visit for visit in self._visits if visit.id > self._after]", "list(self._visits)",
        "tests/crawling/test_resume.py::test_the_strategy_and_the_judge_are_what_they_were",
        KILL + "test_a_crawl_killed_again_and_again_ends_as_one_that_was_left_alone",
    ),
    fault(
        "strategies", "lots of the random order depend on nothing but chance",
        "strategies/random_order.py", "xxhash.xxh3_64_intdigest(url.encode(), self._seed)", "xxhash.xxh3_64_intdigest(url.encode(), id(object()))",
        "tests/strategies/test_contract.py::test_the_contract_holds",
        "tests/strategies/test_random.py::test_a_url_draws_the_same_lot_wherever_it_is_found",
    ),
]  # fmt: skip

_READERS = [
    fault(
        "fuzzing", "credentials stay in addresses",
        "web/urls.py", 'if "@" in text and "@" in text[: text.find("/", 8)]:', "if not text:",
        FUZZ + "test_no_input_breaks_a_reader[urls]",
    ),
    fault(
        "fuzzing", "fragments stay in addresses",
        "web/urls.py", "    if cut >= 0:", "    if cut > 40:",
        FUZZ + "test_no_input_breaks_a_reader[urls]",
    ),
    fault(
        "fuzzing", "the shortest rule of a robots.txt decides",
        "web/robots.py", "key=lambda rule: (-rule.size, not rule.allow, rule.line)", "key=lambda rule: (rule.size, not rule.allow, rule.line)",
        FUZZ + "test_no_input_breaks_a_reader[robots]",
    ),
    fault(
        "fuzzing", "escapes in a robots.txt are read in one way only",
        "web/robots.py", "        if careful != patterns:", "        if not patterns:",
        FUZZ + "test_no_input_breaks_a_reader[robots]",
    ),
    fault(
        "fuzzing", "the longest pattern is the longest before its escapes are undone",
        "web/robots.py", "key=lambda rank: (-len(careful[rank]), not self._rules[rank].allow)", "key=lambda rank: rank",
        FUZZ + "test_what_once_broke_a_reader_no_longer_does[robots-0]",
    ),
    fault(
        "fuzzing", "a page may hold our own marks",
        "page/blocks.py", "    if not text.count(LINK) == text.count(LINK_END) == len(links):\n        raise ForeignMarks\n", "",
        FUZZ + "test_no_input_breaks_a_reader[pages]",
    ),
    fault(
        "fuzzing", "a record may hold what no pipe takes",
        "page/extract.py", '"wall", why\n    return whole(record)', '"wall", why\n    return record',
        FUZZ + "test_no_input_breaks_a_reader[records]",
    ),
    fault(
        "fuzzing", "damage of an archive is not expected",
        "web/archive.py", "        except (FastWARCError, ValueError, EOFError, OSError) as error:\n            self.damage", "        except EOFError as error:\n            self.damage",
        FUZZ + "test_no_input_breaks_a_reader[archives]",
    ),
    Fault(
        "fuzzing", "a search is taken as the index's own language",
        (
            ("src/honeyguide/corpus/query.py", "return '\"' + \" \".join(self.tokens) + '\"'", 'return " ".join(self.tokens)'),
            ("src/honeyguide/corpus/query.py", "tuple(token for token, _, _ in places)", "tuple(text.split())"),
        ),
        (FUZZ + "test_no_input_breaks_a_reader[searches]",),
    ),
    fault(
        "fuzzing", "a topic file nested too deeply ends in a traceback",
        "topic/topic.py", "except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:", "except tomllib.TOMLDecodeError as error:",
        FUZZ + "test_no_input_breaks_a_reader[topics]",
    ),
]  # fmt: skip

_ENDURANCE = [
    fault(
        "soak", "stale entries pile up in the queues",
        "frontier/queues.py", "if len(host.heap) > 2 * max(_SORTED, host.live // _SHARE) + SLACK:", "if not host:",
        "tests/frontier/test_revising.py::test_many_revisions_do_not_grow_the_queue",
    ),
    fault(
        "soak", "every family of addresses is remembered for ever",
        "crawling/traps.py", "        if len(self._families) > _MOST_FAMILIES:", "        if not self._families:",
        "tests/crawling/test_traps.py::test_it_costs_a_few_microseconds_a_page_and_memory_that_does_not_grow",
    ),
]  # fmt: skip

_LABELS = [
    fault(
        "labels", "they tell nothing of other pages",
        "topic/judge.py", "correction.tell(odds, page.meaning[WORDS_PART]) if", "0.0 if",
        "tests/topic/test_judge.py::test_labels_tell_of_pages_that_have_none_and_each_is_held_against_a_judge_that_does_not_know_it",
    ),
    fault(
        "labels", "pages about the same are off by no more in common than others",
        "topic/corrections.py", "    found: Floats = UNSURE**2 + _SLOPE**2 * np.outer(odds, known) + local\n", "    found: Floats = UNSURE**2 + _SLOPE**2 * np.outer(odds, known)\n",
        "tests/topic/test_corrections.py::test_a_label_tells_most_of_pages_about_the_same",
        "tests/topic/test_asking.py::test_of_pages_like_each_other_one_is_asked_about_before_others",
    ),
    fault(
        "labels", "people are asked about what they have answered already",
        "topic/asking.py", "    for place in range(len(near), len(rows)):\n", "    for place in range(0):\n",
        "tests/topic/test_asking.py::test_one_that_is_like_a_labelled_page_waits",
    ),
    fault(
        "labels", "nothing is learnt from answers before the next ones are asked for",
        "cli/labelling.py", "            learn()\n            pages += more(", "            pages += more(",
        "tests/cli/test_label.py::test_after_five_answers_the_judge_learns_and_asks_anew_and_the_way_back_leads_past_that",
    ),
    fault(
        "stuffing", "the words of a keyword vouch for each other",
        "topic/company.py", "        if len(self._keywords) > 1:\n", "        if len(self._keywords) < 0:\n",
        "tests/topic/test_company.py::test_the_words_of_a_keyword_do_not_vouch_for_each_other",
    ),
]  # fmt: skip

FAULTS = [
    *DURABILITY, *POLITENESS, *_HOSTILITY, *_ADDRESSES, *_OUTPUT, *_RACES, *RUNNING, *_STRATEGIES, *_READERS, *_LABELS,
    *_ENDURANCE,
]  # fmt: skip
