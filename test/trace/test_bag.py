"""Bags are read back as written, and a bag that is cut off says so in one line."""

from __future__ import annotations

import resource
import tempfile
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roboinstruct_ros.trace.bag import (
    EVENT_TYPE,
    BagError,
    BagWriter,
    RecordedEvent,
    being_recorded,
    read_events,
    read_messages,
    serialized,
    typestore,
)
from roboinstruct_ros.trace.repair import repair
from roboinstruct_ros.trace.run_trace import read_trace

TOPIC = "/robot_7/roboinstruct/events"


def event(seq: int) -> bytes:
    data = {"index": seq, "arguments": ["café"]}
    return serialized(RecordedEvent(seq, "executor", "s1", 10.5 + seq, "t1", "skill_started", data))


def write_bag(folder: Path, count: int) -> None:
    bag = BagWriter(folder, {TOPIC: EVENT_TYPE, "/odom": "nav_msgs/msg/Odometry"})
    for seq in range(count):
        bag.write(TOPIC, 10**18 + seq, event(seq))
    bag.close()


def test_events_are_read_back_without_a_gap(tmp_path: Path) -> None:
    write_bag(tmp_path / "deep" / "run", 200)
    events = list(read_events(tmp_path / "deep" / "run"))
    assert [e.seq for e in events] == list(range(200))
    assert events[3].data == {"index": 3, "arguments": ["café"]}
    assert events[3].stamp == pytest.approx(13.5)
    assert (events[3].source, events[3].session, events[3].task_id) == ("executor", "s1", "t1")


def test_a_bag_that_is_cut_off_is_one_clear_line(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    write_bag(folder, 50)
    (data,) = folder.glob("*.mcap")
    whole = data.read_bytes()
    for share in (0.0, 0.3, 0.9):
        data.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(BagError, match=f"^{folder}: not a complete bag: .*$"):
            list(read_events(folder))


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_bag_with_bytes_changed_is_read_or_one_clear_line(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "run"
        write_bag(folder, 5)
        path = data.draw(st.sampled_from(sorted(folder.iterdir())))
        content = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(1, 4))):
            place = data.draw(st.integers(0, len(content) - 1))
            content[place] = data.draw(st.integers(0, 255))
        path.write_bytes(content[: data.draw(st.integers(len(content) // 2, len(content)))])
        try:
            list(read_events(folder))
        except BagError as error:
            assert "\n" not in str(error) and len(str(error)) < len(str(folder)) + 400


def test_what_a_full_disk_took_is_saved_and_the_rest_is_told_in_one_line(tmp_path: Path) -> None:
    run = tmp_path / "run"
    bag = BagWriter(run, {TOPIC: EVENT_TYPE})
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(BagError, match=f"^{run}: File too large$"):
            for seq in range(100_000):
                bag.write(TOPIC, 10**18 + seq, event(seq))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    bag.close()
    assert not being_recorded(run)
    repaired = repair(run, tmp_path / "saved")
    size = sum(path.stat().st_size for path in run.iterdir())
    assert 0.98 * size < repaired.messages * (len(event(300)) + 31) < size < 100_001
    assert [one.seq for one in read_events(repaired.folder)] == list(range(repaired.messages))


def test_events_keep_their_order_when_the_clock_is_set(tmp_path: Path) -> None:
    bag = BagWriter(tmp_path / "run", {TOPIC: EVENT_TYPE})
    hour, now = 3600 * 10**9, 10**18
    for seq, jump in enumerate([0, 0, -hour, -hour, 10 * hour, 10 * hour, -hour]):
        bag.write(TOPIC, now + jump + seq, event(seq))
    bag.close()
    assert [one.seq for one in read_events(tmp_path / "run")] == list(range(7))
    times = [stamp - now for _, stamp, _ in read_messages(tmp_path / "run", (TOPIC[9:],))]
    assert times == [0, 1, 1, 2, 11 * hour + 3, 11 * hour + 4, 11 * hour + 4]


def test_a_big_bag_is_read_in_little_memory(tmp_path: Path) -> None:
    bag = BagWriter(tmp_path / "run", {TOPIC: EVENT_TYPE, "/odom": "nav_msgs/msg/Odometry"})
    for seq in range(40):
        bag.write(TOPIC, 10**18 + seq, event(seq))
        bag.write("/odom", 10**18 + seq, bytes(10**6))
    bag.close()
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_events(tmp_path / "run")) == 40
        assert sum(1 for _ in read_events(repair(tmp_path / "run", tmp_path / "two").folder)) == 40
        assert tracemalloc.get_traced_memory()[1] < 10 * 10**6
    finally:
        tracemalloc.stop()


def test_a_bag_of_a_later_version_is_one_clear_line(tmp_path: Path) -> None:
    for name, written in (
        ("other_data", RecordedEvent(0, "executor", "s1", 10.5, "t1", "run_started", {})),
        ("other_fields", typestore().types["std_msgs/msg/String"]("x")),
    ):
        bag = BagWriter(tmp_path / name, {TOPIC: EVENT_TYPE})
        bag.write(TOPIC, 1, serialized(written))
        bag.close()
        with pytest.raises(BagError, match=f"{name}: not a (run|complete bag).*: .*$"):
            read_trace(tmp_path / name)


def test_what_is_no_bag_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(BagError, match="not a complete bag"):
        list(read_events(tmp_path / "nowhere"))


def test_a_run_is_never_written_over(tmp_path: Path) -> None:
    write_bag(tmp_path / "run", 1)
    with pytest.raises(BagError, match="cannot be opened"):
        BagWriter(tmp_path / "run", {TOPIC: EVENT_TYPE})
    assert len(list(read_events(tmp_path / "run"))) == 1
