"""The stack's own sentences among the English texts of a page, as phrases to translate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import computed_field

from roboinstruct_ros.domain.phrase import Phrase, phrase, recognised
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.web.api_models import Value

if TYPE_CHECKING:
    from roboinstruct_ros.web.task_view import TaskView

_NAMES = {int(code): code.name for code in SkillErrorCode}
_OWN = ("told.", "found.", "note.", "assumed.", "notrun.")


def own_phrase(text: str) -> Phrase | None:
    """The phrase of a sentence of the stack; None if somebody else wrote it."""
    return recognised(text, *_OWN) if text else None


class Explained(Value):
    """What ended in some way, and `why`, in English."""

    why: str

    @computed_field  # type: ignore[prop-decorator]
    @property
    def phrase(self) -> Phrase | None:
        """The phrase of `why`; None if it is not the stack's own sentence."""
        return own_phrase(self.why)


def phrases_of(task: TaskView) -> dict[str, Phrase]:
    """The phrases of a task's texts that are the stack's own, by text."""
    failed = {
        call.error_msg: _NAMES.get(call.error_code, SkillErrorCode.UNKNOWN.name)
        for call in task.calls
        if call.error_code
    }
    return _phrases(_texts(task), failed)


def phrases_in_run(document: Mapping[str, Any]) -> dict[str, Phrase]:
    """The same for a recorded run.

    Args:
        document: made by `document_of`.
    """
    failed = {one["error_msg"]: one["error"].upper() for one in document["calls"] if one["error"]}
    verdicts = (document["verdict"], *(one["verdict"] for one in document["drafts"]))
    texts = [text for verdict in verdicts for text in _of_verdict(verdict or {})]
    return _phrases([document["error_msg"], *texts], failed)


def _phrases(texts: Iterable[str], failed: Mapping[str, str]) -> dict[str, Phrase]:
    """The phrases of those texts that are the stack's own.

    Args:
        failed: name of the skill error by its message, which a robot's own server may have worded.
    """
    told = {text: own_phrase(text) for text in texts}
    told |= {text: own_phrase(text) or phrase(f"failure.{name}") for text, name in failed.items()}
    return {text: known for text, known in told.items() if known is not None}


def _texts(task: TaskView) -> Iterator[str]:
    yield from (task.ahead, task.left, task.approved_by, *task.found)
    yield from (one.approved_by for one in task.earlier)
    if task.error is not None:
        yield task.error.message
    if task.answer is not None:
        yield task.answer.words
    for verdict in (task.verdict, *(one["verdict"] for one in task.rejected)):
        yield from _of_verdict(verdict or {})


def _of_verdict(verdict: Mapping[str, Any]) -> Iterator[str]:
    for warning in verdict.get("warnings", ()):
        yield warning["message"] if isinstance(warning, Mapping) else warning
    yield from (violation["message"] for violation in verdict.get("violations", ()))
