"""The structure of a program: loops, decisions, counts, speech, and driving back."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from typing import TypeGuard

from roboinstruct_ros.generate.words.stems import unified
from roboinstruct_ros.program.syntax import arguments_of, name_of, numbers_of
from roboinstruct_ros.program.task_program import ENTRY_POINT

ADDRESS = r"[A-Z][\w.' ]*, "
"""How a message to somebody begins: "Ann, dinner is ready"."""


def parsed(source: str) -> ast.Module:
    """The tree of a program, in which the arguments of the skills stand in their order."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in _SKILLS:
            node.args, node.keywords = arguments_of(node), []
    return tree


_SKILLS = frozenset({"go_to", "pick", "place", "say", "is_in_room", "ask"})


class ProgramShape:
    """The loops, branches, counts and calls of a program."""

    def __init__(self, tree: ast.AST) -> None:
        nodes = list(ast.walk(tree))
        functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
        self.body = next((one.body for one in functions if one.name == ENTRY_POINT), [])
        self.is_one_function = len(functions) == 1
        self.loops = [node for node in nodes if isinstance(node, ast.For | ast.While)]
        self.loops += [node for node in nodes if isinstance(node, ast.comprehension)]  # type: ignore[misc]
        self.visits = [node for node in nodes if isinstance(node, ast.For)]
        self.waits = any(isinstance(node, ast.While) for node in nodes) or any(
            isinstance(node, ast.Attribute) and node.attr == "sleep" for node in nodes
        )
        paused = [node.args[0] for node in nodes if _is_sleep(node)]
        lengths = [part.value for part in paused if isinstance(part, ast.Constant)]
        self.sleeps = (
            set(lengths) if len(lengths) == len(paused) else set()
        )  # unless one is computed
        self.ifs = [node for node in nodes if isinstance(node, ast.If)]
        self.decides = bool(self.ifs) or any(_decides(node) for node in nodes)
        operators = (part for node in nodes if isinstance(node, ast.Compare) for part in node.ops)
        self.compares = any(isinstance(one, ast.Eq | ast.NotEq | ast.NotIn) for one in operators)
        self.calls = [node for node in nodes if isinstance(node, ast.Call)]
        constants = [node.value for node in nodes if isinstance(node, ast.Constant)]
        self.literals = [value for value in constants if isinstance(value, str)]
        told = (part for call in self.called("say") + self.called("ask") for part in ast.walk(call))
        spoken = (part.value for part in told if isinstance(part, ast.Constant))
        self.spoken = [value for value in spoken if isinstance(value, str)]
        ranges = [(call, numbers_of(call)) for call in self.called("range")]
        known = [(call, numbers) for call, numbers in ranges if numbers is not None]
        bounds = {part for call, _ in known for part in ast.walk(call)}
        outside = (
            one.value for one in nodes if isinstance(one, ast.Constant) and one not in bounds
        )
        self.numbers = {value for value in outside if type(value) is int}
        self.ranges = {len(numbers) for _, numbers in known}
        self.numbers |= self.ranges
        for numbers in (numbers for call, numbers in known if len(call.args) > 1):
            self.numbers |= {*numbers[:1], *numbers[-1:]}
        self.answers = _answers(nodes)
        self.starts = _assigned_from(nodes, "get_current_location")
        self.counts = self._counts(nodes)
        fields = (getattr(node, field, None) for node in nodes for field in ("body", "orelse"))
        self.bodies = [body for body in fields if isinstance(body, list)]
        self.lost = _when_lost(self.bodies)
        self._read = _names_read(tree)

    def drives_home(self, with_nothing: bool) -> bool:
        """Whether the program drives back to its start; `with_nothing` includes driving back to
        report that something was not found."""
        homes = (call for call in self.called("go_to") if call.args)
        homes = (call for call in homes if name_of(call.args[0]) in self.starts)
        return any(with_nothing or call not in self.lost for call in homes)

    def says(self, with_nothing: bool) -> bool:
        """Whether the program says anything; `with_nothing` also that something was not found."""
        return any(with_nothing or call not in self.lost for call in self.called("say"))

    def speaks(self, word: str) -> bool:
        """Whether the program speaks a word, which then belongs to a message or a name.

        Args:
            word: as a regular expression.
        """
        return any(re.search(rf"\b{word}\b", unified(literal)) for literal in self.literals)

    def called(self, skill: str) -> list[ast.Call]:
        """The calls of a skill, in program order."""
        calls = [call for call in self.calls if getattr(call.func, "id", "") == skill]
        return sorted(calls, key=lambda call: (call.lineno, call.col_offset))

    def ignored_answers(self) -> Iterator[ast.Call]:
        """Questions whose answer is stored, and overwritten or left before anything reads it."""
        for body in self.bodies:
            for index, line in enumerate(body):
                name = _answer_in(line)
                if name and not self._is_read(name, body[index + 1 :]):
                    yield line.value

    def _is_read(self, name: str, rest: list[ast.stmt]) -> bool:
        for line in rest:
            if name in _names_read(line):
                return True
            if _answer_in(line) == name:
                return False
        return name in self._read  # perhaps after this body

    def _counts(self, nodes: list[ast.AST]) -> set[int]:
        same = Counter(ast.dump(call) for call in self.calls)
        skills = Counter(getattr(call.func, "id", "") for call in self.calls)
        listed = {len(node.elts) for node in nodes if isinstance(node, ast.List | ast.Tuple)}
        return {*same.values(), *skills.values(), *listed}


