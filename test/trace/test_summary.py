"""What a list tells of a run is kept beside its bag, and never believed against the bag."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from recorded_runs import TOPIC, recorded
from stage import FakeSkills

from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.trace.bag import EVENT_TYPE, BagError, BagWriter, read_events, serialized
from roboinstruct_ros.trace.summary import FILE, summary

BODY = 'go_to("cooking area")\nif is_in_room("Alice"):\n    say("to " + get_current_location())'


@pytest.fixture
def bag(tmp_path: Path) -> Path:
    skills = FakeSkills(
        {"is_in_room": SkillOutcome(True), "get_current_location": SkillOutcome("hallway")}
    )
    return recorded(tmp_path / "run", BODY, skills, words="see to Alice")[0]


def test_rooms_and_names_are_those_of_the_calls(bag: Path) -> None:
    told = summary(bag)
    assert set(told.rooms) == {"hallway", "kitchen"}
    assert (told.named, told.calls, told.outcome) == (("Alice",), 4, "succeeded")


def test_what_is_kept_is_read_instead_of_the_bag(bag: Path) -> None:
    assert not (bag / FILE).exists()
    told = summary(bag, keep=True)
    path = next(bag.glob("*.mcap"))
    before = path.stat()
    path.write_bytes(bytes(before.st_size))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert summary(bag) == told


@pytest.mark.parametrize("content", [b"", b"{", b'{"of": [1, 2], "summary": {}}', b"\xff"])
def test_what_is_kept_and_cannot_be_read_does_not_matter(bag: Path, content: bytes) -> None:
    told = summary(bag)
    (bag / FILE).write_bytes(content)
    assert summary(bag) == told


def test_a_bag_that_has_changed_since_is_read_again(bag: Path) -> None:
    summary(bag, keep=True)
    path = next(bag.glob("*.mcap"))
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(BagError, match="not a complete bag"):
        summary(bag)


def test_where_nothing_can_be_written_it_is_told_all_the_same(bag: Path) -> None:
    (bag / FILE).mkdir()
    assert summary(bag, keep=True).calls == 4


@pytest.mark.parametrize("kind", ["skill_finished", "run_finished"])
def test_a_code_of_another_version_is_told_in_one_line(
    bag: Path, tmp_path: Path, kind: str
) -> None:
    other = tmp_path / "other"
    with closing(BagWriter(other, {TOPIC: EVENT_TYPE})) as writer:
        for number, event in enumerate(read_events(bag)):
            data = {**event.data, "error_code": 999} if event.kind == kind else event.data
            writer.write(TOPIC, number, serialized(replace(event, data=data)))
    with pytest.raises(BagError, match=r"not a run as this version records it: .* 999"):
        summary(other)
