"""The domain: the robot's skills with their preconditions and effects, read from
`config/skills.yaml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from roboinstruct_ros.domain.configuration import Strict, load_yaml
from roboinstruct_ros.domain.files.domain_faults import domain_faults
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.files.world_names import SERVICE_ROBOT, find_domain
from roboinstruct_ros.domain.literal_pattern import LiteralPattern, LiteralText
from roboinstruct_ros.domain.simulation import Example, Simulation
from roboinstruct_ros.domain.skill_limits import Addition, Booking, Quantity
from roboinstruct_ros.domain.thing_names import means_anybody
from roboinstruct_ros.domain.value_types import VALUE_TYPES
from roboinstruct_ros.domain.violation_code import ViolationCode

ENTITY_TYPES = ("location", "object", "person")
"""Entity types that every domain has; a domain file may name more."""

HERE = "robot_at"
"""The predicate behind the word `here`."""


class Predicate(Strict):
    """A kind of fact about the world; Undefined until something determines it.

    Attributes:
        single: the last argument has one value at a time for each value of the arguments before it:
            the robot is at one location, each gripper holds one object.
        initially: its value before the first skill call; None is Undefined.
        changes_while_waiting: the entity type whose facts become Undefined while time passes.
    """

    name: str
    arguments: tuple[str, ...]
    single: bool = False
    initially: bool | None = None
    when_true: str
    when_false: str
    changes_while_waiting: str | None = None


class Parameter(Strict):
    """One parameter of a skill.

    Attributes:
        type: an entity type, several joined by `or`, or a value type.
    """

    name: str
    type: str
    may_be_empty: bool = False

    @property
    def is_entity(self) -> bool:
        """Whether its value is the name of an entity."""
        return self.type not in VALUE_TYPES

    @cached_property
    def entity_types(self) -> frozenset[str]:
        """The entity types that are allowed."""
        return frozenset(self.type.split(" or ")) if self.is_entity else frozenset()


class Precondition(Strict):
    """A literal that must not have the opposite value when the skill is called.

    Attributes:
        error: the error code by which the skill reports in a run that the literal does not hold; ""
            if there is none.
    """

    literal: LiteralText
    is_: bool = Field(alias="is")
    violation: ViolationCode = ViolationCode.PRECONDITION_FAILED
    message: str
    error: str = ""

    @cached_property
    def pattern(self) -> LiteralPattern:
        return LiteralPattern.from_text(self.literal)


class Effect(Strict):
    """A literal that the skill sets."""

    literal: LiteralText
    becomes: bool | Literal["undefined"]

    @cached_property
    def pattern(self) -> LiteralPattern:
        return LiteralPattern.from_text(self.literal)


class Advice(Strict):
    """A literal without which the skill is pointless: the program gets a warning and is not
    rejected."""

    literal: LiteralText
    is_: bool = Field(alias="is")
    message: str

    @cached_property
    def pattern(self) -> LiteralPattern:
        return LiteralPattern.from_text(self.literal)


class Skill(Strict):
    """One skill: signature, preconditions, effects, and the source of its answer.

    Attributes:
        returns: `nothing`, `current_location`, `all_locations`, `one_of_options`, or a literal
            whose truth is the answer.
        takes_time: facts that change by themselves may have changed when the skill ends.
        adds: quantities that it changes within their range.
        books: timelines on which it takes a slot exclusively.
    """

    name: str
    description: str = ""
    parameters: tuple[Parameter, ...] = ()
    returns: str = "nothing"
    takes_time: bool = False
    preconditions: tuple[Precondition, ...] = ()
    effects: tuple[Effect, ...] = ()
    advice: tuple[Advice, ...] = ()
    adds: tuple[Addition, ...] = ()
    books: tuple[Booking, ...] = ()

    @cached_property
    def parameter_names(self) -> tuple[str, ...]:
        return tuple(parameter.name for parameter in self.parameters)

    @cached_property
    def room_parameters(self) -> tuple[str, ...]:
        """The names of the parameters of type location."""
        return tuple(one.name for one in self.parameters if one.type == "location")

    @cached_property
    def answer(self) -> LiteralPattern | None:
        """The literal whose truth value the skill returns; None if it returns something else."""
        return LiteralPattern.from_text(self.returns) if "(" in self.returns else None

    @property
    def asks(self) -> bool:
        """Whether its answer is open: a truth value, or one of the options."""
        return self.answer is not None or self.returns == "one_of_options"

    def options_in(self, arguments: Mapping[str, Any]) -> Sequence[str]:
        """Those to choose from, by whatever name the skill takes them; empty if it takes none."""
        given = (arguments.get(one.name) for one in self.parameters if one.type == "options")
        return next(given, None) or ()


class Domain(Strict):
    """All skills and predicates of a robot. Source: seed paper section 2.2 and appendix A.2.

    Attributes:
        entity_types: types besides location, object and person.
        entities: the only valid names by type; a type that is absent is open.
        anybody: words that mean whoever is there.
        examples: tasks with their programs. A verdict depends neither on them nor on `simulation`,
            so serialising the domain leaves both out.
        simulation: the world of a simulated robot with these skills.
    """

    name: str
    entity_types: tuple[str, ...] = ()
    entities: dict[str, Annotated[tuple[str, ...], Field(min_length=1)]] = Field(
        default_factory=dict
    )
    predicates: tuple[Predicate, ...] = ()
    quantities: tuple[Quantity, ...] = ()
    timelines: tuple[str, ...] = ()
    skills: tuple[Skill, ...]
    anybody: tuple[str, ...] = ()
    examples: tuple[Example, ...] = Field(default=(), exclude=True)
    simulation: Simulation = Field(default_factory=Simulation, exclude=True)

    @model_validator(mode="after")
    def _parts_fit_together(self) -> Domain:
        for fault in domain_faults(self):
            raise fault
        return self

    @cached_property
    def all_entity_types(self) -> tuple[str, ...]:
        return (*ENTITY_TYPES, *self.entity_types)

    @property
    def to_try(self) -> tuple[Example, ...]:
        """The examples that people can try wherever the robot is."""
        return tuple(one for one in self.examples if not (one.scene or one.is_answer))

    @property
    def is_service_robot(self) -> bool:
        """Whether this is the robot for which the package ships models, policies and a house."""
        return self.name == SERVICE_ROBOT

    @property
    def has_rooms(self) -> bool:
        """Whether the robot has a location, so that there is a map."""
        return HERE in self._predicates_by_name

    @cached_property
    def skill_names(self) -> tuple[str, ...]:
        return tuple(skill.name for skill in self.skills)

    def skill(self, name: str) -> Skill:
        """The skill of that name. Raises KeyError when there is none."""
        return self._skills_by_name[name]

    def predicate(self, name: str) -> Predicate:
        """The predicate of that name. Raises KeyError when there is none."""
        return self._predicates_by_name[name]

    def quantity(self, name: str) -> Quantity:
        """The quantity of that name. Raises KeyError when there is none."""
        return self._quantities_by_name[name]

    @cached_property
    def changing(self) -> frozenset[str]:
        """Predicates that may change by themselves."""
        return frozenset(p.name for p in self.predicates if p.changes_while_waiting is not None)

    def is_anybody(self, name: str) -> bool:
        """Whether the word means whoever is there; case and an article are ignored."""
        return means_anybody(name, self.anybody)

    @cached_property
    def _skills_by_name(self) -> dict[str, Skill]:
        return {skill.name: skill for skill in self.skills}

    @cached_property
    def _predicates_by_name(self) -> dict[str, Predicate]:
        return {predicate.name: predicate for predicate in self.predicates}

    @cached_property
    def _quantities_by_name(self) -> dict[str, Quantity]:
        return {quantity.name: quantity for quantity in self.quantities}


def load_domain(path: Path | None = None) -> Domain:
    """Read a domain file; by default that of the shipped service robot.

    Raises:
        ConfigError: the file is missing or does not describe a valid domain.
    """
    return load_yaml(path or shared_file("config/skills.yaml"), Domain)


def domain_named(name: str) -> Domain:
    """Read a domain by path or shipped name.

    Raises:
        ConfigError: as `load_domain`, or there is no domain of that name.
    """
    return load_domain(find_domain(name))
