"""What to try when a skill fails, and how to treat a call that a crash interrupted.

Read from `config/recovery.yaml`. Source: ProgPrompt (recovery actions after a failed assertion).
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, field_validator

from roboinstruct_ros.domain.configuration import FieldFault, Strict, Unit, load_yaml
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.files.skill_messages import placeholder_fault
from roboinstruct_ros.domain.skill_call import SKILL_ERRORS, SkillErrorCode
from roboinstruct_ros.domain.skills import Domain

SHIPPED = "config/recovery.yaml"


class AfterRestart(str, Enum):
    """How to treat a call that was in flight when the power failed.

    REPEAT: call again; the skill server knows where the robot is and what it holds, and reports
    `done_if` when there is nothing left to do. ASK: ask a person whether it was done; if not, call
    again. SKIP: take it as done.
    """

    REPEAT = "repeat"
    ASK = "ask"
    SKIP = "skip"


def _known_error(name: str) -> str:
    if name not in SKILL_ERRORS:
        raise FieldFault((), f"no error '{name}' of a skill", name, SKILL_ERRORS)
    return name


_ErrorName = Annotated[str, AfterValidator(_known_error)]
_ErrorNameIfAny = Annotated[str, AfterValidator(lambda name: name and _known_error(name))]


class Try(Strict):
    """One retry of a failed call.

    Attributes:
        say: spoken first; {name} is replaced by an argument of the call.
        wait: delay before the retry (s); a stop ends it at once.
    """

    say: str = ""
    wait: Annotated[float, Field(ge=0, le=600), Unit("s")] = 0.0


class SkillRecovery(Strict):
    """Recovery of one skill.

    Attributes:
        after: retries in order, by error name.
        time_limit: limit for all retries of one call (s).
        done_if: error by which the server reports that an interrupted call had completed.
        otherwise: answer that replaces one that never came; empty for no replacement.
    """

    after: dict[_ErrorName, tuple[Try, ...]] = Field(default_factory=dict)
    time_limit: Annotated[float, Field(gt=0, le=3600), Unit("s")] = 120.0
    after_restart: AfterRestart = AfterRestart.REPEAT
    done_if: _ErrorNameIfAny = ""
    otherwise: str = ""

    def tries(self, code: SkillErrorCode) -> tuple[Try, ...]:
        return self.after.get(code.name.lower(), ())


class RecoveryPolicies(Strict):
    """Recovery of all skills; a skill without an entry is not retried."""

    skills: dict[str, SkillRecovery] = Field(default_factory=dict)

    def of(self, skill: str) -> SkillRecovery:
        return self.skills.get(skill, _NOTHING)


_NOTHING = SkillRecovery()
NO_RECOVERY = RecoveryPolicies()


def load_recovery(domain: Domain, path: Path | None = None) -> RecoveryPolicies:
    """Load recovery policies from a file.

    Args:
        path: None loads the shipped file if `domain` is the shipped one, else no policies.

    Raises:
        ConfigError: gives the file, the line and the expected value.
    """
    if path is None and not domain.is_service_robot:
        return NO_RECOVERY
    known = domain.skill_names

    class OfThisRobot(RecoveryPolicies):
        @field_validator("skills")
        @classmethod
        def _known_skills(cls, skills: dict[str, SkillRecovery]) -> dict[str, SkillRecovery]:
            for name, recovery in skills.items():
                if name not in known:
                    message = f"no skill '{name}'; there are {', '.join(known)}"
                    raise FieldFault((name,), message, name, known)
                if recovery.after_restart is AfterRestart.ASK and "ask" not in known:
                    raise FieldFault((name, "after_restart"), "this robot has no skill 'ask'")
                _check_words(recovery, domain, name)
            return skills

    return load_yaml(path or shared_file(SHIPPED), OfThisRobot)


def _check_words(recovery: SkillRecovery, domain: Domain, skill: str) -> None:
    for error, tries in recovery.after.items():
        for index, one in enumerate(tries):
            fault = placeholder_fault(one.say, domain.skill(skill).parameter_names)
            if one.say and "say" not in domain.skill_names:
                fault = "this robot has no skill 'say'"
            if fault:
                raise FieldFault((skill, "after", error, index, "say"), fault)
