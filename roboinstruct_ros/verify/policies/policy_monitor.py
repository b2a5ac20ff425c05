"""Policies compiled to monitors, which the verifier and a real run step in the same way.

Each skill call makes two moments: one before it, with the call and the current facts, and one after
it, with the resulting facts, which names the call only if it has succeeded. The end of the program
is a moment too. A rule forbids and counts calls before they are made; the calls that it wants have
succeeded.
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
    """The facts of the world at a moment."""

    def holds(self, term: Term) -> bool:
        """Whether some literal that matches the term is true."""

    def room(self, word: str) -> str:
        """The room that `here` or `start` means."""

    def is_room(self, wanted: str | Word, room: str) -> bool:
        """Whether a condition's text means this room, by any of its names."""

    def names(self, name: str) -> tuple[str, ...]:
        """All names of the thing or person called `name`, including `name`."""

    def doubt(self) -> None:
        """Record that a term may or may not mean somebody, and that only one case is tried."""


@dataclass(frozen=True)
class Moment:
    """The moment at which a condition is evaluated.

    Attributes:
        skill: the skill that is about to be called or has succeeded; empty at other moments.
        arguments: of that call, by parameter name.
        done: the call has succeeded.
        ended: the program has ended.
    """

    facts: Facts
    skill: str = ""
    arguments: Mapping[str, object] = field(default_factory=dict)
    done: bool = False
    ended: bool = False


class PolicyMonitors:
    """The monitors of all enabled policies, along one run."""

    def __init__(self, domain: Domain, policies: Policies) -> None:
        self._rules = [(policy, broken_formula(policy, domain)) for policy in policies.enabled]
        self._memory: Memory = {}

    def __bool__(self) -> bool:
        return bool(self._rules)

    def fresh(self) -> PolicyMonitors:
        """The same monitors at the beginning of a run."""
        return self._with({})

    def copy(self) -> PolicyMonitors:
        """An independent copy at the same point of the run."""
        return self._with(dict(self._memory))

    def state(self) -> object:
        """The memory of the monitors, for comparison."""
        return frozenset(self._memory.items())

    def step(self, moment: Moment) -> Policy | None:
        """Process one moment. Return the first policy that it breaks, or None."""
        broken = [policy for policy, bad in self._rules if bad.step(moment, self._memory)]
        return broken[0] if broken else None

    def _with(self, memory: Memory) -> PolicyMonitors:
        other = object.__new__(PolicyMonitors)
        other._rules, other._memory = self._rules, memory
        return other


def broken_formula(rule: Rule, domain: Domain) -> Formula:
    """The formula that is true at the moment at which the rule is broken."""
    parts = {name: formula_of(c, domain, name in _WANTED) for name, c in rule.conditions.items()}
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
            steps = [formula_of(c, domain, done=True) for c in rule.in_order_conditions]
            return _missed_at_end(_in_order(steps))
        case ("at_end",):
            return _missed_at_end(parts["at_end"])
    return _miscounted(rule, parts["of"])


_WANTED = ("require", "until", "at_end")


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
    """True at a first call that takes time and is not wanted, or at the end without a call."""
    acting = {skill.name for skill in domain.skills if skill.takes_time}
    acts = Now(lambda moment: moment.skill in acting and not moment.done)
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


def formula_of(
    condition: Condition, domain: Domain, done: bool = False, ever: bool = False
) -> Formula:
    """The formula that is true when the condition holds.

    Args:
        done: a call counts when it has succeeded, not when it is about to be made.
        ever: a call also counts at every later moment.
    """
    match condition:
        case Not(inner):
            return Opposite(formula_of(inner, domain, done, ever))
        case Both(left, right):
            return AllOf(*(formula_of(part, domain, done, ever) for part in (left, right)))
        case Either(left, right):
            return _either(*(formula_of(part, domain, done, ever) for part in (left, right)))
    term = condition
    if term.name in domain.skill_names:
        call = Now(_call_atom(term, domain, done))
        return _either(call, Earlier(call)) if ever else call
    return Now(lambda moment: moment.facts.holds(term))


def _call_atom(term: Term, domain: Domain, done: bool) -> Callable[[Moment], bool]:
    skill = domain.skill(term.name)
    wanted = [*zip(skill.parameter_names, term.arguments, strict=False), *term.keywords]
    types = {parameter.name: parameter.type for parameter in skill.parameters}

    def happens(moment: Moment) -> bool:
        return (
            moment.skill == term.name
            and moment.done is done
            and all(
                _is_meant(value, moment.arguments.get(name), types[name], moment.facts, domain)
                for name, value in wanted
            )
        )

    return happens


def _is_meant(wanted: str | Word, given: object, kind: str, facts: Facts, domain: Domain) -> bool:
    if isinstance(given, (list, tuple)):  # of a list of options, one match suffices
        return any(_is_meant(wanted, one, "text", facts, domain) for one in given)
    if not isinstance(given, str):
        return False
    if kind == "location" or isinstance(wanted, Word):
        return facts.is_room(wanted, given)
    if "person" in kind and domain.is_anybody(wanted):
        return True
    if kind == "text":
        return fits_text(wanted, given)
    compare = fits_text if is_pattern(wanted) else alike_thing
    fits = any(compare(wanted, name) for name in facts.names(given))
    if not fits and "person" in kind and domain.is_anybody(given):
        facts.doubt()  # whoever is there may be this very person
    return fits
