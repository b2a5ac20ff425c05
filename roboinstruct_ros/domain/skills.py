"""The domain: what skills there are, need and change. Read from `config/skills.yaml`."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from roboinstruct_ros.domain.configuration import load_yaml
from roboinstruct_ros.domain.shared_files import shared_file

EntityType = Literal["location", "object", "person", "object or person"]
ParameterType = Literal["location", "object", "person", "object or person", "text", "options"]

_LITERAL = re.compile(r"\s*(\w+)\(\s*([^()]*?)\s*\)\s*")


class LiteralPattern(BaseModel):
    """A literal over the parameters of a skill, such as `in_room(obj, here)`."""

    model_config = ConfigDict(frozen=True)
    predicate: str
    arguments: tuple[str, ...]

    @classmethod
    def from_text(cls, text: str) -> LiteralPattern:
        """Parse `name(argument, ...)`.

        Raises:
            ValueError: the text has another form.
        """
        match = _LITERAL.fullmatch(text)
        if match is None:
            raise ValueError(f"'{text}' is not a literal; write it as in_room(obj, here)")
        arguments = tuple(part.strip() for part in match[2].split(",") if part.strip())
        return cls(predicate=match[1], arguments=arguments)


def _is_literal(text: str) -> str:
    LiteralPattern.from_text(text)
    return text


LiteralText = Annotated[str, AfterValidator(_is_literal)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Predicate(_Part):
    """A kind of fact about the world; Undefined until something fixes it."""

    name: str
    arguments: tuple[EntityType, ...]
    single: bool = False
    initially: bool | None = None
    when_true: str
    when_false: str
    changes_while_waiting: Literal["person"] | None = None


class Parameter(_Part):
    """One parameter of a skill."""

    name: str
    type: ParameterType
    may_be_empty: bool = False


class Precondition(_Part):
    """A literal that must not have the other value when the skill is called."""

    literal: LiteralText
    is_: bool = Field(alias="is")
    violation: str
    message: str

    @cached_property
    def pattern(self) -> LiteralPattern:
        return LiteralPattern.from_text(self.literal)


class Effect(_Part):
    """A literal that the skill sets."""

    literal: LiteralText
    becomes: bool | Literal["undefined"]

    @cached_property
    def pattern(self) -> LiteralPattern:
        return LiteralPattern.from_text(self.literal)


class Skill(_Part):
    """One skill: signature, preconditions, effects, and where its answer comes from.

    `returns` is `nothing`, `current_location`, `all_locations`, `one_of_options`, or a literal
    whose truth is the answer.
    """

    name: str
    description: str = ""
    parameters: tuple[Parameter, ...] = ()
    returns: str = "nothing"
    preconditions: tuple[Precondition, ...] = ()
    effects: tuple[Effect, ...] = ()

    @cached_property
    def parameter_names(self) -> tuple[str, ...]:
        return tuple(parameter.name for parameter in self.parameters)

    @cached_property
    def answer(self) -> LiteralPattern | None:
        """The literal whose truth the skill returns; None when it returns something else."""
        return LiteralPattern.from_text(self.returns) if "(" in self.returns else None


class Domain(_Part):
    """All skills and predicates of a robot. Source: seed paper section 2.2 and appendix A.2."""

    name: str
    predicates: tuple[Predicate, ...]
    skills: tuple[Skill, ...]
    anybody: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _literals_are_declared(self) -> Domain:
        known = {predicate.name: predicate for predicate in self.predicates}
        for skill in self.skills:
            patterns = [part.pattern for part in skill.preconditions]
            patterns += [part.pattern for part in skill.effects]
            if skill.answer is not None:
                patterns.append(skill.answer)
            for pattern in patterns:
                _check_literal(skill, pattern, known)
        return self

    @cached_property
    def skill_names(self) -> tuple[str, ...]:
        return tuple(skill.name for skill in self.skills)

    def skill(self, name: str) -> Skill:
        """The skill of that name. Raises KeyError when there is none."""
        return self._skills_by_name[name]

    def predicate(self, name: str) -> Predicate:
        """The predicate of that name. Raises KeyError when there is none."""
        return self._predicates_by_name[name]

    def is_anybody(self, name: str) -> bool:
        """Whether the word means whoever is there."""
        return name.strip().lower() in self.anybody

    @cached_property
    def _skills_by_name(self) -> dict[str, Skill]:
        return {skill.name: skill for skill in self.skills}

    @cached_property
    def _predicates_by_name(self) -> dict[str, Predicate]:
        return {predicate.name: predicate for predicate in self.predicates}


def _check_literal(skill: Skill, pattern: LiteralPattern, known: dict[str, Predicate]) -> None:
    predicate = known.get(pattern.predicate)
    if predicate is None:
        raise ValueError(
            f"skill '{skill.name}': no predicate '{pattern.predicate}'; "
            f"there are {', '.join(known)}"
        )
    if len(pattern.arguments) != len(predicate.arguments):
        raise ValueError(
            f"skill '{skill.name}': {predicate.name} takes {len(predicate.arguments)} arguments, "
            f"not {len(pattern.arguments)}"
        )
    allowed = {*skill.parameter_names, "here", "anybody", "*"}
    for argument in pattern.arguments:
        if argument not in allowed:
            raise ValueError(
                f"skill '{skill.name}': '{argument}' is no parameter, nor here, anybody or *"
            )


def load_domain(path: Path | None = None) -> Domain:
    """Read a domain file; the shipped one by default.

    Raises:
        ConfigError: the file is missing or says something that is not a domain.
    """
    return load_yaml(path or shared_file("config/skills.yaml"), Domain)
