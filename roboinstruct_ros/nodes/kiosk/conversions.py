"""Converts and validates all ROS messages that the kiosk receives.

Anyone on the network may send them: a message that is too long, too deeply nested or malformed is
refused with a one-line ValueError.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from visualization_msgs.msg import Marker

from roboinstruct_msgs.msg import InterruptedRun as InterruptedRunMsg
from roboinstruct_msgs.msg import Question as QuestionMsg
from roboinstruct_msgs.msg import Verdict as VerdictMsg
from roboinstruct_ros.domain.arrival import read_json
from roboinstruct_ros.domain.diagnosis import Level
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.whole_text import whole_text
from roboinstruct_ros.nodes.conversions import seconds_of
from roboinstruct_ros.nodes.diagnostics import diagnoses_of_stack
from roboinstruct_ros.web.robot_link import DiagnosisSeen, InterruptedRun, Question, Thing

MAX_SOURCE = 64 * 1024
"""Longest program text (characters)."""
MAX_THINGS = 1000
"""Most doors, objects, people, options or interrupted runs in one message."""
MAX_NAME = 200
"""Longest name (characters)."""
MAX_VALUES = 40
"""Most values in one diagnosis."""
LEVELS: dict[int, str] = {level.value: level.name.lower() for level in Level} | {3: "stale"}
MAX_WORDS = 1000
"""Longest utterance or question (characters)."""


def interrupted_run(run: InterruptedRunMsg) -> InterruptedRun:
    """An interrupted run for the page, with texts cut to the limits above."""
    return InterruptedRun(
        task_id=text_in(run.task_id, MAX_NAME),
        text=text_in(run.instruction),
        source=text_in(run.source, MAX_SOURCE),
        sha256=text_in(run.program_sha256),
        calls=run.calls,
        in_flight=text_in(run.in_flight),
        begun=seconds_of(run.begun),
    )


def text_in(text: str, most: int = MAX_WORDS) -> str:
    """The text with "?" for lone surrogates, cut to `most` characters."""
    return whole_text(text[:most])


def question_in(asked: QuestionMsg) -> Question:
    """The robot's current question. Raises ValueError: too many options."""
    if len(asked.options) > MAX_THINGS:
        raise ValueError(f"a question with {len(asked.options)} options; at most {MAX_THINGS} fit")
    said = text_in(asked.question), text_in(asked.person, MAX_NAME)
    options = tuple(text_in(one, MAX_NAME) for one in asked.options)
    return Question(*said, options, asked.live, goal_id=text_in(asked.goal_id, MAX_NAME))


def diagnoses_in(message: DiagnosticArray, namespace: str) -> Iterator[DiagnosisSeen]:
    """Diagnoses by nodes of the stack in this namespace; those of other nodes are skipped."""
    for name, status in diagnoses_of_stack(message, namespace):
        node, _, part = name.partition(": ")
        level = LEVELS.get(status.level[0], "unknown")
        values = {text_in(v.key, MAX_NAME): text_in(v.value) for v in status.values[:MAX_VALUES]}
        yield DiagnosisSeen(
            text_in(node, MAX_NAME), text_in(part, MAX_NAME), level, text_in(status.message),
            values,
        )  # fmt: skip


def things(markers: list[Marker], namespace: str) -> tuple[Thing, ...]:
    """Things at their positions in the map frame. Raises ValueError: a position is not finite."""
    of_it = [marker for marker in markers if marker.ns == namespace][:MAX_THINGS]
    return tuple(
        Thing(
            text_in(marker.text, MAX_NAME),
            metres(marker.pose.position.x),
            metres(marker.pose.position.y),
            # the simulated robot draws a closed door red
            open=marker.ns != "doors" or marker.color.g >= marker.color.r,
        )
        for marker in of_it
    )


def metres(value: float) -> float:
    """A coordinate rounded to 1 mm. Raises ValueError: it is not finite."""
    if not math.isfinite(value):
        raise ValueError("a coordinate that is no number")
    return round(value, 3)


def result_data(result: Any, kind: EventKind) -> dict[str, Any]:
    """A goal's result, with the keys of the corresponding event. Raises ValueError."""
    data = {
        "duration": float(result.duration),
        "error_code": int(result.error_code),
        "error_msg": text_in(result.error_msg),
    }
    if kind is EventKind.RUN_FINISHED:
        return {**data, "outcome": result.outcome or "failed", "made": _calls_data(result.calls)}
    return {
        **data,
        "source": text_in(result.source, MAX_SOURCE),
        "program_sha256": result.program_sha256,
        "verdict": verdict_data(result.verdict),
        "plan": [text_in(step) for step in result.plan],
        "notes": [text_in(note) for note in result.notes],
        "steering": text_in(result.steering),
        "parent_sha256": text_in(result.parent_sha256),
        "answer": answer_data(result),
        "deferred": text_in(result.deferred),
    }


def answer_data(result: Any) -> dict[str, Any] | None:
    """The answer given instead of a program, or None."""
    if not result.answer:
        return None
    choices = [text_in(choice, MAX_NAME) for choice in result.choices[:MAX_THINGS]]
    return {"kind": result.answer, "words": text_in(result.answer_words), "choices": choices}


def _calls_data(calls: list[Any]) -> list[dict[str, Any]]:
    """All calls of a run; their individual events may arrive after its result."""
    return [
        {
            "index": call.index,
            "skill": call.skill,
            "arguments": [read_json(argument, "an argument") for argument in call.arguments],
            "line": call.line,
            "result": read_json(call.result, "a result") if call.result else None,
            "error_code": call.error_code,
            "error_msg": call.error_msg,
            "started": seconds_of(call.start),
            "ended": seconds_of(call.end),
        }
        for call in calls
    ]


def verdict_data(verdict: VerdictMsg) -> dict[str, Any] | None:
    """A verdict as JSON for the page, or None."""
    if not verdict.status:
        return None
    return {
        "status": verdict.status,
        "program_sha256": verdict.program_sha256,
        "paths": verdict.paths,
        "exhaustive": verdict.exhaustive,
        "duration": float(verdict.duration),
        "violations": [
            {
                "code": violation.code,
                "line": violation.line,
                "column": violation.column,
                "message": text_in(violation.message),
                "counterexample": {"steps": [text_in(step) for step in violation.counterexample]},
            }
            for violation in verdict.violations
        ],
        "warnings": [text_in(one) for one in verdict.warnings],
        "assumptions": [text_in(one) for one in verdict.assumptions],
    }
