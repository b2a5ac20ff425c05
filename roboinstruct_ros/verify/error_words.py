"""The words of a failure: a trial has its own for them, a run those of a skill server."""

from __future__ import annotations

from roboinstruct_ros.domain.skill_call import LONGEST_ERROR

FAILED = "failed for some reason"
"""What a trial says of a skill that has failed, after its name."""


def most_characters(text: str) -> int:
    """Characters that a text of a trial has in a run at most."""
    return len(text) + text.count(FAILED) * LONGEST_ERROR
