"""Programs act in made-up worlds, in a confined child that outlives whatever they do."""

from __future__ import annotations

from contextlib import closing

import pytest

from roboinstruct_ros.evaluate.worlds.scripted import Facts
from roboinstruct_ros.evaluate.worlds.trials import ChanceFacts, Trials

ROOMS = {"kitchen": "kitchen", "cooking area": "kitchen", "hallway": "hallway", "study": "study"}
HOME = Facts(ROOMS, "hallway", ("Bob",), {"kitchen": ["cup|mug", "Bob@3"]}, {"Bob": ["No"]})


def program(*lines: str) -> str:
    return "def task_program():\n" + "".join(f"    {line}\n" for line in lines)


def test_the_calls_are_told_in_order_under_the_names_of_the_world(trials: Trials) -> None:
    lines = ('go_to("cooking area")', 'pick("the mug")', 'go_to("study")', 'place("mug")')
    (run,) = trials.run(program(*lines), [HOME])
    assert run.calls == ["go_to kitchen", "pick cup", "go_to study", "place cup"]
    assert not run.fault


def test_who_comes_later_is_waited_for_and_answers(trials: Trials) -> None:
    wait = ('go_to("kitchen")', 'while not is_in_room("person"):', "    time.sleep(2)")
    ask = 'say(ask("Bob", "Tea?", ["Yes", "No, thanks"]))'
    (run,) = trials.run(program(*wait, ask), [HOME])
    assert run.calls == ["go_to kitchen", "ask Bob Tea? (Yes, No, thanks)", "say No, thanks"]
    assert run.slept == 2


def test_nobody_is_spoken_to_before_they_come(trials: Trials) -> None:
    for speak in ('say("hi")', 'ask("Bob", "Tea?", ["Yes", "No"])'):
        (run,) = trials.run(program('go_to("kitchen")', speak), [HOME])
        assert "before Bob is there" in run.fault


@pytest.mark.parametrize(
    "line",
    [
        'go_to("moon")',
        'pick("cup")',
        'place("cup")',
        'ask("Bob", "Tea?", ["Maybe"])',
        "while True: time.sleep(1)",
        "nonsense()",
    ],
)
def test_what_cannot_be_done_is_said(trials: Trials, line: str) -> None:
    (run,) = trials.run(program(line), [HOME])
    assert run.fault


def test_a_program_that_never_ends_is_stopped_and_the_next_one_runs(
    trials: Trials,
) -> None:
    with closing(Trials(seconds=0.1)) as brief:
        (run, after) = brief.run(program("while True: pass"), [HOME, ChanceFacts(1)])
        assert run.fault == after.fault == "it computes for more than 0.1 s"
        (run,) = brief.run(program('go_to("study")'), [HOME])
        assert run.calls == ["go_to study"]


def test_what_nothing_can_interrupt_is_ended(
    trials: Trials, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roboinstruct_ros.evaluate.worlds.trials._LONGEST", 0.3)
    (run,) = trials.run(program("x = 9 ** 9 ** 9"), [HOME])
    assert run.fault == "it computes without end"
    (run,) = trials.run(program('go_to("study")'), [HOME])
    assert run.calls == ["go_to study"]


def test_what_the_robot_holds_at_first_can_be_placed(trials: Trials) -> None:
    (run,) = trials.run(program('place("cup")'), [Facts(ROOMS, "hallway", holding="cup")])
    assert run.calls == ["place cup"]
