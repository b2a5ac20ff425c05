"""A robot link without a robot: writes down what the kiosk asks, says what a test wants."""

from __future__ import annotations

import hashlib
import time
from typing import Any

from waiting import until

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.instruction import IN_BACKGROUND
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.web.robot_link import (
    AnnouncementEnded,
    DiagnosisSeen,
    Heard,
    JobEnded,
    LinkHealth,
    Listener,
    NodesSeen,
    ProgramJudged,
    RobotEvent,
)
from roboinstruct_ros.web.web_error import WebError, WebErrorCode

PROGRAM = 'def task_program():\n    go_to("kitchen")\n    say("I am here")\n'
ACCEPTED = {
    "status": "accepted",
    "program_sha256": "",
    "paths": 1,
    "exhaustive": True,
    "duration": 0.002,
    "violations": [],
    "warnings": [],
}
REJECTED = ACCEPTED | {
    "status": "rejected",
    "violations": [{"code": "hand_full", "line": 2, "column": 4, "message": "the hand is full"}],
}


MADE = (
    "Go to the hallway and say hello",
    "Look whether somebody is in the kitchen and tell me",
)
"""Examples that are made of the rooms of the tests' map."""


def sha256(source: str = PROGRAM) -> str:
    return hashlib.sha256(source.encode()).hexdigest()


