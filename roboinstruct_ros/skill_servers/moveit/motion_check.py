"""Checks every plan before the arm moves: its points, age, start, and straightness if required."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from roboinstruct_ros.domain.option import option
from roboinstruct_ros.skill_servers.kit.rotation import Vector, distance_to_line
from roboinstruct_ros.skill_servers.moveit.arm import Plan


@dataclass(frozen=True)
class MotionLimits:
    plan_age: float = option(5.0, "maximum age of a plan that is executed", 0.1, 60.0, "s")
    state_age: float = option(0.5, "maximum age of the joint states", 0.02, 10.0, "s")
    start_tolerance: float = option(
        0.02,
        "maximum difference between a plan's start and the real joint",
        0.0001,
        0.5,
        "rad or m",
    )
    line_tolerance: float = option(
        0.01, "maximum deviation of a trajectory from a straight line", 0.0001, 0.1, "m"
    )


def why_not(
    plan: Plan,
    joints: Mapping[str, float],
    joints_age: float,
    now: float,
    limits: MotionLimits,
    line_to: Vector | None = None,
) -> str:
    """Why a plan must not be executed, for a person; empty if it may.

    Args:
        joints: joint positions from the robot's drivers, rad or m.
        joints_age: s.
        now: s on the clock of `Plan.made`.
        line_to: end of a straight trajectory, m; None for a plan of any shape.
    """
    if plan.points < 1 or not math.isfinite(plan.duration) or plan.duration <= 0.0:
        return "the plan is empty"
    if not 0.0 <= now - plan.made <= limits.plan_age:
        return f"the plan is {now - plan.made:.1f} s old"
    if joints_age > limits.state_age:
        return f"the joints have not been heard of for {joints_age:.1f} s"
    return _why_not_start(plan, joints, limits) or _why_not_line(plan, line_to, limits)


def _why_not_start(plan: Plan, joints: Mapping[str, float], limits: MotionLimits) -> str:
    if not plan.start:
        return "the plan does not say where it begins"
    unknown = sorted(plan.start.keys() - joints.keys())
    if unknown:
        return f"nothing is heard of the joint '{unknown[0]}'"
    for name, start in plan.start.items():
        apart = abs(joints[name] - start)
        if not apart <= limits.start_tolerance:  # also true for NaN
            return f"the plan begins {apart:.3f} away from where the joint '{name}' is"
    return ""


def _why_not_line(plan: Plan, line_to: Vector | None, limits: MotionLimits) -> str:
    if line_to is None:
        return ""
    if not plan.tips:
        return "where the plan leads the hand is not known"
    bends = [distance_to_line(tip, plan.tips[0], line_to) for tip in plan.tips]
    if not all(bend <= limits.line_tolerance for bend in bends):  # also true for NaN
        return f"the way is not straight: it bends {max(bends):.3f} m aside"
    short = math.dist(plan.tips[-1], line_to)
    return "" if short <= limits.line_tolerance else f"the straight way ends {short:.3f} m short"
