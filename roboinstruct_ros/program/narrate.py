"""A task program as numbered steps, which a person reads before approving it."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from roboinstruct_ros.domain.phrase import Phrase, Said, phrase, text_of
from roboinstruct_ros.program.argument_wording import ArgumentWording
from roboinstruct_ros.program.call_wording import CallWording
from roboinstruct_ros.program.expression_wording import Words
from roboinstruct_ros.program.language import BUILTINS
from roboinstruct_ros.program.loop_wording import LoopWording, breaks, without_name_test
from roboinstruct_ros.program.meanings import Meaning, Meanings, assignments
from roboinstruct_ros.program.own_functions import given_to, last_of, own_names_of, paired
from roboinstruct_ros.program.storing import Storing, is_aside
from roboinstruct_ros.program.syntax import called, name_of, walk
from roboinstruct_ros.program.task_program import ENTRY_POINT, TaskProgram
from roboinstruct_ros.program.wording import sentence

_DEEPEST_HELPER = 3
_SOMETIMES = (
    ast.BoolOp,
    ast.IfExp,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.Lambda,
)
"""Expressions whose parts are not evaluated once each."""

_OUTER = (ast.Nonlocal, ast.Global)

_SILENT = (ast.Pass, ast.FunctionDef, ast.Nonlocal, ast.Global, ast.AnnAssign, ast.Import)
"""Statements that have no effect of their own."""
_ACTIONS = ("go_to", "pick", "place", "say")
"""Skills that return nothing."""


@dataclass(frozen=True)
class PlanStep:
    """One step of the plan.

    Attributes:
        number: `3` or, inside a condition or a loop, `3.1`.
        line: 1-based line of the program that it describes.
        said: the step as a phrase, for every language; `text` is the English sentence.
        aside: the step only stores a value; it neither acts nor speaks.
    """

    number: str
    line: int
    said: Said
    aside: bool = False

    @property
    def text(self) -> str:
        return sentence(text_of(self.said))

    def __str__(self) -> str:
        return f"{self.number} {self.text}"


def narrate(program: TaskProgram) -> tuple[PlanStep, ...]:
    """The steps of the program, in program order; empty if it does not parse."""
    tree = program.told
    if tree is None:
        return ()
    named: set[ast.AST] = set()
    while True:  # until no step uses a name that another one does not give
        before = len(named)
        plan = _Plan(tree, named)
        plan.tell_program()
        if len(named) == before:
            return tuple(plan.steps)


class _Numbers:
    """Numbers the steps of one level."""

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._count = 0

    def next(self) -> str:
        self._count += 1
        return f"{self._prefix}{self._count}"


class _Plan:
    """Collects steps while it walks the statements."""

    def __init__(self, tree: ast.Module, named: set[ast.AST]) -> None:
        self.steps: list[PlanStep] = []
        self._tree = tree
        functions = {node.name: node for node in walk(tree) if isinstance(node, ast.FunctionDef)}
        self._functions = functions
        shared = {name for one in walk(tree) if isinstance(one, _OUTER) for name in one.names}
        self._words = Words(Meanings(named, functions, shared))
        self._calls = CallWording(self._words, functions.keys() | _variables(tree))
        self._loops = LoopWording(self._words)
        self._storing = Storing(self._words, self._calls, tree, functions)
        self._arguments = ArgumentWording(self._words, self._storing)
        self._last = {one for body in functions.values() for one in last_of(body.body)}
        self._helpers: list[str] = []
        self._constants = self._words.now
        nested = ((n, m) for n in functions.values() for m in walk(n) if m is not n)
        self._around = {inner: outer for outer, inner in nested}
        """The function that each function stands in; the innermost, which comes last."""
        self._frames: dict[ast.AST, Meanings] = {}
        """The meanings in the functions that call the one that is being told."""
        self._unexplained: list[str] = []
        self._done: set[ast.AST] = set()
        """The calls of the program's functions whose steps follow at once."""

    def tell_program(self) -> None:
        """Tell the constants, the steps, and what the functions do that these mention."""
        entry = self._functions.get(ENTRY_POINT)
        if entry not in self._tree.body:
            return
        assert entry is not None
        numbers = _Numbers()
        constants = (ast.Assign, ast.AnnAssign, ast.AugAssign)
        self.tell([one for one in self._tree.body if isinstance(one, constants)], numbers)
        self._constants = self._words.now.copy()
        self._words.now = self._constants.inside(self._constants, own_names_of(entry))
        self.tell(entry.body, numbers)
        for name in self._unexplained:  # grows during the iteration
            function = self._functions[name]
            signature = f"{name}({ast.unparse(function.args)})"
            inside = self._add(numbers, function.lineno, phrase("plan.means", code=signature))
            self._frames = {}
            self._words.now = self._within(function)
            self._helpers = [name]
            self.tell(function.body, inside)

    def tell(self, body: Iterable[ast.stmt], numbers: _Numbers) -> None:
        for statement in body:
            self._tell_statement(statement, numbers)
            self._tell_rest(statement, numbers)
            ends = (ast.Return, ast.Raise, ast.Break, ast.Continue)
            self._words.now.ended |= isinstance(statement, ends)

    def _tell_rest(self, statement: ast.stmt, numbers: _Numbers) -> None:
        """Whatever calls the steps have left out, as code."""
        if isinstance(statement, ast.FunctionDef):
            return
        parts = walk(statement)
        for part in parts:
            is_helper = part not in self._done and name_of(part) in self._functions
            if is_helper and not self._is_explained(name_of(part)):
                self._unexplained.append(name_of(part))
            skill = called(part)
            if skill and skill not in BUILTINS and part not in self._words.shown | self._done:
                self._add(numbers, statement.lineno, self._calls.compute(part))

    def _is_explained(self, name: str) -> bool:
        """Whether the plan says what a function does, whatever it is given."""
        alike = not walk(self._functions[name].args)[1:]
        return name in self._unexplained or (alike and name in self._helpers)

    def _add(self, numbers: _Numbers, line: int, said: Said, aside: bool = False) -> _Numbers:
        """Add a step. Return the numbering of the steps nested in it."""
        number = numbers.next()
        self.steps.append(PlanStep(number, line, said, aside))
        return _Numbers(f"{number}.")

    def _tell_statement(self, statement: ast.stmt, numbers: _Numbers) -> None:
        line = statement.lineno
        if isinstance(statement, ast.If):
            self._tell_if(statement, numbers, "plan.if")
        elif isinstance(statement, ast.For):
            self._tell_for(statement, numbers)
        elif isinstance(statement, ast.While):
            self._words.now.loosen([statement], self._storing.closed)
            inside = self._add(numbers, line, self._loops.as_long_as(statement))
            self._branch(statement.body, inside)
            self._tell_after(statement, numbers)
        elif isinstance(statement, ast.Try):
            self._tell_try(statement, numbers)
        elif (helper := self._helper(statement)) is not None:
            self._tell_helper(*helper, statement, numbers)
        else:
            if (
                isinstance(statement, ast.Return)
                and statement.value
                and self._acts(statement.value)
            ):
                self._add(numbers, line, self._calls.told(statement.value))
            text = self._step(statement)
            if text:
                self._add(numbers, line, text, is_aside(statement))
            self._tell_end(statement, text, numbers)

    def _tell_end(self, statement: ast.stmt, told: Said, numbers: _Numbers) -> None:
        """That a result ends a function, where more stands after it."""
        gives = isinstance(told, Phrase) and told.key in ("plan.result", "plan.result_whether")
        if gives and isinstance(statement, ast.Return) and statement not in self._last:
            label = self._helpers[-1].replace("_", " ")
            self._add(numbers, statement.lineno, phrase("plan.end_helper", label=label))

    def _branch(self, body: Iterable[ast.stmt], numbers: _Numbers) -> Meanings:
        """Tell statements that may be left out. Return the meanings after them."""
        before = self._words.now
        self._words.now = before.copy()
        self.tell(body, numbers)
        after, self._words.now = self._words.now, before
        return after

    def _tell_try(self, statement: ast.Try, numbers: _Numbers) -> None:
        before, storing = self._words.now.copy(), self._storing
        self.tell(statement.body, self._add(numbers, statement.lineno, phrase("plan.try")))
        failed = before.copy()
        failed.loosen(statement.body, storing.closed)
        ends = []
        for handler in statement.handlers:
            after, self._words.now = self._words.now, failed.copy()
            if handler.name:
                self._words.now.forget([handler])
            inside = self._add(numbers, handler.lineno, _failure(statement, handler))
            self.tell(handler.body, inside)
            ends.append(self._words.now)
            self._words.now = after
        self._tell_else(statement.orelse, numbers, phrase("plan.if_worked"))
        for end in ends:
            self._words.now.join(end)
        if statement.finalbody:
            ended = self._words.now.ended
            self._words.now = before
            before.loosen([*statement.body, *statement.handlers, *statement.orelse], storing.closed)
            self._tell_else(statement.finalbody, numbers, phrase("plan.in_any_case"))
            before.ended = ended

    def _tell_if(self, statement: ast.If, numbers: _Numbers, key: str) -> None:
        test, words = statement.test, self._words
        parts = walk(test)
        questions = [n for n in parts if isinstance(n, ast.Call) and called(n) == "ask"]
        always = not any(isinstance(part, _SOMETIMES) for part in parts)
        acting = [one for one in parts if called(one) in (*_ACTIONS, *self._functions)]
        first = all({*questions} & {*walk(one)} for one in acting)  # nothing is done before it
        if len(questions) == 1 and key == "plan.if" and always and first:
            self._add(numbers, statement.lineno, self._calls.told(questions[0]))
            words.told.add(questions[0])
        told = phrase(key, condition=words.condition(test))
        words.now.forget([test])
        after = self._branch(statement.body, self._add(numbers, statement.lineno, told))
        orelse = statement.orelse
        if len(orelse) == 1 and isinstance(orelse[0], ast.If):
            self._tell_if(orelse[0], numbers, "plan.else_if")
        else:
            self._tell_else(orelse, numbers, phrase("plan.else"))
        words.now.join(after)

    def _tell_else(self, body: list[ast.stmt], numbers: _Numbers, said: Said) -> None:
        if body and not all(isinstance(statement, ast.Pass) for statement in body):
            self.tell(body, self._add(numbers, body[0].lineno, said))

    def _tell_after(self, loop: ast.For | ast.While, numbers: _Numbers) -> None:
        """The `else:` of a loop: what is done unless a `break` has ended it."""
        stops = breaks(loop.body)
        stopped = self._words.now.copy()
        told = "plan.unless_stopped" if stops else "plan.when_done"
        self._tell_else(loop.orelse, numbers, phrase(told))
        if stops:
            self._words.now.join(stopped)

    def _tell_for(self, statement: ast.For, numbers: _Numbers) -> None:
        body, only = statement.body, None
        if isinstance(statement.target, ast.Name):
            body, only = without_name_test(statement.body, statement.target.id)
        is_range = called(statement.iter) == "range"
        items = self._loops.times(statement) if is_range else self._words.value(statement.iter)
        now = self._words.now
        now.forget([statement.iter])
        now.loosen([statement], self._storing.closed)
        self._words.now = now.copy()
        told = items if is_range else self._loops.for_each(statement, items, only)
        inside = self._add(numbers, statement.lineno, told)
        self.tell(body, inside)
        self._words.now = now
        self._tell_after(statement, numbers)

    def _helper(self, statement: ast.stmt) -> tuple[ast.FunctionDef, ast.Call, str] | None:
        """A call of one of the program's functions, and the variable that stores its result."""
        storing = isinstance(statement, ast.Assign | ast.AnnAssign)
        plain = storing or isinstance(statement, ast.Expr | ast.Return)
        value = statement.value if plain else None  # type: ignore[attr-defined]
        function = self._functions.get(called(value))
        if function is None or not isinstance(value, ast.Call) or paired(function, value) is None:
            return None
        if function.name in self._helpers or len(self._helpers) >= _DEEPEST_HELPER:
            return None
        if any(name_of(part) in self._functions for one in given_to(value) for part in walk(one)):
            return None
        targets = list(assignments([statement]))
        if len(targets) > storing or (storing and not targets):
            return None
        return function, value, targets[0][0] if storing else ""

    def _tell_helper(
        self,
        function: ast.FunctionDef,
        call: ast.Call,
        target: str,
        statement: ast.stmt,
        numbers: _Numbers,
    ) -> None:
        words, label = self._words, function.name.replace("_", " ")
        given = paired(function, call) or {}
        phrases = self._arguments.said(function, given)
        told = self._arguments.told(call, label, given, phrases)
        inside = self._add(numbers, call.lineno, told)
        self._done |= {call, call.func}
        before = words.now
        self._frames[self._functions[[ENTRY_POINT, *self._helpers][-1]]] = before
        words.now = self._within(function)
        for name, said in phrases.items():
            meaning = self._arguments.meaning(name, given[name], call, said, before)
            words.now.assign(name, meaning)
        self._helpers.append(function.name)
        self.tell(function.body, inside)
        self._helpers.pop()
        words.now = before
        before.loosen([call])
        result = phrase("plan.result_of", label=label)
        if target and statement in before.named:
            noted = phrase("plan.note", label=target.replace("_", " "), value=result)
            self._add(numbers, call.lineno, noted)
            before.assign(target, Meaning(frozenset({statement})))
        elif target:
            last = (function.name, statement)
            before.assign(target, Meaning(frozenset({statement}), result, source=last))
        if isinstance(statement, ast.Return):
            ended = phrase("plan.result", value=result) if self._helpers else phrase("plan.end")
            self._add(numbers, statement.lineno, ended)
            self._tell_end(statement, ended, numbers)

    def _within(self, function: ast.FunctionDef) -> Meanings:
        """The meanings at the beginning of a function."""
        around = self._around.get(function)
        outer = self._frames.get(around, self._constants) if around else self._constants
        if isinstance(around, ast.FunctionDef) and around not in self._frames:
            outer = self._constants.copy()
            outer.loosen(around.body)
        return self._words.now.inside(outer, own_names_of(function))

    def _step(self, statement: ast.stmt) -> Said:
        if isinstance(statement, ast.Expr):
            told = self._calls.told(statement.value)
            self._words.now.forget([statement])
            return told
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            return self._storing.told(statement, statement.targets[0], statement.value)
        if isinstance(statement, ast.AnnAssign) and statement.value is not None:
            return self._storing.told(statement, statement.target, statement.value)
        if isinstance(statement, ast.AugAssign):
            return self._storing.augmented(statement)
        if isinstance(statement, ast.Return):
            return self._return(statement)
        if isinstance(statement, ast.Break):
            return phrase("plan.break")
        if isinstance(statement, ast.Continue):
            return phrase("plan.continue")
        if isinstance(statement, _SILENT):
            return ""
        told = self._calls.compute(statement)
        self._words.now.forget([statement])
        return told

    def _return(self, statement: ast.Return) -> Said:
        if not self._helpers:
            return phrase("plan.end")
        if statement.value is None or called(statement.value) in _ACTIONS:
            return phrase("plan.end_helper", label=self._helpers[-1].replace("_", " "))
        if called(statement.value) == "is_in_room":
            return phrase("plan.result_whether", condition=self._words.condition(statement.value))
        return phrase("plan.result", value=self._words.value(statement.value))

    def _acts(self, value: ast.expr) -> bool:
        """Whether a `return` does more than to give back a value."""
        calls = any(isinstance(part, ast.Call) for part in walk(value))
        return called(value) in _ACTIONS or (calls and not self._helpers)


def _variables(tree: ast.Module) -> set[str]:
    stored = {
        name_of(one) for one in walk(tree) if isinstance(getattr(one, "ctx", None), ast.Store)
    }
    return stored | {one.arg for one in walk(tree) if isinstance(one, ast.arg)}


def _failure(statement: ast.Try, handler: ast.ExceptHandler) -> Said:
    """What a handler handles; which errors, where there are several or it is not a skill's."""
    caught = {"SkillError", "Exception"} & {*map(name_of, walk(handler.type or handler))}
    if handler.type is None or (caught and len(statement.handlers) < 2):
        return phrase("plan.if_fails")
    return phrase("plan.if_fails_with", errors=ast.unparse(handler.type))
