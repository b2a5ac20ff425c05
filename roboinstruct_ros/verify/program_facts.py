"""Facts that the explorer reads from a program's text before running it."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.program.syntax import Parents, called, name_of, parents_in, text_of, walk
from roboinstruct_ros.verify.explore.address_text import sees_addresses
from roboinstruct_ros.verify.explore.rounds import round_lines, rounds_tried, waiting_loops
from roboinstruct_ros.verify.explore.standing import ClearCalls
from roboinstruct_ros.verify.rooms.room_use import RoomUse
from roboinstruct_ros.verify.world.handlers import Handlers, handlers_of


@dataclass(frozen=True)
class ProgramFacts:
    """Facts read from the syntax tree.

    Attributes:
        names: that occur in the program.
        rooms: how the program handles room names.
        handlers: where skills may fail.
        waiting_lines: lines that a `while` loop repeats; an answer there may change.
        round_lines: where the state of such a loop is recorded, see `rounds`.
        rounds_tried: iterations of a loop that are tried exhaustively if no state recurs.
        columns: column of the first skill call on a line.
        branches: line of each `if`, `while` and `for` inside functions, to the first line of its
            body if that is another line.
        statement_lines: first line of each statement inside functions.
        looping_lines: lines of `for` loops and comprehensions; their position is in no variable.
        unused_answers: lines of questions whose answer is never read.
        sees_addresses: the program may branch on memory addresses.
        clear_calls: calls at which two runs can be compared.
    """

    tree: ast.Module
    names: frozenset[str]
    rooms: RoomUse
    handlers: Handlers
    waiting_lines: frozenset[int]
    round_lines: dict[int, bool]
    rounds_tried: int
    columns: dict[tuple[int, str], int]
    branches: dict[int, int]
    statement_lines: frozenset[int]
    looping_lines: frozenset[int]
    unused_answers: tuple[int, ...]
    sees_addresses: bool
    clear_calls: ClearCalls


def facts_of(tree: ast.Module, domain: Domain, parents: Parents | None = None) -> ProgramFacts:
    """Read the facts from a program's syntax tree.

    Args:
        parents: of all nodes of the tree, if already known.
    """
    parents = parents_in(tree) if parents is None else parents
    nodes = list(parents)
    loops = waiting_loops(tree, nodes)
    calls = [n for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    return ProgramFacts(
        tree=tree,
        names=frozenset(map(name_of, nodes)),
        rooms=RoomUse(parents, domain),
        handlers=handlers_of(parents, domain),
        waiting_lines=frozenset(_waiting_lines(nodes, loops)),
        round_lines=round_lines(nodes, loops),
        rounds_tried=rounds_tried(nodes, loops),
        columns={(c.lineno, called(c)): c.col_offset for c in reversed(calls)},
        branches=_branches(nodes),
        statement_lines=frozenset(_statement_lines(tree, nodes)),
        looping_lines=frozenset(line for node in nodes for line in _looping(node)),
        unused_answers=tuple(_unused_answers(nodes, domain)),
        sees_addresses=sees_addresses(nodes, domain),
        clear_calls=ClearCalls(parents, domain),
    )


def _branches(nodes: list[ast.AST]) -> dict[int, int]:
    bodies = {}
    for node in nodes:
        if isinstance(node, (ast.If, ast.While, ast.For)) and node.body[0].lineno > node.lineno:
            bodies[node.lineno] = node.body[0].lineno
    return bodies


def _looping(node: ast.AST) -> range:
    if isinstance(node, (ast.For, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return range(node.lineno, (node.end_lineno or node.lineno) + 1)
    return range(0)


def _waiting_lines(nodes: list[ast.AST], loops: Iterable[ast.AST]) -> set[int]:
    """Lines that a waiting loop repeats, including those of functions that it may call."""
    functions: dict[str, ast.FunctionDef | ast.Lambda] = {}
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            functions[node.name] = node
        elif isinstance(node, ast.Lambda):
            functions[f"lambda {node.lineno}.{node.col_offset}"] = node
    repeated = list(loops)
    if repeated:  # by any name
        repeated += [functions.pop(name) for name in list(functions) if "lambda" in name]
    lines: set[int] = set()
    while repeated:
        block = repeated.pop()
        assert isinstance(block, (ast.stmt, ast.expr))
        lines.update(range(block.lineno, (block.end_lineno or block.lineno) + 1))
        for node in walk(block):
            if isinstance(node, ast.Name) and node.id in functions:
                repeated.append(functions.pop(node.id))
    return lines


def _statement_lines(tree: ast.Module, nodes: list[ast.AST]) -> list[int]:
    """First lines of executable statements; bare strings do not count."""
    return [
        node.lineno
        for node in nodes
        if isinstance(node, ast.stmt) and node not in tree.body
        if not (isinstance(node, ast.Expr) and text_of(node.value) is not None)
    ]


def _unused_answers(nodes: list[ast.AST], domain: Domain) -> list[int]:
    """Lines of questions whose answer is discarded, or stored under a name that is never read."""
    read = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    lines = []
    for node in nodes:
        if not isinstance(node, (ast.Expr, ast.Assign)) or not isinstance(node.value, ast.Call):
            continue
        name = called(node.value)
        if name not in domain.skill_names or domain.skill(name).returns != "one_of_options":
            continue
        targets = node.targets if isinstance(node, ast.Assign) else []
        if all(isinstance(target, ast.Name) and target.id not in read for target in targets):
            lines.append(node.lineno)
    return sorted(lines)
