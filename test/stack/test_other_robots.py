"""Robots that only a domain file describes, on the real stack: said, proved, run, replayed."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rclpy
from model_server import Reply, model_server, models, words
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from running_stack import (
    CLI,
    Outcome,
    begin,
    outcome_of,
    read_until,
    run,
    run_program,
    wait_up,
)
from std_msgs.msg import String
from waiting import until

from roboinstruct_ros import names
from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.nodes.qos import LATCHED
from roboinstruct_ros.verify.verifier import verify

pytestmark = pytest.mark.stack

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "other_robots.md").read_text()
PASSED_ON = """\
    if is_on_table("cup"):
        pick("left hand", "cup")
        rotate("left hand", math.pi / 6)
        place("left hand", "cup")
    pick("right hand", "spoon")
"""
OFFICE_HOURS = """\
    if not is_on_calendar("robotics office hour"):
        schedule_on_calendar("robotics office hour", "9:30 am", "1 hr")
    schedule_on_calendar("deep learning office hour", "10:30 am", "1 hr")
    say("Two office hours are booked.")
"""


def state(domain: int) -> dict[str, Any]:
    """What is so in the simulated world."""
    context, heard = Context(), []
    rclpy.init(context=context, domain_id=domain)
    node = rclpy.create_node("state_watch", context=context)
    node.create_subscription(String, names.SIMULATED_STATE_TOPIC, heard.append, LATCHED)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    until(lambda: executor.spin_once(0.1) or heard)
    executor.shutdown()
    node.destroy_node()
    rclpy.shutdown(context=context)
    return dict(json.loads(heard[-1].data))


def kiosk(port: int) -> dict[str, Any]:
    """What the page's map is made of."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/map") as told:
        return dict(json.load(told))


class Stack:
    """A stack of one robot, with its recordings, in a test's own domain."""

    def __init__(self, processes: Any, folder: Path, *options: str) -> None:
        self.folder, self.runs = folder, folder / "runs"
        recording = ("--directory", str(self.runs), "--speed", "0")
        up = processes("roboinstruct_ros.cli", "up", *recording, *options)
        wait_up(lambda: processes.log_of(up))

    def program(self, body: str) -> Outcome:
        return run_program(str(self.written(body)))

    def written(self, body: str) -> Path:
        path = self.folder / "program.py"
        path.write_text(f"def task_program():\n{body}")
        return path

    def replayed(self) -> str:
        command = [*CLI, "replay", str(self.runs)]
        told = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert told.returncode == 0, told.stdout + told.stderr
        return told.stdout


@pytest.fixture
def stack(
    stack_process: Callable[..., subprocess.Popen[bytes]], tmp_path: Path
) -> Callable[..., Stack]:
    return lambda *options: Stack(stack_process, tmp_path, *options)


def test_the_arm_does_what_is_typed(
    stack: Callable[..., Stack], ros_domain: int, port: int
) -> None:
    prompts = []

    def answer(reply: Reply) -> None:
        prompts.append(reply.asked["prompt"])
        words([PASSED_ON])(reply)

    with model_server() as model:
        model.answers["GET /v1/models"] = models({"id": "tiny", "max_model_len": 8192})
        model.completes(answer)
        arm = stack("--domain", "arm", "--port", str(port), "--model", model.address)
        example = "Pick up the cup with the left hand."
        until(lambda: example in kiosk(port)["examples"], "the first example holds")
        outcome = run("Turn the cup and take the spoon into the right hand")
    assert outcome.exit_code == 0, outcome.error_msg
    assert "def rotate(gripper: str, radians: float)" in prompts[0] and "go_to" not in prompts[0]
    assert [skill for skill, _ in outcome.skills] == [
        "is_on_table", "pick", "rotate", "place", "pick",
    ]  # fmt: skip
    world = state(ros_domain)
    assert {"holding(right hand, spoon)", "on_table(cup)"} <= set(world["holds"])
    assert world["quantities"]["angle(left hand)"] == pytest.approx(0.5236, abs=1e-3)

    assert kiosk(port)["rooms"] == []

    # what the first task has left in the hand, the verifier knows
    refused = arm.program('    pick("right hand", "cup")\n')
    assert refused.error_code == TaskErrorCode.NOT_VERIFIED and not refused.of_kind("skill_started")
    assert "it already holds the spoon" in refused.error_msg
    # where the hand stands it does not: the arm itself refuses, and says why
    too_far = arm.program('    rotate("left hand", 0.1)\n')
    assert too_far.exit_code == 1 and "it stands at 0.524 rad" in too_far.error_msg
    assert state(ros_domain) == world
    assert "different" not in arm.replayed().partition("replayed:")[2]


