"""Programs one change away from a reference, which a suite's conditions have to catch."""

from __future__ import annotations

import ast
import copy
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from roboinstruct_ros.domain.semantic_map import folded
from roboinstruct_ros.evaluate.suite.case import Case
from roboinstruct_ros.evaluate.worlds.scripted import Thing


class MutantKind(str, Enum):
    """What was changed."""

    NAME = "another name"
    DROPPED = "statement dropped"
    DOUBLED = "statement doubled"
    SWAPPED = "statements swapped"
    NEGATED = "condition negated"
    NO_ELSE = "else dropped"
    OPTION = "another option"
    LIMIT = "limit off by one"
    WORDS = "other words"


@dataclass(frozen=True)
class Mutant:
    """A changed reference.

    Attributes:
        task: of its suite.
        change: what was changed, in a few words.
    """

    task: str
    kind: MutantKind
    change: str
    source: str


Names = tuple[tuple[str, ...], ...]
"""Names of rooms, of things and of people; a name is only replaced by one of the same kind."""

_Edit = tuple[MutantKind, ast.AST, str, Callable[[Any], None]]
"""The kind of change, the node, the change in words, and a function that applies it."""

_DENIALS = re.compile(r"\b(no|not|nothing|nobody|none|cannot|without|missing)\b ?|n't\b", re.I)
_STATEMENTS = ("body", "orelse", "finalbody")
_OTHER_WORD = "something"
_STEM = 4
"""Leading letters by which a word of a message is recognised as one of the instruction's."""


@dataclass(frozen=True)
class _Drawing:
    """The material for changes.

    Attributes:
        asked: first letters of the instruction's words.
    """

    names: Names
    asked: frozenset[str]
    chance: random.Random

    def another(self, name: str) -> str:
        """Another name of the same kind; "" if it is not a name, or there is no other."""
        for known in self.names:
            if folded(name) in map(folded, known):
                others = [one for one in known if folded(one) != folded(name)]
                return self.chance.choice(others) if others else ""
        return ""


def mutants_of(case: Case, chance: random.Random) -> list[Mutant]:
    """All changes of the case's reference, without duplicates; replacement names are random."""
    names = _names(case)
    tree = ast.parse(case.reference)
    found = {}
    asked = frozenset(word[:_STEM] for word in re.findall(r"\w{4,}", case.text.lower()))
    drawing = _Drawing(names, asked, chance)
    for index, node in enumerate(ast.walk(tree)):
        for kind, part, change, edit in _edits(node, drawing):
            changed = copy.deepcopy(tree)
            edit(list(ast.walk(changed))[index])
            source = ast.unparse(ast.fix_missing_locations(changed)) + "\n"
            line = getattr(part, "lineno", 1)
            found[source] = Mutant(case.name, kind, f"line {line}: {change}", source)
    found.pop(ast.unparse(tree) + "\n", None)
    return list(found.values())


def _names(case: Case) -> Names:
    people = {name for trial in case.trials for name in (*trial.answers, *(trial.people or ()))}
    people |= set(case.place.people)
    things = [text for t in case.trials for here in t.here.values() for text in (*here, t.holding)]
    named = {Thing.read(text).name for text in things if text} | set(case.place.things)
    rooms = case.place.rooms.room_names
    return rooms, tuple(sorted(named - people)), tuple(sorted(people - {""}))


def _edits(node: ast.AST, drawing: _Drawing) -> Iterator[_Edit]:
    yield from _other_names(node, drawing)
    if not isinstance(node, ast.Module):
        yield from _other_statements(node)
    yield from _other_tests(node)
    yield from _other_options(node)
    yield from _other_limits(node)
    yield from _other_words(node, drawing)


def _other_names(node: ast.AST, drawing: _Drawing) -> Iterator[_Edit]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        other = drawing.another(node.value)
        if other:
            yield MutantKind.NAME, node, f"'{node.value}' is '{other}'", _setting("value", other)


def _setting(field: str, value: object) -> Callable[[Any], None]:
    return lambda node: setattr(node, field, value)


def _other_statements(node: ast.AST) -> Iterator[_Edit]:
    for field in _STATEMENTS:
        block = getattr(node, field, None)
        if not isinstance(block, list):
            continue
        for at, statement in enumerate(block):
            if isinstance(statement, ast.Pass):
                continue
            told = ast.unparse(statement).splitlines()[0]
            yield MutantKind.DROPPED, statement, told, _dropping(field, at)
            yield MutantKind.DOUBLED, statement, told, _doubling(field, at)
            if at:
                yield MutantKind.SWAPPED, statement, f"{told} comes earlier", _swapping(field, at)
    if getattr(node, "orelse", None):
        yield MutantKind.NO_ELSE, node, "there is no else", _emptying_else


