"""An executor whose end waits for the callbacks that have begun."""

from __future__ import annotations

from rclpy.executors import MultiThreadedExecutor


class PatientExecutor(MultiThreadedExecutor):
    """rclpy's own `shutdown` does not wait: callbacks then meet a node that is gone, and say so."""

    def shutdown(self, timeout_sec: float | None = None) -> bool:
        """End; waits up to `timeout_sec` s for callbacks. Gives whether all have ended."""
        ended = bool(self._work_tracker.wait(timeout_sec))
        return bool(super().shutdown(timeout_sec)) and ended

    def finish(self) -> None:
        """Let the last callbacks end, once nobody spins any more and before nodes are destroyed."""
        self._executor.shutdown(wait=True, cancel_futures=True)
