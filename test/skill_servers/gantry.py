"""An arm like a crane: three rails, whose positions are the tip's x, y and z in frame `map`.

It follows the calls of a real arm, plans straight ways, and knows a gripper, a table and things.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from threading import Event

from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.kit.rotation import Placement, Vector
from roboinstruct_ros.skill_servers.moveit.arm import ArmFault, ArmProblem, Grip, Plan
from roboinstruct_ros.skill_servers.moveit.grasp_plan import Box

JOINTS = ("rail_x", "rail_y", "rail_z")
HOME: Vector = (0.0, 0.0, 1.2)
POINTS = 5


def straight(start: Vector, end: Vector, speed: float = 1.0) -> Plan:
    parts = [index / (POINTS - 1) for index in range(POINTS)]
    tips = tuple(
        tuple(a + (b - a) * part for a, b in zip(start, end, strict=True)) for part in parts
    )
    joints = dict(zip(JOINTS, start, strict=True))
    return Plan(POINTS, math.dist(start, end) / speed, joints, tips)  # type: ignore[arg-type]


@dataclass
class Gantry:
    """Arm, gripper, joints and sight at once; what it is told stands in `calls`.

    Attributes:
        things: what perception sees.
        closes_to: what the fingers meet when they close: m, one for each time.
        opens_to: how far they get when they open, m; None is as far as they are told.
        refuses: goals for which there is no way.
        before: is called before each step with its name; a test cancels or breaks things there.
    """

    things: list[Box] = field(default_factory=list)
    closes_to: list[float] = field(default_factory=lambda: [0.07])
    opens_to: float | None = None
    refuses: Callable[[str, Vector], bool] = lambda kind, goal: False
    before: Callable[[str], None] = lambda step: None
    at: Vector = HOME
    calls: list[str] = field(default_factory=list)
    scene: list[str] = field(default_factory=list)
    attached: list[str] = field(default_factory=list)
    ways: dict[int, Plan] = field(default_factory=dict)
    moved: list[Vector] = field(default_factory=list)

    def _step(self, name: str) -> None:
        self.before(name)
        self.calls.append(name)

    def plan(self, goal: Placement | str, line: bool = False) -> Plan:
        if isinstance(goal, str):
            return self._plan("plan_named", HOME)
        return self._plan("plan_line" if line else "plan_to", goal.position)

    def _plan(self, kind: str, goal: Vector) -> Plan:
        self._step(kind)
        if self.refuses(kind, goal):
            raise ArmFault(ArmProblem.NO_PLAN, "scripted: no way")
        way = straight(self.at, goal)
        self.ways[len(self.ways)] = way
        return replace(way, number=len(self.ways) - 1, made=time.monotonic())

    def execute(self, plan: Plan) -> None:
        self._step("execute")
        self.at = self.ways[plan.number].tips[-1]
        self.moved.append(self.at)

    def stop(self) -> None:
        self.calls.append("stop")

    def show(self, boxes: Sequence[Box]) -> None:
        self._step("show")
        self.scene = [box.id for box in boxes]

    def attach(self, box: Box) -> None:
        self._step("attach")
        self.attached = sorted({*self.attached, box.id})

    def detach(self, box: Box) -> None:
        self._step("detach")
        self.attached.remove(box.id)

    def move(self, width: float, force: float, cancelled: Event) -> Grip:
        self._step("open" if width > 0 else "close")
        if width > 0:
            got = width if self.opens_to is None else self.opens_to
            return Grip(got, force, got < width)
        met = self.closes_to.pop(0) if len(self.closes_to) > 1 else self.closes_to[0]
        return Grip(met, force, met > 0)

    def positions(self) -> dict[str, float]:
        return dict(zip(JOINTS, self.at, strict=True))

    def age(self, names: Iterable[str]) -> float:
        return 0.0

    def find(self, name: str) -> Box | Fault:
        from roboinstruct_ros.domain.skill_call import SkillErrorCode

        found = [box for box in self.things if box.name == name]
        missing = Fault(SkillErrorCode.OBJECT_NOT_FOUND, f"no {name} has been seen")
        return found[0] if found else missing

    def seen_since(self, name: str, moment: float) -> bool:
        self._step("look")
        return True

    def all(self) -> list[Box]:
        return list(self.things)

    def robot(self) -> Placement | None:
        return Placement()
