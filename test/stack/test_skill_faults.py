"""Skill servers that do not keep to their part: the program is told, the next task works."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from faulty_robot import ends
from live_executor import LiveExecutor
from rclpy.action import GoalResponse
from waiting import LIMIT, until

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.domain.task_error import TaskErrorCode

pytestmark = pytest.mark.stack

GO = 'go_to("kitchen")'
ASK = 'ask("", "Tea or coffee?", ["tea", "coffee"])'


@pytest.fixture(scope="module")
def live(shared_stack: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveExecutor]:
    processes, domain = shared_stack
    folder = tmp_path_factory.mktemp("live")
    with LiveExecutor(processes, domain, folder, "skill_call_limit:=3.0") as live:
        yield live


@pytest.fixture(autouse=True)
def behaved(live: LiveExecutor) -> Iterator[None]:
    live.robot.behave()
    yield
    live.robot.release.set()


def caught(call: str) -> str:
    return f"try:\n    {call}\nexcept SkillError as error:\n    say(error.code)"


@pytest.mark.parametrize(
    ("call", "play", "code"),
    [
        (GO, ends("abort"), "unknown"),
        (GO, ends("raise"), "unknown"),
        (GO, ends("abort", error_code=101), "navigation_blocked"),
        (GO, ends("succeed", error_code=101), "navigation_blocked"),
        (GO, ends("succeed", error_code=999), "unknown"),
        (ASK, ends("succeed", answer="perhaps"), "unknown"),
        (ASK, ends("succeed", answer=""), "unknown"),
    ],
    ids=["aborts", "raises", "aborts_with_a_code", "fails", "no_code_of_the_list", "answers_else",
         "answers_nothing"],
)  # fmt: skip
def test_a_goal_that_goes_wrong_is_told_to_the_program_once(
    live: LiveExecutor, request: pytest.FixtureRequest, call: str, play: Any, code: str
) -> None:
    skill = call.partition("(")[0]
    live.robot.plays[skill] = play
    task = request.node.callspec.id
    result = live.run(caught(call), task)
    assert result.outcome == "succeeded", result.error_msg
    assert [name for name, _ in live.robot.calls] == [skill, "say"], "called once"
    assert live.robot.calls[-1] == ("say", code)
    live.check_whole(task, result)


@pytest.mark.parametrize(
    ("skill", "answer"),
    [
        ("get_current_location", {"location": ""}),
        ("get_current_location", {"location": "study", "error_code": 40_000}),
        ("get_all_rooms", {"rooms": []}),
        ("get_all_rooms", {"rooms": ["kitchen", " "]}),
    ],
    ids=["no_room", "no_code", "no_rooms", "a_room_without_name"],
)
def test_an_answer_of_the_wrong_shape_is_a_failure(
    live: LiveExecutor, request: pytest.FixtureRequest, skill: str, answer: dict[str, Any]
) -> None:
    live.robot.answers[skill] = answer
    task = request.node.callspec.id
    result = live.run(f"{skill}()", task)
    assert (result.outcome, result.error_code) == ("failed", TaskErrorCode.SKILL_FAILED)
    assert [call.error_code for call in result.calls] == [SkillErrorCode.UNKNOWN]
    assert live.robot.count(skill) == 1
    live.check_whole(task, result)


def test_what_was_taken_for_granted_and_is_not_so_ends_the_task(live: LiveExecutor) -> None:
    absent = ends("abort", error_code=int(SkillErrorCode.OBJECT_NOT_FOUND))
    live.robot.plays["pick"] = absent
    result = live.run('go_to("study")\npick("charger")\ngo_to("kitchen")', "taken")
    code = TaskErrorCode.ASSUMPTION_FAILED
    assert (result.outcome, result.error_code) == ("failed", code)
    told = "I took it that a charger is in the study, and that is not so (line 3)"
    assert result.error_msg == told
    assert "I take it that a charger is in the study." in result.verdict.assumptions
    assert live.robot.count("go_to") == 1
    live.check_whole("taken", result)


def test_ten_thousand_rooms_are_rooms(live: LiveExecutor) -> None:
    rooms = [f"room number {number}" for number in range(10_000)]
    live.robot.answers["get_all_rooms"] = {"rooms": rooms}
    result = live.run("rooms = get_all_rooms()\nsay(str(len(rooms)))", "many_rooms")
    assert live.robot.calls == [("get_all_rooms", ""), ("say", "10000")]
    assert live.journal("many_rooms").calls[0].result == rooms
    live.check_whole("many_rooms", result)


def test_a_server_that_rejects_is_busy(live: LiveExecutor) -> None:
    live.robot.accepts["go_to"] = lambda: GoalResponse.REJECT
    result = live.run(caught(GO), "rejects")
    assert live.robot.calls == [("go_to", "kitchen"), ("say", "busy")]
    live.check_whole("rejects", result)


@pytest.mark.parametrize(("skill", "argument"), [("go_to", "kitchen"), ("is_in_room", "apple")])
def test_a_server_that_never_answers_is_given_up_and_its_goal_is_cancelled(
    live: LiveExecutor, skill: str, argument: str
) -> None:
    live.robot.plays[skill] = live.robot.never
    result = live.run(caught(f'{skill}("{argument}")'), f"never_{skill}")
    assert live.robot.calls == [(skill, argument), ("say", "timeout")]
    assert live.robot.cancels == [skill]
    live.check_whole(f"never_{skill}", result)


def test_an_answer_after_the_cancel_is_nobodys(live: LiveExecutor) -> None:
    live.robot.plays["go_to"] = live.robot.never
    handle = live.send(f"{GO}\nsay('there')", "late")
    until(lambda: live.robot.count("go_to") == 1, "the goal is under way")
    assert live.stop().was_running
    result = live.result(handle)
    assert (result.outcome, result.error_code) == ("cancelled", TaskErrorCode.STOPPED)
    del live.robot.plays["go_to"]
    handle = live.send('go_to("study")\nsay("here")', "after")
    live.robot.release.set()
    after = live.result(handle)
    assert [call.arguments for call in after.calls] == [['"study"'], ['"here"']]
    assert live.robot.calls == [("go_to", "kitchen"), ("go_to", "study"), ("say", "here")]
    live.check_whole("late", result)


def test_a_goal_that_is_accepted_after_the_end_of_its_task_is_cancelled(live: LiveExecutor) -> None:
    opens = threading.Event()

    def accept() -> GoalResponse:
        assert opens.wait(LIMIT)
        return GoalResponse.ACCEPT

    live.robot.accepts["go_to"] = accept
    live.robot.plays["go_to"] = live.robot.until_cancelled
    handle = live.send(GO, "accepted_late")
    until(lambda: live.robot.count("go_to") == 1, "the goal has come")
    live.stop()
    result = live.result(handle)
    assert result.outcome == "cancelled"
    opens.set()
    until(lambda: live.robot.cancels == ["go_to"], "what nobody waits for is cancelled")
    live.check_whole("accepted_late", result)


def test_a_server_without_a_heartbeat_that_is_gone_ends_the_call(live: LiveExecutor) -> None:
    live.robot.plays["go_to"] = live.robot.never
    handle = live.send(f"{GO}\nsay('there')", "gone")
    until(lambda: live.robot.count("go_to") == 1, "the goal is under way")
    live.robot.die("go_to")
    result = live.result(handle)
    assert (result.outcome, result.error_code) == ("failed", TaskErrorCode.SKILL_SERVER_LOST)
    live.robot.release.set()
    live.robot.come_back("go_to")
    live.robot.behave()
    back = live.run(GO, "back")
    assert back.outcome == "succeeded", back.error_msg
    live.check_whole("gone", result)


def test_answers_that_come_twice_count_once(live: LiveExecutor) -> None:
    live.robot.answer_twice()
    body = 'for word in ["a", "b", "c"]:\n    if is_in_room("apple"):\n        say(word)'
    result = live.run(body, "twice")
    assert [word for skill, word in live.robot.calls if skill == "say"] == ["a", "b", "c"]
    assert [call.skill for call in result.calls] == ["is_in_room", "say"] * 3
    live.check_whole("twice", result)
