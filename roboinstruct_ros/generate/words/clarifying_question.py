"""The question to a person who named a room that is not there, instead of a guess."""

from __future__ import annotations

import ast
from collections.abc import Callable

from roboinstruct_ros.domain.answer import Answer, AnswerKind, choice_in
from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.generate.words.alignment import entities_of
from roboinstruct_ros.generate.words.said_names import SaidNames
from roboinstruct_ros.program.task_program import TaskProgram
from roboinstruct_ros.verify.verdict import Verdict


class MissingRoom:
    """The first room that somebody named and that is not on the map.

    Args:
        nearest: Rooms that may be meant by a name.

    Attributes:
        question: What to ask; None while no such room was named, or where it was answered.
        source, verdict: The program that it is about.
    """

    def __init__(self, instruction: str, nearest: Callable[[str], tuple[str, ...]]) -> None:
        self.question: Answer | None = None
        self.source = ""
        self.verdict: Verdict | None = None
        self._instruction, self._nearest = instruction, nearest
        self._name = ""

    def look_for(self, source: str, verdict: Verdict) -> None:
        """Looks for it in a program that was rejected."""
        name, words = _question_about(self._instruction, source, verdict)
        if self.question is not None or not name:
            return
        choices = self._nearest(name)
        if not choice_in(self._instruction, choices):
            self.question = Answer(AnswerKind.QUESTION, words, choices)
            self._name, self.source, self.verdict = name, source, verdict

    def is_meant_by(self, source: str) -> bool:
        """Whether a program uses it by a name that is spelt much alike."""
        return self._name in SaidNames(" ".join(entities_of(source)))


def _question_about(instruction: str, source: str, verdict: Verdict) -> tuple[str, str]:
    """A room that somebody named and that is not there, and what to ask; empty when nobody did."""
    tree = TaskProgram.from_text(source).tree
    nodes = ast.walk(tree) if tree else ()
    texts = [
        (node.lineno, node.value)
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    for violation in verdict.violations:
        if violation.code is not ViolationCode.UNKNOWN_LOCATION:
            continue
        for line, text in texts:
            meant = line == violation.line and f"'{text}'" in violation.message
            if meant and text in SaidNames(instruction):
                return text, violation.message
    return "", ""
