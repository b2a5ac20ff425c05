"""Node `perception`: `is_in_room` on a robot whose detectors publish `vision_msgs`."""

from __future__ import annotations

import sys
import threading
import time
from functools import partial
from typing import Any

from rclpy.qos import qos_profile_sensor_data
from std_msgs.msg import String

from roboinstruct_msgs.action import IsInRoom
from roboinstruct_msgs.msg import AskedNames
from roboinstruct_ros import names
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.domain.files.world_names import find_world
from roboinstruct_ros.domain.map_of_now import MapOfNow
from roboinstruct_ros.domain.semantic_map import Room, distance_outside
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.nodes.qos import LATCHED
from roboinstruct_ros.nodes.steady_timer import steady_timer
from roboinstruct_ros.skill_servers.kit.fault import Fault, name_fault
from roboinstruct_ros.skill_servers.kit.robot_packages import robot_module
from roboinstruct_ros.skill_servers.kit.rotation import Vector
from roboinstruct_ros.skill_servers.kit.skill_server import SkillServer, run_server
from roboinstruct_ros.skill_servers.kit.work import Call
from roboinstruct_ros.skill_servers.nav2.room_of_pose import holding_room
from roboinstruct_ros.skill_servers.perception.camera_frames import CameraFrames
from roboinstruct_ros.skill_servers.perception.frames import make_frames
from roboinstruct_ros.skill_servers.perception.look_around import POLL, headings, look_around
from roboinstruct_ros.skill_servers.perception.messages import (
    UnknownFrame,
    objects_message,
    sightings_2d,
    sightings_3d,
)
from roboinstruct_ros.skill_servers.perception.object_name_match import load_object_names
from roboinstruct_ros.skill_servers.perception.parameters import PerceptionParameters
from roboinstruct_ros.skill_servers.perception.perceived_world import PerceivedWorld
from roboinstruct_ros.skill_servers.perception.turners import HeadTurner, make_turner


