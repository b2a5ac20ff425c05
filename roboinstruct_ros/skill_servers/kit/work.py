"""Skills as functions that block, each goal in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.kit.activity import Activity
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.kit.internal_fault import internal_fault

if TYPE_CHECKING:
    from roboinstruct_ros.skill_servers.kit.skill_server import SkillServer

SETTLE = 0.07
"""s that the function gets to return after its goal was ended, before the goal says that it has."""

REASON_WAIT = 0.2
"""s that whoever took the motion away gets to say why, before the goal counts as cancelled."""
TAKEN = (
    SkillErrorCode.CANCELED, SkillErrorCode.UNKNOWN, SkillErrorCode.NAVIGATION_BLOCKED,
    SkillErrorCode.GRASP_FAILED, SkillErrorCode.PLACE_FAILED,
)  # fmt: skip
"""How a motion fails whose goal at another node was cancelled."""
MOTION_TAKEN = Fault(SkillErrorCode.CANCELED, "its motion was taken away")


@dataclass(eq=False)
class Call:
    """One goal, as the function sees it that carries it out.

    Attributes:
        request: the goal.
        result: to be filled where the skill answers something.
        feedback: the newest, sent ten times a second; a `time_remaining` in it is filled in.
        activity: the goal's state.
    """

    request: Any
    result: Any
    feedback: Any
    activity: Activity
    halts: int = 0
    """How often motion had been taken away when it began."""

    @property
    def over(self) -> threading.Event:
        """Set at a cancel, a stop, or when the goal has taken too long: return soon, with None."""
        return self.activity.over


Do = Callable[[Call], "Fault | None"]


class Work:
    """Runs the functions; the goal ends in time even where one of them hangs.

    Nothing new begins before the function has returned, one that moves the robot beside one that
    does not.

    Attributes:
        halts: how often motion was taken away; whoever does so counts first.
    """

    def __init__(self, server: SkillServer) -> None:
        self._server, self.halts = server, 0
        self._threads = {True: threading.Thread(), False: threading.Thread()}

    @property
    def busy(self) -> bool:
        """Whether a function that moves the robot has not returned yet."""
        return self._threads[True].is_alive()

    def settled(self, limit: float) -> bool:
        """Whether it has, or does so within `limit` s."""
        if self.busy:
            self._threads[True].join(limit)
        return not self.busy

    def skill(
        self,
        kind: Any,
        action: str,
        do: Do,
        limit: str,
        ready: Do = lambda call: None,
        moves: bool = True,
    ) -> tuple[Any, str, Callable[[Any], Any]]:
        """One of the actions that `SkillServer.serve` takes.

        Args:
            kind: the action's type.
            action: its name.
            do: carries one goal out; blocks, and returns why it failed or None. Its motion is taken
                away once more when it returns from a goal that has ended meanwhile.
            limit: name of the parameter with the s that a goal may take.
            ready: why a goal cannot begin, or None; it must not wait, the lock is held.
            moves: whether the robot's base or arm moves for it.
        """
        name = action.rpartition("/")[2]

        def run(goal: Any) -> Any:
            patience = getattr(self._server.parameters, limit)
            words = f"{name}({_asked(goal.request)}) was not done within {patience:g} s"
            late = Fault(SkillErrorCode.TIMEOUT, words)
            activity = Activity(name, moves, None, patience=patience, out_of_patience=late)
            call = Call(goal.request, kind.Result(), kind.Feedback(), activity)
            thread = threading.Thread(target=self._do, args=(do, call), name=name, daemon=True)

            def begin(_: Activity) -> Fault | None:
                fault = self._why_busy(moves) or ready(call)
                if fault is None:
                    call.halts, self._threads[moves] = self.halts, thread
                    thread.start()
                return fault

            def feedback(_: Activity) -> Any:
                if hasattr(call.feedback, "time_remaining"):
                    call.feedback.time_remaining = activity.patience_left
                return call.feedback

            def settle() -> None:
                thread.join(SETTLE)
                if thread.is_alive():
                    words = f"told that '{name}' has ended before what carries it out confirmed it"
                    self._server.get_logger().warning(words)

            return self._server.goals.carry_out(
                goal, activity, call.result, begin, feedback, settle=settle
            )

        return kind, action, run

    def _why_busy(self, moves: bool) -> Fault | None:
        if not self._threads[moves].is_alive():
            return None
        message = "the goal before has not ended; it was told to, and the robot may move"
        return Fault(SkillErrorCode.BUSY, message)

    def _taken_elsewhere(self, fault: Fault | None) -> bool:
        """Whether it may be that `motion_stop` has heard a stop before this process does."""
        return self._server.guard is not None and fault is not None and fault.code in TAKEN

    def _do(self, do: Do, call: Call) -> None:
        try:
            fault = do(call)
        except Exception as error:  # a goal must end, whatever happens in it
            if call.activity.moves:
                self._server.end_motion()
            fault = internal_fault(self._server, call.activity.skill, error)
        if call.activity.moves:
            # a driver's call may return because of a stop, whose reason comes right after
            taken = self.halts != call.halts
            if (taken or self._taken_elsewhere(fault)) and not call.over.wait(REASON_WAIT):
                fault = fault or MOTION_TAKEN
            if call.over.is_set():  # a command that crossed the stop
                self._server.end_motion()
        with self._server.lock:
            call.activity.end(fault)


def _asked(request: Any) -> str:
    """The texts of a goal, as a program has them."""
    texts = (getattr(request, name) for name in request.get_fields_and_field_types())
    return ", ".join(repr(text) for text in texts if isinstance(text, str))
