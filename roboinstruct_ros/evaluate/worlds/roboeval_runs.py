"""Runs programs by the rules of the RoboEval benchmark in a confined child, one after another."""

from __future__ import annotations

from dataclasses import asdict

from roboinstruct_ros.evaluate.worlds.roboeval_world import SECONDS, End, State, TracedRun, run
from roboinstruct_ros.sandbox.confined_child import ConfinedChild, serve
from roboinstruct_ros.sandbox.confinement import Limits
from roboinstruct_ros.sandbox.wire import Wire, WireClosed, WireTimeout

_LONGEST = 30.0  # s of wall-clock time for one run, which may take 1 s of processor time


class RoboEvalRuns:
    """Runs programs one after another. The child is killed when one keeps it from answering."""

    def __init__(self, seconds: float = SECONDS, longest: float = _LONGEST) -> None:
        self._child: ConfinedChild | None = None
        self._seconds, self._longest = seconds, longest

    def run(self, source: str, state: State) -> TracedRun:
        """What the program does in a fresh world of this state.

        Raises:
            WireClosed: no child could be started.
        """
        child = self._child = self._child or ConfinedChild(__name__, Limits(cpu_seconds=0))
        try:
            request = {"source": source, "state": asdict(state), "seconds": self._seconds}
            child.wire.send(request)
            told = child.wire.receive(self._longest)
            return TracedRun(End(told["end"]), told["trace"], told["error"])
        except WireTimeout:
            ended = TracedRun(End.TIME_OUT, (), "TimeoutError: nothing could interrupt it")
        except WireClosed:
            ended = TracedRun(End.PYTHON, (), "MemoryError: it broke the limits of the sandbox")
        self.close()
        return ended

    def close(self) -> None:
        """End the child; the next run starts another."""
        if self._child is not None:
            self._child.close()
            self._child = None


def main() -> None:
    """Entry point of the child."""
    serve(_answer)


def _answer(wire: Wire, _: Limits) -> None:
    while True:
        request = wire.receive()
        wire.send(asdict(run(request["source"], State(**request["state"]), request["seconds"])))
