"""A run of a pipeline on a Ray cluster has the records that it has in processes of this machine."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from roboinstruct_ros.cli import app

RUN = """name: small
map: home
seed: 1
writer: roboinstruct-small
steps: [tasks, programs, alignment]
tasks: {count: 8}
programs: {resamplings: 1}
alignment: {judge: false, score: false}
"""


def test_a_cluster_makes_the_same_records(tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_text(RUN)
    for folder, who in (("here", ["--jobs", "2"]), ("cluster", ["--ray", "local"])):
        arguments = ["learn", str(tmp_path / "run.yaml"), "--to", str(tmp_path / folder), *who]
        told = CliRunner().invoke(app, arguments)
        assert told.exit_code == 0, told.output
    for step in ("tasks", "programs", "alignment"):
        here, there = (tmp_path / name / step / "records.jsonl" for name in ("here", "cluster"))
        assert here.read_bytes() == there.read_bytes() and here.read_bytes()
