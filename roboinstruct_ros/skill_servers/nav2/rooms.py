"""Has Nav2's planner find a path to every room of a map. Nothing moves."""

from __future__ import annotations

import threading

import rclpy
from builtin_interfaces.msg import Time
from rclpy.logging import LoggingSeverity
from rclpy.signals import SignalHandlerOptions

from roboinstruct_ros.domain.semantic_map import SemanticMap
from roboinstruct_ros.nodes.dds_transport import choose_transport
from roboinstruct_ros.skill_servers.kit.pose import stamped_pose
from roboinstruct_ros.skill_servers.nav2.drive import check_path


def paths_to_rooms(
    namespace: str, rooms: SemanticMap, planner: str, limit: float
) -> dict[str, str]:
    """Why there is no path to each room; an empty text if there is one.

    The commander waits for the planner without limit, so it runs in its own thread, which is
    abandoned after `limit` s; rooms without an answer by then are missing.

    Raises:
        ImportError: nav2_simple_commander is not installed.
    """
    from nav2_simple_commander.robot_navigator import BasicNavigator

    found: dict[str, str] = {}

    def ask() -> None:
        commander = BasicNavigator("roboinstruct_doctor", namespace)
        commander.get_logger().set_level(LoggingSeverity.ERROR)
        for room in rooms.rooms:
            failure = check_path(commander, room.name, stamped_pose(room.pose, Time()), planner)
            found[room.name] = failure.fault.message if failure else ""
        commander.destroy_node()

    # the commander uses the default context
    choose_transport()
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(limit)
    answered = dict(found)
    if not thread.is_alive():
        rclpy.try_shutdown()
    return answered
