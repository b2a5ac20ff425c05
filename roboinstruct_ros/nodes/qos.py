"""Quality of service of the stack's topics."""

from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

LATCHED = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=1,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
"""State: who comes late gets the last value."""

EVENTS = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=1000,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.VOLATILE,
)
"""Events: every one, in order."""

STREAM = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=10,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.VOLATILE,
)
"""Heartbeats and stop requests."""

REQUESTS = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=200,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.VOLATILE,
)
"""Goals, results and cancels of a skill: with rclpy's own depth of 10, the rest of 50 goals at once
is never answered."""

ACTION = {f"{service}_service_qos_profile": REQUESTS for service in ("goal", "result", "cancel")}
"""Options of an action server and client."""

ACTION_SERVER = {**ACTION, "result_timeout": 60}
"""Options of an action server. A result is kept for so many s after its goal; every state of a goal
is told with those of all that are kept, and rclpy's own 900 s make that long."""

UNWATCHED = SubscriptionEventCallbacks(use_default_callbacks=False)
"""For subscriptions in an executor of several threads. With rclpy's own watch for QoS that does not
fit, a message that came but was not taken yet wakes the executor again and again, until another
thread gets to take it: 5 ms of computing for each heartbeat."""
