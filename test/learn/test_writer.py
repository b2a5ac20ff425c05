"""A model is asked patiently: what goes wrong is one line, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from model_server import ModelServer, Reply, fixed, models
from scripted_backend import ScriptedBackend
from scripted_server import Stubborn, says, task
from steps import SMALL, config_of, files_of, run_step

from roboinstruct_ros.generate.backends.conversation import Prompt
from roboinstruct_ros.learn.pipeline.step import Step
from roboinstruct_ros.learn.pipeline.work import LearnError
from roboinstruct_ros.learn.question import Kind, Question
from roboinstruct_ros.learn.writer import Faithful, Writer, WriterError, WriterOptions, checked

KIND = Kind("Answer in one word.", (("Sky?", "blue"),), "Answer:", 8)


def half_a_line(reply: Reply) -> None:
    reply.begin()
    reply.say("gre")
    reply.send(b'data: {"choices": [{"te')
    reply.send(b"")


def hangs(reply: Reply) -> None:
    reply.begin()
    reply.wait_until_left()


def breaks_off(reply: Reply) -> None:
    reply.die()


WRONG: dict[str, Callable[[Reply], None]] = {
    "sent nothing for 0.3 s": hangs,
    "ended in the middle": half_a_line,
    "broke the connection off": breaks_off,
    "something other than a stream": fixed("<html>welcome</html>"),
    "the server refuses": fixed({"error": {"message": "out of memory"}}, 500),
}


def asking(server: ModelServer, tries: int) -> WriterOptions:
    server.answers["GET /v1/models"] = models({"id": "tiny", "max_model_len": 8192})
    return WriterOptions(model=server.address, tries=tries, pause=0, silence=0.3)


@pytest.mark.parametrize("fault", WRONG)
def test_a_server_that_fails_is_asked_again(server: ModelServer, fault: str) -> None:
    options = asking(server, 3)
    server.completes(Stubborn(WRONG[fault], 2, lambda asked: " green\n\nSea?"))
    assert Writer(options).ask(Question(KIND, "Grass?")).text == "green"


@pytest.mark.parametrize("fault", WRONG)
def test_one_that_goes_on_failing_is_told_in_one_line(server: ModelServer, fault: str) -> None:
    options, stubborn = asking(server, 2), Stubborn(WRONG[fault], 99, str)
    server.completes(stubborn)
    with pytest.raises(WriterError) as error:
        Writer(options).ask(Question(KIND, "Grass?"))
    told = str(error.value)
    assert told.startswith(server.address) and fault in told and "the same command again" in told
    assert "\n" not in told and stubborn.asked == 2


def test_what_was_made_before_a_server_died_is_kept(tmp_path: Path, server: ModelServer) -> None:
    says(server, task)
    tasks = {"count": 55, "round": 8, "writer": {"tries": 1, "at_once": 4}}
    config = config_of(writer=server.address, tasks=tasks)
    run_step(tmp_path / "well", Step.TASKS, config)

    class Dying(Stubborn):
        def __call__(self, reply: Reply) -> None:
            self.asked += 1
            if self.asked > 13:
                return reply.die()
            reply.begin()
            reply.say(task(reply.asked), "stop")
            return reply.done()

    server.completes(Dying(breaks_off, 0, task))
    with pytest.raises(LearnError, match="the same command again"):
        run_step(tmp_path / "died", Step.TASKS, config)
    made = files_of(tmp_path / "died", Step.TASKS)["records.jsonl"]
    whole = files_of(tmp_path / "well", Step.TASKS)["records.jsonl"]
    assert whole.startswith(made) and made.count(b"\n") > 40
    says(server, task)
    run_step(tmp_path / "died", Step.TASKS, config)
    assert files_of(tmp_path / "died", Step.TASKS) == files_of(tmp_path / "well", Step.TASKS)


def test_a_server_that_is_not_there_is_told_at_once() -> None:
    with pytest.raises(WriterError, match=r"127\.0\.0\.1:9.*start the server"):
        checked(WriterOptions(model="http://127.0.0.1:9/v1"), "")


def test_an_answer_of_a_gguf_depends_on_its_question_alone() -> None:
    options = WriterOptions(model=SMALL)
    first, second = Question(KIND, "Sea?", 1.0, 1), Question(KIND, "Grass and sand?", 1.0, 2)
    one, other = Writer(options), Writer(options)
    there = [one.ask(first), one.ask(second)]
    assert [other.ask(second), other.ask(first)] == there[::-1]


def test_what_was_asked_before_is_forgotten_and_what_all_questions_share_is_read_first() -> None:
    done: list[str] = []

    class Remembers(ScriptedBackend):
        def forget(self) -> None:
            done.append("forgets")

        def warm(self, beginning: Prompt) -> None:
            done.append(f"reads {beginning}")

    Faithful(Remembers(["yes"])).begin("Rules.")
    assert done == ["forgets", "reads Rules."]


def test_a_likelier_text_scores_higher() -> None:
    writer = Writer(WriterOptions(model=SMALL))
    prompt = "# Instruction: Go to the kitchen.\ndef task_program():\n"
    right = writer.score(prompt, '    go_to("kitchen")\n')
    wrong = writer.score(prompt, '    say("cellar")\n')
    assert right is not None and wrong is not None
    assert wrong < right <= 0
