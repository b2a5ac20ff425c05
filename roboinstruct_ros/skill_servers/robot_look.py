"""Inspects a robot before its first task: Nav2, MoveIt, detections, skills. Nothing moves."""

from __future__ import annotations

import importlib
import threading
from functools import partial
from typing import Any

import rclpy
from builtin_interfaces.msg import Time
from geometry_msgs.msg import PoseStamped
from rclpy.action.server import RCLError
from rclpy.context import Context
from rclpy.exceptions import ParameterException
from rclpy.logging import LoggingSeverity
from rclpy.signals import SignalHandlerOptions

from roboinstruct_ros import names
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.nodes.dds.transport import choose_transport
from roboinstruct_ros.nodes.discovery import wait_discovered
from roboinstruct_ros.nodes.hearing import hear
from roboinstruct_ros.nodes.log_folder import with_log_folder
from roboinstruct_ros.nodes.parameters import declare
from roboinstruct_ros.nodes.spun_node import Spinning
from roboinstruct_ros.skill_servers.kit.action_stop import NAVIGATORS, ActionStop
from roboinstruct_ros.skill_servers.kit.pose import stamped_pose
from roboinstruct_ros.skill_servers.nav2.commander import commander_class
from roboinstruct_ros.skill_servers.nav2.drive import check_path
from roboinstruct_ros.skill_servers.nav2.link import Located, Nav2Link
from roboinstruct_ros.skill_servers.nav2.parameters import Nav2Parameters

DETECTIONS = ("vision_msgs/msg/Detection2DArray", "vision_msgs/msg/Detection3DArray")
PLANNING_SCENE = "moveit_msgs/srv/GetPlanningScene"
"""Offered by every `move_group` and every node with a `MoveItPy`."""
ANSWER = 1.0
"""Time (s) for a node to answer."""


class RobotLook:
    """A node of its own that inspects the robot; use as a context manager.

    Args:
        namespace: of the robot; empty for none.
        parameters_file: parameters of `nav2_skills`; empty for the defaults.
        listen: time for discovery (s).

    Attributes:
        located: last pose in frame `map`; None if none has arrived.
    """

    def __init__(self, namespace: str, parameters_file: str, listen: float) -> None:
        self._namespace, self._file, self._listen = namespace, parameters_file, listen
        self.located: Located | None = None

    def __enter__(self) -> RobotLook:
        """Raises ConfigError: the file's parameters for all nodes (`/**`) cannot be used."""
        arguments = ["--ros-args", "--params-file", self._file] if self._file else []
        self._context = Context()
        choose_transport()
        try:
            self._begin(with_log_folder(arguments))
        except (RCLError, ParameterException) as error:
            rclpy.try_shutdown(context=self._context)
            raise ConfigError(self._file, 0, "", " ".join(str(error).split())) from None
        self._stop = ActionStop(self._node, NAVIGATORS[:1])
        self._link = Nav2Link(self._node, self.parameters.pose_topic, self._see)
        self._spinning = Spinning(self._node, threads=3)
        self._spinning.start()
        threading.Event().wait(self._listen)
        return self

    def _begin(self, arguments: list[str]) -> None:
        rclpy.init(args=arguments, context=self._context)
        # Uses the node name that these parameters belong to, but stays silent to mislead nobody.
        self._node = rclpy.create_node(
            names.NAV2_SKILLS_NODE,
            namespace=self._namespace.strip("/") or None,
            context=self._context,
            enable_rosout=False,
            start_parameter_services=False,
        )
        self.parameters = declare(self._node, Nav2Parameters())

    def __exit__(self, *_: object) -> None:
        self._spinning.close()
        self._node.destroy_node()
        rclpy.shutdown(context=self._context)

    def states(self, *lifecycle_nodes: str) -> dict[str, str]:
        """State of each lifecycle node; empty if it does not answer."""
        return {name: self._link.state(name) for name in lifecycle_nodes}

    def serves(self, name: str) -> bool:
        """Whether an action or a service of that name is served."""
        return self._link.action_is_served(name) or self._link.serves(name)

    @property
    def can_clear(self) -> bool:
        return self._link.can_clear()

    @property
    def can_stop(self) -> bool:
        """Whether Nav2 answers a cancel (of a goal that does not exist)."""
        return self._stop.answers(ANSWER)

    def ways(self, rooms: SemanticMap, limit: float) -> dict[str, str]:
        """Plan a path to each room with Nav2. Returns why there is none, or an empty text.

        The commander waits for the planner without limit, so it runs in its own thread, which is
        abandoned after `limit` s; rooms without an answer by then are missing.

        Raises:
            ConfigError: nav2_simple_commander is not installed.
        """
        navigator = commander_class()
        found: dict[str, str] = {}

        def plan() -> None:
            commander = navigator("roboinstruct_doctor", self._node.get_namespace())
            commander.get_logger().set_level(LoggingSeverity.ERROR)
            planner = self.parameters.drive.planner_id
            for room in rooms.rooms:
                goal = stamped_pose(room.pose, Time())
                fault = check_path(commander, room.name, goal, planner)
                found[room.name] = fault.message if fault else ""
            commander.destroy_node()

        rclpy.init(signal_handler_options=SignalHandlerOptions.NO)  # the commander's context
        thread = threading.Thread(target=plan, daemon=True)
        thread.start()
        thread.join(limit)
        answered = dict(found)
        if not thread.is_alive():
            rclpy.try_shutdown()
        return answered

    def moveit(self) -> dict[str, bool]:
        """The nodes that hold a planning scene, and whether each answers."""
        found = {}
        for name, namespace in set(self._node.get_node_names_and_namespaces()):
            try:
                offered = self._node.get_service_names_and_types_by_node(name, namespace)
            except RCLError:  # it has just ended, or DDS has not told its name yet
                continue
            if any(PLANNING_SCENE in types for _, types in offered):
                full = f"{namespace.rstrip('/')}/{name}"
                found[full] = wait_discovered(self._node, full, ANSWER)
        return found

    def detections(self, limit: float) -> dict[str, int | None]:
        """The topics with publishers of detections, and the number of messages within `limit` s.

        None if vision_msgs is not installed here, so that no one can subscribe.
        """
        topics = {
            name: next(kind for kind in kinds if kind in DETECTIONS)
            for name, kinds in self._node.get_topic_names_and_types()
            if set(kinds) & set(DETECTIONS) and self._node.count_publishers(name)
        }
        return _count(self._node, topics, limit)

    def _see(self, located: Located, _: PoseStamped) -> None:
        self.located = located


def _count(node: Any, topics: dict[str, str], limit: float) -> dict[str, int | None]:
    if not topics:
        return {}
    try:
        messages = importlib.import_module("vision_msgs.msg")
    except ImportError:
        return dict.fromkeys(topics)
    heard = dict.fromkeys(topics, 0)

    def count(topic: str, _: object) -> None:
        heard[topic] += 1

    for topic, kind in topics.items():
        message = getattr(messages, kind.rpartition("/")[2])
        hear(node, message, topic, partial(count, topic), rclpy.qos.qos_profile_sensor_data)
    threading.Event().wait(limit)
    return {**heard}
