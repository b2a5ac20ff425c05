"""The entry point of the verifier: `verify` decides whether a program is safe in every world."""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.policies import NO_POLICIES, Policies
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.program.allow_list import check
from roboinstruct_ros.program.task_program import TaskProgram
from roboinstruct_ros.program.violation import Counterexample, Violation
from roboinstruct_ros.sandbox.namespace import compile_program
from roboinstruct_ros.verify.budget import Budget
from roboinstruct_ros.verify.explore.behaviour import behaviour_of
from roboinstruct_ros.verify.explore.explorer import Explorer
from roboinstruct_ros.verify.explore.findings import Exploration
from roboinstruct_ros.verify.explore.loops import noting_loops
from roboinstruct_ros.verify.explore.tree import Tree, TreeExplorer
from roboinstruct_ros.verify.program_facts import ProgramFacts, facts_of
from roboinstruct_ros.verify.question import Question
from roboinstruct_ros.verify.rooms.room_names import RoomWord
from roboinstruct_ros.verify.story import named
from roboinstruct_ros.verify.verdict import Caution, Coverage, Status, Verdict, WarningCode
from roboinstruct_ros.verify.world.assumptions import assumptions_of
from roboinstruct_ros.verify.world.remains import Remains

_MOST_REASONS = 4
"""Most reasons that a verdict lists for worlds that were left out."""


def verify(
    source: str,
    domain: Domain,
    semantic_map: SemanticMap | None = None,
    policies: Policies = NO_POLICIES,
    budget: Budget | None = None,
    begin: tuple[int, ...] = (),
    remains: Remains = (),
    calls: Sequence[SkillCall] = (),
) -> Verdict:
    """Check the text, then explore the worlds that are possible after the given calls.

    Runs the program in this process; use `VerifierWorker` for text from a model. Undecided, with a
    warning, if the program cannot have made those calls.

    Args:
        semantic_map: the robot's rooms; None leaves the rooms open.
        begin: the `frontier` of an earlier verdict, to continue where its budget ended.
        remains: the facts that earlier runs have left, see `RobotPast`.
        calls: skill calls made in reality, in order, with arguments, results and error codes.
    """
    started = time.perf_counter()
    text = read_text(source, domain, semantic_map)
    found = verify_text(text, policies, budget, calls, begin, remains)
    return found.model_copy(update={"duration": time.perf_counter() - started})


@dataclass(frozen=True)
class CheckedText:
    """A program's text checked under one domain and map, independent of the calls already made.

    Attributes:
        violations: of the task language.
        question: None if there is a violation.
    """

    program: TaskProgram
    violations: tuple[Violation, ...] = ()
    question: Question | None = None


def read_text(source: str, domain: Domain, semantic_map: SemanticMap | None) -> CheckedText:
    """Parse, check against the task language, and compile; runs nothing."""
    program = TaskProgram.from_text(source)
    violations = check(program, domain)
    if violations or program.told is None:
        return CheckedText(program, violations)
    parents = program.parents if program.told is program.tree else None
    facts = facts_of(program.told, domain, parents)
    code = compile_program(source, noting_loops if facts.looping_lines else None)
    return CheckedText(program, (), Question(code, facts, domain, semantic_map))


def verify_text(
    text: CheckedText,
    policies: Policies,
    budget: Budget | None,
    calls: Sequence[SkillCall] = (),
    begin: tuple[int, ...] = (),
    remains: Remains = (),
    behaviour: bool = False,
) -> Verdict:
    """As `verify`, for a text that has been read before.

    Args:
        behaviour: whether an accepted verdict has `behaviour`, if no calls were made.
    """
    started = time.perf_counter()
    if text.question is None:
        verdict = Verdict(
            status=Status.REJECTED,
            program_sha256=text.program.sha256,
            exhaustive=True,
            violations=text.violations,
        )
    else:
        question = replace(text.question, policies=policies, past=tuple(calls), remains=remains)
        explorer = Explorer(question, budget or Budget())
        verdict = _verdict(text.program, question, explorer.explore(begin))
        if behaviour and verdict.accepted and not calls:
            told = behaviour_of(question, budget or Budget(), explorer.words)
            verdict = verdict.model_copy(update={"behaviour": told})
    return verdict.model_copy(update={"duration": time.perf_counter() - started})


def tree_of(text: CheckedText, policies: Policies, budget: Budget | None, most: int) -> Tree | None:
    """The worlds that `verify_text` explores, as a tree; None for a text that is rejected unrun.

    Args:
        most: nodes after which new ones are only counted.
    """
    if text.question is None:
        return None
    explorer = TreeExplorer(replace(text.question, policies=policies), budget or Budget(), most)
    explorer.explore()
    return explorer.tree


