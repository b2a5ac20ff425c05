"""A task that is changed and gone back to from the command line, on the real stack."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from running_stack import CLI, Outcome, begin, outcome_of, run_program, wait_up
from waiting import until

pytestmark = pytest.mark.stack


def follow(text: str, task: str = "last") -> Outcome:
    return outcome_of(begin("run", text, "--follow", task, "--yes"))


def test_a_task_is_changed_run_and_gone_back_to(
    stack_process: Callable[..., subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    library = str(tmp_path / "library.sqlite")
    options = ("--headless", "--no-record", "--speed", "0", "--library", library)
    up = stack_process("roboinstruct_ros.cli", "up", *options)
    wait_up(lambda: stack_process.log_of(up))  # type: ignore[attr-defined]

    first = outcome_of(begin("run", "Go to the kitchen.", "--yes"))
    assert first.skills == [("go_to", ["kitchen"])], first.error_msg
    (written,) = first.of_kind("generation_finished")

    changed = follow("the study instead of the kitchen")
    assert changed.skills == [("go_to", ["study"])], changed.error_msg
    (finished,) = changed.of_kind("generation_finished")
    assert (finished["steering"], finished["version"]) == ("tweak", 2)
    assert finished["parent_sha256"] == written["program_sha256"]

    back = follow("go back to the first version", finished["task"])
    assert back.skills == [("go_to", ["kitchen"])] and back.exit_code == 0
    assert back.of_kind("generation_finished")[0]["generated_tokens"] == 0

    unsaid = follow("do something else")
    assert unsaid.exit_code == 1 and "say what the robot should do" in unsaid.error_msg
    assert not unsaid.skills
    assert "no task 'nobody'" in follow("also go to the study", "nobody").error_msg

    # a program that came without words is nobody's example, and no version of anything
    (tmp_path / "program.py").write_text('def task_program():\n    go_to("garage")\n')
    assert run_program(str(tmp_path / "program.py")).exit_code == 0
    until(lambda: [one["succeeded"] for one in versions(library)] == [2, 1], "runs are counted")


def versions(library: str) -> list[dict[str, Any]]:
    command = [*CLI, "tasks", "versions", "last", "--library", library, "--json"]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return list(json.loads(told.stdout)["versions"])
