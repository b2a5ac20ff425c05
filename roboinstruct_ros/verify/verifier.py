"""`verify`: is this program safe to run in every world that it could meet?"""

from __future__ import annotations

import time

from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.program.allow_list import check
from roboinstruct_ros.program.task_program import TaskProgram
from roboinstruct_ros.program.violation import Violation, ViolationCode
from roboinstruct_ros.sandbox.namespace import compile_program
from roboinstruct_ros.verify.choices import Choices
from roboinstruct_ros.verify.explorer import Budget, Exploration, Explorer
from roboinstruct_ros.verify.program_facts import ProgramFacts, facts_of
from roboinstruct_ros.verify.story import named
from roboinstruct_ros.verify.verdict import Status, Verdict


def verify(
    source: str,
    domain: Domain,
    semantic_map: SemanticMap | None = None,
    budget: Budget | None = None,
) -> Verdict:
    """Check the text, then explore the worlds.

    Runs the program in this process; text from a model goes through `VerifierWorker` instead.

    Args:
        semantic_map: the robot's rooms; None leaves the rooms open.
    """
    begin = time.perf_counter()
    program = TaskProgram.from_text(source)
    static = check(program, domain)
    if static:
        return _rejected_by_text(program, static, time.perf_counter() - begin)
    assert program.tree is not None
    facts = facts_of(program.tree, domain)
    explorer = Explorer(compile_program(source), facts, domain, semantic_map, budget or Budget())
    found = explorer.explore()
    return _verdict(program, facts, found, time.perf_counter() - begin)


def replay(
    source: str,
    choices: tuple[int, ...],
    domain: Domain,
    semantic_map: SemanticMap | None = None,
) -> tuple[Violation, ...]:
    """The violations of the one world that a choice sequence describes.

    Raises:
        ValueError: the text is rejected before any world is made.
    """
    program = TaskProgram.from_text(source)
    if program.tree is None or check(program, domain):
        raise ValueError("the program is rejected by its text; there is no world to replay")
    facts = facts_of(program.tree, domain)
    explorer = Explorer(compile_program(source), facts, domain, semantic_map, Budget())
    explorer.run(Choices(choices))
    return tuple(explorer.found.violations.values())


def _rejected_by_text(
    program: TaskProgram, violations: tuple[Violation, ...], duration: float
) -> Verdict:
    return Verdict(
        status=Status.REJECTED,
        program_sha256=program.sha256,
        exhaustive=True,
        violations=violations,
        duration=duration,
    )


def _verdict(
    program: TaskProgram, facts: ProgramFacts, found: Exploration, duration: float
) -> Verdict:
    violations = sorted(found.violations.values(), key=lambda v: (v.line, v.column, v.code))
    if found.out_of_time and not found.finished and not violations:
        message = "The program computes for longer than the time budget without coming to an end."
        violations = [Violation(code=ViolationCode.TIME_BUDGET, line=0, message=message)]
    if violations:
        status = Status.REJECTED
    else:
        status = Status.ACCEPTED if found.finished else Status.UNDECIDED
    return Verdict(
        status=status,
        program_sha256=program.sha256,
        paths=found.paths,
        exhaustive=found.exhaustive,
        duration=duration,
        violations=tuple(violations),
        warnings=_warnings(facts, found),
    )


def _warnings(facts: ProgramFacts, found: Exploration) -> tuple[str, ...]:
    notes = []
    if found.exhaustive and not found.violations:
        for line in sorted(facts.statement_lines - found.reached):
            notes.append(f"Line {line} is reached in no world.")
    if found.ends_holding:
        held = named(found.ends_holding)
        notes.append(f"In some world the robot still holds {held} at the end.")
    for line in facts.unused_answers:
        notes.append(f"The answer to the question in line {line} is not used.")
    if found.waited:
        notes.append("In some world the robot may wait for ever.")
    if not found.exhaustive:
        notes.append(f"Not every world was tried: {found.paths} were.")
    return tuple(notes)
