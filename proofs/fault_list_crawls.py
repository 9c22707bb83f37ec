"""Faults in what a crawl owes to its folder, to hosts and to its user."""

# ruff: noqa: E501 - texts of the source as they stand there

from __future__ import annotations

from proofs.fault import CHANGED, DAMAGE, KILL, POLITE, RESUME, RUN, SMALL, TOWN, WAIT, Fault, fault

__all__ = ["DURABILITY", "POLITENESS", "RUNNING"]

DURABILITY = [
    fault(
        "durability", "the WARC is written through a buffer that dies with the process",
        "web/warc.py", '"w+b", buffering=0)', '"w+b")',
        DAMAGE + "test_a_disk_that_is_full_for_the_warc_loses_nothing",
        KILL + "test_a_crawl_killed_again_and_again_ends_as_one_that_was_left_alone",
    ),
    fault(
        "durability", "what came into the WARC after the last commit stays there on resume",
        "web/warc.py", "            self._file.truncate(good)", "            good = path.stat().st_size",
        DAMAGE + "test_a_torn_last_record_of_the_warc_is_cut_off", "tests/web/test_warc.py::test_a_torn_tail_never_happened",
    ),
    fault(
        "durability", "the database forgets how far the WARC is good",
        "crawling/crawl.py", "brain.store.set_meta(warc=brain.warc.size)", "pass",
        DAMAGE + "test_a_torn_last_record_of_the_warc_is_cut_off",
    ),
    fault(
        "durability", "one visited page in fifty is visited and stored again on resume",
        "crawling/resume.py", "[visit.url for visit in self._visits if visit.id <= saved.visit]", "[visit.url for visit in self._visits if visit.id <= saved.visit and visit.url % 50]",
        KILL + "test_what_is_stored_is_never_asked_for_again",
    ),
    fault(
        "durability", "no host rests when a crawl is resumed",
        "frontier/frontier.py", "            host.due = now + host.delay\n", "            host.due = now\n",
        "tests/frontier/test_frontier.py::test_after_coming_back_every_host_first_rests_its_full_delay",
        KILL + "test_after_a_kill_every_host_first_rests_its_full_delay",
    ),
    fault(
        "durability", "the folder is not locked",
        "store/folder.py", "fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)", "pass",
        "tests/store/test_folder.py::test_a_second_process_is_refused_and_told_who_holds_the_folder",
        DAMAGE + "test_a_second_process_is_refused_and_the_first_is_unharmed",
    ),
    fault(
        "durability", "half a batch is committed when a crawl fails",
        "store/store.py", "        self._open = False\n        self._connection.close()  # rolls", "        self.commit()\n        self._connection.close()  # rolls",
        DAMAGE + "test_a_full_disk_ends_a_crawl_with_a_sentence_and_loses_nothing",
        DAMAGE + "test_a_disk_that_is_full_for_the_warc_loses_nothing",
    ),
    fault(
        "durability", "the version of a database is not looked at",
        "store/schema.py", "    if version != VERSION:", "    if version < 0:",
        "tests/store/test_opening.py::test_a_crawl_of_another_version_is_refused",
    ),
    fault(
        "durability", "the pace is kept by the wall clock",
        "crawling/crawl.py", "        now, wall = time.monotonic(), time.time()", "        now = wall = time.time()",
        DAMAGE + "test_a_wall_clock_that_jumps_changes_nothing",
    ),
]  # fmt: skip

