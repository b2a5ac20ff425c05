"""A case is put to a model as the robot would put it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from contextlib import nullcontext as does_not_raise
from dataclasses import replace

import pytest
from scripted_backend import ScriptedBackend

from roboinstruct_ros.domain.answer import AnswerKind
from roboinstruct_ros.domain.task_error import TaskErrorCode
from roboinstruct_ros.evaluate.runs.writer import Writer
from roboinstruct_ros.evaluate.suite.case import Case, Place
from roboinstruct_ros.evaluate.suite.judge import Written
from roboinstruct_ros.generate.backends.backend import BackendError
from roboinstruct_ros.generate.writing_options import WritingOptions

SHED = Place.of_names(["hall", "shed"], "hall", people=["Zoe"], things=["saw"])
OPEN = Place(Place.of_names(["hall"], "hall").rooms, "hall", ("Zoe",), ("saw",))


@pytest.fixture
def backend() -> ScriptedBackend:
    return ScriptedBackend(['    go_to("shed")\n'], "robot_task")


@pytest.fixture
def writer(backend: ScriptedBackend) -> Iterator[Writer]:
    with closing(Writer(backend)) as writer:
        yield writer


def prompt_of(backend: ScriptedBackend) -> list[str]:
    return str(backend.requests[-1].prompt).splitlines()


def test_the_model_is_told_the_map_and_where_the_robot_is(
    writer: Writer, backend: ScriptedBackend
) -> None:
    written = writer(Case("Go to the shed.", "go", SHED)).written
    assert prompt_of(backend) == [
        "# Rooms: hall, shed",
        "# People: Zoe",
        "# Things: saw",
        "# Here: hall",
        "# Instruction: Go to the shed.",
        "def task_program():",
    ]
    assert written.kind is AnswerKind.PROGRAM
    assert written.text == 'def task_program():\n    go_to("shed")\n'


def test_people_and_things_that_a_map_leaves_open_are_told_where_that_is_wanted(
    backend: ScriptedBackend,
) -> None:
    for tell_all in (False, True):
        with closing(Writer(backend, tell_all=tell_all)) as writer:
            writer(Case("Go to the hall.", "go", OPEN))
        assert ("# People: Zoe" in prompt_of(backend)) is tell_all


def test_a_program_that_the_verifier_rejects_is_nothing(writer: Writer) -> None:
    writing = writer(Case("Go to the shed.", "go", OPEN))
    assert writing.written.kind is not AnswerKind.PROGRAM
    assert "shed" in writing.written.text
    assert writing.first_codes == ("unknown_location",)


def test_a_program_that_nobody_is_to_verify_is_taken_and_told_to_be_wrong_all_the_same(
    backend: ScriptedBackend,
) -> None:
    with closing(Writer(backend, WritingOptions(verify=False))) as writer:
        writing = writer(Case("Go to the shed.", "go", OPEN))
    assert writing.written.kind is AnswerKind.PROGRAM and "shed" in writing.program
    assert writing.first_codes == writing.codes == ("unknown_location",)


def test_a_repaired_program_tells_what_was_wrong_with_the_first() -> None:
    texts = ['    go_to("attic")\n', '    go_to("shed")\n']
    options = WritingOptions(check_prefixes=False)
    with closing(Writer(ScriptedBackend(texts, "robot_task"), options)) as writer:
        writing = writer(Case("Go to the shed.", "go", SHED))
    assert (writing.first_codes, writing.codes) == (("unknown_location",), ())
    assert writing.attempts == 2 and 'go_to("shed")' in writing.program


def test_sampled_texts_are_drawn_from_the_first_on_each_with_the_seed_of_its_item(
    backend: ScriptedBackend,
) -> None:
    options = WritingOptions(temperature=0.7, sampled=True)
    with closing(Writer(backend, options)) as writer:
        for seed in (5, 99):
            writer(Case("Go to the shed.", "go", SHED), seed)
    drawn = [(request.temperature, request.seed) for request in backend.requests]
    assert drawn == [(0.7, 5), (0.7, 99)]


def test_a_sampled_answer_in_words_is_heard() -> None:
    said = ScriptedBackend(["    # Cannot: There is no shed.\n"], "robot_task")
    options = WritingOptions(temperature=0.7, sampled=True)
    with closing(Writer(said, options)) as writer:
        assert writer(Case("Mow it.", "go", SHED)).written.kind is AnswerKind.CANNOT


def test_words_come_with_their_choices() -> None:
    said = ScriptedBackend(["    # Question: Which one? | hall | shed\n"], "robot_task")
    with closing(Writer(said)) as writer:
        written = writer(Case("Go there.", "go", SHED)).written
    asked = Written(AnswerKind.QUESTION, "Which one?", choices=("hall", "shed"))
    assert replace(written, seconds=0.0) == asked


class FailingBackend(ScriptedBackend):
    """A server that fails at first, and then is back or not."""

    def __init__(self, back: bool) -> None:
        failure = BackendError(TaskErrorCode.MODEL_FAILED, "the connection was reset")
        super().__init__([failure, '    go_to("shed")\n'], "robot_task")
        self._back = back

    def load(self) -> None:
        if not self._back:
            raise BackendError(TaskErrorCode.MODEL_NOT_LOADED, "nothing listens there")


@pytest.mark.parametrize("back", [True, False])
def test_a_model_that_is_gone_is_no_answer_of_the_model(back: bool) -> None:
    with closing(Writer(FailingBackend(back))) as writer:
        told = does_not_raise() if back else pytest.raises(BackendError, match="nothing listens")
        with told:
            assert writer(Case("Go to the shed.", "go", SHED)).written.text.endswith('"shed")\n')


def test_what_is_no_instruction_is_nothing(writer: Writer, backend: ScriptedBackend) -> None:
    assert writer(Case("go " * 5000, "go", SHED)).written.kind is None
    assert not backend.requests
