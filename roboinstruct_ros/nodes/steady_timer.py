"""Timers on a steady clock, unaffected by a simulator that holds or slows the ROS clock."""

from __future__ import annotations

from collections.abc import Callable

from rclpy.callback_groups import CallbackGroup, MutuallyExclusiveCallbackGroup
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.timer import Timer


def steady_timer(
    node: Node, period: float, callback: Callable[[], None], group: CallbackGroup | None = None
) -> Timer:
    """Call `callback` every `period` s, whatever `use_sim_time` says: others take it as a sign of
    life.
    """
    group = group or MutuallyExclusiveCallbackGroup()
    clock = Clock(clock_type=ClockType.STEADY_TIME)
    return node.create_timer(period, callback, callback_group=group, clock=clock)
