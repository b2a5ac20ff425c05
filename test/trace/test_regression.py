"""A folder of bags as a suite: findings are kept, times have tolerances, one page tells it."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from recorded_runs import recorded

from roboinstruct_ros.domain.configuration import ConfigError
from roboinstruct_ros.trace.bag import BagError
from roboinstruct_ros.trace.compared import Depth, Timed, Timing
from roboinstruct_ros.trace.expected import write_expected
from roboinstruct_ros.trace.regression import Outcome, Replayed, replay_all
from roboinstruct_ros.trace.replay_results import page
from roboinstruct_ros.trace.run_trace import RunTrace
from roboinstruct_ros.trace.stored import Store
from roboinstruct_ros.trace.tolerances import read_tolerances

LATE = Timed(None, (Timing(0, "", 60.0, 64.0), Timing(2, "pick", 3.0, 5.0)))


@pytest.fixture
def bags(tmp_path: Path) -> list[Path]:
    return [recorded(tmp_path / name, f'say("{name}")')[0] for name in ("one", "two", "three")]


class Counted:
    """Finds the same of every bag but of some, and notes which it was given."""

    def __init__(self, finds: object = None, fails: str = "", ends: str = "") -> None:
        self.finds, self.fails, self.ends = finds, fails, ends
        self.given: list[str] = []

    def __call__(self, trace: RunTrace, how: str = "") -> object:
        self.given.append(trace.name)
        if trace.name == self.ends:
            raise KeyboardInterrupt
        if trace.name == self.fails:
            raise ZeroDivisionError("division by zero")
        return self.finds


def replayed(bags: list[Path], again: Any, **more: Any) -> list[Replayed]:
    return list(replay_all(bags, {Depth.SIMULATE: again}, 1, **more))


def test_a_replay_that_fails_itself_is_one_line_and_the_others_go_on(bags: list[Path]) -> None:
    one, two, three = replayed(bags, Counted(fails="two"))
    assert (one.outcome, three.outcome) == (Outcome.SAME, Outcome.SAME)
    assert two.outcome is Outcome.UNREADABLE
    assert two.told == f"{bags[1]}: the replay itself failed: ZeroDivisionError division by zero"


def test_what_was_found_is_not_looked_for_again(bags: list[Path], tmp_path: Path) -> None:
    file, cut_off, later = tmp_path / "found.jsonl", Counted("x", ends="three"), Counted("y")
    with pytest.raises(KeyboardInterrupt):
        replayed(bags, cut_off, store=Store(file))
    file.write_text(file.read_text() + '{"bag": "thr')  # as the power went
    results = replayed(bags, later, store=Store(file))
    assert (cut_off.given, later.given) == (["one", "two", "three"], ["three"])
    assert [one.told for one in results] == ["x", "x", "y"]
    assert [one.told for one in replayed(bags, Counted(), store=Store(file))] == ["x", "x", "y"]
    write_expected(bags[0], {"simulate": "x"})
    outcomes = [one.outcome for one in replayed(bags, Counted(), store=Store(file))]
    assert outcomes == [Outcome.SAME, Outcome.DIFFERENT, Outcome.DIFFERENT]


def test_what_was_done_another_way_or_with_another_bag_is_done_again(
    bags: list[Path], tmp_path: Path
) -> None:
    file, again = tmp_path / "found.jsonl", Counted(fails="two")
    replayed(bags, partial(again, how="slowly"), store=Store(file))
    (data,) = bags[0].glob("*.mcap")
    data.touch()
    again.given.clear()
    replayed(bags, partial(again, how="slowly"), store=Store(file))
    assert again.given == ["one", "two"]
    again.given.clear()
    replayed(bags, partial(again, how="fast"), store=Store(file))
    assert again.given == ["one", "two", "three"]


def test_another_file_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("milk\n")
    with pytest.raises(BagError, match="notes:1: not a line that 'replay --store' has written"):
        Store(tmp_path / "notes")
    with pytest.raises(BagError, match="cannot be used as a store"):
        Store(tmp_path / "no" / "where")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{}", ""),
        ("run: {seconds: 5}", ""),
        ("run: {seconds: 3, share: 0.1}", ""),
        ("run: {seconds: 3}", "the run took 60.0 s and takes 64.0 s (allowed: 3 s or 0%)"),
        ("calls: {pick: {seconds: 1}}",
         "call 2, pick, took 3.0 s and takes 5.0 s (allowed: 1 s or 0%)"),
        ('calls: {"*": {seconds: 1}, pick: {share: 0.7}}', ""),
        ('calls: {"*": {share: 0.5}}',
         "call 2, pick, took 3.0 s and takes 5.0 s (allowed: 0 s or 50%)"),
    ],
)  # fmt: skip
def test_times_are_compared_within_the_tolerances_of_a_file(
    text: str, told: str, bags: list[Path], tmp_path: Path
) -> None:
    file = tmp_path / "tolerances.yaml"
    file.write_text(text)
    (result,) = replayed(bags[:1], Counted(LATE), tolerances=read_tolerances(str(file)))
    assert result.told == told
    assert (result.outcome is Outcome.SAME) == (not told)


def test_tolerances_that_cannot_be_used_are_one_line(tmp_path: Path) -> None:
    file = tmp_path / "tolerances.yaml"
    file.write_text("runs: {seconds: 5}")
    with pytest.raises(ConfigError, match="did you mean 'run'"):
        read_tolerances(str(file))


def test_the_page_tells_what_is_not_as_expected_first(bags: list[Path]) -> None:
    text = page(replayed(bags, Counted('says "<b>"', fails="two")))
    assert "<th>same</th><th>skipped</th><th>different</th><th>unreadable</th>" in text
    assert "<td>simulate</td><td>0</td><td>0</td><td>2</td><td>1</td>" in text
    assert text.index("ZeroDivisionError") < text.index("says &quot;&lt;b&gt;&quot;")
    assert "http" not in text


def test_ray_is_needed_only_where_it_is_asked_for(
    bags: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert len(replayed(bags, Counted())) == 3
    with pytest.raises(BagError, match="--ray: Ray is not installed here; pip install 'ray'"):
        replayed(bags, Counted(), cluster="local")
