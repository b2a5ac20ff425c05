"""Parameters of the simulated robot: declared once, read into one value."""

from __future__ import annotations

from dataclasses import dataclass

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.node import Node

from roboinstruct_ros.skill_servers.sim.failures import Failure

AS_IN_FILE = -1


@dataclass(frozen=True)
class SimParameters:
    """What the simulated robot was started with; times in s."""

    world: str
    speed_factor: float
    seed: int | None
    rates: dict[Failure, float]
    ask_timeout: float
    live_answers: bool


def declare(node: Node) -> SimParameters:
    """Declares every parameter on the node and reads it.

    Raises:
        rclpy.exceptions.InvalidParameterTypeException: a value of the wrong type.
        rclpy.exceptions.InvalidParameterValueException: a value out of range.
    """
    world = "world to simulate: the name of a shipped one (home, office, lab) or a YAML file"
    node.declare_parameter("world", "home", _described(world, read_only=True))
    factor = "times faster than real time; 0 is as fast as possible"
    node.declare_parameter("speed_factor", 1.0, _described(factor, floats=(0.0, 1000.0)))
    seed = "seed of every random draw; -1 takes the world file's"
    seeds = _described(seed, read_only=True)
    seeds.integer_range = [IntegerRange(from_value=AS_IN_FILE, to_value=2**31 - 1, step=1)]
    node.declare_parameter("seed", AS_IN_FILE, seeds)
    for failure in Failure:
        rate = f"probability 0..1 of '{failure.value.replace('_', ' ')}'; -1 as in the world file"
        described = _described(rate, floats=(float(AS_IN_FILE), 1.0))
        node.declare_parameter(failure.value, float(AS_IN_FILE), described)
    patience = "how long ask waits for an answer from outside, s"
    node.declare_parameter("ask_timeout", 60.0, _described(patience, floats=(0.1, 3600.0)))
    live = "everybody waits for an answer from outside, whatever the world file says"
    node.declare_parameter("live_answers", False, _described(live))
    return read(node)


def read(node: Node) -> SimParameters:
    """Reads the declared parameters."""
    seed = node.get_parameter("seed").value
    rates = {failure: float(node.get_parameter(failure.value).value) for failure in Failure}
    return SimParameters(
        world=node.get_parameter("world").value,
        speed_factor=node.get_parameter("speed_factor").value,
        seed=None if seed < 0 else seed,
        rates={failure: rate for failure, rate in rates.items() if rate >= 0},
        ask_timeout=node.get_parameter("ask_timeout").value,
        live_answers=node.get_parameter("live_answers").value,
    )


def _described(
    text: str, floats: tuple[float, float] | None = None, read_only: bool = False
) -> ParameterDescriptor:
    described = ParameterDescriptor(description=text, read_only=read_only)
    if floats:
        low, high = floats
        described.floating_point_range = [FloatingPointRange(from_value=low, to_value=high)]
    return described
