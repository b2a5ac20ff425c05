"""A ROS client of the skills for tests: calls, feedback, and what `/odom` said when."""

from __future__ import annotations

import threading
from typing import Any

import rclpy
from goal_client import GoalClient
from nav_msgs.msg import Odometry
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import MarkerArray
from waiting import LIMIT, until

from roboinstruct_msgs.action import Ask, GoTo, IsInRoom, Pick, Place, Say
from roboinstruct_msgs.msg import Admission, Answer, Heartbeat, Question, StopRequest
from roboinstruct_msgs.srv import GetAllRooms, GetCurrentLocation
from roboinstruct_ros import names
from roboinstruct_ros.nodes.discovery import wait_discovered

ACTIONS = {
    GoTo: names.GO_TO_ACTION,
    Pick: names.PICK_ACTION,
    Place: names.PLACE_ACTION,
    Say: names.SAY_ACTION,
    Ask: names.ASK_ACTION,
    IsInRoom: names.IS_IN_ROOM_ACTION,
}
SERVICES = {
    GetCurrentLocation: names.GET_CURRENT_LOCATION_SERVICE,
    GetAllRooms: names.GET_ALL_ROOMS_SERVICE,
}
TF = "/tf"
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class SkillClient:
    """One node with a client for every skill; `with` ends it."""

    def __init__(self, domain: int) -> None:
        self._context = Context()
        rclpy.init(context=self._context, domain_id=domain)
        self.node = rclpy.create_node("skill_client", context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        self.moving: list[tuple[float, bool]] = []
        self.latest: dict[str, Any] = {}
        self.feedback: list[Any] = []
        self.left: list[Any] = []
        self.server = 0
        self.node.create_subscription(Odometry, names.ODOMETRY_TOPIC, self._on_odometry, 50)
        self._keep(String, names.SPEECH_TOPIC, 10)
        self._keep(Question, names.QUESTION_TOPIC, LATCHED)
        self._keep(TFMessage, TF, 50)
        self._keep(MarkerArray, names.MARKERS_TOPIC, LATCHED)
        self.stop = self.node.create_publisher(StopRequest, names.STOP_REQUEST_TOPIC, 10)
        self.heartbeat = self.node.create_publisher(Heartbeat, names.HEARTBEAT_TOPIC, 10)
        self.answer = self.node.create_publisher(Answer, names.ANSWER_TOPIC, 10)
        self._clients = {kind: GoalClient(self.node, kind, n) for kind, n in ACTIONS.items()}
        self._services = {k: self.node.create_client(k, name) for k, name in SERVICES.items()}
        self._thread = threading.Thread(target=self._executor.spin, daemon=True)
        self._thread.start()

    def __enter__(self) -> SkillClient:
        for client in self._clients.values():
            assert client.wait_for_server(LIMIT)
        for service in self._services.values():
            assert service.wait_for_service(LIMIT)
        assert wait_discovered(self.node, names.SIM_ROBOT_NODE, LIMIT)
        publishers = (self.stop, self.heartbeat, self.answer)
        until(lambda: all(p.get_subscription_count() for p in publishers))
        until(lambda: self.moving)
        return self

    def __exit__(self, *_: object) -> None:
        self._executor.shutdown()
        self._thread.join(2)
        self.node.destroy_node()
        rclpy.shutdown(context=self._context)

    def call(self, kind: Any, **request: Any) -> Any:
        return self.done(self._services[kind].call_async(kind.Request(**request)))

    def send(self, kind: Any, session: str = "", stop_number: int = 0, **goal: Any) -> Any:
        client = self._clients[kind]
        admission = Admission(session=session, stop_number=stop_number)
        handle = self.done(
            client.send_goal_async(
                kind.Goal(admission=admission, **goal),
                feedback_callback=lambda f: self.feedback.append(f.feedback),
            )
        )
        assert handle.accepted
        return handle

    def result(self, handle: Any) -> Any:
        """Gives (status, result) of a goal."""
        done = self.done(handle.get_result_async())
        return done.status, done.result

    def run(self, kind: Any, **goal: Any) -> Any:
        return self.result(self.send(kind, **goal))[1]

    def start_moving(self, location: str, session: str = "") -> Any:
        handle = self.send(GoTo, session, location=location)
        until(lambda: self.moving[-1][1])
        return handle

    def still_after(self, moment: float) -> float:
        """Waits until `/odom` is zero; gives the s since `moment` (s since the epoch)."""
        until(lambda: any(t > moment and not m for t, m in list(self.moving)))
        return next(t for t, m in list(self.moving) if t > moment and not m) - moment

    def held(self) -> list[str]:
        """What viewers are told the gripper holds."""
        return [m.text for m in self.latest[names.MARKERS_TOPIC].markers if m.ns == "held"]

    def done(self, future: Any) -> Any:
        done = threading.Event()
        future.add_done_callback(lambda _: done.set())
        assert done.wait(LIMIT), "no reply"
        return future.result()

    def _keep(self, kind: Any, topic: str, qos: Any) -> None:
        def heard(message: Any) -> None:
            self.latest[topic] = message

        self.node.create_subscription(kind, topic, heard, qos)

    def _on_odometry(self, message: Odometry) -> None:
        # The robot's own stamp: what counts is when it stood still, not when this thread woke.
        stamp, twist = message.header.stamp, message.twist.twist
        seconds = stamp.sec + stamp.nanosec * 1e-9
        self.moving.append((seconds, bool(twist.linear.x or twist.angular.z)))
