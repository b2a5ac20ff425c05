"""Holds the calls of a real run against what the verifier lets a program do."""

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
    """Why a call is not one that a trial makes.

    Attributes:
        message: one line.
        of_arguments: it stands against the domain or the map, wherever it is made.
    """

    code: ViolationCode
    message: str
    of_arguments: bool


class CallCheck:
    """One path of the verifier, led by the calls that were really made.

    Args:
        semantic_map: the robot's rooms; None leaves them open.
        remains: what earlier runs have left.
    """

    def __init__(
        self, domain: Domain, semantic_map: SemanticMap | None = None, remains: Remains = ()
    ) -> None:
        facts, code = facts_of(ast.parse(""), domain), compile_program("")
        question = Question(code, facts, domain, semantic_map, remains=remains)
        self._skills = SimulatedSkills(question, Choices())

    def fault(self, skill: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> CallFault | None:
        """Why a trial would reject this call here; None when it would not.

        Of the facts of the world those count that the run's own calls settle, such as what is in
        the hand; what was seen may have changed since.
        """
        call = None
        try:
            call = self._skills.bound(skill, args, kwargs)
            self._skills.check(call)
        except ViolationFound as found:
            return CallFault(found.code, found.message, of_arguments=call is None)
        except ImpossibleWorld:
            pass  # no program can be blamed for a world that contradicts itself
        return None

    def note(self, call: SkillCall) -> None:
        """Learn from a call that has ended."""
        # one that no trial makes was made all the same, e.g. under another map
        with contextlib.suppress(ViolationFound, ImpossibleWorld):
            self._skills.follow(call)
