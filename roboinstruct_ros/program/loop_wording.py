"""The words for loops, and what their variables stand for inside."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from roboinstruct_ros.domain.phrase import Said, joined, listed, phrase
from roboinstruct_ros.program.expression_wording import Words, name_test
from roboinstruct_ros.program.meanings import Meaning
from roboinstruct_ros.program.phrase_kinds import is_rooms, which_of
from roboinstruct_ros.program.syntax import name_of, numbers_of


class LoopWording:
    """Words loops with what the variables stand for at that point."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def for_each(self, statement: ast.For, items: Said, only: Said | None) -> Said:
        """The beginning of a loop over items; from here on its variables stand for one of them.

        Args:
            only: a test of the name that only some of them meet.
        """
        name = name_of(statement.target)
        if is_rooms(items) and name:
            tested = phrase("plan.whose_name", test=only) if only is not None else ""
            which = (which_of(items), tested)
            if statement in self._words.now.named:
                label = self._each(statement, name)
                return phrase("plan.for_rooms_as", label=label, which=which)
            self._mean(statement, name, phrase("plan.that_room"))
            return phrase("plan.for_rooms", which=which)
        label = self._each(statement, name)
        if not name and isinstance(statement.target, ast.Tuple):
            names = (name_of(one) or ast.unparse(one) for one in statement.target.elts)
            label = joined("plan.and", [self._each(statement, one, True) for one in names])
            pairs = statement.iter.elts if isinstance(statement.iter, ast.List | ast.Tuple) else []
            tuples = [pair.elts for pair in pairs if isinstance(pair, ast.Tuple) and pair.elts]
            if tuples and len(tuples) == len(pairs):
                told = (map(self._words.element, parts) for parts in tuples)
                items = listed(joined("plan.and", [*parts]) for parts in told)
        tested = phrase("plan.that_is", test=only) if only is not None else ""
        return phrase("plan.for_each", label=label, list=items, which=tested)

    def _each(self, loop: ast.For, name: str, whole: bool = False) -> Said:
        """The label of a variable of a loop, by which it is told in there."""
        whole |= len(name) > 1 or loop in self._words.now.named
        label: Said = name.replace("_", " ") if whole else phrase("plan.item")
        self._mean(loop, name, phrase("plan.that", label=label))
        return label

    def _mean(self, loop: ast.For, name: str, said: Said) -> None:
        if name:
            meaning = Meaning(frozenset({loop}), said, source=("for", loop))
            self._words.now.assign(name, meaning)

    def times(self, statement: ast.For) -> Said:
        """The beginning of a loop over a `range`."""
        call, named = statement.iter, statement in self._words.now.named
        name, numbers = ast.unparse(statement.target), numbers_of(call)
        if numbers is not None and not named:
            return phrase("plan.times", n=len(numbers))
        if numbers and abs(numbers.step) == 1:
            label, last = name.replace("_", " "), numbers[-1]
            return phrase("plan.for_numbers", label=label, first=numbers[0], last=last)
        if named or not isinstance(call, ast.Call) or len(call.args) != 1:
            code = self._words.code(call)
            return phrase("plan.for_code", code=(f"{name} in " if named else "", code))
        count = call.args[0]
        return phrase("plan.times_of", value=self._words.value(count))

    def as_long_as(self, statement: ast.While) -> Said:
        """The beginning of a loop with a condition."""
        test = statement.test
        if isinstance(test, ast.Constant) and test.value:
            return phrase("plan.again_and_again")
        return phrase("plan.while", condition=self._words.condition(test))


def without_name_test(body: list[ast.stmt], name: str) -> tuple[list[ast.stmt], Said | None]:
    """The body of a loop over names, and the test of the name in its first statement."""
    first = body[0]
    if not isinstance(first, ast.If) or first.orelse:
        return body, None
    if len(body) == 1:
        test = name_test(first.test, name)
        return (first.body, test) if test is not None else (body, None)
    skips = len(first.body) == 1 and isinstance(first.body[0], ast.Continue)
    test = name_test(first.test, name, negated=True) if skips else None
    return (body[1:], test) if test is not None else (body, None)


def breaks(body: Sequence[ast.AST]) -> bool:
    """Whether a `break` in these statements ends the loop around them."""
    for node in body:
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, ast.FunctionDef):
            continue
        inner = isinstance(node, (ast.For, ast.While))
        blocks = ("orelse",) if inner else ("body", "orelse", "handlers", "finalbody")
        if any(breaks(getattr(node, block, ())) for block in blocks):
            return True
    return False
