"""`roboinstruct eval check` ends well for a suite that can be trusted, else tells why."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from roboinstruct_ros.commands.ending import ExitCode, end
from roboinstruct_ros.commands.evaluations.suites import check

SMALL = Path(__file__).parents[1] / "evaluate/suite/small.yaml"


def test_the_share_that_is_caught_is_told_by_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert check(str(SMALL), 30, 1) is ExitCode.SUCCESS
    out = capsys.readouterr().out
    assert "statement dropped" in out
    assert "of 30, " in out
    assert "Wrong references" not in out


def test_a_wrong_reference_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "suite.yaml"
    path.write_text(SMALL.read_text().replace('answer == "Yes"', 'answer == "No"'))
    assert check(str(path), 0, 1) is ExitCode.FAILED
    assert "ask-before-the-tray-is-taken: in the world 'she has'" in capsys.readouterr().out


def test_too_many_survivors_fail_and_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = SMALL.read_text().splitlines(keepends=True)
    loose = "".join(line for line in lines if "goals:" not in line or "robot_at" in line)
    path = tmp_path / "suite.yaml"
    path.write_text(loose.replace('- first: go_to("pharmacy")', ""))
    assert check(str(path), 500, 1) is ExitCode.FAILED
    assert "Mutants that are not caught\n  " in capsys.readouterr().out


def test_what_is_no_suite_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended:
        end(lambda: check("servce", 0, 1))
    assert ended.value.exit_code == ExitCode.BAD_INPUT
    assert capsys.readouterr().err == "servce: no suite; did you mean 'service'?\n"
