"""Quality of service of the stack's topics; all are reliable, as rclpy has it."""

from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.qos import DurabilityPolicy, QoSProfile

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
"""State: who comes late gets the last value."""

EVENTS = QoSProfile(depth=1000)
"""Events: every one, in order."""

STREAM = QoSProfile(depth=10)
"""Heartbeats and stop requests."""

DIAGNOSES = QoSProfile(depth=50)
"""What many nodes say of themselves each second, where it is looked at less often than it comes."""

REQUESTS = QoSProfile(depth=200)
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
