"""Ablations: the same tasks and programs without a part of the method, held against the whole."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from command_line import Ended, cli, one_line
from model_server import ModelServer

from roboinstruct_ros.learn.ablations.table import ablation_rows
from roboinstruct_ros.learn.pipeline.manifest import read_manifest
from roboinstruct_ros.learn.pipeline.record_file import RecordFile
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.programs.candidates import Candidates, candidates
from roboinstruct_ros.learn.records import Pair, Sample


def ablate(what: Path, run: Path, *more: str) -> Ended:
    return cli("learn", "ablate", str(what), "--to", str(run), *more)


def pairs_of(run: Path) -> list[str]:
    return [one.id for one in RecordFile(run / "cleaning/records.jsonl", Pair)]


def test_each_setting_learns_from_the_pairs_that_it_would_have(
    tmp_path: Path, config: Path
) -> None:
    run = tmp_path / "run"
    done = ablate(config, run)
    assert done.returncode == 0, done.stderr
    found = {one.name: pairs_of(one) for one in (run / "ablations").iterdir() if one.is_dir()}
    assert {"as-it-is": pairs_of(run), **found} == {
        "as-it-is": ["t0/0", "t2/1", "t3/2"],  # den 1 fits nothing
        "no-verifier": ["t0/0", "t2/0", "t3/0"],
        "no-alignment": ["t0/0", "t1/0", "t2/1", "t3/2"],
        "neither": ["t0/0", "t1/0", "t2/0", "t3/0"],
        "self-instruct": ["t0/0", "t1/0", "t2/0", "t3/0", "t4/0"],  # t5 has no Python
        "resamplings-0": ["t0/0"],
        "resamplings-1": ["t0/0", "t2/1"],
    }


def test_tasks_and_programs_are_made_once_and_nothing_is_done_again(
    tmp_path: Path, config: Path, done: list[str], server: ModelServer
) -> None:
    run = tmp_path / "run"
    assert ablate(config, run, "--only", "neither,resamplings-0").returncode == 0
    assert Counter(one.partition("/")[2] for one in done) == {
        "tasks": 1, "programs": 1, "training": 3, "export": 3, "evaluation": 3
    }  # fmt: skip
    before, asked = len(done), len(server.asked)
    again = cli("learn", "ablate", str(run), "--only", "neither,resamplings-0")
    assert again.returncode == 0 and "begins" not in again.stderr
    assert (len(done), len(server.asked)) == (before, asked)


def test_the_table_holds_each_setting_against_the_run_as_it_is(
    tmp_path: Path, config: Path
) -> None:
    run = tmp_path / "run"
    done = ablate(config, run, "--only", "no-alignment,neither", "--json")
    found: dict[str, Any] = {one["name"]: one for one in json.loads(done.stdout)}
    assert list(found) == ["base", "as-it-is", "no-alignment", "neither"]
    assert json.loads((run / "ablations/ablations.json").read_text()) == list(found.values())
    assert [one["rejected"] for one in found.values()] == [0, 0, 0, 2]
    assert [one["right"]["value"] for one in found.values()] == [1 / 24, 0.5, 16 / 24, 16 / 24]
    assert found["as-it-is"]["against"] is None
    against = found["no-alignment"]["against"]
    assert against["value"] == pytest.approx(4 / 24) and against["low"] < 4 / 24 < against["high"]
    shown = cli("learn", "ablate", str(run), "--only", "neither").stdout
    assert "+16.7 (" in shown and "67 % (" in shown
    page = Path(cli("learn", "show", str(run)).stdout.strip()).read_text()
    assert "Ablations" in page and "16.7<" in page


def test_a_setting_without_figures_is_told_and_holds_up_no_other(
    tmp_path: Path, config: Path
) -> None:
    run = tmp_path / "run"
    broken = run / "ablations/neither"
    broken.mkdir(parents=True)
    (broken / "broken").touch()
    done = ablate(config, run, "--only", "neither,resamplings-1")
    assert done.returncode == 1 and "the memory is full" in done.stderr
    found = {one["name"]: one for one in json.loads((run / "ablations/ablations.json").read_text())}
    assert found["neither"]["missing"] == "the step training is not done"
    assert found["resamplings-1"]["right"]["value"] == 8 / 24
    assert "neither: the step training is not done." in " ".join(done.stdout.split())
    (broken / "broken").unlink()
    assert cli("learn", "ablate", str(run), "--only", "neither").returncode == 0


def test_a_setting_that_has_no_pairs_says_so(tmp_path: Path, config: Path) -> None:
    known = tmp_path / "known.txt"
    known.write_text("Sing in den 0.\n")
    tests = f"held_out: 0, test_sets: [{known}], most_like_test: 1.0"
    config.write_text(config.read_text().replace("held_out: 0", tests))
    done = ablate(config, tmp_path / "run", "--only", "resamplings-0,neither")
    assert done.returncode == 1, done.stderr
    told = " ".join(done.stdout.split())
    assert "resamplings-0: no pair is left to learn from." in told
    assert read_manifest(tmp_path / "run/ablations/neither").steps[Step.EVALUATION].made


def test_what_changed_above_is_not_taken_for_what_was_made(tmp_path: Path, config: Path) -> None:
    run = tmp_path / "run"
    assert ablate(config, run, "--only", "neither").returncode == 0
    records = run / "programs/records.jsonl"
    records.write_text("\n".join(records.read_text().splitlines()[:1]) + "\n")
    told = one_line(cli("learn", "ablate", str(run), "--only", "neither"))
    assert "programs/records.jsonl changed; --redo" in told
    assert cli("learn", str(run), "--redo").returncode == 0
    found = {one.name: one for one in ablation_rows(run)}
    assert found["neither"].missing == "made from other tasks or programs, needs --redo"
    done = cli("learn", "ablate", str(run), "--only", "neither", "--redo")
    assert done.returncode == 0, done.stderr
    assert pairs_of(run / "ablations/neither") == ["t0/0"]


def test_it_says_what_cannot_be_asked_for_in_one_line(
    tmp_path: Path, config: Path, done: list[str]
) -> None:
    run = tmp_path / "run"
    unknown = one_line(ablate(config, run, "--only", "no-verifer"))
    assert "no-verifer: no setting; there are no-verifier, no-alignment" in unknown
    more = one_line(ablate(config, run, "--only", "resamplings-10"))
    assert "resamplings-10: comes to the same as as-it-is in this run" in more
    text = config.read_text()
    config.write_text(text.replace("alignment: {", "alignment: {judge: false, "))
    same = one_line(ablate(config, run, "--only", "no-alignment"))
    assert "no-alignment: comes to the same as as-it-is in this run" in same
    config.write_text(text + "steps: [tasks, programs]\n")
    assert "steps: ablations need all of them; add alignment" in one_line(ablate(config, run))
    assert not done and not run.exists()


def test_candidates_follow_the_limit_of_each_wanted_program() -> None:
    program = "def task_program():\n    pass\n"
    samples = [Sample("t", number, program, number in (2, 4)) for number in range(6)]
    for which, limit, numbers in (
        (Candidates.ACCEPTED, None, [2, 4]),
        (Candidates.ACCEPTED, 1, [4]),  # two wanted, three attempts each: 2 is a third one
        (Candidates.FIRST, None, [0, 3]),
        (Candidates.FIRST_OF_SOLVABLE, 0, []),
    ):
        assert [one.number for one in candidates(samples, 2, which, limit)] == numbers
