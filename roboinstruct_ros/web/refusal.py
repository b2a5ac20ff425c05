"""Why a task got no program that may run, as a person is told it: reason, story, ways out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from roboinstruct_ros.domain.phrase import Phrase, phrase
from roboinstruct_ros.domain.violation_code import ViolationCode

_OTHER_WORDS = {
    ViolationCode.OBJECT_ABSENT.value: ("way.if_object", "; if it is not there, tell me"),
    ViolationCode.PERSON_ABSENT.value: ("way.if_person", "; if they are not, tell me"),
    ViolationCode.HAND_FULL.value: ("way.one_by_one", ", one thing after the other"),
}
"""By violation: key of what a button says, and what is put behind the words."""


class WayOut(BaseModel):
    """What may help: a button, and the words of the task that it has written."""

    model_config = ConfigDict(frozen=True)
    label: Phrase
    words: str


class Refusal(BaseModel):
    """Attributes:
    reason: one sentence in English.
    code: of the violation that it tells; empty where it is an error's.
    story: the skill calls that lead to it, each with the answer that its world gives.
    """

    model_config = ConfigDict(frozen=True)
    reason: str
    code: str = ""
    story: tuple[dict[str, Any], ...] = ()
    ways_out: tuple[WayOut, ...] = ()


def refusal_of(
    words: str,
    verdict: Mapping[str, Any] | None,
    rejected: Sequence[Mapping[str, Any]],
    message: str,
) -> Refusal:
    """What stands behind a rejection.

    Args:
        words: of the task.
        verdict: on the last program; a verdict by ROS has no calls, that of an event has.
        rejected: programs on the way, each with its verdict.
        message: of the error, where no verdict gives a reason.
    """
    verdicts = (verdict, *(one["verdict"] for one in reversed(rejected)))
    found = [violation for one in verdicts for violation in _violations(one)]
    first = found[0] if found else {"message": message, "code": ""}
    same = (_calls(v) for v in found if v["message"] == first["message"])
    again = WayOut(label=phrase("way.again"), words=words)
    known = _OTHER_WORDS.get(first["code"])
    more = [WayOut(label=phrase(known[0]), words=f"{words.rstrip('.')}{known[1]}")] if known else []
    story = next((calls for calls in same if calls), ())
    return Refusal(
        reason=first["message"], code=first["code"], story=tuple(story), ways_out=(*more, again)
    )  # fmt: skip


def _calls(violation: Mapping[str, Any]) -> Sequence[dict[str, Any]]:
    story: Mapping[str, Any] = violation.get("counterexample") or {}
    return list(story.get("calls", ()))


def _violations(verdict: Mapping[str, Any] | None) -> Iterator[Mapping[str, Any]]:
    yield from (verdict or {}).get("violations", ())
