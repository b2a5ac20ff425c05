"""What the text of a program tells the explorer before it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from roboinstruct_ros.domain.skills import Domain

_MOST = 8
"""The largest count of rooms that is made up."""


@dataclass(frozen=True)
class ProgramFacts:
    """Facts read from the syntax tree.

    Attributes:
        texts: string constants, in the order of the text; they decide which rooms differ.
        keys: texts that a set or a dict of the program holds; a name looked up there is not
            compared with them one by one.
        counts_to: the largest number that the program compares a length with, or takes an item at.
        locations: texts given to a location parameter.
        asks_where: the program asks for the robot's room.
        examines_start: it does more with that room than go there, name it, or compare it with a
            text; then any two rooms may differ for it.
        waits_to: the largest whole number that such a loop compares with: it may give up after so
            many tries.
        waiting_lines: lines that a `while` loop repeats; there, an answer may change.
        columns: column of the first call of a skill on a line.
        branches: line of each `if`, `while` and `for` inside functions, to the first line of its
            body where that is another line.
        statement_lines: first line of each statement inside functions.
        looping_lines: lines of `for` loops and comprehensions; how far they are is no variable.
        unused_answers: lines of questions whose answer is never read.
    """

    tree: ast.Module
    texts: tuple[str, ...]
    keys: tuple[str, ...]
    counts_to: int
    locations: tuple[str, ...]
    asks_where: bool
    examines_start: bool
    waits_to: int
    waiting_lines: frozenset[int]
    columns: dict[tuple[int, str], int]
    branches: dict[int, int]
    statement_lines: frozenset[int]
    looping_lines: frozenset[int]
    unused_answers: tuple[int, ...]


def facts_of(tree: ast.Module, domain: Domain) -> ProgramFacts:
    """Read the facts off a program's syntax tree."""
    nodes = list(ast.walk(tree))
    calls = [n for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    skills = [call for call in calls if _name(call) in domain.skill_names]
    locations = _unique(w for c in skills for w in _argument_texts(c, domain, ("location",)))
    where = [call for call in skills if domain.skill(_name(call)).returns == "current_location"]
    return ProgramFacts(
        tree=tree,
        texts=_unique(text for node in nodes for text in _text_of(node)),
        keys=_unique(t for n in nodes for t in _keys(n)) if _asks_rooms(skills, domain) else (),
        counts_to=min(_MOST, max((n for node in nodes for n in _counted(node)), default=0)),
        locations=locations,
        asks_where=bool(where),
        examines_start=bool(where) and _examines(tree, where, domain),
        waits_to=_waits_to(nodes),
        waiting_lines=frozenset(_waiting_lines(nodes)),
        columns={(c.lineno, _name(c)): c.col_offset for c in reversed(calls)},
        branches=_branches(tree),
        statement_lines=frozenset(_statement_lines(tree)),
        looping_lines=frozenset(line for node in nodes for line in _looping(node)),
        unused_answers=tuple(_unused_answers(nodes, domain)),
    )


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _text_of(node: ast.AST) -> tuple[str, ...]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return (node.value,)
    return ()


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _asks_rooms(skills: list[ast.Call], domain: Domain) -> bool:
    kinds = {domain.skill(_name(call)).returns for call in skills}
    return bool(kinds & {"current_location", "all_locations"})


def _keys(node: ast.AST) -> list[str]:
    parts: list[ast.expr | None] = []
    if isinstance(node, ast.Set):
        parts = [*node.elts]
    elif isinstance(node, ast.Dict):
        parts = [*node.keys]
    return [text for part in parts if part is not None for text in _text_of(part) if text]


def _counted(node: ast.AST) -> list[int]:
    parts: list[ast.expr | None] = []
    if isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
        if not any(isinstance(part, ast.Call) and _name(part) == "len" for part in parts):
            return []
    elif isinstance(node, ast.Subscript):
        index = node.slice
        parts = [index.lower, index.upper] if isinstance(index, ast.Slice) else [index]
    values = [part.value for part in parts if isinstance(part, ast.Constant)]
    return [value for value in values if isinstance(value, int) and not isinstance(value, bool)]


def _branches(tree: ast.Module) -> dict[int, int]:
    bodies = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.While, ast.For)) and node.body[0].lineno > node.lineno:
            bodies[node.lineno] = node.body[0].lineno
    return bodies


