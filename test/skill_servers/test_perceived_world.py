"""What counts as there: seen often enough, of one name, at one place."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roboinstruct_ros.domain.files.shared_files import shared_file
from roboinstruct_ros.skill_servers.perception.object_name_match import (
    ObjectNames,
    load_object_names,
)
from roboinstruct_ros.skill_servers.perception.perceived_world import (
    Memory,
    PerceivedWorld,
    Sighting,
)

NAMES = load_object_names(shared_file("config/object_names.yaml"), ["Alice"])
APPLE = Sighting("apple", 0.9, (1.0, 2.0, 0.8), room="kitchen")


def world(**memory: float) -> PerceivedWorld:
    return PerceivedWorld(NAMES, Memory(**memory))  # type: ignore[arg-type]


def run(patterns: list[bool], memory: Memory) -> list[bool]:
    """For each frame, whether an apple is there according to this frame and those before."""
    perceived, there = PerceivedWorld(ObjectNames(), memory), []
    for now, seen in enumerate(patterns):
        perceived.see("camera", [APPLE] if seen else [], now)
        there.append(bool(perceived.in_room("apple", "kitchen", now)))
    return there


@given(st.lists(st.booleans(), max_size=30), st.integers(1, 5), st.integers(0, 4))
def test_a_thing_is_there_when_seen_in_k_of_the_last_n_frames(
    patterns: list[bool], hits: int, more: int
) -> None:
    frames = hits + more
    for index, there in enumerate(run(patterns, Memory(hits=hits, frames=frames))):
        window = patterns[max(0, index + 1 - frames) : index + 1]
        assert there == (patterns[index] and sum(window) >= hits)


def test_a_low_score_never_counts_and_each_name_has_its_own_threshold() -> None:
    perceived = world(hits=1)
    faint = Sighting("person", 0.55, (0.0, 0.0, 0.0), room="kitchen")
    perceived.see("camera", [faint, Sighting("apple", 0.55, (1.0, 0.0, 0.0), room="kitchen")], 0.0)
    assert perceived.in_room("apple", "kitchen", 0.0)
    assert not perceived.in_room("person", "kitchen", 0.0)


@given(
    st.lists(
        st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=1, max_size=6, unique=True
    ).filter(lambda at: all(math.dist(a, b) > 0.7 for a in at for b in at if a is not b)),
    st.permutations(range(6)),
)
def test_things_of_one_name_stay_apart_in_any_order(
    places: list[tuple[float, float]], order: list[int]
) -> None:
    perceived = world(hits=2, distance=0.3)
    for frame in range(3):
        shaken = [(x + 0.1 * frame, y, 0.5) for x, y in places]
        ranked = [shaken[i] for i in order if i < len(shaken)]
        perceived.see("camera", [Sighting("cup", 0.9, p, room="study") for p in ranked], frame)
    assert len(perceived.in_room("cup", "study", 2.0)) == len(places)


def test_people_may_walk_and_are_people_by_their_own_names_too() -> None:
    perceived = world(hits=3)
    for frame in range(3):
        at = (0.5 * frame, 0.0, 0.9)
        perceived.see("camera", [Sighting("alice", 0.9, at, room="study")], frame)
    assert [t.name for t in perceived.in_room("someone", "study", 2.0)] == ["alice"]
    assert perceived.find("Alice") and not perceived.find("Bob")


def test_images_without_depth_keep_one_thing_a_name_and_room() -> None:
    perceived = world(hits=2)
    for frame in range(4):
        perceived.see("camera", [Sighting("apple", 0.9, room="kitchen")], frame)
    assert len(perceived.find("apple")) == 1
    for frame in range(4, 8):
        perceived.see("camera", [Sighting("apple", 0.9, room="study")], frame)
    assert {t.last.room for t in perceived.find("apple")} == {"kitchen", "study"}


def test_a_look_anew_needs_new_frames_and_keeps_the_memory() -> None:
    perceived = world(hits=3, frames=5, forget_after=60.0)
    for frame in range(3):
        perceived.see("camera", [APPLE], frame)
    perceived.look_anew()
    perceived.see("camera", [APPLE], 10.0)
    assert not perceived.in_room("apple", "kitchen", 5.0)
    assert perceived.find("apple")[0].there_at == 2
    for now in (70.0, 70.1, 70.2, 70.3, 70.4):
        perceived.see("camera", [], now)
    assert perceived.find("apple") == []


def test_one_camera_does_not_overrule_another() -> None:
    perceived = world(hits=2, frames=2)
    for frame in range(4):
        perceived.see("head", [APPLE], frame)
        perceived.see("hand", [], frame)
    assert perceived.in_room("apple", "kitchen", 3.0)


def test_what_was_picked_up_is_taken_away_and_its_neighbour_stays() -> None:
    perceived = world(hits=1)
    far = Sighting("apple", 0.9, (3.0, 2.0, 0.8), room="kitchen")
    perceived.see("camera", [APPLE, far], 0.0)
    perceived.take_away("apple", (1.1, 2.0, 0.9), 0.5)
    assert [t.last.position for t in perceived.find("apple")] == [far.position]
    perceived.take_away("apple", (1.1, 2.0, 0.9), 0.5)
    assert len(perceived.find("apple")) == 1


def test_what_was_picked_up_is_taken_away_from_every_camera() -> None:
    perceived = world(hits=1)
    perceived.see("head", [APPLE], 0.0)
    perceived.see("hand", [APPLE], 0.0)
    plate = Sighting("plate", 0.9, room="kitchen")
    perceived.see("flat", [Sighting("apple", 0.9, room="kitchen"), plate], 0.0)
    perceived.take_away("apple", (1.1, 2.0, 0.9), 0.5)
    assert [track.name for track in perceived.remembered()] == ["plate"]


def test_a_frame_full_of_one_name_delays_no_cancel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are compared under the node's lock, which the end of a goal takes, too."""
    compared: list[str] = []
    is_a = ObjectNames.is_a

    def counted(names: ObjectNames, seen: str, asked: str) -> bool:
        compared.append(seen)
        return is_a(names, seen, asked)

    monkeypatch.setattr(ObjectNames, "is_a", counted)
    perceived = world()
    for frame in range(3):
        places = [(float(x), float(frame), 0.0) for x in range(100)]
        perceived.see("camera", [Sighting("cup", 0.9, at) for at in places], frame)
    assert len(perceived.tracks) == 300 and len(compared) <= 3


@given(st.integers(1, 40))
def test_the_number_of_things_kept_is_bounded(count: int) -> None:
    perceived = world(hits=1, most=10)
    for index in range(count):
        at = (float(index), 0.0, 0.0)
        perceived.see("camera", [Sighting("cup", 0.9, at, room="study")], float(index))
    assert len(perceived.tracks) == min(count, 10)
    assert perceived.find("cup")[0].there_at == count - 1
