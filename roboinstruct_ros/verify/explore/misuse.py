"""Locates an exception in the program's text, and finds the skill whose answer was misused."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice
from types import TracebackType

from roboinstruct_ros.domain.skills import Domain, Skill
from roboinstruct_ros.program.syntax import called, name_of
from roboinstruct_ros.sandbox.namespace import FILENAME

_MISUSES = (TypeError, AttributeError, ValueError)
_CONVERSIONS = ("int", "float")

Place = tuple[int, int, int, int]
"""Line, column, end line and end column; lines from 1, columns from 0."""


def place_of(error: BaseException) -> Place:
    """The place of the exception in the program; line 0 if it arose outside.

    Before Python 3.11 only the line is known, and the columns are 0.
    """
    place = (0, 0, 0, 0)
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == FILENAME:
            place = _position(traceback)
        traceback = traceback.tb_next
    return place


def _position(traceback: TracebackType) -> Place:
    code, line = traceback.tb_frame.f_code, traceback.tb_lineno
    positions = getattr(code, "co_positions", None)
    if positions is None:
        return (line, 0, line, 0)
    start, end, column, end_column = next(
        islice(positions(), traceback.tb_lasti // 2, None), (None,) * 4
    )
    if start is None or column is None:
        return (line, 0, line, 0)
    return (start, column, end or start, end_column or 0)


def misused_skill(
    tree: ast.Module, domain: Domain, place: Place, error: BaseException
) -> Skill | None:
    """The skill whose answer the failing expression misuses; else None."""
    if not isinstance(error, _MISUSES):
        return None
    for node in _nodes_at(tree, place):
        for operand in _operands(node, isinstance(error, ValueError)):
            skill = _source(tree, operand, domain)
            if skill is not None:
                return skill
    return None


def answer_in_words(skill: Skill) -> str:
    """What a skill returns, as a clause."""
    kinds = {
        "nothing": "gives nothing back",
        "current_location": "gives the name of a room, a text",
        "all_locations": "gives a list of names of rooms",
        "one_of_options": "gives one of the options, a text",
    }
    return f"the skill {skill.name} {kinds.get(skill.returns, 'gives True or False')}"


def _nodes_at(tree: ast.Module, place: Place) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if not isinstance(node, (ast.expr, ast.For)) or node.lineno != place[0]:
            continue
        whole = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        if not place[3] or whole == place:
            # a value that cannot be iterated is blamed on the whole `for`
            yield node.iter if isinstance(node, ast.For) else node


def _operands(node: ast.expr, converts_only: bool) -> list[ast.expr]:
    if converts_only and not isinstance(node, ast.Call):
        return []
    match node:
        case ast.Call(args=given):
            is_conversion = called(node) in _CONVERSIONS
            return given if is_conversion or not converts_only else []
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.JoinedStr(values=parts):
            return [part.value for part in parts if isinstance(part, ast.FormattedValue)]
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
        case ast.Subscript(value=part) | ast.Attribute(value=part) | ast.UnaryOp(operand=part):
            return [part]
    return [node]


def _source(tree: ast.Module, node: ast.expr, domain: Domain) -> Skill | None:
    """The skill that the value comes from: called here, or the only value assigned to the name."""
    sources = {called(node)}
    if isinstance(node, ast.Name):
        binding = (other for other in ast.walk(tree) if _binds(other, node.id))
        sources = {called(b.value) if isinstance(b, ast.Assign) else "" for b in binding}
    name = sources.pop() if len(sources) == 1 else ""
    return domain.skill(name) if name in domain.skill_names else None


def _binds(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Assign(targets=targets):
            return name in map(name_of, targets)
        case (
            ast.For(target=target)
            | ast.comprehension(target=target)
            | ast.AugAssign(target=target)
            | ast.NamedExpr(target=target)
            | ast.AnnAssign(target=target)
        ):
            return name in map(name_of, ast.walk(target))
    return isinstance(node, ast.arg) and node.arg == name
