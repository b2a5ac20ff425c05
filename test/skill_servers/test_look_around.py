"""Every direction is looked at before a no, and what cannot be looked at is no no."""

from __future__ import annotations

import math
import time
from threading import Event, Lock
from types import SimpleNamespace
from typing import Any

import pytest
from action_msgs.msg import GoalStatus
from hypothesis import given
from hypothesis import strategies as st

from roboinstruct_ros.domain.skill_call import SkillErrorCode
from roboinstruct_ros.skill_servers.kit.fault import Fault
from roboinstruct_ros.skill_servers.perception import turners
from roboinstruct_ros.skill_servers.perception.camera_frames import CameraFrames
from roboinstruct_ros.skill_servers.perception.look_around import headings, look_around
from roboinstruct_ros.skill_servers.perception.node import Perception, Question
from roboinstruct_ros.skill_servers.perception.object_name_match import ObjectNames
from roboinstruct_ros.skill_servers.perception.parameters import PerceptionParameters
from roboinstruct_ros.skill_servers.perception.perceived_world import PerceivedWorld


@given(st.floats(0.0, 2 * math.pi), st.floats(0.1, 2 * math.pi), st.booleans())
def test_the_headings_cover_the_arc(arc: float, field_of_view: float, circles: bool) -> None:
    angles = headings(arc, field_of_view, circles)
    assert angles[0] == 0.0
    for part in range(200):
        wanted = (part / 199 - 0.5) * arc
        nearest = min(abs(math.remainder(wanted - angle, 2 * math.pi)) for angle in angles)
        assert nearest <= field_of_view / 2 + 1e-6


@given(st.floats(0.0, 6.2) | st.just(2 * math.pi), st.floats(0.1, 3.0))
def test_a_head_is_never_sent_farther_than_it_has_to_look(arc: float, field_of_view: float) -> None:
    widest = max(abs(angle) for angle in headings(arc, field_of_view, circles=False))
    assert widest <= max(0.0, (arc - field_of_view) / 2) + 1e-9


class Room:
    """Eyes and turner at once: a thing lies at an angle, or nowhere."""

    def __init__(self, at: float | None, stuck_at: float | None = None) -> None:
        self.at, self.stuck_at, self.angle = at, stuck_at, 0.0
        self.silence: Fault | None = None
        self.visited: list[float] = []

    def begin_turn(self) -> None:
        pass

    def is_at(self, angle: float) -> bool:
        return angle == self.angle

    def turn_to(self, angle: float, cancelled: Event) -> Fault | None:
        if angle == self.stuck_at:
            return Fault(SkillErrorCode.NAVIGATION_BLOCKED, "stuck")
        self.angle = angle
        return None

    def stop(self) -> None:
        pass

    def begin_view(self) -> None:
        self.visited.append(self.angle)

    def seen(self, limit: float) -> bool | Fault:
        return self.at == self.angle or self.silence or False


@pytest.mark.parametrize("at", [None, 0.0, 1.0, 2.0])
def test_it_stops_at_the_thing_and_says_no_only_at_the_end(at: float | None) -> None:
    room = Room(at)
    assert look_around(room, room, (0.0, 1.0, 2.0), Event()) is (at is not None)
    assert room.visited == [a for a in (0.0, 1.0, 2.0) if at is None or a <= at]


def test_a_head_that_points_aside_looks_in_every_direction_all_the_same() -> None:
    for at, wanted in ((None, [0.7, 0.0, 1.0]), (0.0, [0.7, 0.0]), (0.7, [0.7])):
        room = Room(at)
        room.angle = 0.7  # a turn was cut short there
        assert look_around(room, room, (0.0, 1.0), Event()) is (at is not None)
        assert room.visited == wanted


def test_where_a_turn_was_cut_short_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[float] = []

    class Turner(turners.ActionTurner):
        what = "the head"

        def goal(self, angle: float) -> float:
            return angle

    def send(angle: float) -> Any:
        sent.append(angle)
        over, status = Event(), GoalStatus.STATUS_CANCELED if angle < 0 else 4
        over.set()
        return SimpleNamespace(over=over, accepted=True, response=_response(status))

    def _response(status: int) -> Any:
        return SimpleNamespace(status=status, result=SimpleNamespace(error_msg=""))

    client = SimpleNamespace(wait_ready=lambda limit: True, send=send)
    guard = SimpleNamespace(why_unstoppable=lambda actions: None)
    monkeypatch.setattr(turners, "ResultClient", lambda *_: client)
    monkeypatch.setattr(turners, "MotionGuard", lambda node: guard)
    turner = Turner(SimpleNamespace(), None, "turn", 10.0)  # type: ignore[arg-type]
    assert not turner.is_at(0.0), "the node before may have left it anywhere"
    for angle in (1.0, 1.0, -1.0, 1.0):
        turner.turn_to(angle, Event())
    assert sent == [1.0, -1.0, 1.0] and turner.is_at(1.0)


