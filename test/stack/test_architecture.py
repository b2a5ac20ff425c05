"""`docs/architecture.md` says which files and threads a `go_to` crosses; here one is made."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest
from skill_client import SkillClient
from test_executor import EXECUTOR, ROBOT, TaskClient
from waiting import LIMIT

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
MOST_FILES, MOST_THREADS = 20, 6
BESIDE = re.compile(r".*_stop_link_beat|teller")
"""Threads that no call waits for: heartbeats, and what publishes what runs tell."""
ASKED = ("domain/", "verify/")
"""Values and rules that are asked on the way."""
ROW = re.compile(r"\| (\w+) `(\w+)` \| `([\w/.]+)` \|")

Crossed = set[tuple[str, str, str]]


def crossed_by_each(traces: list[dict[str, Any]]) -> list[Crossed]:
    """(process, thread, file) of each call."""
    ran = [row for trace in traces for row in trace["ran"]]
    ours = [row for row in ran if not BESIDE.fullmatch(row[2]) and not row[3].startswith(ASKED)]
    calls = [call for trace in traces for call in trace["calls"]]
    return [{tuple(row[1:]) for row in ours if b <= row[0] <= e} for b, e in calls]


def without_numbers(crossed: Crossed) -> Crossed:
    """A worker's number is chance."""
    return {(process, re.sub(r"_\d+$", "", thread), file) for process, thread, file in crossed}


@pytest.mark.stack
def test_the_way_of_a_go_to_is_the_one_that_is_drawn(
    ros_domain: int, stack_process: Any, tmp_path: Path
) -> None:
    here = str(Path(__file__).parent)
    env = {"PYTHONPATH": os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])}
    files, processes = [tmp_path / "robot.json", tmp_path / "executor.json"], []
    for file, module, *parameters in (
        (files[0], ROBOT, "-p", "speed_factor:=0.0"),
        (files[1], EXECUTOR, "-p", "map:=home", "-p", f"journal:={tmp_path}"),
    ):
        given = (module, str(file), "--ros-args", *parameters)
        processes.append(stack_process("watched_node", *given, env=env))
    with SkillClient(ros_domain) as robot:
        run = TaskClient(robot).run("\n".join(['go_to("kitchen")', 'go_to("garage")'] * 5))
        assert (run.outcome, len(run.calls)) == ("succeeded", 10)
    for process in processes:
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT) == 0
    each = crossed_by_each([json.loads(file.read_text()) for file in files])
    assert len(each) == 10
    # a diagnostics timer may fall into one call, and into all of them it does not
    way = set.intersection(*map(without_numbers, each))
    drawn = set(ROW.findall(PAGE.read_text()))
    assert way - drawn == set(), "crossed, and not in docs/architecture.md"
    assert drawn - way == set(), "in docs/architecture.md, and not crossed"
    assert len({file for *_, file in way}) <= MOST_FILES
    assert min(len({one[:2] for one in call}) for call in each) <= MOST_THREADS
