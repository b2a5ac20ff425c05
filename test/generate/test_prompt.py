"""Prompts have exactly the form that their models were trained on."""

import ast

import pytest

from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.domain.skills import load_domain
from roboinstruct_ros.generate.program_text import HEAD
from roboinstruct_ros.generate.prompts.examples import EXAMPLES
from roboinstruct_ros.generate.prompts.prompt import FeedbackDesign, Rejected, prompt_format
from roboinstruct_ros.program.violation import Counterexample, Violation, ViolationCode
from roboinstruct_ros.verify.verifier import verify

DEFAULT = FeedbackDesign.PROGRAM_AND_ERRORS
FETCH = Instruction.checked("Fetch\n the apple")


def violation(line: int, message: str) -> Violation:
    return Violation(code=next(iter(ViolationCode)), line=line, column=0, message=message)


def test_the_shipped_model_reads_the_instruction_as_one_comment() -> None:
    prompts = prompt_format("instruction_comment")
    assert prompts.first(FETCH) == "# Instruction: Fetch the apple\ndef task_program():\n"
    assert prompts.repair(FETCH, [Rejected("def task_program():\n", ())], DEFAULT) is None


def test_any_other_model_reads_the_functions_and_six_examples_first() -> None:
    prompt = prompt_format("a format nobody knows").first(FETCH)
    assert prompt.endswith("\n\n# Instruction: Fetch the apple\ndef task_program():\n")
    assert prompt.count("# Instruction: ") == 7
    assert "def is_in_room(object : str) -> bool" in prompt
    ast.parse(prompt + "    pass\n")


def test_repair_shows_the_program_and_all_its_errors() -> None:
    source = 'def task_program():\n    pick("apple")\n    pick("pear")\n'
    violations = (violation(3, "the hand is full"), violation(0, "does\nnothing"))
    prompt = prompt_format("completion").repair(FETCH, [Rejected(source, violations)], DEFAULT)
    assert prompt is not None and source in prompt
    assert "# - line 3: the hand is full\n# - does nothing\n" in prompt
    assert prompt.endswith("# Instruction: Fetch the apple\ndef task_program():\n")
    ast.parse(prompt + "    pass\n")


def test_a_violation_comes_with_the_end_of_its_story() -> None:
    steps = (*(f"Line {n}: a step." for n in range(1, 9)), "Line 9: the hand is full.")
    story = Counterexample(choices=(), steps=steps)
    full = violation(9, "the hand is full").model_copy(update={"counterexample": story})
    prompt = prompt_format("completion").repair(FETCH, [Rejected(HEAD, [full])], DEFAULT)
    assert prompt is not None
    told = prompt.partition("# - line 9: the hand is full\n")[2].splitlines()[:7]
    assert told == [*(f"#     Line {n}: a step." for n in range(3, 9)), "# Please fix the errors."]


@pytest.mark.parametrize(
    ("design", "program", "first", "last"),
    [
        (FeedbackDesign.NAIVE, True, False, False),
        (FeedbackDesign.LAST_ERROR, False, False, True),
        (FeedbackDesign.ALL_ERRORS, False, True, True),
        (FeedbackDesign.PROGRAM_AND_ERRORS, True, False, True),
    ],
)
def test_a_feedback_design_tells_so_much(
    design: FeedbackDesign, program: bool, first: bool, last: bool
) -> None:
    rejected = [
        Rejected("def task_program():\n    pick('a')\n", [violation(2, "no a is here")]),
        Rejected("def task_program():\n    pick('b')\n", [violation(2, "no b is here")]),
    ]
    prompt = prompt_format("completion").repair(FETCH, rejected, design)
    assert prompt is not None
    assert ("pick('b')" in prompt, "no a is here" in prompt, "no b is here" in prompt) == (
        program, first, last,
    )  # fmt: skip
    assert "pick('a')" not in prompt
    ast.parse(prompt + "    pass\n")


def test_what_a_rejected_program_takes_for_granted_is_told_too() -> None:
    source = 'def task_program():\n    go_to("study")\n    pick("pen")\n    pick("cup")\n'
    verdict = verify(source, load_domain())
    rejected = Rejected(source, verdict.violations, verdict.assumptions)
    prompt = prompt_format("completion").repair(FETCH, [rejected], DEFAULT)
    assert prompt is not None
    assert "# - line 3 takes it that a pen is in the study, and has not looked\n" in prompt


def test_every_example_is_one_function() -> None:
    for example in EXAMPLES:
        (function,) = ast.parse(example).body
        assert isinstance(function, ast.FunctionDef) and function.name == "task_program"