def _looping(node: ast.AST) -> range:
    if isinstance(node, (ast.For, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return range(node.lineno, (node.end_lineno or node.lineno) + 1)
    return range(0)


def _argument_texts(call: ast.Call, domain: Domain, types: tuple[str, ...]) -> list[str]:
    """Texts that stand in the arguments of these types."""
    skill = domain.skill(_name(call))
    given: dict[str, ast.expr] = dict(zip(skill.parameter_names, call.args, strict=False))
    given.update({k.arg: k.value for k in call.keywords if k.arg is not None})
    arguments = [given[p.name] for p in skill.parameters if p.type in types and p.name in given]
    return [t for a in arguments for n in ast.walk(a) for t in _text_of(n) if t]


def _examines(tree: ast.Module, where: list[ast.Call], domain: Domain) -> bool:
    """Whether the robot's room is used in a way in which any two rooms may differ."""
    parents = {id(c): node for node in ast.walk(tree) for c in ast.iter_child_nodes(node)}
    kept = {
        target.id
        for call in where
        if isinstance(assign := parents[id(call)], ast.Assign)
        for target in assign.targets
        if isinstance(target, ast.Name)
    }
    uses = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in kept
    ]
    return not all(_is_plain_use(use, parents[id(use)], domain) for use in [*where, *uses])


def _is_plain_use(use: ast.expr, parent: ast.AST, domain: Domain) -> bool:
    if isinstance(parent, ast.Compare):
        others = [part for part in (parent.left, *parent.comparators) if part is not use]
        tested = not isinstance(parent.ops[0], (ast.In, ast.NotIn)) or use is not parent.left
        return tested and all(isinstance(part, ast.Constant) for part in others)
    if isinstance(parent, ast.Assign):
        return (
            use is parent.value
            and all(isinstance(t, ast.Name) for t in parent.targets)
            and (isinstance(use, ast.Call))
        )
    if isinstance(parent, ast.Call):
        return use is not parent.func and _name(parent) in (*domain.skill_names, "print", "str")
    return isinstance(parent, (ast.Expr, ast.FormattedValue)) or (
        isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add)
    )


def _waits_to(nodes: list[ast.AST]) -> int:
    loops = [node for node in nodes if isinstance(node, ast.While)]
    compared = [
        part.value
        for loop in loops
        for node in ast.walk(loop)
        if isinstance(node, (ast.Compare, ast.Subscript))
        for part in ast.walk(node)
        if isinstance(part, ast.Constant)
    ]
    numbers = [value for value in compared if isinstance(value, int)]
    return max((int(number) for number in numbers), default=0)


def _waiting_lines(nodes: list[ast.AST]) -> set[int]:
    """Lines that a `while` loop runs again and again, also in functions that it calls."""
    functions = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}
    repeated: list[ast.While | ast.FunctionDef] = [n for n in nodes if isinstance(n, ast.While)]
    lines: set[int] = set()
    while repeated:
        block = repeated.pop()
        lines.update(range(block.lineno, (block.end_lineno or block.lineno) + 1))
        for node in ast.walk(block):
            called = functions.pop(_name(node), None) if isinstance(node, ast.Call) else None
            if called is not None:
                repeated.append(called)
    return lines


def _statement_lines(tree: ast.Module) -> list[int]:
    """First lines of statements that run when the program does; texts alone do not count."""
    lines = []
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                bare_text = isinstance(node, ast.Expr) and _is_text(node.value)
                if isinstance(node, ast.stmt) and node is not function and not bare_text:
                    lines.append(node.lineno)
    return lines


def _unused_answers(nodes: list[ast.AST], domain: Domain) -> list[int]:
    """Lines of questions whose answer is thrown away, or kept under a name that is never read."""
    read = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    lines = []
    for node in nodes:
        if not isinstance(node, (ast.Expr, ast.Assign)) or not isinstance(node.value, ast.Call):
            continue
        name = _name(node.value)
        if name not in domain.skill_names or domain.skill(name).returns != "one_of_options":
            continue
        targets = node.targets if isinstance(node, ast.Assign) else []
        if all(isinstance(target, ast.Name) and target.id not in read for target in targets):
            lines.append(node.lineno)
    return sorted(lines)
