"""Prompts have exactly the form that their models were trained on."""

import ast

from roboinstruct_ros.domain.instruction import Instruction
from roboinstruct_ros.generate.examples import EXAMPLES
from roboinstruct_ros.generate.prompt import prompt_format
from roboinstruct_ros.program.violation import Violation, ViolationCode

FETCH = Instruction.checked("Fetch\n the apple")


def violation(line: int, message: str) -> Violation:
    return Violation(code=next(iter(ViolationCode)), line=line, column=0, message=message)


def test_the_shipped_model_reads_the_instruction_as_one_comment() -> None:
    prompts = prompt_format("instruction_comment")
    assert prompts.first(FETCH) == "# Instruction: Fetch the apple\ndef task_program():\n"
    assert prompts.repair(FETCH, "def task_program():\n    pass\n", ()) is None


def test_any_other_model_reads_the_functions_and_six_examples_first() -> None:
    prompt = prompt_format("a format nobody knows").first(FETCH)
    assert prompt.endswith("\n\n# Instruction: Fetch the apple\ndef task_program():\n")
    assert prompt.count("# Instruction: ") == 7
    assert "def is_in_room(object : str) -> bool" in prompt
    ast.parse(prompt + "    pass\n")


def test_repair_shows_the_program_and_all_its_errors() -> None:
    source = 'def task_program():\n    pick("apple")\n    pick("pear")\n'
    violations = (violation(3, "the hand is full"), violation(0, "does\nnothing"))
    prompt = prompt_format("completion").repair(FETCH, source, violations)
    assert prompt is not None and source in prompt
    assert "# - line 3: the hand is full\n# - does nothing\n" in prompt
    assert prompt.endswith("# Instruction: Fetch the apple\ndef task_program():\n")
    ast.parse(prompt + "    pass\n")


def test_every_example_is_one_function() -> None:
    for example in EXAMPLES:
        (function,) = ast.parse(example).body
        assert isinstance(function, ast.FunctionDef) and function.name == "task_program"
