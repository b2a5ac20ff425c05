"""The data set as a file: accepted, far apart, and the same when it was stopped half way."""

from __future__ import annotations

import json
import sys
from itertools import combinations
from pathlib import Path

import pytest

from roboinstruct_ros.learn.dataset import NotADataset, main, write
from roboinstruct_ros.learn.near_duplicates import MOST_SIMILAR, pattern_of, similarity
from roboinstruct_ros.learn.pairs.check import fault
from roboinstruct_ros.learn.pairs.draw_pair import make_pair

pytestmark = pytest.mark.computes

PAIRS, SEED = 60, 6


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dataset") / "pairs.jsonl"
    write(path, PAIRS, SEED)
    return path


def test_every_row_is_accepted_and_no_two_of_a_family_are_alike(whole: Path) -> None:
    rows = [json.loads(line) for line in whole.read_text().splitlines()]
    assert len(rows) == PAIRS
    patterns: dict[str, list[tuple[str, ...]]] = {}
    for row in rows:
        pair = make_pair(SEED, row["number"])
        assert (pair.prompt, pair.completion) == (row["prompt"], row["completion"])
        assert not fault(pair)
        patterns.setdefault(row["family"], []).append(pattern_of(pair.instruction, pair.program))
    for family in patterns.values():
        assert all(similarity(a, b) < MOST_SIMILAR for a, b in combinations(family, 2))


@pytest.mark.parametrize("cut", [0, 1, 5000, 40001])
def test_a_file_that_was_cut_off_anywhere_becomes_the_same_file(
    whole: Path, tmp_path: Path, cut: int
) -> None:
    part = tmp_path / "part.jsonl"
    part.write_bytes(whole.read_bytes()[:cut])
    write(part, PAIRS, SEED)
    assert part.read_bytes() == whole.read_bytes()


def test_a_file_of_another_seed_is_refused_and_kept(whole: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_bytes(whole.read_bytes())
    with pytest.raises(NotADataset, match="is not of --seed 7"):
        write(other, PAIRS, SEED + 1)
    assert other.read_bytes() == whole.read_bytes()


def test_a_file_of_something_else_is_one_line_to_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("buy milk\n")
    monkeypatch.setattr(sys, "argv", ["dataset", "--out", str(path), "--pairs", "3"])
    with pytest.raises(SystemExit, match=r"notes\.txt:1: is no row of a data set") as ended:
        main()
    assert "\n" not in str(ended.value)
    assert path.read_text() == "buy milk\n"
