"""A robot in the test's own process, over real DDS, that does what a test says it does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.node import Node
from waiting import LIMIT

from roboinstruct_msgs.action import Ask, GoTo, IsInRoom, Pick, Place, Say
from roboinstruct_msgs.srv import GetAllRooms, GetCurrentLocation
from roboinstruct_ros import names

ACTIONS = {
    "go_to": (GoTo, names.GO_TO_ACTION),
    "pick": (Pick, names.PICK_ACTION),
    "place": (Place, names.PLACE_ACTION),
    "say": (Say, names.SAY_ACTION),
    "ask": (Ask, names.ASK_ACTION),
    "is_in_room": (IsInRoom, names.IS_IN_ROOM_ACTION),
}
SERVICES = {
    "get_current_location": (
        GetCurrentLocation, names.GET_CURRENT_LOCATION_SERVICE, {"location": "kitchen"},
    ),
    "get_all_rooms": (GetAllRooms, names.GET_ALL_ROOMS_SERVICE, {"rooms": ["kitchen", "study"]}),
}  # fmt: skip
FIRST = {"go_to": "location", "pick": "object", "place": "object", "say": "message",
         "ask": "question", "is_in_room": "object"}  # fmt: skip

Play = Callable[[ServerGoalHandle], Any]


class ScriptedRobot:
    """Serves every skill; one that no script names is done at once.

    Attributes:
        calls: (skill, first argument) of every goal and request that came, in order.
        cancels: skills whose goals were asked to end.
        plays: what becomes of a skill's goals.
        answers: fields of a service's response.
        release: lets go on whatever a play holds.
    """

    def __init__(self, node: Node) -> None:
        self.node = node
        self.calls: list[tuple[str, str]] = []
        self.cancels: list[str] = []
        self.plays: dict[str, Play] = {}
        self.accepts: dict[str, Callable[[], GoalResponse]] = {}
        self.answers: dict[str, dict[str, Any]] = {}
        self.release = threading.Event()
        self._group = ReentrantCallbackGroup()
        self._servers = {skill: self.serve(skill) for skill in ACTIONS}
        self._services = [self._answer(skill, *given) for skill, given in SERVICES.items()]

    def behave(self) -> None:
        """Forget the script and what came; whatever is held goes on."""
        self.release.set()
        self.plays.clear()
        self.accepts.clear()
        self.answers.clear()
        self.calls.clear()
        self.cancels.clear()
        self.release = threading.Event()

    def count(self, skill: str) -> int:
        """How often a skill was called."""
        return sum(1 for name, _ in self.calls if name == skill)

    def serve(self, skill: str) -> ActionServer:
        kind, name = ACTIONS[skill]
        return _TwiceAnswering(
            self.node,
            kind,
            name,
            partial(self._execute, skill),
            goal_callback=partial(self._goal, skill),
            cancel_callback=partial(self._cancel, skill),
            callback_group=self._group,
        )

    def die(self, skill: str) -> None:
        """The server of an action is gone, in the middle of whatever it did."""
        self._servers.pop(skill).destroy()

    def come_back(self, skill: str) -> None:
        """A new server in its place."""
        self._servers[skill] = self.serve(skill)

    def answer_twice(self) -> None:
        """From now on every result and response is sent two times."""
        for server in self._servers.values():
            server.times = 2
        for service in self._services:
            once = service.send_response
            service.send_response = lambda *given, once=once: [once(*given), once(*given)]

    def never(self, goal: ServerGoalHandle) -> Any:
        """A play: no answer, cancelled or not, until the release."""
        assert self.release.wait(LIMIT)
        goal.succeed()
        return _result(goal)

    def until_cancelled(self, goal: ServerGoalHandle) -> Any:
        """A play: comes to its end when it is cancelled."""
        while not goal.is_cancel_requested and not self.release.wait(0.01):
            continue
        (goal.canceled if goal.is_cancel_requested else goal.succeed)()
        return _result(goal, error_code=2 if goal.is_cancel_requested else 0)

    def _goal(self, skill: str, request: Any) -> GoalResponse:
        self.calls.append((skill, getattr(request, FIRST[skill])))
        return self.accepts.get(skill, lambda: GoalResponse.ACCEPT)()

    def _cancel(self, skill: str, goal: Any) -> CancelResponse:
        self.cancels.append(skill)
        return CancelResponse.ACCEPT

    def _execute(self, skill: str, goal: ServerGoalHandle) -> Any:
        return self.plays.get(skill, done)(goal)

    def _answer(self, skill: str, kind: Any, name: str, usual: dict[str, Any]) -> Any:
        def answer(request: Any, response: Any) -> Any:
            self.calls.append((skill, getattr(request, FIRST.get(skill, ""), "")))
            for field, value in {**usual, **self.answers.get(skill, {})}.items():
                setattr(response, field, value)
            return response

        return self.node.create_service(kind, name, answer, callback_group=self._group)


class _TwiceAnswering(ActionServer):
    times = 1

    def _send_result_response(self, *given: Any) -> None:
        for _ in range(self.times):
            super()._send_result_response(*given)


def done(goal: ServerGoalHandle) -> Any:
    """A play: success at once; a question gets its first option, and everything is there."""
    goal.succeed()
    options = getattr(goal.request, "options", None)
    if isinstance(goal.request, IsInRoom.Goal):
        return _result(goal, present=True)
    return _result(goal, **({"answer": options[0]} if options else {}))


def ends(status: str, **result: Any) -> Play:
    """A play: `succeed`, `abort` or `raise`, with fields of the result."""

    def play(goal: ServerGoalHandle) -> Any:
        if status == "raise":
            raise RuntimeError("the gripper's driver is confused")
        getattr(goal, status)()
        return _result(goal, **result)

    return play


def _result(goal: ServerGoalHandle, **fields: Any) -> Any:
    kind = next(kind for kind, _ in ACTIONS.values() if isinstance(goal.request, kind.Goal))
    return kind.Result(**fields)
