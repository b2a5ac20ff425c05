"""A recorded task carried out again by the real nodes, on a simulated robot in a rebuilt world."""

from __future__ import annotations

import itertools
import json
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from roboinstruct_ros import names
from roboinstruct_ros.bringup.node_set import NodeSpec, Options, ParameterValue, describe
from roboinstruct_ros.bringup.supervisor import Supervisor
from roboinstruct_ros.commands.up import START_LIMIT, bound_to_this_machine
from roboinstruct_ros.domain.arrival import read_calls
from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.run_monitor import OnHazard
from roboinstruct_ros.program.task_program import sha256_of
from roboinstruct_ros.skill_servers.sim.rebuilt import rebuilt_world
from roboinstruct_ros.trace.compared import Difference, first_difference
from roboinstruct_ros.trace.replay import CannotReplay, other_end, setting_of, was_ended
from roboinstruct_ros.trace.run_trace import RunTrace

_numbers = itertools.count(1)


def replay_simulated(trace: RunTrace, speed: float = 50.0) -> Difference | None:
    """Carry the program out on a stack of its own; None where all goes as recorded.

    Args:
        speed: times faster than real time that the robot and the waits of recovery are.

    Raises:
        CannotReplay: the bag does not hold what it takes, or the nodes cannot be started.
    """
    _check(trace)
    bound_to_this_machine()
    with tempfile.TemporaryDirectory(prefix="roboinstruct-replay-") as folder:
        options, specs = _nodes(trace, Path(folder), speed)
        return _Simulation(trace).run(options, specs)


def _check(trace: RunTrace) -> None:
    setting = setting_of(trace)
    if setting.remains:
        left = ", ".join(f"{'' if value else 'not '}{fact[0]}" for fact, value in setting.remains)
        raise CannotReplay(
            f"{trace.folder}: it began with what earlier runs had left ({left}); --calls replays it"
        )
    lost = next((call.lost_node for call in trace.calls if call.lost_node), "")
    if lost:
        raise CannotReplay(f"{trace.folder}: the node '{lost}' was lost in it; --calls replays it")


def _nodes(trace: RunTrace, folder: Path, speed: float) -> tuple[Options, tuple[NodeSpec, ...]]:
    """The simulated robot and the executor, in a namespace that nobody else has."""
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
        text = yaml.safe_dump(json.loads(json.dumps(content)), allow_unicode=True)
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
    """One run, which is stopped where the recorded one was."""

    def __init__(self, trace: RunTrace) -> None:
        self._trace = trace
        self._stop_after = _last_event(trace) if was_ended(trace) else None

    def run(self, options: Options, specs: tuple[NodeSpec, ...]) -> Difference | None:
        from roboinstruct_ros.nodes.task_client import StackError

        trace = self._trace
        with self._stack(options, specs) as client:
            try:
                result = client.execute(
                    trace.instruction, trace.source, sha256_of(trace.source),
                    trace.task_id or "replay", approved_by="replay",
                )  # fmt: skip
            except StackError as error:
                return Difference(0, trace.outcome, str(error))
        recorded = [traced.call for traced in trace.calls]
        made = list(read_calls(result.calls, setting_of(trace).domain))
        if was_ended(trace):
            made = made[: len(recorded)]
            if made:  # how it ends when the run is stopped in it is a race
                last = recorded[len(made) - 1]
                made[-1] = replace(made[-1], result=last.result, error_code=last.error_code)
        return first_difference(recorded, made) or other_end(
            trace, str(result.outcome), int(result.error_code), str(result.error_msg)
        )

    @contextmanager
    def _stack(self, options: Options, specs: tuple[NodeSpec, ...]) -> Iterator[Any]:
        from roboinstruct_ros.nodes.task_client import TaskClient

        supervisor = Supervisor(options, lambda *_: None, lambda *_: None, specs)
        supervisor.start()
        try:
            with TaskClient(self._hear, threading.Event(), options.namespace) as client:
                self._client = client
                self._wait_ready(supervisor)
                yield client
        finally:
            supervisor.stop()

    def _wait_ready(self, supervisor: Supervisor) -> None:
        from roboinstruct_ros.nodes.task_client import StackError

        deadline = time.monotonic() + START_LIMIT
        while True:
            try:
                return self._client.wait_ready(0.5, supervisor.node_names, writes=False)
            except StackError as error:
                if supervisor.failed or time.monotonic() > deadline:
                    why = supervisor.failure or str(error)
                    raise CannotReplay(f"{self._trace.folder}: {why}") from None

    def _hear(self, event: dict[str, Any]) -> None:
        if (event["kind"], event["data"].get("index")) == self._stop_after:
            stop = ("replay", "as recorded")
            threading.Thread(target=self._client.stop, args=stop, daemon=True).start()


def _last_event(trace: RunTrace) -> tuple[str, int | None]:
    """Kind and index of the last that the program did before it was ended from outside."""
    if not trace.calls:
        return EventKind.RUN_STARTED.value, None
    last = trace.calls[-1].call
    cut = not last.end or last.error_code
    return (EventKind.SKILL_STARTED if cut else EventKind.SKILL_FINISHED).value, last.index
