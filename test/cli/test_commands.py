"""Commands that need no running stack: exit codes, one line for bad input, a readable verdict."""

from __future__ import annotations

import json
import os
import pty
import re
import socket
import subprocess
import sys
from contextlib import suppress
from importlib.abc import MetaPathFinder
from pathlib import Path
from threading import Thread
from xml.etree import ElementTree

import pytest
from command_line import as_process, cli, one_line

from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.listing import plain_console, table
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.entry import main

GOOD = 'def task_program():\n    go_to("kitchen")\n'
BAD = 'def task_program():\n    pick("apple")\n    pick("banana")\n'
SHIPPED = Path(__file__).resolve().parents[2] / "models" / "roboinstruct-small.gguf"


def test_ctrl_c_during_the_imports_ends_as_in_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    class CtrlC(MetaPathFinder):
        def find_spec(self, name: str, *_: object) -> None:
            raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "roboinstruct_ros.cli", raising=False)
    monkeypatch.setattr(sys, "meta_path", [CtrlC()])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == ExitCode.INTERRUPTED


def test_an_accepted_program(tmp_path: Path) -> None:
    path = tmp_path / "good.py"
    path.write_text(GOOD)
    result = cli("verify", str(path))
    assert result.returncode == 0
    assert "accepted: 1 world tried, none left out" in result.stdout


def test_a_violation_stands_under_its_line() -> None:
    result = as_process("verify", "-", text=BAD)
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    place = next(i for i, line in enumerate(lines) if 'pick("banana")' in line)
    assert "^ hand_full: The banana cannot be picked up" in lines[place + 1]


def test_the_line_is_pythons_whatever_ends_a_line_elsewhere() -> None:
    text = 'def task_program():\n    say("a\u2028b\x0cc")\n    place("x")\n'
    lines = cli("verify", "-", text=text).stdout.splitlines()
    place = next(i for i, line in enumerate(lines) if "^ hand_empty" in line)
    assert lines[place - 1] == '3 |     place("x")'


def test_no_character_of_a_program_hides_a_line() -> None:
    hides = GOOD + "    # \x1b[1A\x1b[2K\x9b2K\x08\u202e\u200b\n"
    shown = cli("verify", "-", text=hides).stdout
    numbers = r"\u001b[1A\u001b[2K\u009b2K\u0008\u202e\u200b"
    assert f'2 |     go_to("kitchen")\n3 |     # {numbers}\n' in shown


def test_the_numbers_of_such_characters_have_their_place_in_a_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    rows = table("thing", "words")
    rows.add_row("\u202emug", "a mug and \x1b[31m a cup")
    plain_console().print(rows)
    shown = capsys.readouterr().out.splitlines()[2:]
    told = [" ".join("".join(line[a:b] for line in shown).split()) for a, b in ((0, 11), (12, 30))]
    assert told == [r"\u202emug", r"a mug and \u001b[31m a cup"]


def test_the_verdict_as_json() -> None:
    result = cli("verify", "-", "--json", text=BAD)
    verdict = json.loads(result.stdout)
    assert verdict["status"] == "rejected"
    assert verdict["violations"][0]["counterexample"]["steps"]


def test_what_is_taken_for_granted_is_said(tmp_path: Path) -> None:
    taken = "I take it that a charger is in the study."
    fetch = 'def task_program():\n    go_to("study")\n    pick("charger")\n'
    assert taken in cli("verify", "-", text=fetch).stdout
    document = json.loads(cli("verify", "-", "--json", text=fetch).stdout)
    assert [one["message"] for one in document["assumptions"]] == [taken]
    assert "I take it" not in cli("verify", "-", text=BAD).stdout, "it is rejected"


