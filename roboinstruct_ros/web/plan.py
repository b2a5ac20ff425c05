"""The plan of a program with the line behind each step, so that a page can follow the run."""

from __future__ import annotations

from roboinstruct_ros.program.narrate import narrate
from roboinstruct_ros.program.task_program import TaskProgram
from roboinstruct_ros.web.task_view import Step


def plan_of(source: str) -> tuple[Step, ...]:
    """The numbered steps of a program text; none when it does not parse."""
    program = TaskProgram.from_text(source)
    if program.tree is None:
        return ()
    return tuple(
        Step(number=s.number, line=s.line, text=s.text, said=s.said) for s in narrate(program)
    )
