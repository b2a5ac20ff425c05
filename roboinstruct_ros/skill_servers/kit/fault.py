"""The failure of a skill, and failures common to all skill servers."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING

from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.names import LONGEST_NAME

if TYPE_CHECKING:  # most failures need no ROS
    from rclpy.node import Node


@dataclass(frozen=True)
class Fault:
    """A failed skill: error code and message, as in results."""

    code: SkillErrorCode
    message: str


def internal_fault(node: Node, name: str, error: Exception) -> Fault:
    """Log the traceback of an internal error once and return the fault for the client."""
    told = "".join(traceback.format_exception(error)).rstrip()
    node.get_logger().error(f"'{name}' failed:\n{told}")
    message = f"an internal fault in '{name}', see the log of {node.get_name()}: {error!r}"
    return Fault(SkillErrorCode.UNKNOWN, message)


def empty_argument(argument: str) -> Fault:
    return Fault(SkillErrorCode.INVALID_ARGUMENT, f"{argument} is empty")


def text_fault(argument: str, text: str, most: int, rule: str) -> Fault | None:
    """Why a text is refused, or None; `rule` says in words that it may have `most` characters."""
    if not text.strip():
        return empty_argument(argument)
    if len(text) > most:
        message = f"{argument} has {len(text)} characters; {rule}"
        return Fault(SkillErrorCode.INVALID_ARGUMENT, message)
    return None


def name_fault(argument: str, name: str) -> Fault | None:
    """Why a text cannot be a name, or None."""
    return text_fault(argument, name, LONGEST_NAME, f"a name has at most {LONGEST_NAME}")


def find_room(rooms: SemanticMap, location: str) -> str | Fault:
    """The room of that name or alias, or why there is none."""
    if fault := name_fault("location", location):
        return fault
    if room := rooms.resolve(location):
        return room
    near = " or ".join(f"'{name}'" for name in rooms.nearest(location, 2))
    hint = f"; did you mean {near}?" if near else ""
    return Fault(SkillErrorCode.UNKNOWN_LOCATION, f"no room is named '{location}'{hint}")
