"""`roboinstruct eval report` and `eval compare`: what came of evaluations, and which is better."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_up import folder_of, record, records
from typer.testing import CliRunner, Result

from roboinstruct_ros.cli import app
from roboinstruct_ros.evaluate.runs.folder import MANIFEST


def cli(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["eval", *map(str, arguments)], env={"COLUMNS": "200"})


@pytest.fixture
def better(tmp_path: Path) -> Path:
    return folder_of(tmp_path / "better", records(2, skill=0.9))


@pytest.fixture
def worse(tmp_path: Path) -> Path:
    return folder_of(tmp_path / "worse", records(1, skill=0.7))


def test_report_prints_the_tables_and_writes_the_files(better: Path) -> None:
    told = cli("report", better)
    assert told.exit_code == 0
    assert "| pass@1 |" in told.stdout and "report.html" in told.stdout
    assert {path.name for path in better.iterdir()} >= {"report.json", "report.html", "junit.xml"}
    assert json.loads(cli("report", better, "--json").stdout)["figures"]["items"] == 300


def test_compare_tells_the_verdict_the_tasks_and_the_programs(better: Path, worse: Path) -> None:
    told = cli("compare", worse, better)
    assert told.exit_code == 0
    assert "B is better by" in told.stdout and "McNemar, mid-p" in told.stdout
    assert "right in B, not yet in A" in told.stdout and 'pick("<b>mug</b>")' in told.stdout


def test_compare_tells_all_of_it_as_json_and_as_a_page(
    better: Path, worse: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    told = json.loads(cli("compare", better, worse, "--json", "--html", page).stdout)
    assert told["verdict"].startswith("B is worse by")
    assert told["difference"]["value"] < 0 and told["lost"][0]["a"]["program"]
    assert told["verdict"] in page.read_text()


def test_a_worse_one_fails_beyond_the_bound_alone(better: Path, worse: Path) -> None:
    fallen = -json.loads(cli("compare", better, worse, "--json").stdout)["difference"]["value"]
    for bound, code in ((fallen - 0.01, 1), (fallen + 0.01, 0)):
        assert cli("compare", better, worse, "--fail-if-worse", bound).exit_code == code
    assert cli("compare", worse, better, "--fail-if-worse", 0).exit_code == 0


def test_half_an_evaluation_is_no_pass(better: Path, tmp_path: Path) -> None:
    half = folder_of(tmp_path / "half", records(2, skill=0.9)[:100], items=300)
    told = cli("compare", better, half, "--fail-if-worse", 0.05)
    assert told.exit_code == 2 and "lacks 200 of the 300 items" in told.stderr
    assert f"finish it with: roboinstruct eval --resume {half}" in told.stderr
    assert cli("compare", half, better, "--fail-if-worse", 0.05).exit_code == 0


def test_one_of_fewer_items_is_not_to_be_finished(better: Path, tmp_path: Path) -> None:
    less = folder_of(tmp_path / "less", records(2, skill=0.9)[:100])
    told = cli("compare", better, less, "--fail-if-worse", 0.05)
    assert told.exit_code == 2 and "--resume" not in told.stderr
    assert f"lacks 200 of the 300 items of {better}, and is complete with 100" in told.stderr


def test_another_version_of_the_suite_is_told(better: Path, worse: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert "the suites of A and B differ" not in cli("compare", better, worse).stdout
    manifest = json.loads((worse / MANIFEST).read_text())
    manifest["sha256"]["suite"] = "another"
    (worse / MANIFEST).write_text(json.dumps(manifest))
    assert "the suites of A and B differ" in cli("compare", better, worse, "--html", page).stdout
    assert "the suites of A and B differ" in page.read_text()
    assert json.loads(cli("compare", better, worse, "--json").stdout)["other_suite"] is True


def test_what_cannot_be_compared_is_one_clear_line(better: Path, tmp_path: Path) -> None:
    other = folder_of(tmp_path / "other", [record("of another suite")])
    for arguments, line in (
        ((better, other), "Nothing can be compared: no item is in both."),
        ((better, tmp_path), "records.jsonl: cannot be read"),
        ((better, better, "--fail-if-worse", 5), "--fail-if-worse 5.0: not a share from 0 to 1"),
        ((better, better, "--html", tmp_path / "no" / "a.html"), "a.html: cannot be written"),
    ):
        told = cli("compare", *arguments)
        assert told.exit_code == 2 and line in told.stderr