def test_the_tree_as_a_picture(tmp_path: Path) -> None:
    picture = tmp_path / "tree.svg"
    program = 'def task_program():\n    if is_in_room("<a & b>"):\n        place("cup")\n'
    result = cli("verify", "-", "--tree", str(picture), text=program)
    assert result.returncode == 1
    drawn = ElementTree.parse(picture)
    said = [text.text or "" for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert said[0].startswith("rejected: ")
    assert any("is_in_room('<a & b>') answers True" in one for one in said)
    red = [g for g in drawn.iter("{http://www.w3.org/2000/svg}g") if g.get("class") == "violation"]
    assert red and "hand_empty" in "".join(red[0].itertext())


def test_a_picture_that_cannot_be_drawn_is_one_line(tmp_path: Path) -> None:
    nowhere = tmp_path / "none" / "tree.svg"
    result = cli("verify", "-", "--tree", str(nowhere), text=GOOD)
    assert result.returncode == 2 and "cannot be written" in one_line(result)
    result = cli("verify", "-", "--tree", str(tmp_path / "t.svg"), text="import os\n")
    assert result.returncode == 1 and "no world of this program was made" in result.stderr
    result = cli("verify", "--jsonl", "--tree", str(tmp_path / "t.svg"))
    assert result.returncode == 2 and "--tree" in one_line(result)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", ["", "--world", "--domain", "--policies"])
def test_no_picture_is_drawn_over_what_is_read(tmp_path: Path, option: str) -> None:
    path = tmp_path / "read.yaml"
    path.write_text(GOOD)
    given = (option, str(path), "-") if option else (str(path),)
    again = f"{tmp_path}/../{tmp_path.name}/read.yaml"
    assert "name another one" in one_line(cli("verify", *given, "--tree", again, text=GOOD))
    assert path.read_text() == GOOD


def test_rooms_of_the_map_only_unless_open() -> None:
    program = 'def task_program():\n    go_to("print room")\n'
    closed = cli("verify", "-", "--world", "office", text=program)
    assert closed.returncode == 1
    assert "did you mean 'printer room" in closed.stdout
    assert cli("verify", "-", "--open", text=program).returncode == 0


def test_another_domain() -> None:
    turns = "def task_program():\n" + '    rotate("left hand", math.pi / 6)\n' * 3
    result = cli("verify", "-", "--domain", "arm", text=turns)
    assert result.returncode == 1
    assert "^ out_of_range: The left hand cannot turn by 0.524 rad" in result.stdout


def test_a_policy_switched_on() -> None:
    result = cli("verify", "-", "--policy", "home at the end", text=GOOD)
    assert result.returncode == 1
    assert "policy_broken: To end here breaks the policy 'home at the end'" in result.stdout
    line = one_line(cli("verify", "-", "--policy", "home at the ed", text=GOOD))
    assert line.endswith("there is no policy 'home at the ed'; did you mean 'home at the end'?")


def test_a_rule_about_a_misspelt_room(tmp_path: Path) -> None:
    rules = tmp_path / "pol.yaml"
    rules.write_text("policies:\n  - name: a rule\n    never: go_to('kitchn')\n")
    line = one_line(cli("verify", "-", "--policies", str(rules), text=GOOD))
    assert line.endswith("no room is named 'kitchn'; did you mean 'kitchen'?")
    assert cli("verify", "-", "--open", "--policies", str(rules), text=GOOD).returncode == 0


def test_many_programs_are_answered_in_their_order() -> None:
    lines = [json.dumps({"id": n, "program": (GOOD, BAD)[n % 2]}) for n in range(20)]
    result = cli("verify", "--jsonl", text="\n".join(lines) + "\n")
    assert result.returncode == 0, result.stderr
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == list(range(20))
    assert [answer["accepted"] for answer in answers] == [n % 2 == 0 for n in range(20)]
    (violation,) = answers[1]["violations"]
    assert (violation["code"], violation["line"]) == ("hand_full", 3)
    assert violation["counterexample"][-1].startswith("Line 3: The banana")
    assert {"exhaustive", "paths", "warnings", "ms"} <= set(answers[0])


def test_a_line_that_is_no_program_loses_no_other() -> None:
    good = json.dumps({"id": "a", "program": GOOD})
    result = cli("verify", "--jsonl", text=f'{good}\n{{"id": 2}}\nnonsense\n{good}\n')
    assert result.returncode == 2
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer.get("accepted") for answer in answers] == [True, None, None, True]
    assert answers[1]["error"].startswith("line 2: no text 'program'")
    assert answers[2]["error"].startswith("line 3: not JSON")


