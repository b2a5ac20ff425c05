"""A recorded task goes as recorded again through the real executor and the simulated robot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from recorded_runs import recorded
from stage import BLOCKED, LIMIT, FakeSkills, Stage
from test_recovery import TWICE, Stubborn

from roboinstruct_ros.commands.traces import simulated
from roboinstruct_ros.commands.traces.simulated import replay_simulated
from roboinstruct_ros.domain.files.world_file import World
from roboinstruct_ros.domain.policies import Policies, Policy
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.skill_servers.sim.rebuilt import rebuilt_world
from roboinstruct_ros.trace.replay import CannotReplay
from roboinstruct_ros.trace.run_trace import RunTrace, read_trace

BAGS = Path(__file__).parents[1] / "bags"
pytestmark = pytest.mark.stack

EVENTFUL = """\
start = get_current_location()
go_to("kitchen")
for room in get_all_rooms():
    if is_in_room("Bob"):
        say(random.choice(["one", "two", "three", "four", "five", "six"]))
try:
    pick("unicorn")
except SkillError as error:
    say(error.code)
say(ask("", "Tea?", ["yes", "no"]))
go_to("study")"""


class Eventful(Stubborn):
    """Bob comes, the unicorn slips, and the way to the study is blocked twice."""

    def __init__(self) -> None:
        super().__init__("go_to", BLOCKED, 2)
        slipped = SkillOutcome(error_code=SkillErrorCode.GRASP_FAILED, message="it is shy")
        self.outcomes = {
            "get_current_location": SkillOutcome("hallway"),
            "get_all_rooms": SkillOutcome(["kitchen", "hallway", "study"]),
            "pick": slipped,
            "ask": SkillOutcome("no"),
        }
        self._bob = iter([SkillOutcome(True), SkillOutcome(False), SkillOutcome(True)])

    def call(self, skill: str, *given: Any) -> SkillOutcome:
        if skill == "is_in_room":
            self.outcomes[skill] = next(self._bob)
        return super().call(skill, *given)


def test_a_task_goes_as_recorded_on_the_simulated_robot(tmp_path: Path, ros_domain: int) -> None:
    rule = Policy(name="home", never='robot_at(start) and say("boo")')
    path, run = recorded(
        tmp_path / "bag", EVENTFUL, Eventful(), recovery=TWICE, policies=Policies(policies=(rule,))
    )
    assert run.outcome.value == "succeeded", run.message
    trace = read_trace(path)
    assert replay_simulated(trace).difference is None
    other = replace(trace, source=trace.source.replace('go_to("study")', 'go_to("garage")'))
    found = replay_simulated(other).difference
    assert str(found).endswith("was go_to('study') and is go_to('garage')")


def stops(stage: Stage) -> None:
    assert stage.skills.entered.wait(LIMIT)
    stage.runner.stop("a test", "enough")


def test_a_stop_comes_at_the_recorded_call(tmp_path: Path, ros_domain: int) -> None:
    body = 'say("one")\ngo_to("kitchen")\nsay("never")'
    path, run = recorded(tmp_path / "bag", body, FakeSkills(holds="go_to"), during=stops)
    assert run.outcome.value == "cancelled"
    trace = read_trace(path)
    assert replay_simulated(trace).difference is None
    setting = trace.setting
    assert setting is not None
    lit = setting.model_copy(update={"remains": ((("light_on", "study"), True),)})
    with pytest.raises(CannotReplay, match=r"what earlier runs had left \(light_on\)"):
        replay_simulated(replace(trace, setting=lit))


def test_a_run_begins_with_what_the_hand_held(tmp_path: Path, ros_domain: int) -> None:
    held = ((("holding", "cup"), True),)
    path, run = recorded(tmp_path / "bag", 'go_to("study")\nplace("cup")', remains=held)
    assert run.outcome.value == "succeeded", run.message
    timed = replay_simulated(read_trace(path))
    assert timed.difference is None
    assert [(one.call, one.skill) for one in timed.times] == [(0, ""), (1, "go_to"), (2, "place")]
    assert all(one.now > 0 for one in timed.times)


@pytest.mark.parametrize("name", sorted(path.name for path in BAGS.iterdir()))
def test_a_shipped_run_goes_as_recorded(name: str, ros_domain: int) -> None:
    trace = read_trace(BAGS / name)
    assert replay_simulated(trace).difference is None


def test_another_world_is_caught_and_told(
    tmp_path: Path, ros_domain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = recorded(tmp_path / "bag", 'go_to("kitchen")\npick("apple")\ngo_to("study")')

    def emptied(trace: RunTrace) -> World:
        world = rebuilt_world(trace)
        return world.model_copy(update={"objects": (), "recorded": world.recorded[:1]})

    monkeypatch.setattr(simulated, "rebuilt_world", emptied)
    found = replay_simulated(read_trace(path)).difference
    assert (
        str(found) == "call 2 was pick('apple'), done and is pick('apple'), failed OBJECT_NOT_FOUND"
    )
