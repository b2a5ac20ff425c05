"""One function is found in whatever a model says around it."""

import pytest

from roboinstruct_ros.generate.program_text import extract_program, is_complete

PROGRAM = 'def task_program():\n    go_to("kitchen")\n    say("hi")\n'
BODY = '    go_to("kitchen")\n    say("hi")\n'


@pytest.mark.parametrize(
    "said",
    [
        BODY,
        BODY.rstrip(),
        BODY + "\n\n# Instruction: something else\ndef task_program():\n    pass\n",
        BODY + "```\nThis program goes to the kitchen.",
        BODY + "task_program()\n",
        PROGRAM,
        f"```python\n{PROGRAM}```\nHere you are.",
        f"Sure! Here is the program:\n\n```python\nimport time\n\n{PROGRAM}```",
        f"{PROGRAM}\n{PROGRAM.replace('kitchen', 'garage')}",
        PROGRAM.replace("():", "() :").replace("() :", "():   "),
    ],
)
def test_the_function_alone_is_kept(said: str) -> None:
    assert extract_program(said) == PROGRAM


@pytest.mark.parametrize(
    "said", ["", "\n\n", "I cannot do that.", "go_to('kitchen')", "def task_program", "   \n "]
)
def test_text_without_a_function_gives_nothing(said: str) -> None:
    assert extract_program(said) == ""


def test_a_bracket_closed_in_column_0_does_not_end_the_function() -> None:
    body = '    answer = ask(\n        "Ann", "Tea?", ["Yes", "No"]\n)\n    say(answer)\n'
    assert extract_program(body) == "def task_program():\n" + body


@pytest.mark.parametrize(
    ("said", "complete"),
    [
        (BODY, False),
        (BODY + "\n", False),
        (BODY + "#", True),
        (BODY + "```", True),
        ("```python\n", False),
        ("Sure, here", False),
        ("Sure:\n```python\ndef task_program():", False),
        ("Sure:\n" + PROGRAM, False),
        ("Sure:\n" + PROGRAM + "``", True),
    ],
)
def test_the_function_ends_with_the_next_top_level_statement(said: str, complete: bool) -> None:
    assert is_complete(said) is complete
