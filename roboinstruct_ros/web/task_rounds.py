"""How a task of the page goes from one round to the next."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from roboinstruct_ros.domain.instruction import one_line
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.rounds.progressive import ProgressiveTask
from roboinstruct_ros.web.task_view import Phase, RoundView, TaskError, TaskView
from roboinstruct_ros.web.web_error import WebError, WebErrorCode, error_name

MAX_ANSWER = 200
"""Characters of an answer to the question before a round."""


def checked_answer(text: str) -> str:
    """A person's answer on one line.

    Raises:
        WebError: BAD_REQUEST, there is no word in it, or too many.
    """
    line = one_line(text)
    if not any(character.isalnum() for character in line):
        raise WebError(WebErrorCode.BAD_REQUEST, "the answer has no words")
    if len(line) > MAX_ANSWER:
        message = f"the answer is {len(line)} characters long; at most {MAX_ANSWER} are read"
        raise WebError(WebErrorCode.BAD_REQUEST, message)
    return line


def calls_of(made: Sequence[Mapping[str, Any]]) -> list[SkillCall]:
    """All calls of a run, as `JobEnded` has them; none of what is malformed."""
    keys = ("index", "skill", "arguments", "line", "result", "error_code", "error_msg")
    try:
        return [SkillCall(**{key: call[key] for key in keys if key in call}) for call in made]
    except (KeyError, TypeError):
        return []


def written_anew(task: TaskView, rounds: ProgressiveTask) -> TaskView:
    """The task while the program of its next round, or the first after an answer, is written."""
    earlier = task.earlier
    if rounds.round > task.round:
        words = task.now or task.text
        ended = RoundView(
            round=task.round, words=words, sha256=task.sha256, approved_by=task.approved_by
        )
        earlier = (*earlier, ended)
    return task.changed(
        phase=Phase.WRITING, round=rounds.round, began=time.time(), found=rounds.found,
        earlier=earlier, source="", sha256="", verdict=None, steps=(), notes=(), confidence=None,
        draft=0, attempt=0, tokens=0, rejected=(), now="", left="", answer=None, approved_by="",
        line=0, duration=0.0, error=None,
    )  # fmt: skip


def ended_here(task: TaskView, rounds: ProgressiveTask, begun: bool) -> TaskView:
    """A task that ends with something left undone says so.

    Args:
        begun: the program of this round was run.
    """
    why = task.error.message if task.error else "the task was stopped"
    said = rounds.why_failed(why, begun)
    if said == why:
        return task
    code = TaskErrorCode(task.error.error_code) if task.error else TaskErrorCode.STOPPED
    return task.changed(error=_error(code, said))


def not_begun(task: TaskView, rounds: ProgressiveTask, fault: WebError) -> TaskView:
    """A task whose next round nobody can write a program for."""
    error = TaskError(error_code=int(fault.code), error_name=fault.code.name, message=fault.message)
    said = rounds.why_failed(fault.message, begun=False)
    return task.changed(phase=Phase.FAILED, error=error.model_copy(update={"message": said}))


def out_of_rounds(task: TaskView, rounds: ProgressiveTask) -> TaskView:
    """A task whose last allowed round has succeeded, and that is not done."""
    error = _error(TaskErrorCode.NO_ACCEPTED_PROGRAM, rounds.spent)
    return task.changed(phase=Phase.FAILED, error=error)


def _error(code: TaskErrorCode, message: str) -> TaskError:
    return TaskError(error_code=code, error_name=error_name(code), message=message)
