"""Pick and place as sequences of steps, with a typed failure for each. No ROS.

pick:  open - [ plan - approach - close - check - attach - lift - check ] - (carry)
place: check - [ plan - lower - open - detach - withdraw ]

The steps in brackets are retried a bounded number of times. A cancel ends the goal at any step.
However a goal ends, the planning scene then matches what the hand holds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.kit.fault import Fault, name_fault
from roboinstruct_ros.skill_servers.kit.rotation import Placement, Vector
from roboinstruct_ros.skill_servers.moveit.arm import Arm, ArmFault, ArmProblem, Grip, Plan
from roboinstruct_ros.skill_servers.moveit.grasp_config import GraspEntry, GraspsEntry
from roboinstruct_ros.skill_servers.moveit.grasp_plan import (
    Box,
    GraspCandidate,
    PlaceCandidate,
    free_spots,
    grasp_candidates,
    grasp_width,
    place_candidates,
)
from roboinstruct_ros.skill_servers.moveit.manipulation_goal import (
    Cancelled,
    Held,
    Job,
    PickSettings,
    StepFailed,
)
from roboinstruct_ros.skill_servers.moveit.motion_check import why_not
from roboinstruct_ros.skill_servers.perception.object_name_match import ObjectNames

if TYPE_CHECKING:  # the steps themselves need no ROS
    from roboinstruct_ros.skill_servers.moveit.gripper import ActionGripper
    from roboinstruct_ros.skill_servers.moveit.sight import JointStates, ObjectSight

P = ParamSpec("P")
T = TypeVar("T")
PLANS = 3
"""Plans per motion, when the check rejects one."""
PAUSE = 0.1
"""Pause (s) before the next plan."""
LOOK_AGAIN = 2.0
"""Time (s) for perception to see an object again after the hand has touched it."""
THERE = 0.005
"""Distance (m) from the goal at which an empty plan means that the hand is already there."""


class PickAndPlace:
    """Executes goals, one at a time; `held` is what the hand holds in between."""

    def __init__(
        self,
        arm: Arm,
        gripper: ActionGripper,
        joints: JointStates,
        sight: ObjectSight,
        grasps: GraspsEntry,
        names: ObjectNames,
        settings: PickSettings,
        tell: Callable[[str], None] = lambda text: None,
        lost: Callable[[], None] = lambda: None,
    ) -> None:
        """Take the components.

        Args:
            tell: receives one line on each thing that went wrong.
            lost: stops what no longer answers, and may still move.
        """
        self._arm, self._gripper, self._joints, self._sight = arm, gripper, joints, sight
        self._grasps, self._names, self._settings = grasps, names, settings
        self._tell, self._lost = tell, lost
        self._job = Job()
        self._closing: Held | None = None
        self._unsure = False
        self.held: Held | None = None

    def pick(self, name: str, job: Job) -> Fault | None:
        return self._carry_out(self._pick, name, job, SkillErrorCode.GRASP_FAILED)

    def place(self, name: str, job: Job) -> Fault | None:
        return self._carry_out(self._place, name, job, SkillErrorCode.PLACE_FAILED)

    def _carry_out(
        self, work: Callable[[str], None], name: str, job: Job, code: SkillErrorCode
    ) -> Fault | None:
        if unnamed := name_fault("object", name):
            return unnamed
        self._job = job
        try:
            work(name)
        except StepFailed as failed:
            return failed.fault
        except Cancelled:
            self._settle()
            return Fault(SkillErrorCode.CANCELED, "the goal was cancelled")
        except ArmFault as fault:
            if fault.problem is ArmProblem.LOST:
                self._lost()
            self._settle()
            unavailable = fault.problem in (ArmProblem.LOST, ArmProblem.NOT_READY)
            return Fault(SkillErrorCode.SERVER_UNAVAILABLE if unavailable else code, str(fault))
        return None

    def _settle(self) -> None:
        """After an abort: treat the object as held until the fingers have been checked."""
        self._unsure = True
        taken, self._closing = self._closing, None
        if taken is not None:
            self.held = taken
            with suppress(ArmFault):
                self._arm.attach(taken.box)

    # pick

    def _pick(self, name: str) -> None:
        if self.held is not None and self._unsure:
            self._ask_fingers(self.held)
        if self.held is not None:
            message = f"the gripper already holds {self.held.box.name}"
            raise StepFailed(SkillErrorCode.HAND_FULL, message)
        entry = self._grasps.grasp_of(name, self._names)
        if entry is None:
            message = f"how to take a {name} is not known; list it in the grasps file"
            raise StepFailed(SkillErrorCode.GRASP_FAILED, message)
        thing = self._find(name)
        left = self._settings.attempts
        while why := self._attempt(thing, entry):
            left -= 1
            self._tell(f"{why}; {'trying again' if left else 'giving up'}")
            if not left:
                raise StepFailed(SkillErrorCode.GRASP_FAILED, why)
            thing = self._find_anew(name)
        self._carry()

    def _find(self, name: str) -> Box:
        found = self._sight.find(name)
        if isinstance(found, Fault):
            raise StepFailed(found.code, found.message)
        return found

    def _find_anew(self, name: str) -> Box:
        """The object where it is after an attempt, not where it was before the hand touched it."""
        moment = time.monotonic()
        while not self._sight.seen_since(name, moment):
            if time.monotonic() - moment > LOOK_AGAIN:
                break  # an older sighting may do; `find` checks its age
            if self._job.cancelled.wait(PAUSE / 2):
                raise Cancelled
        return self._find(name)

    def _attempt(self, thing: Box, entry: GraspEntry) -> str:
        """One grasp. Returns why it failed, with the hand empty and away from the object again."""
        width = grasp_width(entry, thing)
        if not 0.0 < width < self._grasps.gripper.open_width:
            open_to = self._grasps.gripper.open_width
            message = f"{thing.name} is {width:.3f} m wide, and the gripper opens to {open_to:g} m"
            raise StepFailed(SkillErrorCode.GRASP_FAILED, message)
        self._open("open", width, entry.force)
        others = [box for box in self._sight.all() if not _same(box, thing)]
        why = f"the arm finds no way to the {thing.name}"
        found = grasp_candidates(thing, entry, self._grasps.gripper, self._robot().position)
        for candidate in found[: self._settings.candidates]:
            self._show([*others, thing])
            if said := self._go("approach", candidate.before):
                why = f"the arm finds no way to the {thing.name}: {said}"
                continue
            self._show(others)  # contact with the hand is allowed from here on
            if said := self._go("approach", candidate.grasp, line=True):
                why = f"the arm cannot come close to the {thing.name}: {said}"
                continue
            return self._grasp(candidate, Held(thing, candidate.grasp, entry, width))
        return why

    def _grasp(self, candidate: GraspCandidate, taken: Held) -> str:
        self._closing, thing = taken, taken.box
        if said := self._close("grasp", taken):
            self._let_go(taken, attached=False)
            self._withdraw(candidate.before)
            return f"the {thing.name} could not be grasped: {said}"
        # No cancel in between: scene and hand must agree, whatever comes next.
        self._arm.attach(thing)
        self.held, self._closing = taken, None
        if said := self._go("lift", candidate.after, line=True):
            self._let_go(taken)
            self._withdraw(candidate.before)
            return f"the {thing.name} could not be lifted: {said}"
        if said := self._close("lift", taken):
            self._let_go(taken)
            return f"the {thing.name} slipped out of the gripper: {said}"
        return ""

    def _carry(self) -> None:
        state = self._settings.carry
        if state and (said := self._go("carry", state)):
            message = f"the hand holds it, and the arm finds no way to '{state}': {said}"
            raise StepFailed(SkillErrorCode.GRASP_FAILED, message)

    # place

    def _place(self, name: str) -> None:
        held = self.held
        if held is None or not self._names.is_a(held.box.name, name):
            what = f"{held.box.name}, not {name}" if held else "nothing"
            raise StepFailed(SkillErrorCode.HAND_EMPTY, f"the gripper holds {what}")
        if said := self._ask_fingers(held):
            message = f"the {held.box.name} is not in the hand any more: {said}"
            raise StepFailed(SkillErrorCode.HAND_EMPTY, message)
        why = f"there is no free spot in reach for the {held.box.name}"
        for candidate in self._spots(held):
            if not (said := self._put(held, candidate)):
                return
            why = f"the arm finds no way to put the {held.box.name} down: {said}"
        raise StepFailed(SkillErrorCode.PLACE_FAILED, why)

    def _spots(self, held: Held) -> list[PlaceCandidate]:
        robot, place, things = self._robot(), self._grasps.place, self._sight.all()
        surfaces = [
            box for box in things if any(self._names.is_a(box.name, one) for one in place.surfaces)
        ]
        surfaces.sort(key=lambda box: math.dist(box.placement.position[:2], robot.position[:2]))
        spots: list[Vector] = []
        for surface in surfaces:
            others = [box for box in things if not _same(box, surface) and box is not held.box]
            spots += free_spots(surface, others, robot.position, place)
        fixed = [robot.of(Placement((at.x, at.y, at.z))).position for at in place.fixed]
        found = []
        for each in (spots, fixed):  # many spots must not use up the tries of the fixed ones
            ways = place_candidates(each, held.box, held.tip, self._grasps, held.entry)
            found += ways[: self._settings.candidates]
        return found

    def _put(self, held: Held, candidate: PlaceCandidate) -> str:
        others = [box for box in self._sight.all() if not _same(box, held.box)]
        self._show(others)
        if said := self._go("approach", candidate.before):
            return said
        if said := self._go("lower", candidate.release, line=True):
            return said
        self._let_go(held, phase="release")
        if self._go("withdraw", candidate.after, line=True) and (
            said := self._go("withdraw", candidate.before)
        ):
            message = f"the {held.box.name} is put down, and the hand cannot withdraw: {said}"
            raise StepFailed(SkillErrorCode.PLACE_FAILED, message)
        self._show([*others, replace(held.box, placement=candidate.thing)])
        return ""

    # steps

    def _robot(self) -> Placement:
        robot = self._sight.robot()
        if robot is None:
            message = "where the robot stands is not known"
            raise StepFailed(SkillErrorCode.NOT_LOCALIZED, message)
        return robot

    def _ask_fingers(self, held: Held) -> str:
        """Close again to check the grip: fingers around an object cannot close.

        Returns as `_close`; a hand that does not hold the object is opened.
        """
        said = self._close("check", held)
        self._unsure = False
        if said:
            self._let_go(held)
        return said

    def _let_go(self, taken: Held, attached: bool = True, phase: str = "open") -> None:
        """Open the hand. If it does not open, it still holds the object, and the arm stays put."""
        self._open(phase, taken.width, taken.entry.force)
        if attached:
            self._arm.detach(taken.box)
        self.held = self._closing = None

    def _open(self, phase: str, width: float, force: float) -> None:
        """Open the fingers around an object of that width, m.

        Raises:
            ArmFault: they opened less than half-way from `width` to `open_width`.
        """
        wide = self._grasps.gripper.open_width
        grip = self._grip(phase, wide, force)
        if not grip.width >= (width + wide) / 2:  # also if the driver reports NaN
            message = f"the gripper does not open: {_apart(grip)}, not {wide:.3f} m"
            raise ArmFault(ArmProblem.NOT_EXECUTED, message)

    def _withdraw(self, before: Placement) -> None:
        if said := self._go("withdraw", before, line=True):
            message = f"the hand is empty and cannot withdraw: {said}"
            raise StepFailed(SkillErrorCode.GRASP_FAILED, message)

    def _go(self, phase: str, goal: Placement | str, line: bool = False) -> str:
        """Plan and move. Returns why there is no plan, with the arm unmoved; empty on success."""
        self._job.feedback.phase = phase
        end = goal.position if isinstance(goal, Placement) else None
        for _ in range(PLANS):
            try:
                plan = self._call(self._arm.plan, goal, line)
            except ArmFault as fault:
                if fault.problem is not ArmProblem.NO_PLAN:
                    raise
                return str(fault)
            if end is not None and _is_there(plan, end):
                return ""  # nothing to move
            joints, age = self._joints.positions(), self._joints.age(plan.start)
            limits = self._settings.limits
            why = why_not(plan, joints, age, time.monotonic(), limits, end if line else None)
            if not why:
                self._call(self._arm.execute, plan)
                return ""
            self._job.cancelled.wait(PAUSE)  # an arm that has just stopped may still oscillate
        raise ArmFault(ArmProblem.NOT_EXECUTED, f"nothing was moved: {why}")

    def _close(self, phase: str, taken: Held) -> str:
        """Close the fingers. Returns why they do not hold the object; empty if they do."""
        closed = self._grasps.gripper.closed_width
        grip = self._grip(phase, closed, taken.entry.force)
        off = abs(grip.width - taken.width)
        if grip.width > closed + 0.002 and off <= taken.entry.width_tolerance:
            return ""
        return f"{_apart(grip)}, not {taken.width:.3f} m"

    def _grip(self, phase: str, width: float, force: float) -> Grip:
        self._job.feedback.phase = phase
        return self._call(self._gripper.move, width, force, self._job.cancelled)

    def _show(self, boxes: Sequence[Box]) -> None:
        self._call(self._arm.show, boxes)

    def _call(self, step: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        if self._job.cancelled.is_set():
            raise Cancelled
        try:
            done = step(*arguments, **named)
        except ArmFault:
            if self._job.cancelled.is_set():
                raise Cancelled from None
            raise
        if self._job.cancelled.is_set():
            raise Cancelled
        return done


def _is_there(plan: Plan, end: Vector) -> bool:
    """Whether a plan is empty because the hand is already at its goal."""
    empty = plan.duration <= 0.0 and bool(plan.tips)
    return empty and math.dist(plan.tips[-1], end) <= THERE


def _apart(grip: Grip) -> str:
    """The finger distance, with effort and stall if the driver reports them."""
    by = f" with {grip.effort:g} N" if grip.effort else ""
    held_up = f" (held up{by})" if grip.stalled else ""
    return f"the fingers are {grip.width:.3f} m apart{held_up}"


def _same(box: Box, other: Box) -> bool:
    apart = math.dist(box.placement.position, other.placement.position)
    return box.name == other.name and apart < 0.05
