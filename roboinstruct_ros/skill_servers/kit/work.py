"""Implements skills as blocking functions, each goal in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.kit.activity import Activity
from roboinstruct_ros.skill_servers.kit.fault import Fault, internal_fault

if TYPE_CHECKING:
    from roboinstruct_ros.skill_servers.kit.skill_server import SkillServer

SETTLE = 0.05
"""Time (s) for the function to return after its goal was ended, before the goal reports its end."""
UNCONFIRMED = 1.0
"""Time (s) after that until a warning, which is not logged before the goal's end is reported: a
first log line takes 0.1 s."""

REASON_WAIT = 0.2
"""Time (s) to wait for the reason of a stopped motion, before the goal counts as cancelled."""
TAKEN = (
    SkillErrorCode.CANCELED, SkillErrorCode.UNKNOWN, SkillErrorCode.NAVIGATION_BLOCKED,
    SkillErrorCode.GRASP_FAILED, SkillErrorCode.PLACE_FAILED,
)  # fmt: skip
"""Failure of a motion whose goal at another node was cancelled."""
MOTION_TAKEN = Fault(SkillErrorCode.CANCELED, "its motion was taken away")
BEFORE_NOT_ENDED = Fault(
    SkillErrorCode.BUSY, "the goal before has not ended; it was told to, and the robot may move"
)


@dataclass(eq=False)
class Call:
    """One goal, as seen by the function that executes it.

    Attributes:
        request: the goal message.
        result: to be filled in if the skill has an answer.
        feedback: the latest, sent ten times a second; its `time_remaining`, if any, is set here.
        activity: state of the goal.
    """

    request: Any
    result: Any
    feedback: Any
    activity: Activity
    halts: int = 0
    """Value of `Work.halts` when the goal began."""

    @property
    def over(self) -> threading.Event:
        """Set on a cancel, a stop or a time-out: the function must then return soon, with None."""
        return self.activity.over


Do = Callable[[Call], "Fault | None"]


class Work:
    """Runs the functions; a goal ends in time even if its function hangs.

    A new goal begins only after the previous function has returned; functions that move the robot
    and functions that do not are counted separately.

    Attributes:
        halts: how often motion was stopped; incremented before each stop.
    """

    def __init__(self, server: SkillServer) -> None:
        self._server, self.halts = server, 0
        self._returned = {True: threading.Event(), False: threading.Event()}
        for returned in self._returned.values():
            returned.set()

    @property
    def busy(self) -> bool:
        """Whether a function that moves the robot is still running."""
        return not self._returned[True].is_set()

    def settled(self, limit: float) -> bool:
        """Wait at most `limit` s for that function. Returns whether it has returned."""
        return self._returned[True].wait(limit)

    def skill(
        self,
        kind: Any,
        action: str,
        do: Do,
        limit: str,
        ready: Do = lambda call: None,
        moves: bool = True,
    ) -> tuple[Any, str, Callable[[Any], Any]]:
        """An entry for the actions of `SkillServer.serve`: the action's type and name, and how.

        Args:
            do: executes one goal; blocks, and returns the fault or None. If the goal has ended
                meanwhile, its motion is stopped once more on return.
            limit: name of the parameter with the time limit of a goal (s).
            ready: returns why a goal cannot begin, or None; must not wait, the lock is held.
            moves: the skill moves the base or the arm.
        """
        name = action.rpartition("/")[2]

        def run(goal: Any) -> Any:
            patience = getattr(self._server.parameters, limit)
            words = f"{name}({_asked(goal.request)}) was not done within {patience:g} s"
            late = Fault(SkillErrorCode.TIMEOUT, words)
            activity = Activity(name, moves, None, patience=patience, out_of_patience=late)
            # a value of another type raises at its line, and not only when the message is checked
            result, feedback_msg = kind.Result(check_fields=True), kind.Feedback(check_fields=True)
            call = Call(goal.request, result, feedback_msg, activity)
            thread = threading.Thread(target=self._do, args=(do, call), name=name, daemon=True)

            def begin(_: Activity) -> Fault | None:
                if not self._returned[moves].is_set():
                    return BEFORE_NOT_ENDED
                fault = ready(call)
                if fault is None:
                    call.halts = self.halts
                    self._returned[moves].clear()
                    thread.start()
                return fault

            def feedback(_: Activity) -> Any:
                if hasattr(call.feedback, "time_remaining"):
                    call.feedback.time_remaining = activity.patience_left
                return call.feedback

            def settle() -> None:
                if not self._returned[moves].wait(SETTLE):
                    late = threading.Timer(UNCONFIRMED, tell_unconfirmed)
                    late.daemon = True
                    late.start()

            def tell_unconfirmed() -> None:
                if thread.is_alive():
                    words = f"'{name}' has ended, and what carries it out has not confirmed it yet"
                    self._server.get_logger().warning(words)

            return self._server.goals.carry_out(
                goal, activity, call.result, begin, feedback, settle=settle
            )

        return kind, action, run

    def _do(self, do: Do, call: Call) -> None:
        try:
            fault = self._carried_out(do, call)
        except Exception as error:  # of what stops the motion; a goal must end, whatever happens
            fault = internal_fault(self._server, call.activity.skill, error)
        with self._server.lock:
            self._returned[call.activity.moves].set()
            call.activity.end(fault)

    def _carried_out(self, do: Do, call: Call) -> Fault | None:
        try:
            fault = do(call)
        except Exception as error:
            if call.activity.moves:
                self._server.end_motion()
            fault = internal_fault(self._server, call.activity.skill, error)
        if call.activity.moves:
            # A stop may end a driver's call just before its reason arrives; with a guard, also
            # before this process has received the stop.
            elsewhere = self._server.guard is not None and fault is not None and fault.code in TAKEN
            taken = self.halts != call.halts or elsewhere
            if taken and not call.over.wait(REASON_WAIT):
                fault = fault or MOTION_TAKEN
            if call.over.is_set():  # a command may have crossed the stop
                self._server.end_motion()
        return fault


def _asked(request: Any) -> str:
    """The text arguments of a goal, as in a program."""
    texts = (getattr(request, name) for name in request.get_fields_and_field_types())
    return ", ".join(repr(text) for text in texts if isinstance(text, str))
