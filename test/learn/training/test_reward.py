"""Programs are worth what the verifier and their behaviour say."""

from __future__ import annotations

import pytest

from roboinstruct_ros.learn.setting import Setting
from roboinstruct_ros.learn.training.reward import ACCEPTED, RIGHT, Reward

TWICE = '    for _ in range(2):\n        go_to("kitchen")\n        say("hello")\n'
OTHERWISE = TWICE.replace('"hello"', '"Hello!"').replace("range(2)", "[1, 2]")
TAKEN_TWICE = '    go_to("kitchen")\n    pick("cup")\n    pick("plate")\n'
CANNOT = "    # Cannot: I cannot open windows.\n"

WORTH = {
    "it is the reference": (TWICE, TWICE, RIGHT),
    "it is written otherwise and does the same": (OTHERWISE, TWICE, RIGHT),
    "prose stands after it": (f"{TWICE}That is all.", TWICE, RIGHT),
    "it is accepted and does something else": ('    go_to("kitchen")\n', TWICE, ACCEPTED),
    "the verifier rejects it": (TAKEN_TWICE, TAKEN_TWICE, 0.0),
    "it ends in the middle of a line": ('    go_to("kitc', TWICE, 0.0),
    "it is no program": ("I would go to the kitchen.", TWICE, 0.0),
    "nothing was written": ("", TWICE, 0.0),
    "it refuses what cannot be done": ("    # Cannot: No windows.\n", CANNOT, RIGHT),
    "it refuses what can be done": (CANNOT, TWICE, 0.0),
    "it does what cannot be done": (TWICE, CANNOT, 0.0),
    "it asks in the place of a refusal": ("    # Question: Which? | a | b\n", CANNOT, 0.0),
}


@pytest.fixture(scope="module")
def in_the_open() -> Reward:
    return Reward(Setting("service_robot"))


@pytest.mark.parametrize("case", list(WORTH))
def test_a_program_is_worth_what_it_does(case: str, in_the_open: Reward) -> None:
    written, reference, worth = WORTH[case]
    assert in_the_open([written], [reference]) == [worth]


def test_it_is_judged_in_the_map_and_domain_of_the_run() -> None:
    nowhere = '    go_to("moon base")\n'
    assert Reward(Setting("service_robot"))([nowhere], [nowhere]) == [RIGHT]
    assert Reward(Setting("service_robot", "home"))([nowhere], [nowhere]) == [0.0]
    assert Reward(Setting("arm"))([nowhere], [nowhere]) == [0.0]
