"""What the robot says when somebody is asked and does not answer, without ROS and without time."""

from __future__ import annotations

from collections.abc import Callable

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.speech.dialogue import Dialogue, Patience, Phase, read_out


class Room:
    """A clock, what was said in it, and how it ended."""

    def __init__(self, person: str = "", patience: Patience | None = None) -> None:
        self.now, self.said, self.fault = 100.0, [], None
        self._done: Callable[[Fault | None], None] = lambda fault: None
        self.dialogue = Dialogue(
            person,
            "Tea?",
            ["yes", "no"],
            patience or Patience(wait=5.0),
            self._say,
            self._give_up,
            lambda: self.now,
        )
        self.dialogue.begin()

    def _say(self, line: str, done: Callable[[Fault | None], None]) -> None:
        self.said.append(line)
        self._done = done

    def _give_up(self, fault: Fault) -> None:
        self.fault = fault

    def spoken(self, fault: Fault | None = None) -> None:
        self._done(fault)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.dialogue.tick()


def test_an_unanswered_question_is_put_again_then_its_options_then_given_up() -> None:
    room = Room("Alice")
    for _ in range(3):
        assert room.dialogue.phase is Phase.ASKING
        room.wait(60.0)  # speaking takes as long as it takes
        room.spoken()
        assert room.dialogue.phase is Phase.WAITING and room.fault is None
        room.wait(4.9)
        room.wait(0.2)
    assert room.said == ["Alice, Tea?", "Tea?", "Please say yes or no."]
    assert room.fault is not None and room.fault.code is SkillErrorCode.NO_ANSWER
    assert "Alice was asked 3 times" in room.fault.message


def test_whoever_is_there_is_not_called_by_a_name() -> None:
    assert Room("").said == Room("person").said == ["Tea?"]


def test_patience_is_what_it_was_set_to() -> None:
    room = Room("", Patience(wait=1.0, repeats=0, read_options=False))
    room.spoken()
    assert 0.9 < room.dialogue.time_left <= 1.0
    room.wait(1.0)
    assert room.fault is not None and "asked once" in room.fault.message


def test_a_question_without_sound_fails_with_the_reason() -> None:
    room, broken = Room(), Fault(SkillErrorCode.SPEECH_FAILED, "no sound card")
    room.spoken(broken)
    assert room.fault is broken


def test_time_left_shrinks_while_it_waits() -> None:
    room = Room()
    before = room.dialogue.time_left
    room.spoken()
    room.wait(2.0)
    assert 0 < room.dialogue.time_left < before


def test_options_are_read_as_a_person_would() -> None:
    assert read_out(["tea"]) == "Please say tea."
    assert read_out(["tea", "coffee ", "water."]) == "Please say tea, coffee or water."
