"""Verdicts held against worlds: who says that no world breaks a program must not meet one."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from brute_force import Search, Seen
from named_world import House
from plain_rules import RULES, TwofoldRule
from program_expressions import TRAP
from program_strategies import LARGE, program_of

from roboinstruct_ros.domain.policies import NO_POLICIES
from roboinstruct_ros.domain.semantic_map import Pose, Room, SemanticMap
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.verify.verdict import Verdict, WarningCode
from roboinstruct_ros.verify.verifier import replay, verify

DOMAIN = load_domain()
ANY_ROOMS = House(())
_ROOMS = {"kitchen": ("galley",), "office": (), "lab": ("old kitchen",)}


def map_of(rooms: dict[str, tuple[str, ...]]) -> SemanticMap:
    """The map of these rooms and their aliases."""
    nowhere = Pose(0.0, 0.0, 0.0)
    return SemanticMap(tuple(Room(name, more, nowhere) for name, more in rooms.items()))


def house_of(rooms: dict[str, tuple[str, ...]]) -> House:
    """The same as the oracle has it."""
    known = {alias.lower(): room for room, more in rooms.items() for alias in (room, *more)}
    return House(tuple(rooms), tuple(rooms), aliases=known)


@dataclass(frozen=True)
class Case:
    """A program, where it runs, and what an operator forbids there.

    Attributes:
        semantic_map, house: the same rooms, for the verifier and for the oracle.
    """

    source: str
    semantic_map: SemanticMap | None = None
    house: House = ANY_ROOMS
    rule: TwofoldRule | None = None

    def with_program(self, source: str, rule: TwofoldRule | None = None) -> Case:
        return replace(self, source=source, rule=rule)

    def verdict(self) -> Verdict:
        """Under the shipped budget."""
        policies = self.rule.policies if self.rule else NO_POLICIES
        return verify(self.source, DOMAIN, self.semantic_map, policies)

    def worlds(self, seed: object, worlds: int = 40) -> Seen:
        return Search(self.source, self.house, self.rule, seed, worlds).run()

    def __str__(self) -> str:
        where = "on the map" if self.semantic_map else "in the open world"
        rule = f", {self.rule.policies.policies[0].text}" if self.rule else ""
        return f"{where}{rule}:\n{self.source}"


CLOSED = Case("", map_of(_ROOMS), house_of(_ROOMS))
OPEN = Case("")


def drawn(seed: int, number: int) -> Case:
    """One of the programs of this seed: in both worlds, half of them under a rule."""
    chance = random.Random(f"{seed} {number}")
    statements, depth = chance.randint(2, 5), chance.randint(1, 2)
    language = replace(LARGE, statements=statements, depth=depth)
    source = program_of(chance, language)
    rule = chance.choice(RULES) if chance.randint(0, 1) else None
    return (OPEN, CLOSED)[number % 2].with_program(source, rule)


def difference(case: Case, seed: object) -> str:
    """What a world shows that the verdict denies; empty where they agree."""
    verdict = case.verdict()
    lost = not_replayed(case, verdict)
    if lost or not (verdict.accepted and verdict.exhaustive):
        return lost
    seen = case.worlds(seed)
    if seen.ending.code:
        return f"{seen.ending} {case}"
    never = {w.line for w in verdict.warnings if w.code is WarningCode.UNREACHABLE_LINE}
    trapped = (replace(case, source=with_trap(case.source, line)) for line in never & seen.lines)
    return next((told for trap in trapped if (told := difference(trap, seed))), "")


def not_replayed(case: Case, verdict: Verdict) -> str:
    """A violation of a verdict that its counterexample does not show again.

    Where in an endless loop the budget ends is not told apart: a replay compares no states.
    """
    policies = case.rule.policies if case.rule else NO_POLICIES
    for found in verdict.violations:
        if found.counterexample is not None:
            again = replay(case.source, found.counterexample, DOMAIN, case.semantic_map, policies)
            told = [(v.code, v.line, v.message) for v in again]
            if found.code is ViolationCode.STEP_BUDGET and len(again) == 1:
                told = [(again[0].code, found.line, again[0].message)]
            if told != [(found.code, found.line, found.message)]:
                return f"{found.code} in line {found.line} is not replayed {case}"
    return ""


def with_trap(source: str, line: int) -> str:
    """The program, impossible from a line on."""
    lines = source.splitlines()
    at = lines[line - 1]
    lines.insert(line - 1, at[: len(at) - len(at.lstrip())] + TRAP)
    return "\n".join(lines) + "\n"


def smallest(case: Case, seed: object) -> Case:
    """What is left of a program that differs when no statement can be taken away."""
    for source in _smaller(case.source):
        less = replace(case, source=source)
        if difference(less, seed):
            return smallest(less, seed)
    return case


def _smaller(source: str) -> Iterator[str]:
    count = sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(source)))
    for number in range(count):
        for keep in (False, True):
            tree = ast.parse(source)
            cut = _Cut(number, keep)
            try:
                yield ast.unparse(
                    ast.parse(ast.unparse(ast.fix_missing_locations(cut.visit(tree))))
                )
            except (SyntaxError, ValueError, AttributeError):
                continue


class _Cut(ast.NodeTransformer):
    """Takes one statement away, or puts its block in its place."""

    def __init__(self, number: int, keep: bool) -> None:
        self._left, self._keep = number, keep

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt] | None:
        if isinstance(node, ast.stmt):
            self._left -= 1
            if self._left == -1:
                block = getattr(node, "body", []) if self._keep else []
                return block or (ast.Pass() if not isinstance(node, ast.Pass) else None)
        return self.generic_visit(node)
