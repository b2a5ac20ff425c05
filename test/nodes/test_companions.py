"""A node that has to live during a run is missed when it is gone, and only then."""

from __future__ import annotations

from stage import Stage

from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.nodes.heartbeat import Companions, HeartbeatMonitor


class Heard(HeartbeatMonitor):
    """Nodes that are heard, each with its start."""

    def __init__(self, **sessions: str) -> None:
        super().__init__()
        self.sessions = sessions

    def alive(self, name: str) -> bool:
        return name in self.sessions

    def session(self, name: str) -> str:
        return self.sessions.get(name, "")


def test_silence_during_a_run_is_seen_and_before_and_after_it_is_nothing() -> None:
    heard = Heard(kiosk="a", sim_robot="b")
    companions = Companions(("kiosk",), heard)
    del heard.sessions["kiosk"]
    assert companions.gone() == ""
    heard.sessions["kiosk"] = "a"
    assert companions.begin() == ""
    assert companions.gone() == ""
    del heard.sessions["sim_robot"]
    assert companions.gone() == ""
    del heard.sessions["kiosk"]
    assert companions.gone() == "kiosk"
    companions.end()
    assert companions.gone() == ""


def test_a_node_that_was_started_anew_at_once_was_gone_too() -> None:
    heard = Heard(kiosk="a")
    companions = Companions(("kiosk",), heard)
    companions.begin()
    heard.sessions["kiosk"] = "b"
    assert companions.gone() == "kiosk"


def test_each_time_that_a_node_falls_silent_is_one_loss() -> None:
    heard = HeartbeatMonitor()
    for name in ("executor", "recorder"):
        heard.note(name, f"{name} a")
    for beats in (True, False, False, True, False):
        for _ in range(12):  # of a tenth of a second each
            if beats:
                heard.note("executor", "executor b")
            heard.note("recorder", "recorder a")
            heard.pass_time(0.1)
    assert heard.losses == 2
    for _ in range(12):
        heard.pass_time(0.1)
    assert heard.losses == 3 and heard.lost("recorder")


def test_no_run_begins_without_it() -> None:
    companions = Companions(("kiosk",), Heard())
    stage = Stage(begin=companions.begin)
    run = stage.run('say("hi")')
    assert (run.outcome, run.error_code) == (TaskState.FAILED, TaskErrorCode.STOPPED)
    assert "'kiosk'" in run.message and "stop_when_lost" in run.message
    assert not stage.skills.calls
