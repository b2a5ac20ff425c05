"""`roboinstruct eval rescore`: what the benchmark has stored is judged again."""

from __future__ import annotations

import csv
from pathlib import Path

from test_commands import cli, one_line

CHECKOUT = Path(__file__).parents[1] / "evaluate" / "readers" / "roboeval_checkout"
GREETS = 'go_to("gate")\nwhile not is_in_room("person"):\n    time.sleep(1)\nsay("Hello")\n'


def stored(tmp_path: Path, *rows: tuple[str, str, str, str]) -> str:
    path = tmp_path / "stored.csv"
    with path.open("w", newline="") as file:
        head = ("name", "program_text", "is_sat", "error_message")
        csv.writer(file).writerows([head, *rows])
    return str(path)


def test_programs_that_are_judged_otherwise_are_named(tmp_path: Path) -> None:
    right = ("GreetAtGate_0", GREETS, "True", "")
    wrong = ("GreetAtGate_1", "pick(1)", "False", "RobotExecutionError")
    done = cli("eval", "rescore", str(CHECKOUT), stored(tmp_path, right, wrong))
    assert (done.returncode, done.stdout.splitlines()[-1][-12:]) == (0, "2 of 2 alike"), done.stderr
    other = ("GreetAtGate_2", "1 / 0", "True", "")
    done = cli("eval", "rescore", str(CHECKOUT), stored(tmp_path, right, other))
    assert done.returncode == 1
    told = "GreetAtGate_2, sample 0: passed, now PythonError: ZeroDivisionError: division by zero"
    assert done.stdout.splitlines()[0] == told
    assert "1 of 2 alike" in done.stdout


def test_it_says_what_is_wrong_in_one_line(tmp_path: Path) -> None:
    unknown = stored(tmp_path, ("Nothing_0", "x", "True", ""))
    assert "no task 'Nothing'" in one_line(cli("eval", "rescore", str(CHECKOUT), unknown))
    assert "no task modules" in one_line(cli("eval", "rescore", str(tmp_path), unknown))
    silent = stored(tmp_path, ("GreetAtGate_0", "x", "", ""))
    assert "says is_sat" in one_line(cli("eval", "rescore", str(CHECKOUT), silent))