def test_the_calendar_is_filled_and_a_stop_leaves_it_as_it_is(
    stack: Callable[..., Stack], ros_domain: int
) -> None:
    calendar = stack("--domain", "calendar", "--headless")
    outcome = calendar.program(OFFICE_HOURS)
    assert outcome.exit_code == 0, outcome.error_msg
    assert outcome.said == ["Two office hours are booked."]
    booked = [
        "robotics office hour: 9:30 am to 10:30 am",
        "deep learning office hour: 10:30 am to 11:30 am",
    ]
    assert state(ros_domain)["timelines"] == {"calendar": booked}

    overlapping = OFFICE_HOURS.replace("10:30 am", "10:00 am")
    refused = calendar.program(overlapping)
    assert refused.error_code == TaskErrorCode.NOT_VERIFIED and not refused.of_kind("skill_started")
    taken = calendar.program('    schedule_on_calendar("lunch", "11:00 am", "1 hr")\n')
    assert (
        taken.exit_code == 1 and "deep learning office hour takes the calendar" in taken.error_msg
    )

    waits = calendar.written(
        '    say("soon")\n    time.sleep(60)\n    schedule_on_calendar("late", "8 pm", "1 hr")\n'
    )
    waiting = begin("run", "--program", str(waits), "--yes")
    read_until(waiting, "skill_finished")
    subprocess.run([*CLI, "stop"], check=True, timeout=60, capture_output=True)
    stopped = outcome_of(waiting)
    assert stopped.exit_code != 0 and not stopped.skills
    assert state(ros_domain)["timelines"] == {"calendar": booked}
    assert "different" not in calendar.replayed().partition("replayed:")[2]


def blocks(kind: str) -> list[tuple[str, str]]:
    return re.findall(rf"```{kind} ?(.*?)\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def greenhouse(tmp_path: Path) -> Path:
    """The domain file of the page."""
    ((_, text),) = blocks("yaml")
    path = tmp_path / "greenhouse.yaml"
    path.write_text(text)
    return path


def test_the_programs_of_the_page_get_its_verdicts(greenhouse: Path) -> None:
    domain = load_domain(greenhouse)
    tried = [(head.split(), text) for head, text in blocks("python") if not head.endswith(".py")]
    assert len(tried) == 3
    for (status, *wanted), source in tried:
        verdict = verify(source, domain)
        assert verdict.status.value == status, verdict.violations
        assert [f"{v.code.value} {v.line}" for v in verdict.violations] == [" ".join(wanted)][
            : len(wanted)
        ]
    assert all(verify(example.program, domain).accepted for example in domain.examples)


def test_a_world_that_the_robot_cannot_be_in_is_refused_with_its_line(greenhouse: Path) -> None:
    text = greenhouse.read_text()
    line = text[: text.index("holds:")].count("\n") + 1
    greenhouse.write_text(text.replace("dry(basil)", "wet(basil)"))
    with pytest.raises(
        ConfigError, match=rf":{line}: simulation.holds\[0\]: there is no predicate 'wet'"
    ):
        load_domain(greenhouse)


def test_a_robot_of_ones_own_is_simulated(
    greenhouse: Path, stack: Callable[..., Stack], ros_domain: int
) -> None:
    ((_, program),) = [one for one in blocks("python") if one[0] == "accepted"]
    ours = stack("--domain", str(greenhouse), "--headless")
    outcome = ours.program(program.partition("\n")[2])
    assert outcome.exit_code == 0, outcome.error_msg
    assert [a[0] for skill, a in outcome.skills if skill == "water"] == ["basil", "tomato"]
    assert state(ros_domain) == {
        "holds": [], "quantities": {"poured(north valve)": 0.0, "poured(south valve)": 6.0},
        "timelines": {},
    }  # fmt: skip
    assert "different" not in ours.replayed().partition("replayed:")[2]


def test_the_server_of_the_page_serves_it(greenhouse: Path, stack: Callable[..., Stack]) -> None:
    ((name, code),) = [one for one in blocks("python") if one[0].endswith(".py")]
    (greenhouse.parent / name).write_text(code)
    server = subprocess.Popen(
        [sys.executable, name, "--ros-args", "-p", f"domain:={greenhouse}"], cwd=greenhouse.parent
    )
    try:
        real = ("--no-sim", "--robot-nodes", "greenhouse", "--no-record", "--headless")
        ours = stack("--domain", str(greenhouse), *real)
        done = ours.program(
            '    open_valve("north valve")\n    for plant in ["basil", "mint"]:\n'
            '        if is_dry(plant):\n            water(plant, "north valve", 1)\n'
        )
        assert done.exit_code == 0, done.error_msg
        assert ("water", ["basil", "north valve", 1]) in done.skills
        assert done.skills[-1] == ("is_dry", ["mint"]), "which the server says is not dry"
    finally:
        server.send_signal(signal.SIGINT)
        assert server.wait(30) == 0
