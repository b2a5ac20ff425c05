"""The question to a person who named a room that is not there, instead of a guess."""

from __future__ import annotations

import ast

from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.generate.alignment import is_named
from roboinstruct_ros.program.task_program import TaskProgram
from roboinstruct_ros.verify.verdict import Verdict


def question_about(instruction: str, source: str, verdict: Verdict) -> str:
    """What to ask the person who named a room that is not there; empty when nobody did."""
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
            if meant and is_named(instruction, text):
                return violation.message
    return ""
