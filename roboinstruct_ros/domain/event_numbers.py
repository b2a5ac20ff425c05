"""Detects lost events by gaps in their sequence numbers."""

from __future__ import annotations


class EventNumbers:
    """The last sequence number of each node."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[str, int]] = {}

    def missed(self, source: str, session: str, seq: int) -> int:
        """Register an event and return how many events of its node were lost just before it.

        Events before the first one received from a node do not count as lost. A restarted node
        counts from 0 again.
        """
        session_before, last = self._last.get(source, (session, seq - 1))
        if session != session_before:
            last = -1
        self._last[source] = (session, max(last, seq))
        return max(0, seq - last - 1)
