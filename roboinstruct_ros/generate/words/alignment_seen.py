"""Notes on a program that contradicts what it has just seen, or undoes what it has just done."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.generate.words.program_shape import ProgramShape, polarity
from roboinstruct_ros.generate.words.stems import unified


def seen_notes(shape: ProgramShape) -> Iterator[str]:
    """One plain English sentence for each contradiction."""
    yield from _belied(shape)
    yield from _put_back(shape)


def _belied(shape: ProgramShape) -> Iterator[str]:
    """The program says that something is there after seeing that it is not, or the reverse."""
    for branch in shape.ifs:
        holds, seen = polarity(branch.test, shape.answers), seen_in(branch.test, shape.answers)
        if holds is None or not seen:
            continue
        for there, body in ((holds, branch.body), (not holds, branch.orelse)):
            if not there:
                yield from _met_though_absent(seen, body)
            for said in _literals(body, "say"):
                if _tells(said, seen) is (not there):
                    key = "note.said_there" if there else "note.said_absent"
                    yield str(phrase(key, words=said, thing=seen))


def _met_though_absent(seen: str, body: list[ast.stmt]) -> Iterator[str]:
    """Actions with something that is not there, before the robot drives on."""
    for statement in body:
        for call in (node for node in ast.walk(statement) if isinstance(node, ast.Call)):
            skill, [first, *_] = getattr(call.func, "id", ""), [*map(_text, call.args), ""]
            if skill == "go_to":
                return
            if skill in ("pick", "ask") and first == seen:
                yield str(phrase("note.met_absent", skill=skill, thing=seen))
            if skill == "say" and first.startswith(f"{seen}, "):
                yield str(phrase("note.spoken_absent", who=seen))


def _text(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ""


def _put_back(shape: ProgramShape) -> Iterator[str]:
    """An object that is carried to the room where it was picked up."""
    for body in shape.bodies:
        lines = [ast.unparse(line) for line in body]
        for first, taken, then in zip(lines, lines[1:], lines[2:], strict=False):
            if first == then and first.startswith("go_to(") and taken.startswith("pick("):
                yield str(phrase("note.put_back", thing=taken[5:-1]))


def _tells(said: str, thing: str) -> bool | None:
    """Whether a sentence says that a thing is there; None if it says neither."""
    text, name = unified(said), re.escape(unified(thing))
    if re.search(rf"\bthere (?:is|are) (?:no|not) (?:\w+ )?{name}", text):
        return False
    if re.search(rf"\b(?:could not|couldn't|did not|didn't) find (?:\w+ )?{name}", text):
        return False
    if re.search(rf"\b(?:there (?:is|are)|i found) (?!no\b|not\b)(?:\w+ )?{name}", text):
        return True
    return None


def seen_in(test: ast.expr, answers: dict[str, ast.Call]) -> str:
    """The thing that a test looks for; empty for other tests."""
    while isinstance(test, ast.UnaryOp):
        test = test.operand
    if isinstance(test, ast.Name):
        test = answers.get(test.id, test)
    if isinstance(test, ast.Call) and getattr(test.func, "id", "") == "is_in_room" and test.args:
        thing = test.args[0]
        return str(thing.value) if isinstance(thing, ast.Constant) else ""
    return ""


def _literals(body: list[ast.stmt], skill: str) -> Iterator[str]:
    for statement in body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == skill:
            for part in ast.walk(call):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value
