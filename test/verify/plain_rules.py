"""Rules of an operator, each written twice: as a policy, and in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from named_world import Moment, PlainWorld, Rule

from roboinstruct_ros.domain.policies import Policies, Policy

Condition = Callable[[PlainWorld, Moment], bool]


@dataclass(frozen=True)
class TwofoldRule:
    """One rule.

    Attributes:
        policy: fields of the policy.
        fresh: the rule at the beginning of a run.
    """

    policy: dict[str, Any]
    fresh: Callable[[], Rule]
    people: tuple[str, ...] = field(default=("Jack",))

    @property
    def policies(self) -> Policies:
        return Policies(people=self.people, policies=(Policy(name="rule", **self.policy),))


# conditions --------------------------------------------------------------------------------------


def _goes(room: str) -> Condition:
    return lambda world, now: now.skill == "go_to" and world.house.room(now.arguments[0]) == room


def _calls(skill: str, *arguments: str) -> Condition:
    def happens(world: PlainWorld, now: Moment) -> bool:
        given = [" ".join(str(v).lower().split()) for v in now.arguments[: len(arguments)]]
        return now.skill == skill and given == list(arguments)

    return happens


def _holds(part: str) -> Condition:
    return lambda world, now: bool(world.held) and part in world.held.lower()


def _here(person: str) -> Condition:
    return lambda world, now: world.look(person.lower())


def _is_in(room: str) -> Condition:
    return lambda world, now: world.here() == room


def _back(world: PlainWorld, now: Moment) -> bool:
    return world.here() == world.began_in


# shapes ------------------------------------------------------------------------------------------


def _never(condition: Condition, other: Condition) -> Callable[[], Rule]:
    return lambda: lambda world, now: condition(world, now) and other(world, now)


def _before(what: Condition, need: Condition, each: bool = False) -> Callable[[], Rule]:
    def fresh() -> Rule:
        had = False

        def broken(world: PlainWorld, now: Moment) -> bool:
            nonlocal had
            happens, lacking = what(world, now), not had
            if each and happens:
                had = False
            had = had or need(world, now)
            return happens and lacking

        return broken

    return fresh


def _between(after: Condition, until: Condition, bad: Condition) -> Callable[[], Rule]:
    def fresh() -> Rule:
        on = False

        def broken(world: PlainWorld, now: Moment) -> bool:
            nonlocal on
            breaks = on and bad(world, now)
            on = (on and not until(world, now)) or after(world, now)
            return breaks

        return broken

    return fresh


def _at_most(most: int, what: Condition) -> Callable[[], Rule]:
    def fresh() -> Rule:
        count = 0

        def broken(world: PlainWorld, now: Moment) -> bool:
            nonlocal count
            happens = what(world, now)
            count += happens
            return happens and count > most

        return broken

    return fresh


def _only(what: Condition, when: Condition) -> Callable[[], Rule]:
    return lambda: lambda world, now: what(world, now) and not when(world, now)


def _at_end(condition: Condition) -> Callable[[], Rule]:
    def broken(world: PlainWorld, now: Moment) -> bool:
        world.here()  # where it began is known from the first moment
        return now.ended and not condition(world, now)

    return lambda: broken


def _always(world: PlainWorld, now: Moment) -> bool:
    return True


RULES = (
    TwofoldRule({"never": 'go_to("office")'}, _never(_goes("office"), _always)),
    TwofoldRule(
        {"never": 'holding("*cup*") and in_room("Jack", here)'},
        _never(_holds("cup"), _here("Jack")),
    ),
    TwofoldRule(
        {"never": 'robot_at("office") and holding("apple")'},
        _never(_is_in("office"), _holds("apple")),
    ),
    TwofoldRule(
        {"before": 'go_to("office")', "require": "ask(...)"},
        _before(_goes("office"), _calls("ask")),
    ),
    TwofoldRule(
        {"before": "pick(...)", "require": 'say("hello")', "each_time": True},
        _before(_calls("pick"), _calls("say", "hello"), each=True),
    ),
    TwofoldRule(
        {"before": 'go_to("kitchen")', "require": 'in_room("Jack", here)'},
        _before(_goes("kitchen"), _here("Jack")),
    ),
    TwofoldRule(
        {"after": "pick(...)", "until": "say(...)", "never": 'go_to("kitchen")'},
        _between(_calls("pick"), _calls("say"), _goes("kitchen")),
    ),
    TwofoldRule({"at_most": 1, "of": "go_to(...)"}, _at_most(1, _calls("go_to"))),
    TwofoldRule(
        {"only": "place(...)", "when": 'robot_at("kitchen")'},
        _only(_calls("place"), _is_in("kitchen")),
    ),
    TwofoldRule(
        {"only": 'pick("apple")', "when": 'not in_room("Jack", here)'},
        _only(_calls("pick", "apple"), lambda world, now: not world.look("jack")),
    ),
    TwofoldRule({"at_end": "robot_at(start)"}, _at_end(_back)),
    TwofoldRule({"at_end": 'not holding("*")'}, _at_end(lambda world, now: not world.held)),
)
