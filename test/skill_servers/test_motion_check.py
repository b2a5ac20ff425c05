"""Nothing moves on a plan that is empty, stale, from elsewhere, or not straight where it must."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboinstruct_ros.skill_servers.moveit.arm import Plan
from roboinstruct_ros.skill_servers.moveit.motion_check import MotionLimits, why_not

LIMITS = MotionLimits()
JOINTS = {"a": 0.5, "b": -0.2}
TIPS = ((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (1.0, 0.0, 0.0))
GOOD = Plan(3, 1.0, JOINTS, TIPS, made=100.0)
NAN = float("nan")


def said(plan: Plan, joints: dict[str, float] = JOINTS, age: float = 0.0, **more: object) -> str:
    return why_not(plan, joints, age, 100.1, LIMITS, **more)  # type: ignore[arg-type]


def test_a_good_plan_may_be_gone() -> None:
    assert said(GOOD) == "" and said(GOOD, line_to=(1.0, 0.0, 0.0)) == ""


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        (replace(GOOD, points=0), "empty"),
        (replace(GOOD, duration=0.0), "empty"),
        (replace(GOOD, duration=NAN), "empty"),
        (replace(GOOD, made=94.0), "6.1 s old"),
        (replace(GOOD, made=NAN), "s old"),
        (replace(GOOD, made=101.0), "s old"),
        (replace(GOOD, start={}), "where it begins"),
        (replace(GOOD, start={"a": 0.5, "c": 0.0}), "joint 'c'"),
        (replace(GOOD, start={"a": 0.53, "b": -0.2}), "0.030 away from where the joint 'a' is"),
        (replace(GOOD, start={"a": NAN, "b": -0.2}), "away from where the joint 'a' is"),
    ],
)
def test_a_bad_plan_may_not(plan: Plan, why: str) -> None:
    assert why in said(plan)


def test_joints_that_are_not_heard_of_are_not_known() -> None:
    assert "joints have not been heard" in said(GOOD, age=0.6)
    assert "joints have not been heard" in said(GOOD, age=float("inf"))
    assert "away" in said(GOOD, {"a": NAN, "b": -0.2})


@given(st.floats(-0.2, 0.2), st.floats(-0.2, 0.2))
def test_a_line_is_straight_and_ends_where_it_must(aside: float, short: float) -> None:
    bent = replace(GOOD, tips=((0.0, 0.0, 0.0), (0.5, aside, 0.0), (1.0 - short, 0.0, 0.0)))
    fault = said(bent, line_to=(1.0, 0.0, 0.0))
    bad = max(abs(aside), abs(short)) > LIMITS.line_tolerance + 1e-9
    good = max(abs(aside), abs(short)) < LIMITS.line_tolerance - 1e-9
    assert (not bad or fault) and (not good or not fault)
    assert said(bent) == ""  # any other way may bend


def test_a_line_whose_tip_is_not_known_is_not_gone() -> None:
    assert said(replace(GOOD, tips=()), line_to=(1.0, 0.0, 0.0)) != ""
