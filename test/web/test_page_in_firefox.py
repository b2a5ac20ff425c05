"""The main ways through the page once more, in Firefox."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import test_page
from firefox import firefox
from playwright.sync_api import Browser

screen = test_page.screen


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with firefox() as browser:
        yield browser


test_ask_plan_approve = test_page.test_no_key_starts_motion_and_the_button_approves_what_is_shown
test_enter_approves_nothing = test_page.test_enter_approves_nothing_wherever_the_focus_is
test_run = test_page.test_the_line_in_execution_is_marked
test_pause = test_page.test_a_pause_looks_like_a_pause
test_stop = test_page.test_stop_is_there_while_a_program_is_written
test_stop_is_done = test_page.test_stop_is_done_when_the_robot_says_so
test_stop_stays = test_page.test_stop_is_large_and_stays_where_it_is
test_six_steps = test_page.test_a_plan_of_six_steps_is_seen_with_approve_and_stop
test_question = test_page.test_a_live_person_answers_with_a_button
test_rejection = test_page.test_a_rejection_is_a_sentence_a_story_and_ways_out
test_words_instead = test_page.test_words_instead_of_a_program_are_shown_as_what_they_are
test_change = test_page.test_a_version_is_made_looked_at_and_compared_and_no_key_starts_it
test_replay = test_page.test_a_run_of_before_is_replayed_and_stop_is_still_there
test_connection = test_page.test_a_lost_connection_is_told_and_comes_back
test_markup = test_page.test_what_the_robot_and_its_neighbours_say_is_never_markup
test_reload = test_page.test_what_is_typed_outlives_a_reload
