"""A program in one line of English."""

from __future__ import annotations

from roboinstruct_ros.program.narrate import narrate
from roboinstruct_ros.program.task_program import TaskProgram

LONGEST = 240
"""Most characters of a summary."""


def summary_of(source: str) -> str:
    """The steps of the plan, joined; empty if the text does not parse."""
    steps = [step.text.rstrip(".") for step in narrate(TaskProgram.from_text(source))]
    line = "; ".join(steps).replace(":;", ":")
    return line if len(line) <= LONGEST else line[: LONGEST - 4].rsplit(" ", 1)[0] + " ..."
