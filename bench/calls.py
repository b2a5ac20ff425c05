"""What a skill call costs from a program to its server and back, beside a bare rclpy client."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Sequence
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
class Calls:
    """Times from one goal's arrival at the server to the next one's, s.

    Attributes:
        program: of a program's calls.
        bare: of a client with nothing but rclpy, in turn with the program.
    """

    program: tuple[float, ...]
    bare: tuple[float, ...]


@dataclass(frozen=True)
class CallCosts:
    """Attributes:
    on_disk: with the records of the calls where a disk keeps them.
    in_memory: with the records in a file system in memory.
    records: s that the two records of a call take on that disk.
    """

    on_disk: Calls
    in_memory: Calls
    records: tuple[float, ...]


def call_costs(blocks: int = BLOCKS) -> CallCosts:
    """Blocks of calls of the program and of the bare client, in turn, to one server."""
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    build = Path(__file__).resolve().parents[1] / "build"
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=build) as disk:
        on_disk, records = _beside_bare(Path(disk), blocks), _record_times(Path(disk))
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        return CallCosts(on_disk, _beside_bare(Path(folder), blocks), records)


def _beside_bare(journals: Path, blocks: int) -> Calls:
    with own_graph() as processes:
        robot = processes.talking("answering_robot.py")
        client = processes.talking("bare_client.py")
        with ExecutorProcess(processes, journals, pace=0.02) as executor:
            numbers = itertools.count()
            program: list[float] = []
            bare: list[float] = []
            for block in range(blocks + 1):
                executor.run(f"{_TALK}# {next(numbers)}\n")
                by_program = _between(robot.ask(None))
                client.ask(CALLS)
                by_client = _between(robot.ask(None))
                if block:  # the first one warms up
                    program += by_program
                    bare += by_client
    assert len(program) == len(bare) == blocks * (CALLS - 1)
    return Calls(tuple(program), tuple(bare))


def _between(moments: Sequence[float]) -> list[float]:
    return [after - before for before, after in itertools.pairwise(moments)]


def _record_times(folder: Path) -> tuple[float, ...]:
    journal = RunJournal.begin(
        folder / "records.journal", TaskOrder("records", "", "", "", ""), 0, 0.0
    )
    times = []
    for index in range(300):
        begin = time.perf_counter()
        call = SkillCall(index, "say", ("hello",), 3, start=1.0)
        journal.call_begun(call)
        journal.call_ended(call)
        times.append(time.perf_counter() - begin)
    journal.close()
    return tuple(times)