def _dropping(field: str, at: int) -> Callable[[Any], None]:
    def drop(node: Any) -> None:
        getattr(node, field)[at] = ast.Pass()

    return drop


def _doubling(field: str, at: int) -> Callable[[Any], None]:
    def double(node: Any) -> None:
        block = getattr(node, field)
        block.insert(at, copy.deepcopy(block[at]))

    return double


def _swapping(field: str, at: int) -> Callable[[Any], None]:
    def swap(node: Any) -> None:
        block = getattr(node, field)
        block[at - 1], block[at] = block[at], block[at - 1]

    return swap


def _emptying_else(node: Any) -> None:
    if isinstance(node.orelse, list):
        node.orelse = []
    else:
        node.orelse = copy.deepcopy(node.body)  # or `a if b else c`


def _other_tests(node: ast.AST) -> Iterator[_Edit]:
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        negated = ast.UnaryOp(ast.Not(), copy.deepcopy(node.test))
        yield MutantKind.NEGATED, node, ast.unparse(node.test), _setting("test", negated)
    if isinstance(node, ast.comprehension) and node.ifs:
        ifs = [ast.UnaryOp(ast.Not(), copy.deepcopy(node.ifs[0])), *node.ifs[1:]]
        yield MutantKind.NEGATED, node.ifs[0], ast.unparse(node.ifs[0]), _setting("ifs", ifs)


def _other_options(node: ast.AST) -> Iterator[_Edit]:
    """An answer is compared with another text, or an option is not offered."""
    if isinstance(node, ast.Compare):
        for at, part in enumerate(node.comparators):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield MutantKind.OPTION, node, f"'{part.value}' is none", _other_comparison(at)
    if isinstance(node, ast.Call) and _name_of(node) == "ask" and node.args:
        options = node.args[-1]
        if isinstance(options, ast.List) and len(options.elts) > 1:
            for at, one in enumerate(options.elts):
                yield (
                    MutantKind.OPTION,
                    node,
                    f"{ast.unparse(one)} is not offered",
                    _not_offering(at),
                )


def _other_comparison(at: int) -> Callable[[Any], None]:
    def change(node: Any) -> None:
        node.comparators[at].value = _OTHER_WORD

    return change


def _not_offering(at: int) -> Callable[[Any], None]:
    def change(node: Any) -> None:
        del node.args[-1].elts[at]

    return change


def _name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


_MOST_TIMES = 20
"""A greater number is not a count that matters by one, but a time or a year."""

_LIMITS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt
}  # fmt: skip


def _other_limits(node: ast.AST) -> Iterator[_Edit]:
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value <= _MOST_TIMES:
        for other in (node.value - 1, node.value + 1):
            if other >= 0:
                yield MutantKind.LIMIT, node, f"{node.value} is {other}", _setting("value", other)
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _LIMITS:
        other_op = _LIMITS[type(node.ops[0])]()
        yield MutantKind.LIMIT, node, ast.unparse(node), _setting("ops", [other_op, *node.ops[1:]])


def _other_words(node: ast.AST, drawing: _Drawing) -> Iterator[_Edit]:
    """The words of a message or question that matter: names and negations, else what is asked."""
    said = []
    if isinstance(node, ast.Call) and _name_of(node) in ("say", "ask"):
        said = node.args[:1] if _name_of(node) == "say" else node.args[1:2]
    elif isinstance(node, (ast.Assign, ast.AugAssign)) and not isinstance(node.value, ast.Call):
        said = [node.value]
    for index, part in enumerate(ast.walk(node)):
        inside = any(part is one for whole in said for one in ast.walk(whole))
        if inside and isinstance(part, ast.Constant) and isinstance(part.value, str):
            for text in _reworded(part.value, drawing):
                yield MutantKind.WORDS, part, f"'{part.value}' is '{text}'", _wording(index, text)


def _wording(index: int, text: str) -> Callable[[Any], None]:
    def change(node: Any) -> None:
        parts: list[Any] = list(ast.walk(node))
        parts[index].value = text

    return change


def _reworded(text: str, drawing: _Drawing) -> Iterator[str]:
    if " " not in text.strip() or drawing.another(text):
        return  # a name or an option
    changed = []
    for name in (name for known in drawing.names for name in known):
        words = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
        if words.search(text) and (other := drawing.another(name)):
            changed.append(words.sub(other, text))
    if _DENIALS.search(text):
        changed.append(_DENIALS.sub("", text))
    asked = [word for word in re.findall(r"\w{4,}", text) if word[:_STEM].lower() in drawing.asked]
    if asked and not changed:
        changed.append(text.replace(max(asked, key=len), _OTHER_WORD))
    yield from changed
