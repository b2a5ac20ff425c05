"""Maps each skill of a domain to its ROS interface: an action or a service, and its fields.

The eight skills of the service robot have interfaces of their own. Any other skill, or one of those
names with other parameters, is a `CallSkill` action under its name, with JSON fields.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from roboinstruct_msgs.action import Ask, CallSkill, GoTo, IsInRoom, Pick, Place, Say
from roboinstruct_msgs.srv import GetAllRooms, GetCurrentLocation
from roboinstruct_ros import names
from roboinstruct_ros.domain.skills import Skill


@dataclass(frozen=True)
class SkillInterface:
    """The ROS interface of one skill.

    Attributes:
        kind: type of the action or service.
        fields: (goal field, skill parameter) pairs.
        answer: result field with the answer; empty for none.
    """

    kind: Any
    name: str
    fields: tuple[tuple[str, str], ...] = ()
    answer: str = ""

    @property
    def is_action(self) -> bool:
        """Whether it is an action, rather than a service without arguments."""
        return hasattr(self.kind, "Goal")

    def arguments(self, goal: Any) -> dict[str, Any]:
        """Read the arguments from a goal, as a server does.

        Raises:
            ValueError: they are not a JSON object.
        """
        if self.kind is not CallSkill:
            return {parameter: getattr(goal, name) for name, parameter in self.fields}
        try:
            read = json.loads(goal.arguments)
        except RecursionError:
            raise ValueError("too many brackets within each other") from None
        if not isinstance(read, dict):
            raise ValueError("the arguments are no JSON object")
        return read

    def fill(self, result: Any, value: Any) -> None:
        """Write the answer to a result, as a server does.

        Raises:
            ValueError: the interface has no field for an answer, or JSON no such value.
        """
        if self.kind is CallSkill:
            result.result = json.dumps(value, allow_nan=False)
        elif self.answer:
            setattr(result, self.answer, value)
        elif value is not None:
            raise ValueError(f"{self.name} has no answer, and this is one: {value!r:.100}")


_OWN: dict[str, SkillInterface] = {
    "go_to": SkillInterface(GoTo, names.GO_TO_ACTION, (("location", "location"),)),
    "pick": SkillInterface(Pick, names.PICK_ACTION, (("object", "obj"),)),
    "place": SkillInterface(Place, names.PLACE_ACTION, (("object", "obj"),)),
    "say": SkillInterface(Say, names.SAY_ACTION, (("message", "message"),)),
    "ask": SkillInterface(
        Ask, names.ASK_ACTION, tuple((name, name) for name in ("person", "question", "options")),
        "answer",
    ),
    "is_in_room": SkillInterface(
        IsInRoom, names.IS_IN_ROOM_ACTION, (("object", "object"),), "present"
    ),
    "get_current_location": SkillInterface(
        GetCurrentLocation, names.GET_CURRENT_LOCATION_SERVICE, answer="location"
    ),
    "get_all_rooms": SkillInterface(GetAllRooms, names.GET_ALL_ROOMS_SERVICE, answer="rooms"),
}  # fmt: skip


def interface_of(skill: Skill) -> SkillInterface:
    """The interface by which the executor calls a skill and a server offers it."""
    own = _OWN.get(skill.name)
    if own is not None and skill.parameter_names == tuple(name for _, name in own.fields):
        return own
    return SkillInterface(CallSkill, f"{names.SKILLS}/{skill.name}")