class Perception(SkillServer):
    """Serves `is_in_room`; `PerceivedWorld` tracks objects, `look_around` turns the camera."""

    def __init__(self) -> None:
        """Raises ConfigError if a file or a parameter is unusable or messages are missing."""
        super().__init__(names.PERCEPTION_NODE, PerceptionParameters)
        given: PerceptionParameters = self.parameters
        self._map = MapOfNow(find_world(given.map), self.get_logger().warning)
        self.rooms = self._map()
        file = given.object_names or shared_file("config/object_names.yaml")
        self.names = load_object_names(file, self.rooms.people or ())
        self.world = PerceivedWorld(self.names, given.memory)
        sources = (*given.detections_2d, *given.detections_3d)
        if not sources:
            message = "and detections_2d are empty; name the topic of a detector"
            raise ConfigError("detections_3d", 0, "", message)
        self.cameras = CameraFrames(sources, given.frame_age_limit, given.silence_limit)
        self.frames = make_frames(self, given.frames, given.frame_patience)
        self.turner = make_turner(self, given)
        arc, circles = given.arc if self.turner else 0.0, not isinstance(self.turner, HeadTurner)
        self.angles = headings(arc, given.field_of_view, circles)
        self.news = threading.Condition(self.lock)
        self.turning, self._began = False, time.monotonic()
        self._held = ""
        self._asked: list[str] = []
        self._vision = robot_module("vision_msgs.msg", names.PERCEPTION_NODE)
        self._listen()
        self._publish()
        look = self.work.skill(IsInRoom, names.IS_IN_ROOM_ACTION, self._is_in_room, "look_limit")
        self.serve([look])

    def stop_motion(self) -> None:
        if self.turner is not None:
            self.turner.end()

    def _listen(self) -> None:
        given, vision = self.parameters, self._vision
        read_3d = partial(sightings_3d, in_map=self.frames.in_map)
        for topics, kind, read in (
            (given.detections_2d, vision.Detection2DArray, sightings_2d),
            (given.detections_3d, vision.Detection3DArray, read_3d),
        ):
            for topic in topics:
                heard = partial(self._frame, topic, read)
                self.hear(kind, topic, heard, qos_profile_sensor_data)  # fits reliable ones too
        self.hear(String, names.HELD_TOPIC, self._held_changed, LATCHED)

    def _publish(self) -> None:
        kind = self._vision.Detection3DArray
        self._objects = self.create_publisher(kind, names.OBJECTS_TOPIC, 10)
        self._names = self.create_publisher(AskedNames, names.ASKED_NAMES_TOPIC, LATCHED)
        steady_timer(self, self.parameters.publish_period, self._publish_objects)

    def ailment(self) -> str:
        with self.lock:
            fault = None if self.turning else self.cameras.silent(self._began, time.monotonic())
        return fault.message if fault else ""

    def turns(self, turning: bool) -> None:
        """Use no frame while the camera turns; their absence is then no silence."""
        if self.turning and not turning:
            self._began = time.monotonic()
        self.turning = turning

    # Frames

    def _frame(self, source: str, read: Any, message: Any) -> None:
        stamp = message.header.stamp.sec + message.header.stamp.nanosec * 1e-9
        clock, now = self.clock(), time.monotonic()
        with self.lock:
            if self.turning or not self.cameras.usable(source, stamp, clock, now):
                return
        robot = self.frames.robot()
        at = robot.position if robot else None
        try:
            room_of = partial(self._room_of, self._room_at(at))
            sightings = read(message, self.names, room_of=room_of)
        except UnknownFrame as unknown:
            text = f"where the frame '{unknown}' of '{source}' is in '{names.MAP_FRAME}' is unknown"
            with self.lock:
                self.cameras.refuse(source, Fault(SkillErrorCode.NOT_LOCALIZED, text), now)
            return
        with self.news:
            reach = self.parameters.held_reach
            seen = self.world.without_held(sightings, self._held, at, reach)
            self.world.see(source, seen, now)
            self.cameras.accept(source, stamp, now)
            self.news.notify_all()

    def clock(self) -> float:
        """The current time on the clock of the stamps, s."""
        return float(self.get_clock().now().nanoseconds * 1e-9)

    def _room_of(self, here: Room | None, position: Vector | None) -> str | None:
        """The room of an object; without a position, the robot's own room `here`."""
        if position is None:
            return here.name if here else None
        room, margin = self._room_at(position), self.parameters.room_margin
        if room is None and here is not None and here.polygon:  # e.g. on a shelf in the wall
            room = here if distance_outside(here.polygon, position[:2]) <= margin else None
        return room.name if room else None

    def _room_at(self, position: Vector | None) -> Room | None:
        if position is None:
            return None
        return holding_room(self.rooms, position[:2], self.parameters.room_radius)

    def _held_changed(self, message: String) -> None:
        held, robot = message.data[: names.LONGEST_NAME], self.frames.robot()
        with self.lock:
            if held and robot is not None:
                self.world.take_away(held, robot.position, self.parameters.held_reach)
            self._held = held

    def _publish_objects(self) -> None:
        ros_now, now = self.get_clock().now(), time.monotonic()
        with self.lock:
            message = objects_message(self._vision, self.world.remembered(), ros_now, now)
        self._objects.publish(message)

    # is_in_room

    def _is_in_room(self, call: Call) -> Fault | None:
        try:
            found = self._find(call.request.object, call)
        finally:
            self.turns(False)
        if isinstance(found, bool):
            call.result.present = found
            return None
        return found

    def _find(self, asked: str, call: Call) -> bool | Fault | None:
        """Whether the object is there; None if the goal was ended from outside."""
        if unnamed := name_fault("object", asked):
            return unnamed
        self.rooms = self._map()
        self._tell_asked(asked)
        vocabulary = self.parameters.vocabulary
        if vocabulary and not self.names.known_to(vocabulary, asked):
            near = self.names.nearest(asked, map(self.names.of_label, vocabulary))
            hint = f"; did you mean '{near}'?" if near else ""
            message = f"the robot's detectors cannot see '{asked}'{hint}"
            return Fault(SkillErrorCode.INVALID_ARGUMENT, message)
        room = self._wait_room(call.over)
        if room is None:
            message = "where the robot is is not known, or is in no room of the map"
            return Fault(SkillErrorCode.NOT_LOCALIZED, message)
        return self._look(asked, room.name, call)

    def _wait_room(self, over: threading.Event) -> Room | None:
        """The robot's room; waits for it, as a node that has just started may lack a pose."""
        deadline = time.monotonic() + self.parameters.silence_limit
        while True:
            robot = self.frames.robot()
            room = self._room_at(robot.position if robot else None)
            if room is not None or time.monotonic() >= deadline or over.wait(POLL):
                return room

    def _look(self, asked: str, room: str, call: Call) -> bool | Fault | None:
        if self.turner is not None:
            self.turner.begin()
        question = Question(self, asked, room, call)
        found = look_around(question, self.turner, self.angles, call.over)
        if isinstance(self.turner, HeadTurner) and found is not None:
            question.begin_turn()
            self.turner.turn_to(0.0, call.over)
        return found

    def _tell_asked(self, asked: str) -> None:
        name = self.names.canonical(asked)
        if name not in self._asked:
            self._asked = [*self._asked[-49:], name]
            self._names.publish(AskedNames(names=self._asked))


class Question:
    """Camera input while one question is answered; objects seen within the last `trust` s count."""

    def __init__(self, node: Perception, asked: str, room: str, call: Call) -> None:
        self._node, self._asked, self._room, self._call = node, asked, room, call
        self._since = time.monotonic() - node.parameters.trust
        self._began = time.monotonic()
        self._before: dict[str, int] = {}
        call.feedback.phase = "looking"

    def begin_turn(self) -> None:
        """Ignore frames from now on: during a turn they are blurred and their pose lags."""
        self._node.turns(True)
        self._call.feedback.phase = "turning"

    def begin_view(self) -> None:
        """Count only frames taken from now on."""
        node = self._node
        if node.turning:
            self._call.over.wait(node.parameters.settle)
        node.turns(False)
        self._call.feedback.phase = "looking"
        with node.lock:
            node.world.look_anew()
            node.cameras.begin_view(node.clock())
            self._before, self._began = node.cameras.counts(), time.monotonic()

    def seen(self, limit: float) -> bool | Fault | None:
        """Whether the object is there, or why no frames arrive.

        None while a camera has not shown this view often enough for a "no"; then it has waited at
        most `limit` s for the next frame.
        """
        node, needed = self._node, self._node.parameters.memory.of_frames
        with node.news:
            if node.world.in_room(self._asked, self._room, self._since):
                return True
            if fault := node.cameras.silent(self._began, time.monotonic()):
                return fault
            counts = node.cameras.counts().items()
            if all(count - self._before[source] >= needed for source, count in counts):
                return False
            node.news.wait(limit)
        return None


def main(args: list[str] | None = None) -> int:
    return run_server(Perception, args)


if __name__ == "__main__":
    sys.exit(main())
