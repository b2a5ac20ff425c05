"""A node that a test plays, in threads of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import rclpy
from rclpy.context import Context

from roboinstruct_ros.nodes.patient_executor import PatientExecutor


class ScriptedNode:
    """Use it as a context manager: it is spun in between.

    Args:
        beside: what else runs in a thread, until `over` is set.
    """

    def __init__(self, name: str, domain: int, *beside: Callable[[], None]) -> None:
        self._context = Context()
        rclpy.init(context=self._context, domain_id=domain)
        self.node = rclpy.create_node(name, context=self._context)
        self._executor = PatientExecutor(6, context=self._context)
        self.over = threading.Event()
        works = (self._executor.spin, *beside)
        self._threads = [threading.Thread(target=work, daemon=True) for work in works]

    def __enter__(self) -> Any:
        self._executor.add_node(self.node)
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self._executor.shutdown(2.0)
        for thread in self._threads:
            thread.join(2)
        self.node.destroy_node()
        rclpy.shutdown(context=self._context)