def replay(
    source: str,
    counterexample: Counterexample,
    domain: Domain,
    semantic_map: SemanticMap | None = None,
    policies: Policies = NO_POLICIES,
    budget: Budget | None = None,
) -> tuple[Violation, ...]:
    """The violations of the one world that a counterexample describes.

    Args:
        budget: that of the verdict; it ends a program that does not end.

    Raises:
        ValueError: the text is rejected before any world is run.
    """
    text = read_text(source, domain, semantic_map)
    if text.question is None:
        raise ValueError("the program is rejected by its text; there is no world to replay")
    words = tuple(RoomWord.read(written) for written in counterexample.room_words)
    explorer = Explorer(replace(text.question, policies=policies), budget or Budget(), words)
    return tuple(explorer.replay(counterexample.choices).violations.values())


def _verdict(program: TaskProgram, question: Question, found: Exploration) -> Verdict:
    violations = sorted(found.violations.values(), key=lambda v: (v.line, v.column, v.code))
    if violations:
        status = Status.REJECTED
    elif found.slow_line is not None or not found.finished:
        status = Status.UNDECIDED
    else:
        status = Status.ACCEPTED
    return Verdict(
        status=status,
        program_sha256=program.sha256,
        paths=found.paths,
        exhaustive=found.exhaustive,
        coverage=_coverage(question.facts, found),
        violations=tuple(violations),
        warnings=tuple(_warnings(program, question.facts, found)),
        assumptions=assumptions_of(question.domain, found.assumed),
        frontier=found.frontier,
    )


def _coverage(facts: ProgramFacts, found: Exploration) -> Coverage:
    return Coverage(
        lines_reached=len(facts.statement_lines & found.reached.lines),
        lines=len(facts.statement_lines),
        branches_reached=len(found.reached.branches),
        branches=2 * len(facts.branches),
    )


def _warnings(program: TaskProgram, facts: ProgramFacts, found: Exploration) -> Iterator[Caution]:
    for node in program.needless_imports:
        code = ast.unparse(node)[7:]
        message = str(phrase("told.needless", n=node.lineno, code=code))
        yield Caution(code=WarningCode.NEEDLESS_IMPORT, line=node.lineno, message=message)
    if found.exhaustive and found.finished and not found.violations:
        for line in sorted(facts.statement_lines - found.reached.lines):
            message = str(phrase("told.unreached", n=line))
            yield Caution(code=WarningCode.UNREACHABLE_LINE, line=line, message=message)
    for held in sorted(found.holds):
        message = str(phrase("told.ends_holding", thing=named(held)))
        yield Caution(code=WarningCode.ENDS_HOLDING, message=message)
    for line in facts.unused_answers:
        message = str(phrase("told.unused_answer", n=line))
        yield Caution(code=WarningCode.ANSWER_UNUSED, line=line, message=message)
    for (line, message), helped in sorted(found.advice.items()):
        if not helped:
            told = str(phrase("told.useless", n=line, why=message))
            yield Caution(code=WarningCode.WITHOUT_EFFECT, line=line, message=told)
    if found.waited:
        message = str(phrase("told.waits"))
        yield Caution(code=WarningCode.MAY_WAIT_FOR_EVER, message=message)
    if found.slow_line is not None:
        yield _out_of_time(found.slow_line, found.paths)
    elif not (found.finished or found.violations) and found.paths:
        message = str(phrase("told.none_ended", n=found.paths))
        yield Caution(code=WarningCode.NOT_VERIFIED, message=message)
    if not found.paths:
        message = str(phrase("told.not_these_calls"))
        yield Caution(code=WarningCode.NOT_VERIFIED, message=message)
    elif not found.exhaustive:
        yield from _left_out(found)


def _out_of_time(line: int, paths: int) -> Caution:
    where = {"line": line} if line else {}
    told = phrase("told.out_of_time_at" if line else "told.out_of_time", n=paths, **where)
    return Caution(code=WarningCode.OUT_OF_TIME, line=line, message=str(told))


def _left_out(found: Exploration) -> Iterator[Caution]:
    """What was not tried and why, then how much was tried."""
    code = WarningCode.NOT_EXHAUSTIVE
    for line, reason in sorted(found.left_out)[:_MOST_REASONS]:
        why = phrase("told.at_line", n=line, why=reason) if line else reason
        yield Caution(code=code, line=line, message=str(phrase("told.left_out", why=why)))
    yield Caution(code=code, message=str(phrase("told.tried", n=found.paths)))
