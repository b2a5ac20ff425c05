"""Checks the calls of a real run against what the verifier lets a program do."""

from __future__ import annotations

import ast
import contextlib
from dataclasses import dataclass
from typing import Any

from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.sandbox.namespace import compile_program
from roboinstruct_ros.verify.explore.choices import Choices
from roboinstruct_ros.verify.program_facts import facts_of
from roboinstruct_ros.verify.question import Question
from roboinstruct_ros.verify.world.path import ViolationFound
from roboinstruct_ros.verify.world.remains import Remains
from roboinstruct_ros.verify.world.simulated_skills import SimulatedSkills
from roboinstruct_ros.verify.world.world import ImpossibleWorld


@dataclass(frozen=True)
class CallFault:
    """Why no trial would make this call.

    Attributes:
        message: one line.
        of_arguments: it violates the domain or the map, in whatever state it is made.
    """

    code: ViolationCode
    message: str
    of_arguments: bool


class CallCheck:
    """One path of the verifier, guided by the calls made in reality.

    Args:
        semantic_map: the robot's rooms; None leaves them open.
        remains: the facts that earlier runs have left.
    """

    def __init__(
        self, domain: Domain, semantic_map: SemanticMap | None = None, remains: Remains = ()
    ) -> None:
        facts, code = facts_of(ast.parse(""), domain), compile_program("")
        question = Question(code, facts, domain, semantic_map, remains=remains)
        self._skills = SimulatedSkills(question, Choices())

    def fault(self, skill: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> CallFault | None:
        """Why a trial would reject this call now; None if it would not.

        Only facts settled by the run's own calls count, such as what is in the hand; observed facts
        may have changed since.
        """
        call = None
        try:
            call = self._skills.bound(skill, args, kwargs)
            self._skills.check(call)
        except ViolationFound as found:
            return CallFault(found.code, found.message, of_arguments=call is None)
        except ImpossibleWorld:
            pass  # a contradictory world is not the program's fault
        return None

    def note(self, call: SkillCall) -> None:
        """Update the path with a call that has ended."""
        # A real call may be one that no trial makes, e.g. after the map changed.
        with contextlib.suppress(ViolationFound, ImpossibleWorld):
            self._skills.follow(call)
