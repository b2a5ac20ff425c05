"""`roboinstruct eval families`: a suite of variations, and how many were admitted."""

from __future__ import annotations

from pathlib import Path

from test_commands import cli, one_line

SUITE = Path(__file__).parents[1] / "evaluate" / "families" / "small_family.yaml"


def test_families_are_written_and_told(tmp_path: Path) -> None:
    to = tmp_path / "families.yaml"
    done = cli("eval", "families", str(SUITE), "--to", str(to), "--each", "1")
    assert done.returncode == 0, done.stderr
    assert "4 tasks: 1 roots, 3 made of them." in done.stdout and str(to) in done.stdout
    assert to.is_file() and (tmp_path / "families.mmd").is_file()


def test_it_says_what_is_wrong_in_one_line(tmp_path: Path) -> None:
    to = str(tmp_path / "families.yaml")
    for arguments, told in (
        (("nowhere.yaml", "--to", to), "nowhere.yaml"),
        ((str(SUITE), "--to", to, "--tasks", "cooking"), "cooking: fits no task"),
        ((to, "--to", to), "is the suite itself"),
        ((str(SUITE), "--to", "/proc/x/y.yaml"), "/proc/x/y.yaml: cannot be written"),
    ):
        assert told in one_line(cli("eval", "families", *arguments)), arguments
