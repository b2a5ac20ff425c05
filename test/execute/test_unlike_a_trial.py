"""What a program meets in a run and in no trial is seen before it calls a skill because of it."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Event
from typing import Any

import pytest
from stage import DOMAIN, FakeSkills, Stage, order

from roboinstruct_ros.domain.events import EventKind
from roboinstruct_ros.domain.skill_call import SkillCall, clock_read
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.execute.hazard import OnHazard
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.execute.task_run import TaskRun
from roboinstruct_ros.execute.task_state import TaskState
from roboinstruct_ros.verify.service.worker import VerifierWorker
from roboinstruct_ros.verify.verdict import Status, Verdict
from roboinstruct_ros.verify.verifier import verify

ONLY_IN_A_RUN = [
    "time.time() != 1.7e9",
    "int(time.time()) % 10**9 != 7 * 10**8",
    "str(time.time())[:4] != '1700'",
    "[time.time() for _ in range(9)][0] > 1.7e9",
    "random.random() not in (0.0, 0.5, 1 - 2**-53)",
    "random.randint(1, 10**9) not in (1, 5 * 10**8 + 1, 10**9)",
]


def run_of(body: str, skills: FakeSkills, **options: Any) -> tuple[TaskRun, Stage]:
    """A run under the real verifier; a hazard ends it."""
    again = {"verify_rest": lambda calls, source, remains: verify(source, DOMAIN, calls=calls)}
    stage = Stage(skills, on_hazard=OnHazard.STOP, **{**again, **options})
    return stage.run(body), stage


@pytest.mark.parametrize("unlike", ONLY_IN_A_RUN)
def test_a_branch_that_no_trial_takes_makes_no_impossible_call(unlike: str) -> None:
    body = f'go_to("kitchen")\nif {unlike}:\n    pick("cup")\n    pick("plate")'
    verdict = verify(order(body).source, DOMAIN)
    assert verdict.accepted and not verdict.exhaustive
    skills = FakeSkills()
    run, stage = run_of(body, skills)
    assert run.error_code is TaskErrorCode.HAZARD_AHEAD and "line 5" in run.message
    assert "pick" not in [name for name, _ in skills.calls]
    assert stage.told(EventKind.HAZARD_SEEN)[0]["code"] == "hand_full"


class LateGuest(FakeSkills):
    """Somebody is there when asked for the 300th time."""

    def call(self, skill: str, arguments: Mapping[str, Any], cancel: Event) -> SkillOutcome:
        super().call(skill, arguments, cancel)
        return SkillOutcome(len(self.calls) > 300 if skill == "is_in_room" else None)


def test_who_waits_by_the_clock_waits_undisturbed() -> None:
    body = (
        'go_to("hall")\nbegun = time.time()\nwhile not is_in_room("person"):\n'
        '    if time.time() - begun > 600:\n        say("nobody came")\n        return\n'
        '    time.sleep(0.001)\nsay("it took " + str(time.time() - begun) + " s")\ngo_to("study")'
    )
    run, stage = run_of(body, LateGuest())
    assert run.outcome is TaskState.SUCCEEDED, run.message
    assert stage.told(EventKind.HAZARD_SEEN) == [] and len(run.calls) == 303


def test_random_numbers_are_those_that_the_run_draws() -> None:
    body = (
        "lots = [random.randint(1, 10**6) for _ in range(3)]\nrandom.shuffle(lots)\n"
        'go_to("room " + str(lots[0]))\nsay(str(random.choice(lots)))\n'
        'go_to("room " + str(random.sample(lots, 2)[0]))\nsay(str(random.uniform(0, 1)))'
    )
    run, stage = run_of(body, FakeSkills())
    assert run.outcome is TaskState.SUCCEEDED, run.message
    assert stage.told(EventKind.HAZARD_SEEN) == []


def test_a_rest_without_a_verdict_is_a_hazard() -> None:
    undecided = Verdict(status=Status.UNDECIDED, program_sha256="")
    body = 'say(str(time.time()))\ngo_to("study")'
    run, stage = run_of(body, FakeSkills(), verify_rest=lambda *_: undecided)
    assert run.error_code is TaskErrorCode.HAZARD_AHEAD and run.calls == ()
    assert stage.told(EventKind.HAZARD_SEEN)[0]["code"] == "not_verified"


def test_a_clock_that_was_read_elsewhere_is_not_that_of_the_run() -> None:
    source = order('begun = time.time()\nsay("a")\nif begun > 5:\n    place("cup")').source
    said = SkillCall(0, "say", ("a",), 3)
    early, late = clock_read([1.0]), clock_read([6.0])
    assert verify(source, DOMAIN, calls=[early, said]).accepted
    assert not verify(source, DOMAIN, calls=[late, said]).accepted
    assert verify(source, DOMAIN, calls=[said, early]).paths == 0
    assert verify(source, DOMAIN, calls=[clock_read([1.0, 2.0]), said]).paths == 0


def deep(call: str, frames: int) -> str:
    return f"def down(n):\n    return down(n - 1) if n else {call}\ndown({frames})"


@pytest.mark.parametrize("call", ["time.time()", "print('a')", "time.sleep(0)", "say('a')"])
def test_what_a_trial_calls_at_any_depth_a_run_calls_too(call: str) -> None:
    worker = VerifierWorker(DOMAIN)
    try:
        verdicts = {n: worker.verify(order(deep(call, n)).source) for n in range(940, 1001)}
    finally:
        worker.close()
    passed = [n for n, verdict in verdicts.items() if verdict.accepted]
    assert passed and len(passed) < len(verdicts), "Python's own limit is among them"
    run = Stage(verifier=lambda source: verdicts[max(passed)]).run(deep(call, max(passed)))
    assert run.outcome is TaskState.SUCCEEDED, run.message
