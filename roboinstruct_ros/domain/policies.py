"""Rules that an operator sets for every program, read from `config/policies.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field, model_validator

from roboinstruct_ros.domain.condition import (
    Condition,
    Term,
    Word,
    check_names,
    has_wildcards,
    is_pattern,
    parse_condition,
    terms,
)
from roboinstruct_ros.domain.configuration import (
    ConfigError,
    FieldFault,
    Strict,
    dotted,
    nearest_name,
    parse_yaml,
    read_text,
)
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.files.yaml_lines import FieldPath, read_with_lines
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.domain.value_types import VALUE_TYPES


def _is_condition(text: str) -> str:
    parse_condition(text)
    return text


ConditionText = Annotated[str, AfterValidator(_is_condition)]

Shape = tuple[str, ...]
"""The fields that together make up one kind of rule."""

_CONDITIONS = (
    "never", "before", "require", "after", "until", "of", "only", "when", "first", "at_end",
)  # fmt: skip


class Rule(Strict):
    """A rule about a whole run, in one of ten shapes.

    Attributes:
        never: must never hold; with `after` and `until`, must not hold between the two.
        before, require: whenever `before` happens, `require` must have held earlier (with
            `each_time`: since the last time that `before` happened).
        at_most, at_least, exactly, of: how often `of` happens.
        only, when: `only` may happen only while `when` holds.
        first: what the first call that takes time must be.
        in_order: each of these holds, one after the other.
        at_end: must hold when the program ends.
    """

    shapes: ClassVar[tuple[Shape, ...]] = (
        ("never",),
        ("before", "require"),
        ("after", "until", "never"),
        ("at_most", "of"),
        ("at_least", "of"),
        ("exactly", "of"),
        ("only", "when"),
        ("first",),
        ("in_order",),
        ("at_end",),
    )

    never: ConditionText | None = None
    before: ConditionText | None = None
    require: ConditionText | None = None
    each_time: bool = False
    after: ConditionText | None = None
    until: ConditionText | None = None
    at_most: int | None = Field(default=None, ge=0)
    at_least: int | None = Field(default=None, ge=1)
    exactly: int | None = Field(default=None, ge=0)
    of: ConditionText | None = None
    only: ConditionText | None = None
    when: ConditionText | None = None
    first: ConditionText | None = None
    in_order: tuple[ConditionText, ...] | None = Field(default=None, min_length=2)
    at_end: ConditionText | None = None

    @model_validator(mode="after")
    def _has_one_shape(self) -> Rule:
        if self._given not in map(set, self.shapes):
            shapes = "; ".join(" ".join(f"{field}:" for field in shape) for shape in self.shapes)
            raise FieldFault((), f"a rule has the fields of one of these shapes: {shapes}")
        if self.each_time and self.before is None:
            raise FieldFault(("each_time",), "only a rule with 'before' can hold each time")
        return self

    @property
    def _given(self) -> set[str]:
        fields = {field for shape in self.shapes for field in shape}
        return {field for field in fields if getattr(self, field) is not None}

    @property
    def shape(self) -> Shape:
        """The fields that this rule uses."""
        return next(shape for shape in self.shapes if set(shape) == self._given)

    @cached_property
    def conditions(self) -> dict[str, Condition]:
        """The parsed conditions by field name, except those of `in_order`."""
        texts = {field: getattr(self, field) for field in _CONDITIONS}
        return {field: parse_condition(text) for field, text in texts.items() if text is not None}

    @cached_property
    def in_order_conditions(self) -> tuple[Condition, ...]:
        """The parsed conditions of `in_order`."""
        return tuple(map(parse_condition, self.in_order or ()))

    @property
    def placed_conditions(self) -> Iterator[tuple[FieldPath, Condition]]:
        """All parsed conditions with their field path in the rule."""
        yield from (((field,), condition) for field, condition in self.conditions.items())
        for index, condition in enumerate(self.in_order_conditions):
            yield ("in_order", index), condition

    @property
    def text(self) -> str:
        """The rule in one line, in the notation of the file."""
        given = {field: getattr(self, field) for field in self.shape}
        given |= {"in_order": ", ".join(self.in_order)} if self.in_order else {}
        parts = [f"{field.replace('_', ' ')} {value}" for field, value in given.items()]
        return ", ".join(parts) + (", each time" if self.each_time else "")


class Policy(Rule):
    """A rule that an operator has set for every program.

    Attributes:
        because: the reason shown to a person when a program breaks the rule.
    """

    name: str = Field(min_length=1, max_length=80)
    because: str = ""
    enabled: bool = True


class Policies(Strict):
    """All rules of an operator, in the order of the file.

    Attributes:
        people: the names in the rules that are people; in a world without people they are absent.
    """

    people: tuple[str, ...] = ()
    policies: tuple[Policy, ...] = ()

    @model_validator(mode="after")
    def _names_are_unique(self) -> Policies:
        names = [policy.name for policy in self.policies]
        for index, name in enumerate(names):
            if name in names[:index]:
                raise FieldFault(("policies", index, "name"), f"'{name}' is given twice")
        return self

    @cached_property
    def enabled(self) -> tuple[Policy, ...]:
        """The rules that are switched on."""
        return tuple(policy for policy in self.policies if policy.enabled)

    @cached_property
    def mention_start(self) -> bool:
        """Whether an enabled rule refers to the room in which the task began."""
        return any(
            argument == Word("start")
            for term in self._terms
            for argument in (*term.arguments, *(value for _, value in term.keywords))
        )

    def texts_of(self, kind: str, domain: Domain) -> tuple[str, ...]:
        """All texts for entities of this type in the enabled rules, including wildcards."""
        return tuple(
            text
            for term in self._terms
            for text, of in term.typed(domain)
            if of == kind and isinstance(text, str)
        )

    @cached_property
    def _terms(self) -> tuple[Term, ...]:
        return tuple(
            term
            for policy in self.enabled
            for _, condition in policy.placed_conditions
            for term in terms(condition)
        )

    def switched_on(self, names: tuple[str, ...]) -> Policies:
        """A copy with these rules enabled.

        Raises:
            KeyError: no rule has that name.
        """
        for name in names:
            if name not in [policy.name for policy in self.policies]:
                raise KeyError(name)
        switched = (
            policy.model_copy(update={"enabled": policy.enabled or policy.name in names})
            for policy in self.policies
        )
        return Policies(people=self.people, policies=tuple(switched))


SHIPPED = "config/policies.yaml"
NO_POLICIES = Policies()


def load_policies(
    domain: Domain, path: Path | None = None, rooms: SemanticMap | None = None
) -> Policies:
    """Read a policies file and check it against the domain and the map, if there is one.

    Without a path, the shipped policies are read for the shipped robot, and none for any other.

    Raises:
        ConfigError: the file is missing, is not a policies file, names what the domain lacks, or
            misspells a room.
    """
    if path is None and not domain.is_service_robot:
        return NO_POLICIES
    path = path or shared_file(SHIPPED)
    return parse_policies(read_text(path), path, domain, rooms)


def parse_policies(
    text: str, path: Path | str, domain: Domain, rooms: SemanticMap | None = None
) -> Policies:
    """Parse the text of a policies file; `path` is for the error. Raises ConfigError."""
    policies = parse_yaml(text, path, Policies)
    for fault in _name_faults(text, path, policies, domain, rooms):
        raise fault
    return policies


def _name_faults(
    text: str, path: Path | str, policies: Policies, domain: Domain, rooms: SemanticMap | None
) -> Iterator[ConfigError]:
    _, lines = read_with_lines(text)
    for index, policy in enumerate(policies.policies):
        for field, condition in policy.placed_conditions:
            try:
                check_names(condition, domain)
                _check_patterns(condition, domain)
                _check_rooms(condition, domain, rooms)
            except FieldFault as fault:
                place = ("policies", index, *field)
                yield ConfigError(path, lines[place], dotted(place), fault.message, fault.nearest)


def _check_patterns(condition: Condition, domain: Domain) -> None:
    """Refuse patterns in the place of a name.

    The verifier can try a message, but not all the names that a pattern may match.

    Raises:
        FieldFault: a name is a pattern.
    """
    for term in terms(condition):
        for value, kind in term.typed(domain):
            if is_pattern(value) and kind not in VALUE_TYPES:
                message = (
                    f"'{value}' stands for a name ({kind}); of names only * and ? are patterns"
                )
                raise FieldFault((), message)


def _check_rooms(condition: Condition, domain: Domain, rooms: SemanticMap | None) -> None:
    """Refuse a misspelt room, by which a rule would protect nothing.

    A name unlike those of the map is one of another world: several may share a file.

    Raises:
        FieldFault: names the room and the one that is meant.
    """
    if rooms is None:
        return
    for term in terms(condition):
        for value, kind in term.typed(domain):
            if kind != "location" or isinstance(value, Word) or has_wildcards(value):
                continue
            meant = rooms.misspelt(value)
            if meant is not None:
                raise FieldFault((), f"no room is named '{value}'", value, [meant])


def policy_names(policies: Policies, wrong: str) -> str:
    """The error text for an unknown policy name."""
    names = [policy.name for policy in policies.policies]
    near = nearest_name(wrong, names)
    hint = f"; did you mean '{near}'?" if near else f"; there are {', '.join(names) or 'none'}"
    return f"there is no policy '{wrong}'{hint}"
