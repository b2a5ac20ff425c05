"""The words for a call in a program: a skill, or one of Python's that a plan can name."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection

from roboinstruct_ros.domain.phrase import Said, listed, phrase
from roboinstruct_ros.program.expression_wording import STARTED, Words
from roboinstruct_ros.program.syntax import arguments_of, called

_TOLD = {"ask": (1, 2, 3), "print": range(1, 256)}
_TOLD |= dict.fromkeys(("go_to", "pick", "place", "say", "is_in_room"), (1,))
"""Numbers of arguments of the calls with wording of their own; other robots have skills of the
same names with other parameters."""


class CallWording:
    """Words calls with what the variables stand for at that point.

    Args:
        words: what they stand for.
        own: names of the program's own functions, which are told elsewhere, and of its variables.
    """

    def __init__(self, words: Words, own: Collection[str]) -> None:
        self._words, self._own = words, own

    def told(self, node: ast.expr) -> Said:
        """What the expression does; empty for one that does nothing."""
        if not isinstance(node, ast.Call):
            return "" if isinstance(node, ast.Constant) else self.compute(node)
        name = called(node)
        arguments = node.args if name == "print" else arguments_of(node)
        starred = any(isinstance(one, ast.Starred) for one in node.args)
        unpacked = starred or any(one.arg is None for one in node.keywords)
        if len(arguments) in _TOLD.get(name, ()) and not unpacked:
            self._words.shown.add(node)
            told: Said = getattr(self, f"_tell_{name}")(arguments)
            return told
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if method in ("append", "add") and len(arguments) == 1:
            assert isinstance(node.func, ast.Attribute)
            target = self._words.value(node.func.value)
            return phrase("plan.add", value=self._words.value(arguments[0]), list=target)
        if method == "sleep" and len(arguments) == 1:
            n = 1 if ast.unparse(arguments[0]) == "1" else 2
            return phrase("plan.wait", n=n, time=self._words.value(arguments[0]))
        if name and not hasattr(builtins, name) and name not in self._own and not unpacked:
            self._words.shown.add(node)
            return self._other_skill(node)
        return self.compute(node)

    def compute(self, node: ast.AST) -> Said:
        """What has no words of its own, as code."""
        return phrase("plan.compute", code=self._words.code(node))

    def _other_skill(self, call: ast.Call) -> Said:
        """A skill that only its domain file knows, as its name and arguments."""
        given: list[Said] = [self._words.value(value) for value in call.args]
        given += [(f"{one.arg} ", self._words.value(one.value)) for one in call.keywords]
        name = called(call).replace("_", " ")
        return (name, ": ", listed(given)) if given else name

    def _tell_go_to(self, arguments: list[ast.expr]) -> Said:
        place = self._words.place(arguments[0])
        if place == STARTED:
            return phrase("plan.go_back")
        # Languages word a name and a variable differently.
        named = isinstance(arguments[0], ast.Constant)
        return phrase("plan.go_to" if named else "plan.go_to_said", place=place)

    def _tell_pick(self, arguments: list[ast.expr]) -> Said:
        return phrase("plan.pick", what=self._words.thing(arguments[0]))

    def _tell_place(self, arguments: list[ast.expr]) -> Said:
        return phrase("plan.place", what=self._words.thing(arguments[0]))

    def _tell_say(self, arguments: list[ast.expr]) -> Said:
        return phrase("plan.say", text=self._words.text(arguments[0]))

    def _tell_print(self, arguments: list[ast.expr]) -> Said:
        return phrase("plan.print", text=listed(map(self._words.text, arguments), " "))

    def _tell_is_in_room(self, arguments: list[ast.expr]) -> Said:
        return phrase("plan.look_for", what=self._words.thing(arguments[0]))

    def _tell_ask(self, arguments: list[ast.expr]) -> Said:
        who = self._words.thing(arguments[0])
        if len(arguments) == 1:
            return phrase("plan.ask", who=who)
        question = self._words.text(arguments[1])
        self._words.now.take(phrase("plan.answer"))
        if len(arguments) == 2:
            return phrase("plan.ask_question", who=who, question=question)
        options = self._words.options(arguments[2])
        return phrase("plan.ask_options", who=who, question=question, options=options)
