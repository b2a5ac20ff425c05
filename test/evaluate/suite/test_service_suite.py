"""The shipped suite is as large as it says, and tells right programs from wrong ones."""

from __future__ import annotations

import textwrap
from collections import Counter, defaultdict

import pytest

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.evaluate.suite.case import Case, Suite
from roboinstruct_ros.evaluate.suite.checking import notes, reference_faults, try_mutants
from roboinstruct_ros.evaluate.suite.judge import Written, judged
from roboinstruct_ros.evaluate.suite.open_suite import open_suite
from roboinstruct_ros.evaluate.suite.outcome import Outcome
from roboinstruct_ros.evaluate.worlds.trials import Trials

SETTINGS = 5


@pytest.fixture(scope="module")
def suite() -> Suite:
    return open_suite("service")


def tasks(suite: Suite) -> dict[str, list[Case]]:
    found = defaultdict(list)
    for case in suite.cases:
        found[case.name].append(case)
    return found


def test_sixty_tasks_are_for_programs_in_three_worlds_and_five_phrasings(suite: Suite) -> None:
    by_answer = Counter(case.wanted for cases in tasks(suite).values() for case in cases[:1])
    assert by_answer[frozenset([AnswerKind.PROGRAM])] >= 60
    assert min(by_answer[frozenset([kind])] for kind in AnswerKind) >= 3
    assert all(len(cases) == 5 for cases in tasks(suite).values())
    programs = [case for case in suite.cases if AnswerKind.PROGRAM in case.wanted]
    assert all(len(case.trials) >= 3 for case in programs)
    assert list(notes(suite)) == []


def test_each_of_five_settings_has_ten_tasks(suite: Suite) -> None:
    maps = {case.name: case.place.rooms.room_names for case in suite.cases}
    of_setting = Counter(maps.values())
    assert len(of_setting) == SETTINGS
    assert min(of_setting.values()) >= 10


def test_something_fails_comes_later_or_begins_elsewhere(suite: Suite) -> None:
    worlds = [trial for case in suite.cases if not case.phrasing for trial in case.trials]
    assert sum(bool(world.fails) for world in worlds) >= 5
    late = [text for world in worlds for here in world.here.values() for text in here]
    assert sum("@" in text for text in late) >= 5
    elsewhere = [c for c in suite.cases if len({trial.start for trial in c.trials}) > 1]
    assert len(elsewhere) >= 5 * 50


def test_the_references_are_accepted_and_right(suite: Suite, trials: Trials) -> None:
    assert list(reference_faults(suite, trials)) == []


def test_nine_of_ten_wrong_programs_are_caught(suite: Suite, trials: Trials) -> None:
    tried = list(try_mutants(suite, 500, 7, trials))
    survivors = [caught.mutant for caught in tried if not caught.why]
    assert len(tried) == 500
    assert len(survivors) <= 50, survivors


SEVERAL_WAYS = {
    "two calls for one place": (
        "where-is-the-key",
        """
        def look(room):
            go_to(room)
            return is_in_room("key")

        def task_program():
            here = get_current_location()
            found = next((room for room in ["study", "laundry room", "garage"] if look(room)), None)
            go_to(here)
            say("I have looked for your key.")
            say(f"It lies in the {found}." if found else "But it was nowhere to be found, sorry!")
        """,
    ),
    "the other way round": (
        "post-round",
        """
        def task_program():
            errands = [("envelope", "supply room", "Eve"), ("mail", "main office", "Jill")]
            for thing, room, owner in errands:
                go_to(room)
                pick(thing)
                go_to(owner + "'s office")
                place(thing)
            go_to("lobby")
            say("Both are delivered.")
        """,
    ),
    "looked at first, then supplied": (
        "a-blanket-in-each-ward",
        """
        def task_program():
            cold = []
            for ward in ["ward 3", "ward 1", "ward 2"]:
                go_to(ward)
                if not is_in_room("blanket"):
                    cold.append(ward)
            for ward in cold:
                go_to("linen room")
                pick("spare blanket")
                go_to(ward)
                place("spare blanket")
        """,
    ),
    "no more asked than needed": (
        "only-if-both-agree",
        """
        def agrees(person, room):
            go_to(room)
            return ask(person, "May the incubator run at 40 degrees?", ["Yes", "No"]) == "Yes"

        def task_program():
            fine = agrees("Priya", "microscope room") and agrees("Nadia", "chemistry lab")
            go_to("lab office")
            say("Yes." if fine else "No.")
        """,
    ),
    "other words, and whoever is there": (
        "shuttle-or-taxi",
        """
        def task_program():
            wanted = 0
            for room in ["room 201", "room 102", "room 101"]:
                go_to(room)
                answer = ask("guest", "Would you like a ride to the airport?", ["yes", "no"])
                wanted += answer == "yes"
            go_to("lobby")
            words = ["Nobody needs you, go home, Ken", "One guest: a taxi, please"]
            say(words[wanted] if wanted < 2 else f"{wanted} guests need the shuttle")
        """,
    ),
}


@pytest.mark.parametrize("name", SEVERAL_WAYS)
def test_what_the_words_leave_open_is_left_open(suite: Suite, trials: Trials, name: str) -> None:
    task, program = SEVERAL_WAYS[name]
    source = textwrap.dedent(program).strip() + "\n"
    judgement = judged(tasks(suite)[task][0], Written(AnswerKind.PROGRAM, source), trials)
    assert judgement.outcome is Outcome.RIGHT, judgement.why
