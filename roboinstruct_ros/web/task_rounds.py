"""How a task of the page goes from one round to the next."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from roboinstruct_ros.domain.instruction import one_line
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.generate.rounds.progressive import ProgressiveTask, RoundOptions
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.web.robot_link import RobotLink
from roboinstruct_ros.web.task_view import IN_RUN, Phase, RoundView, TaskError, TaskView
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

MAX_ANSWER = 200
"""Characters of an answer to the question before a round."""


class Rounds:
    """The rounds of each task of a session, and what follows of itself between two of them.

    Args:
        link: writes the programs.
        options: bounds of a task.
        execute: runs the program of a task, as approved by whom, and the last stop known then.
    """

    def __init__(
        self, link: RobotLink, options: RoundOptions, execute: Callable[[TaskView, str, int], None]
    ) -> None:
        self._link, self._options, self._execute = link, options, execute
        self._of: dict[str, ProgressiveTask] = {}
        self._approved: dict[str, int] = {}  # number of the last stop known at an approval

    def begin(self, task: TaskView) -> None:
        """The program of its first round is about to be written."""
        self._of[task.id] = ProgressiveTask(task.text, self._options)

    def forget(self, task_id: str) -> None:
        """It is not shown any more."""
        self._of.pop(task_id, None)
        self._approved.pop(task_id, None)

    def answered(self, task: TaskView, question: str, answer: str) -> TaskView:
        """Has the program written that waited for this answer.

        Raises:
            WebError: BUSY or NODE_MISSING.
        """
        rounds = self._of[task.id].answered(question, answer)
        self._link.generate(task.id, rounds.request, task.author, found=rounds.found)
        self._of[task.id] = rounds
        return written_anew(task, rounds)

    def approved(self, task: TaskView, by: str, stop_number: int) -> None:
        """A person has approved the program of a round."""
        if task.id in self._of:
            self._of[task.id] = self._of[task.id].approved(sha256_of(task.source), by)
            self._approved[task.id] = stop_number

    def stopped(self, task: TaskView) -> TaskView:
        """A task that a stop has ended between two rounds."""
        stopped = task.changed(phase=Phase.CANCELLED, error=None)
        return ended_here(stopped, self._of[task.id], begun=False)

    def advance(self, before: TaskView, task: TaskView, made: Any) -> TaskView:
        """What follows of itself when a program was written or has ended."""
        rounds = self._of.get(task.id)
        if rounds is None:
            return task
        if before.phase is Phase.WRITING:
            return self._written(task, rounds.written(task.left))
        if before.phase not in IN_RUN or task.phase in IN_RUN:
            return task
        if before.phase is Phase.STOPPING and task.phase is Phase.SUCCEEDED and rounds.left:
            task = task.changed(phase=Phase.CANCELLED)  # the run was over before Stop reached it
        if task.phase is not Phase.SUCCEEDED:
            return ended_here(task, rounds, begun=True)
        if rounds.spent:
            return out_of_rounds(task, rounds)
        return self._next(task, rounds.ran(calls_of(made))) if rounds.left else task

    def _written(self, task: TaskView, rounds: ProgressiveTask) -> TaskView:
        self._of[task.id] = rounds
        if task.phase is Phase.READY:
            by = rounds.approval_of_first(task.notes)
            return self._run_of_itself(task, by) if by else task
        if task.phase in (Phase.ASKING, Phase.ANSWERED):
            return task
        return ended_here(task, rounds, begun=False)

    def _next(self, task: TaskView, rounds: ProgressiveTask) -> TaskView:
        self._of[task.id] = rounds
        try:
            self._link.generate(task.id, rounds.request, task.author, found=rounds.found)
        except WebError as error:
            return not_begun(task, rounds, error)
        return written_anew(task, rounds)

    def _run_of_itself(self, task: TaskView, approved_by: str) -> TaskView:
        try:
            # A stop since the approval that this goes on with is one that it does not outlive.
            self._execute(task, approved_by, self._approved[task.id])
        except WebError:
            return task  # it stays on screen, for a person to approve
        return task.changed(phase=Phase.RUNNING, approved_by=approved_by)


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
    error = task.error or TaskError.of(TaskErrorCode.STOPPED, said)
    return task.changed(error=error.model_copy(update={"message": said}))


def not_begun(task: TaskView, rounds: ProgressiveTask, fault: WebError) -> TaskView:
    """A task whose next round nobody can write a program for."""
    said = rounds.why_failed(fault.message, begun=False)
    error = TaskError(error_code=int(fault.code), error_name=fault.code.name, message=said)
    return task.changed(phase=Phase.FAILED, error=error)


def out_of_rounds(task: TaskView, rounds: ProgressiveTask) -> TaskView:
    """A task whose last allowed round has succeeded, and that is not done."""
    error = TaskError.of(TaskErrorCode.NO_ACCEPTED_PROGRAM, rounds.spent)
    return task.changed(phase=Phase.FAILED, error=error)
