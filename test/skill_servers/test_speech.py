"""The node `speech` over real DDS, with real speech in its ears and real speech on its tongue."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from action_msgs.msg import GoalStatus
from speech_client import COMMAND, speech
from std_msgs.msg import Bool, Int16MultiArray
from voices import spoken
from waiting import until

from roboinstruct_msgs.action import Ask, Say
from roboinstruct_msgs.msg import Heartbeat, Question, StopRequest
from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.speech.recognizer import Recognizer
from roboinstruct_ros.skill_servers.speech.sound import read_wav

pytestmark = pytest.mark.stack

LONG = "I count " + ", ".join(str(number) for number in range(1000, 1040)) + "."
"""More than a minute of speech."""
DRINKS = ("coffee", "tea", "water")


def test_what_is_said_is_to_be_heard_and_read(ros_domain: int, tmp_path: Path) -> None:
    with speech(ros_domain, audio_out=tmp_path, rate=165) as robot:
        assert robot.run(Say, message="chocolate").error_code == 0
        assert robot.said == ["chocolate"]
        sound = read_wav(tmp_path / "0001.wav")
        listener = Recognizer()
        listener.expect(["vanilla", "chocolate", "strawberry"])
        assert listener.hear(sound.padded(0.3)).text == "chocolate"

        refused = [
            robot.run(Say, message="  "),
            robot.run(Say, message="word " * 300),
            robot.run(Ask, question="Well?", options=[]),
            robot.run(Ask, question="Well?", options=["yes", " "]),
            robot.run(Ask, question="Well?", options=["yes", "Yes "]),
            robot.run(Ask, question="", options=["yes"]),
            robot.run(Ask, question="Well?", options=[str(n) for n in range(21)]),
        ]
        codes = [r.error_code for r in refused]
        assert codes == [SkillErrorCode.INVALID_ARGUMENT] * len(refused)
        assert "at most 1000" in refused[1].error_msg and "20" in refused[6].error_msg

        # a cancel cuts the sound in the middle of a sentence
        robot.feedback.clear()
        talking = robot.send(Say, message=LONG)
        until(lambda: len(robot.feedback) > 5)
        robot.done(talking.cancel_goal_async())
        status, result = robot.result(talking)
        assert (status, result.error_code) == (GoalStatus.STATUS_CANCELED, SkillErrorCode.CANCELED)
        until((tmp_path / "0002.wav").exists)
        heard = read_wav(tmp_path / "0002.wav").seconds
        assert 0 < heard < 10 < robot.feedback[-1].estimated_time_remaining
        assert robot.run(Say, message="again").error_code == 0


def test_a_question_is_answered_by_voice_or_by_touch(ros_domain: int) -> None:
    with speech(ros_domain) as robot:
        asking = robot.ask("What would you like?", *DRINKS, person="Alice")
        first = bytes(asking.goal_id.uuid).hex()
        assert robot.question == Question(
            person="Alice", question="What would you like?", options=list(DRINKS), live=True,
            goal_id=first,
        )  # fmt: skip
        robot.wait_phase("waiting")
        robot.speak(spoken("tea"))
        status, result = robot.result(asking)
        assert (status, result.answer) == (GoalStatus.STATUS_SUCCEEDED, "tea")
        until(lambda: robot.question == Question())
        assert robot.said == ["Alice, What would you like?"]
        assert robot.heard[-1].taken == "tea" and robot.heard[-1].confidence > 0.9

        asking = robot.ask("And now?", *DRINKS)
        for question, answer in (("", "gibberish"), ("And now?", "milk"), ("Old?", "tea")):
            robot.touch(question, answer)
        robot.touch("And now?", "tea", first)  # as if the first one had been the same
        robot.touch("And now?", "WATER", robot.question.goal_id)
        assert robot.result(asking)[1].answer == "water"

        # both at once: one of them, and the next question is a new one
        asking = robot.ask("Which one?", *DRINKS)
        robot.speak(spoken("coffee"))
        robot.touch("Which one?", "tea")
        assert robot.result(asking)[1].answer in ("coffee", "tea")
        asking = robot.ask("Really?", "yes", "no")
        robot.wait_phase("waiting")
        robot.speak(spoken("no thanks"))
        assert robot.result(asking)[1].answer == "no", robot.heard


def test_an_answer_cuts_the_question_but_the_robot_does_not_answer_itself(
    ros_domain: int, tmp_path: Path
) -> None:
    with speech(ros_domain, audio_out=tmp_path, rate=165) as robot:
        question = "What would you like to have today, now that we are all here together?"
        asking = robot.ask(question, *DRINKS)
        robot.wait_phase("asking")
        robot.speak(spoken("coffee"))
        assert robot.result(asking)[1].answer == "coffee"
        until((tmp_path / "0001.wav").exists)
        cut = read_wav(tmp_path / "0001.wav").seconds

        asking = robot.ask("Is it " + " or ".join(["tea"] * 12) + " that you want?", *DRINKS)
        robot.wait_phase("asking")
        before = len(robot.heard)
        robot.speak(spoken("tea"))
        until(lambda: len(robot.heard) > before)
        assert robot.heard[-1].own_voice and robot.heard[-1].taken == ""
        robot.speak(spoken("water"))
        assert robot.result(asking)[1].answer == "water"

        robot.run(Say, message=question)
        until((tmp_path / "0003.wav").exists)
        assert cut < read_wav(tmp_path / "0003.wav").seconds


def test_nobody_answers(ros_domain: int) -> None:
    with speech(ros_domain, answer_wait=0.3) as robot:
        result = robot.run(Ask, person="Bob", question="Tea?", options=["yes", "no"])
        assert result.error_code == SkillErrorCode.NO_ANSWER
        assert "Bob was asked 3 times" in result.error_msg
        assert robot.said == ["Bob, Tea?", "Tea?", "Please say yes or no."]
        assert {f.phase for f in robot.feedback} == {"asking", "waiting"}
        until(lambda: robot.question == Question())

        # what is no answer does not become one
        asking = robot.ask("Tea, please?", "yes", "no")
        robot.wait_phase("waiting")
        robot.speak(spoken("where is the cat"))
        assert robot.result(asking)[1].error_code == SkillErrorCode.NO_ANSWER


def test_stop_is_heard_at_any_time(ros_domain: int) -> None:
    with speech(ros_domain) as robot:
        robot.speak(spoken("stop"))  # nothing is under way here, but the robot may be driving
        until(lambda: len(robot.stops) == 1)
        assert robot.stops[0].source == "voice" and "'stop' was heard" in robot.stops[0].reason

        talking = robot.send(Say, message=LONG)
        until(lambda: robot.feedback)
        robot.speak(spoken("stop"))
        status, result = robot.result(talking)
        stopped = (GoalStatus.STATUS_ABORTED, SkillErrorCode.STOPPED)
        assert (status, result.error_code) == stopped and "voice" in result.error_msg

        asking = robot.ask("Tea?", "yes", "no")
        robot.speak(spoken("stop"))
        assert robot.result(asking)[1].error_code == SkillErrorCode.STOPPED
        until(lambda: len(robot.stops) == 3)

        talking = robot.send(Say, message=LONG)
        robot.stop.publish(StopRequest(source="test", reason="the test says so"))
        result = robot.result(talking)[1]
        assert (
            result.error_code == SkillErrorCode.STOPPED and "the test says so" in result.error_msg
        )

        # whoever sent a goal and falls silent is lost
        robot.heartbeat.publish(Heartbeat(node="an executor of another name", session="1"))
        talking = robot.send(Say, "1", message=LONG)
        assert robot.result(talking)[1].error_code == SkillErrorCode.EXECUTOR_LOST


def test_fifty_goals_at_once_are_each_answered(ros_domain: int) -> None:
    with speech(ros_domain) as robot:
        offers = [robot.offer(Say, message=LONG) for _ in range(25)]
        asked = {"question": "Tea?", "options": ["yes", "no"]}
        offers += [robot.offer(Ask, **asked) for _ in range(25)]
        handles = [robot.done(offer) for offer in offers]
        assert all(handle.accepted for handle in handles)
        results = [handle.get_result_async() for handle in handles]
        until(lambda: sum(future.done() for future in results) == 49)
        codes = [future.result().result.error_code for future in results if future.done()]
        assert codes == [SkillErrorCode.BUSY] * 49
        robot.stop.publish(StopRequest(source="test"))
        until(lambda: all(future.done() for future in results))
        assert robot.run(Say, message="Here I am").error_code == 0
        # sound of any form does no harm
        for samples in ([], [0], [32767, -32768] * 20000):
            robot.microphone.publish(Int16MultiArray(data=samples))
        assert robot.run(Say, message="Still here").error_code == 0


def test_with_push_to_talk_answers_count_only_while_the_button_is_down(ros_domain: int) -> None:
    with speech(ros_domain, listen="push_to_talk") as robot:
        asking = robot.ask("What would you like?", *DRINKS)
        robot.wait_phase("waiting")
        robot.speak(spoken("tea"))
        until(lambda: robot.heard)
        assert robot.heard[-1].text == "tea" and robot.heard[-1].taken == ""
        robot.button.publish(Bool(data=True))
        robot.speak(spoken("water"))
        robot.button.publish(Bool(data=False))
        assert robot.result(asking)[1].answer == "water"
        robot.speak(spoken("stop"))
        until(lambda: len(robot.stops) == 1)


def test_who_presses_the_button_is_not_spoken_over(ros_domain: int, tmp_path: Path) -> None:
    with speech(ros_domain, audio_out=tmp_path, rate=165, listen="push_to_talk") as robot:
        talking = robot.send(Say, message=LONG)
        until(lambda: robot.feedback)
        robot.button.publish(Bool(data=True))
        status, result = robot.result(talking)
        assert (status, result.error_code) == (GoalStatus.STATUS_SUCCEEDED, 0)
        robot.button.publish(Bool(data=False))

        asking = robot.ask("What would you like? " + LONG[:900], *DRINKS)
        robot.wait_phase("asking")
        robot.button.publish(Bool(data=True))
        robot.wait_phase("waiting")
        robot.speak(spoken("tea"))
        robot.button.publish(Bool(data=False))
        assert robot.result(asking)[1].answer == "tea"


def test_whoever_holds_the_button_at_the_end_of_the_wait_is_still_heard(ros_domain: int) -> None:
    given = {"answer_wait": 0.3, "repeats": 0, "read_options": False, "listen": "push_to_talk"}
    with speech(ros_domain, **given) as robot:
        asking = robot.ask("Well?", *DRINKS)
        robot.button.publish(Bool(data=True))
        robot.wait_phase("waiting")
        until(lambda: robot.feedback[-1].time_remaining == 0.0)
        robot.speak(spoken("tea"))
        robot.button.publish(Bool(data=False))
        assert robot.result(asking)[1].answer == "tea"


def test_without_a_sound_card_speaking_fails_and_touch_is_not_deaf(ros_domain: int) -> None:
    nowhere = "'device:no such card'"
    with speech(ros_domain, audio_out=nowhere, audio_in=nowhere) as robot:
        for result in (
            robot.run(Say, message="Hello"),
            robot.run(Ask, question="Tea?", options=["yes", "no"]),
        ):
            assert result.error_code == SkillErrorCode.SPEECH_FAILED
            assert "sound card" in result.error_msg or "no device" in result.error_msg


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("language:=xx", "speech: espeak-ng has no voice 'xx'; 'en-us' is one"),
        ("voice:=/nowhere/amy.onnx", "/nowhere/amy.onnx: no such file"),
        ("audio_in:=/nowhere/said.wav", "audio_in: /nowhere/said.wav: No such file"),
        ("audio_out:=/proc/nothing", "audio_out: /proc/nothing"),
        ("dictation_model:=/nowhere", "/nowhere: no model.bin and no config.json"),
        ("listen:=sometimes", "'sometimes' is not one of always, push_to_talk"),
        ("volume:=3.0", "volume out of range"),
    ],
)
def test_bad_parameters_get_one_line(given: str, said: str, ros_domain: int) -> None:
    ended = subprocess.run([*COMMAND, "-p", given], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert said in ended.stderr
