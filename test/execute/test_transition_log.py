"""Each transition is one line that a program can read."""

from __future__ import annotations

import shlex
from typing import Any

from stage import BLOCKED, FakeSkills, Stage, order

from roboinstruct_ros.domain.skill_call import SkillCall
from roboinstruct_ros.execute.run_report import RunnerHooks
from roboinstruct_ros.execute.task_runner import TaskRunner
from roboinstruct_ros.execute.transition_log import TransitionLog, logfmt


class Logged:
    """The lines of one run."""

    def __init__(self, body: str, skills: FakeSkills | None = None) -> None:
        self.info: list[str] = []
        self.debug: list[str] = []
        log = TransitionLog(self.info.append, self.debug.append)
        stage = Stage(skills)
        hooks = RunnerHooks(log.told, lambda *event: None, log.called)
        runner = TaskRunner(stage.runner._domain, stage.runner._verify, stage.skills, hooks)
        log.ended(order(body), runner.run(order(body)))


def read(line: str) -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in shlex.split(line))


def test_every_transition_is_one_line_in_order() -> None:
    logged = Logged('say("a")\nsay("b")')
    steps = [(one["from"], one["state"]) for one in map(read, logged.info) if "state" in one]
    assert steps == [("idle", "verifying"), ("verifying", "running"), ("running", "succeeded")]
    first = logged.info[0]
    sha = order('say("a")\nsay("b")').program_sha256[:8]
    assert first == f'task=t1 state=verifying from=idle line=0 sha={sha} msg=""'
    assert read(logged.info[-1])["outcome"] == "succeeded"


def test_the_end_of_each_call_is_for_whoever_debugs() -> None:
    logged = Logged('say("a")\ngo_to("kitchen")', FakeSkills({"go_to": BLOCKED}))
    calls = [read(line) for line in logged.debug]
    assert [(c["call"], c["skill"], c["code"], c["line"]) for c in calls] == [
        ("0", "say", "none", "2"),
        ("1", "go_to", "navigation_blocked", "3"),
    ]
    assert all(float(call["seconds"]) >= 0 and call["task"] == "t1" for call in calls)
    failed = read(logged.info[-2])
    assert failed["state"] == "failed" and "a door is shut" in failed["msg"]


def test_no_text_from_outside_makes_a_second_line_or_field() -> None:
    nasty: dict[str, Any] = {"task": 'x state="idle"\nfake=1', "msg": "a\u2028b \x1b[2J"}
    line = logfmt(**nasty)
    assert len(line.splitlines()) == 1 and line.isprintable()
    assert line.startswith('task="x state=\\"idle\\"\\nfake=1" msg=')


def test_a_call_that_has_begun_is_not_told() -> None:
    lines: list[str] = []
    TransitionLog(lines.append, lines.append).called(SkillCall(0, "say", ("x",), 2, start=1.0))
    assert not lines
