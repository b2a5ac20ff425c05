"""A folder of bags replayed on a Ray cluster tells the same as on one machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from roboinstruct_ros.trace.bag import BagError
from roboinstruct_ros.trace.compared import Depth
from roboinstruct_ros.trace.regression import Replayed, replay_all
from roboinstruct_ros.trace.replay import replay_calls
from roboinstruct_ros.trace.run_trace import bags_under

BAGS = bags_under(Path(__file__).parents[1] / "test" / "bags")


def told(bags: list[Path], cluster: str) -> list[tuple[Path, str, str]]:
    def plain(one: Replayed) -> tuple[Path, str, str]:
        return one.folder, one.outcome.value, one.told

    results = replay_all(bags, {Depth.CALLS: replay_calls}, 1, cluster=cluster)
    return [plain(one) for one in results]


def test_a_cluster_tells_the_same_in_the_same_order(tmp_path: Path) -> None:
    torn = tmp_path / "torn"
    torn.mkdir()
    (torn / "torn.mcap").write_bytes(b"\x89MCAP")
    bags = [*BAGS[:3], torn, *BAGS[3:]]
    here = told(bags, "")
    assert told(bags, "local") == here
    assert [outcome for _, outcome, _ in here].count("unreadable") == 1


def test_no_cluster_is_one_line() -> None:
    with pytest.raises(BagError, match=r"--ray 127.0.0.1:1: no Ray cluster answers there"):
        told(BAGS, "127.0.0.1:1")
