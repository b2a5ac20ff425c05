"""A run of a pipeline on a Ray cluster makes what it makes in processes of this machine."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from roboinstruct_ros.cli import app

RUN = """name: small
map: home
seed: 1
writer: smollm2-135m-instruct
steps: [tasks, programs, alignment, cleaning]
tasks: {count: 3, seeds: SEEDS, round: 8}
programs: {resamplings: 1, writer: {model: roboinstruct-small}}
alignment: {judge: false, scorer: {model: roboinstruct-small}}
cleaning: {held_out: 0.2}
"""
SEEDS = """topics:
  going: {about: needs the robot to go somewhere, cues: "go"}
  saying: {about: has it say something, cues: "say|tell"}
seeds:
  - {text: "Go to the kitchen.", topics: [going]}
  - {text: "Say hello in the bedroom.", topics: [saying]}
"""


def test_a_cluster_makes_the_same_files(tmp_path: Path) -> None:
    (tmp_path / "seeds.yaml").write_text(SEEDS)
    (tmp_path / "run.yaml").write_text(RUN.replace("SEEDS", str(tmp_path / "seeds.yaml")))
    for folder, who in (("here", ["--jobs", "2"]), ("cluster", ["--ray", "local"])):
        arguments = ["learn", str(tmp_path / "run.yaml"), "--to", str(tmp_path / folder), *who]
        told = CliRunner().invoke(app, arguments)
        assert told.exit_code == 0, told.output
    here, there = (
        {
            f"{one.parent.name}/{one.name}": one.read_bytes()
            for one in (tmp_path / name).glob("*/*.jsonl")
        }
        for name in ("here", "cluster")
    )
    assert here == there
    assert here["tasks/records.jsonl"].count(b'"written"') == 1
    assert b'"back":' in here["alignment/records.jsonl"] and here["cleaning/train.jsonl"]
