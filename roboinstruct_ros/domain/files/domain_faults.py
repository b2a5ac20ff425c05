"""What in a domain file contradicts itself or the language of task programs."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from roboinstruct_ros.domain.configuration import FieldFault
from roboinstruct_ros.domain.files.skill_messages import ALSO_FILLED, placeholder_fault
from roboinstruct_ros.domain.files.yaml_lines import FieldPath
from roboinstruct_ros.domain.literal_pattern import LiteralPattern
from roboinstruct_ros.domain.program_names import BUILTINS, MODULES
from roboinstruct_ros.domain.simulation import Simulation
from roboinstruct_ros.domain.skill_call import SKILL_ERRORS
from roboinstruct_ros.domain.skill_limits import Addition, Booking
from roboinstruct_ros.domain.thing_names import same_thing
from roboinstruct_ros.domain.value_types import VALUE_TYPES

if TYPE_CHECKING:  # the domain checks itself with this module
    from roboinstruct_ros.domain.skills import Domain, Skill

_FUNCTION = re.compile(r"[a-z]\w*", re.ASCII | re.IGNORECASE)
"""A name in Python that is one in ROS too."""

_GIVEN = {*BUILTINS, *MODULES, "task_program"}

_WORDS = ("here", "anybody", "*")
_ANSWERS = ("nothing", "current_location", "all_locations", "one_of_options")


def domain_faults(domain: Domain) -> Iterator[FieldFault]:
    """Yield what in a domain file does not fit together."""
    yield from _twice(("skills",), domain.skill_names)
    yield from _twice(("predicates",), [p.name for p in domain.predicates])
    yield from _twice(("quantities",), [one.name for one in domain.quantities])
    types = domain.all_entity_types
    for kind in domain.entities:
        if kind not in types:
            yield _unknown(("entities", kind), "entity type", kind, types)
        yield from _same_things(domain, kind)
    for part in ("predicates", "quantities"):
        for index, one in enumerate(getattr(domain, part)):
            for kind in (kind for text in one.arguments for kind in text.split(" or ")):
                if kind not in types:
                    yield _unknown((part, index, "arguments"), "entity type", kind, types)
    for index, predicate in enumerate(domain.predicates):
        waits = predicate.changes_while_waiting
        if waits is not None and waits not in types:
            place = ("predicates", index, "changes_while_waiting")
            yield _unknown(place, "entity type", waits, types)
        places = [str(place) for place in range(len(predicate.arguments))]
        for field in ("when_true", "when_false"):
            fault = placeholder_fault(getattr(predicate, field), places)
            if fault:
                yield FieldFault(("predicates", index, field), fault)
    for index, skill in enumerate(domain.skills):
        yield from _skill_faults(domain, skill, ("skills", index))
    yield from simulation_faults(domain, domain.simulation, ("simulation",))


def simulation_faults(
    domain: Domain, simulation: Simulation, place: FieldPath = ()
) -> Iterator[FieldFault]:
    """Yield what in a simulated world does not fit the domain."""
    predicates = {one.name: one.arguments for one in domain.predicates}
    quantities = {one.name: one.arguments for one in domain.quantities}
    named: list[tuple[FieldPath, str, Mapping[str, Sequence[str]]]] = []
    for part in ("holds", "holds_not"):
        named += [((part, i), one, predicates) for i, one in enumerate(getattr(simulation, part))]
    named += [(("quantities", one), one, quantities) for one in simulation.quantities]
    for field, text, known in named:
        pattern = LiteralPattern.from_text(text)
        kinds, given = known.get(pattern.predicate), pattern.arguments
        if kinds is None:
            what = "quantity" if known is quantities else "predicate"
            yield _unknown((*place, *field), what, pattern.predicate, tuple(known))
        elif len(kinds) != len(given):
            told = f"{text}: takes {len(kinds)} arguments, not {len(given)}"
            yield FieldFault((*place, *field), told)
        else:
            for name, kind in zip(given, kinds, strict=True):
                yield from _name_faults(domain, name, kind, (*place, *field))
    for text, number in simulation.quantities.items():
        quantity = domain.quantity(LiteralPattern.from_text(text).predicate)
        if not quantity.low <= number <= quantity.high:
            told = f"{number:g} is out of its range, {quantity.low:g} to {quantity.high:g}"
            yield FieldFault((*place, "quantities", text), told)


def _name_faults(domain: Domain, name: str, kind: str, place: FieldPath) -> Iterator[FieldFault]:
    """Yield that a name is none of a closed list."""
    lists = [domain.entities.get(one) for one in kind.split(" or ")]
    names = [known for listed in lists for known in listed or ()]
    if None not in lists and not any(same_thing(name, known) for known in names):
        yield FieldFault(
            place, f"there is no {kind} '{name}'; there are {', '.join(names)}", name, names
        )


def _same_things(domain: Domain, kind: str) -> Iterator[FieldFault]:
    """Yield the second of two names of a closed list that mean the same thing."""
    names = domain.entities[kind]
    for index, name in enumerate(names):
        for before in names[:index]:
            if same_thing(name, before):
                told = f"'{name}' means the same as '{before}'; leave one out"
                yield FieldFault(("entities", kind, index), told)


def _skill_faults(domain: Domain, skill: Skill, place: FieldPath) -> Iterator[FieldFault]:
    types = (*domain.all_entity_types, *VALUE_TYPES)
    if not _FUNCTION.fullmatch(skill.name):
        told = f"'{skill.name}' is no name for a function; use letters, digits and _"
        yield FieldFault((*place, "name"), told)
    elif keyword.iskeyword(skill.name) or skill.name in _GIVEN:
        told = f"'{skill.name}' has another meaning in a program; call the skill something else"
        yield FieldFault((*place, "name"), told)
    yield from _twice((*place, "parameters"), skill.parameter_names)
    also_filled = {
        word for part, also in ALSO_FILLED.items() if getattr(skill, part) for word in also
    }
    for index, parameter in enumerate(skill.parameters):
        if not parameter.name.isidentifier() or keyword.iskeyword(parameter.name):
            told = f"'{parameter.name}' is no name for a parameter; use letters, digits and _"
            yield FieldFault((*place, "parameters", index, "name"), told)
        elif parameter.name in also_filled.union(_WORDS):
            told = f"'{parameter.name}' has another meaning in a skill; call it something else"
            yield FieldFault((*place, "parameters", index, "name"), told)
        kinds = parameter.type.split(" or ") if parameter.is_entity else [parameter.type]
        for kind in kinds:
            if kind not in types:
                yield _unknown((*place, "parameters", index, "type"), "type", kind, types)
    if skill.answer is not None:
        yield from _literal_faults(domain, skill, skill.answer, (*place, "returns"))
    elif skill.returns not in _ANSWERS:
        known = (*_ANSWERS, "a literal")
        yield _unknown((*place, "returns"), "kind of answer", skill.returns, known)
    choices = [one for one in skill.parameters if one.type == "options"]
    if skill.returns == "one_of_options" and len(choices) != 1:
        told = f"one_of_options needs one parameter of the type 'options', not {len(choices)}"
        yield FieldFault((*place, "returns"), told)
    for part in ("preconditions", "effects", "advice"):
        for index, item in enumerate(getattr(skill, part)):
            below = (*place, part, index)
            yield from _literal_faults(domain, skill, item.pattern, (*below, "literal"))
    for index, precondition in enumerate(skill.preconditions):
        if precondition.error and precondition.error not in SKILL_ERRORS:
            below = (*place, "preconditions", index, "error")
            yield _unknown(below, "error of a skill", precondition.error, SKILL_ERRORS)
    for part, also in ALSO_FILLED.items():
        for index, item in enumerate(getattr(skill, part)):
            fault = placeholder_fault(item.message, (*skill.parameter_names, *also))
            if fault:
                yield FieldFault((*place, part, index, "message"), fault)
    for index, addition in enumerate(skill.adds):
        yield from _addition_faults(domain, skill, addition, (*place, "adds", index))
    for index, booking in enumerate(skill.books):
        yield from _booking_faults(domain, skill, booking, (*place, "books", index))


def _literal_faults(
    domain: Domain, skill: Skill, pattern: LiteralPattern, place: FieldPath
) -> Iterator[FieldFault]:
    known = {one.name: one.arguments for one in domain.predicates}
    if pattern.predicate not in known:
        yield _unknown(place, "predicate", pattern.predicate, tuple(known))
        return
    yield from _argument_faults(skill, pattern, known[pattern.predicate], place)
    if "here" in pattern.arguments and not domain.has_rooms:
        yield FieldFault(place, "'here' needs a predicate robot_at(location)")


def _argument_faults(
    skill: Skill, pattern: LiteralPattern, kinds: Sequence[str], place: FieldPath
) -> Iterator[FieldFault]:
    if len(kinds) != len(pattern.arguments):
        told = f"{pattern.predicate} takes {len(kinds)} arguments, not {len(pattern.arguments)}"
        yield FieldFault(place, told)
    types = {one.name: one.entity_types for one in skill.parameters if one.is_entity}
    types |= {"here": frozenset({"location"}), "anybody": frozenset({"person"})}
    allowed = (*types, "*")
    for argument, kind in zip(pattern.arguments, kinds, strict=False):
        if argument not in allowed:
            yield _unknown(place, "parameter or word", argument, allowed)
        elif argument != "*" and types[argument].isdisjoint(kind.split(" or ")):
            is_a = " or ".join(sorted(types[argument]))
            told = f"{pattern.predicate} takes {kind}, but '{argument}' is of type {is_a}"
            yield FieldFault(place, told)


def _addition_faults(
    domain: Domain, skill: Skill, addition: Addition, place: FieldPath
) -> Iterator[FieldFault]:
    known = {one.name: one.arguments for one in domain.quantities}
    name = addition.pattern.predicate
    if name not in known:
        yield _unknown((*place, "quantity"), "quantity", name, tuple(known))
    else:
        yield from _argument_faults(skill, addition.pattern, known[name], (*place, "quantity"))
    numbers = tuple(p.name for p in skill.parameters if p.type == "number")
    if addition.amount not in numbers:
        yield _unknown((*place, "amount"), "parameter of type number", addition.amount, numbers)


def _booking_faults(
    domain: Domain, skill: Skill, booking: Booking, place: FieldPath
) -> Iterator[FieldFault]:
    if booking.timeline not in domain.timelines:
        yield _unknown((*place, "timeline"), "timeline", booking.timeline, domain.timelines)
    for part, kind in (("start", "time"), ("duration", "duration"), ("what", "")):
        name = getattr(booking, part)
        known = tuple(p.name for p in skill.parameters if p.type == kind or not kind)
        if name not in known:
            what = f"parameter of type {kind}" if kind else "parameter"
            yield _unknown((*place, part), what, name, known)


def _twice(place: FieldPath, names: Sequence[str]) -> Iterator[FieldFault]:
    for index, name in enumerate(names):
        if name in names[:index]:
            yield FieldFault((*place, index, "name"), f"'{name}' is given twice")


def _unknown(place: FieldPath, what: str, wrong: str, known: Sequence[str]) -> FieldFault:
    there = ", ".join(known) or "none"
    return FieldFault(place, f"there is no {what} '{wrong}'; known are {there}", wrong, known)
