"""The reward for a model's program, given the reference."""

from __future__ import annotations

from typing import Any

from roboinstruct_ros.generate.program_text import HEAD, answer_of, extract_program
from roboinstruct_ros.learn.setting import Setting, verifier_of

ACCEPTED, RIGHT = 0.2, 1.0
"""Rewards for an accepted program, and for one that also behaves like the reference. An answer
in words gets RIGHT if the reference is an answer of the same kind."""


class Reward:
    """Judges with the verifier of a domain and map; `trl` calls it with a column of references."""

    __name__ = "program"

    def __init__(self, setting: Setting) -> None:
        self._verifier = verifier_of(setting)

    def __call__(self, completions: list[str], reference: list[str], **_: Any) -> list[float]:
        """The reward of each completion, 0 to RIGHT."""
        return [self._of(*pair) for pair in zip(completions, reference, strict=True)]

    def _of(self, completion: str, reference: str) -> float:
        said, meant = answer_of(completion), answer_of(reference)
        if said or meant:
            return RIGHT if said and meant and said.kind is meant.kind else 0.0
        found = self._verifier.verify(extract_program(completion))
        if not found.accepted:
            return 0.0
        wanted = self._verifier.verify(HEAD + reference.rstrip("\n") + "\n")
        # a program that takes too long has no behaviour
        return RIGHT if found.behaviour and found.behaviour == wanted.behaviour else ACCEPTED
