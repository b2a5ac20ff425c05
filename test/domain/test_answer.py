"""An answer that is no program is one comment, and is read back as it was written."""

from __future__ import annotations

import pytest

from roboinstruct_ros.domain.answer import Answer, AnswerKind, answer_in

ANSWERS = (
    Answer(AnswerKind.CANNOT, "I cannot open windows."),
    Answer(AnswerKind.QUESTION, "Which lab do you mean?", ("lab 1", "lab 2")),
    Answer(AnswerKind.REPLY, "I stay here."),
)


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.kind.value)
def test_an_answer_is_read_as_it_was_written(answer: Answer) -> None:
    assert answer_in(f"    {answer.line}\n") == answer


@pytest.mark.parametrize(
    "body",
    [
        '    go_to("kitchen")\n',
        '    # Cannot: wait.\n    go_to("kitchen")\n',
        "    # just a remark\n",
        "    # Cannot: \n",
        "    # Program: no\n",
        "",
    ],
)
def test_anything_else_is_no_answer(body: str) -> None:
    assert answer_in(body) is None