def test_a_line_that_is_no_text_loses_no_other_whatever_the_locale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    say = 'def task_program():\n    say("Küche")\n'
    good = json.dumps({"id": 1, "program": say}, ensure_ascii=False).encode()
    bad = b'{"id": 2, "program": "\xff"}'
    command = [sys.executable, "-m", "roboinstruct_ros.cli", "verify", "--jsonl"]
    for locale in ("utf-8:strict", "ascii:strict"):
        monkeypatch.setenv("PYTHONIOENCODING", locale)
        text = b"\n".join([good, bad, good])
        ended = subprocess.run(command, input=text, capture_output=True, timeout=60)
        answers = [json.loads(line) for line in ended.stdout.splitlines()]
        assert [one.get("accepted") for one in answers] == [True, None, True], ended.stderr
        assert answers[1]["id"] == 2 and answers[1]["error"].startswith("line 2: not a text in UTF")
        assert ended.returncode == 2


def test_lines_that_are_too_deep_or_too_long_lose_no_other() -> None:
    good = json.dumps({"id": "a", "program": GOOD})
    deep = '{"program": ' + "[" * 100_000 + "]" * 100_000 + "}"
    long = json.dumps({"program": "x" * 3 * 2**20})
    result = cli("verify", "--jsonl", text=f"{good}\n{deep}\n{long}\n{good}\n")
    assert result.returncode == 2 and not result.stderr.strip()
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer.get("accepted") for answer in answers] == [True, None, None, True]
    assert answers[1]["error"].startswith("line 2: nested more than")
    assert answers[2]["error"].startswith("line 3: ") and "characters" in answers[2]["error"]


def _read_all(terminal: int) -> None:
    with suppress(OSError):  # EIO: nobody writes to it any more
        while os.read(terminal, 4096):
            pass


def test_verdicts_get_into_a_file_while_a_terminal_shows_the_progress() -> None:
    command = [sys.executable, "-m", "roboinstruct_ros.cli", "verify", "--jsonl"]
    text = json.dumps({"id": 1, "program": GOOD})
    seen, terminal = pty.openpty()
    reader = Thread(target=_read_all, args=[seen])  # a full terminal holds up who writes to it
    reader.start()
    try:
        ended = subprocess.run(
            command, input=text, stdout=subprocess.PIPE, stderr=terminal, text=True, timeout=60
        )
    finally:
        os.close(terminal)
        reader.join()
        os.close(seen)
    assert json.loads(ended.stdout)["accepted"]


def test_a_file_or_lines_not_both() -> None:
    assert "either FILE" in one_line(cli("verify"))
    assert "either FILE" in one_line(cli("verify", "-", "--jsonl"))


def test_unusable_input() -> None:
    assert "missing.py" in one_line(cli("verify", "missing.py"))
    assert "did you mean 'home'" in one_line(cli("verify", "-", "--world", "hom", text=GOOD))
    assert "model" in one_line(cli("up", "--headless", "--model", "/nowhere.gguf"))
    assert "--yes" in one_line(cli("up", "--headless", "--once", "Go to the kitchen."))
    assert "namespace" in one_line(cli("run", "Go.", "--yes", "--namespace", "my robot"))
    assert "not both" in one_line(cli("run", "Go.", "--program", "x.py"))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["run", "   ", "--yes"], TaskErrorCode.INSTRUCTION_EMPTY),
        (["run", "go " * 4000, "--yes"], TaskErrorCode.INSTRUCTION_TOO_LONG),
        (["run", "Иди на кухню и принеси яблоко", "--yes"], TaskErrorCode.INSTRUCTION_SCRIPT),
        (["run", "去厨房拿一个苹果", "--yes"], TaskErrorCode.INSTRUCTION_SCRIPT),
        (["up", "--once", "", "--yes"], TaskErrorCode.INSTRUCTION_EMPTY),
        (["up", "--once", "Go.", "--model", "/nowhere.gguf"], TaskErrorCode.MODEL_NOT_LOADED),
        (["run", "Go to the kitchen."], TaskErrorCode.NOT_APPROVED),
    ],
)
def test_a_refusal_is_also_an_event(arguments: list[str], code: TaskErrorCode) -> None:
    result = cli(*arguments, "--json")
    line = one_line(result)
    assert line.startswith(code.name.lower()) or not code.name.startswith("INSTRUCTION")
    event = json.loads(result.stdout)
    assert event["kind"] == "task_finished"
    assert (event["data"]["outcome"], event["data"]["error_code"]) == ("failed", code)


