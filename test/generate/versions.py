"""A task with three versions, for tests of what follows up."""

from __future__ import annotations

from roboinstruct_ros.domain.task_version import TaskVersion
from roboinstruct_ros.program.summary import summary_of
from roboinstruct_ros.program.task_program import sha256_of

BOX = """\
def task_program():
    go_to("storage room")
    pick("box")
    go_to("study")
    place("box")
"""
BOXES = """\
def task_program():
    for _ in range(2):
        go_to("storage room")
        pick("box")
        go_to("study")
        place("box")
"""
AND_KITCHEN = BOXES + '    go_to("kitchen")\n    if is_in_room("apple"):\n        say("found")\n'


def version(number: int, words: str, source: str, said: str = "", parent: int = 0) -> TaskVersion:
    return TaskVersion(
        "task", number, parent, said or words, words, None, source, sha256_of(source),
        summary_of(source),
    )  # fmt: skip


ONE = version(1, "Bring a box from the storage room to the study.", BOX)
TWO = version(
    2, "Bring two boxes from the storage room to the study.", BOXES, "make it two boxes", 1
)
THREE = version(
    3,
    "Bring two boxes from the storage room to the study. Then check the kitchen for an apple",
    AND_KITCHEN,
    "also check the kitchen for an apple",
    2,
)
VERSIONS = (ONE, TWO, THREE)