POLITENESS = [
    fault(
        "politeness", "a host's delay is ignored",
        "frontier/frontier.py", "        rest = max(host.delay, wait)", "        rest = wait",
        POLITE + "test_no_host_is_asked_again_before_its_delay_is_over",
        "tests/frontier/test_frontier.py::test_a_host_rests_from_the_end_of_its_answer",
    ),
    fault(
        "politeness", "the delay counts from the beginning of an answer",
        "frontier/frontier.py", "host.due = max(host.due, now + wait)", "host.due = max(host.due, host.since + wait)",
        "tests/frontier/test_frontier.py::test_a_host_rests_from_the_end_of_its_answer",
    ),
    fault(
        "politeness", "Crawl-delay is ignored",
        "crawling/host_policy.py", "        asked = rules.delay or 0.0", "        asked = 0.0",
        POLITE + "test_a_longer_crawl_delay_of_the_host_is_kept",
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
        (POLITE + "test_robots_txt_comes_first_and_once_and_is_obeyed",),
    ),
    fault(
        "politeness", "Disallow is ignored",
        "crawling/host_policy.py", 'return "" if rules.allows(url) else', 'return "" if rules.allows("/") else',
        POLITE + "test_robots_txt_comes_first_and_once_and_is_obeyed",
    ),
    fault(
        "politeness", "a robots.txt that cannot be had forbids nothing",
        "crawling/host_policy.py", "if not (200 <= answer.status < 500) or answer.status == 429:", "if answer.status == 429:",
        TOWN + "test_a_whole_town_has_nothing_to_complain_of",
    ),
    fault(
        "politeness", "Retry-After is ignored",
        "crawling/hands.py", "            answer.retry_after = _retry_after(", "            _retry_after(",
        WAIT + "test_seconds_to_stay_away", POLITE + "test_a_busy_host_is_left_alone_for_as_long_as_it_asks",
    ),
    fault(
        "politeness", "what a host asked for is forgotten over a resume",
        "crawling/host_policy.py", "        self._store.set_meta(left_alone=self._away)", "        pass",
        TOWN + "test_who_wants_to_be_left_alone_is_left_alone_over_a_resume",
    ),
    fault(
        "politeness", "the wait after failures does not grow",
        "crawling/host_policy.py", "delay * 2.0 ** min(entry.failures, 30)", "delay",
        TOWN + "test_a_whole_town_has_nothing_to_complain_of",
    ),
    fault(
        "politeness", "a failing host is never given up",
        "crawling/host_policy.py", "if not park and host.failures >= self._settings.patience:", "if False:",
        TOWN + "test_a_whole_town_has_nothing_to_complain_of",
    ),
    fault(
        "politeness", "nofollow of a page is ignored",
        "page/parse.py", 'nofollow=not said.isdisjoint(("nofollow", "none")),', "nofollow=False,",
        WAIT + "test_every_x_robots_tag_counts_and_a_name_holds_for_its_own_only",
    ),
    fault(
        "politeness", "rel=nofollow of a link is ignored",
        "page/parse.py", 'return "nofollow" in rel or', 'return "nofollow" == "" or',
        TOWN + "test_a_whole_town_has_nothing_to_complain_of",
    ),
    fault(
        "politeness", "a host gets two requests at once",
        "crawling/ranking.py", "slots=settings.at_once if polite else 10**9", "slots=2 if polite else 10**9",
        POLITE + "test_one_request_at_a_time_to_a_host",
    ),
    fault(
        "politeness", "a host that asks for rest, or is in trouble, gets as many requests at once as one that does not",
        "frontier/hosts.py", "most = 1 if self.delay or self.failures else self.slots", "most = self.slots",
        "tests/frontier/test_turns.py::test_a_host_may_get_several_requests_at_once_but_one_where_it_rests_or_is_in_trouble",
    ),
    fault(
        "politeness", "a robots.txt that is under way when a crawl is stopped is not waited for",
        "crawling/ending.py", '{"record", "page", "robots"} if stopped', '{"record", "page"} if stopped',
        RESUME + "test_a_robots_txt_that_is_under_way_at_the_end_is_heard_and_not_asked_for_again",
        RESUME + "test_and_the_time_it_asks_for_is_kept",
    ),
    fault(
        "politeness", "Retry-After of a redirect is ignored",
        "crawling/hands.py", "        if response.status >= 300:", "        if response.status >= 400:",
        RESUME + "test_a_redirect_may_ask_for_time_too",
    ),
    fault(
        "politeness", "a wait is as long as a clock that was put back makes it",
        "crawling/host_policy.py", "min(until - wall, asked, _LONGEST_WAIT)", "min(until - wall, _LONGEST_WAIT)",
        RESUME + "test_a_clock_that_was_put_back_makes_no_wait_longer_than_was_asked_for",
    ),
]  # fmt: skip

RUNNING = [
    fault(
        "a running crawl", "a paused crawl goes on asking",
        "crawling/crawl.py", "giving = not (reason or self.control.paused or ", "giving = not (reason or ",
        RUN + "test_a_paused_crawl_asks_nobody_for_anything_until_it_goes_on",
    ),
    fault(
        "a running crawl", "the judge's word stands above a person's",
        "crawling/verdicts.py", "        said = self._labels.get(page.url)\n", "        said = None\n",
        RUN + "test_a_label_given_to_a_running_crawl_is_obeyed_within_a_batch",
        SMALL + "test_a_label_stands_above_the_verdict_whoever_judges",
    ),
    fault(
        "a running crawl", "changes of settings are not put on record",
        "crawling/control.py", "    if differ:\n", "    if not old:\n",
        CHANGED + "test_another_delay",
        RUN + "test_the_budget_of_a_running_crawl_can_be_changed_and_that_is_on_record",
    ),
    fault(
        "a running crawl", "another scope holds only for links that are found from then on",
        "crawling/brain.py", "refusal = self.scope.refusal(url)  # it may", 'refusal = ""  # it may',
        CHANGED + "test_another_scope_holds_for_what_waits_already",
    ),
    fault(
        "a running crawl", "a state is loaded whichever version of a strategy saved it",
        "crawling/resume.py", "if saved is not None and saved.strategy != ranking.identity:", "if False:",
        CHANGED + "test_a_state_of_another_version_is_not_loaded_but_learnt_again",
    ),
    fault(
        "a running crawl", "what came after the last checkpoint is not shown to the strategy again",
        "crawling/resume.py", "        for visit in visits:\n            self._show(visit)\n", "        for visit in visits:\n",
        "tests/crawling/test_order.py::test_a_killed_crawl_of_a_restless_strategy_goes_on_in_the_same_order",
        "tests/crawling/test_resume.py::test_all_a_strategy_knows_can_be_learnt_again_from_what_is_stored",
    ),
    fault(
        "a running crawl", "of a page that is not kept no copy is kept either",
        "crawling/keeping.py", "return (first.on_topic and first.unkept in (\"\", SUPERSEDED)) or", "return True or",
        SMALL + "test_a_copy_of_a_page_that_was_itself_not_kept_gets_a_record",
    ),
    fault(
        "a running crawl", "a Ctrl-C kills workers that are starting",
        "crawling/processes.py", "    with theirs, _ctrl_c_held_back():", "    with theirs:",
        "tests/crawling/test_dead_workers.py::test_a_ctrl_c_that_comes_as_a_child_begins_is_not_for_the_child",
    ),
]  # fmt: skip
