"""A run becomes a regression case: trimmed, under other names, with what its replay tells."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from recorded_runs import recorded
from stage import FakeSkills

from roboinstruct_ros.execute.skill_port import SkillOutcome
from roboinstruct_ros.trace.bag import BagError
from roboinstruct_ros.trace.expected import FILE, read_expected, write_expected
from roboinstruct_ros.trace.promoted import promote
from roboinstruct_ros.trace.regression import REPLAYS, Outcome, replay_all
from roboinstruct_ros.trace.run_trace import read_trace

ROOT = Path(__file__).parents[2]
ASK = 'go_to("study")\nif is_in_room("Alice"):\n    say("alice: " + ask("Alice", "Tea?", ["yes"]))'


@pytest.fixture
def bag(tmp_path: Path) -> Path:
    skills = FakeSkills({"is_in_room": SkillOutcome(True), "ask": SkillOutcome("yes")})
    return recorded(tmp_path / "run", ASK, skills, words="ask Alice in the study about tea")[0]


def test_a_case_is_expected_to_go_as_it_goes_now(bag: Path, tmp_path: Path) -> None:
    case = tmp_path / "cases" / "tea"
    assert [one.outcome for one in promote(bag, case, {})] == [Outcome.SAME] * 2
    assert json.loads((case / FILE).read_text()) == {"calls": "", "verdict": ""}
    assert read_trace(case).calls == read_trace(bag).calls


def test_people_get_other_names_everywhere(bag: Path, tmp_path: Path) -> None:
    case = tmp_path / "tea"
    promote(bag, case, {"Alice": "Ada"})
    text = b"".join(path.read_bytes() for path in case.iterdir())
    assert b"lice" not in text
    trace = read_trace(case)
    assert trace.words is not None and trace.words.text == "ask Ada in the study about tea"
    assert [call.call.arguments[0] for call in trace.calls][1:] == ["Ada", "Ada", "ada: yes"]


def test_what_cannot_be_a_case_leaves_nothing_behind(bag: Path, tmp_path: Path) -> None:
    with pytest.raises(BagError, match="'study' is a name in the bag already"):
        promote(bag, tmp_path / "case", {"Alice": "study"})
    with pytest.raises(BagError, match="'Alise' occurs nowhere in the bag; 'roboinstruct trace"):
        promote(bag, tmp_path / "case", {"Alice": "Ada", "Alise": "Bea"})
    body = f'say(str(len("{"Alice"}")))'
    counted, _ = recorded(tmp_path / "counted", body)
    with pytest.raises(BagError, match="under the other names it goes another way: call 1 was"):
        promote(counted, tmp_path / "case", {"Alice": "Ada"})
    assert not (tmp_path / "case").exists()
    with pytest.raises(BagError, match="cannot be opened"):
        promote(bag, bag, {})
    assert bag.is_dir()


def test_another_end_than_the_expected_one_is_told(bag: Path) -> None:
    write_expected(bag, {"calls": "call 3 was a thing of the past"})
    calls, verdict = replay_all([bag], REPLAYS, jobs=1)
    assert calls.told == "goes as recorded; expected is: call 3 was a thing of the past"
    assert (calls.outcome, verdict.outcome) == (Outcome.DIFFERENT, Outcome.SAME)
    write_expected(bag, {"verdict": "x"})
    assert set(read_expected(bag)) == {"calls", "verdict"}
    (bag / FILE).write_text('{"calls": 3}')
    (unreadable, _) = replay_all([bag], REPLAYS, jobs=1)
    assert unreadable.outcome is Outcome.UNREADABLE
    assert "not the name of a depth and a text for each" in unreadable.told


def test_pytest_collects_a_folder_of_bags(bag: Path, tmp_path: Path) -> None:
    case = tmp_path / "cases" / "tea"
    promote(bag, case, {})

    def tested() -> subprocess.CompletedProcess[str]:
        plugin = ("-p", "roboinstruct_ros.trace.pytest_plugin", "-p", "no:cacheprovider")
        command = [sys.executable, "-m", "pytest", *plugin, "--roboinstruct-bags", case.parent]
        return subprocess.run(
            [*command, "-q"], cwd=case.parent, env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    passed = tested()
    assert passed.returncode == 0 and "1 passed" in passed.stdout, passed.stdout
    write_expected(case, {"calls": "call 2 was another one"})
    failed = tested()
    assert failed.returncode == 1 and "1 failed" in failed.stdout
    assert "calls: goes as recorded; expected is: call 2 was another one" in failed.stdout
    assert "Traceback" not in failed.stdout and "recorded run tea" in failed.stdout
