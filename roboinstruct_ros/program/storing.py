"""The words for statements that store something, and what the variable stands for after them."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from roboinstruct_ros.domain.phrase import Said, phrase
from roboinstruct_ros.program.call_wording import CallWording
from roboinstruct_ros.program.expression_wording import STARTED, Words
from roboinstruct_ros.program.language import BUILTINS
from roboinstruct_ros.program.meanings import (
    Meaning,
    Source,
    changed_names,
    is_closed,
    shared_names,
    source,
)
from roboinstruct_ros.program.phrase_kinds import is_rooms
from roboinstruct_ros.program.remembered_places import BEGINNING, RememberedPlaces
from roboinstruct_ros.program.syntax import called, children, name_of, walk
from roboinstruct_ros.program.task_program import ENTRY_POINT

_PLAIN_ANSWERS = ("answer", "response", "reply", "result", "res", "ans")


class Storing:
    """Words what is stored, and keeps the meanings of the words true.

    Args:
        tree: the whole program.
        functions: of the program, by name.
    """

    def __init__(
        self,
        words: Words,
        calls: CallWording,
        tree: ast.Module,
        functions: Mapping[str, ast.FunctionDef],
    ) -> None:
        self._words, self._calls = words, calls
        self._places = RememberedPlaces(functions, ENTRY_POINT)
        entry = functions.get(ENTRY_POINT)
        self._questions = sum(called(n) == "ask" for n in walk(entry)) if entry else 0
        self._changed = changed_names(tree)
        self._aliased = shared_names(tree, functions) | self._changed
        outer = [node.names for node in walk(tree) if isinstance(node, ast.Nonlocal | ast.Global)]
        self._shared = {name for names in outer for name in names}

    def told(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> Said:
        """The assignment of a value; empty for one that needs no words."""
        name = name_of(target)
        if not name:
            label, said = self._words.code(target), self._words.value(value)
            self._words.now.forget([node])
            return phrase("plan.note", label=label, value=said)
        if name in self._shared:
            self._words.now.named.add(node)
        told = self._step(name, node, value)
        self._words.now.forget([value])
        self._words.now.assign(name, self.meant(name, node, value))
        return told

    def _step(self, name: str, node: ast.stmt, value: ast.expr) -> Said:
        label, named = name.replace("_", " "), node in self._words.now.named
        skill = called(value)
        if skill == "get_current_location":
            self._words.shown.add(value)
            self._words.now.take(phrase("plan.remembered"))
            return phrase("plan.remember_as", label=label) if named else phrase("plan.remember")
        if skill == "ask":
            asked = self._calls.told(value)
            plain = self._is_plain(name) and not named
            return asked if plain else phrase("plan.note_answer", ask=asked, label=label)
        if skill == "is_in_room":
            looked = phrase("plan.look_whether", condition=self._words.condition(value))
            return phrase("plan.note_answer", ask=looked, label=label) if named else looked
        meaning = self.meant(name, node, value)
        if meaning.is_list:
            return phrase("plan.start_list", label=label)
        if meaning.said is not None:
            return ""
        return phrase("plan.note", label=label, value=self._words.value(value))

    def meant(self, name: str, node: ast.AST, value: ast.expr) -> Meaning:
        """What the variable stands for after the assignment."""
        words, label = self._words, name.replace("_", " ")
        own, named = frozenset({node}), node in self._words.now.named
        if name in self._shared:
            return Meaning(own)
        if isinstance(value, ast.List) and not value.elts:
            return Meaning(own, phrase("plan.list", label=label), is_list=True)
        if not isinstance(value, ast.Call | ast.ListComp):
            return Meaning(own)
        skill = called(value)
        if isinstance(value, ast.Call) and skill == "get_current_location":
            return self._remembered(own, label, value, source(value, name), named)
        if isinstance(value, ast.Call) and skill == "ask":
            if named or not self._is_plain(name):
                return Meaning(own, phrase("plan.answer_called", label=label))
            return Meaning(own, phrase("plan.answer"), source=source(value, name))
        about = words.now.about(value)
        named |= self.is_shared(about)
        if isinstance(value, ast.Call) and skill == "is_in_room" and not named:
            said, denied = (words.presence(value, no, past=True) for no in (False, True))
            return Meaning(own, said, denied, source(value, name), about=about)
        skills = {*map(called, walk(value))} - BUILTINS - {"", "get_all_rooms"}
        if named or name in self._aliased or skills:
            return Meaning(own)
        rooms = words.value(value)
        return Meaning(own, rooms if is_rooms(rooms) else None, about=about)

    def closed(self, name: str, node: ast.AST) -> Meaning:
        """The same of an assignment anywhere, whatever the variables stand for there."""
        value = getattr(node, "value", None)
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        is_one = not isinstance(node, ast.AugAssign) and [*map(name_of, targets)] == [name]
        if is_one and isinstance(value, ast.expr) and (is_closed(value) or not children(value)):
            return self.meant(name, node, value)
        return Meaning(frozenset({node}))

    def is_changed(self, name: str) -> bool:
        """Whether the program may change the list that a variable of this name holds."""
        return name in self._changed

    def is_shared(self, about: tuple[tuple[str, Meaning], ...]) -> bool:
        """Whether a function may change one of these variables for others."""
        return any(name in self._shared for name, _ in about)

    def _remembered(
        self, own: frozenset[ast.AST], label: str, call: ast.Call, last: Source, named: bool
    ) -> Meaning:
        place = self._places.of(call)
        if place is not None:
            known = STARTED if place == BEGINNING else self._words.place(ast.Constant(place))
            return Meaning(own, known)
        if named:
            return Meaning(own, phrase("plan.place_called", label=label))
        return Meaning(own, phrase("plan.remembered"), source=last)

    def _is_plain(self, name: str) -> bool:
        return self._questions < 2 or name in _PLAIN_ANSWERS

    def augmented(self, statement: ast.AugAssign) -> Said:
        """The change of a value in place."""
        words, name = self._words, name_of(statement.target)
        label, value = words.value(statement.target), words.value(statement.value)
        keys = {ast.Add: "plan.add", ast.Sub: "plan.subtract", ast.Mult: "plan.multiply"}
        key = keys.get(type(statement.op))
        told = phrase(key, value=value, list=label) if key else self._calls.compute(statement)
        words.now.forget([statement.value])
        known = words.now.known(name)
        if known is None or not known.is_list:
            words.now.show(name)
            words.now.forget([statement])
        return told


def is_aside(statement: ast.stmt) -> bool:
    """Whether a statement only stores a value: no answer, and no text that may be said later."""
    kept = isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign))
    value = statement.value if isinstance(statement, ast.Expr) else None
    method = value.func if isinstance(value, ast.Call) else None
    collected = isinstance(method, ast.Attribute) and method.attr in ("append", "add")
    telling = (
        called(node) in ("ask", "is_in_room")
        or (isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value)
        for node in ast.walk(statement)
    )
    return (kept or collected) and not any(telling)
