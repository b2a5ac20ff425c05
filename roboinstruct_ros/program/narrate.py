"""A task program as numbered steps, which a person reads before approving it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from roboinstruct_ros.domain.phrase import Said, joined, listed, phrase, text_of
from roboinstruct_ros.program.call_wording import CallWording, compute
from roboinstruct_ros.program.remembered_places import BEGINNING, RememberedPlaces
from roboinstruct_ros.program.syntax import called
from roboinstruct_ros.program.task_program import ENTRY_POINT, TaskProgram
from roboinstruct_ros.program.wording import (
    STARTED,
    Words,
    is_rooms,
    name_test,
    sentence,
    which_of,
)

_DEEPEST_HELPER = 3
_SILENT = (ast.Pass, ast.FunctionDef, ast.Nonlocal, ast.Global, ast.AnnAssign, ast.Import)
"""Statements that have no effect of their own."""

_PLAIN_ANSWERS = ("answer", "response", "reply", "result", "res", "ans")


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
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    plan = _Plan({function.name: function for function in functions})
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == ENTRY_POINT:
            plan.tell(statement.body, _Numbers())
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

    def __init__(self, functions: dict[str, ast.FunctionDef]) -> None:
        self.steps: list[PlanStep] = []
        self._functions = functions
        self._words = Words()
        self._calls = CallWording(self._words, functions)
        self._places = RememberedPlaces(functions, ENTRY_POINT)
        self._helpers: list[str] = []
        tree = functions.get(ENTRY_POINT)
        self._questions = sum(called(n) == "ask" for n in ast.walk(tree)) if tree else 0

    def tell(self, body: Iterable[ast.stmt], numbers: _Numbers) -> None:
        for statement in body:
            self._tell_statement(statement, numbers)

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
            inside = self._add(numbers, line, self._while(statement))
            self.tell(statement.body, inside)
            self._tell_after(statement, numbers)
        elif isinstance(statement, ast.Try):
            self.tell(statement.body, self._add(numbers, line, phrase("plan.try")))
            for handler in statement.handlers:
                self.tell(handler.body, self._add(numbers, handler.lineno, phrase("plan.if_fails")))
            self._tell_else(statement.orelse, numbers, phrase("plan.if_worked"))
            self._tell_else(statement.finalbody, numbers, phrase("plan.in_any_case"))
        elif (helper := self._helper(statement)) is not None:
            self._tell_helper(*helper, numbers)
        else:
            text = self._step(statement)
            if text:
                self._add(numbers, line, text, _is_aside(statement))

    def _tell_if(self, statement: ast.If, numbers: _Numbers, key: str) -> None:
        test = statement.test
        questions = [n for n in ast.walk(test) if isinstance(n, ast.Call) and called(n) == "ask"]
        if len(questions) == 1 and key == "plan.if" and not isinstance(test, ast.BoolOp):
            self._add(numbers, statement.lineno, self._calls.told(questions[0]))
            self._words.told.add(questions[0])
        told = phrase(key, condition=self._words.condition(test))
        inside = self._add(numbers, statement.lineno, told)
        self.tell(statement.body, inside)
        orelse = statement.orelse
        if len(orelse) == 1 and isinstance(orelse[0], ast.If):
            self._tell_if(orelse[0], numbers, "plan.else_if")
        else:
            self._tell_else(orelse, numbers, phrase("plan.else"))

    def _tell_else(self, body: list[ast.stmt], numbers: _Numbers, said: Said) -> None:
        if body and not all(isinstance(statement, ast.Pass) for statement in body):
            self.tell(body, self._add(numbers, body[0].lineno, said))

    def _tell_after(self, loop: ast.For | ast.While, numbers: _Numbers) -> None:
        """The `else:` of a loop: what is done unless a `break` has ended it."""
        told = "plan.unless_stopped" if _breaks(loop.body) else "plan.when_done"
        self._tell_else(loop.orelse, numbers, phrase(told))

    def _tell_for(self, statement: ast.For, numbers: _Numbers) -> None:
        body, only = statement.body, None
        if isinstance(statement.target, ast.Name):
            body, only = _without_name_test(statement.body, statement.target.id)
        inside = self._add(numbers, statement.lineno, self._for(statement, only))
        self.tell(body, inside)
        self._tell_after(statement, numbers)

    def _helper(self, statement: ast.stmt) -> tuple[ast.FunctionDef, ast.Call, str] | None:
        """A call of one of the program's functions, and the variable that stores its result."""
        value = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
        function = self._functions.get(called(value)) if value is not None else None
        if function is None or not isinstance(value, ast.Call):
            return None
        if function.name in self._helpers or len(self._helpers) >= _DEEPEST_HELPER:
            return None
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        return function, value, target.id if isinstance(target, ast.Name) else ""

    def _tell_helper(
        self, function: ast.FunctionDef, call: ast.Call, target: str, numbers: _Numbers
    ) -> None:
        label = function.name.replace("_", " ")
        parameters = [argument.arg for argument in function.args.args]
        given = dict(zip(parameters, call.args, strict=False))
        given.update({k.arg: k.value for k in call.keywords if k.arg is not None})
        phrases = {name: self._words.thing(value) for name, value in given.items()}
        told = phrase("plan.do", label=label)
        if phrases:
            values = joined("plan.and", list(phrases.values()))
            told = phrase("plan.do_with", label=label, values=values)
        inside = self._add(numbers, call.lineno, told)
        before = dict(self._words.meaning)
        self._words.meaning.update(phrases)
        self._helpers.append(function.name)
        self.tell(function.body, inside)
        self._helpers.pop()
        self._words.meaning = before
        if target:
            self._words.meaning[target] = phrase("plan.result_of", label=label)

    def _step(self, statement: ast.stmt) -> Said:
        if isinstance(statement, ast.Expr):
            return self._calls.told(statement.value)
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            return self._assign(statement.targets[0], statement.value)
        if isinstance(statement, ast.AnnAssign) and statement.value is not None:
            return self._assign(statement.target, statement.value)
        if isinstance(statement, ast.AugAssign):
            return self._augment(statement)
        if isinstance(statement, ast.Return):
            return self._return(statement)
        if isinstance(statement, ast.Break):
            return phrase("plan.break")
        if isinstance(statement, ast.Continue):
            return phrase("plan.continue")
        if isinstance(statement, _SILENT):
            return ""
        return compute(statement)

    def _return(self, statement: ast.Return) -> Said:
        if not self._helpers:
            return phrase("plan.end")
        if statement.value is None:
            return phrase("plan.end_helper", label=self._helpers[-1].replace("_", " "))
        return phrase("plan.result", value=self._words.value(statement.value))

    def _assign(self, target: ast.expr, value: ast.expr) -> Said:
        words = self._words
        name = target.id if isinstance(target, ast.Name) else ""
        skill = called(value)
        words.presence.pop(name, None)
        if name and skill == "get_current_location":
            words.meaning[name] = self._remembered(value)
            return phrase("plan.remember")
        if name and isinstance(value, ast.Call) and skill == "ask":
            return self._note_answer(name, self._calls.told(value))
        if name and isinstance(value, ast.Call) and skill == "is_in_room":
            words.presence[name] = value
            return phrase("plan.look_whether", condition=words.condition(value))
        if name and is_rooms(words.value(value)):
            words.meaning[name] = words.value(value)
            return ""
        label = name.replace("_", " ") or ast.unparse(target)
        words.meaning.pop(name, None)
        if name and isinstance(value, ast.List) and not value.elts:
            words.lists.add(name)
            words.meaning[name] = phrase("plan.list", label=label)
            return phrase("plan.start_list", label=label)
        return phrase("plan.note", label=label, value=words.value(value))

    def _remembered(self, call: ast.expr) -> Said:
        place = self._places.of(call)
        if place is None:
            return phrase("plan.remembered")
        return STARTED if place == BEGINNING else self._words.place(ast.Constant(place))

    def _note_answer(self, name: str, asked: Said) -> Said:
        label = name.replace("_", " ")
        if self._questions < 2 or name in _PLAIN_ANSWERS:
            self._words.meaning[name] = phrase("plan.answer")
            return asked
        self._words.meaning[name] = phrase("plan.answer_called", label=label)
        return phrase("plan.note_answer", ask=asked, label=label)

    def _augment(self, statement: ast.AugAssign) -> Said:
        label = self._words.value(statement.target)
        value = self._words.value(statement.value)
        if isinstance(statement.op, ast.Add):
            return phrase("plan.add", value=value, list=label)
        if isinstance(statement.op, ast.Sub):
            return phrase("plan.subtract", value=value, list=label)
        if isinstance(statement.op, ast.Mult):
            return phrase("plan.multiply", value=value, list=label)
        return compute(statement)

    def _for(self, statement: ast.For, only: Said | None) -> Said:
        items = statement.iter
        name = statement.target.id if isinstance(statement.target, ast.Name) else ""
        if isinstance(items, ast.Call) and called(items) == "range":
            return self._times(items)
        value = self._words.value(items)
        if is_rooms(value):
            self._words.meaning[name] = phrase("plan.that_room")
            tested = phrase("plan.whose_name", test=only) if only is not None else ""
            return phrase("plan.for_rooms", which=(which_of(value), tested))
        label: Said = name.replace("_", " ") if len(name) > 1 else phrase("plan.item")
        if name:
            self._words.meaning[name] = phrase("plan.that", label=label)
        elif isinstance(statement.target, ast.Tuple):
            label = joined("plan.and", [self._one_of(each) for each in statement.target.elts])
            pairs = items.elts if isinstance(items, ast.List) else []
            tuples = [pair.elts for pair in pairs if isinstance(pair, ast.Tuple) and pair.elts]
            if tuples and len(tuples) == len(pairs):
                told = ([self._words.value(part) for part in parts] for parts in tuples)
                value = listed(joined("plan.and", parts) for parts in told)
        tested = phrase("plan.that_is", test=only) if only is not None else ""
        return phrase("plan.for_each", label=label, list=value, which=tested)

    def _one_of(self, target: ast.expr) -> Said:
        """The label of one of several variables of a loop."""
        label = ast.unparse(target).replace("_", " ")
        if isinstance(target, ast.Name):
            self._words.meaning[target.id] = phrase("plan.that", label=label)
        return label

    def _times(self, call: ast.Call) -> Said:
        if len(call.args) != 1:
            return phrase("plan.for_code", code=ast.unparse(call))
        count = call.args[0]
        if isinstance(count, ast.Constant) and isinstance(count.value, int):
            return phrase("plan.times", n=count.value)
        return phrase("plan.times_of", value=self._words.value(count))

    def _while(self, statement: ast.While) -> Said:
        test = statement.test
        if isinstance(test, ast.Constant) and test.value:
            return phrase("plan.again_and_again")
        return phrase("plan.while", condition=self._words.condition(test))


def _without_name_test(body: list[ast.stmt], name: str) -> tuple[list[ast.stmt], Said | None]:
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


def _breaks(body: Sequence[ast.AST]) -> bool:
    """Whether a `break` in these statements ends the loop around them."""
    for node in body:
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, ast.FunctionDef):
            continue
        inner = isinstance(node, (ast.For, ast.While))
        blocks = ("orelse",) if inner else ("body", "orelse", "handlers", "finalbody")
        if any(_breaks(getattr(node, block, ())) for block in blocks):
            return True
    return False


def _is_aside(statement: ast.stmt) -> bool:
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
