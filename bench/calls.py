"""What a skill call costs from a program to its server and back, beside a bare rclpy client."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from executor_process import ExecutorProcess
from graph import own_graph

from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.execute.journal import RunJournal
from roboinstruct_ros.execute.task_run import TaskOrder

BLOCKS = 12
CALLS = 50
"""Of a block."""

_TALK = f'def task_program():\n    for n in range({CALLS}):\n        say("hello")\n'


@dataclass(frozen=True)
class CallCosts:
    """Times from one goal's arrival at the server to the next one's, s.

    Attributes:
        program: of a program's calls, their records on the disk.
        in_memory: the same, their records in memory.
        bare: of a bare client, one thread of which spins while the other waits.
        records: that the two records of a call take, on the same disk.
    """

    program: tuple[float, ...]
    in_memory: tuple[float, ...]
    bare: tuple[float, ...]
    records: tuple[float, ...]


def call_costs(blocks: int = BLOCKS) -> CallCosts:
    """All in one run: the same server, blocks of calls of each client in turn."""
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    home = Path(__file__).resolve().parents[1] / "build"
    home.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=home) as disk,
        tempfile.TemporaryDirectory(dir=memory) as shm,
    ):
        on_disk = _beside_bare(Path(disk), blocks)
        in_memory = _beside_bare(Path(shm), blocks)
        records = _record_times(Path(disk))
    return CallCosts(
        on_disk["program"], in_memory["program"], (*on_disk["bare"], *in_memory["bare"]), records
    )


def _beside_bare(journals: Path, blocks: int) -> dict[str, tuple[float, ...]]:
    with own_graph() as processes:
        robot = processes.talking("answering_robot.py")
        client = processes.talking("bare_client.py")
        with ExecutorProcess(processes, journals) as executor:
            numbers = itertools.count()
            calls: dict[str, Callable[[], object]] = {
                "program": lambda: executor.run(f"{_TALK}# {next(numbers)}\n"),
                "bare": lambda: client.ask(CALLS),
            }
            times: dict[str, list[float]] = {who: [] for who in calls}
            for block in range(blocks + 1):
                for who, make in calls.items():
                    make()
                    came = robot.ask(None)
                    assert len(came) == CALLS, f"{len(came)} goals came of {who}"
                    if block:  # the first one warms up
                        times[who] += _between(came)
    return {who: tuple(taken) for who, taken in times.items()}


def _between(moments: Sequence[float]) -> list[float]:
    return [after - before for before, after in itertools.pairwise(moments)]


def _record_times(folder: Path) -> tuple[float, ...]:
    journal = RunJournal.begin(folder, TaskOrder("records", "", "", "", ""), 0, 0.0)
    times = []
    for index in range(300):
        begin = time.perf_counter()
        call = SkillCall(index, "say", ("hello",), 3, start=1.0)
        journal.call_begun(call)
        journal.call_ended(call)
        times.append(time.perf_counter() - begin)
    journal.close()
    return tuple(times)
