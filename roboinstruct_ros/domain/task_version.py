"""The versions of a task: each accepted program is a version and records its parent."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Steering(str, Enum):
    """How a follow-up changes a task. Source: RoboPlayground, II.D and A8.

    TWEAK: other values in the same steps (a name, a count). EXTEND: more steps. MODIFY: the same
    goal in another way (a condition, an order, a step less). PIVOT: another goal with the same
    things. FRESH: a new task. RETURN: an earlier version.
    """

    TWEAK = "tweak"
    EXTEND = "extend"
    MODIFY = "modify"
    PIVOT = "pivot"
    FRESH = "fresh"
    RETURN = "return"


@dataclass(frozen=True)
class TaskVersion:
    """An accepted program of a task. Source: `TaskSnapshot` of RoboPlayground, A8.

    Attributes:
        task_id: Id of the task, equal to that of the request for its first version.
        number: 1 for the first version of the task.
        parent: Number of the version on which it builds; 0 for none.
        said: The instruction or follow-up as it was said.
        words: Everything asked so far, as one instruction.
        steering: How `said` was read; None for the first version.
        sha256: Hash of the UTF-8 text, lower-case hex.
        summary: The plan in one line.
        deferred: The part of the words that the program does not do yet; empty if it does
            everything.
        worlds: Number of worlds that the verifier tried.
        exhaustive: Whether these were all worlds.
        created: s since the Unix epoch.
        approved: Number of approved runs.
        succeeded: Number of approved runs that succeeded.
    """

    task_id: str
    number: int
    parent: int
    said: str
    words: str
    steering: Steering | None
    source: str
    sha256: str
    summary: str
    deferred: str = ""
    worlds: int = 0
    exhaustive: bool = False
    created: float = 0.0
    approved: int = 0
    succeeded: int = 0

    @property
    def name(self) -> str:
        """The name that clients use: `TASK/NUMBER`."""
        return f"{self.task_id}/{self.number}"
