"""The limits of a run that a path may pass: what lies beyond them is left out."""

from __future__ import annotations

from roboinstruct_ros.program.allow_list import LONGEST_TEXT
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.namespace import program_line
from roboinstruct_ros.verify.error_words import FAILED, most_characters
from roboinstruct_ros.verify.explore.choices import Spent
from roboinstruct_ros.verify.world.path import Path
from roboinstruct_ros.verify.world.skill_arguments import Call

_MOST_PRINTED = Limits().output_bytes
_MOST_BYTES = 4  # of a character in UTF-8
_MOST_CALLS = 10_000  # as `max_calls` of the executor


class RunLimits:
    """What one path has used of the limits of a run."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._printed = self._calls = 0

    @property
    def spent(self) -> Spent:
        return Spent(self._printed, self._calls)

    def print(self, text: str) -> None:
        """Implement `print`."""
        unknown = _MOST_BYTES * (most_characters(text) - len(text))
        self._printed += len(text.encode("utf-8", "replace")) + unknown
        if self.may_print() < 0:
            self._path.choices.leave_out(program_line(), "more is printed than a run may")

    def may_print(self) -> int:
        """Bytes that a run may still print."""
        return _MOST_PRINTED - self._printed

    def call(self) -> None:
        """Count a skill call; in a sample, loops go on for longer than in most runs."""
        self._calls += 1
        if self._calls > _MOST_CALLS and self._path.choices.tries_all:
            self._path.leave_out("more calls are made than a run may")

    def say(self, call: Call) -> None:
        """Check what is said: a run may have other words for a failure, and more of them."""
        if any(FAILED in text for text in call.texts):
            question = self._path.question
            if call.characters > LONGEST_TEXT:
                self._path.leave_out("the words of a failure may make the text too long")
            if question.policies.texts_of("text", question.domain):
                self._path.leave_out("a rule may look at the words of a failure")

    def skip(self, line: int, rounds: int, before: Spent) -> None:
        """Handle skipped rounds that are like the last one.

        Args:
            before: what was spent before the last one.
        """
        self._printed += rounds * (self._printed - before.printed)
        self._calls += rounds * (self._calls - before.calls)
        if self.may_print() < 0:
            self._path.choices.leave_out(line, "a wait may print more than a run may")
        if self._calls > _MOST_CALLS:
            self._path.choices.leave_out(line, "a wait may make more calls than a run may")
