"""Repeats a recorded task with the real nodes, on a simulated robot in a rebuilt world."""

from __future__ import annotations

import itertools
import os
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from roboinstruct_ros import names
from roboinstruct_ros.bringup.node_set import NodeSpec, Options, ParameterValue, describe
from roboinstruct_ros.bringup.supervisor import Supervisor
from roboinstruct_ros.commands.joining import bound_to_this_machine, started
from roboinstruct_ros.domain.arrival import read_calls
from roboinstruct_ros.domain.configuration import InputError
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.hazard import OnHazard
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.skill_servers.sim.rebuilt import held_at_first, rebuilt_world
from roboinstruct_ros.trace.compared import Difference, Timed, Timing, first_difference
from roboinstruct_ros.trace.replay import CannotReplay, Skipped, other_end, setting_of, was_ended
from roboinstruct_ros.trace.run_trace import RunTrace, duration

_numbers = itertools.count(1)
_HAND_LIMIT = 5.0  # s for the executor to learn what the simulated robot holds


def replay_simulated(trace: RunTrace, speed: float = 50.0) -> Timed:
    """Run the program on a separate stack. Returns the first difference and the times of the calls.

    Args:
        speed: speed-up over real time, for the robot and the waits of recovery.

    Raises:
        Skipped: the world of such a run cannot be rebuilt.
        CannotReplay: the bag lacks what it takes, or the nodes cannot be started.
    """
    _check(trace)
    bound_to_this_machine()
    with tempfile.TemporaryDirectory(prefix="roboinstruct-replay-") as folder:
        options, specs = _nodes(trace, Path(folder), speed)
        return _Simulation(trace, speed).run(options, specs)


def _check(trace: RunTrace) -> None:
    setting = setting_of(trace)
    if not setting.domain.is_service_robot:
        raise Skipped(
            f"{trace.folder}: worlds are rebuilt for service_robot only, and this is a run of "
            f"{setting.domain.name}; --calls replays it"
        )
    held = held_at_first(trace)
    others = [one for one in setting.remains if one != (("holding", held), True)]
    if others:
        left = ", ".join(f"{'' if value else 'not '}{fact[0]}" for fact, value in others)
        raise Skipped(
            f"{trace.folder}: it began with what earlier runs had left ({left}); --calls replays it"
        )
    if trace.later:
        raise Skipped(f"{trace.folder}: the map or the policies changed in it; --calls replays it")
    lost = next((call.lost_node for call in trace.calls if call.lost_node), "")
    if lost:
        raise Skipped(f"{trace.folder}: the node '{lost}' was lost in it; --calls replays it")


def _nodes(trace: RunTrace, folder: Path, speed: float) -> tuple[Options, tuple[NodeSpec, ...]]:
    """The simulated robot and the executor, in a namespace of their own."""
    setting = setting_of(trace)
    recovery = setting.recovery.model_dump(mode="json")
    for skill in recovery["skills"].values():
        for one in itertools.chain(*skill["after"].values()):
            one["wait"] /= speed
    files = {
        "world": rebuilt_world(trace).model_dump(mode="json"),
        "policies": setting.policies.model_dump(mode="json", by_alias=True, exclude_defaults=True),
        "recovery": recovery,
    }
    for name, content in files.items():
        text = yaml.safe_dump(content, allow_unicode=True)
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    hazard = trace.error_code == TaskErrorCode.HAZARD_AHEAD
    options = Options(
        namespace=f"/replay_{os.getpid()}_{next(_numbers)}",
        world=str(folder / "world.yaml"),
        policies=str(folder / "policies.yaml"),
        on_hazard=(OnHazard.STOP if hazard else OnHazard.WARN).value,
        speed_factor=speed,
        log_level="warn",
    )
    own: dict[str, ParameterValue] = {
        "recovery": str(folder / "recovery.yaml"),
        "journal": "",
        "max_calls": setting.most_calls,
        "seed": trace.seed,
    }
    specs = {spec.name: replace(spec, respawn=False) for spec in describe(options)}
    executor = specs[names.EXECUTOR_NODE]
    executor = replace(executor, parameters={**executor.parameters, **own})
    return options, (specs[names.SIM_ROBOT_NODE], executor)


class _Simulation:
    """One run, stopped where the recorded one was."""

    def __init__(self, trace: RunTrace, speed: float) -> None:
        self._trace, self._speed = trace, speed
        self._stop_after = _last_event(trace) if was_ended(trace) else None

    def run(self, options: Options, specs: tuple[NodeSpec, ...]) -> Timed:
        from roboinstruct_ros.nodes.conversions import seconds_of
        from roboinstruct_ros.nodes.task_client import StackError

        trace = self._trace
        supervisor = Supervisor(options, lambda *_: None, lambda *_: None, specs)
        stack = started(supervisor, options.namespace, self._hear, threading.Event(), writes=False)
        try:
            with stack as self._client:
                result = self._executed()
        except InputError as error:
            raise CannotReplay(f"{trace.folder}: {error}") from None
        except StackError as error:
            return Timed(Difference(0, trace.outcome, str(error)))
        read = read_calls(result.calls, setting_of(trace).domain)
        made = [
            replace(call, start=seconds_of(message.start), end=seconds_of(message.end))
            for call, message in zip(read, result.calls, strict=True)
        ]
        differs = self._difference(result, made)
        return Timed(differs, () if differs else self._times(made))

    def _executed(self) -> Any:
        """Execute the program; retries until the executor knows what the hand holds."""
        trace, deadline = self._trace, time.monotonic() + _HAND_LIMIT
        known = not setting_of(trace).remains
        while True:
            result = self._client.execute(
                trace.instruction, trace.source, sha256_of(trace.source),
                trace.task_id or "replay", approved_by="replay",
            )  # fmt: skip
            refused = int(result.error_code) == TaskErrorCode.NOT_VERIFIED
            if known or not refused or time.monotonic() > deadline:
                return result

    def _difference(self, result: Any, made: list[SkillCall]) -> Difference | None:
        trace = self._trace
        recorded = [traced.call for traced in trace.calls]
        if was_ended(trace):
            made = made[: len(recorded)]
            if made:  # after a stop, the result of the last call is a race
                last = recorded[len(made) - 1]
                made[-1] = replace(made[-1], result=last.result, error_code=last.error_code)
        return first_difference(recorded, made) or other_end(
            trace, str(result.outcome), int(result.error_code), str(result.error_msg)
        )

    def _times(self, made: list[SkillCall]) -> tuple[Timing, ...]:
        """Times of each call and of the whole run; none for a run that was ended from outside."""
        recorded = self._trace.calls
        if was_ended(self._trace) or not recorded:
            return ()
        spans = [(0, "", list(recorded), made)]
        for number, (was, is_) in enumerate(zip(recorded, made, strict=True), 1):
            spans.append((number, was.call.skill, [was], [is_]))
        return tuple(
            Timing(number, skill, duration(those), (now[-1].end - now[0].start) * self._speed)
            for number, skill, those, now in spans
        )

    def _hear(self, event: dict[str, Any]) -> None:
        if (event["kind"], event["data"].get("index")) == self._stop_after:
            stop = ("replay", "as recorded")
            threading.Thread(target=self._client.stop, args=stop, daemon=True).start()


def _last_event(trace: RunTrace) -> tuple[str, int | None]:
    """Kind and index of the program's last event before it was ended from outside."""
    if not trace.calls:
        return EventKind.RUN_STARTED.value, None
    last = trace.calls[-1].call
    cut = not last.end or last.error_code
    return (EventKind.SKILL_STARTED if cut else EventKind.SKILL_FINISHED).value, last.index
