"""How each skill of a domain stands in ROS: an action or a service, and what its fields are.

The eight skills of the service robot have interfaces of their own. Any other skill, and one of
those names with other parameters, is an action `CallSkill` under its name, with JSON inside.
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
    """The ROS side of one skill.

    Attributes:
        kind: type of the action or service.
        name: of the action or service.
        fields: the goal's fields, each with the skill's parameter that it carries.
        answer: field of the result that answers; empty for none.
        is_action: else it is a service without arguments.
    """

    kind: Any
    name: str
    fields: tuple[tuple[str, str], ...] = ()
    answer: str = ""
    is_action: bool = True

    def arguments(self, goal: Any) -> dict[str, Any]:
        """The arguments that a goal carries, as a server reads them.

        Raises:
            ValueError: they are not JSON.
        """
        if self.kind is not CallSkill:
            return {parameter: getattr(goal, name) for name, parameter in self.fields}
        read = json.loads(goal.arguments)
        if not isinstance(read, dict):
            raise ValueError("the arguments are no JSON object")
        return read

    def fill(self, result: Any, value: Any) -> None:
        """Let a result answer this, as a server does."""
        if self.kind is CallSkill:
            result.result = json.dumps(value)
        elif self.answer:
            setattr(result, self.answer, value)


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
        GetCurrentLocation, names.GET_CURRENT_LOCATION_SERVICE, answer="location", is_action=False
    ),
    "get_all_rooms": SkillInterface(
        GetAllRooms, names.GET_ALL_ROOMS_SERVICE, answer="rooms", is_action=False
    ),
}  # fmt: skip


def interface_of(skill: Skill) -> SkillInterface:
    """The interface under which the executor calls a skill, and a server offers it."""
    own = _OWN.get(skill.name)
    if own is not None and skill.parameter_names == tuple(name for _, name in own.fields):
        return own
    return SkillInterface(CallSkill, f"{names.SKILLS}/{skill.name}")