class FakeLink:
    """A `RobotLink`; generations and runs last until the test ends them."""

    def __init__(self) -> None:
        self.generated: list[tuple[str, str]] = []
        self.followed: list[str] = []
        self.askers: list[str] = []
        self.executed: list[tuple[str, str, str, str]] = []
        self.cancelled: list[str] = []
        self.found: list[tuple[str, ...]] = []
        self.approvals: list[str] = []
        self.resumed: list[bool] = []
        self.pauses: list[bool] = []
        self.forgotten: list[str] = []
        self.stops: list[tuple[str, float]] = []
        self.stopped_at: list[float] = []
        self.answers: list[tuple[str, str, str]] = []
        self.stop_numbers: list[int | None] = []
        self.shown: list[tuple[str, str]] = []
        self.judges: list[dict[str, Any] | None] = [ACCEPTED]  # none of them; one that is silent
        self.turned = 0.05
        self.missing = False
        self.talks: list[bool] = []
        self.announced: list[str] = []
        self.hushed: list[str] = []
        self.mouth: str | None = ""  # why the robot says nothing; None: that is not known
        self.tried: list[tuple[str, str]] = []
        self._listener: Listener | None = None

    def listen(self, listener: Listener) -> None:
        self._listener = listener

    def generate(
        self,
        task_id: str,
        instruction: str,
        asked_by: str,
        follows: str = "",
        found: tuple[str, ...] = (),
    ) -> None:
        self._refuse_if_missing()
        if asked_by == IN_BACKGROUND:
            self.tried.append((task_id, instruction))
            return
        self.askers.append(asked_by)
        self.generated.append((task_id, instruction))
        self.followed.append(follows)
        self.found.append(found)

    def cancel(self, task_id: str) -> None:
        self.cancelled.append(task_id)

    def execute(
        self,
        task_id: str,
        instruction: str,
        source: str,
        sha256: str,
        approved_by: str,
        resume: bool = False,
        stop_number: int | None = None,
    ) -> None:
        self._refuse_if_missing()
        self.resumed.append(resume)
        self.executed.append((task_id, instruction, source, sha256))
        self.approvals.append(approved_by)
        self.stop_numbers.append(stop_number)

    def verify(self, task_id: str, source: str, sha256: str) -> None:
        self.shown.append((task_id, source))
        if not self.judges:
            raise WebError(WebErrorCode.NODE_MISSING, "no node 'executor' is there")
        if self.judges[0] is not None:
            code, verdict = 0, {**self.judges[0], "program_sha256": sha256}
            self.say(ProgramJudged(task_id, sha256, verdict, code))

    def stop_number(self) -> int:
        return len(self.stops)

    def health(self) -> LinkHealth:
        return LinkHealth({"executor": 0.05}, self.turned)

    def pause(self, paused: bool) -> None:
        self.pauses.append(paused)

    def forget(self, task_id: str) -> None:
        self.forgotten.append(task_id)

    def stop(self, reason: str, pressed: float) -> None:
        self.stopped_at.append(time.time())
        self.stops.append((reason, pressed))

    def answer(self, question: str, answer: str, goal_id: str) -> None:
        self.answers.append((question, answer, goal_id))

    def announce(self, name: str, text: str) -> None:
        self.announced.append(text)
        if self.mouth is not None:
            self.say(AnnouncementEnded(name, self.mouth))

    def hush(self, name: str) -> None:
        self.hushed.append(name)

    def talk(self, down: bool) -> None:
        self.talks.append(down)

    # What a test makes happen

    def ready(self, model: str = "small", state: str = "loaded") -> None:
        """The stack is up, with this model: the kiosk begins to try its examples."""
        self.say(NodesSeen({"generator": "up", "executor": "up"}))
        values = {"model": model, "state": state}
        self.say(DiagnosisSeen("generator", "model", "ok", state, values))

    def prove(self, *words: str) -> None:
        """Writes a good program for each of these, which the kiosk tries in this order; for those
        of the map of the tests where none are named."""
        words = words or MADE
        begun = len(self.tried)
        for number, one in enumerate(words, begun):
            until(lambda number=number: len(self.tried) > number)  # type: ignore[misc]
            assert self.tried[number][1] == one
            self.finish_generation(self.tried[number][0])

    def say(self, heard: Heard) -> None:
        assert self._listener is not None, "the kiosk does not listen yet"
        self._listener(heard)

    stamp = 1000.0
    """Of the events to come, s since the Unix epoch."""

    def event(self, kind: EventKind, task_id: str = "", **data: Any) -> None:
        self.say(RobotEvent(kind.value, task_id, data, "fake", self.stamp))

    def finish_generation(
        self,
        task_id: str,
        source: str = PROGRAM,
        verdict: dict[str, Any] = ACCEPTED,
        code: TaskErrorCode = TaskErrorCode.NONE,
        notes: tuple[str, ...] = (),
        **more: Any,
    ) -> None:
        """The result of the goal."""
        data = {
            "source": source,
            "program_sha256": sha256(source) if source else "",
            "verdict": verdict,
            "plan": [],
            "notes": list(notes),
            "duration": 0.5,
            "error_code": int(code),
            "error_msg": (more.get("answer") or {}).get("words", ""),
            **more,
        }
        self.say(JobEnded(EventKind.GENERATION_FINISHED, task_id, data))

    def tell_generation(self, task_id: str, source: str = PROGRAM, **more: Any) -> None:
        """The event of the same, which anybody can publish."""
        sha = sha256(source)
        self.event(EventKind.GENERATION_FINISHED, task_id, source=source, program_sha256=sha,
                   verdict=ACCEPTED, error_code=0, **more)  # fmt: skip

    def end_run(self, task_id: str, outcome: str = "succeeded", **more: Any) -> None:
        """The result of the goal."""
        data = {"outcome": outcome, "error_code": 0, "duration": 3.0, "made": [], **more}
        self.say(JobEnded(EventKind.RUN_FINISHED, task_id, data))

    def ask_first(self, task_id: str, question: str, deferred: str) -> None:
        """Ends a generation with what has to be known first."""
        self.say_instead(task_id, "question", question, deferred=deferred)

    def say_instead(self, task_id: str, kind: str, words: str, *choices: str, **more: Any) -> None:
        """Ends a generation with words instead of a program."""
        answer = {"kind": kind, "words": words, "choices": list(choices)}
        code = TaskErrorCode.NO_ACCEPTED_PROGRAM
        self.finish_generation(task_id, "", {}, code, answer=answer, **more)

    def finish_run(
        self, task_id: str, *calls: tuple[str, list[Any], Any], outcome: str = "succeeded"
    ) -> None:
        """Makes calls (skill, arguments, result) and ends the run."""
        self.event(EventKind.RUN_STARTED, task_id, instruction="x", program_sha256="")
        made = []
        for index, (skill, arguments, result) in enumerate(calls):
            call = {"index": index, "skill": skill, "arguments": arguments, "line": 2}
            self.event(EventKind.SKILL_STARTED, task_id, **call)
            end = {"result": result, "error_code": 0, "error_msg": ""}
            self.event(EventKind.SKILL_FINISHED, task_id, **call, **end)
            made.append({**call, **end})
        failed = outcome != "succeeded"
        code = TaskErrorCode.SKILL_FAILED if failed else TaskErrorCode.NONE
        message = "go_to failed: the door is shut" if failed else ""
        self.end_run(
            task_id, outcome, made=made, duration=1.0, error_code=int(code), error_msg=message
        )

    def _refuse_if_missing(self) -> None:
        if self.missing:
            raise WebError(WebErrorCode.NODE_MISSING, "the node is not there")
