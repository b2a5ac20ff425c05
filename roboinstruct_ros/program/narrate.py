"""A task program as numbered English steps: what a person reads before approving it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable
from dataclasses import dataclass

from roboinstruct_ros.program.task_program import ENTRY_POINT, TaskProgram
from roboinstruct_ros.program.wording import Words, name_test, sentence

_DEEPEST_HELPER = 3
_SILENT = (ast.Pass, ast.FunctionDef, ast.Nonlocal, ast.Global, ast.AnnAssign, ast.Import)
"""Statements that do nothing by themselves."""

_TOLD = {"ask": (1, 2, 3), "print": range(1, 256)}
_TOLD |= dict.fromkeys(("go_to", "pick", "place", "say", "is_in_room"), (1,))
"""How many arguments the calls take that have words of their own; skills of the same names take
others on other robots."""

_PLAIN_ANSWERS = ("answer", "response", "reply", "result", "res", "ans")


@dataclass(frozen=True)
class PlanStep:
    """One step of the plan.

    Attributes:
        number: `3` or, inside a condition or a loop, `3.1`.
        line: 1-based line of the program that it tells.
        aside: it only keeps something in mind, and does and says nothing.
    """

    number: str
    line: int
    text: str
    aside: bool = False

    def __str__(self) -> str:
        return f"{self.number} {self.text}"


def narrate(program: TaskProgram) -> tuple[PlanStep, ...]:
    """The steps of the program, in its order; empty when it does not parse."""
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
        self._helpers: list[str] = []
        tree = functions.get(ENTRY_POINT)
        self._questions = sum(_skill(n) == "ask" for n in ast.walk(tree)) if tree else 0

    def tell(self, body: Iterable[ast.stmt], numbers: _Numbers) -> None:
        for statement in body:
            self._tell_statement(statement, numbers)

    def _add(self, numbers: _Numbers, line: int, text: str, aside: bool = False) -> _Numbers:
        """Add a step. The numbers of what stands inside it."""
        number = numbers.next()
        self.steps.append(PlanStep(number, line, sentence(text), aside))
        return _Numbers(f"{number}.")

    def _tell_statement(self, statement: ast.stmt, numbers: _Numbers) -> None:
        line = statement.lineno
        if isinstance(statement, ast.If):
            self._tell_if(statement, numbers, "if")
        elif isinstance(statement, ast.For):
            self._tell_for(statement, numbers)
        elif isinstance(statement, ast.While):
            inside = self._add(numbers, line, self._while(statement))
            self.tell(statement.body, inside)
            self._tell_else(statement.orelse, numbers, "when that is done:")
        elif isinstance(statement, ast.Try):
            self.tell(statement.body, self._add(numbers, line, "try this:"))
            for handler in statement.handlers:
                self.tell(handler.body, self._add(numbers, handler.lineno, "if that fails:"))
            self._tell_else(statement.orelse, numbers, "if that worked:")
            self._tell_else(statement.finalbody, numbers, "in any case:")
        elif (helper := self._helper(statement)) is not None:
            self._tell_helper(*helper, numbers)
        else:
            text = self._step(statement)
            if text:
                self._add(numbers, line, text, _is_aside(statement))

    def _tell_if(self, statement: ast.If, numbers: _Numbers, word: str) -> None:
        test = statement.test
        questions = [n for n in ast.walk(test) if isinstance(n, ast.Call) and _skill(n) == "ask"]
        if len(questions) == 1 and word == "if" and not isinstance(test, ast.BoolOp):
            self._add(numbers, statement.lineno, self._call(questions[0]))
            self._words.told.add(questions[0])
        inside = self._add(numbers, statement.lineno, f"{word} {self._words.condition(test)}:")
        self.tell(statement.body, inside)
        orelse = statement.orelse
        if len(orelse) == 1 and isinstance(orelse[0], ast.If):
            self._tell_if(orelse[0], numbers, "otherwise, if")
        else:
            self._tell_else(orelse, numbers, "otherwise:")

    def _tell_else(self, body: list[ast.stmt], numbers: _Numbers, text: str) -> None:
        if body and not all(isinstance(statement, ast.Pass) for statement in body):
            self.tell(body, self._add(numbers, body[0].lineno, text))

    def _tell_for(self, statement: ast.For, numbers: _Numbers) -> None:
        body, only = statement.body, ""
        if isinstance(statement.target, ast.Name):
            body, only = _without_name_test(statement.body, statement.target.id)
        inside = self._add(numbers, statement.lineno, self._for(statement, only))
        self.tell(body, inside)
        self._tell_else(statement.orelse, numbers, "when that is done:")

    def _helper(self, statement: ast.stmt) -> tuple[ast.FunctionDef, ast.Call, str] | None:
        """A call of a function of the program, and the variable that keeps its result."""
        value = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
        function = self._functions.get(_skill(value)) if value is not None else None
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
        using = f" with {' and '.join(phrases.values())}" if phrases else ""
        inside = self._add(numbers, call.lineno, f"do “{label}”{using}:")
        before = dict(self._words.meaning)
        self._words.meaning.update(phrases)
        self._helpers.append(function.name)
        self.tell(function.body, inside)
        self._helpers.pop()
        self._words.meaning = before
        if target:
            self._words.meaning[target] = f"the result of “{label}”"

    def _step(self, statement: ast.stmt) -> str:
        if isinstance(statement, ast.Expr):
            return self._call(statement.value)
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            return self._assign(statement.targets[0], statement.value)
        if isinstance(statement, ast.AnnAssign) and statement.value is not None:
            return self._assign(statement.target, statement.value)
        if isinstance(statement, ast.AugAssign):
            return self._augment(statement)
        if isinstance(statement, ast.Return):
            return self._return(statement)
        if isinstance(statement, ast.Break):
            return "stop repeating"
        if isinstance(statement, ast.Continue):
            return "go on with the next one"
        if isinstance(statement, _SILENT):
            return ""
        return f"compute: {ast.unparse(statement)}"

    def _return(self, statement: ast.Return) -> str:
        if not self._helpers:
            return "end the task"
        if statement.value is None:
            return f"end “{self._helpers[-1].replace('_', ' ')}”"
        return f"the result is {self._words.value(statement.value)}"

    def _assign(self, target: ast.expr, value: ast.expr) -> str:
        words = self._words
        name = target.id if isinstance(target, ast.Name) else ""
        skill = _skill(value)
        words.presence.pop(name, None)
        if name and skill == "get_current_location":
            first = "where I started" not in words.meaning.values() and not self._helpers
            words.meaning[name] = "where I started" if first else "that room"
            return "remember where I am"
        if name and isinstance(value, ast.Call) and skill == "ask":
            return self._call(value) + self._note_answer(name)
        if name and isinstance(value, ast.Call) and skill == "is_in_room":
            words.presence[name] = value
            return f"look whether {words.condition(value)}"
        if name and words.value(value).startswith("all rooms"):
            words.meaning[name] = words.value(value)
            return ""
        label = name.replace("_", " ") or ast.unparse(target)
        words.meaning.pop(name, None)
        if name and isinstance(value, ast.List) and not value.elts:
            words.lists.add(name)
            words.meaning[name] = f"the list “{label}”"
            return f"start an empty list “{label}”"
        return f"note {label}: {words.value(value)}"

    def _note_answer(self, name: str) -> str:
        label = name.replace("_", " ")
        if self._questions < 2 or name in _PLAIN_ANSWERS:
            self._words.meaning[name] = "the answer"
            return ""
        self._words.meaning[name] = f"the answer “{label}”"
        return f" and note the answer as “{label}”"

    def _augment(self, statement: ast.AugAssign) -> str:
        label = self._words.value(statement.target)
        value = self._words.value(statement.value)
        if isinstance(statement.op, ast.Add):
            return f"add {value} to {label}"
        if isinstance(statement.op, ast.Sub):
            return f"take {value} from {label}"
        if isinstance(statement.op, ast.Mult):
            return f"multiply {label} by {value}"
        return f"compute: {ast.unparse(statement)}"

    def _for(self, statement: ast.For, only: str) -> str:
        items = statement.iter
        name = statement.target.id if isinstance(statement.target, ast.Name) else ""
        if isinstance(items, ast.Call) and _skill(items) == "range":
            return self._times(items)
        value = self._words.value(items)
        if value.startswith("all rooms"):
            self._words.meaning[name] = "that room"
            which = value.removeprefix("all rooms") + (f" whose name {only}" if only else "")
            return f"for every room{which}:"
        label = name.replace("_", " ") if len(name) > 1 else "item"
        if name:
            self._words.meaning[name] = f"that {label}"
        return f"for each {label} of {value}{f' that {only}' if only else ''}:"

    def _times(self, call: ast.Call) -> str:
        if len(call.args) != 1:
            return f"repeat this for {ast.unparse(call)}:"
        if isinstance(call.args[0], ast.Constant):
            count = str(call.args[0].value)
            return "do this once:" if count == "1" else f"do this {count} times:"
        return f"do this as many times as {self._words.value(call.args[0])} says:"

    def _while(self, statement: ast.While) -> str:
        test = statement.test
        if isinstance(test, ast.Constant) and test.value:
            return "again and again, until a step below ends it:"
        return f"as long as {self._words.condition(test)}:"

    def _call(self, node: ast.expr) -> str:
        if not isinstance(node, ast.Call):
            return "" if isinstance(node, ast.Constant) else f"compute: {ast.unparse(node)}"
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        name = _skill(node)
        if len(arguments) in _TOLD.get(name, ()):
            return str(getattr(self, f"_tell_{name}")(arguments))
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if method in ("append", "add") and arguments and isinstance(node.func, ast.Attribute):
            target = self._words.value(node.func.value)
            return f"add {self._words.value(arguments[0])} to {target}"
        if method == "sleep" and arguments:
            unit = "second" if ast.unparse(arguments[0]) == "1" else "seconds"
            return f"wait {self._words.value(arguments[0])} {unit}"
        if name and not hasattr(builtins, name) and name not in self._functions:
            return self._other_skill(node)
        return f"compute: {ast.unparse(node)}"

    def _other_skill(self, call: ast.Call) -> str:
        """A skill that only its domain file knows: its name and what it is given."""
        given = [self._words.value(value) for value in call.args]
        given += [f"{one.arg} {self._words.value(one.value)}" for one in call.keywords]
        return ": ".join(filter(None, [_skill(call).replace("_", " "), ", ".join(given)]))

    def _tell_go_to(self, arguments: list[ast.expr]) -> str:
        place = self._words.place(arguments[0])
        return f"go back to {place}" if place == "where I started" else f"go to {place}"

    def _tell_pick(self, arguments: list[ast.expr]) -> str:
        return f"pick up {self._words.thing(arguments[0])}"

    def _tell_place(self, arguments: list[ast.expr]) -> str:
        return f"put down {self._words.thing(arguments[0])}"

    def _tell_say(self, arguments: list[ast.expr]) -> str:
        return f'say "{self._words.text(arguments[0])}"'

    def _tell_print(self, arguments: list[ast.expr]) -> str:
        return f"write to the log: {self._words.text(arguments[0])}"

    def _tell_is_in_room(self, arguments: list[ast.expr]) -> str:
        return f"look for {self._words.thing(arguments[0])}"

    def _tell_ask(self, arguments: list[ast.expr]) -> str:
        text = f"ask {self._words.thing(arguments[0])}"
        if len(arguments) > 1:
            text += f': "{self._words.text(arguments[1])}"'
        if len(arguments) > 2 and isinstance(arguments[2], (ast.List, ast.Tuple)):
            options = " / ".join(self._words.text(option) for option in arguments[2].elts)
            text += f" ({options})"
        return text


def _without_name_test(body: list[ast.stmt], name: str) -> tuple[list[ast.stmt], str]:
    """The body of a loop over names, and the test that its first statement makes of the name."""
    first = body[0]
    if not isinstance(first, ast.If) or first.orelse:
        return body, ""
    if len(body) == 1:
        test = name_test(first.test, name)
        return (first.body, test) if test else (body, "")
    skips = len(first.body) == 1 and isinstance(first.body[0], ast.Continue)
    test = name_test(first.test, name, negated=True) if skips else ""
    return (body[1:], test) if test else (body, "")


def _is_aside(statement: ast.stmt) -> bool:
    """Whether it only keeps something in mind: no answer, and no words that may be used later."""
    kept = isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign))
    value = statement.value if isinstance(statement, ast.Expr) else None
    method = value.func if isinstance(value, ast.Call) else None
    collected = isinstance(method, ast.Attribute) and method.attr in ("append", "add")
    telling = (
        _skill(node) in ("ask", "is_in_room")
        or (isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value)
        for node in ast.walk(statement)
    )
    return (kept or collected) and not any(telling)


def _skill(node: ast.AST) -> str:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id
    return ""
