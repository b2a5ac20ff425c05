"""Node `nav2_skills`: `go_to`, `get_current_location` and `get_all_rooms` on a robot with Nav2."""

from __future__ import annotations

import sys
import time
from functools import partial
from typing import Any

from geometry_msgs.msg import PoseStamped

from roboinstruct_msgs.action import GoTo
from roboinstruct_msgs.srv import GetAllRooms, GetCurrentLocation
from roboinstruct_ros import names
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.map_of_now import MapOfNow
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.nodes.node_process import give_up
from roboinstruct_ros.nodes.qos import LATCHED
from roboinstruct_ros.skill_servers.kit.fault import Fault, find_room
from roboinstruct_ros.skill_servers.kit.motion_guard import MotionGuard
from roboinstruct_ros.skill_servers.kit.pose import placement_of, stamped_pose
from roboinstruct_ros.skill_servers.kit.skill_server import SkillServer, run_server
from roboinstruct_ros.skill_servers.kit.work import Call
from roboinstruct_ros.skill_servers.nav2.commander import ACTIONS, make_commander
from roboinstruct_ros.skill_servers.nav2.drive import Driver
from roboinstruct_ros.skill_servers.nav2.link import Located, Nav2Link
from roboinstruct_ros.skill_servers.nav2.parameters import Nav2Parameters
from roboinstruct_ros.skill_servers.nav2.room_of_pose import RoomOfPose

POLL = 0.1
"""Polling period (s) while Nav2 is not ready."""
STUCK = 5.0
"""Time (s) for Nav2 to end an abandoned goal before this node restarts."""


