"""The main job in one line, the tasks it can do, and what bad input gets, on the real stack."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from given_time import GivenTime, time_to_end
from running_stack import (
    CLI,
    START_LIMIT,
    TASK_LIMIT,
    OdometryWatch,
    begin,
    outcome_of,
    pid_of,
    read_until,
    run,
    run_program,
    wait_up,
)
from waiting import until

from roboinstruct_ros.domain.task_error import TaskErrorCode

pytestmark = pytest.mark.stack

MAIN_JOB = "Go to the kitchen and if there is an apple, bring it to the living room"


def test_the_main_job_in_one_line(ros_domain: int) -> None:
    process = begin("up", "--headless", "--speed", "20", "--once", MAIN_JOB, "--yes", "--no-record")
    outcome = outcome_of(process, 120)
    assert outcome.exit_code == 0, outcome.stderr
    assert "".join(tokens["text"] for tokens in outcome.of_kind("tokens")).count("go_to") == 2
    (verified,) = outcome.of_kind("program_verified")
    assert verified["verdict"]["status"] == "accepted"
    assert verified["verdict"]["paths"] == 2
    assert outcome.skills == [
        ("go_to", ["kitchen"]),
        ("is_in_room", ["apple"]),
        ("pick", ["apple"]),
        ("go_to", ["living room"]),
        ("place", ["apple"]),
    ]
    assert outcome.events[-1]["kind"] == "task_finished"
    assert outcome.events[-1]["data"]["outcome"] == "succeeded"


HOME_TASKS: list[tuple[str, list[tuple[str, list[str]]]]] = [
    (
        "Please take the hammer from the garage and put it in the study.",
        [("go_to", ["garage"]), ("pick", ["hammer"]), ("go_to", ["study"]), ("place", ["hammer"])],
    ),
    (
        "Look in the laundry room for a sock and, if you find one, move it to the main bedroom.",
        [("pick", ["sock"]), ("go_to", ["main bedroom"]), ("place", ["sock"])],
    ),
    (
        "Tell Alice in the living room that dinner is ready.",
        [("go_to", ["living room"]), ("say", ["Alice, dinner is ready"])],
    ),
    ("Find Grandma and tell me where she is.", [("say", ["I found Grandma in guest bedroom"])]),
    (
        "Bring me the banana from the kitchen.",
        [("go_to", ["kitchen"]), ("pick", ["banana"]), ("place", ["banana"])],
    ),
    (
        "Could you go to the kids bedroom and ask Emma if she wants to play, then come back and "
        "tell me her answer",
        [("go_to", ["kids bedroom"]), ("ask", ["Emma"]), ("say", ["Emma said: Yes"])],
    ),
]
OFFICE_TASKS: list[tuple[str, list[tuple[str, list[str]]]]] = [
    (
        "Put a bottle of water into every meeting room that has none; they are in the pantry.",
        [
            ("go_to", ["pantry"]),
            ("pick", ["bottle of water"]),
            ("go_to", ["meeting room 2"]),
            ("place", ["bottle of water"]),
        ],
    ),
    (
        "Is there a stapler in printer room 2? Come back and tell me.",
        [("say", ["There is a stapler in printer room 2"])],
    ),
    (
        "Ask Sally in Sally's office whether she needs water. If she says yes, bring a bottle of "
        "water from the pantry to Sally's office.",
        [("go_to", ["Sally's office"]), ("ask", ["Sally"])],
    ),
]


@pytest.fixture(scope="module")
def home(shared_stack: Any) -> None:
    """A stack that is up, at home, as fast as can be."""
    processes, _ = shared_stack
    up = processes("roboinstruct_ros.cli", *_up("--speed", "0"))
    wait_up(lambda: processes.log_of(up))


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(("text", "wanted"), HOME_TASKS)
def test_a_task_at_home_is_done(text: str, wanted: list[tuple[str, list[str]]]) -> None:
    _check_done(text, wanted)


def test_tasks_in_an_office_are_done(
    stack_process: Callable[..., subprocess.Popen[bytes]],
) -> None:
    up = stack_process("roboinstruct_ros.cli", *_up("--world", "office", "--speed", "0"))
    wait_up(lambda: stack_process.log_of(up))  # type: ignore[attr-defined]
    for text, wanted in OFFICE_TASKS:
        _check_done(text, wanted)


def _check_done(text: str, wanted: list[tuple[str, list[str]]]) -> None:
    outcome = run(text)
    assert outcome.exit_code == 0, (text, outcome.error_msg)
    assert _in_order(wanted, outcome.skills), (text, outcome.skills)


BAD_PROGRAMS = [
    "this is no program",
    "import os\ndef task_program():\n    os.system('reboot')\n",
    'def task_program():\n    while True:\n        print("a" * 10 ** 9)\n',
]
PRINTS_A_GIGABYTE = 'def task_program():\n    for _ in range(1000):\n        print("a" * 10 ** 6)\n'


# may end in some world, so that no verifier can refuse it
WAITS_FOR_EVER = """def task_program():
    while not is_in_room("crocodile"):
        time.sleep(0.1)
