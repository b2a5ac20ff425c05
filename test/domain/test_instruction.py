"""What text from outside becomes, or why it is refused."""

import pytest

from roboinstruct_ros.domain.instruction import MAX_CHARACTERS, Instruction, InstructionError
from roboinstruct_ros.domain.task_error import TaskErrorCode


@pytest.mark.parametrize("text", ["", "   ", "\n\t \r\n", "???", "\u200b\u200e", "12 34"])
def test_text_without_words_is_refused_as_empty(text: str) -> None:
    with pytest.raises(InstructionError) as error:
        Instruction.checked(text)
    assert error.value.code is TaskErrorCode.INSTRUCTION_EMPTY
    assert "for example" in str(error.value)


def test_ten_thousand_characters_are_refused_with_the_limit() -> None:
    with pytest.raises(InstructionError) as error:
        Instruction.checked("go to the kitchen and " * 500)
    assert error.value.code is TaskErrorCode.INSTRUCTION_TOO_LONG
    assert "10999 characters" in str(error.value) and "1000" in str(error.value)


def test_the_longest_instruction_is_read_whole() -> None:
    assert len(Instruction.checked("g" * MAX_CHARACTERS).text) == MAX_CHARACTERS


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Иди на кухню и принеси яблоко", "Cyrillic"),
        ("去厨房拿一个苹果", "Cjk"),
        ("اذهب إلى المطبخ", "Arabic"),
        ("πήγαινε στην κουζίνα", "Greek"),
    ],
)
def test_another_script_is_refused_by_name(text: str, script: str) -> None:
    with pytest.raises(InstructionError) as error:
        Instruction.checked(text)
    assert error.value.code is TaskErrorCode.INSTRUCTION_SCRIPT
    assert script in str(error.value) and "Latin letters" in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "Bring Zoë's café au lait to José",
        "\uff27\uff4f to the kitchen",
        "Say 你好 to everyone here",
    ],
)
def test_accents_and_a_few_foreign_words_are_fine(text: str) -> None:
    assert Instruction.checked(text).text == text


def test_an_instruction_becomes_one_line_without_invisible_characters() -> None:
    instruction = Instruction.checked("  Go to\nthe \u202ekitchen\x00.\r\n", asked_by="Ann")
    assert instruction == Instruction("Go to the kitchen.", asked_by="Ann")


def test_errors_are_one_line() -> None:
    with pytest.raises(InstructionError) as error:
        Instruction.checked("1\n2\n3")
    assert "\n" not in str(error.value)
