"""A hidden world in which skills have the effects that their domain file declares.

The verifier explores all possible worlds; here one is actual, and only skills reveal it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from roboinstruct_ros.domain.literal_pattern import LiteralPattern
from roboinstruct_ros.domain.simulation import Simulation
from roboinstruct_ros.domain.skill_call import SKILL_ERRORS, SkillErrorCode
from roboinstruct_ros.domain.skills import HERE, Domain, Precondition, Skill
from roboinstruct_ros.domain.thing_names import plain_name
from roboinstruct_ros.domain.value_types import shown, value_type_fault
from roboinstruct_ros.skill_servers.kit.fault import Fault, empty_argument
from roboinstruct_ros.verify.story import filled, named
from roboinstruct_ros.verify.world.limits import Limits
from roboinstruct_ros.verify.world.world import ANYBODY, Literal, World


class DeclaredWorld:
    """One world, from its file; facts that the file leaves open are drawn with a seed.

    The same seed and calls give the same answers; a fact does not depend on the order in which
    facts are queried. Only skills change the world.

    Args:
        rooms: rooms of the map, if the robot has one; it starts in the first.
    """

    def __init__(
        self, domain: Domain, simulation: Simulation, rooms: tuple[str, ...] = (), seed: int = 0
    ) -> None:
        self._domain, self._simulation, self._rooms, self._seed = domain, simulation, rooms, seed
        self._world, self._limits = World(domain), Limits(domain)
        self._changes, self._spelled = 0, dict[str, str]()
        for name in (*rooms, *(one for known in domain.entities.values() for one in known)):
            self._name(name)
        for texts, value in ((simulation.holds, True), (simulation.holds_not, False)):
            for text in texts:
                self._world.set(self._fact(text), value)
        if rooms and self._world.argument_of(HERE) is None:
            self._world.set((HERE, rooms[0]), True)
        for text, number in simulation.quantities.items():
            self._limits.place(self._fact(text), number)

    def fault(self, skill: Skill, arguments: Mapping[str, Any]) -> Fault | None:
        """Why the skill cannot be carried out now, or None."""
        if fault := self._argument_fault(skill, arguments):
            return fault
        names = self._entities(skill, arguments)
        for need in skill.preconditions:
            if self._holds(self._literal(need.pattern, names)) != need.is_:
                return self._unmet(need, names)
        return self._keep_limits(self._limits.copy(), skill, arguments, names)

    def do(self, skill: Skill, arguments: Mapping[str, Any]) -> Any:
        """Carry out a skill for which `fault` returned None. Returns its answer."""
        names = self._entities(skill, arguments)
        answer = self._answer(skill, arguments, names)
        self._keep_limits(self._limits, skill, arguments, names)
        for effect in skill.effects:
            literal = self._literal(effect.pattern, names)
            self._changes += 1
            if effect.becomes == "undefined":
                self._world.set(literal, self._drawn((*literal, self._changes)))
            else:
                self._world.set(literal, effect.becomes)
        return answer

    def state(self) -> dict[str, Any]:
        """The facts, quantities and slots known so far."""
        true = [literal for literal, value in self._world.literals.items() if value]
        placed = (fact for fact in self._limits.known() if self._limits.stands(fact) is not None)
        return {
            "holds": sorted(map(_text, true)),
            "quantities": {_text(fact): self._limits.stands(fact) for fact in sorted(placed)},
            "timelines": self._limits.taken(),
        }

    def _argument_fault(self, skill: Skill, arguments: Mapping[str, Any]) -> Fault | None:
        if more := [name for name in arguments if name not in skill.parameter_names]:
            message = f"{skill.name} has no argument {shown(more[0])}"
            return Fault(SkillErrorCode.INVALID_ARGUMENT, message)
        for parameter in skill.parameters:
            value = arguments.get(parameter.name)
            kind = "text" if parameter.is_entity else parameter.type
            if wrong := value_type_fault(value, kind):
                return Fault(SkillErrorCode.INVALID_ARGUMENT, f"{parameter.name} {wrong}")
            if not parameter.is_entity:
                continue
            if not str(value).strip() and not parameter.may_be_empty:
                return empty_argument(parameter.name)
            if fault := self._unknown(parameter.type, str(value)):
                return fault
        return None

    def _unknown(self, kind: str, name: str) -> Fault | None:
        known = self._rooms if kind == "location" else self._domain.entities.get(kind, ())
        if not known or self._name(name) in known:
            return None
        place = kind == "location"
        code = SkillErrorCode.UNKNOWN_LOCATION if place else SkillErrorCode.INVALID_ARGUMENT
        return Fault(code, f"there is no {kind} '{name}'; there are {', '.join(known)}")

    def _unmet(self, need: Precondition, names: Mapping[str, str]) -> Fault:
        literal = self._literal(need.pattern, names)
        held = self._world.argument_of(*literal[:-1])
        held = named(held) if held else "nothing"
        words = {**filled(names), "here": named(self._here()), "held": held}
        code = next(
            (name for name in (need.error, need.violation.value) if name in SKILL_ERRORS),
            SkillErrorCode.INVALID_ARGUMENT.name,
        )
        return Fault(SkillErrorCode[code.upper()], need.message.format(**words))

    def _keep_limits(
        self, limits: Limits, skill: Skill, arguments: Mapping[str, Any], names: Mapping[str, str]
    ) -> Fault | None:
        faults = []
        for addition in skill.adds:
            quantity = self._literal(addition.pattern, names)
            if limits.stands(quantity) is None:
                limits.place(quantity, self._start(quantity))
            faults.append(limits.add(addition, quantity, arguments, names))
        for booking in skill.books:
            faults.append(limits.book(booking, arguments, names))
        message = next(filter(None, faults), "")
        return Fault(SkillErrorCode.INVALID_ARGUMENT, message) if message else None

    def _answer(self, skill: Skill, arguments: Mapping[str, Any], names: Mapping[str, str]) -> Any:
        if skill.answer is not None:
            return self._holds(self._literal(skill.answer, names))
        if skill.returns == "current_location":
            return self._here()
        if skill.returns == "all_locations":
            return list(self._rooms)
        if skill.returns == "one_of_options":
            options = list(skill.options_in(arguments))
            return self._random((skill.name, *map(str, arguments.values()))).choice(options)
        return None

    def _holds(self, literal: Literal) -> bool:
        known = self._world.value(literal)
        if known is None and "*" not in literal:
            known = self._drawn(literal)
            self._world.set(literal, known)
        return bool(known)

    def _drawn(self, what: tuple[object, ...]) -> bool:
        return self._random(what).random() < self._simulation.chance

    def _start(self, quantity: Literal) -> float:
        bounds = self._domain.quantity(quantity[0])
        return self._random(quantity).uniform(bounds.low, bounds.high)

    def _random(self, what: tuple[object, ...]) -> random.Random:
        return random.Random(f"{self._seed} {what!r}")

    def _entities(self, skill: Skill, arguments: Mapping[str, Any]) -> dict[str, str]:
        """Names of the entities in the arguments; times and durations unchanged."""
        return {
            one.name: self._name(arguments[one.name]) if one.is_entity else arguments[one.name]
            for one in skill.parameters
            if one.is_entity or one.type in ("time", "duration")
        }

    def _fact(self, text: str) -> Literal:
        pattern = LiteralPattern.from_text(text)
        return (pattern.predicate, *map(self._name, pattern.arguments))

    def _name(self, name: str) -> str:
        """The first spelling of the name; letter case, articles and plurals are ignored."""
        return self._spelled.setdefault(plain_name(name), name.strip())

    def _here(self) -> str:
        return self._world.argument_of(HERE) or ""

    def _literal(self, pattern: LiteralPattern, names: Mapping[str, str]) -> Literal:
        words = {"here": self._here(), "anybody": ANYBODY, "*": "*"}
        return (pattern.predicate, *({**words, **names}[one] for one in pattern.arguments))


def _text(literal: Literal) -> str:
    return f"{literal[0]}({', '.join(literal[1:])})"
