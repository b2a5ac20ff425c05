"""What is tried when a skill fails, and what is done about a call that a crash interrupted.

Read from `config/recovery.yaml`. Source: ProgPrompt for recovery actions behind an assertion that
failed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, field_validator

from roboinstruct_ros.domain.configuration import FieldFault, Strict, Unit, load_yaml
from roboinstruct_ros.domain.shared_files import shared_file
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.skills import Domain

SHIPPED = "config/recovery.yaml"


class AfterRestart(str, Enum):
    """What is done about a call that had begun when the power went.

    REPEAT: called again; the skill server knows where the robot is and what it holds, and `done_if`
    tells what it says when there is nothing left to do. ASK: somebody is asked whether it was done,
    and it is called again if not. SKIP: taken as done.
    """

    REPEAT = "repeat"
    ASK = "ask"
    SKIP = "skip"


class Try(Strict):
    """One more try of a call that failed: what is said and awaited before.

    Attributes:
        say: words for whoever is near; {name} stands for an argument of the call.
        wait: s before the call is made again; a stop ends it at once.
    """

    say: str = ""
    wait: Annotated[float, Field(ge=0, le=600), Unit("s")] = 0.0


@dataclass(frozen=True)
class RecoveryTry:
    """What was tried.

    Attributes:
        number: from 1, of this call.
        error: that the call had failed with.
        say: what was said before; empty for nothing.
        wait: s that were waited.
    """

    skill: str
    arguments: Mapping[str, Any]
    number: int
    error: SkillErrorCode
    say: str = ""
    wait: float = 0.0


class SkillRecovery(Strict):
    """What is done for one skill.

    Attributes:
        after: the tries by the name of the error, in order.
        time_limit: s for all tries of one call.
        after_restart: see `AfterRestart`.
        done_if: error by which the server says that an interrupted call had come to its end.
        otherwise: answer that stands for one that never came; nothing stands for it when empty.
    """

    after: dict[str, tuple[Try, ...]] = Field(default_factory=dict)
    time_limit: Annotated[float, Field(gt=0, le=3600), Unit("s")] = 120.0
    after_restart: AfterRestart = AfterRestart.REPEAT
    done_if: str = ""
    otherwise: str = ""

    @field_validator("after")
    @classmethod
    def _known_errors(cls, after: dict[str, tuple[Try, ...]]) -> dict[str, tuple[Try, ...]]:
        for name in after:
            _check_error(name, (name,))
        return after

    @field_validator("done_if")
    @classmethod
    def _known_error(cls, name: str) -> str:
        if name:
            _check_error(name, ())
        return name

    def tries(self, code: SkillErrorCode) -> tuple[Try, ...]:
        """What is tried after this error."""
        return self.after.get(code.name.lower(), ())


class RecoveryPolicies(Strict):
    """What is done for each skill; for one that is not named, nothing is tried."""

    skills: dict[str, SkillRecovery] = Field(default_factory=dict)

    def of(self, skill: str) -> SkillRecovery:
        """What is done for one skill."""
        return self.skills.get(skill, _NOTHING)


_NOTHING = SkillRecovery()
NO_RECOVERY = RecoveryPolicies()


def load_recovery(domain: Domain, path: Path | None = None) -> RecoveryPolicies:
    """The policies of a file; None is the shipped one, or for another robot than ours, none.

    Raises:
        ConfigError: the file, the line and what would be right.
    """
    if path is None and not domain.is_service_robot:
        return NO_RECOVERY
    known = domain.skill_names

    class OfThisRobot(RecoveryPolicies):
        @field_validator("skills")
        @classmethod
        def _known_skills(cls, skills: dict[str, SkillRecovery]) -> dict[str, SkillRecovery]:
            for name in skills:
                if name not in known:
                    message = f"no skill '{name}'; there are {', '.join(known)}"
                    raise FieldFault((name,), message, name, known)
            return skills

    return load_yaml(path or shared_file(SHIPPED), OfThisRobot)


def _check_error(name: str, field: tuple[str, ...]) -> None:
    known = [code.name.lower() for code in SkillErrorCode if code]
    if name not in known:
        raise FieldFault(field, f"no error '{name}' of a skill", name, known)
