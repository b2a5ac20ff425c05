"""Arm, boxes and plans as JSON, for the pipe between the node and the arm's own process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from roboinstruct_ros.skill_servers.kit.rotation import Placement
from roboinstruct_ros.skill_servers.moveit.grasp_plan import Box


def placement_out(placement: Placement) -> list[float]:
    """Gives x, y, z in m and the quaternion x, y, z, w."""
    return [*placement.position, *placement.orientation]


def placement_in(numbers: Sequence[float]) -> Placement:
    """The other way round."""
    x, y, z, a, b, c, d = map(float, numbers)
    return Placement((x, y, z), (a, b, c, d))


def box_out(box: Box) -> dict[str, Any]:
    """Gives a box."""
    at = placement_out(box.placement)
    return {"name": box.name, "placement": at, "size": list(box.size), "key": box.key}


def box_in(data: Mapping[str, Any]) -> Box:
    """The other way round."""
    x, y, z = map(float, data["size"])
    return Box(str(data["name"]), placement_in(data["placement"]), (x, y, z), str(data["key"]))
