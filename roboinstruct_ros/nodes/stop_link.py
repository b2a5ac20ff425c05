"""Stop requests and heartbeats of one process, on a node and threads of their own.

Nothing else runs there, so no blocking callback, web page, program or burst of requests can delay a
stop. Time is a steady clock, whatever `use_sim_time` says.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.node import Node
from rclpy.qos import QoSProfile

from roboinstruct_msgs.msg import Heartbeat, StopRequest
from roboinstruct_ros import names
from roboinstruct_ros.domain.stop_number import StopNumber
from roboinstruct_ros.nodes.conversions import time_to_msg
from roboinstruct_ros.nodes.hearing import Untold, hear
from roboinstruct_ros.nodes.heartbeat import HeartbeatMonitor
from roboinstruct_ros.nodes.qos import STREAM
from roboinstruct_ros.nodes.spun_node import SpunNode

TICK = 0.05
"""Period (s) of the check for new heartbeats."""

_BEATS = round(names.HEARTBEAT_PERIOD / TICK)  # ticks between two heartbeats
_HEARTBEATS = QoSProfile(depth=100)  # those that may arrive within a tick
_LONGEST_WORDS = 200


@dataclass(frozen=True)
class Stopped:
    """A stop that this process did not know before."""

    number: int
    source: str
    reason: str

    def __str__(self) -> str:
        reason = f": {self.reason}" if self.reason else ""
        return f"stopped by {self.source or 'somebody'}{reason}"


class StopLink:
    """Receives and sends stops and heartbeats; its threads never wait for other work.

    Create it before anything that accepts goals, so that no stop is missed.

    Args:
        node: the process's main node, whose name the heartbeats carry.
        on_stop: called first and once for each stop; must not block.
        on_tick: called every `TICK` s with the elapsed time (s), after the heartbeats were read.
        beats: send heartbeats.

    Attributes:
        stops: number of the last stop.
        heard: which nodes are alive.
        session: differs after every start of the process.
    """

    def __init__(
        self,
        node: Node,
        on_stop: Callable[[Stopped], object] = lambda stopped: None,
        on_tick: Callable[[float], object] = lambda passed: None,
        beats: bool = True,
    ) -> None:
        self.stops = StopNumber()
        self.heard = HeartbeatMonitor()
        self.session = uuid.uuid4().hex[:12]
        self._owner, self._on_stop, self._on_tick, self._beats = node, on_stop, on_tick, beats
        self._spun = SpunNode(names.stop_link_node(node.get_name()), node, threads=3)
        own = self._spun.node
        self._requests = own.create_publisher(StopRequest, names.STOP_REQUEST_TOPIC, STREAM)
        hear(own, StopRequest, names.STOP_REQUEST_TOPIC, self._requested, STREAM)
        self._heartbeats = Untold(own, Heartbeat, names.HEARTBEAT_TOPIC, _HEARTBEATS)
        self._publisher = own.create_publisher(Heartbeat, names.HEARTBEAT_TOPIC, STREAM)
        self._spun.start()
        self._spun.keep(self._beat, "beat")

    def stop(self, source: str, reason: str, pressed: float | None = None) -> Stopped:
        """Stop the robot: notifies all nodes and this process. From any thread; does not wait.

        Args:
            source: who requests it, such as "kiosk".
            reason: plain English.
            pressed: s since the Unix epoch; None for now.
        """
        stopped = Stopped(self.stops.advance(), source, reason)
        self.request(stopped, pressed)
        self._on_stop(stopped)
        return stopped

    def relay(self, number: int, source: str, reason: str) -> Stopped:
        """Apply a stop requested by other means than the topic, and notify all nodes.

        Args:
            number: of the request that the same sender has published; 0 for none.
        """
        if number == 0:
            return self.stop(source, reason)
        stopped = Stopped(number, source, reason)
        if self.stops.hear(number):
            self.request(stopped)
            self._on_stop(stopped)
        return stopped

    def request(self, stopped: Stopped, pressed: float | None = None) -> None:
        """Publish a stop; nodes that know it ignore a repetition. `pressed` as in `stop`."""
        self._requests.publish(
            StopRequest(
                source=stopped.source,
                reason=stopped.reason,
                stamp=time_to_msg(time.time() if pressed is None else pressed),
                number=stopped.number,
            )
        )

    def learn(self, number: int, sender: str) -> None:
        """Learn of a stop from a goal; one that was missed here is obeyed."""
        if self.stops.learn(number):
            self._on_stop(Stopped(number, sender, "a stop that was not heard here"))

    def offer(self, kind: Any, name: str, answer: Callable[[Any, Any], Any]) -> None:
        """Serve a service that no other callback of the process can delay."""
        group = MutuallyExclusiveCallbackGroup()
        self._spun.node.create_service(kind, name, answer, callback_group=group)

    def listeners(self) -> int:
        """Number of subscribers to stop requests, including this process."""
        return int(self._requests.get_subscription_count())

    def close(self) -> None:
        """End the threads, then the node; nothing is published afterwards."""
        self._spun.close()

    def _requested(self, request: StopRequest) -> None:
        if self.stops.hear(request.number):
            number = request.number or self.stops.current
            source, reason = request.source[:_LONGEST_WORDS], request.reason[:_LONGEST_WORDS]
            self._on_stop(Stopped(number, source, reason))

    def _beat(self) -> None:
        last, ticks, told = time.monotonic(), 0, 0
        while not self._spun.over.wait(TICK) and self._owner.context.ok():
            now = time.monotonic()
            try:
                listeners = self._publisher.get_subscription_count()
                # who has just begun to listen does not wait for the next one
                if self._beats and (ticks % _BEATS == 0 or listeners > told):
                    self._publish()
                told = listeners
                self._take()
                self.heard.pass_time(now - last)
                self._on_tick(now - last)
            except Exception:
                self._spun.told("a look at the heartbeats failed")
            last, ticks = now, ticks + 1

    def _publish(self) -> None:
        beat = Heartbeat(
            node=self._owner.get_name(),
            session=self.session,
            stamp=time_to_msg(time.time()),
            stop_number=self.stops.current,
        )
        self._publisher.publish(beat)

    def _take(self) -> None:
        for beat in self._heartbeats.take():
            self.heard.note(beat.node[:_LONGEST_WORDS], beat.session[:_LONGEST_WORDS])
            self.learn(beat.stop_number, beat.node[:_LONGEST_WORDS])
