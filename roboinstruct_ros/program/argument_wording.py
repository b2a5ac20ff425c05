"""What the arguments of a program's own functions stand for, where they are called and inside."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from roboinstruct_ros.domain.phrase import Said, joined, phrase
from roboinstruct_ros.program.expression_wording import Words
from roboinstruct_ros.program.meanings import Meaning, Meanings
from roboinstruct_ros.program.own_functions import given_to
from roboinstruct_ros.program.storing import Storing
from roboinstruct_ros.program.syntax import arguments_of, called, name_of, walk

_LASTING = (
    ast.Constant,
    ast.Name,
    ast.List,
    ast.Tuple,
    ast.ListComp,
    ast.JoinedStr,
    ast.BinOp,
    ast.Call,
)
"""Arguments whose words are true wherever a function uses them, with calls of `_LASTING_CALLS`."""
_LASTING_CALLS = ("get_all_rooms", "sorted", "list", "len", "str")


class ArgumentWording:
    """Words arguments with what the variables stand for at that point."""

    def __init__(self, words: Words, storing: Storing) -> None:
        self._words, self._storing = words, storing

    def said(self, function: ast.FunctionDef, given: Mapping[str, ast.expr]) -> dict[str, Said]:
        """The arguments that the parameters are given: a thing where the function names one by it,
        a text that names none as the text that it is."""
        things = _things_of(function)
        words = self._words
        return {
            name: words.value(value)
            if isinstance(value, ast.Constant) and not (value.value and name in things)
            else words.thing(value)
            for name, value in given.items()
        }

    def told(
        self,
        call: ast.Call,
        label: str,
        given: Mapping[str, ast.expr],
        phrases: Mapping[str, Said],
    ) -> Said:
        """The step of a call, with its arguments; by name, defaults too, where steps use these."""
        by_name = call in self._words.now.named
        told_of = [*given.values()] if by_name else given_to(call)
        shown = {name: said for name, said in phrases.items() if given[name] in told_of}
        if not shown:
            return phrase("plan.do", label=label)
        values = [(f"{name}: ", said) if by_name else said for name, said in shown.items()]
        return phrase("plan.do_with", label=label, values=joined("plan.and", values))

    def meaning(
        self, name: str, value: ast.expr, call: ast.Call, said: Said, outer: Meanings
    ) -> Meaning:
        """What a parameter stands for; without words where those of the argument would not last."""
        known = outer.known(name_of(value))
        parts = [] if name_of(value) else walk(value)
        calls = any(
            isinstance(one, ast.Call) and called(one) not in _LASTING_CALLS for one in parts
        )
        changes = any(name_of(one) and self._storing.is_changed(name_of(one)) for one in parts)
        loose = calls or changes or not isinstance(value, _LASTING)
        if loose or self._storing.is_changed(name):
            return Meaning(frozenset({call}))
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return Meaning(frozenset({call}), said=self._words.value(value), text=value.value)
        if known is not None and known.said is not None:
            return replace(known, assigned=known.assigned | {call})
        about = outer.about(value)
        if self._storing.is_shared(about):
            return Meaning(frozenset({call}))
        return Meaning(frozenset({call}), said, about=about)


def _things_of(function: ast.FunctionDef) -> set[str]:
    """The variables that name a room, a thing or a person for a skill."""
    skills = ("go_to", "pick", "place", "ask", "is_in_room")
    calls = [one for one in walk(function) if isinstance(one, ast.Call) and called(one) in skills]
    return {name_of(one) for call in calls for one in arguments_of(call)[:1]}
