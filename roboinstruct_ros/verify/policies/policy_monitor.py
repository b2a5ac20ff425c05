"""Policies compiled to monitors; the verifier and a real run step the same ones.

Each skill call makes two moments: before it, with the call and the facts as they are, and after it,
with the facts that it leaves. The end of the program is a moment too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from roboinstruct_ros.domain.condition import (
    Both,
    Condition,
    Either,
    Not,
    Term,
    Word,
    alike_thing,
    fits_text,
    is_pattern,
)
from roboinstruct_ros.domain.policies import Policies, Policy, Rule
from roboinstruct_ros.domain.skills import Domain
from roboinstruct_ros.verify.policies.temporal import (
    AllOf,
    Earlier,
    Formula,
    Memory,
    MoreThan,
    Now,
    Opposite,
    Reached,
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


def broken_formula(rule: Rule, domain: Domain) -> Formula:
    """The formula that is true at the moment at which the rule is broken."""
    parts = {name: formula_of(c, domain) for name, c in rule.conditions.items()}
    match rule.shape:
        case ("never",):
            return parts["never"]
        case ("before", "require"):
            again = parts["before"] if rule.each_time else None
            return AllOf(parts["before"], Opposite(Earlier(parts["require"], unless=again)))
        case ("after", "until", "never"):
            return AllOf(parts["never"], Earlier(parts["after"], unless=parts["until"]))
        case ("only", "when"):
            return AllOf(parts["only"], Opposite(parts["when"]))
        case ("first",):
            return _first_is_another(parts["first"], domain)
        case ("in_order",):
            return _missed_at_end(
                _in_order([formula_of(c, domain) for c in rule.in_order_conditions])
            )
        case ("at_end",):
            return _missed_at_end(parts["at_end"])
    return _miscounted(rule, parts["of"])


def _miscounted(rule: Rule, counted: Formula) -> Formula:
    least, most = rule.at_least, rule.at_most
    if rule.exactly is not None:
        least = most = rule.exactly
    too_many = MoreThan(most, counted) if most is not None else None
    too_few = _missed_at_end(Reached(least, counted)) if least is not None else None
    if too_many is not None and too_few is not None:
        return _either(too_many, too_few)
    found = too_many or too_few
    assert found is not None
    return found


def _first_is_another(wanted: Formula, domain: Domain) -> Formula:
    """The first call that takes time, or the end without one."""
    acting = {skill.name for skill in domain.skills if skill.takes_time}
    acts = Now(lambda moment: moment.skill in acting)
    first = AllOf(_either(acts, _ENDED), Opposite(Earlier(acts)))
    return AllOf(first, Opposite(wanted))


def _in_order(steps: Sequence[Formula]) -> Formula:
    found = Earlier(steps[0])
    for step in steps[1:]:
        found = Earlier(AllOf(step, found))
    return found


_ENDED = Now(lambda moment: moment.ended)


def _missed_at_end(wanted: Formula) -> Formula:
    return AllOf(_ENDED, Opposite(wanted))


def _either(left: Formula, right: Formula) -> Formula:
    return Opposite(AllOf(Opposite(left), Opposite(right)))


def formula_of(condition: Condition, domain: Domain, ever: bool = False) -> Formula:
    """The formula that is true where the condition holds.

    Args:
        ever: a call counts at every moment after it, too.
    """
    match condition:
        case Not(inner):
            return Opposite(formula_of(inner, domain, ever))
        case Both(left, right):
            return AllOf(formula_of(left, domain, ever), formula_of(right, domain, ever))
        case Either(left, right):
            return _either(formula_of(left, domain, ever), formula_of(right, domain, ever))
    term = condition
    if term.name in domain.skill_names:
        call = Now(_call_atom(term, domain))
        return _either(call, Earlier(call)) if ever else call
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
    if isinstance(given, (list, tuple)):  # of options one will do
        return any(_is_meant(wanted, one, "text", facts, domain) for one in given)
    if not isinstance(given, str):
        return False
    if kind == "location" or isinstance(wanted, Word):
        return facts.is_room(wanted, given)
    if "person" in kind and domain.is_anybody(wanted):
        return True
    textual = kind == "text" or is_pattern(wanted)
    fits = fits_text(wanted, given) if textual else alike_thing(wanted, given)
    if not fits and "person" in kind and domain.is_anybody(given):
        facts.doubt()  # whoever is there may be just the one
    return fits
