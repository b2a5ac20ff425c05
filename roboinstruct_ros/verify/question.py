"""The input of an exploration: everything that a verdict depends on, except the budget."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from types import CodeType
from typing import Any

from roboinstruct_ros.domain.condition import alike
from roboinstruct_ros.domain.policies import NO_POLICIES, Policies
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.domain.thing_names import plain_name
from roboinstruct_ros.verify.policies.policy_monitor import PolicyMonitors
from roboinstruct_ros.verify.program_facts import ProgramFacts
from roboinstruct_ros.verify.world.remains import Remains

_MOST_SPACES = 5
"""Most spaces in the name of a thing; a longer text is a sentence."""


@dataclass(frozen=True)
class Question:
    """One program under one domain, map and set of policies.

    Attributes:
        semantic_map: the robot's rooms; None leaves them open.
        past: skill calls already made in reality, with their results.
        remains: the facts that earlier runs have left.
        calls_seen: cache of checked arguments, shared by the paths of this and later verifications.
        any_start: the robot may start in any room, even if the program cannot tell rooms apart.
    """

    code: CodeType
    facts: ProgramFacts
    domain: Domain
    semantic_map: SemanticMap | None = None
    policies: Policies = NO_POLICIES
    past: tuple[SkillCall, ...] = ()
    remains: Remains = ()
    calls_seen: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    any_start: bool = False

    @cached_property
    def rooms_meant(self) -> tuple[str, ...]:
        """Rooms of the map that policies refer to; the program can tell each of them apart."""
        texts = self.policies.texts_of("location", self.domain)
        if not texts or self.semantic_map is None:
            return ()
        names = {room: self.semantic_map.names(room) for room in self.semantic_map.room_names}
        return tuple(
            room
            for room, known in names.items()
            if any(alike(text, name) for text in texts for name in known)
        )

    @cached_property
    def seen_as(self) -> dict[str, tuple[bool, ...]]:
        """How the texts of program and policies match each room of the map; rooms of the same tuple
        are alike to them."""
        if self.semantic_map is None:
            return {}
        texts = (*self.facts.rooms.texts, *self.rooms_meant)
        meant = [self.semantic_map.resolve(text) for text in texts]
        return {
            room: tuple(
                same
                for text, known in zip(texts, meant, strict=True)
                for same in (known == room, bool(text) and text in room)
            )
            for room in self.semantic_map.room_names
        }

    @cached_property
    def spellings(self) -> dict[str, str]:
        """The program's first spelling of each thing or person, by plain name; the spelling of a
        location takes precedence."""
        use = self.facts.rooms
        texts = (*use.locations, *use.places, *use.texts)
        short = [text for text in texts if text.count(" ") <= _MOST_SPACES]
        return {plain_name(text): text.strip() for text in reversed(short)}

    @cached_property
    def monitors(self) -> PolicyMonitors:
        """The compiled policies, at the beginning of a run."""
        return PolicyMonitors(self.domain, self.policies)
