"""Why a task got no program that may run, as a person is told it: reason, story, ways out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

from roboinstruct_ros.domain.phrase import Phrase, phrase, recognised
from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.web.api_models import Value

_OTHER_WORDS = {
    ViolationCode.OBJECT_ABSENT.value: ("way.if_object", "; if it is not there, tell me"),
    ViolationCode.PERSON_ABSENT.value: ("way.if_person", "; if they are not, tell me"),
    ViolationCode.HAND_FULL.value: ("way.one_by_one", ", one thing after the other"),
}
"""By violation: key of what a button says, and what is put behind the words."""


class WayKind(str, Enum):
    """ASK: as a new task. FOLLOW: as a change of the same version. EDIT: for a person to change."""

    ASK = "ask"
    FOLLOW = "follow"
    EDIT = "edit"


class WayOut(Value):
    """What may help: a button, and the words that it has written."""

    label: Phrase
    words: str
    kind: WayKind


class Refusal(Value):
    """Attributes:
    reason: one sentence in English.
    code: of the violation that it tells; empty where it is an error's.
    story: the skill calls that lead to it, each with the answer that its world gives.
    """

    reason: str
    code: str = ""
    story: tuple[dict[str, Any], ...] = ()
    ways_out: tuple[WayOut, ...] = ()


def refusal_of(
    words: str,
    verdict: Mapping[str, Any] | None,
    rejected: Sequence[Mapping[str, Any]],
    message: str,
    changes: str = "",
) -> Refusal:
    """What stands behind a rejection.

    Args:
        words: of the task.
        verdict: on the last program; a verdict by ROS has no calls, that of an event has.
        rejected: programs on the way, each with its verdict.
        message: of the error, where no verdict gives a reason.
        changes: all words of the version that a follow-up was to change; empty for a new task.
    """
    verdicts = (verdict, *(one["verdict"] for one in reversed(rejected)))
    found = [violation for one in verdicts for violation in _violations(one)]
    first = found[0] if found else {"message": message, "code": ""}
    same = (_calls(v) for v in found if v["message"] == first["message"])
    story = next((calls for calls in same if calls), ())
    return Refusal(
        reason=first["message"], code=first["code"], story=tuple(story),
        ways_out=tuple(_ways_out(words, first["code"], first["message"], changes)),
    )  # fmt: skip


def _ways_out(words: str, code: str, reason: str, changes: str) -> Iterator[WayOut]:
    if changes and recognised(reason, "told.unchangeable"):  # and so it is the next time
        yield WayOut(label=phrase("way.whole"), words=changes, kind=WayKind.EDIT)
        return
    kind = WayKind.FOLLOW if changes else WayKind.ASK
    if code in _OTHER_WORDS:
        key, behind = _OTHER_WORDS[code]
        yield WayOut(label=phrase(key), words=f"{words.rstrip('.')}{behind}", kind=kind)
    yield WayOut(label=phrase("way.again"), words=words, kind=kind)


def _calls(violation: Mapping[str, Any]) -> Sequence[dict[str, Any]]:
    story: Mapping[str, Any] = violation.get("counterexample") or {}
    return list(story.get("calls", ()))


def _violations(verdict: Mapping[str, Any] | None) -> Iterator[Mapping[str, Any]]:
    yield from (verdict or {}).get("violations", ())
