"""Applies the verifier's checks to a real run: valid calls and the operator's policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from roboinstruct_ros.domain.literal_pattern import LiteralPattern
from roboinstruct_ros.domain.policies import NO_POLICIES, Policies, Policy
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.skills import HERE, Domain, Skill
from roboinstruct_ros.domain.thing_names import plain_name
from roboinstruct_ros.verify.policies.policy_monitor import Moment, PolicyMonitors
from roboinstruct_ros.verify.policies.world_facts import WorldFacts
from roboinstruct_ros.verify.service.call_check import CallCheck, CallFault
from roboinstruct_ros.verify.service.current_rules import Rules
from roboinstruct_ros.verify.world.remains import Remains
from roboinstruct_ros.verify.world.world import ANYBODY, Literal, World


class PolicyGuard:
    """Finds calls that the verifier would reject or that would break a policy.

    A fact that no skill has reported counts as false: the verifier has tried both values.

    Attributes:
        begun_with: facts left by earlier runs when this one began.
        semantic_map: of the rules now in force; None leaves the rooms open.
    """

    def __init__(
        self,
        domain: Domain,
        policies: Policies = NO_POLICIES,
        semantic_map: SemanticMap | None = None,
    ) -> None:
        self._domain, self._policies, self.semantic_map = domain, policies, semantic_map
        self.begin()

    @property
    def asks_start(self) -> bool:
        """Whether a policy refers to the start room, which `set_start` must supply."""
        return self._policies.mention_start

    def begin(self, remains: Remains = ()) -> None:
        """Reset for a new run, which begins with these facts."""
        self.begun_with = remains
        self._monitors = PolicyMonitors(self._domain, self._policies)
        self._world = World(self._domain)
        self._spellings: dict[str, str] = {}  # the first name of each thing or person
        for literal, value in self.begun_with:
            self._world.set((literal[0], *map(self._spelled, literal[1:])), value)
        self._start = ""
        self._check = CallCheck(self._domain, self.semantic_map, self.begun_with)

    def follow(self, rules: Rules, calls: Sequence[SkillCall]) -> None:
        """Switch to other rules and re-evaluate the task so far under them.

        Args:
            calls: made so far, all of them ended.
        """
        start = self._start
        self._policies, self.semantic_map = rules.policies, rules.semantic_map
        self.begin(self.begun_with)
        if start:
            self.set_start(start)
        for call in calls:
            self.note(call)

    def set_start(self, room: str) -> None:
        self._start = self._room_name(room)
        self._world.set((HERE, self._start), True)

    def refusal(
        self, skill_name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> CallFault | None:
        """Why the verifier would reject this call, or None."""
        return self._check.fault(skill_name, args, kwargs)

    def would_break(self, skill_name: str, arguments: Mapping[str, Any]) -> Policy | None:
        """The policy that this call or its effects would break, or None."""
        if not self._monitors:
            return None
        skill = self._domain.skill(skill_name)
        monitors, world = self._monitors.copy(), self._world.copy()
        broken = monitors.step(Moment(self._facts(world), skill_name, arguments))
        if broken is None:
            self._apply(world, skill, arguments)
            broken = monitors.step(Moment(self._facts(world), skill_name, arguments, done=True))
        return broken

    def note(self, call: SkillCall) -> Policy | None:
        """Apply the result of a call. Returns the policy that is now broken, or None."""
        self._check.note(call)
        if not self._monitors:
            return None
        skill = self._domain.skill(call.skill)
        arguments = dict(zip(skill.parameter_names, call.arguments, strict=True))
        broken = self._monitors.step(Moment(self._facts(self._world), call.skill, arguments))
        if not call.error_code:
            self._learn(skill, arguments, call.result)
            self._apply(self._world, skill, arguments)
            after = Moment(self._facts(self._world), call.skill, arguments, done=True)
        else:
            if any(effect.pattern.predicate == HERE for effect in skill.effects):
                self._forget_place()
            after = Moment(self._facts(self._world))
        return self._monitors.step(after) or broken

    def end(self) -> Policy | None:
        """The policy that ending the task here would break, or None."""
        if not self._monitors:
            return None
        return self._monitors.copy().step(Moment(self._facts(self._world), ended=True))

    def _learn(self, skill: Skill, arguments: Mapping[str, Any], result: Any) -> None:
        if skill.answer is not None:
            literal = self._literal(self._world, skill, skill.answer, arguments)
            if literal is not None:
                self._world.set(literal, bool(result))
        elif skill.returns == "current_location":
            self._world.set((HERE, self._room_name(str(result))), True)

    def _apply(self, world: World, skill: Skill, arguments: Mapping[str, Any]) -> None:
        for effect in skill.effects:
            literal = self._literal(world, skill, effect.pattern, arguments)
            if literal is not None:
                world.set(literal, None if effect.becomes == "undefined" else effect.becomes)

    def _forget_place(self) -> None:
        """After a failed drive the robot's room is unknown."""
        here = self._world.argument_of(HERE)
        if here is not None:
            self._world.set((HERE, here), None)

    def _literal(
        self, world: World, skill: Skill, pattern: LiteralPattern, arguments: Mapping[str, Any]
    ) -> Literal | None:
        """The literal; None if it refers to the robot's room and that is unknown."""
        types = {parameter.name: parameter.type for parameter in skill.parameters}
        names = []
        for name in pattern.arguments:
            if name == "here":
                here = world.argument_of(HERE)
                if here is None:
                    return None
                names.append(here)
            elif name in arguments:
                text = str(arguments[name]).strip()
                anybody = "person" in types[name] and self._domain.is_anybody(text)
                text = (self._room_name if types[name] == "location" else self._spelled)(text)
                names.append(ANYBODY if anybody else text)
            else:
                names.append(ANYBODY if name == "anybody" else name)
        return (pattern.predicate, *names)

    def _facts(self, world: World) -> WorldFacts:
        def room(word: str) -> str:
            here = world.argument_of(HERE) or ""
            return here if word == "here" else self._start

        return WorldFacts(world, self.semantic_map, room, people=self._policies.people)

    def _spelled(self, name: str) -> str:
        return self._spellings.setdefault(plain_name(name), name)

    def _room_name(self, name: str) -> str:
        return (self.semantic_map.resolve(name) if self.semantic_map else None) or name.strip()
