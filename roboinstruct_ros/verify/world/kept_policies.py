"""The operator's policies along one path."""

from __future__ import annotations

from functools import partial

from roboinstruct_ros.domain.phrase import phrase
from roboinstruct_ros.domain.violation_code import ViolationCode
from roboinstruct_ros.program.wording import sentence
from roboinstruct_ros.verify.policies.policy_monitor import Moment
from roboinstruct_ros.verify.policies.world_facts import WorldFacts
from roboinstruct_ros.verify.rooms.rooms import Rooms
from roboinstruct_ros.verify.story import fact
from roboinstruct_ros.verify.world.path import Path
from roboinstruct_ros.verify.world.skill_arguments import Call
from roboinstruct_ros.verify.world.whereabouts import Whereabouts
from roboinstruct_ros.verify.world.world import ImpossibleWorld, Literal, World


class KeptPolicies:
    """Steps the monitors, and decides facts of the world when a policy needs them.

    Attributes:
        watched: there is a policy.
    """

    def __init__(self, path: Path, world: World, rooms: Rooms, whereabouts: Whereabouts) -> None:
        question = path.question
        self.watched = bool(question.monitors)
        self._path = path
        self._world = world
        self._whereabouts = whereabouts
        self._monitors = question.monitors.fresh()
        self._mention_start = question.policies.mention_start
        self._begun = False
        self._facts = WorldFacts(
            world,
            question.semantic_map,
            whereabouts.room_of,
            partial(_suppose, path, world),
            partial(path.leave_out, "a rule may mean somebody or some room, or not"),
            rooms.is_made_up,
            question.policies.people,
        )

    def state(self) -> object:
        """The memory of the monitors."""
        return self._monitors.state(), self._begun

    def begin(self) -> None:
        """Begin the task, unless the initial world already breaks a policy.

        Raises:
            ImpossibleWorld: it does.
        """
        if self._begun or not self.watched:
            return
        self._begun = True
        if self._mention_start:
            self._whereabouts.here()
        if self._monitors.step(Moment(self._facts)) is not None:
            raise ImpossibleWorld

    def repeat(self, call: Call) -> None:
        """Step the monitors for a call made in reality; it can no longer be prevented."""
        if self.watched:
            self._monitors.step(Moment(self._facts, call.skill.name, call.arguments))

    def keep(self, call: Call, done: bool = False) -> None:
        """Step the monitors before a call, or after its success. Raises ViolationFound."""
        if self.watched:
            moment = Moment(self._facts, call.skill.name, call.arguments, done)
            self._step(moment, "told.breaks")

    def end(self) -> None:
        """Step the monitors at the end of the program. Raises ViolationFound."""
        self.begin()
        if self.watched:
            self._step(Moment(self._facts, ended=True), "told.breaks_end")

    def _step(self, moment: Moment, key: str) -> None:
        broken = self._monitors.step(moment)
        if broken is not None:
            reason = broken.because or broken.text
            message = str(phrase(key, name=broken.name, reason=reason))
            skill = self._path.calls[-1].skill if self._path.calls else ""
            self._path.fail(skill, ViolationCode.POLICY_BROKEN, message)


def _suppose(path: Path, world: World, literal: Literal) -> bool:
    """Decide a fact that a policy needs and nobody has observed: both values are tried."""
    value = (True, False)[path.choices.choose(2, (True, False), literal)]
    world.set(literal, value)
    domain = world.domain
    path.tell(lambda: sentence(f"suppose {fact(domain, literal, value)}"))
    return value
