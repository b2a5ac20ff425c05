"""Checks the calls of a run against the conditions and goals of its world.

The calls are repeated one by one in the same world, and policy monitors are stepped over the
result: before each call, after it, and at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from roboinstruct_ros.domain.condition import Condition
from roboinstruct_ros.domain.said_words import has_words
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.evaluate.suite.names_in_tasks import suite_domain
from roboinstruct_ros.evaluate.suite.scene import Scene
from roboinstruct_ros.evaluate.suite.schema import RunCondition
from roboinstruct_ros.evaluate.worlds.scripted import Facts, Made, ScriptedWorld, Stuck
from roboinstruct_ros.sandbox.namespace import SkillError
from roboinstruct_ros.verify.policies.policy_monitor import Moment, broken_formula, formula_of
from roboinstruct_ros.verify.policies.temporal import Formula, Memory


@dataclass(frozen=True)
class Course:
    """The result of a run.

    Attributes:
        broken: the first condition that it broke, and where; "" if it broke none.
        goals: for each, whether it holds at the end.
    """

    broken: str
    goals: tuple[bool, ...]


def course_of(
    made: Sequence[Made],
    facts: Facts,
    rooms: SemanticMap,
    conditions: Sequence[RunCondition],
    goals: Sequence[Condition],
    ended: bool = True,
) -> Course:
    """Check calls against conditions and goals.

    Args:
        facts: of the world in which they were made.
        ended: the program ended normally; otherwise unfinished business breaks no condition.
    """
    monitors, wanted = _monitors(tuple(conditions)), _goals(tuple(goals))
    if not (conditions or goals):
        return Course("", ())
    memory: Memory = {}
    broken, held = "", tuple(False for _ in wanted)
    for number, moment in _moments(made, facts, rooms):
        steps = [rule for rule, bad in monitors if bad.step(moment, memory)]
        held = tuple([goal.step(moment, memory) for goal in wanted])
        if steps and not broken and (ended or not moment.ended):
            broken = f"it breaks '{steps[0].text}' {_where(made, number)}"
    if not broken and ended:
        broken = next(_unsaid(made, conditions), "")
    return Course(broken, held)


def _moments(
    made: Sequence[Made], facts: Facts, rooms: SemanticMap
) -> Iterator[tuple[int, Moment]]:
    """Each moment with the number of its call, from 1; the end counts one more."""
    world = ScriptedWorld(facts)
    scene = Scene(world, rooms)
    for number, call in enumerate(made, start=1):
        if call.skill == "sleep":
            _make(call, world)
            yield number, Moment(scene)
            continue
        arguments = _arguments(call, world)
        yield number, Moment(scene, call.skill, arguments)
        _make(call, world)
        done = not call.error
        yield number, Moment(scene, call.skill if done else "", arguments, done)
    yield len(made) + 1, Moment(scene, ended=True)


def _make(call: Made, world: ScriptedWorld) -> None:
    if call.error != "invalid_argument":
        with suppress(SkillError, Stuck):
            getattr(world, call.skill)(*call.arguments)


def _arguments(call: Made, world: ScriptedWorld) -> dict[str, object]:
    """Arguments by parameter; an addressed person has a name."""
    names = suite_domain().skill(call.skill).parameter_names
    given = dict(zip(names, call.arguments, strict=False))
    person = given.get("person")
    if isinstance(person, str):
        with suppress(SkillError):
            given["person"] = world.addressed(person)
    return given


def _where(made: Sequence[Made], number: int) -> str:
    if number > len(made):
        return f"at the end, after {len(made)} calls" if made else "and makes no call"
    return f"at call {number}, {made[number - 1].line}"


def _unsaid(made: Sequence[Made], conditions: Sequence[RunCondition]) -> Iterator[str]:
    said = " ".join(call.arguments[0] for call in made if call.skill == "say" and not call.error)
    for rule in conditions:
        if rule.says is not None and not has_words(said, rule.says):
            yield f"it breaks '{rule.text}': what it says is '{said}'"


@lru_cache(maxsize=1024)
def _monitors(rules: tuple[RunCondition, ...]) -> tuple[tuple[RunCondition, Formula], ...]:
    watched = [rule for rule in rules if rule.says is None]
    return tuple((rule, broken_formula(rule, suite_domain())) for rule in watched)


@lru_cache(maxsize=1024)
def _goals(goals: tuple[Condition, ...]) -> tuple[Formula, ...]:
    return tuple(formula_of(goal, suite_domain(), ever=True) for goal in goals)
