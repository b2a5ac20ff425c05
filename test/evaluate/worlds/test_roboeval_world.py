"""Every rule of the published simulator, each by a program that would go otherwise without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from roboinstruct_ros.evaluate.worlds.roboeval_runs import RoboEvalRuns
from roboinstruct_ros.evaluate.worlds.roboeval_world import (
    MOST_CALLS,
    End,
    State,
    TracedRun,
    lower_cased,
    whole_program,
)

HALL = State(
    ("hall", "hall closet", "shop"),
    {"hall": ["red (cup|mug)", "cup"], "shop": ["cup"]},
    {"hall": [("bo", ["tea"]), (".*", ["later", "now"])], "shop": [("mia", ["y"])]},
    "hall",
)


@pytest.fixture(scope="module")
def runs() -> Iterator[RoboEvalRuns]:
    runs = RoboEvalRuns(seconds=0.2)
    yield runs
    runs.close()


@pytest.fixture
def do(runs: RoboEvalRuns) -> Any:
    def run(*lines: str, state: State = HALL) -> TracedRun:
        return runs.run("def task_program():\n" + "".join(f"    {one}\n" for one in lines), state)

    return run


def said(run: TracedRun) -> Sequence[str]:
    """What a program has said of what it saw; it has to come to its end."""
    assert run.end is End.FINISHED, run.error
    return [value for name, value, _ in run.trace if name == "Say"]


def test_the_first_location_that_is_found_in_the_text_is_driven_to(do: Any) -> None:
    run = do("go_to('the Hall Closet please')", "say(get_current_location())")
    assert said(run) == ["hall"]
    assert run.trace[0] == ["GoTo", "the Hall Closet please", None]


def test_no_location_in_the_text_is_an_error(do: Any) -> None:
    run = do("go_to('hal')")
    assert run.end is End.ROBOT and "Robot" in run.error


def test_a_name_of_a_location_is_a_pattern(do: Any) -> None:
    state = State(("room .", "room 1"), {}, {}, "room 1")
    assert said(do("go_to('room 1')", "say(get_current_location())", state=state)) == ["room ."]


def test_things_and_people_are_found_by_their_patterns_in_what_is_asked(do: Any) -> None:
    seen = "say(str([is_in_room(one) for one in ('A RED MUG', 'mug', 'cups', 'Bo', 'elk')]))"
    state = State(("hall",), HALL.objects, {"hall": [("bo", ["x"])]}, "hall")
    assert said(do(seen, state=state)) == ["[True, False, True, True, False]"]


def test_a_look_is_traced_whether_it_finds_or_not(do: Any) -> None:
    state = State(("hall",), {}, {}, "hall")
    assert do("is_in_room('elk ')", state=state).trace == [["CheckEntity", "elk", None]]


def test_a_thing_of_another_room_is_not_here(do: Any) -> None:
    state = State(("hall", "shop"), {"shop": ["cup"]}, {}, "hall")
    assert said(do("say(str(is_in_room('cup')))", state=state)) == ["False"]


def test_the_first_whose_pattern_is_found_is_asked(do: Any) -> None:
    assert said(do("say(ask('Bo', 'Q', ['Coffee', 'Tea']))")) == ["Tea"]
    assert said(do("say(ask('Ann', 'Q', ['Now', 'Later']))")) == ["Later"]


def test_the_empty_person_is_whoever_is_matched_by_anything(do: Any) -> None:
    assert said(do("say(ask('', 'Q', ['Now', 'Later']))")) == ["Later"]
    run = do("go_to('shop')", "ask('', 'Q', ['Yes'])")
    assert run.end is End.ROBOT


def test_answers_come_one_after_the_other_and_the_last_for_ever(do: Any) -> None:
    asks = "say(' '.join(ask('', 'Q', ['Now', 'Later']) for _ in range(4)))"
    assert said(do(asks)) == ["Later Now Now Now"]


@pytest.mark.parametrize(
    ("answer", "question", "options", "chosen"),
    [
        ("tea|cocoa", "Drink", ["Coffee", "Green TEA", "Cocoa"], "Green TEA"),
        ("tea", "Do you want Tea?", ["No", "Oh yes", "Yes"], "Oh yes"),
        ("tea", "Do you want coffee?", ["Yes", "Not now"], "Not now"),
        ("tea", "Do you want tea?", ["Fine", "No"], "No"),
    ],
)
def test_an_answer_is_a_pattern_of_an_option_else_yes_or_no(
    do: Any, answer: str, question: str, options: list[str], chosen: str
) -> None:
    state = State(("hall",), {}, {"hall": [(".*", [answer])]}, "hall")
    run = do(f"say(ask('', {question!r}, {options!r}))", state=state)
    assert said(run) == [chosen]
    assert run.trace[0] == ["Ask", question, options]


@pytest.mark.parametrize(
    "line",
    [
        "ask('Bo', 'Q', ['Coffee', 'Milk'])",  # neither tea, nor yes, nor no
        "ask('Bo', 'Q', [])",
        "ask('Bo', 'Q', 'Tea')",
        "ask('Bo', 'Q', ('Tea',))",
        "ask('Bo', 'Q', [1])",
        "ask(None, 'Q', ['Tea'])",
        "go_to(3)",
        "is_in_room(['cup'])",
        "say(1)",
        "pick(None)",
        "place(None)",
        "pick('elk')",
        "place('cup')",
        "pick('cup'); pick('red cup')",
        "pick('red cup'); place('cup')",
    ],
)
def test_what_the_robot_refuses_is_told_as_its_error(do: Any, line: str) -> None:
    run = do(line)
    assert run.end is End.ROBOT and "Robot" in run.error


def test_a_thing_is_picked_by_the_first_pattern_and_placed_by_the_very_text(do: Any) -> None:
    carried = do(
        "pick('red mug')", "go_to('shop')", "place(' red mug')", "say(str(is_in_room('red cup')))",
        "go_to('hall')", "say(str(is_in_room('red mug')))", "say(str(is_in_room('cup')))",
        state=State(HALL.locations, {"hall": HALL.objects["hall"]}, {}, "hall"),
    )  # fmt: skip
    assert said(carried) == ["True", "False", "True"]
    assert [name for name, *_ in carried.trace[:3]] == ["Pick", "GoTo", "Place"]


def test_a_refused_pick_leaves_no_trace_and_may_be_caught(do: Any) -> None:
    run = do("try:", "    pick('elk')", "except Exception:", "    say('no elk')")
    assert run.trace == [["Say", "no elk", None]]


def test_any_other_error_is_pythons(do: Any) -> None:
    for line in ("1 / 0", "go_to()", "nonsense()", "import sys; sys.exit()", "input()"):
        assert do(line).end is End.PYTHON, line
    assert do("else:").end is End.PYTHON


def test_where_it_is_and_which_rooms_there_are_leaves_no_trace(do: Any) -> None:
    assert do("get_current_location()", "get_all_rooms()").trace == []
    assert said(do("say(','.join(get_all_rooms()))")) == ["hall,hall closet,shop"]


def test_texts_are_stripped(do: Any) -> None:
    run = do("go_to(' shop ')", "say('  hi\\n')", "ask(' mia', ' you? ', ['Yes'])")
    assert [value for _, value, _ in run.trace] == ["shop", "hi", "you?"]


def test_what_stands_between_double_quotes_is_lower_cased() -> None:
    assert lower_cased("""say("Hi BO" + 'Hi BO')""") == """say("hi bo" + 'Hi BO')"""
    assert lower_cased('ask("", """Big\nQ?""", ["Yes"])') == 'ask("", """big\nq?""", ["yes"])'


def test_that_also_holds_for_names_in_the_braces_of_a_text(do: Any) -> None:
    run = do("N = 1", 'say(f"{N}")')
    assert run.end is End.PYTHON and "NameError" in run.error


def test_to_sleep_costs_nothing_however_it_is_imported(do: Any) -> None:
    for begin in (
        "time.sleep(9**9)",
        "import time; time.sleep(9**9)",
        "from time import sleep; sleep(9**9)",
    ):
        assert said(do(begin, "say('awake')")) == ["awake"]


def test_a_program_that_waits_for_ever_ends_in_a_time_out_with_its_trace(do: Any) -> None:
    run = do("say('begin')", "while not is_in_room('elk'):", "    time.sleep(1)",
             state=State(("hall",), {}, {}, "hall"))  # fmt: skip
    assert run.end is End.TIME_OUT
    assert run.trace[:2] == [["Say", "begin", None], ["CheckEntity", "elk", None]]
    assert len(run.trace) == 1 + MOST_CALLS // 2


@pytest.mark.parametrize(
    "lines",
    [
        ("while True: pass",),
        ("while True:", "    try:", "        x = 1", "    except:", "        pass"),
        ("while True:", "    try:", "        say('x')", "    finally:", "        continue"),
    ],
)
def test_one_that_computes_for_ever_ends_in_a_time_out_too(do: Any, lines: Sequence[str]) -> None:
    assert do("say('begin')", *lines).end is End.TIME_OUT
    assert said(do("say('next')")) == ["next"]


def test_one_that_never_stops_talking_ends_in_a_time_out_too(do: Any) -> None:
    assert do("while True: say('blah ' * 1000)").end is End.TIME_OUT
    assert do("while True: ask('bo', 'Q', ['tea' * 1000, 'tea'])").end is End.TIME_OUT


def test_one_that_nothing_interrupts_is_killed(do: Any) -> None:
    runs = RoboEvalRuns(seconds=0.1, longest=2.0)
    stuck = "def task_program():\n    import re\n    re.match('(a|aa)+$', 'a' * 60 + 'b')\n"
    assert runs.run(stuck, HALL).end is End.TIME_OUT
    assert runs.run("say('next')", HALL).end is End.FINISHED
    runs.close()


def test_a_program_reaches_no_file(do: Any) -> None:
    assert do("open('/etc/hostname')").end is End.PYTHON


def test_each_run_has_a_world_of_its_own(do: Any) -> None:
    for _ in range(2):
        assert do("pick('red cup')").end is End.FINISHED


@pytest.mark.parametrize(
    "text",
    [
        "go_to('shop')\nsay('x')",
        "    go_to('shop')\n    say('x')\n",
        "def task_program():\n  go_to('shop')\n  say('x')\n",
        "import time\n\ndef task_program():\n    go_to('shop')\n    say('x')",
    ],
)
def test_a_text_is_a_whole_function_or_its_body(runs: RoboEvalRuns, text: str) -> None:
    assert said(runs.run(text, HALL)) == ["x"]
    compile(whole_program(text), "x", "exec")
