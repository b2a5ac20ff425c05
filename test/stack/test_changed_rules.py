"""The files of map and policies are changed under a real executor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from live_executor import LiveExecutor, wait
from waiting import until

from roboinstruct_msgs.srv import Pause, VerifyProgram
from roboinstruct_ros import names
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.nodes.discovery import wait_discovered

pytestmark = pytest.mark.stack

NOTHING = "policies: []\n"
QUIET = "policies:\n  - name: quiet\n    never: say(...)\n"
BROKEN = "policies:\n  - name: quiet\n    nev"
ROOM = "  - {{name: {0}, pose: {{x: 0.0, y: 0.0}}}}\n"
TASK = 'go_to("kitchen")\nsay("one")'


class Ruled(LiveExecutor):
    """An executor whose rules a test writes."""

    def __init__(self, stack_process: Any, domain: int, folder: Path) -> None:
        self.map, self.policies = folder / "map.yaml", folder / "policies.yaml"
        self.draw("kitchen", "study")
        self.policies.write_text(NOTHING)
        files = (f"map:={self.map}", f"policies:={self.policies}")
        super().__init__(stack_process, domain, folder, *files)

    def __enter__(self) -> Ruled:
        super().__enter__()
        self.levels: dict[str, tuple[bytes, str]] = {}
        self.node.create_subscription(DiagnosticArray, "/diagnostics", self._hear, 10)
        self._pause = self.node.create_client(Pause, names.PAUSE_SERVICE)
        self._verify = self.node.create_client(VerifyProgram, names.VERIFY_PROGRAM_SERVICE)
        assert self._pause.wait_for_service(30) and self._verify.wait_for_service(30)
        assert wait_discovered(self.node, names.EXECUTOR_NODE, 30)
        return self

    def draw(self, *rooms: str) -> None:
        self.map.write_text("rooms:\n" + "".join(ROOM.format(room) for room in rooms))

    def pause(self, paused: bool) -> None:
        wait(self._pause.call_async(Pause.Request(paused=paused)))

    def verify(self, source: str) -> Any:
        return wait(self._verify.call_async(VerifyProgram.Request(source=source)))

    def hold(self, room: str, task_id: str) -> Any:
        """A task whose drive to this room is under way."""
        self.robot.behave()
        self.robot.plays["go_to"] = self.robot.until_cancelled
        handle = self.send(f'go_to("{room}")\nsay("one")', task_id)
        until(lambda: ("go_to", room) in self.robot.calls, "the drive is under way")
        return handle

    def _hear(self, message: DiagnosticArray) -> None:
        for status in message.status:
            self.levels[status.name] = (status.level, status.message)


@pytest.fixture
def live(stack_process: Any, ros_domain: int, tmp_path: Path) -> Iterator[Ruled]:
    with Ruled(stack_process, ros_domain, tmp_path) as live:
        yield live


def test_a_new_goal_is_judged_by_the_files_of_now(live: Ruled) -> None:
    assert live.run(TASK).outcome == "succeeded"
    live.policies.write_text(QUIET)
    refused = live.run(TASK)
    assert refused.error_code == TaskErrorCode.NOT_VERIFIED
    assert [violation.code for violation in refused.verdict.violations] == ["policy_broken"]
    live.policies.write_text(NOTHING)
    live.draw("study")
    refused = live.run(TASK)
    assert [violation.code for violation in refused.verdict.violations] == ["unknown_location"]
    live.draw("study", "kitchen")
    assert live.run(TASK).outcome == "succeeded"


def test_a_broken_file_starts_nothing_and_is_told(live: Ruled) -> None:
    live.policies.write_text(BROKEN)
    until(lambda: live.levels.get("executor: policies", (b"", ""))[0] == b"\x02", "an error")
    told = live.levels["executor: policies"][1]
    assert f"{live.policies}:3" in told and "\n" not in told
    refused = live.run(TASK)
    assert refused.error_code == TaskErrorCode.NOT_VERIFIED
    assert f"{live.policies}:3" in refused.error_msg and "\n" not in refused.error_msg
    answer = live.verify("def task_program():\n    pass\n")
    assert (
        answer.error_code == TaskErrorCode.NOT_VERIFIED and str(live.policies) in answer.error_msg
    )
    assert live.robot.calls == []
    live.policies.write_text(NOTHING)
    assert live.run(TASK).outcome == "succeeded"
    until(lambda: live.levels["executor: policies"][0] == b"\x00", "all is well again")


def test_a_paused_run_is_judged_again_before_it_goes_on(live: Ruled) -> None:
    handle = live.hold("kitchen", "paused")
    live.pause(True)
    until(lambda: ("paused", "paused") in live.states, "the run holds")
    live.policies.write_text(QUIET)
    live.robot.plays.clear()
    live.pause(False)
    until(lambda: "hazard_seen" in live.kinds("paused"), "the hazard is told")
    assert live.robot.calls == [("go_to", "kitchen")], "it holds, and does not drive on"
    live.policies.write_text(NOTHING)
    live.pause(False)
    result = live.result(handle)
    assert (result.outcome, result.error_msg) == ("succeeded", "")
    live.check_whole("paused", result)


def test_an_interrupted_run_is_judged_by_the_map_of_now(live: Ruled) -> None:
    live.hold("study", "cut")
    before = live.journal("cut").rules_sha256
    live.kill()
    live.draw("kitchen")
    live.robot.behave()
    live.start()
    until(lambda: live.interrupted == ["cut"], "the run is offered")
    body = 'go_to("study")\nsay("one")'
    refused = live.run(body, "cut", resume=True)
    assert refused.error_code == TaskErrorCode.NOT_VERIFIED and live.robot.calls == []
    live.draw("kitchen", "study", "hall")
    done = live.run(body, "cut", resume=True)
    assert (done.outcome, done.error_msg) == ("succeeded", "")
    assert live.journal("cut").rules_sha256 not in ("", before)
    until(lambda: "warning" in live.kinds("cut"), "the person is told")