def test_a_direction_that_cannot_be_looked_at_is_a_fault() -> None:
    room = Room(None, stuck_at=2.0)
    fault = look_around(room, room, (0.0, 1.0, 2.0), Event())
    assert isinstance(fault, Fault) and fault.code is SkillErrorCode.NAVIGATION_BLOCKED
    room = Room(None)
    room.silence = Fault(SkillErrorCode.SERVER_UNAVAILABLE, "dark")
    assert look_around(room, room, (0.0,), Event()) == room.silence


def test_a_cancel_leaves_the_question_without_an_answer() -> None:
    cancelled = Event()
    cancelled.set()
    assert look_around(Room(0.0), Room(0.0), (0.0,), cancelled) is None


def test_a_camera_that_turns_is_not_reported_as_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 10.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    node: Any = SimpleNamespace(
        lock=Lock(), cameras=CameraFrames(["head"], 1.0, 2.0), turning=False, _began=0.0
    )
    assert "no detections" in Perception.ailment(node)
    Perception.turns(node, True)
    assert Perception.ailment(node) == ""
    now = 19.0
    Perception.turns(node, False)
    assert Perception.ailment(node) == "", "its first frame since is still to come"
    now = 22.0
    assert "no detections" in Perception.ailment(node)


def test_a_frozen_camera_is_silent() -> None:
    frames = CameraFrames(["head"], age_limit=1.0, silence_limit=2.0)
    assert frames.usable("head", 100.0, 100.1, 5.0)
    frames.accept("head", 100.0, 5.0)
    assert not frames.usable("head", 100.0, 100.2, 5.1)
    assert frames.silent(0.0, 6.9) is None
    assert frames.silent(0.0, 7.1) is not None
    assert frames.silent(6.0, 7.1) is None  # a view that began just now
    assert frames.counts() == {"head": 1}


def test_a_clock_that_goes_back_does_not_silence_a_camera() -> None:
    frames = CameraFrames(["head"], age_limit=1.0, silence_limit=2.0)
    frames.accept("head", 5000.0, 5.0)
    assert frames.usable("head", 100.0, 100.1, 5.1)
    assert not frames.usable("head", 5000.0, 100.1, 5.1), "the same frame again"
    frames.accept("head", 100.0, 5.1)
    assert not frames.usable("head", 99.9, 100.1, 5.2), "an older frame that comes late"


def test_a_frame_taken_before_the_view_says_nothing_about_it() -> None:
    """It comes late, from a slow detector: the camera still looked elsewhere."""
    frames = CameraFrames(["head"], age_limit=1.0, silence_limit=2.0)
    times = iter((100.0, 50.0))
    node: Any = SimpleNamespace(
        parameters=PerceptionParameters(),
        lock=Lock(),
        world=PerceivedWorld(ObjectNames()),
        cameras=frames,
        turning=False,
        turns=lambda turning: None,
        clock=lambda: next(times),
    )
    call: Any = SimpleNamespace(feedback=SimpleNamespace(phase=""))
    eyes = Question(node, "apple", "kitchen", call)
    eyes.begin_view()
    assert not frames.usable("head", 99.5, 100.3, 5.0)
    slow = frames.silent(0.0, 5.1)
    assert slow is not None and "0.8 s old" in slow.message
    assert frames.usable("head", 100.1, 100.3, 5.0)
    assert frames.usable("head", 0.0, 100.3, 5.0)  # without a stamp nobody knows
    eyes.begin_view()
    assert frames.usable("head", 50.1, 50.2, 6.0), "the clock has gone back"


def test_old_frames_say_so_and_only_while_they_come() -> None:
    frames = CameraFrames(["head"], age_limit=1.0, silence_limit=2.0)
    assert not frames.usable("head", 100.0, 130.0, 5.0)
    old = frames.silent(0.0, 6.0)
    assert old is not None and "30.0 s old" in old.message
    later = frames.silent(0.0, 8.0)
    assert later is not None and "no detections have come" in later.message
