"""Telling whether two programs do the same."""

from __future__ import annotations

from roboinstruct_ros.evaluate.behaviour import same_behaviour
from roboinstruct_ros.learn.families.families import make_pair

FETCH = 'def task_program():\n    go_to("kitchen")\n    pick("apple")\n'


def test_other_text_with_the_same_calls_is_the_same() -> None:
    other = 'def task_program():\n    room = "kitchen"\n    go_to(room)\n    pick("apple")\n'
    assert same_behaviour(other, FETCH)


def test_another_object_is_not_the_same() -> None:
    assert not same_behaviour(FETCH.replace("apple", "pear"), FETCH)


def test_a_program_that_fails_is_not_the_same() -> None:
    assert not same_behaviour("def task_program():\n    go_to(nowhere)\n", FETCH)


def test_a_wait_that_never_ends_is_not_the_same() -> None:
    endless = "def task_program():\n    while True:\n        time.sleep(1)\n"
    assert not same_behaviour(endless, FETCH)


def test_every_training_program_runs_to_its_end() -> None:
    for index in range(400):
        program = make_pair(2, index).program
        assert same_behaviour(program, program), program
