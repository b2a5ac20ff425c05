"""Summary of a run for lists; stored beside its bag, as reading the bag takes 50 times as long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.domain.value_types import VALUE_TYPES
from roboinstruct_ros.trace.bag import fingerprint
from roboinstruct_ros.trace.run_trace import RunTrace, TracedCall, read_trace

FILE = "run.json"


class Summary(BaseModel):
    """One recorded run.

    Attributes:
        begun, ended: s since the epoch; `ended` is 0 if the bag was cut off.
        outcome: `TaskState` by name; empty if the bag was cut off.
        error_code: of the run; empty for none.
        calls: number of calls.
        errors: error codes of its skill calls, each once.
        rooms: rooms that it was in or drove to, each once.
        named: people and objects in its calls, each once.
    """

    model_config = ConfigDict(frozen=True)
    task_id: str
    instruction: str
    begun: float
    ended: float
    outcome: str
    error_code: str
    error_msg: str
    calls: int
    errors: tuple[str, ...]
    rooms: tuple[str, ...]
    named: tuple[str, ...]


class _Kept(BaseModel):
    """A summary, with size and time (ns) of the file it was made from."""

    of: tuple[int, int]
    summary: Summary


def summary_of(trace: RunTrace) -> Summary:
    ended_with = [SkillErrorCode(one.call.error_code) for one in trace.calls if one.call.error_code]
    named = [pair for one in trace.calls for pair in _names(trace, one)]
    rooms = [trace.start, trace.words.here if trace.words else ""]
    rooms += [name for kind, name in named if kind == "location"]
    return Summary(
        task_id=trace.task_id,
        instruction=trace.instruction,
        begun=trace.begun,
        ended=trace.ended,
        outcome=trace.outcome,
        error_code=TaskErrorCode(trace.error_code).name.lower() if trace.error_code else "",
        error_msg=trace.message,
        calls=len(trace.calls),
        errors=tuple(dict.fromkeys(code.name.lower() for code in ended_with)),
        rooms=tuple(dict.fromkeys(_room(trace, name) for name in rooms if name)),
        named=tuple(dict.fromkeys(name for kind, name in named if name and kind != "location")),
    )


def summary(bag: Path, keep: bool = False) -> Summary:
    """The summary of a bag: the stored one, or computed from the bag.

    Args:
        keep: store it beside the bag, if possible.

    Raises:
        BagError: it is not a bag, not a complete one, or contains no run.
    """
    try:
        kept = _Kept.model_validate_json((bag / FILE).read_bytes())
        if kept.of == fingerprint(bag):
            return kept.summary
    except (OSError, ValidationError):
        pass  # fall back to the bag itself
    made = summary_of(read_trace(bag))
    if keep:
        with suppress(OSError):  # without it, listing only takes longer
            kept = _Kept(of=fingerprint(bag), summary=made)
            (bag / FILE).write_text(kept.model_dump_json(), encoding="utf-8")
    return made


def _names(trace: RunTrace, traced: TracedCall) -> Iterator[tuple[str, str]]:
    """The names in a call, each with its type: "location", "person", "object or person", ..."""
    call = traced.call
    skills = trace.setting.domain.skills if trace.setting else ()
    skill = next((one for one in skills if one.name == call.skill), None)
    if skill is None:
        return
    if skill.returns == "current_location" and call.result:
        yield "location", str(call.result)
    for parameter, value in zip(skill.parameters, call.arguments, strict=False):
        if isinstance(value, str) and parameter.type not in VALUE_TYPES:
            yield parameter.type, value.strip()


def _room(trace: RunTrace, name: str) -> str:
    known = trace.setting.semantic_map if trace.setting else None
    return (known.resolve(name) if known else None) or name
