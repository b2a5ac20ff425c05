"""What a loss of power, or a bad disk, leaves of a bag is saved, or told in one line."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roboinstruct_ros.trace import bag as bags
from roboinstruct_ros.trace.bag import (
    EVENT_TYPE,
    BagError,
    BagWriter,
    RecordedEvent,
    read_events,
    serialized,
)
from roboinstruct_ros.trace.promoted import promote
from roboinstruct_ros.trace.repair import repair
from roboinstruct_ros.trace.replay import replay_calls
from roboinstruct_ros.trace.run_trace import read_trace

TOPIC = "/roboinstruct/events"
SHIPPED = Path(__file__).parents[1] / "bags" / "failed"
EVENTS = [
    RecordedEvent(seq, "executor", "s1", 10.0 + seq, "t1", "warning", {"message": "é" * seq})
    for seq in range(30)
]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file of which every third message was brought to the disk at once."""
    folder = tmp_path_factory.mktemp("whole") / "bag"
    writer = BagWriter(folder, {TOPIC: EVENT_TYPE})
    for event in EVENTS:
        writer.write(TOPIC, event.seq, serialized(event))
        if event.seq % 3 == 2:
            writer._keep()
    writer.close()
    return next(folder.glob("*.mcap")).read_bytes()


def saved(content: bytes) -> list[RecordedEvent]:
    with tempfile.TemporaryDirectory() as name:
        torn = Path(name) / "torn"
        torn.mkdir()
        (torn / "torn.mcap").write_bytes(content)
        try:
            repair(torn, Path(name) / "new")
        except BagError as error:
            assert "\n" not in str(error)
            return []
        return list(read_events(Path(name) / "new"))


@given(st.data())
@settings(max_examples=40)
def test_of_a_bag_that_is_cut_off_all_before_the_cut_is_saved(
    whole: bytes, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(whole)))
    found = saved(whole[:cut])
    assert found == EVENTS[: len(found)]
    there = [event for event in EVENTS if serialized(event)[4:] in whole[:cut]]
    assert len(found) == len(there)


@given(st.data())
@settings(max_examples=40)
def test_of_a_bag_with_bits_flipped_what_can_be_read_is_saved(
    whole: bytes, data: st.DataObject
) -> None:
    content = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] ^= 1 << data.draw(st.integers(0, 7))
    assert len(saved(bytes(content))) <= len(EVENTS)


def test_a_run_cut_at_every_kilobyte_is_replayed_as_far_as_it_was_saved(tmp_path: Path) -> None:
    (data,) = SHIPPED.glob("*.mcap")
    content, read = data.read_bytes(), []
    for cut in range(0, len(content), 1000):
        torn, new = tmp_path / f"{cut}", tmp_path / f"{cut}_repaired"
        shutil.copytree(SHIPPED, torn)
        (torn / data.name).write_bytes(content[:cut])
        with pytest.raises(BagError, match=f"^{torn}: not a complete bag: .*trace repair"):
            read_trace(torn)
        try:
            repair(torn, new)
            trace = read_trace(new)
        except BagError as error:
            assert str(error).count("\n") == 0
            continue
        assert replay_calls(trace) is None
        read.append(len(trace.calls))
    assert read and read == sorted(read) and read[-1] == 2


def test_a_second_later_what_was_written_is_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bags, "KEPT_EVERY", 0.0)
    writer = BagWriter(tmp_path / "bag", {TOPIC: EVENT_TYPE})
    for event in EVENTS[:5]:
        writer.write(TOPIC, event.seq, serialized(event))
    shutil.copytree(tmp_path / "bag", tmp_path / "at_the_loss")
    repaired = repair(tmp_path / "at_the_loss", tmp_path / "saved")
    assert list(read_events(repaired.folder)) == EVENTS[:5]
    writer.close()


@pytest.mark.parametrize("fault", [BagError("File too large"), KeyboardInterrupt()])
@pytest.mark.parametrize("does", [repair, lambda bag, to: promote(bag, to, {})])
def test_what_could_not_be_written_whole_is_not_there(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: BaseException,
    does: Callable[[Path, Path], object],
) -> None:
    def write(*_: object) -> None:
        raise fault

    bag = shutil.copytree(SHIPPED, tmp_path / "bag")
    with monkeypatch.context() as patched:
        patched.setattr(BagWriter, "write", write)
        with pytest.raises(type(fault)):
            does(bag, tmp_path / "new")
    assert not (tmp_path / "new").exists()
    does(bag, tmp_path / "new")
    with pytest.raises(BagError, match="cannot be opened"):
        does(bag, tmp_path / "new")
    assert list(read_events(tmp_path / "new"))  # what was there before stays


def test_what_is_no_bag_or_of_another_type_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BagError, match=r"nowhere: not a bag: a folder with one \.mcap in it"):
        repair(tmp_path / "nowhere", tmp_path / "new")
    writer = BagWriter(tmp_path / "odd", {TOPIC: "std_msgs/msg/String"})
    text = bags.typestore().types["std_msgs/msg/String"](data="x")
    writer.write(TOPIC, 1, serialized(text))
    writer.close()
    with pytest.raises(BagError, match="is std_msgs/msg/String, not roboinstruct_msgs/msg/Event"):
        read_trace(tmp_path / "odd")
