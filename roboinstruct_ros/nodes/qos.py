"""QoS profiles of the stack's topics; all are reliable, rclpy's default."""

from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.qos import DurabilityPolicy, QoSProfile

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
"""State: late joiners get the last value."""

EVENTS = QoSProfile(depth=1000)
"""Events: all of them, in order."""

STREAM = QoSProfile(depth=10)
"""Heartbeats and stop requests."""

DIAGNOSES = QoSProfile(depth=50)
"""Diagnostics: published by many nodes each second and polled less often."""

REQUESTS = QoSProfile(depth=200)
"""Goals, results and cancels of a skill. With rclpy's default depth of 10, some of 50 simultaneous
goals are never answered."""

ACTION = {f"{service}_service_qos_profile": REQUESTS for service in ("goal", "result", "cancel")}

ACTION_SERVER = {**ACTION, "result_timeout": 60}
"""Options for action servers. Results are kept this long (s) after their goal. Each status message
lists all goals kept, which rclpy's default of 900 s makes long."""

UNWATCHED = SubscriptionEventCallbacks(use_default_callbacks=False)
"""For subscriptions in a multi-threaded executor. With rclpy's default incompatible-QoS callback, a
message that has arrived but was not taken wakes the executor repeatedly until another thread takes
it: 5 ms of CPU per heartbeat."""
