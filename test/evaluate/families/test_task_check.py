"""A variation is admitted only where its reference is right and something near to it is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from roboinstruct_ros.evaluate.families.task import changed
from roboinstruct_ros.evaluate.families.task_check import (
    NO_TASK,
    REJECTED,
    TOOTHLESS,
    WRONG,
    TaskCheck,
)

SUITE = yaml.safe_load((Path(__file__).parent / "small_family.yaml").read_text())
TASK = SUITE["tasks"][0]
WORLD = TASK["worlds"][0]


@pytest.fixture(scope="module")
def admit() -> Iterator[TaskCheck]:
    check = TaskCheck(SUITE["places"])
    yield check
    check.close()


def test_a_task_as_it_is_written_is_admitted(admit: TaskCheck) -> None:
    assert admit(TASK) == ""


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"program": 'go_to("moon")'}, REJECTED),
        ({"program": 'pick("mug")\npick("plate")'}, REJECTED),
        ({"place": "moon"}, NO_TASK),
        ({"phrasings": []}, NO_TASK),
        ({"worlds": [{**WORLD, "objects": {"attic": ["mug"]}}]}, WRONG),
        ({"conditions": [{"never": 'go_to("study")'}]}, WRONG),
        ({"worlds": [{**WORLD, "goals": ['in_room("plate", "attic")']}]}, TOOTHLESS),
    ],
)
def test_another_one_is_not(admit: TaskCheck, fields: dict[str, Any], why: str) -> None:
    task = changed(TASK, **fields)
    if why == TOOTHLESS:
        task["program"] = 'say("hello")\n'
    assert admit(task) == why
