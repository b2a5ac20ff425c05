"""Finds lost events by the gaps in their numbers."""

from __future__ import annotations


class EventNumbers:
    """Remembers the last number of each node."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[str, int]] = {}

    def missed(self, source: str, session: str, seq: int) -> int:
        """Note an event. How many of its node were lost just before it.

        What was told before the first one that is heard of a node is not lost. A node that was
        started anew counts from 0 again.
        """
        session_before, last = self._last.get(source, (session, seq - 1))
        if session != session_before:
            last = -1
        self._last[source] = (session, max(last, seq))
        return max(0, seq - last - 1)
