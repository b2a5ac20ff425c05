"""What this kiosk knows since it started: its tasks, the robot, and who may do what next."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any

from roboinstruct_ros.domain.answer import with_choice
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.instruction import Instruction, InstructionError
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.domain.task_version import TaskVersion
from roboinstruct_ros.generate.rounds.progressive import RoundOptions
from roboinstruct_ros.names import EXECUTOR_NODE, GENERATOR_NODE, KIOSK_NODE
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.web.engineer.stack_record import NodeSeen, StackRecord
from roboinstruct_ros.web.event_hub import EventHub
from roboinstruct_ros.web.inbox import FRESH, Inbox
from roboinstruct_ros.web.interruptions import Interruptions, task_of
from roboinstruct_ros.web.plan import plan_of
from roboinstruct_ros.web.robot_link import (
    AnnouncementEnded,
    DiagnosisSeen,
    Dictated,
    DictationSeen,
    Heard,
    InterruptedSeen,
    JobEnded,
    Listener,
    NodesSeen,
    NothingRuns,
    ProgramJudged,
    RobotEvent,
    RobotLink,
    StopAnswer,
    lost_node,
)
from roboinstruct_ros.web.robot_seen import RobotSeen
from roboinstruct_ros.web.second_opinion import SecondOpinion
from roboinstruct_ros.web.talk_button import TalkButton
from roboinstruct_ros.web.task_board import TaskBoard, compared
from roboinstruct_ros.web.task_events import after, begun_elsewhere, ended, judged, left, unwritten
from roboinstruct_ros.web.task_rounds import Rounds, checked_answer
from roboinstruct_ros.web.task_view import IN_RUN, Phase, TaskView, whole
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

BETWEEN = frozenset({Phase.WRITING, Phase.ASKING, Phase.READY})
"""Phases in which a task of several rounds waits between two of them."""

OF_THE_STACK = frozenset({EXECUTOR_NODE, KIOSK_NODE})
"""Who stops the robot where no person does: as it ends, or as it has lost another. A Stop that is
pressed here does not come as an event."""


class Session:
    """Lives on one event loop; only `stop` may be called from other threads.

    Attributes:
        on_stop: called when a person has pressed Stop, here or elsewhere.
        on_heard: called with everything that the robot tells.
    """

    def __init__(self, link: RobotLink, hub: EventHub, rounds: RoundOptions) -> None:
        self.hub = hub
        self.board = TaskBoard(hub)
        self._rounds = Rounds(link, rounds, self._execute)
        self._runs: set[str] = set()  # that this kiosk has begun
        self._paused = False  # by a person, since the last approval
        self._link = link
        self._opinion, self._inbox = SecondOpinion(link, self._judged), Inbox(self._hear)
        self.interruptions = Interruptions(link)
        self.robot = RobotSeen(link, hub)
        self.talk = TalkButton(link, hub)
        self.on_stop: Callable[[], None] = lambda: None
        self.on_heard: Listener = lambda heard: None
        self.record = StackRecord()

    def open(self) -> None:
        """Starts to listen to the robot; called on the loop that it lives on."""
        self._inbox.open()
        self._link.listen(self._inbox.put)

    # What people do

    def health(self) -> dict[str, Any]:
        """What is there, and how fresh that is; `ok` only when all is."""
        link = self._link.health()
        lag = self._inbox.lag()
        fresh = max(link.turned, lag) < FRESH and set(self.robot.nodes.values()) <= {"up"}
        return {
            "status": "ok" if fresh else "degraded",
            "nodes": self.robot.nodes,
            "silence": {name: round(since, 2) for name, since in link.silence.items()},
            "robot_thread": round(link.turned, 2),
            "loop": round(lag, 2),
            "pages": self.hub.listeners,
        }

    def nodes(self) -> list[NodeSeen]:
        """Every node as it is now, for an engineer."""
        return self.record.nodes(self.robot.nodes, self._link.health().silence)

    def running(self) -> bool:
        """Whether a task runs now."""
        return any(task.phase in IN_RUN for task in self.board.all)

    def submit(
        self, text: str, by: str, window: str = "", before: TaskView | None = None
    ) -> TaskView:
        """Has a program written for an instruction; nothing moves.

        Args:
            window: of who asks.
            before: the task whose program the words are to change; None for a new one.

        Raises:
            WebError: the instruction cannot be used, another task is in progress, PLAN_WAITS, or
                nobody writes programs now.
        """
        try:
            instruction = Instruction.checked(text, asked_by=by)
        except InstructionError as error:
            raise WebError(error.code, error.message) from None
        self.board.refuse_while_busy()
        self.board.refuse_over_another_plan(window)
        task_id, text = uuid.uuid4().hex, instruction.text
        task = TaskView(id=task_id, text=text, created=time.time(), author=by, window=window)
        if before is not None:
            of = before.task or before.id
            task = task.changed(follows=before.id, task=of, changes=before.wanted)
        # Before the call: the first event may come before it returns.
        self._put(task)
        self._rounds.begin(task)
        try:
            self._link.generate(task.id, task.text, by, before.name if before else "")
        except WebError:
            self._rounds.forget(task.id)
            self.board.forget(task.id)
            raise
        return task

    def follow(self, task_id: str, text: str, by: str, window: str = "") -> TaskView:
        """Has a program changed; nothing moves, and the program that was there stays.

        Raises:
            WebError: NOT_FOUND, WRONG_PHASE (there is no accepted program to change), or as
                `submit`.
        """
        before = self.board.task(task_id)
        if not before.changeable:
            message = f"this task is {before.phase.value}; only an accepted program can be changed"
            raise WebError(WebErrorCode.WRONG_PHASE, message)
        return self.submit(text, by, window, before)

    def approve(
        self, task_id: str, sha256: str, by: str, stop_number: int | None = None
    ) -> TaskView:
        """Runs the program of a task, if it is the very text that was shown.

        Args:
            stop_number: of the last stop that was known when it was announced; None is that of now.

        Raises:
            WebError: NOT_FOUND, WRONG_PHASE, HASH_MISMATCH, BUSY or NODE_MISSING.
        """
        task = self.board.task(task_id)
        if not task.approvable:
            where = task.phase.value if task.here else "not of this kiosk"
            message = f"this task is {where}; only an accepted program can be run"
            raise WebError(WebErrorCode.WRONG_PHASE, message)
        if sha256 != sha256_of(task.source):
            message = "the program shown is not the one to run; look at it again"
            raise WebError(TaskErrorCode.HASH_MISMATCH, message)
        self.board.refuse_while_busy()
        return self._run(task, by, stop_number)

    def say(self, task_id: str, text: str, by: str, window: str = "") -> TaskView:
        """Answers the question of a task: its next program is written, or, where it has ended with
        the question, a new task with the answer in brackets behind the instruction.

        Raises:
            WebError: NOT_FOUND, WRONG_PHASE, BAD_REQUEST, BUSY or NODE_MISSING.
        """
        task = self.board.task(task_id)
        if task.answerable:
            words = with_choice(task.text, checked_answer(text))
            if task.follows:
                return self.follow(task.follows, words, by, window)
            return self.submit(words, by, window)
        if task.phase is not Phase.ASKING or task.answer is None or not task.here:
            where = task.phase.value if task.here else "not of this kiosk"
            message = f"this task is {where}; it does not ask anything"
            raise WebError(WebErrorCode.WRONG_PHASE, message)
        self.board.refuse_while_busy()
        writing = self._rounds.answered(task, task.answer.words, checked_answer(text))
        self._put(writing)
        return writing

    def discard(self, task_id: str) -> TaskView:
        """Puts a program away, or ends the writing or the run of it.

        Raises:
            WebError: NOT_FOUND.
        """
        task = self.board.task(task_id)
        if self._opinion.withdraw(task.id):
            task = task.changed(phase=Phase.CANCELLED)
            self._put(task)
        elif task.busy:
            self._link.cancel(task.id)
        elif task.phase in (Phase.READY, Phase.ANSWERED, Phase.REJECTED, Phase.ASKING):
            task = task.changed(phase=Phase.DISCARDED)
            self._put(task)
        return task

    def stop(self, reason: str, pressed: float | None = None) -> None:
        """Stops the robot and the running task, then the writing of a program; from any thread.

        The first is done when it returns, whatever the loop is busy with.
        """
        self._link.stop(reason, pressed if pressed is not None else time.time())
        self._inbox.call(self._note_stop)

    def stop_number(self) -> int:
        """The number of the last stop that is known."""
        return self._link.stop_number()

    def _note_stop(self) -> None:
        self.on_stop()
        self._end_between_rounds()
        for task in self.board.all:
            if task.phase in (Phase.RUNNING, Phase.PAUSED):
                self._put(task.changed(phase=Phase.STOPPING))
            elif task.phase is Phase.WRITING and task.here:
                self.discard(task.id)

    def pause(self, paused: bool) -> None:
        """Holds the running task, or lets it go on."""
        self._paused = paused
        self._link.pause(paused)

    def go_on(self, task_id: str, by: str) -> TaskView:
        """Shows an interrupted run for a new approval; nothing moves.

        Raises:
            WebError: NOT_FOUND or BUSY.
        """
        self.board.refuse_while_busy()
        task = task_of(self.interruptions.run(task_id)).changed(author=by)
        self._put(task)
        return task

    def recognise(self, task_id: str, program: TaskVersion) -> None:
        """The program of a run that another start of this kiosk, or another client, has begun."""
        task = self.board.find(task_id)
        if task is not None and not task.source and task.sha256 == program.sha256:
            steps = plan_of(program.source)
            place = {"task": program.task_id, "version": program.number}
            self._put(task.changed(source=program.source, steps=steps, **place))

    def again(self, task: TaskView) -> TaskView:
        """Shows a program that was written before, when the executor has judged it anew; nothing
        moves.

        Raises:
            WebError: BUSY.
        """
        self.board.refuse_while_busy()
        self._put(task)
        self._opinion.ask(task)
        return task

    def snapshot(self) -> dict[str, Any]:
        """Everything that a page shows; the messages after `seq` change it."""
        self.board.tell()
        return {
            "type": "snapshot",
            "seq": self.hub.seq,
            "now": time.time(),
            "tasks": [whole(task) for task in self.board.all],
            "interrupted": self.interruptions.as_json(),
            "dictation": self.talk.offered,
            **self.robot.as_json(),
        }

    # What the robot does

    def _hear(self, heard: Heard) -> None:
        self.record.hear(heard)
        self.on_heard(heard)
        if isinstance(heard, DiagnosisSeen | AnnouncementEnded):
            return
        if isinstance(heard, RobotEvent):
            self._hear_event(heard)
        elif isinstance(heard, JobEnded):
            self._hear_end(heard)
        elif isinstance(heard, NothingRuns):
            for task in self.board.all:
                if task.id not in self._runs:  # the goals of the others tell of their end
                    self._change(task, left(task))
        elif isinstance(heard, ProgramJudged):
            self._opinion.hear(heard)
        elif isinstance(heard, DictationSeen | Dictated):
            self.talk.hear(heard)
        elif isinstance(heard, InterruptedSeen):
            self.interruptions.take(heard.runs)
            self.hub.send("interrupted", runs=self.interruptions.as_json())
        else:
            if isinstance(heard, NodesSeen):
                for name in self.robot.lost(heard):
                    self._hear_event(lost_node(name))
                if heard.states.get(GENERATOR_NODE) == "lost":
                    for task in self.board.all:
                        self._change(task, unwritten(task))
            if isinstance(heard, StopAnswer):
                self.board.tell()  # what it has stopped, before it is told as done
            self.robot.hear(heard)

    def _hear_event(self, event: RobotEvent) -> None:
        self.robot.tell(event)
        if not event.task_id:
            if event.kind == EventKind.STOP_REQUESTED.value:  # somebody's, anywhere
                if event.source not in OF_THE_STACK:
                    self.on_stop()
                self._end_between_rounds()
            return
        if event.task_id in self._runs:
            if event.kind == EventKind.RUN_FINISHED.value:
                return  # its result says the same, and only the executor can send that
            if event.kind == EventKind.RUN_STARTED.value and self._paused:
                self._link.pause(True)  # pressed before there was a run that could be paused
        task = self.board.find(event.task_id) or begun_elsewhere(event)
        if task is not None:
            self._change(task, after(task, event))

    def _hear_end(self, job: JobEnded) -> None:
        if job.kind is EventKind.RUN_FINISHED:
            self._runs.discard(job.task_id)
        task = self.board.find(job.task_id)
        if task is None:
            return
        now = ended(task, job)
        if now is not task and now.phase is Phase.READY:
            self._put(now.changed(phase=Phase.WRITING, verdict=None))
            self._opinion.ask(now)
        else:
            self._change(task, now, job.data.get("made", ()))

    def _judged(
        self, task_id: str, verdict: dict[str, Any] | None, code: int, message: str
    ) -> None:
        task = self.board.find(task_id)
        if task is not None and task.phase is Phase.WRITING:
            self._change(task, judged(task, verdict, code, message))

    def _change(self, task: TaskView, now: TaskView, made: Any = ()) -> None:
        changed = compared(now, self.board)
        if changed.phase is not task.phase:
            changed = self._rounds.advance(task, changed, made)
        if changed is not self.board.find(task.id):
            self._put(changed)

    def _end_between_rounds(self) -> None:
        """At once: nothing that is still on its way may begin another round after a stop."""
        for task in self.board.all:
            if task.phase in BETWEEN and task.round > 1:
                self._opinion.withdraw(task.id)
                self._link.cancel(task.id)
                self._put(self._rounds.stopped(task))

    def _run(self, task: TaskView, approved_by: str, stop_number: int | None) -> TaskView:
        """Raises WebError, with the task as it was."""
        number = self._link.stop_number() if stop_number is None else stop_number
        running = task.changed(phase=Phase.RUNNING, approved_by=approved_by)
        self._put(running)
        self._paused = False
        try:
            self._execute(task, approved_by, number)
        except WebError:
            self._put(task)
            raise
        self._rounds.approved(task, approved_by, number)
        return running

    def _execute(self, task: TaskView, approved_by: str, number: int) -> None:
        words, sha256 = task.now or task.wanted, sha256_of(task.source)
        self._link.execute(task.id, words, task.source, sha256, approved_by, task.resumes, number)
        self._runs.add(task.id)

    def _put(self, task: TaskView) -> None:
        forgotten = self.board.put(task)
        if forgotten is not None:
            self._rounds.forget(forgotten)
