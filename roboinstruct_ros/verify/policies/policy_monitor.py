"""Policies compiled to monitors; the verifier and a real run step the same ones.

Each skill call makes two moments: before it, with the call and the facts as they are, and after it,
with the facts that it leaves. The end of the program is a moment too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from roboinstruct_ros.domain.condition import (
    Both,
    Condition,
    Either,
    Not,
    Term,
    Word,
    alike,
    alike_thing,
)
from roboinstruct_ros.domain.policies import Policies, Policy
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.verify.policies.temporal import (
    AllOf,
    Earlier,
    Formula,
    Memory,
    MoreThan,
    Now,
    Opposite,
)


class Facts(Protocol):
    """What a moment can say of the world."""

    def holds(self, term: Term) -> bool:
        """Whether some literal that the term describes is true."""

    def room(self, word: str) -> str:
        """The room that `here` or `start` means."""

    def is_room(self, wanted: str | Word, room: str) -> bool:
        """Whether a room, under any of its names, is one that a condition means."""

    def doubt(self) -> None:
        """Somebody may be meant or not, and only one of both is tried."""


@dataclass(frozen=True)
class Moment:
    """What a condition is held against.

    Attributes:
        skill: the skill that is about to be called; empty at other moments.
        arguments: of that call, by the name of the parameter.
        ended: the program has come to its end.
    """

    facts: Facts
    skill: str = ""
    arguments: Mapping[str, object] = field(default_factory=dict)
    ended: bool = False


class PolicyMonitors:
    """The monitors of all policies that hold, along one run."""

    def __init__(self, domain: Domain, policies: Policies) -> None:
        self._rules = [(policy, broken_formula(policy, domain)) for policy in policies.enabled]
        self._memory: Memory = {}

    def __bool__(self) -> bool:
        return bool(self._rules)

    def fresh(self) -> PolicyMonitors:
        """The same monitors at the beginning of a run."""
        return self._with({})

    def copy(self) -> PolicyMonitors:
        """The same monitors at the same point; each may be stepped on its own."""
        return self._with(dict(self._memory))

    def state(self) -> object:
        """What the monitors remember."""
        return frozenset(self._memory.items())

    def step(self, moment: Moment) -> Policy | None:
        """Take one moment in. The first policy that it breaks, or None."""
        broken = [policy for policy, bad in self._rules if bad.step(moment, self._memory)]
        return broken[0] if broken else None

    def _with(self, memory: Memory) -> PolicyMonitors:
        other = object.__new__(PolicyMonitors)
        other._rules, other._memory = self._rules, memory
        return other


def broken_formula(policy: Policy, domain: Domain) -> Formula:
    """The formula that is true at the moment at which the policy is broken."""
    parts = {name: _formula(c, domain) for name, c in policy.conditions.items()}
    shape = policy.shape
    if shape == ("never",):
        return parts["never"]
    if shape == ("before", "require"):
        again = parts["before"] if policy.each_time else None
        return AllOf(parts["before"], Opposite(Earlier(parts["require"], unless=again)))
    if shape == ("after", "until", "never"):
        return AllOf(parts["never"], Earlier(parts["after"], unless=parts["until"]))
    if shape == ("at_most", "of"):
        assert policy.at_most is not None
        return MoreThan(policy.at_most, parts["of"])
    if shape == ("only", "when"):
        return AllOf(parts["only"], Opposite(parts["when"]))
    return AllOf(Now(lambda moment: moment.ended), Opposite(parts["at_end"]))


def _formula(condition: Condition, domain: Domain) -> Formula:
    if isinstance(condition, Not):
        return Opposite(_formula(condition.inner, domain))
    if isinstance(condition, (Both, Either)):
        left, right = _formula(condition.left, domain), _formula(condition.right, domain)
        if isinstance(condition, Both):
            return AllOf(left, right)
        return Opposite(AllOf(Opposite(left), Opposite(right)))
    if condition.name in domain.skill_names:
        return Now(_call_atom(condition, domain))
    term = condition
    return Now(lambda moment: moment.facts.holds(term))


def _call_atom(term: Term, domain: Domain) -> Callable[[Moment], bool]:
    skill = domain.skill(term.name)
    wanted = [*zip(skill.parameter_names, term.arguments, strict=False), *term.keywords]
    types = {parameter.name: parameter.type for parameter in skill.parameters}

    def happens(moment: Moment) -> bool:
        return moment.skill == term.name and all(
            _is_meant(value, moment.arguments.get(name), types[name], moment.facts, domain)
            for name, value in wanted
        )

    return happens


def _is_meant(wanted: str | Word, given: object, kind: str, facts: Facts, domain: Domain) -> bool:
    if not isinstance(given, str):
        return False
    if kind == "location" or isinstance(wanted, Word):
        return facts.is_room(wanted, given)
    if "person" in kind and domain.is_anybody(wanted):
        return True
    fits = alike(wanted, given) if kind == "text" else alike_thing(wanted, given)
    if not fits and "person" in kind and domain.is_anybody(given):
        facts.doubt()  # whoever is there may be just the one
    return fits
