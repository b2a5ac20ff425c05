"""What a verification leaves behind: nothing that waits for the garbage collector."""

from __future__ import annotations

import gc

import pytest

from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.verify.verifier import verify

COUNTS = """\
def task_program():
    count = random.randint(0, 1)
    for number in range({}):
        count = 2 * count + is_in_room("thing " + str(number))
    say(str(count))
"""

MERGES = """\
def task_program():
    for number in range({}):
        if is_in_room("thing " + str(number)):
            say("there")
    pick("thing")
    pick("thing")
"""


def left_behind(source: str, worlds: int) -> int:
    """Objects in reference cycles after a program was verified."""
    verify(source, load_domain())  # what is read once stays
    gc.collect()
    gc.disable()
    try:
        assert verify(source, load_domain()).paths >= worlds
        return gc.collect()
    finally:
        gc.enable()


@pytest.mark.parametrize(("program", "looks", "worlds"), [(COUNTS, 5, 64), (MERGES, 20, 20)])
def test_a_world_leaves_no_reference_cycles(program: str, looks: int, worlds: int) -> None:
    """Many worlds leave hardly more than a few."""
    few = left_behind(program.format(1), 1)
    assert left_behind(program.format(looks), worlds) < few + worlds