class Nav2Skills(SkillServer):
    """Serves the skills; `nav2.drive` does the driving."""

    def __init__(self, name: str = "") -> None:
        """Raises ConfigError if the map is unusable or Nav2's Python packages are missing."""
        super().__init__(name or names.NAV2_SKILLS_NODE, Nav2Parameters)
        given = self.parameters
        self._map = MapOfNow(find_world(given.map), self.get_logger().warning)
        self.rooms = self._map()
        self._room = RoomOfPose(self.rooms, given.room_margin, given.room_radius)
        self._located: Located | None = None
        self._given_up = 0.0
        self._commander = make_commander(self)
        self.guard = self._guard = MotionGuard(self)
        self._pose = self.create_publisher(PoseStamped, names.ROBOT_POSE_TOPIC, LATCHED)
        self._link = Nav2Link(self, given.pose_topic, self._see_pose)
        self._driver = Driver(self, self._commander, self._link.can_clear, self._guard.cancel)
        go_to = self.work.skill(GoTo, names.GO_TO_ACTION, self._go_to, "go_to_limit", self._ready)
        self.serve(
            actions=[go_to],
            services=[
                (GetCurrentLocation, names.GET_CURRENT_LOCATION_SERVICE, self._where),
                (GetAllRooms, names.GET_ALL_ROOMS_SERVICE, self._get_all_rooms),
            ],
        )
        self._tell_rooms()

    def close(self) -> None:
        """End the commander. If Nav2 hangs, end the whole process, and `motion_stop` cancels."""
        super().close()
        if self.work.busy:
            give_up(self.get_name())
        self._commander.destroy_node()

    def stop_motion(self) -> None:
        """End the node's own drive; on a stop, `motion_stop` cancels all others."""
        self._given_up = self._given_up or time.monotonic()
        self._driver.end()

    # go_to

    def _ready(self, _: Call) -> None:
        self._given_up = 0.0

    def _go_to(self, call: Call) -> Fault | None:
        rooms = self._look_at_map()
        room = find_room(rooms, call.request.location)
        if isinstance(room, Fault):
            return room
        pose = stamped_pose(rooms.room(room).pose, self.get_clock().now().to_msg())
        fault = self._wait_ready(call)
        if fault is None and not call.over.is_set():
            settings = self.parameters.drive
            fault = self._driver.go(room, pose, settings, call.over, partial(self._tell, call))
        if fault is None and not call.over.is_set():
            with self.lock:
                self._room.arrive(room)
        return fault

    def _tell(self, call: Call, nav2: Any) -> None:
        if nav2.current_pose.header.frame_id.strip("/") == names.MAP_FRAME:
            with self.lock:
                self._room.see(placement_of(nav2.current_pose.pose).position[:2])
            self._pose.publish(nav2.current_pose)
        left = nav2.estimated_time_remaining
        call.feedback = GoTo.Feedback(
            current_pose=nav2.current_pose,
            distance_remaining=nav2.distance_remaining,
            estimated_time_remaining=left.sec + left.nanosec * 1e-9,
        )

    def _wait_ready(self, call: Call) -> Fault | None:
        """Wait until Nav2 is active, the robot is localised, and `motion_stop` could stop it."""
        given = self.parameters
        nodes = tuple(name for name in (given.localizer, given.navigator) if name)
        actions = ACTIONS if given.drive.check_path else ACTIONS[:1]
        deadline = time.monotonic() + given.ready_limit
        while fault := (
            self._link.why_not_ready(nodes, actions)
            or self._why_lost()
            or self._guard.why_unstoppable(ACTIONS[:1])
        ):
            if time.monotonic() > deadline or call.over.wait(POLL):
                break
        return fault

    # The robot's room

    def _see_pose(self, located: Located, message: PoseStamped) -> None:
        with self.lock:
            self._located = located
            self._room.see((located.pose.x, located.pose.y))
        self._pose.publish(message)

    def _why_lost(self) -> Fault | None:
        located, given = self._located, self.parameters
        if located is None:
            message = f"no pose has come on '{given.pose_topic}'; give the robot its initial pose"
        elif given.largest_deviation and located.deviation > given.largest_deviation:
            message = (
                f"the robot knows its position to {located.deviation:.1f} m only, and "
                f"{given.largest_deviation:g} m is allowed; give it its pose anew"
            )
        else:
            return None
        return Fault(SkillErrorCode.NOT_LOCALIZED, message)

    def _look_at_map(self) -> SemanticMap:
        """The rooms as the map file has them now; updates the robot's room to match."""
        rooms = self._map()
        with self.lock:
            if rooms is not self.rooms:
                self.rooms = rooms
                self._room.follow(rooms)
                if self._located is not None:
                    self._room.see((self._located.pose.x, self._located.pose.y))
                self._tell_rooms()
        return rooms

    def _tell_rooms(self) -> None:
        listed = ", ".join(self.rooms.room_names)
        self.get_logger().info(f"{len(self.rooms.rooms)} rooms: {listed}")

    def _where(self, _: Any, response: Any) -> Fault | None:
        self._look_at_map()
        with self.lock:
            fault, room = self._why_lost(), self._room.room
        if fault is None and room is None:
            return Fault(SkillErrorCode.NOT_LOCALIZED, "the robot is in no room of the map")
        response.location = room or ""
        return fault

    def _get_all_rooms(self, _: Any, response: Any) -> None:
        response.rooms = list(self._look_at_map().room_names)

    def ailment(self) -> str:
        fault = self._why_lost()
        return fault.message if fault else ""

    def tick(self, passed: float) -> None:
        stuck = self._given_up and time.monotonic() - self._given_up > STUCK
        if stuck and self.work.busy and not self.exit_code:
            message = f"Nav2 has not ended a cancelled goal for {STUCK:g} s; starting again"
            self.get_logger().fatal(message)
            self.leave(1)


def without_node_name(arguments: list[str]) -> tuple[list[str], str]:
    """Remove a remapping of the node name from ROS arguments. Returns the rest and the name.

    A remapping on the command line applies to every node of the process, including the commander:
    both would get the same name and each other's parameters.
    """
    rest: list[str] = []
    name = ""
    for argument in arguments:
        key, arrow, value = argument.partition(":=")
        if arrow and key in ("__node", "__name") and rest and rest[-1] in ("-r", "--remap"):
            rest.pop()
            name = value
        else:
            rest.append(argument)
    return rest, name


def main(args: list[str] | None = None) -> int:
    arguments, name = without_node_name(sys.argv if args is None else args)
    return run_server(lambda: Nav2Skills(name), arguments, names.NAV2_SKILLS_NODE)


if __name__ == "__main__":
    sys.exit(main())
