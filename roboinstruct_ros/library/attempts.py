"""Requests that did not lead to a run, with the reason: a table of the task library."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from roboinstruct_ros.library.task_library import TaskLibrary

MOST_ATTEMPTS = 500
"""Number of attempts of one robot kept, newest first."""


class AttemptOutcome(str, Enum):
    """REFUSED: the robot cannot do it. REJECTED: no program for it was accepted. NOT_RUN: a
    scheduled task that was not started at its time."""

    REFUSED = "refused"
    REJECTED = "rejected"
    NOT_RUN = "not_run"


@dataclass(frozen=True)
class Attempt:
    """One attempt: `created` in s since the Unix epoch, `why` a sentence."""

    created: float
    words: str
    asked_by: str
    outcome: AttemptOutcome
    why: str


class Attempts:
    """Reads and writes what is of the library's robot.

    Raises LibraryError if the file is not accessible now.
    """

    def __init__(self, library: TaskLibrary) -> None:
        self._library = library

    def add(self, one: Attempt) -> None:
        """Store an attempt; the oldest are deleted."""
        values = (one.created, one.words, one.asked_by, one.outcome.value, one.why)
        robot = self._library.robot
        with self._library.changing() as database:
            database.execute(
                "INSERT INTO attempts (created, words, asked_by, outcome, why, robot)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (*values, robot),
            )
            database.execute(
                "DELETE FROM attempts WHERE robot = ? AND id <= (SELECT id FROM attempts"
                " WHERE robot = ? ORDER BY id DESC LIMIT 1 OFFSET ?)",
                (robot, robot, MOST_ATTEMPTS),
            )

    def all(self) -> tuple[Attempt, ...]:
        """All attempts, newest first."""
        with self._library.reading() as database:
            query = "SELECT * FROM attempts WHERE robot = ? ORDER BY created DESC, id DESC"
            rows = database.execute(query, (self._library.robot,))
            return tuple(
                Attempt(
                    row["created"], row["words"], row["asked_by"],
                    AttemptOutcome(row["outcome"]), row["why"],
                )
                for row in rows
            )  # fmt: skip
