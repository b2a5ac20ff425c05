"""What a person at a terminal sees when words are the answer, and how a choice goes on."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from model_server import Reply, model_server, words

from roboinstruct_ros.cli import app
from roboinstruct_ros.commands.ending import ExitCode
from roboinstruct_ros.commands.report import ConsoleReport, JsonReport, Report
from roboinstruct_ros.commands.task import Task, run_task
from roboinstruct_ros.domain.answer import Answer, AnswerKind

CANNOT = Answer(AnswerKind.CANNOT, "I cannot open [windows]. I can look who is there.")
QUESTION = Answer(AnswerKind.QUESTION, "Which lab?", ("lab 1", "lab 2"))
REPLY = Answer(AnswerKind.REPLY, "Hello.")
NO_PROGRAM = 112
ACCEPTED = {"status": "accepted", "paths": 1, "exhaustive": True, "duration": 0.001}
ACCEPTED |= {"warnings": [], "violations": []}
REJECTED = {**ACCEPTED, "status": "rejected"}
REJECTED["violations"] = [{"line": 2, "message": "there is no a"}]


class FakeClient:
    """Answers the first request with words, each later one with a program."""

    def __init__(self, answer: Answer) -> None:
        self.follows, self.last_stop = "", 0
        self.requests: list[str] = []
        self.runs: list[str] = []
        self._answer: Answer | None = answer

    def generate(self, text: str, *_: Any) -> SimpleNamespace:
        self.requests.append(text)
        answer, self._answer = self._answer, None
        return SimpleNamespace(
            answer=answer.kind.value if answer else "",
            answer_words=answer.words if answer else "",
            choices=answer.choices if answer else (),
            deferred="", source="" if answer else "program", program_sha256="1" * 64, notes=[],
            error_code=NO_PROGRAM if answer else 0, error_msg=answer.words if answer else "",
        )  # fmt: skip

    def execute(self, text: str, source: str, *more: Any, approved_by: str) -> SimpleNamespace:
        self.runs.append(text)
        return SimpleNamespace(outcome="succeeded", calls=[], error_code=0, error_msg="")


def test_the_program_that_is_offered_is_the_last_one_to_be_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = ConsoleReport()
    written = {1: "    pick('a')", 2: "    pick('b')", 3: "    pick('c')", 4: "    pick('d')"}
    for draft, attempt in ((1, 1), (2, 2), (3, 2), (4, 2)):
        report.event({"kind": "draft_started", "data": {"draft": draft, "attempt": attempt}})
        text = {"draft": draft, "text": written[draft], "tokens": 1}
        report.event({"kind": "tokens", "data": text})
        verdict = REJECTED if draft == 1 else ACCEPTED
        report.event({"kind": "draft_verified", "data": {"draft": draft, "verdict": verdict}})
    end = {"verdict": ACCEPTED, "error_code": 0, "plan": ["1 Wait."], "confidence": 0.8}
    source = "def task_program():\n    pick('d')\n"
    report.event(
        {"kind": "generation_finished", "data": {**end, "source": source, "agreed": [4, 5]}}
    )
    told = [line for line in capsys.readouterr().out.split("\n") if line]
    assert told == [
        "def task_program():", "    pick('a')",
        "rejected: 1 world tried, none left out, 1.0 ms", "line 2: there is no a",
        "attempt 2", "def task_program():", "    pick('b')",
        "writing it again, to see whether it comes out the same",
        "def task_program():", "    pick('d')",
        "accepted: 1 world tried, none left out, 1.0 ms", "  1 Wait.", "4 of 5 drafts agree",
    ]  # fmt: skip


def at_terminal(monkeypatch: pytest.MonkeyPatch, typed: str | None) -> None:
    """Standard input is a terminal where that is typed; None: it is none."""
    stdin = io.StringIO(typed or "")
    stdin.isatty = lambda: typed is not None  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stdin", stdin)


def run(client: FakeClient, report: Report | None = None) -> ExitCode:
    task = Task("Clean up the lab", yes=True)
    return run_task(client, task, report or ConsoleReport())


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (CANNOT, "I cannot do that: I cannot open [windows]. I can look who is there."),
        (QUESTION, "Question: Which lab?\n  1. lab 1\n  2. lab 2"),
        (REPLY, "Reply: Hello."),
    ],
)
def test_words_are_told_and_nothing_moves(
    answer: Answer, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at_terminal(monkeypatch, None)
    client = FakeClient(answer)
    assert run(client) is ExitCode.FAILED
    assert client.runs == [] and len(client.requests) == 1
    assert capsys.readouterr().out.strip() == told


def test_a_choice_completes_the_instruction(monkeypatch: pytest.MonkeyPatch) -> None:
    at_terminal(monkeypatch, "7\n2\n")
    client = FakeClient(QUESTION)
    assert run(client) is ExitCode.SUCCESS
    assert client.requests == ["Clean up the lab", "Clean up the lab (lab 2)"]
    assert client.runs == ["Clean up the lab (lab 2)"]


def test_whoever_chooses_nothing_moves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    at_terminal(monkeypatch, "\n")
    client = FakeClient(QUESTION)
    assert run(client) is ExitCode.FAILED and client.runs == []


def test_a_script_reads_that_it_was_answered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at_terminal(monkeypatch, "1\n")
    client = FakeClient(QUESTION)
    assert run(client, JsonReport()) is ExitCode.FAILED
    (line,) = capsys.readouterr().out.splitlines()
    data = json.loads(line)["data"]
    assert data == {"outcome": "answered", "error_code": NO_PROGRAM, "error_msg": "Which lab?"}


def test_generate_tells_words_and_writes_what_was_chosen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    at_terminal(monkeypatch, "1\n")

    def complete(reply: Reply) -> None:
        chosen = "# Instruction: Clean up the lab (lab 1)\n" in reply.asked["prompt"]
        words([f"    {(CANNOT if chosen else QUESTION).line}\n"])(reply)

    with model_server() as server:
        server.answers["POST /tokenize"] = lambda reply: reply.whole({"count": 40})
        server.completes(complete)
        model = f"{server.address}?model=tiny&prompt_format=robot_task"
        library = str(tmp_path / "tasks")
        with pytest.raises(SystemExit) as ended:
            app(["generate", "Clean up the lab", "--open", "--model", model, "--library", library])
    assert ended.value.code == ExitCode.FAILED
    told = capsys.readouterr()
    assert "task_program" not in told.out
    assert told.out.startswith("Question: Which lab?\n  1. lab 1\n  2. lab 2\n")
    assert told.out.endswith(
        "I cannot do that: I cannot open [windows]. I can look who is there.\n"
    )