def polarity(test: ast.expr, answers: dict[str, ast.Call]) -> bool | None:
    """Whether a test holds when something is there, or somebody says yes; None for other tests."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = polarity(test.operand, answers)
        return None if inner is None else not inner
    if isinstance(test, ast.Name):
        return polarity(answers[test.id], {}) if test.id in answers else None
    if isinstance(test, ast.Call):
        return True if getattr(test.func, "id", "") == "is_in_room" else None
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        right = test.comparators[0]
        said = str(right.value).lower() if isinstance(right, ast.Constant) else ""
        if said in ("yes", "no", "true", "false") and isinstance(test.ops[0], ast.Eq | ast.NotEq):
            return (said in ("yes", "true")) == isinstance(test.ops[0], ast.Eq)
    return None


def leaves(body: list[ast.stmt]) -> bool:
    """Whether what follows these lines is not reached from their end."""
    return bool(body) and isinstance(body[-1], ast.Return | ast.Continue | ast.Break)


def _answer_in(line: ast.stmt) -> str:
    """The variable in which a line stores an answer; empty for other lines."""
    if isinstance(line, ast.Assign) and isinstance(line.value, ast.Call):
        target, asks = line.targets[0], getattr(line.value.func, "id", "") == "ask"
        return target.id if asks and isinstance(target, ast.Name) else ""
    return ""


def _names_read(node: ast.AST) -> set[str]:
    names = (one for one in ast.walk(node) if isinstance(one, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Load)}


def _calls(node: ast.AST, *skills: str) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in skills


def _is_sleep(node: ast.AST) -> TypeGuard[ast.Call]:
    if not isinstance(node, ast.Call) or getattr(node.func, "attr", "") != "sleep":
        return False
    return bool(node.args)  # a call that never runs may have none


def _decides(node: ast.AST) -> bool:
    if isinstance(node, ast.While):
        return not isinstance(node.test, ast.Constant)
    if isinstance(node, ast.comprehension):
        return bool(node.ifs)
    return isinstance(node, ast.IfExp | ast.BoolOp | ast.Match | ast.Try)


def _when_lost(bodies: list[list[ast.stmt]]) -> set[ast.AST]:
    """Calls that say that something was not found, and the up to two calls before each: driving
    back, and putting down what was meant for somebody."""
    found: set[ast.AST] = set()
    for body in bodies:
        for at, line in enumerate(body):
            if isinstance(line, ast.Expr) and "could not find" in ast.unparse(line):
                before = (each for each in body[max(at - 2, 0) : at] if isinstance(each, ast.Expr))
                found |= {each.value for each in before if _calls(each.value, "go_to", "place")}
                found.add(line.value)
    return found


def _answers(nodes: list[ast.AST]) -> dict[str, ast.Call]:
    """Variables that hold the answer of one call and nothing else."""
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
    return {
        name: value
        for name, values in found.items()
        if len(values) == 1 and isinstance(value := values[0], ast.Call)
    }


def _assigned_from(nodes: list[ast.AST], skill: str) -> set[str]:
    return {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and getattr(node.value.func, "id", "") == skill
        for target in node.targets
        if isinstance(target, ast.Name)
    }
