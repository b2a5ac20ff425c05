"""Comparisons with `is`, which could tell equal texts apart.

In a trial, an answer may be the very text that stands in the program; in a run, it comes over a
pipe as a text of its own.
"""

from __future__ import annotations

import ast
from types import NoneType


def identity_fault(node: ast.Compare) -> str:
    """What is wrong with an `is`; empty if nothing is, as beside None, True and False."""
    values = [node.left, *node.comparators]
    single = [isinstance(v, ast.Constant) and type(v.value) in (NoneType, bool) for v in values]
    for operator, left, right in zip(node.ops, single, single[1:], strict=False):
        if isinstance(operator, (ast.Is, ast.IsNot)) and not left and not right:
            word, other = ("is", "==") if isinstance(operator, ast.Is) else ("is not", "!=")
            return f"'{word}' is for None, True and False; compare other values with '{other}'"
    return ""
