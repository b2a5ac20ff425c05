"""The question to a person who named a room that is not there, instead of a guess."""

from __future__ import annotations

import ast

from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.generate.words.said_names import SaidNames
from roboinstruct_ros.program.task_program import TaskProgram
from roboinstruct_ros.verify.verdict import Verdict


def question_about(instruction: str, source: str, verdict: Verdict) -> tuple[str, str]:
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