"""


@pytest.mark.usefixtures("home")
def test_bad_input_gets_one_line_and_the_next_task_works(tmp_path: Path) -> None:
    outcome = run("   ")
    assert (outcome.exit_code, outcome.error_code) == (2, TaskErrorCode.INSTRUCTION_EMPTY)
    for number, source in enumerate(BAD_PROGRAMS):
        path = tmp_path / f"bad_{number}.py"
        path.write_text(source)
        outcome = run_program(str(path))
        assert (outcome.exit_code, outcome.error_code) == (1, TaskErrorCode.NOT_VERIFIED), source
        assert outcome.skills == []
    flood = tmp_path / "flood.py"
    flood.write_text(PRINTS_A_GIGABYTE)
    outcome = run_program(str(flood))
    assert (outcome.exit_code, outcome.error_code) == (1, TaskErrorCode.PROGRAM_LIMIT)
    waits = tmp_path / "waits.py"
    waits.write_text(WAITS_FOR_EVER)
    task = begin("run", "--program", str(waits), "--yes")
    read_until(task, "skill_finished")
    task.send_signal(signal.SIGINT)
    outcome = outcome_of(task)
    assert (outcome.exit_code, outcome.error_code) == (130, TaskErrorCode.STOPPED)
    missing = run_program(str(tmp_path / "missing.py"))
    assert (missing.exit_code, len(missing.stderr.splitlines())) == (2, 1)
    assert run("Go to the kitchen.").exit_code == 0


def test_a_killed_node_ends_the_task_and_the_next_task_works(
    stack_process: Callable[..., subprocess.Popen[bytes]],
    ros_domain: int,
    port: int,
    tmp_path: Path,
) -> None:
    up = stack_process(
        "roboinstruct_ros.cli",
        "up",
        "--port",
        str(port),
        "--speed",
        "0.5",
        env={"HOME": str(tmp_path)},
    )
    wait_up(lambda: stack_process.log_of(up))  # type: ignore[attr-defined]
    _kill_the_generator_while_it_writes(up.pid)
    drive, look = tmp_path / "drive.py", tmp_path / "look.py"
    drive.write_text('def task_program():\n    go_to("kids bedroom")\n    go_to("garage")\n')
    look.write_text("def task_program():\n    say(get_current_location())\n")
    with OdometryWatch(ros_domain) as odometry:
        for node in ("executor", "sim_robot"):
            task = begin("run", "--program", str(drive), "--yes")
            until(lambda: odometry.moving, "the robot drives", START_LIMIT)
            if node == "executor":  # a run needs neither kiosk nor recorder
                for onlooker in ("kiosk", "recorder"):
                    _wait_back(up.pid, onlooker, _kill(up.pid, onlooker))
                assert odometry.moving
                assert task.poll() is None, outcome_of(task)
            robot = pid_of(up.pid, "sim_robot")
            assert robot is not None
            given = GivenTime(robot)
            pid = _kill(up.pid, node)
            outcome = outcome_of(task)
            assert outcome.exit_code == 1, (node, outcome.events)
            assert any(lost["node"] == node for lost in outcome.of_kind("node_lost"))
            if node == "executor":
                until(lambda: not odometry.moving, "the robot stands still", START_LIMIT)
                stood = max(when for when, moves in odometry.heard if moves)
                assert given.until(stood) < 4
            else:
                assert outcome.error_code == TaskErrorCode.SKILL_SERVER_LOST
            _wait_back(up.pid, node, pid)
            # a node that has just been started again is discovered within some seconds
            until(
                lambda: run_program(str(look)).exit_code == 0,
                lambda: f"it works again\n{stack_process.log_of(up)}",  # type: ignore[attr-defined]
                TASK_LIMIT,
            )


def _kill_the_generator_while_it_writes(supervisor: int) -> None:
    for _ in range(5):
        pid = pid_of(supervisor, "generator")  # looked up before: writing takes half a second
        assert pid is not None
        task = begin("run", MAIN_JOB, "--yes")
        read_until(task, "draft_started")
        os.kill(pid, signal.SIGKILL)
        outcome = outcome_of(task)
        _wait_back(supervisor, "generator", pid)
        if not outcome.of_kind("generation_finished"):
            break  # else it had written the program before the signal came
    assert outcome.exit_code == 1, outcome
    assert any(lost["node"] == "generator" for lost in outcome.of_kind("node_lost"))
    assert outcome.skills == []


def _kill(supervisor: int, node: str) -> int:
    pid = pid_of(supervisor, node)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    return pid


def _wait_back(supervisor: int, node: str, pid: int) -> None:
    until(lambda: pid_of(supervisor, node) not in (None, pid), f"{node} is back", START_LIMIT)


def test_ctrl_c_stops_the_robot_then_everything(
    stack_process: Callable[..., subprocess.Popen[bytes]], ros_domain: int, tmp_path: Path
) -> None:
    up = stack_process("roboinstruct_ros.cli", *_up("--speed", "0.5"))
    wait_up(lambda: stack_process.log_of(up))  # type: ignore[attr-defined]
    drive = tmp_path / "drive.py"
    drive.write_text('def task_program():\n    go_to("kids bedroom")\n')
    with OdometryWatch(ros_domain) as odometry:
        task = begin("run", "--program", str(drive), "--yes")
        until(lambda: odometry.moving, "the robot drives", START_LIMIT)
        task.send_signal(signal.SIGINT)
        assert outcome_of(task).exit_code == 130
        assert not odometry.moving
        begin("run", "--program", str(drive), "--yes")
        until(lambda: odometry.moving, "the robot drives again", START_LIMIT)
        children = psutil.Process(up.pid).children(recursive=True)
        assert time_to_end(up, signal.SIGINT) < 3
        until(lambda: not odometry.moving, "the last message, sent before its end, is here")
    _, left = psutil.wait_procs(children, timeout=60)
    # one that has ended may wait for the machine's first process to take notice of it
    assert [child for child in left if _runs(child)] == []


def test_a_stack_that_cannot_start_says_why_in_one_line(ros_domain: int, tmp_path: Path) -> None:
    cut = tmp_path / "cut.gguf"
    shipped = Path(__file__).resolve().parents[2] / "models" / "roboinstruct-small.gguf"
    cut.write_bytes(shipped.read_bytes()[:500_000])
    foreign = tmp_path / "foreign.gguf"
    foreign.write_bytes(b"PK\3\4" + b"\0" * 1000)
    for path, word in ((cut, "truncated"), (foreign, "GGUF")):
        outcome = outcome_of(
            begin("up", "--headless", "--once", MAIN_JOB, "--yes", "--model", str(path)), 120
        )
        assert outcome.exit_code != 0
        assert outcome.error_code == TaskErrorCode.MODEL_NOT_LOADED
        assert word in outcome.error_msg
    typo = tmp_path / "typo.yaml"
    home = Path(__file__).resolve().parents[2] / "config" / "worlds" / "home.yaml"
    typo.write_text(home.read_text().replace("aliases:", "aliasses:", 1))
    result = subprocess.run(
        [*CLI, "up", "--headless", "--world", str(typo)], capture_output=True, text=True
    )
    assert result.returncode == 2
    (line,) = result.stderr.splitlines()
    assert "typo.yaml:" in line
    assert "did you mean 'aliases'" in line


def _up(*arguments: str) -> list[str]:
    return ["up", "--headless", "--no-record", *arguments]


def _in_order(wanted: list[tuple[str, list[str]]], found: list[tuple[str, list[str]]]) -> bool:
    """Whether the wanted calls, by their first arguments, come in this order among the others."""
    rest = iter(found)
    return all(
        any(skill == name and arguments[: len(first)] == first for name, arguments in rest)
        for skill, first in wanted
    )


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