def test_a_port_that_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = one_line(cli("up", "--port", str(port)))
    assert f"port {port}" in line
    assert "choose another" in line


@pytest.mark.parametrize(
    ("text", "word"),
    [(" ", "empty"), ("go " * 4000, "long"), ("Иди на кухню", "script")],
    ids=["empty", "10,000 characters", "Cyrillic"],
)
def test_an_instruction_that_is_none(text: str, word: str) -> None:
    result = cli("generate", text)
    assert result.returncode == 2
    assert word in result.stderr and not result.stdout


def test_generate_prints_program_verdict_and_plan() -> None:
    result = cli("generate", "Go to the kitchen.")
    assert result.returncode == 0
    assert 'go_to("kitchen")' in result.stdout
    assert "accepted" in result.stdout
    assert "1 Go to the kitchen." in result.stdout
    assert re.search(r"confidence \d+ %", result.stdout)


def test_generate_as_json() -> None:
    document = json.loads(as_process("generate", "Go to the kitchen.", "--json").stdout)
    assert document["accepted"]
    assert document["program"].startswith("def task_program():")
    assert 0.5 <= document["confidence"] <= 1.0


def test_a_broken_model(tmp_path: Path) -> None:
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(SHIPPED.read_bytes()[:500_000])
    result = cli("generate", "Go to the kitchen.", "--model", str(cut))
    assert result.returncode == 2
    assert "truncated" in result.stderr and not result.stdout


def test_a_terminal_of_another_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii:strict")
    result = as_process("verify", "-", text='def task_program():\n    say("\u65e5")\n')
    assert result.returncode == 0, result.stderr
    assert '2 |     say("\\u65e5")' in result.stdout


@pytest.mark.parametrize("arguments", [("verify", "-"), ("tasks", "list")])
def test_output_that_cannot_be_written_is_one_line(arguments: tuple[str, ...]) -> None:
    """And no verdict: 1 would be a rejection."""
    command = [sys.executable, "-m", "roboinstruct_ros.cli", *arguments]
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            command, input=GOOD, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60
        )
    assert (ended.returncode, ended.stderr) == (2, "cannot go on: No space left on device\n")


def test_no_traceback_anywhere() -> None:
    for arguments in (["verify", "/"], ["generate", ""], ["run"], ["up", "--world", "/dev/null"]):
        result = as_process(*arguments)
        assert result.returncode == 2, arguments
        assert "Traceback" not in result.stderr + result.stdout


@pytest.mark.parametrize(
    "line, told",
    [
        ("--verison", ": no such option: --verison; see '"),
        ("trace lst", " trace: no such command 'lst'. Did you mean 'list'?; see '"),
        ("trace show", " trace show: missing argument 'bag'; see '"),
        ("up --port abc", " up: invalid value for '--port'"),
    ],
)
def test_a_command_line_that_does_not_parse_is_one_line(line: str, told: str) -> None:
    assert one_line(cli(*line.split())).removeprefix("root").startswith(told)


def test_a_fingerprint_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    plain_console().print("84:AB:E2")
    assert capsys.readouterr().out == "84:AB:E2\n"


def test_a_table_has_a_title(capsys: pytest.CaptureFixture[str]) -> None:
    plain_console().print(table("what there is", title="2 of them"))
    assert "2 of them" in capsys.readouterr().out
